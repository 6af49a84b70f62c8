#!/usr/bin/env bash
# Week 4's programs beside its stages: the slides' examples of access, counted by the rules of each generation; the occupancy calculator; pictures
# and kernels in files; the machine code of the stages and of their twins; and what make records and profiles, with scripts for programs.
. "$(dirname "$0")/lib.sh"

fresh_tree 04_convolution/shared
cd "$TREE/04_convolution" || exit 1
rm -rf ../plots/data/h200/04_convolution.*   # what is recorded there is no concern of this test
ok 'build' make -s -j2 DEVICE=cpu demo_coalescing calculator
unlike "$out$err" 'warning' 'without a warning'
squeezed() { sed 's/  */ /g; s/^ //; s/ $//' <<<"$out"; }

# --- demo_coalescing: transactions and bytes of a request under 1.1, 1.3, 2.0 and 9.0; steps of a request to shared memory

ok 'demo_coalescing' ./demo_coalescing
text=$(squeezed)
is "$(grep -A1 '^global memory' <<<"$text" | tr '\n' '|')" 'global memory 1.1 1.3 2.0 9.0|transactions transactions transactions sectors|' 'the generations, and what each counts in'
while IFS='|' read -r line what; do
    like "$text" "^$line\$" "$what"
done <<'END'
4 bytes, in order 2, 128 B 2, 128 B 1, 128 B 4, 128 B|in order: one transaction of 64 bytes a half-warp
some threads inactive 2, 128 B 2, 128 B 1, 128 B 4, 128 B|"not all threads must be participating"
permuted 32, 1024 B 2, 128 B 1, 128 B 4, 128 B|permuted: uncoalesced, until 1.2
misaligned, by one word 32, 1024 B 3, 224 B 2, 256 B 5, 160 B|misaligned: uncoalesced, then segments of 128, 64 and 32 bytes
misaligned, by 20 words 32, 1024 B 3, 224 B 2, 256 B 5, 160 B|a half-warp across two segments: 64 and 32 bytes; the other within one
every 32nd word 32, 1024 B 32, 1024 B 32, 4096 B 32, 1024 B|heavily scattered reads are slow on all
1 byte, in order 32, 1024 B 2, 64 B 1, 128 B 1, 32 B|bytes: never on 1.1, segments of 32 on 1.3
2 bytes, in order 32, 1024 B 2, 64 B 1, 128 B 2, 64 B|words of 2 bytes
8 bytes, in order 2, 256 B 2, 256 B 2, 256 B 8, 256 B|8 bytes: 128 a half-warp
16 bytes, in order 4, 512 B 4, 512 B 4, 512 B 16, 512 B|16 bytes: 256 a half-warp, two transactions
words, stride 1 2 2 1 1|banks, stride 1: no conflict
permuted 2 2 1 1|a permutation: none
stride 2 4 4 2 2|stride 2: two ways
stride 8 16 16 8 8|stride 8: eight ways
column of a tile 16 wide 32 32 16 16|a column of 16 x N: 16 ways
17 wide, one word unused 2 2 1 1|17 x N: none
column of a tile 32 wide 32 32 32 32|32 banks: 32 ways
33 wide, one word unused 2 2 1 1|33 x N: none
RGBA of words, interleaved 8 8 4 4|colours interleaved: four ways
RGBA of bytes, interleaved 2 2 1 1|of bytes: none
END
is "$(grep -A1 '^RGBA' <<<"$text" | grep '^a plane' | tr '\n' '|')" 'a plane each 2 2 1 1|a plane each 8 8 1 1|' 'in planes: words without conflict; bytes four to a bank, on 1.x'
is "$(grep -c ' $' <<<"$out")" 0 'no blanks at the ends of lines'
fails 2 'no such option' ./demo_coalescing --tsv x
ok 'help' ./demo_coalescing --help

# --- the calculator

