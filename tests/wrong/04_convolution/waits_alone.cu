// wrong: one thread waits for the previous call, and no barrier orders the others after it.
//
// Rejected: race: store to global memory that the kernel before stores
#include "convolution.h"

__global__ void convolve(struct image image, struct filter f)
{
    int x = blockIdx.x * 16 + threadIdx.x;
    int y = blockIdx.y * 16 + threadIdx.y;

    if (threadIdx.x + threadIdx.y == 0)
        cudaGridDependencySynchronize();
    cudaTriggerProgrammaticLaunchCompletion();
    if (x >= 2 && x < image.width - 2 && y >= 2 && y < image.height - 2) {
        int sum = 0, k = 0;
        for (int i = -2; i <= 2; i++)
            for (int j = -2; j <= 2; j++)
                sum += f.c[k++] * image.in[(y + i) * image.pitch + x + j];
        image.out[y * image.pitch + x] = min(max((int)(sum * f.scale), 0), 255);
    }
}

void convolution(const struct image *image, const struct filter *filter)
{
    dim3 grid(ceil_div(image->width, 16), ceil_div(image->height, 16));
    cudaLaunchConfig_t config = stage18::dependent_launch(grid, dim3(16, 16));

    cudaLaunchKernelEx(&config, convolve, *image, *filter);
}
