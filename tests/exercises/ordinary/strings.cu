// Graded: 9 solved:
#include "transpose.h"
#include <string>
#include <cstdio>

// Here: transpose_tile of honest.cu

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
