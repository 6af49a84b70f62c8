// ref_memcpy: cudaMemcpyAsync, device to device: the speed of light for one read and one write
//
// Copies all rows with the padding bytes between them. No convolution that reads every pixel from
// DRAM and writes it back can be faster, except by overlapping calls (stage 18).
// make ref_memcpy
// Computes: copy
#include "convolution.h"

void convolution(const struct image *image, const struct filter *)
{
    cudaMemcpyAsync(image->out, image->in, (size_t)image->height * image->pitch,
                    cudaMemcpyDeviceToDevice, cudaStreamPerThread);
}
