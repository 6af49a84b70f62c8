# Stage 20 of week 4: which lane has which elements of the matrices of mma.m16n8k32.
# An element of `a` is a word of four pixels, one of `b` four coefficients. A row of the drawing stands for rows g and g
# + 8 of the matrix, which the same lane has: words 2g and 2g + 1.
TITLE = "A lane has two words of two input rows, and gets the sums of one output row"
H = 8.6
load "drawing.gp"

chosen = 9; g = chosen / 4; t = chosen % 4
w = 0.5; h = 0.5; top = 2.75
in_a(row, col) = 4 * row + col % 4
in_b(row, col) = 4 * col + row % 4
in_sum(row, col) = 4 * row + col / 2

array X[3] = [1.5, 6.6, 11.6]
array heading[3] = ["a: pixels", "b: coefficients", "sum: output pixels"]
array above[3] = ["input row", "matrix column", "matrix column"]
do for [m = 1:3] {
    x = X[m]
    eval text(x + 4 * w, 1.5, heading[m]).note(x + 4 * w, 2.0, above[m])
    do for [i = 0:7] {
        eval note(x + (i + 0.5) * w, top - 0.28, sprintf("%d", i))
        eval put(x - 0.12, top + (i + 0.5) * h, "right", DARK, sprintf("%d", i))
        do for [j = 0:7] {
            lane = m == 1 ? in_a(i, j) : m == 2 ? in_b(i, j) : in_sum(i, j)
            if (lane == chosen) { eval area(x + j * w, top + i * h, w, h, ORANGE) }
            eval text(x + (j + 0.5) * w, top + (i + 0.5) * h, sprintf("%d", lane))
        }
    }
    eval grid(x, top, 8, 8, w, h)
}
eval put(0.95, top + 4 * h - 0.2, "right", DARK, "row").put(0.95, top + 4 * h + 0.2, "right", DARK, "g")
eval text(5.85, top + 4 * h, "×").text(10.85, top + 4 * h, "=")
eval text(X[1] + 4 * w, 7.2, "a[0], a[2]: word 2g").text(X[1] + 4 * w, 7.6, "a[1], a[3]: word 2g + 1")
eval text(X[2] + 4 * w, 7.2, "b[0], b[1]")
eval text(X[3] + 4 * w, 7.2, "sum[0], [1]: word 2g").text(X[3] + 4 * w, 7.6, "sum[2], [3]: word 2g + 1")
eval note(8.0, 8.25, sprintf("cell: the lane that has it, 4g + t. Lane %d: g = %d, t = %d", chosen, g, t))
load "page.gp"
