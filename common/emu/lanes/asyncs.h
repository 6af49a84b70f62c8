// What other folders call of the asynchronous operations of Hopper. It is declared here and defined
// in hopper/, so that these folders include nothing of that one.
//
// These functions are called only if Worker::asyncs is set, and local_access() only if has_products
// is. So a program that has no such operations is linked without hopper/: the references are weak.
#ifndef EMU_ASYNCS_H
#define EMU_ASYNCS_H

#include <atomic>
#include <cstdint>

#include "interface.h"
#include "worker.h"

#define ON_DEMAND __attribute__((weak))

namespace emu::hopper {

// asyncs.cpp: is there one since the last forget_use()? Do operations land when they are issued?
extern std::atomic<bool> is_asynchronous;
extern bool lands_early;
void count_product(const emu_product &);
void forget_use();

ON_DEMAND void begin_block(Worker &);
ON_DEMAND void end_block(Worker &);
// No lane of the block can continue, and some are in State::waiting: lets operations land. Ends the
// launch with a report if that does not help. is_last: false if other lanes can continue.
ON_DEMAND void advance(Worker &, bool is_last);
ON_DEMAND bool has_waiting(const Worker &);
ON_DEMAND void after_barrier(Worker &);   // __syncthreads
ON_DEMAND void after_syncwarp(Worker &, const Warp &, unsigned mask);
// A named barrier: the current lane arrives; all have arrived; the current lane passes.
ON_DEMAND void named_arrives(Worker &, unsigned id);
ON_DEMAND void named_completes(Worker &, unsigned id);
ON_DEMAND void named_passes(Worker &, unsigned id);
// Do mbarriers order an access of `thread` in an epoch created at `time` before what `lane` does?
ON_DEMAND bool is_ordered(const Worker &, const Lane &, unsigned thread, uint64_t time);
// The same of a block of the grid that may be another one of the cluster.
ON_DEMAND bool is_ordered_in_cluster(const Worker &, const Lane &, uint64_t block, unsigned thread,
                                     uint64_t time);
ON_DEMAND void begin_cluster_block(Worker &);
// Checks a request of shared memory against asynchronous operations.
ON_DEMAND void shared_access(Worker &, const Warp &, const Request &, const Stop &head,
                             bool writes);
// Checks an access of the running lane to its own variables.
ON_DEMAND void local_access(Worker &, uintptr_t address, unsigned size, bool writes, uintptr_t pc);

}   // namespace emu::hopper

#endif
