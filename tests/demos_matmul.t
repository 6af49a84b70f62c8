#!/usr/bin/env bash
# Week 3's demonstrations on the CPU device: what patterns and strides ask for, the slides' sums of traffic and of pending loads, the worksheet; and
# what make collects for the figures, from a GPU that is made of scripts.
. "$(dirname "$0")/lib.sh"
data=$ROOT/tests/data

fresh_tree 03_matmul/shared
cd "$TREE/03_matmul" || exit 1
rm -rf ../plots/data/h200   # what is recorded there is no concern of this test
ok 'build' make -s -j2 DEVICE=cpu demo_access demo_roofs demo_traffic
unlike "$out$err" 'warning' 'without a warning'

squeezed() { sed 's/  */ /g; s/^ //; s/ $//' <<<"$out"; }

# --- demo_access

ok 'demo_access' ./demo_access
text=$(squeezed)
like "$text" '^neighbouring columns 128 4 4096 128 100.0 %$' 'neighbouring columns: 4 sectors a request, all used'
like "$text" '^neighbouring rows 128 32 4096 128 12.5 %$' 'neighbouring rows: 32 sectors a request, an eighth used'
like "$text" '^same row 4 1 128 4 12.5 %$' 'the same word, along a row: one sector a request, which a walk finds again'
like "$text" '^same column 4 1 128 32 12.5 %$' 'the same word, down a column: another one each time'
for pair in 1:4:100.0 2:8:50.0 3:12:33.3 5:20:20.0 7:28:14.3 8:32:12.5 64:32:12.5; do
    IFS=: read -r stride sectors used <<<"$pair"
    like "$text" "^$stride $sectors $used %\$" "a stride of $stride: $sectors sectors a request, $used % used"
done
unlike "$out" 'GB/s|[0-9] us' 'no time is told'
is "$(grep -c ' $' <<<"$out")" 0 'no blanks at the ends of lines'

ok 'rows' ./demo_access --tsv access.tsv
ok 'more rows' ./demo_access --tsv=access.tsv
is "$(grep -c '^03_matmul' access.tsv) $(grep -c '^week' access.tsv)" '48 1' 'are appended, under one header'
is "$(awk -F '\t' '/^#/ { next } { print NF }' access.tsv | sort -u)" 20 'with all columns'
is "$(awk -F '\t' '$7 == 3 { print $5, $6, $8, $9, $10, $11; exit }' access.tsv)" 'count ok 2688 32256 344064 1032192' 'a stride of 3: requests, sectors, bytes used and moved'
run ./demo_access --tsv -
is "$(grep -c -v -e '^#' -e '^week' -e '^03_matmul' <<<"$out") $(grep -c '^03_matmul' <<<"$out")" '0 24' 'rows alone on stdout'
ok 'for a profiler' ./demo_access --once
is "$out$err" '' 'it says nothing'
ok 'help' ./demo_access --help
like "$out" '--tsv FILE' 'lists the options'
refused "'x': unknown argument; see --help" ./demo_access x
refused '--wrong: unknown option' ./demo_access --wrong
refused '--tsv: needs a value' ./demo_access --tsv
refused '--once=1: takes no value' ./demo_access --once=1
refused '--tsv and --once: choose one' ./demo_access --once --tsv x.tsv
refused "--tsv '/nonexistent/x': No such file or directory; accepted is" ./demo_access --tsv /nonexistent/x
refused "--tsv 'Makefile': holds something else" ./demo_access --tsv Makefile
if [ -c /dev/full ]; then
    fails 2 'a full disk' ./demo_access --tsv /dev/full
    fails 2 'a full stdout' bash -c './demo_access >/dev/full'
else
    skip 'a full disk' 'there is no /dev/full here'
fi

# --- demo_roofs

fails 77 'demo_roofs needs a device that tells the time' ./demo_roofs
like "$out" '^SKIP: ' 'and says so'
refused 'unknown option' ./demo_roofs --once

# --- demo_traffic: the model

ok 'demo_traffic, without a GPU and without results' ./demo_traffic
ok 'demo_traffic' ./demo_traffic --bandwidth 3800
text=$(squeezed)
like "$text" '^stage1 simple 1x1 4 37.5 950$' "no tile: 4 bytes a flop, the slides' 37.5 GFLOP/s"
like "$text" '^stage2 tiled 16x16 0.25 600 15200$' "16 x 16: the slides' 600"
like "$text" '^stage3 tiled32 32x32 0.125 1200 30400$' "32 x 32: the slides' 1200"
is "$(grep -c '^stage[0-9]' <<<"$text")" "$(ls stage*_*.cu | wc -l)" 'every stage is there'
is "$(grep '^stage.* - ' <<<"$text")" 'stage13 shares - - - -' 'with its tile, but for the one that chooses'
like "$text" '^-, of a tile: the file names none' 'which is said'
unlike "$text" 'Measured|of that' 'nothing is said of measurements that are not there'
printf '// stage30: a test.\n#ifndef BM\n#define BM 64\n#endif\n#ifndef BN\n#define BN 256\n#endif\n__shared__\n' >stage30_mine.cu
printf '// stage31: a test.\n__shared__\n' >stage31_odd.cu
run ./demo_traffic
text=$(squeezed)
like "$text" '^stage30 mine 64x256 0.0391 3840 3840$' 'a new stage is found, and its tile'
like "$text" '^stage31 odd - - - -$' 'and one whose tile cannot be told says so'
rm stage30_mine.cu stage31_odd.cu

