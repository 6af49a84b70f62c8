# What the toolkit's tools say of the stages. A tool that is not there makes its target say SKIP and why.

NCU       ?= ncu
SANITIZER ?= compute-sanitizer

# The counters that agree with theory exactly, by the column that they fill; two for one column are added up.
NCU_COUNTERS := \
	ld_requests=l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum \
	ld_sectors=l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum \
	st_requests=l1tex__t_requests_pipe_lsu_mem_global_op_st.sum \
	st_sectors=l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum \
	shared_requests=smsp__sass_inst_executed_op_shared_ld.sum \
	shared_requests=smsp__sass_inst_executed_op_shared_st.sum \
	shared_wavefronts=memory_l1_wavefronts_shared
# Copies from global to shared memory (LDGSTS), which are among the loads above, are stores to shared memory as well, as on the CPU device. Fetches of
# textures.
NCU_SOME_COUNTERS := \
	shared_requests=sm__sass_inst_executed_op_ldgsts.sum \
	tex_requests=sm__sass_inst_executed_op_texture.sum

.PHONY: regs ptx sass profile sanitize

ifeq ($(have_nvcc),)
regs ptx sass profile sanitize: ; @echo 'SKIP: make $@ needs the CUDA Toolkit, and there is no nvcc here'
else ifeq ($(DEVICE),cpu)
regs ptx sass: ; @$(MAKE) --no-print-directory DEVICE=gpu $@
profile sanitize: ; @echo 'SKIP: make $@ needs a GPU; the CPU device counts (make count) and diagnoses by itself (make check)'
else
# One stage through nvcc: $1 the stage, $2 further flags.
nvcc_stage = $(NVCC) $(call arch_flags,$(call field,$1,3)) $(NVCC_FLAGS) $(addprefix -D,$(call set_of,$1)) $2 $(call field,$1,2)
able       = $(foreach s,$(STAGES),$(if $(filter none,$(call field,$s,3)),,$s))

regs: | device ## registers, shared memory and spills of every kernel
	@printf '%-10s %-28s %9s %12s %12s %6s\n' stage kernel registers 'shared bytes' 'spill bytes' arch
	@$(foreach s,$(able),$(call nvcc_stage,$s,--resource-usage -cubin -o $(OBJ)/$s.cubin) 2>&1 | c++filt \
		| $(AWK) -v stage=$s -f $(SCRIPTS)/regs.awk &&) true

ptx: $(patsubst %,$(BUILD)/%.ptx,$(able)) ## every stage's PTX, as build/gpu/stageN.ptx
$(BUILD)/%.ptx: force | device
	@$(call nvcc_stage,$*,-ptx -o $@)
	@echo $@

ifeq ($(shell command -v cuobjdump || ls $(CUDA_HOME)/bin/cuobjdump 2>/dev/null),)
sass: ; @echo 'SKIP: make sass needs cuobjdump, which is not with this toolkit'
else
CUOBJDUMP := $(shell command -v cuobjdump || ls $(CUDA_HOME)/bin/cuobjdump)
sass: $(patsubst %,$(BUILD)/%.sass,$(able)) ## every stage's machine code, as build/gpu/stageN.sass
$(BUILD)/%.sass: force | device
	@$(call nvcc_stage,$*,-cubin -o $(OBJ)/$*.cubin)
	@$(CUOBJDUMP) -sass $(OBJ)/$*.cubin | c++filt > $@
	@echo $@
endif

profile: built ## count what the hardware counts, with ncu: results/DEVICE/counts.tsv, in the columns of make count; ARGS as for run
	@AWK=$(AWK) RUN='$(RUN)' NCU='$(NCU)' COUNTERS='$(NCU_COUNTERS)' SOME_COUNTERS='$(NCU_SOME_COUNTERS)' ARGS='$(ARGS)' $(SCRIPTS)/profile.sh $(PROFILE_SIZE) $(BUILD) $(programs)

sanitize: built ## memcheck, racecheck, initcheck and synccheck over every stage; exit 1 on errors
	@RUN='$(RUN)' SANITIZER='$(SANITIZER)' $(SCRIPTS)/sanitize.sh $(BUILD) $(programs)
endif
