// Textures and arrays: what fetches return, what is refused, and what is counted.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "emu.h"

enum {
    WIDTH = 37,
    HEIGHT = 5,
    OUTSIDE = 3,
    ACROSS = WIDTH + 2 * OUTSIDE,
    DOWN = HEIGHT + 2 * OUTSIDE
};

// One fetch per element, and for OUTSIDE more on each side, at the offset `within` in the element.
template <class T> __global__ void fetch_all(cudaTextureObject_t texture, T *out, float within)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;

    if (x < ACROSS)
        out[y * ACROSS + x] = tex2D<T>(texture, x - OUTSIDE + within, y - OUTSIDE + within);
}

__global__ void fetch_far(cudaTextureObject_t texture, unsigned char *out)
{
    float far = threadIdx.x == 0 ? 1e30f
              : threadIdx.x == 1 ? -1e30f
              : threadIdx.x == 2 ? NAN
                                 : INFINITY;
    out[threadIdx.x] = tex2D<unsigned char>(texture, far, far);
}

template <class T> __global__ void fetch_1d(cudaTextureObject_t texture, T *out)
{
    out[threadIdx.x] = tex1Dfetch<T>(texture, (int)threadIdx.x - 4);
}

__global__ void one_row(cudaTextureObject_t texture, unsigned char *out)
{
    out[threadIdx.x] = tex2D<unsigned char>(texture, threadIdx.x, 0) +
                       tex2D<unsigned char>(texture, 40, threadIdx.x);
}

// Windows of five texels for four neighboring pixels: eight different texels in a row.
__global__ void windows(cudaTextureObject_t texture, unsigned *out)
{
    unsigned sum = 0;

    for (int p = 0; p < 4; p++)
        for (int j = 0; j < 5; j++)
            sum += (p + 1) * tex2D<unsigned char>(texture, 4 * threadIdx.x + p + j, 0);
    out[threadIdx.x] = sum;
}

static int tests;

static void ok(int right, const char *what)
{
    printf("%sok %d - %s\n", right ? "" : "not ", ++tests, what);
}

static void is_error(cudaError_t got, cudaError_t want, const char *what)
{
    ok(got == want, what);
    if (got != want)
        printf("# got %s, want %s\n", cudaGetErrorName(got), cudaGetErrorName(want));
    cudaGetLastError();
}

// The value of a component. All values differ, and 8-bit integers use their whole range.
template <class B> static B value(int x, int y, int component)
{
    return (B)(x * 7 + y * 59 + component * 101 - 128);
}
template <> float value<float>(int x, int y, int component)
{
    return x + 0.25f * y - 100.0f * component;
}

static cudaTextureDesc reading(cudaTextureAddressMode mode,
                               cudaTextureReadMode read = cudaReadModeElementType)
{
    cudaTextureDesc d = {};

    d.addressMode[0] = d.addressMode[1] = mode;
    d.readMode = read;
    return d;
}

static cudaResourceDesc pitched(void *p, cudaChannelFormatDesc format, size_t pitch)
{
    cudaResourceDesc r = {};

    r.resType = cudaResourceTypePitch2D;
    r.res.pitch2D.devPtr = p;
    r.res.pitch2D.desc = format;
    r.res.pitch2D.width = WIDTH;
    r.res.pitch2D.height = HEIGHT;
    r.res.pitch2D.pitchInBytes = pitch;
    return r;
}

// Fetches all elements as type F and compares them with the elements of type T, whose components of
// type B are converted by `read`.
template <class T, class B, class F, class G>
static int fetches(const cudaResourceDesc &r, const cudaTextureDesc &d, G (*read)(B),
                   const F *border)
{
    constexpr int components = sizeof(T) / sizeof(B);
    static F host[DOWN * ACROSS];
    cudaTextureObject_t texture;
    F *out;
    int right = 1;

    if (cudaCreateTextureObject(&texture, &r, &d, NULL) != cudaSuccess)
        return 0;
    cudaMalloc(&out, sizeof host);
    for (float within = 0; within < 1; within += 0.495f) {
        fetch_all<<<dim3(2, DOWN), 32>>>(texture, out, within);
        cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
        for (int i = 0; i < DOWN * ACROSS; i++) {
            int x = i % ACROSS - OUTSIDE, y = i / ACROSS - OUTSIDE;
            bool outside = x < 0 || y < 0 || x >= WIDTH || y >= HEIGHT;
            G want[4] = {};

            x = x < 0 ? 0 : x >= WIDTH ? WIDTH - 1 : x;
            y = y < 0 ? 0 : y >= HEIGHT ? HEIGHT - 1 : y;
            for (int c = 0; c < components; c++)
                want[c] = read(value<B>(x, y, c));
            if (border && outside)
                memcpy(want, border, sizeof *border);
            right &= memcmp(want, &host[i], sizeof(F)) == 0;
        }
    }
    cudaFree(out);
    cudaDestroyTextureObject(texture);
    return right;
}

