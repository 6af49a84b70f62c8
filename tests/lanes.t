#!/usr/bin/env bash
# Recordings on the CPU device: the accesses of a warp (--lanes, make lanes) and the events of a block (--trace, make
# trace).
. "$(dirname "$0")/lib.sh"

fresh_tree 01_transpose/shared 03_matmul/shared
cd "$TREE/01_transpose" || exit 1
mk() { make -s DEVICE=cpu "$@"; }
ok 'stages of week 1 build' mk stage1 stage2 stage3
ok 'a pipeline of week 3 builds' make -s -C ../03_matmul DEVICE=cpu stage8 stage5
pipeline=../03_matmul/build/cpu/stage8

# fields FILE COLUMN...: prints these columns of each event, with "|" between them
fields() { SEP='|' cells "$@"; }

# --- lanes

ok 'stage1 --lanes' ./stage1 --lanes lanes.tsv -n 64
is "$out" 'lanes.tsv: 2 requests' '--lanes prints the file and the number of requests'
is "$(fields lanes.tsv line kind units ideal lanes size)" '27|load|4|4|32|4
27|store|32|4|32|4' 'naive transpose: a load of 4 sectors, a store of 32'
is "$(fields lanes.tsv bytes | tail -n 1)" "$(seq -s ' ' 0 256 7936)" 'the lanes of the store are a row apart'
is "$(fields lanes.tsv file text | tail -n 1)" 'stage1_naive.cu|out[x * rows + y] = in[y * cols + x];' \
    'an access has its file and source line'
run ./stage2 --lanes -n 64
lanes2=$out
like "$lanes2" '	shared load	1	32	4	32	1	wavefronts	' 'stage 2: the column access takes 32 wavefronts'
is "$(fields <(cat <<<"$lanes2") kind bytes | sed -n 's/^shared load|//p' | tr ' ' '\n' | awk '{ print $1 % 128 }' |
    sort -u)" 0 'stage 2: all lanes of the column access are in bank 0'
run ./stage3 --lanes -n 64
like "$out" '	shared load	1	32	4	1	1	wavefronts	' 'stage 3: the column access takes 1 wavefront'
run ./stage3 --lanes -n 40x33 --block 1,1 --warp 0
is "$(fields <(cat <<<"$out") block warp kind bytes | grep '|load|')" "1,1,0|0|load|0$(printf ' -%.0s' $(seq 31))" \
    '--block and --warp select; inactive lanes are marked'
run ./stage3 --lanes -n 40x33 --block 3 --warp 0
like "$out" '	1,1,0	0	' '--block accepts the number of a block'

# totals TSV-OF-EVENTS: sums in the order of the columns below, counted by the CPU device
columns='ld_requests ld_sectors st_requests st_sectors shared_requests_source shared_wavefronts_source'
totals()
{
    fields "$1" kind units | awk -F '|' '
        $1 == "load" || $1 == "copy from global" { n[1]++; n[2] += $2 }
        $1 == "store" { n[3]++; n[4] += $2 }
        $1 ~ /^shared (load|store)$/ || $1 == "copy to shared" { n[5]++; n[6] += $2 }
        END { print n[1] + 0, n[2] + 0, n[3] + 0, n[4] + 0, n[5] + 0, n[6] + 0 }'
}
# agree NAME PROGRAM SIZE --lanes|--trace
agree()
{
    run "$2" "$4" -n "$3"
    local events=$out
    run "$2" --count --tsv - -n "$3"
    is "$(totals <(cat <<<"$events"))" \
        "$(cells <(cat <<<"$out") $columns | sed 's/  / 0 /g; s/  / 0 /g; s/^ /0 /; s/ $/ 0/')" \
        "$1: the accesses add up to the counts"
}
agree 'one warp' ./stage1 1x32 --lanes
agree 'one block' ./stage2 32 --trace
agree 'one block with asynchronous copies' $pipeline 128x128x20 --trace

# --- trace

ok 'stage3 --trace' ./stage3 --trace trace.tsv -n 64
is "$(fields trace.tsv warp kind | awk -F '|' '
    { of[$1] = of[$1] $2 "," }
    END { for (w in of) print of[w] }' | sort | uniq -c | sed 's/^ *//')" \
    '32 load,shared store,barrier,shared load,store,' \
    'each of the 32 warps loads, stores to the tile, waits at the barrier, loads from the tile and stores'
