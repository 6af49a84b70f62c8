// Textures and arrays: what a fetch returns, what is refused, what is counted.
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

// One fetch for each element and for OUTSIDE more on each side, at a place within the element.
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

// The value of a component, so that all differ and integers of 8 bits have their whole range.
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

// Fetches everything as elements of type F, and compares with what T's of components B give,
// through `read`.
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

// An image of T's, in pitched memory or in an array.
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

template <class B> static B same(B v) { return v; }
template <class B> static int widened(B v) { return v; }
static float unsigned_byte(unsigned char v) { return v / 255.0f; }
static float signed_byte(signed char v) { return v == -128 ? -1 : v / 127.0f; }
static float unsigned_short(unsigned short v) { return v / 65535.0f; }

template <class T, class B> static void element(const char *what)
{
    size_t pitch;
    cudaArray_t array;
    T zero = {};
    void *p = image<T, B>(&pitch);
    cudaResourceDesc r = pitched(p, cudaCreateChannelDesc<T>(), pitch), a = {};

    image<T, B>(nullptr, &array);
    a.resType = cudaResourceTypeArray;
    a.res.array.array = array;
    ok(fetches<T, B, T, B>(r, reading(cudaAddressModeClamp), same<B>, nullptr) &&
           fetches<T, B, T, B>(r, reading(cudaAddressModeBorder), same<B>, &zero) &&
           fetches<T, B, T, B>(a, reading(cudaAddressModeClamp), same<B>, nullptr) &&
           fetches<T, B, T, B>(a, reading(cudaAddressModeBorder), same<B>, &zero),
       what);
    cudaFree(p);
    cudaFreeArray(array);
}

