#!/usr/bin/env bash
# Every stage and reference runs on the GPU, if there is one; FULL=1 checks large sizes, too.
. "$(dirname "$0")/lib.sh"

[ -n "$(gpu)" ] || skip_all 'this needs nvcc and a GPU'

sizes=--quick
is_full && sizes=
fresh_tree
for week in $(ladders); do
    cd "$TREE/$week" || exit 1
    make -s -k -j"$(nproc)" DEVICE=gpu all >/dev/null 2>&1
    for stage in $(make -s list | awk '{ print $1 }'); do
        ok "$week/$stage builds" make -s DEVICE=gpu "$stage"
        run "./$stage" --check $sizes
        case $status in
        0)
            like "$out" '[1-9][0-9]* right, 0 wrong' "$week/$stage is correct"
            [ "$week" != 02_reduction ] || [ "$sizes" ] || like "$out" '^2147493655 +int +(right|refused: .)' \
                "$week/$stage: more than 2^31 elements are correct or refused" ;;
        77) skip "$week/$stage is correct" "$(tail -n 1 <<<"$out$err")" ;;
        *) fail "$week/$stage is correct" "exit status $status" "$out" "$err" ;;
        esac
    done
    # References with another precision or element type are measured only with stages that have an "// Arithmetic:" or
    # that "// Type:" line.
    first=$(make -s list | awk 'NR == 1 { print $1 }')
    ok "$week: a stage is timed with references" ./$first --reps 5
    for line in Arithmetic Type; do
        other=$(grep -l "^// $line:" stage*.cu | head -n 1)
        [ -n "$other" ] || continue
        report=$out
        ok "$week: a stage with its own line $line is timed with references" "./${other%%_*}" --reps 5
        out="$report$out"
    done
    for reference in build/gpu/ref_*.so; do
        name=$(basename "$reference" .so)
        like "$out" "$name" "$week: the report has $name"
    done
done
done_testing
