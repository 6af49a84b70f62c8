#!/usr/bin/env bash
# The form of C, C++ and CUDA: lines of at most 100 columns, functions of at most 60 lines except in stages, heads of at most 16, formatted with .clang-format.
. "$(dirname "$0")/lib.sh"
cd "$ROOT" || exit 1

sources=$(find . \( -name build -o -name .git -o -name results \) -prune -o \( -name '*.c' -o -name '*.h' -o -name '*.cpp' -o -name '*.cu' \) -print | sed 's|^\./||' | sort)
[ "$(grep -c . <<<"$sources")" -gt 100 ] && pass 'the sources are found' || fail 'the sources are found' "$sources"
is "$(awk 'length > 100 { print FILENAME ":" FNR }' $sources)" '' 'no line is over 100 columns'
# The line before "{" has the last of the parameters.
is "$(awk '/^\{/ { from = FNR - 1 } /^\}/ && from { if (FNR - from + 1 > 60) print FILENAME ":" from ": " FNR - from + 1 " lines"; from = 0 }' $(grep -v '/stage[0-9]' <<<"$sources"))" '' \
    'no function outside stages is over 60 lines'
# The head of a stage is its comment lines before the first line of code.
heads=$(awk 'FNR == 1 { head = 1; lines = claims = 0 } head && !/^\/\// { head = 0; print lines, claims, FILENAME } { lines++; claims += /^\/\/ Expect/ }' 0*/stage*.cu)
is "$(grep -c . <<<"$heads")" "$(ls 0*/stage*.cu | wc -l)" 'every stage has a head'
is "$(awk '$1 < 3 || $1 > 16' <<<"$heads")" '' 'the head of a stage has at most 16 lines'
is "$(awk '$2 > 4' <<<"$heads")" '' 'and at most four claims'
if have clang-format && clang-format --version | grep -q 'version 14'; then
    ok 'everything is formatted (else: clang-format -i FILE)' clang-format --dry-run -Werror $sources
else
    skip 'everything is formatted' 'clang-format 14 is not here'
fi
done_testing
