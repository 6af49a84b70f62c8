// Livelocks between launches: a host loop that launches kernels until a flag in device memory stays
// 0, while the kernels change nothing any more, but set the flag.
#include <cstdint>
#include <cstring>
#include <map>
#include <mutex>

#include "host.h"
#include "streams.h"
#include "order/memory.h"
#include "report/report.h"

namespace emu {

// Without a change, after which a loop counts as endless: at least so many, for patience().
constexpr unsigned ROUNDS = 10000;
// From half of them on, all device memory is compared, in some of the rounds: their distance is a
// prime, so that a state that recurs is not taken for one that stays.
constexpr unsigned COMPARED = 101;
constexpr size_t MOST_READ = 4096, MOST_MEMORY = 256 << 20;   // bytes

namespace {

// What the host has read by one call.
struct Read {
    uint64_t content, memory;   // hashes
    int launches;
    unsigned rounds;   // with this content, since:
    double start;      // process_seconds()
};

}   // namespace

void host_has_read(uintptr_t pc, const void *data, size_t bytes)
{
    static std::mutex lock;
    static std::map<uintptr_t, Read> reads;   // by call site

    if (bytes > MOST_READ || heap_used() > MOST_MEMORY)
        return;
    std::lock_guard<std::mutex> hold(lock);
    Read &r = reads[pc];
    uint64_t content = hash_of(data, bytes, bytes);
    bool is_round = r.launches != launches_so_far();

    r.launches = launches_so_far();
    if (content != r.content || !is_round) {
        r = { content, 0, r.launches, 0, process_seconds() };
        return;
    }
    if (++r.rounds > ROUNDS / 2 && r.rounds % COMPARED == 0) {
        open_heap(true);
        uint64_t memory = hash_of_memory();
        open_heap(false);

        if (r.memory && memory != r.memory)
            r = { content, 0, r.launches, 0, process_seconds() };
        else
            r.memory = memory;
    }
    if (r.rounds < ROUNDS || process_seconds() - r.start < patience())
        return;
    report({ no_progress() + ": the host has read the same value here " + std::to_string(r.rounds) +
                 " times, and the kernels that it launched in between have left device memory as "
                 "it was: a loop that waits for a change does not end",
             pc, "", 0, "on the host" });
    print_findings();
}

}   // namespace emu
