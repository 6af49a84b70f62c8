#!/usr/bin/env bash
# `ladder`, the tool: heads of .cu files, make rules, runs, claims, tables, recorded rows, counters of ncu, pages.
. "$(dirname "$0")/lib.sh"
use_ladder
cd "$TMP" || exit 1
mkdir -p build/obj

cat >stage7_odd.cu <<'EOF'
// stage7: the lesson. It says "twice" and C:\temp\new, 100 %d, ??/ and a	tab.
//
// make stage7 && ./stage7
//
// Needs: sm_90a
// Computes: copy of the matrix
// Arithmetic: tf32
// Links: -lcublas -lm
// Expect (cpu, 1024x1024): ld_sectors == 4 * ld_requests
//   Expect: this is no claim
// Expect (sm_90, 16384x16384): rate >= 1.7 * stage2.rate
// Expectations are high
// Expect (cpu, 8x8): "a\b" == '\\'   
#include "transpose.h"

#ifndef TILE
#define TILE 32
#endif
#ifndef ROWS_EACH
#  define ROWS_EACH 4
#endif
#ifndef NOT_A_KNOB
#endif
#define NEITHER 3

__global__ void kernel() {}   // Needs: nothing
EOF
printf '%b\r\n' '// stage8: CRLF.' '// Needs: sm_80' '// Expect (cpu, 8x8): a == b' '#include "x.h"' \
    '#ifndef TILE' '#define TILE 32' '#endif' >stage8_crlf.cu
printf '#include "x.h"\nvoid f();\n' >stage9_bare.cu
printf '// A copy of someone: no, really.\n' >stage10_other.cu
: >stage11_empty.cu
cat >print.c <<'EOF'
#include <stdio.h>
#include "week.h"
int main(void)
{
    printf("file=%s\nlesson=%s\nneeds=%s\ncomputes=%s\narithmetic=%s\nknobs=%s\n", stage_info.file, stage_info.lesson,
           stage_info.needs, stage_info.computes, stage_info.arithmetic, stage_info.knobs);
    for (int i = 0; stage_info.claims[i]; i++)
        printf("claim=%s\n", stage_info.claims[i]);
}
EOF
# alone FILE...: leaves only these .cu files in the folder; the others are kept in all/
alone() { mkdir -p all; mv -f *.cu all 2>/dev/null; for f; do cp "all/$f" .; done; }

# --- heads: the stage_info of a stage's program

rules() { alone "$@"; run "$LADDER" rules --device cpu --arch sm_90 --archs 'sm_75 sm_80 sm_90 sm_100' --out build; }
# info KEY KNOBS FILE
info()
{
    rules "$3"
    run gcc -std=gnu11 -Wall -Wextra -Werror -I"$ROOT/common/harness" -I"$ROOT/common/stage" ${2:+-DKNOBS="\"$2\""} \
        "build/obj/$1.info.c" print.c -o print
    [ $status != 0 ] || run ./print
}
info stage7 'TILE=16 ROWS_EACH=8' stage7_odd.cu
is "$out" 'file=stage7_odd.cu
lesson=the lesson. It says "twice" and C:\temp\new, 100 %d, ??/ and a tab.
needs=sm_90a
computes=copy
arithmetic=tf32
knobs=TILE=16 ROWS_EACH=8
claim=(cpu, 1024x1024): ld_sectors == 4 * ld_requests
claim=(sm_90, 16384x16384): rate >= 1.7 * stage2.rate
claim=(cpu, 8x8): "a\b" == '"'\\\\'" 'stage_info has the fields of the head'
info stage8 '' stage8_crlf.cu
is "$out" 'file=stage8_crlf.cu
lesson=CRLF.
needs=sm_80
computes=
arithmetic=
knobs=
claim=(cpu, 8x8): a == b' 'a file with CRLF line ends has a head'
info stage9 '' stage9_bare.cu
is "$status $out" '0 file=stage9_bare.cu
lesson=
needs=
computes=
arithmetic=
knobs=' 'a stage without a head has empty fields'
info stage11 '' stage11_empty.cu
like "$status $out" '^0 file=stage11_empty.cu' 'an empty file is a stage'
alone stage10_other.cu stage9_bare.cu stage7_odd.cu stage8_crlf.cu
run "$LADDER" list stage10_other.cu stage9_bare.cu stage7_odd.cu
is "$(sed -n 3p <<<"$out")" 'stage10  other                  A copy of someone: no, really.' \
    'list prints number, name and lesson, stage10 after stage9'
printf 'highlight: stage7\ncore: stage7 stage10\n' >messages
run "$LADDER" list stage10_other.cu stage9_bare.cu stage7_odd.cu
is "$(sed -n '2,3p' <<<"$out")" 'stage9   bare                         
stage10  other                  core  A copy of someone: no, really.' \
    'list marks the stages of the core ladder, from the line `core` of messages'
