#!/usr/bin/env bash
# The recorded runs fit the sources: the registers and shared memory of every recorded kernel are those of today's
# build, by nvcc of the same release.
. "$(dirname "$0")/lib.sh"

is_full || skip_all 'FULL=1 builds all stages for Hopper'
nvcc=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc 2>/dev/null) || skip_all 'nvcc is not installed'
release=$(sed -n 's/^# cuda: //p' "$ROOT"/plots/data/h200/*.ladder.tsv | sort -u)
"$nvcc" --version | grep -q "release $release," || skip_all "the recorded runs are of CUDA $release"

# Tables that were recorded before a change of the stage, and not since: on an H200, and on an H100 (week 3: the kernels
# for odd sizes; week 4: a register less).
outdated='03_matmul.ladder stage7
03_matmul.ladder stage8
03_matmul.shmoo stage7
03_matmul.shmoo stage8
04_convolution.counts stage17
04_convolution.counts stage18
04_convolution.counts stage19'
outdated_h100='01_transpose.ladder stage8
02_reduction.ladder stage14
02_reduction.ladder stage5
04_convolution.ladder stage15
04_convolution.ladder stage17
04_convolution.ladder stage18
04_convolution.ladder stage19'

# unlike_today REGS TABLE...: "TABLE STAGE" of rows, built without knobs, of which no kernel of that name has as many
# registers, and at most as much shared memory (static, without the dynamic part)
unlike_today()
{
    awk -F '\t' '
        FNR == 1 { table = FILENAME; sub(/.*\//, "", table); sub(/\.tsv$/, "", table) }
        FILENAME == ARGV[1] {
            n = split($0, word, " +")
            if (word[1] ~ /^stage[0-9]/) {
                kernel = word[2]
                sub(/<.*/, "", kernel)
                sub(/.*::/, "", kernel)   # recorded names have no namespace
                count = ++kernels[word[1], kernel]
                registers[word[1], kernel, count] = word[n - 3]
                shared[word[1], kernel, count] = word[n - 2]
            }
            next
        }
        /^#/ { next }
        $1 == "week" { delete at; for (i = 1; i <= NF; i++) at[$i] = i; next }
        !("regs" in at) || !("kernel" in at) || $at["regs"] == "" || $at["kernel"] == "" { next }
        $at["stage"] !~ /^stage/ { next }
        ("knobs" in at) && $at["knobs"] != "" { next }
        {
            kernel = $at["kernel"]
            sub(/<.*/, "", kernel)
            stage = $at["stage"]
            for (i = 1; i <= kernels[stage, kernel]; i++)
                if (registers[stage, kernel, i] == $at["regs"] && shared[stage, kernel, i] <= $at["shared_bytes"] + 0)
                    next
            print table, stage
        }' "$@" | sort -u
}

fresh_tree
kernels_only "$nvcc"
for week in $(ladders); do
    cd "$TREE/$week" || exit 1
    ok "$week: make regs" make -s -j2 "${kernels[@]}" ARCH=sm_90 regs
    printf '%s\n' "$out" >"$TMP/regs"
    is "$(awk '$1 ~ /^stage[0-9]/ { print $1 }' "$TMP/regs" | sort -u | wc -l)" \
        "$(make -s DEVICE=cpu list | grep -c '^ *stage')" "$week: every stage has a kernel"
    is "$(unlike_today "$TMP/regs" "$ROOT"/plots/data/h200/"$week".*.tsv)" "$(grep "^$week" <<<"$outdated")" \
        "$week: recorded kernels have today's registers and shared memory, \
except in the tables that are listed as outdated"
    is "$(unlike_today "$TMP/regs" $(ls "$ROOT/plots/data/h100/$week".*.tsv 2>/dev/null))" \
        "$(grep "^$week" <<<"$outdated_h100")" \
        "$week: the same for an H100"
    sed 's/ [0-9]* *\([0-9]* *[0-9]* *sm_\)/ 999 \1/' "$TMP/regs" >"$TMP/other"
    unlike "$(unlike_today "$TMP/other" "$ROOT"/plots/data/h200/"$week".ladder.tsv | wc -l)" '^0$' \
        "$week: other registers are found"
done
done_testing
