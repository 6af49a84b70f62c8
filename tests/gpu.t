#!/usr/bin/env bash
# Every stage and reference on the GPU, where there is one.
. "$(dirname "$0")/lib.sh"

[ -n "$(gpu)" ] || skip_all 'nvcc and a GPU are not both here'

fresh_tree
for week in "$TREE"/[0-9][0-9]_*/; do
    cd "$week" || exit 1
    week=$(basename "$week")
    make -s -k -j"$(nproc)" DEVICE=gpu all >/dev/null 2>&1
    for stage in $(make -s list | awk '{ print $1 }'); do
        ok "$week/$stage builds" make -s DEVICE=gpu "$stage"
        run "./$stage" --check
        case $status in
        0)
            like "$out" '[1-9][0-9]* right, 0 wrong' "$week/$stage is right"
            [ "$week" != 02_reduction ] || like "$out" '^2147493655 +int +(right|refused: .|left out: .)' "$week/$stage: above 2^31 elements" ;;
        77) skip "$week/$stage is right" "$(tail -n 1 <<<"$out$err")" ;;
        *) fail "$week/$stage is right" "exit status $status" "$out" "$err" ;;
        esac
    done
    # References of another arithmetic are measured beside stages that have one.
    first=$(make -s list | awk 'NR == 1 { print $1 }') other=$(grep -l '^// Arithmetic:' stage*.cu | head -n 1)
    ok "$week: a run with references" ./$first --reps 5
    [ -z "$other" ] || { report=$out; ok "$week: a run in another arithmetic" "./${other%%_*}" --reps 5; out="$report$out"; }
    for reference in build/gpu/ref_*.so; do
        name=$(basename "$reference" .so)
        like "$out" "$name" "$week/$name is in the report"
    done
done
done_testing
