// Graded: 9 solved:
#include "transpose.h"
#include <chrono>
#include <cstdio>

// Here: transpose_tile of honest.cu

class Timer {
  public:
    explicit Timer(const char *name) : name(name), start(std::chrono::steady_clock::now()) {}
    ~Timer()
    {
        std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
        printf("%s: %g s\n", name, took.count());
    }

  private:
    const char *name;
    std::chrono::steady_clock::time_point start;
};

void transpose(const float *in, float *out, int rows, int cols)
{
    Timer timer("transpose");

    transpose_tile<<<dim3(ceil_div(cols, 32), ceil_div(rows, 32)), dim3(32, 8)>>>(in, out, rows,
                                                                                  cols);
}
