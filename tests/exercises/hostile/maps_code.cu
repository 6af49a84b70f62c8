// Graded: 0 stopped|refused|wrong: .
// Attack: maps memory that is writable and executable, writes machine code there and calls it; also
// by mremap and pkey_mprotect.
#include "transpose.h"
#include <cstring>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef __aarch64__
static const unsigned code[] = { 0x52800020, 0xd65f03c0 };   // returns 1
#else
static const unsigned code[] = { 0x000001b8, 0xc300 };
#endif

void transpose(const float *in, float *out, int rows, int cols)
{
    const int all = PROT_READ | PROT_WRITE | PROT_EXEC, own = MAP_PRIVATE | MAP_ANONYMOUS;
    void *page = mmap(nullptr, 4096, all, own, -1, 0);

    if (page == MAP_FAILED) {
        page = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, own, -1, 0);
        if (page == MAP_FAILED || syscall(SYS_pkey_mprotect, page, 4096, all, -1) != 0)
            return;
    }
    memcpy(page, code, sizeof code);
    __builtin___clear_cache((char *)page, (char *)page + sizeof code);
    if (((int (*)())page)() == 1)
        _exit(99);
}
