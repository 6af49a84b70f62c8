#!/usr/bin/env bash
# The CPU device's counts equal those that Nsight Compute (ncu) measured on an H200, for each stage and recorded size. Exceptions are listed here.
. "$(dirname "$0")/lib.sh"
use_ladder

# WEEK NAME COUNTER: REASON. A counter that equals ncu's must not be listed.
exceptions='
'

fresh_tree $(every_week all)
for week in "$TREE"/[0-9][0-9]_*/; do
    cd "$week" || exit 1
    week=$(basename "$week")
    measured=$ROOT/plots/data/h200/$week.counts.tsv
    [ -f "$measured" ] || { fail "$week: counts of ncu are recorded"; continue; }
    make -s -k -j2 DEVICE=cpu all >/dev/null 2>&1
    rm -f "$TMP/$week.tsv"
    while read -r stage name size type; do
        [ -x "$stage" ] || { fail "$week: $stage is built"; continue; }
        run "./$stage" --count --size "$size" --type "$type" --sms 132 --tsv "$TMP/$week.tsv"
        case $status in 0 | 77) ;; *) fail "$week/$name counts at $size" "exit status $status" "$err" ;; esac
    done < <(cells "$measured" stage name size type)
    ok "$week: the counts are compared" "$LADDER" differences "$measured" "$TMP/$week.tsv"
    echo "$out" | sed 's/^/# /'
    differ=$(awk -v week="$week" '$1 == week { print $2, $4 }' <<<"$out" | sort -u)
    named=$(sed -n "s/^$week \(.*\): .*/\1/p" <<<"$exceptions" | sort -u)
    is "$differ" "$named" "$week: every stage has the counts of ncu, except those listed"
done
done_testing
