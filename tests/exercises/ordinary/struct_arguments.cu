// Graded: 9 solved:
#include "transpose.h"
struct __align__(16) Params
{
    const float *in;
    float *out;
    int rows, cols;
    int pad[3];
};
typedef struct {
    int x, y;
} Pos;
struct Shape {
    int rows, cols;
    __host__ __device__ Shape(int r = 0, int c = 0) : rows(r), cols(c) {}
    __host__ __device__ Shape transposed() const { return Shape(cols, rows); }
    __host__ __device__ bool contains(Pos p) const { return p.x < cols && p.y < rows; }
    __host__ __device__ int operator()(Pos p) const { return p.y * cols + p.x; }
};
__host__ __device__ inline bool operator==(const Shape &a, const Shape &b)
{
    return a.rows == b.rows && a.cols == b.cols;
}
__host__ __device__ inline Pos operator+(Pos a, Pos b)
{
    Pos r = { a.x + b.x, a.y + b.y };
    return r;
}
__device__ Pos make_pos(int x, int y) { return Pos{ x, y }; }
__device__ static float load(Params p, Shape s, Pos at) { return p.in[s(at)]; }
__global__ void transpose_tile(Params p)
{
    __shared__ float tile[32][33];
    Shape s(p.rows, p.cols), t = s.transposed();
    Pos base = make_pos(blockIdx.x * 32 + threadIdx.x, blockIdx.y * 32 + threadIdx.y);
    for (int i = 0; i < 32; i += 8) {
        Pos at = base + make_pos(0, i);
        if (s.contains(at))
            tile[threadIdx.y + i][threadIdx.x] = load(p, s, at);
    }
    __syncthreads();
    base = make_pos(blockIdx.y * 32 + threadIdx.x, blockIdx.x * 32 + threadIdx.y);
    for (int i = 0; i < 32; i += 8) {
        Pos at = base + Pos{ 0, i };
        if (t.contains(at))
            p.out[t(at)] = tile[threadIdx.x][threadIdx.y + i];
    }
}
void transpose(const float *in, float *out, int rows, int cols)
{
    Params p = { in, out, rows, cols };
    Params copy[2] = { p, p };
    copy[1] = copy[0];
    transpose_tile<<<dim3(ceil_div(cols, 32), ceil_div(rows, 32)), dim3(32, 8)>>>(copy[1]);
}
