#!/bin/sh
# roofline.sh SIZE BUILD PROGRAM...: how fast each program's stage and the references are at this size and, where ncu is, what that counts in one
# call, such as the bytes that memory moved; and what the GPU can do at most, where a program measures such roofs. Into results/<device>/TABLE.tsv.
# RUN is a prefix for running, ROOFS that program, if any, NCU the tool, COUNTERS its counters as column=counter, TABLE a name, roofline if not set,
# BESIDE the program in turn with which the references are measured, which therefore is the last one, and measured anew.
size=$1 build=$2
shift 2
here=${0%/*}
awk=${AWK:-awk}

name=${TABLE:-roofline}
table=$build/$name.tsv
rm -f "$table" "$build/counted.tsv"
[ -z "$ROOFS" ] || $RUN "./$ROOFS" --tsv "$table" </dev/null || exit

# Where a GPU's results are: this one's, as the table says, else the newest; none before the first run.
results_folder()
{
    if [ -f "$table" ]; then
        echo "results/$(sed -n 's/^# device: //p' "$table" | head -n 1 | tr -cs 'A-Za-z0-9\n' _)"
    else
        ls -td results/*/ 2>/dev/null | grep -v '^results/cpu/$' | sed 's|/$||' | head -n 1
    fi
}

# The row of a stage or reference at this size, from the results: fails where there is none.
row_of()
{
    "$awk" -F '\t' -v size="$size" '/^#/ { print; next }
        /^week\t/ { print; for (i = 1; i <= NF; i++) at[$i] = i; next }
        $at["size"] == size && $at["mode"] == "cold" && $at["knobs"] $at["variant"] == "" && $at["status"] == "ok" { print; found = 1 }
        END { exit !found }' "$1" 2>/dev/null
}

# Adds these rows to the table; the first ones bring their '#' lines.
add()
{
    if [ -f "$table" ]; then
        grep -v '^#' "$1" >"$build/plain.tsv"
        "$awk" -f "$here/merge.awk" "$table" "$build/plain.tsv" >"$table.new" && mv "$table.new" "$table"
    else
        cp "$1" "$table"
    fi
}

counters=
for pair in $COUNTERS; do counters=$counters${counters:+,}${pair#*=}; done
$RUN $NCU --version >/dev/null 2>&1 </dev/null && counting=1 || counting=
[ -n "$counting" ] || echo "note: what a call does is not counted: that needs ncu (Nsight Compute, of the CUDA Toolkit), and there is no $NCU here"

others=
for program; do [ "$program" = "$BESIDE" ] || others="$others $program"; done
status=0
for program in $others $BESIDE; do
    stage=${program##*/}
    results=$(results_folder)/$stage.tsv
    # What was not measured since it was built is measured now.
    if [ "$program" = "$BESIDE" ] || ! [ "$results" -nt "$program" ] || ! row_of "$results" >/dev/null; then
        $RUN "./$program" --bench --size "$size" </dev/null
        case $? in 0) ;; 77) echo "$stage: skipped"; continue ;; *) status=1; continue ;; esac
        results=$(results_folder)/$stage.tsv
    fi
    row_of "$results" >"$build/row.tsv"
    add "$build/row.tsv"
    [ -n "$counting" ] || continue
    $RUN $NCU --clock-control none --print-units base --csv --metrics "$counters" "./$program" --once --size "$size" >"$build/ncu.csv" </dev/null
    if grep -q ERR_NVGPUCTRPERM "$build/ncu.csv"; then
        echo 'note: the counters of this GPU may not be read: https://developer.nvidia.com/ERR_NVGPUCTRPERM'
        counting=
    elif "$awk" -v counters="$COUNTERS" -f "$here/csv.awk" -f "$here/ncu.awk" "$build/row.tsv" "$build/ncu.csv" >"$build/counted.tsv"; then
        add "$build/counted.tsv"
        echo "$stage: counted"
    else
        echo "$stage: ncu gave no counts:" >&2
        cat "$build/ncu.csv" >&2
        status=1
    fi
done
[ -f "$table" ] || exit $status
folder=$(results_folder)
for results in "$folder"/ref_*.tsv; do
    [ -f "${results##*/}" ] || [ -f "$(basename "$results" .tsv).cu" ] || continue
    row_of "$results" >"$build/row.tsv" && add "$build/row.tsv"
done
mkdir -p "$folder" && mv "$table" "$folder/$name.tsv" && echo "$folder/$name.tsv"
exit $status
