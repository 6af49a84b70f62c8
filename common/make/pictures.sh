#!/bin/sh
# pictures.sh README...: draws every picture plots/readme/WEEK_FIGURE.svg that these pages show, and overview.svg, from
# the recorded runs; those of accesses, plots/readme/WEEK_lanes_STAGE.svg, and of the steps of a block,
# WEEK_trace_STAGE_SIZE.svg, from a run on the CPU device.
root=${0%/*}/../..
status=0
# draw NAME COMMAND...: the command prints the gnuplot script of plots/readme/NAME.svg
draw()
{
    out=$root/plots/readme/$1.svg name=$1
    shift
    "$@" >"$out.gp" && LC_ALL=C.UTF-8 "${GNUPLOT:-gnuplot}" "$out.gp" >"$out.new" &&
        "${0%/*}/svg_title.sh" "$out.gp" <"$out.new" >"$out" && echo "plots/readme/$name.svg" || status=1
    rm -f "$out.gp" "$out.new"
}
for picture in $(sed -n 's|^!\[.*](.*plots/readme/\([0-9][0-9]_[A-Za-z0-9_]*\)\.svg)$|\1|p' "$@" | sort -u); do
    figure=${picture#*_} figure=${figure#*_} week=${picture%_"${picture#*_*_}"}
    case $figure in
    lanes_* | trace_*)
        kind=${figure%%_*} stage=${figure#*_} folder=$root/$week/build/cpu
        # Slides show traces, too: their letters are larger.
        case $kind in trace) size=${stage#*_} stage=${stage%_*} scale=1.25 ;; *) size= scale=$LADDER_SCALE ;; esac
        rm -f "$folder/$kind.tsv"
        ${MAKE:-make} -s -C "$root/$week" DEVICE=cpu "$stage" &&
            "$folder/$stage" "--$kind" "$folder/$kind.tsv" ${size:+--size "$size"} >/dev/null &&
            LADDER_SCALE=$scale draw "$picture" "$LADDER" figure "$kind" "$folder/$kind.tsv" || status=1 ;;
    *) draw "$picture" "$LADDER" figure "$figure" --recorded --week "$week" ;;
    esac
done
! grep -q 'plots/readme/model\.svg)$' "$@" || draw model "$LADDER" figure model
! grep -q '^overview:' "$root"/[0-9][0-9]_*/messages 2>/dev/null || draw overview "$LADDER" figure ladders --recorded
exit $status
