# At most 255 blocks along each side.
s/dim3 grid(.*/dim3 grid(min(255, ceil_div(cols, TILE)), min(255, ceil_div(rows, TILE)));/
