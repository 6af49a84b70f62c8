// The pipes of an SM: instructions per cycle and latency.
//
// Rate: 32 warps, each with four independent chains, execute the same instruction. Latency: one
// warp with one chain, so that each instruction waits for the result of the one before. All
// operands are in registers, and their values do not matter: they are bits.
#include "machine.h"

enum { LENGTH = 256, CHAINS = 4, ROUNDS = 64, BLOCK = 1024 };   // LENGTH: instructions of a round

// One step: x = x OP a OP b, n instructions. In the loop are "OPCODE COUNT" (tests/machine.t). What
// a chain of equal instructions would let ptxas merge takes other operands by turns.
#define OP_OF(type, reg, name, n, ptx)                                       \
    struct op_##name {                                                       \
        typedef type value;                                                  \
        enum { instructions = n };                                           \
        static __device__ void step(type &x, type a, type b, type c, type d) \
        {                                                                    \
            asm volatile(ptx : "+" reg(x) : reg(a), reg(b), reg(c), reg(d)); \
        }                                                                    \
    };
#define OP(name, opcode, n, ptx) OP_OF(unsigned, "r", name, n, ptx)
#define OP64(name, opcode, n, ptx) OP_OF(unsigned long long, "l", name, n, ptx)

OP(ffma, "FFMA 256", 1, "fma.rn.f32 %0, %0, %1, %2;")
OP(fadd, "FADD 256", 1, "add.rn.f32 %0, %0, %1;")
OP(fmul, "FMUL 256", 1, "mul.rn.f32 %0, %0, %1;")
OP(fmnmx, "FMNMX 256", 2, "min.f32 %0, %0, %1; max.f32 %0, %0, %2;")
OP(iadd3, "IADD3 256", 1, "{ .reg .u32 t; add.u32 t, %0, %1; sub.u32 %0, %2, t; }")
OP(imad, "IMAD 256", 1, "mad.lo.u32 %0, %0, %1, %2;")
OP64(imad_wide, "IMAD.WIDE 256", 1,
     "{ .reg .u32 l, h, m; mov.b64 {l, h}, %0; cvt.u32.u64 m, %1; mul.wide.u32 %0, h, m; }")
OP(lop3, "LOP3 256", 2,
   "{ .reg .u32 t; and.b32 t, %0, %1; xor.b32 t, t, %2; and.b32 t, t, %3; xor.b32 %0, t, %4; }")
OP(shf, "SHF 256", 1, "shf.l.wrap.b32 %0, %0, %1, %2;")
OP(lea, "LEA 256", 1, "{ .reg .u32 t; shl.b32 t, %0, 3; add.u32 %0, t, %1; }")
OP(imnmx, "VIMNMX 256", 2, "min.s32 %0, %0, %1; max.s32 %0, %0, %2;")
OP(isetp_sel, "ISETP 204", 5,
   "{ .reg .pred p; setp.lt.s32 p, %0, %1; setp.gt.and.s32 p, %0, %2, p; setp.ne.or.s32 p, %0, %3, "
   "p; setp.lt.xor.s32 p, %0, %4, p; @p mov.b32 %0, %1; }")
OP(prmt, "PRMT 256", 1, "prmt.b32 %0, %0, %1, %2;")
OP(sel, "SEL 255", 2,
   "{ .reg .pred p, q; setp.ne.u32 p, %3, 0; setp.ne.u32 q, %4, 1; selp.b32 %0, %0, %1, p; "
   "selp.b32 %0, %2, %0, q; }")
OP(popc, "POPC 256", 1, "popc.b32 %0, %0;")
OP(mufu, "MUFU 256", 1, "ex2.approx.ftz.f32 %0, %0;")
OP(i2fp, "I2FP 256", 1, "cvt.rn.f32.s32 %0, %0;")
OP(i2f_u8, "I2F 256", 1, "{ .reg .u8 t; cvt.u8.u32 t, %0; cvt.rn.f32.u8 %0, t; }")
OP(f2i, "F2I 256", 1, "cvt.rni.ftz.s32.f32 %0, %0;")
OP(f2fp, "F2FP 256", 1, SM_80("cvt.rn.bf16x2.f32 %0, %0, %1;"))
OP(i2ip, "I2IP 256", 1, "cvt.pack.sat.u8.s32.b32 %0, %0, %1, %2;")
OP(dp4a, "IDP.4A 256", 1, "dp4a.u32.s32 %0, %0, %1, %2;")
OP(hfma2, "HFMA2 256", 1, "fma.rn.f16x2 %0, %0, %1, %2;")
OP(hfma2_bf16, "HFMA2 256", 1, SM_80("fma.rn.bf16x2 %0, %0, %1, %2;"))
OP64(dfma, "DFMA 256", 1, "fma.rn.f64 %0, %0, %1, %2;")
OP(shfl, "SHFL 256", 1, "shfl.sync.bfly.b32 %0, %0, 1, 31, -1;")
OP(vote_isetp, "VOTE 128", 2,
   "{ .reg .pred p; setp.ne.u32 p, %0, %1; vote.sync.ballot.b32 %0, p, -1; }")
