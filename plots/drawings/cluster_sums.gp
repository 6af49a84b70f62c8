# How the sums of a cluster's blocks become one: stage 16 of week 2.
TITLE = "A cluster adds its sums in shared memory, and takes one ticket"
H = 6.6
load "drawing.gp"

blocks = 4; w = 1.62; gap = 0.13
width = blocks * (w + gap) - gap
do for [c = 0:1] {
    x = 0.4 + c * 8.3
    eval left(x, 1.35, sprintf("cluster %d", c)).frame(x - 0.12, 1.7, width + 0.24, 2.75, GRAY)
    do for [b = 0:blocks - 1] {
        at = x + b * (w + gap)
        eval cell(at, 1.85, w, 0.6, b ? SKY : ORANGE, sprintf("block %d", 2 * blocks * c + b))
        eval arrow(at + 0.5 * w, 2.45, x + (b + 0.5) * 0.9, 3.47, DARK)
        eval cell(x + b * 0.9, 3.5, 0.9, 0.6, PALE_ORANGE, sprintf("s%d", b))
    }
    eval put(x + blocks * 0.9 + 0.2, 3.8, "left", DARK, "of the first block")
    eval arrow(x + 1.8, 4.15, 8.0 + (c ? 0.5 : -0.5), 5.22, DARK)
}
eval cell(5.9, 5.25, 4.2, 0.6, GREEN, "sums and ticket in L2")
eval note(0.5 * W, 6.2, \
    "Drawn: 4 of the 8 blocks of a cluster. From SM to SM, not through L2: distributed shared memory.")
load "page.gp"
