#!/usr/bin/env bash
# Hopper's asynchronous instructions on the CPU device: copies, mbarriers, products of warpgroups, and the faults that
# it reports.
. "$(dirname "$0")/lib.sh"

here=$ROOT/tests/emu
ok 'the programs build' emu_programs hopper hopper_faults clusters cluster_faults classes layouts
is "$err" "" 'the programs build without a message'

for program in hopper clusters classes; do
    for early in 0 1; do
        when="$program, operations that take effect $([ $early = 0 ] && echo late || echo early)"
        run timeout 60 "$built/$program" $([ $early = 0 ] || echo early)
        is "$status" 0 "$when: exit status 0"
        is "1..$(grep -c '^ok' <<<"$out")" "$(tail -n 1 <<<"$out")" "$when: every test passes"
        grep -A1 '^not ok' <<<"$out" | sed 's/^/# /'
    done
done

# Where copies and products have their bytes: each line that a GPU printed.
run timeout 100 "$built/layouts"
is "$status" 0 'the layouts: exit status 0'
is "$out" "$(grep -v '^#' "$here/layouts.h200")" 'the layouts of copies and of products are those of an H200'

# Each fault is reported at the line after its comment; the correct program beside it runs without a message.
for workers in $(is_full && echo 1 2) 5; do
    export EMU_THREADS=$workers
    for program in hopper_faults cluster_faults; do
        check_faults "$built" $program ", $workers workers"
        for name in $("$built/$program"); do
            run timeout 60 "$built/$program" "ok_$name"
            is "$status $err" '0 ' "ok_$name: nothing is reported, $workers workers"
        done
    done
done
run timeout 60 "$built/hopper_faults" bytes_at_edge
like "$err" 'more bytes have arrived than are expected: a box counts as a whole' \
    'a deadlock at the edge of a tensor says why'
unset EMU_THREADS

# Stages that choose a kernel by the number of SMs: persistent clusters, one tile per SM, ping-pong. Without FULL=1,
# those that compile fast.
if is_full; then fresh_tree 03_matmul/all; stages='stage24 stage25 stage26 stage27 stage28 stage29'
else fresh_tree 03_matmul/shared; stages='stage24 stage27 stage28'; fi
cd "$TREE/03_matmul" || exit 1
ok 'the stages build' make -s -j2 DEVICE=cpu $stages
while read -r stage size sms; do
    [[ $stages = *$stage* ]] || continue
    ok "$stage is right at $size with $sms SMs" "./$stage" --check --size "$size" --sms "$sms"
done <<'END'
stage24 256x1024x320 4
stage25 256x512x320 4
stage26 256x512x320 4
stage26 640x520x72 6
stage27 512x768x640 132
stage27 72x136x1288 132
stage28 256x1024x320 4
stage28 640x1160x72 4
stage29 512x768x640 132
stage29 256x1024x320 4
END
sed 's/left-- > DEPTH && //; s/stage24/stage98/' stage24_cluster.cu >stage98_arrives.cu
ok 'a stage that arrives at blocks that may have ended builds' make -s DEVICE=cpu stage98
run ./stage98 --check --size 256x1024x320 --sms 4
is "$status" 1 'an arrival at a block that may have ended: exit status 1'
like "$out$err" 'stage98_arrives.cu:[0-9]*: block 0 of the cluster may end before this access' \
    'an arrival at a block that may have ended is reported'
done_testing
