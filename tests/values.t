#!/usr/bin/env bash
# Structs in memory that a call passes or returns by value: g++ announces no access. The build of a stage warns of those in device code.
. "$(dirname "$0")/lib.sh"

fresh_tree 01_transpose/runtime
cd "$TREE/01_transpose" || exit 1

# stage_with DECLARATIONS PREPARATION STATEMENT: a naive transpose whose kernel transposes element i of `in` to `o` of `out` with this statement
stage_with()
{
    rm -f stage99_*.cu
    cat >stage99_values.cu <<END
// stage99: values: a test
#include "transpose.h"

struct one { float x; };
struct large { float x[6]; };
$1
__global__ void transpose_values(const float *in, float *out, int rows, int cols)
{
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    const one *from = (const one *)in;
    one *to = (one *)out;
    $2
    if (x < cols && y < rows) {
        int i = y * cols + x, o = x * rows + y;
        $3
    }
}

void transpose(const float *in, float *out, int rows, int cols)
{
    transpose_values<<<dim3(ceil_div(cols, 32), ceil_div(rows, 32)), dim3(32, 32)>>>(in, out, rows, cols);
}
END
    run make -s DEVICE=cpu build/cpu/obj/stage99.o
    is "$status" 0 "$4: it is compiled"
}
warns() { stage_with "$1" "$2" "$3" "$4"; like "$err" "^stage99_values.cu:$5: warning: a struct in memory is passed or returned by value" "$4: the build warns, with the line"; }
silent() { stage_with "$1" "$2" "$3" "$4"; is "$err" '' "$4: no warning"; }

get='__device__ __noinline__ float get(one v) { return v.x; }'
make='__device__ __noinline__ one make_one(float x) { one v = { x }; return v; }'
virtual='struct base { __device__ virtual float get(one v) const { return v.x; } };'
warns "$get" 'float (*f)(one) = rows > 0 ? get : nullptr;' 'out[o] = f(from[i]);' 'an argument through a function pointer' 15
warns "$make" 'one (*f)(float) = rows > 0 ? make_one : nullptr;' 'to[o] = f(in[i]);' 'a result through a function pointer' 15
warns "$virtual" 'base b; const base *p = &b + (rows < 0);' 'out[o] = p->get(from[i]);' 'an argument of a virtual function' 15
warns "$get"' __device__ one table[4];' 'float (*f)(one) = rows > 0 ? get : nullptr; { one table = { 0 }; out[0] = f(table); }' \
    'out[o] = in[i] + 0 * f(table[i % 4]);' 'a variable with the name of a local one' 15
silent "$get" 'float (*f)(one) = rows > 0 ? get : nullptr;' 'one v = from[i]; out[o] = f(v);' 'a local copy'
silent "$get" '' 'out[o] = get(one{ in[i] });' 'a value that is made in the call'
silent 'one host_only[2]; float (*host_get)(one); float on_host() { return host_get(host_only[1]); }' '' 'out[o] = in[i];' 'host code'
silent '__device__ one operator+(one a, one b) { return { a.x + b.x }; }' '' 'to[o] = from[i] + one{ 0 };' 'an operator that is expanded'
silent '__device__ float4 four(float v) { return make_float4(v, v, v, v); }' '' 'out[o] = four(in[i]).w;' 'a vector'
done_testing
