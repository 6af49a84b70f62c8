#error "the CPU device has no NCCL: this program needs a GPU"
