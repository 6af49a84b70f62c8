#!/usr/bin/env bash
# `ladder numbers`: checks the numbers in a page's prose against their sources. With FULL=1, it runs the commands of
# half of the pages, each day others, and with FULL=2 of all.
. "$(dirname "$0")/lib.sh"

fresh_tree $(every_week shared)
cd "$TREE" || exit 1
mkdir 01_transpose/trial
shown=$(cells plots/data/h200/01_transpose.ladder.tsv stage size mode rate |
    awk '/^stage1 16384x16384 cold/ { rate = $4 } END { printf "%.2f", rate / 1000 }')
at='(sm_90, 16384x16384)'

# page TEXT...: writes a page of week 1
page() { printf '%s\n' '# A page' "$@" >01_transpose/page.md; }
# faulty NAME REGEX: the page is refused for one reason
faulty()
{
    fails 1 "$1" build/ladder numbers --run 01_transpose/page.md
    like "$err" "$2" "$1: the message says why"
    is "$(grep -c '' <<<"$err")" 1 "$1: there is one message"
}

page 'No number at all, 32 banks, `12 %` in code, tiles of 32 x 32, 1024x1024.' '' '```' '7 % of a block' '```' \
    '<!-- begin: true -->' '8 % of a table' '<!-- end -->'
ok 'numbers without a unit, in code and in generated blocks need no source' build/ladder numbers 01_transpose/page.md
page "Stage 1 moves $shown TB/s, 4 sectors per" 'request, and stores 32.' \
    "<!-- numbers $at: $shown = stage1.rate / 1000 -->" '<!-- numbers (cpu, 1024x1024):
  4 = stage1.ld_sectors / stage1.ld_requests;
  32 = stage1.st_sectors / stage1.st_requests -->'
ok 'a number to which the measured value rounds is accepted' build/ladder numbers 01_transpose/page.md
page "Stage 1 moves 9$shown TB/s." "<!-- numbers (sm_90, 16384x16384): 9$shown = stage1.rate / 1000 -->"
faulty 'a number to which the measured value does not round is refused' "page.md:3: 9$shown = stage1.rate / 1000: is 0"
mkdir -p plots/data/t4
sed 's/NVIDIA H200/Tesla T4/; s/\t16384x16384\tcold\t/\t99x99\tcold\t/' plots/data/h200/01_transpose.ladder.tsv \
    >plots/data/t4/01_transpose.ladder.tsv
page "Stage 1 moves $shown TB/s." "<!-- numbers (H200, 16384x16384): $shown = stage1.rate / 1000 -->" \
    "<!-- numbers (T4, 99x99): $shown = stage1.rate / 1000 -->"
ok "a place that names a GPU is about that GPU's recorded run" build/ladder numbers 01_transpose/page.md
page "Stage 1 moves $shown TB/s." "<!-- numbers (T4, 16384x16384): $shown = stage1.rate / 1000 -->"
faulty "a place that names a GPU is not about another GPU's run" 'stage1 has no rate .T4, 16384x16384'
rm -r plots/data/t4
page "Stage 1 moves a lot." "<!-- numbers (sm_90, 16384x16384): $shown = stage1.rate / 1000 -->"
faulty 'a number that is not in its section is refused' "page.md:3: $shown is not in the text"
page "Stage 1 moves 1$shown and ${shown}7 and $shown.1 and a$shown." "<!-- numbers $at: $shown = stage1.rate / 1000 -->"
faulty 'a number that is only a part of other numbers is refused' "$shown is not in the text"
page "It moves $shown" 'TB/s.' '## Section' 'text' "<!-- numbers (sm_90, 16384x16384): $shown = stage1.rate / 1000 -->"
run build/ladder numbers 01_transpose/page.md
is "$status $(grep -c '' <<<"$err")" '1 2' 'a section ends at a heading'
page 'A share of 24 %.'
faulty 'a number with a unit and without a source is refused' 'page.md:2: 24 %: no comment'
page 'It is 1.9x as fast.'
faulty 'a factor without a source is refused' '1.9 x: no comment'
page 'It is 5 us.' '<!-- numbers (sm_90, 16384x16384): 5 = stage1.seconds -->'
faulty 'an unknown column is refused' 'no such column'
page 'It is 5 us.' '<!-- numbers (sm_90, 16x16): 5 = stage1.median_us -->'
faulty 'a size that is not recorded is refused' 'stage1 has no median_us'
page 'It is 5 us.' '<!-- numbers about: 5 -->'
run build/ladder numbers 01_transpose/page.md
is "$status" 1 'an unknown kind of source is refused'
like "$err" 'page.md:3: expected \(PLACE\)' 'the message says what is expected'
page 'It is 5 us.' '<!-- numbers from slide 3: 5'
fails 2 'a comment without an end is refused' build/ladder numbers 01_transpose/page.md

