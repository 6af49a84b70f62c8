// demo_vecadd: a complete first CUDA program (vector addition)
//
// The steps of every CUDA program: allocate device memory, copy the inputs, launch the kernel, copy
// the result back, check it, free the memory. `./demo_vecadd 1000` adds vectors of 1000 elements.
// make demo_vecadd && ./demo_vecadd
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

// Each thread adds one pair of elements. Threads of the last block that are past the end do
// nothing.
__global__ void vecAdd(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        c[i] = a[i] + b[i];
}

// Every call of the runtime returns an error code, which must be checked.
static void check(cudaError_t error, const char *what)
{
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "demo_vecadd: %s: %s\n", what, cudaGetErrorString(error));
    exit(3);
}

// Returns the number of elements: the argument of the program, or a million.
static int elements(int argc, char **argv)
{
    char *end = NULL;
    long n = argc == 2 ? strtol(argv[1], &end, 10) : 1000000;

    if (argc > 2 || (argc == 2 && (end == argv[1] || *end)) || n < 1 || n > 1 << 30) {
        fprintf(stderr, "demo_vecadd: %s: expected one number of elements, 1 to %d\n",
                argv[argc - 1], 1 << 30);
        exit(2);
    }
    return (int)n;
}

int main(int argc, char **argv)
{
    int n = elements(argc, argv);
    size_t size = n * sizeof(float);

    // Host memory. a and b are the inputs.
    float *a = (float *)malloc(size), *b = (float *)malloc(size), *c = (float *)malloc(size);
    if (!a || !b || !c) {
        fprintf(stderr, "demo_vecadd: no memory for %d elements\n", n);
        return 3;
    }
    for (int i = 0; i < n; i++) {
        a[i] = (float)i;
        b[i] = 0.5f * (float)(i % 7) - 1;
    }

    // 1. Device memory for all three vectors. The host cannot dereference these pointers.
    float *a_d, *b_d, *c_d;
    check(cudaMalloc((void **)&a_d, size), "allocating a");
    check(cudaMalloc((void **)&b_d, size), "allocating b");
    check(cudaMalloc((void **)&c_d, size), "allocating c");

    // 2. Copy the inputs to the device. The destination comes first, as in memcpy.
    check(cudaMemcpy(a_d, a, size, cudaMemcpyHostToDevice), "copying a to the device");
    check(cudaMemcpy(b_d, b, size, cudaMemcpyHostToDevice), "copying b to the device");

    // 3. Launch enough blocks of 256 threads for n elements. The launch is asynchronous and returns
    // no value. cudaGetLastError() reports a failed launch; the next call that waits for the kernel
    // reports an error in the kernel.
    int threads = 256;
    int blocks = (n - 1) / threads + 1;
    vecAdd<<<blocks, threads>>>(a_d, b_d, c_d, n);
    check(cudaGetLastError(), "launching vecAdd");

    // 4. Copy the result to the host. The copy starts after the kernel has finished.
    check(cudaMemcpy(c, c_d, size, cudaMemcpyDeviceToHost), "copying c to the host");

    // 5. Check the result. Host and device round an addition alike, so the sums must be equal.
    int wrong = 0;
    for (int i = 0; i < n; i++)
        if (c[i] != a[i] + b[i] && wrong++ == 0)
            fprintf(stderr, "demo_vecadd: c[%d] is %g, not %g\n", i, c[i], a[i] + b[i]);

    // 6. Free the memory.
    check(cudaFree(a_d), "freeing a");
    check(cudaFree(b_d), "freeing b");
    check(cudaFree(c_d), "freeing c");
    free(a);
    free(b);
    free(c);

    printf("%d elements in %d blocks of %d threads: %d wrong\n", n, blocks, threads, wrong);
    return wrong != 0;
}
