#!/usr/bin/env bash
# Tests of week 2 only: faults of one type, the demonstrations, and statements of its README about the recorded runs.
. "$(dirname "$0")/lib.sh"

# --- every type

fresh_tree 02_reduction/stage6
cd "$TREE/02_reduction" || exit 1
ok 'stage13 builds' make -s DEVICE=cpu stage13
fails 77 'stage13 refuses floats' ./stage13 --check --type float
# A fault in floats only is found without --type, too.
sed '/^\/\/ Expect/d; s/id < n % width)/id < (T(0.5) == 0 ? n % width : 0))/' stage10_vector_loads.cu \
    >stage17_floats_lose_tail.cu
ok 'a kernel that loses the tail of floats builds' make -s DEVICE=cpu stage17
ok 'the kernel is correct for ints' ./stage17 --check --type int
fails 1 'a check of all types rejects the kernel' ./stage17 --check
rm -f stage17*

ok 'stage6 runs with --sms 132' ./stage6 --bench --size 1000003 --type int --sms 132 --tsv "$TMP/sms.tsv"
is "$(cells "$TMP/sms.tsv" variant grid st_requests)" 'sms=132 528x1x1 529' \
    '--sms 132 gives the grid and the counts of a GPU with 132 SMs'
ok 'stage6 runs without --sms' ./stage6 --bench --size 1000003 --type int --tsv "$TMP/sms2.tsv"
is "$(cells "$TMP/sms2.tsv" variant grid)" ' 528x1x1' 'without --sms, a stage of week 2 is counted with 132 SMs'
run ./stage6 --bench --size 1000003 --type int --sms 2 --tsv "$TMP/sms3.tsv"
is "$(cells "$TMP/sms3.tsv" variant grid)" 'sms=2 8x1x1' 'with --sms 2, with 2 SMs'

# --- the demonstrations

ok 'demo_combine builds' make -s DEVICE=cpu demo_combine
unlike "$out$err" warning 'demo_combine builds without a warning'
ok 'demo_combine runs' ./demo_combine
is "$(grep -cE '^(kernel|CPU) +1$|^atomic per (block|warp|thread) +[0-9]+$' <<<"$out")" 5 \
    'demo_combine has a line for each way, and one sum where the order is fixed'
ok 'demo_atomics builds' make -s DEVICE=cpu demo_atomics
unlike "$out$err" warning 'demo_atomics builds without a warning'
ok 'demo_atomics runs' ./demo_atomics --words 32
like "$out" '^CPU device: 2048 threads.* some: 32 words for all;' \
    'demo_atomics prints the device and the number of shared words'
is "$(grep -c -E '^atomic[A-Z][A-Za-z]+\(&w, ' <<<"$out")" 11 \
    'demo_atomics has a line for each operation in the table of the slides'
ok 'demo_atomics --help' ./demo_atomics --help
like "$out" '^ +--words N ' '--help lists the option'
refused '--wrong: unknown option; see --help' ./demo_atomics --wrong
refused "'32': unknown argument; see --help" ./demo_atomics 32
refused '--words: needs a value' ./demo_atomics --words
for words in x 1 1025 3x ''; do
    refused "--words '$words': expected a whole number from 2 to 1024" ./demo_atomics --words "$words"
done
# Without FULL=1, a sixteenth of its elements.
is_full || sed -i 's/{ 131072, 32 }, { 4096, 1024 }, { 8, 524288 }/{ 8192, 32 }, { 256, 1024 }, { 8, 32768 }/
    s/1 << 22/1 << 18/' demo_row_sums.cu
ok 'demo_row_sums builds' make -s DEVICE=cpu demo_row_sums
unlike "$out$err" warning 'demo_row_sums builds without a warning'
ok 'demo_row_sums runs' ./demo_row_sums
is "$(grep -cE '^ *[0-9]+ rows of +[0-9]+  (thread|warp|block) per row +right' <<<"$out")" 9 \
    'demo_row_sums has a line for each kernel and shape'
