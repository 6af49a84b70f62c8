#!/bin/sh
# slides.sh [--KEEP FOLDER] [--TEMPLATE FILE.pptx] [--NOTES yes] [--REVEALJS FOLDER] WEEK...: writes a deck per
# lecture into FOLDER or plots/out/slides, in Markdown with its pictures; and from that PPTX and HTML if there is
# pandoc, and PDF if there is a browser. The HTML has a presenter view where reveal.js is found. With NOTES, another
# PDF has the notes. LADDER_FROM names the recorded run, LADDER_BESIDE a second one for the figures, FILE.pptx is one
# whose style is used. A file that was edited is kept: the new one is written beside it. FOLDER/.made has what was
# written last.
make=$(cd "${0%/*}" && pwd)
readme=${make%/*/*}/plots/readme data=${make%/*/*}/plots/data
folder=${make%/*/*}/plots/out/slides template= notes= reveal=
while :; do
    case $1 in
    --KEEP) folder=$2 ;; --TEMPLATE) template=$2 ;; --NOTES) notes=$2 ;; --REVEALJS) reveal=$2 ;;
    *) break ;;
    esac
    shift 2
done
gnuplot=${GNUPLOT:-gnuplot}
status=0

has() { command -v "$1" >/dev/null; }
browser=
for program in chromium chromium-browser google-chrome; do has $program && browser=$program && break; done
has "$gnuplot" || { echo "$gnuplot is not installed: apt-get install gnuplot-nox" >&2; exit 1; }
[ -z "$template" ] || [ -r "$template" ] || { echo "TEMPLATE=$template: no such file; expected a PPTX" >&2; exit 2; }
[ -z "$template" ] || [ "$(head -c 2 "$template")" = PK ] || { echo "TEMPLATE=$template: expected a PPTX" >&2; exit 2; }
case $notes in ''|yes|no) ;; *) echo "NOTES=$notes: expected yes or no" >&2; exit 2 ;; esac
[ -z "$reveal" ] || [ -e "$reveal/dist/reveal.js" ] ||
    { echo "REVEALJS=$reveal: no dist/reveal.js there; expected the folder of reveal.js" >&2; exit 2; }
# pip's sphinx-revealjs brings the files of reveal.js.
[ -n "$reveal" ] || reveal=$(python3 -c 'import os, sphinx_revealjs as s
print(os.path.dirname(s.__file__) + "/_static/revealjs")' 2>/dev/null)
[ -e "$reveal/dist/reveal.js" ] || reveal=
mkdir -p "$folder/.made" || exit 1
. "${0%/*}/turns.sh"
take_turns "$folder/.made"
new=$(mktemp -d) && trap 'rm -rf "$new"' EXIT && trap 'exit 1' INT TERM || exit 1
folder=$(cd "$folder" && pwd)

# keep FILE: copies it from $new to the folder, unless the one there was edited
keep()
{
    there=$folder/$1 made=$folder/.made/$1 beside=${1%.*}.new.${1##*.}
    if [ ! -e "$there" ] || cmp -s "$there" "$made"; then
        cmp -s "$new/$1" "$there" || cp "$new/$1" "$there"
        rm -f "$folder/$beside"
    elif ! cmp -s "$new/$1" "$there" && ! cmp -s "$new/$1" "$made"; then
        cp "$new/$1" "$folder/$beside"
        echo "$1 was edited and is kept; the new one is $beside"
        case $1 in *.md) [ -e "$made" ] || made=$there; diff -u "$made" "$new/$1" | sed -n '3,$p' ;; esac
    fi
    cmp -s "$new/$1" "$folder/.made/$1" || cp "$new/$1" "$folder/.made/$1"
}

# picture NAME.svg FROM: draws a figure, "02_reduction_ladder" or "02_reduction_ladder_to_stage5", or the nth accesses
# of a recorded warp, "02_reduction_lanes_stage1_2" or "02_reduction_lanes_stage1_1to2_shared_store"; copies what a page
# shows: a drawing, or "03_matmul_trace_stage22_128x256x512"
picture()
{
    week=$(expr "$1" : '\([0-9][0-9]_[a-z0-9]*\)_.*\.svg$')
    figure=${1#"$week"_} figure=${figure%.svg}
    case $figure in
    lanes_*_*) stage=${figure#lanes_} nth=${figure#lanes_*_} kind=
        case $nth in *_*) kind=$(echo "${nth#*_}" | tr _ ' ') nth=${nth%%_*} ;; esac
        set -- "$1" "$2" lanes --access "$(echo "$nth" | sed s/to/-/)" --kind "$kind" \
            "$data/lanes/$week.${stage%%_*}.txt" ;;
    trace_*) week= ;;   # as a page shows it
    *_to_stage*) set -- "$1" "$2" "${figure%_to_*}" --to "${figure##*_to_}" --recorded --week "$week" --medians ;;
    *) set -- "$1" "$2" "$figure" --recorded --week "$week" --medians ;;
    esac
    name=$1 from=$2
    shift 2
    drawing=${name#drawing_} drawing=${drawing%.svg} is_of_gpu=
    script=${make%/*/*}/plots/drawings/${drawing%_step[1-9]}.gp
    [ -z "$LADDER_FROM" ] || ! grep -q 'exists("GPU")' "$script" 2>/dev/null || is_of_gpu=1
    if [ -n "$is_of_gpu" ] && [ ! -e "${make%/*}/machine/$from.tsv" ]; then
        return
    elif [ -e "$script" ] && [ -n "$is_of_gpu$LADDER_FONT$LADDER_PALETTE" -o ! -e "$readme/$name" ]; then
        LADDER_FROM=$from "$make/drawings.sh" svg "$new" "$drawing" >"$new/log" || status=1
    elif [ -z "$week" ]; then
        [ ! -e "$readme/$name" ] || cp "$readme/$name" "$new/$name"
    elif LADDER_FROM=$from "$LADDER" figure "$@" --format svg >"$new/figure.gp" 2>"$new/log"; then
        LC_ALL=C.UTF-8 "$gnuplot" "$new/figure.gp" >"$new/$name" || status=1
    else
        [ $? = 77 ] || { cat "$new/log" >&2; status=1; }
    fi
}

