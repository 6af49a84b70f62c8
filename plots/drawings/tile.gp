# A 4 x 4 tile (32 x 32 in the stages) of `in` goes through shared memory to `out`. Numbers are elements of the tile.
TITLE = "Rows in global memory, the column in shared memory"
H = 7.2
load "drawing.gp"

n = 4            # side of the tile
s = 0.52         # side of an element of the matrices
b = 0.75         # and of the tile in shared memory
row = 1          # what one warp loads
col = 2          # and what one warp stores
x_in = 0.4; y_in = 1.95
x_tile = 6.3; y_tile = 1.95
x_out = 11.4; y_out = 1.95

eval text(x_in + n * s, y_in - 0.35, "in")
eval text(x_out + n * s, y_out - 0.35, "out")
eval text(x_tile + 0.5 * n * b, y_tile - 0.35, "tile in shared memory")
eval grid(x_in, y_in, 2 * n, 2 * n, s, s)
eval grid(x_out, y_out, 2 * n, 2 * n, s, s)
fill(r, c) = c == col ? ORANGE : r == row ? SKY : PALE
do for [r = 0:n - 1] {
    do for [c = 0:n - 1] {
        # tile (0, 1) of `in` becomes tile (1, 0) of `out`
        name = sprintf("%d", n * r + c)
        eval cell(x_in + (n + c) * s, y_in + r * s, s, s, r == row ? SKY : PALE, name)
        eval cell(x_tile + c * b, y_tile + r * b, b, b, fill(r, c), name)
        eval cell(x_out + r * s, y_out + (n + c) * s, s, s, c == col ? ORANGE : PALE, name)
    }
}
eval frame(x_tile, y_tile + row * b, n * b, b, BLUE)
eval frame(x_tile + col * b, y_tile, b, n * b, VERMILION)
eval frame(x_in + n * s, y_in + row * s, n * s, s, BLUE)
eval frame(x_out, y_out + (n + col) * s, n * s, s, VERMILION)
eval arrow(x_in + 2 * n * s + 0.08, y_in + (row + 0.5) * s, x_tile - 0.1, y_tile + (row + 0.5) * b, BLUE)
eval arrow(x_tile + (col + 0.5) * b, y_tile + n * b + 0.08, x_out - 0.1, y_out + (n + col + 0.5) * s, VERMILION)
eval put(x_in + n * s, 6.6, "center", BLUE, "a warp loads a row")
eval put(x_tile + 0.5 * n * b, 6.6, "center", BLACK, "write rows, read columns")
eval put(x_out + n * s, 6.6, "center", VERMILION, "a warp stores a row")
eval curtain(STEP == 1 ? x_in + 2 * n * s + 0.05 : x_tile + n * b + 0.4, 1.3, H)
load "page.gp"
