// What demonstrations that measure have in common: how they end, their options, the device, the
// time of a launch, the table that they write. A demonstration is one file: it defines DEMO_NAME,
// and then includes this.
#ifndef DEMO_H
#define DEMO_H

#include <cuda_runtime.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

// exit status, as of all programs here
enum { DEMO_RIGHT = 0, DEMO_WRONG = 1, DEMO_USAGE = 2, DEMO_CUDA = 3, DEMO_SKIP = 77 };

[[noreturn]] __attribute__((format(printf, 2, 3))) inline void demo_die(int status,
                                                                        const char *format, ...)
{
    va_list arguments;

    fflush(stdout);
    fprintf(stderr, DEMO_NAME ": ");
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(status);
}

inline void demo_must(cudaError_t error, const char *doing)
{
    if (error != cudaSuccess)
        demo_die(DEMO_CUDA, "CUDA error while %s: %s (%s)", doing, cudaGetErrorString(error),
                 cudaGetErrorName(error));
}

// --- options

// One option: with `value` it takes one, with `flag` it takes none.
struct demo_option {
    const char *name;
    const char **value;
    bool *flag;
};

// Fills in what the command line says; --help prints `help` and ends the program.
inline void demo_options(int argc, char **argv, const char *help, const struct demo_option *options,
                         int n)
{
    for (int i = 1; i < argc; i++) {
        size_t length = strcspn(argv[i], "=");
        int o = 0;

        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            fputs(help, stdout);
            exit(fflush(stdout) == 0 ? DEMO_RIGHT : DEMO_USAGE);
        }
        while (o < n && (strlen(options[o].name) != length ||
                         strncmp(argv[i], options[o].name, length) != 0))
            o++;
        if (o == n && argv[i][0] == '-' && argv[i][1])
            demo_die(DEMO_USAGE, "%s: unknown option; see --help for those that are accepted",
                     argv[i]);
        if (o == n)
            demo_die(DEMO_USAGE,
                     "'%s': unknown argument; see --help for the options that are accepted",
                     argv[i]);
        if (options[o].flag && argv[i][length])
            demo_die(DEMO_USAGE, "%s: takes no value; see --help", argv[i]);
        if (options[o].flag)
            *options[o].flag = true;
        else if (argv[i][length])
            *options[o].value = argv[i] + length + 1;
        else if (i + 1 == argc)
            demo_die(DEMO_USAGE, "%s: needs a value; see --help", argv[i]);
        else
            *options[o].value = argv[++i];
    }
}

// --- the device

struct demo_device {
    char name[256], cuda[32];   // cuda is "" on the CPU device
    bool timed;                 // the CPU device counts instead
    int sms;
    double l2_bytes, peak_gbs;   // 0: unknown
};

inline int demo_attribute(enum cudaDeviceAttr which)
{
    int value = 0;

    if (cudaDeviceGetAttribute(&value, which, 0) == cudaSuccess)
        return value;
    cudaGetLastError();
    return 0;
}

inline void demo_open(struct demo_device *d)
{
    struct cudaDeviceProp properties;
    int cuda = 0;

    demo_must(cudaGetDeviceProperties(&properties, 0), "asking for the device's properties");
#ifdef EMU_CPU_DEVICE
    snprintf(d->name, sizeof d->name, "CPU device");
    d->timed = false;
#else
    snprintf(d->name, sizeof d->name, "%s", properties.name);
    d->timed = true;
    demo_must(cudaRuntimeGetVersion(&cuda), "asking for the runtime's version");
    snprintf(d->cuda, sizeof d->cuda, "%d.%d", cuda / 1000, cuda % 1000 / 10);
#endif
    d->sms = demo_attribute(cudaDevAttrMultiProcessorCount);
    d->l2_bytes = demo_attribute(cudaDevAttrL2CacheSize);
    // Memory moves data at both edges of its clock.
    d->peak_gbs = 2e-6 * demo_attribute(cudaDevAttrMemoryClockRate) *
                  (demo_attribute(cudaDevAttrGlobalMemoryBusWidth) / 8);
}

