#!/usr/bin/env bash
# Exercises: listed, written, with hints and solutions; graded. Each file in tests/exercises/submissions is graded as
# its head says:
#
#   // Graded: POINTS STATUS: REGEX of the reason
#
# Without FULL=1: every second of them, some forms of an answer, and some exercises as tasks.
. "$(dirname "$0")/lib.sh"
export NVCC=   # toolkits.t compiles the solutions with nvcc

fresh_tree $( (is_full && every_week for_grading) || printf '%s\n' 0{0_launch,1_transpose}/for_grading)
export EMU_PATIENCE=1
cd "$TREE/01_transpose" || exit 1
mk() { make -s DEVICE=cpu "$@"; }
mk_grade() { make -s DEVICE=cpu grade N=1 FROM="$1"; }
export -f mk_grade
mkdir -p exercises; mv exercises "$TMP/masters"
small_course

# --- list, write

ok 'make exercise' mk exercise
is "$(awk '{ $1 = $1 } NR <= 2' <<<"$out")" \
    "exercise name points state idea"$'\n'\
'exercise1 tile 9+1 not started thread coarsening: blocks of 32x8 threads transpose tiles of 32x32 elements' \
    'make exercise lists number, name, points, state and idea'
ok 'make exercise N=1' mk exercise N=1
sed '/Hint/d; /^.. Row threadIdx/d; /^.. a loop/d; /^#ifdef SOLUTION/,/^#else/d; /^#endif/d' \
    exercises/exercise1_tile.cu | cat -s | sed '/^\/\/$/{N;/^\/\/\n\/\/$/D}' >"$TMP/task"
is "$(cat "$TMP/task")" "$(cat exercise1_tile.cu)" 'the file has the common lines and those of the task, without hints'
echo '// mine' >>exercise1_tile.cu
fails 2 'a file is not overwritten' mk exercise N=1
like "$err" '^ladder: exercise1_tile.cu exists, and is kept' 'the message names the file'
is "$(tail -n 1 exercise1_tile.cu)" '// mine' 'the file is as it was'
like "$(mk exercise)" 'exercise1 +tile +9\+1 +started ' 'make exercise shows that it is started'
mv exercise1_tile.cu exercise1_mine.cu
like "$(mk exercise)" 'exercise1 +tile +9\+1 +started ' 'a file with another name is started, too'
mv exercise1_mine.cu exercise1_tile.cu
for n in 2 0 x '' "1'" -1; do
    if [ -n "$n" ]; then
        fails 2 "make exercise N=$n fails" mk exercise N="$n"
        like "$err" "^ladder: N=$n: there is no exercise $n in exercises, only 1; EXERCISES=folder" \
            "N=$n is refused, with the numbers that there are"
    fi
    fails 2 "make hint N=$n fails" mk hint N="$n"
    fails 2 "make solution N=$n fails" mk solution N="$n"
    fails 2 "make grade N=$n fails" mk grade N="$n"
done
like "$err" '^ladder: N=-1: ' 'make grade names the wrong number'

# --- no part of the ladder

ok 'an exercise is built like a stage' mk exercise1
fails 1 'the unsolved exercise runs, and is wrong' ./exercise1 --size 64x64
like "$out" '^exercise1 tile: thread coarsening' 'its report is that of a stage'
unlike "$(mk list)" exercise 'make list has no exercise'
unlike "$(mk -n all check count run shmoo claims 2>&1)" 'exercise[0-9]' \
    'all, check, count, run, shmoo and claims have no exercise'

# --- hints and solution

fails 2 'make solution before the hints' mk solution N=1
like "$err" '^ladder: N=1: 0 of 3 hints were printed; make hint N=1 prints the next, make solution N=1 HINT=no' \
    'it prints no solution, and names both commands'
is "$out" '' 'and nothing else'
ok 'make solution HINT=no' mk solution N=1 HINT=no
for n in 1 2 3; do
    ok "make hint, time $n" mk hint N=1
    like "$out" "^hint $n of 3: " "it prints hint $n"
