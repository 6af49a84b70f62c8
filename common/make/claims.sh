#!/bin/sh
# claims.sh PROGRAM=SOURCE...: holds stages against their "// Expect" lines. What one's ask of the others here, or of builds with other knobs, is
# measured just before it, but nothing twice: not what another one asked for, nor what a stage was held against itself. Earlier results do not
# count, for a row does not say which build it is of. DEVICE, RUN (a prefix) and MAKE come from make.
# Exits 1 if a claim does not hold, and if what it names does not build or is wrong.
nl='
'

# The claims of a source for this kind of device, as "1024x1024|hot int|rate >= 2 * stage2.rate".
claims() {
    sed -n 's|^// Expect *( *\([^)]*\)):\(.*\)|\1:\2|p' "$1" | while IFS=: read -r about claim; do
        about=$(printf %s "$about" | tr -s ', ' ' ')
        case $DEVICE,$about in cpu,cpu*|gpu,[!c]*) ;; *) continue ;; esac
        size= items=
        for item in ${about#* }; do
            if [ -z "$size" ]; then size=$item; elif [ "$item" != cold ]; then items="$items${items:+ }$item"; fi
        done
        printf '%s|%s|%s\n' "$size" "$items" "$claim"
    done
}

# What the claims of a stage, in a source, measure of itself, as "stage3|1024x1024|hot int".
own() { claims "$2" | sed "s/^\([^|]*|[^|]*\)|.*/$1|\1/"; }

# The same for each term of them that names a stage. What is between its square brackets replaces the claim's options.
named() {
    claims "$1" | while IFS='|' read -r size items claim; do
        printf '%s\n' "$claim" | grep -o 'stage[0-9][0-9]*\(\[[^]]*\]\)\{0,1\}\.' | while IFS= read -r term; do
            with=$items term=${term%.}
            case $term in
            *\[*)
                with=
                for item in $items; do case $item in hot|int|float|double|uchar) with="$with $item" ;; esac; done
                words=${term#*\[}
                with=$(echo $with ${words%\]}) ;;
            esac
            echo "${term%%\[*}|$size|$with"
        done
    done | sort -V -u
}

# measure PROGRAM SIZE ITEMS
measure() {
    program=$1 stage=${1##*/} size=$2 options= knobs=
    for item in $3; do
        case $item in
        int|float|double|uchar) options="$options --type $item" ;;
        [A-Z]*=*) knobs="$knobs $item" ;;
        *=*) options="$options --${item%%=*} ${item#*=}" ;;
        *) options="$options --$item" ;;
        esac
    done
    if [ -n "$knobs" ]; then
        $MAKE "$stage" $knobs </dev/null && program=$(readlink "$stage") || { status=1; return; }
    fi
    $RUN "./$program" --bench --size "$size" $options </dev/null
    case $? in 0|77|3) ;; *) status=1 ;; esac      # 3: too large for this GPU, perhaps; the claim will say that it was not measured
    [ -z "$knobs" ] || $MAKE "$stage" </dev/null   # ./stageN is again the one without
}

status=0 measured=$nl
for mine; do
    program=${mine%=*} source=${mine##*=}
    while IFS='|' read -r stage size items; do
        case $measured in *"$nl$stage|$size|$items$nl"*) continue ;; esac
        for pair; do
            other=${pair%=*}
            [ "${other##*/}" = "$stage" ] || continue
            measure "$other" "$size" "$items"
            measured=$measured$stage'|'$size'|'$items$nl
        done
    done <<END
$(named "$source")
END
    program=${mine%=*}
    $RUN "./$program" --claims </dev/null
    case $? in
    0) measured=$measured$(own "${program##*/}" "$source")$nl ;;
    77) ;;
    *) status=1 ;;
    esac
done
exit $status
