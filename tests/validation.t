#!/usr/bin/env bash
# The validation of the model of time: ladder validate, ladder validation, ladder figure model, on invented times. Shell
# scripts stand for the programs of a week.
. "$(dirname "$0")/lib.sh"
use_ladder

root=$TMP/course
mkdir -p "$root"/{build,common/machine,01_a/build/cpu,plots/data/{model,h200}} || exit 1
cp "$LADDER" "$root/build/ladder"
cp "$ROOT"/plots/{style,model}.gp "$root/plots"
cp "$ROOT/common/machine/h200.tsv" "$root/common/machine"
L=$root/build/ladder data=$root/plots/data
header='week	stage	name	device	type	size	knobs	variant	mode	status	median_us	graph_us	instructions	date'
# row STAGE SIZE KNOBS VARIANT MODE STATUS MEDIAN GRAPH INSTRUCTIONS; - is empty
row()
{
    printf '01_a\t%s\tidea%s\tNVIDIA X\tfloat' "$1" "${1#stage}"
    for field in "${@:2}"; do printf '\t%s' "${field#-}"; done
    printf '\t2000-01-02\n'
}
{
    printf '# device: NVIDIA X\n%s\n' "$header"
    row stage1 8x8 - - cold ok 999 - -
    row stage1 8x8 - - cold ok 100 - -
    row stage1 9x9 - - cold ok 1000 - -
    row stage1 2x2 - - cold ok 10 8 -
    row stage1 8x8 TILE=4 - cold ok 7 - -
    row stage1 8x8 - memory-only cold ok 50 - -
    row stage1 8x8 - pitch=9 cold ok 50 - -
    row stage1 8x8 - - hot ok 50 - -
    row stage2 8x8 - - cold ok 50 - -
    row stage2 2x2 - - cold ok 10 8 -
    row stage3 8x8 - - cold ok 25 - -
    row stage3 9x9 - - cold skip - - -
    row stage4 8x8 - - cold ok 24 - -
    row ref_x 8x8 - - cold ok 20 - -
} >"$data/h200/01_a.ladder.tsv"
{
    printf '%s\n' "$header"
    row stage1 8x8 - - count ok - - 640
    row stage2 8x8 - - count ok - - 200
} >"$data/h200/01_a.counts.tsv"
{
    printf '%s\n' "$header"
    row stage1 8x8 - - cold ok 1 - -
    row stage5 8x8 - - cold ok 30 - -
} >"$data/h200/01_a.other.tsv"
echo '01_a stage1 stage2' >"$data/model/tuned"

# program STAGE CASE...: prints a row of --model-rows, with the time, the time in a graph, and the instructions of the
# case of its --size or --size and variant
program()
{
    local file=$root/01_a/build/cpu/$1

    {
        printf '#!/bin/sh\necho "$*" >>%s\ncase $4$7 in\n%s\n*) exit 3 ;;\nesac\n' "$TMP/$1.calls" "${*:2}"
        printf 'printf "stage\\tmedian_us\\tgraph_us\\tlimiter\\tinstructions\\tlacks\\tbusiest\\twaits\\n"\n'
        printf 'printf "%s\\t%%s\\t%%s\\tDRAM\\t%%s\\t\\tDRAM\\twait\\n" "$1" "$2" "$3"\n' "$1"
    } >"$file"
    chmod +x "$file"
}
program stage1 '8x8--model-rows) set -- 110 109 640 ;; 9x9--model-rows) set -- 1300 1299 1 ;;
2x2--model-rows) set -- 12 8.9 1 ;;'
program stage2 '8x8--model-rows) set -- 90 90 210 ;; 2x2--model-rows) set -- 12 10 1 ;;'
program stage3 '8x8--model-rows) set -- 26 25 1 ;;'
program stage4 '8x8--model-rows) echo "stage4: no machine code" >&2; exit 77 ;;'
program stage5 '8x8--model-rows) set -- 10 9 1 ;;'