# stale FILE DECK: whether FILE was not made, or its deck or a picture changed since
stale()
{
    [ ! -e ".made/$1" ] || [ -n "$(find "$2.md" ./*.svg ${template:+"$template"} -newer ".made/$1")" ]
}
# slides.lua marks the lines of code: pandoc's own highlighting would take half of the time.
convert() { pandoc --slide-level=1 --no-highlight --lua-filter="$make/slides.lua" "$@" || { status=1; return 1; }; }

# dzslides DECK OUT [OPTION...]: an HTML deck that needs no other program
dzslides()
{
    deck=$1 to=$2
    shift 2
    convert "$deck.md" -t dzslides $embed --mathml --css="$make/slides.css" "$@" -o "$to"
}
# print HTML PDF: notes a deck that print_all prints
print() { printf '%s\n%s\n' "$1" "$2" >>"$new/to_print"; }
# print_all: prints the decks with one browser, whose start takes longer than a deck, or those that this fails to print
# with one each; with a profile that is not that of a browser that runs
print_all()
{
    set --
    while read -r html && read -r pdf; do set -- "$@" "$html" "$new/$pdf"; done <"$new/to_print"
    ! has perl || "$make/print.pl" "$browser" "$new/profile" "$@" >/dev/null 2>&1
    while read -r html && read -r pdf; do
        [ -s "$new/$pdf" ] || timeout 60 "$browser" --headless --no-sandbox --disable-gpu \
            --user-data-dir="$new/profile" --no-pdf-header-footer --print-to-pdf="$new/$pdf" "file://$html" \
            >/dev/null 2>&1 </dev/null
        [ -s "$new/$pdf" ] && keep "$pdf" || echo "$browser cannot print $pdf"
    done <"$new/to_print"
}