ok 'calculator' ./calculator
like "$(squeezed)" "^the slides' example 256 25 2048 3 1 8 8 1 8 33 % registers\$" "the slides' example: one block, 8 of 24 warps, 33 %"
# calculates CAPABILITY THREADS REGISTERS BYTES WANTED: blocks by warps, registers, shared memory and limit; blocks, warps, occupancy, what limits
calculates()
{
    run ./calculator --capability "$1" --block "$2" --regs "$3" --shared "$4"
    is "$(squeezed | tail -n 1)" "this kernel $2 $3 $4 $5" "compute capability $1: $2 threads, $3 registers, $4 bytes"
}
# The slides: example 3 with blocks of 16x8, example 6 with 16x16 and 16x8.
calculates 1.1 128 25 2048 '6 2 8 8 2 8 33 % registers'
calculates 1.1 256 11 1200 '3 2 10 8 2 16 67 % registers'
calculates 1.1 128 11 1200 '6 5 10 8 5 20 83 % registers'
calculates 1.1 32 8 0 '24 16 - 8 8 8 33 % blocks'
calculates 1.1 513 8 0 '0 1 - 8 0 0 0 % warps'
calculates 1.3 256 25 2048 '4 2 8 8 2 16 50 % registers'
header=; echo '#include <cuda_occupancy.h>' | gcc -E -idirafter /usr/local/cuda/include - >/dev/null 2>&1 && header=1
if [ -n "$header" ] && ! ./calculator --capability 9.0 --block 32 --regs 32 | grep -q SKIP; then
    calculates 9.0 256 40 2048 '8 6 76 32 6 48 75 % registers'
    calculates 9.0 1024 32 0 '2 2 228 32 2 64 100 % warps registers'
    calculates 9.0 128 32 102400 '16 16 2 32 2 8 12 % shared'
    calculates 8.6 32 16 0 '48 128 100 16 16 16 33 % blocks'
    # measured TABLE: as if this machine's GPU had measured it
    measured() { mkdir -p results/X && cp "$1" results/X/stage1.tsv; }
    # What the driver said of the kernels that were recorded; their occupancy is in their rows.
    for table in ../plots/data/h200/*.ladder.tsv; do
        [ -f "$table" ] || continue
        measured "$table"
        ok "kernels of ${table##*/}" ./calculator
        like "$out" '^stage.* %' 'are calculated'
        unlike "$out" 'the driver reports' 'as the driver does'
    done
    printf '# device: X\n# cuda: 9\nweek\tstage\tname\tdevice\tknobs\tvariant\tstatus\tblock\tregs\tshared_bytes\tblocks_per_sm\n' >rows.tsv
    printf '4\tstage2\tb\tX\t\t\tok\t16x8x1\t32\t0\t9\n4\tstage10\tc\tX\t\t\tok\t32x8x1\t64\t0\t\n4\tstage3\td\tX\tA=1\t\tok\t32\t1\t0\t1\n' >>rows.tsv
    printf '4\tstage4\te\tX\t\t\twrong\t32\t1\t0\t1\n4\tstage1\ta\tX\t\t\tok\t512x1x1\t16\t49152\t4\n' >>rows.tsv
    measured rows.tsv
    ok 'rows' ./calculator
    is "$(squeezed | grep '^stage' | cut -d ' ' -f 1-5 | tr '\n' '|')" 'stage1 a 512 16 49152|stage2 b 128 32 0|stage10 c 256 64 0|' 'are its stages in order, those that are right and have no knobs'
    like "$(squeezed)" '^stage2 b .* warps registers; the driver reports 9 blocks$' 'a driver that differs is reported'
    { printf 'week\tstage\tname\tstatus\tblock\tregs\tshared_bytes\tbytes\n'
      printf '4\tstage1\ta\tok\t%s\t16\t0\t%s\n' 32 100 64 2000 128 300; } >sizes.tsv
    measured sizes.tsv
    ok 'rows of several sizes' ./calculator
    is "$(squeezed | grep '^stage' | cut -d ' ' -f 1-3)" 'stage1 a 64' 'of which the largest counts'
    measured rows.tsv
    ok 'rows for the figure' ./calculator --tsv -
    printf '%s\n' "$out" >charts.tsv
    is "$(grep '^#' charts.tsv | tr '\n' '|')$(cells charts.tsv chart stage blocks warps | sed -n 's/^point //p' | tr '\n' '|')" \
        '# device: X|# cuda: 9|# command: ./calculator|slides 1 8|stage1 4 64|stage2 16 64|stage10 4 32|' 'have a point for each'
    is "$(cells charts.tsv chart stage | sed -n 's/^regs //p' | sort -u | tr '\n' '|')" 'slides|stage10|' 'and the curves of the example and of the stage with the fewest warps'
    printf 'no table\n' >results/X/stage2.tsv
    fails 2 'a file of something else' ./calculator
    like "$err" 'stage2.tsv: not a result table: it has no header' 'is named'
    rm -r results/X
