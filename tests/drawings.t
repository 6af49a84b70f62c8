#!/usr/bin/env bash
# The drawings of the notes: gnuplot draws each without a word, in all formats, with texts that are large enough and
# apart; the pictures in the checkout are what the scripts draw; pages show every drawing; what a drawing takes from a
# stage is what the stage has.
. "$(dirname "$0")/lib.sh"
cd "$ROOT" || exit 1
drawings=$(cd plots/drawings && grep -l '^TITLE = ' ./*.gp | sed 's|^\./||; s|\.gp$||')
holds 'the drawings are found' "$(grep -c . <<<"$drawings")" -ge 20

# --- pages

pages=$(find . \( -name build -o -name .git -o -name results -o -path ./plots/out \) -prune -o -name '*.md' -print)
shown=$(grep -h -o 'drawing_[a-z0-9_]*\.svg' $pages | sed 's/_step[1-9]\././' | sort -u)
lost=
for picture in $shown; do [ -e "plots/readme/$picture" ] || lost="$lost $picture"; done
is "$lost" '' 'every drawing that a page names is there'
shown=$(grep -h -o '!\[[^]]\{20,\}\]([^)]*/drawing_[a-z0-9_]*\.svg)' $pages | grep -o 'drawing_[a-z0-9_]*\.svg')
without=$(sed 's/.*/drawing_&.svg/' <<<"$drawings" | grep -v -x -F -e "$shown")
if [ -n "$shown" ]; then is "$without" '' 'a page shows every drawing, with an alternative text'
else skip 'a page shows every drawing, with an alternative text' 'no page shows drawings'; fi
is "$(cd plots/readme && ls drawing_* 2>/dev/null | sed 's/^drawing_//; s/\.svg$//')" "$drawings" \
    'each drawing has its picture, and no other picture is there (else: make readme)'

# --- what a drawing takes from a stage

# same DRAWING FILE NAME...: the drawing's NAME = VALUE is the file's #define NAME VALUE, or constexpr int NAME = VALUE
same()
{
    local drawing=plots/drawings/$1.gp file=$2 name got want
    shift 2
    for name; do
        got=$(sed -n "s/^\(.*[; ]\)*$name = \([0-9]*\).*/\2/p" "$drawing" | head -n 1)
        want=$(sed -n "s/^ *#define $name \([0-9]*\).*/\1/p; s/^constexpr int .*\b$name = \([0-9]*\).*/\1/p" "$file" |
            head -n 1)
        is "$got" "${want:-a value}" "$drawing has the $name of $file"
    done
}
same tiles 03_matmul/stage7_warp_tile.cu BM BN TM TN LANE_ROWS LANE_COLS
same warp_fragment 03_matmul/stage7_warp_tile.cu TM TN LANE_ROWS LANE_COLS
same pipeline 03_matmul/stage18_large_thread_tile.cu DEPTH
same apron_shift 04_convolution/stage3_shared_tile.cu BLOCK_X BLOCK_Y

# --- gnuplot

have gnuplot || { skip 'gnuplot draws them' 'gnuplot is not here (apt-get install gnuplot-nox)'; done_testing; }
export LC_ALL=C.UTF-8
for format in svg $(is_full && echo png) pdf; do
    run common/make/drawings.sh $format "$TMP/$format"
    is "$status $err" '0 ' "all are drawn as $format, without warnings"
    is "$(cd "$TMP/$format" && ls)" "$(sed "s/.*/drawing_&.$format/" <<<"$drawings")" 'and nothing else is written'
done
# texts of a picture, one per line
texts()
{
    sed -n 's/&gt;/>/g; s/&lt;/</g; s/&amp;/\&/g; s|^\t*<text>\(.*\)</text>$|\1|p' "$TMP/svg/drawing_$1.svg"
}
for name in $drawings; do
    picture=$TMP/svg/drawing_$name.svg
    is "$(grep . "$picture" | tail -n 1) $(($(wc -c <"$picture") < 61440))" '</svg> 1' "$name is whole, below 60 KB"
    boxes "$name" "$TMP/pdf/drawing_$name.pdf"
    # gnuplot 5.4 and 6.0 draw the same, except for the line with their version.
    is "$(sed '/^<desc>/d' "plots/readme/drawing_$name.svg" | cksum)" "$(sed '/^<desc>/d' "$picture" | cksum)" \
        "plots/readme/drawing_$name.svg is what its script draws (else: make readme)"
