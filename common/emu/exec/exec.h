// The execution of threads, warps and blocks.
#ifndef EMU_EXEC_H
#define EMU_EXEC_H

#include <cstdint>
#include <memory>
#include <string>

#include "lanes/worker.h"

namespace emu {

struct Shape;

// ---- warp.cpp ----

void run_block(Worker &, uint64_t block);
// A block that runs in turn with others: its start, and its warps' turns. waits: no lane can
// continue before another block does something.
enum class Round { progress, busy, waits, over };
void begin_block(Worker &, uint64_t block);
Round run_round(Worker &);
// A request was served; a new one is progress.
void note_progress(Worker &, uint64_t fingerprint);
// What distinguishes a request from others of the launch.
uint64_t fingerprint_of(Worker &, const Warp &, uintptr_t address, const Shape &, uintptr_t pc);

// ---- kernel_calls.cpp ----

uint64_t read_clock(Worker &);   // what clock(), clock64() and %globaltimer return

// ---- grid.cpp ----

// A worker takes part in the launch, on this thread; and ends.
void begin_launch(Worker &, Launch &, pthread_t);
void end_launch(Worker &);
std::unique_ptr<Worker> new_member();   // a worker without a thread
uint64_t all_fresh();                   // sum of Progress::fresh
void let_others_run(Worker &);          // ends the block's turn: others run
// Starts workers for blocks that wait. False: no block waits, or the device can hold no more.
bool add_workers(Launch &);
unsigned started_workers();
// Lets as many workers run as the process has cores.
void use_all_workers(Launch &);
// Have all workers only repeated requests for so long?
bool is_without_progress();

// ---- turns.cpp ----

// Can kernels of this program order their accesses by fences?
bool has_fences();
void turns_begin_launch(Launch &);
void turns_wait(Launch &, unsigned worker);   // for the first turn of a worker
void turns_after_block(Launch &);
void turns_pass(Worker &);   // to the next worker; returns in the next turn
void turns_end_worker(Worker &);
// A block of the second run waits for one that has not started.
void report_order(const Launch &);

// A lane reads these bytes at `pc`, as a part of the object `of` if that is not null: reports those
// that were not written. The launch goes on, as on a GPU.
void report_unwritten(Worker &, const Lane &, uintptr_t address, size_t size, uintptr_t pc,
                      const Stop *of = nullptr, const char *how = "");

void cooperative_begin_launch();   // cooperative.cpp
void cooperative_end_block();
void serve_texture(Worker &, Warp &, unsigned group);   // texture.cpp

// ---- hooks.cpp ----

extern bool instrumented;   // the kernels were compiled with its calls
// An access of the current lane by inline PTX, of at most 16 bytes. The caller reads or writes the
// bytes after it.
void access_at(uintptr_t address, unsigned size, bool writes, bool is_volatile, uintptr_t pc);
// The same of a load or store with which others may synchronize.
void atomic_access_at(uintptr_t address, unsigned size, bool writes, Scope scope, bool is_ptx,
                      uintptr_t pc);
// Stops the current lane at an atomic.
void stop_at_atomic(Worker &w, uintptr_t address, unsigned size, uintptr_t pc, Atomic how,
                    Scope scope);
// An access of kernel or host code to several elements.
void count_range(void *pointer, unsigned long size, bool writes, void *call_site);

// ---- exchange.cpp ----

// Waits for the other lanes of the mask. Returns the lane's result.
uint64_t exchange(Exchange how, unsigned mask, uint64_t value, uintptr_t pc);
void barrier(int predicate, uintptr_t pc);   // of the block

// ---- named barriers (named.cpp) ----

// The current lane's warp arrives at barrier `id` of `threads` threads; and waits for the others.
void named_arrive(Worker &, unsigned id, unsigned threads, uintptr_t pc);
void named_sync(Worker &, unsigned id, unsigned threads, uintptr_t pc);
// Lets lanes continue whose barrier is complete.
void named_release(Worker &);

}   // namespace emu

#endif
