// stage14: fp32 accuracy from tensor cores, by three TF32 products for each fp32 one. Another
// arithmetic than that of the stages before.
//
// Whatever stage 13 does, CUDA cores end at 128 FMAs an SM and clock. Tensor cores do 1024, but on
// TF32, which keeps 11 of fp32's 24 bits. Change: a factor becomes two TF32 numbers, a = big +
// small, where small is what rounding to big left over, rounded. Of the four products in a b =
// small big + big small + big big + small small the last is at most 2^-22 of a b, and left out:
// three products, at 8 times the rate.
//
// Tensor cores cut sums off where fp32 rounds them, always towards zero: along K such errors add
// up, those of rounding mostly cancel. So they sum CHUNK of K, small products first, and CUDA cores
// add that to sums in fp32. Without (make stage14 CHUNK=65536) the check finds them too far off.
// What is lost: infinities, and numbers that round to them, become NaN; the smallest numbers have
// no small part.
//
// wgmma takes TF32 only with K running along rows. A has it so: threads split what they read of its
// tile, and hand it on in registers. B has not, and wgmma reads it from shared memory: a first
// kernel splits and transposes B, into 8 bytes of scratch memory an element, with rows padded to a
// multiple of 32. Where K is no multiple of 32, A is copied into such rows as well: 4 bytes an
// element. All of that counts into the time. One thread starts the bulk copies, two warpgroups
// multiply. Large sizes run into the GPU's power limit: its clock falls (nvidia-smi), and sets the
// rate.
//
// make stage14 && ./stage14
//
// Needs: sm_90a
// Arithmetic: tf32x3
// Expect (sm_90, 4096x4096x4096): rate >= 2.5 * ref_cublas.rate
// Expect (sm_90, 8192x8192x8192): rate >= 2.6 * ref_cublas.rate
// Expect (sm_90, 4096x4096x4096): max_error <= ref_cublas.max_error / 4
// Expect (sm_90, 8192x8192x8192): max_error <= ref_cublas.max_error / 4
#include "matmul.h"

#ifndef CHUNK
#define CHUNK 32   // so much of K is summed in the tensor cores
#endif
#ifndef STAGES
#define STAGES 4   // steps along K for which the ring has room
#endif
#ifndef GROUP
// rows of tiles that go together, one column after the other: what they share is still in the L2
// cache
#define GROUP 16
#endif
#define BM 128
#define BN 128   // columns of one wgmma
#define BK 32    // 128 bytes, all that the swizzle takes
// threads that multiply: a warpgroup for 64 rows. One more warpgroup copies
#define MATH (BM / 64 * 128)
static_assert(CHUNK >= BK && CHUNK % BK == 0, "CHUNK must be a multiple of 32");
static_assert(STAGES >= 1 && STAGES <= 4, "STAGES must be 1 to 4: shared memory holds no more");
static_assert(GROUP >= 1, "GROUP must be at least 1");

struct Ring {
    struct Tiles {
        float A[BM * BK], B_big[BN * BK], B_small[BN * BK];
    } tiles[STAGES];
    uint64_t full[STAGES], empty[STAGES];
};

// The nearest number whose last 13 bits are zero. A carry into the exponent is right, too.
__device__ float round_to_tf32(float x)
{
    return __uint_as_float((__float_as_uint(x) + 0x1000) & 0xffffe000);
}

__device__ void split(float x, float *big, float *small)
{
    *big = round_to_tf32(x);
    *small = round_to_tf32(x - *big);
}

// B_big and B_small: N rows of `pitch`. What is beyond K becomes zero, as does what is read beyond
// N.
__global__ void split_transposed(const float *B, float *B_big, float *B_small, int N, int K,
                                 int pitch)
{
    __shared__ float tile[BK][BK + 1];
    int across = ceil_div(N, BK);
    int n = blockIdx.x % across * BK, k = blockIdx.x / across * BK;

    for (int i = threadIdx.y; i < BK; i += blockDim.y)
        tile[i][threadIdx.x] =
            k + i < K && n + threadIdx.x < N ? B[(k + i) * N + n + threadIdx.x] : 0;
    __syncthreads();

    // this thread's four of the tile: in column i, from row j on
    int i = threadIdx.y * BK + threadIdx.x, j = i % (BK / 4) * 4;
    i /= BK / 4;
    float4 big, small;
    split(tile[j + 0][i], &big.x, &small.x);
    split(tile[j + 1][i], &big.y, &small.y);
    split(tile[j + 2][i], &big.z, &small.z);
    split(tile[j + 3][i], &big.w, &small.w);
    if (n + i < N) {
        size_t to = (size_t)(n + i) * pitch + k + j;
        *(float4 *)(B_big + to) = big;
        *(float4 *)(B_small + to) = small;
    }
}

__global__ void pad_rows(const float *A, float *padded, int K, int pitch)
{
    for (int k = threadIdx.x; k < pitch; k += blockDim.x)
        padded[(size_t)blockIdx.x * pitch + k] = k < K ? A[blockIdx.x * K + k] : 0;
}

// The row (x) and column (y) of C where a tile begins.
__device__ int2 corner(int tile, int M, int N)
{
    int rows = ceil_div(M, BM), cols = ceil_div(N, BN);
    int first = tile / (GROUP * cols) * GROUP;
    int height = min(GROUP, rows - first);
    int i = tile % (GROUP * cols);

    return make_int2((first + i % height) * BM, i / height * BN);
}

