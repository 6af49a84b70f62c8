#!/usr/bin/env bash
# Week 3's demonstrations on the CPU device: sectors of access patterns and strides, the slides' model of memory traffic and of loads in flight, and
# the worksheet; and the tables that make writes for the figures.
. "$(dirname "$0")/lib.sh"
data=$ROOT/tests/data

fresh_tree 03_matmul/shared
cd "$TREE/03_matmul" || exit 1
rm -rf ../plots/data/h200   # the test must not depend on recorded runs
ok 'the demonstrations build' make -s -j2 DEVICE=cpu demo_access demo_roofs demo_traffic
unlike "$out$err" 'warning' 'the demonstrations build without a warning'

squeezed() { sed 's/  */ /g; s/^ //; s/ $//' <<<"$out"; }

# --- demo_access

ok 'demo_access runs' ./demo_access
text=$(squeezed)
like "$text" '^adjacent columns 128 4 4096 128 100.0 %$' 'adjacent columns need 4 sectors per request, all of them used'
like "$text" '^adjacent rows 128 32 4096 128 12.5 %$' 'adjacent rows need 32 sectors per request, an eighth of them used'
like "$text" '^same row 4 1 128 4 12.5 %$' 'the same word, along a row, needs one sector per request, 4 in total'
like "$text" '^same column 4 1 128 32 12.5 %$' 'the same word, down a column, needs another sector for each request'
for pair in 1:4:100.0 2:8:50.0 3:12:33.3 5:20:20.0 7:28:14.3 8:32:12.5 64:32:12.5; do
    IFS=: read -r stride sectors used <<<"$pair"
    like "$text" "^$stride $sectors $used %\$" "a stride of $stride needs $sectors sectors per request, $used % used"
done
unlike "$out" 'GB/s|[0-9] us' 'demo_access prints no time on the CPU device'
is "$(grep -c ' $' <<<"$out")" 0 'lines have no trailing blanks'

ok 'demo_access writes rows' ./demo_access --tsv access.tsv
ok 'demo_access writes rows again' ./demo_access --tsv=access.tsv
is "$(grep -c '^03_matmul' access.tsv) $(grep -c '^week' access.tsv)" '48 1' 'rows are appended below one header'
is "$(cells access.tsv stride mode status requests sectors used_bytes moved_bytes | sed -n 's/^3 //p' | head -n 1)" 'count ok 2688 32256 344064 1032192' 'the row of stride 3 has requests, sectors, used and moved bytes'
run ./demo_access --tsv -
is "$(grep -c -v -e '^#' -e '^week' -e '^03_matmul' <<<"$out") $(grep -c '^03_matmul' <<<"$out")" '0 24' '--tsv - prints only rows'
ok 'demo_access --once' ./demo_access --once
is "$out$err" '' '--once prints nothing'
ok 'demo_access --help' ./demo_access --help
like "$out" '--tsv FILE' '--help lists the options'
refused "'x': unknown argument; see --help" ./demo_access x
refused '--wrong: unknown option' ./demo_access --wrong
refused '--tsv: needs a value' ./demo_access --tsv
refused '--once=1: takes no value' ./demo_access --once=1
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

# --- demo_traffic: the model

ok 'demo_traffic runs without a GPU and without results' ./demo_traffic
text=$(squeezed)
like "$text" '150 GB/s is the same, because none was measured' 'without results, the bandwidth of the slides is used'
like "$text" '^stage1 simple 1x1 4 37.5 37.5 - - - 550 - -$' "without a tile: 4 bytes per flop, 37.5 GFLOP/s as in the slides"
like "$text" '^stage2 tiled 16x16 0.25 600 600 - - - 34.4 - -$' "16 x 16: 600 GFLOP/s as in the slides"
like "$text" '^stage3 tiled32 32x32 0.125 1200 1200 - - - 17.2 - -$' "32 x 32: 1200 GFLOP/s as in the slides"
is "$(grep -c '^stage[0-9]' <<<"$text")" "$(ls stage*_*.cu | wc -l)" 'the table has every stage'
is "$(grep '^stage[0-9]* [a-z_0-9]* - ' <<<"$text" | tr '\n' ,)" 'stage16 tile_shapes - - - - - - - - - -,stage17 split_k - - - - - - - - - -,stage18 stream_k - - - - - - - - - -,' \
    'every stage has its tile, except those that choose it by the size'
