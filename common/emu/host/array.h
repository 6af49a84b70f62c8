// 2-D arrays and the formats of textures (array.cpp).
#ifndef EMU_ARRAY_H
#define EMU_ARRAY_H

#include <cstddef>

#include "include/cuda_runtime_api.h"

namespace emu {

// Limits of compute capability 9.0 (Guide 11.7, table "Technical Specifications";
// cudaDeviceGetAttribute).
constexpr size_t TEXTURE_ALIGNMENT = 512, TEXTURE_PITCH_ALIGNMENT = 32;   // bytes
constexpr size_t MAX_TEXTURE_WIDTH = 131072, MAX_TEXTURE_HEIGHT = 65536;
constexpr size_t MAX_PITCHED_TEXTURE_HEIGHT = 65000, MAX_PITCHED_TEXTURE_PITCH = 2097120;
constexpr size_t MAX_LINEAR_TEXTURE = 1 << 28;   // elements

struct Format {
    cudaChannelFormatKind kind;
    // bits per component, components per element, bytes per element
    unsigned bits, components, bytes;
};

bool is_array(const cudaArray *);                          // of cudaMallocArray
bool format_of(const cudaChannelFormatDesc &, Format *);   // false: not a texture format

}   // namespace emu

struct cudaArray {
    void *data;
    emu::Format format;
    size_t width, height, pitch;   // elements, rows, bytes
    bool is_surface;               // cudaArraySurfaceLoadStore
};

#endif
