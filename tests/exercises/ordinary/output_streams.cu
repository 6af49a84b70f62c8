// Graded: 9 solved:
#include "transpose.h"
#include <iomanip>
#include <iostream>
#include <sstream>
#include <string_view>
using namespace std;

struct Size {
    int rows, cols;
};
static ostream &operator<<(ostream &out, const Size &s) { return out << s.rows << 'x' << s.cols; }

// Here: transpose_tile of honest.cu

void transpose(const float *in, float *out, int rows, int cols)
{
    ostringstream size;
    size << setw(6) << rows << 'x' << left << setw(6) << cols << setfill('0') << 1.5f;
    cout << "size " << size.str() << ", " << sizeof(float) * rows * cols << " bytes\n";
    cout << fixed << setprecision(2) << 3.14159 << ' ' << hex << 255 << dec << ' ' << boolalpha
         << true << endl;
    std::cerr << "at " << (const void *)in << ' ' << 3u << 4L << 5ull << (short)6 << std::flush;
    std::clog << '\n' << Size{ rows, cols } << string(" end ") << string_view("view") << std::endl;
    cout.precision(3), cout.setf(std::ios::scientific, std::ios::floatfield), cout.width(12);
    cout << 1e10 << '\n';
    transpose_tile<<<dim3(ceil_div(cols, 32), ceil_div(rows, 32)), dim3(32, 8)>>>(in, out, rows,
                                                                                  cols);
}