// An image with elements of type T, in pitched memory or in an array.
template <class T, class B> static void *image(size_t *pitch, cudaArray_t *array = nullptr)
{
    static T host[HEIGHT][WIDTH];
    cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
    void *p = nullptr;

    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            for (size_t c = 0; c < sizeof(T) / sizeof(B); c++)
                ((B *)&host[y][x])[c] = value<B>(x, y, (int)c);
    if (array) {
        cudaMallocArray(array, &format, WIDTH, HEIGHT);
        cudaMemcpy2DToArray(*array, 0, 0, host, WIDTH * sizeof(T), WIDTH * sizeof(T), HEIGHT,
                            cudaMemcpyHostToDevice);
        return nullptr;
    }
    cudaMallocPitch(&p, pitch, WIDTH * sizeof(T), HEIGHT);
    cudaMemcpy2D(p, *pitch, host, WIDTH * sizeof(T), WIDTH * sizeof(T), HEIGHT,
                 cudaMemcpyHostToDevice);
    return p;
}

// The image in pitched memory, as the resource of a texture.
template <class T, class B> static cudaResourceDesc pitched_image()
{
    size_t pitch;
    void *p = image<T, B>(&pitch);

    return pitched(p, cudaCreateChannelDesc<T>(), pitch);
}

template <class B> static B same(B v) { return v; }
template <class B> static int widened(B v) { return v; }
static float unsigned_byte(unsigned char v) { return v / 255.0f; }
static float signed_byte(signed char v) { return v == -128 ? -1 : v / 127.0f; }
static float unsigned_short(unsigned short v) { return v / 65535.0f; }

template <class T, class B> static void test_element(const char *what)
{
    cudaArray_t array;
    T zero = {};
    cudaResourceDesc r = pitched_image<T, B>(), a = {};

    image<T, B>(nullptr, &array);
    a.resType = cudaResourceTypeArray;
    a.res.array.array = array;
    ok(fetches<T, B, T, B>(r, reading(cudaAddressModeClamp), same<B>, nullptr) &&
           fetches<T, B, T, B>(r, reading(cudaAddressModeBorder), same<B>, &zero) &&
           fetches<T, B, T, B>(a, reading(cudaAddressModeClamp), same<B>, nullptr) &&
           fetches<T, B, T, B>(a, reading(cudaAddressModeBorder), same<B>, &zero),
       what);
    cudaFree(r.res.pitch2D.devPtr);
    cudaFreeArray(array);
}

// Fetches that convert the element.
static void test_conversions(void)
{
    cudaResourceDesc bytes = pitched_image<unsigned char, unsigned char>(),
                     fours = pitched_image<uchar4, unsigned char>(),
                     signed_bytes = pitched_image<signed char, signed char>(),
                     shorts = pitched_image<unsigned short, unsigned short>();
    cudaTextureDesc clamp = reading(cudaAddressModeClamp);
    cudaTextureDesc normalized = reading(cudaAddressModeClamp, cudaReadModeNormalizedFloat);
    cudaTextureDesc border = reading(cudaAddressModeBorder, cudaReadModeNormalizedFloat);
    float zero = 0;

    ok((fetches<unsigned char, unsigned char, float, float>(bytes, normalized, unsigned_byte,
                                                            nullptr)),
       "unsigned bytes as floats from 0 to 1");
    ok((fetches<uchar4, unsigned char, float4, float>(fours, normalized, unsigned_byte, nullptr)),
       "four unsigned bytes as floats from 0 to 1");
    ok((fetches<signed char, signed char, float, float>(signed_bytes, normalized, signed_byte,
                                                        nullptr)),
       "signed bytes as floats from -1 to 1");
    ok((fetches<unsigned short, unsigned short, float, float>(shorts, border, unsigned_short,
                                                              &zero)),
       "16 bits as floats from 0 to 1, with a border");
    ok((fetches<signed char, signed char, int, int>(signed_bytes, clamp, widened<signed char>,
                                                    nullptr)),
       "signed bytes fetched as ints keep their sign");
}

