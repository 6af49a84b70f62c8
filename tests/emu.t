#!/usr/bin/env bash
# The CPU device alone: what it runs, counts and reports, with every release of g++ that is installed.
. "$(dirname "$0")/lib.sh"

here=$ROOT/tests/emu

# Counts must not depend on the compiler's release. They are also compared with the expected numbers, because all
# releases could agree on a wrong one.
programs='counts ahead language warps atomics pipeline textures pitched intrinsics packed generations loops merged
    foreign groups halves host libcu names wmma rounding litmus launches'
# Without FULL=1: seven of them.
is_full || programs='counts language warps pipeline groups litmus launches'
releases=$(for cxx in g++ g++-11 g++-12 g++-13 g++-14 g++-15; do
    have "$cxx" && echo "$("$cxx" -dumpfullversion) $cxx"
done | sort -u -k1,1 | awk '{ print $2 }')
# Without FULL=1, only the usual one is tested.
is_full || releases=${CXX:-g++}
needed="$programs intrinsics faults silent races streams"
for cxx in ${CXX:-g++} $(grep -v -x -F -e "${CXX:-g++}" <<<"$releases"); do
    built=$TMP/$cxx
    if [ "$cxx" = "${CXX:-g++}" ]; then
        ok "$cxx: the programs build" emu_programs $(is_full || echo $needed)
        usual=$built
    else
        ok "$cxx: the programs build" make -s -j2 -C "$here" OUT="$built" CXX="$cxx" $(printf "$built/%s " $needed)
    fi
    is "$err" "" "$cxx: the programs build without a message"
    for program in $programs; do
        run timeout 120 "$built/$program"
        is "$status" 0 "$cxx: $program exits with status 0"
        is "1..$(grep -c '^ok' <<<"$out")" "$(tail -n 1 <<<"$out")" "$cxx: every test of $program passes"
        grep -A1 '^not ok' <<<"$out" | sed 's/^/# /'
    done
done

oldest=$(head -n 1 <<<"$releases")
[ "$oldest" = "${CXX:-g++}" ] && built=$usual || built=$TMP/$oldest

# The control flow of kernels is read from machine code. Decoding the lengths of instructions is the difficult part.
if [ "$(uname -m)" = x86_64 ] && have objdump; then
    ok 'the test of the decoder builds' "${CXX:-g++}" -std=c++17 -Wall -Wextra -I"$ROOT/common/emu" -o "$TMP/decode" \
        "$here/decode.cpp" "$ROOT/common/emu/lanes/decode.cpp"
    decodes() { "$TMP/decode" "$1" <"$TMP/instructions" >"$TMP/decoded" || { tail -n 20 "$TMP/decoded"; return 1; }; }
    for program in counts intrinsics; do
        objdump -d -j .text --insn-width=16 "$built/$program" | awk -F '\t' '/^ *[0-9a-f]+:\t/ {
            sub(/:/, "", $1)
            n = split($2, byte, " ")
            split($3, word, " ")
            name = word[1] ~ /^(bnd|notrack|repz?|repnz|data16)$/ ? word[2] : word[1]
            if (name != "" && name != "(bad)") print $1, n, name
        }' >"$TMP/instructions"
        ok "$program: all instructions have the lengths that objdump prints" decodes "$built/$program"
    done
else
    skip 'the lengths of instructions' 'this needs x86-64 and objdump'
fi
export EMU_PATIENCE=0.5

check_faults "$built" faults ''

# The verdict does not depend on how many blocks run at once.
for workers in $(is_full && echo 1 2) 5; do
    export EMU_THREADS=$workers
    check_faults "$built" races ", $workers workers"
    for name in $("$built/silent"); do
        run timeout 60 "$built/silent" "$name"
        is "$status" 0 "$name has no fault, $workers workers"
        line=$(grep -n -A 1 "// NOTE $name\$" "$here/silent.cu" | sed -n '2s/-.*//p')
        is "$(grep -o 'silent.cu:[0-9]*' <<<"$err")" "${line:+silent.cu:$line}" \
            "$name: $([ -n "$line" ] && echo one note || echo nothing is reported), $workers workers"
    done
