#!/usr/bin/env bash
# The style of C, C++ and CUDA: lines of at most 100 columns; functions of at most 60 lines, except in stages; heads of
# at most 16 lines; the format of .clang-format; the length of stages and headers; the lines that a stage of the core
# ladder adds to the one that it changes. Tests, shell, awk, make and gnuplot: lines of at most 120 columns.
. "$(dirname "$0")/lib.sh"
cd "$ROOT" || exit 1

files=$(find . \( -name build -o -name .git -o -name results -o -name out \) -prune -o -type f -print |
    sed 's|^\./||' | sort)
sources=$(grep -E '\.(c|h|cpp|cu)$' <<<"$files")
scripts=$(grep -E '\.(t|sh|awk|mk|gp)$|(^|/)Makefile$|^\.ci/run$' <<<"$files")
holds 'the sources are found' "$(grep -c . <<<"$sources")" -gt 100
holds 'the scripts are found' "$(grep -c . <<<"$scripts")" -gt 100
is "$(awk 'length > 100 { print FILENAME ":" FNR }' $sources)" '' 'no line is over 100 columns'
is "$(grep -nE '^[^"]*//[^"]*[^ ":(/]// ' $sources)" '' 'no comment begins within another'
# Those of the kinds of figures are printed within each figure's script.
printed='^plots/[a-z]*\.gp$'
is "$(awk 'length > 120 { print FILENAME ":" FNR }' $(grep -v -E "$printed" <<<"$scripts"))" '' \
    'no line of a test, a script, a Makefile or a gnuplot program is over 120 columns'
# The line before "{" ends the list of parameters.
is "$(awk '/^\{/ { from = FNR - 1 }
    /^\}/ && from { if (FNR - from + 1 > 60) print FILENAME ":" from ": " FNR - from + 1 " lines"; from = 0 }' \
    $(grep -v '/stage[0-9]' <<<"$sources"))" '' 'no function outside stages is over 60 lines'
# The head of a stage is its comment lines before the first line of code.
heads=$(awk 'FNR == 1 { head = 1; lines = claims = 0 }
    head && !/^\/\// { head = 0; print lines, claims, FILENAME }
    { lines++; claims += /^\/\/ Expect/ }' 0*/stage*.cu)
is "$(grep -c . <<<"$heads")" "$(ls 0*/stage*.cu | wc -l)" 'every stage has a head'
is "$(awk '$1 < 3 || $1 > 16' <<<"$heads")" '' 'the head of a stage has at most 16 lines'
is "$(awk '$2 > 4' <<<"$heads")" '' 'the head of a stage has at most four claims'

# Code: the lines after the head that are neither empty nor comments.
code() { awk '!head && /^\/\// { next } { head = 1 } !/^[ \t]*(\/\/|$)/' "$1"; }
# Preprocessor lines are not counted: most define named constants, and removing those would not shorten a kernel.
# Lines "// Type: bf16" and "// Arithmetic: tf32x3" mark pipelines of tensor cores, which are longer.
lengths=$(for stage in 0*/stage*.cu; do echo "$(code "$stage" | grep -vc '^[ \t]*#') $stage"; done)
is "$(awk '$1 > 80' <<<"$lengths")" '' 'no stage has more than 80 lines of code'
long=$(awk '$1 > 60' <<<"$lengths" |
    grep -v -F -f <(grep -lE '^// (Type: bf16|Arithmetic: tf32x3)' 0*/stage*.cu))
holds 'at most ten other stages have more than 60 lines of code' "$(grep -c . <<<"$long")" -le 10
is "$(wc -l 0*/*.h | awk '$2 != "total" && $1 > 250')" '' 'a header of a week has at most 250 lines'

# The core ladder, the line `core` of a week's messages: a step adds at most 40 lines of code to the stage that it
# changes ("// From:", or the one before). An exception "WEEK/STAGE LINES: reason" allows at most LINES lines, for this
# reason.
exceptions='03_matmul/stage9 45: the loop becomes a function, which stage 10 calls
03_matmul/stage12 67: the pipeline and the warp tile of stages 7 and 8, with ldmatrix and a swizzle
03_matmul/stage13 48: descriptors, TMA and an mbarrier in place of cp.async and fragments
03_matmul/stage14 59: a pipeline with two kinds of warps: ring, producer, consumers
04_convolution/stage6 46: a window of registers replaces the tile in shared memory: load, loop and store all change
04_convolution/stage14 65: the matrices, the product of a warp, and what each lane loads and stores
04_convolution/stage15 45: a tile in shared memory: copies, their wait, and a loop over the rows of the tile
05_scan/stage8 51: a word with a flag, how it is stored and loaded, and a number for each launch'
plain() { code "$1" | sed 's|//.*||; s/[ \t][ \t]*/ /g; s/^ //; s/ $//; /^$/d'; }
for week in $(ladders); do
    core=$(sed -n 's/^core: *//p' "$week/messages")
    holds "$week has a core ladder" "$(wc -w <<<"$core")" -ge 3
    steps=
    for stage in $core; do
        from=$(sed -n 's|^// From: *||p' "$week/$stage"_*.cu)
        from=$(ls "$week/${from:-stage$((${stage#stage} - 1))}"_*.cu 2>/dev/null) || continue   # the first stage
        most=$(sed -n "s|^$week/$stage \([0-9]*\): .*|\1|p" <<<"$exceptions")
        added=$(diff <(plain "$from") <(plain "$week/$stage"_*.cu) | grep -c '^>')
        [ "$added" -le "${most:-40}" ] || steps="$steps $stage: $added,"
    done
    is "$steps" '' "$week: each stage of the core ladder adds at most 40 lines of code to the stage that it changes"
done

if have clang-format && clang-format --version | grep -q 'version 14'; then
    ok 'everything is formatted (update: clang-format -i FILE)' clang-format --dry-run -Werror $sources
else
    skip 'everything is formatted' 'clang-format 14 is not installed'
fi
done_testing
