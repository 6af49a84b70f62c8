#!/usr/bin/env bash
# Helpers that week 3 moved to its header are those of the stage that shows them: the bodies are the same text.
. "$(dirname "$0")/lib.sh"

# The lines of a function's body, from "{" to "}".
body() { awk -v name="$1" 'index($0, " " name "(") { at = 1 } at && /^\{/ { on = 1 } on { print } at && /^\}/ { exit }' "$2"; }

for helper in store_tile:stage11; do
    IFS=: read -r name stage <<<"$helper"
    text=$(body "$name" "$ROOT"/03_matmul/"$stage"_*.cu)
    like "$text" 'for \(' "$stage shows $name"
    is "$(body "$name" "$ROOT/03_matmul/matmul.h")" "$text" "$name of matmul.h is that of $stage"
done
done_testing
