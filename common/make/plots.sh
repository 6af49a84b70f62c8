#!/bin/sh
# plots.sh WEEK svg|png|pdf: draws a week's figures into plots/out, each from the results of this machine, or from the recorded run where
# those do not hold what it shows, and says which. Runs in the week's folder.
week=$1 format=$2
here=${0%/*}
plots=$here/../../plots
gnuplot=${GNUPLOT:-gnuplot}

command -v "$gnuplot" >/dev/null || { echo "$gnuplot is not here: apt-get install gnuplot-nox" >&2; exit 1; }
case $format in svg|png|pdf) ;; *) echo "FORMAT=$format: the formats are svg, png and pdf" >&2; exit 2 ;; esac
mkdir -p "$plots/out" build || exit 1

# The newest results of a GPU, and those of the CPU device.
gpu=$(ls -td results/*/ 2>/dev/null | grep -v '^results/cpu/$' | head -n 1)
cpu=results/cpu/

# draw FIGURE TABLE WHENCE: fails where the table does not hold what the figure shows.
draw()
{
    out=$plots/out/${week}_$1.$format
    "$gnuplot" -c "$plots/$1.gp" "$2" "$out" 2>build/plots.log
    case $? in
    0) echo "$1: plots/out/${out##*/}, from $3" ;;
    77) return 1 ;;
    *) cat build/plots.log >&2; status=1 ;;
    esac
}

# Whether results are there, and are not those of a stage or reference that was removed since.
lives()
{
    [ -f "$1" ] || return
    of=${1##*/} of=${of%.tsv}
    case $of in stage*) set -- "$of"_*.cu ;; ref_*) set -- "$of.cu" ;; *) return 0 ;; esac
    [ -f "$1" ]
}

# figure NAME KIND-OF-TABLE FILES FOLDER...
figure()
{
    name=$1 kind=$2 files=$3
    shift 3
    for folder; do
        found=
        for pattern in $files; do
            for file in "$folder"$pattern; do ! lives "$file" || found="$found $file"; done
        done
        [ -n "$found" ] || continue
        "${AWK:-awk}" -f "$here/merge.awk" $found >build/plots.tsv
        ! draw "$name" build/plots.tsv "$week/$folder" || return
    done
    for recorded in "$plots/data/h200/$week.$kind.tsv" "$plots/data/cpu/$week.$kind.tsv"; do
        [ -f "$recorded" ] && draw "$name" "$recorded" "the recorded run plots/data/${recorded#"$plots/data/"}" && return
    done
    echo "$name: not drawn, for neither this machine's results nor a recorded run have it"
}

status=0
# References first: what is kept of them is no part of the run of the last stage.
figure ladder ladder 'ref_*.tsv stage*.tsv' $gpu
figure then_and_now ladder 'stage*.tsv ref_*.tsv' $gpu
figure shmoo shmoo 'stage*.tsv ref_*.tsv' $gpu
figure time_per_element shmoo 'stage*.tsv ref_*.tsv' $gpu
figure knobs knobs knobs.tsv $gpu $cpu
figure counts counts 'stage*.tsv counts.tsv' $cpu $gpu
figure activity counts 'stage*.tsv' $cpu
! grep -q '^errors:' Makefile || figure summation_error errors errors.tsv $gpu $cpu
! grep -q '"GFLOP/s"' ./*.c || figure sectors counts 'stage*.tsv counts.tsv' $cpu $gpu
! grep -q '"memory-only"' ./*.c || figure memory_only ladder 'stage*.tsv ref_*.tsv' $gpu
! grep -q '^RECORD_COUNTS.*--rules' Makefile || figure generations counts 'stage*.tsv' $cpu
for own in roofline access sawtooth accuracy sensitivity instructions occupancy; do ! grep -q "^$own:" Makefile || figure $own $own $own.tsv $gpu $cpu; done
exit $status
