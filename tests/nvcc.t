#!/usr/bin/env bash
# Every stage, reference and demonstration compiles with nvcc, for the oldest architecture that nvcc knows or the one that the stage needs. Without
# FULL=1, only references and the first and the last stage of a week are built as programs, and of every third stage the kernels are compiled. stages.t
# builds the host code of all, and on a machine with a GPU gpu.t builds all stages.
. "$(dirname "$0")/lib.sh"

nvcc=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc 2>/dev/null) || skip_all 'nvcc is not installed'

fresh_tree
kernels_only "$nvcc"
is_full && kernels=(DEVICE=gpu NVCC="$nvcc")
# For the oldest architecture, nvcc warns that it ignores a number of blocks per SM that is meant for newer ones.
no_warning() { unlike "$(grep -v minnctapersm <<<"$out$err")" 'warning' "$1 without a warning"; }
for week in "$TREE"/[0-9][0-9]_*/; do
    cd "$week" || exit 1
    week=$(basename "$week")
    stages=$(make -s DEVICE=cpu list | awk '{ print $1 }') first=${stages%%$'\n'*} last=${stages##*$'\n'}
    references=$(ls ref_*.cu 2>/dev/null | sed 's/\.cu$//') demos=$(ls demo_*.cu 2>/dev/null | sed 's/\.cu$//')
    programs="$first $last $references"
    if is_full; then
        programs="$stages $references $demos" demos=
    else
        stages=$(awk 'NR % 3 == 1' <<<"$stages") demos=
    fi
    run make -s -k -j2 DEVICE=gpu NVCC="$nvcc" $(is_full && echo all || echo $programs)
    no_warning "$week compiles"
    for program in $programs; do
        ok "$week/$program compiles" make -s DEVICE=gpu NVCC="$nvcc" "$program"
    done
    ok "$week: make ptx" make -s DEVICE=gpu NVCC="$nvcc" ptx STAGES=$first
    grep -q '^\.visible \.entry' build/gpu/$first.ptx && pass "$week: make ptx writes PTX" || fail "$week: make ptx writes PTX"
    ok "$week: make regs" make -s -k -j2 "${kernels[@]}" regs STAGES="$(paste -s -d ' ' <<<"$stages")" $(for demo in $demos; do echo "build/gpu/obj/$demo.o"; done)
    no_warning "$week: make regs compiles"
    for stage in $stages; do
        like "$out" "^$stage +[a-z_0-9]+(<.*>)? +[1-9][0-9]* " "$week: make regs names a kernel of $stage and its registers"
    done
done
done_testing
