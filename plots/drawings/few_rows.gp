# Week 3, stage 34: a product with few rows of A reads B once, and B has nearly all bytes.
TITLE = "Few rows: each block reads its part of B once"
H = 6.6
load "drawing.gp"

K = 3.6; M = 0.5; N = 8.0; x = 6.4; y = 1.9
eval cell(1.2, y + 1.3, K, M, SKY, "A")
eval put(1.05, y + 1.3 + 0.5 * M, "right", DARK, "M").note(1.2 + 0.5 * K, y + 0.95, "K")
do for [r = 0:2] {
    do for [c = 0:3] {
        fill = (r + c) % 2 ? PALE_ORANGE : ORANGE
        eval cell(x + c * N / 4, y + r * K / 3, N / 4, K / 3, fill, sprintf("block %d", 4 * r + c))
    }
}
eval put(x - 0.15, y + 0.5 * K, "right", DARK, "K").note(x + 0.5 * N, y - 0.3, "B, N columns")
eval left(1.2, y + K + 0.55, "all SMs load: blocks divide the columns and K")
load "page.gp"
