#!/bin/sh
# claims.sh PROGRAM=SOURCE...: holds stages against their "// Expect" lines. What those ask of other stages is run first, where the results of
# this kind of device have no row newer than that stage's program. DEVICE and RUN (a prefix) come from make. Exits 1 if a claim does not hold.

# "stage2 1024x1024 hot int" for each stage that a claim for this device names, its own included: size, then what else is between the brackets.
named() {
    sed -n 's|^// Expect *( *\([^)]*\)):\(.*\)|\1:\2|p' "$@" | while IFS=: read -r about claim; do
        about=$(printf %s "$about" | tr -s ', ' ' ')
        case $DEVICE,$about in cpu,cpu*|gpu,[!c]*) ;; *) continue ;; esac
        printf '%s\n' "$claim" | tr -c 'A-Za-z0-9_.' '\n' | sed -n "s/^\(stage[0-9]*\)\..*/\1 ${about#* }/p"
    done | sort -V -u
}

sources=
for pair; do sources="$sources ${pair#*=}"; done
named $sources | while read -r stage size items; do
    mode=cold type= options=
    [ "$DEVICE" != cpu ] || mode=count
    for item in $items; do
        case $item in cold) ;; hot) mode=hot options="$options --hot" ;; *) type=$item options="$options --type $item" ;; esac
    done
    for pair; do
        program=${pair%%=*}
        [ "${program##*/}" = "$stage" ] || continue
        slugs=results/cpu
        [ "$DEVICE" = cpu ] || slugs=$(find results -mindepth 1 -maxdepth 1 -type d ! -name cpu 2>/dev/null)
        for slug in $slugs; do
            file=$slug/$stage.tsv
            [ "$file" -nt "$program" ] && grep -q "	${type:-[^	]*}	$size		$mode	" "$file" && continue 2
        done
        $RUN "./$program" --bench --size "$size" $options </dev/null || :
    done
done

status=0
for pair; do
    program=${pair%%=*}
    $RUN "./$program" --claims </dev/null
    case $? in 0|77) ;; *) status=1 ;; esac
done
exit $status
