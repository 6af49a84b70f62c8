#!/usr/bin/env bash
# Week 5: blocks that wait for other blocks. The verdict does not depend on the number of workers of the CPU device,
# which runs these launches in both orders of blocks. Without FULL=1, only the bugs are judged, by one worker; stages.t
# checks the stages with as many workers as the machine has.
. "$(dirname "$0")/lib.sh"
export EMU_PATIENCE=1

stages= counts=1
is_full && stages='stage7 stage9 stage12 stage13' counts='1 2 5'
fresh_tree 05_scan/shared ${stages//stage/05_scan\/stage}
cd "$TREE/05_scan" || exit 1
bugs='8 fence|race between blocks: read of global memory
9 fence|race between blocks: read of global memory
10 order|a block waits here for a block of lower index that has not started
11 words|race between blocks: read of global memory'
for n in 8 9 10 11; do ok "exercise $n is written" make -s exercise N=$n; done
ok 'the bugs are built' make -s DEVICE=cpu exercise8 exercise9 exercise10 exercise11
for workers in $counts; do
    export EMU_THREADS=$workers
    for stage in $stages; do
        ok "$stage with $workers workers" "./$stage" --check --size 40009
        like "$out" '[1-9][0-9]* right, 0 wrong' 'it is right'
    done
    while IFS='|' read -r bug report; do
        fails 1 "exercise ${bug% *} with $workers workers" "./exercise${bug% *}" --check --size 40009
        like "$out $err" "exercise${bug% *}_[a-z_]*\\.cu:[0-9]+: $report" 'its fault is reported'
    done <<<"$bugs"
done
done_testing
