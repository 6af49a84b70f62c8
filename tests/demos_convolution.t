#!/usr/bin/env bash
# Week 4's programs other than stages: the access patterns of the slides, counted by the rules of each GPU generation;
# the occupancy calculator; pictures and coefficients in files; and the machine code of the stages.
. "$(dirname "$0")/lib.sh"

fresh_tree 04_convolution/shared
cd "$TREE/04_convolution" || exit 1
rm -rf ../plots/data/h200/04_convolution.*   # the test must not depend on recorded runs
ok 'the demonstrations and calculator build' make -s -j2 DEVICE=cpu demo_coalescing demo_banks calculator
unlike "$out$err" 'warning' 'the demonstrations and calculator build without a warning'
squeezed() { sed 's/  */ /g; s/^ //; s/ $//' <<<"$out"; }

# --- demo_coalescing: transactions and bytes per request by the rules of 1.1, 1.3, 2.0 and 9.0; demo_banks: wavefronts
# per request to shared memory

ok 'demo_coalescing runs' ./demo_coalescing
text=$(squeezed)
is "$(grep -A1 '^global memory' <<<"$text" | tr '\n' '|')" \
    'global memory 1.1 1.3 2.0 9.0|transactions transactions transactions sectors|' \
    'the table names the generations and their units'
ok 'demo_banks runs' ./demo_banks
text="$text
$(squeezed)"
while IFS='|' read -r line what; do
    like "$text" "^$line\$" "$what"
done <<'END'
4 bytes, in order 2, 128 B 2, 128 B 1, 128 B 4, 128 B|in order: one transaction of 64 bytes per half-warp
some threads inactive 2, 128 B 2, 128 B 1, 128 B 4, 128 B|"not all threads must be participating"
permuted 32, 1024 B 2, 128 B 1, 128 B 4, 128 B|permuted: uncoalesced before 1.2
every 32nd word 32, 1024 B 32, 1024 B 32, 4096 B 32, 1024 B|scattered reads are slow on all generations
1 byte, in order 32, 1024 B 2, 64 B 1, 128 B 1, 32 B|bytes: uncoalesced on 1.1, segments of 32 bytes on 1.3
2 bytes, in order 32, 1024 B 2, 64 B 1, 128 B 2, 64 B|words of 2 bytes: segments of 64 bytes on 1.3
8 bytes, in order 2, 256 B 2, 256 B 2, 256 B 8, 256 B|8 bytes: 128 bytes per half-warp
16 bytes, in order 4, 512 B 4, 512 B 4, 512 B 16, 512 B|16 bytes: 256 bytes per half-warp, two transactions
words, stride 1 2 2 1 1|banks, stride 1: no conflict
permuted 2 2 1 1|a permutation: no conflict
stride 2 4 4 2 2|stride 2: 2-way conflict
stride 8 16 16 8 8|stride 8: 8-way conflict
column of a tile 16 wide 32 32 16 16|a column of 16 x N: 16-way conflict
17 wide, one word unused 2 2 1 1|17 x N: no conflict
column of a tile 32 wide 32 32 32 32|32 banks: 32-way conflict
33 wide, one word unused 2 2 1 1|33 x N: no conflict
RGBA of words, interleaved 8 8 4 4|interleaved colors: 4-way conflict
RGBA of bytes, interleaved 2 2 1 1|interleaved bytes: no conflict
END
like "$text" '^misaligned, by one word 32, 1024 B 3, 224 B 2, 256 B 5, 160 B$' \
    'misaligned: uncoalesced, then segments of 128, 64 and 32 bytes'
like "$text" '^misaligned, by 20 words 32, 1024 B 3, 224 B 2, 256 B 5, 160 B$' \
    'a half-warp across two segments: 64 and 32 bytes; the other within one'
is "$(grep -A1 '^RGBA' <<<"$text" | grep '^a plane' | tr '\n' '|')" 'a plane each 2 2 1 1|a plane each 8 8 1 1|' \
    'color planes: words without conflict; bytes with a 4-way conflict on 1.x'
is "$(grep -c ' $' <<<"$out")" 0 'lines have no trailing blanks'
for demo in demo_coalescing demo_banks; do
    fails 2 "$demo: an unknown option is refused" ./$demo --tsv x
    ok "$demo --help" ./$demo --help
done

# --- the calculator

