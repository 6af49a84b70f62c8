#!/bin/sh
# record.sh FOLDER: runs what the course shows of a week on this machine's GPU and keeps it as FOLDER/<week>.{ladder,shmoo,counts,knobs}.tsv,
# each with the commands that made it. Nothing is replaced unless all of it ran. WEEK is the week's name, MAKE how to call make,
# OPTIONS the options of the ladder's runs besides the default size, separated by commas, KNOBS what `make knobs` sweeps.
folder=$1
new=build/record
rm -rf "$new" && mkdir -p "$new" "$folder" || exit 1

# Appends a run's rows and commands to a table.
append()
{
    if [ -f "$1" ]; then grep -v '^week	' "$2" >>"$1"; else cp "$2" "$1"; fi
}

run() { echo "== $*"; "$@" || { echo "record: '$*' failed; $folder is as it was" >&2; exit 1; }; }

run $MAKE run
append "$new/ladder.tsv" build/gpu/run.tsv
IFS=,
for options in $OPTIONS; do
    unset IFS
    run $MAKE run ARGS="$options"
    append "$new/ladder.tsv" build/gpu/run.tsv
    IFS=,
done
unset IFS
rm -f build/gpu/shmoo.tsv
run $MAKE shmoo ARGS='--reps 30 --tsv build/gpu/shmoo.tsv'
cp build/gpu/shmoo.tsv "$new/shmoo.tsv"
device=results/$(sed -n 's/^# device: //p' "$new/ladder.tsv" | head -n 1 | tr -cs 'A-Za-z0-9\n' _)
run $MAKE profile
[ ! -f "$device/counts.tsv" ] || cp "$device/counts.tsv" "$new/counts.tsv"
if [ -n "$KNOBS" ]; then
    run $MAKE knobs $KNOBS
    cp "$device/knobs.tsv" "$new/knobs.tsv"
fi
for table in "$new"/*.tsv; do
    cp "$table" "$folder/$WEEK.${table##*/}" && echo "$folder/$WEEK.${table##*/}"
done
