#include "buffers.h"

#include <stdlib.h>
#include <string.h>

#include <cuda_runtime_api.h>

#include "compare.h"
#include "device.h"
#include "program.h"
#include "backend.h"
#include "problem.h"

enum {
    GUARD = 4096,   // minimum bytes between two arrays; also their alignment
    GUARD_BYTE = 0xA5,
    SPARE = 256 << 20,   // device memory left to the stage and the runtime
};

static const cudaStream_t stream = cudaStreamPerThread;

// Lays out one set with its guard bands. Arrays that have their own allocations do not use it.
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

    return (double)lay_out(b, p->week->buffers(p, b), offset) * sets;
}

static int digests_of(const struct problem *p, struct digest d[MAX_DIGESTS])
{
    return p->week->digests ? p->week->digests(p, d) : 0;
}

// An array's bytes on the host. An output has the type that its reference writes, unless digests
// are compared.
static size_t host_bytes(const struct buffer *b, int digests)
{
    return b->role == IN || digests ? buffer_bytes(b) : b->count * type_size(want_type(b));
}

double arrays_host_bytes(const struct problem *p)
{
    struct buffer b[MAX_BUFFERS];
    struct digest digest[MAX_DIGESTS];
    int n = p->week->buffers(p, b), digests = digests_of(p, digest);
    double sum = ARRAYS_PIECE;   // a piece for comparing inputs and outputs

    for (int i = 0; i < n; i++)
        sum += (double)host_bytes(&b[i], digests);
    for (int i = 0; i < digests; i++)
        sum += 2 * (double)buffer_bytes(&digest[i].array);
    return sum;
}

const char *arrays_misfit(const struct problem *p)
{
    double on_device = arrays_device_bytes(p, 1) + (on_cpu_device ? 0 : SPARE),
           on_host = arrays_host_bytes(p);

    if (on_cpu_device)
        on_host += on_device;
    if (on_host > host_free_bytes())
        return text_of("does not fit: it takes %.2f GB of host memory, %.2f GB are free",
                       on_host / 1e9, host_free_bytes() / 1e9);
    if (!on_cpu_device && on_device > device_free_bytes())
        return text_of("does not fit: it takes %.2f GB of the GPU's memory, %.2f GB are free",
                       on_device / 1e9, device_free_bytes() / 1e9);
    return NULL;
}

static void *device_malloc(size_t bytes)
{
    void *p = NULL;
    cudaError_t result = cudaMalloc(&p, bytes);

    if (result != cudaSuccess)
        die(STATUS_ERROR, "out of memory: no %.3f GB on the device: %s", bytes / 1e9,
            cudaGetErrorString(result));
    return p;
}

struct arrays *arrays_new(const struct problem *p, int sets)
{
    struct arrays *a = must_malloc(sizeof *a);
    struct digest digest[MAX_DIGESTS];
    int separate = on_cpu_device || sets == SEPARATE;

    *a = (struct arrays){ .sets = sets ? sets : 1, .n_digests = digests_of(p, digest) };
    a->n = p->week->buffers(p, a->buffer);
    a->stride = lay_out(a->buffer, a->n, a->offset);
    for (int i = 0; i < a->n; i++) {
        size_t bytes = buffer_bytes(&a->buffer[i]);
        void **place = a->buffer[i].role == IN ? a->host : a->n_digests ? a->got : a->want;

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

// After an illegal address CUDA frees nothing. That error was reported before.
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

    if (p->week->buffers(p, b) != a->n)
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
    p->week->fill(p, a->host);
    a->answered = NULL;
    arrays_upload(a);
}

// Copies the inputs from the host or from another set.
static void copy_inputs(const struct arrays *a, int set, void *const from[],
                        enum cudaMemcpyKind kind)
{
    void *to[MAX_BUFFERS];

