#!/bin/sh
# pictures.sh README...: draws every picture plots/readme/WEEK_FIGURE.svg that these pages show, from the recorded runs.
root=${0%/*}/../..
status=0
for picture in $(sed -n 's|^!\[.*](.*plots/readme/\([0-9][0-9]_[A-Za-z0-9_]*\)\.svg)$|\1|p' "$@" | sort -u); do
    figure=${picture#*_} figure=${figure#*_}
    out=$root/plots/readme/$picture.svg
    "$LADDER" figure "$figure" --recorded --week "${picture%_"$figure"}" >"$out.gp" && LC_ALL=C.UTF-8 "${GNUPLOT:-gnuplot}" "$out.gp" >"$out.new" && mv "$out.new" "$out" && echo "plots/readme/$picture.svg" || status=1
    rm -f "$out.gp" "$out.new"
done
exit $status
