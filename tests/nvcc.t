#!/usr/bin/env bash
# References and the last stage of week 1 compile and link with nvcc, for the oldest architecture that nvcc knows
# or the one that the stage needs; with FULL=1, those of all weeks, and half of the demonstrations and of the stages'
# kernels, each day those that toolkits.t leaves; with FULL=2, all.
# stages.t builds the host code of all stages; on a machine with a GPU, gpu.t builds all of them with nvcc.
. "$(dirname "$0")/lib.sh"

nvcc=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc 2>/dev/null) || skip_all 'nvcc is not installed'

fresh_tree
kernels_only "$nvcc"
if is_full; then settings=("${kernels[@]}"); else settings=(DEVICE=gpu NVCC="$nvcc"); fi   # the latter built the last
# For the oldest architecture, nvcc warns that it ignores a number of blocks per SM that is meant for newer ones.
no_warning() { unlike "$(grep -v minnctapersm <<<"$out$err")" 'warning' "$1 without a warning"; }
for week in $(if is_full; then ladders; else echo 01_transpose; fi); do
    cd "$TREE/$week" || exit 1
    stages=$(make -s DEVICE=cpu list | awk '{ print $1 }') first=${stages%%$'\n'*} last=${stages##*$'\n'}
    references=$(ls ref_*.cu 2>/dev/null | sed 's/\.cu$//')
    demos=$(is_full && ls demo_*.cu 2>/dev/null | sed 's/\.cu$//' | in_turn 2 1)
    if is_full; then stages=$(in_turn 2 1 <<<"$stages"); else stages=$last; fi
    programs="$last $references $demos"
    run make -s -k -j2 DEVICE=gpu NVCC="$nvcc" $programs
    no_warning "$week compiles"
    for program in $programs; do
        ok "$week/$program compiles" make -s DEVICE=gpu NVCC="$nvcc" "$program"
    done
    if is_full || [[ $week = 01_* ]]; then
        ok "$week: make ptx" make -s DEVICE=gpu NVCC="$nvcc" ptx STAGES=$first
        like "$(cat build/gpu/$first.ptx)" '^\.visible \.entry' "$week: make ptx writes PTX"
    fi
    ok "$week: make regs" make -s -k -j2 "${settings[@]}" regs STAGES="$(paste -s -d ' ' <<<"$stages")"
    no_warning "$week: make regs compiles"
    for stage in $stages; do
        like "$out" "^$stage +[a-z_0-9:]+(<.*>)? +[1-9][0-9]* " \
            "$week: make regs names a kernel of $stage and its registers"
    done
done

# ptxas only informs that it serializes wgmmas: here, because an ordinary addition changes a sum between two of them.
cd "$TREE/03_matmul" || exit 1
cat >stage99_serialized.cu <<'END'
// stage99: wgmmas that ptxas serializes
// Needs: sm_90a
// Type: bf16
#include "bf16.h"

__global__ void multiply(bf16 *C, uint64_t a, uint64_t b, int n)
{
    float d[32] = {};

    for (int i = 0; i < n; i++) {
        wgmma_fence();
        wgmma_bf16(d, a, b, true);
        d[3] += 1;
        wgmma_commit();
        wgmma_wait_groups<1>();
    }
    for (int i = 0; i < 32; i++)
        C[i] = d[i];
}

void matmul(const bf16 *A, const bf16 *B, bf16 *C, int M, int N, int K)
{
    multiply<<<1, 128>>>(C, (uint64_t)A, (uint64_t)B, M + N + K);
}
END
fails 2 'a stage whose wgmmas ptxas serializes does not build' make -s "${kernels[@]}" build/gpu/obj/stage99.o
like "$err" 'wgmma.mma_async instructions are serialized' 'the message of ptxas says why'
sed -i '/d\[3\] += 1/d; s/groups<1>/groups<0>/' stage99_serialized.cu
ok 'without the addition, and with a wait for each group, it builds' make -s "${kernels[@]}" build/gpu/obj/stage99.o
done_testing
