#!/usr/bin/env bash
# make exam: ten problems with numbers drawn from a seed, and their answers.
. "$(dirname "$0")/lib.sh"
use_ladder
cd "$TMP" || exit
exam() { run "$LADDER" exam "$1" "$TMP"; }

exam 7
is "$status $out" "0 $TMP/exam7.md: 10 problems; the answers are in exam7_answers.md" 'an exam has ten problems'
is "$(grep -c '^## ' exam7.md) $(grep -c '^## ' exam7_answers.md)" '10 10' 'and an answer for each'
cp exam7_answers.md before.md
exam 7
is "$(cmp before.md exam7_answers.md)" '' 'a seed gives the same exam'
exam 8
holds 'another seed gives another one' "$(diff exam7.md exam8.md | grep -c '^>')" -ge 10
for seed in $(seq 1 40); do exam "$seed"; [ $status = 0 ] || fail "SEED=$seed" "$err"; done
is "$(grep -l '[{}]' exam*.md)" '' 'every expression has a value'
is "$(cat exam*.md | sed -n 's/^## [0-9]*\. //p' | sort -u)" \
    "$(sed -n 's/^problem [0-9]: //p' "$ROOT/common/exam" | sort)" \
    'every problem is drawn'
is "$(for exam in exam?.md exam??.md; do
    sed -n 's/^## [0-9]*\. //p' "$exam" | while read -r title; do
        sed -n "s/^problem \(.\): $title\$/\1/p" "$ROOT/common/exam"
    done | sort | uniq -c | awk -v exam="$exam" '$1 < 2 { print exam, "week", $2 } END { if (NR != 5) print exam }'
done)" '' 'at least two problems are from each week'
is "$(grep -h '\*\*' exam?.md exam??.md)" '' 'the exam itself has no result'

mkdir some
for seed in 1 2 3 4 5; do ok "weeks 2, 3 and 5, SEED=$seed" "$LADDER" exam "$seed" "$TMP/some" '2 3 5'; done
is "$(cat some/exam?.md | sed -n 's/^## [0-9]*\. //p' | while read -r title; do
    sed -n "s/^problem \(.\): $title\$/\1/p" "$ROOT/common/exam"
done | sort -u | tr '\n' ' ')" '2 3 5 ' 'the problems are of these weeks'
for weeks in 7 x '1 22'; do
    refused "ARGS: '${weeks##* }': expected weeks that have problems" "$LADDER" exam 1 "$TMP" "$weeks"
done

# The answers of some problems, computed in another way: the numbers of the text, then the bold ones.
problems()
{
    awk -v title="$1" '/^## / { on = index($0, ". " title) > 0; next } /^$/ { next }
        on && !/\*\*/ { given = $0; next }
        on { n = split($0, part, /\*\*/); gsub(/[^0-9.]+|\.[^0-9]/, " ", given); results = ""
             for (i = 2; i <= n; i += 2) { gsub(/[^0-9.]/, "", part[i]); results = results " " part[i] }
             print given, ":", results }' exam*_answers.md | sort -u
}
wrong() { problems "$1" | awk -F: "function gcd(a, b) { return b ? gcd(b, a % b) : a }
    { split(\$1, in_, /[^0-9.]+/); split(\$2, got, / +/); k = in_[1] == \"\" ? 1 : 0; $2 }"; }
is "$(wrong 'Banks of a column' '{ w = in_[k + 2]
    if (got[2] != gcd(w, 32) || got[3] != 32 / gcd(w, 32)) print }')" '' 'the banks of a column'
is "$(wrong 'Waves' '{ n = in_[k + 1]; t = n * n / in_[k + 3] / in_[k + 4]; w = 0; while (w * in_[k + 5] < t) w++
    if (got[2] != t || got[3] != w || got[4] != sprintf("%.0f", 100 * t / (w * in_[k + 5]))) print }')" '' 'waves'
is "$(wrong 'Sectors of a row' '{ b = in_[k + 2]; o = in_[k + 3]; n = 0
    for (at = 0; at < o + 32 * b; at += 32) n += at + 32 > o; if (got[2] != n) print }')" '' 'sectors of a row'
is "$(wrong 'Additions and steps' '{ n = in_[k + 1]; a = s = 0; for (d = 1; d < n; d *= 2) { a += n - d; s++ }
    if (got[2] != a || got[3] != s || got[4] != 2 * (n - 1) || got[5] != 2 * s) print }')" '' 'additions and steps'
is "$(problems 'Waves' | grep -c :)" "$(problems 'Waves' | wc -l)" 'they are found'
holds 'more than one draw of each is compared' "$(problems 'Banks of a column' | wc -l)" -ge 4

for seed in '' x 1x -1 99999999999999999999; do
    refused "SEED='$seed': expected a number of at most 18 digits, for example 2026" "$LADDER" exam "$seed" "$TMP"
done
mkdir -p root/build root/common
cp "$LADDER" root/build
bad()
{
    printf '%s\n' "${@:2}" >root/common/exam
    refused "$1" root/build/ladder exam 1 "$TMP"
}
bad "'nonsense': expected problem WEEK: TITLE, given, text: or answer:" nonsense
bad "'given a': expected names and values" 'problem 1: A' 'given a'
bad "'given a,b 1': expected a value per name" 'problem 1: A' 'given a,b 1'
bad 'exam: A: .a [+] .: a number' 'problem 1: A' 'given a 1' 'text: {a + }'
done_testing
