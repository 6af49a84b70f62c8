#!/bin/sh
# plots.sh WEEK svg|png|pdf [COLUMN]: draws a week's figures into plots/out, each beside its gnuplot script, and prints which table each is from. Runs in the week's folder.
# plots.sh 'WEEK WEEK...' svg|png|pdf: draws the figures that compare weeks. Runs in the top folder.
week=$1 format=$2 column=$3
make=${0%/*} plots=${0%/*}/../../plots
gnuplot=${GNUPLOT:-gnuplot}
status=0 lacking=

command -v "$gnuplot" >/dev/null || { echo "$gnuplot is not installed: apt-get install gnuplot-nox" >&2; exit 1; }
case $format in svg|png|pdf) ;; *) echo "FORMAT=$format: the formats are svg, png and pdf" >&2; exit 2 ;; esac
mkdir -p "$plots/out" build || exit 1

# draw PREFIX FIGURE COMMAND...: the command prints the figure's gnuplot script, which is kept beside the picture, to be changed and drawn again
draw()
{
    name=$2 out=$plots/out/$1_$2 script=$plots/out/$1_$2.gp
    shift 2
    "$@" --format "$format" >"$script.new" 2>build/figure.log
    case $? in
    0) mv "$script.new" "$script" && LC_ALL=C.UTF-8 "$gnuplot" "$script" >"$out.new" && titled <"$out.new" >"$out.$format" && rm "$out.new" &&
        echo "$name: plots/out/${out##*/}.$format, from $(sed -n '1s/^# from //p' "$script")" && return ;;
    77) rm -f "$out.$format" "$script" "$script.new"; lacking="$lacking $name"; return ;;
    esac
    cat build/figure.log >&2
    rm -f "$out.new" "$script.new"
    status=1
}
titled() { if [ "$format" = svg ]; then "$make/svg_title.sh" "$script"; else cat; fi; }

case $week in
*' '*) names=$("$LADDER" overview --names) || exit
    for figure in $names; do draw overview $figure "$LADDER" overview --figure $figure $week; done ;;
*) names=$("$LADDER" figure --names --week "$week") || exit
    for figure in $names; do draw $week $figure "$LADDER" figure $figure --week "$week"; done
    [ -z "$column" ] || draw $week column "$LADDER" figure column --week "$week" --column "$column" ;;
esac
[ -z "$lacking" ] || echo "not drawn, because no table has the rows:$lacking"
exit $status
