#!/usr/bin/env bash
# The points of an exercise follow its idea: a submission that is right without the idea gets only a part, and one that has the idea in another form
# gets all. Each file in tests/exercises/ideas/WEEK/exerciseN is graded as its first line says:
#
#   // Graded: POINTS STATUS: REGEX of the reason
. "$(dirname "$0")/lib.sh"

is_full || skip_all 'only with FULL=1'
ideas=$ROOT/tests/exercises/ideas
fresh_tree $(cd "$ideas" && ls -d * | sed 's|$|/for_grading|')
for folder in "$ideas"/*/exercise*; do
    week=$(basename "$(dirname "$folder")")
    name=$week/$(basename "$folder")
    table=$TMP/points.tsv
    rm -f "$table"
    cd "$TREE/$week" || exit 1
    ok "$name: make grade" make -s DEVICE=cpu grade N="${folder##*/exercise}" FROM="$folder" OUT="$table"
    for file in "$folder"/*.cu; do
        want=$(sed -n '1s|^// Graded: ||p' "$file")
        row=$(awk -F '\t' -v name="${file##*/}" '$1 == name' "$table")
        is "$(cut -f 2-4 <<<"$row")" "${want%% *}"$'\t9\t'"$(cut -d ' ' -f 2 <<<"${want%%:*}")" "$name/${file##*/}: points, maximum and status"
        like "$(cut -f 5 <<<"$row")" "$(sed 's/^[^:]*: *//' <<<"$want")" "$name/${file##*/}: the reason"
    done
done
done_testing
