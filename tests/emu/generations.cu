// Whole kernels, counted by the rules of several generations of GPUs.
#include <stdio.h>
#include <string.h>

#include "emu.h"

enum { N = 1024, THREADS = 128 };

// Coalescing in the generations: in order, shifted by one word, bytes.
__global__ void copy(const float *in, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i];
}

__global__ void shifted(const float *in, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i + 1];
}

__global__ void bytes(const unsigned char *in, unsigned char *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i];
}

// Reads a column of a tile with 16 rows. A 17th column removes the bank conflict for 16 banks. With
// 32 banks, a warp covers two columns, and a conflict remains.
template <int COLUMNS> __global__ void column(float *out)
{
    __shared__ float tile[16][COLUMNS];
    int x = threadIdx.x % 16, y = threadIdx.x / 16;

    tile[y][x] = x;
    __syncthreads();
    out[threadIdx.x] = tile[x][y];
}

static int tests;

static void ok(int right, const char *what)
{
    printf("%sok %d - %s\n", right ? "" : "not ", ++tests, what);
}

static void is(const char *what, uint64_t got, uint64_t want)
{
    ok(got == want, what);
    if (got != want)
        printf("# got %llu, want %llu\n", (unsigned long long)got, (unsigned long long)want);
}

static struct emu_counts counts(void)
{
    struct emu_counts c;

    emu_totals(&c);
    emu_reset();
    return c;
}

int main(void)
{
    static const struct {
        const char *rules, *unit;
        uint64_t copy, shifted, shifted_bytes, bytes;   // per warp and load
        uint64_t column16, column17;                    // stores and loads of all eight warps
    } want[] = {
        { "1.0", "transactions", 2, 32, 1024, 32, 8 * (2 + 32), 8 * (2 + 2) },
        { "1.3", "transactions", 2, 3, 224, 2, 8 * (2 + 32), 8 * (2 + 2) },
        { "2.0", "transactions", 1, 2, 256, 1, 8 * (1 + 8), 8 * (2 + 2) },
        { "3.5", "sectors", 4, 5, 160, 1, 8 * (1 + 4), 4 * (1 + 2) + 4 * (2 + 2) },
        { "9.0", "sectors", 4, 5, 160, 1, 8 * (1 + 8), 8 * (2 + 2) },
    };
    float *in, *out;
    char text[99];

    cudaMalloc(&in, 2 * N * sizeof *in);
    cudaMalloc(&out, N * sizeof *out);
    cudaMemset(in, 0, 2 * N * sizeof *in);
    is("9.0 is the default", strcmp(emu_unit(), "sectors"), 0);
    for (auto &w : want) {
        struct emu_counts c;
        uint64_t warps = N / 32;

#define SAY(what) (snprintf(text, sizeof text, "%s: %s", w.rules, what), text)
        ok(!emu_rules(w.rules) && strcmp(emu_unit(), w.unit) == 0, SAY("is known"));
        copy<<<N / THREADS, THREADS>>>(in, out);
        c = counts();
        ok(c.ld_sectors == w.copy * warps && c.st_sectors == w.copy * warps &&
               c.ld_requests == warps,
           SAY("in order"));
        shifted<<<1, 32>>>(in, out);
        c = counts();
        ok(c.ld_sectors == w.shifted && c.ld_bytes == w.shifted_bytes, SAY("shifted by a word"));
        bytes<<<N / THREADS, THREADS>>>((unsigned char *)in, (unsigned char *)out);
        is(SAY("bytes"), counts().ld_sectors, w.bytes * warps);
        column<16><<<1, 256>>>(out);
        is(SAY("a column of 16"), counts().shared_wavefronts, w.column16);
        column<17><<<1, 256>>>(out);
        is(SAY("a column of 17"), counts().shared_wavefronts, w.column17);
    }
    const char *known = emu_rules("4.0");
    ok(known && strncmp(known, "1.0 1.1 ", 8) == 0 && strcmp(emu_unit(), "sectors") == 0,
       "an unknown name changes nothing and returns the known ones");
    ok(emu_rules(NULL) != NULL, "NULL returns the known ones too");
    printf("1..%d\n", tests);
    return 0;
}