int main(void)
{
    element<unsigned char, unsigned char>("unsigned char");
    element<signed char, signed char>("signed char");
    element<uchar4, unsigned char>("uchar4");
    element<uchar2, unsigned char>("uchar2");
    element<short, short>("short");
    element<ushort4, unsigned short>("ushort4");
    element<int, int>("int");
    element<float, float>("float");
    element<float2, float>("float2");
    element<float4, float>("float4");

    size_t pitch, signed_pitch, four_pitch, short_pitch, float_pitch;
    void *bytes = image<unsigned char, unsigned char>(&pitch),
         *fours = image<uchar4, unsigned char>(&four_pitch);
    void *signed_bytes = image<signed char, signed char>(&signed_pitch),
         *shorts = image<unsigned short, unsigned short>(&short_pitch);
    void *floats = image<float, float>(&float_pitch);
    cudaResourceDesc r = pitched(bytes, cudaCreateChannelDesc<unsigned char>(), pitch);
    cudaResourceDesc s = pitched(signed_bytes, cudaCreateChannelDesc<signed char>(), signed_pitch);
    cudaTextureDesc clamp = reading(cudaAddressModeClamp), border = reading(cudaAddressModeBorder);
    cudaTextureDesc normalized = reading(cudaAddressModeClamp, cudaReadModeNormalizedFloat);
    float zero = 0, ten = 10;
    unsigned char seven = 7;
    int number = 7;

    ok((fetches<unsigned char, unsigned char, float, float>(r, normalized, unsigned_byte, nullptr)),
       "unsigned bytes as floats of 0 to 1");
    ok((fetches<uchar4, unsigned char, float4, float>(
           pitched(fours, cudaCreateChannelDesc<uchar4>(), four_pitch), normalized, unsigned_byte,
           nullptr)),
       "four of them");
    ok((fetches<signed char, signed char, float, float>(s, normalized, signed_byte, nullptr)),
       "signed bytes as floats of -1 to 1");
    ok((fetches<unsigned short, unsigned short, float, float>(
           pitched(shorts, cudaCreateChannelDesc<unsigned short>(), short_pitch),
           reading(cudaAddressModeBorder, cudaReadModeNormalizedFloat), unsigned_short, &zero)),
       "16 bits as floats of 0 to 1, with a border");
    ok((fetches<signed char, signed char, int, int>(s, clamp, widened<signed char>, nullptr)),
       "signed bytes fetched as ints keep their sign");
    memcpy(border.borderColor, &number, sizeof number);
    ok((fetches<unsigned char, unsigned char, unsigned char, unsigned char>(
           r, border, same<unsigned char>, &seven)),
       "a border that is not zero");
    border.borderColor[0] = ten;
    ok((fetches<float, float, float, float>(
           pitched(floats, cudaCreateChannelDesc<float>(), float_pitch), border, same<float>,
           &ten)),
       "of floats too");
    border = reading(cudaAddressModeBorder);
    border.addressMode[1] = cudaAddressModeClamp;
    cudaTextureObject_t texture, other;
    unsigned char *out, back[64];
    float *out_floats, back_floats[64];

    cudaMalloc(&out, 64 * 64);
    cudaMalloc(&out_floats, sizeof back_floats);
    is_error(cudaCreateTextureObject(&texture, &r, &clamp, NULL), cudaSuccess, "a texture object");
    fetch_far<<<1, 4>>>(texture, out);
    cudaMemcpy(back, out, 4, cudaMemcpyDeviceToHost);
    ok(back[0] == value<unsigned char>(WIDTH - 1, HEIGHT - 1, 0) &&
           back[1] == value<unsigned char>(0, 0, 0) && back[2] == back[1] && back[3] == back[0],
       "coordinates far off, infinite or not a number");
    cudaCreateTextureObject(&other, &r, &border, NULL);
    one_row<<<1, 32>>>(other, out);
    cudaMemcpy(back, out, 32, cudaMemcpyDeviceToHost);
    ok(back[5] == value<unsigned char>(5, 0, 0),
       "a border in one direction, the edge in the other");

    // Two fetches of a warp, the first along a row of 32 bytes, the second down a column of which
    // five rows are different.
    struct emu_counts c;
    emu_reset();
    one_row<<<1, 32>>>(texture, out);
    emu_totals(&c);
    ok(c.tex_requests == 2 && c.ld_requests == 0 && c.lanes == 32,
       "a fetch of a warp is one request");
    const struct emu_line *lines;
    int n = emu_lines(&lines), row = 0, column = 0;
    for (int i = 0; i < n; i++) {
        if (lines[i].kind != EMU_TEX || lines[i].requests != 1)
            continue;
        row += lines[i].units == 1;
        column += lines[i].units == HEIGHT;
    }
    ok(row == 1 && column == 1, "its sectors are counted by source line");

    // Linear memory.
    cudaResourceDesc l = {};
    float numbers[32];
    for (int i = 0; i < 32; i++)
        numbers[i] = i + 1;
    float *linear;
    cudaMalloc(&linear, sizeof numbers);
    cudaMemcpy(linear, numbers, sizeof numbers, cudaMemcpyHostToDevice);
    l.resType = cudaResourceTypeLinear;
    l.res.linear.devPtr = linear;
    l.res.linear.desc = cudaCreateChannelDesc<float>();
    l.res.linear.sizeInBytes = 20 * sizeof(float);
    cudaTextureDesc zeroed = {};
    is_error(cudaCreateTextureObject(&other, &l, &zeroed, NULL), cudaSuccess,
             "linear memory has no address mode");
    fetch_1d<<<1, 64>>>(other, out_floats);
    cudaMemcpy(back_floats, out_floats, sizeof back_floats, cudaMemcpyDeviceToHost);
    int right = 1;
    for (int i = 0; i < 64; i++)
        right &= back_floats[i] == (i >= 4 && i < 24 ? i - 3 : 0);
    ok(right, "tex1Dfetch, zero outside");

    // What is refused.
    cudaTextureDesc wrong = clamp;
    wrong.addressMode[0] = cudaAddressModeWrap;
    is_error(cudaCreateTextureObject(&other, &r, &wrong, NULL), cudaErrorNotSupported,
             "wrapping is not supported");
    wrong = clamp;
    wrong.filterMode = cudaFilterModeLinear;
    is_error(cudaCreateTextureObject(&other, &r, &wrong, NULL), cudaErrorNotSupported,
             "nor are linear filters");
    wrong = clamp;
    wrong.normalizedCoords = 1;
    is_error(cudaCreateTextureObject(&other, &r, &wrong, NULL), cudaErrorNotSupported,
             "nor normalized coordinates");
    cudaResourceDesc bad = pitched((char *)bytes + 32, r.res.pitch2D.desc, pitch);
    is_error(cudaCreateTextureObject(&other, &bad, &clamp, NULL), cudaErrorInvalidValue,
             "a texture starts at a multiple of 512 bytes");
    bad = pitched(bytes, r.res.pitch2D.desc, 48);
    is_error(cudaCreateTextureObject(&other, &bad, &clamp, NULL), cudaErrorInvalidValue,
             "its pitch is a multiple of 32");
    bad = pitched(bytes, r.res.pitch2D.desc, 32);
    is_error(cudaCreateTextureObject(&other, &bad, &clamp, NULL), cudaErrorInvalidValue,
             "and holds its width");
    bad = r;
    bad.res.pitch2D.height = 1000;
    is_error(cudaCreateTextureObject(&other, &bad, &clamp, NULL), cudaErrorInvalidValue,
             "a texture ends where its memory does");
    bad = pitched(back, r.res.pitch2D.desc, 64);
    is_error(cudaCreateTextureObject(&other, &bad, &clamp, NULL), cudaErrorInvalidValue,
             "host memory is no texture");
    bad = pitched(bytes, cudaCreateChannelDesc(8, 8, 8, 0, cudaChannelFormatKindUnsigned), pitch);
    is_error(cudaCreateTextureObject(&other, &bad, &clamp, NULL), cudaErrorInvalidChannelDescriptor,
             "elements have 1, 2 or 4 components");
    bad = pitched(bytes, cudaCreateChannelDesc<int>(), pitch);
    is_error(cudaCreateTextureObject(&other, &bad, &normalized, NULL), cudaErrorInvalidValue,
             "ints cannot be normalized");
    bad.resType = cudaResourceTypeMipmappedArray;
    is_error(cudaCreateTextureObject(&other, &bad, &clamp, NULL), cudaErrorNotSupported,
             "mipmaps are not supported");
    is_error(cudaDestroyTextureObject(texture), cudaSuccess, "a texture is destroyed");
    is_error(cudaDestroyTextureObject(texture), cudaErrorInvalidValue, "once");

    // Arrays.
    cudaArray_t array;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<uchar4>(),
                          three = cudaCreateChannelDesc(8, 8, 8, 0, cudaChannelFormatKindUnsigned);
    is_error(cudaMallocArray(&array, &three, 8, 8), cudaErrorInvalidChannelDescriptor,
             "no array of three components");
    is_error(cudaMallocArray(&array, &format, 8), cudaErrorNotSupported,
             "1-D arrays are not supported");
    is_error(cudaMallocArray(&array, &format, 8, 8), cudaSuccess, "an array of 8 x 8");
    is_error(cudaMemcpy2DToArray(array, 4, 1, back, 28, 28, 2, cudaMemcpyHostToDevice), cudaSuccess,
             "a copy into its rows 1 and 2");
    is_error(cudaMemcpy2DToArray(array, 8, 0, back, 28, 28, 2, cudaMemcpyHostToDevice),
             cudaErrorInvalidValue, "past the end of a row");
    is_error(cudaMemcpy2DToArray(array, 0, 7, back, 28, 28, 2, cudaMemcpyHostToDevice),
             cudaErrorInvalidValue, "past its last row");
    is_error(cudaMemcpy2DToArray(array, 0, 0, back, 27, 28, 2, cudaMemcpyHostToDevice),
             cudaErrorInvalidPitchValue, "rows closer than they are long");
    is_error(cudaFreeArray(array), cudaSuccess, "an array is freed");

    int attribute;
    ok(cudaDeviceGetAttribute(&attribute, cudaDevAttrTextureAlignment, 0) == cudaSuccess &&
           attribute == 512 &&
           cudaDeviceGetAttribute(&attribute, cudaDevAttrTexturePitchAlignment, 0) == cudaSuccess &&
           attribute == 32,
       "the device tells its alignments");
    printf("1..%d\n", tests);
    return 0;
}
