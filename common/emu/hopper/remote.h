// Accesses to shared memory by other blocks of the cluster (cluster.cpp).
#ifndef EMU_REMOTE_H
#define EMU_REMOTE_H

#include <cstdint>
#include <memory>
#include <vector>

#include "lanes/cluster.h"
#include "order/order.h"

namespace emu::hopper {

struct Operation;
struct Block;

// An access to shared memory by a thread of another block of the cluster. Time 0: none.
struct RemoteMark {
    uint32_t time;
    uint16_t thread;
    uint8_t rank;
    uint8_t bytes;   // bit i: the i-th of the word's
    bool is_volatile;
    uintptr_t pc;
};

// Of a word: the last store, the last atomic, the last read, and the one before it by another
// thread.
struct RemoteWord {
    RemoteMark write, atomic, read[2];
};

// The last use of a block by a thread of another one. The block may end after it if it knows of the
// time, or of the phase of its mbarrier.
struct RemoteUse {
    uint32_t time;      // 0: none
    uint32_t barrier;   // index + 1; 0: none
    uint32_t phase;
    uintptr_t pc;
};

struct RemoteMarks {
    struct Page {
        RemoteWord word[PAGE_BYTES / 4];
    };
    std::vector<std::unique_ptr<Page>> pages;   // empty until the first access
    std::vector<std::vector<RemoteUse>> uses;   // by rank and thread

    bool empty() const { return pages.empty(); }
    void clear()
    {
        pages.clear();
        uses.clear();
    }
};

// Checks an access to bytes of the block `of` against those of other blocks: by a lane of the block
// `by`, or by an operation of it.
struct RemoteAccess {
    Worker &of, &by;
    const Lane &lane;
    uint32_t offset, bytes;
    bool writes, is_atomic, is_volatile;
    const Operation *operation;   // null: an access of the lane
    uintptr_t pc;
};
void check_remote(const RemoteAccess &);
// hopper.cpp: against the asynchronous operations of the block `of`.
void check_operations(Worker &of, Worker &by, const Lane &, size_t offset, size_t size, bool writes,
                      uintptr_t pc);
// Does the lane know that the block `of` has started, and has it not ended? Reports otherwise.
void check_alive(Worker &of, Worker &by, const Lane &, const char *what, uintptr_t pc);
void note_use(Worker &of, Worker &by, const Lane &, const RemoteUse &);
// The cluster has ended: reports accesses to blocks that may have ended before them.
void check_ends(Worker &);
// If all threads have arrived, resumes those that wait. Returns whether it did.
bool complete_cluster_barrier(Worker &);

}   // namespace emu::hopper

#endif
