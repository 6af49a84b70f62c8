#!/bin/sh
# roofline.sh SIZE BUILD PROGRAM...: what the figure of the roofs shows, into results/<device>/roofline.tsv: what the GPU can do at most, how fast
# each program's stage and the references are at this size, and, where ncu is, the bytes that L2 gave for one call and that memory moved.
# RUN is a prefix for running, ROOFS the program that measures the roofs, NCU the tool, COUNTERS its counters as column=counter.
size=$1 build=$2
shift 2
here=${0%/*}
awk=${AWK:-awk}

table=$build/roofline.tsv
rm -f "$table" "$build/counted.tsv"
$RUN "./$ROOFS" --tsv "$table" </dev/null || exit
folder=results/$(sed -n 's/^# device: //p' "$table" | head -n 1 | tr -cs 'A-Za-z0-9\n' _)

# The row of a stage or reference at this size, from the results: fails where there is none.
row_of()
{
    "$awk" -F '\t' -v size="$size" '/^#/ { print; next }
        /^week\t/ { print; for (i = 1; i <= NF; i++) at[$i] = i; next }
        $at["size"] == size && $at["mode"] == "cold" && $at["knobs"] $at["variant"] == "" && $at["status"] == "ok" { print; found = 1 }
        END { exit !found }' "$1" 2>/dev/null
}

counters=
for pair in $COUNTERS; do counters=$counters${counters:+,}${pair#*=}; done
$RUN $NCU --version >/dev/null 2>&1 </dev/null && counting=1 || counting=
[ -n "$counting" ] || echo "note: the bytes that were moved are left out: they need ncu (Nsight Compute, of the CUDA Toolkit); there is no $NCU here"

status=0
for program; do
    stage=${program##*/}
    results=$folder/$stage.tsv
    # What was not measured since it was built is measured now.
    if ! [ "$results" -nt "$program" ] || ! row_of "$results" >/dev/null; then
        $RUN "./$program" --bench --size "$size" </dev/null
        case $? in 0) ;; 77) echo "$stage: skipped"; continue ;; *) status=1; continue ;; esac
    fi
    row_of "$results" >"$build/row.tsv"
    grep -v '^#' "$build/row.tsv" >"$build/plain.tsv"
    "$awk" -f "$here/merge.awk" "$table" "$build/plain.tsv" >"$table.new" && mv "$table.new" "$table"
    [ -n "$counting" ] || continue
    $RUN $NCU --clock-control none --print-units base --csv --metrics "$counters" "./$program" --once --size "$size" >"$build/ncu.csv" </dev/null
    if grep -q ERR_NVGPUCTRPERM "$build/ncu.csv"; then
        echo 'note: the counters of this GPU may not be read: https://developer.nvidia.com/ERR_NVGPUCTRPERM'
        counting=
    elif "$awk" -v counters="$COUNTERS" -f "$here/ncu.awk" "$build/row.tsv" "$build/ncu.csv" >"$build/counted.tsv"; then
        "$awk" -f "$here/merge.awk" "$table" "$build/counted.tsv" >"$table.new" && mv "$table.new" "$table"
        echo "$stage: counted"
    else
        echo "$stage: ncu gave no counts:" >&2
        cat "$build/ncu.csv" >&2
        status=1
    fi
done
for results in "$folder"/ref_*.tsv; do
    [ -f "${results##*/}" ] || [ -f "$(basename "$results" .tsv).cu" ] || continue
    row_of "$results" | grep -v '^#' >"$build/plain.tsv"
    ! grep -q -v '^week' "$build/plain.tsv" || { "$awk" -f "$here/merge.awk" "$table" "$build/plain.tsv" >"$table.new" && mv "$table.new" "$table"; }
done
mkdir -p "$folder" && mv "$table" "$folder/roofline.tsv" && echo "$folder/roofline.tsv"
exit $status
