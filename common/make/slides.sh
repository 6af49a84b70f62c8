#!/bin/sh
# slides.sh WEEK: draws a week's deck of slides as plots/out/WEEK_slides.pdf. LADDER_FROM names the recorded run.
week=$1
out=${0%/*}/../../plots/out/${week}_slides.pdf
gnuplot=${GNUPLOT:-gnuplot}

command -v "$gnuplot" >/dev/null || { echo "$gnuplot is not installed: apt-get install gnuplot-nox" >&2; exit 1; }
mkdir -p "${out%/*}" && "$LADDER" slides "$week" >"$out.gp" || { status=$?; rm -f "$out.gp"; exit $status; }
LC_ALL=C.UTF-8 "$gnuplot" "$out.gp" >"$out.new" && mv "$out.new" "$out" && echo "plots/out/${out##*/}: $(grep -c '^SLIDE = ' "$out.gp") slides"
status=$?
rm -f "$out.gp" "$out.new"
exit $status