run "$LADDER" list stage9_bare.cu
is "$status $out" '0 stage9   bare                         ' 'list of other stages leaves room for the mark'
echo 'core: stage7 stage77' >messages
refused "^ladder: ./messages: core: 'stage77': expected a stage of this folder" "$LADDER" list stage7_odd.cu
echo 'core: stage7, stage9' >messages
refused "core: 'stage7,'" "$LADDER" list stage7_odd.cu
rm messages
printf '// stage12: a lesson that is longer\n// than a line.\n//\n// More.\n' >stage12_long.cu
run "$LADDER" list stage12_long.cu
is "$out" 'stage12  long                   a lesson that is longer than a line.' 'a lesson is the first paragraph'

# --- help

printf '%s\n' '## NAME: a line for several targets' 'one: two ## does this' 'three:' >Makefile
printf '%s\n' '# It is' '# a part' 'part gpu stages' 'other gpu stages' >runs
run "$LADDER" help
is "$(head -n 2 <<<"$out")" '  NAME           a line for several targets
  one            does this' 'help lists targets with a text'
is "$(grep -A1 '^  part ' <<<"$out" | sed 1q)$(grep -c '^  other ' <<<"$out")" '  part           a part0' \
    'and the parts of runs that have one'
rm Makefile runs

# --- rules

# archs OPTION...: what each file is compiled for
archs()
{
    run "$LADDER" rules --out build --archs 'sm_75 sm_80 sm_90 sm_100' "$@"
    archs=$(sed -n 's/^stage[0-9]*\.arch  := //p' build/rules.mk | tr '\n' ' ')
}
alone stage7_odd.cu stage8_crlf.cu stage9_bare.cu stage11_empty.cu
archs --device gpu --arch sm_75
is "$archs" 'sm_90a sm_80 sm_75 sm_75 ' 'without a GPU, each stage is compiled for the architecture that it needs'
archs --device gpu --arch sm_80 --known
is "$archs" 'none sm_80 sm_80 sm_80 ' 'for an sm_80 GPU, a stage that needs sm_90a is not compiled'
archs --device gpu --arch sm_90 --known
is "$archs" 'sm_90a sm_90 sm_90 sm_90 ' 'for an sm_90 GPU, all stages are compiled'
archs --device gpu --arch sm_100 --known
is "$archs" 'none sm_100 sm_100 sm_100 ' 'for an sm_100 GPU, a stage that needs sm_90a is not compiled'
archs --device cpu --arch sm_90
is "$archs" 'cpu cpu cpu cpu ' 'for the CPU device, stages that need sm_90a or an older architecture are compiled'
like "$(cat build/rules.mk)" '^stage7.knobs := TILE ROWS_EACH$' 'the rules list the knobs of a stage'
like "$(cat build/rules.mk)" '^stage7.links := -lcublas -lm$' 'the rules list the libraries of a stage'
before=$(stat -c %y build/rules.mk)
archs --device cpu --arch sm_90
is "$(stat -c %y build/rules.mk)" "$before" 'unchanged rules are not written again'
cp stage9_bare.cu all/stage1b_x.cu; cp stage9_bare.cu 'all/stage3_x (copy).cu'; cp stage9_bare.cu all/stage9_again.cu
for bad in stage1b_x.cu 'stage3_x (copy).cu'; do
    alone "$bad"
    refused "^ladder: ${bad//[()]/.}: expected stageNUMBER_name.cu" "$LADDER" rules --device cpu --arch x --archs '' \
        --out build
done
alone stage9_bare.cu stage9_again.cu
refused 'stage9: two files have this name: stage9_again.cu stage9_bare.cu' "$LADDER" rules --device cpu --arch x \
    --archs '' --out build
refused "absent.cu" "$LADDER" list absent.cu

# --- claims

printf 'week\tstage\ttype\tsize\tknobs\tmode\tstatus\trate\n' >claims.tsv
printf 'w\t%s\tint\t8x8\t%s\tcold\tok\t%s\n' stage1 '' 90 ref_a '' 100 stage2 '' 60 ref_a '' 40 ref_a '' 70 \
    stage3 '' 35 stage3 T=2 77 >>claims.tsv
cat >stage1_x.cu <<'EOF'
// stage1: x
// Expect (sm_90, 8): rate == 0.9 * ref_a.rate
// Expect (sm_90, 8x8): rate == 1.5 * stage2.rate
// Expect (cpu, 8): 1 == 2
EOF
echo '// Expect (sm_90, 8): 2 * rate == ref_a.rate' >stage3_z.cu
echo '// Expect (sm_90, 8): rate == 70' >ref_a.cu
printf '# more\n\nstage3 (sm_90, 8): stage3[T=2].rate == 77\n' >claims
judge() { run "$LADDER" claims --device gpu claims.tsv -- "$@"; }
judge stage1_x.cu stage3_z.cu ref_a.cu claims
is "$status $(awk '{ print $1 }' <<<"$out" | tr '\n' ' ')" '0 holds holds holds holds holds claims: ' \
    'claims of heads and of a `claims` file hold; a reference is taken from the same run or is a median; 8 means 8x8'
