// Graphs that stream capture records. A graph is the list of its operations in the order of the
// recording, in which they run again: branches of the graph do not race with each other here.
#include "graphs.h"

#include <algorithm>
#include <mutex>
#include <set>
#include <vector>

#include "host.h"
#include "streams.h"
#include "lanes/guard.h"

struct CUgraphNode_st {
    cudaGraphNodeType type;
    std::function<cudaError_t(cudaStream_t)> run;
};
struct CUgraph_st {
    std::vector<CUgraphNode_st> nodes;
};
struct CUgraphExec_st {
    std::vector<CUgraphNode_st> nodes;
};

namespace emu {
namespace {

struct Capture {
    cudaStream_t origin;
    std::set<cudaStream_t> streams;
    std::set<cudaEvent_t> events;
    bool is_valid;
    std::vector<CUgraphNode_st> nodes;
};

std::recursive_mutex capture_lock;
std::vector<Capture> captures;
std::set<cudaGraph_t> graphs;
std::set<cudaGraphExec_t> execs;
thread_local bool is_running;

Capture *capture_of(cudaStream_t stream)
{
    for (Capture &c : captures)
        if (c.streams.count(stream))
            return &c;
    return nullptr;
}

bool is_default(cudaStream_t stream) { return !stream || stream == cudaStreamLegacy; }

// Would the legacy default stream wait for a stream of a capture?
bool is_implicit(cudaStream_t stream)
{
    unsigned flags = cudaStreamNonBlocking;

    if (!is_default(stream))
        return false;
    for (const Capture &c : captures)
        for (cudaStream_t s : c.streams)
            if (cudaStreamGetFlags(s, &flags) == cudaSuccess && flags == cudaStreamDefault)
                return true;
    return false;
}

}   // namespace

bool is_graph_launch() { return is_running; }

bool is_capturing()
{
    std::lock_guard<std::recursive_mutex> hold(capture_lock);
    return !captures.empty();
}

std::optional<cudaError_t> capture(cudaStream_t stream, cudaGraphNodeType type,
                                   std::function<cudaError_t(cudaStream_t)> run)
{
    std::lock_guard<std::recursive_mutex> hold(capture_lock);

    if (captures.empty())
        return {};
    if (Capture *c = capture_of(stream)) {
        if (!c->is_valid)
            return cudaErrorStreamCaptureInvalidated;
        c->nodes.push_back({ type, std::move(run) });
        return cudaSuccess;
    }
    if (!is_implicit(stream))
        return {};
    for (Capture &c : captures)
        c.is_valid = false;
    return cudaErrorStreamCaptureImplicit;
}

bool capture_record(cudaEvent_t event, cudaStream_t stream)
{
    std::lock_guard<std::recursive_mutex> hold(capture_lock);
    Capture *of_stream = capture_of(stream);

    for (Capture &c : captures)
        c.events.erase(event);
    if (of_stream)
        of_stream->events.insert(event);
    return of_stream;
}

bool capture_wait(cudaStream_t stream, cudaEvent_t event)
{
    std::lock_guard<std::recursive_mutex> hold(capture_lock);

    for (Capture &c : captures)
        if (c.events.count(event)) {
            c.streams.insert(stream);
            return true;
        }
    return capture_of(stream);   // an event from before the capture
}

cudaError_t forbidden_by_capture(const cudaStream_t *stream)
{
    std::lock_guard<std::recursive_mutex> hold(capture_lock);
    bool is_any = false;

    for (Capture &c : captures)
        if (!stream || c.streams.count(*stream)) {
            c.is_valid = false;
            is_any = true;
        }
    return is_any ? cudaErrorStreamCaptureUnsupported : cudaSuccess;
}

static cudaError_t node_by_node()
{
    return emu_failed(unsupported("graphs that are built node by node; it supports those that a "
                                  "stream captures (cudaStreamBeginCapture)"));
}

}   // namespace emu

using emu::Capture;
#define HOLD_GRAPHS std::lock_guard<std::recursive_mutex> hold(emu::capture_lock)

