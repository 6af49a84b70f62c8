// What the CPU device logs: the accesses of one warp (--lanes), and the events of one block
// (--trace), as the files of events.h.
#ifndef EVENT_LOG_H
#define EVENT_LOG_H

#include "../emu/interface.h"
#include "events.h"
#include "watch.h"
#include "week.h"

// The kind of a request that is not an asynchronous copy.
static inline enum event_kind request_kind(enum emu_kind kind, int is_shared)
{
    switch (kind) {
    case EMU_ST: return EVENT_STORE;
    case EMU_ATOMIC: return is_shared ? EVENT_SHARED_ATOMIC : EVENT_ATOMIC;
    case EMU_SHARED_LD: return EVENT_SHARED_LOAD;
    case EMU_SHARED_ST: return EVENT_SHARED_STORE;
    case EMU_CLUSTER_LD: return EVENT_SHARED_LOAD;
    case EMU_CLUSTER_ST: return EVENT_SHARED_STORE;
    case EMU_CLUSTER_ATOMIC:
    case EMU_SHARED_ATOMIC: return EVENT_SHARED_ATOMIC;
    case EMU_TEX: return EVENT_TEXTURE;
    case EMU_BULK_ST: return EVENT_STORE;
    case EMU_LD:
    case EMU_BULK_LD:
    case EMU_PRODUCT:
    case EMU_MULTICAST: break;
    }
    return EVENT_LOAD;
}

// Ends the program with STATUS_USAGE if the file exists and is not a recording, so that no other
// file is overwritten. "-" is stdout.
void event_log_must_fit(const char *option, const char *path);

// Starts to record the launches that follow: all events of the block, or only the requests of the
// warp.
void event_log_start(const struct watch *, int only_warp);

// Writes what was recorded into the file: notes, header, rows. Ends the program with STATUS_USAGE
// if no launch had the block or the warp, and then leaves the file as it was; or if the file cannot
// be written. Returns the number of rows.
int event_log_write(const struct watch *, int only_warp, const struct problem *,
                    const struct stage_info *, const char *option, const char *path);

#endif
