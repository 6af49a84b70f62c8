#!/usr/bin/env bash
# Every stage, reference and demonstration compiles with nvcc, for the oldest architecture that nvcc knows or the one that the stage needs.
. "$(dirname "$0")/lib.sh"

nvcc=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc 2>/dev/null) || skip_all 'nvcc is not installed'

fresh_tree
for week in "$TREE"/[0-9][0-9]_*/; do
    cd "$week" || exit 1
    week=$(basename "$week")
    run make -s -k -j2 DEVICE=gpu NVCC="$nvcc" all
    # For the oldest architecture, nvcc warns that it ignores a number of blocks per SM that is meant for newer ones.
    unlike "$(grep -v minnctapersm <<<"$out$err")" 'warning' "$week compiles without a warning"
    for source in stage*.cu ref_*.cu demo_*.cu; do
        [ -e "$source" ] || continue
        case $source in stage*) target=${source%%_*} ;; *) target=${source%.cu} ;; esac
        ok "$week/$target compiles" make -s DEVICE=gpu NVCC="$nvcc" "$target"
    done
    stages=$(make -s DEVICE=cpu list | awk '{ print $1 }') first=${stages%%$'\n'*}
    ok "$week: make regs" make -s DEVICE=gpu NVCC="$nvcc" regs
    for stage in $stages; do
        like "$out" "^$stage +[a-z_0-9]+(<.*>)? +[1-9][0-9]* " "$week: make regs names a kernel of $stage and its registers"
    done
    ok "$week: make ptx" make -s DEVICE=gpu NVCC="$nvcc" ptx STAGES=$first
    grep -q '^\.visible \.entry' build/gpu/$first.ptx && pass "$week: make ptx writes PTX" || fail "$week: make ptx writes PTX"
done
done_testing