done
unset EMU_THREADS
run timeout 60 "$built/races" tiles_in_loop
unlike "$err" 'within a warp' 'a missing barrier of the block is not reported as one of each warp'
run timeout 60 "$built/silent" any_lane
like "$err" 'lanes of a warp store different values to one word' 'the note says that the stored values differ'

run timeout 60 "$built/silent" prints
is "$(grep -oE '^(first|second|third)' <<<"$out" | tr '\n' ' ')" \
    'first first first second third second third second third ' 'lanes print in the order of lockstep'

run timeout 60 "$built/silent" first_result
is "$out" 'first: block 0 of 4
no error, sums[0] is 0' 'a launch that runs in a second order prints once, and leaves the result of the first run'

run timeout 60 "$built/faults" runs_ahead
like "$out" 'lane 0 has read 1$' 'lanes log accesses, after a launch with calls from many places, too'

run timeout 60 "$built/faults" equal_stores
like "$err" 'written here by thread .0,0,0.' 'a race of lanes that stored equal values names the other lane'
unlike "$err" 'written here by thread .16,0,0.' 'no race names one thread twice'
EMU_THREADS=1 run timeout 60 "$built/races" waits_for_plain_flag
like "$err" 'race between blocks: read of data .* with nothing to order them' \
    'a fence before a plain flag is not reported as missing'

# The progress of a launch when the patience ends depends on the load of the machine.
reports=$(for seconds in 0.01 0.1 0.3; do
    EMU_PATIENCE=$seconds timeout 60 "$built/faults" endless 2>&1 | sed "s/for $seconds s/for N s/" | tr '\n' ' '
    echo
done)
is "$(grep -c 'no progress' <<<"$reports") $(sort -u <<<"$reports" | wc -l)" '3 1' \
    'the report of an endless loop does not depend on the patience'
run timeout 60 "$built/faults" warp_tree
is "$(grep -c 'race within a warp' <<<"$err")" 1 'a warp without __syncwarp is reported once'
like "$err" '^and [0-9]+ more like these$' 'the other races of the warp are counted'
run timeout 60 "$built/faults" no_race
is "$status" 0 'barriers and __syncwarp make accesses safe'
is "$err" '' 'accesses that barriers order are not reported'
run timeout 60 "$built/faults" both_fences
is "$status" 0 'the last-block pattern with both fences has no race'
run timeout 60 "$built/faults" exited
is "$status" 0 'a barrier that exited threads do not reach is legal'
like "$err" '^note: faults.cu:[0-9]+: part of the block does not reach' \
    'threads that exited before a barrier are noted'

# Streams.
for workers in $(is_full && echo 1) 3; do
    export EMU_THREADS=$workers
    check_faults "$built" streams ", $workers workers"
    for name in $("$built/streams" | grep ^ok_); do
        run timeout 60 "$built/streams" "$name"
        is "$status $err" '0 ' "$name: nothing is reported, $workers workers"
    done
done
unset EMU_THREADS

# The source pass. one_line prints its output without line markers, which restore the columns.
one_line() { awk '/^# /{ next } { printf "%s ", $0 }' <<<"$out" | tr -s ' '; }
pass_of()
{
    printf '%s\n' "$1" >"$TMP/in.cu"
    (cd "$TMP" && g++ -E -x c++ -DEMU_SOURCE_PASS in.cu -o in.i)
    run "$built/source_pass" "$TMP/in.i"
}
pass_of 'void f() { k<T, 4><<<dim3(a, b), c ? 1 : 2, (x >> 3) * 4, s>>>(p, q); }'
like "$(one_line)" 'emu_launch\("k<T, 4>", k<T, 4>, dim3\(a, b\), c \? 1 : 2, \(x >> 3\) \* 4, s\) \(p, q\);' \
    'a launch with four parameters and a template is rewritten'
