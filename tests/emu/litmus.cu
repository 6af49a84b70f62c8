// Litmus tests of the PTX memory model (PTX ISA, "Memory Consistency Model"): threads that access a
// few words, with orders and scopes. Each is expected to be a data race, which the CPU device
// reports, or free of races, and then nothing is reported. `litmus NAME` runs one of them.
//
// A thread is a list of operations, an operation a letter, mostly with a word (x, y ... f, g, m)
// and, after dots, its order and scope:
//
//   W write  R read  I read and write (++)  U atomic +1  A wait until it is not 0, or as in Af2
//   V the same by atomics  L lock (CAS)  K unlock (exchange)  F fence  B __syncthreads
//   S __syncwarp  C bulk copy from the word to shared memory  P fence.proxy.async
//   order: none (weak), vol (volatile), rlx, acq, rel, ar (acq_rel), sc
//   scope: cta, cluster, gpu, sys
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

enum { MOST_THREADS = 4, MOST_STEPS = 10, WORD = 32 };   // WORD: ints from one word to the next
enum Order { WEAK, VOLATILE, RELAXED, ACQUIRE, RELEASE, ACQ_REL, SEQ_CST };

struct Step {
    char what, word;
    char order, scope;   // enum Order, emu::Scope
    char number;         // to wait for
};
struct Test {
    int threads;
    bool in_warp, is_cluster;
    int block[MOST_THREADS], warp[MOST_THREADS];
    Step step[MOST_THREADS][MOST_STEPS + 1];   // until what is 0
};

// ---- the kernel ----

__device__ emu::MemoryOrder order_of(Step s)
{
    return s.order <= RELAXED ? emu::MemoryOrder::relaxed : emu::MemoryOrder(s.order - RELAXED);
}

__device__ int load(const int *p, Step s)
{
    if (s.order == WEAK)
        return *p;
    if (s.order == VOLATILE)
        return *(const volatile int *)p;
    return emu::atomic_load(p, order_of(s), emu::Scope(s.scope));
}

__device__ void store(int *p, int value, Step s)
{
    if (s.order == WEAK)
        *p = value;
    else if (s.order == VOLATILE)
        *(volatile int *)p = value;
    else
        emu::atomic_store(p, value, order_of(s), emu::Scope(s.scope));
}

__device__ int add(int *p, int value, Step s)
{
    return emu::atomic_update(emu::Update::add, p, value, order_of(s), emu::Scope(s.scope));
}

__device__ void lock(int *p, Step s)
{
    for (int free = 0; !emu::atomic_compare_exchange(p, free, 1, order_of(s), emu::Scope(s.scope));)
        free = 0;
}

__device__ void unlock(int *p, Step s)
{
    emu::atomic_update(emu::Update::exchange, p, 0, order_of(s), emu::Scope(s.scope));
}

// Copies 16 bytes to shared memory, and waits for them.
__device__ void copy(const int *from)
{
    __shared__ alignas(128) int to[4];
    __shared__ alignas(8) unsigned long long arrived;
    unsigned at = (unsigned)__cvta_generic_to_shared(&arrived), done = 0;

    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(at) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 16;" ::"r"(at) : "memory");
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 16, [%2];" ::
            "r"((unsigned)__cvta_generic_to_shared(to)),
        "l"(from), "r"(at)
        : "memory");
    while (!done)
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; "
                     "selp.u32 %0, 1, 0, p; }"
                     : "=r"(done)
                     : "r"(at)
                     : "memory");
}

// seen: a sum of what is read, so that no read is removed.
__device__ void perform(Step s, int *p, int value, unsigned mask, int *seen)
{
    switch (s.what) {
    case 'W': return store(p, value, s);
    case 'R': *seen += load(p, s); return;
    case 'I': ++*p; return;
    case 'U': add(p, 1, s); return;
    case 'A':
        while (load(p, s) < s.number)
            ;
        return;
    case 'V':
        while (add(p, 0, s) < s.number)
            ;
        return;
    case 'L': return lock(p, s);
    case 'K': return unlock(p, s);
    case 'F': return emu::atomic_fence(order_of(s), emu::Scope(s.scope));
    case 'B': return __syncthreads();
    case 'S': return __syncwarp(mask);
    case 'C': return copy(p);
    case 'P': asm volatile("fence.proxy.async;" ::: "memory"); return;
    }
}

