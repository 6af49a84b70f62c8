// Graded: 9 solved:
#include "transpose.h"
#include <cstdio>
#include <utility>

template <typename... Args> constexpr auto sum(Args... args) { return (args + ...); }
static void print_one(int v) { printf("%d ", v); }
static void print_one(double v) { printf("%g ", v); }
static void print_one(char v) { printf("%c ", v); }
static void print_one(const char *v) { printf("%s ", v); }
template <typename T, typename... Rest> static void print_all(T first, Rest &&...rest)
{
    print_one(first);
    if constexpr (sizeof...(rest) > 0)
        print_all(std::forward<Rest>(rest)...);
    else
        printf("\n");
}
template <typename Kernel, typename... Args>
void launch(Kernel kernel, dim3 grid, dim3 block, Args... args)
{
    kernel<<<grid, block>>>(args...);
}

// Here: transpose_tile of honest.cu

void transpose(const float *in, float *out, int rows, int cols)
{
    print_all("rows", rows, 1.5, 'c');
    printf("%d\n", sum(1, 2, 3));
    launch(transpose_tile, dim3(ceil_div(cols, 32), ceil_div(rows, 32)), dim3(32, 8), in, out, rows,
           cols);
}
