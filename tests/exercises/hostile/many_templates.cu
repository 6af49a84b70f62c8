// Graded: 0 refused|uncompiled|wrong: .
// Attack: 2 to the power of 14 instances of a template: a compilation of some seconds.
#include "transpose.h"

#include <cstdio>

template <int N, class T> struct Left {
};
template <int N, class T> struct Tree {
    static constexpr long leaves =
        Tree<N - 1, Left<0, T>>::leaves + Tree<N - 1, Left<1, T>>::leaves;
};
template <class T> struct Tree<0, T> {
    static constexpr long leaves = 1;
};

void transpose(const float *in, float *out, int rows, int cols)
{
    puts(Tree<14, int>::leaves > 0 ? "yes" : "no");
}
