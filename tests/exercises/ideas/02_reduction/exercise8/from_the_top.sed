# Graded: 9 solved:
# Another style: the shuffles from 1 up in a loop of five, and the sum of the warps before as an addition of its own.
s/for (int s = 1; s < 32; s \*= 2) {/for (int step = 0, s = 1; step < 5; step++, s <<= 1) {/
s/return warp > 0 ? sum + warp_sums\[warp - 1\] : sum;/if (warp > 0)\n        sum += warp_sums[warp - 1];\n    return sum;/
