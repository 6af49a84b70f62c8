#!/usr/bin/env bash
# Week 2 beyond what all weeks have in common: faults of one type, the knobs, its demonstration, and what its README reads off the recorded runs.
. "$(dirname "$0")/lib.sh"

# --- every type, every way to combine

fresh_tree 02_reduction/all
cd "$TREE/02_reduction" || exit 1
stages=$(make -s DEVICE=cpu list | awk '{ print $1 }')
ok 'the stages build' make -s -j2 DEVICE=cpu $stages
fails 77 'stage11 refuses floats' ./stage11 --check --type float
# A fault that only floats have is seen without --type too.
sed -n '/^\/\/ Expect/!p' stage9_vector_loads.cu | sed 's/threadIdx.x < n % per ?/threadIdx.x < (T(0.5) == 0 ? n % per : 0) ?/' >stage14_floats_lose_tail.cu
ok 'a kernel that loses the tail of floats builds' make -s DEVICE=cpu stage14
ok 'it is right for ints' ./stage14 --check --type int
fails 1 'and rejected' ./stage14 --check
rm -f stage14*

ok 'stage6 with --sms 132' ./stage6 --bench --size 1000003 --type int --sms 132 --tsv "$TMP/sms.tsv"
is "$(cells "$TMP/sms.tsv" variant grid shared_requests st_requests)" 'sms=132 528x1x1 29624 529' 'has the grid and the counts of a GPU with 132 SMs'
ok 'stage6 without --sms' ./stage6 --bench --size 1000003 --type int --tsv "$TMP/sms2.tsv"
is "$(cells "$TMP/sms2.tsv" variant grid)" ' 8x1x1' 'has the grid of a GPU with 2 SMs'

for combine in KERNEL CPU ATOMICS; do
    ok "stage8 with COMBINE=$combine builds" make -s DEVICE=cpu stage8 COMBINE=$combine
    for type in int float double; do ok "and is right for $type" ./stage8 --check --type $type; done
done
fails 2 'COMBINE=4' make -s DEVICE=cpu stage8 COMBINE=4
like "$err" 'COMBINE must be ATOMICS, KERNEL or CPU' 'is refused, and what there is is named'
for knob in 'stage5 BLOCK=256' 'stage9 LOADS=1' 'stage9 BLOCK=256'; do
    ok "$knob builds" make -s DEVICE=cpu $knob
    ok 'and is right' "./${knob%% *}" --check --size 100000 --type int
done
fails 2 'LOADS=0' make -s DEVICE=cpu stage9 LOADS=0
like "$err" 'LOADS must be from 1 to 64' 'is refused'

ok 'make combine' make -s DEVICE=cpu combine ARGS='--size 1000,4096'
is "$(tail -n 1 <<<"$out")" results/cpu/combine.tsv 'leaves a table'
is "$(cells results/cpu/combine.tsv size knobs status kernels atomic_requests | tr '\n' ',')" \
    "$(printf '%s,' '1000 COMBINE=KERNEL ok 2 0' '4096 COMBINE=KERNEL ok 2 0' '1000 COMBINE=CPU ok 1 0' '4096 COMBINE=CPU ok 1 0' \
        '1000 COMBINE=ATOMICS ok 1 2' '4096 COMBINE=ATOMICS ok 1 8')" \
    'with a row for each way and size, the default among the ways by its name: one more kernel, or an atomic per block'
is "$(readlink stage8)" build/cpu/stage8 'and ./stage8 is the plain program'
rm results/cpu/combine.tsv
fails 2 'make combine with a size that is none' make -s DEVICE=cpu combine ARGS='--size 1000,many'
like "$err" "--size 'many': not a number" 'says so'
[ ! -e results/cpu/combine.tsv ] && pass 'and leaves no table' || fail 'and leaves no table'
fails 2 'a setting that is misspelt' make -s DEVICE=cpu combine ARG=1000
like "$err" 'no stage here has a knob ARG' 'is refused'

# --- the demonstration

