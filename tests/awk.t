#!/usr/bin/env bash
# The awk programs of make: what they read out of a stage's file, under every awk that is here.
. "$(dirname "$0")/lib.sh"
M=$ROOT/common/make

cat >"$TMP/stage7_odd.cu" <<'EOF'
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
printf '// stage8: CRLF.\r\n// Needs: sm_80\r\n// Expect (cpu, 8x8): a == b\r\n#include "x.h"\r\n#ifndef TILE\r\n#define TILE 32\r\n#endif\r\n' >"$TMP/stage8_crlf.cu"
printf '#include "x.h"\nvoid f();\n' >"$TMP/stage9_bare.cu"
printf '// A copy of someone: no, really.\n' >"$TMP/stage10_other.cu"
: >"$TMP/stage11_empty.cu"
cat >"$TMP/print.c" <<'EOF'
#include <stdio.h>
#include "week.h"
int main(void)
{
    printf("file=%s\nlesson=%s\nneeds=%s\ncomputes=%s\narithmetic=%s\nknobs=%s\n", stage_info.file, stage_info.lesson, stage_info.needs,
           stage_info.computes, stage_info.arithmetic, stage_info.knobs);
    for (int i = 0; stage_info.claims[i]; i++)
        printf("claim=%s\n", stage_info.claims[i]);
}
EOF
cat >"$TMP/x.h" <<'EOF'
// A week's header. void not_this(int);
#ifndef X_H
#define X_H \
    (1)
#include "../common/stage/stage.h"
#ifdef __cplusplus
extern "C"
#endif
void convolve(const unsigned char *in,   // pixels
              unsigned char *out, int height, int width);
enum { RADIUS = 2 };
#endif
EOF

info()
{
    $awk -v knobs="$2" -f "$ROOT/common/make/info.awk" "$TMP/$1" >"$TMP/info.c" && gcc -std=gnu11 -Wall -Wextra -Werror -I"$ROOT/common/harness" -I"$ROOT/common/stage" \
        "$TMP/info.c" "$TMP/print.c" -o "$TMP/print" && "$TMP/print"
}

for awk in mawk gawk original-awk 'busybox awk' awk; do
    have "${awk%% *}" || { skip "$awk" 'it is not here'; continue; }

    run info stage7_odd.cu 'TILE=16 ROWS_EACH=8'
    is "$out" 'file=stage7_odd.cu
lesson=the lesson. It says "twice" and C:\temp\new, 100 %d, ??/ and a tab.
needs=sm_90a
computes=copy
arithmetic=tf32
knobs=TILE=16 ROWS_EACH=8
claim=(cpu, 1024x1024): ld_sectors == 4 * ld_requests
claim=(sm_90, 16384x16384): rate >= 1.7 * stage2.rate
claim=(cpu, 8x8): "a\b" == '"'\\\\'" "$awk: info.awk says what the head says"
    run info stage8_crlf.cu ''
    is "$out" 'file=stage8_crlf.cu
lesson=CRLF.
needs=sm_80
computes=
arithmetic=
knobs=
claim=(cpu, 8x8): a == b' "$awk: info.awk, line ends of Windows"
    run info stage9_bare.cu ''
    is "$status $out" '0 file=stage9_bare.cu
lesson=
needs=
computes=
arithmetic=
knobs=' "$awk: info.awk, a stage without a head"
    run info stage11_empty.cu ''
    like "$status $out" '^0 file=stage11_empty.cu' "$awk: info.awk, an empty file"
    run $awk -v list=1 -f "$ROOT/common/make/info.awk" "$TMP/stage10_other.cu"
    is "$out" 'stage10  other          A copy of someone: no, really.' "$awk: info.awk, a line of make list"

    heads() { (cd "$TMP" && $awk -f "$M/heads.awk" -v archs='sm_75 sm_80 sm_90 sm_100' "$@"); }
    run heads -v device=gpu -v arch=sm_75 stage7_odd.cu stage8_crlf.cu stage9_bare.cu stage11_empty.cu
    is "$out" 'stage7|stage7_odd.cu|sm_90a|TILE,ROWS_EACH|-lcublas,-lm