__global__ void run(Test t, int *memory)
{
    int self = -1, seen = 0;

    for (int i = 0; i < t.threads; i++)
        if ((int)blockIdx.x == t.block[i] && (int)threadIdx.x == (t.in_warp ? i : 32 * t.warp[i]))
            self = i;
    if (self < 0)
        return;
    for (int i = 0; t.step[self][i].what; i++) {
        Step s = t.step[self][i];
        perform(s, memory + (s.word - 'a') * WORD, 100 * (self + 1) + i, (1u << t.threads) - 1,
                &seen);
    }
    memory[(26 + self) * WORD] = seen;
}

// ---- the tests ----

static Step parse_step(const std::string &text)
{
    static const char *const orders[] = { "vol", "rlx", "acq", "rel", "ar", "sc" };
    static const char *const scopes[] = { "cta", "cluster", "gpu", "sys" };
    size_t dot = text.find('.');
    Step s = { text[0], 'a', WEAK, (char)emu::Scope::system, 1 };

    if (text.size() > 1 && dot != 1)
        s.word = text[1];
    if (text.size() > 2 && dot != 2 && dot != 1)
        s.number = text[2] - '0';
    while (dot != std::string::npos) {
        size_t end = text.find('.', dot + 1);
        std::string part = text.substr(dot + 1, end - dot - 1);
        for (int i = 0; i < 6; i++)
            if (part == orders[i])
                s.order = (char)(VOLATILE + i);
        for (int i = 0; i < 4; i++)
            if (part == scopes[i])
                s.scope = (char)(1 + i);
        dot = end;
    }
    return s;
}

// where: the block of each thread, as "01"; "w": lanes of one warp; "c01": blocks of a cluster.
static Test parse(const std::string &where, const std::string &program)
{
    Test t = {};
    int warps[MOST_THREADS] = {}, steps = 0;

    t.in_warp = where[0] == 'w';
    t.is_cluster = where[0] == 'c';
    t.threads = 1;
    for (size_t at = 0; at < program.size(); at++) {
        size_t end = std::min(program.find(' ', at), program.size());
        std::string word = program.substr(at, end - at);

        if (word == "|") {
            t.threads++;
            steps = 0;
        } else if (!word.empty()) {
            t.step[t.threads - 1][steps++] = parse_step(word);
        }
        at = end;
    }
    for (int i = 0; i < t.threads && !t.in_warp; i++) {
        t.block[i] = where[i + t.is_cluster] - '0';
        t.warp[i] = warps[t.block[i]]++;
    }
    return t;
}

struct Row {
    std::string where, program;
    bool races;
};

// Message passing: a weak write of x, then a signal by f; a wait for f, then a weak read of x. The
// strengths are those of PTX's scopes: how far the access to f reaches, and how far the release or
// the acquire does (0: it is none).
struct Side {
    const char *text;
    int access, order;
};
enum { NONE, CTA, GPU = 3 };
static const Side signals[] = {
    { "Wf", NONE, NONE },
    { "Wf.vol", GPU, NONE },
    { "Wf.rlx.gpu", GPU, NONE },
    { "Wf.rel.cta", CTA, CTA },
    { "Wf.rel.gpu", GPU, GPU },
    { "Wf.rel.sys", GPU, GPU },
    { "Wf.sc.gpu", GPU, GPU },
    { "F.ar.cta Wf.vol", GPU, CTA },
    { "F.ar.gpu Wf.vol", GPU, GPU },
    { "F.rel.gpu Wf.rlx.gpu", GPU, GPU },
    { "F.rel.gpu Wf.rlx.cta", CTA, CTA },
    { "F.rel.cta Wf.rlx.sys", GPU, CTA },
    { "F.acq.gpu Wf.rlx.gpu", GPU, NONE },
    { "F.sc.sys Uf.rlx.gpu", GPU, GPU },
    { "Uf.rlx.gpu", GPU, NONE },
    { "Uf.rel.gpu", GPU, GPU },
    { "Uf.acq.gpu", GPU, NONE },
    { "Uf.ar.cta", CTA, CTA },
    { "Wh.rel.gpu Wf.rlx.gpu", GPU, NONE },
};
static const Side waits[] = {
    { "Rf", NONE, NONE },
    { "Af.vol", GPU, NONE },
    { "Af.rlx.gpu", GPU, NONE },
    { "Af.acq.cta", CTA, CTA },
    { "Af.acq.gpu", GPU, GPU },
    { "Af.acq.sys", GPU, GPU },
    { "Af.sc.gpu", GPU, GPU },
    { "Af.vol F.ar.cta", GPU, CTA },
    { "Af.vol F.ar.gpu", GPU, GPU },
    { "Af.rlx.gpu F.acq.gpu", GPU, GPU },
    { "Af.rlx.cta F.acq.gpu", CTA, CTA },
    { "Af.rlx.sys F.acq.cta", GPU, CTA },
    { "Af.rlx.gpu F.rel.gpu", GPU, NONE },
    { "Vf.rlx.gpu F.sc.gpu", GPU, GPU },
    { "Vf.rlx.gpu", GPU, NONE },
    { "Vf.acq.gpu", GPU, GPU },
    { "Vf.rel.gpu", GPU, NONE },
    { "Vf.ar.cta", CTA, CTA },
    { "Af.rlx.gpu Rg.acq.gpu", GPU, NONE },
};

