#!/usr/bin/env bash
# The points of an exercise follow its idea: a submission that is right without the idea gets only a part, and one that
# has the idea in another form gets all. Each file in tests/exercises/ideas/WEEK/exerciseN is a submission, or a sed
# script that makes one of the solution. It is graded as its first line says:
#
#   // Graded: POINTS STATUS: REGEX of the reason
#
# Inputs differ from run to run. In week 0 they are numbers from 1 to 99, so a wrong element can be right by chance.
# With them, the task itself is graded: it fails. The files in tests/exercises/large are right at the sizes of the quick
# check, and wrong at a size of the master's Check lines. With FULL=1, a third of the ideas is graded, at least one of
# an exercise, each day others, and with FULL=2 all. Without, only exercise 1 of week 1 and exercise 8 of week 0 are.
. "$(dirname "$0")/lib.sh"
export NVCC= EMU_PATIENCE=1   # no point depends on nvcc

exercises=$ROOT/tests/exercises
fresh_tree $( (is_full && every_week for_grading) || printf '%s\n' 0{0_launch,1_transpose}/for_grading)
use_ladder

# submissions FILE...: copies those of an exercise of this tree, whose week's folder is the current one, to
# $TMP/submissions
submissions()
{
    local folder=${1%/*} file name
    local n=${folder##*/exercise}

    rm -rf "$TMP/submissions"
    mkdir "$TMP/submissions"
    "$LADDER" exercise solution "$n" >"$TMP/solution.cu"
    for file in "$@"; do
        name=$(basename "$file")
        case $name in
        *.sed) sed -f "$file" "$TMP/solution.cu" >"$TMP/submissions/${name%.sed}.cu" ;;
        *) cp "$file" "$TMP/submissions" ;;
        esac
        ! cmp -s "$TMP/solution.cu" "$TMP/submissions/${name%.*}.cu" || fail "$file changes the solution"
    done
}

folders=0
for folder in "$exercises"/ideas/*/exercise*; do
    week=$(basename "$(dirname "$folder")")
    name=$week/$(basename "$folder")
    table=$TMP/points.tsv
    is_full || [[ $name = 01*/exercise1 || $name = 00_launch/exercise8 ]] || continue
    rm -f "$table"
    cd "$TREE/$week" || exit 1
    folders=$((folders + 1))
    mapfile -t files < <(printf '%s\n' "$folder"/* | in_turn 3 $folders)
    [ ${#files[@]} != 0 ] || mapfile -t -n 1 files < <(printf '%s\n' "$folder"/*)
    submissions "${files[@]}"
    ok "$name: make exercise" make -s DEVICE=cpu exercise N="${folder##*/exercise}"
    mv "${folder##*/}"_*.cu "$TMP/submissions/task as given.cu"
    ok "$name: make grade" make -s DEVICE=cpu grade N="${folder##*/exercise}" FROM="$TMP/submissions" OUT="$table"
    like "$(points_row "$table" 'task as given.cu' | cut -f 2,3)" $'^[0-8]\t9$' \
        "$name: the task fails, the solution reaches all points"
    for file in "${files[@]}"; do
        sub=$(basename "${file%.*}")
        want=$(sed -n '1s|^[/#]* Graded: ||p' "$file")
        row=$(points_row "$table" "$sub.cu")
        is "$(cut -f 2-4 <<<"$row")" "${want%% *}"$'\t9\t'"$(cut -d ' ' -f 2 <<<"${want%%:*}")" \
            "$name/$sub: points, maximum and status"
        like "$(cut -f 5 <<<"$row")" "$(sed 's/^[^:]*: *//' <<<"$want")" "$name/$sub: the reason"
    done
done

# --- sizes above those of the quick check

# wrong_somewhere PROGRAM NUMBER: the program is wrong at one of the sizes of the exercise's Check lines
wrong_somewhere()
{
    local options

    while read -r options; do
        run "$1" --check --no-results $options
        [ $status != 1 ] || return 0
    done < <("$LADDER" exercise checks "$2")
    return 1
}

for folder in "$exercises"/large/*/exercise*; do
    week=$(basename "$(dirname "$folder")")
    key=$(basename "$folder")
    is_full || [ "$week" = 01_transpose ] || continue
    cd "$TREE/$week" || exit 1
    submissions "$folder"/*
    for file in "$TMP"/submissions/*.cu; do
        name=$week/$key/$(basename "$file" .cu)
        rm -f "$key"_*.cu "$key"
        cp "$file" "${key}_large.cu"
        ok "$name: make" make -s DEVICE=cpu "$key"
        ok "$name: right at small sizes" "./$key" --check --quick --no-results
        ok "$name: wrong at a Check line" wrong_somewhere "./$key" "${key#exercise}"
    done
    rm -f "$key"_*.cu
done
done_testing