else
    skip 'capabilities of today' 'there is no cuda_occupancy.h here'
fi
# Where there is no such header: this compiler with its folders less those that have it.
without=
for folder in $(gcc -E -Wp,-v -x c /dev/null 2>&1 | sed -n 's/^ \(\/.*\)/\1/p'); do [ -f "$folder/cuda_occupancy.h" ] || without="$without -isystem $folder"; done
ok 'builds without the header' gcc -nostdinc $without -std=gnu11 -Wall -Wextra -Werror calculator.c ../common/table/*.c -lm -o bare
ok 'and calculates by the guide' ./bare --capability 1.1 --block 256 --regs 25 --shared 2048
fails 77 'but not by the header' ./bare --capability 9.0 --block 256 --regs 25
like "$out" '^SKIP: compute capability 9.0: needs cuda_occupancy.h' 'and reports why'
refused() { fails 2 "refused: $*" ./calculator "${@:2}"; like "$err" "$1" 'that says what is wrong'; }
refused "--capability '2.5': unknown; expected 1.1 1.3 " --capability 2.5
refused "--block '0': expected a whole number from 1 to 1024" --block 0 --regs 1
refused '--block and --regs go together' --block 32
refused 'unknown option' --warps 3
refused '--regs: needs a value' --regs
refused '--block and --regs go together' --shared 5
refused "'rows.tsv': unknown argument" rows.tsv

# --- fetches from a cudaArray: the order of its elements is unknown

ok 'a stage with a cudaArray' make -s DEVICE=cpu stage2 ARRAY=1
ok 'its requests by source line' ./stage2 --lines --size 64
like "$out" ' tex2D<.* texture  *[1-9][0-9]*     -$' 'a fetch from a cudaArray has requests, and "-" instead of sectors'
unlike "$out" ' 0 sectors' 'no line has 0 sectors'
ok 'the same stage without one' make -s DEVICE=cpu stage2
ok 'its requests by source line' ./stage2 --lines --size 64
like "$out" ' tex2D<.* texture  *[1-9][0-9]* .* sectors \(1\)$' 'a fetch from pitched memory has sectors'

# --- make targets

ok 'make occupancy' make -s DEVICE=cpu occupancy
like "$out" '^results/cpu/occupancy.tsv$' 'leaves the table for the figure'
ok 'make sensitivity' make -s DEVICE=cpu sensitivity instructions ways
is "$(grep -c '^SKIP: .* needs a GPU' <<<"$out")" 3 'make instructions and make ways need a GPU'

# --- a single white pixel becomes the coefficients, flipped; the border stays

ok 'build' make -s DEVICE=cpu stage1
zeros() { head -c "$1" /dev/zero; }
{ printf 'P5 # a point\n9# pixels\n 9\n# and the largest:\n255# binary follows\n\7'; zeros 39; printf '\1'; zeros 40; } >point.pgm
{ echo "# $(yes '1 ' | head -n 4000 | tr -d '\n')"; seq 25 | tr '\n' ' '; echo 1; } >numbers
ok 'a picture whose header has remarks, coefficients behind a long one' ./stage1 --image point.pgm --kernel numbers --pitch 70 --out turned.pgm --bench
is "$(tail -c 81 turned.pgm | od -An -v -w9 -tu1 | sed 's/  */ /g' | tr '\n' '|')" "$(printf '%s|' ' 7 0 0 0 0 0 0 0 0' ' 0 0 0 0 0 0 0 0 0' \
    ' 0 0 32 24 23 22 21 0 0' ' 0 0 20 19 18 17 16 0 0' ' 0 0 15 14 13 12 11 0 0' ' 0 0 10 9 8 7 6 0 0' ' 0 0 5 4 3 2 1 0 0' \
    ' 0 0 0 0 0 0 0 0 0' ' 0 0 0 0 0 0 0 0 0')" 'is what the slides say it is'
