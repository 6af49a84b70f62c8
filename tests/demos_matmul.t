#!/usr/bin/env bash
# Week 3's demonstrations on the CPU device: sectors of access patterns and strides; the slides' model of memory
# traffic; and the tables that make writes for the figures.
. "$(dirname "$0")/lib.sh"
data=$ROOT/tests/data

fresh_tree 03_matmul/shared
cd "$TREE/03_matmul" || exit 1
rm -rf ../plots/data/h200   # the test must not depend on recorded runs
ok 'the demonstrations build' make -s -j2 DEVICE=cpu demo_access demo_roofs
unlike "$out$err" 'warning' 'the demonstrations build without a warning'

squeezed() { sed 's/  */ /g; s/^ //; s/ $//' <<<"$out"; }

# --- demo_access

ok 'demo_access runs' ./demo_access
text=$(squeezed)
like "$text" '^adjacent columns 4 1 100.0 %$' 'adjacent columns need 4 sectors per request, all of them used'
like "$text" '^adjacent rows 32 32 12.5 %$' 'adjacent rows need 32 sectors per request, an eighth of them used'
like "$text" '^same row 1 1 12.5 %$' 'the same word, along a row, needs one sector per request'
like "$text" '^same column 1 1 12.5 %$' 'the same word, down a column, needs one sector per request'
for row in 1:4:1:100.0 2:8:2:50.0 3:12:1:33.3 5:20:2:20.0 7:28:2:14.3 8:32:8:12.5 64:32:32:12.5; do
    IFS=: read -r stride sectors cycles used <<<"$row"
    like "$text" "^stride $stride $sectors $cycles $used %\$" \
        "a stride of $stride needs $sectors sectors and $cycles cycles of L1 per request, $used % used"
done
# common/machine has the same patterns, measured, with the formula beside them
for stride in 2 32; do
    like "$text" "^stride $stride [0-9]* $(awk -F '\t' -v n="l1.stride_$stride.cycles" '$1 == n { print $7 }' \
        "$ROOT/common/machine/h200.tsv") " "a stride of $stride takes the cycles of make machine's formula"
done
ok 'demo_access with rows that are a word longer' ./demo_access --pitch 8193
like "$(squeezed)" '^adjacent rows 32 8 12.5 %$' 'its column takes 8 cycles of L1: 32 lines in 32 banks'
ok 'demo_access with rows that are a line longer' ./demo_access --pitch=8224
like "$(squeezed)" '^adjacent rows 32 32 12.5 %$' 'its column is in one bank'
for pitch in 8191 16385 x ''; do
    refused "--pitch '$pitch': expected 8192 to 16384 words" ./demo_access --pitch "$pitch"
done
unlike "$out" 'GB/s|[0-9] us' 'demo_access prints no time on the CPU device'
is "$(grep -c ' $' <<<"$out")" 0 'lines have no trailing blanks'

ok 'demo_access writes rows' ./demo_access --tsv access.tsv
ok 'demo_access writes rows again' ./demo_access --tsv=access.tsv
is "$(grep -c '^03_matmul' access.tsv) $(grep -c '^week' access.tsv)" '48 1' 'rows are appended below one header'
is "$(cells access.tsv stride mode status requests sectors used_bytes moved_bytes | sed -n 's/^3 //p' | head -n 1)" \
    'count ok 2688 32256 344064 1032192' 'the row of stride 3 has requests, sectors, used and moved bytes'
run ./demo_access --tsv -
is "$(grep -c -v -e '^#' -e '^week' -e '^03_matmul' <<<"$out") $(grep -c '^03_matmul' <<<"$out")" '0 24' \
    '--tsv - prints only rows'
