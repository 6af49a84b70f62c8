#!/usr/bin/env bash
# The slides: a deck per lecture in pandoc's Markdown, its code from the stages, its table from a recorded run; decks
# that a lecturer edited are kept; PPTX, HTML and PDF where the programs are installed.
. "$(dirname "$0")/lib.sh"
use_ladder
root=$TMP/root
mkdir -p "$root/build" "$root/plots/data" "$root/common"
cp -r "$ROOT/docs" "$root"
cp -r "$ROOT/common/make" "$root/common"
cp "$LADDER" "$root/build/ladder"
ln -s "$ROOT/common/figures" "$ROOT/common/machine" "$root/common"
ln -s "$ROOT/plots/readme" "$ROOT/plots/drawings" "$ROOT"/plots/*.gp "$root/plots"
ln -s "$ROOT"/plots/data/* "$root/plots/data"
weeks=$(ladders)
for week in $weeks; do mkdir "$root/$week" && ln -s "$ROOT/$week"/* "$root/$week"; done
export LADDER=$root/build/ladder
cd "$TMP" || exit
unset LADDER_FROM LADDER_BESIDE

# --- what the decks of the course have

# A deck without notes, one slide per line
shown()
{
    sed '/^::: notes/,/^:::$/d' "$@" | awk '/^# / { if (s != "") print s; s = "" } { s = s " " $0 } END { print s }'
}
# pictures DECK...: those that the decks show
pictures() { sed -n 's/^!\[](\(.*\))$/\1/p' "$@"; }
# can_draw PICTURE: whether it is there, or a figure that this week has
can_draw()
{
    local figure=${1#"$week"_}

    case $1 in
    drawing_*_step[1-9].svg)
        grep -q -e curtain -e 'load "tree.gp"' "$ROOT/plots/drawings/$(expr "$1" : 'drawing_\(.*\)_step').gp" ;;
    drawing_* | *_trace_*) [ -e "$ROOT/plots/readme/$1" ] ;;
    *_lanes_*) ;;
    "$week"_*_to_stage*.svg) "$LADDER" figure "${figure%_to_*}" --recorded --week "$week" >figure.gp ;;
    "$week"_*.svg) "$LADDER" figure "${figure%.svg}" --recorded --week "$week" >figure.gp ;;
    *) false ;;
    esac
}
# plain: lines of code without blanks, comments, marks of changes and dots of omission
plain() { sed 's/^[-+] //; s|//.*||; s/[ \t]//g; /^[.]*$/d'; }
# unknown SOURCE: the lines of code whose text is not in the file, whose lines are joined: a slide breaks long lines
unknown() { awk 'NR == FNR { source = source $0; next } index(source, $0) == 0' "$1" -; }
mkdir decks
for week in $weeks; do
    ok "$week: ladder slides" "$LADDER" slides "$week" decks
    is "$err" '' "$week: a lecture has at most 32 slides"
    for deck in $(awk '{ print $1 }' <<<"$out"); do
        is "$((1 + $(grep -c '^# ' "decks/$deck"))) h200" \
            "$(awk -v deck="$deck" '$1 == deck { print $2, $3 }' <<<"$out")" \
            "$deck: the number of slides and the run are printed"
        like "$(head -n 1 "decks/$deck")" "^% Week ${week:1:1}, lecture [1-5]: [a-z].*[a-z0-9]$" \
            "$deck: the title is that of the lecture"
        like "$(sed -n 3p "decks/$deck")" '^% Measured on an NVIDIA H200, 20' "$deck: the GPU is named"
        is "$(awk '/^```/ { if (on && n > 15) print n; on = !on; n = 0; next } { n++ }' "decks/$deck")" '' \
            "$deck: at most 15 lines of code per slide"
        is "$(sed -n '/^```\(cpp\|diff\)/,/^```$/p' "decks/$deck" | awk 'length > 76')" '' \
            "$deck: a line of code has at most 76 columns"
        is "$(sed -n '/^```diff/,/^```$/p' "decks/$deck" | awk '/^```diff/ { n = 0 } /^[+]/ { n++ }
            /^```$/ { if (!n) print "no new line" }')" '' "$deck: changes have a new line"
        is "$(awk '/^```(cpp|diff)/ { on = 1; n = 0; next }
            /^```$/ { if (on && n) print title; on = 0 }
            on && !/^-/ { sub(/\/\/.*/, ""); n += gsub(/[{(]/, "") - gsub(/[})]/, "") }
            /^# / { title = $0 }' "decks/$deck")" '' "$deck: code is whole statements"
        is "$(awk '/^# / { title = $0 } (/^```(cpp|diff)/ || /^\|.*[|] step [|] rate [|]$/) &&
            title !~ /Stages? [0-9]|^# One thread per/ { print title }' "decks/$deck")" '' \
            "$deck: the title of code and of a result names the stage"
        is "$(awk '/^# / || /^:::/ { if (result && !text) print title; result = text = 0 }
            /^# / { title = $0 } /^\|.*[|] step [|] rate [|]$/ { result = 1 }
            result && /^[A-Z0-9]/ { text = 1 }' "decks/$deck")" \
            '' "$deck: a result has a conclusion"
        is "$(sed -n '/^# /p' "decks/$deck" | sed -n '1p; 2p' | paste -s -d '|')" \
            '# After this lecture, you can|# Where we are' "$deck: objectives and where we are come first"
        is "$(sed -n '/^# Summary: /,$p' "decks/$deck" | awk '/^!\[/ { picture = 1 } /^\|/ { table = 1 }
            END { print picture + table }')" 2 "$deck: the summary, which comes last, has a picture and a table"
        holds "$deck: at most three slides have the growing table" \
            "$(grep -v █ "decks/$deck" | grep -c '^| \*\*.*| \*\*.*| \*\*.*| \*\*.*| \*\*')" -le 3
        is "$(shown "decks/$deck" | grep -i -E 'this page|above|below|reading' | grep -v '```')" '' \
            "$deck: nothing refers to a page"
        is "$(pictures "decks/$deck" | while read -r picture; do can_draw "$picture" || echo "$picture"; done)" '' \
            "$deck: every picture is a drawing, a figure of the week or a recording"
    done
    core=$(sed -n 's/^core: //p' "$ROOT/$week/messages")
    # The table is of one element type.
    is "$(for stage in $core; do
        ! grep -q '^// Type:' "$ROOT/$week/$stage"_*.cu || continue
        grep -h -q -E "^\| \*\*${stage#stage} " decks/"$week"_*.md || echo "$stage"
    done)" \
        '' "$week: the table grows by every core stage"
    # Lines of code are those of the core stages, or of the stages of week 3, which all have a lecture; comments may be
    # missing.
    taught=$(cd "$ROOT/$week" && [ "$week" != 03_matmul ] || ls stage*.cu | sed 's/_.*//')
    # A slide shows what a knob chooses by default: here the second of "KNOB ? a : b".
    for stage in $core $taught demo; do cat "$ROOT/$week/$stage"_*.cu 2>/dev/null; done |
        sed -E 'p; s/\b[A-Z_]+ \? .* : //' | plain >lines
    is "$(sed -n '/^```\(cpp\|diff\)/,/^```$/{/^```/d; p}' decks/"$week"_*.md | plain | unknown lines)" '' \
        "$week: the code is that of the stages that it teaches"
