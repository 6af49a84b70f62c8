#include "device.h"
#include "needs.h"

#include <stdio.h>
#include <string.h>

#include "backend.h"
#include "program.h"

void cuda_must(cudaError_t result, const char *doing)
{
    if (result != cudaSuccess)
        die(STATUS_ERROR, "CUDA error while %s: %s (%s)", doing, cudaGetErrorString(result),
            cudaGetErrorName(result));
}

static int attribute(enum cudaDeviceAttr which, int device)
{
    int value = 0;

    if (cudaDeviceGetAttribute(&value, which, device) != cudaSuccess) {
        cudaGetLastError();
        return 0;
    }
    return value;
}

// The runtime reports only the newest CUDA version that the driver supports. The driver's own
// version is in /sys.
static void driver_version(char *out, size_t room)
{
    FILE *file = fopen("/sys/module/nvidia/version", "r");
    int cuda;

    if (file && fgets(out, (int)room, file))
        out[strcspn(out, "\n")] = '\0';
    else if (cudaDriverGetVersion(&cuda) == cudaSuccess)
        snprintf(out, room, "for CUDA %d.%d", cuda / 1000, cuda % 1000 / 10);
    if (file)
        fclose(file);
}

static void open_gpu(int number, struct device *d)
{
    struct cudaDeviceProp properties;
    int cuda;

    cuda_must(cudaGetDeviceProperties(&properties, number), "asking for the device's properties");
    snprintf(d->name, sizeof d->name, "%s", properties.name);
    d->sm = 10 * attribute(cudaDevAttrComputeCapabilityMajor, number) +
            attribute(cudaDevAttrComputeCapabilityMinor, number);
    d->sms = attribute(cudaDevAttrMultiProcessorCount, number);
    d->l2_bytes = attribute(cudaDevAttrL2CacheSize, number);
    d->peak_gbs = 2e-6 * attribute(cudaDevAttrMemoryClockRate, number) *
                  (attribute(cudaDevAttrGlobalMemoryBusWidth, number) / 8);
    d->clock = backend_clock_open(number);
    driver_version(d->driver, sizeof d->driver);
    cuda_must(cudaRuntimeGetVersion(&cuda), "asking for the runtime's version");
    snprintf(d->cuda, sizeof d->cuda, "%d.%d", cuda / 1000, cuda % 1000 / 10);
}

void device_open(int number, struct device *d)
{
    int count = 0;
    cudaError_t result = cudaGetDeviceCount(&count);

    memset(d, 0, sizeof *d);
    if (result != cudaSuccess || count == 0)
        die(STATUS_ERROR, "no GPU that CUDA can use: %s; without one, build with make DEVICE=cpu",
            cudaGetErrorString(result != cudaSuccess ? result : cudaErrorNoDevice));
    if (number >= count)
        die(STATUS_USAGE, "--device %d: no such device; this machine has %d, numbered from 0",
            number, count);
    cuda_must(cudaSetDevice(number), "choosing the device");
    cuda_must(cudaFree(NULL), "opening the device");
    if (!on_cpu_device) {
        open_gpu(number, d);
        return;
    }
    strcpy(d->name, "CPU device");
}

int device_has(const struct device *d, const char *needs)
{
    return needs_met(needs, on_cpu_device ? CPU_DEVICE_SM : d->sm);
}

double host_free_bytes(void)
{
    FILE *file = fopen("/proc/meminfo", "r");
    char line[256];
    double kilobytes = -1;

    while (file && kilobytes < 0 && fgets(line, sizeof line, file))
        sscanf(line, "MemAvailable: %lf kB", &kilobytes);
    if (file)
        fclose(file);
    return kilobytes < 0 ? 1e18 : kilobytes * 1024;   // unknown: malloc() decides
}

double device_free_bytes(void)
{
    size_t available = 0, total = 0;

    if (on_cpu_device)
        return host_free_bytes();
    cuda_must(cudaMemGetInfo(&available, &total), "asking for free memory");
    return (double)available;
}

double device_used_bytes(void)
{
    size_t available = 0, total = 0;

    cuda_must(cudaMemGetInfo(&available, &total), "asking for free memory");
    return (double)total - (double)available;
}
