#!/bin/sh
# drawings.sh svg|png|pdf FOLDER: draws each plots/drawings/NAME.gp that has a title, as FOLDER/drawing_NAME.FORMAT, and
# prints how many; with V=1, which.
format=$1 folder=$2
drawings=${0%/*}/../../plots/drawings
gnuplot=${GNUPLOT:-gnuplot}
status=0 drawn=0

command -v "$gnuplot" >/dev/null || { echo "$gnuplot is not installed: apt-get install gnuplot-nox" >&2; exit 1; }
case $format in svg|png|pdf) ;; *) echo "FORMAT=$format: the formats are svg, png and pdf" >&2; exit 2 ;; esac
# FONT becomes a part of a gnuplot command; `ladder figure` has the same rule.
case $LADDER_FONT in *[\'\",]* | *'
'*) echo "FONT='$LADDER_FONT': expected the name of a font, for example 'Liberation Sans'" >&2; exit 2 ;;
esac
mkdir -p "$folder" || exit 1
. "${0%/*}/turns.sh"
take_turns "$folder"
for script in $(cd "$drawings" && grep -l '^TITLE = ' *.gp); do
    out=$folder/drawing_${script%.gp}.$format
    settings="FORMAT = '$format'; FONT = '$LADDER_FONT'"
    if (cd "$drawings" && LC_ALL=C.UTF-8 "$gnuplot" -e "$settings" "$script") >"$out.new" &&
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
