// Launch facts and replay on a GPU, both from capturing calls into a graph instead of running them.
//
// The kernels of a call may be in another shared object (cuBLAS has its own runtime), where the
// runtime API does not find them. So graph nodes are queried through the driver API. Its functions
// are found at run time: programs do not link libcuda, and what an older driver does not provide
// stays unknown.
#include "backend.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

#include <cuda.h>
#include <cuda_runtime_api.h>

#include "program.h"
#include "call_facts.h"
#include "kernel_name.h"
#include "stats.h"

const int on_cpu_device = 0;

static void *driver_entry(const char *name, unsigned version)
{
    void *found = NULL;
    enum cudaDriverEntryPointQueryResult result = cudaDriverEntryPointSymbolNotFound;
#if CUDART_VERSION >= 12050
    cudaError_t error =
        cudaGetDriverEntryPointByVersion(name, &found, version, cudaEnableDefault, &result);
#else
    // finds the version of this toolkit
    cudaError_t error = cudaGetDriverEntryPoint(name, &found, cudaEnableDefault, &result);

    (void)version;
#endif
    if (error != cudaSuccess)
        cudaGetLastError();
    return error == cudaSuccess && result == cudaDriverEntryPointSuccess ? found : NULL;
}

#define ENTRY(function, version) \
    ((__typeof__(function) *)(uintptr_t)driver_entry(#function, version))

// Captures calls of a stage, one on each set of arrays. Returns NULL if they cannot be captured: a
// call that synchronizes cannot.
static cudaGraph_t capture(stage_fn *stage, const struct problem *p, void *(*set)[MAX_BUFFERS],
                           int calls)
{
    cudaGraph_t graph = NULL;

    if (cudaStreamBeginCapture(cudaStreamPerThread, cudaStreamCaptureModeRelaxed) == cudaSuccess) {
        for (int i = 0; i < calls; i++)
            p->week->run(stage, p, set[i]);
        if (cudaStreamEndCapture(cudaStreamPerThread, &graph) != cudaSuccess)
            graph = NULL;
    }
    if (cudaGetLastError() != cudaSuccess && graph) {
        cudaGraphDestroy(graph);
        graph = NULL;
    }
    return graph;
}

// Fills in the facts of a launch from the parameters of its graph node.
static void describe(const CUDA_KERNEL_NODE_PARAMS_v2 *k, struct facts *f)
{
    __typeof__(cuKernelGetFunction) *get_function = ENTRY(cuKernelGetFunction, 12000);
    // cuda.h declares it since CUDA 12.3
    CUresult (*get_name)(const char **, CUfunction) = driver_entry("cuFuncGetName", 12030);
    __typeof__(cuFuncGetAttribute) *get_attribute = ENTRY(cuFuncGetAttribute, 12000);
    __typeof__(cuOccupancyMaxActiveBlocksPerMultiprocessor) *occupancy =
        ENTRY(cuOccupancyMaxActiveBlocksPerMultiprocessor, 12000);
    int threads = k->blockDimX * k->blockDimY * k->blockDimZ;
    CUfunction function = k->func;
    const char *symbol;
    int value;

    f->grid[0] = k->gridDimX, f->grid[1] = k->gridDimY, f->grid[2] = k->gridDimZ;
    f->block[0] = k->blockDimX, f->block[1] = k->blockDimY, f->block[2] = k->blockDimZ;
    f->kernel[0] = '\0';
    f->regs = f->blocks_per_sm = -1;
    f->shared_bytes = -1;
    if (!function && (!get_function || get_function(&function, k->kern) != CUDA_SUCCESS))
        return;
    if (get_name && get_name(&symbol, function) == CUDA_SUCCESS)
        kernel_name(symbol, f->kernel, sizeof f->kernel);
    if (get_attribute &&
        get_attribute(&value, CU_FUNC_ATTRIBUTE_NUM_REGS, function) == CUDA_SUCCESS)
        f->regs = value;
    if (get_attribute &&
        get_attribute(&value, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, function) == CUDA_SUCCESS)
        f->shared_bytes = value + (long)k->sharedMemBytes;
    if (occupancy && occupancy(&value, function, threads, k->sharedMemBytes) == CUDA_SUCCESS)
        f->blocks_per_sm = value;
}

static double threads_of(const CUDA_KERNEL_NODE_PARAMS_v2 *k)
{
    return (double)k->gridDimX * k->gridDimY * k->gridDimZ * k->blockDimX * k->blockDimY *
           k->blockDimZ;
}

static void walk(cudaGraph_t graph, struct facts *f)
{
    __typeof__(cuGraphKernelNodeGetParams) *get_params = ENTRY(cuGraphKernelNodeGetParams, 12000);
    cudaGraphNode_t *node;
    size_t nodes = 0;
    double most = 0;

    if (cudaGraphGetNodes(graph, NULL, &nodes) != cudaSuccess)
        return;
    f->kernels = 0;
    node = must_malloc(nodes * sizeof *node);
    if (nodes && cudaGraphGetNodes(graph, node, &nodes) != cudaSuccess)
        nodes = 0;
    for (size_t i = 0; i < nodes; i++) {
        enum cudaGraphNodeType type;
        CUDA_KERNEL_NODE_PARAMS_v2 k = { 0 };

        if (cudaGraphNodeGetType(node[i], &type) != cudaSuccess || type != cudaGraphNodeTypeKernel)
            continue;
        f->kernels++;
        if (get_params && get_params(node[i], &k) == CUDA_SUCCESS && threads_of(&k) > most) {
            most = threads_of(&k);
            describe(&k, f);
        }
    }
    free(node);
}

int backend_inspect(stage_fn *stage, const struct problem *p, void *const device[], struct facts *f)
{
    void *set[1][MAX_BUFFERS] = { 0 };
    cudaGraph_t graph;

    for (int i = 0; i < MAX_BUFFERS; i++)
        set[0][i] = device[i];
    *f = facts_unknown;
    graph = capture(stage, p, set, 1);
    if (!graph)
        return -1;
    walk(graph, f);
    cudaGraphDestroy(graph);
    cudaGetLastError();
    return 0;
}

void backend_set(const struct problem *p) { (void)p; }
const char *emu_rules(const char *capability) { return (void)capability, ""; }
const char *emu_unit(void) { return "sectors"; }

void backend_call(stage_fn *stage, const struct problem *p, void *const device[])
{
    p->week->run(stage, p, device);
}

void backend_settle(void)
{
    cudaStreamAttrValue none = { 0 };

    cudaDeviceSynchronize();
    cudaStreamSetAttribute(cudaStreamPerThread, cudaStreamAttributeAccessPolicyWindow, &none);
    cudaCtxResetPersistingL2Cache();   // lines that a stage asked to keep survive a flush
    cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 0);
    cudaGetLastError();
}

struct stats backend_replay(stage_fn *stage, const struct problem *p, void *(*set)[MAX_BUFFERS],
                            int calls)
{
    enum { UNTIMED = 3, SAMPLES = 21 };
    double sample[SAMPLES];
    cudaGraph_t graph = capture(stage, p, set, calls);
    cudaGraphExec_t ready = NULL;
    cudaEvent_t start, stop;
    float ms = 0;
    int ok = graph && cudaGraphInstantiate(&ready, graph, 0) == cudaSuccess;

    if (graph)
        cudaGraphDestroy(graph);
    cuda_must(cudaEventCreate(&start), "making an event");
    cuda_must(cudaEventCreate(&stop), "making an event");
    for (int i = -UNTIMED; ok && i < SAMPLES; i++) {
        ok = cudaEventRecord(start, cudaStreamPerThread) == cudaSuccess &&
             cudaGraphLaunch(ready, cudaStreamPerThread) == cudaSuccess &&
             cudaEventRecord(stop, cudaStreamPerThread) == cudaSuccess &&
             cudaEventSynchronize(stop) == cudaSuccess &&
             cudaEventElapsedTime(&ms, start, stop) == cudaSuccess;
        if (i >= 0)
            sample[i] = 1e3 * ms / calls;
    }
    cudaEventDestroy(start);
    cudaEventDestroy(stop);
    if (ready)
        cudaGraphExecDestroy(ready);
    cudaGetLastError();
    return ok ? stats_of(sample, SAMPLES) : (struct stats){ .median = -1 };
}

// NVML reports the clocks and the power. It comes with the driver, and is found at run time for the
// same reason.
struct backend_clock {
    void *device;
    int (*get_mhz)(void *device, int which, unsigned *mhz);
    int (*get_milliwatts)(void *device, unsigned *milliwatts);   // NULL: not in this driver
};

struct backend_clock *backend_clock_open(int device)
{
    void *library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    int (*init)(void), (*find)(const char *, void **);
    struct backend_clock *clock;
    char bus[32];

    if (!library)
        return NULL;
    init = dlsym(library, "nvmlInit_v2");
    find = dlsym(library, "nvmlDeviceGetHandleByPciBusId_v2");
    clock = must_malloc(sizeof *clock);
    clock->get_mhz = dlsym(library, "nvmlDeviceGetClockInfo");
    clock->get_milliwatts = dlsym(library, "nvmlDeviceGetPowerUsage");
    if (init && find && clock->get_mhz && init() == 0 &&
        cudaDeviceGetPCIBusId(bus, sizeof bus, device) == cudaSuccess &&
        find(bus, &clock->device) == 0)
        return clock;
    free(clock);
    cudaGetLastError();
    return NULL;
}

double backend_clock_mhz(const struct backend_clock *clock)
{
    enum { NVML_CLOCK_SM = 1 };
    unsigned mhz;

    return clock && clock->get_mhz(clock->device, NVML_CLOCK_SM, &mhz) == 0 ? (double)mhz : -1;
}

double backend_watts(const struct backend_clock *clock)
{
    unsigned milliwatts;

    return clock && clock->get_milliwatts && clock->get_milliwatts(clock->device, &milliwatts) == 0
             ? milliwatts / 1e3
             : -1;
}

void backend_print_lines(const char *folder, int most) { (void)folder, (void)most; }
void backend_print_products(void) {}
const char *backend_source_line(const char *folder, const char *name, int line, size_t most)
{
    return (void)folder, (void)name, (void)line, (void)most, "";
}
void emu_reset(void) {}
void emu_record(const struct emu_watch *watch) { (void)watch; }
int emu_events(const struct emu_event **out, uint64_t *omitted)
{
    return *out = NULL, *omitted = 0, 0;
}
int emu_launches(const struct emu_launch **out) { return *out = NULL, 0; }
void backend_on_diagnosis(diagnosis_handler *handler, void *context)
{
    (void)handler, (void)context;
}
void emu_ask(char *(*ask)(const struct emu_question *)) { (void)ask; }
char *emu_answer(const char *program, const char *source, const struct emu_question *question,
                 void (*confine)(void))
{
    return (void)program, (void)source, (void)question, (void)confine, NULL;
}
void emu_land_early(int early) { (void)early; }
int emu_is_asynchronous(void) { return 0; }
int emu_is_dependent(void) { return 0; }
void emu_keep_arguments(int keep) { (void)keep; }
void emu_on_launch(void (*handler)(const struct emu_launch *)) { (void)handler; }
void emu_dry_run(int dry) { (void)dry; }
int emu_readable(const void *device, size_t bytes) { return (void)device, (void)bytes, 0; }
void emu_open_memory(int open) { (void)open; }
size_t emu_box_bytes(const void *map) { return (void)map, 0; }
void emu_l2(size_t bytes) { (void)bytes; }
struct emu_work emu_work_between(uintptr_t from, uintptr_t to)
{
    return (void)from, (void)to, (struct emu_work){ 0 };
}
void emu_forget(const void *device, size_t bytes) { (void)device, (void)bytes; }
