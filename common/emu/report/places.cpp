// Source lines of call sites.
#include <algorithm>
#include <cstdlib>
#include <map>
#include <mutex>
#include <sstream>

#include "report.h"

namespace emu {

static std::map<uintptr_t, Place> known;
static std::map<uintptr_t, std::string> statements;   // file and line of the innermost frame

// Chooses among the "file:line" lines that addr2line -i prints for one address, innermost inlined
// frame first: the first in a .cu file, else the first outside the headers of the CPU device.
static Place pick(const std::vector<std::string> &frames)
{
    Place best = { "?", 0 };

    for (const std::string &frame : frames) {
        size_t colon = frame.rfind(':');
        if (colon == std::string::npos)
            continue;
        Place p = { frame.substr(0, colon), atoi(frame.c_str() + colon + 1) };

        if (p.file.size() > 3 && p.file.compare(p.file.size() - 3, 3, ".cu") == 0)
            return p;
        if (best.file == "?" || best.file.find("/emu/include/") != std::string::npos)
            best = p;
    }
    return best;
}

// The innermost frame outside the headers of the CPU device.
static std::string statement_of(const std::vector<std::string> &frames)
{
    for (const std::string &frame : frames)
        if (frame.find("/emu/include/") == std::string::npos)
            return frame.substr(0, frame.find(" ("));   // without the discriminator
    return "";
}

static void keep_frames(uintptr_t pc, const std::vector<std::string> &frames)
{
    known[pc] = pick(frames);
    statements[pc] = statement_of(frames);
}

static void resolve(const std::vector<uintptr_t> &pcs)
{
    std::vector<std::string> frames;
    uintptr_t current = 0;
    std::vector<uint64_t> addresses;   // in the calls, not their return addresses

    for (uintptr_t pc : pcs) {
        known[pc] = { "?", 0 };
        addresses.push_back(pc - 1);
    }
    std::istringstream answer(outside(EMU_ASKS_PLACES, addresses, ""));
    for (std::string line; std::getline(answer, line);) {
        if (line.compare(0, 2, "0x") == 0) {
            if (current)
                keep_frames(current, frames);
            current = strtoull(line.c_str(), nullptr, 16) + 1;
            frames.clear();
        } else
            frames.push_back(line);
    }
    if (current)
        keep_frames(current, frames);
}

static std::mutex places_lock;                     // workers call these functions, too
static std::map<uintptr_t, uintptr_t> ptx_calls;   // by call sites that note_site() has named

void note_site(uintptr_t pc, uintptr_t call)
{
    std::lock_guard<std::mutex> hold(places_lock);
    ptx_calls[pc] = call;
}

bool is_one_statement(uintptr_t pc, uintptr_t other_pc)
{
    places({ pc, other_pc });
    std::lock_guard<std::mutex> hold(places_lock);
    return statements[pc] == statements[other_pc];
}

std::vector<Place> places(const std::vector<uintptr_t> &pcs)
{
    std::lock_guard<std::mutex> hold(places_lock);
    std::vector<uintptr_t> missing;
    std::vector<Place> result;

    auto call_of = [](uintptr_t pc) {
        auto found = ptx_calls.find(pc);
        return found == ptx_calls.end() ? pc : found->second;
    };
    for (uintptr_t pc : pcs)
        if (pc = call_of(pc);
            !known.count(pc) && std::find(missing.begin(), missing.end(), pc) == missing.end())
            missing.push_back(pc);
    if (!missing.empty())
        resolve(missing);
    for (uintptr_t pc : pcs) {
        known[pc] = known[call_of(pc)];
        statements[pc] = statements[call_of(pc)];
        result.push_back(known[pc]);
    }
    return result;
}

}   // namespace emu