pass_of "void f() { k << <g, 32 >> > (p); k<<<1, s<int>>>>(); } \
o &operator<< <int>(o &, x<int>); o &operator<<<char>(o &, x<char>);"
like "$(one_line)" "emu_launch\(\"k\", k, *g, 32 *\) \(p\);.*emu_launch\(\"k\", k, 1, s<int>\) ?\(\);\
.*operator<< <int>.*operator<<<char>" 'blanks within <<< and >>> are accepted'
pass_of 'void f() { puts("a<<<b>>>c"); /* k<<<1, 2>>>(); */ } // k<<<1, 2>>>()'
unlike "$out" 'emu_launch' 'launches in strings and comments are not rewritten'
pass_of '__global__ void k() { __shared__ float a[4][5], *b; extern __shared__ int d[]; }'
like "$(one_line)" ' float \(& a\) \[4\]\[5\] = .* float \* ?& b = .* int \(& d\) \[\] = ' \
    'several shared variables in one declaration are rewritten'
pass_of '__global__ void k() { __shared__ int a[8 << 10], b[1024 >> 2]; __shared__ pair<int, float> c, d; }'
like "$(one_line)" '& a\) \[8 << 10\] = .*& b\) \[1024 >> 2\] = .* pair<int, float> & c = .* pair<int, float> & d = ' \
    'shifts in lengths and commas in template arguments are understood'
pass_of '__global__ void k() { __shared__ __align__(16) unsigned char a[(2 + 3) * 4]; }'
like "$(one_line)" ' unsigned char \(& a\) \[\(2 \+ 3\) \* 4\] = .*, \(16\)' 'an alignment is kept'
pass_of '__device__ int n = 3; __constant__ float w[9]; __device__ int f(int x) { return x; }'
like "$(one_line)" \
    'section\("emu_device"\)\)\) int n = 3; .*section\("emu_constant"\).. float w\[9\]; .*always_inline.. int f' \
    'device variables are rewritten, device functions are not'
pass_of 'template <class T = int> __constant__ T w[9]; static inline __device__ int n = 3;'
like "$(one_line)" 'section\("emu_constant_merged"\)+ T w\[9\]; static inline .*section\("emu_device"\)+ int n = 3;' \
    'templates, which the linker merges, are in sections of their own'
pass_of '__device__ bool operator==(int2 a, int2 b) { return a.x == b.x; } __device__ int bits[(N + 31) / 32];'
like "$(one_line)" '^ ?__attribute__..always_inline.. bool operator==.*"emu_device".\)\) int bits' \
    'an operator is a function, and an array with a computed length is a variable'
pass_of '__global__ void k() { __shared__ float a[4], // one; two
    b[5]; }'
like "$(one_line)" ' float \(& a\) \[4\] = .* float \(& b\) \[5\] = ' 'comments within a declaration are skipped'
pass_of '__global__ void k() { __shared__ int a = 3; }'
is "$status" 1 'a shared variable with an initializer is refused'
like "$err" '^in.cu:1: error: a __shared__ variable cannot have an initializer' 'the refusal has file and line'
pass_of '__global__ void k()
{
    __shared__ float a[4]
        [5];
    k<<<1,
        2>>>();
    int here;
}'
is "$(awk '/^# [0-9]/ { line = $2 - 1; next } { line++ } /int here/ { print line }' <<<"$out")" 7 \
    'lines keep their numbers'

# Messages of g++ show the place in the source, and no name of the source pass.
cat >"$TMP/error.cu" <<'EOF'
__shared__ int f[3], file[oops1];
template <int N> __global__ void k(int *p, int n)
{
    __shared__ float tile[N][N + 1]; p[0] = oops2;
    __shared__ float a[4], *b, c[oops3], d; d = oops4;
    __shared__ __align__(16) char e[2]; extern __shared__ float g[]; static __shared__ int h; n = oops5;
    p[threadIdx.x + blockIdx.x * blockDim.x] = threadIdx.y * oops6;
    f[1] = oops7;
}
__global__ void __launch_bounds__(32, 4) l(int *p) { *p = oops8; } __device__ __forceinline__ int m() { return oops9; }
EOF
columns()
{
    perl -ne 'while (/oops\d/g) {
        printf "error.cu:%d:%d: error: \x27%s\x27 was not declared in this scope\n", $., $-[0] + 1, $&
    }' "$TMP/error.cu"
}
# source_of NAME LINE...: writes a program
source_of() { printf '%s\n' "${@:2}" >"$TMP/$1"; }

