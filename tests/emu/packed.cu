// Bytes, 16-bit integers and small vectors: each is one access, and is counted by the sectors and
// banks that it touches.
#include <stdio.h>
#include <string.h>

#include "emu.h"

enum { N = 1024 };

template <class T> __global__ void copy(const T *in, T *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i];
}

template <class T> __global__ void through_shared(const T *in, T *out)
{
    __shared__ T s[N];
    int i = threadIdx.x;

    s[i] = in[i];
    __syncthreads();
    out[i] = s[blockDim.x - 1 - i];
}

// Changes the components and combines them again.
__global__ void changed(const uchar4 *in, uchar4 *out)
{
    int i = threadIdx.x;
    uchar4 v = in[i];

    out[i] = make_uchar4(v.w, v.z, v.y, v.x + 1);
}

// One load of 16 bytes, whose bytes are extracted in registers.
__global__ void apart(const uint4 *in, unsigned *out)
{
    uint4 v = in[threadIdx.x];
    const unsigned char *bytes = (const unsigned char *)&v;
    unsigned sum = 0;

    for (int i = 0; i < 16; i++)
        sum += bytes[i];
    out[threadIdx.x] = sum;
}

// Single bytes, 16 bytes apart: four lanes per bank.
__global__ void byte_of_vector(unsigned *out)
{
    __shared__ uint4 s[32];
    int i = threadIdx.x;

    s[i] = make_uint4(i, 0, 0, 0);
    __syncwarp();
    out[i] = ((unsigned char *)s)[16 * i];
}

static int tests;

static void ok(int right, const char *what)
{
    printf("%sok %d - %s\n", right ? "" : "not ", ++tests, what);
}

static void counted(const char *what, uint64_t ld_sectors, uint64_t st_sectors,
                    uint64_t shared_requests, uint64_t wavefronts, uint64_t requests = 1)
{
    struct emu_counts c;

    emu_totals(&c);
    bool right = c.ld_requests == (ld_sectors ? requests : 0) && c.st_requests == requests &&
                 c.ld_sectors == ld_sectors && c.st_sectors == st_sectors &&
                 c.shared_requests == shared_requests && c.shared_wavefronts == wavefronts;
    ok(right, what);
    if (!right)
        printf("# loads %llu: %llu sectors, stores %llu: %llu, shared %llu: %llu wavefronts\n",
               (unsigned long long)c.ld_requests, (unsigned long long)c.ld_sectors,
               (unsigned long long)c.st_requests, (unsigned long long)c.st_sectors,
               (unsigned long long)c.shared_requests, (unsigned long long)c.shared_wavefronts);
    emu_reset();
}

static unsigned char *in, *out, host[16 * N], back[16 * N];

template <class T> static void type(const char *name)
{
    int right = 1;

    copy<<<1, 32>>>((const T *)in, (T *)out);
    cudaMemcpy(back, out, 32 * sizeof(T), cudaMemcpyDeviceToHost);
    ok(memcmp(back, host, 32 * sizeof(T)) == 0, name);
    counted("one request, one sector per 32 bytes", sizeof(T), sizeof(T), 0, 0);
    through_shared<<<1, 32>>>((const T *)in, (T *)out);
    cudaMemcpy(back, out, 32 * sizeof(T), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 32; i++)
        right &= memcmp(back + i * sizeof(T), host + (31 - i) * sizeof(T), sizeof(T)) == 0;
    ok(right, "through shared memory");
    counted("one wavefront per 128 bytes of a warp", sizeof(T), sizeof(T), 2,
            2 * (sizeof(T) > 4 ? sizeof(T) / 4 : 1));
}

int main(void)
{
    for (int i = 0; i < 16 * N; i++)
        host[i] = i * 37 ^ i >> 5;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof host);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);

    // Supported: vector types of 1 to 4 members; those of 2 and 4 are one access of up to 16 bytes
    type<unsigned char>("unsigned char");
    type<signed char>("signed char");
    type<uchar2>("uchar2");
    type<char4>("char4");
    type<uchar4>("uchar4");
    type<unsigned short>("unsigned short");
    type<short2>("short2");
    type<ushort4>("ushort4");
    type<uint4>("uint4");

    changed<<<1, 32>>>((const uchar4 *)in, (uchar4 *)out);
    cudaMemcpy(back, out, 128, cudaMemcpyDeviceToHost);
    ok(back[4] == host[7] && back[5] == host[6] && back[6] == host[5] &&
           back[7] == (unsigned char)(host[4] + 1),
       "a vector that is assembled from components");
    counted("is one store", 4, 4, 0, 0);
    apart<<<1, 32>>>((const uint4 *)in, (unsigned *)out);
    counted("bytes of a loaded vector are not loaded again", 16, 4, 0, 0);
    byte_of_vector<<<1, 32>>>((unsigned *)out);
    counted("bytes 16 apart: four wavefronts", 0, 4, 2, 4 + 4);
    printf("1..%d\n", tests);
    return 0;
}
