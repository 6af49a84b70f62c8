#!/bin/sh
# knobs.sh STAGE TILE:16,32,64 ROWS:2,4,8 [option...]: builds and times a stage at every combination of two knobs (or of one), into
# results/<device>/knobs.tsv. A combination that does not build, run or give the right result is a row too, whose status says so: the figure
# marks it. MAKE and RUN are the commands for building and a prefix for running, WEEK is the week's name, DEVICE gpu or cpu.
stage=$1 x=$2 y=$3
usage='say make knobs STAGE=stage4 X=TILE:16,32,64 Y=ROWS:2,4,8'
[ -n "$stage" ] && [ -n "$x" ] && shift 3 || { echo "knobs: $usage" >&2; exit 2; }
for axis in "$x" ${y:+"$y"}; do
    case $axis in [A-Za-z_]*:?*) ;; *) echo "knobs: '$axis': $usage" >&2; exit 2 ;; esac
done

table=build/knobs.tsv log=build/knobs.log
mkdir -p build
rm -f "$table" "$table.failed"
# All at once, what they have in common first; what does not build says so again when its turn comes.
$MAKE "$stage" >/dev/null 2>&1
for a in $(echo "${x#*:}" | tr , ' '); do
    for b in $(echo "${y#*:}" | tr , ' ' | sed 's/^$/-/'); do echo "${x%%:*}=$a${y:+ ${y%%:*}=$b}"; done
done | xargs -P "$(nproc 2>/dev/null || echo 2)" -L 1 $MAKE "$stage" >/dev/null 2>&1
for a in $(echo "${x#*:}" | tr , ' '); do
    for b in $(echo "${y#*:}" | tr , ' ' | sed 's/^$/-/'); do
        set_x=${x%%:*}=$a set_y=
        [ -z "$y" ] || set_y=${y%%:*}=$b
        rm -f "$table.row"
        if ! $MAKE "$stage" $set_x $set_y >"$log" 2>&1; then
            # An unknown knob is no cell of the map.
            if grep -q -e 'has no knob' -e 'a knob takes' -e 'No rule to make' "$log"; then
                grep -e '\*\*\*' "$log" >&2
                exit 2
            fi
            result='does not build' status=error
        else
            $RUN "./$(readlink "$stage")" --bench --tsv "$table.row" "$@" >"$log" 2>&1 </dev/null
            case $? in
            0) status=ok result=$(tail -n 1 "$log") ;;
            1) status=wrong result='wrong result' ;;
            2) cat "$log" >&2; exit 2 ;;
            77) status=skip result=$(grep SKIP "$log") ;;
            *) status=error result=$(tail -n 1 "$log") ;;
            esac
        fi
        echo "$set_x $set_y: $result"
        if [ $status = ok ]; then
            [ -f "$table" ] || sed -n -e "s|^# command: .*|# command: make knobs STAGE=$stage X=$x Y=$y${*:+ $*}|" \
                -e '/^#/p' -e '/^week	/p' "$table.row" >"$table"
            grep "^[^	]*	$stage	" "$table.row" >>"$table"
        else
            echo "$set_x${set_y:+ $set_y}	$status" >>"$table.failed"
        fi
    done
done
rm -f "$table.row"
[ -f "$table" ] || { tail -n 20 "$log" >&2; echo "knobs: no combination of $x and $y ran; the last one said this" >&2; exit 1; }

if [ -f "$table.failed" ]; then
    "${AWK:-awk}" -f "${0%/*}/failed.awk" "$table" "$table.failed" >"$table.all" && mv "$table.all" "$table"
    rm -f "$table.failed"
fi
"${0%/*}/keep.sh" "$table" knobs
