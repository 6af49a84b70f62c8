# A matrix and its transpose: a row of one is a column of the other.
TITLE = "A row of the matrix is a column of its transpose"
H = 7.0
load "drawing.gp"

rows = 3; cols = 5
row = 1; col = 3          # the example
w = 1.3; h = 0.8
fill(r, c) = r == row && c == col ? ORANGE : r == row ? PALE_ORANGE : WHITE
do for [panel = 0:1] {
    n = panel ? cols : rows; m = panel ? rows : cols
    x = panel ? 10.6 : 1.5
    y = 1.9
    eval left(x, 1.35, panel ? sprintf("out: %d x %d", n, m) : sprintf("in: %d x %d", n, m))
    do for [r = 0:n - 1] {
        do for [c = 0:m - 1] {
            eval cell(x + c * w, y + r * h, w, h, panel ? fill(c, r) : fill(r, c), \
                panel ? sprintf("(%d,%d)", c, r) : sprintf("(%d,%d)", r, c))
        }
    }
}
eval arrow(8.25, 1.9 + 1.5 * h, 10.4, 1.9 + 1.5 * h, DARK)
eval left(1.5, 6.45, "out[c][r] = in[r][c]").left(7.0, 6.45, "each cell names its element of in")
load "page.gp"
