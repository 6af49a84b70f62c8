// machine: measures a GPU, and writes one number per line: what `make machine` runs
#include <math.h>
#include <algorithm>
#include <map>
#include <string>

#include "machine.h"

struct device gpu;

// The formulas of datasheets.tsv for this GPU's compute capability, by the names of the numbers.
static std::map<std::string, std::pair<double, std::string>> formulas;

// All samples of a number, of all passes.
struct number {
    std::string name, unit, formula;
    double value;   // of the formula; 0: none
    std::vector<double> samples;
};
static std::vector<struct number> numbers;

static void read_formulas(const char *path)
{
    char line[1024], *field[5];
    FILE *file = fopen(path, "r");
    const char *capability = text_of("%d.%d", gpu.sm / 10, gpu.sm % 10);

    if (!file)
        die(STATUS_USAGE, "%s: cannot be read", path);
    while (fgets(line, sizeof line, file)) {
        char *rest = line;
        int n = 0;

        line[strcspn(line, "\n")] = '\0';
        while (line[0] != '#' && n < 5 && (field[n] = strsep(&rest, "\t")))
            n++;
        if (n == 5 && same(field[0], capability))
            formulas[field[1]] = { atof(field[2]), field[4] };
    }
    fclose(file);
}

static struct number *found(const char *name)
{
    for (struct number &n : numbers)
        if (n.name == name)
            return &n;
    return NULL;
}

void record(const char *name, const char *unit, std::vector<double> samples, const char *formula,
            double value)
{
    struct number *n = found(name);

    if (!n) {
        numbers.push_back({ name, unit, formula, value, {} });
        n = &numbers.back();
    }
    n->samples.insert(n->samples.end(), samples.begin(), samples.end());
}

void record(const char *name, const char *unit, std::vector<double> samples)
{
    auto formula = formulas.find(name);

    if (formula == formulas.end())
        record(name, unit, samples, "", 0);
    else
        record(name, unit, samples, formula->second.second.c_str(), formula->second.first);
}

double recorded(const char *name)
{
    const struct number *n = found(name);
    std::vector<double> samples;

    if (n)
        samples = n->samples;
    return n ? stats_of(samples.data(), samples.size()).median : 0;
}

static __global__ void fill_addresses(unsigned long long *words, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        words[i] = (unsigned long long)&words[i];
}

unsigned long long *own_addresses(size_t bytes)
{
    unsigned long long *words = demo_allocate<unsigned long long>(bytes / 8);

    fill_addresses<<<(unsigned)((bytes / 8 + 255) / 256), 256>>>(words, bytes / 8);
    cuda_must(cudaDeviceSynchronize(), "filling memory");
    return words;
}

// --- the device itself

static void record_limit(const char *name, const char *unit, double value)
{
    record(name, unit, { value });
}

// What the driver reports.
static void measure_device(void)
{
    record_limit("device.sms", "SMs", gpu.sms);
    record_limit("device.clock", "MHz", demo_attribute(cudaDevAttrClockRate) / 1e3);
    record_limit("device.memory_clock", "MHz", demo_attribute(cudaDevAttrMemoryClockRate) / 1e3);
    record_limit("device.memory_bus", "bits", demo_attribute(cudaDevAttrGlobalMemoryBusWidth));
    record_limit("device.l2", "bytes", gpu.l2_bytes);
    record_limit("device.shared_per_sm", "bytes",
                 demo_attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor));
    record_limit("device.shared_per_block", "bytes",
                 demo_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin));
    record_limit("device.registers_per_sm", "registers",
                 demo_attribute(cudaDevAttrMaxRegistersPerMultiprocessor));
    record_limit("device.threads_per_sm", "threads",
                 demo_attribute(cudaDevAttrMaxThreadsPerMultiProcessor));
    record_limit("device.blocks_per_sm", "blocks",
                 demo_attribute(cudaDevAttrMaxBlocksPerMultiprocessor));
}

// --- the clock

