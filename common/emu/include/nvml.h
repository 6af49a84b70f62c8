#error "the CPU device has no NVML: this program needs a GPU"
