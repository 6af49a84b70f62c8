#!/usr/bin/env bash
# A week of one's own, made as CONTRIBUTING.md says: the histogram of tests/histogram. It is kept outside of the course,
# and make extra links it into one checkout and, after an upgrade, into another.
. "$(dirname "$0")/lib.sh"

fresh_tree 01_transpose/shared
cp -r "$TREE" "$TMP/newer"
mine="$TMP/my weeks"
mkdir "$mine" && cp -r "$ROOT/tests/histogram" "$mine/90_histogram"
cd "$TREE" || exit
ok 'make extra' make -s extra EXTRA="$mine"
is "$out" "90_histogram -> $mine/90_histogram" 'names the week that it has linked'
ok 'make list finds the week' make -s DEVICE=cpu 90_histogram/list
is "$(awk '{ print $1, $2 }' <<<"$out" | grep stage)" $'stage1 global\nstage2 shared\nstage3 many' 'and its stages'
if is_full; then
    ok 'its stages build and are right' make -s DEVICE=cpu 90_histogram/check
    is "$(grep -c 'right' <<<"$out")" 3 'at all sizes'
else
    ok 'a stage builds' make -s DEVICE=cpu 90_histogram/stage2
fi
ok 'a report' 90_histogram/build/cpu/stage2 --all
like "$out" 'shared memory' 'counts the atomics of shared memory'
ok 'ladder slides' "$TREE/build/ladder" slides 90_histogram "$TMP"
is "$out $err" '90_histogram_lecture1.md 5  ' 'its deck has a title and four slides'

cd "$TMP/newer" || exit
ok 'make extra in another version' make -s extra EXTRA="$mine"
ok 'its stages are listed there' make -s DEVICE=cpu 90_histogram/list
is "$(readlink -f "$mine/common")" "$(readlink -f common)" 'and use that version'
rm -r "$mine/90_histogram" && mkdir "$mine/91_scan" && cp "$ROOT/tests/histogram/Makefile" "$mine/91_scan"
ok 'make extra after a week was renamed' make -s extra EXTRA="$mine"
is "$(ls -d 9*)" 91_scan 'has no link to what is no longer there'
mkdir "$mine/02_reduction" && cp "$ROOT/tests/histogram/Makefile" "$mine/02_reduction"
fails 2 'a week with the name of one of the course' make -s extra EXTRA="$mine"
like "$err" 'the course has a week 02_reduction; rename yours' 'is refused'
fails 2 'no folder' make -s extra EXTRA=none
fails 2 'a folder of the course' make -s extra EXTRA=docs
done_testing
