// wrong: stores whole words at the end of a row: into the border and the padding between rows.
//
// Rejected: elements of 'out' are wrong
// Rejected (gpu): elements of 'out' are wrong
#include "convolution.h"

using stage1::pixel;

__global__ void convolve(struct image image, struct filter f)
{
    int x = 4 * (blockIdx.x * 16 + threadIdx.x);
    int y = blockIdx.y * 16 + threadIdx.y;

    if (x < image.width - 2 && y >= 2 && y < image.height - 2) {
        for (int p = x ? 0 : 2; p < 4 && x + p < image.pitch - 2; p++) {
            int sum = 0, k = 0;
            for (int i = -2; i <= 2; i++)
                for (int j = -2; j <= 2; j++)
                    sum += f.c[k++] * image.in[(y + i) * image.pitch + x + p + j];
            image.out[y * image.pitch + x + p] = pixel(sum, f.scale);
        }
    }
}

void convolution(const struct image *image, const struct filter *filter)
{
    convolve<<<dim3(ceil_div(image->width, 64), ceil_div(image->height, 16)), dim3(16, 16)>>>(
        *image, *filter);
}
