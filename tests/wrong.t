#!/usr/bin/env bash
# Every kernel in tests/wrong/WEEK has one fault. The check must reject it on the CPU device, for the reason in its
# head:
#
#   // Rejected: REGEX              exit status 1, and a line that matches
#   // Rejected (status 77): REGEX  the same with another status
#   // Rejected (gpu): REGEX        also on a GPU, if there is one
#
# make wrong NAME=kernel prints the report of one. Without FULL=1: every third kernel.
. "$(dirname "$0")/lib.sh"

fresh_tree $(every_week shared)
export EMU_PATIENCE=1
cd "$TREE/01_transpose" || exit 1
ok 'make wrong' make -s DEVICE=cpu wrong NAME=no_barrier
like "$out" '^1x31 +no_barrier\.cu:[0-9]+: race: ' 'it prints the report, with the name of the kernel'
is "$(ls -d stage998* build/cpu/stage998* 2>/dev/null)" '' 'it removes what it made'
fails 2 'make wrong without a name' make -s DEVICE=cpu wrong
like "$err" "^wrong: NAME='': expected one of: cached_answer copy " 'it lists the kernels'
cp stage1_naive.cu ../tests/wrong/01_transpose/right.cu
fails 2 'make wrong of a kernel without a fault' make -s DEVICE=cpu wrong NAME=right
like "$out" '^wrong: the check on this device finds no fault in right$' 'the message names it'
rm ../tests/wrong/01_transpose/right.cu
for folder in "$TREE"/tests/wrong/*/; do
    week=$(basename "$folder")
    cd "$TREE/$week" || exit 1
    rm -f stage*.cu ref_*.cu demo_*.cu
    sed -i '/^core:/d' messages   # it names stages that are not here
    number=0 nth=0
    for source in "$folder"*.cu; do
        nth=$((nth + 1))
        is_full || [ $((nth % 3)) = 1 ] || continue
        cp "$source" "stage${number}_$(basename "$source")"
        number=$((number + 1))
    done
    stages=$(make -s DEVICE=cpu list | awk '{ print $1 }')
    is "$(wc -w <<<"$stages")" "$number" "$week: every faulty kernel is listed"
    devices=cpu
    [ -z "$(gpu)" ] || devices='cpu gpu'
    for device in $devices; do
        make -s -k -j2 DEVICE=$device all >"$TMP/log" 2>&1 || sed 's/^/# /' "$TMP/log"
        for stage in $stages; do
            source=$(echo ${stage}_*.cu) fault=${source#*_} fault=$week/${fault%.cu}
            want=$(grep '^// Rejected' "$source" | if [ $device = gpu ]; then grep '(gpu)'; else grep -v '(gpu)'; fi)
            if [ -z "$want" ]; then
                [ $device = gpu ] || fail "the head of $fault says what must be reported"
                continue
            fi
            status_wanted=$(sed -n 's/^.. Rejected (status \([0-9]*\)):.*/\1/p' <<<"$want")
            holds "$fault builds for $device" -x "build/$device/$stage"
            # Most are rejected at small sizes, and need no others.
            run timeout 60 "./$stage" --check --quick
            # On a GPU, programs of other tests that free memory at the same time can hide a leak.
            for attempt in 1 $([ $device = cpu ] || echo 2 3); do
                [ "$status" = "${status_wanted:-1}" ] || run timeout 60 "./$stage" --check
            done
            is "$status" "${status_wanted:-1}" "$fault is rejected on $device"
            like "$out
$err" "$(sed 's/^[^:]*: //' <<<"$want")" "$fault is rejected on $device for the reason in its head"
            if [ $device/$fault = gpu/01_transpose/copy ]; then   # a quick run is checked after it was timed
                run "./$stage" --bench --quick
                is "$status" 1 "$fault is rejected after a quick run on a GPU"
                like "$out$err" "elements of 'out' are wrong" \
                    "$fault is rejected after a quick run on a GPU for its reason"
            fi
        done
    done
done
done_testing
