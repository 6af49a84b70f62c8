// Memory in rows: cudaMallocPitch, cudaMemcpy2D, cudaMemset2D.
#include <stdio.h>
#include <string.h>

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

int main(void)
{
    static unsigned char host[HEIGHT][PITCH], back[HEIGHT][PITCH];
    unsigned char *a, *b, *odd;
    size_t pitch_a, pitch_b;
    int right = 1;

    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < PITCH; x++)
            host[y][x] = y * 41 + x;
    ok(cudaMallocPitch(&a, &pitch_a, WIDTH, HEIGHT) == cudaSuccess && pitch_a == 512,
       "rows start at multiples of 512 bytes");
    ok(cudaMallocPitch(&b, &pitch_b, 513, HEIGHT) == cudaSuccess && pitch_b == 1024,
       "and have room");
    cudaMalloc(&odd, HEIGHT * 41);

    ok(cudaMemcpy2D(a, pitch_a, host, PITCH, WIDTH, HEIGHT, cudaMemcpyHostToDevice) == cudaSuccess,
       "rows to the device");
    add_one<<<HEIGHT, 64>>>(a, pitch_a);
    ok(cudaMemcpy2DAsync(b, pitch_b, a, pitch_a, WIDTH, HEIGHT, cudaMemcpyDeviceToDevice) ==
           cudaSuccess,
       "from one pitch to another");
    ok(cudaMemcpy2D(odd, 41, b, pitch_b, WIDTH, HEIGHT, cudaMemcpyDefault) == cudaSuccess,
       "and to one that is odd");
    memset(back, 0, sizeof back);
    ok(cudaMemcpy2D(back, PITCH, odd, 41, WIDTH, HEIGHT, cudaMemcpyDeviceToHost) == cudaSuccess,
       "and back");
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < PITCH; x++)
            right &= back[y][x] == (x < WIDTH ? (unsigned char)(host[y][x] + 1) : 0);
    ok(right, "what lies between the rows stays");

    ok(cudaMemset2D(a, pitch_a, 9, 5, 2) == cudaSuccess &&
           cudaMemset2DAsync(a + 3 * pitch_a, pitch_a, 8, 5, 1) == cudaSuccess,
       "rows set to a value");
    cudaMemcpy2D(back, PITCH, a, pitch_a, WIDTH, HEIGHT, cudaMemcpyDeviceToHost);
    ok(back[1][4] == 9 && back[1][5] == (unsigned char)(host[1][5] + 1) &&
           back[2][0] == (unsigned char)(host[2][0] + 1) && back[3][4] == 8,
       "and no others");

    ok(cudaMemcpy2D(a, pitch_a, host, 36, WIDTH, HEIGHT, cudaMemcpyHostToDevice) ==
           cudaErrorInvalidPitchValue,
       "rows that overlap");
    ok(cudaMemset2D(a, 4, 0, 5, 2) == cudaErrorInvalidPitchValue, "or are to");
    ok(cudaMemcpy2D(a, pitch_a, host, PITCH, WIDTH, HEIGHT + 1, cudaMemcpyHostToDevice) ==
           cudaErrorInvalidValue,
       "a row too many");
    ok(cudaMemset2D(a, pitch_a, 0, WIDTH, HEIGHT + 1) == cudaErrorInvalidValue, "to set");
    ok(cudaMemcpy2D(a, (size_t)-8, a, (size_t)-8, WIDTH, HEIGHT, cudaMemcpyDeviceToDevice) ==
           cudaErrorInvalidValue,
       "a pitch beyond all addresses");
    ok(cudaMemcpy2D(a, pitch_a, host, PITCH, WIDTH, HEIGHT, cudaMemcpyDeviceToHost) ==
           cudaErrorInvalidMemcpyDirection,
       "the wrong direction");
    ok(cudaMemcpy2D(odd, 41, host, PITCH, WIDTH, HEIGHT, cudaMemcpyHostToDevice) == cudaSuccess &&
           cudaMemcpy2D(odd + 5, 41, host, PITCH, WIDTH, HEIGHT, cudaMemcpyHostToDevice) ==
               cudaErrorInvalidValue,
       "the last row may end early, not late");
    ok(cudaMemcpy2D(a, pitch_a, host, PITCH, 0, HEIGHT, cudaMemcpyHostToDevice) == cudaSuccess,
       "nothing to copy");
    printf("1..%d\n", tests);
    return 0;
}
