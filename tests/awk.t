#!/usr/bin/env bash
# The awk programs of make, with every awk that is installed.
. "$(dirname "$0")/lib.sh"
M=$ROOT/common/make

for awk in mawk gawk original-awk 'busybox awk' awk; do
    have "${awk%% *}" || { skip "$awk" 'it is not installed'; continue; }

    cat >"$TMP/nvcc.txt" <<'END'
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'tile(float const*, int)' for 'sm_90'
ptxas info    : Function properties for tile(float const*, int)
    8 bytes stack frame, 12 bytes spill stores, 4 bytes spill loads
ptxas info    : Used 12 registers, used 1 barriers, 4224 bytes smem
END
    run $awk -v stage=stage3 -f "$M/regs.awk" "$TMP/nvcc.txt"
    is "$(echo $out)" 'stage3 tile 12 4224 16 sm_90' "$awk: regs.awk prints registers, shared memory and spills"
    sed -i "s/'tile(/'void tile<float, (int)4>(/" "$TMP/nvcc.txt"
    run $awk -v stage=stage3 -f "$M/regs.awk" "$TMP/nvcc.txt"
    is "$(echo $out)" 'stage3 tile<float, (int)4> 12 4224 16 sm_90' \
        "$awk: regs.awk names a template's kernels by their arguments"
done
done_testing
