# Graded: 9 solved:
# Another style: a while loop, and the bound of the second load first.
s/for (; i < n; i += (long long)gridDim.x \* (2 \* BLOCK)) {/for (const long long step = 2ll * BLOCK * gridDim.x; i < n; i = i + step) {/