stage8|stage8_crlf.cu|sm_80|TILE|-
stage9|stage9_bare.cu|sm_75|-|-
stage11|stage11_empty.cu|sm_75|-|-' "$awk: heads.awk, no GPU known: each for what it needs"
    run heads -v device=gpu -v arch=sm_80 -v known=gpu stage7_odd.cu stage8_crlf.cu stage9_bare.cu
    is "$(cut -d'|' -f3 <<<"$out" | tr '\n' ' ')" 'none sm_80 sm_80 ' "$awk: heads.awk on sm_80"
    run heads -v device=gpu -v arch=sm_90 -v known=gpu stage7_odd.cu stage8_crlf.cu
    is "$(cut -d'|' -f3 <<<"$out" | tr '\n' ' ')" 'sm_90a sm_90 ' "$awk: heads.awk on sm_90"
    run heads -v device=gpu -v arch=sm_100 -v known=gpu stage7_odd.cu stage8_crlf.cu
    is "$(cut -d'|' -f3 <<<"$out" | tr '\n' ' ')" 'none sm_100 ' "$awk: heads.awk: sm_90a code is for sm_90 alone"
    run heads -v device=cpu stage7_odd.cu stage9_bare.cu
    is "$(cut -d'|' -f3 <<<"$out" | tr '\n' ' ')" 'none cpu ' "$awk: heads.awk on the CPU device"
    cp "$TMP/stage9_bare.cu" "$TMP/stage1b_x.cu"; cp "$TMP/stage9_bare.cu" "$TMP/stage3_x (copy).cu"
    run heads -v device=cpu stage1b_x.cu 'stage3_x (copy).cu'
    is "$out" '!stage1b_x.cu
!stage3_x?(copy).cu' "$awk: heads.awk, misnamed files"

    run $awk -f "$M/prototype.awk" "$TMP/x.h"
    is "$out" 'void convolve(const unsigned char *in, unsigned char *out, int height, int width);' "$awk: prototype.awk"
    run $awk -v names=1 -f "$M/prototype.awk" "$TMP/x.h"
    is "$out" convolve "$awk: prototype.awk, names"

    printf '# device: A\nweek\tstage\tsize\n1\tstage1\t8\n' >"$TMP/a.tsv"
    printf '# device: B\nweek\tsize\tnew\tstage\n1\t16\tx\tstage2\n' >"$TMP/b.tsv"
    run $awk -f "$M/merge.awk" "$TMP/a.tsv" "$TMP/b.tsv"
    is "$out" "$(printf '# device: A\nweek\tstage\tsize\tnew\n1\tstage1\t8\t\n1\tstage2\t16\tx')" \
        "$awk: merge.awk finds columns by name, and has those of all tables"

    printf '# device: A\nweek\tstage\tknobs\tstatus\trate\tunit\n1\tstage1\tT=8\tok\t5\tGB/s\n' >"$TMP/a.tsv"
    printf 'T=16\terror\n' >"$TMP/b.tsv"
    run $awk -f "$M/failed.awk" "$TMP/a.tsv" "$TMP/b.tsv"
    is "${out##*$'\n'}" "$(printf '1\tstage1\tT=16\terror\t\tGB/s')" "$awk: failed.awk, a row that knows no measurement"

    printf '# device: A\nweek\tstage\tknobs\tstatus\trate\tunit\n1\tstage1\tT=8 R=2\tok\t5\tGB/s\n' >"$TMP/a.tsv"
    printf 'R=4 T=16\terror\n' >"$TMP/b.tsv"
    run $awk -f "$M/failed.awk" "$TMP/a.tsv" "$TMP/b.tsv"
    is "${out##*$'\n'}" "$(printf '1\tstage1\tT=16 R=4\terror\t\tGB/s')" "$awk: failed.awk, knobs in the order of the other rows"

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
    } >"$TMP/knobs.tsv"
    run $awk -v table=knobs -v columns='1024/cold 1000/cold' -f "$M/runs.awk" -f "$M/markdown.awk" "$TMP/knobs.tsv"
    is "$out" '| us a call | 2^10, cold | from a graph | 1000, cold | from a graph |
|---|--:|--:|--:|--:|
| [stage7 a](stage7_a.cu) | - | - | 30.00 | 29.00 |
| [stage8 b](stage8_b.cu) `B=9` | 10.01 | 8.00 | - | - |
| [stage8 b](stage8_b.cu) `A=1` | 2.35 | 1.20 | - | - |
| [stage8 b](stage8_b.cu) `A=2` | 3.00 | - | - | - |
| [stage8 b](stage8_b.cu) `A=1 B=2` | - | - | 20.00 | 19.00 |
| [stage8 b](stage8_b.cu) | - | - | 12.00 | 11.00 |
| [ref_c](ref_c.cu) | 5.00 | 4.00 | - | - |

D, 2000-01-01.' "$awk: markdown.awk, a row for each setting of the knobs"
    run $awk -v table=times -v columns='1000/cold' -f "$M/runs.awk" -f "$M/markdown.awk" "$TMP/knobs.tsv"
    is "$(grep '^| \[stage' <<<"$out")" '| [stage7 a](stage7_a.cu) | 30.00 | 29.00 |
