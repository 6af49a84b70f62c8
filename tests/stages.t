#!/usr/bin/env bash
# Every stage on the CPU device: it is correct at awkward sizes, and its claims hold.
. "$(dirname "$0")/lib.sh"

# Exit status 77: the demonstration does not support the CPU device.
demo() { timeout 60 "./$1" || { local s=$?; [ $s = 77 ] || return $s; }; }

fresh_tree $(every_week all)
for week in "$TREE"/[0-9][0-9]_*/; do
    cd "$week" || exit 1
    week=$(basename "$week")
    unlike "$(cat "$LADDER_TEST_DIR/$week.all.log")" 'warning' "$week builds without a warning"
    stages=$(make -s DEVICE=cpu list | awk '{ print $1 }')
    for stage in $stages; do
        source=$(echo ${stage}_*.cu)
        ok "$week/$stage builds" make -s DEVICE=cpu "$stage"
        if grep -q '^// Needs:' "$source"; then
            fails 77 "$week/$stage is skipped, because this device cannot run it" "./$stage"
            continue
        fi
        ok "$week/$stage passes its check" "./$stage" --check
        like "$out" '[1-9][0-9]* right, 0 wrong' "$week/$stage is correct at one size at least, and wrong at none"
        if grep -q '^// Expect (cpu,' "$source"; then pass "$week/$stage has a claim about the CPU device"
        else fail "$week/$stage has a claim about the CPU device"; fi
    done
    ok "$week: all claims hold" make -s DEVICE=cpu claims
    unlike "$out" 'does not hold|not measured' "$week: every claim is measured, and holds"
    is "$(grep -c '^ *holds ' <<<"$out")" "$(cat $(grep -L '^// Needs:' stage*.cu) $(ls claims 2>/dev/null) | grep -c -e '^// Expect (cpu,' -e '^stage[0-9]* (cpu,')" \
        "$week: every claim is listed"

    for stage in $stages; do
        source=$(echo ${stage}_*.cu)
        like "$(head -n 1 "$source")" "^// $stage: " "$week/$stage: the head begins with its name"
        # Lines of code: not the head, knobs, checks of knobs, comments and empty lines.
        lines=$(awk '/^#include/ { code = 1 } code && !/^[ \t]*$|^#|^static_assert|^ *\/\// { n++ } END { print n + 0 }' "$source")
        if grep -qE '^// (Needs|Long):' "$source" || [ "$lines" -le 60 ]; then pass "$week/$stage is short, or its head says why not"
        else fail "$week/$stage is short, or its head says why not" "$lines lines of code, and no line '// Long: why' in the head"; fi
        includes=$(grep -o '#include ["<][^">]*' "$source" | sed 's/.*["<]//')
        [ "$(wc -l <<<"$includes")" = 1 ] && [ -e "$includes" ] && pass "$week/$stage includes one header, that of its week" || fail "$week/$stage includes one header, that of its week" "$includes"
    done
    for demo in demo_*.cu; do
        [ -e "$demo" ] || continue
        ok "$week/${demo%.cu} builds" make -s DEVICE=cpu "${demo%.cu}"
        [ ! -e "${demo%.cu}" ] || ok "$week/${demo%.cu} runs" demo "${demo%.cu}"
    done
done
done_testing
