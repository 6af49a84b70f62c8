#!/bin/sh
# events.sh lanes|trace PROGRAM OUT svg|png|pdf: records a stage's program on the CPU device, and draws what it did into
# the file OUT. N, BLOCK, WARP, ACCESS, LINE and EVENTS of the environment become options.
figure=$1 program=$2 out=$3 format=$4
events=$program.$figure.tsv
gnuplot=${GNUPLOT:-gnuplot}

command -v "$gnuplot" >/dev/null || { echo "$gnuplot is not installed: apt-get install gnuplot-nox" >&2; exit 1; }
mkdir -p "${out%/*}" || exit 1
rm -f "$events"
set --
[ -z "$N" ] || set -- "$@" --size "$N"
[ -z "$BLOCK" ] || set -- "$@" --block "$BLOCK"
[ -z "$WARP" ] || set -- "$@" --warp "$WARP"
"./$program" "--$figure" "$events" "$@" >"$events.log"
case $? in
0) ;;
77) cat "$events.log"; exit 0 ;;   # SKIP and the reason
*) exit 2 ;;
esac
set --
[ -z "$ACCESS" ] || set -- "$@" --access "$ACCESS"
[ -z "$LINE" ] || set -- "$@" --line "$LINE"
[ -z "$EVENTS" ] || set -- "$@" --events "$EVENTS"
"$LADDER" figure "$figure" "$@" --format "$format" "$events" >"$events.gp" || exit 2
LC_ALL=C.UTF-8 "$gnuplot" "$events.gp" >"$out.new" && mv "$out.new" "$out" && echo "plots/out/${out##*/}, from $events"