static const Row rows[] = {
    // SB: store buffering
    { "01", "Wx Ry | Wy Rx", true },
    { "01", "Wx.vol Ry.vol | Wy.vol Rx.vol", false },
    { "01", "Wx.rlx.gpu Ry.rlx.gpu | Wy.rlx.gpu Rx.rlx.gpu", false },
    { "01", "Wx.rlx.cta Ry.rlx.cta | Wy.rlx.cta Rx.rlx.cta", true },
    { "00", "Wx.rlx.cta Ry.rlx.cta | Wy.rlx.cta Rx.rlx.cta", false },
    { "01", "Wx.rlx.gpu F.sc.gpu Ry.rlx.gpu | Wy.rlx.gpu F.sc.gpu Rx.rlx.gpu", false },
    { "01", "Wx F.sc.gpu Ry | Wy F.sc.gpu Rx", true },
    { "01", "Wx.rel.gpu Ry.acq.gpu | Wy.rel.gpu Rx", true },
    { "00", "Wx F.sc.cta Ry | Wy F.sc.cta Rx", true },
    { "01", "Wx.sc.gpu Ry.sc.gpu | Wy.sc.gpu Rx.sc.gpu", false },
    // LB: load buffering
    { "01", "Rx Wy | Ry Wx", true },
    { "01", "Rx.rlx.gpu Wy.rlx.gpu | Ry.rlx.gpu Wx.rlx.gpu", false },
    { "01", "Rx.acq.gpu Wy.rel.gpu | Ry.acq.gpu Wx.rel.gpu", false },
    { "01", "Rx.rlx.gpu Wy.rlx.gpu | Ry.rlx.gpu Wx", true },
    { "00", "Rx.vol Wy.vol | Ry.vol Wx.vol", false },
    { "01", "Rx.rlx.cta Wy.rlx.gpu | Ry.rlx.gpu Wx.rlx.gpu", true },
    // S
    { "01", "Wx Wf.rel.gpu | Af.acq.gpu Wx", false },
    { "01", "Wx Wf.rlx.gpu | Af.acq.gpu Wx", true },
    { "01", "Wx Wf.rel.gpu | Af.rlx.gpu Wx", true },
    { "00", "Wx Wf.rel.cta | Af.acq.cta Wx", false },
    { "01", "Wx Wf.rel.cta | Af.acq.gpu Wx", true },
    { "01", "Rx Wf.rel.gpu | Af.acq.gpu Wx", false },
    { "01", "Rx Wf.rlx.gpu | Af.rlx.gpu Wx", true },
    { "01", "Rx F.ar.gpu Wf.vol | Af.vol F.ar.gpu Wx", false },
    // R
    { "01", "Wx.rlx.gpu Wy.rlx.gpu | Wy.rlx.gpu F.sc.gpu Rx.rlx.gpu", false },
    { "01", "Wx Wy.rlx.gpu | Wy.rlx.gpu F.sc.gpu Rx", true },
    { "01", "Wx.rlx.gpu Wy | Wy F.sc.gpu Rx.rlx.gpu", true },
    { "00", "Wx.rlx.cta F.sc.cta Wy.rlx.cta | Wy.rlx.cta F.sc.cta Rx.rlx.cta", false },
    // 2+2W
    { "01", "Wx Wy | Wy Wx", true },
    { "01", "Wx.rlx.gpu Wy.rlx.gpu | Wy.rlx.gpu Wx.rlx.gpu", false },
    { "01", "Wx.rel.gpu Wy.rel.gpu | Wy.rel.gpu Wx.rel.gpu", false },
    { "01", "Wx.rlx.gpu Wy.rel.gpu | Wy.rlx.gpu Wx", true },
    { "00", "Wx.rlx.cta Wy.rlx.cta | Wy.rlx.cta Wx.rlx.cta", false },
    { "01", "Wx.rlx.cta Wy.rlx.cta | Wy.rlx.cta Wx.rlx.cta", true },
    // CoRR, CoWR, CoRW, CoWW: one word
    { "01", "Wx.rlx.gpu | Rx.rlx.gpu Rx.rlx.gpu", false },
    { "01", "Wx | Rx.rlx.gpu Rx.rlx.gpu", true },
    { "01", "Wx.rlx.gpu | Rx Rx", true },
    { "01", "Wx.vol | Rx.rlx.sys Rx.vol", false },
    { "01", "Wx.rlx.gpu Wx.rlx.gpu | Rx.rlx.gpu Rx.rlx.gpu", false },
    { "01", "Wx Rx Wx Rx | Ry", false },
    { "00", "Wx.rlx.cta | Rx.rlx.gpu Wx.rlx.gpu", false },
    { "01", "Wx.rlx.cta | Rx.rlx.gpu Wx.rlx.gpu", true },
    { "01", "Rx Rx | Rx Rx", false },
    // atomics
    { "01", "Ux.rlx.gpu | Ux.rlx.gpu", false },
    { "01", "Ux.rlx.gpu | Ux.rlx.sys", false },
    { "01", "Ux.rlx.cta | Ux.rlx.cta", true },
    { "00", "Ux.rlx.cta | Ux.rlx.cta", false },
    { "01", "Ux.rlx.cta | Ux.rlx.gpu", true },
    { "01", "Ux.rlx.gpu | Rx", true },
    { "01", "Ux.rlx.gpu | Rx.rlx.gpu", false },
    { "01", "Ux.rlx.gpu | Wx", true },
    { "01", "Ux.rlx.gpu | Wx.vol", false },
    { "01", "Ux.rlx.cta | Rx.vol", true },
    { "01", "Ux.rlx.cluster | Ux.rlx.cluster", true },
    { "c01", "Ux.rlx.cluster | Ux.rlx.cluster", false },
    { "c01", "Ux.rlx.cta | Ux.rlx.cluster", true },
    // ISA2, and message passing through three threads
    { "012", "Wx Wf.rel.gpu | Af.acq.gpu Wg.rel.gpu | Ag.acq.gpu Rx", false },
    { "012", "Wx Wf.rlx.gpu | Af.acq.gpu Wg.rel.gpu | Ag.acq.gpu Rx", true },
    { "012", "Wx Wf.rel.gpu | Af.rlx.gpu Wg.rel.gpu | Ag.acq.gpu Rx", true },
    { "012", "Wx Wf.rel.gpu | Af.acq.gpu Wg.rlx.gpu | Ag.acq.gpu Rx", true },
    { "012", "Wx Wf.rel.gpu | Af.acq.gpu Wg.rel.gpu | Ag.rlx.gpu Rx", true },
    { "011", "Wx Wf.rel.gpu | Af.acq.gpu Wg.rel.cta | Ag.acq.cta Rx", false },
    { "012", "Wx Wf.rel.gpu | Af.acq.gpu Wg.rel.cta | Ag.acq.cta Rx", true },
    { "001", "Wx Wf.rel.cta | Af.acq.cta Wg.rel.gpu | Ag.acq.gpu Rx", false },
    { "001", "Wx Wf.rel.cta | Af.acq.cta Wg.rel.cta | Ag.acq.gpu Rx", true },
    { "011", "Wx Wf.rel.cta | Af.acq.cta Wg.rel.cta | Ag.acq.cta Rx", true },
    { "000", "Wx Wf.rel.cta | Af.acq.cta Wg.rel.cta | Ag.acq.cta Rx", false },
    { "c012", "Wx Wf.rel.cluster | Af.acq.cluster Wg.rel.gpu | Ag.acq.gpu Rx", false },
    { "012", "Wx F.ar.gpu Wf.vol | Af.vol F.ar.gpu Wg.vol | Ag.vol F.ar.gpu Rx", false },
    { "012", "Wx Uf.rel.gpu | Uf.rlx.gpu | Af2.acq.gpu Rx", false },
    // WRC: write to read causality
    { "012", "Wx.rlx.gpu | Ax.rlx.gpu Wf.rel.gpu | Af.acq.gpu Rx.rlx.gpu", false },
    { "012", "Wx.rlx.gpu | Ax.rlx.gpu Wf.rel.gpu | Af.acq.gpu Rx", true },
    { "012", "Wx | Rx.rlx.gpu Wf.rel.gpu | Af.acq.gpu Rx.rlx.gpu", true },
    { "012", "Wx.rel.gpu | Ax.acq.gpu Wf.rel.gpu | Af.acq.gpu Rx", false },
    { "011", "Wx.rel.gpu | Ax.acq.gpu Wf.rel.cta | Af.acq.cta Rx", false },
    // IRIW: independent reads of independent writes
    { "0123", "Wx.rlx.gpu | Wy.rlx.gpu | Rx.rlx.gpu Ry.rlx.gpu | Ry.rlx.gpu Rx.rlx.gpu", false },
    { "0123", "Wx.rlx.gpu | Wy.rlx.gpu | Rx.acq.gpu Ry | Ry.acq.gpu Rx.acq.gpu", true },
    { "0011", "Wx.rlx.cta | Wy.rlx.cta | Rx.rlx.gpu Ry.rlx.gpu | Ry.rlx.gpu Rx.rlx.gpu", true },
    { "0000", "Wx.rlx.cta | Wy.rlx.cta | Rx.acq.cta Ry.acq.cta | Ry.acq.cta Rx.acq.cta", false },
    // barriers
    { "00", "Wx B | B Rx", false },
    { "00", "B Wx | B Rx", true },
    { "00", "Wx B Rx | B Rx", false },
    { "00", "Wx B Rx | Ry B Wx", true },
    { "00", "Rx B | B Wx", false },
    { "00", "Wx B | Wx B", true },
    { "01", "Wx B | B Rx", true },
    { "001", "Wx B | B Wf.rel.gpu | Af.acq.gpu Rx", false },
    { "001", "Wx B | B Wf.rlx.gpu | Af.acq.gpu Rx", true },
    { "001", "Wx | Wf.rel.gpu | Af.acq.gpu Rx", true },
    { "011", "Wx Wf.rel.gpu | Af.acq.gpu B | B Rx", false },
    { "011", "Wx Wf.rel.gpu | Af.acq.gpu | Rx", true },
    { "w", "Wx S | S Rx", false },
    { "w", "Wx | Rx", true },
    { "w", "S Wx | S Rx", true },
    { "w", "Wx S Rx | Ry S Rx", false },
    // locks
    { "01",
      "Lm.rlx.gpu F.ar.gpu Ix F.ar.gpu Km.rlx.gpu | Lm.rlx.gpu F.ar.gpu Ix F.ar.gpu Km.rlx.gpu",
      false },
    { "01", "Lm.rlx.gpu Ix F.ar.gpu Km.rlx.gpu | Lm.rlx.gpu F.ar.gpu Ix F.ar.gpu Km.rlx.gpu",
      true },
    { "01", "Lm.rlx.gpu F.ar.gpu Ix F.ar.gpu Km.rlx.gpu | Lm.rlx.gpu Ix F.ar.gpu Km.rlx.gpu",
      true },
    { "01", "Lm.rlx.gpu F.ar.gpu Ix Km.rlx.gpu | Lm.rlx.gpu F.ar.gpu Ix F.ar.gpu Km.rlx.gpu",
      true },
    { "01", "Lm.rlx.gpu F.ar.gpu Ix F.ar.gpu Km.rlx.gpu | Lm.rlx.gpu F.ar.gpu Ix Km.rlx.gpu",
      true },
    { "01",
      "Lm.rlx.gpu F.ar.cta Ix F.ar.gpu Km.rlx.gpu | Lm.rlx.gpu F.ar.gpu Ix F.ar.gpu Km.rlx.gpu",
      true },
    { "01",
      "Lm.rlx.gpu F.ar.gpu Ix F.ar.gpu Km.rlx.gpu | Lm.rlx.gpu F.ar.gpu Ix F.ar.cta Km.rlx.gpu",
      true },
    { "00",
      "Lm.rlx.cta F.ar.cta Ix F.ar.cta Km.rlx.cta | Lm.rlx.cta F.ar.cta Ix F.ar.cta Km.rlx.cta",
      false },
    { "00", "Lm.rlx.cta Ix F.ar.cta Km.rlx.cta | Lm.rlx.cta F.ar.cta Ix F.ar.cta Km.rlx.cta",
      true },
    { "00", "Lm.rlx.cta F.ar.cta Ix F.ar.cta Km.rlx.cta | Lm.rlx.cta Ix F.ar.cta Km.rlx.cta",
      true },
    { "01", "Lm.acq.gpu Ix Km.rel.gpu | Lm.acq.gpu Ix Km.rel.gpu", false },
    { "01", "Lm.acq.cta Ix Km.rel.gpu | Lm.acq.gpu Ix Km.rel.gpu", true },
    { "01", "Lm.acq.gpu Ix Km.rel.gpu | Lm.acq.gpu Ix Km.rel.cta", true },
    { "00", "Lm.acq.cta Ix Km.rel.cta | Lm.acq.cta Ix Km.rel.cta", false },
    // proxies: what threads write, and a bulk copy reads. A missing fence.proxy.async is not found
    // if
    // an atomic orders the two, so there is no such row.
    { "00", "Wx Cx | Ry", true },
    { "00", "Wx P Cx | Ry", false },
    { "00", "Wx Wf.rel.cta | Af.acq.cta P Cx", false },
    { "00", "Wx P Wf.rel.cta | Af.acq.cta Cx", false },
    { "00", "Wx B | B Cx", true },
    { "00", "Wx P B | B Cx", false },
};

