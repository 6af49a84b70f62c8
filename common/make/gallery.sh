#!/bin/sh
# gallery.sh: makes one page, plots/out/index.html, with everything that was drawn in plots/out: the figures in the
# lists that plots.sh writes, the pictures of `make lanes` and `make trace`, and the drawings.
make=$(cd "${0%/*}" && pwd)
cd "$make/../../plots/out" || exit 1
export LC_ALL=C
# pictures START: those whose names begin so; of two formats, the SVG
pictures()
{
    for file in "$1"*.svg "$1"*.png; do
        case $file in *.png) [ ! -e "${file%.png}.svg" ] || continue ;; esac
        [ ! -e "$file" ] || echo "$file"
    done
}
# line SECTION NAME FILE SAYS COMMAND [SOURCE]: describes a picture to gallery.awk
line() { printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$1" "$2" "$3" "$4" "$5" "$6"; }
# accesses WEEK lanes|trace SAYS: what make lanes or make trace drew; 01_transpose_lanes_stage2@TILE=16,ROWS=4.svg is of
# a build with knobs
accesses()
{
    for file in $(pictures "$1_$2_"); do
        build=$(echo "${file#"$1_$2_"}" | sed 's/\.[a-z]*$//; s/[@,]/ /g')
        case $file in *.png) format=' FORMAT=png' ;; *) format= ;; esac
        line "$1" "$2 of $build" "$file" "$3" "make -C $1 $2 STAGE=$build$format" 'recorded on the CPU device'
    done
}
everything()
{
    for list in overview_figures.tsv [0-9]*_figures.tsv; do
        section=${list%_figures.tsv}
        [ -e "$list" ] || continue
        awk -v section="$section" 'NR > 1 { print section "\t" $0 }' "$list"
        accesses "$section" lanes 'Which lanes of a warp touch which sectors and banks; red: more than needed.'
        accesses "$section" trace 'What the warps of a block do, in the order of execution, which is no time.'
    done
    for file in $(pictures drawing_); do
        name=${file#drawing_} script=../drawings/${name%.*}.gp
        case $file in *.png) format="-e \"FORMAT = 'png'\" " ;; *) format= ;; esac
        # A script begins with a comment that says what it draws: the first lines, up to one that ends in a full stop.
        says=$(sed '/\.$/q' "$script" 2>/dev/null | sed 's/^# //' | paste -s -d ' ')
        [ ! -e "$script" ] ||
            line drawings "${name%.*}" "$file" "$says" "(cd plots/drawings && gnuplot $format${name%.*}.gp) >$file"
    done
}
. "$make/turns.sh"
take_turns .
everything | awk -F '\t' -f "$make/gallery.awk" >index.html.new || { rm -f index.html.new; exit 2; }
mv index.html.new index.html || exit 2
echo "To see all $(grep -c '^<figure' index.html) pictures, open $PWD/index.html in a browser."
