// Tensor maps, kept in a hash table: cold timing rotates among thousands of buffers, each with its
// own map.
#include "tensormap.h"

#include <cuda_runtime_api.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// cuTensorMapEncodeTiled, which drivers have since CUDA 12.0. It is found at run time, so that
// programs do not link libcuda.
typedef CUresult encode_fn(CUtensorMap *, CUtensorMapDataType, cuuint32_t rank, void *base,
                           const cuuint64_t *dim, const cuuint64_t *stride, const cuuint32_t *box,
                           const cuuint32_t *step, CUtensorMapInterleave, CUtensorMapSwizzle,
                           CUtensorMapL2promotion, CUtensorMapFloatOOBfill);

struct key {
    const void *base;
    // six ints: no padding, so that keys compare as bytes
    int rows, cols, box_rows, box_cols, type, swizzle;
};

struct kept_map {
    CUtensorMap map;
    struct key key;   // base NULL: free
};

static struct kept_map *table;   // open addressing, at most half full
static size_t capacity, used;

static _Noreturn void cannot(const char *what, int code)
{
    fprintf(stderr, "tensor map: %s (error %d)\n", what, code);
    exit(3);
}

static encode_fn *driver_entry(void)
{
    void *found = NULL;
    enum cudaDriverEntryPointQueryResult result = cudaDriverEntryPointSymbolNotFound;
#if CUDART_VERSION >= 12050
    cudaError_t error = cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &found, 12000,
                                                         cudaEnableDefault, &result);
#else
    cudaError_t error =
        cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &found, cudaEnableDefault, &result);
#endif

    if (error != cudaSuccess || result != cudaDriverEntryPointSuccess)
        cannot("the driver has no cuTensorMapEncodeTiled", (int)error);
    return (encode_fn *)(uintptr_t)found;
}

static size_t element_size(CUtensorMapDataType type)
{
    switch (type) {
    case CU_TENSOR_MAP_DATA_TYPE_UINT8: return 1;
    case CU_TENSOR_MAP_DATA_TYPE_UINT16:
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT16:
    case CU_TENSOR_MAP_DATA_TYPE_BFLOAT16: return 2;
    case CU_TENSOR_MAP_DATA_TYPE_UINT64:
    case CU_TENSOR_MAP_DATA_TYPE_INT64:
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT64: return 8;
    default: return 4;
    }
}

static void encode(CUtensorMap *map, const struct key *k)
{
    static encode_fn *entry;
    cuuint64_t dim[2] = { k->cols, k->rows };   // the dimension that runs fastest comes first
    cuuint64_t stride[1] = { k->cols * element_size(k->type) };
    cuuint32_t box[2] = { k->box_cols, k->box_rows };
    cuuint32_t step[2] = { 1, 1 };

    if (!entry)
        entry = driver_entry();
    CUresult error = entry(map, k->type, 2, (void *)k->base, dim, stride, box, step,
                           CU_TENSOR_MAP_INTERLEAVE_NONE, k->swizzle,
                           CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    if (error != CUDA_SUCCESS)
        cannot("cuTensorMapEncodeTiled refuses this array or box", (int)error);
}

// The entry with this key, or the free entry where it belongs. The hash is FNV-1a of the key's
// bytes.
static struct kept_map *place_of_key(const struct key *key)
{
    const unsigned char *byte = (const unsigned char *)key;
    uint64_t hash = 0xcbf29ce484222325u;

    for (size_t i = 0; i < sizeof *key; i++)
        hash = (hash ^ byte[i]) * 0x100000001b3u;
    for (size_t at = hash % capacity;; at = (at + 1) % capacity)
        if (!table[at].key.base || memcmp(&table[at].key, key, sizeof *key) == 0)
            return &table[at];
}

static void grow(void)
{
    struct kept_map *old = table;
    size_t old_capacity = capacity;

    capacity = old ? 2 * capacity : 256;
    // the driver requires maps aligned to 64 bytes; the size of an entry is a multiple of 64
    table = aligned_alloc(64, capacity * sizeof *table);
    if (!table)
        cannot("out of memory", 0);
    memset(table, 0, capacity * sizeof *table);
    for (size_t i = 0; i < old_capacity; i++)
        if (old[i].key.base)
            *place_of_key(&old[i].key) = old[i];
    free(old);
}

const CUtensorMap *tensor_map_2d(CUtensorMapDataType type, const void *base, int rows, int cols,
                                 int box_rows, int box_cols, CUtensorMapSwizzle swizzle)
{
    struct key key = { base, rows, cols, box_rows, box_cols, type, swizzle };

    if (2 * used >= capacity)
        grow();
    struct kept_map *e = place_of_key(&key);
    if (!e->key.base) {
        encode(&e->map, &key);
        e->key = key;
        used++;
    }
    return &e->map;
}