done
for week in 01_transpose 02_reduction 03_matmul; do
    is "$(cat decks/"$week"_lecture[1-9].md | sed '/^::: notes/,/^:::$/d; /^```/,/^```$/d' | awk '
        /^# / { skip = /^# (After this|Where we are)/ }
        skip { next }
        !/^([|%!#]|$)/ { gsub(/[-=.,?:] /, " "); n += NF }
        n > most { most = n; at = title }
        /^# / { n = 0; title = $0 }
        END { print (most <= 25 ? "few" : at) }')" few "$week: a slide has at most 25 words"
    is "$(cat decks/"$week"_lecture[1-9].md | grep -c '^::: notes')" \
        "$(cat decks/"$week"_lecture[1-9].md | grep -c '^# ')" "$week: every slide has notes"
done
week=02_reduction
is "$(sed -n '/^# Stage 1: thread t/,/^:::/p' decks/${week}_lecture1.md | grep '^[-+ ] ')" \
"  for (unsigned s = 1; s < blockDim.x; s *= 2) {
-     if (tid % (2 * s) == 0)
-         sdata[tid] += sdata[tid + s];
+     unsigned index = 2 * s * tid;
+     if (index < blockDim.x)
+         sdata[index] += sdata[index + s];
      __syncthreads();
  }" "$week: the changed lines of stage 1 are marked in their context"
row()
{
    cells "$ROOT/plots/data/h200/$week.ladder.tsv" stage size mode median_us rate |
        sed -n "s/^$1 1073741824 cold //p" | tail -n 1
}
# without the bar
shown_row() { sed -n "s/ [*█]*█[*█]* |\$//; /^| \*\*$1 /p" decks/${week}_lecture1.md; }
is "$(shown_row 2)" "$({ row stage2; row stage1; } | awk '
    { us[NR] = $1; rate[NR] = $2 }
    END { printf "| **2 sequential** | **%.2f ms** | **%.0f** | **%.2f** |", us[1] / 1000, rate[1], us[2] / us[1] }')" \
    "$week: time, rate and step of a result are those of the run"
is "$(shown_row 5 | tail -n 1 | awk -F '[|* ]+' '{ print $NF, $(NF - 1) }')" \
    "$({ row stage5; row stage0; } | awk '{ us[NR] = $1 } END { printf " %.2f", us[2] / us[1] }')" \
    "$week: so is the total gain"
is "$(sed -n '/^# Stage 1: full warps, and no modulo/,/^:::/p' decks/${week}_lecture1.md | grep -c '^| ')" 4 \
    "$week: a result has the stage before, the stage and the reference"
like "$(sed -n '/^# Stage 1: full warps, and no modulo/,/^:::/p' decks/${week}_lecture1.md)" '^\. \. \.$' \
    "$week: a result is shown after a pause"
is "$(sed -n '/^# Summary: from a tree to one pass/,/^:::/p' decks/${week}_lecture2.md | grep -c '^| ')" 9 \
    "$week: the table of many stages has the first one and the latest"

# --- the decks of two GPUs

mkdir h100
for each in $weeks; do LADDER_FROM=h100 run "$LADDER" slides "$each" h100; done
is "$(grep -i h200 h100/*.md)" '' 'decks of the H100 do not name the H200'
is "$(grep -i h100 decks/*.md)" '' 'decks of the H200 do not name the H100'
# A table of measured rates is of one GPU: each row of a stage is in the other deck only by chance.
is "$(grep -h '^| .*[mµ]s.*|' decks/*.md | sort -u >of_h200; grep -h '^| .*[mµ]s.*|' h100/*.md | sort -u |
    comm -12 of_h200 - | grep -v -e '^| arithmetic' | head -n 3)" '' 'no row of a table is in the decks of both'
