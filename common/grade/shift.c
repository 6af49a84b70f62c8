#include "shift.h"

#include <string.h>

#include <cuda_runtime_api.h>

#include "device.h"
#include "problem.h"

// Copies an array of n elements to another place, turned by a shift, with its first quarter from
// elsewhere in the array: so neither the numbers nor their sum are the same.
static void shift_array(char *to, const char *from, size_t n, size_t size, uint64_t shift,
                        void (*copy)(char *to, const char *from, size_t bytes))
{
    size_t start = shift % n, other = (2 * start + n / 3) % n, quarter = n / 4;
    size_t last = other + quarter < n ? quarter : n - other;   // before the array's end

    copy(to, from + start * size, (n - start) * size);
    copy(to + (n - start) * size, from, start * size);
    copy(to, from + other * size, last * size);
    copy(to + last * size, from, (quarter - last) * size);
}

static void copy_on_device(char *to, const char *from, size_t bytes)
{
    cuda_must(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, cudaStreamPerThread),
              "shifting inputs");
}

static void copy_on_host(char *to, const char *from, size_t bytes) { memcpy(to, from, bytes); }

void arrays_shift(const struct arrays *a, int to, int from, uint64_t shift)
{
    void *source[MAX_BUFFERS], *target[MAX_BUFFERS];

    arrays_set(a, from, source);
    arrays_set(a, to, target);
    for (int i = 0; i < a->n; i++)
        if (a->buffer[i].role == IN && a->buffer[i].count)
            shift_array(target[i], source[i], a->buffer[i].count, type_size(a->buffer[i].type),
                        shift, copy_on_device);
}

void arrays_shift_host(struct arrays *a, void *const from[], uint64_t shift)
{
    for (int i = 0; i < a->n; i++)
        if (a->buffer[i].role == IN && a->buffer[i].count)
            shift_array(a->host[i], from[i], a->buffer[i].count, type_size(a->buffer[i].type),
                        shift, copy_on_host);
    a->answered = NULL;
}

void arrays_probe(const struct arrays *a, int set, uint64_t place, unsigned char *to, size_t bytes)
{
    void *device[MAX_BUFFERS];
    size_t has = 0, from;
    int which = 0;

    for (int i = 0; i < a->n; i++)
        if (a->buffer[i].role == OUT && buffer_bytes(&a->buffer[i]) > has) {
            which = i;
            has = buffer_bytes(&a->buffer[i]);
        }
    memset(to, POISON, bytes);
    from = has > bytes ? place % (has - bytes + 1) : 0;
    arrays_set(a, set, device);
    arrays_download(to, (const char *)device[which] + from, has < bytes ? has : bytes);
}