__device__ void store_two(float *C, int m, int n, int M, int N, float x, float y)
{
    if (m >= M || n >= N)
        return;
    if (N % 2 == 0) {
        *(float2 *)(C + m * N + n) = make_float2(x, y);
    } else {
        C[m * N + n] = x;
        if (n + 1 < N)
            C[m * N + n + 1] = y;
    }
}

__global__ __launch_bounds__(MATH + 128,
                             1) void multiply(const __grid_constant__ CUtensorMap A,
                                              const __grid_constant__ CUtensorMap B_big,
                                              const __grid_constant__ CUtensorMap B_small, float *C,
                                              int M, int N, int K)
{
    extern __shared__ __align__(1024) unsigned char memory[];
    Ring &ring = *(Ring *)memory;
    int tiles = ceil_div(M, BM) * ceil_div(N, BN);
    // counts on from tile to tile: the place in the ring, and the parity of its barriers
    unsigned step = 0;

    if (threadIdx.x == 0) {
        for (int i = 0; i < STAGES; i++) {
            mbarrier_init(&ring.full[i], 1);
            mbarrier_init(&ring.empty[i], MATH / 32);
        }
        fence_proxy_async();
    }
    __syncthreads();

    if (threadIdx.x >= MATH) {
        give_registers<24>();
        if (threadIdx.x > MATH)
            return;
        for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
            int2 at = corner(tile, M, N);
            for (int k = 0; k < K; k += BK, step++) {
                Ring::Tiles &t = ring.tiles[step % STAGES];
                uint64_t *full = &ring.full[step % STAGES];
                mbarrier_wait(&ring.empty[step % STAGES], (step / STAGES + 1) % 2);
                mbarrier_arrive_expect(full, sizeof t);
                tma_load_2d(t.A, &A, k, at.x, full);
                tma_load_2d(t.B_big, &B_big, k, at.y, full);
                tma_load_2d(t.B_small, &B_small, k, at.y, full);
            }
        }
    } else {
        take_registers<240>();
        int lane = threadIdx.x % 32;
        // of the tile; this thread has row + 8 as well
        int row = threadIdx.x / 32 * 16 + lane / 4;
        // of column lane % 4; swizzled, so that 4 c columns on is place ^ 4 c
        int place = row * BK + (row % 8 * 4 ^ lane % 4);

        for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
            float sum[BN / 2] = {}, part[BN / 2], big[BK / 8][4], small[BK / 8][4];
            for (int k = 0; k < K; k += BK, step++) {
                Ring::Tiles &t = ring.tiles[step % STAGES];
                mbarrier_wait(&ring.full[step % STAGES], step / STAGES % 2);
                for (int i = 0; i < BK / 8; i++)
                    for (int j = 0; j < 4; j++)
                        split(t.A[(place ^ (8 * i + j / 2 * 4)) + j % 2 * 8 * BK], &big[i][j],
                              &small[i][j]);
                wgmma_fence();
                for (int i = 0; i < BK / 8; i++)
                    wgmma_tf32(part, small[i], wgmma_tile(t.B_big) + 2 * i, k % CHUNK || i);
                for (int i = 0; i < BK / 8; i++)
                    wgmma_tf32(part, big[i], wgmma_tile(t.B_small) + 2 * i, true);
                for (int i = 0; i < BK / 8; i++)
                    wgmma_tf32(part, big[i], wgmma_tile(t.B_big) + 2 * i, true);
                wgmma_wait(part);
                if (lane == 0)
                    mbarrier_arrive(&ring.empty[step % STAGES]);
                if ((k + BK) % CHUNK == 0 || k + BK >= K)
                    for (int i = 0; i < BN / 2; i++)
                        sum[i] += part[i];
            }
            int2 at = corner(tile, M, N);
            for (int i = 0; i < BN / 2; i += 4) {
                int n = at.y + i * 2 + lane % 4 * 2;
                store_two(C, at.x + row, n, M, N, sum[i], sum[i + 1]);
                store_two(C, at.x + row + 8, n, M, N, sum[i + 2], sum[i + 3]);
            }
        }
    }
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    int pitch = ceil_div(K, BK) * BK, tiles = ceil_div(M, BM) * ceil_div(N, BN);
    size_t B_size = (size_t)N * pitch, A_size = K < pitch ? (size_t)M * pitch : 0;
    float *B_big = (float *)scratch((2 * B_size + A_size) * sizeof(float)),
          *B_small = B_big + B_size, *padded = B_small + B_size;

    split_transposed<<<ceil_div(N, BK) * (pitch / BK), dim3(BK, BK / 4)>>>(B, B_big, B_small, N, K,
                                                                           pitch);
    if (K < pitch) {
        pad_rows<<<M, 256>>>(A, padded, K, pitch);
        A = padded;
    }
    CUtensorMap map_A = *tensor_map_2d(CU_TENSOR_MAP_DATA_TYPE_FLOAT32, A, M, pitch, BM, BK,
                                       CU_TENSOR_MAP_SWIZZLE_128B);
    CUtensorMap map_big = *tensor_map_2d(CU_TENSOR_MAP_DATA_TYPE_FLOAT32, B_big, N, pitch, BN, BK,
                                         CU_TENSOR_MAP_SWIZZLE_128B);
    CUtensorMap map_small = *tensor_map_2d(CU_TENSOR_MAP_DATA_TYPE_FLOAT32, B_small, N, pitch, BN,
                                           BK, CU_TENSOR_MAP_SWIZZLE_128B);
    cudaFuncSetAttribute(multiply, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(Ring));
    multiply<<<min(tiles, multiprocessors()), MATH + 128, sizeof(Ring)>>>(map_A, map_big, map_small,
                                                                          C, M, N, K);
}
