// demo_device: what this machine's devices are and can do: every limit that the course meets, in
// words.
//
// make demo_device && ./demo_device; ./demo_device 1 shows device 1 only
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

// A line of the list: the attribute's value divided by `unit_size`, and its unit.
struct line {
    const char *what;
    enum cudaDeviceAttr attribute;
    int unit_size;
    const char *unit;
};

static const struct line lines[] = {
    { "multiprocessors (SMs)", cudaDevAttrMultiProcessorCount, 1, "" },
    { "clock of the SMs, at most", cudaDevAttrClockRate, 1000, "MHz" },
    { "threads in a warp", cudaDevAttrWarpSize, 1, "" },
    { "threads in a block, at most", cudaDevAttrMaxThreadsPerBlock, 1, "" },
    { "  along x", cudaDevAttrMaxBlockDimX, 1, "" },
    { "  along y", cudaDevAttrMaxBlockDimY, 1, "" },
    { "  along z", cudaDevAttrMaxBlockDimZ, 1, "" },
    { "blocks in a grid along x, at most", cudaDevAttrMaxGridDimX, 1, "" },
    { "  along y", cudaDevAttrMaxGridDimY, 1, "" },
    { "  along z", cudaDevAttrMaxGridDimZ, 1, "" },
    { "threads on an SM at a time, at most", cudaDevAttrMaxThreadsPerMultiProcessor, 1, "" },
    { "blocks on an SM at a time, at most", cudaDevAttrMaxBlocksPerMultiprocessor, 1, "" },
    { "registers of an SM", cudaDevAttrMaxRegistersPerMultiprocessor, 1, "of 4 bytes" },
    { "registers of a block, at most", cudaDevAttrMaxRegistersPerBlock, 1, "of 4 bytes" },
    { "shared memory of an SM", cudaDevAttrMaxSharedMemoryPerMultiprocessor, 1, "bytes" },
    { "shared memory of a block, at most", cudaDevAttrMaxSharedMemoryPerBlock, 1, "bytes" },
    { "  if the kernel asks for more", cudaDevAttrMaxSharedMemoryPerBlockOptin, 1, "bytes" },
    { "  of that, taken by the runtime", cudaDevAttrReservedSharedMemoryPerBlock, 1, "bytes" },
    { "constant memory", cudaDevAttrTotalConstantMemory, 1, "bytes" },
    { "L2 cache", cudaDevAttrL2CacheSize, 1024, "KiB" },
    { "clock of the memory", cudaDevAttrMemoryClockRate, 1000, "MHz" },
    { "width of its bus", cudaDevAttrGlobalMemoryBusWidth, 1, "bits" },
};

static void check(cudaError_t error, const char *what)
{
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "demo_device: %s: %s\n", what, cudaGetErrorString(error));
    exit(3);
}

static void show(int device)
{
    struct cudaDeviceProp prop;
    size_t free_bytes, bytes;
    int clock_khz, bus_bits;

    check(cudaSetDevice(device), "choosing the device");
    check(cudaGetDeviceProperties(&prop, device), "asking for its properties");
    check(cudaMemGetInfo(&free_bytes, &bytes), "asking for its memory");

    printf("device %d: %s, compute capability %d.%d\n", device, prop.name, prop.major, prop.minor);
    printf("  %-36s %12.1f GiB, %.1f free\n", "memory", bytes / 1073741824.0,
           free_bytes / 1073741824.0);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        int value;

        if (cudaDeviceGetAttribute(&value, lines[i].attribute, device) == cudaSuccess)
            printf("  %-36s %12d %s\n", lines[i].what, value / lines[i].unit_size, lines[i].unit);
        else
            printf("  %-36s %12s\n", lines[i].what, "not known");
    }
    // Memory moves data at both edges of its clock.
    if (cudaDeviceGetAttribute(&clock_khz, cudaDevAttrMemoryClockRate, device) == cudaSuccess &&
        cudaDeviceGetAttribute(&bus_bits, cudaDevAttrGlobalMemoryBusWidth, device) == cudaSuccess &&
        clock_khz > 0 && bus_bits > 0)
        printf("  %-36s %12.0f GB/s = 2 x clock x width\n", "so memory moves at most",
               2e-6 * clock_khz * (bus_bits / 8));
}

int main(int argc, char **argv)
{
    int devices;

    check(cudaGetDeviceCount(&devices), "counting devices");
    if (argc == 1) {
        for (int device = 0; device < devices; device++)
            show(device);
        return 0;
    }
    char *end;
    long device = strtol(argv[1], &end, 10);
    if (argc > 2 || end == argv[1] || *end || device < 0 || device >= devices) {
        fprintf(stderr, "demo_device: %s: expected one device number, 0 to %d\n",
                argc > 2 ? argv[2] : argv[1], devices - 1);
        return 2;
    }
    show((int)device);
    return 0;
}