# --- the table

ok 'ladder validate' "$L" validate
like "$out" '^h200 01_a: 8 recorded times, 1 without a modeled time$' \
    'it models the cold times at default knobs, the latest of each, and says how many have no time'
table=$data/model/h200.tsv
is "$(grep '^#' "$table" | sed 's/date: 20[-0-9]*$/date: DAY/')" '# device: NVIDIA X
# recorded: 2000-01-02
# date: DAY
# command: make validate FOR=h200' 'its head says device, days and command'
fields() { awk -F '\t' -v OFS=' ' '!/^#/ { print $2, $5, $6, $8, $9, $11, $12, $14, $15, $16 }' "$table" | tr -s ' '; }
is "$(fields)" 'stage size variant recorded_us recorded_graph_us model_us model_graph_us instructions '"\
recorded_instructions half"'
stage1 8x8 100 110 109 640 640 tuned
stage1 9x9 1000 1300 1299 1 tuned
stage1 2x2 10 8 12 8.9 1 tuned
stage2 8x8 50 90 90 210 200 tuned
stage2 2x2 10 8 12 10 1 tuned
stage3 8x8 25 26 25 1 held out
stage4 8x8 24 held out
stage5 8x8 30 10 9 1 held out' \
    'each row has the recorded and the modeled time, counts, and its half; other parts add stages that a ladder lacks'
like "$(<"$table")" '^01_a	stage4	.*	stage4: no machine code		$' 'without a time, the program says why'
is "$(sort -u "$TMP/stage3.calls")" '--for h200 --size 8x8 --type float --model-rows' 'what is asked of a program'

# --- the errors: stage1 10 and 30 %, stage2 80 %, stage3 4 %, stage4 none, stage5 200 %

cells_of() { "$L" validation "$@" | tail -n +3 | tr -d '|' | tr -s ' '; }
is "$(cells_of errors)" ' H200 01_a 5 80 % 40 % 6 33 % 0 % 
 H200 all 5 80 % 40 % 6 33 % 0 % 
 H200 all, tuned 2 50 % 50 % 3 33 % 0 % 
 H200 all, held out 3 200 % 33 % 3 33 % 0 % ' \
    'the error of a stage is the median over its sizes; without a modeled time it is infinite'
is "$(cells_of errors --half tuned)" ' H200 01_a 2 50 % 50 % 3 33 % 0 % 
 H200 all 2 50 % 50 % 3 33 % 0 % ' '--half: one half alone'
is "$(cells_of short --half tuned | tail -n 1)" ' H200 all 2 1 1.45 ' \
    'calls under 15 us are judged in a graph: within 1 us or 20 %'
is "$(cells_of steps | tail -n 3)" ' H200 all 3 67 % 0 % 
 H200 all, tuned 1 100 % 0 % 
 H200 all, held out 2 50 % 0 % ' 'steps of more than 10 %: direction, and factor within 1.3'
is "$(cells_of instructions --half tuned | tail -n 1)" ' H200 all 2 1 1 5 % ' 'instructions beside those of ncu'
is "$(cells_of outliers)" ' H200 01_a stage2 idea2 1 1.80 DRAM 
 H200 01_a stage4 idea4 1 no time stage4: no machine code 
 H200 01_a stage5 idea5 1 0.33 DRAM ' 'stages with an error of more than 25 %'

# --- what limits a kernel, beside Nsight Compute

