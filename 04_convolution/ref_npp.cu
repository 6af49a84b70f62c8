// ref_npp: nppiFilterBorder32f_8u_C1R, the fastest general filter of NVIDIA's image library (NPP)
//
// NPP has four general filters: int coefficients with a divisor, or floats; each with a border or
// without. This one took the least time on an H200 (CUDA 13; 2048 x 2048, 8192 x 8192 and 32768 x
// 32768 pixels). It takes our coefficients in reverse order, times the scale. It sums floats and
// rounds differently: a pixel may differ from ours by 1. It works on the whole image, whose rows
// are aligned, and therefore computes the border too, with replicated edge pixels; these are
// checked.
// make ref_npp
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

// Returns the coefficients in device memory, in reverse order. Copies them when they have changed,
// which happens only between checks and is never timed.
static const Npp32f *reversed(const struct filter *filter)
{
    static Npp32f *there, last[25];
    Npp32f c[25];

    for (int k = 0; k < 25; k++)
        c[k] = filter->w[24 - k] * filter->scale;
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
    // created in the first call, which is a check and never timed
    static NppStreamContext c = context();
    NppiSize size = { image->width, image->height };

    // The error of a sum of 25 rounded products is less than 27 * 2^-24 times the largest sum: here
    // less than half a pixel value.
    if (max_sum(filter) * fabs(filter->scale) >= 0x1p18)
        return refuse(
            "sums times the scale below 2^18 only: beyond, its floats may be off by more than 1");
    if (nppiFilterBorder32f_8u_C1R_Ctx(image->in, image->pitch, size, { 0, 0 }, image->out,
                                       image->pitch, size, reversed(filter), { 5, 5 }, { 2, 2 },
                                       NPP_BORDER_REPLICATE, c) != NPP_SUCCESS)
        refuse("NPP does not support this size");
}