static std::vector<Row> all_rows()
{
    std::vector<Row> all;
    [[maybe_unused]] int pair = 0;

    for (const char *where : { "00", "01" })
        for (const Side &s : signals)
            for (const Side &w : waits) {
#ifdef FEW   // without FULL=1: each signal and each wait, but few of their pairs
                if (pair++ % 5)
                    continue;
#endif
                int need = where[1] == '0' ? CTA : GPU;
                bool races =
                    std::min(s.access, w.access) < need || std::min(s.order, w.order) < need;
                all.push_back(
                    { where, std::string("Wx ") + s.text + " | " + w.text + " Rx", races });
            }
    all.insert(all.end(), std::begin(rows), std::end(rows));
    return all;
}

// In a process of its own, because a race ends it.
static void launch(const Row &row)
{
    Test t = parse(row.where, row.program);
    int *memory, blocks = t.is_cluster ? 4 : MOST_THREADS;
    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute cluster = {};

    cudaMalloc(&memory, 32 * WORD * sizeof(int));
    cudaMemset(memory, 0, 32 * WORD * sizeof(int));
    config.gridDim = blocks;
    config.blockDim = 32 * MOST_THREADS;
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim.x = 2;
    cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;
    config.attrs = &cluster;
    config.numAttrs = t.is_cluster;
    exit(cudaLaunchKernelEx(&config, run, t, memory) || cudaDeviceSynchronize() ? 2 : 0);
}

int main(int argc, char **argv)
{
    int number = 0;

    for (const Row &row : all_rows()) {
        std::string name = row.where + ": " + row.program;
        int status;

        number++;
        if (argc > 1 && name == argv[1])
            launch(row);
        if (argc > 1)
            continue;
        fflush(stdout);
        pid_t child = fork();
        if (child == 0) {
            if (!freopen("/dev/null", "w", stderr))
                exit(3);
            launch(row);
        }
        waitpid(child, &status, 0);
        bool ok = WIFEXITED(status) && WEXITSTATUS(status) == row.races;
        printf("%sok %d - %s %s\n", ok ? "" : "not ", number, name.c_str(),
               row.races ? "races" : "has no race");
    }
    printf("1..%d\n", number);
    return argc > 1 ? 2 : 0;
}
