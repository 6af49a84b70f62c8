#!/bin/sh
# pictures.sh README...: draws every picture plots/readme/WEEK_FIGURE.svg that these pages show, and overview.svg, from the recorded runs.
root=${0%/*}/../..
status=0
# draw NAME COMMAND...: the command prints the gnuplot script of plots/readme/NAME.svg
draw()
{
    out=$root/plots/readme/$1.svg name=$1
    shift
    "$@" >"$out.gp" && LC_ALL=C.UTF-8 "${GNUPLOT:-gnuplot}" "$out.gp" >"$out.new" && "${0%/*}/svg_title.sh" "$out.gp" <"$out.new" >"$out" && echo "plots/readme/$name.svg" || status=1
    rm -f "$out.gp" "$out.new"
}
for picture in $(sed -n 's|^!\[.*](.*plots/readme/\([0-9][0-9]_[A-Za-z0-9_]*\)\.svg)$|\1|p' "$@" | sort -u); do
    figure=${picture#*_} figure=${figure#*_}
    draw "$picture" "$LADDER" figure "$figure" --recorded --week "${picture%_"$figure"}"
done
draw overview "$LADDER" overview --figure ladders --recorded $(cd "$root" && ls -d [0-9][0-9]_*)
exit $status