static void test_border_values(void)
{
    cudaTextureDesc border = reading(cudaAddressModeBorder);
    unsigned char seven = 7;
    float ten = 10;
    int number = 7;

    memcpy(border.borderColor, &number, sizeof number);
    ok((fetches<unsigned char, unsigned char, unsigned char, unsigned char>(
           pitched_image<unsigned char, unsigned char>(), border, same<unsigned char>, &seven)),
       "a border of bytes that is not zero");
    border.borderColor[0] = ten;
    ok((fetches<float, float, float, float>(pitched_image<float, float>(), border, same<float>,
                                            &ten)),
       "a border of floats that is not zero");
}

// Coordinates far outside, and a different address mode per direction.
static void test_coordinates(const cudaResourceDesc &r)
{
    cudaTextureDesc clamp = reading(cudaAddressModeClamp), mixed = reading(cudaAddressModeBorder);
    cudaTextureObject_t texture;
    unsigned char *out, back[32];

    cudaMalloc(&out, sizeof back);
    is_error(cudaCreateTextureObject(&texture, &r, &clamp, NULL), cudaSuccess, "a texture object");
    fetch_far<<<1, 4>>>(texture, out);
    cudaMemcpy(back, out, 4, cudaMemcpyDeviceToHost);
    ok(back[0] == value<unsigned char>(WIDTH - 1, HEIGHT - 1, 0) &&
           back[1] == value<unsigned char>(0, 0, 0) && back[2] == back[1] && back[3] == back[0],
       "coordinates far outside, infinite or NaN");
    mixed.addressMode[1] = cudaAddressModeClamp;
    cudaCreateTextureObject(&texture, &r, &mixed, NULL);
    one_row<<<1, 32>>>(texture, out);
    cudaMemcpy(back, out, sizeof back, cudaMemcpyDeviceToHost);
    ok(back[5] == value<unsigned char>(5, 0, 0),
       "a border in one direction, the nearest element in the other");
}

// Two fetches per warp: the first along a row of 32 bytes, the second down a column of HEIGHT
// different rows.
static void test_counts(const cudaResourceDesc &r)
{
    cudaTextureDesc clamp = reading(cudaAddressModeClamp);
    cudaTextureObject_t texture;
    const struct emu_line *lines;
    struct emu_counts c;
    unsigned char *out;
    unsigned *sums;
    int row = 0, column = 0;

    cudaMalloc(&out, 32);
    cudaCreateTextureObject(&texture, &r, &clamp, NULL);
    emu_reset();
    one_row<<<1, 32>>>(texture, out);
    emu_totals(&c);
    ok(c.tex_requests == 2 && c.ld_requests == 0 && c.lanes == 32, "a warp's fetch is one request");
    for (int i = emu_lines(&lines) - 1; i >= 0; i--) {
        if (lines[i].kind != EMU_TEX || lines[i].requests != 1)
            continue;
        row += lines[i].units == 1;
        column += lines[i].units == HEIGHT;
    }
    ok(row == 1 && column == 1, "sectors are counted by source line");
    cudaMalloc(&sums, 32 * sizeof *sums);
    emu_reset();
    windows<<<1, 32>>>(texture, sums);
    emu_totals(&c);
    ok(c.tex_requests == 8,
       "a fetch with the coordinates of an earlier one is removed, as by nvcc");
    emu_reset();
    emu_rules("1.1");
    windows<<<1, 32>>>(texture, sums);
    emu_rules("9.0");
    emu_totals(&c);
    ok(c.tex_requests == 20, "but not by the rules of older generations");
}

