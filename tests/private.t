#!/usr/bin/env bash
# Private exercises: the masters of another folder, EXERCISES=folder, and make new-exercise, which writes one. Hints
# that are printed again.
. "$(dirname "$0")/lib.sh"
export NVCC=   # ordinary.t and hostile.t grade with nvcc

fresh_tree 01_transpose/for_grading
check_small_sizes
cd "$TREE/01_transpose" || exit 1
mk() { make -s DEVICE=cpu "$@"; }
# refuses REGEX ARGUMENT...: make refuses with status 2 and one line of the tool, which matches
refuses()
{
    local text=$1
    shift
    fails 2 "make $* fails" mk "$@"
    is "$(grep -v '^make' <<<"$err" | grep -c .)" 1 "make $*: one line"
    like "$err" "$text" "make $*: it says what is wrong"
}
folder="$TMP/it's [8] \$HOME, x = 1"   # nothing in the name is a pattern or an expression
name=$(sed 's/[][$]/\\&/g' <<<"$folder")   # as a regular expression

rm -f exercises/exercise[89]_* exercises/exercise[1-9][0-9]_*   # the numbers from 8 on are free

# --- make new-exercise

ok 'make new-exercise with a relative folder' mk new-exercise N=8 NAME=my_idea EXERCISES="../../${folder##*/}"
master=$folder/exercise8_my_idea.cu
like "$out" "^$name/exercise8_my_idea\.cu, from stage1_naive\.cu; next: edit it, then make exercise N=8 EXERCISES='" \
    'the folder is made; the message has the file, the stage and the next command'
text=$(cat "$master")
like "$text" '^// exercise8: my idea: ' 'the first line has number and name'
is "$(grep -c '^// Hint: ' <<<"$text") $(sed -n 's|^// Points ||p' <<<"$text" | tr '\n' ';')" \
    '3 5: correct;4 (cpu, 1024x1024): ld_sectors == 4 * ld_requests;' \
    'the head has three hints, and points that add up to 9, with a claim of the stage'
is "$(sed '/^\/\//d; /^#ifdef SOLUTION/d; /^#else/,/^#endif/d' <<<"$text")" "$(sed '/^\/\//d' stage1_naive.cu)" \
    'the code with the solution is that of the stage'
sed -i 's/1024x1024/64x64/' "$master"   # a smaller size takes less time
like "$(cat "$master")" '^// Points 4 .cpu, 64x64' 'a size for the tests'
taken='has this number, and both would be exercise'
refuses "N=8: $name/exercise8_my_idea.cu ${taken}8; expected another number, for example N=9\$" \
    new-exercise N=8 NAME=other EXERCISES="$folder"
refuses "N=3: exercises/exercise3_vectors_any_size.cu ${taken}3; .* N=9\$" \
    new-exercise N=3 NAME=other EXERCISES="$folder"
is "$(ls "$folder")" exercise8_my_idea.cu 'a refused exercise leaves no file'
for n in 0 1000 x ''; do
    refuses "N '$n': expected a whole number from 1 to 999" new-exercise N="$n" NAME=a EXERCISES="$folder"
done
for bad in a-b '' ../x; do
    refuses "new-exercise: NAME='$bad': expected letters, digits and _" \
        new-exercise N=9 NAME="$bad" EXERCISES="$folder"
done
run make -s -C ../00_launch new-exercise N=20 NAME=a
like "$err" '^ladder: new-exercise: no stage is in this folder whose code it could start from; expected the folder' \
    'make new-exercise in a week without stages is refused'
refuses "new-exercise: FROM='99': expected the number of a stage" new-exercise N=9 NAME=a FROM=99 EXERCISES="$folder"
refuses "FROM='9': stage9_tma.cu: an exercise cannot have this: a line '// Needs:'" \
    new-exercise N=9 NAME=a FROM=9 EXERCISES="$folder"
