#!/usr/bin/env bash
# Inline PTX on the CPU device: what it computes and counts, and what it reports.
. "$(dirname "$0")/lib.sh"

here=$ROOT/tests/emu
ok 'the programs build' emu_programs ptx ptx_faults ptx_gemm
is "$err" '' 'the programs build without a message'
for workers in $(is_full && echo 1 2) 5; do
    for program in ptx ptx_gemm; do
        EMU_THREADS=$workers run timeout 120 "$built/$program"
        is "$status" 0 "$program exits with status 0, $workers workers"
        is "1..$(grep -c '^ok' <<<"$out")" "$(tail -n 1 <<<"$out")" "every test of $program passes, $workers workers"
        grep -A1 '^not ok' <<<"$out" | sed 's/^/# /'
        is "$err" '' "$program: nothing is reported, $workers workers"
    done
done
export EMU_PATIENCE=0.5
check_faults "$built" ptx_faults ''
run timeout 60 "$built/ptx_gemm" overrun
is "$status" 1 'a product whose tiles are overwritten while they are read: exit status 1'
like "$err" '^ptx_gemm.cu:[0-9]*: race: write of raw' 'and a race is reported'
run timeout 60 "$built/ptx_gemm" early
like "$err" '^ptx_gemm.cu:[0-9]*: read of raw .* the target of an asynchronous copy in flight' \
    'a wait for one group too few is reported'

read -r preprocess < <(make -s -C "$here" OUT="$built" flags | sed -n 1p)
compile=$(make -s -C "$here" OUT="$built" flags | sed -n 3p)
# compiles FILE: through the source pass, to $TMP/x.o
compiles()
{
    # shellcheck disable=SC2086  # options
    (cd "$TMP" && "${CXX:-g++}" $preprocess "$1" -o x.i && "$built/source_pass" x.i >x.ii &&
        "${CXX:-g++}" $compile -c x.ii -o x.o)
}
for operand in '"r"(1.0f)' '"f"(1)' '"r"(true)' '"l"(1)' '"r"(p)'; do
    printf '%s\n' '__global__ void k(int *p) {' "asm volatile(\"nanosleep.u32 %0;\" :: $operand); }" >"$TMP/operand.cu"
    fails 1 "an operand that does not have the type of its constraint does not compile: $operand" compiles operand.cu
    like "$err" 'the operand of an asm statement does not have the type of its constraint' 'with a message'
done
printf '%s\n' '__global__ void k(int *p) {' 'asm volatile("mov.u32 %0, 1;" : "=q"(*p)); }' >"$TMP/constraint.cu"
fails 1 'an unknown constraint does not compile' compiles constraint.cu
is "$err" 'constraint.cu:2: error: the CPU device does not know the constraint "=q"' 'and is named with its line'
done_testing