run ./calculator
# without cuda_occupancy.h, it ends with the GPUs that only this header knows
expected=0
[ "$status" != 77 ] || ! grep -q 'SKIP: .* needs cuda_occupancy.h' <<<"$out$err" || expected=77
is "$status" "$expected" 'calculator runs'
like "$(squeezed)" "^the slides' example 256 25 2048 3 1 8 8 1 8 33 % registers\$" \
    "the slides' example has one block, 8 of 24 warps, 33 %"
# calculates CAPABILITY THREADS REGISTERS BYTES WANTED: blocks by warps, registers, shared memory and block limit;
# blocks, warps, occupancy, limit
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
    # measured TABLE: makes it a result of this machine
    measured() { mkdir -p results/X && cp "$1" results/X/stage1.tsv; }
    # Recorded rows have the occupancy that the driver reported for their kernels.
    for table in ../plots/data/h200/*.ladder.tsv; do
        [ -f "$table" ] || continue
        measured "$table"
        ok "calculator runs with ${table##*/}" ./calculator
        like "$out" '^stage.* %' "the stages of ${table##*/} are calculated"
        unlike "$out" 'the driver reports' "the occupancy of ${table##*/} is that of the driver"
    done
    {
        printf '# device: X\n# cuda: 9\n'
        columns='week\tstage\tname\tdevice\tknobs\tvariant\tstatus\tmode\tblock\tregs\tshared_bytes\tblocks_per_sm'
        printf '%b\n' "$columns" \
            '4\tstage2\tb\tX\t\t\tok\tcold\t16x8x1\t32\t0\t9' '4\tstage10\tc\tX\t\t\tok\tcold\t32x8x1\t64\t0\t' \
            '4\tstage3\td\tX\tA=1\t\tok\tcold\t32\t1\t0\t1' '4\tstage4\te\tX\t\t\twrong\tcold\t32\t1\t0\t1' \
            '4\tstage1\ta\tX\t\t\tok\tcold\t512x1x1\t16\t49152\t4'
    } >rows.tsv
    measured rows.tsv
    ok 'calculator runs with measured rows' ./calculator
    is "$(squeezed | grep '^stage' | cut -d ' ' -f 1-5 | tr '\n' '|')" \
        'stage1 a 512 16 49152|stage2 b 128 32 0|stage10 c 256 64 0|' \
        'the table has the correct stages without knobs, in order'
    like "$(squeezed)" '^stage2 b .* warps registers; the driver reports 9 blocks$' \
        'a different occupancy of the driver is reported'
    { printf 'week\tstage\tname\tstatus\tmode\tblock\tregs\tshared_bytes\tbytes\tsize\n'
      printf '4\tstage1\ta\tok\tcold\t%s\t16\t0\t%s\t%s\n' 32 100 10 64 2000 200 128 300 30; } >sizes.tsv
    measured sizes.tsv
    ok 'calculator runs with rows of several sizes' ./calculator
    is "$(squeezed | grep '^stage' | cut -d ' ' -f 1-3)" 'stage1 a 64' 'the row of the largest size is used'
    measured rows.tsv
    ok 'calculator prints rows' ./calculator --tsv -
    printf '%s\n' "$out" >charts.tsv
    points=$(cells charts.tsv chart stage blocks warps | sed -n 's/^point //p')
    is "$({ grep '^#' charts.tsv; echo "$points"; } | tr '\n' '|')" \
        '# device: X|# cuda: 9|# command: ./calculator|slides 1 8|stage1 4 64|stage2 16 64|stage10 4 32|' \
        'the rows have a point for the example and for each stage'
    is "$(cells charts.tsv chart stage | sed -n 's/^regs //p' | sort -u | tr '\n' '|')" 'slides|stage10|' \
        'the rows have curves of the example and of the stage with the fewest warps'
    printf 'no table\n' >results/X/stage2.tsv
    fails 2 'calculator refuses a file that is not a result table' ./calculator
    like "$err" 'stage2.tsv: not a result table: it has no header' 'the refused file is named'
    rm -r results/X
else
    skip 'newer compute capabilities' 'cuda_occupancy.h is not installed'
fi
# Without that header: this compiler, without the folders that have it.
without=
for folder in $(gcc -E -Wp,-v -x c /dev/null 2>&1 | sed -n 's/^ \(\/.*\)/\1/p'); do
    [ -f "$folder/cuda_occupancy.h" ] || without="$without -isystem $folder"
