# Graded: 9 solved:
# Another style: the last words first.
s/for (int i = BLOCK_X \* ty + tx; i < ROWS \* WORDS; i += BLOCK_X \* BLOCK_Y)/for (int i = BLOCK_X * ty + tx + (BLOCK_X * ty + tx < ROWS * WORDS - 256 ? 256 : 0); i >= 0; i -= 256)/
