#!/usr/bin/env bash
# A week owns its meaning: the code of common/ names no week, stage or figure of a week. Ordinary words that are also
# names of stages are listed here.
. "$(dirname "$0")/lib.sh"
cd "$ROOT" || exit 1

ordinary='access accuracy atomics bf16 cluster copy dp4a functions generations global instructions occupancy padding
    prefetch roofline sectors shared small stride swizzle texture unrolled wgmma'
# The code without comments and without the columns of the result table, one line per line of code.
for file in common/{base,harness,make,stage,table,tool,tool/*}/*; do
    case $file in
    */columns.h) ;;
    *.c | *.h) gcc -fpreprocessed -dD -E -P -x c++ "$file" 2>/dev/null | sed "s|^|$file: |" ;;
    *) [ ! -f "$file" ] || grep -v '^[[:space:]]*#' "$file" | sed "s|^|$file: |" ;;
    esac
done >"$TMP/code"
holds 'the code is read' "$(wc -l <"$TMP/code")" -gt 10000

special() { grep -vxFf <(printf '%s\n' $ordinary); }
# named NAMES: where the code has one of these names
named() { grep -wnFf <(printf '%s\n' $1) "$TMP/code" | cut -c1-160 | head -n 20; }
weeks=$(ls -d [0-9][0-9]_*)
stages=$(ls [0-9][0-9]_*/stage*.cu | sed 's|.*/stage[0-9]*_||; s|\.cu$||' | sort -u | special)
figures_of() { sed -n 's/^figure  *//p' "$@" | sort -u; }
figures=$(comm -23 <(figures_of [0-9][0-9]_*/figures) <(figures_of common/figures) | special)
holds 'the names are found' "$(wc -w <<<"$weeks $stages $figures")" -gt 50
is "$(named "$weeks" | grep -v 'for example')" '' 'no week is named, except as an example in a message'
is "$(named "$stages")" '' 'no stage is named'
is "$(named "$figures")" '' 'no figure of a week is named'
done_testing
