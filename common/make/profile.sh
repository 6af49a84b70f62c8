#!/bin/sh
# profile.sh SIZE BUILD PROGRAM...: counts with ncu what one call of each program's stage does, into results/<device>/counts.tsv.
# RUN is a prefix for running, NCU the tool, COUNTERS its counters as column=counter, SOME_COUNTERS those that not every GPU has, ARGS options of the
# programs (--memory-only): counts with such options are added to what the table has.
size=$1 build=$2
shift 2
here=${0%/*}

if ! $RUN $NCU --version >/dev/null 2>&1 </dev/null; then
    echo "SKIP: make profile needs ncu (Nsight Compute, of the CUDA Toolkit), and there is no $NCU here"
    exit 0
fi
known=$($RUN $NCU --query-metrics 2>/dev/null </dev/null | awk '{ printf "%s ", $1 }')
for pair in $SOME_COUNTERS; do
    counter=${pair#*=}
    case " $known " in
    *" ${counter%.sum} "*) COUNTERS="$COUNTERS $pair" ;;
    *) echo "note: ${pair%%=*} is left without ${counter%.sum}, which ncu does not know here" ;;
    esac
done
counters=
for pair in $COUNTERS; do counters=$counters${counters:+,}${pair#*=}; done

status=0 table=$build/counts.tsv
rm -f "$table"
for program; do
    rm -f "$build/row.tsv"
    # A right result first; its row says what was run, and where.
    $RUN "./$program" --bench --alone --size "$size" $ARGS --tsv "$build/row.tsv" >/dev/null </dev/null
    case $? in 0) ;; 77) echo "$program: skipped"; continue ;; *) status=1; continue ;; esac
    $RUN $NCU --clock-control none --print-units base --csv --metrics "$counters" \
        "./$program" --once --size "$size" $ARGS >"$build/ncu.csv" </dev/null
    if grep -q ERR_NVGPUCTRPERM "$build/ncu.csv"; then
        echo 'SKIP: make profile may not read the counters of this GPU: https://developer.nvidia.com/ERR_NVGPUCTRPERM'
        exit 0
    fi
    if ! "${AWK:-awk}" -v counters="$COUNTERS" -v command="ncu --clock-control none --metrics $counters" \
        -f "$here/csv.awk" -f "$here/ncu.awk" "$build/row.tsv" "$build/ncu.csv" >"$build/counted.tsv"; then
        echo "$program: ncu gave no counts:" >&2
        cat "$build/ncu.csv" >&2
        status=1
        continue
    fi
    echo "$program"
    if [ -f "$table" ]; then
        grep -v -e '^#' -e '^week	' "$build/counted.tsv" >>"$table"
    else
        cp "$build/counted.tsv" "$table"
    fi
done
[ -f "$table" ] || exit $status

folder=results/$(sed -n 's/^# device: //p' "$table" | tr -cs 'A-Za-z0-9\n' _)
mkdir -p "$folder"
if [ -n "$ARGS" ] && [ -f "$folder/counts.tsv" ]; then set -- "$folder/counts.tsv" "$table"; else set -- "$table"; fi
"${AWK:-awk}" -f "$here/merge.awk" "$@" >"$folder/counts.tsv.new" && mv "$folder/counts.tsv.new" "$folder/counts.tsv"
LC_ALL=C "${AWK:-awk}" -f "$here/runs.awk" -f "$here/table.awk" "$folder/counts.tsv"
echo "$folder/counts.tsv"
exit $status