done
like "$out" 'before the barrier and after it\.$' 'the third hint is complete'
ok 'make hint, time 4' mk hint N=1
like "$out" 'no further hint; make solution N=1' 'it names the next step'
ok 'make solution' mk solution N=1
unlike "$out" 'Hint|SOLUTION|TODO|#else' 'the solution has no hints and no marks'
solution=$out
cd ../03_matmul || exit 1
for n in {1..18}; do "$LADDER" exercise hint "$n" >/dev/null & done; wait
is "$(sort results/exercises)" "$(printf 'exercise%d 1\n' {1..18} | sort)" 'hints at the same time are all counted'
rm -r results; cd ../01_transpose || exit 1

# --- grading the student's file

fails 2 'make grade of an unsolved exercise fails' mk grade N=1
is "$(awk '{ $1 = $1 } 1' <<<"$out" | cut -d : -f 1,2)" 'exercise1_tile.cu: wrong
0 of 6 correct: no
counts have points only if the result is right
0 of 9 points
draw it: make draw N=1 ARGS="-n 1x1"' 'it prints the points, and the command that draws the size'
printf '%s\n' "$solution" >exercise1_tile.cu
ok 'the solution is built' mk exercise1
ok 'the solution is right' ./exercise1 --size 128x128
like "$out" '^  holds +st_sectors . shared_wavefronts == 4 . st_requests . shared_requests \(128x128\)' \
    'the report judges the Points lines of this size'
ok 'make grade of the solution succeeds' mk grade N=1
like "$out" '^   9 of  9  points$' 'the solution gets all points'
like "$(mk exercise)" 'exercise1 +tile +9\+1 +solved  ' 'make exercise shows that it is solved'
sed -i 's/threadIdx.x]/threadIdx.y]/' exercise1_tile.cu
fails 2 'a later version that is wrong' mk grade N=1
like "$(mk exercise)" 'exercise1 +tile +9\+1 +solved, last 0 ' \
    'make exercise shows that the last grading earned nothing'
printf '%s\n' "$solution" >exercise1_tile.cu
ok 'the solution again' mk grade N=1
like "$(mk exercise)" 'exercise1 +tile +9\+1 +solved  ' 'the last grading counts'
ok 'make clean' mk clean
is "$(ls -d exercise1*)" exercise1_tile.cu 'make clean removes the program and keeps the file'
mv exercise1_tile.cu "$TMP"
fails 2 'make grade without a file fails' mk grade N=1
like "$err" '^ladder: exercise1: there is no file yet; make exercise N=1 writes it$' 'the message says how to get it'

# --- grading a folder

folder="$TMP/the submissions"
cp -r "$ROOT/tests/exercises/submissions" "$folder"
n=0
is_full || for file in "$folder"/*.cu; do
    n=$((n + 1))
    [ $((n % 2)) = 1 ] || [[ $file = */@(assembly|empty|honest|not_text).cu ]] || rm "$file"
done
mkdir "$folder/folder.cu"
before=$(cd "$folder" && ls -lR --full-time)
ok 'make grade FROM=folder' mk grade N=1 FROM="$folder" OUT="$TMP/points.tsv" SECONDS=2
is "$(cd "$folder" && ls -lR --full-time)" "$before" 'nothing is written into the folder'
is "$(grep -v '^#' "$TMP/points.tsv" | head -n 1)" $'file\tpoints\tmaximum\tstatus\treason\tstudent\tid\tcontent' \
    'the table has a header'
is "$(points_rows "$TMP/points.tsv" | cut -f 1)" "$(cd "$folder" && ls -d *.cu)" 'there is one line per file'
is "$(awk -F '\t' '!/^#/ && NF != 8' "$TMP/points.tsv")" '' 'every row has eight fields'
for file in "$folder"/*.cu; do
    name=${file##*/}
    want=$(sed -n '1s|^// Graded: ||p' "$file" 2>/dev/null | tr -d '\0')
    case $name in
    empty.cu) want='0 uncompiled: ^undefined reference to .transpose' ;;
    not_text.cu) want='0 unreadable: ^not a text$' ;;
    folder.cu) want='0 unreadable: ^an empty folder; expected a .cu file$' ;;
    esac
    row=$(points_row "$TMP/points.tsv" "$name")
    like "$(cut -f 2-4 <<<"$row")" "^${want%% *}"$'\t9\t'"($(cut -d ' ' -f 2 <<<"${want%%:*}"))\$" \
        "$name: points, maximum and status"
    like "$(cut -f 5 <<<"$row")" "$(sed 's/^[^:]*: *//' <<<"$want")" "$name: the reason"
