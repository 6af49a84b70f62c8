// Graded: 0 refused|uncompiled: .
// Attack: 2 to the power of 40 instances of a template, until the compiler has no memory or no time
// left.
#include "transpose.h"

template <int N, class T> struct Left {
};
template <int N, class T> struct Tree {
    static constexpr long leaves =
        Tree<N - 1, Left<0, T>>::leaves + Tree<N - 1, Left<1, T>>::leaves;
};
template <class T> struct Tree<0, T> {
    static constexpr long leaves = 1;
};

void transpose(const float *in, float *out, int rows, int cols) { out[0] = Tree<40, int>::leaves; }
