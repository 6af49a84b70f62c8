# How to build for the CPU device. The includer sets COMMON, the folder above this one, CXX, and EMU_PASS, where the source pass is built.
#
# A .cu file is preprocessed (EMU_PREPROCESS_FLAGS), rewritten by the source pass, and compiled (EMU_COMPILE_FLAGS):
#     $(CXX) $(EMU_PREPROCESS_FLAGS) x.cu -o x.i && $(EMU_PASS) x.i > x.ii && $(CXX) $(EMU_COMPILE_FLAGS) -c x.ii

EMU_DIR := $(COMMON)/emu
EMU_SRCS := $(wildcard $(EMU_DIR)/*.cpp)
EMU_CPPFLAGS := -I$(EMU_DIR)/include

# A call at every block of a kernel's code, from which the runtime knows where lanes are (loops.cpp, flow.cpp). Empty: faster by up to a third where
# kernels mostly compute, and right where lanes do not diverge in loops. It reads the machine code, and cannot follow jump tables.
EMU_LOOPS ?= -fsanitize-coverage=trace-pc -fno-jump-tables

# A thread's uninitialized variables hold a pattern that shows in results: floats of -1.7e38 (g++ 12 and later).
EMU_INIT := $(shell echo | $(CXX) -ftrivial-auto-var-init=pattern -E -x c++ - >/dev/null 2>&1 && echo -ftrivial-auto-var-init=pattern)

# DWARF 4: from version 5's tables addr2line of binutils 2.40 takes the wrong file name. A stage's objects call the runtime before each memory access
# (-fsanitize=thread; hooks.cpp stands in for the sanitizer). The other flags keep accesses as the source has them and code in its order: no splitting
# or merging of vector accesses, no moving of blocks, no traps in place of a division by zero or an access to a null pointer.
EMU_KERNEL_CXXFLAGS := -std=c++17 -O2 -gdwarf-4 -fno-pie $(EMU_LOOPS) $(EMU_INIT) -fsanitize=bounds \
	-fsanitize=thread --param tsan-instrument-func-entry-exit=0 --param tsan-distinguish-volatile=1 \
	-fno-tree-sra -fno-tree-vectorize -fno-tree-slp-vectorize -fno-store-merging -fno-tree-loop-distribute-patterns \
	-fno-reorder-blocks -fno-reorder-blocks-and-partition -fno-crossjumping -fno-tree-tail-merge -fno-thread-jumps -fno-optimize-sibling-calls \
	-fno-isolate-erroneous-paths-dereference -fno-strict-aliasing -fno-threadsafe-statics -ffp-contract=off -fno-exceptions -Wno-attributes \
	$(EMU_CPPFLAGS)
EMU_PREPROCESS_FLAGS = -E -x c++ -DEMU_SOURCE_PASS -D__CUDACC__ $(EMU_KERNEL_CXXFLAGS) -include cuda_runtime.h
EMU_COMPILE_FLAGS = -fpreprocessed $(EMU_KERNEL_CXXFLAGS)
EMU_RUNTIME_CXXFLAGS := -std=c++17 -O2 -g -fno-pie -Wall -Wextra
EMU_LDFLAGS := -no-pie -pthread

EMU_PASS_FILES := $(wildcard $(EMU_DIR)/pass/*.cpp $(EMU_DIR)/pass/*.h)
$(EMU_PASS): $(EMU_PASS_FILES)
	@command -v $(firstword $(CXX)) >/dev/null || { echo '$(CXX) is not installed: apt-get install g++' >&2; exit 1; }
	@mkdir -p $(@D) && $(CXX) -std=c++17 -O1 -Wall -Wextra $(filter %.cpp,$^) -o $@.$$$$ && mv $@.$$$$ $@
