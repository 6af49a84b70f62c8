#!/usr/bin/env bash
# What stages and references claim of a GPU is what the recorded run found: every "// Expect (sm_...)" line and every line of a week's `claims`.
. "$(dirname "$0")/lib.sh"
use_ladder

judged=0
for table in "$ROOT"/plots/data/h200/*.ladder.tsv; do
    [ -f "$table" ] || continue
    week=${table##*/} week=${week%%.*}
    cd "$ROOT/$week" || exit 1
    # Other parts have what the ladder lacks.
    tables=
    for part in shmoo knobs sensitivity ways ladder; do [ ! -f "${table%ladder.tsv}$part.tsv" ] || tables="$tables ${table%ladder.tsv}$part.tsv"; done
    sources=$(ls stage*.cu ref_*.cu claims 2>/dev/null)
    ok "$week: no claim is refuted by the recorded run" "$LADDER" claims --device gpu $tables -- $sources
    is "$(grep -c . <<<"$out")" "$(cat $sources | grep -c -e '^// Expect (sm_' -e '^[a-z0-9_]* (sm_')" "$week: every claim is judged"
    is "$(grep 'not measured' <<<"$out")" '' "$week: no claim is about what was not recorded"
    judged=$((judged + $(grep -c '^  holds' <<<"$out")))
done
[ $judged != 0 ] || fail 'there are claims that hold'
done_testing
