# Graded: 9 solved:
# The threads at the two ends have branches of their own, whose stores are separate requests.
/^    float sum = tile/,/^    out/c\
    if (n == 1)\
        out[i] = tile[i];\
    else if (i == 0)\
        out[i] = tile[i] + tile[i + 1];\
    else if (i == n - 1)\
        out[i] = tile[i - 1] + tile[i];\
    else\
        out[i] = tile[i - 1] + tile[i] + tile[i + 1];