| [stage8 b](stage8_b.cu) | 12.00 | 11.00 |' "$awk: markdown.awk, without knobs where they are not asked for"
    sed 's/\t[0-9.]*\t1\tGB/\t\t1\tGB/' "$TMP/knobs.tsv" >"$TMP/streams.tsv"
    run $awk -v table=times -v columns='1000/cold' -f "$M/runs.awk" -f "$M/markdown.awk" "$TMP/streams.tsv"
    is "$(sed -n '1p; 3p' <<<"$out")" '| us a call | 1000, cold |
| [stage7 a](stage7_a.cu) | 30.00 |' "$awk: markdown.awk, and without graphs where there were none"

    # 1000 instructions in 10 us, of 2 a cycle at 0.1 GHz
    printf '# device: D\n# date: 2000-01-01\n' >"$TMP/slots.tsv"
    printf '%b\n' 'week\tstage\tname\tsize\tmode\tstatus\tmedian_us\trate\tinstructions\tissue_per_cycle\tcycles_per_second\tl2_read_bytes' \
        'w\tstage1\tx\t8x8\tcold\tok\t10\t1' 'w\tstage1\tx\t8x8\tcount\tok\t\t\t1000\t2\t100000000\t2500000' \
        'w\tstage2\ty\t8x8\tcold\tok\t10\t1' 'w\tstage2\ty\t8x8\tcount\tok\t\t\t3000000\t\t\t' 'w\tref_z\tz\t8x8\tcold\tok\t10\t1' >>"$TMP/slots.tsv"
    run $awk -v table=slots -f "$M/runs.awk" -f "$M/markdown.awk" "$TMP/slots.tsv"
    is "$out" '| 8x8 | million instructions | of what can be issued | MB from L2 | clock, GHz |
|---|--:|--:|--:|--:|
| [stage1 x](stage1_x.cu) | 0.0 | 50.0 % | 2.5 | 0.10 |
| [stage2 y](stage2_y.cu) | 3.0 | - | - | - |

D, 2000-01-01. Issue slots are those of the time without the profiler, at the clock that it saw.' "$awk: markdown.awk, issue slots"
    run $awk -v table=nothing -f "$M/runs.awk" -f "$M/markdown.awk" "$TMP/knobs.tsv"
    like "$status $err" '^2 .*rates, then, times, knobs' "$awk: markdown.awk, a table that it does not know"

    # Each stage beside its own references: stage1 is 90 % of what ref_a did in its run, 180 % of the next one's; stage3 was timed alone.
    row() { local IFS=$'\t'; echo "w$IFS$*${IFS}GB/s"; }
    {
        printf '# device: D\n# date: 2000-01-01\n'
        row stage name type knobs variant size mode status median_us rate | sed 's/^w/week/; s/GB.s$/unit/'
        row stage1 x int '' '' 8 cold ok 9 5          # replaced below
        row ref_a a int '' '' 8 cold ok 1 400
        row stage1 x int '' '' 8 cold ok 1.25 90
        row ref_b b int '' '' 8 cold ok 2 50
        row ref_a a int '' '' 8 cold ok 1 100
        row stage2 y int T=9 '' 8 cold ok 3 60        # its references are not stage1's
        row ref_b b int '' '' 8 cold wrong 4 7777
        row ref_a a int '' '' 8 cold ok 4 60
        row stage2 y int '' '' 8 cold ok 3 60
        row ref_b b int '' '' 8 cold ok 4 20
        row ref_a a int '' '' 8 cold ok 4 50
        row ref_a a int '' '' 8 hot ok 4 1
        row stage3 z int '' '' 8 cold ok 2 30
    } >"$TMP/runs.tsv"
    run $awk -v table=rates -v columns=8/cold -v baseline=ref_a -f "$M/runs.awk" -f "$M/markdown.awk" "$TMP/runs.tsv"
    is "$out" '| GB/s | 8, cold | of a |
|---|--:|--:|
| [stage1 x](stage1_x.cu) | 90.0 | 90.0 % |
| [stage2 y](stage2_y.cu) | 60.0 | 120.0 % |
| [stage3 z](stage3_z.cu) | 30.0 | 37.5 % |
| [ref_a](ref_a.cu) | 80.0 | 100.0 % |
| [ref_b](ref_b.cu) | 35.0 | 45.0 % |