# A number that depends on the GPU is a value in braces, or its line begins with the GPUs that it is about.
is "$(for page in "$ROOT"/0[1-9]_*/*.md; do
    awk '/^<!-- slide: / { on = 1 } /^```/ { fence = !fence }
        on && !fence { text = $0; gsub(/\{[^}]*\}/, "", text)
            if (text ~ /[0-9] (([GT]B|[GT]FLOP|Gpx)\/s|us|ms|ns|W)([^a-z]|$)|[^0-9.](132|528|1\.98)[^0-9]/ &&
                text !~ /^on |2009|slides: |feed|^\| [0-9]+ x /) print FILENAME ": " $0 }
        /-->/ { on = 0 }' "$page"
done)" '' 'a number of a slide that is measured names its GPU'
is "$(for week in $weeks; do
    sed -n 's/^on h200: //p' "$ROOT/$week"/*.md | grep -o '[0-9][0-9.]*[0-9][0-9]' | while read -r number; do
        grep -q -w -F -e "$number" "$ROOT"/plots/data/h200/"$week".* || echo "$week: $number"
    done
done)" '' 'a number of a slide about the H200 is in a recorded file of the week'
week=02_reduction
if is_full; then
    for stage in stage0 stage1 stage2; do
        locked build_once $week/$stage
        (cd "$base/$week" && "./$stage" --lanes "$TMP/lanes.txt" --size 512 >/dev/null)
        is "$(diff lanes.txt "$ROOT/plots/data/lanes/$week.$stage.txt")" '' \
            "$week: the recorded accesses are those of $stage"
    done
fi

# --- weeks of one's own

# week NAME LINE...: a week outside the plan with two stages, recorded on one made-up GPU
week()
{
    local name=$1
    shift
    rm -rf "${root:?}/$name" && mkdir -p "$root/$name" "$root/plots/data/mygpu"
    printf '%s\n' "$@" >"$root/$name/README.md"
    for stage in '1 slow one thread' '2 fast many threads'; do
        read -r number function idea <<<"$stage"
        printf '%s\n' "// stage$number: $idea" '//' '#include "scan.h"' '__global__ void scan(int *a)' '{' \
            "    $function(a);" '    end(a);' '}' >"$root/$name/stage${number}_${idea%% *}.cu"
    done
    printf '%s\n' '# device: NVIDIA MyGPU' '# date: 2026-01-01' '# base: ref_cub' \
        "$(printf 'week\tstage\tname\tsize\tmode\tstatus\tmedian_us\trate\tunit')" \
        "$(printf "$name\tstage1\tone\t1024\tcold\tok\t8\t2\tGB/s")" \
        "$(printf "$name\tstage2\tmany\t1024\tcold\tok\t2\t8\tGB/s")" \
        "$(printf "$name\tref_cub\tcub\t1024\tcold\tok\t1\t16\tGB/s")" >"$root/plots/data/mygpu/$name.ladder.tsv"
}
mkdir own
week 90_scan '# Week 90: scan' '' '## Part' '' '### Stage 2: many threads' \
    '![Many](../plots/readme/drawing_tree_modulo.svg)' '' '**Question.** [Why](x.md)?' '<details>' 'Because.' \
    '</details>' '' 'Other text.'
ok 'a week that the plan does not mention, recorded only on another GPU, has a deck' "$LADDER" slides 90_scan own
is "$out" '90_scan_lecture1.md 7 mygpu' 'the run is found'
is "$(cat own/90_scan_lecture1.md)" '% Week 90: scan
% The CUDA ladder
% Measured on an NVIDIA MyGPU, 2026-01-01

# Stage 1: one thread

```cpp
__global__ void scan(int *a)
{
    slow(a);
    end(a);
}
```

# After stage 1

| 2^10, cold | time | GB/s | step | total |
|:--|--:|--:|--:|--:|
| **1 one** | **8.00 µs** | **2.00** |  |  |
| cub | 1.00 µs | 16.0 |  |  |

::: notes
`make stage1 && ./stage1`
:::

# Stage 2: many threads

```diff
  __global__ void scan(int *a)
  {
-     slow(a);
+     fast(a);
      end(a);
  }
```

# Stage 2: many threads

![](drawing_tree_modulo.svg)

# After stage 2

| 2^10, cold | time | GB/s | step | total |
|:--|--:|--:|--:|--:|
| 1 one | 8.00 µs | 2.00 |  |  |
| **2 many** | **2.00 µs** | **8.00** | **4.00** | **4.00** |
| cub | 1.00 µs | 16.0 |  |  |

::: notes
**Question.** Why?

Because.

`make stage2 && ./stage2`
:::

# The ladder

![](90_scan_ladder.svg)' 'without slides in its pages, a week has two per stage, its pictures and its questions'
LADDER_FROM=mygpu ok 'FROM names the run' "$LADDER" slides 90_scan own
LADDER_FROM=h200 fails 2 'a run that does not have the week is refused' "$LADDER" slides 90_scan own
like "$err" 'FROM' 'with a message'
rm "$root/plots/data/mygpu/90_scan.ladder.tsv"
ok 'a week that is not recorded has a deck' "$LADDER" slides 90_scan own
like "$(cat own/90_scan_lecture1.md)" '^\| \*\*2 many\*\* \| \*\*not measured\*\* \|  \|  \|  \|$' \
    'its stages are not measured'

week 90_scan '# Week 90: scan' '<!-- slide: One idea' '' '- a point' 'new: stage2 1 fast' 'changes: stage2 1 fast' \
    'changes: stage2 2 fast' 'code: stage1 1 end' 'notes: ask' 'code: stage1' '-->' 'Text.' '<!-- slide: Short -->'
cp "$root/90_scan/README.md" page.md
ok 'a week with slides in its page' "$LADDER" slides 90_scan own
is "$(sed -n '/^# One/,$p' own/90_scan_lecture1.md)" '# One idea


- a point
```diff
+ fast(a);
```
```diff
- slow(a);
```
```diff
- slow(a);
+ fast(a);
```
```cpp
end(a);
```

::: notes
ask
code: stage1
:::

# Short ' 'slides have what the page says'
bad()
{
    printf '%s\n' "${@:2}" >"$root/90_scan/README.md"
    refused "$1" "$LADDER" slides 90_scan own
}
bad 'README.md:2: .stage9.: expected a core stage: stage1 stage2' '# Week 90' '<!-- slide: T' 'code: stage9' '-->'
bad "README.md:2: 'stage1 16 slow': expected STAGE, or STAGE LINES TEXT with at most 15 lines" \
    '# Week 90' '<!-- slide: T' 'code: stage1 16 slow' '-->'
bad "README.md:2: 'stage1 slow': expected STAGE" '# Week 90' '<!-- slide: T' 'code: stage1 slow' '-->'
bad "README.md:2: stage1 has no line with 'fast'" '# Week 90' '<!-- slide: T' 'code: stage1 2 fast' '-->'
bad "README.md:2: '<!--' without '-->'" '# Week 90' '<!-- slide: T' 'text'
bad "README.md:2: '<!-- end -->' without '<!-- begin: '" '# Week 90' '<!-- end -->'
bad 'expected a title' 'text'
refused 'expected WEEK FOLDER' "$LADDER" slides 90_scan
refused '09_none/README.md: No such file' "$LADDER" slides 09_none own
for text in '$(touch run)' '; touch run' '`touch run`'; do
    printf '%s\n' '# Week 90' "<!-- begin: ladder $text -->" '<!-- end -->' "<!-- slide: $text" "$text" "notes: $text" \
        '-->' >"$root/90_scan/README.md"
    ok "a page with shell text: $text" "$LADDER" slides 90_scan own
    like "$(cat own/90_scan_lecture1.md)" "^# ." 'it is text of a slide'
    is "$(find "$root/90_scan" . -name run)" '' 'nothing is executed'
done
printf '%s\n' '# Week 90' '<!-- slide: Rates' '| a | GB/s |' '|---|--:|' 'on h100: | x | 1 |' 'notes: ask' '-->' \
    '<!-- slide: More' '| a | GB/s |' '|---|--:|' 'on h100: | x | 1 |' '| y | 2 |' '-->' >"$root/90_scan/README.md"
ok 'a statement about another GPU' "$LADDER" slides 90_scan own
is "$(grep -e '^# ' -e '^| .* |' own/90_scan_lecture1.md)" '# More
| a | GB/s |
| y | 2 |' 'is omitted, and a slide of which nothing is left'
cp page.md "$root/90_scan/README.md"

# --- another recorded run

mkdir "$root/plots/data/a100"
edited '' '$at["rate"] /= 2; $at["median_us"] *= 2' "$ROOT/plots/data/h200/$week.ladder.tsv" |
    sed 's/H200/A100/g' >"$root/plots/data/a100/$week.ladder.tsv"
LADDER_FROM=a100 ok 'another recorded run' "$LADDER" slides $week own
like "$(cat own/${week}_lecture1.md)" '^% Measured on an NVIDIA A100' 'changes the GPU'
like "$(cat own/${week}_lecture1.md)" '^\| \*\*0 modulo\*\* \| \*\*24.2 ms\*\* \| \*\*178\*\* ' 'and the table'

# --- make slides

have gnuplot || {
    skip 'the figures of the decks' 'gnuplot is not installed (apt-get install gnuplot-nox)'
    done_testing
}
mkdir bin && ln -s /usr/bin/* /bin/* bin 2>/dev/null
rm -f bin/pandoc bin/chromium bin/chromium-browser bin/google-chrome
slides() { PATH=$TMP/bin "$root/common/make/slides.sh" --KEEP "$TMP/kept" "$@"; }
ok 'slides.sh without pandoc' slides $week
like "$out" 'only Markdown: pandoc is not installed: apt-get install pandoc librsvg2-bin' 'the packages are named'
like "$out" "kept/${week}_lecture1.md: 32 slides" 'the decks are named'
is "$(pictures kept/*.md | sort -u | while read -r f; do [ -s "kept/$f" ] || echo "$f"; done)" \
    '' 'every picture is beside the decks'
mkdir partly && touch partly/01_transpose_lecture1.md
LADDER_FROM=a100 ok 'slides.sh for a GPU on which not all weeks are recorded' \
    env PATH="$TMP/bin" "$root/common/make/slides.sh" --KEEP "$TMP/partly" 01_transpose $week
like "$out" '^01_transpose: no deck, because a100 has no recorded run: make -C 01_transpose record TO=a100$' \
    'names those'
like "$out" "^01_transpose: the decks in .*/partly are of another run$" 'and says that their decks there are others'
is "$(cd partly && find . -maxdepth 1 -name '*.md' -size +0 | sort | tr '\n' ' ')" \
    "./${week}_lecture1.md ./${week}_lecture2.md " \
    'and has the decks of the others'
