# The steps of a tree of 512 elements: which warps add, and where a barrier is. Stages 3 and 4 of week 2.
TITLE = "From s = 32 on, warp 0 is alone: it needs no barrier of the block"
H = 6.5
load "drawing.gp"

BLOCK = 512
steps = 9
w = 1.25; h = 0.56; x = 3.6; y = 2.3
array first[5] = [0, 1, 2, 4, 8]
array last[5] = [0, 1, 3, 7, 15]
array word[2] = ["warp %d", "warps %d to %d"]
do for [r = 1:5] {
    at = y + (r - 1) * (h + 0.08)
    eval right(x - 0.25, at + 0.5 * h, sprintf(word[first[r] < last[r] ? 2 : 1], first[r], last[r]))
    do for [i = 0:steps - 1] {
        s = BLOCK / 2 ** (i + 1)
        adds = 32 * first[r] < s
        eval cell(x + i * w + 0.1, at, w - 0.2, h, adds ? ORANGE : PALE, adds ? "add" : s > 32 ? "wait" : "")
    }
}
do for [i = 0:steps - 1] {
    s = BLOCK / 2 ** (i + 1)
    eval note(x + (i + 0.5) * w, y - 0.3, sprintf("%d", s))
    if (s > 32) { eval line(x + (i + 1) * w, y, x + (i + 1) * w, y + 5 * h + 0.35, VERMILION) }
}
eval bracket(x + 0.1, x + 3 * w, y + 5 * (h + 0.08) + 0.3, 1, "__syncthreads: all 16 warps")
eval bracket(x + 3 * w + 0.3, x + steps * w - 0.1, y + 5 * (h + 0.08) + 0.3, 1, "__syncwarp: 32 lanes")
eval left(x, 1.4, "512 sums, block of 512 threads").put(x - 0.25, y - 0.3, "right", DARK, "s =")
load "page.gp"
