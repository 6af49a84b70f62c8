// The lab "find the cheat": runs the benchmark on all entries, and prints the points. The clock is
// the model that lab.h describes. A benchmark that ends its process has rejected the entry.
#include "entries.h"

#include <map>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "emu.h"

// --- the clock, in microseconds

static const double LAUNCH_US = 2, HOST_US = 1, BYTES_PER_US = 1000, SECTOR = 32, IN_L2 = 0.25;

static struct {
    double host, busy;
    std::map<cudaStream_t, double> end;   // when the last launch of each stream ends
    struct emu_counts before;
    const void *next_kept, *kept;
} model;

void launch_begins() { emu_totals(&model.before); }

void launch_ends(cudaStream_t stream)
{
    struct emu_counts c;
    double loads, stores, us, &end = model.end[stream];

    emu_totals(&c);
    loads = (double)(c.ld_sectors - model.before.ld_sectors);
    stores = (double)(c.st_sectors - model.before.st_sectors);
    if (model.next_kept && model.next_kept == model.kept)
        loads *= IN_L2;
    model.kept = model.next_kept;
    model.next_kept = NULL;
    us = LAUNCH_US + (loads + stores) * SECTOR / BYTES_PER_US;
    model.host += HOST_US;
    end = fmax(end, model.host) + us;
    model.busy += us;
}

void next_keeps_in_l2(const void *array) { model.next_kept = array; }

double record_event() { return fmax(model.end[0], model.host); }

double us_between(double start, double stop)
{
    model.host = fmax(model.host, stop);
    return stop - start;
}

void wait_for_gpu()
{
    cudaDeviceSynchronize();
    for (auto &stream : model.end)
        model.host = fmax(model.host, stream.second);
}

void flush_l2() { model.kept = NULL; }

// --- the truth

// The time of one call, after prepare(), with `in` in memory and all streams waited for.
static double true_us(const struct entry *e)
{
    float *in, *out;
    double before;

    cudaMalloc((void **)&in, ROWS * COLS * sizeof(float));
    cudaMalloc((void **)&out, ROWS * COLS * sizeof(float));
    cudaMemset(in, 0, ROWS * COLS * sizeof(float));
    wait_for_gpu();
    e->prepare(in, out, ROWS, COLS);
    wait_for_gpu();
    before = model.busy;
    e->transpose(in, out, ROWS, COLS);
    wait_for_gpu();
    return model.busy - before;
}

// --- judging

struct answer {
    bool accepted;
    double us;
};

// What `run` stores, in a process of its own. Rejected if the process fails.
template <class Run> static struct answer isolated(Run run)
{
    struct answer answer = { false, 0 };
    int end[2], status;
    pid_t child = -1;

    if (pipe(end) || (child = fork()) < 0) {
        perror("cheats");
        exit(2);
    }
    if (child == 0) {
        run(&answer);
        _exit(write(end[1], &answer, sizeof answer) != sizeof answer);
    }
    close(end[1]);
    if (read(end[0], &answer, sizeof answer) != sizeof answer)
        answer.accepted = false;
    close(end[0]);
    waitpid(child, &status, 0);
    return answer;
}

static bool is_near(double us, double truth) { return fabs(us - truth) <= 0.1 * truth; }

// Whether the benchmark is right about this entry. Prints a line.
static bool judge(const struct named_entry *n)
{
    struct answer truth, said;
    bool right_time, good;

    truth = isolated([&](struct answer *a) { a->us = true_us(&n->entry); });
    said = isolated([&](struct answer *a) { a->accepted = benchmark(&n->entry, &a->us); });
    right_time = said.accepted && is_near(said.us, truth.us);
    good = n->honest ? right_time : !said.accepted || (right_time && !n->must_be_rejected);
    printf("%-16s  %-8s", n->name, said.accepted ? "accepted" : "rejected");
    if (said.accepted)
        printf("  %6.1f us", said.us);
    else
        printf("  %9s", "");
    printf("  %s\n", !n->honest       ? (good ? "caught" : "PASSES")
                     : good           ? "honest"
                     : !said.accepted ? "HONEST, and is rejected"
                                      : "HONEST, and its time is wrong");
    return good;
}

int main()
{
    enum { HONEST_POINTS = 4 };   // lost for each: to reject all entries brings no points
    int caught = 0, cheats = 0, lost = 0;

    setvbuf(stdout, NULL, _IONBF, 0);   // children must not print what this process has buffered
    for (int i = 0; i < n_entries; i++) {
        bool good = judge(&entries[i]);

        cheats += !entries[i].honest;
        caught += !entries[i].honest && good;
        lost += entries[i].honest && !good ? HONEST_POINTS : 0;
    }
    printf("%d of %d points\n", caught > lost ? caught - lost : 0, cheats);
    return caught - lost == cheats ? 0 : 1;
}
