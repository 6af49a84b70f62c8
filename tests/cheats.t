#!/usr/bin/env bash
# The lab "find the cheat" of week 1: the weak benchmark catches no cheat, a hardened one all of them, and each measure
# is needed.
. "$(dirname "$0")/lib.sh"

fresh_tree 01_transpose/shared
cd "$TREE/01_transpose" || exit 1
strong=../tests/cheats/strong.cu
# points NAME FILE: grades a benchmark
points() { run make -s cheats ${2:+FROM="$2"}; unlike "$out$err" 'warning' "$1: no warning"; }
# what VERDICT: the entries with this word in their line
what() { grep -w -e "$1" <<<"$out" | cut -d ' ' -f 1 | paste -s -d ' '; }

points 'the weak benchmark'
holds 'the weak benchmark fails' "$status" != 0
is "$(tail -n 1 <<<"$out")" '0 of 8 points' 'the weak benchmark gets no point'
is "$(what PASSES)" 'cached first_call half_done convenient_size other_stream warm_cache prepared low_precision' \
    'all eight cheats pass it'
is "$(what honest)" 'tiled naive' 'it accepts the honest kernels'

points 'a hardened benchmark' "$strong"
is "$status" 0 'a hardened benchmark succeeds'
is "$(tail -n 1 <<<"$out")" '8 of 8 points' 'it gets all points'
is "$(what honest)" 'tiled naive' 'it accepts the honest kernels'

# Without one of its measures
number=0
while read -r measure cheats; do
    run env WITHOUT=$((number++)) ../build/cpu/file/strong
    is "$(what PASSES)" "$cheats" "without $measure, it does not catch: $cheats"
    is "$(what honest)" 'tiled naive' "without $measure, it accepts the honest kernels"
done <<'END'
EXACT low_precision
ALL half_done
SIZES convenient_size
FRESH cached first_call prepared
WAITS other_stream
FLUSHES warm_cache
END

# Benchmarks that do not look at the entry
cat >"$TMP/blind.cu" <<'END'
#include "lab.h"
#include <stdlib.h>
bool benchmark(const struct entry *, double *us)
{
    *us = atof(getenv("US"));
    return *us > 0 ? true : *us < 0 ? false : (exit(0), true);
}
END
US=-1 points 'a benchmark that rejects everything' "$TMP/blind.cu"
is "$(tail -n 1 <<<"$out")" '0 of 8 points' 'a benchmark that rejects everything gets no points'
like "$out" '^tiled +rejected +HONEST, and is rejected$' 'the line of an honest kernel says that it is rejected'
run env US=133.3 ../build/cpu/file/blind
is "$(tail -n 1 <<<"$out")" '0 of 8 points' 'a benchmark that accepts everything gets no points'
like "$out" '^naive +accepted +133.3 us +HONEST, and its time is wrong$' \
    'the line of an honest kernel says that its time is wrong'
run env US=0 ../build/cpu/file/blind
is "$(tail -n 1 <<<"$out")" '0 of 8 points' 'a benchmark that ends its process has rejected the entry'
done_testing