ncu_row() { printf '"%s","%s","(256, 1, 1)","(1,024, 2, 1)","%s","%s"\n' "$@"; }
{
    printf '#!/bin/sh\ncase "$*" in\n*--query-metrics*) cat <<X\n'
    for metric in gpu__time_duration sm__issue_active dram__throughput l1tex__data_pipe_lsu_wavefronts \
        l1tex__data_pipe_lsu_wavefronts_mem_shared smsp__average_warps_issue_stalled_{wait,barrier}_per_issue_active; do
        echo "$metric  Counter"
    done
    printf 'X\n;;\n*--version*) echo 1.2 ;;\n*)\ncase "$*" in\n'
    for of in 'stage1 30 62 50 10 7 1' 'stage2 30 40 61 9 1 7' 'stage3 30 59 20 0 7 1' 'stage5 30 59 20 0 1 7'; do
        set -- $of
        printf '*%s*) cat <<X\n"ID","Kernel Name","Block Size","Grid Size","Metric Name","Metric Value"\n' "$1"
        ncu_row 0 'void fill<4>(int *)' gpu__time_duration.sum 1,000
        peak=avg.pct_of_peak_sustained_elapsed
        for value in "gpu__time_duration.sum 12,000" "sm__issue_active.$peak $2" "dram__throughput.$peak $3" \
            "l1tex__data_pipe_lsu_wavefronts.$peak $4" "l1tex__data_pipe_lsu_wavefronts.sum 10" \
            "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum $5" \
            "smsp__average_warps_issue_stalled_wait_per_issue_active.ratio $6" \
            "smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio $7"; do
            ncu_row 1 'work(int *, int)' "${value% *}" "${value#* }"
        done
        printf 'X\n;;\n'
    done
    printf 'esac\nesac\n'
} >"$TMP/ncu"
chmod +x "$TMP/ncu"
mkdir -p "$root/01_a/build/gpu"
for stage in 1 2 3 5; do echo >"$root/01_a/build/gpu/stage$stage"; chmod +x "$root/01_a/build/gpu/stage$stage"; done
ok 'ladder limiters' "$L" limiters --to h200 --week 01_a --ncu "$TMP/ncu"
like "$out" '^01_a stage4: skipped' 'a stage that is not built is skipped'
profiled=$data/h200/01_a.limiters.txt
is "$(grep -v '^#' "$profiled" | cut -f 2,5,6,7,10- | tail -n 4)" "$(tr ' ' '\t' <<'X'
stage1 8x8 work 12000 30 62 50 7 1
stage2 8x8 work 12000 30 40 61 1 7
stage3 8x8 work 12000 30 59 20 7 1
stage5 8x8 work 12000 30 59 20 1 7
X
)" 'a row per stage: the longest launch at the first size, and its metrics'
is "$(cells_of limiter | head -n 1)" ' H200 01_a 4 25 % 1 of 2 0 of 2 75 % 50 % ' \
    'the model agrees with a unit at 60 % of its peak, otherwise with the first stall'
is "$(cells_of disagreements)" ' H200 01_a stage2 idea2 shared memory 61 % barrier DRAM 
 H200 01_a stage3 idea3 DRAM 59 % wait DRAM 
 H200 01_a stage5 idea5 DRAM 59 % barrier DRAM ' 'where they disagree'
refused 'limiters: expected --to NAME --week WEEK' "$L" limiters --to h200
refused 'lists none of the metrics' "$L" limiters --to h200 --week 01_a --ncu false
rm "$profiled"

# --- kernels of other authors: ncu's time of an empty kernel is 1 us longer than the model's

head='name	repository	kernel	grid	block	us	mhz	limiter	lacks'
rows() { printf '%s\n' "$head" && sed 's/ /\t2x1x1\t32x1x1\t/3' | tr ' ' '\t'; }
rows <<'X' >"$data/model/unseen.h200.txt"
empty - empty 0.5  - -
a x/y add 20  DRAM -
b x/y sum 3  L2 -
c z/y sum   - lacks
X
rows <<'X' >"$data/h200/unseen.txt"
empty - empty 1.5 1980 - -
a x/y add 21 1980 - -
b x/y sum 2.1 1980 - -
X
is "$(cells_of unseen)" ' x/y 2 24 % 1 2 86 % 1 
 z/y 1 no time 0 0 no time 0 
 all 3 43 % 1 2 173 % 1 
 all, at least 15 us 1 5 % 1 1 0 % 1 
 all, shorter 2 no time 0 1 no time 0 ' 'ladder validation unseen: errors on kernels of other authors'
