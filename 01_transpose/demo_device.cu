// demo_device: the properties and limits of this machine's CUDA devices
//
// Prints the limits that the course uses: threads, blocks, registers, shared memory, L2, and the
// peak bandwidth of the memory. `./demo_device 1` prints those of device 1 only.
// make demo_device && ./demo_device
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

// A line of the list. The value of the attribute is divided by `unit_size`.
struct line {
    const char *what;
    enum cudaDeviceAttr attribute;
    int unit_size;
    const char *unit;
};

static const struct line lines[] = {
    { "multiprocessors (SMs)", cudaDevAttrMultiProcessorCount, 1, "" },
    { "maximum SM clock", cudaDevAttrClockRate, 1000, "MHz" },
    { "threads per warp", cudaDevAttrWarpSize, 1, "" },
    { "maximum threads per block", cudaDevAttrMaxThreadsPerBlock, 1, "" },
    { "  along x", cudaDevAttrMaxBlockDimX, 1, "" },
    { "  along y", cudaDevAttrMaxBlockDimY, 1, "" },
    { "  along z", cudaDevAttrMaxBlockDimZ, 1, "" },
    { "maximum blocks per grid, along x", cudaDevAttrMaxGridDimX, 1, "" },
    { "  along y", cudaDevAttrMaxGridDimY, 1, "" },
    { "  along z", cudaDevAttrMaxGridDimZ, 1, "" },
    { "maximum resident threads per SM", cudaDevAttrMaxThreadsPerMultiProcessor, 1, "" },
    { "maximum resident blocks per SM", cudaDevAttrMaxBlocksPerMultiprocessor, 1, "" },
    { "registers per SM", cudaDevAttrMaxRegistersPerMultiprocessor, 1, "of 4 bytes" },
    { "maximum registers per block", cudaDevAttrMaxRegistersPerBlock, 1, "of 4 bytes" },
    { "shared memory per SM", cudaDevAttrMaxSharedMemoryPerMultiprocessor, 1, "bytes" },
    { "maximum shared memory per block", cudaDevAttrMaxSharedMemoryPerBlock, 1, "bytes" },
    { "  with the opt-in attribute", cudaDevAttrMaxSharedMemoryPerBlockOptin, 1, "bytes" },
    { "reserved by the runtime, per block", cudaDevAttrReservedSharedMemoryPerBlock, 1, "bytes" },
    { "constant memory", cudaDevAttrTotalConstantMemory, 1, "bytes" },
    { "L2 cache", cudaDevAttrL2CacheSize, 1024, "KiB" },
    { "memory clock", cudaDevAttrMemoryClockRate, 1000, "MHz" },
    { "memory bus width", cudaDevAttrGlobalMemoryBusWidth, 1, "bits" },
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

    check(cudaSetDevice(device), "selecting the device");
    check(cudaGetDeviceProperties(&prop, device), "reading its properties");
    check(cudaMemGetInfo(&free_bytes, &bytes), "reading its memory size");

    printf("device %d: %s, compute capability %d.%d\n", device, prop.name, prop.major, prop.minor);
    printf("  %-36s %12.1f GiB, %.1f free\n", "memory", bytes / 1073741824.0,
           free_bytes / 1073741824.0);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        int value;

        if (cudaDeviceGetAttribute(&value, lines[i].attribute, device) == cudaSuccess && value > 0)
            printf("  %-36s %12d%s%s\n", lines[i].what, value / lines[i].unit_size,
                   *lines[i].unit ? " " : "", lines[i].unit);
        else
            printf("  %-36s %12s\n", lines[i].what, "unknown");
    }
    // The memory transfers data at both edges of its clock.
    if (cudaDeviceGetAttribute(&clock_khz, cudaDevAttrMemoryClockRate, device) == cudaSuccess &&
        cudaDeviceGetAttribute(&bus_bits, cudaDevAttrGlobalMemoryBusWidth, device) == cudaSuccess &&
        clock_khz > 0 && bus_bits > 0)
        printf("  %-36s %12.0f GB/s = 2 x clock x bus width\n", "peak bandwidth",
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