extern "C" {

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode)
{
    HOLD_GRAPHS;
    if (emu::is_default(stream) || emu::capture_of(stream))
        return emu_failed(emu::is_default(stream) ? cudaErrorStreamCaptureUnsupported
                                                  : cudaErrorIllegalState);
    if (!emu::is_stream(stream))
        return cudaErrorInvalidResourceHandle;
    emu::captures.push_back({ stream, { stream }, {}, true, {} });
    return cudaSuccess;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph)
{
    HOLD_GRAPHS;
    Capture *c = emu::capture_of(stream);

    if (!c || !graph)
        return emu_failed(c ? cudaErrorInvalidValue : cudaErrorIllegalState);
    if (c->origin != stream)
        return emu_failed(cudaErrorStreamCaptureUnmatched);
    emu::guard_result(graph, sizeof *graph, true, __builtin_return_address(0));
    bool is_valid = c->is_valid;
    *graph = is_valid ? new CUgraph_st{ std::move(c->nodes) } : nullptr;
    emu::captures.erase(emu::captures.begin() + (c - emu::captures.data()));
    if (!is_valid)
        return emu_failed(cudaErrorStreamCaptureInvalidated);
    emu::graphs.insert(*graph);
    return cudaSuccess;
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status)
{
    HOLD_GRAPHS;
    const Capture *c = emu::capture_of(stream);

    if (!status)
        return emu_failed(cudaErrorInvalidValue);
    emu::guard_result(status, sizeof *status, true, __builtin_return_address(0));
    *status = !c          ? cudaStreamCaptureStatusNone
            : c->is_valid ? cudaStreamCaptureStatusActive
                          : cudaStreamCaptureStatusInvalidated;
    return cudaSuccess;
}
cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *)
{
    return cudaSuccess;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long)
{
    HOLD_GRAPHS;
    if (!exec || !emu::graphs.count(graph))
        return emu_failed(cudaErrorInvalidValue);
    emu::guard_result(exec, sizeof *exec, true, __builtin_return_address(0));
    emu::execs.insert(*exec = new CUgraphExec_st{ graph->nodes });
    return cudaSuccess;
}
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec, cudaGraph_t graph,
                                          unsigned long long flags)
{
    return cudaGraphInstantiate(exec, graph, flags);
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo *info)
{
    HOLD_GRAPHS;
    if (!emu::execs.count(exec) || !emu::graphs.count(graph) || !info)
        return emu_failed(cudaErrorInvalidValue);
    emu::guard_result(info, sizeof *info, true, __builtin_return_address(0));
    *info = { cudaGraphExecUpdateSuccess, nullptr, nullptr };
    auto same_type = [](const CUgraphNode_st &a, const CUgraphNode_st &b) {
        return a.type == b.type;
    };
    if (exec->nodes.size() != graph->nodes.size())
        info->result = cudaGraphExecUpdateErrorTopologyChanged;
    else if (!std::equal(exec->nodes.begin(), exec->nodes.end(), graph->nodes.begin(), same_type))
        info->result = cudaGraphExecUpdateErrorNodeTypeChanged;
    if (info->result != cudaGraphExecUpdateSuccess)
        return emu_failed(cudaErrorGraphExecUpdateFailure);
    exec->nodes = graph->nodes;
    return cudaSuccess;
}

cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t)
{
    HOLD_GRAPHS;
    return emu_failed(emu::execs.count(exec) ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream)
{
    std::vector<CUgraphNode_st> nodes;
    {
        HOLD_GRAPHS;
        if (!emu::execs.count(exec))
            return emu_failed(cudaErrorInvalidValue);
        nodes = exec->nodes;
    }
    if (!emu::is_stream(stream))
        return cudaErrorInvalidResourceHandle;
    cudaError_t error = cudaSuccess;
    emu::is_running = true;
    for (size_t i = 0; i < nodes.size() && error == cudaSuccess; i++)
        error = nodes[i].run(stream);
    emu::is_running = false;
    return emu_failed(error);
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec)
{
    HOLD_GRAPHS;
    if (!emu::execs.erase(exec))
        return emu_failed(cudaErrorInvalidValue);
    delete exec;
    return cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    HOLD_GRAPHS;
    if (!emu::graphs.erase(graph))
        return emu_failed(cudaErrorInvalidValue);
    delete graph;
    return cudaSuccess;
}
cudaError_t cudaGraphClone(cudaGraph_t *clone, cudaGraph_t graph)
{
    HOLD_GRAPHS;
    if (!clone || !emu::graphs.count(graph))
        return emu_failed(cudaErrorInvalidValue);
    emu::guard_result(clone, sizeof *clone, true, __builtin_return_address(0));
    emu::graphs.insert(*clone = new CUgraph_st(*graph));
    return cudaSuccess;
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *n)
{
    HOLD_GRAPHS;
    if (!n || !emu::graphs.count(graph))
        return emu_failed(cudaErrorInvalidValue);
    emu::guard_result(n, sizeof *n, true, __builtin_return_address(0));
    if (nodes) {
        *n = std::min(*n, graph->nodes.size());
        emu::guard_result(nodes, *n * sizeof *nodes, true, __builtin_return_address(0));
        for (size_t i = 0; i < *n; i++)
            nodes[i] = &graph->nodes[i];
    } else {
        *n = graph->nodes.size();
    }
    return cudaSuccess;
}
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType *type)
{
    if (!node || !type)
        return emu_failed(cudaErrorInvalidValue);
    emu::guard_result(type, sizeof *type, true, __builtin_return_address(0));
    *type = node->type;
    return cudaSuccess;
}

cudaError_t cudaGraphCreate(cudaGraph_t *, unsigned int) { return emu::node_by_node(); }
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *, cudaGraph_t, const cudaGraphNode_t *, size_t,
                                   const struct cudaKernelNodeParams *)
{
    return emu::node_by_node();
}
cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *, cudaGraph_t, const cudaGraphNode_t *, size_t,
                                   const struct cudaMemcpy3DParms *)
{
    return emu::node_by_node();
}
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *, cudaGraph_t, const cudaGraphNode_t *,
                                     size_t, void *, const void *, size_t, enum cudaMemcpyKind)
{
    return emu::node_by_node();
}
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *, cudaGraph_t, const cudaGraphNode_t *, size_t,
                                   const struct cudaMemsetParams *)
{
    return emu::node_by_node();
}
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *, cudaGraph_t, const cudaGraphNode_t *, size_t,
                                 const struct cudaHostNodeParams *)
{
    return emu::node_by_node();
}
}
