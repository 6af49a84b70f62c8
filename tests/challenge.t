#!/usr/bin/env bash
# The classroom challenge of week 2: the numbers that students are given, and the check of what they made of them.
. "$(dirname "$0")/lib.sh"

fresh_tree
cd "$TREE/02_reduction" || exit 1
ok 'build' make -s DEVICE=cpu generate_number check_sums
unlike "$out$err" 'warning' 'without a warning'

# refused STATUS TEXT command...: one line on stderr, and nothing on stdout
refused()
{
    local want=$1 text=$2
    shift 2
    fails "$want" "refused: $*" "$@"
    is "$(grep -c '' <<<"$err")" 1 'in one line'
    like "$err" "$text" 'that says what is wrong'
    is "$out" '' 'nothing on stdout'
}
# with INPUT command...: the text as standard input
with() { printf '%b' "$1" >"$TMP/in"; shift; "$@" <"$TMP/in"; }

# --- generate_number

ok 'a number' ./generate_number 1 7
number=$out
like "$number" '^[1-9][0-9]?$' 'is from 1 to 99, alone on its line'
ok 'again' ./generate_number 1 7
is "$out" "$number" 'is the same'
# As the formula gives them in another language's exact integers: whoever changes it changes the numbers of a course that is under way.
is "$(./generate_number 1 1) $(./generate_number 1 2) $(./generate_number 2 1) $(./generate_number 99 9999)" '29 58 76 9' 'the numbers are those of all years'
ok 'asked for' with '1\n7\n' ./generate_number
is "$out" "$number" 'both ways give the same number'
like "$err" 'Group: .*ID: ' 'it asks for the group and the ID'
ok 'blanks and CRLF in the answers' with ' 1 \r\n7\r\n' ./generate_number
is "$out" "$number" 'are no part of them'
for id in $(seq 100); do ./generate_number 1 "$id" || break; done >"$TMP/one"
for id in $(seq 100); do ./generate_number 2 "$id" || break; done >"$TMP/two"
is "$(cat "$TMP/one" "$TMP/two" | grep -c -x -E '[1-9][0-9]?')" 200 'two hundred students have numbers from 1 to 99'
[ "$(sort -u "$TMP/one" | wc -l)" -gt 40 ] && pass 'of many kinds' || fail 'of many kinds' "$(cat "$TMP/one")"
cmp -s "$TMP/one" "$TMP/two" && fail 'another group has others' || pass 'another group has others'
for id in 0 -1 +1 10000 99999999999999999999 7x x '' ' 7' 1.5; do refused 2 "ID '[^']*': expected a whole number from 1 to 9999" ./generate_number 1 "$id"; done
refused 2 "group '0': expected a whole number from 1 to 99" ./generate_number 0 1
refused 2 "group '100': expected a whole number from 1 to 99" ./generate_number 100 1
refused 2 "'1': expected GROUP and ID" ./generate_number 1
refused 2 "'3': expected GROUP and ID" ./generate_number 1 2 3
refused 2 "'--nonesuch': expected GROUP and ID" ./generate_number --nonesuch
fails 2 'a wrong answer' with 'x\n7\n' ./generate_number
like "$err" "group 'x': expected a whole number from 1 to 99" 'is refused'
fails 2 'no answer' with '1\n' ./generate_number
like "$err" 'no ID: the input ended' 'is told'
is "$out" '' 'and no number is given'
ok '--help' ./generate_number --help
like "$out" 'generate_number GROUP ID' 'tells the usage'
if [ -c /dev/full ]; then fails 2 'a full disk' bash -c './generate_number 1 7 >/dev/full'; else skip 'a full disk' 'there is no /dev/full here'; fi

# --- check_sums: right and wrong sums, scores

slips='1 1 3 3\n1 2 5 8\n1 3 6 14\n1 4 2 16\n1 5 4 20\ntime 1 62.5\n'
ok 'the slides'\'' example' with "$slips" ./check_sums
is "$out" 'group 1: 5 sums, 0 wrong; 62.5 s + 0 x 20 s = 62.5 s' 'is right'
is "$err" '' 'nothing on stderr'

fails 1 'one wrong sum, on which the next ones build' with '1 1 3 3\n1 2 5 8\n1 3 6 15\n1 4 2 17\n1 5 4 21\ntime 1 62.5\n' ./check_sums
is "$out" 'group 1: 5 sums, 1 wrong; 62.5 s + 1 x 20 s = 82.5 s
  wrong: ID 3 (line 3): 8 + 6 is 14, not 15' 'counts once, and is named'
fails 1 'a first sum that is wrong' with '1 1 3 4\ntime 1 1\n' ./check_sums
like "$out" '^  wrong: ID 1 \(line 1\): 0 \+ 3 is 3, not 4$' 'has no predecessor'
like "$out" '= 21 s$' 'and costs 20 s'