ok 'demo_atomics builds' make -s DEVICE=cpu demo_atomics
unlike "$out$err" warning 'without a warning'
ok 'it is right' ./demo_atomics --words 32
like "$out" '^CPU device: 2048 threads.* some: 32 words for all;' 'says on which device, and how many words are shared'
is "$(grep -c -E '^atomic[A-Z][A-Za-z]+ +( +right){6}$' <<<"$out")" 11 'has a line for each operation of the table in the slides'
like "$out" '^unsigned   1 sum:  [0-9]+ each time, as on the CPU$' 'one sum of ints'
like "$out" '^float +[0-9]+ sums?: ' 'and says how many of floats'
ok 'demo_atomics --help' ./demo_atomics --help
like "$out" '^ +--words N ' 'lists the option'
refused '--wrong: unknown option; see --help' ./demo_atomics --wrong
refused "'32': unknown argument; see --help" ./demo_atomics 32
refused '--words: needs a value' ./demo_atomics --words
for words in x 1 1025 3x ''; do
    refused "--words '$words': expected a whole number from 2 to 1024" ./demo_atomics --words "$words"
done
printed=$ROOT/plots/data/h200/02_reduction.demo_atomics.txt
if [ -f "$printed" ]; then
    ok 'what demo_atomics prints' ./demo_atomics
    # Words without numbers, first of each line: the same, but for the rates.
    outline() { sed -n 's/^\(atomic[A-Za-z]*\|contention\|unsigned\|float\).*/\1/p'; }
    is "$(outline <"$printed")" "$(outline <<<"$out")" 'is what the recorded text has, line by line'
    like "$(cat "$printed")" '^NVIDIA H200, CUDA [0-9.]+: [0-9]+ threads\. .* some: 256 words for all;' 'which says where it ran'
    unlike "$(cat "$printed")" 'right|nan|inf|-[0-9]' 'and has a rate for each'
else
    skip 'what demo_atomics printed on a GPU' 'it is not recorded'
fi

# --- commands in the heads of stages: the knobs that they set are the stage's

lost=
for source in "$ROOT"/02_reduction/stage*.cu; do
    while read -r stage settings; do
        for setting in $settings; do
            grep -q "^#ifndef ${setting%%=*}\$" "$ROOT/02_reduction/$stage"_*.cu || lost="$lost ${source##*/}:$stage:$setting"
        done
    done < <(sed -n 's/#.*//; s/^\/\/ make /make /p' "$source" | sed 's/[;&]/\n/g' | sed -n 's/^ *make \(stage[0-9]*\)  *\([A-Z].*=.*\)$/\1 \2/p')
done
is "$lost" '' 'knobs that a head sets are there'

# --- what the README reads off the recorded runs

data=$ROOT/plots/data/h200/02_reduction
# column NAME FILE: lines "stage size mode value" of ints
column() { awk -F'\t' -v name="$1" '/^#/ { next } $1 == "week" { split("", at); for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["type"] == "int" && $at["status"] == "ok" && (!("knobs" in at) || $at["knobs"] == "") { print $at["stage"], $at["size"], $at["mode"], $at[name] }' "$2"; }
# of NAME FILE PROGRAM: the program sees value[stage, k] for 2^k, cold, and prints what is wrong
of() { column "$1" "$2" | awk '$3 == "cold" && $4 != "" { for (k = 0; 2 ^ k < $2; k++) ; value[$1, k] = $4 } END { '"$3"' }'; }

is "$(of median_us "$data".shmoo.tsv 'for (k = 0; k <= 30; k++) if (!(value["stage13", k] < value["ref_cub", k])) print k')" '' \
    'in a stream stage 13 takes less time than CUB at every power of two'
is "$(of median_us "$data".shmoo.tsv 'for (k = 14; k <= 20; k++) if (!(value["stage13", k] <= 0.6 * value["ref_cub", k])) print k')" '' \
    'from 2^14 to 2^20 at most 0.6 of it'
