// Graded: 0 refused: a struct as its parameter or result .* use references
#include "transpose.h"
#include <vector>
#include <algorithm>
#include <array>
#include <tuple>
#include <optional>

struct Job {
    int rows, cols;
    const char *name;
    double more[4];
};
static Job larger(Job a, Job b) { return a.rows > b.rows ? a : b; }
static bool by_cols(Job a, Job b) { return a.cols < b.cols; }

// Here: transpose_tile of honest.cu

void transpose(const float *in, float *out, int rows, int cols)
{
    std::vector<Job> jobs;
    jobs.push_back({ rows, cols, "a" });
    jobs.push_back(Job{ 1, 2, "b" });
    std::sort(jobs.begin(), jobs.end(), [](const Job &a, const Job &b) { return a.rows > b.rows; });
    std::sort(jobs.begin(), jobs.end(), by_cols);
    Job best = jobs[0];
    for (auto j : jobs)
        best = larger(best, j);
    std::array<Job, 2> two = { jobs[0], larger(jobs[1], jobs[0]) };
    std::tuple<int, Job> t(1, two[1]);
    auto [n, job] = t;
    std::optional<Job> o = job;
    if (n && o.has_value() && larger(*o, two[0]).rows < 0)
        return;
    std::swap(jobs[0], jobs[1]);
    transpose_tile<<<dim3(ceil_div(cols, 32), ceil_div(rows, 32)), dim3(32, 8)>>>(in, out, rows,
                                                                                  cols);
}
