// What other folders call of the asynchronous operations of Hopper. It is declared here and defined
// in hopper/, so that these folders include nothing of that one.
//
// All but begin_block() and forget_use() are called only if Worker::asyncs is set, and
// local_access() only if has_products is.
#ifndef EMU_ASYNCS_H
#define EMU_ASYNCS_H

#include <cstdint>

#include "worker.h"

namespace emu::hopper {

void begin_block(Worker &);
void end_block(Worker &);
void forget_use();   // emu_is_asynchronous() is 0 again
// No lane of the block can continue, and some are in State::waiting: lets operations land. Ends the
// launch with a report if that does not help. is_last: false if other lanes can continue.
void advance(Worker &, bool is_last);
bool has_waiting(const Worker &);
void after_barrier(Worker &);   // __syncthreads
void after_syncwarp(Worker &, const Warp &, unsigned mask);
// A named barrier: the current lane arrives; all have arrived; the current lane passes.
void named_arrives(Worker &, unsigned id);
void named_completes(Worker &, unsigned id);
void named_passes(Worker &, unsigned id);
// Do mbarriers order an access of `thread` in an epoch created at `time` before what `lane` does?
bool is_ordered(const Worker &, const Lane &, unsigned thread, uint64_t time);
// The same of a block of the grid that may be another one of the cluster.
bool is_ordered_in_cluster(const Worker &, const Lane &, uint64_t block, unsigned thread,
                           uint64_t time);
void begin_cluster_block(Worker &);
// Checks a request of shared memory against asynchronous operations.
void shared_access(Worker &, const Warp &, const Request &, const Stop &head, bool writes);
// Checks an access of the running lane to its own variables.
void local_access(Worker &, uintptr_t address, unsigned size, bool writes, uintptr_t pc);

}   // namespace emu::hopper

#endif
