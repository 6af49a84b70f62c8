// What was found wrong with a kernel. Findings are gathered while a launch runs and printed when it
// is over.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <set>

#include "internal.h"

namespace emu {

constexpr size_t MOST = 10;   // findings to print

static std::mutex lock;
static std::vector<Finding> findings;
static size_t found;   // also those that look like one in `findings`
static std::set<std::pair<std::pair<uintptr_t, uintptr_t>, std::string>> seen;
static std::map<uintptr_t, std::string> notes;
static std::set<uintptr_t> notes_printed;
static void (*on_diagnosis)(void);

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

// Findings of one kind at one pair of places are one finding: the kind is the text before the first
// digit.
static std::string kind_of(const std::string &what)
{
    return what.substr(0, what.find_first_of("0123456789"));
}

void report(const Finding &f)
{
    std::lock_guard<std::mutex> hold(lock);

    found++;
    if (seen.insert({ { f.pc, f.other_pc }, kind_of(f.what) }).second && findings.size() < MOST)
        findings.push_back(f);
}

void report_again()
{
    std::lock_guard<std::mutex> hold(lock);
    found++;
}

void report_and_stop(Worker &w, const Finding &f)
{
    if (w.launch->stop.exchange(true))
        return;   // another worker's came first; this one may be its consequence
    report(f);
}

void note(uintptr_t pc, const std::string &what)
{
    std::lock_guard<std::mutex> hold(lock);
    notes[pc] = what;
}

static const char *base(const std::string &path)
{
    size_t slash = path.rfind('/');
    return path.c_str() + (slash == std::string::npos ? 0 : slash + 1);
}

static std::string source_line(const Place &p)
{
    FILE *f = fopen(p.file.c_str(), "r");
    char line[1024] = "";

    for (int i = 0; f && i < p.line; i++)
        if (!fgets(line, sizeof line, f))
            line[0] = '\0';
    if (f)
        fclose(f);
    std::string text = line;
    size_t first = text.find_first_not_of(" \t"), last = text.find_last_not_of(" \t\n");
    return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

static void print_place(const Place &p, const std::string &what)
{
    fprintf(stderr, "%s:%d: %s\n", base(p.file), p.line, what.c_str());
    fprintf(stderr, "        %s\n", source_line(p).c_str());
}

void print_findings()
{
    for (const auto &n : notes)
        if (notes_printed.insert(n.first).second) {
            Place p = places({ n.first })[0];
            fprintf(stderr, "note: %s:%d: %s\n", base(p.file), p.line, n.second.c_str());
        }
    notes.clear();
    if (findings.empty())
        return;
    fflush(stdout);
    for (const Finding &f : findings) {
        std::vector<Place> at = places({ f.pc, f.other_pc ? f.other_pc : f.pc });

        print_place(at[0], f.what);
        fprintf(stderr, "        %s\n", f.where.c_str());
        if (f.other_pc)
            print_place(at[1], f.other_what);
    }
    if (found > findings.size())
        fprintf(stderr, "and %zu more like these\n", found - findings.size());
    if (on_diagnosis)
        on_diagnosis();
    fflush(nullptr);
    _exit(1);
}

}   // namespace emu

extern "C" void emu_on_diagnosis(void (*handler)(void)) { emu::on_diagnosis = handler; }
