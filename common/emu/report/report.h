// Diagnoses, and what they name: source places, variables and structs of the program.
#ifndef EMU_REPORT_H
#define EMU_REPORT_H

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "lanes/worker.h"

namespace emu {

// ---- places.cpp ----

// A source location.
struct Place {
    std::string file;
    int line;
};
// Call site `pc` stands for an instruction of inline PTX in the call that returns to `call`.
void note_site(uintptr_t pc, uintptr_t call);
// Resolves call sites with addr2line: to the innermost inlined frame in a .cu file, else to the
// innermost frame.
std::vector<Place> places(const std::vector<uintptr_t> &pcs);
// Are two call sites copies of one statement, in an unrolled loop or an inlined function?
bool is_one_statement(uintptr_t pc, uintptr_t other_pc);

// ---- diagnose.cpp ----

struct Finding {
    std::string what;   // one sentence, without a source location
    uintptr_t pc;
    std::string other_what;   // about a second source location; "" if there is none
    uintptr_t other_pc;
    std::string where;   // block, thread and kernel
};
std::string where(const Worker &, const Lane &);
std::string thread_name(const Worker &, unsigned id);
// What is wrong with an access of `size` bytes to this place, "x (byte 1 of 4)".
std::string misaligned(const std::string &place, size_t size);
void report(const Finding &);   // records it, once per pair of call sites and kind
void report_again();            // counts a repetition of a recorded one
// Records a fault after which the launch goes on, to find those of other kinds; not its
// repetitions, of which very many end the launch.
void report_and_go_on(Worker &, const Finding &);
void report_and_stop(Worker &, const Finding &);   // records it and ends the launch

// legal but noteworthy; no effect on the exit status
void note(uintptr_t pc, const std::string &what);
// Prints a limit of the CPU device that was reached, once.
void note_limit(const char *what);
// A launch or a call of the runtime API that was refused.
struct Refusal {
    uintptr_t pc;
    cudaError_t error;
    std::string what, why;   // "cudaMemcpy"
};
// The program has the error. The reason is noted when it takes the error's words, to print them.
void refuse_openly(const Refusal &);
void explain_error(cudaError_t);
// The program does not have the error. Unless it asks for it, the first such refusal is noted when
// the program ends, and before the findings, because it may be their cause.
void refuse_silently(const Refusal &);
void error_is_asked();
// That of the call of `what` that has just returned.
Refusal refusal(uintptr_t pc, cudaError_t error, const char *what);
// A kernel prints at `pc`. A GPU flushes its buffer when the next kernel starts or the host waits,
// and not when the program ends (Programming Guide, "Formatted Output"): that is noted.
void note_print(uintptr_t pc);
void prints_are_flushed();
// Prints notes and findings. If there are findings, ends the program with status 1.
void print_findings();
std::string source_line(const Place &, bool trimmed);   // "" if there is no such file or line

// ---- variables of the program (symbols.cpp) ----

enum class Image { none, device, constant, read_only };
// The kind of device variable or read-only data at the address; `none` for anything else.
Image in_image(uintptr_t address);
// Host code has other addresses of __device__ and __constant__ variables than kernels. Only the
// functions for symbols accept them, and convert them with symbol_address(). It returns any other
// address unchanged.
bool is_host_copy(uintptr_t address);
uintptr_t symbol_address(uintptr_t address);
std::string host_copy_name(uintptr_t address);   // of the variable
std::string host_copy_used(uintptr_t address);   // the report of an access by a kernel
Range device_variables();   // the sections of device and managed variables, and what is between
bool is_managed_variable(uintptr_t address);
// The name of the template in host memory that has this address, or "". Before g++ 14, a template
// of variables has no section.
std::string host_template(uintptr_t address);
std::string variable_name(uintptr_t address);   // for messages
// Is there a __device__ or __constant__ variable of that name, in any namespace?
bool is_variable(const std::string &name);
// Returns "" or a message: the access goes past the end of the variable before it.
std::string check_variable(uintptr_t address, size_t size);

// ---- types of the program (types.cpp) ----

// Does the translation unit of the code at `pc` have a struct of `struct_bytes` bytes in which the
// `bytes` bytes from `offset` on are padding? The first call runs readelf and is slow.
bool is_padding(uintptr_t pc, size_t struct_bytes, size_t offset, size_t bytes);
// The same for another program, whose own code is at `self`.
bool padding_of(const std::string &program, uintptr_t pc, uintptr_t self, size_t struct_bytes,
                size_t offset, size_t bytes);

// ---- files and other programs (outside.cpp) ----

// Answers a question about this program; emu.h explains them.
std::string outside(const emu_question &question);
std::string outside(emu_asks what, const std::vector<uint64_t> &numbers, const std::string &file);
std::string demangled(const char *name);
// Starts a program, without a shell, and reads what it prints. argv[] ends with null.
void read_output(const char *const argv[], const std::function<void(FILE *)> &read);

}   // namespace emu

#endif