D, 2000-01-01. Shares are of a in the same run, or of its median where there was none; a reference'"'"'s numbers are medians of its runs.' \
        "$awk: markdown.awk: shares are of the same run, references are medians"
    run $awk -v table=rates -v columns=8/cold -v baseline=ref_a -f "$M/runs.awk" -f "$M/markdown.awk" <(grep -v stage3 "$TMP/runs.tsv")
    like "$out" "in the same run; a reference's" "$awk: markdown.awk, nothing timed alone"
    run $awk -v table=times -v columns=8/cold -f "$M/runs.awk" -f "$M/markdown.awk" "$TMP/runs.tsv"
    like "$out" '^\| \[ref_a\]\(ref_a.cu\) \| 2.50 \|$' "$awk: markdown.awk: so are their times"
    run $awk -v baseline=ref_a -f "$M/runs.awk" -f "$M/table.awk" "$TMP/runs.tsv"
    is "$(awk '{ print $1, $4, $5, $6, $7 }' <<<"$out" | grep -e '^stage[0-9]' -e '^ref')" 'stage1 cold 90.0 1.2 90.0
stage2 cold 60.0 3.0 120.0
stage3 cold 30.0 2.0 37.5
ref_b cold 35.0 3.0 45.0
ref_a cold 80.0 2.5 100.0
ref_a hot 1.0 4.0 100.0' "$awk: table.awk, the same"
    like "$out" "^of ref_a: in the same run; a reference's numbers are medians of its runs$" "$awk: table.awk says so"
    run $awk -v baseline=ref_a -f "$M/runs.awk" -f "$M/table.awk" <(grep -v ref_ "$TMP/runs.tsv")
    unlike "$out" '%|^of ref_a' "$awk: table.awk without references: no shares"

    cat >"$TMP/ncu.csv" <<'EOF'
==PROF== Connected to process 1
"ID","Process ID","Kernel Name","Metric Name","Metric Unit","Metric Value"
"0","1","f(float, int)","l1tex.ld","sector","131,072"
"0","1","f(float, int)","smsp.ld","inst","32,768"
"0","1","f(float, int)","smsp.st","inst","32,768"
"1","1","g","l1tex.ld","sector","8"
"0","1","f(float, int)","cycles.avg.per_second","hz","7"
"1","1","g","cycles.avg.per_second","hz","9"
EOF
    printf '# device: A\nweek\tstage\tmode\trate\tld_sectors\tshared_requests\tst_sectors\n1\tstage1\tcold\t5\t\t\t\n1\tref_x\tcold\t6\t\t\t\n' >"$TMP/row.tsv"
    run $awk -v counters='ld_sectors=l1tex.ld shared_requests=smsp.ld shared_requests=smsp.st' -f "$M/csv.awk" -f "$M/ncu.awk" "$TMP/row.tsv" "$TMP/ncu.csv"
    is "${out##*$'\n'}" "$(printf '1\tstage1\tcount\t\t131080\t65536\t')" "$awk: ncu.awk adds up kernels and counters"
    run $awk -v counters='dram_bytes=l1tex.ld' -f "$M/csv.awk" -f "$M/ncu.awk" "$TMP/row.tsv" "$TMP/ncu.csv"
    is "${out#*$'\n'}" "$(printf 'week\tstage\tmode\trate\tld_sectors\tshared_requests\tst_sectors\tdram_bytes\n1\tstage1\tcount\t\t\t\t\t131080')" \
        "$awk: ncu.awk adds the columns that are not there"
    run $awk -v counters='clock=cycles.avg.per_second' -f "$M/csv.awk" -f "$M/ncu.awk" "$TMP/row.tsv" "$TMP/ncu.csv"
    is "${out##*$'\t'}" 9 "$awk: ncu.awk, but not their clocks"
    run $awk -v counters='ld_sectors=l1tex.ld' -f "$M/csv.awk" -f "$M/ncu.awk" "$TMP/row.tsv" /dev/null
    is "$status" 1 "$awk: ncu.awk without counts fails"

    cat >"$TMP/nvcc.txt" <<'EOF'
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'tile(float const*, int)' for 'sm_90'
ptxas info    : Function properties for tile(float const*, int)
    8 bytes stack frame, 12 bytes spill stores, 4 bytes spill loads
ptxas info    : Used 12 registers, used 1 barriers, 4224 bytes smem
EOF
    run $awk -v stage=stage3 -f "$M/regs.awk" "$TMP/nvcc.txt"
    is "$(echo $out)" 'stage3 tile 12 4224 16 sm_90' "$awk: regs.awk"
    sed -i "s/'tile(/'void tile<float, (int)4>(/" "$TMP/nvcc.txt"
    run $awk -v stage=stage3 -f "$M/regs.awk" "$TMP/nvcc.txt"
    is "$(echo $out)" 'stage3 tile<float, (int)4> 12 4224 16 sm_90' "$awk: regs.awk, a template's kernels by their arguments"
done
done_testing