# --- beside what was measured

mkdir -p measured
cp "$data/roofline.tsv" measured/
ok 'demo_traffic with results' ./demo_traffic --results measured
text=$(squeezed)
like "$text" '3800 GB/s is what this memory was read with' 'takes the roof that was measured'
like "$text" '^Measured: 4096x4096x4096 on TEST VECTOR\.$' 'says where'
like "$text" '^stage1 simple 1x1 4 37.5 950 - 6000 6.32 550 60.5 0.805$' 'stage 1 is beyond what memory feeds: rate, factor, bytes by the model, of L2, of memory'
like "$text" '^stage2 tiled 16x16 0.25 600 15200 7500 7600 0.5 34.4 34.4 0.503$' 'stage 2 is not: its shared memory feeds no more'
ok 'another size' ./demo_traffic --results measured --size 512x512x512
unlike "$out" 'Measured' 'was not measured'
grep -v demo_roofs "$data/roofline.tsv" >measured/roofline.tsv
run ./demo_traffic --results measured
like "$out" "4000 GB/s is what the memory's pins move" 'without a roof: the pins'
refused "--bandwidth 'x': not a number" ./demo_traffic --bandwidth x
refused "--bandwidth '-1'" ./demo_traffic --bandwidth -1
refused "--bandwidth 'nan'" ./demo_traffic --bandwidth nan
for size in 4096 0x1x1 1x2x3x4 axbxc 1x2x 1x-2x3; do refused "--size '$size': not a size; accepted is MxNxK" ./demo_traffic --size "$size"; done
refused 'unknown argument' ./demo_traffic measured

# --- loads on their way, and the worksheet

run ./demo_traffic
text=$(squeezed)
like "$text" '^GM107 16x16 256 2048 32 8 32 8 4096$' 'tiles of 16: 32 blocks by shared memory, 8 by threads, 4096 loads'
like "$text" '^GM107 32x32 1024 8192 8 2 32 2 4096$' 'tiles of 32: 8 and 2, 4096 loads'
ok 'make worksheet' make -s DEVICE=cpu worksheet
text=$(squeezed)
like "$text" '^GM204: 1024 threads and 49152 bytes of shared memory a block, 2048 threads, 98304 bytes and 32 blocks an SM$' 'the limits'
like "$text" '^threads a block T x T <= 1024, so T <= 32$' 'by threads'
like "$text" '^shared memory a block 2 x T x T x 4 <= 49152 bytes, so T <= 78$' 'by shared memory'
like "$text" '^largest tile 32 x 32: 8192 bytes of shared memory$' 'the answer'
like "$text" '^blocks an SM 2 by threads, 12 by shared memory, 32 at most: 2, which are 2048 of 2048 threads$' 'what runs at a time'
like "$text" "^global loads 1/32 of the simple kernel's" 'what it saves'
like "$text" '^largest tile 78 x 78: 48672 bytes' 'and with several elements a thread'

# --- make

ok 'make traffic' make -s DEVICE=cpu traffic
like "$(squeezed)" '^stage2 tiled 16x16 0.25 600 ' 'prints the model'
ok 'make access' make -s DEVICE=cpu access
is "$(grep -c '^03_matmul' results/cpu/access.tsv)" 24 'leaves the table'
ok 'make accuracy' make -s DEVICE=cpu accuracy STAGES=stage2
is "$(awk -F '\t' '/^week/ { for (i = 1; i <= NF; i++) at[$i] = i } /^03_/ && $at["mode"] == "check" && $at["max_error"] > 0 { n++ } END { print n }' results/cpu/accuracy.tsv)" 5 \
    'leaves a row for each K, with its error'
for target in roofline sawtooth; do
    ok "make $target" make -s DEVICE=cpu $target
    like "$out" 'SKIP: .* needs a GPU' 'says that it needs a GPU'
done

# --- roofline.sh and ncu_rows.awk, with scripts for programs

