#!/usr/bin/env bash
# Device functions in a week's header have the same text as in the stage that introduces them.
. "$(dirname "$0")/lib.sh"

# body NAME FILE: the lines of a function's body, from "{" to "}". "f(T" selects the function f whose first parameter begins with T.
body() { awk -v name="$1" 'index($0, " " name (name ~ /[(]/ ? "" : "(")) { at = 1 } at && /^\{/ { on = 1 } on { print } at && /^\}/ { exit }' "$2"; }

for helper in 02_reduction/reduction.h:thread_sum:stage9 '02_reduction/reduction.h:combine_blocks(T:stage10' \
    '02_reduction/reduction.h:combine_blocks(unsigned:stage11' 03_matmul/pipeline.h:store_tile:stage13 03_matmul/matmul.h:tile_corner:stage15 \
    03_matmul/pipeline.h:load_fragments:stage12 03_matmul/pipeline.h:load_fragments:stage13 03_matmul/pipeline.h:thread_position:stage13 \
    03_matmul/pipeline.h:multiply_fragments:stage13 03_matmul/pipeline.h:multiply_tile:stage13 \
    03_matmul/split_k.h:store_partial_tile:stage17 03_matmul/split_k.h:load_partial_tile:stage17; do
    IFS=: read -r header name stage <<<"$helper"
    text=$(body "$name" "$ROOT/${header%/*}/$stage"_*.cu)
    like "$text" '(for|if) \(|return ' "$stage defines $name"
    is "$(body "$name" "$ROOT/$header")" "$text" "$name in $header has the text of $stage"
done

# make stage3 TILE=8 defines TILE on the command line, so that a template parameter of that name in the week's header would not compile.
for header in "$ROOT"/03_matmul/*.h; do
    knobs=$(sed -n 's/^#ifndef \([A-Z0-9_]*\)$/\1/p' $(grep -l "^#include \"${header##*/}\"" "${header%/*}"/stage*.cu 2>/dev/null) </dev/null | sort -u)
    named=
    for knob in $knobs; do
        grep -q "^ *template <.*[a-z] $knob[,>]" "$header" && named="$named $knob"
    done
    is "$named" '' "no template parameter of ${header#"$ROOT"/} is named like a knob of a stage that includes it"
done

# Week 4: each namespace of stages.h and stages_mma.h is named after the stage that introduces its functions; a later namespace may use an earlier one.
code() { sed 's, *//.*,,; s/\<inline //; /^using stage[0-9]*::/d; /^$/d' "$@"; }
headers="$ROOT/04_convolution/stages.h $ROOT/04_convolution/stages_mma.h"
for stage in $(sed -n 's/^namespace \(stage[0-9]*\) {$/\1/p' $headers); do
    sed -n "/^namespace $stage {$/,/^}   \/\/ namespace/p" $headers | sed '1d;$d' | code >"$TMP/shared"
    code "$ROOT/04_convolution/$stage"_*.cu >"$TMP/stage"
    [ -s "$TMP/shared" ] && pass "namespace $stage is not empty" || fail "namespace $stage is not empty"
    is "$(grep -v -x -F -f "$TMP/stage" "$TMP/shared")" '' "$stage has every line of namespace $stage"
done
[ -n "${stage-}" ] || fail 'stages.h has namespaces'
done_testing