# Other sources and headers.
flags=$(make -s -C "$here" OUT="$built" flags)
objects=$(make -s -C "$here" OUT="$usual" objects)
compiles()
{
    (cd "$TMP" && eval "g++ $(sed -n 1p <<<"$flags")" "$1" -o x.i && "$built/source_pass" x.i >x.ii &&
        eval "timeout 60 g++ $(sed -n 3p <<<"$flags")" -c x.ii -o x.o)
}
# link NAME: of what was compiled last
link() { g++ -no-pie -pthread "$TMP/x.o" $objects -o "$TMP/$1"; }
mkdir -p "$TMP/toolkit"
touch "$TMP/toolkit/cuda_runtime_api.h"
printf '#error not this one\n' | tee "$TMP/toolkit/cuda_runtime.h" >"$TMP/toolkit/cuda_fp16.h"
printf 'int nothing;\n' >"$TMP/toolkit/nvjpeg.h"
source_of own.cu '#include <cuda_runtime.h>' '#include <cuda_fp16.h>' '__global__ void k(half *p) { *p = 1; }'
CPATH=$TMP/toolkit ok "a CUDA Toolkit on the compiler's path does not get in the way" compiles own.cu
source_of jpeg.cu '#include <stdio.h>' '#include <nvjpeg.h>'
CPATH=$TMP/toolkit fails 1 'a header that only the Toolkit has is refused' compiles jpeg.cu
is "$err" 'jpeg.cu:2: the CPU device has no <nvjpeg.h>' 'the refused header is named'
source_of special.cu '#include <cmath>' 'double special() { return std::beta(2.0, 3.0); }'
ok 'a program that includes <cmath> has its special functions' compiles special.cu
source_of nested.cu '__global__ void k(float *p) {' '#pragma unroll' 'for (int a = 0; a < 64; a++)' '#pragma unroll' \
    'for (int b = 0; b < 64; b++)' '#pragma unroll' \
    'for (int c = 0; c < 64; c++) p[a] += p[b] * p[c]; }'
ok 'nested loops to unroll compile within a minute' compiles nested.cu
fails 1 'undeclared names do not compile' compiles error.cu
is "$(grep ': error: ' <<<"$err" | sort -u)" "$(columns | sort)" \
    'each error has the line and the column of the source, and there is no other'
unlike "$(grep -v '^ ' <<<"$err")" 'emu_' 'no message has a name of the source pass'
ptx='asm volatile("mov.u32 %0, %%laneid;" : "=r"(*p));'
source_of host_asm.cu "__device__ inline void unused(unsigned *p) { $ptx }" \
    '__global__ void k() { asm volatile("" ::: "memory"); }' \
    'int main() { int a = 1; __asm__ __volatile__("nop\n\tnop" : "+r"(a)); asm(".balign 4"); return a; }'
ok 'assembly of the host, and PTX that is not called, compile' compiles host_asm.cu
source_of missing.cu '__global__ void k(int *p) { surf2Dwrite(1, p, 0, 0); }'
fails 1 'a function that is not supported does not compile' compiles missing.cu
like "$err" "^missing.cu:1:.*surf2Dwrite" 'the unsupported function is named'
source_of nested_launch.cu '__global__ void child() {}' '__global__ void parent() {' 'child<<<1, 1>>>(); }' \
    'int main() { parent<<<1, 1>>>(); }'