ok 'demo_access --once' ./demo_access --once
is "$out$err" '' '--once prints nothing'
ok 'demo_access --help' ./demo_access --help
like "$out" '--tsv FILE' '--help lists the options'
refused "'x': unknown argument; see --help" ./demo_access x
refused '--wrong: unknown option' ./demo_access --wrong
refused '--tsv: needs a value' ./demo_access --tsv
refused '--once=1: takes no value' ./demo_access --once=1
refused "--fetch '33': expected 32, 64 or 128 bytes" ./demo_access --fetch 33
refused '--fetch: the CPU device has no DRAM' ./demo_access --fetch 32
refused '--tsv and --once: choose one' ./demo_access --once --tsv x.tsv
refused "--tsv '/nonexistent/x': No such file or directory; expected" ./demo_access --tsv /nonexistent/x
refused "--tsv 'Makefile': holds something else" ./demo_access --tsv Makefile
if [ -c /dev/full ]; then
    fails 2 'a full disk is reported' ./demo_access --tsv /dev/full
    fails 2 'a full disk behind stdout is reported' bash -c './demo_access >/dev/full'
else
    skip 'a full disk is reported' 'there is no /dev/full here'
fi

# --- demo_roofs

fails 77 'demo_roofs needs a device that measures time' ./demo_roofs
like "$out" '^SKIP: ' 'demo_roofs prints why it is skipped'
refused 'unknown option' ./demo_roofs --once

# --- the model of memory traffic

traffic() { run ../build/ladder traffic "$@"; }
traffic . "$data/roofline.tsv"
like "$out" '^\| stage1_simple \| 1x1 \| 4 \| 37.5 \| 950 \| 6000 \| 6.32 \| 550 \| 60.5 \| 0.805 \|$' \
    'stage 1 exceeds the model: rate, factor, bytes by the model, from L2, from DRAM'
like "$out" '^\| stage2_tiled \| 16x16 \| 0.25 \| 600 \| 15200 \| 7600 \| 0.5 \| 34.4 \| 34.4 \| 0.503 \|$' \
    'stage 2 is below the model'
like "$out" '^TEST VECTOR, CUDA ' 'the device of the tables is printed'
mkdir model && cp stage1_simple.cu model && cp stage1_simple.cu model/stage40_other.cu
printf 'bandwidth: 100\nmeasured: demo_roofs read\ntile: stage1 64x256\ntile: stage40 16x16\n' >model/traffic
traffic model "$data/roofline.tsv"
like "$out" '^\| stage40_other \| 16x16 \| 0.25 \| 400 \| 15200 \| - \| - \| 34.4 \| - \| - \|$' \
    'what was not measured is "-"'
like "$out" '^\| stage1_simple \| 64x256 \| 0.03906 \| 2560 \|' 'the tile and the bandwidth are those of the file'
for line in 'stage1' 'stage1 16' 'stage1 0x16' 'stage1 16x16x16'; do
    printf 'bandwidth: 100\nmeasured: demo_roofs read\ntile: %s\n' "$line" >model/traffic
    refused "model/traffic: tile: '$line': expected STAGE ROWSxCOLS" ../build/ladder traffic model "$data/roofline.tsv"
done
printf 'bandwidth: 100\nmeasured: demo_roofs read\ntile: stage2 16x16\n' >model/traffic
refused 'model/traffic: tile: stage2: no stage of this folder' ../build/ladder traffic model "$data/roofline.tsv"
printf 'measured: demo_roofs read\n' >model/traffic
refused 'model/traffic: no line `bandwidth:`' ../build/ladder traffic model "$data/roofline.tsv"
rm -r model
refused 'traffic: expected FOLDER TABLE' ../build/ladder traffic .

# --- make

mkdir -p ../plots/data/h200
cp "$data/roofline.tsv" ../plots/data/h200/03_matmul.roofline.tsv
cp "$data/roofline.tsv" ../plots/data/h200/03_matmul.ladder.tsv
ok 'make traffic' make -s DEVICE=cpu traffic
like "$out" '^\| stage2_tiled \| 16x16 \| 0.25 \| 600 ' 'make traffic prints the model'
rm -r ../plots/data/h200
ok 'make access' make -s DEVICE=cpu access
is "$(grep -c '^03_matmul' results/cpu/access.tsv)" 24 'make access writes the table'
ok 'make accuracy' make -s DEVICE=cpu accuracy STAGES=stage1
is "$(cells results/cpu/accuracy.tsv mode max_error | grep -c '^check [1-9]')" 5 \
    'make accuracy writes a row with an error for each K'
for target in roofline sawtooth; do
    ok "make $target" make -s DEVICE=cpu $target
    like "$out" 'SKIP: .* needs a GPU' "make $target says that it needs a GPU"
done

done_testing
