// The arrays of a problem, on the host and on the device.
//
// On a GPU, all sets of arrays are slices of one allocation. Guard bands filled with a known byte
// lie before, between and after the arrays of a set: a write past an array's end changes one. On
// the CPU device, each array is an allocation of its exact size, because that device reports every
// out-of-bounds access with its source line. SEPARATE does the same on a GPU, for
// compute-sanitizer.
#ifndef BUFFERS_H
#define BUFFERS_H

#include "week.h"

struct arrays {
    int n;
    struct buffer buffer[MAX_BUFFERS];
    // sets of device arrays with the same inputs; calls rotate among them
    int sets;
    size_t stride;                 // bytes from one set to the next
    size_t offset[MAX_BUFFERS];    // of each array in its set
    char *slices;                  // the one allocation; NULL: each array has its own
    void *separate[MAX_BUFFERS];   // these allocations
    void *host[MAX_BUFFERS];       // inputs; NULL for outputs
    void *want[MAX_BUFFERS];       // correct outputs; NULL for inputs
    int n_digests;                 // if there are any, digests are compared, not outputs:
    double *digest_want[MAX_DIGESTS], *digest_got[MAX_DIGESTS];
    // outputs from which digest_got[] is computed; want[] is then NULL
    void *got[MAX_BUFFERS];
    // the problem.computes for which want[] or digest_want[] is correct, or NULL
    const char *answered;
    // NULL, or the process whose stage is called on these inputs; the device is then only a copy
    struct isolated *process;
};

// Bytes that arrays_new() would allocate, on the device and on the host.
double arrays_device_bytes(const struct problem *, int sets);
double arrays_host_bytes(const struct problem *);

// Why arrays of this problem, in one set, do not fit into the free memory, or NULL.
const char *arrays_misfit(const struct problem *);

// Allocates `sets` sets or, with SEPARATE, one set in which each array is a separate allocation.
// The caller frees them with arrays_free(). Ends the program if memory is short.
enum { SEPARATE = 0 };
struct arrays *arrays_new(const struct problem *, int sets);
void arrays_free(struct arrays *);

// Whether these arrays also fit this problem: roles, types and element counts are the same.
int arrays_serve(const struct arrays *, const struct problem *);

// The device arrays of one set, in the order of the week's buffers().
void arrays_set(const struct arrays *, int set, void *device[MAX_BUFFERS]);

// Fills the inputs for the problem's seed, on the host and in set 0.
void arrays_fill(struct arrays *, const struct problem *);

// Copies the inputs to set 0.
void arrays_upload(struct arrays *);

// Computes want[] or digest_want[] for this problem and these inputs, unless they are already
// correct.
void arrays_answer(struct arrays *, const struct problem *);

// Copies the inputs of set 0 to all other sets.
void arrays_spread(const struct arrays *);

// Poisons the outputs of a set.
void arrays_poison(const struct arrays *, int set);

// Checks that only outputs were written in a set. Returns NULL, or what else was written.
const char *arrays_trespass(const struct arrays *, int set);

// Checks the guard bands of a set. Returns NULL, or where it was written.
const char *guard_bands(const struct arrays *, int set);

// Arrays are copied back and compared in pieces: a buffer of this many bytes, a multiple of every
// element's, that is quick to copy to. There is one.
enum { ARRAYS_PIECE = 32 << 20 };
char *arrays_piece(void);

// Copies bytes from a device array to the host and waits for them.
void arrays_download(void *host, const void *device, size_t bytes);

// Copies the outputs of a set into new[], which the caller frees; NULL for inputs.
void arrays_outputs(const struct arrays *, int set, void *new[MAX_BUFFERS]);

#endif
