# How block sums become one result: two launches, or the last-block pattern (stage 12 of week 2).
TITLE = "Two levels: every block adds its part, one block adds the sums"
H = 8.6
load "drawing.gp"

blocks = 4
w = 1.62; gap = 0.13
tickets = "0 3 1 2"     # of blocks 0 to 3: the order in which they finish
width = blocks * (w + gap) - gap
last = 0
do for [b = 0:blocks - 1] { if (int(word(tickets, b + 1)) == blocks - 1) { last = b } }

do for [panel = 0:1] {
    x = panel ? 8.7 : 0.4
    middle = x + 0.5 * width
    y = panel ? 4.0 : 3.45      # below the blocks
    eval left(x, 1.35, panel ? "one launch, last-block pattern" : "two launches")
    do for [b = 0:blocks - 1] {
        at = x + b * (w + gap)
        sum_at = middle + (b - 1.5) * 0.9
        eval cell(at, 1.8, w, 0.55, PALE_BLUE, "in")
        eval arrow(at + 0.5 * w, 2.35, at + 0.5 * w, 2.82, DARK)
        eval cell(at, 2.85, w, 0.6, panel && b == last ? ORANGE : SKY, sprintf("block %d", b))
        if (panel) { eval cell(at, 3.45, w, 0.55, WHITE, "ticket ".word(tickets, b + 1)) }
        eval arrow(at + 0.5 * w, y, sum_at, 4.77, DARK)
        eval cell(sum_at - 0.45, 4.8, 0.9, 0.55, PALE_ORANGE, sprintf("s%d", b))
        eval arrow(sum_at, 5.35, middle + (b - 1.5) * 0.3, 6.32, DARK)
    }
    eval cell(middle - 0.5 * w, 6.35, w, 0.6, panel ? ORANGE : SKY, sprintf("block %d", panel ? last : 0))
    eval arrow(middle, 6.95, middle, 7.42, DARK).cell(middle - 0.5 * w, 7.45, w, 0.55, GREEN, "out")
    eval put(middle - 1.7, 5.65, "right", DARK, panel ? "the last block" : "launch 1")
    eval put(middle - 1.7, 6.05, "right", DARK, panel ? "reads all sums" : "launch 2")
}
eval dashed(0.4, 5.85, 0.4 + width, 5.85)
load "page.gp"