refuses "FROM='0': stage0_copy.cu: an exercise cannot have this: a line '// Computes:'" \
    new-exercise N=9 NAME=a FROM=0 EXERCISES="$folder"
sed 's/^#include .*/&\n#pragma GCC optimize (3)/' stage1_naive.cu >stage12_other.cu
refuses "FROM='12': stage12_other.cu: an exercise cannot have this: line [0-9]*: #pragma GCC optimize" \
    new-exercise N=9 NAME=a FROM=12 EXERCISES="$folder"
rm stage12_other.cu
refuses "EXERCISES=$TMP/no/folder: No such file or directory" new-exercise N=9 NAME=a EXERCISES="$TMP/no/folder"
ok 'make new-exercise FROM=6' mk new-exercise N=100 NAME=tile FROM=6 EXERCISES="$folder"
is "$(sed -n 's|^// Points ||p' "$folder/exercise100_tile.cu")" '9: correct' \
    'without a claim about the stage alone, all points are for a correct result'
like "$(cat "$folder/exercise100_tile.cu")" '^// asks for the kernel of stage6\.$' 'the task names the stage'

# --- the targets of exercises use the folder

echo 'not a master' >"$folder/notes.cu"
ok 'make exercise EXERCISES=folder' mk exercise EXERCISES="$folder"
is "$(awk '{ print $1, $2, $3, $4, $5 }' <<<"$out" | tr '\n' ';')" \
    'exercise name points state idea;exercise8 my_idea 9 not started;exercise100 tile 9 not started;' \
    'it lists the exercises of the folder, in the order of their numbers'