like "$out" '^  holds +stage1: rate == 0.9 \* ref_a.rate \(8, cold\): 90, 90$' 'a judged claim shows both sides'
echo 'stage1 (sm_90, 8): rate > 90' >claims
judge claims
is "$status $out" $'1   does not hold    stage1: rate > 90 (8, cold): 90, 90\nclaims: does not hold 1' \
    'a claim that does not hold is reported, exit status 1'
echo 'stage1 (sm_90, 16): rate > 90' >claims
judge claims
is "$status $(head -n 1 <<<"$out")" \
    '0   not measured yet stage1: rate > 90 (16, cold): stage1 has no rate; run: make stage1 && ./stage1 --size 16' \
    'a claim that is not measured shows the command that measures it'
sed '/^w\t/d; s/$/\tcapability\tdevice/' claims.tsv >a100.tsv
printf 'w\tstage1\tint\t8x8\t\tcold\tok\t90\t8.0\tNVIDIA A100-SXM4\n' >>a100.tsv
printf 'stage1 (sm_90, 8): rate > 90\nstage1 (H200, 8): rate == 90\nstage1 (H200, 16): rate == 90\n' >claims
printf 'stage1 (A100 or H200, 8): rate == 90\n' >>claims
run "$LADDER" claims --device gpu a100.tsv -- claims
is "$status $out" '0   skipped          stage1: rate > 90 (8, cold): about sm_90, not sm_80 (NVIDIA A100-SXM4); 90, 90
  skipped          stage1: rate == 90 (8, cold): about the H200, not the NVIDIA A100-SXM4; 90, 90
  skipped          stage1: rate == 90 (16, cold): about the H200, not the NVIDIA A100-SXM4
  holds            stage1: rate == 90 (8, cold): 90, 90
claims: holds 1, skipped 3' 'claims about another GPU are skipped with the reason, and counted'
echo 'stage1 (A100, 8): rate > 90' >claims
run "$LADDER" claims --device gpu a100.tsv -- claims
is "$status ${out:0:15}" '1   does not hold' 'a claim about the GPU that was measured can fail'
echo 'stage1 (sm_90, 8): speed > 90' >claims
refused 'claims:1: .*: no such column' "$LADDER" claims --device gpu claims.tsv -- claims

# --- claims about times: spreads, clocks, and graphs for short calls

# timed STAGE MEDIAN P10 P90 GRAPH GRAPH_P10 GRAPH_P90 MHZ: a row; its rate is 1000 / MEDIAN
timed() {
    printf '# command: ./%s --bench\n' "${run_of:-$1}"
    printf 'week\tstage\ttype\tsize\tknobs\tmode\tstatus\trate\tmedian_us\tp10_us\tp90_us\t'
    printf 'graph_us\tgraph_p10_us\tgraph_p90_us\tsm_mhz\n'
    printf 'w\t%s\tint\t8x8\t\tcold\tok\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$1" "$(awk "BEGIN { print 1000 / $2 }")" \
        "${@:2}"
}
# verdict CONDITION: of stage1, by the table timed.tsv
verdict() {
    echo "stage1 (sm_90, 8): $1" >claims
    run "$LADDER" claims --device gpu timed.tsv -- claims
    echo "$status $(sed 's/^  //; s/ *stage1: .*//; q' <<<"$out")"
}
{
    timed stage1 100 99 102 '' '' '' 1980
    timed stage2 105 104 106 '' '' '' 1980
    timed stage3 105 104 106 '' '' '' 1890
    run_of=stage1 timed ref_a 105 104 106 '' '' '' 1890
} >timed.tsv
is "$(verdict 'rate >= stage2.rate')" '0 holds' 'a claim holds if the medians do'
is "$(verdict 'rate >= 1.07 * stage2.rate')" '0 within noise' \
    'a claim that holds for times between the 10th and 90th percentiles is within noise, no failure'