// SASS: 4busy FFMA 64
static __global__ void busy(int rounds, cycle *cycles, cycle *times, float *out)
{
    float x[4] = { 1, 2, 3, (float)threadIdx.x };
    cycle start, end;

    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
    timed(rounds, cycles, [&] {
#pragma unroll
        for (int i = 0; i < 64; i++)
            asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(x[i % 4]) : "f"(-1.0f), "f"(0.3f));
    });
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(end));
    if (threadIdx.x == 0)
        times[blockIdx.x] = end - start;
    out[blockIdx.x * blockDim.x + threadIdx.x] = x[0] + x[1] + x[2] + x[3];
}

// The clock while all SMs multiply and add, for about 0.2 s.
static void measure_clock(void)
{
    cycle *cycles = demo_allocate<cycle>(gpu.sms), *times = demo_allocate<cycle>(gpu.sms);
    float *out = demo_allocate<float>((size_t)gpu.sms * 1024);
    std::vector<double> mhz;

    for (int i = 0; i < 10; i++) {
        busy<<<gpu.sms, 1024>>>(80000, cycles, times, out);
        std::vector<cycle> c = demo_results(cycles, gpu.sms), ns = demo_results(times, gpu.sms);
        for (int sm = 0; i > 4 && sm < gpu.sms; sm++)
            mhz.push_back(1e3 * c[sm] / ns[sm]);
    }
    record("clock.ffma", "MHz", mhz, "the highest clock that the driver reports",
           demo_attribute(cudaDevAttrClockRate) / 1e3);
    cuda_must(cudaFree(cycles), "freeing");
    cuda_must(cudaFree(times), "freeing");
    cuda_must(cudaFree(out), "freeing");
}

static const struct {
    const char *name;
    void (*measure)(void);
} units[] = {
    { "device", measure_device },   { "clock", measure_clock },
    { "launch", measure_launch },   { "blocks", measure_blocks },
    { "pipes", measure_pipes },     { "shared", measure_shared },
    { "l1", measure_l1 },           { "l2", measure_l2 },
    { "dram", measure_dram },       { "atomics", measure_atomics },
    { "texture", measure_texture }, { "barriers", measure_barriers },
    { "copies", measure_copies },   { "constant", measure_constant },
    { "tensor", measure_tensor },   { "wgmma", measure_wgmma },
};

static void write_table(FILE *table, const char *command)
{
    fprintf(table,
            "# device: %s\n# driver: %s\n# cuda: %s\n# date: %s\n# command: %s\n"
            "name\tvalue\tunit\tp10\tp90\tformula\tformula_value\tratio\n",
            gpu.name, gpu.driver, gpu.cuda, date_text(), command);
    for (struct number &n : numbers) {
        struct stats s = stats_of(n.samples.data(), n.samples.size());

        fprintf(table, "%s\t%.6g\t%s\t%.6g\t%.6g\t%s\t", n.name.c_str(), s.median, n.unit.c_str(),
                s.p10, s.p90, n.formula.c_str());
        if (n.value > 0)
            fprintf(table, "%.6g\t%.3f\n", n.value, s.median / n.value);
        else
            fprintf(table, "\t\n");
    }
}

int main(int argc, char **argv)
{
    const char *path = "-", *only = "", *sheets = "common/machine/datasheets.tsv", *passes = "3";
    const struct argument known[] = {
        { "--to", "FILE the table; default: stdout", &path, NULL },
        { "--only", "UNITS measure these only: \"launch dram\"", &only, NULL },
        { "--passes", "N how often all units are measured; default 3", &passes, NULL },
        { "--datasheets", "FILE the formulas", &sheets, NULL },
    };
    double start = seconds_now();

    take_arguments(argc, argv, "Measures the parts of a GPU", known, 4);
    device_open(0, &gpu);
    read_formulas(sheets);
    FILE *table = same(path, "-") ? stdout : fopen(path, "w");
    if (!table)
        die(STATUS_USAGE, "%s: cannot be written", path);
    for (int pass = argument_number("--passes", passes, 1, 100); pass > 0; pass--)
        for (auto &unit : units)
            if (!only[0] || has_word(only, unit.name)) {
                unit.measure();
                cuda_must(cudaDeviceSynchronize(), unit.name);
            }
    write_table(table, command_text(argc, argv));
    if (table != stdout) {
        fclose(table);
        printf("%s: %s: %d numbers in %.0f s\n", gpu.name, path, (int)numbers.size(),
               seconds_now() - start);
    }
    return finish(STATUS_OK);
}
