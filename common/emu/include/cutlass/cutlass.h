#error "the CPU device has no CUTLASS: this program needs a GPU"