ok 'a launch in a kernel compiles' compiles nested_launch.cu
cp "$TMP/x.i" "$TMP/nested.i"
link nested_launch
fails 1 'a launch in a kernel is reported when it happens' "$TMP/nested_launch"
like "$err" '^nested_launch.cu:3: child is launched by a kernel: dynamic parallelism is not supported' \
    'the report of a launch in a kernel has file and line'

# Code that depends on __CUDA_ARCH__: kernels and device functions see 900, host code does not see it, and line numbers
# stay the same.
cat >"$TMP/arch.cu" <<'END'
#include <cstdio>
__host__ __device__ int where()
{
#ifdef __CUDA_ARCH__
    return __CUDA_ARCH__ + (int)(threadIdx.x & 0);
#else
    return 1;
#endif
}
struct S {
    int v;
    __host__ __device__ S() : v(2)
    {
#if __CUDA_ARCH__ >= 700
        v = 7;
#endif
    }
#if __CUDA_ARCH__ >= 700
    __device__ int only() { return 5; }
#else
    __device__ int only() { return 6; }
#endif
};
__host__ __device__ constexpr int next(int n)
{
#ifdef __CUDA_ARCH__
    return n + 1;
#else
    return n + 2;
#endif
}
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 600
__device__ double atomicAdd(double *, double);
#endif
template <class T> __global__ void k(T *o)
{
#if __CUDA_ARCH__ >= 700
    S s;
    o[0] = where() + s.v + s.only() + next((int)threadIdx.x);
    o[-1] = 0;
#endif
}
int main()
{
    int *o;
    static_assert(next(1) == 3, "");
    cudaMallocManaged(&o, 64);
    k<<<1, 1>>>(o + 1), cudaDeviceSynchronize();
    printf("%d, host %d %d, line %d\n", o[1], where(), S().v, __LINE__);
    k<<<1, 1>>>(o);
}
END
compiles_both()
{
    (cd "$TMP" && eval "g++ $(sed -n 1p <<<"$flags")" "$1" -o x.i &&
        eval "\"$built/source_pass\" x.i g++ $(sed -n 2p <<<"$flags")" "$1" >x.ii &&
        eval "g++ $(sed -n 3p <<<"$flags")" -c x.ii -o x.o)
}
ok 'a source that depends on __CUDA_ARCH__ compiles' compiles_both arch.cu
is "$err" '' 'nothing is printed about __CUDA_ARCH__'
ok 'other sources are preprocessed once: the second command is not called' "$built/source_pass" "$TMP/nested.i" false
link arch
run "$TMP/arch"
is "$out" '913, host 1 2, line 49' 'device code is compiled with __CUDA_ARCH__, host code without it'
like "$err" '^arch.cu:40: out of bounds' 'merged sources have the right lines'
source_of host.cu '__global__ void k(int *) {}' '#ifndef __CUDA_ARCH__' 'int only_host() { return 3; }' '#endif' \
    'int main() { return only_host(); }'
ok 'a source whose host code depends on __CUDA_ARCH__ compiles' compiles_both host.cu
is "$err" "host.cu:3: note: host code depends on __CUDA_ARCH__ here, so the CPU device does not define it for this \
file; CXXFLAGS=-D__CUDA_ARCH__=900 does" \
    'a note names the host code that depends on __CUDA_ARCH__'

# Launches that are refused.
cat >"$TMP/refused.cu" <<'END'
#include <cstdlib>
__global__ void k(float *) {}
int main(int, char **argv)
{
    void *args[] = { &argv };
    switch (atoi(argv[1])) {
    case 0: k<<<1, 1025>>>(0); break;
    case 1: k<<<1, 32, 65536>>>(0); break;
    case 2: k<<<0, 32>>>(0); cudaDeviceSynchronize(); break;
    case 3: k<<<1, dim3(1, 1, 65)>>>(0); exit(3);
    case 4: k<<<0, 32>>>(0); return !cudaGetLastError();
    case 5: k<<<0, 32>>>(0); return !cudaPeekAtLastError();
    case 6: return !cudaLaunchKernel((void *)k, dim3(0), dim3(1), args, 0, 0);
    }
}
END
ok 'a program whose launches are refused builds' compiles refused.cu
link refused
refused_launch() { run "$TMP/refused" "$1"; is "$status $err" "$2" "a refused launch: $3"; }
not_asked='the launch of k is refused, and the program does not ask for the error:'
refused_launch 0 "0 note: refused.cu:7: $not_asked 1025 threads per block; at most 1024 are possible" '1025 threads'
refused_launch 1 "0 note: refused.cu:8: $not_asked 65536 bytes of dynamic shared memory; \
the kernel's limit is 49152 (cudaFuncAttributeMaxDynamicSharedMemorySize)" \
    'dynamic shared memory'
