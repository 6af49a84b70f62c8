// demo_latency: the latency of L1, L2 and DRAM, and the bytes in flight that hide it (Little's law)
//
// One thread follows a chain: each load returns the index of the next one. So one load is in flight
// at a time, and the time of a load is the latency. The links are 128 bytes apart and in random
// order. A chain of 16 KiB stays in L1, one of 16 MiB in L2, and one of 512 MiB does not fit.
//
//   bytes in flight = bandwidth x latency     (what the GPU must have requested at any time)
//
// make demo_latency && ./demo_latency
#include "../common/harness/demo.h"

enum { LINE = 128, STRIDE = LINE / sizeof(unsigned) };   // bytes and words per link

// Follows the chain from the link *at on, and stores there where it ends.
__global__ void chase(const unsigned *next, int steps, unsigned *at)
{
    unsigned i = *at;

    for (int step = 0; step < steps; step++)
        i = next[i];
    *at = i;
}

// One cycle through all links, in random order (Sattolo's algorithm).
static unsigned *random_chain(unsigned links)
{
    std::vector<unsigned> order(links), next((size_t)links * STRIDE);
    unsigned long long seed = 1;
    unsigned *chain = demo_allocate<unsigned>((size_t)links * STRIDE);

    for (unsigned i = 0; i < links; i++)
        order[i] = i;
    for (unsigned i = links - 1; i > 0; i--) {
        seed = seed * 6364136223846793005ull + 1442695040888963407ull;
        std::swap(order[i], order[(seed >> 33) % i]);
    }
    for (unsigned i = 0; i < links; i++)
        next[(size_t)i * STRIDE] = order[i] * STRIDE;
    cuda_must(cudaMemcpy(chain, next.data(), (size_t)links * LINE, cudaMemcpyHostToDevice),
              "copying the chain");
    return chain;
}

// Returns the median time of a step in nanoseconds. A launch continues where the last one ended.
static double ns_per_step(size_t bytes, int steps)
{
    unsigned *chain = random_chain((unsigned)(bytes / LINE)), *at = demo_allocate<unsigned>(1);
    struct stats us =
        demo_time_of([=] { chase<<<1, 1, 0, cudaStreamPerThread>>>(chain, steps, at); });

    cuda_must(cudaFree(chain), "freeing the chain");
    cuda_must(cudaFree(at), "freeing the position");
    return 1000 * us.median / steps;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        size_t bytes;
        int steps;
    } level[] = { { "L1", (size_t)16 << 10, 1 << 17 },
                  { "L2", (size_t)16 << 20, 1 << 17 },
                  { "DRAM", (size_t)512 << 20, 1 << 18 } };
    struct device device;
    double ns = 0;

    take_arguments(argc, argv, "the latency of L1, L2 and DRAM", NULL, 0);
    device_open(0, &device);
    if (on_cpu_device) {
        printf("SKIP: this device does not measure time\n");
        return finish(STATUS_SKIPPED);
    }
    printf("latency of one load, ns\n");
    for (auto &l : level) {
        ns = ns_per_step(l.bytes, l.steps);
        printf("  %-4s  %6.0f   a chain of %zu KiB\n", l.name, ns, l.bytes >> 10);
    }
    printf("Little's law: to load %.0f GB/s, %.0f ns x %.0f GB/s = %.0f KiB must be in flight,\n"
           "%.1f KiB in each of %d SMs. A copy loads half of its bytes: %.1f KiB per SM.\n",
           device.peak_gbs, ns, device.peak_gbs, ns * device.peak_gbs / 1024,
           ns * device.peak_gbs / 1024 / device.sms, device.sms,
           ns * device.peak_gbs / 2048 / device.sms);
    return finish(STATUS_OK);
}
