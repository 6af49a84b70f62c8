#!/bin/sh
# plots.sh WEEK svg|png|pdf [COLUMN]: draws a week's figures into plots/out, each beside its gnuplot script, and prints
# how many. Runs in the week's folder.
# plots.sh 'WEEK WEEK...' svg|png|pdf: draws the figures that compare weeks. Runs in the top folder.
# With LADDER_MODEL=h200: the ladder and the sweep of sizes as modeled for that GPU, into files of their own.
# plots/out/WEEK_figures.tsv lists the figures for gallery.sh: name, file, how to read it, the command that draws it,
# and the source of its data. With V=1, the list and the reasons are printed.
week=$1 format=$2 column=$3
make=${0%/*} plots=${0%/*}/../../plots
gnuplot=${GNUPLOT:-gnuplot}
status=0 drawn=0 own=0
model=${LADDER_MODEL:+_model_$LADDER_MODEL}
case $week in *' '*) prefix=overview ;; *) prefix=$week ;; esac

command -v "$gnuplot" >/dev/null || { echo "$gnuplot is not installed: apt-get install gnuplot-nox" >&2; exit 1; }
case $format in svg|png|pdf) ;; *) echo "FORMAT=$format: the formats are svg, png and pdf" >&2; exit 2 ;; esac
mkdir -p "$plots/out" build || exit 1
. "$make/turns.sh"
take_turns "$plots/out"
list=$plots/out/$prefix${model}_figures.tsv
printf 'figure\tfile\tsays\tcommand\tsource\n' >"$list.new" || exit 1

# draw FIGURE SAYS WORD...: `ladder WORD...` prints the figure's gnuplot script, which is kept beside the picture, to be
# changed and drawn again
draw()
{
    name=$1 says=$2 base=$plots/out/${prefix}_$1$model file=${prefix}_$1$model.$format
    shift 2
    "$LADDER" "$@" --format "$format" >"$base.gp.new" 2>build/figure.log
    case $? in
    0)  if mv "$base.gp.new" "$base.gp" && LC_ALL=C.UTF-8 "$gnuplot" "$base.gp" >"$base.new" &&
            titled <"$base.new" >"$base.$format"; then
            rm "$base.new"
            source=$(sed -n '1s/^# from //p' "$base.gp")
            settings=${LADDER_FROM:+LADDER_FROM=$LADDER_FROM }${LADDER_BESIDE:+LADDER_BESIDE=$LADDER_BESIDE }
            printf '%s\t%s\t%s\t%s\t%s\n' "$name" "$file" "$says" \
                "${settings}build/ladder $* --format $format | gnuplot >$file" \
                "$source; $(sed -n "s/^PROVENANCE = '\(.*\)'\$/\1/p" "$base.gp")" >>"$list.new"
            drawn=$((drawn + 1))
            case $source in *results*) own=$((own + 1)) ;; esac
            [ -z "$V" ] || echo "$name: plots/out/$file, from $source"
            return
        fi ;;
    77) rm -f "$base.$format" "$base.gp" "$base.gp.new"
        [ -z "$V" ] || sed 's/^ladder: /not drawn: /' build/figure.log
        return ;;
    esac
    cat build/figure.log >&2
    rm -f "$base.new" "$base.gp.new"
    status=1
}
titled() { if [ "$format" = svg ]; then "$make/svg_title.sh" "$base.gp"; else cat; fi; }

# In the top folder, the figures that compare weeks are of all weeks.
[ $prefix = overview ] && of='' || of="--week $week"
names=$("$LADDER" figure --names $of) || exit
if [ -n "$model" ]; then
    names=$(echo "$names" | grep -E '^(ladder|shmoo) ')
    of="$of --model $LADDER_MODEL"
fi
while read -r name says; do draw "$name" "$says" figure "$name" $of; done <<END
$names
END
[ $prefix != overview ] || draw model 'Each point is a recorded time: on the line, the model is right.' figure model
[ -z "$column" ] ||
    draw column "$("$LADDER" figure | sed -n 's/^column *//p')" figure column --week "$week" --column "$column"
mv "$list.new" "$list"
case $own in
0) source='from recorded runs' ;;
$drawn) source='from results of this machine' ;;
*) source="$own from results of this machine, $((drawn - own)) from recorded runs" ;;
esac
[ -z "$model" ] || source="modeled for $LADDER_MODEL, not measured"
[ $prefix = overview ] && title='all weeks' || title=$week
echo "$title: $drawn figures, $source"
exit $status
