#!/usr/bin/env bash
# `make run-file FILE=program.cu`: any CUDA program, of one file or several.
. "$(dirname "$0")/lib.sh"

fresh_tree 01_transpose/shared
cd "$TREE" || exit 1
run_file() { run make -s DEVICE=cpu run-file "$@"; }
mkdir "$TMP/src"
cat >"$TMP/src/part.cuh" <<'END'
template <class T> __global__ void add(T *p, T n)
{
    __shared__ T s;
    if (threadIdx.x == 0) s = n;
    __syncthreads();
    atomicAdd(p, s);
}
END
cat >"$TMP/src/program.cu" <<'END'
#include <cstdio>
#include <stdexcept>
#include "part.cuh"
int main(int argc, char **argv)
{
    int *p, sum;
    cudaMallocManaged(&p, sizeof *p);
    add<<<2, 32>>>(p, argc);
    cudaDeviceSynchronize();
    sum = *p;
    try { throw std::runtime_error("thrown"); }
    catch (std::exception &e) { printf("%d %s %s\n", sum, argv[argc - 1], e.what()); }
    return sum == 192 ? 0 : 4;
}
END
run_file FILE="$TMP/src/program.cu" ARGS='one two'
is "$status $out" '0 192 two thrown' \
    'run-file runs a program in another folder, with a header, arguments and exceptions'
is "$err" '' 'run-file prints nothing itself'
run_file FILE="$TMP/src/program.cu"
is "$status" 2 'a program that fails makes make fail'
run_file
like "$err" '^run-file: FILE is missing: make run-file FILE=' 'run-file without FILE is refused'
run_file FILE="$TMP/none.cu"
like "$err" '^run-file: .*none.cu: there is no such file' 'a file that does not exist is refused'
run_file FILE='x;y.cu'
is "$(grep -v '^make' <<<"$err") $out" 'run-file: x;y.cu: there is no such file ' \
    'a name with characters of the shell is a name'
cp "$TMP/src/program.cu" "$TMP/src/part.cuh" . && mv program.cu "it's;\$x(1).cu"
run_file FILE="it's;\$x(1).cu"
like "$out" '^64 .*[$]x.* thrown$' 'a program of such a name runs'
printf 'int main() { return f(); }\n' >"$TMP/src/bad.cu"
run_file FILE="$TMP/src/bad.cu"
like "$err" "bad.cu:1:.*error: .*f.*" "the compiler's error has the line of the source"
like "$err" '^run-file: .*bad.cu does not compile' 'a program that does not compile is named'
cat >"$TMP/src/bad.cu" <<'END'
int f(int n) { return n; }
__global__ void k(int *p) { *p = f(1); }
int main() { k<<<1, 1>>>(nullptr); }
END
run_file FILE="$TMP/src/bad.cu"
like "$err" "bad.cu:2: error: kernel 'k' calls 'f', which is a host function" \
    'a helper without __device__ is an error with its line'
like "$err" '^run-file: .*bad.cu does not compile' 'and the program does not run'
cat >"$TMP/src/bounds.cu" <<'END'
__global__ void k(int *p) { p[threadIdx.x] = 1; }
int main() { int *p; cudaMalloc(&p, 4);
    k<<<1, 2>>>(p); }
END
run_file FILE="$TMP/src/bounds.cu"
like "$err" '^bounds.cu:1: out of bounds' 'faults of a kernel are reported as for stages'

mkdir "$TMP/inc"
cat >"$TMP/inc/parts.h" <<'END'
extern __device__ int offset;
__device__ int odd_below(int n);
int host_part(int n);
END
cat >"$TMP/src/main.cu" <<'END'
#include <cstdio>
#include "parts.h"
__global__ void k(int *p) { p[threadIdx.x] = threadIdx.x & 1 ? odd_below(threadIdx.x) + offset : N; }
int main()
{
    int *p;
    cudaMallocManaged(&p, 256);
    k<<<1, 64>>>(p);
    cudaDeviceSynchronize();
    printf("%d %d %d\n", p[63], p[2], host_part(5));
}
END
cat >"$TMP/src/device.cu" <<'END'
#include "parts.h"
__device__ int offset = 3;
__device__ int odd_below(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += i & 1;
    return sum;
}
END
cat >"$TMP/src/host.cpp" <<'END'
#include <cuda_runtime.h>
int host_part(int n) { return cudaDeviceSynchronize() == cudaSuccess ? n : 0; }
END
run_file FILE="$TMP/src/main.cu $TMP/src/device.cu $TMP/src/host.cpp" FLAGS="-I$TMP/inc -DN=40"
is "$status $out" '0 34 40 5' \
    'a program of several files, with device code in two of them, and options for the compiler'