refused_launch 2 "0 note: refused.cu:9: $not_asked the grid is empty" 'cudaDeviceSynchronize does not return its error'
refused_launch 3 "3 note: refused.cu:10: $not_asked blockDim.z is 65; at most 64 is possible" 'the exit status stays'
for n in 4 5 6; do refused_launch $n '0 ' 'nothing is printed if the program asks'; done

# Calls that are refused.
cat >"$TMP/calls.cu" <<'END'
#include <cstdio>
#include <cstdlib>
#include <cstring>
__device__ int table[16];
__device__ volatile int flag;
__global__ void k(int *p) { p[threadIdx.x] += flag; }
int main(int, char **argv)
{
    int *d, h[64] = {}, n = atoi(argv[1]);
    cudaMalloc(&d, 128);
    if (n != 2) cudaMemset(d, 0, 128);
    cudaMemcpyToSymbol(flag, h, 4);
    if (n == 0) cudaMemcpy(h, d, 256, cudaMemcpyDeviceToHost);
    if (n == 1) { cudaMemcpyToSymbol(table, h, 256); }
    if (n == 2) cudaMemcpy(d, h, 128, cudaMemcpyDeviceToHost);
    if (n == 3) cudaMemset(d + 8, 0, 128);
    if (n == 4) { cudaFree(d); cudaFree(d); return 0; }
    if (n == 5) cudaFree(d + 1);
    if (n == 6) cudaMemcpy(d, h, 512, cudaMemcpyHostToDevice), cudaGetLastError();
    if (n == 7) return cudaMemcpy(d, h, 512, cudaMemcpyHostToDevice) == cudaErrorInvalidValue ? 0 : 9;
    if (n == 8) puts(cudaGetErrorString(cudaMemcpy(d, h, 512, cudaMemcpyHostToDevice)));
    if (n == 9) { k<<<2, 2048>>>(d); printf("%s\n", cudaGetErrorString(cudaGetLastError())); }
    if (n == 10) cudaFree(h);
    for (; cudaFree(nullptr);)
        ;
    k<<<1, 32>>>(d);
}
END
ok 'a program whose calls are refused builds' compiles calls.cu
is "$err" '' 'a volatile symbol is copied without a message'
link calls
refused_call() { run "$TMP/calls" "$1"; is "$status $(head -n 1 <<<"$err")" "$2" "a refused call: $3"; }
not_asked='is refused, and the program does not ask for the error:'
refused_call 0 "0 note: calls.cu:13: cudaMemcpy $not_asked invalid argument: 256 bytes at byte 0 of the source, an \
array that has 128" 'a copy from an array is too large'
refused_call 1 "0 note: calls.cu:14: cudaMemcpyToSymbol $not_asked invalid argument: 256 bytes at offset 0 of a \
variable that has 64" 'a copy to a symbol is too large'
refused_call 2 "1 note: calls.cu:15: cudaMemcpy $not_asked invalid copy direction for memcpy: the direction is \
cudaMemcpyDeviceToHost, but the copy is from host memory to device memory" 'it is noted before the uninitialized read'
like "$err" '^calls.cu:6: uninitialized read' 'the uninitialized read is reported'
refused_call 3 "0 note: calls.cu:16: cudaMemset $not_asked invalid argument: 128 bytes at byte 32 of the \
destination, an array that has 128" 'memory after an array would be set'
refused_call 4 "0 note: calls.cu:17: cudaFree $not_asked invalid argument: the memory was freed before" 'a second free'
refused_call 5 "0 note: calls.cu:18: cudaFree $not_asked invalid argument: the address is 4 bytes past the start of \
an array of 128" 'a free within an array'
for n in 6 7; do refused_call $n '0 ' 'nothing is printed if the program has the error'; done
refused_call 8 "0 note: calls.cu:21: cudaMemcpy is refused: invalid argument: 512 bytes at byte 0 of the destination, \
an array that has 128" 'the reason is noted when the program prints the error'
refused_call 9 '0 note: calls.cu:22: the launch of k is refused: 2048 threads per block; at most 1024 are possible' \
    'the reason of a launch is noted when the program prints the error'