mkdir -p fake/build && cd fake || exit 1
table=$(printf '# device: A GPU\nweek\tstage\tname\tsize\tknobs\tvariant\tmode\tstatus\trate\tflops\n')
cat >roofs <<'END'
#!/bin/sh
printf '# device: A GPU\nweek\tstage\tname\tmode\tstatus\trate\tunit\n1\tdemo_roofs\tfma\troof\tok\t99\tGFLOP/s\n' >"$2"
END
cat >build/stage1 <<'END'
#!/bin/sh
echo "$*" >>called
[ "$1" = --once ] || { mkdir -p results/A_GPU; cp rows.tsv results/A_GPU/stage1.tsv; cp ref.tsv results/A_GPU/ref_x.tsv; cp ref.tsv results/A_GPU/ref_gone.tsv; }
END
cat >build/stage2 <<'END'
#!/bin/sh
exit 77
END
cat >ncu <<'END'
#!/bin/sh
[ "$1" != --version ] || exit 0
echo "$*" >>profiled
printf '"ID","Kernel Name","Metric Name","Metric Value"\n"0","f<1, 2>","m.read","1,000"\n"1","g","m.read","24"\n"1","g","m.l2","7"\n'
END
chmod +x roofs build/stage? ncu
printf '%s\n1\tstage1\tx\t8x8x8\tT=1\t\tcold\tok\t4\t1024\n1\tstage1\tx\t8x8x8\t\t\tcold\tok\t5\t1024\n1\tstage1\tx\t9x9x9\t\t\tcold\tok\t6\t1458\n' "$table" >rows.tsv
printf '%s\n1\tref_x\tx\t8x8x8\t\t\tcold\tok\t7\t1024\n' "$table" >ref.tsv
touch ref_x.cu
roofline() { env RUN= ROOFS=roofs NCU="$1" COUNTERS='dram_read_bytes=m.read l2_read_bytes=m.l2' "$ROOT/common/make/roofline.sh" 8x8x8 build build/stage1 build/stage2; }
ok 'roofline.sh' roofline ./ncu
like "$out" '^stage2: skipped$' 'tells what was skipped'
like "$out" '^results/A_GPU/roofline.tsv$' 'says where the table is'
is "$(awk -F '\t' '/^week/ { for (i = 1; i <= NF; i++) at[$i] = i; next } /^1/ { print $at["stage"], $at["mode"], $at["rate"], $at["dram_read_bytes"], $at["l2_read_bytes"] }' \
    results/A_GPU/roofline.tsv)" "$(printf 'demo_roofs roof 99  \nstage1 cold 5  \nstage1 count  1024 7\nref_x cold 7  ')" \
    'roofs, the rate at that size, what ncu counted, the references that are there'
is "$(cat called)" '--bench --size 8x8x8' 'measured once'
like "$(cat profiled)" 'csv --metrics m.read,m.l2 ./build/stage1 --once --size 8x8x8$' 'profiled once'
ok 'again' roofline ./ncu
is "$(grep -c bench called)" 1 'what was measured since it was built is not measured anew'
export BESIDE=build/stage1
ok 'beside' roofline ./ncu
unset BESIDE
is "$(grep -c bench called)" 2 'but for the program in turn with which the references are measured'
like "$(cut -f 2 results/A_GPU/roofline.tsv | tr '\n' ' ')" 'demo_roofs stage1 stage1 ref_x $' 'which comes last'
ok 'without ncu' roofline ./nonesuch
like "$out" '^note: .* needs ncu' 'says so'
is "$(grep -c 'count' results/A_GPU/roofline.tsv)" 0 'and counts nothing'

# --- record.sh: runs of some stages only

cat >fakemake <<'END'
#!/bin/sh
echo "$*" >>made
mkdir -p build/gpu results/G
printf '# device: G\n# date: 2000-01-02\n# command: %s\nweek\tx\n1\t2\n' "$*" | tee "results/G/$1.tsv" >"build/gpu/$1.tsv"
END
chmod +x fakemake
export WEEK=w DEVICE=gpu MAKE=./fakemake ALL='stage1 stage8 stage9'
ok 'record.sh' env OPTIONS='stage8 stage9: --size 8, --hot' SHMOO='stage1: --reps 9, stage8 stage9: --reps 3' MORE=access \
    "$ROOT/common/make/record.sh" kept ladder shmoo access
is "$(sed -n '1s/-j [0-9]* //; p' made)" 'all
run
run STAGES=stage8 stage9 ARGS=--size 8
run ARGS=--hot
shmoo STAGES=stage1 ARGS=--alone --reps 9 --tsv build/gpu/shmoo.tsv
shmoo STAGES=stage8 ARGS=--alone --reps 3 --tsv build/gpu/shmoo.tsv
shmoo STAGES=stage9 ARGS=--reps 3 --tsv build/gpu/shmoo.tsv
access' 'runs what the week asks for, of the stages that it names'
is "$(ls kept | tr '\n' ' ')" 'w.access.tsv w.ladder.tsv w.shmoo.tsv ' 'and keeps it'