page 'A row has 4 sectors, 12.5 % of them.' '<!-- numbers computed: 4 = 128 / 32; 12.5 = 100 / ceil(7.5) -->'
ok 'a number that is computed is accepted' build/ladder numbers 01_transpose/page.md
page 'A row has 5 sectors.' '<!-- numbers computed: 5 = 128 / 32 -->'
faulty 'a number that arithmetic contradicts is refused' 'page.md:3: 5 = 128 / 32: is 4'
page 'A row has 5 sectors.' '<!-- numbers computed: 5 = 128 / rate -->'
faulty 'a computed number has no columns' '5 = 128 / rate: expected numbers only'
page 'A row has 5 sectors.' '<!-- numbers computed: 5 = 5 sectors -->'
faulty 'a computed number is one expression' '5 = 5 sectors: not one expression'

cycles=$(awk '$1 == "l1.stride_33.cycles" { printf "%.1f", $2 }' common/machine/h200.tsv)
page "A column takes $cycles cycles, half of 17." "<!-- numbers computed: $cycles = h200:l1.stride_33.cycles;
  17 = 2 * h200:l1.stride_33.cycles -->"
ok 'a computed number may have numbers of the machine' build/ladder numbers 01_transpose/page.md
page "Stage 1 moves 1$shown TB/s." "<!-- numbers $at: 1$shown = h200:device.sms * stage1.rate / 132000 -->"
faulty 'so may one that is measured' "1$shown = h200:device.sms \* stage1.rate / 132000: is ${shown:0:3}"
page 'It has 5 sectors.' '<!-- numbers computed: 5 = h200:l1.nothing -->'
faulty 'a number that the machine does not have is refused' 'common/machine has no h200:l1.nothing$'
page 'It has 5 sectors.' '<!-- numbers computed: 5 = h9:l1.u8.cycles -->'
faulty 'a GPU without a table is refused' 'common/machine has no h9:l1.u8.cycles$'

page 'A slide has 69.5 GB/s.' '<!-- numbers from slide 3: 69.5 -->'
ok 'a number with a citation is accepted' build/ladder numbers 01_transpose/page.md
echo 'rate 12.5, 1,048,576 rows' >01_transpose/trial/log.txt
page 'It has 12.5 GB/s, 1,048,576 rows.' '<!-- numbers from trial/log.txt: 12.5, 1,048,576 -->'
ok 'numbers that are in a file are accepted' build/ladder numbers 01_transpose/page.md
page 'It has 2.5 GB/s.' '<!-- numbers from trial/log.txt: 2.5 -->'
faulty 'a number that is not in the file is refused' "2.5 is not in 'trial/log.txt'"
page 'It has 13 GB/s.' '<!-- numbers from trial/log.txt, rounded: 13 -->'
ok 'numbers to which those of a file round are accepted' build/ladder numbers 01_transpose/page.md
page 'It has 12 GB/s.' '<!-- numbers from trial/log.txt, rounded: 12 -->'
ok 'a half may round either way' build/ladder numbers 01_transpose/page.md
page 'It has 14 GB/s.' '<!-- numbers from trial/log.txt, rounded: 14 -->'
faulty 'a number to which none of a file rounds is refused' "14 is not in 'trial/log.txt, rounded'"
page 'It has 12.5 GB/s.' '<!-- numbers from trial/log.txt, the first row: 12.5 -->'
faulty 'a file with other words is refused' 'expected FILE\[, WORD\]\[, rounded\]'
printf 'stage1\t12.4\nstage12\t99.6\n' >01_transpose/trial/rows.txt
page 'It has 12.4 GB/s, 100 GB/s.' '<!-- numbers from trial/rows.txt, stage1: 12.4 -->' \
    '<!-- numbers from trial/rows.txt, stage12, rounded: 100 -->'
ok 'numbers of the lines with a word are accepted' build/ladder numbers 01_transpose/page.md
page 'It has 99.6 GB/s.' '<!-- numbers from trial/rows.txt, stage1, rounded: 99.6 -->'
faulty "a number of another line is refused" "99.6 is not in 'trial/rows.txt, stage1, rounded'"
page 'It has 99.6 GB/s.' '<!-- numbers from trial/rows.txt, stage2: 99.6 -->'
faulty 'a word that the file does not have is refused' 'and a WORD that is there'
page 'It has 2.5 GB/s.' '<!-- numbers from trial/none.txt: 2.5 -->'
faulty 'a file that does not exist is refused' 'trial/none.txt: no such file'
page 'It prints 12.5 GB/s.' '<!-- numbers printed by cat trial/log.txt; false: 12.5 -->'
ok 'numbers that a command prints are accepted' build/ladder numbers --run 01_transpose/page.md
page 'It prints 13.5 GB/s.' '<!-- numbers printed by cat trial/log.txt: 13.5 -->'
faulty 'a number that a command does not print is refused' "13.5 is not in 'cat trial/log.txt'"
ok 'commands are not run without --run' build/ladder numbers 01_transpose/page.md
rm -r 01_transpose/trial 01_transpose/page.md

pages=$(ls README.md CONTRIBUTING.md CHANGELOG.md docs/*.md [0-9]*/*.md plots/README.md)
with_commands=$(is_full && in_turn 2 <<<"$pages")
for page in $pages; do
    run=
    grep -q -x -F -e "$page" <<<"$with_commands" && run=--run
    ok "the numbers of $page are those of their sources${run:+ and commands}" \
        env DEVICE=cpu PATH="$TREE/build:$PATH" build/ladder numbers $run "$page"
done
done_testing
