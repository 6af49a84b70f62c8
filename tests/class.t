#!/usr/bin/env bash
# make grade for a class: a row is a grade, or it says that there is none, whatever ends the grading; the folders of
# Moodle and Canvas; the table, the CSV for their gradebooks, and the feedback. Most submissions here are refused for
# their inline assembly before they are compiled, which takes no time.
. "$(dirname "$0")/lib.sh"
export NVCC=   # ordinary.t and hostile.t grade with nvcc

fresh_tree 01_transpose/for_grading
export EMU_PATIENCE=1
small_course
LADDER=$TREE/build/ladder
submissions=$ROOT/tests/exercises/submissions
mk() { make -s DEVICE=cpu grade N=1 "$@"; }
grade() { "$LADDER" exercise grade 1 "$@"; }
# The reason of those that are refused names a line.
plain() { sed "s/not allowed: [^\t]*/not allowed/"; }
# one_line NAME REGEX: the last command printed one line on stderr, which matches
one_line() { is "$(grep -v '^make' <<<"$err" | grep -c .)" 1 "$1: one line"; like "$err" "$2" "$1: it says why"; }
# new_class NAME FILE...: makes the folder $TMP/NAME with these files, which are refused, each with another content
new_class()
{
    class=$TMP/$1; shift
    rm -rf "$class"; mkdir "$class"
    for file; do
        mkdir -p "$(dirname "$class/$file")"
        { cat "$submissions/assembly.cu"; echo "// $file"; } >"$class/$file"
    done
}
# in_group command...: runs it in its own process group, with the signals of a terminal; sets $group
in_group() { perl -e 'setpgrp; $SIG{$_} = "DEFAULT" for qw(INT HUP TERM); exec @ARGV or exit 127' "$@" & group=$!; }
# until_true command...: waits until it succeeds, at most 20 s
until_true() { for _ in {1..400}; do ! "$@" || return 0; sleep 0.05; done; return 1; }
# processes parent|group ID: those with this parent or group
processes()
{
    sed -n 's/^\([0-9]*\) (.*) . \([0-9]*\) \([0-9]*\) .*/\1 parent-\2 group-\3 /p' /proc/[0-9]*/stat 2>/dev/null |
        sed -n "/ $1-$2 /s/ .*//p"
}
worker() { worker=$(processes parent "$1" | head -n 1); [ -n "$worker" ]; }
# What runs in this folder beside the test.
left()
{
    for process in /proc/[0-9]*; do
        [ "$(readlink "$process/cwd")" != "$PWD" ] || cat "$process/comm"
    done 2>/dev/null | grep -v -x -e bash -e cat -e grep -e readlink
}
# Whether the compiler of a submission has begun.
compiling() { compgen -G 'build/grading.??????/[1-9]*/cpu/submission.i' >/dev/null && worker "$1"; }
has_row() { [ -e "$1" ] && grep -q "^$2"$'\t' "$1"; }
# The one that is graded while something else happens: it compiles for half a second, and then runs until it is stopped.
slow() { sed '/^void transpose(/{n; s/$/ volatile int forever = 1; while (forever) ;/}' "$submissions/honest.cu"; }

# --- the folders of Moodle and Canvas

moodle='Ada Lovelace_12345_assignsubmission_file_'
new_class moodle "$moodle/exercise1_tile.cu" 'Alan Turing_678_assignsubmission_file_/any.cu' \
    'Grace Hopper_9_assignsubmission_file/'{exercise1_a,other}.cu 'Two Files_10_assignsubmission_file_/'{a,b}.cu
cp "$submissions/honest.cu" "$class/$moodle/exercise1_tile.cu"
mkdir "$class/Empty Folder_11_assignsubmission_file_" "$class/$moodle/deep" "$class/__MACOSX"
touch "$class"/{.DS_Store,"$moodle"/{Thumbs.db,report.pdf},'Alan Turing_678_assignsubmission_file_/.hidden.cu'}
mkdir "$class"/{'Ada Lovelace_12345_assignsubmission_onlinetext_','Late, Text_12_assignsubmission_file_'}
touch "$class/Ada Lovelace_12345_assignsubmission_onlinetext_/onlinetext.html"
touch "$class/Late, Text_12_assignsubmission_file_/late.cu.txt"
several='several .cu files of one student; expected one, or one that is named exercise1_NAME.cu'
ok 'make grade FROM=folder of Moodle' mk FROM="$class" OUT="$TMP/moodle.tsv" CSV="$TMP/moodle.csv" FORMAT=moodle \
    FEEDBACK="$TMP/feedback"
