// A header as in course material: with kernels, shared memory, device variables and launches.
#ifndef FOREIGN_H
#define FOREIGN_H

__device__ int header_variable = 40;
__constant__ int header_constant[2];

template <class T> struct SharedMemory {
    __device__ inline operator T *()
    {
        extern __shared__ int __smem[];
        return (T *)__smem;
    }
};

template <typename T, int N> __global__ void header_kernel(T *out)
{
    __shared__ T tile[N];

    tile[threadIdx.x] = (T)threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = tile[N - 1 - threadIdx.x] + header_variable + header_constant[1];
}

inline void header_launch(int *out)
{
    int two[2] = { 0, 2 };
    cudaMemcpyToSymbol(header_constant, two, sizeof two);
    header_kernel<int, 64><<<1, 64>>>(out);
}

#endif
