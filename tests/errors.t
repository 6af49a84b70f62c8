#!/usr/bin/env bash
# How right sums of floats are: max_error, the errors that `make errors` keeps of week 2's stages, the host's sums beside them, and what is recorded
# of the CPU device.
. "$(dirname "$0")/lib.sh"

fresh_tree 02_reduction/all
cd "$TREE/02_reduction" || exit 1

# --- the host's sums

ok 'summation builds' make -s DEVICE=cpu summation
unlike "$out$err" warning 'without a warning'
ok 'it prints means' ./summation --size 4096
like "$out" '^ +4096 +[0-9.e-]+ +[0-9.e-]+ +[0-9.e-]+ +36\.95$' 'of three methods, beside a typical sum'
ok 'and rows' ./summation --tsv - --size 70000
printf '%s\n' "$out" >host.tsv
is "$(cells host.tsv stage | sort | uniq -c | awk '{ print $1, $2 }' | tr '\n' ,)" '102 ref_kahan,102 ref_naive,102 ref_pairwise,' 'six seeds, 1 to 65536'
is "$(cells host.tsv size max_error | awk '$1 == 1 && $2 != 0' | wc -l)" 0 'one float has no error'
worse() { cells host.tsv stage size max_error | awk -v a="ref_$1" -v b="ref_$2" '$2 >= 4096 { e[$1] += $3 } END { print (e[a] > 2 * e[b] ? "worse" : e[a] " and " e[b]) }'; }
is "$(worse naive pairwise)" worse 'the running sum is worse than pairs'
is "$(worse pairwise kahan)" worse 'and those worse than what Kahan corrects'
for bad in '--size 0' '--size -5' '--size x' '--size 99999999999999' '-n 4' '4 5' '--tsv' '--tsv - --size x' '--tsv /dev/full' '--tsv /nowhere/x.tsv'; do
    fails 2 "summation $bad" ./summation $bad
    is "$(grep -c '' <<<"$err") $out" '1 ' 'is refused in one line'
done

# --- the stages'

ok 'make errors' make -s DEVICE=cpu errors STAGES='stage0 stage8 stage11' ARGS='--size 4096 --seed 1,3'
table=results/cpu/errors.tsv
like "$out" "SKIP: stage11" 'says which stage takes no floats'
is "$(cells $table stage size | grep -c '^stage0 4096$') $(cells $table stage size | grep -c '^stage8 [0-9]*$')" '2 14' 'a row for each seed and size'
is "$(cells $table stage mode status type | grep stage0 | sort -u)" 'stage0 check ok float' 'of mode check'
is "$(cells $table size max_error | awk '$1 == 1 && $2 > 0' | wc -l)" 0 'one float has no error here either'
like "$(cells $table stage size seed max_error)" '^stage0 4096 3 [1-9]' 'of many they have one'
like "$(cells $table stage)" '^ref_naive$' "and the host's sums are there"
if have gnuplot; then
    ok 'plots' make -s DEVICE=cpu plots
    like "$out" 'summation_error: plots/out/02_reduction_summation_error.svg, from 02_reduction/results/cpu/' 'draw them'
    like "$out" 'activity: plots/out/02_reduction_activity.svg' 'and who works'
fi

# --- in the report and in rows of other kinds

run ./stage8 --type float --size 4096
like "$out" 'check    right at 4096 .*largest error at 4096 [1-9][0-9.e-]* of [0-9.e-]+ allowed' 'the report says how far off a float sum is'
run ./stage8 --size 4096
like "$out" 'equal bits' 'and of ints that they are equal'
run ./stage8 --bench --size 4096 --tsv -
printf '%s\n' "$out" >int.tsv
is "$(cells int.tsv seed max_error)" '1 ' 'ints have no error'
run ./stage8 --bench --size 4096 --type double --seed 5 --tsv -
printf '%s\n' "$out" >double.tsv
like "$(cells double.tsv seed max_error)" '^5 [0-9][0-9.e-]*$' 'doubles have'
run ./stage8 --check --size 4096 --tsv -
printf '%s\n' "$out" >check.tsv
is "$(cells check.tsv mode status)" 'check ok' 'a check leaves rows where it is asked for them'
run ./stage8 --shmoo --size 300
is "$(grep -c ' int ' <<<"$out")" 5 'a sweep goes no further than --size'

# --- what is recorded of the CPU device is what it counts

ok 'record' make -s DEVICE=cpu record TO=test
counted() { cells "$1" stage size barriers active_lanes shared_requests shared_wavefronts ld_sectors; }
is "$(counted ../plots/data/test/02_reduction.counts.tsv)" "$(counted "$ROOT/plots/data/cpu/02_reduction.counts.tsv")" \
    'the recorded counts of the CPU device (else: make DEVICE=cpu record TO=cpu)'
fails 2 'a part that is not there' make -s DEVICE=cpu record TO=test PARTS='counts knobs'
like "$err" "no part 'knobs' here; there are: counts" 'is named'
done_testing
