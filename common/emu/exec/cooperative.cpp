// Cooperative launches and the grid barrier. Each block has a worker of its own, which waits in the
// grid barrier until all blocks have arrived.
#include <condition_variable>
#include <cstdio>
#include <mutex>

#include "exec.h"
#include "host/host.h"
#include "lanes/log.h"
#include "order/order.h"

namespace emu {

// Workers may wait on these until the process ends, so they are never destroyed.
static std::mutex &barrier_lock = *new std::mutex;
static std::condition_variable &all_came = *new std::condition_variable;
static uint64_t waiting, left, barriers_passed;   // blocks in the barrier; blocks that have ended
// Blocks release and acquire through the two words in turn. No block can reach the barrier after
// the next one before all blocks have left this one. So no block acquires what another block did
// after this barrier.
static const uint64_t words[2] = {};

void cooperative_begin_launch() { waiting = left = 0; }

// The word of the barrier that a block is about to enter.
static uintptr_t current_word()
{
    std::lock_guard<std::mutex> hold(barrier_lock);
    return (uintptr_t)&words[barriers_passed % 2];
}

// A block has ended, or the launch has stopped: the others must not wait for it.
void cooperative_end_block()
{
    std::lock_guard<std::mutex> hold(barrier_lock);

    left++;
    all_came.notify_all();
}

// False: the barrier can never complete.
static bool wait_for_blocks(Worker &w)
{
    std::unique_lock<std::mutex> hold(barrier_lock);
    uint64_t mine = barriers_passed;

    if (++waiting == w.launch->blocks) {
        waiting = 0;
        barriers_passed++;
        all_came.notify_all();
        return true;
    }
    all_came.wait(hold, [&] { return barriers_passed != mine || left || w.launch->stop; });
    return barriers_passed != mine;
}

}   // namespace emu

extern "C" {

int emu_is_cooperative(void)
{
    return emu::on_device(__builtin_return_address(0)).launch->cooperative;
}

// One thread of each block calls this, between two barriers of its block.
void emu_grid_barrier(void)
{
    uintptr_t pc = (uintptr_t)__builtin_return_address(0);
    emu::Worker &w = emu::on_device((void *)pc);
    const char *wrong = nullptr;

    if (!w.launch->cooperative)
        wrong = "grid barrier in a launch that is not cooperative: use cudaLaunchCooperativeKernel";
    else {
        const emu::Lane &lane = *w.current;

        emu::serve_log(w);
        uintptr_t word = emu::current_word();

        emu::fence(w, emu::Scope::device);
        emu::release(w, w.warps[lane.id / emu::WARP], lane, word, emu::Scope::device);
        if (!emu::wait_for_blocks(w) && !w.launch->stop)
            wrong = "grid barrier that not all blocks reach: a block has ended";
        emu::poll(w, lane, word, emu::Scope::device);
        emu::fence(w, emu::Scope::device);
    }
    if (wrong)
        fail(w, wrong, pc);
    if (w.launch->stop)
        emu::park(w, emu::State::barrier);   // does not return: the launch has stopped
}

cudaError_t emu_untyped_launch(const char *call)
{
    fprintf(stderr,
            "CPU device: %s: name the kernel in the call; a pointer to void is not "
            "supported\n",
            call);
    return emu_failed(cudaErrorNotSupported);
}
}
