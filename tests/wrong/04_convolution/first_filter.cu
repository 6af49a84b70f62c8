// wrong: keeps the coefficients of the first call.
//
// Rejected: the first call was correct; this second call
// Rejected (gpu): the first call was correct; this second call
#include "convolution.h"

using stage1::pixel;

__constant__ int coefficients[25];

__global__ void convolve(struct image image, float scale)
{
    int x = blockIdx.x * 16 + threadIdx.x;
    int y = blockIdx.y * 16 + threadIdx.y;

    if (x >= 2 && x < image.width - 2 && y >= 2 && y < image.height - 2) {
        int sum = 0, k = 0;
        for (int i = -2; i <= 2; i++)
            for (int j = -2; j <= 2; j++)
                sum += coefficients[k++] * image.in[(y + i) * image.pitch + x + j];
        image.out[y * image.pitch + x] = pixel(sum, scale);
    }
}

void convolution(const struct image *image, const struct filter *filter)
{
    static bool there;

    if (!there)
        cudaMemcpyToSymbol(coefficients, filter->c, sizeof coefficients);
    there = true;
    convolve<<<dim3(ceil_div(image->width, 16), ceil_div(image->height, 16)), dim3(16, 16)>>>(
        *image, filter->scale);
}