two='# two teams, in disorder\ntime 2 1:10\n2 3 1 6\n1,1,3,3\n\n2 1 2 2   # a comment\n1\t2\t-5\t-2\r\n2 2 3 5\n  time 1 50.125'
ok 'two teams, in any order, with commas, tabs, comments and no last newline' with "$two" ./check_sums
is "$out" 'group 1: 2 sums, 0 wrong; 50.125 s + 0 x 20 s = 50.125 s
group 2: 3 sums, 0 wrong; 70 s + 0 x 20 s = 70 s
winner: group 1, 50.125 s' 'the faster one wins'
ok 'a byte order mark, as Windows writes it' with '\xef\xbb\xbf1 1 3 3\r\ntime 1 5\r\n' ./check_sums
fails 1 'two wrong answers of the faster team' with '1 1 1 2\n1 2 1 4\ntime 1 10\n2 1 1 1\ntime 2 49.9\n' ./check_sums
is "$(tail -n 1 <<<"$out")" 'winner: group 2, 49.9 s' 'lose it the game'
fails 1 'a tie' with '1 1 1 2\ntime 1 0.1\n2 1 1 1\ntime 2 20.1\n' ./check_sums
is "$(tail -n 1 <<<"$out")" 'a tie: groups 1 and 2, 20.1 s' 'is a tie'
ok 'three tie' with '1 1 1 1\ntime 1 5\n2 1 1 1\ntime 2 5.0\n7 1 1 1\ntime 7 0:5\n' ./check_sums
is "$(tail -n 1 <<<"$out")" 'a tie: groups 1, 2 and 7, 5 s' 'all are named'

# A large team, with known faults, checked by any number of threads.
awk 'BEGIN { for (i = 1; i <= 10000; i++) { sum += i % 7; if (i == 1 || i == 5000 || i == 5001 || i == 10000) sum++; print 1, i, i % 7, sum }
    print "time 1 100" }' >"$TMP/large"
for threads in 1 2 3 64 256; do
    fails 1 "10000 slips, $threads threads" env OMP_NUM_THREADS=$threads ./check_sums "$TMP/large"
    is "$(grep -o 'ID [0-9]*' <<<"$out" | tr '\n' ,)" 'ID 1,ID 5000,ID 5001,ID 10000,' 'the four wrong sums are found'
    like "$out" '^group 1: 10000 sums, 4 wrong; 100 s \+ 4 x 20 s = 180 s$' 'and scored'
done
ok 'more threads than slips' with "$slips" env OMP_NUM_THREADS=256 ./check_sums
ok 'a file by name' with "$slips" ./check_sums "$TMP/in"
ok 'standard input by name' with "$slips" ./check_sums -
for id in $(seq 30); do echo "1 $id $(./generate_number 1 "$id")"; done | awk '{ print $0, sum += $3 } END { print "time 1 240" }' >"$TMP/class"
ok 'a class with the numbers of generate_number' ./check_sums "$TMP/class"
like "$out" '^group 1: 30 sums, 0 wrong; ' 'has added well'

# --- lines that cannot be read

# bad TEXT INPUT: refused in one line that has the text
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
for seconds in x -5 +5 1:75 1:-5 :5 5: 5. 1.2345 1e3 inf nan 0x10 1000001 1000000.001 16666:41 99999999999999999999 1:2:3; do
    bad "line 2: time '[^']*': expected seconds from 0 to 1000000" "1 1 3 3\ntime 1 $seconds\n"
done
printf '1 1 3 3\n' >"$TMP/bad"
refused 2 "group 1 has no time: expected a line 'time 1 SECONDS'" ./check_sums "$TMP/bad"

fails 2 'several bad lines' with '1 1 3 3\n1 2 x 8\n1 3\ntime 1 y\n' ./check_sums
is "$(grep -o 'standard input, line [0-9]*' <<<"$err" | tr '\n' ,)" 'standard input, line 2,standard input, line 3,standard input, line 4,' 'are all told'
fails 2 'a file of something else' ./check_sums "$ROOT/LICENSE"
[ "$(grep -c '' <<<"$err")" -le 11 ] && pass 'is not told line by line' || fail 'is not told line by line' "$err"
like "$err" 'and [1-9][0-9]* more$' 'but how many there are'

# --- no input

refused 2 'standard input: no slips: expected lines GROUP ID NUMBER SUM' ./check_sums
printf '# nobody\n\n' >"$TMP/nobody"
refused 2 'nobody: no slips: expected lines' ./check_sums "$TMP/nobody"
refused 2 '/nonesuch/file: No such file or directory' ./check_sums /nonesuch/file
refused 2 'Is a directory' ./check_sums "$TMP"
printf '%b' "$slips" >"$TMP/secret"
chmod 000 "$TMP/secret"
if [ -r "$TMP/secret" ]; then skip 'a file that may not be read' 'root reads everything'
else refused 2 'secret: Permission denied' ./check_sums "$TMP/secret"; fi
if [ -c /dev/full ]; then fails 2 'a full disk' bash -c "./check_sums '$TMP/class' >/dev/full"; else skip 'a full disk' 'there is no /dev/full here'; fi

# --- options

refused 2 'nonesuch: unknown option' ./check_sums --nonesuch
refused 2 'expected nothing after the file' ./check_sums "$TMP/class" "$TMP/class"
ok '--help' ./check_sums --help
for word in GROUP NUMBER SUM 'time GROUP SECONDS' 'Exit status'; do like "$out" "$word" "--help tells of $word"; done

# --- make

ok 'make clean' make -s clean
[ ! -e generate_number ] && [ ! -L generate_number ] && [ ! -L check_sums ] && [ -e check_sums.c ] && pass 'removes the programs and keeps their sources' ||
    fail 'removes the programs and keeps their sources' "$(ls)"
done_testing