done
ok 'calculator builds without cuda_occupancy.h' gcc -nostdinc $without -std=gnu11 -Wall -Wextra -Werror calculator.c \
    ../common/base/*.c ../common/table/*.c -lm -o bare
ok 'without the header, the tables of the guide are used' ./bare --capability 1.1 --block 256 --regs 25 --shared 2048
fails 77 'without the header, newer compute capabilities are skipped' ./bare --capability 9.0 --block 256 --regs 25
like "$out" '^SKIP: compute capability 9.0: needs cuda_occupancy.h' 'the missing header is named'
refused() { fails 2 "refused: $*" ./calculator "${@:2}"; like "$err" "$1" "the refusal says what is wrong: ${*:2}"; }
refused "--capability '2.5': unknown; expected 1.1 1.3 " --capability 2.5
refused "--block '0': expected a whole number from 1 to 1024" --block 0 --regs 1
refused '--block and --regs go together' --block 32
refused 'unknown option' --warps 3
refused '--regs: needs a value' --regs
refused '--block and --regs go together' --shared 5
refused "'rows.tsv': unknown argument" rows.tsv

# --- fetches from a cudaArray: the order of its elements is unknown

ok 'a stage with a cudaArray' make -s DEVICE=cpu stage21 ARRAY=1
ok 'its requests by source line' ./stage21 --lines --size 64
like "$out" ' tex2D<.* texture  *[1-9][0-9]*     -$' 'a fetch from a cudaArray has requests, and "-" instead of sectors'
unlike "$out" ' 0 sectors' 'no line has 0 sectors'
ok 'the same stage without one' make -s DEVICE=cpu stage21
ok 'its requests by source line' ./stage21 --lines --size 64
like "$out" ' tex2D<.* texture  *[1-9][0-9]* .* sectors \(1\)$' 'a fetch from pitched memory has sectors'

# --- make targets

ok 'make occupancy' make -s DEVICE=cpu occupancy
like "$out" '^results/cpu/occupancy.tsv$|^SKIP: .* needs cuda_occupancy.h' \
    'make occupancy writes the table for the figure, or names the header that it needs'
ok 'make sensitivity' make -s DEVICE=cpu sensitivity instructions ways
is "$(grep -c '^SKIP: .* needs a GPU' <<<"$out")" 3 'make instructions and make ways need a GPU'

# --- the result for a single white pixel is the flipped coefficients; the border is not changed

ok 'stage1 builds' make -s DEVICE=cpu stage1
zeros() { head -c "$1" /dev/zero; }
printf 'P5 # a point\n9# pixels\n 9\n# and the largest:\n255# binary follows\n\7' >point.pgm
{ zeros 39; printf '\1'; zeros 40; } >>point.pgm
{ echo "# $(yes '1 ' | head -n 4000 | tr -d '\n')"; seq 25 | tr '\n' ' '; echo 1; } >numbers
ok 'a picture with comments in its header and coefficients after a long comment are read' ./stage1 --image point.pgm \
    --kernel numbers --pitch 70 --out turned.pgm --bench
is "$(tail -c 81 turned.pgm | od -An -v -w9 -tu1 | sed 's/  */ /g')" ' 7 0 0 0 0 0 0 0 0
 0 0 0 0 0 0 0 0 0
 0 0 32 24 23 22 21 0 0
 0 0 20 19 18 17 16 0 0
 0 0 15 14 13 12 11 0 0
 0 0 10 9 8 7 6 0 0
 0 0 5 4 3 2 1 0 0
 0 0 0 0 0 0 0 0 0
 0 0 0 0 0 0 0 0 0' 'the result of a single pixel is the flipped coefficients, as in the slides'
ok 'a picture is overwritten with its result' ./stage1 --image point.pgm --kernel numbers --out point.pgm --bench
is "$(cmp point.pgm turned.pgm 2>&1)" '' 'a picture is read before it is written'
{ printf 'P5 4 4 255\n'; seq 16 | tr -d '\n' | head -c 16; } >frame.pgm
ok 'a picture that is all border' ./stage1 --image frame.pgm --out same.pgm
is "$(tail -c 16 same.pgm)" "$(tail -c 16 frame.pgm)" 'a picture that is all border is not changed'
unlike "$out" 'active lanes|nan' 'without memory requests, no active lanes are printed'
# The largest float below 2^31 is 2147483520. A product of 2147483615.6 is below 2^31, but rounds to 2^31 as a float.
limit() { { echo "$1"; yes 0 | head -n 24; echo "$2"; } >limit; }
limit 8421504 1; ok 'the largest float below 2^31 is accepted as a sum' ./stage1 --kernel limit --size 9 --check
limit 5 1684300.875; fails 2 'a product that rounds to 2^31 fails' ./stage1 --kernel limit --size 9 --check
like "$err" 'sums times the scale may reach' 'a product that rounds to 2^31 is refused'
chmod -w turned.pgm
if [ -w turned.pgm ]; then
    skip 'an output file without write permission is refused' 'this user may write all files'
