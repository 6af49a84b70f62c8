#!/usr/bin/env bash
# The classroom challenge of week 2: the numbers that students get, and the check of their sums.
. "$(dirname "$0")/lib.sh"

fresh_tree 02_reduction/shared
cd "$TREE/02_reduction" || exit 1
ok 'generate_number and check_sums build' make -s DEVICE=cpu generate_number check_sums
unlike "$out$err" 'warning' 'generate_number and check_sums build without a warning'

# refused STATUS TEXT command...: one line on stderr, and nothing on stdout
refused()
{
    local want=$1 text=$2
    shift 2
    fails "$want" "refused: $*" "$@"
    is "$(grep -c '' <<<"$err")" 1 "the refusal is one line: $*"
    like "$err" "$text" "the refusal says what is wrong: $*"
    is "$out" '' "nothing is printed to stdout: $*"
}
# with INPUT command...: runs the command with this text as standard input
with() { printf '%b' "$1" >"$TMP/in"; shift; "$@" <"$TMP/in"; }

# full_disk PROGRAM COMMAND
full_disk()
{
    if [ -c /dev/full ]; then fails 2 "$1 reports a full disk" bash -c "$2 >/dev/full"
    else skip "$1 reports a full disk" 'there is no /dev/full here'; fi
}

# --- generate_number

ok 'generate_number runs' ./generate_number 1 7
number=$out
like "$number" '^[1-9][0-9]?$' 'a number is from 1 to 99, alone on its line'
ok 'generate_number runs again' ./generate_number 1 7
is "$out" "$number" 'the same group and ID give the same number'
# Computed from the formula with exact integers. A change of the formula would change the numbers of a course that has
# begun.
is "$(./generate_number 1 1) $(./generate_number 1 2) $(./generate_number 2 1) $(./generate_number 99 9999)" \
    '29 58 76 9' 'the numbers are those of the formula'
ok 'generate_number reads group and ID from standard input' with '1\n7\n' ./generate_number
is "$out" "$number" 'standard input and arguments give the same number'
like "$err" 'Group: .*ID: ' 'generate_number prompts for group and ID'
ok 'answers with blanks and CRLF are accepted' with ' 1 \r\n7\r\n' ./generate_number
is "$out" "$number" 'blanks and CRLF do not change the number'
for id in $(seq 100); do ./generate_number 1 "$id" || break; done >"$TMP/one"
for id in $(seq 100); do ./generate_number 2 "$id" || break; done >"$TMP/two"
is "$(cat "$TMP/one" "$TMP/two" | grep -c -x -E '[1-9][0-9]?')" 200 'all of 200 students have numbers from 1 to 99'
holds 'a group has many different numbers' "$(sort -u "$TMP/one" | wc -l)" -gt 40
cmp -s "$TMP/one" "$TMP/two" && fail 'another group has other numbers' || pass 'another group has other numbers'
for id in 0 -1 +1 10000 99999999999999999999 7x x '' ' 7' 1.5; do
    refused 2 "ID '[^']*': expected a whole number from 1 to 9999" ./generate_number 1 "$id"
done
refused 2 "group '0': expected a whole number from 1 to 99" ./generate_number 0 1
refused 2 "group '100': expected a whole number from 1 to 99" ./generate_number 100 1
refused 2 "'1': expected GROUP and ID" ./generate_number 1
refused 2 "'3': expected GROUP and ID" ./generate_number 1 2 3
refused 2 "'--nonesuch': expected GROUP and ID" ./generate_number --nonesuch
fails 2 'a malformed answer fails' with 'x\n7\n' ./generate_number
like "$err" "group 'x': expected a whole number from 1 to 99" 'a malformed answer is refused'
fails 2 'a missing answer fails' with '1\n' ./generate_number
like "$err" 'no ID: the input ended' 'a missing answer is reported'
is "$out" '' 'without an ID, no number is printed'
ok '--help' ./generate_number --help
like "$out" 'generate_number GROUP ID' '--help prints the usage'
full_disk generate_number './generate_number 1 7'

# --- check_sums: right and wrong sums, scores

slips='1 1 3 3\n1 2 5 8\n1 3 6 14\n1 4 2 16\n1 5 4 20\ntime 1 62.5\n'
ok 'check_sums accepts the example of the slides' with "$slips" ./check_sums
is "$out" 'group 1: 5 sums, 0 wrong; 62.5 s + 0 x 20 s = 62.5 s' 'the example of the slides has no wrong sums'
is "$err" '' 'nothing is printed to stderr'

