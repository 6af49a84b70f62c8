# The tile of A, stored by rows and transposed: stage 6 of week 3.
TITLE = "Transposed, the four words of a thread are adjacent"
H = 7.5
load "drawing.gp"

s = 0.62; rows = 8; cols = 4; k = 1
do for [panel = 0:1] {
    x = panel ? 9.4 : 2.6
    y = panel ? 2.4 : 1.9
    eval left(x, 1.3, panel ? "tile_a[k][m]: one float4" : "tile_a[m][k]: four words")
    do for [m = 0:rows - 1] {
        do for [c = 0:cols - 1] {
            at_x = panel ? x + m * s : x + c * s
            at_y = panel ? y + c * s : y + m * s
            eval cell(at_x, at_y, s, s, c == k && m < 4 ? ORANGE : c == k ? PALE_ORANGE : WHITE, sprintf("%d%d", m, c))
        }
    }
    do for [m = 0:3] { eval frame(panel ? x + m * s : x + k * s, panel ? y + k * s : y + m * s, s, s, VERMILION) }
    eval panel ? note(x + 0.5 * rows * s, y - 0.3, "m").note(x - 0.4, y + 0.5 * cols * s, "k") : \
        note(x - 0.4, y + 0.5 * rows * s, "m").note(x + 0.5 * cols * s, y + rows * s + 0.3, "k")
}
load "page.gp"
