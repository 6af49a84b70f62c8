# `make run-file FILE=program.cu`: builds a CUDA program, wherever it is, and runs it on the GPU or on the CPU device.
# The headers that it includes may be anywhere; libraries of CUDA (cuBLAS, Thrust) need the GPU. The root Makefile
# includes this.
#
#   FILE="a.cu b.cu c.cpp"        a program of several files
#   ARGS="..."                    the program's arguments
#   FLAGS="-Ifolder -std=c++20"   more options for the compiler, on both devices; on the CPU device, options that only
#                                 nvcc has, as -arch=sm_90, have no effect
#   CXXFLAGS="..."                for g++ only (CPU device); NVCCFLAGS for nvcc only
#
#   FOR=t4                        at the end, the modeled time of each launch on that GPU (CPU device)
#   TABLE=times.tsv               also as a table: kernel, grid, block, us, us in a graph, limiter, machine code, lacks
#
# build-file builds the program FILE_OUT and does not run it; file-runtime builds what all programs need. `make judge`
# uses both.

FILES     := $(value FILE)
FLAGS     ?=
FILE_NAME := $(basename $(notdir $(firstword $(FILES))))
FILE_OUT  := build/$(DEVICE)/file/$(FILE_NAME)
ifneq ($(filter undefined default,$(origin CXX)),)
CXX := g++
endif

# A name may have any characters but blanks, so each is quoted where a shell reads it.
quoted_each = $(foreach f,$1,$(call quoted,$f))
# $(call file_must,shell condition,message)
file_must = { $1; } || { echo $(call quoted,run-file: $2) >&2; exit 2; }
# $(call file_refuse,condition of make,message)
file_refuse = @$(if $1,$(call file_must,false,$2))

.PHONY: run-file build-file file-exists file-runtime
file-exists:
	$(call file_refuse,$(if $(FILES),,x),FILE is missing: make run-file FILE=folder/program.cu)
	@for file in $(call quoted_each,$(FILES)); do [ -f "$$file" ] || { printf 'run-file: %s: %s\n' "$$file" \
		'there is no such file$(if $(word 2,$(FILES)), (a name without blanks is needed))' >&2; exit 2; }; done
	$(call file_refuse,$(other_files),$(firstword $(other_files)): not a .cu or .cpp file)
	$(call file_refuse,$(if $(filter %.cu,$(FILES)),,x),$(FILES): not a .cu file)
	@mkdir -p $(dir $(FILE_OUT))
other_files = $(filter-out %.cu %.cpp %.cc %.cxx,$(FILES))

program = $(call quoted,$(FILE_OUT))
ifeq ($(DEVICE),gpu)
# Device code of one file may use that of another: -rdc=true.
build-file: file-exists device
	@$(call file_must,$(NVCC) -std=c++17 -O3 -lineinfo -arch=$(ARCH) $(if $(word 2,$(FILES)),-rdc=true) \
		$(FLAGS) $(NVCCFLAGS) $(call quoted_each,$(FILES)) -o $(program),$(FILES) does not build)
run-file: build-file
	@$(RUN) ./$(program) $(ARGS)
else
EMU_PASS := build/source_pass
EMU_OUT  := build/cpu/emu
Q        := @
include common/emu/emu.mk
include common/make/code.mk
jobs := $(all_cores)
MAKEFLAGS += $(jobs)
# FLAGS without what only nvcc knows. The headers of the CPU device need C++14.
nvcc_only := -arch=% --gpu-architecture=% -gencode arch=% -code=% -extended-lambda --extended-lambda -expt-% --expt-% \
	-lineinfo --generate-line-info -G -rdc=% -dc -use_fast_math --use_fast_math -maxrregcount=% -Xcompiler -Xptxas \
	-Xcudafe --diag_suppress=% -diag-suppress=% -lcudart -lcuda
gxx_flags := $(patsubst -Xcompiler=%,%,$(patsubst %=c++11,%=c++14,$(patsubst --std=%,-std=%,\
	$(filter-out $(nvcc_only),$(FLAGS)))))