    arrays_set(a, set, to);
    for (int i = 0; i < a->n; i++)
        if (a->buffer[i].role == IN)
            cuda_must(cudaMemcpyAsync(to[i], from[i], buffer_bytes(&a->buffer[i]), kind, stream),
                      "copying inputs");
}

void arrays_upload(struct arrays *a)
{
    copy_inputs(a, 0, a->host, cudaMemcpyHostToDevice);
    cuda_must(cudaStreamSynchronize(stream), "copying inputs");
}

void arrays_answer(struct arrays *a, const struct problem *p)
{
    if (a->answered && strcmp(a->answered, p->computes) == 0)
        return;
    if (a->n_digests)
        p->week->digest_wanted(p, a->host, a->digest_want);
    else
        p->week->reference(p, a->host, a->want);
    a->answered = p->computes;
}

void arrays_spread(const struct arrays *a)
{
    void *from[MAX_BUFFERS];

    arrays_set(a, 0, from);
    for (int set = 1; set < a->sets; set++)
        copy_inputs(a, set, from, cudaMemcpyDeviceToDevice);
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
            emu_forget(device[i], buffer_bytes(&a->buffer[i]));
        }
    cuda_must(cudaStreamSynchronize(stream), "poisoning outputs");
}

void arrays_download(void *host, const void *device, size_t bytes)
{
    cuda_must(cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, stream),
              "copying results");
    cuda_must(cudaStreamSynchronize(stream), "copying results");
}

void arrays_outputs(const struct arrays *a, int set, void *new[MAX_BUFFERS])
{
    void *device[MAX_BUFFERS];

    arrays_set(a, set, device);
    for (int i = 0; i < a->n; i++) {
        size_t bytes = buffer_bytes(&a->buffer[i]);

        new[i] = a->buffer[i].role == OUT ? must_malloc(bytes) : NULL;
        if (new[i])
            arrays_download(new[i], device[i], bytes);
    }
}

char *arrays_piece(void)
{
    static void *piece;   // allocated once, because allocating pinned memory is slow

    if (!piece)
        cuda_must(cudaMallocHost(&piece, ARRAYS_PIECE), "allocating host memory");
    return piece;
}

// The offset of the first changed byte of a guard band, or -1.
static long first_change(const char *band, size_t bytes)
{
    unsigned char copy[3 * GUARD];

    arrays_download(copy, band, bytes);
    for (size_t i = 0; i < bytes; i++)
        if (copy[i] != GUARD_BYTE)
            return (long)i;
    return -1;
}

const char *guard_bands(const struct arrays *a, int set)
{
    for (int i = 0; i <= a->n; i++) {   // the guard band before array i, and after the last array
        size_t from = i ? a->offset[i - 1] + buffer_bytes(&a->buffer[i - 1]) : 0;
        size_t to = i < a->n ? a->offset[i] : a->stride;
        long at = first_change(a->slices + a->stride * set + from, to - from);

        if (at < 0)
            continue;
        if (i == 0 || (i < a->n && (size_t)at > (to - from) / 2))
            return text_of("writes outside its arrays: %ld bytes before the start of '%s'",
                           (long)(to - from) - at, a->buffer[i].name);
        return text_of("writes outside its arrays: past the end of '%s', from byte %ld after it",
                       a->buffer[i - 1].name, at);
    }
    return NULL;
}

static const char *input_trespass(const struct arrays *a, int set)
{
    char *piece = arrays_piece();
    void *device[MAX_BUFFERS];

    arrays_set(a, set, device);
    for (int i = 0; i < a->n; i++) {
        size_t bytes = a->buffer[i].role == IN ? buffer_bytes(&a->buffer[i]) : 0;

        for (size_t at = 0; at < bytes; at += ARRAYS_PIECE) {
            size_t n = bytes - at < ARRAYS_PIECE ? bytes - at : ARRAYS_PIECE;

            arrays_download(piece, (char *)device[i] + at, n);
            if (bytes_differ(piece, (char *)a->host[i] + at, n))
                return text_of("writes to its input '%s'", a->buffer[i].name);
        }
    }
    return NULL;
}

const char *arrays_trespass(const struct arrays *a, int set)
{
    const char *result = a->slices ? guard_bands(a, set) : NULL;

    return result ? result : input_trespass(a, set);
}
