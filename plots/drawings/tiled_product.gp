# Block (0,0) of the tiled product (stage 2 of week 3), for matrices of 4 x 4 and tiles of 2 x 2. Numbers in the cells:
# row, column.
TITLE = "Block (0,0) loads one tile of A and of B per step along K"
H = 8.4
load "drawing.gp"

n = 4            # rows and columns
tile = 2
s = 0.66
gap = 0.35
do for [step = 0:n / tile - 1] {
    x_a = 0.5 + step * 7.9; x_b = x_a + n * s + gap
    y_b = 1.75; y_a = y_b + n * s + gap
    eval left(x_a, 1.3, sprintf("step %d:", step)).left(x_a, 2.2, "load 2 tiles,").left(x_a, 2.6, "barrier,")
    eval left(x_a, 3.0, "multiply,").left(x_a, 3.4, "barrier")
    eval text(x_b + 0.5 * n * s, y_b - 0.3, "B").text(x_a - 0.2, y_a + 0.5 * n * s, "A")
    eval text(x_b + n * s + 0.25, y_a + 0.5 * n * s, "C")
    do for [r = 0:n - 1] {
        do for [c = 0:n - 1] {
            in_a = r < tile && c / tile == step       # rows of the block; columns of this step
            in_b = r / tile == step && c < tile
            in_c = r < tile && c < tile
            name = sprintf("%d,%d", r, c)
            eval cell(x_a + c * s, y_a + r * s, s, s, in_a ? (r == 0 ? SKY : PALE_BLUE) : WHITE, name)
            eval cell(x_b + c * s, y_b + r * s, s, s, in_b ? (c == 0 ? ORANGE : PALE_ORANGE) : WHITE, name)
            eval cell(x_b + c * s, y_a + r * s, s, s, in_c ? (r + c == 0 ? GREEN : PALE_GREEN) : WHITE, name)
        }
    }
    eval frame(x_a + step * tile * s, y_a, tile * s, tile * s, BLUE)
    eval frame(x_b, y_b + step * tile * s, tile * s, tile * s, VERMILION)
    eval frame(x_b, y_a, tile * s, tile * s, GREEN)
    k = step * tile
    eval text(x_a + n * s + 0.5 * gap, y_a + n * s + 0.4, \
        sprintf("C[0,0] += A[0,%d] B[%d,0] + A[0,%d] B[%d,0]", k, k, k + 1, k + 1))
}
load "page.gp"