else
    fails 2 'an output file without write permission is refused' ./stage1 --image frame.pgm --out turned.pgm
fi

# --- machine code: a stage loads with the expected instructions, and computes with those that are its idea

# loads_of STAGE: the instructions with which it loads the image: texture fetches (TEX), asynchronous copies (LDGSTS),
# TMA copies (UTMALDG), bulk prefetches (UBLKPF), or plain loads (LDG).
loads_of()
{
    case $1 in
    stage2[1-3]) echo TEX ;;
    stage15) echo LDGSTS ;;
    stage1[6-8]) echo UTMALDG ;;
    stage19 | stage20) echo UBLKPF UTMALDG ;;
    *) echo LDG ;;
    esac
}
# accesses FILE: "LDG 25", "STG 1": the number of each load and store instruction of global memory
accesses()
{
    awk '{ op = $2 ~ /^@/ ? $3 : $2 }
        op ~ /^(LDG|LDGSTS|TEX|TLD|UBLKCP|UBLKPF|UTMALDG|STG)(\.|$)/ { sub(/\..*/, "", op); n[op]++ }
        END { for (op in n) print op, n[op] }' "$1" | sort
}
kinds=$ROOT/plots/data/sass/04_convolution.kinds.txt
# kinds FILE: how many instructions it has of each kind that is recorded. Those of addresses differ by architecture.
kinds()
{
    awk '{ op = $2 ~ /^@/ ? $3 : $2; sub(/[.;].*/, "", op); sub(/^I2FP/, "I2F", op); n[op]++ }
        END { for (k = split("LDS FFMA IDP IMMA PRMT I2F F2I F2IP", kind); i++ < k;) printf "%d ", n[kind[i]] }' "$1"
}
if nvcc=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc 2>/dev/null); then
    run make -s -j2 DEVICE=gpu NVCC="$nvcc" ARCH=sm_90a sass
    like "$out" '^(build/gpu/stage1.sass|SKIP: make sass needs cuobjdump.*)$' 'make sass'
    [ -e build/gpu/stage1.sass ] || skip 'loads and stores in machine code' 'cuobjdump is not installed'
    for file in build/gpu/*.sass; do
        [ -e "$file" ] || continue
        stage=$(basename "$file" .sass)
        of_stage=$(accesses "$file")
        is "$(sed -n '/^STG/!s/ .*//p' <<<"$of_stage" | tr '\n' ' ')" "$(loads_of "$stage") " \
            "$stage loads with $(loads_of "$stage")"
        like "$of_stage" '^STG [1-9]' "$stage has store instructions"
        recorded=$(awk -v s="$stage" '$1 == s { print $3, $5, $6, $7, $8, $9, $10, $11 " " }' "$kinds")
        [ -z "$recorded" ] || is "$(kinds "$file")" "$recorded" \
            "$stage has the instructions of each kind that are recorded"
    done
else
    skip 'loads and stores in machine code' 'nvcc is not installed'
fi

# The CPU device counts as many dp4a and packed conversions per 40 pixels as the machine code has, and as many mma per
# warp. At 512 x 512, the threads of stages 8 to 11 compute 510 rows, and stage 14 has 256 warps.
is "$(cells "$ROOT/plots/data/cpu/04_convolution.counts.tsv" stage size dot_products packed_conversions mma_products |
    awk '$2 != "512x512" { next }
        $1 ~ /^stage(8|9|10|11)$/ { print $1, $3 * 40 / 510 / 512, $4 * 40 / 510 / 512, $5 }
        $1 == "stage14" { print $1, $3, $4 / 256 / 32, $5 / 256 }' | sort -u)" \
    "$(awk '$1 ~ /^stage(8|9|10|11|14)$/ { print $1, $6, $11, $7 }' "$kinds" | sort)" \
    'the counts of the CPU device are those of the machine code'

done_testing