is "$(cells_of unseen-outliers)" ' x/y sum 2.1 3.0 1.43 L2 - 
 z/y sum - - - - lacks ' 'those of more than 25 %'
refused 'plots/data/model/unseen.t4.txt: no such table' "$L" validation unseen --gpu t4

# --- what is refused

kinds='errors, short, steps, instructions, limiter, disagreements, outliers, changes, unseen, unseen-outliers'
refused "'error': expected one of $kinds" "$L" validation error
refused "--half 'x': expected tuned, 'held out' or both" "$L" validation errors --half x
refused 'plots/data/model/t4.tsv: no such table; make validate writes it' "$L" validation errors --gpu t4
refused 'validate: t4: expected a GPU with common/machine/NAME.tsv and plots/data/NAME' "$L" validate --gpu t4
cp "$table" "$TMP/whole"
sed '$s/	[^	]*$//' "$TMP/whole" >"$table"
refused 'h200.tsv: expected 19 columns' "$L" validation errors
sed 's/	[^	]*	[^	]*$//' "$TMP/whole" >"$table"
is "$(cells_of errors | tail -n 1)" ' H200 all, held out 3 200 % 33 % 3 33 % 0 % ' \
    'a table of an older version, without the last columns, is read'
cp "$TMP/whole" "$table"
rm "$root/01_a/build/cpu/stage2"
fails 2 'a program that is missing' "$L" validate
like "$err" '01_a/build/cpu/stage2: is not built: make validate builds it' 'the message says how to build it'

# --- the figure

rm "$table"
fails 77 'without tables there is no figure' "$L" figure model
cp "$ROOT/plots/data/model/"*.tsv "$data/model"
ok 'ladder figure model' "$L" figure model --format pdf
like "$out" "^TITLE = 'The model: half of the stages are within [0-9.]+ %, [0-9]+ % within 25 %'" \
    'its title says the errors'
if command -v gnuplot >/dev/null; then
    printf '%s\n' "$out" >"$TMP/model.gp"
    LC_ALL=C.UTF-8 gnuplot "$TMP/model.gp" >"$TMP/model.pdf"
    boxes 'the texts of the figure are large enough and apart' "$TMP/model.pdf"
else
    skip 'the texts of the figure' 'gnuplot is not installed: apt-get install gnuplot-nox'
fi

# --- the recorded tables

cd "$ROOT" || exit 1
mkdir -p "$data/estimated" && cp plots/data/estimated/*.tsv "$data/estimated"
errors=$("$L" validation errors --estimated --gpu h200 | awk -F ' *[|] *' '$3 == "all" {
    printf "of %d stages on an H200, half are within %s and %s within 25 %%", $4, $5, $6 }')
like "$errors" '^of [0-9]+ stages' 'the estimates have a recorded error'
is "$(awk -F '\t' '!/^#/ && $1 != "week" && !($11 > 0) { print $1, $2, $5 }' plots/data/estimated/*.tsv)" '' \
    'each recorded time has an estimated one'
like "$(cat common/model/player.c)" "$errors" 'the report states the recorded error of estimates'
for table in plots/data/model/*.tsv; do
    gpu=$(basename "$table" .tsv)
    is "$(awk -F '\t' '!/^#/ && $1 != "week" && !(NF >= 17 && $8 > 0 && ($11 > 0 || $17 != "") && $16 != "") \
        { print $1, $2, $5 }' "$table")" '' "$table: each row has a time, and a modeled one or a reason"
    is "$(awk -F '\t' '!/^#/ && $1 != "week" { print $1 }' "$table" | sort -u)" \
        "$(ls "plots/data/$gpu" | sed -n 's/\.ladder\.tsv$//p')" "$table has all recorded weeks"
done
done_testing
