#!/usr/bin/env bash
# Demonstrations of what forums ask: copies and streams, transpose in place, sums of columns, calls of cuBLAS. Each is
# right on the CPU device, and a fault that is planted in it is reported.
. "$(dirname "$0")/lib.sh"

fresh_tree 01_transpose/shared
cd "$TREE" || exit 1
run_file() { run make -s DEVICE=cpu run-file FILE="$1" ARGS="${2-}"; }
# planted PROGRAM SED-SCRIPT REGEX NAME [ARGUMENTS]: the program, changed, fails with a line that matches
planted()
{
    sed "$2" "$1" >trial.cu
    if cmp -s "$1" trial.cu; then
        fail "$4" "the script changes nothing in $1: $2"
        return
    fi
    run_file trial.cu "${5-}"
    holds "$4: the program fails" "$status" != 0
    like "$err" "$3" "$4"
}

copies=01_transpose/demo_copies.cu
run_file $copies 1000
is "$status $(grep -c ' 0 wrong$' <<<"$out")" '0 3' 'copies: three ways are right, and no time is printed'
run_file $copies 0
like "$err" 'expected one number of elements' 'copies: no elements are refused'
planted $copies 's/DeviceToHost, stream)/DeviceToHost, streams[(i + 1) % STREAMS])/' 'race between streams' \
    'copies: a copy in the stream of another part is a race'
planted $copies '/cudaDeviceSynchronize/d; /cudaEventSynchronize/d; s/check(cudaEventElapsed.*/ms = 0;/' \
    'host code reads or writes memory before it waits' 'copies: the host must wait before it reads'

in_place=01_transpose/demo_in_place.cu
for n in 1 31 33 100; do
    run_file $in_place $n
    is "$status $out" "0 $n x $n in place: 0 wrong" "in place: $n x $n is right"
done
planted $in_place '/col < row/d; /return;.*block of the mirror/d' 'race between blocks' \
    'in place: two blocks that swap the same tiles are a race' 70
planted $in_place '/__syncthreads/d' 'race: ' 'in place: a barrier is necessary' 70

columns=02_reduction/demo_columns.cu
for size in '1 1' '65 257' '300 70'; do
    run_file $columns "$size"
    is "$status $(grep -c ' 0 wrong$' <<<"$out")" '0 2' "sums of columns: $size is right"
done
planted $columns 's/atomicAdd(&sums\[col\], sum);/sums[col] += sum;/' 'race between blocks' \
    'sums of columns: blocks that share a column need an atomic'

cublas=03_matmul/demo_cublas.cu
run_file $cublas
is "$status $(grep -c ' 0 wrong$' <<<"$out")" '0 5' 'cuBLAS: five calls for row-major matrices are right'
planted $cublas 's/B.transposed ? K : N;/B.transposed ? N : K;/' '.' 'cuBLAS: a wrong row length is found'

done_testing
