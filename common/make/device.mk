# Which device to build for, and why. Sets DEVICE (gpu or cpu), REASON if DEVICE was not given, and for the GPU NVCC,
# CUDA_HOME and ARCH.
#
# Detection takes time (nvidia-smi, or a job queue with RUN), so it is skipped if no goal needs the device: all are
# among PASSIVE.

PASSIVE := help list new exercise new-exercise hint solution clean diff plots drawn slides exam extra test readme
active  := $(filter-out $(PASSIVE),$(or $(MAKECMDGOALS),all))

# ARCH in the environment is ignored, because many programs use that name for something else.
ifneq ($(filter environment%,$(origin ARCH)),)
ARCH :=
endif

CUDA_HOME ?=
ifeq ($(origin NVCC),undefined)
NVCC := $(firstword $(wildcard $(CUDA_HOME:%=%/bin/nvcc)) $(shell command -v nvcc) $(wildcard /usr/local/cuda/bin/nvcc))
have_nvcc := $(NVCC)
else
have_nvcc := $(if $(NVCC),$(shell command -v $(NVCC)))
endif
ifeq ($(CUDA_HOME),)
CUDA_HOME := $(patsubst %/bin/,%,$(dir $(realpath $(have_nvcc))))
endif
# With a toolkit from a Linux distribution these may be empty; the compiler then finds the files itself.
CUDA_INC := $(dir $(firstword $(wildcard $(CUDA_HOME)/include/cuda_runtime_api.h \
	$(CUDA_HOME)/targets/*/include/cuda_runtime_api.h)))
CUDA_LIB := $(dir $(firstword $(wildcard $(CUDA_HOME)/lib64/libcudart.so $(CUDA_HOME)/lib/libcudart.so \
	$(CUDA_HOME)/targets/*/lib/libcudart.so)))

# The compute capability of the GPU where programs will run, as sm_90; empty without one.
ask_gpu = $(firstword $(shell $(RUN) nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null \
	| sed -n 's/^\([0-9][0-9]*\)\.\([0-9]\)[^0-9]*$$/sm_\1\2/p'))
gpu_arch :=
ifneq ($(and $(active),$(have_nvcc),$(filter-out cpu,$(or $(DEVICE),$(if $(FOR),cpu,gpu)))),)
# Skipped if DEVICE (or RUN) and ARCH are given.
ifeq ($(and $(DEVICE)$(RUN),$(ARCH)),)
gpu_arch := $(ask_gpu)
endif
endif

REASON :=
ifeq ($(DEVICE),)
ifneq ($(FOR),)
DEVICE := cpu
REASON := device: CPU, because the time of another GPU is modeled
else ifneq ($(RUN),)
DEVICE := gpu
REASON := device: GPU, because RUN is given
else ifeq ($(active),)
DEVICE := cpu
else ifeq ($(have_nvcc),)
DEVICE := cpu
REASON := device: CPU, because there is no nvcc here
else ifeq ($(gpu_arch),)
DEVICE := cpu
REASON := device: CPU, because nvidia-smi finds no GPU here
else
DEVICE := gpu
REASON := device: GPU, because nvcc and a GPU are here
endif
endif
ifeq ($(filter gpu cpu,$(DEVICE)),)
$(error DEVICE=$(DEVICE): the devices are gpu and cpu)
endif

# What nvcc can build for, oldest first. The CPU device does not depend on it.
nvcc_archs := $(if $(and $(have_nvcc),$(filter gpu,$(DEVICE))$(ARCH)),$(shell $(NVCC) --list-gpu-code 2>/dev/null | \
	sort -V))
ARCH_FROM  := given
ifeq ($(ARCH),)
ARCH      := $(or $(gpu_arch),$(firstword $(nvcc_archs)))
ARCH_FROM := $(if $(gpu_arch),gpu,default)
else ifneq ($(nvcc_archs),)
# sm_90a and sm_100f are variants of an architecture on the list.
ifeq ($(filter $(ARCH) $(ARCH:%a=%) $(ARCH:%f=%),$(nvcc_archs)),)
$(error ARCH=$(ARCH): this nvcc builds for $(nvcc_archs))
endif
endif

# sm_90a code runs on that architecture only. Otherwise, the program contains PTX as well, for newer GPUs.
arch_flags = $(if $(filter %a %f,$1),-gencode arch=$(1:sm_%=compute_%)$(comma)code=$1,-arch=$1)
comma := ,

# Times are recorded with a GPU. Counts of the CPU device are recorded with DEVICE=cpu, which is then given.
ifneq ($(and $(filter record,$(MAKECMDGOALS)),$(filter cpu,$(DEVICE)),$(REASON),$(filter-out cpu,$(TO))),)
$(error record: TO=$(TO): $(filter-out device:,$(REASON));\
	times need a GPU; make DEVICE=cpu record TO=cpu records counts)
endif
