// Graded: 9 solved:
#include "transpose.h"
#include <string>
#include <cstdio>

__global__ void transpose_tile(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32;

    for (int i = threadIdx.y; i < 32; i += 8)
        if (x < cols && y + i < rows)
            tile[i][threadIdx.x] = in[(y + i) * cols + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32;
    for (int i = threadIdx.y; i < 32; i += 8)
        if (x < rows && y + i < cols)
            out[(y + i) * rows + x] = tile[threadIdx.x][i];
}

void transpose(const float *in, float *out, int rows, int cols)
{
    std::string name = "transpose";
    std::string s = name + " of " + std::to_string(rows) + " x " + std::to_string(cols);
    s += "!";
    s.append(3, '.').push_back('x');
    char buffer[64];
    snprintf(buffer, sizeof buffer, "%s %d", s.c_str(), (int)s.size());
    std::string copy = buffer;
    if (copy != s && !copy.empty() && copy.substr(0, 3) == "tra")
        puts(copy.c_str());
    if (copy.find("of") == std::string::npos)
        return;
    for (char &c : copy)
        c = toupper(c);
    printf("%s\n", copy.data());
    transpose_tile<<<dim3(ceil_div(cols, 32), ceil_div(rows, 32)), dim3(32, 8)>>>(in, out, rows,
                                                                                  cols);
}
