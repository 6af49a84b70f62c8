// The arrays of a problem, on the host and on the device.
//
// On a GPU, all sets of arrays are slices of one allocation. Guard bands of a known byte are
// before, between and behind the arrays of a set: a write past an array's end changes one. On the
// CPU device, each array is an allocation of its exact size, because that device itself reports
// every access out of bounds, with its source line. With SEPARATE, a GPU has the same, for
// compute-sanitizer.
#ifndef BUFFERS_H
#define BUFFERS_H

#include "week.h"

struct arrays {
    int n;
    struct buffer buffer[MAX_BUFFERS];
    // sets of device arrays, all with the same inputs, which calls rotate among
    int sets;
    size_t stride;                 // bytes from one set to the next
    size_t offset[MAX_BUFFERS];    // of each array in its set
    char *slices;                  // the one allocation; NULL where each array has its own,
    void *separate[MAX_BUFFERS];   // which are these
    void *host[MAX_BUFFERS];       // inputs at their places, NULL at those of outputs
    void *want[MAX_BUFFERS];       // the correct outputs, likewise
    int n_digests;                 // what is compared instead of them, if there are any:
    double *digest_want[MAX_DIGESTS], *digest_got[MAX_DIGESTS];
    // and the outputs that digest_got[] are made from; want[] is then NULL
    void *got[MAX_BUFFERS];
    // the problem.computes that want[] or digest_want[] are right for, or NULL
    const char *answered;
};

// What arrays_new() would allocate, in bytes.
double arrays_device_bytes(const struct problem *, int sets);
double arrays_host_bytes(const struct problem *);

// Why arrays of this problem, in one set, do not fit into the free memory, or NULL.
const char *arrays_misfit(const struct problem *);

// Ends the program if there is no memory. SEPARATE for `sets`: one set in which each array is a
// separate allocation.
enum { SEPARATE = 0 };
struct arrays *arrays_new(const struct problem *, int sets);
void arrays_free(struct arrays *);

// Whether they also fit this problem: the same buffers, possibly with other rows.
int arrays_serve(const struct arrays *, const struct problem *);

// The device arrays of one set, in the order of the week's buffers().
void arrays_set(const struct arrays *, int set, void *device[MAX_BUFFERS]);

// Fills the inputs for the problem's seed, on the host and in set 0.
void arrays_fill(struct arrays *, const struct problem *);

// Makes want[], or digest_want[], right for what this problem computes from these inputs.
void arrays_answer(struct arrays *, const struct problem *);

// Copies the inputs of set 0 to all other sets.
void arrays_spread(const struct arrays *);

// Poisons the outputs of a set.
void arrays_poison(const struct arrays *, int set);

// Checks that nothing but outputs was written in a set. Returns NULL, or which bytes were.
const char *arrays_trespass(const struct arrays *, int set);

// Copies bytes from a device array to the host and waits for them.
void arrays_download(void *host, const void *device, size_t bytes);

#endif
