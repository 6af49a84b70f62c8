# Graded: 9 solved:
# The 16 lanes with a sum, their mask, and XOR, so that no lane reads from another half.
s/sum = tid < WARPS ? sdata\[tid\] : 0;/sum = sdata[tid];/
/^    if (tid < 32) {/,/^    }/{
s/tid < 32) {.*/tid < WARPS) {/
s/s = 16/s = 8/
s/__shfl_down_sync(0xffffffff/__shfl_xor_sync(0xffff/
}