is "$(verdict 'rate >= 1.08 * stage2.rate')" '1 does not hold' 'a claim beyond both spreads does not hold'
is "$(verdict 'median_us <= 0.935 * stage2.median_us')" '0 within noise' 'times have the spread, too'
is "$(verdict 'median_us <= 0.93 * stage2.median_us')" '1 does not hold' 'times beyond both spreads do not hold'
is "$(verdict 'rate <= stage3.rate')" '0 within noise' 'a run at a clock that is 5 % lower may have been 5 % faster'
is "$(verdict 'rate <= ref_a.rate')" '1 does not hold' 'the clocks of contenders of one run are no noise'
like "$(cat claims; "$LADDER" claims --device gpu timed.tsv -- claims)" \
    '10 \[9\.80392 to 10\.101\], 9\.52381 \[9\.43396 to 9\.6153[89]\]$' 'values are printed with their spreads'
{
    timed stage1 5 4 6 2 1.9 2.1 1980
    timed stage2 4 3.5 4.5 3 2.9 3.1 1980
    timed stage3 30 29 31 25 24 26 1980
    timed stage4 30 29 31 '' '' '' 1980
} >timed.tsv
is "$(verdict 'rate >= 1.4 * stage2.rate')" '0 holds' 'rates of calls under 20 us are compared from graphs'
is "$(verdict 'rate >= 1.6 * stage2.rate')" '0 within noise' 'with the spread of the replays'
is "$(verdict 'rate >= 1.7 * stage2.rate')" '1 does not hold' 'and not with that of the stream'
is "$(verdict 'rate <= 12.6 * stage3.rate')" '0 holds' 'a longer call is then compared from a graph, too'
is "$(verdict 'rate <= 6.1 * stage4.rate')" '0 holds' \
    'without the time from a graph of one, all are compared from a stream'
is "$(verdict 'median_us >= 1.2 * stage2.median_us')" '0 holds' 'median_us is always the time in a stream'

# --- tables for the terminal and for pages

# row STAGE NAME TYPE KNOBS SIZE MODE STATUS MEDIAN GRAPH
row() { local IFS=$'\t'; echo "w$IFS$*${IFS}1${IFS}GB/s"; }
{
    printf '# device: D\n# date: 2000-01-01\n'
    row stage name type knobs size mode status median_us graph_us | sed 's/^w/week/; s/1.GB.s$/rate\tunit/'
    row stage8 b int B=9 1024 cold ok 9 8
    row stage8 b int A=1 1024 cold ok 2.346 1.2
    row stage8 b int A=2 1024 cold ok 3 ''
    row stage8 b int A=2 1000 cold wrong 3 2
    row stage8 b float A=1 1024 cold ok 7 7
    row stage8 b int A=1 1024 hot ok 6 6
    row stage8 b int B=9 1024 cold ok 10.006 8
    row ref_c c int '' 1024 cold ok 5 4
    row stage8 b int 'A=1 B=2' 1000 cold ok 20 19
    row stage8 b int '' 1000 cold ok 12 11
    row stage7 a int '' 1000 cold ok 30 29
} >knobs.tsv
markdown() { run "$LADDER" markdown "$@"; }
markdown knobs --at '1024/cold 1000/cold' knobs.tsv
is "$out" '| us per call | 2^10, cold | from a graph | 1000, cold | from a graph |
|---|--:|--:|--:|--:|
| [stage7 a](stage7_a.cu) | - | - | 30.00 | 29.00 |
| [stage8 b](stage8_b.cu) `B=9` | 10.01 | 8.00 | - | - |
| [stage8 b](stage8_b.cu) `A=1` | 2.35 | 1.20 | - | - |
| [stage8 b](stage8_b.cu) `A=2` | 3.00 | - | - | - |
| [stage8 b](stage8_b.cu) `A=1 B=2` | - | - | 20.00 | 19.00 |
| [stage8 b](stage8_b.cu) | - | - | 12.00 | 11.00 |
| [ref_c](ref_c.cu) | 5.00 | 4.00 | - | - |

D, 2000-01-01.' 'markdown knobs has a row for each setting of the knobs'
markdown times --at 1000/cold knobs.tsv
is "$(grep '^| \[stage' <<<"$out")" '| [stage7 a](stage7_a.cu) | 30.00 | 29.00 |
| [stage8 b](stage8_b.cu) | 12.00 | 11.00 |' 'markdown times skips builds with knobs'
sed 's/\t[0-9.]*\t1\tGB/\t\t1\tGB/' knobs.tsv >streams.tsv
markdown times --at 1000/cold streams.tsv
is "$(sed -n '1p; 3p' <<<"$out")" '| us per call | 1000, cold |
| [stage7 a](stage7_a.cu) | 30.00 |' 'markdown times has no column for graphs if none was measured'
awk -F '\t' -v OFS='\t' '/^week/ { print $0, "date"; next } /^#/ { print; next }
    { print $0, $6 == 1000 ? "2000-01-0" NR - 5 : $2 == "ref_c" ? "2001-01-01" : "" }' knobs.tsv >days.tsv
