#!/usr/bin/env bash
# The accuracy of float sums: max_error, the errors of week 2's stages and of sums on the host in the table of `make
# errors`, and the recorded rows of the CPU device.
. "$(dirname "$0")/lib.sh"

fresh_tree 02_reduction/stage8
cd "$TREE/02_reduction" || exit 1

# --- sums on the host

ok 'summation builds' make -s DEVICE=cpu summation
unlike "$out$err" warning 'summation builds without a warning'
ok 'summation runs' ./summation --size 4096
like "$out" '^ +4096 +[0-9.e-]+ +[0-9.e-]+ +[0-9.e-]+ +36\.95$' \
    'summation prints the mean errors of three methods and a typical sum'
ok 'summation prints rows' ./summation --tsv - --size 70000
printf '%s\n' "$out" >host.tsv
is "$(cells host.tsv stage | sort | uniq -c | awk '{ print $1, $2 }' | tr '\n' ,)" \
    '102 ref_kahan,102 ref_naive,102 ref_pairwise,' 'each method has rows for six seeds and the sizes from 1 to 65536'
is "$(cells host.tsv size max_error | awk '$1 == 1 && $2 != 0' | wc -l)" 0 'the sum of one float has no error'
worse()
{
    cells host.tsv stage size max_error | awk -v a="ref_$1" -v b="ref_$2" '$2 >= 4096 { e[$1] += $3 }
        END { print (e[a] > 2 * e[b] ? "worse" : e[a] " and " e[b]) }'
}
is "$(worse naive pairwise)" worse 'a running sum is less accurate than pairwise sums'
is "$(worse pairwise kahan)" worse 'pairwise sums are less accurate than compensated (Kahan) sums'
for bad in '--size '{0,-5,x,99999999999999} '-n 4' '4 5' '--tsv' '--tsv '{'- --size x',/dev/full,/nowhere/x.tsv}; do
    fails 2 "summation $bad" ./summation $bad
    is "$(grep -c '' <<<"$err") $out" '1 ' "summation $bad is refused in one line"
done

# --- sums of the stages

ok 'make errors' make -s DEVICE=cpu errors STAGES='stage0 stage9 stage13' ARGS='--size 4096 --seed 1,3'
table=results/cpu/errors.tsv
like "$out" "SKIP: stage13" 'make errors says which stage refuses floats'
is "$(cells $table stage size | grep -c '^stage0 4096$') $(cells $table stage size | grep -c '^stage9 [0-9]*$')" \
    '2 14' 'make errors writes a row for each seed and size'
is "$(cells $table stage mode status type | grep stage0 | sort -u)" 'stage0 check ok float' \
    'the rows of errors have mode check'
is "$(cells $table size max_error | awk '$1 == 1 && $2 > 0' | wc -l)" 0 'the stages have no error for one float'
like "$(cells $table stage size seed max_error)" '^stage0 4096 3 [1-9]' 'the stages have an error for many floats'
like "$(cells $table stage)" '^ref_naive$' 'the table has the sums on the host'
if have gnuplot; then
    ok 'make plots' make -s DEVICE=cpu plots V=1
    like "$out" 'summation_error: plots/out/02_reduction_summation_error.svg, from 02_reduction/results/cpu/' \
        'make plots draws the errors'
    like "$out" 'activity: plots/out/02_reduction_activity.svg' 'make plots draws the activity'
fi

# --- errors in the report and in other rows

run ./stage8 --type float --size 4096
like "$out" 'check    right at 4096 .*largest error at 4096 [1-9][0-9.e-]* of [0-9.e-]+ allowed' \
    'the report has the error of a float sum'
run ./stage8 --size 4096
like "$out" 'equal bits' 'the report says that int sums have equal bits'
run ./stage8 --bench --size 4096 --tsv -
printf '%s\n' "$out" >int.tsv
is "$(cells int.tsv seed max_error)" '1 ' 'rows of ints have no max_error'
run ./stage8 --bench --size 4096 --type double --seed 5 --tsv -
printf '%s\n' "$out" >double.tsv
like "$(cells double.tsv seed max_error)" '^5 [0-9][0-9.e-]*$' 'rows of doubles have a max_error'
run ./stage8 --check --size 4096 --tsv -
printf '%s\n' "$out" >check.tsv
is "$(cells check.tsv mode status)" 'check ok' 'a check with --tsv writes rows'
run ./stage8 --shmoo --size 300
is "$(grep -c ' int ' <<<"$out")" 5 'a sweep ends at --size'

# --- make record

ok 'make record' make -s DEVICE=cpu record TO=test STAGES=stage8 ARGS='--size 4096'
fails 2 'an unknown part is refused' make -s DEVICE=cpu record TO=test PARTS='counts knobs'
like "$err" "no part 'knobs' here; there are: counts" 'the refusal names the unknown part'
done_testing
