#!/usr/bin/env bash
# Structs in memory that a call passes or returns by value: g++ announces no access. The build of a stage warns of those
# in device code.
. "$(dirname "$0")/lib.sh"

fresh_tree 01_transpose/runtime
cd "$TREE/01_transpose" || exit 1

# stage_with NAME DECLARATIONS PREPARATION STATEMENT: a naive transpose, which sets element o of `out` from element i of
# `in` with this statement
stage_with()
{
    rm -f stage99_*.cu
    cat >stage99_values.cu <<END
// stage99: values: a test
#include "transpose.h"

struct one { float x; };
struct large { float x[6]; };
$2
__global__ void transpose_values(const float *in, float *out, int rows, int cols)
{
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    const one *from = (const one *)in;
    one *to = (one *)out; (void)from, (void)to;
    $3
    if (x < cols && y < rows) {
        int i = y * cols + x, o = x * rows + y;
        $4
    }
}

void transpose(const float *in, float *out, int rows, int cols)
{
    transpose_values<<<dim3(ceil_div(cols, 32), ceil_div(rows, 32)), dim3(32, 32)>>>(in, out, rows, cols);
}
END
    run make -s DEVICE=cpu build/cpu/obj/stage99.o
    is "$status" 0 "$1: it is compiled"
}
# warns NAME LINE DECLARATIONS PREPARATION STATEMENT; silent NAME DECLARATIONS PREPARATION STATEMENT
warns()
{
    stage_with "$1" "${@:3}"
    like "$err" "^stage99_values.cu:$2: warning: a struct in memory is passed or returned by value" \
        "$1: the build warns, with the line"
}
silent() { stage_with "$@"; is "$err" '' "$1: no warning"; }

get='__device__ __noinline__ float get(one v) { return v.x; }'
make='__device__ __noinline__ one make_one(float x) { one v = { x }; return v; }'
virtual='struct base { __device__ virtual float get(one v) const { return v.x; } };'
pointer='float (*f)(one) = rows > 0 ? get : nullptr;'
warns 'an argument through a function pointer' 15 "$get" "$pointer" 'out[o] = f(from[i]);'
warns 'a result through a function pointer' 15 "$make" 'one (*f)(float) = rows > 0 ? make_one : nullptr;' \
    'to[o] = f(in[i]);'
warns 'an argument of a virtual function' 15 "$virtual" 'base b; const base *p = &b + (rows < 0);' \
    'out[o] = p->get(from[i]);'
warns 'a variable with the name of a local one' 15 "$get __device__ one table[4];" \
    "$pointer { one table = { 0 }; out[0] = f(table); }" 'out[o] = in[i] + 0 * f(table[i % 4]);'
silent 'a local copy' "$get" "$pointer" 'one v = from[i]; out[o] = f(v);'
silent 'a value that is made in the call' "$get" '' 'out[o] = get(one{ in[i] });'
silent 'host code' 'one host_only[2]; float (*host_get)(one); float on_host() { return host_get(host_only[1]); }' '' \
    'out[o] = in[i];'
silent 'an operator that is expanded' '__device__ one operator+(one a, one b) { return { a.x + b.x }; }' '' \
    'to[o] = from[i] + one{ 0 };'
silent 'a vector' '__device__ float4 four(float v) { return make_float4(v, v, v, v); }' '' 'out[o] = four(in[i]).w;'
done_testing
