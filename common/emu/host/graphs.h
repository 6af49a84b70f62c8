// Stream capture: operations of a stream that are recorded into a graph (graphs.cpp).
#ifndef EMU_CAPTURE_H
#define EMU_CAPTURE_H

#include <functional>
#include <optional>

#include "include/cuda_runtime_api.h"

namespace emu {

bool is_capturing();      // any stream
bool is_graph_launch();   // by the running thread: the operations of a graph run
// If operations of the stream are captured, or forbidden because of a capture, returns the result
// of the call. `run` is the operation, in the stream in which the graph is launched.
std::optional<cudaError_t> capture(cudaStream_t, cudaGraphNodeType,
                                   std::function<cudaError_t(cudaStream_t)> run);
// An event is recorded, or waited for, by a stream whose operations are captured: the event then
// belongs to the capture, and the stream that waits for it does.
bool capture_record(cudaEvent_t, cudaStream_t);
bool capture_wait(cudaStream_t, cudaEvent_t);
// A call that a capture forbids: invalidates the capture, and returns the error of the call, or
// success if nothing is captured. A null pointer: of any stream.
cudaError_t forbidden_by_capture(const cudaStream_t *);

}   // namespace emu

#endif
