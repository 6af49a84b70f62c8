#include "buffers.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cuda_runtime_api.h>

#include "device.h"
#include "die.h"
#include "backend.h"
#include "parallel.h"
#include "problem.h"

enum {
    GUARD = 4096,   // bytes at least between two arrays; also what arrays are aligned to
    GUARD_BYTE = 0xA5,
    PIECE = 32 << 20,    // arrays come back to the host in pieces of this
    SHARE = 1 << 20,     // of a piece, for one processor
    SPARE = 256 << 20,   // device memory left to the stage and the runtime
};

static const cudaStream_t stream = cudaStreamPerThread;

// Lays out one set with its bands; nothing uses the places of arrays that are allocations of their
// own.
static size_t lay_out(const struct buffer b[], int n, size_t offset[])
{
    size_t place = GUARD;

    for (int i = 0; i < n; i++) {
        offset[i] = place;
        place = (place + buffer_bytes(&b[i]) + GUARD + GUARD - 1) / GUARD * GUARD;
    }
    return place;
}

double arrays_device_bytes(const struct problem *p, int sets)
{
    struct buffer b[MAX_BUFFERS];
    size_t offset[MAX_BUFFERS];

    return (double)lay_out(b, week.buffers(p, b), offset) * sets;
}

static int digests_of(const struct problem *p, struct digest d[MAX_DIGESTS])
{
    return week.digests ? week.digests(p, d) : 0;
}

// An array's bytes on the host: an input as it is, an output as its reference writes it, or, for
// digests, as it is.
static size_t host_bytes(const struct buffer *b, int digests)
{
    return b->role == IN || digests ? buffer_bytes(b) : b->count * type_size(want_type(b));
}

double arrays_host_bytes(const struct problem *p)
{
    struct buffer b[MAX_BUFFERS];
    struct digest digest[MAX_DIGESTS];
    int n = week.buffers(p, b), digests = digests_of(p, digest);
    double sum = 2 * PIECE;   // for comparing inputs and outputs

    for (int i = 0; i < n; i++)
        sum += (double)host_bytes(&b[i], digests);
    for (int i = 0; i < digests; i++)
        sum += 2 * (double)buffer_bytes(&digest[i].array);
    return sum;
}

const char *arrays_misfit(const struct problem *p)
{
    static char text[160];
    double on_device = arrays_device_bytes(p, 1) + (on_cpu_device ? 0 : SPARE),
           on_host = arrays_host_bytes(p);

    if (on_cpu_device)
        on_host += on_device;
    if (on_host > host_free_bytes())
        snprintf(text, sizeof text,
                 "does not fit: it takes %.2f GB of host memory, %.2f GB are free", on_host / 1e9,
                 host_free_bytes() / 1e9);
    else if (!on_cpu_device && on_device > device_free_bytes())
        snprintf(text, sizeof text,
                 "does not fit: it takes %.2f GB of the GPU's memory, %.2f GB are free",
                 on_device / 1e9, device_free_bytes() / 1e9);
    else
        return NULL;
    return text;
}

static void *device_malloc(size_t bytes)
{
    void *p = NULL;
    cudaError_t result = cudaMalloc(&p, bytes);

    if (result != cudaSuccess)
        die(EXIT_CUDA, "out of memory: no %.3f GB on the device: %s", bytes / 1e9,
            cudaGetErrorString(result));
    return p;
}

struct arrays *arrays_new(const struct problem *p, int sets)
{
    struct arrays *a = must_malloc(sizeof *a);
    struct digest digest[MAX_DIGESTS];
    int separate = on_cpu_device || sets == SEPARATE;

    *a = (struct arrays){ .sets = sets ? sets : 1, .n_digests = digests_of(p, digest) };
    a->n = week.buffers(p, a->buffer);
    a->stride = lay_out(a->buffer, a->n, a->offset);
    for (int i = 0; i < a->n; i++) {
        size_t bytes = buffer_bytes(&a->buffer[i]);
        void **place = a->buffer[i].role == IN ? a->host : a->n_digests ? a->got : a->want;

        a->set_bytes += bytes;
        place[i] = must_malloc(host_bytes(&a->buffer[i], a->n_digests));
        if (separate)
            a->separate[i] = device_malloc(bytes);
    }
    for (int i = 0; i < a->n_digests; i++) {
        a->digest_want[i] = must_malloc(buffer_bytes(&digest[i].array));
        a->digest_got[i] = must_malloc(buffer_bytes(&digest[i].array));
    }
    if (!separate) {
        a->slices = device_malloc(a->stride * sets);
        cuda_must(cudaMemsetAsync(a->slices, GUARD_BYTE, a->stride * sets, stream),
                  "writing guard bands");
    }
    return a;
}

// After an illegal address CUDA takes nothing back, and that error has been told.
void arrays_free(struct arrays *a)
{
    for (int i = 0; i < a->n; i++) {
        free(a->host[i]);
        free(a->want[i]);
        free(a->got[i]);
        cudaFree(a->separate[i]);
    }
    for (int i = 0; i < a->n_digests; i++) {
        free(a->digest_want[i]);
        free(a->digest_got[i]);
    }
    cudaFree(a->slices);
    cudaGetLastError();
    free(a);
}

int arrays_serve(const struct arrays *a, const struct problem *p)
{
    struct buffer b[MAX_BUFFERS];

    if (week.buffers(p, b) != a->n)
        return 0;
    for (int i = 0; i < a->n; i++)
        if (b[i].role != a->buffer[i].role || b[i].type != a->buffer[i].type ||
            b[i].count != a->buffer[i].count)
            return 0;
    return 1;
}

