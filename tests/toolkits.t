#!/usr/bin/env bash
# Stages, exercises and demonstrations compile with the newest nvcc that pip has (toolkit.sh): with FULL=1 half of them,
# each day others, and with FULL=2 all. TOOLKITS=all compiles all, with the oldest one, too, lists kernels whose
# registers differ, and fails if a kernel has fewer blocks per SM than were recorded.
. "$(dirname "$0")/lib.sh"

is_full || skip_all 'FULL=1 installs a toolkit by pip and builds all stages with it'
oldest=13.0.48 newest=13.5.37
toolkit="$ROOT/common/make/toolkit.sh"   # keeps them in build/toolkits
versions=$newest
[ "${TOOLKITS-}" = all ] && versions="$oldest $newest"
for version in $versions; do
    "$toolkit" $version >"$TMP/$version" 2>"$TMP/error" ||
        skip_all "nvcc $version cannot be installed by pip (python3 -m pip): $(tail -n 1 "$TMP/error")"
done
known=$("$toolkit" --newest)
[ "${known:-$newest}" = $newest ] || echo "# pip has a newer nvcc: $known"

# registers OLD NEW TABLE: "STAGE KERNEL: OLD to NEW registers" of kernels whose registers differ, from the output of
# `make regs` with two toolkits; with " FEWER BLOCKS" if fewer blocks fit on an SM than were recorded for the stage
registers()
{
    awk -F '\t' '
        # blocks of this many warps on an SM of 65,536 registers, which a warp gets in units of 256
        function blocks(registers, warps) { return int(65536 / 256 / int((registers * 32 + 255) / 256) / warps) }
        FILENAME != ARGV[3] {
            n = split($0, word, " +")
            if (word[1] !~ /^stage[0-9]/) next
            key = word[1]
            for (i = 2; i < n - 3; i++) key = key " " word[i]
            if (FILENAME == ARGV[1]) old[key] = word[n - 3]
            else { new[key] = word[n - 3]; stage[key] = word[1]; order[++keys] = key }
            next
        }
        /^#/ { next }
        $1 == "week" { for (i = 1; i <= NF; i++) at[$i] = i; next }
        $at["blocks_per_sm"] != "" {
            split($at["block"], size, "x")
            warps[$at["stage"]] = int((size[1] * size[2] * size[3] + 31) / 32)
            recorded[$at["stage"]] = $at["blocks_per_sm"]
        }
        END {
            for (k = 1; k <= keys; k++) {
                key = order[k]; s = stage[key]
                if (old[key] == new[key]) continue
                few = (s in warps) && blocks(new[key], warps[s]) < recorded[s] &&
                    blocks(old[key], warps[s]) >= recorded[s]
                print key ": " old[key] " to " new[key] " registers" (few ? " FEWER BLOCKS" : "")
            }
        }' "$@"
}

half() { if [ "${TOOLKITS-}" = all ]; then cat; else in_turn 2; fi; }

fresh_tree
for week in "$TREE"/[0-9][0-9]_*/; do
    cd "$week" || exit 1
    week=$(basename "$week")
    cp exercises/exercise*.cu .
    regs=()
    if [ -e runs ]; then   # a week without stages has none
        regs=(regs STAGES="$(make -s DEVICE=cpu list | awk '{ print $1 }' | half | paste -s -d ' ')")
    fi
    others=$(ls exercise*_*.cu demo_*.cu 2>/dev/null | half |
        sed -E 's,^(exercise[0-9]*|demo_[a-z0-9_]*).*,build/gpu/obj/\1.o,')
    for version in $versions; do
        kernels_only "$(cat "$TMP/$version")"
        ok "$week: stages, exercises and demonstrations compile with nvcc $version" make -s -k -j2 "${kernels[@]}" \
            ARCH=sm_90 NVCCFLAGS=-DSOLUTION "${regs[@]}" $others
        unlike "$(grep -v minnctapersm <<<"$out$err")" warning "$week: without a warning"
        printf '%s\n' "$out" >"$TMP/regs.$version"
        rm -rf build/gpu
    done
    [ "$versions" != "$newest" ] || continue
    registers "$TMP"/regs.{$oldest,$newest} "$ROOT/plots/data/h200/$week.ladder.tsv" >"$TMP/differ"
    sed "s/^/# $week, nvcc $oldest to $newest: /" "$TMP/differ"
    is "$(grep FEWER "$TMP/differ")" '' "$week: as many blocks per SM as recorded"
done
printf 'stage7 multiply<true> 96 0 0 sm_90\n' >"$TMP/old"
printf 'stage7 multiply<true> 167 0 0 sm_90\n' >"$TMP/new"
is "$(registers "$TMP"/{old,new} "$ROOT/plots/data/h200/03_matmul.ladder.tsv")" \
    'stage7 multiply<true>: 96 to 167 registers FEWER BLOCKS' 'fewer blocks are found'
done_testing