OP(redux, "REDUX 256", 1, SM_80("redux.sync.add.s32 %0, %0, -1;"))
OP(match, "MATCH 256", 1, "match.any.sync.b32 %0, %0, -1;")
OP(s2r_isetp, "S2R 128", 2, "{ .reg .pred p; setp.ne.u32 p, %0, %1; @p mov.u32 %0, %%smid; }")
// Pairs: two instructions that share a pipe take the sum of their times, others the longer one.
OP(ffma_iadd3, "FFMA 128", 2,
   "{ .reg .u32 t; fma.rn.f32 %0, %0, %1, %2; add.u32 t, %0, %1; sub.u32 %0, %2, t; }")
OP(ffma_imad, "FFMA 128", 2, "fma.rn.f32 %0, %0, %1, %2; mad.lo.u32 %0, %0, %1, %2;")
OP(imad_iadd3, "IMAD 128", 2,
   "{ .reg .u32 t; mad.lo.u32 %0, %0, %1, %2; add.u32 t, %0, %1; sub.u32 %0, %2, t; }")
OP(iadd3_lop3, "IADD3 128", 2,
   "{ .reg .u32 t; add.u32 t, %0, %1; sub.u32 t, %2, t; and.b32 t, t, %1; xor.b32 %0, t, %2; }")

template <class Op, int N_CHAINS>
static __global__ void pipe(int rounds, unsigned a, unsigned b, unsigned c, unsigned d,
                            cycle *cycles, unsigned *out)
{
    typename Op::value x[N_CHAINS], all = 0;

    for (int i = 0; i < N_CHAINS; i++)
        x[i] = (a * threadIdx.x + i) * (typename Op::value)0x100000001;
    timed(rounds, cycles, [&] {
#pragma unroll
        for (int i = 0; i < LENGTH / Op::instructions; i++)
            Op::step(x[i % N_CHAINS], a, b, c, d);
    });
    for (int i = 0; i < N_CHAINS; i++)
        all += x[i];
    out[blockIdx.x * blockDim.x + threadIdx.x] = all ^ (unsigned long long)all >> 32;
}

__device__ inline void keep(float4 &v)
{
    asm volatile("" : "+f"(v.x), "+f"(v.y), "+f"(v.z), "+f"(v.w));
}
__device__ inline float sum_of(float4 v) { return v.x + v.y + v.z + v.w; }

// FFMA, whose three sources are registers of the same bank or of two banks. A register's bank is
// the parity of its number, and a vector of four floats that is loaded or stored at once is in
// registers 4 n to 4 n + 3. With REUSE, the first source is the one of the instruction before, and
// comes from the reuse cache. tests/machine.t counts the banks.
// SASS: 5banks FFMA 256
template <bool SAME_BANK, bool REUSE>
static __global__ void banks(int rounds, const float4 *in, cycle *cycles, float *out)
{
    float4 a[4], b[4], x[4];
    float all = 0;

    for (int i = 0; i < 4; i++) {
        a[i] = in[threadIdx.x + i];
        b[i] = in[threadIdx.x + 4 + i];
        x[i] = in[threadIdx.x + 8 + i];
    }
    timed(rounds, cycles, [&] {
#pragma unroll
        for (int i = 0; i < LENGTH; i++) {
            float &sum = i % 2 ? x[i / 2 % 4].x : x[i / 2 % 4].z,
                  factor = REUSE ? a[0].x : a[i % 4].x;
            float other = SAME_BANK ? b[i % 4].x : b[i % 4].y;
            asm volatile("fma.rn.f32 %0, %1, %2, %0;" : "+f"(sum) : "f"(factor), "f"(other));
        }
        for (int i = 0; i < 4; i++)
            keep(a[i]), keep(b[i]), keep(x[i]);
    });
    for (int i = 0; i < 4; i++)
        all += sum_of(a[i]) + sum_of(b[i]) + sum_of(x[i]);
    out[blockIdx.x * blockDim.x + threadIdx.x] = all;
}