void arrays_set(const struct arrays *a, int set, void *device[MAX_BUFFERS])
{
    for (int i = 0; i < a->n; i++)
        device[i] = a->slices ? a->slices + a->stride * set + a->offset[i] : a->separate[i];
}

void arrays_fill(struct arrays *a, const struct problem *p)
{
    void *device[MAX_BUFFERS];

    arrays_set(a, 0, device);
    week.fill(p, a->host);
    a->answered = NULL;
    for (int i = 0; i < a->n; i++)
        if (a->buffer[i].role == IN)
            cuda_must(cudaMemcpyAsync(device[i], a->host[i], buffer_bytes(&a->buffer[i]),
                                      cudaMemcpyHostToDevice, stream),
                      "copying inputs");
    cuda_must(cudaStreamSynchronize(stream), "copying inputs");
}

void arrays_answer(struct arrays *a, const struct problem *p)
{
    if (a->answered && strcmp(a->answered, p->computes) == 0)
        return;
    if (a->n_digests)
        week.digest_wanted(p, a->host, a->digest_want);
    else
        week.reference(p, a->host, a->want);
    a->answered = p->computes;
}

void arrays_spread(const struct arrays *a)
{
    void *from[MAX_BUFFERS], *to[MAX_BUFFERS];

    arrays_set(a, 0, from);
    for (int set = 1; set < a->sets; set++) {
        arrays_set(a, set, to);
        for (int i = 0; i < a->n; i++)
            if (a->buffer[i].role == IN)
                cuda_must(cudaMemcpyAsync(to[i], from[i], buffer_bytes(&a->buffer[i]),
                                          cudaMemcpyDeviceToDevice, stream),
                          "copying inputs");
    }
    cuda_must(cudaStreamSynchronize(stream), "copying inputs");
}

void arrays_poison(const struct arrays *a, int set)
{
    void *device[MAX_BUFFERS];

    arrays_set(a, set, device);
    for (int i = 0; i < a->n; i++)
        if (a->buffer[i].role == OUT) {
            cuda_must(cudaMemsetAsync(device[i], POISON, buffer_bytes(&a->buffer[i]), stream),
                      "poisoning outputs");
            backend_forget(device[i], buffer_bytes(&a->buffer[i]));
        }
    cuda_must(cudaStreamSynchronize(stream), "poisoning outputs");
}

void arrays_download(void *host, const void *device, size_t bytes)
{
    cuda_must(cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, stream),
              "copying results");
    cuda_must(cudaStreamSynchronize(stream), "copying results");
}

// The first byte of a band that is not as it was, or -1.
static long changed(const char *band, size_t bytes)
{
    unsigned char copy[3 * GUARD];

    arrays_download(copy, band, bytes);
    for (size_t i = 0; i < bytes; i++)
        if (copy[i] != GUARD_BYTE)
            return (long)i;
    return -1;
}

static const char *guard_trespass(const struct arrays *a, int set)
{
    static char text[160];

    for (int i = 0; i <= a->n; i++) {   // the band before array i, and behind the last
        size_t from = i ? a->offset[i - 1] + buffer_bytes(&a->buffer[i - 1]) : 0;
        size_t to = i < a->n ? a->offset[i] : a->stride;
        long at = changed(a->slices + a->stride * set + from, to - from);

        if (at < 0)
            continue;
        if (i == 0 || (i < a->n && (size_t)at > (to - from) / 2))
            snprintf(text, sizeof text,
                     "writes outside its arrays: %ld bytes before the start of '%s'",
                     (long)(to - from) - at, a->buffer[i].name);
        else
            snprintf(text, sizeof text,
                     "writes outside its arrays: past the end of '%s', from byte %ld behind it",
                     a->buffer[i - 1].name, at);
        return text;
    }
    return NULL;
}

struct comparison {
    const char *a, *b;
    size_t bytes;
    atomic_int differ;
};

static void compare_share(long long i, void *context)
{
    struct comparison *c = context;
    size_t at = i * SHARE, n = c->bytes - at < SHARE ? c->bytes - at : SHARE;

    if (memcmp(c->a + at, c->b + at, n) != 0)
        atomic_store(&c->differ, 1);
}

static int differ(const void *a, const void *b, size_t bytes)
{
    struct comparison c = { .a = a, .b = b, .bytes = bytes };

    parallel((bytes + SHARE - 1) / SHARE, compare_share, &c);
    return c.differ;
}

static const char *input_trespass(const struct arrays *a, int set)
{
    static char text[160];
    // made once: memory that the device copies to at full speed is slow to make
    static void *piece;
    void *device[MAX_BUFFERS];
    const char *result = NULL;

    if (!piece)
        cuda_must(cudaMallocHost(&piece, PIECE), "allocating host memory");
    arrays_set(a, set, device);
    for (int i = 0; i < a->n && !result; i++) {
        size_t bytes = a->buffer[i].role == IN ? buffer_bytes(&a->buffer[i]) : 0;

        for (size_t at = 0; at < bytes && !result; at += PIECE) {
            size_t n = bytes - at < PIECE ? bytes - at : PIECE;

            arrays_download(piece, (char *)device[i] + at, n);
            if (differ(piece, (char *)a->host[i] + at, n)) {
                snprintf(text, sizeof text, "changes its input '%s'", a->buffer[i].name);
                result = text;
            }
        }
    }
    return result;
}

const char *arrays_trespass(const struct arrays *a, int set)
{
    const char *result = a->slices ? guard_trespass(a, set) : NULL;

    return result ? result : input_trespass(a, set);
}
