// Graded: 9 solved:
#include "transpose.h"
#include <iomanip>
#include <iostream>
#include <sstream>

using namespace std;

// Here: transpose_tile of honest.cu

void transpose(const float *in, float *out, int rows, int cols)
{
    ostringstream text;

    text << setw(5) << rows << "x" << cols;
    cout << "transposing " << text.str() << endl;
    cerr << "launching" << endl;
    transpose_tile<<<dim3(ceil_div(cols, 32), ceil_div(rows, 32)), dim3(32, 8)>>>(in, out, rows,
                                                                                  cols);
}
