#!/bin/sh
# slides_picture.sh FOLDER FILE.png <SLIDES: draws four slides of the PDF decks in FOLDER in one picture. SLIDES has a
# line per slide: week and title.
folder=$1 file=$2
for program in pdftotext:poppler-utils pdftoppm:poppler-utils "${GNUPLOT:-gnuplot}:gnuplot-nox"; do
    command -v "${program%:*}" >/dev/null ||
        { echo "${program%:*} is not installed: apt-get install ${program#*:}" >&2; exit 1; }
done
new=$(mktemp -d) && trap 'rm -rf "$new"' EXIT && trap 'exit 1' INT TERM || exit 1
n=0
while read -r week title; do
    found=
    for deck in "$folder/$week"_lecture?.pdf; do
        page=$(pdftotext "$deck" - 2>/dev/null | awk -v title="$title" '
            BEGIN { RS = "\f" } index($0, title) == 1 { print NR; exit }')
        [ -n "$page" ] || continue
        n=$((n + 1)) found=yes
        pdftoppm -png -singlefile -f "$page" -l "$page" -scale-to-x 480 -scale-to-y 270 "$deck" "$new/$n"
        break
    done
    [ -n "$found" ] || { echo "no slide '$title' in $folder/$week*.pdf; make slides writes them" >&2; exit 1; }
done
"${GNUPLOT:-gnuplot}" - <<EOF
set terminal pngcairo size 972, 552 background rgb '#999999'
set output '$new/all.png'
unset border; unset tics; unset key; unset colorbox
set margins 0, 0, 0, 0
set multiplot
set size 480 / 972., 270 / 552.
do for [i = 0:3] {
    set origin (4 + 484 * (i % 2)) / 972., (4 + 274 * (1 - i / 2)) / 552.
    set xrange [0:479]; set yrange [0:269]
    plot sprintf('$new/%d.png', i + 1) binary filetype=png with rgbimage
}
EOF
cp "$new/all.png" "$file"
