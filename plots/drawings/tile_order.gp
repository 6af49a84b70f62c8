# The order in which a block's threads load an array: stages 10 and 11 of week 2.
TITLE = "A block's vectors: one grid apart, or a contiguous tile"
H = 5.6
load "drawing.gp"

blocks = 4       # of the grid
s = 0.9
do for [panel = 0:1] {
    top = 1.9 + 1.75 * panel
    eval left(0.8, top - 0.3, panel ? "stage 11: four rows of 512 vectors in one piece: one address and constants" : \
        "stage 10: four passes over the grid: an address per vector")
    do for [i = 0:blocks * blocks - 1] {
        block = panel ? i / blocks : i % blocks
        eval cell(0.8 + i * s, top, s, 0.8, block == 0 ? ORANGE : WHITE, sprintf("%d", block))
    }
}
eval note(0.5 * W, 5.1, \
    "A cell is a row of 512 vectors, its number the block that loads it (of 4). Colored: block 0.")
load "page.gp"