is "$out" "12 of 12 submissions graded: 1 solved, 2 refused, 9 unreadable; skipped: .DS_Store, Thumbs.db, __MACOSX; \
the points are in $TMP/moodle.tsv" \
    'the summary counts the rows, and names the leftovers of systems'
is "$(points_rows "$TMP/moodle.tsv" | cut -f 1-7 | plain)" "$moodle/exercise1_tile.cu	9	9	solved		Ada Lovelace	12345
$moodle/deep		9	unreadable	a folder in a student's folder; expected a file	Ada Lovelace	12345
$moodle/report.pdf		9	unreadable	not a .cu file	Ada Lovelace	12345
Ada Lovelace_12345_assignsubmission_onlinetext_/onlinetext.html		9	unreadable	not a .cu file	Ada Lovelace	12345
Alan Turing_678_assignsubmission_file_/any.cu	0	9	refused	not allowed	Alan Turing	678
Alan Turing_678_assignsubmission_file_/.hidden.cu		9	unreadable	a hidden file	Alan Turing	678
Empty Folder_11_assignsubmission_file_	0	9	unreadable	an empty folder; expected a .cu file	Empty Folder	11
Grace Hopper_9_assignsubmission_file/exercise1_a.cu	0	9	refused	not allowed	Grace Hopper	9
Grace Hopper_9_assignsubmission_file/other.cu		9	unreadable	a second .cu file; exercise1_a.cu is graded	Grace Hopper	9
Late, Text_12_assignsubmission_file_/late.cu.txt	0	9	unreadable	not a .cu file	Late, Text	12
Two Files_10_assignsubmission_file_/a.cu	0	9	unreadable	$several	Two Files	10
Two Files_10_assignsubmission_file_/b.cu	0	9	unreadable	$several	Two Files	10" \
    'every file has a row, with the student and the number of the folder; a student has one number of points'
is "$(sed -n 's/: [-0-9: +]*$/: DATE/; s/master: [0-9a-f]\{16\}$/master: HASH/; /^#/p' "$TMP/moodle.tsv")" "# date: DATE
# course: $("$LADDER" --version | cut -d ' ' -f 2)
# exercise: 1 tile
# master: HASH
# limits: 20 s of CPU time
# device: CPU device" 'the head says what was graded, and how'
is "$(points_row "$TMP/moodle.tsv" "$moodle/exercise1_tile.cu" | cut -f 8)" \
    "$(sha256sum "$class/$moodle/exercise1_tile.cu" | cut -c 1-16)" 'content is the start of sha256sum'
like "$(grep '^# master' "$TMP/moodle.tsv")" "$(sha256sum exercises/exercise1_tile.cu | cut -c 1-16)" 'master, too'
is "$(plain <"$TMP/moodle.csv")" 'Identifier,Full name,Grade,Maximum Grade,Last modified (grade),Feedback comments
Participant 12345,Ada Lovelace,9,9,-,solved
Participant 678,Alan Turing,0,9,-,"refused: not allowed
Participant 11,Empty Folder,0,9,-,"unreadable: an empty folder; expected a .cu file"
Participant 9,Grace Hopper,0,9,-,"refused: not allowed
Participant 12,"Late, Text",0,9,-,unreadable: not a .cu file
Participant 10,Two Files,0,9,-,"unreadable: '"$several\"" \
    'the CSV has one line per student, with the columns of the grading worksheet of Moodle'

# --- feedback

is "$(sed '1d; s/[0-9]*, [0-9]*$/N, N/' "$TMP/feedback/$moodle/exercise1_tile.cu.txt")" "
$moodle/exercise1_tile.cu: solved
   6 of  6  correct
   3 of  3  st_sectors + shared_wavefronts == 4 * st_requests + shared_requests (128x128, float): N, N
   9 of  9  points" 'the feedback has the lines of make grade for an own file'
like "$(head -n 1 "$TMP/feedback/$moodle/exercise1_tile.cu.txt")" \
    '^make grade: exercise1 tile, course [0-9.]*, master [0-9a-f]{16}, content [0-9a-f]{16}$' \
    'its first line says what was graded'
