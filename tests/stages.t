#!/usr/bin/env bash
# Every stage on the CPU device: it is correct at awkward sizes, its claims hold, and its counts are those that Nsight
# Compute (ncu) measured on an H200 and those that are recorded for the CPU device. Without FULL=1: a third of the
# core stages, at small sizes; counts are compared at the claims' sizes; demonstrations that no other test runs.
. "$(dirname "$0")/lib.sh"

# Exit status 77: the demonstration does not support the CPU device.
demo() { timeout 180 "./$1" || { local s=$?; [ $s = 77 ] || return $s; }; }

# Counters that differ from those that Nsight Compute (ncu) measured on an H200: WEEK NAME COUNTER: REASON. A counter
# that equals ncu's must not be listed.
edge='warps that store nothing skip their loads, because ptxas moves these behind the branch'
unrolled='nvcc unrolls the loop by 4; a warp whose lanes make 4 or 3 iterations has 3 more requests'
clamped='in one column of tiles, lanes copy the same 16 bytes of an edge, and every 4th row takes one more wavefront'
shifted='copies of rows that are not aligned to 128 bytes take fewer wavefronts than in stages 11 to 17 (unknown why)'
varies='those of asynchronous copies vary slightly from run to run of ncu'
exceptions="
01_transpose swizzle shared_requests: $edge
01_transpose swizzle shared_wavefronts: $edge
01_transpose tma shared_requests: $edge
01_transpose tma shared_wavefronts: $edge
02_reduction shuffle ld_requests: $unrolled
02_reduction shuffle ld_sectors: $unrolled
02_reduction grid_stride ld_requests: $unrolled
02_reduction grid_stride ld_sectors: $unrolled
02_reduction cg_reduce ld_requests: $unrolled
02_reduction cg_reduce ld_sectors: $unrolled
02_reduction atomics ld_requests: $unrolled
02_reduction atomics ld_sectors: $unrolled
03_matmul multistage shared_wavefronts: $shifted
03_matmul large_thread_tile shared_wavefronts: $shifted
03_matmul fragments_ahead shared_wavefronts: $varies
03_matmul stream_k shared_wavefronts: $shifted
03_matmul register_banks shared_wavefronts: $varies
03_matmul tf32x3 shared_requests: $edge
03_matmul tf32x3 shared_wavefronts: $edge
04_convolution async_copy shared_wavefronts: $clamped
05_scan blelloch shared_requests: $edge
05_scan blelloch shared_wavefronts: $edge
"

# Stages whose threads poll a word in memory: WEEK STAGE... A load is repeated until another block has stored. How often
# differs from run to run, so loads are not compared.
polling='05_scan stage7 stage8 stage9 stage10 stage11 stage12 stage13'

# plain TABLE COLUMN...: like cells, of rows without knobs and variant
plain() { cells "$1" knobs variant "${@:2}" | sed -n 's/^  //p'; }

# Stages and sizes that have other counts in `make claims` than in the recorded run of the CPU device.
changed_counts()
{
    local columns='stage size type barriers active_lanes ld_requests ld_sectors st_requests st_sectors tex_requests'

    columns="$columns atomic_requests shared_requests shared_wavefronts"
    awk -v polling="$(sed -n "s/^$week / /p" <<<"$polling") " '
        { key = $1 " " $2 " " $3; if (index(polling, " " $1 " ")) $5 = $6 = $7 = "" }
        NR == FNR { recorded[key] = $0; next }
        key in recorded { n++; if (recorded[key] != $0) print key }
        END { if (!n) print "no stage and size is in both tables" }' \
        <(plain "$ROOT/plots/data/cpu/$week.counts.tsv" $columns) <(plain build/cpu/claims.tsv $columns)
}

# differing: of a table of `ladder differences`, lines "NAME SIZE COUNTER" with the names of columns
differing()
{
    awk -F ' *[|] *' '
        NR == 1 { split($0, size); short["load"] = "ld"; short["store"] = "st"; short["texture"] = "tex" }
        NR > 2 {
            split($2, stage, " ")
            for (i = 3; i < NF; i++) {
                n = split($i, counter, ", ")
                for (c = 1; c <= n; c++)
                    if (split(counter[c], word, " ") > 3)
                        print stage[2], size[i], (word[1] in short ? short[word[1]] : word[1]) "_" word[2]
            }
        }' <<<"$out"
}

