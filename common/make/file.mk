# `make run-file FILE=program.cu`: builds a CUDA program of one file, wherever it is, and runs it on the GPU or on the CPU device. The headers that
# it includes may be anywhere; libraries of CUDA (cuBLAS, Thrust) need the GPU. The root Makefile includes this.
#
#   ARGS="..."                    the program's arguments
#   CXXFLAGS="-Ifolder -DN=8"     more options for g++ (CPU device); for nvcc, NVCCFLAGS

FILE      ?=
FILE_NAME := $(basename $(notdir $(FILE)))
FILE_OUT  := build/$(DEVICE)/file/$(FILE_NAME)
ifneq ($(filter undefined default,$(origin CXX)),)
CXX := g++
endif

# $(call file_must,shell condition,message)
file_must = { $1; } || { echo 'run-file: $2' >&2; exit 2; }

.PHONY: run-file file-exists
file-exists:
	@$(call file_must,[ -n '$(FILE)' ],FILE is missing: make run-file FILE=folder/program.cu)
	@$(call file_must,[ -f '$(FILE)' ],$(FILE): there is no such file)
	@$(call file_must,[ '$(suffix $(FILE))' = .cu ],$(FILE): not a .cu file)
	@$(call file_must,[ '$(words $(FILE))' = 1 ],$(FILE): a name without spaces is needed)
	@mkdir -p $(dir $(FILE_OUT))

ifeq ($(DEVICE),gpu)
run-file: file-exists device
	@$(call file_must,$(NVCC) -std=c++17 -O3 -lineinfo -arch=$(ARCH) $(NVCCFLAGS) '$(FILE)' -o $(FILE_OUT),$(FILE) does not build)
	@$(RUN) ./$(FILE_OUT) $(ARGS)
else
EMU_PASS := build/source_pass
EMU_OUT  := build/cpu/emu
Q        := @
include common/emu/emu.mk
# The program's host code may throw exceptions.
FILE_FLAGS   := -fexceptions -Wno-unknown-pragmas $(CXXFLAGS)

$(EMU_OBJS): | device
run-file: $(EMU_PASS) $(EMU_OBJS) | file-exists device
	@$(call file_must,$(CXX) $(EMU_PREPROCESS_FLAGS) $(FILE_FLAGS) '$(FILE)' -o $(FILE_OUT).i && \
		$(EMU_PASS) $(FILE_OUT).i $(EMU_DEVICE_VIEW) $(FILE_FLAGS) '$(FILE)' > $(FILE_OUT).ii && \
		$(CXX) $(EMU_COMPILE_FLAGS) $(FILE_FLAGS) $(EMU_LAST_FLAGS) -c $(FILE_OUT).ii -o $(FILE_OUT).o,$(FILE) does not compile for the CPU device)
	@$(call file_must,$(CXX) $(FILE_OUT).o $(EMU_OBJS) $(LDFLAGS) $(EMU_LDFLAGS) -o $(FILE_OUT),$(FILE) does not link: it has to be a whole program)
	@./$(FILE_OUT) $(ARGS)
endif