# What nvcc refuses without these options (pass/refused.h). For a GPU, several files are compiled with -rdc=true.
allowed := $(if $(filter %-expt-relaxed-constexpr,$(FLAGS)),-DEMU_RELAXED_CONSTEXPR) $(if $(filter -rdc=true -dc \
	--relocatable-device-code=true,$(FLAGS))$(word 2,$(FILES)),-DEMU_SEPARATE_COMPILATION)
# The program's host code may throw exceptions.
FILE_FLAGS := -fexceptions -Wno-unknown-pragmas $(allowed) $(gxx_flags) $(CXXFLAGS)
FILE_HOST_FLAGS := -std=c++17 -O2 -gdwarf-4 -fno-pie -Wno-deprecated-copy $(EMU_CPPFLAGS) $(gxx_flags) $(CXXFLAGS)

# $(call file_compile,source,object without suffix): .cu files through the source pass, others as host code
file_compile = $(call file_must,$(if $(filter %.cu,$1),$(call file_device,$(call quoted,$1),$(call quoted,$2)),\
	$(CXX) $(FILE_HOST_FLAGS) -c $(call quoted,$1) -o $(call quoted,$2).o),$1 does not compile for the CPU device)
file_device = $(CXX) $(EMU_PREPROCESS_FLAGS) $(FILE_FLAGS) $1 -o $2.i && \
	$(EMU_PASS) $2.i $(EMU_DEVICE_VIEW) $(FILE_FLAGS) $1 > $2.ii && \
	$(EMU_PASS) --compile $2.ii $(CXX) $(EMU_COMPILE_FLAGS) $(FILE_FLAGS) $(EMU_LAST_FLAGS) -c $2.ii -o $2.o
# The object of the file $1. Files of different folders may have the same name.
file_object = $(FILE_OUT)$(if $(word 2,$(FILES)),.$(subst /,_,$1))
file_objects = $(foreach file,$(FILES),$(call file_object,$(file)).o)

# The model of time, of which the program sees no name.
ifneq ($(FOR),)
FILE_MODEL := build/cpu/model/run_file.o
FILE_CODE  := $(if $(missing_for_code),,$(FILE_OUT).sass)
run_model   = MODEL_GPU=$(call quoted,$(FOR)) MODEL_MACHINES=$(COMMON)/machine MODEL_CODE=$(call quoted,$(FILE_CODE)) \
	$(if $(TABLE),MODEL_TABLE=$(call quoted,$(TABLE)))
$(FILE_MODEL): $(wildcard $(addprefix $(COMMON)/,model/*.[ch] model/run_file/*.c base/*.[ch]))
	@mkdir -p $(@D) && $(CC) -std=gnu11 -O2 -Wall -Wextra -I$(COMMON)/model -I$(COMMON)/base -r -nostdlib \
		$(filter %.c,$^) -o $@.$$$$ && objcopy --keep-global-symbol=none $@.$$$$ && mv -f $@.$$$$ $@
# The cubin of one file, or of several that are linked.
cubin_flags = -std=c++17 -O3 -lineinfo $(if $(word 2,$(FILES)),-rdc=true -dlink) \
	$(filter-out -arch=% --gpu-architecture=%,$(FLAGS)) $(NVCCFLAGS) $(call quoted_each,$(filter %.cu,$(FILES)))
.PHONY: file-code
file-code: file-exists
	@$(no_code)$(if $(FILE_CODE),$(call write_code,$(call quoted,$(FILE_CODE)),$(cubin_flags)))
build-file: file-code $(FILE_MODEL)
endif

$(EMU_OBJS): | device
file-runtime: $(EMU_PASS) $(EMU_OBJS) $(EMU_LIBRARY) | device
build-file: $(EMU_PASS) $(EMU_CORE) $(wildcard $(EMU_LIBRARY)) | file-exists device
	@$(foreach file,$(FILES),$(call file_compile,$(file),$(call file_object,$(file))) &&) :
	@$(call file_must,$(emu_link) $(CXX) $(call quoted_each,$(file_objects)) $(FILE_MODEL) $(EMU_CORE) $(LDFLAGS) \
		$(EMU_LDFLAGS) -o $(program),$(FILES) does not link: it has to be a whole program)
run-file: build-file
	@$(run_model) ./$(program) $(ARGS)
endif