fails 1 'one wrong sum, with which the next students continue, fails' with \
    '1 1 3 3\n1 2 5 8\n1 3 6 15\n1 4 2 17\n1 5 4 21\ntime 1 62.5\n' ./check_sums
is "$out" 'group 1: 5 sums, 1 wrong; 62.5 s + 1 x 20 s = 82.5 s
  wrong: ID 3 (line 3): 8 + 6 is 14, not 15' 'a wrong sum counts once, and is named'
fails 1 'a wrong first sum fails' with '1 1 3 4\ntime 1 1\n' ./check_sums
like "$out" '^  wrong: ID 1 \(line 1\): 0 \+ 3 is 3, not 4$' 'the first sum is checked against 0'
like "$out" '= 21 s$' 'a wrong sum costs 20 s'

two='# two teams, in disorder\ntime 2 1:10\n2 3 1 6\n1,1,3,3\n'
two+='\n2 1 2 2   # a comment\n1\t2\t-5\t-2\r\n2 2 3 5\n  time 1 50.125'
ok 'two teams in any order, with commas, tabs, comments and no last newline, are read' with "$two" ./check_sums
is "$out" 'group 1: 2 sums, 0 wrong; 50.125 s + 0 x 20 s = 50.125 s
group 2: 3 sums, 0 wrong; 70 s + 0 x 20 s = 70 s
winner: group 1, 50.125 s' 'the faster one wins'
ok 'a byte order mark is skipped' with '\xef\xbb\xbf1 1 3 3\r\ntime 1 5\r\n' ./check_sums
fails 1 'two wrong sums of the faster team fail' with '1 1 1 2\n1 2 1 4\ntime 1 10\n2 1 1 1\ntime 2 49.9\n' ./check_sums
is "$(tail -n 1 <<<"$out")" 'winner: group 2, 49.9 s' 'the faster team loses with two wrong sums'
fails 1 'a tie with a wrong sum fails' with '1 1 1 2\ntime 1 0.1\n2 1 1 1\ntime 2 20.1\n' ./check_sums
is "$(tail -n 1 <<<"$out")" 'a tie: groups 1 and 2, 20.1 s' 'equal times are a tie'
ok 'a tie of three teams' with '1 1 1 1\ntime 1 5\n2 1 1 1\ntime 2 5.0\n7 1 1 1\ntime 7 0:5\n' ./check_sums
is "$(tail -n 1 <<<"$out")" 'a tie: groups 1, 2 and 7, 5 s' 'all teams of a tie are named'

# A large team, with known faults, checked by any number of threads.
awk 'BEGIN {
    for (i = 1; i <= 10000; i++) {
        sum += i % 7 + (i == 1 || i == 5000 || i == 5001 || i == 10000)
        print 1, i, i % 7, sum
    }
    print "time 1 100"
}' >"$TMP/large"
for threads in 1 2 3 64 256; do
    fails 1 "10000 slips with four wrong sums fail, $threads threads" env OMP_NUM_THREADS=$threads ./check_sums \
        "$TMP/large"
    is "$(grep -o 'ID [0-9]*' <<<"$out" | tr '\n' ,)" 'ID 1,ID 5000,ID 5001,ID 10000,' \
        "the four wrong sums are found, $threads threads"
    like "$out" '^group 1: 10000 sums, 4 wrong; 100 s \+ 4 x 20 s = 180 s$' \
        "the four wrong sums are scored, $threads threads"
done
ok 'more threads than slips are accepted' with "$slips" env OMP_NUM_THREADS=256 ./check_sums
ok 'a file is read by name' with "$slips" ./check_sums "$TMP/in"
ok 'the name - means standard input' with "$slips" ./check_sums -
for id in $(seq 30); do echo "1 $id $(./generate_number 1 "$id")"; done |
    awk '{ print $0, sum += $3 } END { print "time 1 240" }' >"$TMP/class"
ok 'check_sums accepts the numbers of generate_number' ./check_sums "$TMP/class"
like "$out" '^group 1: 30 sums, 0 wrong; ' 'a class with correct sums has no wrong sums'

# --- malformed lines