is "$(of graph_us "$data".shmoo.tsv 'for (k = 0; k <= 23; k++) if (value["stage13", k] > value["ref_cub", k]) printf "%d ", k')" '0 1 2 3 4 5 6 7 8 9 12 ' \
    'from a graph CUB is faster up to 2^9 elements and at 2^12'
for k in 24 28; do
    is "$(of median_us "$data".shmoo.tsv 'for (i = 1; i <= 6; i++) if (!(value["stage" i, '$k'] < value["stage" i - 1, '$k'])) print i')" '' \
        "stages 0 to 6 rise in the lecture's order at 2^$k"
done
is "$(of graph_us "$data".shmoo.tsv 'for (k = 0; k <= 20; k++) if (!(value["stage8", k] > value["stage7", k])) print k')" '' \
    "stage 8's memset costs more than a second launch in a graph"
is "$(of median_us "$data".shmoo.tsv 'for (k = 0; k <= 30; k++) if (!(value["stage8", k] < value["stage7", k])) print k')" '' 'and less in a stream'
is "$(of median_us "$data".shmoo.tsv 'for (k = 0; k <= 30; k++) if (value["stage10", k] < value["stage9", k]) last = k; print last')" 12 \
    'in a stream stage 10 is faster than stage 9 up to 2^12'
is "$(of graph_us "$data".shmoo.tsv 'for (k = 0; k <= 23; k++) if (!(value["stage10", k] < value["stage9", k])) print k')" '' 'in a graph wherever both were measured'
is "$(column median_us "$data".ladder.tsv | awk '$2 == 16777216 { us[$1, $3] = $4; seen[$1] } END { for (s in seen) if (us[s, "hot"] < 0.95 * us[s, "cold"]) print s }')" stage13 \
    'hot, only stage 13 gains'
is "$(awk -F'\t' '/^#/ { next } $1 == "week" { for (i = 1; i <= NF; i++) at[$i] = i; next } { r = $at["rate"]; if (!low || r < low) low = r; if (r > high) high = r }
    END { printf "%.1f %%", 100 * (high / low - 1) }' "$data".knobs.tsv)" '1.5 %' 'the map of BLOCK and LOADS is flat'
# the three ways to combine: those whose time the column has, the fastest first, at each size
ranks() { awk -F'\t' -v name="$1" '/^#/ { next } $1 == "week" { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at[name] != "" { print $at["size"], $at[name], substr($at["knobs"], 9) }' "$data".combine.tsv | sort -k 1,1n -k 2,2n |
    awk '{ printf "%s%s", $1 == size ? " " : (NR > 1 ? "," : "") $1 ": ", $3; size = $1 }'; }
is "$(ranks median_us)" '65536: ATOMICS KERNEL CPU,1048576: ATOMICS KERNEL CPU,16777216: ATOMICS KERNEL CPU' 'in a stream atomics are the fastest way to combine, the CPU the slowest'
is "$(ranks graph_us)" '65536: KERNEL ATOMICS,1048576: KERNEL ATOMICS,16777216: ATOMICS' 'in a graph the second kernel is, where both could be replayed'
# loads, stores and shared memory of the lecture's first six, whose launches do not depend on the GPU
asked() { "$TREE/build/ladder" markdown counts "$1" | grep '^| \[stage[0-5] '; }
is "$(asked "$ROOT"/plots/data/cpu/02_reduction.counts.tsv)" "$(asked "$data".counts.tsv)" 'of stages 0 to 5 ncu counted on the GPU what the CPU device counts'
is "$(awk -F'\t' '/^#/ { next } $1 == "week" { for (i = 1; i <= NF; i++) at[$i] = i; next } { sum[$at["stage"], $at["size"]] += $at["max_error"]; seen[$at["stage"]] }
    END { for (n = 2 ^ 20; n <= 2 ^ 24; n *= 2) for (s in seen) if (s ~ /^stage/ && s != "stage8" && s != "stage9")
        for (a = 8; a <= 9; a++) if (sum[s, n] >= sum["stage" a, n]) print s, n, a }' "$data".errors.tsv)" '' 'from 2^20 on the float sums of stages 8 and 9 err more than all others'

done_testing