// A short loop: one instruction, a counter, a comparison, a branch.
// SASS: 6branch BRA 1
static __global__ void branch(int rounds, unsigned a, unsigned b, cycle *cycles, unsigned *out)
{
    unsigned x = a;

    timed(rounds, cycles, [&] { op_prmt::step(x, a, b, a, b); });
    out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

static unsigned *out;

template <class Op, int N_CHAINS> static std::vector<double> cycles_of(int threads)
{
    return cycles_per_round(gpu.sms, ROUNDS, [=](int rounds, cycle *cycles) {
        pipe<Op, N_CHAINS><<<gpu.sms, threads>>>(rounds, 3, 5, 6, 9, cycles, out);
    });
}

template <class Op> static void rate_of(const char *name)
{
    record(text_of("pipe.%s.rate", name), "lanes/cycle/SM",
           per_sample(BLOCK * (LENGTH / Op::instructions * Op::instructions),
                      cycles_of<Op, CHAINS>(BLOCK)));
}

// The latency is per instruction; that of a pair of different ones is the sum of both.
template <class Op> static void measure(const char *name, int pair = 0)
{
    const int steps = LENGTH / Op::instructions;

    rate_of<Op>(name);
    record(text_of("pipe.%s.latency", name), "cycles",
           divided(cycles_of<Op, 1>(32), pair ? steps : steps * Op::instructions));
}
#define MEASURE(name) measure<op_##name>(#name)
#define MEASURE_PAIR(name) measure<op_##name>(#name, 1)

template <bool SAME_BANK, bool REUSE> static void measure_banks(const char *name)
{
    float4 *in = demo_allocate<float4>(BLOCK + 24);

    record(text_of("pipe.ffma_%s.rate", name), "lanes/cycle/SM",
           per_sample(
               BLOCK * LENGTH, cycles_per_round(gpu.sms, ROUNDS, [=](int rounds, cycle *cycles) {
                   banks<SAME_BANK, REUSE><<<gpu.sms, BLOCK>>>(rounds, in, cycles, (float *)out);
               })));
    cuda_must(cudaFree(in), "freeing");
}

void measure_pipes(void)
{
    out = demo_allocate<unsigned>((size_t)gpu.sms * BLOCK);
    // With the counter, the comparison and the branch of the loop.
    record("issue.rate", "instructions/cycle/SM",
           per_sample(BLOCK / 32 * (LENGTH + 3), cycles_of<op_ffma, CHAINS>(BLOCK)),
           "4 schedulers, one instruction each", 4);
    MEASURE(ffma), MEASURE(fadd), MEASURE(fmul), MEASURE(fmnmx), MEASURE(iadd3), MEASURE(imad);
    MEASURE(imad_wide), MEASURE(lop3), MEASURE(shf), MEASURE(lea), MEASURE(imnmx);
    MEASURE(isetp_sel), MEASURE(sel), MEASURE(prmt), MEASURE(popc), MEASURE(mufu), MEASURE(i2fp);
    MEASURE(i2f_u8), MEASURE(f2i), MEASURE(i2ip), MEASURE(dp4a), MEASURE(hfma2), MEASURE(dfma);
    MEASURE(shfl), MEASURE_PAIR(vote_isetp), MEASURE(match), MEASURE_PAIR(s2r_isetp);
    if (gpu.sm >= 80)
        MEASURE(f2fp), MEASURE(hfma2_bf16), MEASURE(redux);
    rate_of<op_ffma_iadd3>("ffma_iadd3"), rate_of<op_ffma_imad>("ffma_imad");
    rate_of<op_imad_iadd3>("imad_iadd3"), rate_of<op_iadd3_lop3>("iadd3_lop3");
    measure_banks<false, true>("two_banks_reuse"), measure_banks<true, true>("one_bank_reuse");
    measure_banks<false, false>("two_banks"), measure_banks<true, false>("one_bank");
    record("branch.loop", "cycles", cycles_per_round(gpu.sms, 4096, [](int rounds, cycle *cycles) {
               branch<<<gpu.sms, 32>>>(rounds, 3, 5, cycles, out);
           }));
    cuda_must(cudaFree(out), "freeing");
}
