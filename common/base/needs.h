// What a stage needs of a GPU.
#ifndef NEEDS_H
#define NEEDS_H

#ifdef __cplusplus
extern "C" {
#endif

// What the CPU device has: the instructions of sm_90a.
enum { CPU_DEVICE_SM = 90 };

// Whether a GPU of compute capability sm, 90 for 9.0, has what a line "// Needs: sm_90" names: that
// one or a later one. "sm_90a" is that one only. "" needs nothing.
int needs_met(const char *needs, int sm);

#ifdef __cplusplus
}
#endif

#endif
