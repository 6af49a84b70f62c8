// Graded: 9 solved:
#include "transpose.h"
#include <vector>
#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <bitset>
#include <variant>
#include <limits>
#include <utility>
#include <iterator>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <numeric>
#include <queue>
#include <random>
#include <set>
#include <stack>
#include <unordered_map>
static std::vector<std::string> names = { "global" };

// Here: transpose_tile of honest.cu

void transpose(const float *in, float *out, int rows, int cols)
{
    int a[] = { 3, 1, 2 };
    std::vector<int> v(std::begin(a), std::end(a));
    for (std::vector<int>::iterator it = v.begin(); it != v.end(); ++it)
        *it *= 2;
    for (int *p = a; p != a + 3; ++p)
        *p += 1;
    for (auto &x : a)
        x++;
    for (const auto x : { 1, 2, 3 })
        a[0] += x;
    std::for_each(v.begin(), v.end(), [](int &n) { n++; });
    v.erase(std::remove_if(v.begin(), v.end(), [](int n) { return n > 100; }), v.end());
    std::vector<std::vector<std::pair<int, std::vector<int>>>> nested(2);
    nested[0].push_back({ 1, v });
    v.resize(10);
    v.reserve(100);
    v.insert(v.begin(), 5);
    v.assign(3, 1);
    v.clear();
    v.shrink_to_fit();
    static std::unordered_map<std::string, int> seen;
    seen["rows"] = rows, seen["cols"]++;
    std::mt19937 random(42);
    std::shuffle(v.begin(), v.end(), random);
    v = { 3, 1, 2 };
    std::stable_sort(v.begin(), v.end(), std::greater<int>());
    std::map<std::string, int> sizes{ { "rows", rows } };
    std::set<int> numbers(v.begin(), v.end());
    std::list<int> list(numbers.rbegin(), numbers.rend());
    sizes["cols"] = cols, numbers.erase(2), list.sort();
    for (const auto &[name, size] : sizes)
        seen[name] += size;
    std::queue<int> queue;
    std::priority_queue<int> largest;
    std::stack<int> stack;
    queue.push(std::accumulate(v.begin(), v.end(), 0)), largest.push(queue.front()),
        stack.push(largest.top());
    std::shared_ptr<int> shared = std::make_shared<int>(stack.top()), other = shared;
    names.push_back("a name that is longer than the small one" + std::to_string(*other));
    std::unique_ptr<float[]> buffer(new float[rows]), second = std::make_unique<float[]>(8);
    int *raw = new int[4]{ 1, 2, 3, 4 };
    delete[] raw;
    std::string_view view = "abc";
    std::pair<int, int> pr = std::make_pair(1, 2);
    std::tie(pr.first, pr.second) = std::make_tuple(3, 4);
    std::bitset<8> bits(5);
    std::variant<int, float> var = 3;
    if (view.size() + bits.count() + std::get<int>(var) == 0 || std::numeric_limits<int>::max() < 0)
        return;
    transpose_tile<<<dim3(ceil_div(cols, 32), ceil_div(rows, 32)), dim3(32, 8)>>>(in, out, rows,
                                                                                  cols);
}
