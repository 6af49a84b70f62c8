#!/usr/bin/env bash
# C++14 to C++23 with every release of g++: programs of tests/emu run on the CPU device: two in each standard, others in
# the oldest and the newest, half of these each day, and with FULL=2 all. Without FULL=1, two programs in C++14 and
# C++20 with the usual compiler.
. "$(dirname "$0")/lib.sh"

fresh_tree 01_transpose/shared
cd "$TREE" || exit 1
cat >cxx20.cu <<'END'
#include <concepts>
#include <cstdio>
#include <span>
struct options { int a, b; };
template <std::integral T> __device__ T twice(T x) { return 2 * x; }
__global__ void k(int *out, float4 *v)
{
    auto f = []<class T>(T x) { return twice(x); };
    options s{ .a = 1, .b = 2 };
    float4 w{ 1, 2, 3, 4 };
    out[threadIdx.x] = f(s.b) + s.a;
    if (threadIdx.x == 0) [[unlikely]]
        *v = w;
}
int main()
{
    int *out;
    float4 *v;
    cudaMallocManaged(&out, 32 * sizeof *out);
    cudaMallocManaged(&v, sizeof *v);
    k<<<1, 32>>>(out, v);
    cudaDeviceSynchronize();
    printf("%d %g %zu\n", out[3], v->w, std::span<int>(out, 32).size());
}
END
programs='language classes'
standards='c++14 c++20' others=
compilers=${CXX:-g++}
if is_full; then
    others=$(printf '%s\n' halves groups intrinsics host pipeline | in_turn 2)
    standards='c++11 c++14 c++17 c++20 c++23'
    compilers='g++-11 g++-12 g++-13 g++-14 g++-15'
fi
for cxx in $compilers; do
    have "$cxx" || { skip "programs with $cxx" "it is not installed (apt-get install $cxx)"; continue; }
    for standard in $standards; do
        case $standard in c++11 | c++23) more=$others ;; *) more= ;; esac
        for program in $programs $more; do
            run make -s CXX="$cxx" DEVICE=cpu run-file FILE="tests/emu/$program.cu" \
                FLAGS="-Icommon/emu -std=$standard -w"
            # The two lines that host.cu itself causes are no messages of the build.
            err=$(grep -vE '^note: the CPU device does not measure time: |^CPU device: cudaLaunchKernel: ' <<<"$err")
            is "$status $(grep -c '^ok' <<<"$out") $err" "0 $(sed -n 's/^1\.\.//p' <<<"$out") " \
                "$cxx: $program passes in $standard, without a message"
        done
    done
    run make -s CXX="$cxx" DEVICE=cpu run-file FILE=cxx20.cu \
        FLAGS='-std=c++20 -arch=sm_90 --extended-lambda -Xcompiler -Wall'
    is "$status $out $err" '0 5 4 32 ' \
        "$cxx: concepts, designated initializers and aggregates of C++20; options of nvcc"
done
done_testing