cp kept/${week}_lecture1.md before.md
echo 'my own slide' >>kept/${week}_lecture1.md
ok 'slides.sh again' slides $week
is "$(cat kept/${week}_lecture1.md)" "$(cat before.md; echo 'my own slide')" 'a deck that was edited is kept'
is "$(ls kept | grep new)" '' 'no other deck is written if nothing changed'
page=part1_tree.md
rm "$root/$week/$page"   # a link
sed 's/^<!-- slide: Stage 0: the starting point/<!-- slide: Where we start/' "$ROOT/$week/$page" >"$root/$week/$page"
ok 'slides.sh after a change of the page' slides $week
like "$(cat kept/${week}_lecture1.md)" '^my own slide$' 'the edited deck is kept'
like "$(cat kept/${week}_lecture1.new.md)" '^# Where we start$' 'the new one is beside it'
like "$out" "^${week}_lecture1.md was edited and is kept; the new one is ${week}_lecture1.new.md$" 'that is printed'
is "$(grep '^[-+]' <<<"$out")" '-# Stage 0: the starting point
+# Where we start' 'with what changed'
is "$(grep -c 'Where we start' kept/${week}_lecture1.md)" 0 'the edited deck did not change'
mkdir kept2 && echo mine >kept2/90_scan_lecture1.md
PATH=$TMP/bin ok 'slides.sh into a folder with a deck of that name' "$root/common/make/slides.sh" --KEEP \
    "$TMP/kept2" 90_scan
