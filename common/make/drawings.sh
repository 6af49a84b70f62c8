#!/bin/sh
# drawings.sh svg|png|pdf FOLDER [NAME...]: draws each plots/drawings/NAME.gp that has a title, or these, as
# FOLDER/drawing_NAME.FORMAT, and prints how many; with V=1, which. With LADDER_FROM, numbers
# are of that GPU. NAME_step2 is what NAME shows up to its second step.
format=$1 folder=$2
drawings=${0%/*}/../../plots/drawings machine=${0%/*}/../machine/$LADDER_FROM.tsv
gnuplot=${GNUPLOT:-gnuplot}
status=0 drawn=0

command -v "$gnuplot" >/dev/null || { echo "$gnuplot is not installed: apt-get install gnuplot-nox" >&2; exit 1; }
case $format in svg|png|pdf) ;; *) echo "FORMAT=$format: the formats are svg, png and pdf" >&2; exit 2 ;; esac
# FONT becomes a part of a gnuplot command; `ladder figure` has the same rule.
case $LADDER_FONT in *[\'\",]* | *'
'*) echo "FONT='$LADDER_FONT': expected the name of a font, for example 'Liberation Sans'" >&2; exit 2 ;;
esac
mkdir -p "$folder" && folder=$(cd "$folder" && pwd) || exit 1
. "${0%/*}/turns.sh"
take_turns "$folder"
settings="FORMAT = '$format'; FONT = '$LADDER_FONT'"
[ ! -e "$machine" ] || settings="$settings; GPU = '$LADDER_FROM'"
if [ -n "$LADDER_PALETTE" ]; then
    palette=$(mktemp) && trap 'rm -f "$palette"' EXIT && trap 'exit 1' INT TERM || exit 1
    "${LADDER:-${0%/*}/../../build/ladder}" palette >"$palette" || exit
    settings="$settings; PALETTE = '$palette'"
fi
shift 2
[ $# -gt 0 ] || set -- $(cd "$drawings" && grep -l '^TITLE = ' *.gp)
for script; do
    out=$folder/drawing_${script%.gp}.$format
    case $script in *_step[1-9]) step="; STEP = ${script##*_step}" script=${script%_step*} ;; *) step= ;; esac
    script=${script%.gp}.gp
    if (cd "$drawings" && LC_ALL=C.UTF-8 "$gnuplot" -e "$settings$step" "$script") >"$out.new" &&
        mv "$out.new" "$out"; then
        drawn=$((drawn + 1))
        [ -z "$V" ] || echo "$out"
    else
        rm -f "$out.new"
        status=1
    fi
done
echo "drawings: $drawn"
exit $status
