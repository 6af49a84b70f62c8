#!/bin/sh
# watch.sh STAGE TARGET PROGRAM: builds and checks a stage or exercise whenever its file or a header of the week is
# saved, and prints which counts of the CPU device changed. TARGET builds its PROGRAM, build/cpu/stage3. MAKE is the
# command that builds, RUN a prefix of every run. Runs in the week's folder. It ends with Ctrl-C.
stage=$1 target=$2 program=$3 build=${3%/*} file=
case $stage in *[!a-z0-9]*) ;; stage[0-9]* | exercise[0-9]*) file=$(echo "$stage"_*.cu) ;; esac
[ -f "$file" ] || {
    echo "watch: STAGE='$stage': expected a stage of this folder, or your exercise: make watch STAGE=stage3" >&2
    exit 2
}
trap 'echo; exit 0' INT

now() { date +%s%N; }
seconds() { tenths=$((($2 - $1) / 100000000)); echo "$((tenths / 10)).$((tenths % 10)) s"; }

# Prints a line for each count that differs from the one of the last row that was counted
changes()
{
    rm -f "$build/watch.tsv"
    "$program" --count --no-results --tsv "$build/watch.tsv" >"$build/watch.log" 2>&1 </dev/null || return
    [ ! -e "$build/watched.tsv" ] || awk -F '\t' '
        /^#/ { next }
        /^week\t/ { for (i = 1; i <= NF; i++) { name[i] = $i; at[$i] = i } next }
        NR == FNR { split($0, was); next }
        function shown(count) { return count == "" ? "-" : count }
        { for (i = at["ld_requests"]; i <= at["active_lanes"]; i++)
            if ($i != was[i]) printf "          %s %s -> %s (%s)\n", name[i], shown(was[i]), shown($i), $at["size"] }
        ' "$build/watched.tsv" "$build/watch.tsv"
    mv "$build/watch.tsv" "$build/watched.tsv"
}

build_and_check()
{
    clock=$(date +%H:%M:%S) start=$(now) result='does not build' status=2
    if $MAKE -s "$target"; then
        built=$(now)
        $RUN "$program" --check --quick >"$build/watch.log" </dev/null
        status=$?
        result=$(tail -n 1 "$build/watch.log")
        case $status:$result in
        1:"$stage"* | 0:* | 77:*) ;;
        1:*) result=wrong ;;   # a diagnosis ended the program
        *) result="exit status $status" ;;
        esac
    fi
    end=$(now) changed=
    [ $status != 0 ] || [ "${build##*/}" = gpu ] || changed=$(changes)
    echo "$clock  $result   (build $(seconds $start ${built:-$end}), check $(seconds ${built:-$end} $end))${changed:+
$changed}"
}

case $stage in stage*) all="make check STAGES=$stage" ;; *) all="./$stage --check" ;; esac
echo "watching $file and the headers of the week; Ctrl-C ends it. The check is quick: all sizes, $all"
rm -f "$build/watched.tsv" "$build/watch.mark"
while :; do
    if [ ! -e "$build/watch.mark" ] || [ -n "$(find "$file" ./*.h -newer "$build/watch.mark" 2>/dev/null)" ]; then
        touch "$build/watch.mark"
        built=
        [ ! -e "$file" ] || build_and_check
    fi
    sleep 0.2
done