# bad TEXT INPUT: the input is refused in one line that has the text
bad() { printf '%b' "$2" >"$TMP/bad"; refused 2 "check_sums: $TMP/bad, $1" ./check_sums "$TMP/bad"; }
rest='\ntime 1 5\n'
bad 'line 1: 3 fields: expected GROUP ID NUMBER SUM, or time GROUP SECONDS' "1 1 3$rest"
bad 'line 1: 1 field: expected GROUP ID NUMBER SUM' "hello$rest"
bad 'line 1: more than 4 fields: expected GROUP ID NUMBER SUM' "1 1 3 3 3 3$rest"
bad "line 2: number 'x': expected a whole number from -1000000000000000 to 1000000000000000" "1 1 3 3\n1 2 x 8$rest"
bad "line 2: number '1.5': expected a whole number" "1 1 3 3\n1 2 1.5 8$rest"
bad "line 2: sum '99999999999999999999': expected a whole number" "1 1 3 3\n1 2 3 99999999999999999999$rest"
bad "line 1: ID '0': expected a whole number from 1 to " "1 0 3 3$rest"
bad "line 1: group '100': expected a whole number from 1 to 99" "100 1 3 3$rest"
bad 'line 1: not a text' "1 1 3 3\0000$rest"
bad 'line 3: ID 2 of group 1 a second time; line 2 has it' "1 1 3 3\n1 2 3 6\n1 2 3 6$rest"
bad 'line 2: ID 3 of group 1, but there is no ID 2: expected 1, 2, 3 and so on' "1 1 3 3\n1 3 3 6$rest"
bad 'line 1: ID 2 of group 1, but there is no ID 1' "1 2 3 3$rest"
bad 'line 3: a second time for group 1; line 2 has one' "1 1 3 3${rest}time 1 6\n"
bad 'line 3: a time for group 2, which has no slips' "1 1 3 3${rest}time 2 6\n"
for seconds in x -5 +5 1:75 1:-5 :5 5: 5. 1.2345 1e3 inf nan 0x10 1000001 1000000.001 16666:41 99999999999999999999 \
    1:2:3; do
    bad "line 2: time '[^']*': expected seconds from 0 to 1000000" "1 1 3 3\ntime 1 $seconds\n"
done
printf '1 1 3 3\n' >"$TMP/bad"
refused 2 "group 1 has no time: expected a line 'time 1 SECONDS'" ./check_sums "$TMP/bad"

fails 2 'several malformed lines fail' with '1 1 3 3\n1 2 x 8\n1 3\ntime 1 y\n' ./check_sums
is "$(grep -o 'standard input, line [0-9]*' <<<"$err" | tr '\n' ,)" \
    'standard input, line 2,standard input, line 3,standard input, line 4,' 'every malformed line is reported'
fails 2 'a file with other text fails' ./check_sums "$ROOT/LICENSE"
holds 'at most ten malformed lines are reported' "$(grep -c '' <<<"$err")" -le 11
like "$err" 'and [1-9][0-9]* more$' 'the number of other malformed lines is reported'

# --- no input

refused 2 'standard input: no slips: expected lines GROUP ID NUMBER SUM' ./check_sums
printf '# empty\n\n' >"$TMP/empty"
refused 2 'empty: no slips: expected lines' ./check_sums "$TMP/empty"
refused 2 '/nonesuch/file: No such file or directory' ./check_sums /nonesuch/file
refused 2 'Is a directory' ./check_sums "$TMP"
printf '%b' "$slips" >"$TMP/secret"
chmod 000 "$TMP/secret"
if [ -r "$TMP/secret" ]; then skip 'a file without read permission is refused' 'root reads everything'
else refused 2 'secret: Permission denied' ./check_sums "$TMP/secret"; fi
full_disk check_sums "./check_sums '$TMP/class'"

# --- options

refused 2 'nonesuch: unknown option' ./check_sums --nonesuch
refused 2 'expected nothing after the file' ./check_sums "$TMP/class" "$TMP/class"
ok '--help' ./check_sums --help
for word in GROUP NUMBER SUM 'time GROUP SECONDS' 'Exit status'; do like "$out" "$word" "--help mentions $word"; done

# --- make

ok 'make clean' make -s clean
is "$(ls -d generate_number* check_sums* | tr '\n' ' ')" 'check_sums.c generate_number.c ' \
    'make clean removes the programs and keeps their sources'
done_testing