sed -i '$ a w\tref_c\tc\tint\t\t1024\tcold\tok\t5\t4\t1\tGB/s\t2001-03-01' days.tsv
markdown times --at 1024/cold days.tsv
is "${out##*$'\n'}" 'D, 2001-01-01 to 2001-03-01.' 'the caption has the days of all rows of a reference'
markdown knobs --at '1000/cold 1024/cold' days.tsv
is "${out##*$'\n'}" 'D, 2000-01-01 to 2001-03-01.' 'the caption has the first and the last day'
markdown times --at 1000/cold --stages stage7 days.tsv
is "${out##*$'\n'}" 'D, 2000-01-09.' 'the caption has one day, if all rows are of it'
medians="in the same run, or of its median where there was none; a reference's numbers are medians of its runs."
markdown rates --at '2048x2048/cold 1024x1024/cold' --of ref_memcpy "$ROOT/tests/data/ladder.tsv"
is "$out" '| GB/s | 2048x2048, cold | of memcpy | 1024x1024, cold |
|---|--:|--:|--:|
| [stage0 copy](stage0_copy.cu) | 800 | 80.0 % | 500 |
| [stage1 naive](stage1_naive.cu) | 100 | 10.0 % | 110 |
| [stage2 coalesced](stage2_coalesced.cu) | wrong | - | 9876 |
| [stage10 late](stage10_late.cu) | ok | - | 700 |
| [ref_memcpy](ref_memcpy.cu) | 1000 | 100.0 % | 900 |
| [ref_cublas](ref_cublas.cu) | 914 | 91.4 % | - |

TEST VECTOR, CUDA 99.9, 2000-01-01. Shares are of memcpy '"$medians" \
    'markdown rates has the latest rows, no knobs, no rate of a wrong stage, and references last'

printf '%b\n' '# device: D' '# base: ref_c' "week\tstage\tname\tsize\tmode\tstatus\tmedian_us\trate\tunit" \
    '# command: ./stage1 --bench' 'w\tstage1\ta\t8x8\tcold\tok\t10\t200\tGB/s' \
    'w\tref_c\tc\t8x8\tcold\tok\t10\t400\tGB/s' '# command: ./stage2 --bench' \
    'w\tstage2\tb\t8x8\tcold\tok\t10\t210\tGB/s' '# command: ./stage3 --bench --alone' \
    'w\tstage3\td\t8x8\tcold\tok\t10\t220\tGB/s' >alone.tsv
markdown steps --at 8x8/cold --of ref_c --stages 'stage2 stage3' alone.tsv
is "$(grep stage <<<"$out")" '| [stage2 b](stage2_b.cu) | 210 |  | 52.5 % |
| [stage3 d](stage3_d.cu), alone | **220** | 1.05 | 55.0 % |' 'a stage that was timed alone is marked'
sed -i 's/stage[12] --bench$/& --alone/' alone.tsv
markdown steps --at 8x8/cold --of ref_c --stages 'stage2 stage3' alone.tsv
unlike "$out" alone 'no stage is marked if all were timed alone'

# 1000 instructions in 10 us, with 2 issue slots per cycle at 0.1 GHz: 50 %
printf '%b\n' '# device: D' '# date: 2000-01-01' "week\tstage\tname\tsize\tmode\tstatus\tmedian_us\trate\t\
instructions\tissue_per_cycle\tcycles_per_second\tl2_read_bytes" \
    'w\tstage1\tx\t8x8\tcold\tok\t10\t1\t\t\t\t' 'w\tstage1\tx\t8x8\tcount\tok\t\t\t1000\t2\t100000000\t2500000' \
    'w\tstage2\ty\t8x8\tcold\tok\t10\t1\t\t\t\t' 'w\tstage2\ty\t8x8\tcount\tok\t\t\t3000000\t\t\t' \
    'w\tref_z\tz\t8x8\tcold\tok\t10\t1\t\t\t\t' >slots.tsv
markdown slots slots.tsv
is "$(grep stage <<<"$out")" '| [stage1 x](stage1_x.cu) | 0.0 | 50.0 % | 2.5 | 0.10 |
| [stage2 y](stage2_y.cu) | 3.0 | - | - | - |' 'markdown slots has the share of the issue slots'
printf '%b\n' 'week\tstage\tname\tsize\tmode\tstatus\tld_requests\tld_sectors' \
    'w\tstage1\tx\t8x8\tcount\tok\t2\t8' 'w\tstage1\tx\t7x7\tcount\tok\t2\t6' >sizes.tsv
markdown counts sizes.tsv
is "$(sed 2d <<<"$out" | head -n 2)" '| 8x8 | loads x sectors | stores x sectors | shared requests x wavefronts |
| [stage1 x](stage1_x.cu) | 2 x 4 | - | - |' 'markdown counts has the first size in the table'
printf '%b\n' "week\tstage\tname\tsize\tmode\tstatus\tbulk_ld_requests\tbulk_ld_sectors\tmulticast_bytes\t\
products\tproduct_clocks\tproduct_bytes" 'w\tstage1\tx\t8x8\tcount\tok\t2\t512\t3000000\t4\t512\t1000000' \
    'w\tstage2\ty\t8x8\tcount\tok\t2\t512\t0\t0\t0\t0' >asynchronous.tsv
markdown asynchronous asynchronous.tsv
is "$(grep stage <<<"$out")" '| [stage1 x](stage1_x.cu) | 2 x 256 | - | 3.0 | 4 x 128 | 1.0 |
| [stage2 y](stage2_y.cu) | 2 x 256 | - | - | - | - |' \
    'markdown asynchronous has copies of the TMA and products of warpgroups'

