// Faults in inline PTX, as in faults.cu: "FAULT name: text" expects a report with this text at the
// next line of code, and exit status 1.
#include <stdio.h>
#include <string.h>

__device__ inline unsigned shared_address(const void *p)
{
    return (unsigned)__cvta_generic_to_shared(p);
}

__global__ void unknown(float *)
{
    // FAULT unknown: inline PTX: the CPU device does not execute wgmma.some.thing
    asm volatile("wgmma.some.thing 1;");
}
template <int N> __device__ inline void in_template()
{
    // FAULT unknown_in_template: does not execute no.such.instruction
    asm volatile("no.such.instruction %0;" ::"n"(N));
}
__global__ void unknown_in_template(float *) { in_template<3>(); }
__global__ void unknown_type(float *)
{
    // FAULT unknown_type: does not execute mma.sync.aligned.m16n8k16.row.col.f32.e4m3.e4m3.f32
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.e4m3.e4m3.f32 {1, 2, 3, 4}, {1, 2, 3, 4}, "
                 "{1, 2}, {1, 2, 3, 4};");
}
__global__ void malformed(float *)
{
    // FAULT malformed: inline PTX: expected `;` before `mov
    asm volatile("mov.u32 %0, 1 mov.u32 %0, 2;" ::"r"(1));
}
__global__ void undeclared(float *)
{
    // FAULT undeclared: inline PTX: no register is declared with the name p
    asm volatile("setp.eq.u32 p, %0, 1;" ::"r"(1));
}
__global__ void no_label(float *)
{
    // FAULT no_label: inline PTX: there is no label END
    asm volatile("{ bra END; }");
}
__global__ void open_block(float *)
{
    // FAULT open_block: inline PTX: a . without
    asm volatile("{ .reg .u32 a;");
}
__global__ void no_operand(float *)
{
    // FAULT no_operand: inline PTX: operand %1 does not exist
    asm volatile("mov.u32 %0, %1;" ::"r"(1));
}

