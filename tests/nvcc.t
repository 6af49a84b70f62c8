#!/usr/bin/env bash
# Every stage, reference and demonstration compiles with nvcc, for the oldest architecture that it knows or for what the stage needs.
. "$(dirname "$0")/lib.sh"

nvcc=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc 2>/dev/null) || skip_all 'there is no nvcc here'

fresh_tree
for week in "$TREE"/[0-9][0-9]_*/; do
    cd "$week" || exit 1
    week=$(basename "$week")
    run make -s -k -j2 DEVICE=gpu NVCC="$nvcc" all
    # A wish for blocks an SM that is meant for a newer GPU is ignored on the oldest, and that is well.
    unlike "$(grep -v minnctapersm <<<"$out$err")" 'warning' "$week compiles without a warning"
    for source in stage*.cu ref_*.cu demo_*.cu; do
        [ -e "$source" ] || continue
        case $source in stage*) target=${source%%_*} ;; *) target=${source%.cu} ;; esac
        ok "$week/$target compiles" make -s DEVICE=gpu NVCC="$nvcc" "$target"
    done
    first=$(make -s DEVICE=cpu list | awk 'NR == 1 { print $1 }')
    ok "$week: make regs" make -s DEVICE=gpu NVCC="$nvcc" regs
    like "$out" "^$first +[a-z_0-9]+(<.*>)? +[1-9][0-9]* " "$week: make regs names a kernel and its registers"
    ok "$week: make ptx" make -s DEVICE=gpu NVCC="$nvcc" ptx STAGES=$first
    grep -q '^\.visible \.entry' build/gpu/$first.ptx && pass "$week: make ptx writes PTX" || fail "$week: make ptx writes PTX"
done
done_testing