static void test_linear_memory(void)
{
    cudaTextureDesc zeroed = {};
    cudaResourceDesc l = {};
    cudaTextureObject_t texture;
    float numbers[32], back[64], *linear, *out;
    int right = 1;

    for (int i = 0; i < 32; i++)
        numbers[i] = i + 1;
    cudaMalloc(&out, sizeof back);
    cudaMalloc(&linear, sizeof numbers);
    cudaMemcpy(linear, numbers, sizeof numbers, cudaMemcpyHostToDevice);
    l.resType = cudaResourceTypeLinear;
    l.res.linear.devPtr = linear;
    l.res.linear.desc = cudaCreateChannelDesc<float>();
    l.res.linear.sizeInBytes = 20 * sizeof(float);
    is_error(cudaCreateTextureObject(&texture, &l, &zeroed, NULL), cudaSuccess,
             "linear memory has no address mode");
    fetch_1d<<<1, 64>>>(texture, out);
    cudaMemcpy(back, out, sizeof back, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 64; i++)
        right &= back[i] == (i >= 4 && i < 24 ? i - 3 : 0);
    ok(right, "tex1Dfetch returns zero outside");
}

static void refuses(const cudaResourceDesc &r, const cudaTextureDesc &d, cudaError_t want,
                    const char *what)
{
    cudaTextureObject_t texture;

    is_error(cudaCreateTextureObject(&texture, &r, &d, NULL), want, what);
}

static void test_refused_modes(const cudaResourceDesc &r)
{
    const cudaTextureDesc clamp = reading(cudaAddressModeClamp);
    cudaTextureDesc wrong = clamp;

    wrong.filterMode = cudaFilterModeLinear;
    refuses(r, wrong, cudaErrorInvalidValue, "integers are not interpolated");
    wrong = clamp;
    wrong.sRGB = 1;
    refuses(r, wrong, cudaErrorNotSupported, "sRGB is not supported");
}

// Row 1 of floats 0, 1, 2, 3 per column and 10 per row, between -3 and 7 columns.
__global__ void along_x(cudaTextureObject_t texture, float scale, float *out)
{
    out[threadIdx.x] =
        tex2D<float>(texture, (-3 + (float)threadIdx.x * 0.25f) * scale, 1.25f * scale);
}
struct texture_mode {
    cudaTextureAddressMode mode;
    int is_normalized, is_linear;
    const char *what;
};
// What a fetch at (x, 1.25) of the image of test_modes() returns: y = 1.25 is a quarter above the
// center of row 1.
static float filtered(const texture_mode &t, float x)
{
    float sum = 0;

    x -= 0.5f * t.is_linear;
    for (int side = 0; side < 1 + t.is_linear; side++) {
        int column = (int)floorf(x) + side, mirrored = ((column % 8) + 8) % 8;
        float weight = !t.is_linear ? 1 : side ? x - floorf(x) : 1 - (x - floorf(x));
        int inside = t.mode == cudaAddressModeWrap && t.is_normalized ? (column + 8) % 4
                   : t.mode == cudaAddressModeMirror ? (mirrored > 3 ? 7 - mirrored : mirrored)
                   : column < 0                      ? 0
                   : column > 3                      ? 3
                                                     : column;
        float rows = t.is_linear ? 0.25f * (float)inside + 0.75f * (float)(inside + 10)
                                 : (float)(inside + 10);
        if (t.mode != cudaAddressModeBorder || (column >= 0 && column < 4))
            sum += weight * rows;
    }
    return sum;
}
static void test_modes(void)
{
    static const texture_mode tests[] = {
        { cudaAddressModeClamp, 0, 1, "linear filter, clamp" },
        { cudaAddressModeBorder, 0, 1, "linear filter, border" },
        { cudaAddressModeWrap, 1, 1, "linear filter, wrap" },
        { cudaAddressModeMirror, 1, 1, "linear filter, mirror" },
        { cudaAddressModeWrap, 1, 0, "normalized coordinates, wrap" },
        { cudaAddressModeMirror, 1, 0, "normalized coordinates, mirror" },
        { cudaAddressModeWrap, 0, 0, "wrap without normalized coordinates is clamp" }
    };
    float image[4][4], got[40], *out;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaResourceDesc r = {};

    for (int i = 0; i < 16; i++)
        image[i / 4][i % 4] = (float)(i / 4 * 10 + i % 4);
    r.resType = cudaResourceTypeArray;
    cudaMallocArray(&r.res.array.array, &format, 4, 4);
    cudaMemcpy2DToArray(r.res.array.array, 0, 0, image, 16, 16, 4, cudaMemcpyHostToDevice);
    cudaMalloc(&out, sizeof got);
    for (const auto &t : tests) {
        cudaTextureDesc how = reading(t.mode), back;
        cudaResourceDesc same;
        cudaTextureObject_t texture;
        int right;

        how.filterMode = t.is_linear ? cudaFilterModeLinear : cudaFilterModePoint;
        how.normalizedCoords = t.is_normalized;
        right = cudaCreateTextureObject(&texture, &r, &how, NULL) == cudaSuccess &&
                cudaGetTextureObjectResourceDesc(&same, texture) == cudaSuccess &&
                same.res.array.array == r.res.array.array &&
                cudaGetTextureObjectTextureDesc(&back, texture) == cudaSuccess &&
                back.filterMode == how.filterMode;
        along_x<<<1, 40>>>(texture, t.is_normalized ? 0.25f : 1, out);
        cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
        for (int i = 0; i < 40; i++) {
            float sum = filtered(t, -3 + i * 0.25f);
            if (right && fabsf(got[i] - sum) > 1e-5f) {
                printf("# %d: %g, not %g\n", i, got[i], sum);
                right = 0;
            }
        }
        ok(right, t.what);
    }
}

