# Build rules for the CPU device. The makefile that includes this sets COMMON (the parent folder of this one), CXX,
# EMU_PASS (where the source pass is built) and EMU_OUT (the folder of the runtime's objects, EMU_OBJS).
#
# A .cu file is preprocessed (EMU_PREPROCESS_FLAGS), rewritten by the source pass, and compiled (EMU_COMPILE_FLAGS). If
# the file mentions __CUDA_ARCH__, the source pass preprocesses it again, with that macro (EMU_DEVICE_VIEW):
#     $(CXX) $(EMU_PREPROCESS_FLAGS) x.cu -o x.i && $(EMU_PASS) x.i $(EMU_DEVICE_VIEW) x.cu > x.ii &&
#     $(EMU_PASS) --compile x.ii $(CXX) $(EMU_COMPILE_FLAGS) -c x.ii
# The source pass runs g++, prints its messages in terms of the source, and judges the calls that g++ has resolved.

EMU_DIR := $(COMMON)/emu
# What the programs that run here may include.
EMU_HEADERS := $(wildcard $(EMU_DIR)/*.h $(EMU_DIR)/include/*.h $(EMU_DIR)/include/*/* $(EMU_DIR)/include/*/*/*)

EMU_SRCS := $(filter-out $(EMU_DIR)/pass/%,$(wildcard $(EMU_DIR)/*/*.cpp))
# The files of a folder are compiled as one, which halves the time because headers are read once. Exceptions are those
# that define the same names as others, or include headers with macros that others do not expect.
EMU_ALONE := $(filter $(EMU_DIR)/ptx/% %/cublas.cpp,$(EMU_SRCS))
EMU_UNITS := $(sort $(patsubst $(EMU_DIR)/%/,%,$(dir $(filter-out $(EMU_ALONE),$(EMU_SRCS)))) \
	$(EMU_ALONE:$(EMU_DIR)/%.cpp=%))
EMU_OBJS  := $(EMU_UNITS:%=$(EMU_OUT)/%.o)
# Of these, what only inline PTX, Hopper's instructions and cuBLAS need: other programs do without it. $(emu_link)
# before a command that links adds it if the program needs it.
EMU_ON_DEMAND := $(patsubst %,$(EMU_OUT)/%.o,hopper $(EMU_ALONE:$(EMU_DIR)/%.cpp=%))
EMU_CORE := $(filter-out $(EMU_ON_DEMAND),$(EMU_OBJS))
EMU_LIBRARY := $(EMU_OUT)/on_demand.a
emu_link = $(COMMON)/make/link_emu.sh $(EMU_LIBRARY) "$(COMMON)" "$(CXX)" "$(EMU_PASS)"
EMU_CPPFLAGS := -I$(EMU_DIR)/include

# Inserts a call at every basic block of a kernel, from which the runtime knows where lanes are (loops.cpp). At the
# first execution, it removes the calls that it does not need (flow.cpp). Empty: correct only if lanes do not diverge in
# loops. The runtime reads the machine code, and cannot follow jump tables.
EMU_LOOPS ?= -fsanitize-coverage=trace-pc -fno-jump-tables

# Fills uninitialized local variables with a pattern that is conspicuous in results: floats of -1.7e38 (g++ 12 and
# later).
EMU_INIT := $(if $(filter-out 9% 10% 11%,$(shell $(CXX) -dumpversion 2>/dev/null)),-ftrivial-auto-var-init=pattern)

# What nvcc warns of, too, and typing mistakes.
EMU_WARNINGS := -Wuninitialized -Wmaybe-uninitialized -Wparentheses -Wunused-value -Wunused-variable -Wformat \
	-Waddress -Wbool-compare -Wmisleading-indentation -Wempty-body

# DWARF 4, because addr2line of binutils 2.40 reads wrong file names from the tables of version 5. Kernels call the
# runtime before each memory access (-fsanitize=thread; hooks.cpp replaces the sanitizer's library). The other flags
# keep accesses as in the source and code in source order: no splitting or merging of vector accesses, no stores moved
# to a later line, no reordering of blocks, no traps in place of a division by zero or an access through a null pointer,
# and no deleted loops: C++ lets g++ assume that a loop without side effects ends.
EMU_KERNEL_CXXFLAGS := -std=c++17 -O2 -gdwarf-4 -fno-pie $(EMU_LOOPS) $(EMU_INIT) -fno-finite-loops -fno-tree-sink \
	-fsanitize=bounds,shift-exponent,float-cast-overflow,return $(EMU_WARNINGS) -Wno-psabi -Wno-deprecated-copy \
	-fsanitize=thread --param tsan-instrument-func-entry-exit=0 --param tsan-distinguish-volatile=1 \
	-fno-tree-sra -fno-tree-vectorize -fno-tree-slp-vectorize -fno-store-merging -fno-tree-loop-distribute-patterns \
	-fno-reorder-blocks -fno-reorder-blocks-and-partition -fno-crossjumping -fno-tree-tail-merge -fno-thread-jumps \
		-fno-optimize-sibling-calls \
	-fno-isolate-erroneous-paths-dereference -fno-strict-aliasing -fno-threadsafe-statics -ffp-contract=off \
		-fno-exceptions -Wno-attributes \
	$(EMU_CPPFLAGS)
EMU_PREPROCESS_FLAGS = -E -x c++ -DEMU_SOURCE_PASS -D__CUDACC__ $(EMU_KERNEL_CXXFLAGS) -include cuda_runtime.h
# The user's flags follow, and may define another architecture.
EMU_DEVICE_VIEW = $(CXX) $(EMU_PREPROCESS_FLAGS) -w -D__CUDA_ARCH__=900
EMU_COMPILE_FLAGS = -fpreprocessed $(EMU_KERNEL_CXXFLAGS)
# fiber.h needs -mno-red-zone, which only x86-64 has. A cross compiler is for another machine than MAKE_HOST.
EMU_MACHINE := $(shell $(CXX) -dumpmachine 2>/dev/null)
EMU_RUNTIME_CXXFLAGS := -std=c++17 -O2 -ftree-vectorize -fno-pie -Wall -Wextra -Wno-deprecated-copy $(if $(filter \
	x86_64%,$(EMU_MACHINE)),-mno-red-zone)
# Units for which less optimization takes less time to compile, and programs as long as before (within 1 % of their
# instructions): those that run per call of the host, per launch or per report, and two whose loops are simple.
EMU_QUICK := host=-Og report=-Og lanes=-O1 count=-O1
# Placed after the user's flags: with -flto, the linker would generate the code without the flags above.
EMU_LAST_FLAGS := -fno-lto
EMU_LDFLAGS := -no-pie -pthread

EMU_PASS_FILES := $(wildcard $(EMU_DIR)/pass/*.cpp $(EMU_DIR)/pass/*.h)
$(EMU_PASS): $(EMU_PASS_FILES)
	@$(call installed,$(firstword $(CXX)))
	@mkdir -p $(@D) && $(CXX) -std=c++17 -Og -Wall -Wextra $(addprefix -include ,$(filter %.cpp,$^)) -x c++ /dev/null \
		-o $@.$$$$ && mv $@.$$$$ $@

include $(COMMON)/make/flags.mk
# whole.sh: makes of several weeks may build the runtime at the same time. The dependency files name folders by
# variables, because makes that share them run in different folders.
emu_sources = $(or $(filter $(EMU_DIR)/$1.cpp,$(EMU_ALONE)),$(sort $(filter-out $(EMU_ALONE),$(wildcard \
	$(EMU_DIR)/$1/*.cpp))))
$(foreach u,$(EMU_UNITS),$(eval $(EMU_OUT)/$u.o: $(call emu_sources,$u)))
$(EMU_OBJS): $(EMU_OUT)/%.o: $(EMU_OUT)/flags
	$(announce)
	@mkdir -p $(@D)
	$(Q)$(COMMON)/make/whole.sh $@ $(@:.o=.d) -- \
		sh -c 'd=$$1; shift; "$$@" && touch "$$d" && sed -i "s|$(EMU_DIR)/|\$$(EMU_DIR)/|g" "$$d"' sh $(@:.o=.d) \
		$(CXX) $(EMU_RUNTIME_CXXFLAGS) $(patsubst $*=%,%,$(filter $*=%,$(EMU_QUICK))) -I$(EMU_DIR) \
		-MMD -MP -MF $(@:.o=.d) -MT '$$(EMU_OUT)/$*.o' \
		$(addprefix -include ,$(call emu_sources,$*)) -x c++ -c /dev/null -o $@
-include $(EMU_OBJS:.o=.d)
# One member, because what is linked of it registers instructions that the program's PTX may have.
$(EMU_LIBRARY): $(EMU_ON_DEMAND)
	$(Q)$(COMMON)/make/whole.sh $(@:.a=.o) -- $(CXX) -r -nostdlib $^ -o $(@:.a=.o)
	$(Q)$(COMMON)/make/whole.sh $@ -- ar rc $@ $(@:.a=.o)
emu_files := $(EMU_SRCS:$(EMU_DIR)/%=%)
$(EMU_OUT)/flags: $(call if_changed,$(EMU_OUT)/flags,$(CXX) $(EMU_RUNTIME_CXXFLAGS) $(EMU_QUICK) $(emu_files))
	$(call keep_flags,$(CXX) $(EMU_RUNTIME_CXXFLAGS) $(EMU_QUICK) $(emu_files),$(firstword $(CXX)))
