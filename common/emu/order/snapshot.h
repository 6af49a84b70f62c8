// What a launch changes in device memory: kept, so that the launch can run a second time
// (snapshot.cpp).
#ifndef EMU_SNAPSHOT_H
#define EMU_SNAPSHOT_H

#include <cstddef>
#include <cstdint>

namespace emu {

extern bool keeps_changes;   // the current launch does
void keep_before_store(uintptr_t address, size_t bytes);

// Before a store or an atomic of the kernel.
inline void before_store(uintptr_t address, size_t bytes)
{
    if (__builtin_expect(keeps_changes, 0))
        keep_before_store(address, bytes);
}

void snapshot_begin();
// Exchanges memory and what it was before the launch. False: the launch has changed too much of it.
bool snapshot_exchange();
// Makes memory what it was before the launch. False: as above, with a note.
bool snapshot_undo();
// Makes memory what it was at snapshot_undo(), in spite of later stores; ends the snapshot.
void snapshot_redo();
void snapshot_forget();

}   // namespace emu

#endif
