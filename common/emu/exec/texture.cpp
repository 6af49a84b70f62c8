// Texture objects and fetches. A lane stops at a fetch as at any access, the fetches of its warp
// are one request, and when the lane resumes it reads its element.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "count/counting.h"
#include "count/record.h"
#include "exec.h"
#include "host/array.h"
#include "host/host.h"
#include "lanes/guard.h"
#include "lanes/log.h"
#include "order/memory.h"
#include "report/report.h"

namespace emu {

struct Texture {
    bool is_live;
    bool is_1d, is_array;
    uintptr_t base;
    size_t width, height, pitch;   // elements, rows, bytes
    Format format;
    bool normalized;                     // integers are read as floats from 0 to 1, or -1 to 1
    bool is_linear;                      // four elements are interpolated
    cudaTextureAddressMode outside[2];   // what a fetch outside returns, in x and in y
    emu_texel border;
    cudaResourceDesc resource;   // as the program described it
    cudaTextureDesc how;
};

static std::vector<Texture> textures;   // a texture object is the index here + 1

static const char *const kind_names[] = { "signed", "unsigned", "float" };

// The rules of the CUDA Runtime API reference, cudaCreateTextureObject. An H200 does not enforce
// one of them: it accepts a pitch below the width, where rows overlap.
static cudaError_t describe(const cudaResourceDesc &r, Texture *t)
{
    switch (r.resType) {
    case cudaResourceTypeLinear:
        if (!format_of(r.res.linear.desc, &t->format))
            return cudaErrorInvalidChannelDescriptor;
        t->is_1d = true;
        t->base = (uintptr_t)r.res.linear.devPtr;
        t->width = r.res.linear.sizeInBytes / t->format.bytes;
        t->height = 1;
        if (t->width == 0 || t->width > MAX_LINEAR_TEXTURE || t->base % TEXTURE_ALIGNMENT ||
            !in_heap(t->base) || !fits(r.res.linear.devPtr, r.res.linear.sizeInBytes))
            return cudaErrorInvalidValue;
        return cudaSuccess;
    case cudaResourceTypePitch2D:
        if (!format_of(r.res.pitch2D.desc, &t->format))
            return cudaErrorInvalidChannelDescriptor;
        t->base = (uintptr_t)r.res.pitch2D.devPtr;
        t->width = r.res.pitch2D.width;
        t->height = r.res.pitch2D.height;
        t->pitch = r.res.pitch2D.pitchInBytes;
        if (t->width == 0 || t->height == 0 || t->width > MAX_TEXTURE_WIDTH ||
            t->height > MAX_PITCHED_TEXTURE_HEIGHT || t->pitch > MAX_PITCHED_TEXTURE_PITCH ||
            t->width * t->format.bytes > t->pitch || t->base % TEXTURE_ALIGNMENT ||
            t->pitch % TEXTURE_PITCH_ALIGNMENT || !in_heap(t->base) ||
            !fits(r.res.pitch2D.devPtr, (t->height - 1) * t->pitch + t->width * t->format.bytes))
            return cudaErrorInvalidValue;
        return cudaSuccess;
    case cudaResourceTypeArray: {
        const cudaArray *a = r.res.array.array;

        if (!is_array(a))
            return cudaErrorInvalidValue;
        t->is_array = true;
        t->base = (uintptr_t)a->data;
        t->width = a->width;
        t->height = a->height;
        t->pitch = a->pitch;
        t->format = a->format;
        return cudaSuccess;
    }
    default: return unsupported("textures of mipmapped arrays");
    }
}

static cudaError_t describe(const cudaTextureDesc &d, Texture *t)
{
    static const emu_texel zero = {};

    if (d.sRGB || d.maxAnisotropy > 1)
        return unsupported("textures with sRGB or anisotropic filtering");
    t->normalized =
        d.readMode == cudaReadModeNormalizedFloat && t->format.kind != cudaChannelFormatKindFloat;
    if (t->normalized && t->format.bits == 32)
        return cudaErrorInvalidValue;
    // Linear memory has neither a filter mode nor an address mode: outside, a fetch returns zero.
    if (t->is_1d) {
        t->outside[0] = t->outside[1] = cudaAddressModeBorder;
        return cudaSuccess;
    }
    t->is_linear = d.filterMode == cudaFilterModeLinear;
    if (t->is_linear && !t->normalized && t->format.kind != cudaChannelFormatKindFloat)
        return cudaErrorInvalidValue;
    for (int axis = 0; axis < 2; axis++) {
        bool repeats = d.addressMode[axis] == cudaAddressModeWrap ||
                       d.addressMode[axis] == cudaAddressModeMirror;
        // As documented at cudaTextureDesc: these need normalized coordinates.
        t->outside[axis] =
            repeats && !d.normalizedCoords ? cudaAddressModeClamp : d.addressMode[axis];
        if (t->outside[axis] == cudaAddressModeBorder)
            memcpy(&t->border, d.borderColor, sizeof t->border);
    }
    return t->normalized && memcmp(&t->border, &zero, sizeof zero) != 0
             ? unsupported("a border of textures whose integers are read as floats")
             : cudaSuccess;
}

// The index of an element, for one outside of 0 to n - 1, too; -1 for the border.
static double place(cudaTextureAddressMode outside, double i, size_t n)
{
    double last = (double)n - 1, period;

    if (i >= 0 && i <= last)
        return i;
    switch (outside) {
    case cudaAddressModeBorder: return -1;
    case cudaAddressModeWrap: return i - std::floor(i / (double)n) * (double)n;
    case cudaAddressModeMirror:
        period = 2 * (double)n;
        i -= std::floor(i / period) * period;
        return i > last ? period - 1 - i : i;
    default: return std::min(last, std::max(0.0, i));   // with this order, NaN becomes 0
    }
}

// Address of the element in column x and row y; 0 for the border.
static uintptr_t element(const Texture &t, double x, double y)
{
    x = place(t.outside[0], std::floor(x), t.width);
    y = place(t.outside[1], std::floor(y), t.height);
    // NaN, if it does not become 0, is in the border.
    if (!(x >= 0) || !(y >= 0))
        return 0;
    return t.base + (size_t)y * t.pitch + (size_t)x * t.format.bytes;
}

// The component at `p` as 32 bits: an integer extended, a float, or an integer converted to float.
static uint32_t component(const Texture &t, const char *p)
{
    // No memcpy of variable length: a wider load of the bytes that it stores would stall.
    uint32_t bits = t.format.bits == 8  ? *(const uint8_t *)p
                  : t.format.bits == 16 ? *(const uint16_t *)p
                                        : *(const uint32_t *)p;
    float value;

    if (t.format.kind == cudaChannelFormatKindSigned && t.format.bits < 32)
        bits = (uint32_t)((int32_t)(bits << (32 - t.format.bits)) >> (32 - t.format.bits));
    if (!t.normalized)
        return bits;
    float most =
        (float)((1u << (t.format.bits - (t.format.kind == cudaChannelFormatKindSigned))) - 1);
    value = t.format.kind == cudaChannelFormatKindSigned
              ? std::max((float)(int32_t)bits / most, -1.0f)
              : (float)bits / most;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static std::string name_of(unsigned kind, unsigned bits, unsigned components)
{
    return std::to_string(components) + " x " + kind_names[kind] + " of " + std::to_string(bits) +
           " bits";
}

// Returns "" or why this texture cannot be fetched in this way.
static std::string check(cudaTextureObject_t object, bool is_1d, unsigned format)
{
    if (object == 0 || object > textures.size() || !textures[object - 1].is_live)
        return "fetch from a texture that does not exist, or was destroyed";
    const Texture &t = textures[object - 1];
    unsigned kind = t.normalized ? cudaChannelFormatKindFloat : t.format.kind,
             bits = t.normalized ? 32 : t.format.bits;
    if (t.is_1d != is_1d)
        return is_1d ? "tex1Dfetch from a 2-D texture: use tex2D"
                     : "tex2D from linear memory: use tex1Dfetch";
    // Integers may be fetched as 32-bit integers.
    if (format >> 16 != kind || (format & 0xff) != t.format.components ||
        ((format >> 8 & 0xff) != bits &&
         !(kind != cudaChannelFormatKindFloat && (format >> 8 & 0xff) == 32)))
        return "fetch of the wrong type: " +
               name_of(format >> 16, format >> 8 & 0xff, format & 0xff) + " from a texture of " +
               name_of(kind, bits, t.format.components) + (t.normalized ? " (normalized)" : "");
    return "";
}

static emu_texel texel(const Texture &t, uintptr_t address)
{
    auto value = [&](unsigned i) {
        const char *at = (const char *)address + i * t.format.bits / 8;
        return i < t.format.components ? component(t, at) : 0;
    };

    if (!address)
        return t.border;
    return { { value(0), value(1), value(2), value(3) } };
}

// Four elements, weighted by the distances from their centers, which have 8 bits of fraction (CUDA
// C++ Programming Guide, "Linear Filtering"). Elements other than the first are checked here.
static emu_texel interpolated(Worker &w, const Texture &t, double x, double y)
{
    auto rounded = [](double v) { return std::floor(256 * (v - std::floor(v)) + 0.5) / 256; };
    double at_x = x - 0.5, at_y = y - 0.5, weight_x = rounded(at_x), weight_y = rounded(at_y),
           sum[4] = {};
    emu_texel result;

    for (int i = 0; i < 4; i++) {
        uintptr_t address = element(t, std::floor(at_x) + i % 2, std::floor(at_y) + i / 2);
        double weight = (i % 2 ? weight_x : 1 - weight_x) * (i / 2 ? weight_y : 1 - weight_y);
        if (std::string wrong = address ? check_global(address, t.format.bytes) : "";
            !wrong.empty())
            fail(w, wrong + ", through a texture", w.current->pc);
        if (address)
            report_unwritten(w, *w.current, address, t.format.bytes, w.current->pc, nullptr,
                             ", through a texture");
        emu_texel one = texel(t, address);
        for (int c = 0; c < 4; c++) {
            float value;
            memcpy(&value, &one.component[c], sizeof value);
            sum[c] += weight * value;
        }
    }
    for (int c = 0; c < 4; c++) {
        float value = (float)sum[c];
        memcpy(&result.component[c], &value, sizeof value);
    }
    return result;
}

static emu_texel fetch(cudaTextureObject_t object, bool is_1d, double x, double y, unsigned format,
                       void *call_site)
{
    Worker &w = on_device(call_site);
    Lane &lane = *w.current;

    lane.pc = (uintptr_t)call_site;
    if (std::string wrong = check(object, is_1d, format); !wrong.empty())
        fail(w, wrong, lane.pc);
    const Texture &t = textures[object - 1];
    float at[2] = { (float)x, (float)y };
    if (t.how.normalizedCoords) {
        x *= (double)t.width;
        y *= (double)t.height;
    }
    double half = t.is_linear ? 0.5 : 0;
    lane.address = element(t, x - half, y - half);
    lane.size = t.format.bytes;
    lane.kind = EMU_TEX;
    lane.source = t.is_array;
    lane.target = object;
    memcpy(&lane.value, at, sizeof lane.value);
    park(w, State::texture);
    return t.is_linear ? interpolated(w, t, x, y) : texel(t, lane.address);
}

// Does the warp repeat a fetch since its last store to shared memory or barrier? nvcc removes such
// fetches.
static bool is_repeated(Worker &w, Warp &warp, unsigned group)
{
    Request r = { 0, 0, {}, {} };

    if (rules != &rules_9_0)
        return false;
    for (unsigned left = group; left; left &= left - 1) {
        const Lane &lane = warp.lane[__builtin_ctz(left)];

        r.address[r.lanes] = lane.value;
        r.lane[r.lanes++] = __builtin_ctz(left);
    }
    return merged_of(w, warp).is_repeated(w, r, warp.lane[__builtin_ctz(group)].target);
}

// Sectors are counted for row-major memory. For arrays, whose layout is not known, none are
// counted.
void serve_texture(Worker &w, Warp &warp, unsigned group)
{
    const Lane &head = warp.lane[__builtin_ctz(group)];
    Request r = { 0, head.size, { 0 }, {} };
    bool is_array = false;

    for (unsigned left = group; left; left &= left - 1) {
        const Lane &lane = warp.lane[__builtin_ctz(left)];

        if (!lane.address)
            continue;
        std::string wrong = check_global(lane.address, lane.size);
        if (!wrong.empty())
            return report_and_stop(
                w, { wrong + ", through a texture", lane.pc, "", 0, where(w, lane) });
        report_unwritten(w, lane, lane.address, lane.size, lane.pc, nullptr, ", through a texture");
        is_array |= lane.source != 0;
        r.address[r.lanes] = lane.address;
        r.lane[r.lanes++] = __builtin_ctz(left);
    }
    race_check(w, warp, r, EMU_TEX, head);
    if (!is_repeated(w, warp, group)) {
        Cost cost = is_array ? Cost{ 0, 0, 0 } : sectors(r);

        count(w, w.counts.sites.find(head.pc, EMU_TEX), cost, __builtin_popcount(group));
        if (w.recorded)
            record_request(w, warp, r, EMU_TEX, head.pc, cost);
    }
    note_progress(w, fingerprint_of(w, warp, r.address[0], shape_of(r), head.pc));
}

}   // namespace emu

extern "C" {

struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                   enum cudaChannelFormatKind f)
{
    return { x, y, z, w, f };
}

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *object,
                                    const struct cudaResourceDesc *resource,
                                    const struct cudaTextureDesc *how,
                                    const struct cudaResourceViewDesc *view)
{
    emu::Texture t = {};

    if (!object || !resource || !how)
        return emu_failed(cudaErrorInvalidValue);
    cudaError_t error = view ? emu::unsupported("views of resources (cudaResourceViewDesc)")
                             : emu::describe(*resource, &t);
    if (error == cudaSuccess)
        error = emu::describe(*how, &t);
    if (error != cudaSuccess)
        return emu_failed(error);
    emu::guard_result(object, sizeof *object, true, __builtin_return_address(0));
    t.is_live = true;
    t.resource = *resource;
    t.how = *how;
    emu::textures.push_back(t);
    *object = emu::textures.size();
    return cudaSuccess;
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object)
{
    if (object == 0)
        return cudaSuccess;
    if (object > emu::textures.size() || !emu::textures[object - 1].is_live)
        return emu_failed(cudaErrorInvalidValue);
    emu::textures[object - 1].is_live = false;
    return cudaSuccess;
}

cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *resource,
                                             cudaTextureObject_t texture)
{
    if (!resource || texture - 1 >= emu::textures.size() || !emu::textures[texture - 1].is_live)
        return emu_failed(cudaErrorInvalidValue);
    emu::guard_result(resource, sizeof *resource, true, __builtin_return_address(0));
    *resource = emu::textures[texture - 1].resource;
    return cudaSuccess;
}
cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *how,
                                            cudaTextureObject_t texture)
{
    if (!how || texture - 1 >= emu::textures.size() || !emu::textures[texture - 1].is_live)
        return emu_failed(cudaErrorInvalidValue);
    emu::guard_result(how, sizeof *how, true, __builtin_return_address(0));
    *how = emu::textures[texture - 1].how;
    return cudaSuccess;
}

emu_texel emu_tex2d(cudaTextureObject_t texture, float x, float y, unsigned format)
{
    return emu::fetch(texture, false, x, y, format, __builtin_return_address(0));
}

emu_texel emu_tex1d_fetch(cudaTextureObject_t texture, int x, unsigned format)
{
    return emu::fetch(texture, true, x, 0, format, __builtin_return_address(0));
}
}
