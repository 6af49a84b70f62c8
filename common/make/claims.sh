#!/bin/sh
# claims.sh PROGRAM=SOURCE...: holds stages against their "// Expect" lines. What those ask of other stages, or of builds with other knobs, is run
# first, where the results of this kind of device have no row newer than that stage's program. DEVICE, RUN (a prefix) and MAKE come from make.
# Exits 1 if a claim does not hold.

# "stage2|1024x1024|hot int|" for each term of a claim for this device that names a stage: size, what else is between the round brackets, and what
# is between the term's own square ones, which then are the options and knobs.
named() {
    sed -n 's|^// Expect *( *\([^)]*\)):\(.*\)|\1:\2|p' "$@" | while IFS=: read -r about claim; do
        about=$(printf %s "$about" | tr -s ', ' ' ')
        case $DEVICE,$about in cpu,cpu*|gpu,[!c]*) ;; *) continue ;; esac
        about=${about#* } size=${about%% *} items=
        [ "$size" = "$about" ] || items=${about#* }
        printf '%s\n' "$claim" | grep -o 'stage[0-9][0-9]*\(\[[^]]*\]\)\{0,1\}\.' | while IFS= read -r term; do
            stage=${term%.} words=
            case $stage in
            *\[*)
                words=${stage#*\[} words=${words%\]} stage=${stage%%\[*} kept=
                for item in $items; do case $item in hot|cold|int|float|double|uchar) kept="$kept $item" ;; esac; done
                echo "$stage|$size|$kept $words" ;;
            *) echo "$stage|$size|$items" ;;
            esac
        done
    done | sort -V -u
}

sources=
for pair; do sources="$sources ${pair#*=}"; done
named $sources | while IFS='|' read -r stage size items; do
    mode=cold type= options= knobs= variant=
    [ "$DEVICE" != cpu ] || mode=count
    for item in $items; do
        case $item in
        cold) ;;
        hot) mode=hot options="$options --hot" ;;
        int|float|double|uchar) type=$item options="$options --type $item" ;;
        [A-Z]*=*) knobs="$knobs${knobs:+ }$item" ;;
        *=*) variant="$variant${variant:+ }$item" options="$options --${item%%=*} ${item#*=}" ;;
        *) variant="$variant${variant:+ }$item" options="$options --$item" ;;
        esac
    done
    for pair; do
        program=${pair%%=*}
        [ "${program##*/}" = "$stage" ] || continue
        if [ -n "$knobs" ]; then
            $MAKE "$stage" $knobs </dev/null && program=$(readlink "$stage") || continue
        fi
        slugs=results/cpu
        [ "$DEVICE" = cpu ] || slugs=$(find results -mindepth 1 -maxdepth 1 -type d ! -name cpu 2>/dev/null)
        for slug in $slugs; do
            file=$slug/$stage.tsv
            [ "$file" -nt "$program" ] && grep -q "	${type:-[^	]*}	$size	$knobs	$variant	$mode	" "$file" && continue 2
        done
        $RUN "./$program" --bench --size "$size" $options </dev/null || :
        [ -z "$knobs" ] || $MAKE "$stage" </dev/null   # ./stageN is again the one without
    done
done

status=0
for pair; do
    program=${pair%%=*}
    $RUN "./$program" --claims </dev/null
    case $? in 0|77) ;; *) status=1 ;; esac
done
exit $status
