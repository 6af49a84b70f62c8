// Graded: 9 solved:
#include "transpose.h"
#include <memory>

class Transposer {
  public:
    virtual ~Transposer() {}
    virtual void run(const float *, float *, int, int) const = 0;
};

// Here: transpose_tile of honest.cu

class Tiled : public Transposer {
  public:
    void run(const float *in, float *out, int rows, int cols) const override
    {
        transpose_tile<<<dim3(ceil_div(cols, 32), ceil_div(rows, 32)), dim3(32, 8)>>>(in, out, rows,
                                                                                      cols);
    }
};

void transpose(const float *in, float *out, int rows, int cols)
{
    std::unique_ptr<Transposer> t(new Tiled());
    t->run(in, out, rows, cols);
}
