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
#include "ladder.h"
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
#include "../common/stage.h"
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
    $awk -v knobs="$2" -f "$ROOT/common/info.awk" "$TMP/$1" >"$TMP/info.c" && gcc -std=gnu11 -Wall -Wextra -Werror -I"$ROOT/common" \
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
    run $awk -v list=1 -f "$ROOT/common/info.awk" "$TMP/stage10_other.cu"
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

    cat >"$TMP/ncu.csv" <<'EOF'
==PROF== Connected to process 1
"ID","Process ID","Kernel Name","Metric Name","Metric Unit","Metric Value"
"0","1","f(float, int)","l1tex.ld","sector","131,072"
"0","1","f(float, int)","smsp.ld","inst","32,768"
"0","1","f(float, int)","smsp.st","inst","32,768"
"1","1","g","l1tex.ld","sector","8"
EOF
    printf '# device: A\nweek\tstage\tmode\trate\tld_sectors\tshared_requests\tst_sectors\n1\tstage1\tcold\t5\t\t\t\n1\tref_x\tcold\t6\t\t\t\n' >"$TMP/row.tsv"
    run $awk -v counters='ld_sectors=l1tex.ld shared_requests=smsp.ld shared_requests=smsp.st' -f "$M/csv.awk" -f "$M/ncu.awk" "$TMP/row.tsv" "$TMP/ncu.csv"
    is "${out##*$'\n'}" "$(printf '1\tstage1\tcount\t\t131080\t65536\t')" "$awk: ncu.awk adds up kernels and counters"
    run $awk -v counters='dram_bytes=l1tex.ld' -f "$M/csv.awk" -f "$M/ncu.awk" "$TMP/row.tsv" "$TMP/ncu.csv"
    is "${out#*$'\n'}" "$(printf 'week\tstage\tmode\trate\tld_sectors\tshared_requests\tst_sectors\tdram_bytes\n1\tstage1\tcount\t\t\t\t\t131080')" \
        "$awk: ncu.awk adds the columns that are not there"
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
