#!/usr/bin/env bash
# make draw: the drawing of an exercise of week 0, as it is written by make exercise, of its solution, and of the
# submissions in tests/exercises/ideas/00_launch. Each must be the text in tests/exercises/drawings/exerciseN/NAME.txt.
# Without FULL=1, only some are drawn.
. "$(dirname "$0")/lib.sh"

exercises=$ROOT/tests/exercises
some='1/task 1/thread_only 2/one_too_many 4/none 4/solution 7/swapped 8/no_zero'
fresh_tree 00_launch/shared
cd "$TREE/00_launch" || exit 1
use_ladder

# --- a file per drawing: exercise201_NAME.cu is the first one of exercise 2

declare -A number=()
# add N NAME: the file's text is stdin
add()
{
    local key=$1/$2

    is_full || [[ " $some " = *" $key "* ]] || return 0
    number[$key]=$(($1 * 100 + ${#number[@]}))
    cat >"exercise${number[$key]}_$2.cu"
}
for n in 1 2 3 4 5 6 7 8; do
    "$LADDER" exercise write $n >/dev/null
    add $n task <"$(echo exercise${n}_*.cu)"
    rm exercise${n}_*.cu
    "$LADDER" exercise solution $n >"$TMP/solution.cu"
    add $n solution <"$TMP/solution.cu"
    for file in "$exercises/ideas/00_launch/exercise$n"/*; do
        name=$(basename "${file%.*}")
        case $file in
        *.sed) add $n "$name" < <(sed -f "$file" "$TMP/solution.cu") ;;
        *) add $n "$name" <"$file" ;;
        esac
    done
done
ok 'they are built' make -s DEVICE=cpu "${number[@]/#/exercise}"

# --- the drawings

for key in "${!number[@]}"; do
    run make -s DEVICE=cpu draw N="${number[$key]}"
    is "$status" 0 "$key: make draw succeeds, whatever the verdict is"
    is "$(sed 's/exercise[0-9]*_/exerciseN_/' <<<"$out")" "$(cat "$exercises/drawings/exercise$key.txt")" \
        "$key: the drawing"
done
some=$(cat "$exercises"/drawings/exercise*/*.txt)
for mark in bad none race out; do
    like "$some" "^  $mark  " "a drawing explains the mark $mark"
done

# --- sizes and stages

key=1/task
run make -s DEVICE=cpu draw N="${number[$key]}" ARGS='-n 1x8'
like "$out" '^WRONG: 7 of 8 elements$' 'ARGS selects another size'
run make -s DEVICE=cpu draw N="${number[$key]}" ARGS='-n 16x32'
like "$err" "^exercise[0-9]+: --draw: 512 elements of 'a' are too many to draw; expected a --size with at most 256$" \
    'a problem that is too large is refused'
fails 2 'make draw without N fails' make -s DEVICE=cpu draw
like "$err" '^draw: N is missing: expected the number of an exercise whose file is here: ' 'it says what is expected'
fails 2 'make draw of an exercise without a file fails' make -s DEVICE=cpu draw N=9
like "$err" '^draw: exercise9: expected the number of an exercise whose file is here: make exercise N=1, ' \
    'it says how to get it'
cd ../01_transpose || exit 1
ok 'a stage of another week is drawn' make -s DEVICE=cpu draw STAGE=stage1 ARGS='-n 2x3'
like "$out" 'written by +1,0 +1,1$' 'it shows that row 1 of the block writes column 1 of out'
like "$out" '^right: all 6 elements$' 'and all are right'

# --- a week without stages

cd ../00_launch || exit 1
fails 2 'make run in a week without stages fails' make DEVICE=cpu run
like "$err" 'run: this week has no stages; make exercise lists its exercises' 'it says what there is'
ok 'make progress' make -s DEVICE=cpu progress
like "$out" '^exercise8 +block_sum +9 +not started ' 'prints the exercises'
done_testing