static void test_refused_resources(const cudaResourceDesc &r)
{
    const cudaTextureDesc clamp = reading(cudaAddressModeClamp),
                          normalized = reading(cudaAddressModeClamp, cudaReadModeNormalizedFloat);
    char *bytes = (char *)r.res.pitch2D.devPtr, host[64 * HEIGHT];
    cudaChannelFormatDesc byte = r.res.pitch2D.desc;
    size_t pitch = r.res.pitch2D.pitchInBytes;
    cudaResourceDesc bad = r;

    refuses(pitched(bytes + 32, byte, pitch), clamp, cudaErrorInvalidValue,
            "a texture must start at a multiple of 512 bytes");
    refuses(pitched(bytes, byte, 48), clamp, cudaErrorInvalidValue,
            "a texture's pitch must be a multiple of 32 bytes");
    refuses(pitched(bytes, byte, 32), clamp, cudaErrorInvalidValue,
            "a texture's pitch must hold its width");
    bad.res.pitch2D.height = 1000;
    refuses(bad, clamp, cudaErrorInvalidValue, "a texture must end where its memory ends");
    refuses(pitched(host, byte, 64), clamp, cudaErrorInvalidValue,
            "a texture cannot be in host memory");
    refuses(pitched(bytes, cudaCreateChannelDesc(8, 8, 8, 0, cudaChannelFormatKindUnsigned), pitch),
            clamp, cudaErrorInvalidChannelDescriptor, "elements have 1, 2 or 4 components");
    bad = pitched(bytes, cudaCreateChannelDesc<int>(), pitch);
    refuses(bad, normalized, cudaErrorInvalidValue, "ints cannot be normalized");
    bad.resType = cudaResourceTypeMipmappedArray;
    refuses(bad, clamp, cudaErrorNotSupported, "mipmaps are not supported");
}

static void test_destruction(const cudaResourceDesc &r)
{
    cudaTextureDesc clamp = reading(cudaAddressModeClamp);
    cudaTextureObject_t texture;

    cudaCreateTextureObject(&texture, &r, &clamp, NULL);
    is_error(cudaDestroyTextureObject(texture), cudaSuccess, "a texture is destroyed");
    is_error(cudaDestroyTextureObject(texture), cudaErrorInvalidValue,
             "a texture cannot be destroyed twice");
}

static void test_arrays(void)
{
    cudaChannelFormatDesc format = cudaCreateChannelDesc<uchar4>(),
                          three = cudaCreateChannelDesc(8, 8, 8, 0, cudaChannelFormatKindUnsigned);
    static unsigned char host[64];
    cudaArray_t array;

    is_error(cudaMallocArray(&array, &three, 8, 8), cudaErrorInvalidChannelDescriptor,
             "an array cannot have three components");
    is_error(cudaMallocArray(&array, &format, 8), cudaErrorNotSupported,
             "1-D arrays are not supported");
    is_error(cudaMallocArray(&array, &format, 8, 8), cudaSuccess, "an array of 8 x 8");
    is_error(cudaMemcpy2DToArray(array, 4, 1, host, 28, 28, 2, cudaMemcpyHostToDevice), cudaSuccess,
             "a copy into rows 1 and 2 of an array");
    is_error(cudaMemcpy2DToArray(array, 8, 0, host, 28, 28, 2, cudaMemcpyHostToDevice),
             cudaErrorInvalidValue, "a copy past the end of an array's row");
    is_error(cudaMemcpy2DToArray(array, 0, 7, host, 28, 28, 2, cudaMemcpyHostToDevice),
             cudaErrorInvalidValue, "a copy past an array's last row");
    is_error(cudaMemcpy2DToArray(array, 0, 0, host, 27, 28, 2, cudaMemcpyHostToDevice),
             cudaErrorInvalidPitchValue, "a copy whose rows are longer than their pitch");
    is_error(cudaFreeArray(array), cudaSuccess, "an array is freed");
}

