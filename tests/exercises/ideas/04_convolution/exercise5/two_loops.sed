# Graded: 9 solved:
# Two loops, as in stage 5.
/^    tile\[ty + 2\]\[tx + 2\] = /,/^    __syncthreads();/c\
    for (int i = ty; i < BLOCK_Y + 4; i += BLOCK_Y)\
        for (int j = tx; j < BLOCK_X + 4; j += BLOCK_X)\
            tile[i][j] = load_clamped<unsigned char>(image, x - tx - 2 + j, y - ty - 2 + i);\
    __syncthreads();
/bool is_left/d
/bool is_top/d
