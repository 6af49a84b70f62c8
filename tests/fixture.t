#!/usr/bin/env bash
# common/ knows no week: without the four weeks, a week of two stages that is recorded only on a made-up GPU
# (tests/fixture) passes every target.
. "$(dirname "$0")/lib.sh"

fresh_tree 01_transpose/shared   # with the runtime and the tool, which all weeks share
cd "$TREE" || exit 1
rm -rf [0-9][0-9]_* plots/data/*/[0-9][0-9]_* plots/data/published
# The pages and drawings of the four weeks
rm -f docs/*.md $(grep -l 'data/.*/0[1-4]_' plots/drawings/*.gp)
printf '# A course\n' | tee README.md CONTRIBUTING.md CHANGELOG.md common/emu/README.md >plots/README.md
cp -r tests/fixture/90_twice .
cp -r tests/fixture/plots .
export DEVICE=cpu
unset FROM BESIDE

ok 'make' make -s -j2
ok 'make list' make -s list
like "$out" '^90_twice$' 'make list has the week'
ok 'make check' make -s check
ok 'make run' make -s run
like "$out" '^stage2' 'the ladder has its stages'
ok 'make count' make -s count
ok 'make claims' make -s claims
is "$(grep -c '^  holds ' <<<"$out")" 3 'all claims about the CPU device hold'
ok 'make exercise' make -s exercise
mkdir handed_in
ok 'the solution of an exercise' make -s -C 90_twice solution N=1 HINT=no
printf '%s\n' "$out" >handed_in/solution.cu
ok 'make grade' make -s -C 90_twice grade N=1 FROM="$PWD/handed_in"
like "$out" $'^solution.cu\t9\t9\tsolved' 'the solution has all points that need no GPU'
ok 'make progress' make -s progress
if have gnuplot; then
    ok 'make readme' make -s readme
    like "$(cat 90_twice/README.md)" '\| \[stage2 consecutive\].*\| 813 ' \
        'the page has the rates of the only recorded GPU'
    like "$(cat 90_twice/part1_stages.md)" '^\+ +int i = blockIdx.x' 'its first part has the lines that stage 2 changes'
    like "$(cat 90_twice/part1_stages.md)" '\| \[stage2 consecutive\].*\| \*\*813\*\* \| 3\.6' \
        'and how much faster it is'
    ok 'make plots' make -s plots
    ls plots/out >"$TMP/drawn"
    for figure in ladder shmoo counts; do
        like "$(cat "$TMP/drawn")" "^90_twice_$figure\.svg\$" "the figure $figure is drawn"
    done
    like "$(cat plots/out/90_twice_ladder.svg)" 'Imaginary G9' 'the ladder is that of the recorded GPU'
    like "$(cat plots/out/index.html)" '90_twice_ladder\.svg' 'the page of figures has it'
    ok 'make slides' make -s slides
    like "$(cat plots/out/slides/90_twice*.md)" '2 consecutive.*813.*3\.6' 'a deck has the rates and gains of that GPU'
else
    skip 'make readme and make plots' 'gnuplot is not installed (apt-get install gnuplot-nox)'
fi
if /usr/bin/python3 -c 'import sphinx, myst_parser, furo' 2>/dev/null && is_full; then
    ok 'make web' make -s web
    ls build/web/html >"$TMP/site"
    like "$(cat "$TMP/site")" '90_twice' 'the web edition has the week'
else
    skip 'make web' 'only with FULL=1 and Sphinx (apt-get install python3-sphinx python3-myst-parser furo)'
fi
done_testing
