// Hopper's asynchronous instructions on the CPU device, as functions: mbarriers, bulk and tensor
// copies, warpgroup products, register counts. Inline PTX calls them; each is named after its
// instruction. The terms and rules are those of the PTX ISA 9.1; numbers in brackets are its
// sections. `pc` is the call site for reports; 0: the caller of the function.
#ifndef EMU_HOPPER_H
#define EMU_HOPPER_H

#include <stddef.h>
#include <stdint.h>

namespace emu::hopper {

// ---- mbarriers [9.7.13.15] ----

void mbarrier_init(void *barrier, uint32_t count, uintptr_t pc = 0);
void mbarrier_inval(void *barrier, uintptr_t pc = 0);
void mbarrier_expect_tx(void *barrier, uint32_t bytes, uintptr_t pc = 0);
void mbarrier_complete_tx(void *barrier, uint32_t bytes, uintptr_t pc = 0);
// These return the state, which a wait takes. is_release: false for .relaxed. drop: arrive_drop.
uint64_t mbarrier_arrive(void *barrier, uint32_t count = 1, bool is_release = true,
                         bool drop = false, uintptr_t pc = 0);
// An arrival when the thread's asynchronous copies so far (cp.async) have arrived. Unless
// `is_noinc`, it is pending in addition to those that the mbarrier expects.
void mbarrier_copies_arrive(void *barrier, bool is_noinc, uintptr_t pc = 0);
uint64_t mbarrier_arrive_expect_tx(void *barrier, uint32_t bytes, bool is_release = true,
                                   bool drop = false, uintptr_t pc = 0);
uint32_t mbarrier_pending_count(uint64_t state);
// Has the phase completed? is_acquire: false for .relaxed. try_wait suspends the thread until the
// phase completes, except that the first one of a thread that has to wait may return false.
bool mbarrier_test_wait(void *barrier, uint64_t state, bool is_acquire = true, uintptr_t pc = 0);
bool mbarrier_test_wait_parity(void *barrier, uint32_t parity, bool is_acquire = true,
                               uintptr_t pc = 0);
bool mbarrier_try_wait(void *barrier, uint64_t state, bool is_acquire = true, uintptr_t pc = 0);
bool mbarrier_try_wait_parity(void *barrier, uint32_t parity, bool is_acquire = true,
                              uintptr_t pc = 0);

// ---- proxy fences [9.7.13.4] ----

// fence.proxy.async, for both state spaces.
void fence_proxy_async(uintptr_t pc = 0);
// fence.mbarrier_init.release.cluster
void fence_mbarrier_init(uintptr_t pc = 0);

// ---- bulk copies [9.7.9.25.4] ----

// Reductions: .redOp of cp.reduce.async.bulk, and its .type. copy: no reduction.
enum Reduction {
    REDUCE_NONE,
    REDUCE_ADD,
    REDUCE_MIN,
    REDUCE_MAX,
    REDUCE_INC,
    REDUCE_DEC,
    REDUCE_AND,
    REDUCE_OR,
    REDUCE_XOR
};
enum Element { B32, U32, S32, B64, U64, S64, F16, BF16, F32, F64 };

// cp.async.bulk: global to shared memory; the mbarrier counts the bytes. mask: .multicast::cluster,
// to the blocks of the cluster whose bits are set, at the same places as in this one.
void bulk_load(void *shared, const void *global, uint32_t bytes, void *barrier,
               const uint16_t *mask = nullptr, uintptr_t pc = 0);
// cp.async.bulk: to shared memory of another block of the cluster, which has the mbarrier, too.
void cluster_copy(void *to, const void *from, uint32_t bytes, void *barrier, uintptr_t pc = 0);
// cp.async.bulk and cp.reduce.async.bulk: shared to global memory, in a bulk group of the thread.
void bulk_store(void *global, const void *shared, uint32_t bytes, Reduction how = REDUCE_NONE,
                Element type = U32, uintptr_t pc = 0);
// cuda::memcpy_async with a barrier: as cp.async, of any size; the barrier expects its bytes.
void copy_async(void *shared, const void *global, uint32_t bytes, void *barrier, uintptr_t pc = 0);
// st.async [9.7.9.12] and red.async [9.7.13.8]: values to shared memory of the cluster.
void store_async(void *to, const void *values, uint32_t bytes, void *barrier,
                 Reduction how = REDUCE_NONE, Element type = U32, uintptr_t pc = 0);
// cp.async.bulk.prefetch.L2
void bulk_prefetch(const void *global, uint32_t bytes, uintptr_t pc = 0);
// cp.async.bulk.tensor, cp.reduce.async.bulk.tensor and cp.async.bulk.prefetch.tensor, in tile
// mode. `at` has `rank` coordinates, the dimension that runs fastest first.
void tensor_load(void *shared, const void *map, int rank, const int32_t *at, void *barrier,
                 const uint16_t *mask = nullptr, uintptr_t pc = 0);
void tensor_store(const void *map, int rank, const int32_t *at, const void *shared,
                  Reduction how = REDUCE_NONE, uintptr_t pc = 0);
void tensor_prefetch(const void *map, int rank, const int32_t *at, uintptr_t pc = 0);
// cp.async.bulk.commit_group and wait_group. is_read: .read, which waits until the sources have
// been read.
void bulk_commit_group(uintptr_t pc = 0);
void bulk_wait_group(uint32_t pending, bool is_read, uintptr_t pc = 0);

// ---- products of a warpgroup [9.7.15] ----

enum ProductType { PRODUCT_F16, PRODUCT_BF16, PRODUCT_TF32, PRODUCT_S8, PRODUCT_U8 };

struct Product {
    unsigned n, k;
    ProductType a, b;
    bool half_sums;     // .dtype is .f16: registers of two sums
    bool saturates;     // .satfinite
    bool a_in_shared;   // else in registers
    bool add;           // scale-d
    bool negate_a, negate_b;
    bool transpose_a, transpose_b;   // imm-trans: 1 is M- or N-major
    // .sp: A has two of four elements each, and half as many columns; which ones is in the metadata
    // of the threads that the selector selects. The metadata are those of this thread.
    bool is_sparse, selector;
    uint32_t metadata;
};

// wgmma.mma_async. sums: addresses of this thread's accumulator registers, n / 2 words, or n / 4
// with half_sums. a: the thread's 4 words of A; null if A is in shared memory. They are read and
// written until the wait.
void wgmma(const Product &, void *const *sums, const uint32_t *a, uint64_t a_descriptor,
           uint64_t b_descriptor, uintptr_t pc = 0);
void wgmma_fence(uintptr_t pc = 0);
void wgmma_commit_group(uintptr_t pc = 0);
void wgmma_wait_group(uint32_t pending, uintptr_t pc = 0);

// ---- others ----

// setmaxnreg [9.7.19.5]
void setmaxnreg(uint32_t count, bool increases, uintptr_t pc = 0);
// barrier.cluster.arrive and wait [9.7.13.3]. is_release, is_acquire: false for .relaxed.
void cluster_arrive(bool is_release, uintptr_t pc = 0);
void cluster_wait(uintptr_t pc = 0);

}   // namespace emu::hopper

#endif