is "$(EXERCISES=$folder mk exercise)" "$out" 'EXERCISES of the environment is used'
is "$(EXERCISES="../../${folder##*/}" mk exercise)" "$out" 'also a relative folder'
ln -s "$folder" "$TMP/link"
is "$(mk exercise EXERCISES="$TMP/link/")" "$out" 'also a link'
is "$(make -s -C .. 01_transpose/exercise DEVICE=cpu EXERCISES="../${folder##*/}")" "$out" \
    'at the top, a relative folder starts at the top'
like "$(mk exercise EXERCISES=exercises)" '^exercise1 +swizzle ' 'the folder of the week may be named'
is "$(mk exercise EXERCISES=)" "$(mk exercise)" 'an empty EXERCISES is the folder of the week'
is "$(mk list EXERCISES="$folder")" "$(mk list)" 'EXERCISES is not a knob'
like "$(mk progress EXERCISES="$folder")" '^exercise100 +tile ' 'make progress lists the exercises of the folder'
fails 2 'make exercise EXERCISES=folder at the top fails' make -s -C .. exercise DEVICE=cpu EXERCISES="$folder"
like "$err" 'expected, for example, make 01_transpose/exercise ' 'because a folder is about one week'
like "$(EXERCISES=$folder make -s -C .. exercise DEVICE=cpu)" '^exercise1 +shuffles ' \
    'at the top, EXERCISES of the environment changes nothing'
ok 'make exercise N=8' mk exercise N=8 EXERCISES="$folder"
is "$(sed '/^\/\/ Hint/d; /^#ifdef SOLUTION/,/^#else/d; /^#endif/d' "$master" | sed '/^\/\/$/{N;/^\/\/\n\/\/$/D}')" \
    "$(cat exercise8_my_idea.cu)" \
    'the file has the common lines and those of the task'
option="EXERCISES='$TMP/it'\\\\''s \\[8\\] \\\$HOME, x = 1'"
like "$out" "make grade N=8 $option\$" 'the next commands have the folder, quoted for the shell'
like "$(mk exercise EXERCISES="$folder")" '^exercise8 +my_idea +9 +started ' 'it is started'
ok 'make solution N=8' mk solution N=8 HINT=no EXERCISES="$folder"
solution=$out
ok 'make hint N=8' mk hint N=8 EXERCISES="$folder"
is "$out" 'hint 1 of 3: a question that leads to the idea' 'it prints the hint of the folder'

sed 's|^// Hint: a question.*|// Question: Why?\n// a) this\n// b) that\n// Answer: b\n//\n&|
    s|^// Points 9: correct|// Points 8: correct\n// Points 1: answer|' "$folder/exercise100_tile.cu" \
    >"$folder/exercise101_asks.cu"
ok 'make exercise N=101, which asks a question' mk exercise N=101 EXERCISES="$folder"
is "$(grep Answer: exercise101_asks.cu)" '// Answer: ?   write a or b' 'the task has no answer'
rm exercise101_asks.cu "$folder/exercise101_asks.cu"

# --- building and grading

ok 'the task builds without its master' mk exercise8
fails 1 'and is wrong' ./exercise8 --size 64x64
fails 2 'make grade of the task fails' mk grade N=8 EXERCISES="$folder"
like "$out" '^   0 of  9  points$' 'the task has no points'
printf '%s\n' "$solution" >exercise8_my_idea.cu
ok 'make grade of the solution' mk grade N=8 EXERCISES="$folder"
like "$out" '^   4 of  4  ld_sectors == 4 \* ld_requests .64x64.' 'the claim of the stage holds'
like "$out" '^   9 of  9  points$' 'the solution has all points'
mk exercise8 && run ./exercise8 --claims
like "$out" '^  holds +(exercise8: )?ld_sectors == 4 ' './exercise8 --claims judges the Points lines'
mkdir "$TMP/submissions"
cp exercise8_my_idea.cu "$TMP/submissions/a.cu"
ok 'make grade FROM=folder' mk grade N=8 EXERCISES="$folder" FROM="$TMP/submissions" OUT="$TMP/points.tsv"
is "$(points_rows "$TMP/points.tsv" | cut -f 1-5)" $'a.cu\t9\t9\tsolved\t' \
    'the submissions get the points of the folder'

# --- state is kept per folder

mkdir "$TMP/other"
sed 's/: my idea/: of another folder/; s/out\[x \* rows + y\] =/out[0 * (x + y)] =/' "$master" \
    >"$TMP/other/exercise8_wrong.cu"
touch -d '2000-01-01' "$TMP/other/exercise8_wrong.cu"
like "$(mk exercise EXERCISES="$folder")" '^exercise8 +my_idea +9 +solved ' 'the exercise is solved'
like "$(mk exercise EXERCISES="$TMP/other")" '^exercise8 +wrong +9 +started ' \
    'that of the same number in another folder is not'
mk hint N=8 EXERCISES="$folder" >/dev/null
is "$(mk hint N=8 EXERCISES="$TMP/other")" 'hint 1 of 3: a question that leads to the idea' 'nor were its hints printed'
mv exercises/exercise7_four_elements.cu exercises/exercise8_four_elements.cu
like "$(mk exercise)" '^exercise8 +four_elements +9\+1 +started ' 'nor is that of the week solved'
like "$(mk hint N=8)" '^hint 1 of 3: Write down' 'nor were its hints printed'
mv exercises/exercise8_four_elements.cu exercises/exercise7_four_elements.cu
is "$(mk hint N=8 EXERCISES="$folder")" 'hint 3 of 3: nearly the answer' 'the hints of the first folder go on'
fails 2 'the solution of another folder is graded again' mk grade N=8 EXERCISES="$TMP/other"
like "$err" "$TMP/other/exercise8_wrong.cu: its solution is not graded as solved: " 'and the message names its master'
like "$(mk exercise EXERCISES="$folder")" '^exercise8 +my_idea +9 +solved ' 'the first folder is as it was'

# --- hints again

ok 'make hint after the last' mk hint N=8 EXERCISES="$folder"
like "$out" "no further hint; make solution N=8 $option prints the solution, make hint N=8 $option HINT=1 " \
    'it names how to read one again'
is "$(mk hint N=8 HINT=2 EXERCISES="$folder")" 'hint 2 of 3: the idea' 'make hint HINT=2 prints the second hint again'
refuses "HINT=2: 1 of 3 hints were printed; make hint N=8 EXERCISES=$TMP/other prints the next" \
    hint N=8 HINT=2 EXERCISES="$TMP/other"
for n in 0 4 x; do refuses "HINT '$n': expected a whole number from 1 to 3" hint N=8 HINT=$n EXERCISES="$folder"; done
sed -i 's|^// the row length by 4|// / 16 + 32 * i and col = |' exercises/exercise3_vectors_any_size.cu
mk hint N=3 >/dev/null; mk hint N=3 >/dev/null
like "$(mk hint N=3)" '^/ 16 \+ 32 \* i and col = ' 'a division sign at the start of a line is kept'

# --- what is refused

refuses 'N=8: there is no exercise 8 in exercises, only 1 to 7; EXERCISES=folder names the folder of others$' grade N=8
for target in exercise hint solution; do
    refuses 'N=8: there is no exercise 8 in exercises, only 1 to 7; EXERCISES=' $target N=8
done
refuses "N=9: there is no exercise 9 in $name, only 8, 100; " exercise N=9 EXERCISES="$folder"
of_files='expected a folder with files exerciseNUMBER_name.cu$'
refuses "EXERCISES=$TREE/01_transpose/nonesuch: No such file or directory; $of_files" exercise EXERCISES=nonesuch
mkdir "$TMP/empty"
for target in exercise 'hint N=8' 'grade N=8'; do
    refuses "EXERCISES=$TMP/empty: no exercise is there; $of_files" $target EXERCISES="$TMP/empty"
done
cp "$TMP/other/exercise8_wrong.cu" "$TMP/other/exercise8_again.cu"
refuses "exercise8: two files have this number: $TMP/other/exercise8_again.cu $TMP/other/exercise8_wrong.cu\$" \
    exercise EXERCISES="$TMP/other"
rm "$TMP/other/exercise8_again.cu"
for bad in exercise08_a exercise1000_a exercise0_a exercise9 exercise9_a-b; do
    cp "$TMP/other/exercise8_wrong.cu" "$TMP/other/$bad.cu"
    refuses "$TMP/other/$bad.cu: expected exerciseNUMBER_name.cu, with a number from 1 to 999, \
and letters, digits and _ in the name\$" exercise EXERCISES="$TMP/other"
    rm "$TMP/other/$bad.cu"
done

# --- an exercise of the week's own

ok 'make new-exercise without a folder' mk new-exercise N=9 NAME=own FROM=2
holds 'writes it for the week' -s exercises/exercise9_own.cu
like "$(mk exercise)" '^exercise9 +own +9 +not started ' 'make exercise lists it, although there is no exercise 8'
refuses 'only 1 to 7, 9; ' exercise N=8

# --- make watch

"$TREE/common/make/watch.sh" exercise99 >"$TMP/out" 2>&1
like "$(cat "$TMP/out")" "watch: STAGE='exercise99': expected a stage of this folder, or your exercise" \
    'make watch needs the file of an exercise'
RUN= MAKE='make --no-print-directory DEVICE=cpu' env --default-signal=INT \
    "$TREE/common/make/watch.sh" exercise8 exercise8 build/cpu/exercise8 >"$TMP/watch" 2>&1 &
watch=$!
for _ in $(seq 100); do ! grep -q '(build .* check ' "$TMP/watch" || break; sleep 0.1; done
kill -INT $watch
wait $watch
like "$(cat "$TMP/watch")" '^[0-9:]+  exercise8 my_idea: [0-9]+ right, 0 wrong, ' 'make watch takes an exercise'
like "$(cat "$TMP/watch")" 'all sizes, \./exercise8 --check$' 'and names its check of all sizes'
done_testing