# formats DECK: HTML, PPTX and PDF of FOLDER/DECK.md
formats()
{
    cd "$folder" || return
    printed=$folder/$1.html
    if stale "$1.html" "$1"; then
        if [ -n "$reveal" ]; then
            convert "$1.md" -t revealjs $embed --mathml -V revealjs-url="$reveal" -V theme=white \
                -V width=1280 -V height=720 \
                -V margin=0 -V center=false -V slideNumber=true -V transition=none -V hash=true -V controls=false \
                --css="$make/slides_reveal.css" -o "$new/$1.html" &&
                keep "$1.html"
        else
            dzslides "$1" "$new/$1.html" && keep "$1.html"
        fi
    fi
    if has rsvg-convert && stale "$1.pptx" "$1"; then
        SLIDES_TEMPLATE=$template convert "$1.md" ${template:+--reference-doc="$template"} -o "$new/$1.pptx" &&
            keep "$1.pptx"
    fi
    if [ -n "$browser" ] && stale "$1.pdf" "$1"; then
        [ -z "$reveal" ] || { printed=$new/$1.printed.html && dzslides "$1" "$printed"; }
        print "$printed" "$1.pdf"
    fi
    if [ "$notes" = yes ] && [ -n "$browser" ] && stale "$1_notes.pdf" "$1"; then
        dzslides "$1" "$new/$1.notes.html" --css="$make/slides_notes.css" && print "$new/$1.notes.html" "$1_notes.pdf"
    fi
}

for week; do
    # Of several weeks, those that were not recorded on this GPU have no deck.
    if [ $# -gt 1 ] && [ -d "$data/$LADDER_FROM" ] && [ -n "$LADDER_FROM" ] &&
        [ ! -e "$data/$LADDER_FROM/$week.ladder.tsv" ]; then
        echo "$week: no deck, because $LADDER_FROM has no recorded run: make -C $week record TO=$LADDER_FROM"
        [ ! -e "$folder/${week}_lecture1.md" ] || echo "$week: the decks in $folder are of another run"
        continue
    fi
    decks=$("$LADDER" slides "$week" "$new") || { status=$?; continue; }
    while read -r deck slides from; do
        for picture in $(cat "$new/$deck" "$folder/$deck" 2>/dev/null |
            sed -n 's/^!\[.*](\([A-Za-z0-9_]*\.svg\)).*/\1/p' | sort -u); do
            [ -e "$new/$picture" ] || picture "$picture" "$from"
            [ -s "$new/$picture" ] && keep "$picture" || {
                sed -i "s/^!\[.*]($picture).*/Not measured: \`make -C ${deck%_lecture*} record TO=$from\`/" "$new/$deck"
                echo "$deck: $picture: not measured on $from"; }
        done
        keep "$deck"
        shown=$((1 + $(grep -c '^# ' "$folder/$deck"))) kept=
        cmp -s "$new/$deck" "$folder/$deck" || kept=kept,\ 
        echo "$folder/$deck: $kept$shown slides"
    done <<END
$decks
END
done
[ $status = 0 ] || exit $status
if has pandoc; then
    pandoc --help | grep -q embed-resources && embed='--embed-resources --standalone' || embed=--self-contained
    for week; do
        for deck in "$folder/$week"_lecture[0-9].md; do
            deck=${deck##*/}
            [ ! -e "$folder/$deck" ] || formats "${deck%.md}"
        done
    done
    [ ! -e "$new/to_print" ] || print_all
    has rsvg-convert || echo 'no PPTX: rsvg-convert, for the pictures, is not installed: apt-get install librsvg2-bin'
    [ -n "$browser" ] || echo 'no PDF: there is no browser: apt-get install chromium, or print the HTML deck'
else
    echo 'only Markdown: pandoc is not installed: apt-get install pandoc librsvg2-bin'
fi
exit $status