is "$(cat kept2/90_scan_lecture1.md)" mine 'it is kept'
like "$(cat kept2/90_scan_lecture1.new.md)" '^# One idea$' 'the new one is beside it'
fails 2 'a template that does not exist is refused' slides --TEMPLATE none.pptx 90_scan
like "$err" 'TEMPLATE=none.pptx: no such file; expected a PPTX' 'with a message'

have pandoc || { skip 'HTML and PPTX' 'pandoc is not installed (apt-get install pandoc librsvg2-bin)'; done_testing; }
ln -s "$(command -v pandoc)" bin/pandoc
if is_full; then slides() { "$root/common/make/slides.sh" --KEEP "$TMP/kept" "$@"; }; fi   # with a browser
ok 'slides.sh with pandoc' slides $week
html=kept/${week}_lecture2.html
is "$(grep -c '<section' $html)" "$(grep -c '^# \|^% W' kept/${week}_lecture2.md)" 'the HTML deck has every slide'
is "$(grep -o -E '(src|href)="(http|[a-z0-9_]+\.)[^"]*' $html)" '' 'the HTML deck needs no other file'
like "$(cat $html)" 'class="va">\+' 'new lines are highlighted'
like "$(cat kept/${week}_lecture1.html)" 'my own slide' 'it is made from the edited deck'
is "$(sed -n '/<div class="incremental over">/,/<\/section>/p' kept/${week}_lecture1.html | grep -c '<img \|<svg ')" 5 \
    'the steps of a drawing are shown in one place'
is "$(cat kept/drawing_tree_modulo_step[1-4].svg kept/drawing_tree_modulo.svg | grep -c '</svg>')" 5 'each is a picture'
if have rsvg-convert && have unzip; then
    is "$(unzip -l kept/${week}_lecture2.pptx | grep -c 'ppt/slides/slide[0-9]*.xml$')" \
        "$(grep -c '^# \|^% W\|^\. \. \.$' kept/${week}_lecture2.md)" 'the PPTX deck has every slide, and one per pause'
    is "$(unzip -l kept/${week}_lecture2.pptx | grep -c 'notesSlide[0-9]*.xml$')" \
        "$(grep -c '^::: notes\|^\. \. \.$' kept/${week}_lecture2.md)" 'and their notes'
    unlike "$(unzip -p kept/${week}_lecture2.pptx 'ppt/slides/slide*.xml')" '<a:t>\. \. \.</a:t>' 'a pause is no text'
    like "$(unzip -p kept/${week}_lecture2.pptx 'ppt/slides/slide*.xml')" \
        'b="1"><a:solidFill><a:srgbClr val="0072B2"/></a:solidFill><a:latin typeface="Courier New"/>' \
        'new lines are bold and blue'
else
    skip 'the PPTX decks' 'rsvg-convert or unzip is not installed (apt-get install librsvg2-bin unzip)'
fi
# The boxes of what is on the slides, as the browser computes them: nothing is beyond the slide's edge.
cut='<script>addEventListener("load", () => { let cut = "";
    for (const s of document.querySelectorAll("section")) { const box = s.getBoundingClientRect();
        for (const e of s.querySelectorAll("img, svg, pre, table, p, li")) { const r = e.getBoundingClientRect();
            if (e.closest("[role=note]")) continue;
            const small = /^(img|svg)$/i.test(e.tagName) && r.height < 200;
            const hidden = e.tagName == "PRE" && e.scrollHeight > e.clientHeight + 2;
            if (r.bottom > box.bottom + 1 || r.right > box.right + 1 || small || hidden)
                cut += "CUT " + s.querySelector("h1").textContent + ": " + e.tagName + "\n"; } }
    document.body.textContent = cut + "MEASURED"; })</script>'
