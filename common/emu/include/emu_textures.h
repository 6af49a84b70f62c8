// Textures and 2-D arrays: CUDA's host API for them (C and C++) and the fetch functions. Supported
// are 2-D textures over pitched memory and arrays, and fetches from linear memory; elements have 1,
// 2 or 4 components of integers or floats. Everything else returns cudaErrorNotSupported.
#ifndef EMU_TEXTURES_H
#define EMU_TEXTURES_H

#ifdef __cplusplus
extern "C" {
#endif

enum cudaChannelFormatKind {
    cudaChannelFormatKindSigned = 0,
    cudaChannelFormatKindUnsigned = 1,
    cudaChannelFormatKindFloat = 2,
    cudaChannelFormatKindNone = 3
};

// Bits per component; 0 for components that an element does not have.
struct cudaChannelFormatDesc {
    int x, y, z, w;
    enum cudaChannelFormatKind f;
};

typedef struct cudaArray *cudaArray_t;
typedef const struct cudaArray *cudaArray_const_t;
typedef struct cudaMipmappedArray *cudaMipmappedArray_t;
#define cudaArrayDefault 0x00
#define cudaArrayLayered 0x01
#define cudaArraySurfaceLoadStore 0x02
#define cudaArrayCubemap 0x04
#define cudaArrayTextureGather 0x08

enum cudaResourceType {
    cudaResourceTypeArray = 0,
    cudaResourceTypeMipmappedArray = 1,
    cudaResourceTypeLinear = 2,
    cudaResourceTypePitch2D = 3
};

struct cudaResourceDesc {
    enum cudaResourceType resType;
    union {
        struct {
            cudaArray_t array;
        } array;
        struct {
            cudaMipmappedArray_t mipmap;
        } mipmap;
        struct {
            void *devPtr;   // a multiple of cudaDevAttrTextureAlignment
            struct cudaChannelFormatDesc desc;
            size_t sizeInBytes;
        } linear;
        struct {
            void *devPtr;   // a multiple of cudaDevAttrTextureAlignment
            struct cudaChannelFormatDesc desc;
            size_t width, height;   // in elements
            size_t pitchInBytes;    // a multiple of cudaDevAttrTexturePitchAlignment
        } pitch2D;
        struct {
            int reserved[32];
        } reserved;
    } res;
    unsigned int flags;
};

enum cudaTextureAddressMode {
    cudaAddressModeWrap = 0,
    cudaAddressModeClamp = 1,
    cudaAddressModeMirror = 2,
    cudaAddressModeBorder = 3
};
enum cudaTextureFilterMode { cudaFilterModePoint = 0, cudaFilterModeLinear = 1 };
enum cudaTextureReadMode { cudaReadModeElementType = 0, cudaReadModeNormalizedFloat = 1 };

struct cudaTextureDesc {
    enum cudaTextureAddressMode addressMode[3];
    enum cudaTextureFilterMode filterMode;
    enum cudaTextureReadMode readMode;
    int sRGB;
    float borderColor[4];   // for integer textures, the bits of the integers
    int normalizedCoords;
    unsigned int maxAnisotropy;
    enum cudaTextureFilterMode mipmapFilterMode;
    float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
    int disableTrilinearOptimization;
    int seamlessCubemap;
};

struct cudaResourceViewDesc;
typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;
enum cudaSurfaceBoundaryMode {
    cudaBoundaryModeZero = 0,
    cudaBoundaryModeClamp = 1,
    cudaBoundaryModeTrap = 2
};

struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                   enum cudaChannelFormatKind f);
cudaError_t cudaCreateTextureObject(cudaTextureObject_t *texture,
                                    const struct cudaResourceDesc *resource,
                                    const struct cudaTextureDesc *how,
                                    const struct cudaResourceViewDesc *view);
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture);
cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *resource,
                                             cudaTextureObject_t texture);
cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *how,
                                            cudaTextureObject_t texture);
// Surfaces are over arrays with cudaArraySurfaceLoadStore. Kernels read and write them as the
// memory of the array, so they count as requests to global memory.
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *surface,
                                    const struct cudaResourceDesc *resource);
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface);
cudaError_t cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *resource,
                                             cudaSurfaceObject_t surface);
cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *desc, cudaArray_const_t array);

cudaError_t cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc,
                            size_t width, size_t height EMU_DEFAULT(0),
                            unsigned int flags EMU_DEFAULT(0));
cudaError_t cudaFreeArray(cudaArray_t array);
// x and width are in bytes, y and height in rows.
cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch,
                                size_t width, size_t height, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t bytes,
                              enum cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from,
                                     size_t pitch, size_t width, size_t height,
                                     enum cudaMemcpyKind kind, cudaStream_t stream EMU_DEFAULT(0));
cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch, cudaArray_const_t from, size_t x,
                                  size_t y, size_t width, size_t height, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DFromArrayAsync(void *to, size_t pitch, cudaArray_const_t from, size_t x,
                                       size_t y, size_t width, size_t height,
                                       enum cudaMemcpyKind kind,
                                       cudaStream_t stream EMU_DEFAULT(0));
cudaError_t cudaMemcpyFromArray(void *to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                enum cudaMemcpyKind kind);

#ifdef __cplusplus
}

// A fetched element: four components of 32 bits, as the hardware returns it.
struct emu_texel {
    unsigned component[4];
};

// The format that a fetch expects: EMU_FORMAT(kind, bits per component, components).
#define EMU_FORMAT(kind, bits, components) \
    ((unsigned)(kind) << 16 | (unsigned)(bits) << 8 | (components))

extern "C" {
emu_texel emu_tex2d(cudaTextureObject_t texture, float x, float y, unsigned format);
emu_texel emu_tex1d_fetch(cudaTextureObject_t texture, int x, unsigned format);
}

template <class T> struct emu_element;   // incomplete for types that textures do not support

#define EMU_ELEMENT(T, kind, base, components, ...)                                         \
    template <> struct emu_element<T> {                                                     \
        static constexpr unsigned format = EMU_FORMAT(kind, 8 * sizeof(base), components);  \
        static inline __attribute__((always_inline)) T of(const emu_texel &t)               \
        {                                                                                   \
            base c[4];                                                                      \
            for (int i = 0; i < components; i++)                                            \
                __builtin_memcpy(&c[i], &t.component[i], sizeof(base)); /* little-endian */ \
            return { __VA_ARGS__ };                                                         \
        }                                                                                   \
    };
#define EMU_ELEMENTS(base, name, kind)              \
    EMU_ELEMENT(base, kind, base, 1, c[0])          \
    EMU_ELEMENT(name##1, kind, base, 1, c[0])       \
    EMU_ELEMENT(name##2, kind, base, 2, c[0], c[1]) \
    EMU_ELEMENT(name##4, kind, base, 4, c[0], c[1], c[2], c[3])

EMU_ELEMENT(char, cudaChannelFormatKindSigned, char, 1, c[0])
EMU_ELEMENTS(signed char, char, cudaChannelFormatKindSigned)
EMU_ELEMENTS(unsigned char, uchar, cudaChannelFormatKindUnsigned)
EMU_ELEMENTS(short, short, cudaChannelFormatKindSigned)
EMU_ELEMENTS(unsigned short, ushort, cudaChannelFormatKindUnsigned)
EMU_ELEMENTS(int, int, cudaChannelFormatKindSigned)
EMU_ELEMENTS(unsigned int, uint, cudaChannelFormatKindUnsigned)
EMU_ELEMENTS(float, float, cudaChannelFormatKindFloat)
#undef EMU_ELEMENTS
#undef EMU_ELEMENT

template <class T> cudaChannelFormatDesc cudaCreateChannelDesc()
{
    constexpr int format = emu_element<T>::format, bits = format >> 8 & 0xff, n = format & 0xff;
    return { bits, n > 1 ? bits : 0, n > 2 ? bits : 0, n > 3 ? bits : 0,
             (cudaChannelFormatKind)(format >> 16) };
}

template <class T>
inline __attribute__((always_inline)) T tex2D(cudaTextureObject_t texture, float x, float y)
{
    return emu_element<T>::of(emu_tex2d(texture, x, y, emu_element<T>::format));
}

// The address of an element at byte x of row y; null outside, where a read returns 0 and a write
// has no effect.
extern "C" void *emu_surface_element(cudaSurfaceObject_t surface, int x, int y, unsigned bytes,
                                     enum cudaSurfaceBoundaryMode outside);
template <class T>
inline __attribute__((always_inline)) T surf2Dread(
    cudaSurfaceObject_t surface, int x, int y,
    cudaSurfaceBoundaryMode outside = cudaBoundaryModeTrap)
{
    T *p = (T *)emu_surface_element(surface, x, y, sizeof(T), outside);
    return p ? *p : T();
}
template <class T>
inline __attribute__((always_inline)) void surf2Dread(
    T *to, cudaSurfaceObject_t surface, int x, int y,
    cudaSurfaceBoundaryMode outside = cudaBoundaryModeTrap)
{
    *to = surf2Dread<T>(surface, x, y, outside);
}
template <class T>
inline __attribute__((always_inline)) void surf2Dwrite(
    T value, cudaSurfaceObject_t surface, int x, int y,
    cudaSurfaceBoundaryMode outside = cudaBoundaryModeTrap)
{
    if (T *p = (T *)emu_surface_element(surface, x, y, sizeof(T), outside))
        *p = value;
}

template <class T>
inline __attribute__((always_inline)) T tex1Dfetch(cudaTextureObject_t texture, int x)
{
    return emu_element<T>::of(emu_tex1d_fetch(texture, x, emu_element<T>::format));
}
#endif

#endif
