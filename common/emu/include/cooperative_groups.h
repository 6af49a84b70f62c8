// Cooperative groups: grid, cluster, thread block, tiles, coalesced threads and partitions of these
// (CUDA C++ Programming Guide, "Cooperative Groups").
#ifndef EMU_COOPERATIVE_GROUPS_H
#define EMU_COOPERATIVE_GROUPS_H

#include <assert.h>
#include <stdio.h>

#include "cuda_runtime.h"

#pragma push_macro("__builtin_memcpy")
#undef __builtin_memcpy

namespace cooperative_groups {

namespace emu {
__device__ inline unsigned thread_rank()
{
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
__device__ inline unsigned block_threads() { return blockDim.x * blockDim.y * blockDim.z; }
__device__ inline unsigned lane() { return thread_rank() % 32; }
__device__ inline unsigned lanes_below() { return (1u << lane()) - 1; }
// The lane with rank `rank` in a mask.
__device__ inline int nth_lane(unsigned mask, unsigned rank)
{
    while (rank-- > 0)
        mask &= mask - 1;
    return __builtin_ctz(mask);
}
// Shuffles a value of any size; if it has more than 8 bytes, in words of 4 bytes.
template <class T, class Shuffle> __device__ inline T by_words(T value, Shuffle shuffle)
{
    if constexpr (sizeof(T) <= 8) {
        return shuffle(value);
    } else {
        unsigned words[(sizeof(T) + 3) / 4] = {};
        __builtin_memcpy(words, &value, sizeof value);
        for (unsigned &word : words)
            word = shuffle(word);
        __builtin_memcpy((void *)&value, words, sizeof value);
        return value;
    }
}
}   // namespace emu

// ---- the grid and the block ----

class grid_group {
  public:
    __device__ void sync() const
    {
        __syncthreads();
        if (emu::thread_rank() == 0)
            emu_grid_barrier();
        __syncthreads();
    }
    __device__ bool is_valid() const { return emu_is_cooperative(); }
    __device__ unsigned long long block_rank() const
    {
        return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    }
    __device__ unsigned long long num_blocks() const
    {
        return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
    }
    __device__ unsigned long long thread_rank() const
    {
        return block_rank() * emu::block_threads() + emu::thread_rank();
    }
    __device__ unsigned long long num_threads() const
    {
        return num_blocks() * emu::block_threads();
    }
    __device__ unsigned long long size() const { return num_threads(); }
    __device__ dim3 group_dim() const { return gridDim; }
    __device__ dim3 dim_blocks() const { return gridDim; }
    __device__ dim3 block_index() const { return blockIdx; }
};

class cluster_group {
  public:
    struct arrival_token {};

    static __device__ arrival_token barrier_arrive()
    {
        emu_cluster_arrive(true);
        return {};
    }
    static __device__ void barrier_wait() { emu_cluster_wait(); }
    static __device__ void barrier_wait(arrival_token &&) { emu_cluster_wait(); }
    static __device__ void sync()
    {
        emu_cluster_arrive(true);
        emu_cluster_wait();
    }
    static __device__ unsigned query_shared_rank(const void *p) { return emu_cluster_rank_of(p); }
    template <class T> static __device__ T *map_shared_rank(T *p, int rank)
    {
        return (T *)emu_cluster_map((const void *)p, (unsigned)rank);
    }
    static __device__ dim3 dim_blocks()
    {
        uint3 n = emu_cluster_dim();
        return dim3(n.x, n.y, n.z);
    }
    static __device__ unsigned num_blocks()
    {
        uint3 n = emu_cluster_dim();
        return n.x * n.y * n.z;
    }
    static __device__ unsigned block_rank() { return emu_cluster_rank(); }
    static __device__ dim3 block_index()
    {
        uint3 n = emu_cluster_dim();
        return dim3(blockIdx.x % n.x, blockIdx.y % n.y, blockIdx.z % n.z);
    }
    static __device__ unsigned num_threads() { return num_blocks() * emu::block_threads(); }
    static __device__ unsigned size() { return num_threads(); }
    static __device__ dim3 dim_threads()
    {
        uint3 n = emu_cluster_dim();
        return dim3(n.x * blockDim.x, n.y * blockDim.y, n.z * blockDim.z);
    }
    static __device__ dim3 thread_index()
    {
        dim3 b = block_index();
        return dim3(b.x * blockDim.x + threadIdx.x, b.y * blockDim.y + threadIdx.y,
                    b.z * blockDim.z + threadIdx.z);
    }
    static __device__ unsigned thread_rank()
    {
        return block_rank() * emu::block_threads() + emu::thread_rank();
    }
    static __device__ bool is_valid() { return emu_has_clusters(); }
};

// Scratch memory for tiles of more than 32 threads: 16 bytes per warp.
template <unsigned Threads = 1024> struct block_tile_memory {
    uint4 warp[(Threads + 31) / 32];
};

class thread_block {
    uint4 *scratch;

