#!/bin/sh
# pictures.sh README...: draws every picture plots/readme/WEEK_FIGURE.svg that these pages show, from the week's recorded runs.
plots=${0%/*}/../../plots
status=0
for picture in $(sed -n 's|^!\[.*](.*plots/readme/\([0-9][0-9]_[A-Za-z0-9_]*\)\.svg)$|\1|p' "$@" | sort -u); do
    week=$(echo "$picture" | sed 's/^\([0-9]*_[A-Za-z0-9]*\)_.*/\1/')
    figure=${picture#"${week}_"}
    kept=h200
    case $figure in
    ladder|then_and_now|memory_only) table=ladder ;;
    shmoo|time_per_element) table=shmoo ;;
    summation_error) table=errors ;;
    activity|sectors|generations) table=counts kept=cpu ;;
    *) table=$figure ;;
    esac
    "${GNUPLOT:-gnuplot}" -c "$plots/$figure.gp" "$plots/data/$kept/$week.$table.tsv" "$plots/readme/$picture.svg" && echo "plots/readme/$picture.svg" || status=1
done
exit $status
