// What a program asks for asynchronous operations, also one that has none and is linked without
// hopper/.
#include "asyncs.h"

#include <map>
#include <mutex>
#include <string>
#include <tuple>

namespace emu::hopper {

std::atomic<bool> is_asynchronous;
bool lands_early;

static std::mutex products_lock;
static std::map<std::tuple<std::string, unsigned, unsigned>, emu_product> all_products;

void count_product(const emu_product &p)
{
    std::lock_guard<std::mutex> hold(products_lock);
    emu_product &all = all_products[{ p.type, p.n, p.k }];

    all = {
        p.n, p.k, p.type, all.requests + p.requests, all.clocks + p.clocks, all.bytes + p.bytes
    };
}

void forget_use()
{
    is_asynchronous = false;
    all_products.clear();
}

}   // namespace emu::hopper

extern "C" {

int emu_is_asynchronous(void) { return emu::hopper::is_asynchronous; }
void emu_land_early(int early) { emu::hopper::lands_early = early != 0; }

int emu_products(const struct emu_product **out)
{
    static std::vector<emu_product> list;

    list.clear();
    for (const auto &p : emu::hopper::all_products)
        list.push_back(p.second);
    *out = list.data();
    return (int)list.size();
}
}