# Differences between the counts of the CPU device and of ncu.
both=$ROOT/tests/data/differences.tsv
ok 'differences' "$LADDER" differences "$both" "$both"
is "$out" '| CPU device / ncu | 256x256x64 | 196x252x68 |
|---|---|---|
| stage1 simple | = | load sectors 300 / 400 |
| stage2 tiled | shared requests 120 / 80 | = |
| stage3 late | = | not counted |
| stage4 tma | not counted | not measured |
| stage5 wrong | not counted | not measured |' \
    'differences has a row per stage and a column per size, compares by current rules, and prefers a row with --sms'
awk -F '\t' -v OFS='\t' '$3 == "simple" && $4 == "CPU device" { $11 = "" } 1' "$both" >uncounted.tsv
ok 'differences from absent counts' "$LADDER" differences "$both" uncounted.tsv
like "$out" '^\| stage1 simple \| load sectors absent / 400 \|' 'an absent count is a difference'
refused 'differences: expected MEASURED' "$LADDER" differences
ok 'differences of recorded tables' "$LADDER" differences 04_convolution.counts
like "$out" '^\| stage1 naive \| = \| = \|' 'by default, the recorded counts of the CPU device are compared'

# Lower bounds of the times in a table.
ok 'bounds' "$LADDER" bounds "$ROOT/tests/data/bound.tsv"
is "$(awk '$2 ~ /^stage[0-9]/ { print $2, $7, $8, $9, $10 }' <<<"$out")" 'stage1 15.00 20.00 0.750 loads
stage2 8.00 10.00 0.800 wavefronts
stage3 2.00 4.00 0.500 arithmetic
stage5 40.00 50.00 0.800 stores
stage3 1.00 1.00 1.000 launch' 'bounds prints the bound, time, share and limit of each timed row'
like "$out" '^5 of 5 times are not below their bound$' 'bounds prints how many times are not below their bound'
edited '' 'if ($2 == "stage1" && $at["mode"] == "cold") $at["median_us"] = 14' "$ROOT/tests/data/bound.tsv" >below.tsv
fails 1 'a time below its bound fails' "$LADDER" bounds below.tsv
like "$out" '^4 of 5 times' 'a time below its bound is counted'
refused 'absent.tsv: No such file' "$LADDER" bounds absent.tsv
refused "markdown: 'nothing': expected rates" "$LADDER" markdown nothing knobs.tsv
refused "markdown: --at '1024': expected SIZE/MODE" "$LADDER" markdown times --at 1024 knobs.tsv
refused 'absent.tsv: No such file' "$LADDER" markdown counts absent.tsv
refused 'stage9_bare.cu.tsv: not a result table' sh -c \
    'cp stage9_bare.cu stage9_bare.cu.tsv; exec "$1" markdown counts stage9_bare.cu.tsv' - "$LADDER"

# Each stage with its own references: stage1 is 90 % of ref_a in its own run, 180 % of ref_a in the next run; stage3 was
# timed alone.
row() { local IFS=$'\t'; echo "w$IFS$*${IFS}GB/s"; }
{
    printf '# device: D\n# date: 2000-01-01\n# base: ref_a\n'
    row stage name type knobs variant size mode status median_us rate | sed 's/^w/week/; s/GB.s$/unit/'
    row stage1 x int '' '' 8 cold ok 9 5          # replaced below
    row ref_a a int '' '' 8 cold ok 1 400
    row stage1 x int '' '' 8 cold ok 1.25 90
    row ref_b b int '' '' 8 cold ok 2 50
    row ref_a a int '' '' 8 cold ok 1 100
    row stage2 y int T=9 '' 8 cold ok 3 60        # this run's references are not stage1's
    row ref_b b int '' '' 8 cold wrong 4 7777
    row ref_a a int '' '' 8 cold ok 4 60
    row stage2 y int '' '' 8 cold ok 3 60
    row ref_b b int '' '' 8 cold ok 4 20
    row ref_a a int '' '' 8 cold ok 4 50
    row ref_a a int '' '' 8 hot ok 4 1
    row stage3 z int '' '' 8 cold ok 2 30
} >several.tsv
markdown rates --at 8/cold --of ref_a several.tsv
is "$out" '| GB/s | 8, cold | of a |
|---|--:|--:|
| [stage1 x](stage1_x.cu) | 90.0 | 90.0 % |
| [stage2 y](stage2_y.cu) | 60.0 | 120.0 % |
| [stage3 z](stage3_z.cu) | 30.0 | 37.5 % |
| [ref_a](ref_a.cu) | 80.0 | 100.0 % |
| [ref_b](ref_b.cu) | 35.0 | 45.0 % |

D, 2000-01-01. Shares are of a '"$medians" \
    'shares are of the same run, and references are medians'
