// Clusters of several blocks [PTX ISA 9.7.13.3, 8.9]: their blocks run in turn on one thread of the
// system, each with a Worker of its own. So what one block does to another needs no lock. They
// share one logical clock.
#ifndef EMU_CLUSTER_H
#define EMU_CLUSTER_H

#include <cstdint>
#include <memory>
#include <vector>

#include "worker.h"

namespace emu {

constexpr unsigned PORTABLE_CLUSTER = 8;
// Addresses of shared::cluster: the rank + 1 is above the offset in that block's shared memory. An
// address below this one is of the block's own.
constexpr unsigned RANK_BITS = 24;

constexpr unsigned MAX_CLUSTER = 16;   // blocks

struct Cluster {
    uint3 index;      // in the grid of clusters
    unsigned count;   // blocks
    Worker *block[MAX_CLUSTER];
    std::vector<std::unique_ptr<Worker>> members;   // those that are not the leader
};

// The block whose shared memory contains an address: that of the worker, another one of its
// cluster, or null.
Worker *owner_of(Worker &, uintptr_t address);
// The address of the same variable in the block of that rank. Ends the launch with a report if
// there is none.
uintptr_t in_block(Worker &, uintptr_t address, unsigned rank, uintptr_t pc);

// Calls f() with each block of the worker's cluster, or with the worker itself.
template <class F> void each_block(Worker &w, F f)
{
    if (!w.cluster)
        return f(w);
    for (unsigned i = 0; i < w.cluster->count; i++)
        f(*w.cluster->block[i]);
}

__attribute__((weak)) void run_cluster(Worker &, uint64_t cluster);
// Is the address in shared memory of another block of the cluster?
inline bool in_cluster(const Worker &w, uintptr_t address)
{
    for (unsigned i = 0; w.cluster && i < w.cluster->count; i++)
        if (w.cluster->block[i] != &w && in_shared(*w.cluster->block[i], address))
            return true;
    return false;
}
// A request of such memory.
__attribute__((weak)) void serve_cluster(Worker &, Warp &, const Request &, const Stop &head);

}   // namespace emu

#endif
