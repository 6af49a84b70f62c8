# A cluster of two blocks: stage 24 of week 3.
TITLE = "Multicast: each block copies half of B, for both"
H = 6.6
load "drawing.gp"

eval cell(4.6, 1.4, 3.1, 0.75, SKY, "B, first half").cell(8.3, 1.4, 3.1, 0.75, ORANGE, "B, second half").\
    right(4.3, 1.77, "L2")
do for [b = 0:1] {
    x = b ? 9.2 : 1.2
    eval box(x, 4.0, 5.6, 2.0, WHITE).text(x + 2.8, 5.65, sprintf("block %d: shared memory", b))
    eval cell(x + 0.3, 4.25, 1.4, 0.9, PALE, sprintf("A %d", b)).cell(x + 1.9, 4.25, 1.6, 0.9, SKY, "B").\
        cell(x + 3.6, 4.25, 1.6, 0.9, ORANGE, "B")
    eval arrow(6.15, 2.2, x + 2.7, 4.2, BLUE).arrow(9.85, 2.2, x + 4.4, 4.2, VERMILION)
}
eval right(4.0, 2.95, "copied by block 0").left(12.0, 2.95, "copied by block 1")
load "page.gp"