is "$(cd "$TMP/feedback" && find . -type f | wc -l)" 7 \
    'there is one file per submission, also for one that is unreadable'
echo 'mine' >"$TMP/feedback/ada.cu.txt"
new_class plain ada.cu
fails 2 'feedback never replaces another file' grade --from "$class" --feedback "$TMP/feedback" --out "$TMP/none.tsv"
one_line 'another file' "^ladder: FEEDBACK=$TMP/feedback: $TMP/feedback/ada.cu.txt is not feedback of make grade, \
and is kept; expected another folder\$"
is "$(cat "$TMP/feedback/ada.cu.txt")$(ls "$TMP" | grep none)" mine 'that file is kept, and no table is left'

# --- Canvas

new_class canvas lovelaceada_12345_67890_exercise1_tile-1.cu turingalan_LATE_678_67891_my_own_2.cu \
    hoppergrace_9_1_a.cu hoppergrace_9_2_exercise1_a.cu notes.txt
ok 'make grade FROM=files of Canvas' mk FROM="$class" OUT="$TMP/canvas.tsv" CSV="$TMP/canvas.csv" FORMAT=canvas \
    ASSIGNMENT='Exercise 1, tile (4711)' FEEDBACK="$TMP/canvas feedback"
is "$(points_rows "$TMP/canvas.tsv" | cut -f 1,2,6,7)" 'hoppergrace_9_2_exercise1_a.cu	0	hoppergrace	9
hoppergrace_9_1_a.cu		hoppergrace	9
lovelaceada_12345_67890_exercise1_tile-1.cu	0	lovelaceada	12345
notes.txt	0	notes	
turingalan_LATE_678_67891_my_own_2.cu	0	turingalan	678' 'student and number come from the names of the files'
is "$(cat "$TMP/canvas.csv")" 'Student,ID,SIS User ID,SIS Login ID,Section,"Exercise 1, tile (4711)"
hoppergrace,9,,,,0
lovelaceada,12345,,,,0
turingalan,678,,,,0' 'the CSV has the columns of the gradebook of Canvas'
like "$err" "^ladder: CSV=$TMP/canvas.csv: without 1 of the students, whose names have no identifier of canvas\$" \
    'a file without a number is named'
is "$(ls "$TMP/canvas feedback")" 'hoppergrace_9_2_exercise1_a.cu.txt
lovelaceada_12345_67890_exercise1_tile-1.cu.txt
notes.txt.txt
turingalan_LATE_678_67891_my_own_2.cu.txt' 'the feedback has the names of the submissions'

new_class flat 'Ada Lovelace_12345_assignsubmission_file_exercise1_tile.cu' 'Alan Turing/exercise1_tile.cu' grace.cu
ok 'files of Moodle without folders, and folders of other names' grade --from "$class"
is "$(points_rows <(echo "$out") | cut -f 1,6,7)" \
    'Ada Lovelace_12345_assignsubmission_file_exercise1_tile.cu	Ada Lovelace	12345
Alan Turing/exercise1_tile.cu	Alan Turing	
grace.cu	grace	' 'have students, too'

# --- names

new_class names ada.cu
for name in $'bell\a\r.cu' 'bell  .cu' $'c1\xc2\x9b31m.cu' $'bidi\xe2\x80\xaeuc.cu' $'latin\xe9.cu' '=1+1.cu' \
    "'=1+1.cu" '@a.cu' '-a.cu' 'back\x07.cu' $'back\a.cu' $'tab\tline\n.cu'; do
    cp "$class/ada.cu" "$class/$name"
done
ok 'grading of names with special characters' grade --from "$class" --out "$TMP/names.tsv" --feedback \
    "$TMP/names feedback"
