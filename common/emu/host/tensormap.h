// Tensor maps, as the CPU device keeps them in the 128 bytes of a CUtensorMap.
#ifndef EMU_TENSORMAP_H
#define EMU_TENSORMAP_H

#include <cstdint>

namespace emu::hopper {

struct Tensor {
    uint64_t magic;
    uint64_t base;
    uint64_t stride[4];   // bytes, of dimensions 1 to 4
    uint32_t last[5];     // elements of each dimension - 1
    uint16_t box[5];      // elements; 1 to 256
    uint8_t step[5];      // element strides
    uint8_t rank, type, swizzle, fills_nan;

    unsigned element() const;   // bytes
    uint64_t dim(unsigned d) const { return (uint64_t)last[d] + 1; }
    // Elements that a box has along a dimension, in shared memory.
    unsigned count(unsigned d) const { return d ? (box[d] + step[d] - 1u) / step[d] : box[0]; }
    unsigned row_bytes() const { return box[0] * element(); }
    unsigned rows() const
    {
        unsigned n = 1;
        for (unsigned d = 1; d < rank; d++)
            n *= count(d);
        return n;
    }
    uint32_t bytes() const { return row_bytes() * rows(); }
    // From one row to the next in shared memory. With a swizzle, a shorter row takes as much space
    // as it allows (seen on an H200; layouts.cu).
    unsigned pitch() const { return swizzle ? 16u << swizzle : row_bytes(); }
    uint32_t extent() const { return pitch() * (rows() - 1) + row_bytes(); }
};

constexpr uint64_t TENSOR_MAGIC = 0x5450414d534e4554;

// Where a byte goes in shared memory [5.5.7]: bits of the address that count rows change those that
// count chunks of 16 bytes.
inline uint32_t swizzled(uint32_t offset, unsigned swizzle)
{
    return swizzle ? offset ^ (offset >> 3 & ((1u << swizzle) - 1) << 4) : offset;
}

}   // namespace emu::hopper

#endif