# An inline variable is one for both files, as nvcc -rdc=true has it.
echo 'inline __device__ int common = 5;' >"$TMP/inc/common.h"
for n in 1 2; do
    printf '%s\n' '#include "common.h"' "__global__ void add_$n() { common += $n; }" \
        "void run_$n() { add_$n<<<1, 1>>>(); cudaDeviceSynchronize(); }" >"$TMP/src/add_$n.cu"
done
cat >"$TMP/src/adds.cu" <<'END'
#include <cstdio>
#include "common.h"
void run_1(), run_2();
int main()
{
    int sum;
    run_1();
    run_2();
    cudaMemcpyFromSymbol(&sum, common, sizeof sum);
    printf("%d\n", sum);
}
END
run_file FILE="$TMP/src/adds.cu $TMP/src/add_1.cu $TMP/src/add_2.cu" FLAGS="-I$TMP/inc"
is "$status $out" '0 8' 'files that share an inline device variable'
# Before g++ 14, a template of device variables is in host memory.
cat >"$TMP/src/template.cu" <<'END'
#include <cstdio>
template <class T> __device__ T value = T(3);
__global__ void k(int *o) { *o = value<int>++; }
int main()
{
    int *o;
    cudaMallocManaged(&o, sizeof *o);
    k<<<1, 1>>>(o);
    k<<<1, 1>>>(o);
    cudaDeviceSynchronize();
    printf("%d\n", *o);
}
END
run_file FILE="$TMP/src/template.cu"
if [ "$(g++ -dumpversion | cut -d. -f1)" -ge 14 ]; then is "$status $out" '0 4' 'a template of device variables'
else
    like "$err" '^template.cu:3: read of value<int>, which is in host memory; .* this needs g\+\+ 14$' \
        'a template of device variables is named'
fi
run_file FILE="$TMP/src/main.cu $TMP/src/part.cuh"
like "$err" '^run-file: .*part.cuh: not a .cu or .cpp file' 'a file of another kind is refused'

cat >"$TMP/src/deep.cu" <<'END'
int f(int n) { volatile int a[64]; a[n % 64] = n; return (END ? n > END : n < 0) ? 0 : f(n + 1) + 0 * a[n % 64]; }
int main() { return f(1); }
END
run_file FILE="$TMP/src/deep.cu" FLAGS=-DEND=0
like "$err" '^CPU device: the stack of the host code is full: recursion without end' \
    'recursion of host code without end is reported'
is "$(grep -c 'CPU device' <<<"$err")" 1 'in one line'
run_file FILE="$TMP/src/deep.cu" FLAGS=-DEND=20000
is "$status $err" '0 ' 'deep recursion that ends runs'
printf 'int main() { volatile int *p = nullptr; return *p; }\n' >"$TMP/src/null.cu"
run_file FILE="$TMP/src/null.cu"
unlike "$err" 'stack' 'a null pointer of host code is no full stack'
printf '__global__ void k() {}\n' >"$TMP/src/part.cu"
run_file FILE="$TMP/src/part.cu"
like "$err" '^run-file: .*part.cu does not link: it has to be a whole program' 'a file without main is refused'

# Releases through many words: each access is looked for in those of all blocks.
cat >"$TMP/src/chain.cu" <<'END'
#include <cstdio>
#include <cuda/atomic>
__global__ void k(cuda::atomic<int> *a, int n)
{
    int v = blockIdx.x, d = a[v].load();
    for (int i = 1 + threadIdx.x; i <= 4; i += blockDim.x)
        d = min(d, a[(v + i * 7) % n].load() + 1);
    a[v].fetch_min(d);
}
int main()
{
    cuda::atomic<int> *a;
    cudaMalloc(&a, 100 * sizeof *a);
    cudaMemset(a, 0, 100 * sizeof *a);
    for (int i = 0; i < 2; i++)
        k<<<100, 512>>>(a, 100);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
END
run bash -c 'ulimit -t 20; make -s DEVICE=cpu run-file FILE="$1"' - "$TMP/src/chain.cu"
is "$status $out" '0 no error' 'long chains of acquire and release are searched within 20 s of CPU time'
done_testing
