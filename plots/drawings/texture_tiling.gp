# The order of pixels in memory: row by row, or in blocks of 4 x 4. The order that GPUs use for arrays is not
# documented; this is the principle.
TITLE = "Block-linear order: neighbors in x and y share a cache line"
H = 6.6
load "drawing.gp"

cols = 16; rows_ = 8
line = 16                # pixels per cache line
block = 4
s = 0.44
top = 2.0
in_block(row, col) = row % block * block + col % block
at(row, col, blocks) = blocks ? (row / block * (cols / block) + col / block) * block * block + in_block(row, col) \
    : row * cols + col
in_square(row, col) = row >= 4 && row < 8 && col >= 8 && col < 12

do for [panel = 0:1] {
    x = panel ? 8.5 : 0.5
    eval left(x, 1.45, panel ? "block-linear: blocks of 4 x 4" : "pitch-linear: row by row")
    touched = 0
    last = -1
    do for [i = 0:cols * rows_ / line - 1] {
        # the first and the last pixel of line i
        do for [row = 0:rows_ - 1] { do for [col = 0:cols - 1] {
            if (at(row, col, panel) / line == i && in_square(row, \
                col) && last != i) { touched = touched + 1; last = i }
        } }
        if (last == i) {
            do for [row = 0:rows_ - 1] { do for [col = 0:cols - 1] {
                if (at(row, col, panel) == i * line) {
                    eval area(x + col * s, top + row * s, (panel ? block : line) * s, (panel ? block : 1) * s, \
                        PALE_ORANGE)
                }
            } }
        }
    }
    eval area(x + 8 * s, top + 4 * s, 4 * s, 4 * s, ORANGE).grid(x, top, cols, rows_, s, s)
    # the order
    px = x + 0.5 * s; py = top + 0.5 * s
    do for [i = 1:cols * rows_ - 1] {
        do for [row = 0:rows_ - 1] { do for [col = 0:cols - 1] {
            if (at(row, col, panel) == i) { qx = x + (col + 0.5) * s; qy = top + (row + 0.5) * s }
        } }
        if (i % (panel ? block : cols) > 0) { eval line(px, py, qx, qy, BLUE) } else { eval thin(px, py, qx, qy) }
        px = qx; py = qy
    }
    eval left(x, 5.95, sprintf("a square of 4 x 4 pixels: %d cache line%s", touched, touched > 1 ? "s" : ""))
}
load "page.gp"