# ncu_counts: the claims' runs have counted at some of the sizes. A stage whose grid depends on the number of SMs is
# counted again, as on an H200.
ncu_counts()
{
    local differ counted named stage name size type again

    run "$LADDER" differences "$measured" build/cpu/claims.tsv
    differ=$(differing | cut -d ' ' -f 1,2)
    counted=$(plain build/cpu/claims.tsv name size type)
    while read -r stage name size type; do
        [[ $stages = *"$stage "* ]] || continue
        [ -x "build/cpu/$stage" ] || { fail "$week: $stage is built"; continue; }
        if grep -q -x "$name $size $type" <<<"$counted"; then again=$(grep -x -m 1 "$name $size" <<<"$differ")
        else again=$(is_full && echo yes); fi
        if [ -n "$again" ]; then
            run "./$stage" --count --size "$size" --type "$type" --sms 132 --tsv counts.tsv
            case $status in 0 | 77) ;; *) fail "$week/$name counts at $size" "exit status $status" "$err" ;; esac
        fi
    done < <(cells "$measured" stage name size type)
    ok "$week: the counts are compared with those of ncu" "$LADDER" differences "$measured" build/cpu/claims.tsv \
        $(ls counts.tsv 2>/dev/null)
    echo "$out" | sed 's/^/# /'
    differ=$(differing | cut -d ' ' -f 1,3 | sort -u)
    named=$(sed -n "s/^$week \(.*\): .*/\1/p" <<<"$exceptions" | sort -u)
    is_full || named=$(grep -x -F -e "$differ" <<<"$named")   # most of them are listed for the other sizes
    is "$differ" "$named" "$week: every stage has the counts of ncu, except those listed"
}

if is_full; then fresh_tree $(every_week all); else fresh_tree $(ladders | sed 's|$|/sampled|'); fi
use_ladder
sizes=--quick
is_full && sizes=
for week in $(ladders); do
    cd "$TREE/$week" || exit 1
    unlike "$(cat "$LADDER_TEST_DIR/$week".{all,sampled}.log 2>/dev/null)" 'warning|error:' \
        "$week builds without a warning"
    all=$(make -s DEVICE=cpu list | awk '{ printf "%s ", $1 }') stages=$all only=()
    if ! is_full; then
        stages="$(sampled_stages) " only=(STAGES="$(sampled_stages)")
        [ ! -e claims ] || awk -v core=" $stages" '/^stage/ { skip = !index(core, " " $1 " ") } !skip' claims >core &&
            mv core claims
    fi
    sources=$(ls ${stages// /_*.cu })
    for stage in $stages; do
        source=$(echo ${stage}_*.cu)
        holds "$week/$stage builds" -x "build/cpu/$stage"
        ok "$week/$stage passes its check" "./$stage" --check $sizes
        like "$out" '[1-9][0-9]* right, 0 wrong' "$week/$stage is correct at one size at least, and wrong at none"
        holds "$week/$stage has a claim about the CPU device" \
            "$(cat "$source" claims | grep -c -e '^// Expect (cpu,' -e '^// Needs:' -e "^$stage (cpu,")" -gt 0
    done
    ok "$week: all claims hold" make -s DEVICE=cpu claims "${only[@]}"
    unlike "$out" 'does not hold|not measured' "$week: every claim is measured, and holds"
    is "$(grep -c '^ *holds ' <<<"$out")" \
        "$(cat $sources $(ls claims 2>/dev/null) | grep -c -e '^// Expect (cpu,' -e '^stage[0-9]* (cpu,')" \
        "$week: every claim is listed"

    measured=$ROOT/plots/data/h200/$week.counts.tsv
    if [ -e "$measured" ]; then ncu_counts
    else skip "$week: every stage has the counts of ncu" 'not recorded: make record PARTS=counts'; fi
    is "$(changed_counts)" '' \
        "$week: the recorded counts of the CPU device are current (update: make DEVICE=cpu record TO=cpu)"

    for stage in $all; do
        source=$(echo ${stage}_*.cu)
        like "$(head -n 1 "$source")" "^// $stage: " "$week/$stage: the head begins with its name"
        # Lines of code: not the head, knobs, checks of knobs, comments and empty lines.
        lines=$(sed -n '/^#include/,$p' "$source" | grep -c -v -E '^[ \t]*$|^#|^static_assert|^ *//')
        grep -qE '^// (Needs:|.*This page is long)' "$source" && lines=0
        holds "$week/$stage is short, or its head says why not" "$lines" -le 60
        includes=$(grep -o '#include "[^"]*' "$source" | sed 's/.*"//')
        is "$(for header in $includes; do [ -e "$header" ] || echo "$header"; done)" '' \
            "$week/$stage includes headers of its week only"
        holds "$week/$stage includes at most two headers" "$(wc -w <<<"$includes")" -le 2
    done
    for demo in demo_*.cu; do
        [ -e "$demo" ] || continue
        is_full || ! grep -q -w "${demo%.cu}" "$ROOT"/tests/{demos*,reduction}.t || continue
        ok "$week/${demo%.cu} builds" make -s DEVICE=cpu "${demo%.cu}"
        [ ! -e "${demo%.cu}" ] || ok "$week/${demo%.cu} runs" demo "${demo%.cu}"
    done
done
done_testing