refused_call 10 "0 note: calls.cu:23: cudaFree $not_asked invalid argument: the memory is not from a function like \
cudaMalloc" 'a free of host memory'

# Notes at the end of the program, and the end for lack of stack.
cat >"$TMP/ends.cu" <<'END'
#include <cstdio>
#include <cstdlib>
__global__ void hello() { printf("hello\n"); }
int deep(int n)
{
    volatile int own[1000] = { n };
    return n < 0 ? 0 : deep(n + 1) + own[n % 1000];
}
float large(int n)
{
    float all[4096][4096];
    all[n][0] = 1;
    hello<<<1, 1>>>();
    return all[n][n % 2];
}
int main(int, char **argv)
{
    int n = atoi(argv[1]), *d;
    cudaMalloc(&d, 4);
    if (n < 6)
        hello<<<1, 1>>>();
    if (n == 1)
        cudaDeviceSynchronize();
    if (n == 2)
        cudaMemcpy(&n, d, 4, cudaMemcpyDeviceToHost), exit(0);
    if (n == 3)
        cudaStreamSynchronize(0);
    if (n == 6)
        return deep(1);
    if (n == 7)
        return (int)large(n);
}
END
ok 'a program that ends without waiting builds' compiles ends.cu
link ends
run "$TMP/ends" 0
is "$status $out $err" "0 hello note: ends.cu:3: the program ends without waiting for this kernel, so a GPU may not \
show what it prints: call cudaDeviceSynchronize() after the launch" 'output that nothing flushes is noted'
for n in 1 2 3; do
    run "$TMP/ends" $n
    is "$status $out $err" '0 hello ' "output that call $n flushes is not noted"
done
for n in 6 7; do
    run "$TMP/ends" $n
    like "$err" '^CPU device: the stack of the host code is full: recursion without end, or variables that are too' \
        "a full stack of host code is named, case $n"
done

source_of unset.cu '__global__ void k(float *p, int n) {' 'float sum;' 'for (int i = 0; i < n; i++)' 'sum += p[i];' \
    'p[0] = sum; }'
ok 'a kernel with an uninitialized variable compiles' compiles unset.cu
like "$err" '^unset.cu:[0-9]:.*warning: .sum. (is|may be) used uninitialized' \
    'the compiler warns about the uninitialized variable'

# The example of the README.
readme=$ROOT/common/emu/README.md
awk '/^```/ { inside = $0 == "```cuda"; next } inside' "$readme" >"$TMP/scale.cu"
example() { CPATH=$ROOT/common/emu compiles scale.cu && link scale; }
ok 'the example of the README builds' example
run "$TMP/scale"
is "$(awk '{ printf "%s ", $3 }' <<<"$out")" '4 8 16 32 ' 'the example prints the sectors that the README states'
sed -i 's/int i = (/int i = 1 + (/' "$TMP/scale.cu"
ok 'the example with an index out of bounds builds' example
fails 1 'the example with an index out of bounds fails' "$TMP/scale"
is "$(awk '/^scale.cu:/ { left = 3 } left-- > 0' "$readme")" "$err" 'the report is the one that the README shows'
done_testing
