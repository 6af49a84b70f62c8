# `make machine` measures the GPU. Its programs are in common/machine, and docs/machine.md explains the numbers. The
# root Makefile includes this.

MACHINE_OUT   := build/$(DEVICE)/machine
MACHINE_OBJS  := $(patsubst $(COMMON)/machine/%.cu,$(MACHINE_OUT)/%.o,$(wildcard $(COMMON)/machine/*.cu))
MACHINE_TABLE := $(if $(TO),$(COMMON)/machine/$(TO).tsv,build/machine.tsv)
# wgmma needs sm_90a.
MACHINE_ARCH  := $(patsubst sm_90,sm_90a,$(ARCH))
# Built as for the weeks.
MACHINE_PARTS = $(filter-out %/harness/main.o,$(wildcard $(foreach d,base table harness stage model,build/gpu/$d/*.o)))

.PHONY: machine
ifeq ($(DEVICE),gpu)
machine: runtime
	+@$(MAKE) -j$(or $(shell nproc 2>/dev/null),2) $(SETTLED) $(MACHINE_OUT)/machine
	$(RUN) $(MACHINE_OUT)/machine --to $(MACHINE_TABLE) $(ARGS)
$(MACHINE_OUT)/machine: $(MACHINE_OBJS)
	@$(NVCC) $(call arch_flags,$(MACHINE_ARCH)) $^ $(MACHINE_PARTS) -Xcompiler -fopenmp -ldl -lm -lpthread -o $@
$(MACHINE_OBJS): $(MACHINE_OUT)/%.o: $(COMMON)/machine/%.cu $(wildcard $(COMMON)/machine/*.h $(COMMON)/stage/*.h) \
		$(COMMON)/harness/demo.h
	@mkdir -p $(@D) && $(NVCC) -std=c++17 -O3 --default-stream per-thread -Xcompiler -Wall \
		$(call arch_flags,$(MACHINE_ARCH)) $(NVCCFLAGS) -c $< -o $@
else
machine: device
	@echo 'machine: skipped: the CPU device measures no time; common/machine has the tables of the H100 and the H200'
endif