sed -n '/^#/d; /model/q; p' "$ROOT/plots/data/model/02_reduction.row_sums.txt" | grep . >"$TMP/row_sums"
lines() { if is_full; then cat; else sed 's/^ *[0-9]* rows of *[0-9]* //'; fi; }
is "$(lines <<<"$out")" "$(lines <"$TMP/row_sums")" 'the modeled output of demo_row_sums has the same lines'
# Neighboring lanes that read neighboring rows, by mistake: the sum of another row is found.
sed 's/if (lane == 0)/if (lane == 1)/' demo_row_sums.cu >demo_wrong_lane.cu
ok 'a kernel that stores the sum of lane 1 builds' make -s DEVICE=cpu demo_wrong_lane
fails 1 'a sum that lacks an element is found' ./demo_wrong_lane
like "$out" '^warp per row: row 0 has the sum [0-9.]+, expected ' 'the message names kernel, row and both sums'
for demo in demo_combine demo_atomics; do
    printed=$ROOT/plots/data/h200/02_reduction.$demo.txt
    ok "$demo runs with defaults" ./$demo
    # The ways or operations.
    outline() { sed -n 's/^\(kernel \|CPU  \|atomic per [a-z]*\|atomic[A-Za-z]*([^)]*)\).*/\1/p'; }
    is "$(outline <"$printed")" "$(outline <<<"$out")" "the recorded output of $demo has the same lines"
    like "$(cat "$printed")" '^NVIDIA H200, CUDA [0-9.]+[.:] ' "the recorded output of $demo names its device"
    unlike "$(cat "$printed")" 'nan|inf| -[0-9]' "the recorded output of $demo has times or rates only"
done

# --- commands in the heads of stages set knobs that exist

lost=
for source in "$ROOT"/02_reduction/stage*.cu; do
    while read -r stage settings; do
        for setting in $settings; do
            grep -q "^#ifndef ${setting%%=*}\$" "$ROOT/02_reduction/$stage"_*.cu ||
                lost="$lost ${source##*/}:$stage:$setting"
        done
    done < <(sed -n 's/#.*//; s/^\/\/ make /make /p' "$source" | sed 's/[;&]/\n/g' |
        sed -n 's/^ *make \(stage[0-9]*\)  *\([A-Z].*=.*\)$/\1 \2/p')
done
is "$lost" '' 'every knob in a command of a head exists'

# --- statements of the README about the recorded runs

data=$ROOT/plots/data/h200/02_reduction
# column NAME FILE: lines "stage size mode value" of ints
column()
{
    SEP='|' cells "$2" type status knobs stage size mode "$1" |
        awk -F '|' '$1 == "int" && $2 == "ok" && $3 == "" { print $4, $5, $6, $7 }'
}
# of NAME FILE PROGRAM: runs an awk program on value[stage, k], cold, for size 2^k; it prints exceptions
of()
{
    column "$1" "$2" | awk '
        function us(stage) { return value["stage" stage, k] }
        $3 == "cold" && $4 != "" { for (k = 0; 2 ^ k < $2; k++) ; value[$1, k] = $4 }
        END { '"$3"' }'
}

for k in 24 28; do
    is "$(of median_us "$data".shmoo.tsv "k = $k; for (i = 1; i <= 6; i++) if (!(us(i) < us(i - 1))) print i")" '' \
        "each of stages 1 to 6 is faster than its predecessor at 2^$k"
done
is "$(of graph_us "$data".shmoo.tsv 'for (k = 0; k <= 20; k++) if (!(us(9) > us(7))) print k')" '' \
    "in a graph, stage 9's memset takes longer than stage 7's second launch"
is "$(of median_us "$data".shmoo.tsv 'for (k = 0; k <= 30; k++) if (!(us(9) < us(7))) print k')" '' \
    'in a stream, stage 9 is faster than stage 7'
is "$(of graph_us "$data".shmoo.tsv 'for (k = 0; k <= 20; k++) if (!(us(12) < us(11))) print k')" '' \
    'in a graph, stage 12 is faster than stage 11 at every measured size'
is "$(column median_us "$data".ladder.tsv | awk '
    $2 == 16777216 { us[$1, $3] = $4; seen[$1] }
    END { for (s in seen) if (us[s, "hot"] < 0.95 * us[s, "cold"]) print s }')" stage15 \
    'only stage 15 is at least 5 % faster with a hot cache'
# Loads, stores and shared memory of the first stages, whose launches do not depend on the GPU. (Stage 2 was not
# counted with ncu since its sum is in a register.)
asked() { "$TREE/build/ladder" markdown counts "$1" | grep '^| \[stage[01] '; }
is "$(asked "$ROOT"/plots/data/cpu/02_reduction.counts.tsv)" "$(asked "$data".counts.tsv)" \
    'the counts of stages 0 and 1 equal those of ncu on the GPU'
# Errors grow as sqrt(n), so each is divided by it before the sizes are added.
is "$(cells "$data".errors.tsv stage size max_error | awk '
    $2 >= 2 ^ 20 && /^stage/ { sum[$1] += $3 / sqrt($2) }
    END {
        for (s in sum)
            for (a = 9; a <= 11; a++)
                if (s !~ /^stage(9|10|11)$/ && sum[s] >= sum["stage" a]) print s, a
    }')" '' \
    "from 2^20 on, float sums of stages 9 to 11 have larger errors than those of all other stages, \
on average over the sizes"

done_testing