if is_full && [ -n "$(browser)" ] && ls kept/*.html >/dev/null 2>&1; then
    for html_deck in kept/"$week"_lecture[12].html; do
        { cat "$html_deck"; echo "$cut"; } >cut.html
        browse "$TMP/cut.html"
        is "$(grep -o -e 'CUT .*' -e 'MEASURED' <<<"$out" | sort -u)" MEASURED "$html_deck: nothing is cut"
    done
else
    skip 'the boxes of pictures' 'make test FULL=1 measures them (apt-get install chromium)'
fi
fails 1 'a browser that ends prints nothing' "$root/common/make/print.pl" false "$TMP/profile" cut.html cut.pdf
if have pdfinfo && [ -e kept/${week}_lecture2.pdf ]; then
    is "$(pdfinfo kept/${week}_lecture2.pdf | awk '/^Pages:/ { print $2 }')" \
        "$(grep -c '^# \|^% W' kept/${week}_lecture2.md)" \
        'the PDF deck has a page per slide: nothing runs off a slide'
else
    skip 'the PDF decks' 'make test FULL=1 prints them (apt-get install chromium poppler-utils)'
fi
# reveal.js, as a folder with its files
mkdir -p reveal/dist/theme reveal/plugin/{notes,search,zoom}
touch reveal/dist/{reset,reveal}.css reveal/dist/theme/white.css reveal/plugin/{search/search,zoom/zoom}.js
echo 'var presenter = "the presenter view"' | tee reveal/dist/reveal.js >reveal/plugin/notes/notes.js
mkdir presented && cp own/90_scan_lecture1.md presented
PATH=$TMP/bin ok 'slides.sh with reveal.js' "$root/common/make/slides.sh" --KEEP "$TMP/presented" \
    --REVEALJS "$TMP/reveal" 90_scan
html=presented/90_scan_lecture1.html
like "$(cat $html)" '(class="notes"|the presenter view|dGhlIHByZXNlbnRlciB2aWV3)' 'the deck has notes'
is "$(grep -o -E '(src|href)="(http|[a-z0-9_]+\.)[^"]*' $html)" '' 'and needs no other file'
fails 2 'a folder without reveal.js is refused' slides --REVEALJS "$TMP/own" 90_scan
like "$err" 'no dist/reveal.js there; expected the folder of reveal.js' 'with a message'
fails 2 'NOTES=maybe is refused' slides --NOTES maybe 90_scan
fails 2 'a template that is no PPTX is refused' slides --TEMPLATE "$ROOT/README.md" 90_scan
cp kept/${week}_lecture2.html html.before
ok 'slides.sh with nothing to do' slides $week
is "$(cmp html.before kept/${week}_lecture2.html)$(ls kept | grep 'html.new\|new.html')" '' 'changes nothing'
done_testing
