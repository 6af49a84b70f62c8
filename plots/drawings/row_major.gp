# Where the elements of a matrix are in memory.
TITLE = "Row-major order: element (row, col) is at row * cols + col"
H = 7.2
load "drawing.gp"

n = 3; cols = 5
row = 2; col = 3          # the example
w = 1.5; h = 0.72
x = 4.25; y = 2.0
fill(r, c) = r == row && c == col ? ORANGE : r == row ? PALE_ORANGE : r < row ? PALE_BLUE : WHITE

do for [c = 0:cols - 1] { eval note(x + (c + 0.5) * w, y - 0.3, sprintf("col %d", c)) }
do for [r = 0:n - 1] {
    eval put(x - 0.2, y + (r + 0.5) * h, "right", DARK, sprintf("row %d", r))
    do for [c = 0:cols - 1] { eval cell(x + c * w, y + r * h, w, h, fill(r, c), sprintf("(%d,%d)", r, c)) }
}
w = 1.0; x = 0.5; y = 5.3
eval left(x, y - 0.3, "memory")
do for [i = 0:n * cols - 1] {
    eval cell(x + i * w, y, w, h, fill(i / cols, i % cols), sprintf("(%d,%d)", i / cols, i % cols))
    eval note(x + (i + 0.5) * w, y + h + 0.3, sprintf("%d", i))
}
eval arrow(4.25 + (col + 0.5) * 1.5, 2.0 + (row + 1) * h, x + (row * cols + col + 0.5) * w, y - 0.03, VERMILION)
eval put(12.6, 4.4, "left", VERMILION, sprintf("%d * %d + %d = %d", row, cols, col, row * cols + col))
load "page.gp"