is "$(points_rows "$TMP/names.tsv" | cut -f 1 | sort)" "$(sort <<'END'
''=1+1.cu
'-a.cu
'=1+1.cu
'@a.cu
ada.cu
back\\x07.cu
back\x07.cu
bell  .cu
bell\x07\x0d.cu
bidi\u202euc.cu
c1\u009b31m.cu
latin\xe9.cu
tab\x09line\x0a.cu
END
)" 'what a terminal or spreadsheet executes is visible, and no two names are equal'
is "$(awk -F '\t' '!/^#/ && NF != 8' "$TMP/names.tsv")" '' 'every row has eight fields'
is "$(ls "$TMP/names feedback" | wc -l) $(ls "$TMP/names feedback" | LC_ALL=C grep -c "^[A-Za-z0-9%'+ ._-]*\$")" \
    '13 13' 'the files of feedback have plain names'

# --- a worker that is killed

new_class killed a.cu b.cu c.cu
slow >"$class/b.cu"
"$LADDER" exercise grade 1 --from "$class" --out "$TMP/killed.tsv" --seconds 60 >"$TMP/log" 2>&1 &
main=$!
until_true has_row "$TMP/killed.tsv.partial" c.cu
worker $main && kill -9 "$worker"
wait $main
is "$?" 3 'if a worker is killed, the grading ends with 3'
is "$(points_rows "$TMP/killed.tsv" | cut -f 1-5 | plain)" 'a.cu	0	9	refused	not allowed
b.cu		9	not graded	its worker was killed by signal 9
c.cu	0	9	refused	not allowed' 'its row has no points, and the reason'
like "$(cat "$TMP/log")" '^2 of 3 submissions graded: 2 refused, 1 not graded; ' 'the summary, too'
cp "$class/a.cu" "$class/b.cu"; echo >>"$class/c.cu"
ok 'the same command grades again what was not graded' grade --from "$class" --out "$TMP/killed.tsv" --seconds 60
like "$out" '^3 of 3 submissions graded: 3 refused; 1 of them by an earlier run' 'and what has changed'
is "$(points_row "$TMP/killed.tsv" c.cu | cut -f 8)" "$(sha256sum "$class/c.cu" | cut -c 1-16)" 'with its new content'
holds 'no partial table is left' ! -e "$TMP/killed.tsv.partial"
ok 'a complete table is made again' grade --from "$class" --out "$TMP/killed.tsv" --seconds 60
unlike "$out" 'earlier run' 'by the same command'
ok 'RESUME takes over the rows of a table' grade --from "$class" --resume "$TMP/killed.tsv" --seconds 60
like "$err" '^3 of 3 submissions graded: 3 refused; 3 of them by an earlier run' 'and they are not graded'
fails 2 'RESUME of other limits is refused' grade --from "$class" --resume "$TMP/killed.tsv" --seconds 61
one_line 'RESUME' "^ladder: RESUME=$TMP/killed.tsv: not a table of this exercise, course version, device and limits\$"

# --- Ctrl-C

cp "$TMP/killed.tsv" "$TMP/old.tsv"
slow >"$class/b.cu"
in_group "$LADDER" exercise grade 1 --from "$class" --out "$TMP/old.tsv" --csv "$TMP/old.csv" --format moodle \
    >"$TMP/log" 2>&1
until_true has_row "$TMP/old.tsv.partial" c.cu
kill -INT -- -$group
wait $group
is "$?" 3 'after Ctrl-C the grading ends with 3'
is "$(cat "$TMP/log")" "2 of 3 submissions graded: 2 refused, 1 not graded; the points are in $TMP/old.tsv.partial
ladder: interrupted; the finished rows are in $TMP/old.tsv.partial, and the same command continues" \
    'it says where the finished rows are'
ok 'the earlier table is kept' cmp "$TMP/old.tsv" "$TMP/killed.tsv"
is "$(points_row "$TMP/old.tsv.partial" b.cu | cut -f 4,5)" $'not graded\tinterrupted' \
    'the one that was being graded is interrupted'
is "$(ls "$TMP" | grep old.csv)" '' 'no CSV is written'
is "$(left)$(ls -d build/grading.??????  2>&1 | grep -v 'No such')" '' 'no process and no folder is left'
# A process that was started with nohup ignores SIGHUP, and so do its children.
signals='TERM HUP'
(kill -HUP $BASHPID; exit 7) 2>/dev/null
[ $? != 7 ] || { signals=TERM; skip 'SIGHUP ends a grading in the same way' 'this test was started with nohup'; }
for signal in $signals; do
    "$LADDER" exercise grade 1 --from "$class" >"$TMP/rows" 2>"$TMP/log" &
    main=$!
    until_true compiling $main; kill -$signal $main; wait $main
    is "$? $(tail -n 1 "$TMP/log") $(points_rows "$TMP/rows" | cut -f 1,2,4,5 | plain | tr '\t\n' ' ,')" \
        '3 ladder: interrupted a.cu 0 refused not allowed,b.cu  not graded interrupted,c.cu 0 refused not allowed,' \
        "SIG$signal ends a grading in the same way"
done

# --- the grading is killed

in_group "$LADDER" exercise grade 1 --from "$class" --out "$TMP/old.tsv" >"$TMP/log" 2>&1
until_true compiling $group
kill -9 $group; wait $group 2>/dev/null
until_true eval '[ -z "$(processes group $group)" ]'
is "$(ls -d build/grading.?????? | wc -l)" 1 'kill -9 leaves a folder'
"$LADDER" exercise grade 1 --from "$class" --out "$TMP/other.tsv" >"$TMP/log" 2>&1 &
main=$!
until_true has_row "$TMP/other.tsv.partial" c.cu
is "$(ls -d build/grading.?????? | wc -l)" 1 'the next run removes it'
cp "$class/a.cu" "$class/b.cu"
fails 2 'a second run with the same table is refused' grade --from "$class" --out "$TMP/other.tsv"
one_line 'a second run' "^ladder: OUT=$TMP/other.tsv: another run writes to $TMP/other.tsv.partial now\$"
ok 'another run goes on from the finished rows' grade --from "$class" --out "$TMP/old.tsv"
like "$out" '^3 of 3 submissions graded: 3 refused; 2 of them by an earlier run; the points are in ' \
    'which kill -9 left'
is "$(ls -d build/grading.?????? | wc -l)" 1 'it keeps the folder of the run beside it'
kill -TERM $main; wait $main
printf 'd.cu\t0\t9' >>"$TMP/other.tsv.partial"
ok 'a row that was cut off is ignored' grade --from "$class" --out "$TMP/other.tsv"
is "$(points_rows "$TMP/other.tsv" | wc -l)" 3 'and removed'
printf '# date: 1\n# course: 0.1\nx\n' >"$TMP/other.tsv.partial"
fails 2 'a partial table of another course is refused' grade --from "$class" --out "$TMP/other.tsv"
one_line 'another course' "^ladder: OUT=$TMP/other.tsv: $TMP/other.tsv.partial has rows of another exercise, \
course version, device or limit; move or remove it\$"
is "$(cat "$TMP/other.tsv.partial" | tail -n 1)" x 'and kept'

# --- closed descriptors, limits, full disks

for closed in '<&-' '>&-' '2>&-' '<&- >&- 2>&-'; do
    rm -f "$TMP/closed.tsv"
    (eval "grade --from '$class' --out '$TMP/closed.tsv' $closed") >"$TMP/log" 2>&1
    is "$(points_rows "$TMP/closed.tsv" | cut -f 2-5 | sort -u | plain)" '0	9	refused	not allowed' \
        "the grading is the same with $closed"
done
mkdir "$TMP/honest"; cp "$submissions/honest.cu" "$TMP/honest"
ok 'make grade <&-' eval 'mk FROM="$TMP/honest" OUT="$TMP/honest.tsv" <&-'
is "$(points_row "$TMP/honest.tsv" honest.cu | cut -f 2)" 9 'a submission that is right has all points'
fails 2 'rows for a closed stdout are not lost in silence' bash -c '"$0" exercise grade 1 --from "$1" >&-' "$LADDER" \
    "$class"
ok 'a program of the harness runs with <&-' bash -c 'build/cpu/grader --version <&-'
for limit in '-f 10000:-f .size of files. is 9 MB; grading needs at least 64 MB' \
    '-v 4000000:-v .virtual memory. is 3906 MB; grading needs at least 8192 MB' \
    '-t 30:-t .CPU time. is 30 s; grading needs at least 400 s' \
    '-n 20:-n .open files. is 20; grading needs at least 64'; do
    fails 3 "ulimit ${limit%%:*} is refused" bash -c 'ulimit $0; "$@"' "${limit%%:*}" "$LADDER" exercise grade 1 \
        --from "$class" --out "$TMP/limit.tsv"
    one_line "ulimit ${limit%%:*}" "^ladder: ulimit ${limit#*:}; start it from a shell with a higher limit\$"
done
ok 'a soft limit is raised' bash -c 'ulimit -S -f 10000; "$@"' limit "$LADDER" exercise grade 1 --from "$class"
is "$(ls "$TMP" | grep limit)" '' 'no table is left'
if [ -c /dev/full ]; then
    fails 2 'OUT=/dev/full fails' grade --from "$class" --out /dev/full
    one_line /dev/full '^ladder: OUT=/dev/full: No space left on device$'
    fails 2 'a full disk behind stdout fails' bash -c '"$0" exercise grade 1 --from "$1" >/dev/full' "$LADDER" "$class"
fi
ok 'OUT=/dev/stdout' eval 'grade --from "$class" --out /dev/stdout | cat'
is "$(grep -v '^#' <<<"$out" | cut -f 1)" 'file
a.cu
b.cu
c.cu
3 of 3 submissions graded: 3 refused; the points are in /dev/stdout' 'is written in order'
mkdir "$TMP/small"
if mount -t tmpfs -o size=8k tmpfs "$TMP/small" 2>/dev/null; then
    new_class large $(seq -f '%g.cu' 60)
    fails 2 'a disk that becomes full fails' grade --from "$class" --out "$TMP/small/points.tsv"
    one_line 'a full disk' "^ladder: OUT=$TMP/small/points.tsv: No space left on device; \
the finished rows are in $TMP/small/points.tsv.partial, and the same command continues\$"
    finished=$(awk -F '\t' '!/^#/ && NF == 8' "$TMP/small/points.tsv.partial" | wc -l)
    mount -o remount,size=1m "$TMP/small"
    ok 'with room on the disk, it continues' grade --from "$class" --out "$TMP/small/points.tsv"
    like "$out" "; $((finished - 1)) of them by an earlier run" 'with all rows that were complete'
    umount "$TMP/small"
else
    skip 'a disk that becomes full fails' 'no file system can be mounted here'
fi

# --- what is refused

new_class plain a.cu
ln -s "$class" "$TMP/link"; ln -s "$class/a.cu" "$TMP/link.tsv"
before=$(ls -lR --full-time "$class")
for out in "$class"/{points.tsv,a.cu} "$TMP/link/points.tsv" "$TMP/link.tsv" \
    "$(realpath --relative-to=. "$class")/points.tsv"; do
    fails 2 "OUT=$out is refused" grade --from "$class" --out "$out"
    one_line "OUT=$out" "^ladder: OUT=.*: is in FROM=$class, where submissions are; expected another folder\$"
done
fails 2 'CSV in FROM is refused' grade --from "$class" --csv "$class/a.csv" --format moodle
fails 2 'FEEDBACK in FROM is refused' grade --from "$class" --feedback "$class/feedback"
is "$(ls -lR --full-time "$class")" "$before" 'nothing is written there'
for variable in FROM OUT RESUME CSV FEEDBACK; do
    fails 2 "$variable= is refused" mk FROM="$class" OUT="$TMP/empty.tsv" $variable=
    one_line "$variable=" "^ladder: $variable= is empty; expected a file or folder\$"
done
for options in '--csv x' '--csv x --format '{svg,canvas,'moodle --assignment a'} '--format moodle'; do
    fails 2 "$options is refused" grade --from "$class" $options
    is "$(wc -l <<<"$err")" 1 "$options: one line"
done
fails 2 'CSV in a folder that is missing is refused' grade --from "$class" --csv "$TMP/nonesuch/x.csv" --format moodle
one_line 'CSV in a folder that is missing' "^ladder: CSV=$TMP/nonesuch/x.csv: No such file or directory\$"
fails 2 'CSV and OUT in one file are refused' grade --from "$class" --out "$TMP/x" --csv "$TMP/x" --format moodle
fails 2 'OUT without FROM is refused' grade --out "$TMP/none.tsv"
one_line 'OUT without FROM' '^ladder: OUT is an option of FROM=folder, which grades the files of a class$'

# --- the exercise of this folder

cp "$submissions/assembly.cu" exercise1_tile.cu
fails 1 'an exercise that is not solved ends with 1' grade
slow >exercise1_tile.cu
"$LADDER" exercise grade 1 >"$TMP/own" 2>&1 &
main=$!
until_true compiling $main; kill -9 "$worker"; wait $main
is "$? $(cat "$TMP/own")" '3 exercise1_tile.cu: not graded: its worker was killed by signal 9' \
    'if the grading fails, it ends with 3'
done_testing