  public:
    __device__ explicit thread_block(uint4 *memory = nullptr) : scratch(memory) {}
    __device__ uint4 *emu_scratch() const { return scratch; }
    static __device__ void sync() { __syncthreads(); }
    static __device__ unsigned thread_rank() { return emu::thread_rank(); }
    static __device__ unsigned num_threads() { return emu::block_threads(); }
    static __device__ unsigned size() { return emu::block_threads(); }
    static __device__ dim3 group_index() { return blockIdx; }
    static __device__ dim3 thread_index() { return threadIdx; }
    static __device__ dim3 group_dim() { return blockDim; }
    static __device__ dim3 dim_threads() { return blockDim; }
};

__device__ inline grid_group this_grid() { return {}; }
__device__ inline cluster_group this_cluster() { return {}; }
__device__ inline thread_block this_thread_block() { return thread_block(); }
template <unsigned Threads>
__device__ inline thread_block this_thread_block(block_tile_memory<Threads> &memory)
{
    return thread_block(memory.warp);
}

// ---- lanes of a warp ----

// The lanes of a mask, with ranks from 0.
class coalesced_group {
  protected:
    unsigned mask, groups, group;   // of a partition: number of groups, and index of this one

  public:
    __device__ explicit coalesced_group(unsigned lanes, unsigned groups = 1, unsigned group = 0)
        : mask(lanes), groups(groups), group(group)
    {
    }
    __device__ unsigned lane_mask() const { return mask; }
    __device__ void sync() const { __syncwarp(mask); }
    __device__ unsigned num_threads() const { return (unsigned)__popc(mask); }
    __device__ unsigned size() const { return num_threads(); }
    __device__ unsigned thread_rank() const { return (unsigned)__popc(mask & emu::lanes_below()); }
    __device__ unsigned meta_group_size() const { return groups; }
    __device__ unsigned meta_group_rank() const { return group; }

    template <class T> __device__ T shfl(T value, int rank) const
    {
        return emu::by_words(value, [&](auto word) {
            return __shfl_sync(mask, word, emu::nth_lane(mask, (unsigned)rank % num_threads()));
        });
    }
    // A lane whose source is outside the group keeps its own value.
    template <class T> __device__ T shfl_up(T value, unsigned delta) const
    {
        unsigned rank = thread_rank(), from = rank < delta ? rank : rank - delta;
        return emu::by_words(
            value, [&](auto word) { return __shfl_sync(mask, word, emu::nth_lane(mask, from)); });
    }
    template <class T> __device__ T shfl_down(T value, unsigned delta) const
    {
        unsigned rank = thread_rank(), from = rank + delta < num_threads() ? rank + delta : rank;
        return emu::by_words(
            value, [&](auto word) { return __shfl_sync(mask, word, emu::nth_lane(mask, from)); });
    }
    __device__ int any(int predicate) const { return __any_sync(mask, predicate); }
    __device__ int all(int predicate) const { return __all_sync(mask, predicate); }
    // Bit r of the result is that of the lane with rank r.
    __device__ unsigned pack(unsigned lanes) const
    {
        unsigned packed = 0, rank = 0;
        for (unsigned left = mask; left; left &= left - 1)
            packed |= (lanes >> __builtin_ctz(left) & 1) << rank++;
        return packed;
    }
    __device__ unsigned ballot(int predicate) const { return pack(__ballot_sync(mask, predicate)); }
    template <class T> __device__ unsigned match_any(T value) const
    {
        return pack(__match_any_sync(mask, value));
    }
    template <class T> __device__ unsigned match_all(T value, int &predicate) const
    {
        return pack(__match_all_sync(mask, value, &predicate));
    }
};

__device__ inline coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

// `Size` consecutive threads of a block, in one warp.
template <unsigned Size, class Parent = void, bool = (Size > 32)>
class thread_block_tile : public coalesced_group {
    static_assert(Size >= 1 && (Size & (Size - 1)) == 0, "a tile's size must be a power of two");

