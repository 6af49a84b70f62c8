# How to build for the CPU device. The includer sets COMMON, the folder above this one, and CXX.

EMU_DIR := $(COMMON)/emu
EMU_PASS := $(EMU_DIR)/source_pass.awk
EMU_SRCS := $(wildcard $(EMU_DIR)/*.cpp)
EMU_CPPFLAGS := -I$(EMU_DIR)/include

# A call at every block of a kernel's code, from which the runtime knows where lanes are (loops.cpp, flow.cpp). Empty: faster by up to a third where
# kernels mostly compute, and right where lanes do not diverge in loops. It reads the machine code, and cannot follow jump tables.
EMU_LOOPS ?= -fsanitize-coverage=trace-pc -fno-jump-tables

# DWARF 4: from version 5's tables addr2line of binutils 2.40 takes the wrong file name. A stage's objects call the runtime before each memory access
# (-fsanitize=thread; hooks.cpp stands in for the sanitizer). The other flags keep accesses as the source has them and code in its order: no splitting
# or merging of vector accesses, no moving of blocks.
EMU_KERNEL_CXXFLAGS := -std=c++17 -O2 -gdwarf-4 -fno-pie $(EMU_LOOPS) \
	-fsanitize=thread --param tsan-instrument-func-entry-exit=0 --param tsan-distinguish-volatile=1 \
	-fno-tree-sra -fno-tree-vectorize -fno-tree-slp-vectorize -fno-store-merging -fno-tree-loop-distribute-patterns \
	-fno-reorder-blocks -fno-reorder-blocks-and-partition -fno-crossjumping -fno-tree-tail-merge -fno-thread-jumps -fno-optimize-sibling-calls \
	-fno-strict-aliasing -fno-threadsafe-statics -ffp-contract=off -fno-exceptions -Wno-attributes \
	$(EMU_CPPFLAGS) -include cuda_runtime.h
EMU_RUNTIME_CXXFLAGS := -std=c++17 -O2 -g -fno-pie -Wall -Wextra
EMU_LDFLAGS := -no-pie -pthread
