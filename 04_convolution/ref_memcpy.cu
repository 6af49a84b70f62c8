// ref_memcpy: the runtime's own copy, device to device, of all rows and what lies between them.
// What a convolution can hope for.
//
// Computes: copy
#include "convolution.h"

void convolution(const struct image *image, const struct filter *)
{
    cudaMemcpyAsync(image->out, image->in, (size_t)image->height * image->pitch,
                    cudaMemcpyDeviceToDevice, cudaStreamPerThread);
}
