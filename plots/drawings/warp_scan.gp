# The scan of a block by warps: stage 3 of week 5.
TITLE = "Each warp scans its values, then the sums of all warps"
H = 6.8
load "drawing.gp"

warps = 4; w = 3.3; x = 1.6
array last[4] = [7, 4, 9, 5]
before = 0
do for [i = 0:warps - 1] {
    at = x + i * (w + 0.15)
    eval cell(at, 1.5, w, 0.65, PALE_BLUE, sprintf("warp %d: 32 values", i)).\
        arrow(at + 0.5 * w, 2.2, at + 0.5 * w, 2.6, DARK)
    eval cell(at, 2.65, w - 0.8, 0.65, SKY, "its scan").\
        cell(at + w - 0.8, 2.65, 0.8, 0.65, ORANGE, sprintf("%d", last[i + 1]))
    eval arrow(at + w - 0.4, 3.35, 6.3 + i * 1.0, 3.95, DARK).\
        cell(5.8 + i * 1.0, 4.0, 1.0, 0.65, ORANGE, sprintf("%d", last[i + 1]))
    eval cell(at, 5.5, w, 0.65, GREEN, sprintf("its scan + %d", before)).\
        arrow(5.9 + i * 1.0, 4.7, at + 0.5 * w, 5.45, DARK)
    before = before + last[i + 1]
}
eval left(10.1, 4.32, "one barrier, then").left(10.1, 4.75, "every warp scans these")
load "page.gp"