grep -v stage3 several.tsv >beside.tsv
markdown rates --at 8/cold --of ref_a beside.tsv
like "$out" "in the same run; a reference's" 'the note on other runs is absent if no stage was timed alone'
markdown times --at 8/cold several.tsv
like "$out" '^\| \[ref_a\]\(ref_a.cu\) \| 2.50 \|$' 'times of references are medians'
run "$LADDER" table several.tsv
is "$(awk '{ print $1, $4, $5, $6, $7 }' <<<"$out" | grep -e '^stage[13]' -e '^ref')" 'stage1 cold 90.0 1.2 90.0
stage3 cold 30.0 2.0 37.5
ref_b cold 35.0 3.0 45.0
ref_a cold 80.0 2.5 100.0
ref_a hot 1.0 4.0 100.0' 'the table for the terminal has the same shares and medians'
like "$out" "^of ref_a: in the same run; a reference's numbers are medians of its runs$" \
    'the table for the terminal explains shares and medians'
grep -v ref_ several.tsv >lone.tsv
run "$LADDER" table lone.tsv
unlike "$out" '%|^of ref_a' 'a table without references has no shares'
printf '%b\n' '# device: D' 'week\tstage\tname\ttype\tsize\tmode\tstatus\trate\tseed' \
    'w\tstage1\tx\tfloat\t8\tcold\tok\t3\t1' \
    'w\tstage1\tx\tfloat\t8\tcold\tok\t4\t2' 'w\tstage1\tx\tfloat\t8\tcold\tok\t5\t2' >seeds.tsv
run "$LADDER" table seeds.tsv
is "$(awk '$1 == "stage1" { print $5 }' <<<"$out")" '3.0
5.0' 'a later row replaces one of the same seed, and no other'

# --- the figures of all weeks, and the version

mkdir -p course/build course/common course/01_one course/02_two course/plots/data/h200
cp "$LADDER" course/build
cp "$ROOT/common/figures" course/common
for script in style bars; do cp "$ROOT/plots/$script.gp" course/plots; done
for week in 01_one 02_two; do
    touch course/$week/stage1_slow.cu course/$week/stage2_fast.cu course/$week/ref_lib.cu course/$week/ref_lib_other.cu
    echo "overview: stage1 stage2 ref_lib 64x64: Library" >course/$week/messages
    printf '%b\n' '# device: D' '# cuda: 1.2' '# driver: 3.4' "# date: 200${week:1:1}" \
        'week\tstage\tname\ttype\tsize\tmode\tstatus\trate\tunit\trun\tknobs' \
        "$week\tstage1\tslow\tint\t64x64\tcold\tok\t100\tGB/s\t1\t" \
        "$week\tref_lib\t\tint\t64x64\tcold\tok\t300\tGB/s\t1\t" \
        "$week\tstage2\tfast\tint\t64x64\tcold\tok\t900\tGB/s\t2\t" \
        "$week\tref_lib\t\tint\t64x64\tcold\tok\t600\tGB/s\t2\t" \
        "$week\tstage2\tfast\tint\t64x64\thot\tok\t5000\tGB/s\t2\t" \
        "$week\tstage2\tfast\tint\t64x64\tcold\tok\t4000\tGB/s\t3\tTILE=8" \
        "$week\tstage2\tfast\tfloat\t64x64\tcold\tok\t3000\tGB/s\t4\t" \
        "$week\tstage2\tfast\tint\t8x8\tcold\tok\t2000\tGB/s\t5\t" >course/plots/data/h200/$week.ladder.tsv
done
ok 'figure of all weeks' course/build/ladder figure ladders --format pdf
like "$out" "^PROVENANCE = 'D \| CUDA 1.2 \| driver 3.4 \| 2001 to 2002 \| 64x64, 64x64 \| cold'$" \
    'it names the device, the dates and the sizes'
like "$out" '^"week 1: Library" 2 1 "450 GB/s  4.5x"$' 'it has the rates at one size, cold, without knobs'
like "$out" "^TITLE = 'In every week, the last stage is faster than NVIDIA''s library'$" \
    'the title is the message if it holds'
if have gnuplot; then
    echo "$out" | LC_ALL=C.UTF-8 gnuplot >figure.pdf 2>figure.err
    is "$(cat figure.err)" '' 'gnuplot draws it without messages'
    boxes 'the figure of all weeks'
else
    skip 'gnuplot draws it without messages' 'gnuplot is not installed'
fi
sed -i 's/\t900\t/\t500\t/' course/plots/data/h200/02_two.ladder.tsv
run course/build/ladder figure ladders --week '01_one 02_two'
like "$out" "^TITLE = 'The first stage, the last stage and NVIDIA''s library'$" \
    'the title names the quantity if the message does not hold'
