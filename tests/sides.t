#!/usr/bin/env bash
# The errors of the source pass for calls that nvcc refuses: launches of functions that are no kernels, host functions
# in device code, device functions in host code, kernels that return a value. Each program of tests/emu/sides.txt is
# preprocessed and goes through the source pass, and is not compiled. With FULL=1, nvcc's verdict must be the same.
. "$(dirname "$0")/lib.sh"

use_pass
flags=$(make -s -C "$ROOT/tests/emu" OUT="$TMP" flags)
preprocess=$(sed -n 1p <<<"$flags") view=$(sed -n 2p <<<"$flags") compile=$(sed -n 3p <<<"$flags")
mkdir "$TMP/cases"
cd "$TMP/cases" || exit 1
awk '/^--- / { file = sprintf("%02d", ++n); print substr($0, 5) >(file ".name"); next }
    n { print >(file ".cu") }' "$ROOT/tests/emu/sides.txt"
holds 'the programs are found' "$(ls ./*.cu | wc -l)" -gt 30
# through_pass FILE: what the source pass prints on stderr is in $err
through_pass()
{
    eval "${CXX:-g++} $preprocess -fexceptions" "$1" -o x.i &&
        run "$PASS" x.i ${CXX:-g++} $(eval "printf '%s\n' $view") -fexceptions $allowed "$1"
}
# compiled FILE: the same, and g++ compiles it
compiled()
{
    through_pass "$1"
    [ "$status" = 0 ] || return 0
    cat <<<"$out" >x.ii
    eval run '"$PASS"' --compile x.ii "${CXX:-g++}" "$compile" -fexceptions -w -c x.ii -o x.o
}

for file in *.cu; do
    name=$(<"${file%.cu}.name")
    case $name in *'[--expt-relaxed-constexpr]') allowed=-DEMU_RELAXED_CONSTEXPR ;; *) allowed= ;; esac
    case $name in *compiled:*) compiled "$file" ;; *) through_pass "$file" ;; esac
    want=$(awk '{ n = split($0, part, " // ERROR ") }
        { for (i = 2; i <= n; i++) print FILENAME ":" FNR ": error: " part[i] }' "$file")
    is "$status $err" "$([ -n "$want" ] && echo 1 || echo 0) $want" "$name"
done

if is_full && have nvcc; then
    for file in *.cu; do
        name=$(<"${file%.cu}.name")
        case $name in *'[--expt-relaxed-constexpr]') allowed=--expt-relaxed-constexpr ;; *) allowed= ;; esac
        verdict=refuses
        nvcc -std=c++17 -w --extended-lambda $allowed -cuda "$file" -o x.ii >/dev/null 2>&1 && verdict=accepts
        want=$(grep -q '// ERROR' "$file" && echo refuses || echo accepts)
        case $name in *'[nvcc refuses]') want=refuses ;; *'[nvcc accepts]') want=accepts ;; esac
        is "$verdict" "$want" "nvcc: $name"
    done
else
    skip "nvcc's verdicts" 'this needs nvcc and FULL=1'
fi

# --- other files, many errors, and what comes after them

printf '%s\n' 'inline int square(int x) { return x * x; }' >helper.cuh
printf '%s\n' '#include "helper.cuh"' '__global__ void k(int *a) { a[0] = square(3); }' >with_header.cu
through_pass with_header.cu
is "$err" "with_header.cu:2: error: kernel 'k' calls 'square', which is a host function; \
write __device__ or __host__ __device__ before its declaration in line 1 of helper.cuh" \
    'the error names the header of the function'
{
    printf '%s\n' 'int square(int x) { return x * x; }' '__global__ void k(int *a)' '{'
    yes 'a[0] = square(1);' | head -n 30
    echo '}'
} >many.cu
through_pass many.cu
is "$status $(grep -c '^many.cu:[0-9]*: error: ' <<<"$err") $(grep -c . <<<"$err")" '1 20 20' \
    'at most 20 errors are printed, each on one line'
is "$out" '' 'a program with errors has no output'
# In a header of the course: a host function, and functions for both sides and for the GPU.
printf '%s\n' '#include "transpose.h"' '__global__ void k(float *a) { a[0] = ceil_div(3, 2); }' \
    'int main() { k<<<ceil_div(3, 2), 1>>>(nullptr); }' >course.cu
preprocess="$preprocess -I$ROOT/01_transpose" view="$view -I$ROOT/01_transpose"
through_pass course.cu
is "$status $err" '0 ' 'functions of the course are those of both sides'
printf '%s\n' '#include "transpose.h"' '__global__ void k(float *a) { transpose(a, a, 1, 1); }' >course.cu
through_pass course.cu
like "$err" "^course.cu:2: error: kernel 'k' calls 'transpose', which is a host function; \
.* in line [0-9]+ of .*/transpose.h$" 'a host function of the course in a kernel is an error'
done_testing
