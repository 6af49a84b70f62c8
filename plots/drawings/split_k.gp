# Split-K: several blocks per tile of C. Stage 10 of week 3.
TITLE = "Four blocks per tile: each multiplies a part of K"
H = 6.8
load "drawing.gp"

parts = 4
array fill[4] = [SKY, ORANGE, GREEN, PURPLE]
w = 1.05; side = 1.5
x = 0.6; y = 3.6
eval note(x + 0.5 * parts * w, y - 0.3, "a strip of A")
do for [p = 0:parts - 1] {
    eval cell(x + p * w, y, w, side, fill[p + 1], sprintf("%d", p))
    eval cell(x + parts * w + 0.4, y - 0.25 - (parts - p) * 0.52, side, 0.52, fill[p + 1], sprintf("%d", p))
}
eval cell(x + parts * w + 0.4, y, side, side, PALE, "tile of C")
eval note(x + parts * w + 0.4 + 0.5 * side + 1.75, y - 1.3, "a strip of B").left(x, y + side + 0.4, "K")
eval arrow(x + 0.35, y + side + 0.4, x + parts * w, y + side + 0.4, DARK)
do for [p = 0:parts - 1] {
    at = 1.9 + 1.05 * p
    eval cell(9.2, at, 2.9, 0.75, fill[p + 1], sprintf("block %d: part %d", p, p))
    eval arrow(12.15, at + 0.38, 13.2, 3.75, DARK)
}
eval cell(13.25, 3.3, 2.2, 0.95, PALE_ORANGE, "sum").note(14.35, 4.6, "by the last").note(14.35, 5.0, "block")
load "page.gp"
