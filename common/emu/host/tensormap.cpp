// cuTensorMapEncodeTiled, with the requirements that the toolkit's cuda.h states.
#include "tensormap.h"

#include <cstring>

#include "include/cuda.h"

namespace emu::hopper {

static unsigned element_of(unsigned type)
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

unsigned Tensor::element() const { return element_of(type); }

static bool is_float(unsigned type)
{
    switch (type) {
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT16:
    case CU_TENSOR_MAP_DATA_TYPE_BFLOAT16:
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT32:
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT64:
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ:
    case CU_TENSOR_MAP_DATA_TYPE_TFLOAT32:
    case CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ: return true;
    default: return false;
    }
}

static bool is_in(uint64_t value, uint64_t least, uint64_t most)
{
    return value >= least && value <= most;
}

static bool is_encodable(unsigned type, uint32_t rank, uint64_t base, const cuuint64_t *dims,
                         const cuuint64_t *strides, const cuuint32_t *box, const cuuint32_t *steps,
                         unsigned swizzle)
{
    uint64_t element = element_of(type);

    if (!is_in(rank, 1, 5) || type > CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ || base % 16 || !dims ||
        !box || !steps || (rank > 1 && !strides) || swizzle > CU_TENSOR_MAP_SWIZZLE_128B)
        return false;
    for (uint32_t d = 0; d < rank; d++)
        if (!is_in(dims[d], 1, 1ull << 32) || !is_in(box[d], 1, 256) || !is_in(steps[d], 1, 8))
            return false;
    for (uint32_t d = 0; d + 1 < rank; d++)
        if (strides[d] % 16 || strides[d] >= 1ull << 40)
            return false;
    return box[0] * element % 16 == 0 && (!swizzle || box[0] * element <= 16u << swizzle);
}

}   // namespace emu::hopper

extern "C" CUresult cuTensorMapEncodeTiled(
    CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank, void *base, const cuuint64_t *dims,
    const cuuint64_t *strides, const cuuint32_t *box, const cuuint32_t *steps,
    CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle, CUtensorMapL2promotion promotion,
    CUtensorMapFloatOOBfill fill)
{
    using namespace emu::hopper;
    Tensor t = {};

    if (!map || (uintptr_t)map % 64 || interleave != CU_TENSOR_MAP_INTERLEAVE_NONE ||
        (unsigned)promotion > CU_TENSOR_MAP_L2_PROMOTION_L2_256B ||
        (unsigned)fill > CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA ||
        (fill && !is_float(type)) ||
        !is_encodable(type, rank, (uint64_t)base, dims, strides, box, steps, swizzle))
        return CUDA_ERROR_INVALID_VALUE;
    t.magic = TENSOR_MAGIC;
    t.base = (uint64_t)base;
    for (unsigned d = 0; d < rank; d++) {
        t.last[d] = (uint32_t)(dims[d] - 1);
        t.box[d] = (uint16_t)box[d];
        t.step[d] = (uint8_t)steps[d];
        if (d)
            t.stride[d - 1] = strides[d - 1];
    }
    t.rank = (uint8_t)rank;
    t.type = (uint8_t)type;
    t.swizzle = (uint8_t)swizzle;
    t.fills_nan = fill != CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE;
    static_assert(sizeof t <= sizeof map->opaque, "a tensor map has 128 bytes");
    memset(map, 0, sizeof *map);
    memcpy(map, &t, sizeof t);
    return CUDA_SUCCESS;
}

extern "C" CUresult cuGetErrorString(CUresult result, const char **words)
{
    *words = result == CUDA_SUCCESS ? "no error" : "invalid argument";
    return CUDA_SUCCESS;
}