ok 'a picture onto itself' ./stage1 --image point.pgm --kernel numbers --out point.pgm --bench
cmp -s point.pgm turned.pgm && pass 'is read before it is written' || fail 'is read before it is written'
{ printf 'P5 4 4 255\n'; seq 16 | tr -d '\n' | head -c 16; } >frame.pgm
ok 'a picture that is all frame' ./stage1 --image frame.pgm --out same.pgm
is "$(tail -c 16 same.pgm)" "$(tail -c 16 frame.pgm)" 'stays as it is'
unlike "$out" 'active lanes|nan' 'and where nothing is asked of memory, no lane is active'
# The largest float below 2^31 is 2147483520. A product of 2147483615.6 is below, too, but not as a float.
limit() { { echo "$1"; yes 0 | head -n 24; echo "$2"; } >limit; }
limit 8421504 1; ok 'a sum of pixels as large as a float below 2^31' ./stage1 --kernel limit --size 9 --check
limit 5 1684300.875; fails 2 'a product that becomes 2^31' ./stage1 --kernel limit --size 9 --check
like "$err" 'sums times the scale may reach' 'is refused'
chmod -w turned.pgm
if [ -w turned.pgm ]; then
    skip 'a file that must not be written' 'this user may write them all'
else
    fails 2 'a file that must not be written' ./stage1 --image frame.pgm --out turned.pgm
fi

# --- what nvcc makes of a stage and of its memory-only twin: the instructions that load, as many of them in the twin, and as many stores

# loads_of STAGE: the kinds of instructions by which it loads the image: fetches of textures, asynchronous copies, bulk copies (cp.async.bulk) and
# prefetches of bulk copies, or plain loads.
loads_of()
{
    case $1 in
    stage[2-5]) echo TEX ;;
    stage22) echo LDGSTS ;;
    stage23) echo LDG LDGSTS ;;
    stage2[4-6]) echo UTMALDG ;;
    stage2[78]) echo UBLKPF UTMALDG ;;
    *) echo LDG ;;
    esac
}
# accesses TWIN FILE: "LDG 25", "STG 1": the instructions that load from and store to global memory in the twins (1) or in the other kernels (0)
accesses()
{
    awk -v twin="$1" '/Function : / { is_counted = (/<true/ ? 1 : 0) == twin }
        { op = $2 ~ /^@/ ? $3 : $2 }
        is_counted && op ~ /^(LDG|LDGSTS|TEX|TLD|UBLKCP|UBLKPF|UTMALDG|STG)(\.|$)/ { sub(/\..*/, "", op); n[op]++ }
        END { for (op in n) print op, n[op] }' "$2" | sort
}
if nvcc=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc 2>/dev/null); then
    run make -s -j2 DEVICE=gpu NVCC="$nvcc" ARCH=sm_90a sass
    like "$out" '^(build/gpu/stage1.sass|SKIP: make sass needs cuobjdump.*)$' 'make sass'
    [ -e build/gpu/stage1.sass ] || skip "the twins' loads in machine code" 'there is no cuobjdump here'
    for file in build/gpu/*.sass; do
        [ -e "$file" ] || continue
        stage=$(basename "$file" .sass)
        of_stage=$(accesses 0 "$file") of_twin=$(accesses 1 "$file")
        is "$(sed -n '/^STG/!s/ .*//p' <<<"$of_stage" | tr '\n' ' ')" "$(loads_of "$stage") " "$stage: loads with $(loads_of "$stage")"
        like "$of_stage" '^STG [1-9]' "$stage: stores"
        is "$of_twin" "$of_stage" "$stage: its twin loads and stores with as many instructions"
    done
else
    skip "the twins' loads in machine code" 'there is no nvcc here'
fi

done_testing
