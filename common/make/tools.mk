# Targets that run tools of the CUDA Toolkit on the stages. If a tool is missing, its target prints SKIP and the reason.

SANITIZER ?= compute-sanitizer

.PHONY: regs ptx sass sassdiff profile sanitize

ifeq ($(have_nvcc),)
regs ptx sass sassdiff profile sanitize: ; @echo 'SKIP: make $@ needs nvcc of the CUDA Toolkit, which is not installed'
else ifeq ($(DEVICE),cpu)
regs ptx sass sassdiff: ; @$(MAKE) --no-print-directory DEVICE=gpu $@
profile sanitize: ; @echo 'SKIP: make $@ needs a GPU; on the CPU device, use make count and make check'
else
# Runs nvcc on a stage: $1 the stage, $2 more flags.
nvcc_stage = $(NVCC) $(call arch_flags,$($1.arch)) $(NVCC_FLAGS) $(addprefix -D,$(call settings,$(call build_of,$1))) \
	$2 $($1.file)

# Without a GPU and without ARCH, nvcc compiles for the oldest architecture that it supports. Printed with -s as well:
# the numbers depend on it.
.PHONY: default_arch
default_arch:
	@$(if $(filter default,$(ARCH_FROM)),echo 'architecture: $(ARCH)$(comma) the oldest that this nvcc' \
		'supports$(comma) because no GPU was found; for another one:' \
		'make $(firstword $(filter regs ptx sass sassdiff,$(MAKECMDGOALS))) ARCH=sm_90',:)

# $1: a stage
print_regs = c++filt < $(OBJ)/$(call build_of,$1).regs | $(AWK) -v stage=$1 -f $(SCRIPTS)/regs.awk
kernels_of = $(filter-out %.info.o,$(call objects_of,$(call build_of,$1)))
## regs: print registers, shared memory and spills of every kernel
regs: $(foreach s,$(call buildable,$(STAGES)),$(call kernels_of,$s)) | device default_arch
	@printf '%-10s %-28s %9s %12s %12s %6s\n' stage kernel registers 'shared bytes' 'spill bytes' arch
	@$(foreach s,$(call buildable,$(STAGES)),$(call print_regs,$s) &&) true

## ptx: write every stage's PTX with its source lines, as build/gpu/stageN.ptx
ptx: $(patsubst %,$(BUILD)/%.ptx,$(call buildable,$(STAGES)))
$(BUILD)/%.ptx: force | device default_arch
	@$(call nvcc_stage,$*,-ptx -src-in-ptx -o $@)
	@echo $@

ifeq ($(shell command -v cuobjdump || ls $(CUDA_HOME)/bin/cuobjdump 2>/dev/null),)
sass sassdiff: ; @echo 'SKIP: make $@ needs cuobjdump of the CUDA Toolkit, which is not installed:' \
	'apt-get install nvidia-cuda-toolkit or, from NVIDIA, cuda-cuobjdump-13-0'
else
CUOBJDUMP := $(shell command -v cuobjdump || ls $(CUDA_HOME)/bin/cuobjdump)
## sass: write every stage's machine code (SASS), as build/gpu/stageN.sass
sass: $(patsubst %,$(BUILD)/%.sass,$(call buildable,$(STAGES)))
$(BUILD)/%.sass: force | device default_arch
	@$(call nvcc_stage,$*,-cubin -o $(OBJ)/$*.cubin)
	@$(CUOBJDUMP) -sass $(OBJ)/$*.cubin | c++filt > $@
	@echo $@

# With the default architecture, both stages are compiled for the one that either needs.
newer_arch = $(if $(filter default,$(ARCH_FROM)),$(firstword $(filter-out $(ARCH),$(stage$A.arch) $(stage$B.arch))))
sassdiff: | default_arch ## compare the machine code of two stages: make sassdiff A=8 B=9
	@$(strip $(both))$(MAKE) -s --no-print-directory DEVICE=gpu ARCH=$(or $(newer_arch),$(ARCH)) \
		sass STAGES='stage$A stage$B' >/dev/null
	@$(COMMON)/make/sassdiff.sh $(BUILD)/stage$A.sass $(BUILD)/stage$B.sass
endif

profile: ## count with Nsight Compute (ncu), in the columns of make count: results/DEVICE/counts.tsv; ARGS as for run
	$(call ladder_runs,measure,--part counts --keep counts --show '' $(BUILD)/counts.tsv -- $(ARGS))

sanitize: stages ## run every stage under memcheck, racecheck, initcheck and synccheck; exit 1 on errors
	@RUN='$(RUN)' SANITIZER='$(SANITIZER)' $(SCRIPTS)/sanitize.sh $(BUILD) $(programs)
endif
