// Device memory: what was allocated and written (memory.cpp).
#ifndef EMU_MEMORY_H
#define EMU_MEMORY_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "lanes/worker.h"
#include "order.h"

namespace emu {

extern char *heap;   // start; null before the first allocation
extern size_t heap_bytes;
inline bool in_heap(uintptr_t address) { return address - (uintptr_t)heap < heap_bytes && heap; }
size_t heap_offset(uintptr_t address);
size_t heap_size();   // reserved; 0 before the first allocation
size_t heap_top();    // the part that was allocated
size_t heap_used();   // bytes of allocations
// A dry run: no launch is executed, so device memory only has addresses (emu_dry_run).
extern bool is_dry_run;
// Hashes: of bytes, and of all allocations and device variables, which must be accessible.
uint64_t hash_of(const void *, size_t bytes, uint64_t seed);
uint64_t hash_of_memory();
// Makes device memory accessible, or not.
void protect_device(bool open);
// The allocation that contains an address of the heap; without bytes if there is none.
Range allocation_of(uintptr_t address);
// Were all bytes of these aligned reads of arrays written?
bool all_written(const Request &);
// Checks a kernel's access against the allocations. Returns "" or what is wrong.
std::string check_global(uintptr_t address, size_t size);
// The message for an address where no array is.
std::string far_from_arrays(uintptr_t address, size_t size);
// The same for the bytes that it reads within an allocation: were they written? `of` copies an
// object whose padding may be uninitialized; null: no object.
std::string check_written(uintptr_t address, size_t size, const Stop *of = nullptr);
// Does an access out of bounds at this address change nothing that belongs to the program? Then
// the launch can go on after the report.
bool may_go_on(uintptr_t address, size_t size);
std::string global_name(uintptr_t address);   // for messages
void mark_written(uintptr_t address, size_t size, bool yes = true);
void mark_written(const Request &);                // aligned stores to arrays
unsigned char *written_flags(uintptr_t address);   // one per 4 bytes, from this one of the heap on
bool is_written(uintptr_t address, size_t size);   // all of it; true for variables
// Where an allocation lives. device: only kernels access it. managed: kernels and the host access
// it; in copies it is host or device memory. pinned: kernels and the host access it; in copies it
// is host memory.
enum class Home { device, managed, pinned };
cudaError_t allocate(void **pointer, size_t bytes, Home home = Home::device);
// malloc and free in a kernel. Reserves device memory before the first launch, so that a kernel can
// allocate; allocates, null if kernels then have more than `limit` bytes; frees, and returns "" or
// what is wrong.
void reserve_heap();
void *allocate_in_kernel(size_t bytes, size_t limit);
std::string free_in_kernel(void *pointer);
Home home_of(const void *pointer);   // pinned: also for all other host memory
cudaError_t release(void *pointer);
size_t allocated_bytes(void *pointer);   // 0 if no allocation starts there
// Does the range lie within one allocation? True for host memory.
bool fits(const void *pointer, size_t bytes);
size_t physical();   // physical memory of the machine, in bytes
constexpr size_t LARGE_PAGE = 2 << 20;
// Asks the system for large pages where they lie within this memory.
void use_large_pages(void *start, size_t bytes);
void populate(void *start, size_t bytes);   // by one call, if the system can do that

// The allocations; those that the host can access, or all. Adds what the last launch
// accessed there.
void collect_uses_of_heap(bool all, std::vector<Interval> used[USES]);

}   // namespace emu

#endif
