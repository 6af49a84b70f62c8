# Stage 19 of week 3: which lane has which elements of the matrices of mma.m16n8k16 in bf16, and of the sums of wgmma.
# An element of `a` and `b` is a word of two values along K. A row of the drawing stands for rows g and g + 8 of the
# matrix, which the same lane has.
TITLE = "A lane has pairs along K of two rows of A and one column of B, and four sums"
H = 8.9
load "drawing.gp"

chosen = 9; g = chosen / 4; t = chosen % 4
w = 0.5; h = 0.5; top = 2.75
in_a(row, col) = 4 * row + col % 4
in_b(row, col) = 4 * col + row % 4
in_sum(row, col) = 4 * row + col / 2

array X[3] = [1.5, 6.6, 11.6]
array heading[3] = ["a: 16 x 16 of A", "b: 16 x 8 of B", "sum: 16 x 8 of C"]
array above[3] = ["pair along K", "column", "column"]
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
eval put(6.05, top + 4 * h, "right", BLACK, "×").put(11.05, top + 4 * h, "right", BLACK, "=")
eval text(X[1] + 4 * w, 7.2, "a[0], a[2]: row g").text(X[1] + 4 * w, 7.6, "a[1], a[3]: row g + 8")
eval text(X[2] + 4 * w, 7.2, "b[0]: pair t").text(X[2] + 4 * w, 7.6, "b[1]: pair t + 4")
eval text(X[3] + 4 * w, 7.2, "sum[0], [1]: row g").text(X[3] + 4 * w, 7.6, "sum[2], [3]: row g + 8")
eval note(8.0, 8.15, sprintf("cell: the lane that has it, 4g + t. Lane %d: g = %d, t = %d", chosen, g, t))
eval note(8.0, 8.55, "wgmma: warp w has rows 16w to 16w + 15; sum[4j] to [4j + 3] are columns 8j to 8j + 7")
load "page.gp"