  public:
    __device__ thread_block_tile(unsigned lanes, unsigned groups, unsigned group)
        : coalesced_group(lanes, groups, group)
    {
    }
    template <class Other>   // with any parent
    __device__ thread_block_tile(const thread_block_tile<Size, Other, false> &other)
        : coalesced_group(other)
    {
    }
    static constexpr unsigned num_threads() { return Size; }
    static constexpr unsigned size() { return Size; }
    __device__ unsigned thread_rank() const { return emu::lane() % Size; }
    template <class T> __device__ T shfl(T value, int rank) const
    {
        return emu::by_words(value, [&](auto word) { return __shfl_sync(mask, word, rank, Size); });
    }
    template <class T> __device__ T shfl_up(T value, unsigned delta) const
    {
        return emu::by_words(value,
                             [&](auto word) { return __shfl_up_sync(mask, word, delta, Size); });
    }
    template <class T> __device__ T shfl_down(T value, unsigned delta) const
    {
        return emu::by_words(value,
                             [&](auto word) { return __shfl_down_sync(mask, word, delta, Size); });
    }
    template <class T> __device__ T shfl_xor(T value, unsigned lanes) const
    {
        return emu::by_words(
            value, [&](auto word) { return __shfl_xor_sync(mask, word, (int)lanes, Size); });
    }
    __device__ unsigned ballot(int predicate) const
    {
        return __ballot_sync(mask, predicate) >> __builtin_ctz(mask);
    }
};

// A tile of several warps. sync() waits for the whole block, so all its tiles must reach it.
template <unsigned Size, class Parent> class thread_block_tile<Size, Parent, true> {
    static_assert((Size & (Size - 1)) == 0, "a tile's size must be a power of two");
    uint4 *scratch;

  public:
    __device__ explicit thread_block_tile(uint4 *memory) : scratch(memory) {}
    __device__ void sync() const { __syncthreads(); }
    static constexpr unsigned num_threads() { return Size; }
    static constexpr unsigned size() { return Size; }
    __device__ unsigned thread_rank() const { return emu::thread_rank() % Size; }
    __device__ unsigned meta_group_rank() const { return emu::thread_rank() / Size; }
    __device__ unsigned meta_group_size() const { return (emu::block_threads() + Size - 1) / Size; }
    // This tile's part of the scratch memory, 16 bytes per warp.
    __device__ uint4 *emu_scratch() const { return scratch + meta_group_rank() * (Size / 32); }
};

template <unsigned Size>
__device__ inline std::enable_if_t<(Size > 32), thread_block_tile<Size, thread_block>>
tiled_partition(const thread_block &parent)
{
    return thread_block_tile<Size, thread_block>(parent.emu_scratch());
}

template <unsigned Size, class Group>
__device__ inline std::enable_if_t<(Size <= 32), thread_block_tile<Size, Group>> tiled_partition(
    const Group &parent)
{
    unsigned lane = emu::lane(),
             mask = Size == 32 ? ~0u : ((1u << Size % 32) - 1) << lane / Size * Size;
    unsigned last = emu::block_threads() - emu::thread_rank() / 32 * 32;
    if (last < 32)   // the block's last warp may have fewer lanes
        mask &= (1u << last) - 1;
    return { mask, (unsigned)((parent.num_threads() + Size - 1) / Size),
             (unsigned)(parent.thread_rank() / Size) };
}

// ---- any group ----

class thread_group {
    unsigned mask;   // 0: the block
    unsigned threads;

  public:
    __device__ thread_group(const thread_block &) : mask(0), threads(thread_block::size()) {}
    __device__ thread_group(const coalesced_group &g) : mask(g.lane_mask()), threads(g.size()) {}
    __device__ void sync() const
    {
        if (mask)
            __syncwarp(mask);
        else
            __syncthreads();
    }
    __device__ unsigned num_threads() const { return threads; }
    __device__ unsigned size() const { return threads; }
    __device__ unsigned thread_rank() const
    {
        return mask ? coalesced_group(mask).thread_rank() : emu::thread_rank();
    }
};

template <class Group>
__device__ inline thread_group tiled_partition(const Group &parent, unsigned size)
{
    switch (size) {
    case 1: return tiled_partition<1>(parent);
    case 2: return tiled_partition<2>(parent);
    case 4: return tiled_partition<4>(parent);
    case 8: return tiled_partition<8>(parent);
    case 16: return tiled_partition<16>(parent);
    default: return tiled_partition<32>(parent);
    }
}

template <class Group>
__device__ inline coalesced_group binary_partition(const Group &parent, bool predicate)
{
    unsigned yes = __ballot_sync(parent.lane_mask(), predicate);
    return coalesced_group(predicate ? yes : parent.lane_mask() & ~yes, 2, predicate);
}
template <class Group, class T>
__device__ inline coalesced_group labeled_partition(const Group &parent, T label)
{
    return coalesced_group(__match_any_sync(parent.lane_mask(), label));
}

template <class Group> __device__ inline void sync(const Group &group) { group.sync(); }

}   // namespace cooperative_groups

#pragma pop_macro("__builtin_memcpy")

#endif