done
fails 2 'another format is refused' common/make/drawings.sh gif "$TMP/gif"
like "$err" '^FORMAT=gif: the formats are' 'with a message'
for font in "x'; system('touch $TMP/run'); '" 'a,9' $'a\nb'; do
    fails 2 'a font that is no name is refused' env LADDER_FONT="$font" common/make/drawings.sh svg "$TMP/font"
    like "$err" ": expected the name of a font, for example" 'with what is accepted'
done
holds 'and nothing in it is executed' ! -e "$TMP/run"
echo 'ORANGE = 0x003366' >"$TMP/own.gp"
use_ladder
export LADDER
LADDER_PALETTE=$TMP/own.gp ok 'one drawing, with colors of one'"'"'s own' common/make/drawings.sh svg "$TMP/own" tile
is "$(cd "$TMP/own" && ls)" drawing_tile.svg 'is all that is drawn'
like "$(cat "$TMP/own/drawing_tile.svg")" 'rgb\( *0, *51, *102\)' 'and has them'

# --- what they say

# has NAME TEXT: these texts follow each other in the picture
has()
{
    if [[ "$(texts "$1" | tr '\n' '|')" == *"$2"* ]]; then pass "$1 shows $2"
    else fail "$1 shows $2" "$(texts "$1")"; fi
}
# The trees of the slides, after each step.
for tree in modulo stride; do
    for row in '10|1|8|-1|0|-2|3|5|-2|-3|2|7|0|11|0|2' '11|1|7|-1|-2|-2|8|5|-5|-3|9|7|11|11|2|2' \
        '18|1|7|-1|6|-2|8|5|4|-3|9|7|13|11|2|2' '24|1|7|-1|6|-2|8|5|17|-3|9|7|13|11|2|2' \
        '41|1|7|-1|6|-2|8|5|17|-3|9|7|13|11|2|2'; do
        has tree_$tree "|$row|"
    done
done
for row in '8|-2|10|6|0|9|3|7|-2|-3|2|7|0|11|0|2' '8|7|13|13|0|9|3|7|-2|-3|2|7|0|11|0|2' \
    '21|20|13|13|0|9|3|7|-2|-3|2|7|0|11|0|2' '41|20|13|13|0|9|3|7|-2|-3|2|7|0|11|0|2'; do
    has tree_sequential "|$row|"
done
has sectors 'row: 4 sectors, 128 of 128 bytes used|'
has sectors 'column: 32 sectors, 128 of 1024 bytes used|'
has banks 'column 0: 1 bank, 32 wavefronts|'
has banks 'column 0: 32 banks, 1 wavefront|'
has swizzle 'chunk 2 of 8 rows: 1 position, 4 banks|'
has swizzle 'chunk 2 of 8 rows: 8 positions, 32 banks|'
has wavefronts '2 wavefronts: lanes 0 to 15, ...|'
has wavefronts '4 wavefronts: lanes 0 to 7, ...|'
has swizzle_read 'chunk 5: columns 20 to 23|'
has swizzle_read 'row 20|'
has tma_swizzle '8 positions, so 32 banks|'
has larger_tile '256 bytes|'
has vector_loads 'request of warp 3|'
has float4_banks 'rows of 65 words: 2 wavefronts|'
has fences 'block 1 reads s0|no second fence|block 1 reads an old word|no first fence|block 1 reads an old word|'
has descriptor 'leading: 8192 B|'
has descriptor 'blue: k 16 to 31, start + 2048 B|'
has ring 'tile 1|phase 0|tile 1|phase 0|tile 4|phase 1|'
number() { awk -F '\t' -v name="$1" '$1 == name { print $2 }' common/machine/h200.tsv; }
for rate in "128 / $(number shared.lds32.cycles) * $(number device.sms) * $(number device.clock) / 1000000" \
    "32 * $(number l2.load.all_sms) / 1000" "$(number dram.read) / 1000"; do
    has memory_levels "$(awk "BEGIN { printf \"%.1f TB/s\", $rate }")|"
done
done_testing