template <class T> T *demo_allocate(size_t count)
{
    void *p;

    demo_must(cudaMalloc(&p, count * sizeof(T)), "allocating");
    return (T *)p;
}

// --- time

enum { DEMO_SAMPLES = 15 };

struct demo_time {
    double median_us, p10_us, p90_us;
};

inline int demo_ascending(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;

    return (x > y) - (x < y);
}

// How long what `launch` launches takes, in a sample of its own each time, after whatever `before`
// launches. The first is the warm-up.
template <class Before, class Launch> struct demo_time demo_time_of(Before before, Launch launch)
{
    cudaEvent_t start, stop;
    float ms[DEMO_SAMPLES];

    demo_must(cudaEventCreate(&start), "making an event");
    demo_must(cudaEventCreate(&stop), "making an event");
    for (int i = -1; i < DEMO_SAMPLES; i++) {
        before();
        demo_must(cudaEventRecord(start, cudaStreamPerThread), "recording the start");
        launch();
        demo_must(cudaGetLastError(), "launching");
        demo_must(cudaEventRecord(stop, cudaStreamPerThread), "recording the end");
        demo_must(cudaEventSynchronize(stop), "running the kernel");
        demo_must(cudaEventElapsedTime(&ms[i < 0 ? 0 : i], start, stop), "reading the time");
    }
    demo_must(cudaEventDestroy(start), "freeing an event");
    demo_must(cudaEventDestroy(stop), "freeing an event");
    qsort(ms, DEMO_SAMPLES, sizeof *ms, demo_ascending);
    return { 1e3 * ms[DEMO_SAMPLES / 2], 1e3 * ms[DEMO_SAMPLES / 10],
             1e3 * ms[DEMO_SAMPLES - 1 - DEMO_SAMPLES / 10] };
}

// --- the table: tab-separated, "#" lines and a header first

// Opens FILE to append rows to it, or stdout for "-"; there is nothing else on stdout then. A file
// that holds other columns is refused.
inline FILE *demo_table(const char *path, const struct demo_device *d, const char *header, int argc,
                        char **argv)
{
    bool to_stdout = strcmp(path, "-") == 0, empty = true;
    FILE *table = to_stdout ? fdopen(dup(STDOUT_FILENO), "w") : fopen(path, "a+");
    struct stat is = {};
    char *line = NULL, date[16];
    size_t room = 0;
    time_t now = time(NULL);

    if (!table || (to_stdout && !freopen("/dev/null", "w", stdout)) ||
        fstat(fileno(table), &is) < 0)
        demo_die(DEMO_USAGE,
                 "--tsv '%s': %s; accepted is a file that can be written, or - for stdout", path,
                 strerror(errno));
    while (!to_stdout && S_ISREG(is.st_mode) && getline(&line, &room, table) >= 0) {
        line[strcspn(line, "\n")] = '\0';
        if (line[0] == '#')
            continue;
        empty = false;
        if (strcmp(line, header) != 0)
            demo_die(DEMO_USAGE,
                     "--tsv '%s': holds something else; accepted is a new or empty file, or a "
                     "table of this program",
                     path);
        break;
    }
    free(line);
    strftime(date, sizeof date, "%Y-%m-%d", localtime(&now));
    if (empty) {
        fprintf(table, "# device: %s\n", d->name);
        if (d->cuda[0])
            fprintf(table, "# cuda: %s\n", d->cuda);
        fprintf(table, "# date: %s\n# command:", date);
        for (int i = 0; i < argc; i++)
            fprintf(table, " %s", argv[i]);
        fprintf(table, "\n%s\n", header);
    }
    return table;
}

// The exit status of a program that was right: what it printed must have got there.
inline int demo_end(FILE *table, const char *path)
{
    if (table && (ferror(table) || fclose(table) != 0))
        demo_die(DEMO_USAGE, "--tsv '%s': cannot be written: %s", path, strerror(errno));
    if (fflush(stdout) != 0 || ferror(stdout))
        demo_die(DEMO_USAGE, "stdout: cannot be written: %s", strerror(errno));
    return DEMO_RIGHT;
}

#endif
