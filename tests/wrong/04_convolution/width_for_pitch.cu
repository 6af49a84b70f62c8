// wrong: uses the width as the pitch.
//
// Rejected: elements of 'out' are wrong
// Rejected (gpu): elements of 'out' are wrong
#include "convolution.h"

using stage1::pixel;

__global__ void convolve(struct image image, struct filter f)
{
    int x = blockIdx.x * 16 + threadIdx.x;
    int y = blockIdx.y * 16 + threadIdx.y;

    if (x >= 2 && x < image.width - 2 && y >= 2 && y < image.height - 2) {
        int sum = 0, k = 0;
        for (int i = -2; i <= 2; i++)
            for (int j = -2; j <= 2; j++)
                sum += f.c[k++] * image.in[(y + i) * image.width + x + j];
        image.out[y * image.width + x] = pixel(sum, f.scale);
    }
}

void convolution(const struct image *image, const struct filter *filter)
{
    convolve<<<dim3(ceil_div(image->width, 16), ceil_div(image->height, 16)), dim3(16, 16)>>>(
        *image, *filter);
}
