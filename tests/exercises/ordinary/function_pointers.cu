// Graded: 9 solved:
#include "transpose.h"
#include <stdio.h>
#include <vector>

typedef int (*op_t)(int, int);
static int divide(int a, int b) { return (a + b - 1) / b; }
static int add(int a, int b) { return a + b; }
static int minus(int a, int b) { return a - b; }
static int apply(op_t f, int a, int b) { return f(a, b); }
static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static int numbers[5] = { 5, 2, 4, 1, 3 };
__attribute__((noinline)) static int called(op_t f, int a, int b) { return f(a, b); }
struct Thing {
    int v;
    int get() const { return v; }
};
static void qsort_like(int *a, int n)
{
    if (n < 2)
        return;
    int p = a[n / 2], i = 0, j = n - 1;
    for (;; i++, j--) {
        while (a[i] < p)
            i++;
        while (a[j] > p)
            j--;
        if (i >= j)
            break;
        int t = a[i];
        a[i] = a[j];
        a[j] = t;
    }
    qsort_like(a, i);
    qsort_like(a + i, n - i);
}

// Here: transpose_tile of honest.cu

void transpose(const float *in, float *out, int rows, int cols)
{
    int (*div)(int, int) = divide;
    op_t table[] = { divide, &add, minus };
    printf("%d %d %d %d\n", div(4, 2), table[1](1, 2), fib(10), apply(table[2], 3, 1));
    void (*kernel)(const float *, float *, int, int) = transpose_tile;
    qsort_like(numbers, 5);
    static std::vector<int> cache;
    cache.push_back(called(divide, 4, 2));
    auto member = &Thing::get;
    Thing thing{ 4 };
    printf("%d\n", (thing.*member)());
    kernel<<<dim3(ceil_div(cols, 32), ceil_div(rows, 32)), dim3(32, 8)>>>(in, out, rows, cols);
}
