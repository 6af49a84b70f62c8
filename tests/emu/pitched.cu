// Pitched memory: cudaMallocPitch, cudaMemcpy2D, cudaMemset2D.
#include <stdio.h>

enum { WIDTH = 37, HEIGHT = 6, PITCH = 48 };

__global__ void add_one(unsigned char *p, size_t pitch)
{
    if (threadIdx.x < WIDTH)
        p[blockIdx.x * pitch + threadIdx.x]++;
}

static int tests;

static void ok(int right, const char *what)
{
    printf("%sok %d - %s\n", right ? "" : "not ", ++tests, what);
}

// Copies between rows with different pitches, and rows set to a value.
static void test_rows(const unsigned char host[HEIGHT][PITCH], unsigned char *a, size_t pitch_a,
                      unsigned char *odd)
{
    unsigned char *b, back[HEIGHT][PITCH] = {};
    size_t pitch_b;
    bool right = true;

    ok(cudaMallocPitch(&b, &pitch_b, 513, HEIGHT) == cudaSuccess && pitch_b == 1024,
       "a pitch holds the width");
    ok(cudaMemcpy2D(a, pitch_a, host, PITCH, WIDTH, HEIGHT, cudaMemcpyHostToDevice) == cudaSuccess,
       "rows to the device");
    add_one<<<HEIGHT, 64>>>(a, pitch_a);
    ok(cudaMemcpy2DAsync(b, pitch_b, a, pitch_a, WIDTH, HEIGHT, cudaMemcpyDeviceToDevice) ==
           cudaSuccess,
       "rows from one pitch to another");
    ok(cudaMemcpy2D(odd, 41, b, pitch_b, WIDTH, HEIGHT, cudaMemcpyDefault) == cudaSuccess,
       "rows to an odd pitch");
    ok(cudaMemcpy2D(back, PITCH, odd, 41, WIDTH, HEIGHT, cudaMemcpyDeviceToHost) == cudaSuccess,
       "rows to the host");
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < PITCH; x++)
            right &= back[y][x] == (x < WIDTH ? (unsigned char)(host[y][x] + 1) : 0);
    ok(right, "the bytes between the rows stay");

    ok(cudaMemset2D(a, pitch_a, 9, 5, 2) == cudaSuccess &&
           cudaMemset2DAsync(a + 3 * pitch_a, pitch_a, 8, 5, 1) == cudaSuccess,
       "rows set to a value");
    cudaMemcpy2D(back, PITCH, a, pitch_a, WIDTH, HEIGHT, cudaMemcpyDeviceToHost);
    ok(back[1][4] == 9 && back[1][5] == (unsigned char)(host[1][5] + 1) &&
           back[2][0] == (unsigned char)(host[2][0] + 1) && back[3][4] == 8,
       "no other bytes are set");
}

static void test_errors(const unsigned char host[HEIGHT][PITCH], unsigned char *a, size_t pitch_a,
                        unsigned char *odd)
{
    ok(cudaMemcpy2D(a, pitch_a, host, 36, WIDTH, HEIGHT, cudaMemcpyHostToDevice) ==
           cudaErrorInvalidPitchValue,
       "a copy whose rows overlap");
    ok(cudaMemset2D(a, 4, 0, 5, 2) == cudaErrorInvalidPitchValue, "a set whose rows overlap");
    ok(cudaMemcpy2D(a, pitch_a, host, PITCH, WIDTH, HEIGHT + 1, cudaMemcpyHostToDevice) ==
           cudaErrorInvalidValue,
       "a copy with a row too many");
    ok(cudaMemset2D(a, pitch_a, 0, WIDTH, HEIGHT + 1) == cudaErrorInvalidValue,
       "a set with a row too many");
    ok(cudaMemcpy2D(a, (size_t)-8, a, (size_t)-8, WIDTH, HEIGHT, cudaMemcpyDeviceToDevice) ==
           cudaErrorInvalidValue,
       "a pitch larger than the address space");
    ok(cudaMemcpy2D(a, pitch_a, host, PITCH, WIDTH, HEIGHT, cudaMemcpyDeviceToHost) ==
           cudaErrorInvalidMemcpyDirection,
       "a copy in the wrong direction");
    ok(cudaMemcpy2D(odd, 41, host, PITCH, WIDTH, HEIGHT, cudaMemcpyHostToDevice) == cudaSuccess &&
           cudaMemcpy2D(odd + 5, 41, host, PITCH, WIDTH, HEIGHT, cudaMemcpyHostToDevice) ==
               cudaErrorInvalidValue,
       "the memory may end with the last row's width, not before");
    ok(cudaMemcpy2D(a, pitch_a, host, PITCH, 0, HEIGHT, cudaMemcpyHostToDevice) == cudaSuccess,
       "a copy of no bytes");
}

int main(void)
{
    unsigned char host[HEIGHT][PITCH], *a, *odd;
    size_t pitch_a;

    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < PITCH; x++)
            host[y][x] = y * 41 + x;
    ok(cudaMallocPitch(&a, &pitch_a, WIDTH, HEIGHT) == cudaSuccess && pitch_a == 512,
       "rows start at multiples of 512 bytes");
    cudaMalloc(&odd, HEIGHT * 41);
    // Supported: `cudaMallocPitch`, `cudaMemcpy2D`, `cudaMemset2D`
    test_rows(host, a, pitch_a, odd);
    test_errors(host, a, pitch_a, odd);
    printf("1..%d\n", tests);
    return 0;
}
