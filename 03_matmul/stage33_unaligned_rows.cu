// stage33: rows of any length: copies with a pitch that the TMA accepts, by funnel shifts
//
// The TMA copies boxes of matrices whose rows are multiples of 16 bytes, 8 elements in bf16. Stages
// that use it refuse others. Here a first kernel copies A and B to scratch memory, with zeros after
// each row up to a multiple of 8, and a last one copies C from there. A thread stores a piece of 16
// aligned bytes. In the other matrix these bytes are in two aligned pieces:
//   row of 7, pitch 7   |a b c d e f g h|i j k l m n o p|   h is the first element of row 1
//   load two pieces             h|i j k l m n                then shift by 14 bytes
//   row of 7, pitch 8   |a b c d e f g 0|h i j k l m n 0|
// Look at: load requests of the copies.   make stage33 && ./stage33 -n 1025   make diff A=29 B=33
// From: stage29
// Needs: sm_90a
// Type: bf16
// Expect (cpu, 128x1024x128, bf16): ld_requests + st_requests == 0
// Expect (cpu, 128x1025x128, bf16): ld_requests <= 0.4 * 2 * 128 * 1025 / 32
// Expect (H200, 8191, bf16): rate >= 4 * ref_cublas_bf16.rate
#include <limits.h>

#include "choices.h"

using stage26::launch_overlapping, stage29::launch_best;

constexpr int PIECE = 8;       // elements in 16 bytes
constexpr int THREADS = 256;   // per block of a copy

// The rows of a matrix start `pitch` elements apart.
struct Matrix {
    bf16 *data;
    int rows, pitch;
};

// 8 elements from data[at] on, of which data[at / 8 * 8 + 15] is the last that may be read.
__device__ ulonglong2 load_piece(const bf16 *data, int at)
{
    const ulonglong2 *piece = (const ulonglong2 *)data + at / PIECE;
    ulonglong2 x = piece[0], y = piece[1];   // words of four elements
    bool second = at & 4;                    // which word of x has element `at`
    unsigned long long word0 = second ? x.y : x.x, word1 = second ? y.x : x.y;
    unsigned long long word2 = second ? y.y : y.x;
    int bits = at % 4 * 16;

    if (bits == 0)   // a shift by all 64 bits is undefined
        return { word0, word1 };
    return { word0 >> bits | word1 << (64 - bits), word1 >> bits | word2 << (64 - bits) };
}

// Copies the rows of two matrices to others of another pitch. What these have more is filled with
// zeros. The first `blocks` blocks copy the first matrix. One piece of the result per thread.
__global__ void change_pitch(Matrix from, Matrix to, Matrix from2, Matrix to2, int blocks)
{
    int block = blockIdx.x;
    if (block >= blocks) {
        from = from2, to = to2;
        block -= blocks;
    }
    int count = to.rows * to.pitch, source_count = from.rows * from.pitch;
    int i = (block * THREADS + threadIdx.x) * PIECE, row = i / to.pitch, col = i % to.pitch;
    int at = row * from.pitch + col;

    cudaGridDependencySynchronize();   // the kernel before is complete: its results may be read
    if (col + PIECE <= min(from.pitch, to.pitch) && at / PIECE * PIECE + 16 <= source_count) {
        if (i < count)
            *(ulonglong2 *)&to.data[i] = load_piece(from.data, at);
        return;
    }
    for (int j = i; j < min(i + PIECE, count); j++) {   // the end of a row
        row = j / to.pitch, col = j % to.pitch;
        bool inside = row < from.rows && col < from.pitch;
        to.data[j] = inside ? from.data[row * from.pitch + col] : bf16(0);
    }
}

// The blocks that copy to `to`: none if it has no rows.
int copy_blocks(Matrix to) { return to.rows ? ceil_div(to.rows * to.pitch, PIECE * THREADS) : 0; }

void launch_copies(Matrix from, Matrix to, Matrix from2 = {}, Matrix to2 = {})
{
    launch_overlapping(change_pitch, copy_blocks(to) + copy_blocks(to2), THREADS, 0, from, to,
                       from2, to2, copy_blocks(to));
}

void matmul(const bf16 *A, const bf16 *B, bf16 *C, int M, int N, int K)
{
    int pitch_a = ceil_div(K, PIECE) * PIECE, pitch_c = ceil_div(N, PIECE) * PIECE;
    if (max((long long)max(M, pitch_a) * pitch_c, (long long)M * pitch_a) >
        INT_MAX - PIECE * THREADS)
        return refuse("copies of fewer than 2^31 elements only");
    // the copies, one after the other in scratch memory, each aligned to 256 bytes; 0: no copy
    size_t size_a = K % PIECE ? (size_t)ceil_div(M * pitch_a, 128) * 128 : 0;
    bool copy_b = N % PIECE || K % PIECE;   // the product reads pitch_a rows of B
    size_t size_b = copy_b ? (size_t)ceil_div(pitch_a * pitch_c, 128) * 128 : 0;
    size_t size_c = N % PIECE ? (size_t)M * pitch_c : 0;
    bf16 *a = (bf16 *)scratch((size_a + size_b + size_c) * sizeof *a);
    bf16 *b = a + size_a, *c = b + size_b;

    if (copy_b)
        launch_copies({ (bf16 *)A, M, K }, { a, size_a ? M : 0, pitch_a }, { (bf16 *)B, K, N },
                      { b, pitch_a, pitch_c });
    launch_best(size_a ? a : A, copy_b ? b : B, size_c ? c : C, M, pitch_c, pitch_a);
    if (size_c)
        launch_copies({ c, M, pitch_c }, { C, M, N });
}