refused '--format gif: the formats are' course/build/ladder figure ladders --format gif
refused 'figure pie: no such figure; there are: ladder ' course/build/ladder figure pie
sed -i 's/stage2/stage9/' course/02_two/messages
fails 77 'a stage without rows' course/build/ladder figure ladders --week '01_one 02_two'
like "$err" 'no correct row of stage9 at 64x64, cold' 'is named'
echo 'overview: stage1 stage2' >course/02_two/messages
refused '02_two/messages: overview: expected FIRST LAST REFERENCE SIZE: LIBRARY' \
    course/build/ladder figure ladders --week '01_one 02_two'
echo 'core: stage1' >course/02_two/messages
refused "02_two/messages: no line 'overview: " course/build/ladder figure ladders --week '01_one 02_two'

run "$LADDER" --version
is "$status $out" "0 ladder $(sed -n 's/^## \([0-9][0-9.]*\).*/\1/p' "$ROOT/CHANGELOG.md" | head -n 1)" \
    '--version prints the version of the newest entry of CHANGELOG.md'

# --- malformed claims files

printf 'stage3 (cpu, 64): 1 == 1\n' >good.claims
run "$LADDER" claims --device cpu lone.tsv -- good.claims
is "$status" 0 'a correct claims file is accepted'
for bad in 'stge3 (cpu, 64): 1 == 1|.stge3.: expected a stage or reference' \
    ' stage3 (cpu, 1x2x): 1 == 1|is not a size' \
    'stage3 (cpu, 64): 1 == 1 1|the end of the claim expected' \
    "stage3 (cpu, 64): $(printf '(%.0s' $(seq 1000))1 == 1|too many parentheses" \
    "stage3 (cpu, $(printf '1%.0s' $(seq 100))): 1 == 1|is too long"; do
    echo "${bad%|*}" >bad.claims
    refused "bad.claims:1: ?.*${bad##*|}" "$LADDER" claims --device cpu lone.tsv -- bad.claims
done
refused "--device 'tpu': the devices are gpu and cpu" "$LADDER" claims --device tpu lone.tsv -- good.claims
refused 'claims: expected TABLE' "$LADDER" claims --device cpu lone.tsv --

# --- text files with damage

mkdir -p damage/build damage/common damage/01_one damage/02_two damage/plots
cp "$LADDER" damage/build
cp "$ROOT/common/figures" damage/common
printf '// A lesson.\n' >damage/01_one/stage1_slow.cu
printf '%b\n' 'week\tstage\tname\tsize\tmode\tstatus\trate\tunit' \
    '01_one\tdemo_roofs\tread\t64x64\troof\tok\t42\tGB/s' >damage/t.tsv
declare -A good=([messages]='core: stage1' [runs]='ladder gpu stages' [claims]='stage1 (cpu, 64): 1 == 1'
    [figures]=$'figure ladder\n  what rate' [traffic]=$'bandwidth: 1\nmeasured: demo_roofs read')
declare -A accepts=([messages]="'WORD: TEXT' with a word of: aside core highlight overview"
    [runs]='PART gpu|cpu|any PROGRAM...'
    [claims]='a stage or reference, then (DEVICE, SIZE): CONDITION'
    [figures]='a line that begins with one of: figure part kind '
    [traffic]="'WORD: TEXT' with a word of: bandwidth measured tile")
# read_file FILE: a command that reads it
read_file()
{
    case $1 in
    messages) ../build/ladder list stage1_slow.cu ;;
    runs) ../build/ladder figure --names ;;
    claims) ../build/ladder claims --device cpu ../t.tsv -- claims ;;
    figures) ../build/ladder figure ;;
    traffic) ../build/ladder traffic . ../t.tsv ;;
    esac
}
for file in messages runs claims figures traffic; do
    cd damage/01_one || exit
    printf '# A comment.\n%s\n' "${good[$file]}" >$file
    ok "$file is read" read_file $file
    for damage in ': no line;|' ': no line;|# A comment.\n\n' ":2: byte 0;|${good[$file]%%$'\n'*}\n\0more\n" \
        ":1: 'banana|banana\n" \
        ":2: 'banana|# A comment.\nbanana split\n" \
        ":1: byte 1;|\001\377\376\220 \033[31m \177\n\200\n" ":1: '|\377\376\220 \200\n"; do
        printf "${damage#*|}" >$file
        run read_file $file
        if [ "$status$out" = 2 ] && [[ $err != *[$'\n\e']* ]] &&
            [[ $err == *"$file${damage%%|*}"*"expected ${accepts[$file]}"* ]]; then
            pass "$file with damage${damage%%|*} is refused in one line"
        else
            fail "$file with damage${damage%%|*} is refused in one line" "exit status $status" "$err" "$out"
        fi
    done
    rm $file
    cd "$OLDPWD" || exit
done
for file in messages traffic; do
    printf '%s\n' "${good[$file]/:/}" >damage/01_one/$file
    cd damage/01_one || exit
    refused "$file:1: '.*': expected 'WORD: TEXT'" read_file $file
    rm $file
    cd "$OLDPWD" || exit
done

done_testing
