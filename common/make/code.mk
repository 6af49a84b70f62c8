# The machine code of kernels, for the model of time: with FOR=h200 and the like, nvcc compiles, and nvdisasm writes
# build/code/sm_90a/stage3.sass. Without FOR nothing of this happens, and without the two programs the model goes on
# without machine code, or with a recorded one.
ifneq ($(FOR),)
# Before the tool is built, make starts again when it is; also if it is of an older checkout, which has no such command.
ifneq ($(wildcard $(LADDER)),)
FOR_ARCH := $(shell $(LADDER) gpu $(call quoted,$(FOR)) 2>&1)
$(if $(filter sm_%,$(FOR_ARCH))$(findstring no such command,$(FOR_ARCH)),,$(error FOR=$(subst ladder: ,,$(FOR_ARCH))))
endif
NVDISASM ?= $(firstword $(wildcard $(NVCC:%/nvcc=%/nvdisasm)) $(shell command -v nvdisasm) \
	$(wildcard /usr/local/cuda/bin/nvdisasm))
missing_for_code := $(strip $(if $(have_nvcc),,nvcc) $(if $(NVDISASM),,nvdisasm))
# A shell's command that says what is missing, once.
no_code = $(if $(missing_for_code),echo 'note: no machine code without $(missing_for_code);' \
	'docs/start.md has the command that installs it' >&2; )
CODE = build/code/$(FOR_ARCH)
endif
# $(call write_code,FILE.sass,options and sources of nvcc): a shell's command; the name is quoted for it. It must not
# fail, because a stage may use instructions that this GPU does not have.
write_code = { $(NVCC) -cubin -arch=$(FOR_ARCH) $2 -o $1.cubin && \
	$(NVDISASM) -g $1.cubin >$1.$$$$ && mv -f $1.$$$$ $1; } 2>$1.log || { rm -f $1 $1.$$$$; \
	echo 'note: no machine code for $(FOR_ARCH), so no time: '$1'.log says why' >&2; }; rm -f $1.cubin
