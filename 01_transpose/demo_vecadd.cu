// demo_vecadd: a first CUDA program, whole. Adds two vectors on the device: allocate, copy, launch,
// copy back, check, free.
//
// make demo_vecadd && ./demo_vecadd; ./demo_vecadd 1000 for vectors of 1000 elements
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

// Each thread adds one pair of elements. The last block may reach past the end: its spare threads
// do nothing.
__global__ void vecAdd(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        c[i] = a[i] + b[i];
}

// Every call of the runtime can fail, and says so only to those who look.
static void check(cudaError_t error, const char *what)
{
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "demo_vecadd: %s: %s\n", what, cudaGetErrorString(error));
    exit(3);
}

// The number of elements: the program's argument, or a million.
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

    // The host's arrays; a and b are the inputs.
    float *a = (float *)malloc(size), *b = (float *)malloc(size), *c = (float *)malloc(size);
    if (!a || !b || !c) {
        fprintf(stderr, "demo_vecadd: no memory for %d elements\n", n);
        return 3;
    }
    for (int i = 0; i < n; i++) {
        a[i] = (float)i;
        b[i] = 0.5f * (float)(i % 7) - 1;
    }

    // 1. Device memory for all three. What the host holds are addresses there: it cannot follow
    // them itself.
    float *a_d, *b_d, *c_d;
    check(cudaMalloc((void **)&a_d, size), "allocating a");
    check(cudaMalloc((void **)&b_d, size), "allocating b");
    check(cudaMalloc((void **)&c_d, size), "allocating c");

    // 2. The inputs go over: destination first, as in memcpy.
    check(cudaMemcpy(a_d, a, size, cudaMemcpyHostToDevice), "copying a to the device");
    check(cudaMemcpy(b_d, b, size, cudaMemcpyHostToDevice), "copying b to the device");

    // 3. As many blocks of 256 threads as cover n elements. The launch returns at once and no
    // value: a launch that cannot be made shows in cudaGetLastError(), a kernel that fails as it
    // runs in the next call that waits for it.
    int threads = 256;
    int blocks = (n - 1) / threads + 1;
    vecAdd<<<blocks, threads>>>(a_d, b_d, c_d, n);
    check(cudaGetLastError(), "launching vecAdd");

    // 4. The result comes back. This copy waits for the kernel, which was given to the device
    // before it.
    check(cudaMemcpy(c, c_d, size, cudaMemcpyDeviceToHost), "copying c to the host");

    // 5. Is it right? One addition rounds alike on both sides, so that the sums must be equal.
    int wrong = 0;
    for (int i = 0; i < n; i++)
        if (c[i] != a[i] + b[i] && wrong++ == 0)
            fprintf(stderr, "demo_vecadd: c[%d] is %g, not %g\n", i, c[i], a[i] + b[i]);

    check(cudaFree(a_d), "freeing a");
    check(cudaFree(b_d), "freeing b");
    check(cudaFree(c_d), "freeing c");
    free(a);
    free(b);
    free(c);

    printf("%d elements in %d blocks of %d threads: %d wrong\n", n, blocks, threads, wrong);
    return wrong != 0;
}
