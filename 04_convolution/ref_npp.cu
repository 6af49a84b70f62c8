// ref_npp: nppiFilterBorder_8u_C1R, the general filter of NVIDIA's image library. What to beat.
//
// It wants its coefficients in the reverse order, and divides by a whole number instead of multiplying by a scale, with a rounding of its own: its
// pixels may differ from ours by 1. It makes the outermost two pixels too, from the nearest ones of the image, so that what it works on begins at
// an aligned address, as it likes best.
//
// Links: -lnppif -lnppc
// Computes: bordered
#include <math.h>
#include <string.h>

#include <nppi_filtering_functions.h>

#include "convolution.h"

static int attribute(cudaDeviceAttr which)
{
    int device, value = 0;

    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&value, which, device);
    return value;
}

static NppStreamContext context()
{
    NppStreamContext c = {};

    c.hStream = cudaStreamPerThread;
    cudaGetDevice(&c.nCudaDeviceId);
    c.nMultiProcessorCount = attribute(cudaDevAttrMultiProcessorCount);
    c.nMaxThreadsPerMultiProcessor = attribute(cudaDevAttrMaxThreadsPerMultiProcessor);
    c.nMaxThreadsPerBlock = attribute(cudaDevAttrMaxThreadsPerBlock);
    c.nSharedMemPerBlock = attribute(cudaDevAttrMaxSharedMemoryPerBlock);
    c.nCudaDevAttrComputeCapabilityMajor = attribute(cudaDevAttrComputeCapabilityMajor);
    c.nCudaDevAttrComputeCapabilityMinor = attribute(cudaDevAttrComputeCapabilityMinor);
    cudaStreamGetFlags(cudaStreamPerThread, &c.nStreamFlags);
    return c;
}

// The coefficients in device memory, last one first. They are copied when they change, which is between checks: never timed.
static const Npp32s *reversed(const struct filter *filter)
{
    static Npp32s *there, last[25];
    Npp32s c[25];

    for (int k = 0; k < 25; k++)
        c[k] = filter->c[24 - k];
    if (!there && cudaMalloc(&there, sizeof c) == cudaSuccess)
        cudaMemset(there, 0, sizeof c);
    if (there && memcmp(c, last, sizeof c) != 0) {
        cudaMemcpy(there, c, sizeof c, cudaMemcpyHostToDevice);
        memcpy(last, c, sizeof c);
    }
    return there;
}

void convolution(const struct image *image, const struct filter *filter)
{
    static NppStreamContext c = context();   // made in the first call, which only checks: never timed
    NppiSize size = { image->width, image->height };
    int divisor = filter->scale > 1e-9 ? (int)lrint(1.0 / filter->scale) : 0;

    if (image->memory_only)
        return refuse("it has no memory-only twin");
    if (fabs(divisor * (double)filter->scale - 1) > 1e-6)
        return refuse("scales of 1 over a whole number only");
    if (nppiFilterBorder_8u_C1R_Ctx(image->in, image->pitch, size, { 0, 0 }, image->out, image->pitch, size, reversed(filter), { 5, 5 }, { 2, 2 },
                                    divisor, NPP_BORDER_REPLICATE, c) != NPP_SUCCESS)
        refuse("NPP does not take this size");
}
