// Programmatic dependent launches. A kernel that is launched so may start before the kernel before
// it in the stream has ended. griddepcontrol.wait waits until that kernel is complete and what it
// has stored is visible to the grid [PTX ISA 9.7.13.13]. Here, kernels run one after another, so an
// access that needs the wait and lacks it is found in the marks of the kernel before (races.cpp).
#include <utility>

#include "lanes/asyncs.h"
#include "lanes/log.h"
#include "order.h"
#include "report/report.h"

namespace emu {

static bool is_wanted;   // by the attributes of the launch that follows
static struct {
    bool is_last;   // nothing has followed it in a stream, and the host has not waited
    cudaStream_t stream;
    uint32_t first, end;   // its epochs
} before;

void dependent_launch_wanted(bool wanted) { is_wanted = wanted; }
bool dependent_launch_is_wanted() { return std::exchange(is_wanted, false); }
void dependent_forget() { before.is_last = false; }

void dependent_begin_launch(Launch &launch, cudaStream_t stream)
{
    if (launch.follows && before.is_last && before.stream == stream) {
        launch.before_first = before.first;
        launch.before_end = before.end;
    }
}

void dependent_end_launch(cudaStream_t stream)
{
    before = { true, stream, launch_epoch(), end_of_epochs() };
}

void dependent_begin_block(Worker &w)
{
    w.order.grid_waits.clear();
    w.order.first_grid_wait = UINT64_MAX;
    if (w.launch->before_end)
        w.order.grid_waits.assign(w.threads, UINT64_MAX);
}

// Has the lane, or a thread that it is ordered after, waited for the kernel before?
static bool has_waited(const Worker &w, const Warp &warp, const Lane &lane)
{
    unsigned self = lane.id % WARP;

    if (w.order.grid_waits[lane.id] != UINT64_MAX || w.order.barrier > w.order.first_grid_wait)
        return true;
    if (w.order.first_grid_wait == UINT64_MAX)
        return false;
    for (unsigned t = 0; t < w.threads; t++) {
        uint64_t time = w.order.grid_waits[t];
        bool in_warp = t / WARP == warp.index;

        if (time == UINT64_MAX)
            continue;
        if ((in_warp && (warp.full_sync > time ||
                         (warp.pair_sync && warp.pair_sync[t % WARP][self] > time))) ||
            (w.asyncs && hopper::is_ordered(w, lane, t, time)))
            return true;
    }
    return w.order.has_ever_polled;   // perhaps ordered by atomics
}

void check_dependence(Worker &w, const Warp &warp, const Request &r, const Stop &head, bool writes)
{
    Request early = r;

    early.lanes = 0;
    for (unsigned i = 0; i < r.lanes; i++)
        if (!has_waited(w, warp, warp.lane[r.lane[i]])) {
            early.lane[early.lanes] = r.lane[i];
            early.address[early.lanes++] = r.address[i];
        }
    if (!early.lanes)
        return;
    std::vector<FoundMark> found =
        marks_of(w, early, writes, w.launch->before_first, w.launch->before_end);
    if (found.empty())
        return;
    const FoundMark &f = found[0];
    bool has_read = f.plane == READ || f.plane == READ_LAST;
    report({ std::string("race: ") + (writes ? "store to" : "read of") +
                 " global memory that the kernel before " + (has_read ? "reads" : "stores") +
                 ": griddepcontrol.wait (cudaGridDependencySynchronize) must come first",
             head.pc, "in the kernel before", pc_of(f.mark),
             where(w, warp.lane[early.lane[f.index]]) });
}

}   // namespace emu

extern "C" void emu_grid_wait(void)
{
    emu::Worker &w = emu::on_device(__builtin_return_address(0));

    emu::serve_log(w);
    if (!w.launch->before_end)
        return;
    uint64_t time = ++w.time;
    w.order.grid_waits[w.current->id] = time;
    w.order.first_grid_wait = std::min(w.order.first_grid_wait, time);
}
