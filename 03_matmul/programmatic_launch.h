// The launch of stage 26, for stages of every type. The namespace is named after the stage that
// shows its contents, and has the same text.
#ifndef PROGRAMMATIC_LAUNCH_H
#define PROGRAMMATIC_LAUNCH_H

#include "matmul.h"

namespace stage26 {
// Launches a kernel; the start of its blocks may overlap the end of the kernel before.
template <class Kernel, class... Arguments>
void launch_overlapping(Kernel *kernel, int blocks, int threads, size_t shared,
                        Arguments... arguments)
{
    cudaLaunchAttribute overlap = { cudaLaunchAttributeProgrammaticStreamSerialization };
    overlap.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = { blocks, threads, shared, cudaStreamPerThread, &overlap, 1 };

    if (allow_shared(kernel, shared))
        cudaLaunchKernelEx(&config, kernel, arguments...);
}
}   // namespace stage26

#endif