like "$text" '^-, tile: the source defines none' 'a note explains the missing tiles'
like "$text" '^Not measured: make roofline\.$' 'a note says that nothing was measured'
unlike "$text" 'nan' 'a value that was not measured is not printed as a number'
printf '// stage30: a test.\n#ifndef BM\n#define BM 64\n#endif\n#ifndef BN\n#define BN 256\n#endif\n__shared__\n' >stage30_mine.cu
printf '// stage31: a test.\n__shared__\n' >stage31_odd.cu
run ./demo_traffic
text=$(squeezed)
like "$text" '^stage30 mine 64x256 0.0391 3840 3840 - - - 5.37 - -$' 'a new stage has a row with its tile'
like "$text" '^stage31 odd - - - - - - - - - -$' 'a new stage without a tile has a row without numbers'
rm stage30_mine.cu stage31_odd.cu

# --- with recorded rows

mkdir -p ../plots/data/h200
cp "$data/roofline.tsv" ../plots/data/h200/03_matmul.roofline.tsv
ok 'demo_traffic runs with a recorded run' ./demo_traffic
text=$(squeezed)
like "$text" '3800 GB/s is the measured read bandwidth' 'with a recorded run, the measured bandwidth is used'
like "$text" '^Measured: 4096x4096x4096 on TEST VECTOR\.$' 'the device of the recorded run is printed'
like "$text" '^stage1 simple 1x1 4 37.5 950 - 6000 6.32 550 60.5 0.805$' 'stage 1 exceeds the model: rate, factor, bytes by the model, from L2, from memory'
like "$text" '^stage2 tiled 16x16 0.25 600 15200 7500 7600 0.5 34.4 34.4 0.503$' 'stage 2 is below the model'
sed 's/4096x4096x4096/512x512x512/' "$data/roofline.tsv" >../plots/data/h200/03_matmul.roofline.tsv
run ./demo_traffic
like "$(squeezed)" '^stage1 simple 1x1 4 37.5 950 - - - 550 - -$' 'rows of another size are not used'
rm -r ../plots/data/h200
refused 'unknown argument' ./demo_traffic measured
refused '--size: unknown option' ./demo_traffic --size 512

# --- loads in flight, and the worksheet

run ./demo_traffic
text=$(squeezed)
like "$text" '^GM107 16x16 256 2048 32 8 32 8 4096$' 'tiles of 16 x 16: 32 blocks by shared memory, 8 by threads, 4096 loads in flight'
like "$text" '^GM107 32x32 1024 8192 8 2 32 2 4096$' 'tiles of 32 x 32: 8 blocks by shared memory, 2 by threads, 4096 loads in flight'
ok 'make worksheet' make -s DEVICE=cpu worksheet
text=$(squeezed)
like "$text" '^GM204: 1024 threads and 49152 bytes of shared memory per block, 2048 threads, 98304 bytes and 32 blocks per SM$' 'the worksheet prints the limits'
like "$text" '^threads per block T x T <= 1024, so T <= 32$' 'the worksheet limits the tile by threads'
like "$text" '^shared memory per block 2 x T x T x 4 <= 49152 bytes, so T <= 78$' 'the worksheet limits the tile by shared memory'
like "$text" '^largest tile 32 x 32: 8192 bytes of shared memory$' 'the worksheet prints the largest tile'
like "$text" '^blocks per SM 2 by threads, 12 by shared memory, 32 at most: 2, which have 2048 of 2048 threads$' 'the worksheet prints the resident blocks'
like "$text" "^global loads 1/32 of the simple kernel" 'the worksheet prints the saved loads'
like "$text" '^largest tile 78 x 78: 48672 bytes' 'the worksheet prints the largest tile with several elements per thread'

# --- make

ok 'make traffic' make -s DEVICE=cpu traffic
like "$(squeezed)" '^stage2 tiled 16x16 0.25 600 ' 'make traffic prints the model'
ok 'make access' make -s DEVICE=cpu access
is "$(grep -c '^03_matmul' results/cpu/access.tsv)" 24 'make access writes the table'
ok 'make accuracy' make -s DEVICE=cpu accuracy STAGES=stage1
is "$(cells results/cpu/accuracy.tsv mode max_error | grep -c '^check [1-9]')" 5 'make accuracy writes a row with an error for each K'
for target in roofline sawtooth; do
    ok "make $target" make -s DEVICE=cpu $target
    like "$out" 'SKIP: .* needs a GPU' "make $target says that it needs a GPU"
done

done_testing