is "$(fields trace.tsv event kind | grep -c '^65|barrier$')" 32 'the warps of a barrier have the same position'
ok 'a pipeline, --trace' $pipeline --trace pipeline.tsv -n 128x128x64
is "$(fields pipeline.tsv warp kind group | awk -F '|' '
    $1 == 3 && $2 ~ /^copy/ { issued = $3 }
    $1 == 3 && $2 == "wait" { complete = $3 }
    $1 == 3 && $2 == "shared load" && issued - complete > most { most = issued - complete }
    END { print most }')" 3 'a warp reads its tiles while copies of three groups are in flight'
is "$(fields pipeline.tsv kind warp lanes | grep -c '^wait|0|32$')" 8 \
    'the lanes of a warp that wait are one event, once per step'
ok 'a block with many events' $pipeline --trace many.tsv -n 128x128x2048
like "$err" 'the first 65536 events are written, [1-9][0-9]* are omitted' 'events beyond the limit are counted'
like "$(head -n 5 many.tsv)" '^# omitted: [1-9]' 'the file has their number'

# --- bulk copies and products

ok 'a stage with bulk copies builds' mk stage9
ok 'a stage with products of warpgroups builds' make -s -C ../03_matmul DEVICE=cpu stage31
products=../03_matmul/build/cpu/stage31
ok 'stage9 --lanes' ./stage9 --lanes box.tsv -n 100
is "$(fields box.tsv kind nth size units ideal | grep bulk)" 'bulk load|1|4608|162|144
bulk load to shared|1|8192|0|0
bulk load|2|576|36|36
bulk load to shared|2|8192|0|0' \
    'the boxes of a block at an edge: their bytes in the matrix and sectors, and their bytes in shared memory'
# pieces TSV KIND NTH: row, byte in the row and address
pieces() { fields "$1" kind nth bytes | sed -n "s/^$2|$3|//p" | tr ' ' '\n'; }
is "$(pieces box.tsv 'bulk load to shared' 1 | while IFS=/ read -r row byte at; do
    echo $((at == row * 128 + ((byte / 16) ^ (row % 8)) * 16))
done | sort | uniq -c | tr -s ' ')" \
    ' 128 1' 'chunk c of row r is at c XOR r mod 8, in the first 16 rows'
is "$(pieces box.tsv 'bulk load' 2 | head -n 2)" '0/0/0
0/16/-' 'bytes outside of the matrix have no address'
run ./stage9 --lines -n 100
is "$(sed -n 's/^ .* bulk load  *\([0-9]*\) .*/\1/p; s/^  bulk loads *\([0-9]*\) requests.*/\1/p' <<<"$out" |
    tr '\n' ' ')" '8 8 ' \
    'the source lines have the requests of one call, although a stage with bulk copies is called twice'
ok 'stage9 --trace' ./stage9 --trace box_trace.tsv -n 128
is "$(fields box_trace.tsv event warp kind group object | grep -E '\|(init|arrive|landed|phase)\|')" '1|0|init|0|loaded
2|0|arrive|0|loaded
22||landed|1|loaded
23||landed|2|loaded
24||phase|0|loaded' 'an mbarrier is initialized, the copies land, then its phase ends'
is "$(fields box_trace.tsv event kind size | grep bulk)" '3|bulk load|8192
3|bulk load to shared|8192
4|bulk load|8192
4|bulk load to shared|8192' 'both sides of a copy have the same position'
is "$(fields box_trace.tsv kind group object | grep -o -e '^blocked|0|loaded$' -e '^resumed|' | sort | uniq -c |
    tr -s ' ' | tr '\n' ',')" ' 16 blocked|0|loaded, 16 resumed|,' \
    'each warp waits once, and its lanes are one event'
ok 'stage31 --trace' $products --trace products.tsv -n 128x128x256
is "$(fields products.tsv kind group | awk -F '|' '$1 == "phase" { n[$2]++ } END { print n[0], n[1] }')" '8 8' \
    'two phases of four buffers, each with two mbarriers'
is "$(fields products.tsv warp kind group | awk -F '|' '
    $1 == 5 && $2 == "operand B" { issued = $3 }
    $1 == 5 && $2 == "wgmma wait" { print issued - $3 }' | sort | uniq -c | tr -s ' ')" \
    ' 8 0' 'a warp waits for all of its products, once per step'