rm made
printf '# device: G\n# date: 2000-01-01\n# command: a\nweek\tx\n1\t8\n# command: run ARGS=--hot\n1\t9\n' >kept/w.ladder.tsv
ok 'record.sh of a stage' env ONLY=stage8 OPTIONS='stage8 stage9: --size 8, --hot, stage9: --cold' SHMOO='stage1: --reps 9, stage8 stage9: --reps 3' \
    "$ROOT/common/make/record.sh" kept
is "$(sed -n '1s/-j [0-9]* //; p' made)" 'all
run
run STAGES=stage8 ARGS=--size 8
run ARGS=--hot
shmoo STAGES=stage8 ARGS=--alone --reps 3 --tsv build/gpu/shmoo.tsv' 'runs no other'
is "$(cat kept/w.ladder.tsv)" "$(printf '%b' '# device: G\n# date: 2000-01-02\n# command: a\nweek\tx\n1\t8\n# command: run ARGS=--hot\n1\t2\n' \
    '# command: run\n1\t2\n# command: run STAGES=stage8 ARGS=--size 8\n1\t2')" 'which take their places'
ok 'record.sh of a stage that the sweep does not have' env ONLY=stage9 SHMOO='stage1: --reps 9' "$ROOT/common/make/record.sh" kept shmoo
like "$out" '^record: the sweep has none of stage9$' 'says so'
fails 2 'record.sh of a stage, a part that is of all' env ONLY=stage8 "$ROOT/common/make/record.sh" kept counts
like "$err" '^record: STAGES: counts is recorded of all stages together' 'says so'
rm made
ok 'record.sh of a stage, where the week names none for its sweep' env ONLY=stage8 "$ROOT/common/make/record.sh" other shmoo
is "$(tail -n 1 made)" 'shmoo STAGES=stage8 ARGS=--alone --reps 30 --tsv build/gpu/shmoo.tsv' 'which is then not the last one'
unset WEEK DEVICE MAKE ALL

# a table of three runs, one of them twice, and one with new rows for the second and one more
run_of() { printf '# command: %s\n' "$1"; shift; printf '%s\n' "$@"; }
head_of() { printf '# device: %s\n# cuda: %s\n# date: %s\n' "$1" "${2:-1}" "${3:-8}"; }
{ head_of G; run_of a 'week	x' 1; run_of b 2 3; head_of G; run_of c 4; run_of b 9; } >kept.tsv
{ head_of G 1 9; run_of b 'week	x' 5 6 7; run_of d 8; } >anew.tsv
{ head_of H; run_of b 'week	x' 5; } >device.tsv
{ head_of G 2; run_of b 'week	x' 5; } >cuda.tsv
{ head_of G; run_of b 'week	y' 5; } >columns.tsv
{ head_of G; run_of b 'week	x' 5; echo '# command: c'; } >rowless.tsv
: >empty.tsv
for awk in mawk gawk original-awk 'busybox awk' awk; do
    have ${awk%% *} || continue
    run $awk -f "$ROOT/common/make/replace.awk" anew.tsv kept.tsv
    is "$out" "$({ head_of G 1 9; run_of a 'week	x' 1; run_of b 5 6 7; head_of G 1 9; run_of c 4; run_of d 8; })" "$awk: replace.awk puts runs in their places"
    for bad in device:another.device cuda:another.cuda columns:other.columns rowless:without.rows empty:no.runs; do
        fails 1 "$awk: replace.awk, $bad" $awk -f "$ROOT/common/make/replace.awk" ${bad%:*}.tsv kept.tsv
        like "$err" "^replace: the .*${bad#*:}" 'says so'
    done
done

printf '"ID","Kernel Name","Metric Name","Metric Value"\n"0","f<1, 2>(int)","m","1,000"\n"1","g","m","24"\n' >ncu.csv
printf '# device: X\nweek\tstride\tdram_bytes\n1\t1\t\n1\t2\t\n' >rows.tsv
for awk in mawk gawk original-awk 'busybox awk' awk; do
    have ${awk%% *} || continue
    run $awk -v column=dram_bytes -f "$ROOT/common/make/csv.awk" -f "$ROOT/common/make/ncu_rows.awk" ncu.csv rows.tsv
    is "$out" "$(printf '# device: X\nweek\tstride\tdram_bytes\n1\t1\t1000\n1\t2\t24')" "$awk: ncu_rows.awk fills in row after row"
    printf '1\t3\t\n' | cat rows.tsv - >more.tsv
    fails 1 "$awk: ncu_rows.awk, more rows than launches" $awk -v column=dram_bytes -f "$ROOT/common/make/csv.awk" -f "$ROOT/common/make/ncu_rows.awk" ncu.csv more.tsv
done
done_testing
