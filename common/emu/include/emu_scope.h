// Scopes and orders of atomics, strong accesses and fences.
#ifndef EMU_SCOPE_H
#define EMU_SCOPE_H

namespace emu {

// The threads with which an operation synchronizes (PTX ISA, "Scope"; cuda::thread_scope): of the
// thread itself, of its block, of its cluster, of the device, of all devices and the host.
enum class Scope : unsigned char { thread, block, cluster, device, system };
enum class MemoryOrder : unsigned char { relaxed, acquire, release, acq_rel, seq_cst };

}   // namespace emu

#endif