ok 'stage31 --lanes' $products --lanes operand.tsv -n 128x128x64
is "$(pieces operand.tsv 'operand B' 2 | head -n 4)" '0/0/32
0/16/48
1/0/176
1/16/160' 'an operand of 32 bytes per row, swizzled'

# --- what is refused

refused "^stage3: --warp '32': .*expected a whole number from 0 to 31" ./stage3 --lanes --warp 32
refused "^stage8: --warp '8': the block has 8 warps; expected 0 to 7" $pipeline --lanes --warp 8 -n 128x128x8
refused "^stage3: --block '2,0': not in the grid of transpose_tile, 2x2x1 blocks" ./stage3 --lanes -n 64 --block 2,0
refused "^stage3: --block '4': not in the grid" ./stage3 --trace -n 64 --block 4
for bad in a '' -1 1, 1,2,3,4 1x2 99999999999; do
    refused "^stage3: --block '$bad': not a block; expected its number" ./stage3 --lanes --block "$bad"
done
refused 'block: expected only with --lanes or --trace' ./stage3 --block 1
refused 'warp: expected only with --lanes' ./stage3 --trace --warp 1
refused 'check and --lanes: choose one' ./stage3 --check --lanes
refused 'tsv and --trace' ./stage3 --trace --tsv -
refused "lanes '/nonesuch/x': No such file" ./stage3 --lanes /nonesuch/x

# --- files that exist

cp stage3_padding.cu source.cu
printf '# week: none\n' >notes.tsv
run ./stage3 --bench -n 64 --tsv rows.tsv
for other in source.cu notes.tsv rows.tsv; do
    before=$(cksum <$other)
    for option in lanes trace; do
        refused "^stage3: --$option '$other': holds something else; expected a new or empty file" \
            ./stage3 --$option $other -n 64
    done
    is "$(cksum <$other)" "$before" "$other is not overwritten"
done
rm source.cu
: >empty.tsv
cp lanes.tsv kept.tsv
refused "block '4': not in the grid" ./stage3 --lanes kept.tsv -n 64 --block 4
ok 'a recording of nothing that can be recorded leaves the file as it was' cmp lanes.tsv kept.tsv
refused "block '4': not in the grid" ./stage3 --lanes new.tsv -n 64 --block 4
ok 'and makes no new file' test ! -e new.tsv
for file in empty.tsv kept.tsv /dev/null; do ok "stage3 --trace $file" ./stage3 --trace $file -n 64; done

# --- figures

L=../build/ladder
refused 'figure lanes: expected the file that ./stageN --lanes FILE writes' $L figure lanes
refused 'nonesuch.tsv: No such file' $L figure trace nonesuch.tsv
refused 'stage3_padding.cu: not a file of --lanes' $L figure lanes stage3_padding.cu
refused "access 'x': expected a whole number" $L figure lanes --access x lanes.tsv
refused 'access .7.: no line' $L figure lanes --access 7 lanes.tsv
refused 'line .99.: the warp accesses no memory at this line or below' $L figure lanes --line 99 lanes.tsv
refused 'format gif: the formats are' $L figure trace --format gif trace.tsv
run $L figure lanes lanes.tsv
like "$out" "^TITLE = 'Line 27: this store takes 32 sectors, its bytes need 4'$" 'the title names the costly access'
is "$(grep -c '# lane ' <<<"$out")" 64 'each lane is marked in each access'
run $L figure trace --events 70 trace.tsv
like "$out" "^SUBTITLE = 'stage3 padding . block 1,1,0 . the first 70 of 129 steps" \
    'a shortened trace says how many steps it has'
run $L figure trace pipeline.tsv
like "$out" "^TITLE = 'Each warp goes on while up to 3 groups of its copies are in flight'" \
    'the title of a pipeline names its copies in flight'
$pipeline --lanes loop.tsv -n 128x128x64 >/dev/null
run $L figure lanes --access 2 loop.tsv
like "$out" '"shared load 2 of 128"' '--access selects the execution of a line in a loop'
../03_matmul/build/cpu/stage5 --lanes many.tsv -n 128x128x64 >/dev/null
run $L figure lanes many.tsv
like "$out" '6 of 7 accesses, next: LINE=' 'a figure of many lines says how to see the others'

run $L figure trace box_trace.tsv
like "$out" "^TITLE = 'The block waits for its bulk copies before it goes on'$" 'the title of a stage with one tile'
is "$(grep -c '# waits ' <<<"$out") $(grep -c '# copy ' <<<"$out") $(grep -c '# phase ' <<<"$out")" '16 2 2' \
    'waits, copies in flight and phases are drawn'
