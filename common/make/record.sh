#!/bin/sh
# record.sh FOLDER [PART...]: runs what the course shows of a week and keeps it as FOLDER/WEEK.PART.tsv, each with the commands that made it.
# A part replaces what is there only if all of it ran, so that a long recording can be made in pieces. The parts on a GPU are
#   ladder   the default size, and the runs of OPTIONS, separated by commas; "stage8 stage9: --size 16384" is a run of these only
#   shmoo    the sweep of sizes with the options SHMOO, which may be several for some stages each, as for the ladder; the references once, with
#            the last stage of the last of them
#   counts   what ncu counts
#   knobs    what `make knobs` sweeps with KNOBS, if set
#   others   that MORE names: `make PART` leaves results/<device>/PART.tsv
# and on the CPU device
#   counts   what it counts, and what with COUNTS: options of further runs, separated by commas
# On a GPU all is built first, on all cores: then those that measure have the machine to themselves.
# WEEK is the week's name, DEVICE gpu or cpu, MAKE how to call make, ALL the stages that the week has. ONLY, if set, are some of them: of the ladder
# and the sweep their runs are made anew, and take the places that they have in what is there. AWK is awk.
folder=$1
shift
new=build/record
mkdir -p "$new" "$folder" || exit 1
if [ "$DEVICE" = cpu ]; then known=counts; else known="ladder shmoo counts ${KNOBS:+knobs} $MORE"; fi
[ -z "$ONLY" ] || [ $# != 0 ] || set -- ladder shmoo

run() { echo "== $*"; "$@" || { echo "record: '$*' failed; $folder is as it was for $part" >&2; exit 1; }; }
# keep TABLE: becomes that of the part, or, of some stages, part of that.
keep()
{
    kept=$folder/$WEEK.$part.tsv
    if [ -n "$ONLY" ] && [ -f "$kept" ]; then
        "${AWK:-awk}" -f "${0%/*}/replace.awk" "$1" "$kept" >"$new/kept.tsv" || { echo "record: $kept is as it was" >&2; exit 1; }
    else
        cp "$1" "$new/kept.tsv"
    fi && mv "$new/kept.tsv" "$kept" && echo "$kept"
}
# Of these stages those that are to be recorded.
wanted() { for stage; do case " ${ONLY:-$stage} " in *" $stage "*) printf '%s ' "$stage" ;; esac; done; }
# Appends a run's rows and commands to a table.
append()
{
    if [ -f "$1" ]; then grep -v '^week	' "$2" >>"$1"; else cp "$2" "$1"; fi
}
# The newest results of a GPU.
newest() { ls -td results/*/ | grep -v '^results/cpu/$' | head -n 1; }

# all_runs TARGET TABLE OPTIONS: the target without options, and once for each of these; TABLE is what it leaves.
all_runs()
{
    rm -f "$new/$part.tsv"
    run $MAKE "$1"
    append "$new/$part.tsv" "$2"
    IFS=,
    for options in $3; do
        unset IFS
        options=${options# }
        case $options in
        stage*:*)
            stages=$(wanted ${options%%:*})
            [ -z "$stages" ] || run $MAKE "$1" STAGES="${stages% }" ARGS="${options#*: }" ;;
        *) stages=all; run $MAKE "$1" ARGS="$options" ;;
        esac
        [ -z "$stages" ] || append "$new/$part.tsv" "$2"
        IFS=,
    done
    unset IFS
    keep "$new/$part.tsv"
}

ladder() { all_runs run build/gpu/run.tsv "$OPTIONS"; }

shmoo()
{
    rm -f build/gpu/shmoo.tsv
    rest=${SHMOO:---reps 30}
    while [ -n "$rest" ]; do
        options=${rest%%,*} stages=$ALL last=
        case $rest in *,*) rest=${rest#*,} ;; *) rest= ;; esac
        options=${options# }
        case $options in stage*:*) stages=${options%%:*} options=${options#*: } ;; esac
        stages=${stages% }
        [ -n "$rest" ] || { last=${stages##* } stages=${stages% *}; [ "$stages" != "$last" ] || stages=; }
        stages=$(wanted $stages) stages=${stages% } last=$(wanted $last) last=${last% }
        [ -z "$stages" ] || run $MAKE shmoo STAGES="$stages" ARGS="--alone $options --tsv build/gpu/shmoo.tsv"
        [ -z "$last" ] || run $MAKE shmoo STAGES="$last" ARGS="$options --tsv build/gpu/shmoo.tsv"
    done
    if [ -f build/gpu/shmoo.tsv ]; then keep build/gpu/shmoo.tsv; else echo "record: the sweep has none of $ONLY"; fi
}

counts()
{
    if [ "$DEVICE" = cpu ]; then
        all_runs count build/cpu/count.tsv "$COUNTS"
    else
        rm -f build/gpu/counts.tsv
        run $MAKE profile
        [ ! -f build/gpu/counts.tsv ] || keep build/gpu/counts.tsv
    fi
}

for part in ${*:-$known}; do
    case ${ONLY:+some.}$part in
    some.ladder|some.shmoo) ;;
    some.*) echo "record: STAGES: $part is recorded of all stages together; ladder and shmoo are not" >&2; exit 2 ;;
    esac
    case " $known " in *" $part "*) ;; *) echo "record: PARTS: there is no part '$part' here; there are: $known" >&2; exit 2 ;; esac
done
[ "$DEVICE" = cpu ] || { part=everything; run $MAKE -j "$(nproc 2>/dev/null || echo 2)" all; }
for part in ${*:-$known}; do
    case $part in
    ladder|shmoo|counts) $part ;;
    knobs) eval "run \$MAKE knobs $KNOBS"; keep "$(newest)knobs.tsv" ;;
    *) run $MAKE "$part"; keep "$(newest)$part.tsv" ;;
    esac
done