done
cp "$TMP/points.tsv" "$TMP/points.before"
mkdir "$TMP/one"; cp "$folder/empty.cu" "$TMP/one"
ok 'OUT, FROM and SECONDS of the environment are ignored' env OUT="$TMP" SECONDS=x bash -c 'mk_grade "$1"' grade \
    "$TMP/one"
like "$out" '^empty.cu' 'the rows go to the terminal'
fails 2 'a missing folder fails' mk grade N=1 FROM="$TMP/nonesuch" OUT="$TMP/points.tsv"
like "$err" "^ladder: FROM=$TMP/nonesuch: No such file or directory; expected a folder with .cu files\$" \
    'the folder is named'
ok 'the earlier table is kept' cmp "$TMP/points.tsv" "$TMP/points.before"
fails 2 'a table that cannot be written fails' mk grade N=1 FROM="$folder" OUT="$TMP/nonesuch/points.tsv"
like "$err" "^ladder: OUT=$TMP/nonesuch/points.tsv: No such file or directory\$" 'the table is named'
fails 2 'SECONDS=2x fails' mk grade N=1 FROM="$folder" SECONDS=2x
like "$err" "^ladder: SECONDS '2x': expected a whole number from 1 to 3600\$" 'the limit is named'

# A compiler of NVIDIA that refuses what g++ accepts.
mkdir -p "$TMP/cuda/bin"
cat >"$TMP/cuda/bin/nvcc" <<'END'
#!/bin/sh
case " $* " in *" -c "*) echo "submission.cu(3): error: no CUDA" >&2; exit 1 ;; esac
END
chmod +x "$TMP/cuda/bin/nvcc"
cp "$folder/honest.cu" "$TMP/one"
ok 'make grade with nvcc' mk NVCC="$TMP/cuda/bin/nvcc" CUDA_HOME="$TMP/cuda" grade N=1 FROM="$TMP/one"
is "$(points_rows <(echo "$out") | grep honest | cut -f 2-5)" $'0\t9\tuncompiled\tnvcc: honest.cu(3): error: no CUDA' \
    'what nvcc refuses has no points'
rm "$TMP/one/honest.cu"; mk for_grading

# Names with special characters, and a GPU for which nothing compiles.
mkdir -p "$TMP/week [1]" build/gpu
cp "$folder/assembly.cu" "$TMP/week [1]/"$'a\tb\nc.cu'
cp "$folder/honest.cu" "$TMP/week [1]"
printf '%s\n' 'read: /usr /bin /lib /lib64' 'headers: /usr' 'compile: /bin/sh build/gpu/compiler $1' >build/gpu/grading
echo 'echo "$1/submission.cu:7: error: no kernel" >&2; exit 1' >build/gpu/compiler
use_ladder
ok 'a folder is no pattern' "$LADDER" exercise grade 1 --gpu --from "$TMP/week [1]"
not_allowed="not allowed: line 4: '__asm__', which changes how accesses are compiled or counted"
is "$(points_rows <(echo "$out") | cut -f 1-5)" "a\\x09b\\x0ac.cu	0	10	refused	$not_allowed
honest.cu	9	10	partial	GPU: honest.cu:7: error: no kernel" \
    'a name is one field; if the build for the GPU fails, the points of the CPU device remain'
is "$err" '2 of 2 submissions graded: 1 partial, 1 refused' 'a summary follows'
rm -r build/gpu

# --- malformed masters

master() { sed "$1" "$ROOT/tests/exercises/exercise1_tile.cu" >exercises/exercise1_tile.cu; }
while IFS='|' read -r edit text; do
    master "$edit"
    refused "$text" "$LADDER" exercise list
