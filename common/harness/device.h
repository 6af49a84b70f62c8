// The device that a program runs on, and its properties.
#ifndef DEVICE_H
#define DEVICE_H

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

// 1 in a program that is built for the CPU device, which times nothing; else 0.
extern const int on_cpu_device;

struct device {
    char name[256];   // "NVIDIA H200", or "CPU device"
    int sm;           // compute capability without its dot: 90; 0 on the CPU device
    int sms;
    double l2_bytes;   // 0: unknown
    // peak memory bandwidth, GB/s: twice the memory clock times the bus width; 0: unknown
    double peak_gbs;
    char driver[64];               // "580.82.07"; "" unknown or none
    char cuda[16];                 // of the runtime: "13.0"; "" on the CPU device
    struct backend_clock *clock;   // of the SMs; NULL: unknown
};

// Ends the program with STATUS_ERROR unless `result` is cudaSuccess; the message is "CUDA error
// while DOING".
void cuda_must(cudaError_t result, const char *doing);

// Selects device `number` and fills in its properties. Ends the program if there is no such device.
void device_open(int number, struct device *);

// Whether the device has what a line "// Needs:" names (needs.h).
int device_has(const struct device *, const char *needs);

// Free memory in bytes, of the device and of the host. On the CPU device both are the same memory.
double device_free_bytes(void);
double host_free_bytes(void);

// Device memory that is allocated, in bytes: on a GPU by all programs and in pieces of 2 MiB; on
// the CPU device by this program, exactly.
double device_used_bytes(void);

#ifdef __cplusplus
}
#endif

#endif
