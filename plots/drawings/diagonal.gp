# The order in which blocks start, in tiles of `in` and of `out`: stages 4 and 10 of week 1.
TITLE = "Blocks of a diagonal have long runs in neither matrix"
H = 6.3
load "drawing.gp"

n = 4            # tiles per row and column
s = 0.74
top = 2.25
do for [panel = 0:1] {
    x = panel ? 8.7 : 0.8
    x_out = x + n * s + 0.8
    eval left(x, 1.35, panel ? "stage 10: diagonals" : "stage 4: along rows of in")
    eval text(x + 0.5 * n * s, top - 0.3, "in").text(x_out + 0.5 * n * s, top - 0.3, "out")
    do for [b = 0:n * n - 1] {
        # stage 4: blockIdx.x is a column of tiles of `in`; stage 10: tile_row and tile_col of block b
        row = panel ? b % n : b / n
        col = panel ? (b / n + row) % n : b % n
        fill = b < n ? (panel ? SKY : ORANGE) : WHITE
        eval cell(x + col * s, top + row * s, s, s, fill, sprintf("%d", b))
        eval cell(x_out + row * s, top + col * s, s, s, fill, sprintf("%d", b))
    }
}
eval note(0.5 * W, 5.75, \
    sprintf("Numbers: order in which the blocks start. Colored: the first %d, which run at the same time.", n))
load "page.gp"