done <<'END'
/Hint: Row/d|exercises/exercise1_tile.cu: 2 hints; expected 3
/^#else/d|exercises/exercise1_tile.cu:[0-9]*: '#endif' between '#ifdef SOLUTION'
/^#endif/d|: '#ifdef SOLUTION' has no '#else' and '#endif'
s/Points 6/Points 5/|: 8 points without a GPU and 1 more with one; expected 9 and 1
s/Points 6/Points many/|: // Points many: correct: expected 1 to 10 points
s/+ shared_requests/+ stage3.shared_requests/|: 'stage3': expected a column of the exercise's own row
s/+ shared_requests/+ shard_requests/|: no such column
s/^.. Points 6/\/\/ Check (gpu, 8x8)\n&/|: // Check \(gpu, 8x8\): expected \(cpu, SIZE\)
s/^.. Points 6/\/\/ Check 8x8\n&/|: // Check 8x8: '\(' expected at '8x8'
s/^.. Points 6/\/\/ Check (cpu, 8x8): 1 == 1\n&/|: nothing expected after '\)' at ': 1 == 1'
s/^.. Points 6/\/\/ Check (cpu, 1)\n\/\/ Check (cpu, 2)\n\/\/ Check (cpu, 3)\n&/|: more than 2 // Check lines
s/(cpu, 128x128): /&1 == 1 and\n\/\/     no == /|: // Points 3 \(cpu, 128x128\): 1 == 1 and no == .*: no such column
END
checks='// Check (cpu, 3x40000)\n// Check (cpu, 64x96, sms=5)'
master "s/(cpu, 128x128): /&1 == 1 and\n\/\/     /; s|^// Points 6|$checks\n&|"
ok 'a claim goes on after "and" in the next line' "$LADDER" exercise list
ok 'the sizes of Check lines' "$LADDER" exercise checks 1
is "$out" $'--size 3x40000\n--size 64x96 --sms 5' 'they are options of a program'
master ''
ok 'a master without a Check line' "$LADDER" exercise checks 1
is "$out" '--size 128x128 --sms 5' 'its first count is checked with five SMs'
master 's/tile\[threadIdx.x\]\[i\]/0/'
fails 2 'a solution that is wrong stops the grading' mk grade N=1 FROM="$folder"
like "$err" '^ladder: exercises/exercise1_tile.cu: its solution is not graded as solved: WRONG at 1x1' \
    'the message names the master and the reason'

# --- a question with choices, whose answer the task has not

question='// Question: Where is the barrier?\n// a) before the stores\n// b) between the stores\n'
question="$question//    and the loads\n// c) after the loads\n"
while IFS='|' read -r edit text; do
    master "s|^// Points 6.*|$edit|"
    refused "$text" "$LADDER" exercise list
done <<END
// Answer: b\n// Points 6: correct|: 0 choices before the answer; expected '// Question: ...', then 2 to 8
$question// Answer: d\n// Points 5: correct\n// Points 1: answer|: '// Answer: d': expected one of a, b or c
$question// Points 5: correct\n// Points 1: answer|: there is a line '// Question: ...', there is not '// Answer: a'
$question// Answer: b\n// Points 6: correct|, there is '// Answer: a', there is not '// Points 1: answer'
// Points 5: correct\n// Points 1: answer|: there is not a line '// Question: ...'
END
master "s|^// Points 6.*|$question// Answer: b\n//\n// Points 5: correct\n// Points 1: answer|"
ok 'make exercise of an exercise with a question' mk exercise N=1
like "$out" '^exercise1_tile.cu: answer the question in its head, edit it, then: ' 'the message names the question'
is "$(grep Answer: exercise1_tile.cu)" '// Answer: ?   write a, b or c' 'the task asks for the answer, and has it not'
fails 2 'make grade without an answer and without a solution fails' mk grade N=1
like "$out" "^ *0 of  1  answer: no: expected one line '// Answer:' with a, b or c" 'no answer is chosen'
sed -i 's/Answer: ?/Answer: b/' exercise1_tile.cu
fails 2 'make grade of an answer alone fails' mk grade N=1
like "$out" '^   1 of  9  points$' 'the right answer has its point, although the code is not right'
"$LADDER" exercise solution 1 >"$TMP/solution.cu"
is "$(grep Answer: "$TMP/solution.cu")" '// Answer: b' 'the solution has the answer'
rm -r "$TMP/one"; mkdir "$TMP/one"
while IFS='|' read -r name edit; do sed "s|^// Answer: b|$edit|" "$TMP/solution.cu" >"$TMP/one/$name.cu"; done <<'END'
right|&
with_rest|&   write a, b or c
no_blank|// Answer:b
capital|// Answer: B
like_choice|// Answer: b) between the stores
windows|&\r
wrong|// Answer: a
none|// Answer: ?
no_line|// b
of_others|// Answer: d
two_letters|// Answer: bb
several|// Answer: b c
with_dot|// Answer: b.
in_comment|/*\n// Answer: b\n*/
in_text|// Answer: a\nconst char text[] = "\\\n// Answer: b\\\n";
two_lines|// Answer: a\n// Answer: b
every|// Answer: a\n// Answer: b\n// Answer: c
terminal|// Answer: \x1b[2Jb
END
sed 's/__syncthreads();/syncthreads();/' "$TMP/solution.cu" >"$TMP/one/uncompiled.cu"
is_full || (cd "$TMP/one" &&
    rm {with_rest,like_choice,windows,no_line,of_others,two_letters,several,with_dot,every,in_comment}.cu)
