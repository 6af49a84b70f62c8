// ref_memcpy: cudaMemcpyAsync from device to device: the bytes of a scan, without the additions
//
// The practical upper bound for the rate of a scan.
// Computes: copy
#include "scan.h"

void scan(const void *in, void *out, long long n, enum type type, int exclusive)
{
    (void)exclusive;
    cudaMemcpyAsync(out, in, n * (type == TYPE_F64 ? 8 : 4), cudaMemcpyDeviceToDevice,
                    cudaStreamPerThread);
}