__global__ void twice_in_surface(cudaSurfaceObject_t surface, float *out)
{
    int x = (int)threadIdx.x, y = (int)blockIdx.x;
    float value;

    surf2Dread(&value, surface, x * 4, y);
    surf2Dwrite(2 * value, surface, x * 4, y);
    out[y * 8 + x] = surf2Dread<float>(surface, -4 - 4 * x, y, cudaBoundaryModeZero);
    if (x == 0)
        out[y * 8] += surf2Dread<float>(surface, -64, y, cudaBoundaryModeClamp);
}
static void test_surfaces(void)
{
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaResourceDesc r = {};
    cudaSurfaceObject_t surface;
    cudaArray_t plain;
    float host[4][8], got[4][8], *out;
    int right = 1;

    for (int i = 0; i < 32; i++)
        host[i / 8][i % 8] = (float)(i + 1);
    r.resType = cudaResourceTypeArray;
    cudaMalloc(&out, sizeof got);
    cudaMallocArray(&plain, &format, 8, 4);
    cudaMallocArray(&r.res.array.array, &format, 8, 4, cudaArraySurfaceLoadStore);
    cudaMemcpy2DToArray(r.res.array.array, 0, 0, host, 32, 32, 4, cudaMemcpyHostToDevice);
    is_error(cudaCreateSurfaceObject(&surface, &r), cudaSuccess, "a surface of an array");
    twice_in_surface<<<4, 8>>>(surface, out);
    cudaMemcpy2DFromArray(got, 32, r.res.array.array, 0, 0, 32, 4, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 32; i++)
        right &= got[i / 8][i % 8] == 2 * host[i / 8][i % 8];
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 32; i++)
        right &= got[i / 8][i % 8] == (i % 8 == 0) * 2 * host[i / 8][0];
    ok(right, "a kernel reads and writes a surface");
    is_error(cudaDestroySurfaceObject(surface), cudaSuccess, "a surface is destroyed");
    r.res.array.array = plain;
    is_error(cudaCreateSurfaceObject(&surface, &r), cudaErrorInvalidValue,
             "an array without cudaArraySurfaceLoadStore has no surface");
}

static void test_attributes(void)
{
    int attribute;

    ok(cudaDeviceGetAttribute(&attribute, cudaDevAttrTextureAlignment, 0) == cudaSuccess &&
           attribute == 512 &&
           cudaDeviceGetAttribute(&attribute, cudaDevAttrTexturePitchAlignment, 0) == cudaSuccess &&
           attribute == 32,
       "the device has attributes for its texture alignments");
}

int main(void)
{
    cudaResourceDesc bytes = pitched_image<unsigned char, unsigned char>();

    test_element<unsigned char, unsigned char>("unsigned char");
    test_element<signed char, signed char>("signed char");
    test_element<uchar4, unsigned char>("uchar4");
    test_element<uchar2, unsigned char>("uchar2");
    test_element<short, short>("short");
    test_element<ushort4, unsigned short>("ushort4");
    test_element<int, int>("int");
    test_element<float, float>("float");
    test_element<float2, float>("float2");
    test_element<float4, float>("float4");
    // Supported: texture objects over arrays, pitched and linear memory: `tex2D`, `tex1Dfetch`;
    // point sampling and linear filtering; clamp, border, wrap and mirror; normalized coordinates
    test_conversions();
    test_border_values();
    test_coordinates(bytes);
    test_counts(bytes);
    test_linear_memory();
    test_refused_modes(bytes);
    test_modes();
    test_refused_resources(bytes);
    test_destruction(bytes);
    test_arrays();
    // Supported: surface objects over 2-D arrays: `surf2Dread`, `surf2Dwrite`
    test_surfaces();
    test_attributes();
    printf("1..%d\n", tests);
    return 0;
}