__global__ void load_end(float *a)
{
    float f;
    // FAULT load_end: out of bounds: 4 bytes of global memory at byte 256
    asm volatile("ld.global.f32 %0, [%1 + 4];" : "=f"(f) : "l"(a + threadIdx.x));
    a[threadIdx.x] = f;
}
__global__ void store_end(float *a)
{
    // FAULT store_end: out of bounds: 4 bytes of global memory at byte 256
    asm volatile("{ .reg .u64 p;\n"
                 "add.u64 p, %0, 4;\n"
                 "st.global.f32 [%0], %1;\n"
                 "st.global.f32 [p], %1;\n"
                 "}" ::"l"(a + threadIdx.x),
                 "f"(1.0f));
}
__global__ void shared_end(float *)
{
    __shared__ float s[64];
    // FAULT shared_end: out of bounds: 4 bytes of shared memory at byte 256 of s, which has 256
    asm volatile("st.shared.f32 [%0 + 4], %1;" ::"r"(shared_address(s + threadIdx.x)), "f"(1.0f)
                 : "memory");
}
__global__ void shared_zero(float *)
{
    // FAULT shared_zero: out of bounds: the block has no shared memory at address 0
    asm volatile("st.shared.f32 [%0], %1;" ::"r"(0), "f"(1.0f) : "memory");
}
__global__ void shared_generic(float *a)
{
    __shared__ float s[64];
    // FAULT shared_generic: the address is not an offset in shared memory; use __cvta
    asm volatile("st.shared.f32 [%0], %1;" ::"l"(s + threadIdx.x), "f"(a[0]) : "memory");
}
__global__ void shared_unwritten(float *a)
{
    __shared__ float s[64];
    float f;
    if (threadIdx.x < 63)
        s[threadIdx.x] = 0;
    __syncthreads();
    // FAULT shared_unwritten: uninitialized read of s .byte 252 of 256., which no thread
    asm volatile("ld.shared.f32 %0, [%1];" : "=f"(f) : "r"(shared_address(s + threadIdx.x)));
    a[threadIdx.x] = f;
}
__global__ void misaligned(float *a)
{
    // FAULT misaligned: misaligned address: 16 bytes in global
    asm volatile("st.global.v4.f32 [%0], {%1, %1, %1, %1};" ::"l"(a + 1), "f"(1.0f) : "memory");
}
__global__ void race_shared(float *a)
{
    __shared__ float s[64];
    float f;
    // FAULT race_shared: race: write of s .* with no __syncthreads after the other access
    asm volatile("st.shared.f32 [%0], %1;" ::"r"(shared_address(s + threadIdx.x)), "f"(1.0f)
                 : "memory");
    asm volatile("ld.shared.f32 %0, [%1];"
                 : "=f"(f)
                 : "r"(shared_address(s + (threadIdx.x ^ 32)))
                 : "memory");
    a[threadIdx.x] = f;
}
__global__ void race_plain(float *a)
{
    __shared__ float s[64];
    // FAULT race_plain: race: write of s
    asm volatile("st.shared.f32 [%0], %1;" ::"r"(shared_address(s + threadIdx.x)), "f"(1.0f)
                 : "memory");
    s[threadIdx.x ^ 32] = 2;
    __syncthreads();
    a[threadIdx.x] = s[threadIdx.x];
}
__global__ void race_matrix(float *)
{
    __shared__ alignas(16) unsigned short s[8 * 64];
    unsigned r;
    // FAULT race_matrix: race: write of s
    *(uint4 *)(s + threadIdx.x * 8) = make_uint4(1, 2, 3, 4);
    // FAULT race_matrix: read here by thread
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];"
                 : "=r"(r)
                 : "r"(shared_address(s + 8 * (threadIdx.x ^ 32))));
}
__global__ void copy_in_flight(float *a)
{
    __shared__ alignas(16) float s[64];
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(shared_address(s + threadIdx.x)),
                 "l"(a + threadIdx.x)
                 : "memory");
    asm volatile("cp.async.commit_group;" ::: "memory");
    asm volatile("cp.async.wait_group 1;" ::: "memory");
    // FAULT copy_in_flight: read of s .*, the target of an asynchronous copy in flight
    a[threadIdx.x] = s[threadIdx.x];
}
__global__ void copy_4_cg(float *a)
{
    __shared__ alignas(16) float s[64];
    // FAULT copy_4_cg: a copy that bypasses L1 has 16 bytes, not 4
    asm volatile("cp.async.cg.shared.global [%0], [%1], 4;" ::"r"(shared_address(s + threadIdx.x)),
                 "l"(a + threadIdx.x)
                 : "memory");
}
__global__ void partial_mma(float *a)
{
    float c[4] = { 0, 0, 0, 0 };
    if (threadIdx.x == 5)
        return;
    // FAULT partial_mma: not all lanes of the warp execute it
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %4}, "
                 "{%4}, {%0, %1, %2, %3};"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(0));
    a[threadIdx.x] = c[0];
}
__global__ void named_race(float *a)
{
    __shared__ float s[64];
    s[threadIdx.x] = 1;
    // each warp passes a barrier of its own
    asm volatile("bar.sync %0, 32;" ::"r"(1 + threadIdx.x / 32) : "memory");
    // FAULT named_race: race: read of s
    a[threadIdx.x] = s[threadIdx.x ^ 32];
}
__global__ void named_stuck(float *)
{
    if (threadIdx.x < 32)
        // FAULT named_stuck: waits for 96 threads at barrier 3, of which 32 have arrived
        asm volatile("bar.sync 3, 96;" ::: "memory");
}
__global__ void named_counts(float *)
{
    // FAULT named_counts: barrier 3 for 96 threads, at which others have arrived for 64
    asm volatile("bar.sync 3, %0;" ::"r"(threadIdx.x < 32 ? 64 : 96) : "memory");
}
__global__ void traps(float *)
{
    // FAULT traps: trap ends the kernel
    asm volatile("trap;");
}
__global__ void wrong_mask(float *)
{
    unsigned m;
    // FAULT wrong_mask: the mask does not include the calling lane
    asm volatile("match.any.sync.b32 %0, 1, 0xfffe;" : "=r"(m));
}
__global__ void spins(float *a)
{
    // FAULT spins: no progress
    asm volatile("{ .reg .pred p; .reg .f32 v; L: ld.volatile.global.f32 v, [%0]; setp.eq.f32 p, "
                 "v, 0f00000000; @p bra L; }" ::"l"(a)
                 : "memory");
}

#define CASE(name, threads)        \
    if (strcmp(which, #name) == 0) \
        name<<<1, threads>>>(a);

int main(int argc, char **argv)
{
    const char *which = argc > 1 ? argv[1] : "";
    float *a;

    cudaMalloc(&a, 64 * sizeof *a);
    cudaMemset(a, 0, 64 * sizeof *a);
    CASE(unknown, 64)
    CASE(unknown_in_template, 64)
    CASE(unknown_type, 64)
    CASE(malformed, 64)
    CASE(undeclared, 64)
    CASE(no_label, 64)
    CASE(open_block, 64)
    CASE(no_operand, 64)
    CASE(load_end, 64)
    CASE(store_end, 64)
    CASE(shared_end, 64)
    CASE(shared_zero, 64)
    CASE(shared_generic, 64)
    CASE(shared_unwritten, 64)
    CASE(misaligned, 64)
    CASE(race_shared, 64)
    CASE(race_plain, 64)
    CASE(race_matrix, 64)
    CASE(copy_in_flight, 64)
    CASE(copy_4_cg, 64)
    CASE(partial_mma, 32)
    CASE(named_race, 64)
    CASE(named_stuck, 64)
    CASE(named_counts, 64)
    CASE(traps, 64)
    CASE(wrong_mask, 32)
    CASE(spins, 32)
    cudaDeviceSynchronize();
}
