#!/usr/bin/env bash
# The core path is closed: a core stage uses, names and is compared with core stages only, so that a course can skip all
# others. What the headers of a week share stands in namespaces that are named after the stage whose page shows it, with
# the same text.
# The CPU device's folders include headers in one direction.
. "$(dirname "$0")/lib.sh"
cd "$ROOT" || exit 1

# named FILE: the stages of its own week that it names, as "stage3 stage12"; of "stages 3 to 5", the first and the last
named() {
    local stages='[Ss]tages? [0-9]+( (to|and) [0-9]+)?'

    tr '\n' ' ' <"$1" | sed -E "s,(//| )+, ,g; s/[Ww]eek [1-5]( of [a-z]+)?,? $stages//g; s/$stages of week [1-5]//g" |
        grep -oE '\b[Ss]tages? ?[0-9]+((, [0-9]+)* (to|and|or) [0-9]+)?' | grep -oE '[0-9]+' |
        sort -nu | sed 's/^/stage/'
}
# code [FILE]: its lines of code
code() { sed 's, *//.*,,; s/\<inline //; /^using stage[0-9]*::/d; /^$/d' "$@"; }
# outside HEADER: the functions that it defines outside those namespaces
outside() {
    awk '/^namespace stage[0-9]+ \{/ { inside = 1 } /^}   \/\/ namespace/ { inside = 0 }
        !inside && /^[a-zA-Z_].*[a-z_0-9]\(/ && !/^(using|namespace|EXTERN_C|static_assert)/ && !/;$/' "$1" |
        sed -E 's/\(.*//; s/.*[ *&]//' | sort -u
}

# included FILE...: the headers in the same folder that they include
included() { for file; do sed -n "s|^#include \"\([a-z0-9_]*\.h\)\"|${file%/*}/\1|p" "$file"; done | sort -u; }

# Functions outside the namespaces, with the reason.
exceptions='02_reduction/sums.h thread_sum: of stage 11, with a function that loads a vector
04_convolution/convolution.h max_sum: part of the contract: of the host
04_convolution/convolution.h signed_bytes: of the host
03_matmul/tf32.h round_to_tf32: part 8 shows it
03_matmul/tf32.h split: part 8 shows it
03_matmul/tf32.h split_fragments: part 8 shows it
03_matmul/tf32.h store_sums: as in stage 13
03_matmul/tf32.h matrix_map: of the host
03_matmul/bf16.h matrix_map: of the host
03_matmul/ring.h init_ring: the mbarriers of stage 14, before the kernel begins
03_matmul/tf32.h warp_arrive: one arrival per warp
03_matmul/last_part.h is_last_part: the last-block pattern of week 2
03_matmul/matmul.h allow_shared: of the host
03_matmul/pipeline.h load_fragments: of stage 18, with sizes as template parameters
03_matmul/pipeline.h multiply_fragments: likewise
03_matmul/pipeline.h plain_position: likewise
03_matmul/pipeline.h store_tile: likewise
03_matmul/pipeline.h thread_position: places of lanes, for stage 23
03_matmul/aligned.h __launch_bounds__: copy_aligned, a transposition as in week 1 and a copy
03_matmul/copy_rows.h copy_rows: as in stage 35
03_matmul/tiles.h divide: of the host
05_scan/ring.h warp_arrive: as in week 3
05_scan/ring.h launch_ring: of the host'

for week in $(ladders); do
    core=" $(sed -n 's/^core: *//p' "$week/messages") "
    open=$(for stage in $core; do
        for other in $(named "$week/$stage"_*.cu); do
            case $core in *" $other "*) ;; *) echo "$stage names $other" ;; esac
        done
    done)
    is "$open" '' "$week: a core stage names core stages only"
    wrong=$(for file in "$week"/stage*.cu; do
        stage=${file#"$week/"} stage=${stage%%_*}
        grep -oE 'stage[0-9]+::[a-zA-Z_0-9]+' "$file" | sort -u | while IFS=: read -r from _ name; do
            [ "${from#stage}" -lt "${stage#stage}" ] || echo "$stage uses $from::$name, which is not earlier"
            [[ $core != *" $stage "* || $core == *" $from "* ]] || echo "core $stage uses optional $from::$name"
            sed '/^__global__/{N; s/\n */ /}' "$week/$from"_*.cu | grep -qE "^([^ /].*[ *]|struct )$name\b" ||
                echo "$stage uses $from::$name, which $from does not show"
        done
    done)
    is "$wrong" '' "$week: a stage uses what earlier stages show, a core stage what core stages show"
    # the headers of the week that stages include, directly or not
    headers=$(included "$week"/stage*.cu)
    headers=$(included "$week"/stage*.cu $headers)
    for header in $headers; do
        for name in $(outside "$header"); do
            grep -qx "$header $name: .*" <<<"$exceptions" && continue
            echo "$name"
        done >"$TMP/outside"
        is "$(cat "$TMP/outside")" '' "$header: each function is in the namespace of the stage that shows it"
        for stage in $(sed -n 's/^namespace \(stage[0-9]*\) {$/\1/p' "$header"); do
            sed -n "/^namespace $stage {$/,/^}   \/\/ namespace/p" "$header" | sed '1d;$d' | code >"$TMP/shared"
            code "$week/$stage"_*.cu >"$TMP/stage"
            holds "$header: $stage is not empty" -s "$TMP/shared"
            is "$(grep -v -x -F -f "$TMP/stage" "$TMP/shared")" '' "$stage has every line of its namespace in $header"
        done
    done
done
# Each folder of the CPU device includes headers of those before it in this list, of include/ and of the top. pass and
# include have their own.
rooms='lanes report count order host exec ptx hopper'
for room in pass include $rooms; do
    case $room in
    pass | include) may=$room ;;
    *) may="include ${rooms%%"$room"*}$room" ;;
    esac
    wrong=$(grep -rn '^#include "[^"]*/' "common/emu/$room" | grep -vE "\"((${may// /|})/|\.\./[a-zA-Z_]*\.h\")" |
        grep -v '/include/cuda/[^:]*:[0-9]*:#include "\(std\|\.\.\)/\(\.\./emu_cuda\.h\|[a-z]*\)"')
    is "$wrong" '' "common/emu/$room includes nothing of the folders after it"
done
is "$(find common/emu -mindepth 1 -maxdepth 1 -type d -printf '%f\n' | sort)" \
    "$(printf '%s\n' pass include $rooms | sort)" 'every folder of the CPU device is in the list'
# make stage3 TILE=8 defines TILE on the command line, so that a template parameter of that name in the week's header
# would not compile.
for header in "$ROOT"/0*/*.h; do
    including=$(grep -l "^#include \"${header##*/}\"" "${header%/*}"/stage*.cu 2>/dev/null)
    knobs=$(sed -n 's/^#ifndef \([A-Z0-9_]*\)$/\1/p' $including </dev/null | sort -u)
    named=
    for knob in $knobs; do
        grep -q "^ *template <.*[a-z] $knob[,>]" "$header" && named="$named $knob"
    done
    is "$named" '' "no template parameter of ${header#"$ROOT"/} is named like a knob of a stage that includes it"
done
done_testing