run $L figure trace products.tsv
like "$out" "^TITLE = 'The block works while up to 9 bulk copies are in flight'$" \
    'the title of a pipeline of bulk copies'
like "$out" 'full\[3\]' 'mbarriers have the names of the source'
sed 's/mbarrier_init([^;]*;/p.init(COUNT);/' products.tsv >by_function.tsv
run $L figure trace by_function.tsv
like "$out" 'full\[3\]' 'mbarriers that a function initializes have the names by which others use them'
unlike "$out" 'COUNT\[' 'and not that of an argument of the function'
awk -F '\t' '/^event/ { for (i = 1; i <= NF; i++) at[$i] = i }
    /^#/ || /^event/ || $at["object"] == "" || $at["kind"] == "init"' by_function.tsv >only_init.tsv
ok 'a trace without phases is drawn' $L figure trace only_init.tsv
unlike "$out" '# phase |COUNT|memory' 'an mbarrier that is only initialized is not drawn'
run $L figure lanes --line 60 operand.tsv
like "$out" '"operand B 1 of [0-9]*" "4096 bytes, color: chunk"' 'an operand has a panel'

if have gnuplot; then
    for stage in 1 2; do
        ok "make lanes STAGE=stage$stage" mk lanes STAGE=stage$stage N=64 FORMAT=pdf
        boxes "lanes of stage $stage" "../plots/out/01_transpose_lanes_stage$stage.pdf"
    done
    is "$out" 'plots/out/01_transpose_lanes_stage2.pdf, from build/cpu/stage2.lanes.tsv' \
        'make lanes prints the file of the figure'
    ok 'make trace' mk trace STAGE=stage3 N=64 FORMAT=pdf
    boxes 'the trace of stage 3' ../plots/out/01_transpose_trace_stage3.pdf
    ok 'make trace of a pipeline' make -s -C ../03_matmul DEVICE=cpu trace STAGE=stage8 N=128x128x64 FORMAT=pdf
    boxes 'the trace of a pipeline' ../plots/out/03_matmul_trace_stage8.pdf
    ok 'make lanes of a pipeline' make -s -C ../03_matmul DEVICE=cpu lanes STAGE=stage8 N=128x128x64 BLOCK=0 WARP=1 \
        FORMAT=pdf
    boxes 'the lanes of a pipeline' ../plots/out/03_matmul_lanes_stage8.pdf
    ok 'make lanes of bulk copies' mk lanes STAGE=stage9 N=100 FORMAT=pdf
    boxes 'the lanes of bulk copies' ../plots/out/01_transpose_lanes_stage9.pdf
    ok 'make trace of bulk copies' mk trace STAGE=stage9 N=128 FORMAT=pdf
    boxes 'the trace of bulk copies' ../plots/out/01_transpose_trace_stage9.pdf
    ok 'make trace of products' make -s -C ../03_matmul DEVICE=cpu trace STAGE=stage31 N=128x128x256 FORMAT=pdf
    boxes 'the trace of products' ../plots/out/03_matmul_trace_stage31.pdf
    ok 'make lanes of products' make -s -C ../03_matmul DEVICE=cpu lanes STAGE=stage31 N=128x128x64 LINE=60 FORMAT=pdf
    boxes 'the lanes of products' ../plots/out/03_matmul_lanes_stage31.pdf
    # make adds a line
    for bad in STAGE={stage99,,'stage3 '{WARP=99,BLOCK=x,N=0,ACCESS=0,FORMAT=gif}}; do
        fails 2 "make lanes $bad is refused" mk lanes $bad
        is "$(grep -vc '^make' <<<"$err") $out" '1 ' "make lanes $bad is refused in one line"
    done
    like "$(make -n DEVICE=gpu lanes STAGE=stage3 2>/dev/null)" 'DEVICE=cpu RUN= lanes' \
        'make lanes uses the CPU device, whatever DEVICE is'
    sed '1a // Needs: sm_100' stage3_padding.cu >stage14_newer.cu
    ok 'make lanes of a stage that needs a newer GPU' mk lanes STAGE=stage14
    like "$out" '^SKIP: stage14: needs sm_100' 'a stage that the CPU device cannot run is skipped'
    rm stage14_newer.cu
else
    skip 'make lanes and make trace' 'gnuplot is not installed (apt-get install gnuplot-nox)'
fi
done_testing
