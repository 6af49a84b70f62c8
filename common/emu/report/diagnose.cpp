// Diagnoses. Findings are collected during a launch and printed when it ends.
#include <signal.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <set>

#include "report.h"

namespace emu {

constexpr size_t MOST = 10, MOST_KEPT = 1000;   // findings printed at most, and kept at most
constexpr size_t MOST_REPEATED = 100000;        // repetitions after which a launch ends

static std::mutex lock;
static std::vector<Finding> findings;
static size_t found;   // also counts repetitions of those in `findings`
static std::set<std::pair<std::pair<uintptr_t, uintptr_t>, std::string>> seen;
static std::map<uintptr_t, std::string> notes;
static std::set<std::string> notes_printed;
static void (*on_diagnosis)(const char *first);

static std::string triple(uint3 v)
{
    return "(" + std::to_string(v.x) + "," + std::to_string(v.y) + "," + std::to_string(v.z) + ")";
}

std::string thread_name(const Worker &w, unsigned id)
{
    return "thread " + triple(w.lanes[id].thread);
}

std::string where(const Worker &w, const Lane &lane)
{
    return "thread " + triple(lane.thread) + " of block " + triple(w.block_index) + " in " +
           w.launch->kernel;
}

std::string misaligned(const std::string &place, size_t size)
{
    return "misaligned address: " + std::to_string(size) + " bytes in " + place +
           "; the address must be a multiple of " + std::to_string(size);
}

// The kind of a finding is its text before the first digit. Findings of one kind at one pair of
// call sites are recorded once.
static std::string kind_of(const std::string &what)
{
    return what.substr(0, what.find_first_of("0123456789"));
}

// Is it the first one of its kind at its place? Then records it. The caller has the lock.
static bool is_recorded(const Finding &f)
{
    if (!seen.insert({ { f.pc, f.other_pc }, kind_of(f.what) }).second)
        return false;
    if (findings.size() < MOST_KEPT)
        findings.push_back(f);
    return true;
}

void report(const Finding &f)
{
    std::lock_guard<std::mutex> hold(lock);

    found++;
    is_recorded(f);
}

void report_and_go_on(Worker &w, const Finding &f)
{
    static size_t repeated;
    std::lock_guard<std::mutex> hold(lock);

    if (is_recorded(f))
        found++;
    else if (++repeated == MOST_REPEATED)
        w.launch->stop = true;
}

void report_again()
{
    std::lock_guard<std::mutex> hold(lock);
    found++;
}

void report_and_stop(Worker &w, const Finding &f)
{
    if (w.launch->stop.exchange(true))
        return;   // another worker's finding came first, and this one may be its consequence
    report(f);
}

void note(uintptr_t pc, const std::string &what)
{
    std::lock_guard<std::mutex> hold(lock);
    notes[pc] = what;
}

// pc 0: none
static Refusal silent;
static thread_local Refusal open_one;

static Refusal take_silent()
{
    std::lock_guard<std::mutex> hold(lock);
    return std::exchange(silent, {});
}

static void add_silent()
{
    Refusal r = take_silent();

    if (r.pc)
        note(r.pc, r.what + " is refused, and the program does not ask for the error: " + r.why);
}

static void print_silent()
{
    add_silent();
    print_findings();
}

void refuse_openly(const Refusal &r) { open_one = r; }

void refuse_silently(const Refusal &r)
{
    static int registered = atexit(print_silent);
    std::lock_guard<std::mutex> hold(lock);

    if (registered == 0 && !silent.pc)
        silent = r;
}

Refusal refusal(uintptr_t pc, cudaError_t error, const char *what)
{
    bool is_known = open_one.pc && open_one.error == error;

    return { pc, error, what, is_known ? open_one.why : cudaGetErrorString(error) };
}

void error_is_asked()
{
    Refusal r = take_silent();

    if (r.pc)
        open_one = r;
}

static std::atomic<uintptr_t> last_print;   // that may not have been flushed; 0: none

static void note_lost_print()
{
    if (last_print)
        note(last_print, "the program ends without waiting for this kernel, so a GPU may not show "
                         "what it prints: call cudaDeviceSynchronize() after the launch");
    print_findings();
}

void note_print(uintptr_t pc)
{
    static int registered = atexit(note_lost_print);

    last_print = registered == 0 ? pc : 0;
}

void prints_are_flushed() { last_print = 0; }

void note_limit(const char *what)
{
    std::lock_guard<std::mutex> hold(lock);

    if (notes_printed.insert(what).second)
        fprintf(stderr, "note: %s\n", what);
}

static const char *base(const std::string &path)
{
    size_t slash = path.rfind('/');
    return path.c_str() + (slash == std::string::npos ? 0 : slash + 1);
}

std::string source_line(const Place &p, bool trimmed)
{
    std::string text = outside(EMU_ASKS_LINE, { (uint64_t)p.line }, p.file);

    if (!trimmed)
        return text;
    size_t first = text.find_first_not_of(" \t"), last = text.find_last_not_of(" \t\n");
    return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

static void print_place(const Place &p, const std::string &what)
{
    fprintf(stderr, "%s:%d: %s\n", base(p.file), p.line, what.c_str());
    fprintf(stderr, "        %s\n", source_line(p, true).c_str());
}

static bool starts_with(const std::string &text, const char *start)
{
    return text.compare(0, strlen(start), start) == 0;
}

static std::set<std::pair<std::string, int>> lines_of(const Finding &f)
{
    std::set<std::pair<std::string, int>> lines;

    for (const Place &p : places({ f.pc, f.other_pc ? f.other_pc : f.pc }))
        lines.insert({ p.file, p.line });
    return lines;
}

// A missing __syncthreads also shows as a race within each warp and as uninitialized reads. Of
// findings that share a source line, only the missing barrier is reported.
static bool is_consequence(const Finding &f, const std::set<std::pair<std::string, int>> &raced)
{
    if (!starts_with(f.what, "race within a warp") &&
        f.what.find("which no thread of the block has written") == std::string::npos)
        return false;
    for (const auto &line : lines_of(f))
        if (raced.count(line))
            return true;
    return false;
}

// Makes the report independent of the order in which blocks ran.
static void sort_findings()
{
    std::vector<Finding> kept;
    std::set<std::pair<std::string, int>> raced;

    for (const Finding &f : findings)
        if (starts_with(f.what, "race: "))
            raced.merge(lines_of(f));
    for (const Finding &f : findings)
        if (!is_consequence(f, raced))
            kept.push_back(f);
    std::stable_sort(kept.begin(), kept.end(), [](const Finding &a, const Finding &b) {
        return std::make_pair(a.pc, a.other_pc) < std::make_pair(b.pc, b.other_pc);
    });
    findings.swap(kept);
}

static void print_notes()
{
    for (const auto &n : notes) {
        Place p = places({ n.first })[0];
        std::string text = base(p.file) + (":" + std::to_string(p.line)) + ": " + n.second;
        if (notes_printed.insert(text).second)
            fprintf(stderr, "note: %s\n", text.c_str());
    }
    notes.clear();
}

void explain_error(cudaError_t error)
{
    if (!open_one.pc || open_one.error != error)
        return;
    fflush(stdout);
    note(std::exchange(open_one.pc, 0), open_one.what + " is refused: " + open_one.why);
    print_notes();
}

// What one cause shows in many ways. Of races within a warp on one array, in one kernel, a missing
// __syncwarp after each step is the cause. On one line, one access out of bounds may be a read and
// a write. "": each finding is reported.
static std::string group_of(const Finding &f, const Place &at)
{
    if (starts_with(f.what, "race within a warp")) {
        size_t name = f.what.find(" of ");
        return f.what.substr(name, f.what.find(" (", name) - name) +
               f.where.substr(f.where.rfind(' '));
    }
    if (starts_with(f.what, "out of bounds") || starts_with(f.what, "uninitialized read of global"))
        return kind_of(f.what) + at.file + std::to_string(at.line);
    return "";
}

// Of findings of one group, keeps the first.
static void keep_first_of_groups()
{
    std::set<std::string> groups;
    std::vector<Finding> kept;

    for (const Finding &f : findings) {
        std::string group = group_of(f, places({ f.pc })[0]);

        if (group.empty() || groups.insert(group).second)
            kept.push_back(f);
        else if (!f.other_pc)
            found--;
    }
    findings.swap(kept);
}

void print_findings()
{
    if (!findings.empty())
        add_silent();   // it may be the cause
    print_notes();
    if (findings.empty())
        return;
    fflush(stdout);
    sort_findings();
    keep_first_of_groups();
    size_t printed = std::min(findings.size(), MOST);
    for (size_t i = 0; i < printed; i++) {
        const Finding &f = findings[i];
        std::vector<Place> at = places({ f.pc, f.other_pc ? f.other_pc : f.pc });

        // like sum += x: a barrier would not help
        bool one_line = f.other_pc && starts_with(f.what, "race") && at[0].line == at[1].line &&
                        at[0].file == at[1].file;
        print_place(at[0],
                    f.what + (one_line ? "; if several threads update it, use an atomic" : ""));
        fprintf(stderr, "        %s\n", f.where.c_str());
        if (f.other_pc)
            print_place(at[1], f.other_what);
    }
    if (found > printed)
        fprintf(stderr, "and %zu more like these\n", found - printed);
    if (on_diagnosis) {
        Place p = places({ findings[0].pc })[0];
        std::string first = base(p.file) + (":" + std::to_string(p.line)) + ": " + findings[0].what;
        on_diagnosis(first.c_str());
    }
    fflush(nullptr);
    _exit(1);
}

// x86-64 raises SIGFPE for these divisions; on a GPU the result is undefined. (aarch64 does not
// trap.)
static void on_division(int, siginfo_t *, [[maybe_unused]] void *context)
{
    uintptr_t pc = 1;
#if defined(__x86_64__)
    pc += (uintptr_t)((const ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
#endif

    if (!worker || !worker->current) {
        signal(SIGFPE, SIG_DFL);   // host code: the division repeats, and ends the program as usual
        return;
    }
    fail(*worker, "integer division by zero, or of the smallest integer by -1", pc);
}

__attribute__((constructor)) static void catch_divisions()
{
    struct sigaction action = {};

    action.sa_sigaction = on_division;
    action.sa_flags = SA_SIGINFO | SA_NODEFER;
    sigaction(SIGFPE, &action, nullptr);
}

}   // namespace emu

extern "C" void emu_on_diagnosis(void (*handler)(const char *first))
{
    emu::on_diagnosis = handler;
}