ok 'make grade of right, wrong, missing and hostile answers' mk grade N=1 FROM="$TMP/one" OUT="$TMP/answers.tsv"
rows=$(points_rows "$TMP/answers.tsv" | awk -F '\t' '{ print $1, $2, $4, $5 }')
is "$(sed 's/ *$//; s/^\(uncompiled.cu 0 uncompiled\).*/\1/' <<<"$rows")" \
    "$(while read -r name row; do [ ! -e "$TMP/one/$name" ] || echo "$name $row"; done <<'END'
capital.cu 9 solved
every.cu 8 partial answer: no: expected one line '// Answer:' with a, b or c
in_comment.cu 9 solved
in_text.cu 8 partial answer: no: expected one line '// Answer:' with a, b or c
like_choice.cu 9 solved
no_blank.cu 9 solved
no_line.cu 8 partial answer: no: the file has no line '// Answer:'
none.cu 8 partial answer: no: expected one line '// Answer:' with a, b or c
of_others.cu 8 partial answer: no: not d
right.cu 9 solved
several.cu 8 partial answer: no: expected one line '// Answer:' with a, b or c
terminal.cu 8 partial answer: no: expected one line '// Answer:' with a, b or c
two_letters.cu 8 partial answer: no: expected one line '// Answer:' with a, b or c
two_lines.cu 8 partial answer: no: expected one line '// Answer:' with a, b or c
uncompiled.cu 0 uncompiled
windows.cu 9 solved
with_dot.cu 8 partial answer: no: expected one line '// Answer:' with a, b or c
with_rest.cu 9 solved
wrong.cu 8 partial answer: no: not a
END
)" 'only one line with the right letter has the point'
rm exercise1_tile.cu

# --- every exercise fails as a task; grading it begins with its solution, which must reach all points. ideas.t does
# this for those that it grades anyway.

rm -rf exercises; mv "$TMP/masters" exercises
export EMU_THREADS=1 TMP
cd "$TREE" || exit 1
rm -f 0*/exercise[0-9]*.cu
# grade_task WEEK/NUMBER
grade_task()
{
    local make=(make -s -C "${1%/*}" DEVICE=cpu N="${1#*/}")

    "${make[@]}" exercise && "${make[@]}" grade
}
export -f grade_task
tasks=$(ls 0*/exercises/exercise*.cu | sed 's|exercises/exercise\([0-9]*\)_.*|\1|')
if is_full; then
    ideas=$(cd "$ROOT/tests/exercises/ideas" && ls -d */exercise* | sed 's|/exercise|/|')
    tasks=$(grep -v -x -F -e "$ideas" <<<"$tasks")
else
    tasks=$(printf '%s\n' 00_launch/1 01_transpose/12)
fi
xargs -P 2 -n 1 bash -c 'grade_task "$1" >"$TMP/${1/\//.}.log" 2>&1' - <<<"$tasks"
for task in $tasks; do
    like "$(cat "$TMP/${task/\//.}.log")" '^ *[0-8] of  9  points$' \
        "${task%/*}, exercise ${task#*/}: the task fails, the solution reaches all points"
done
done_testing
