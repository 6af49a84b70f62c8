# The last word of the left neighbor and the first of the right one, by warp shuffles: stage 12 of week 4.
TITLE = "A lane receives a word of each neighbor, without a load"
H = 6.0
load "drawing.gp"

lanes = 6; w = 2.0; h = 0.7; x = 2.2
eval right(x - 0.3, 2.25, "lane")
eval right(x - 0.3, 2.95, "its words")
do for [l = 0:lanes - 1] {
    eval note(x + (l + 0.5) * w, 2.25, sprintf("%d", l)).\
        cell(x + l * w, 2.6, w, h, PALE_BLUE, sprintf("%d - %d", 4 * l, 4 * l + 3))
}
l = 3
eval cell(x + l * w, 2.6, w, h, SKY, sprintf("%d - %d", 4 * l, 4 * l + 3))
do for [d = -1:1:2] {
    eval arrow(x + (l + d + 0.5) * w, 2.6 + h, x + (l + 0.5 + 0.6 * d) * w - 0.1 * d, 4.35, d < 0 ? VERMILION : GREEN)
}
eval arrow(x + (l + 0.5) * w, 2.6 + h, x + (l + 0.5) * w, 4.35, DARK)
do for [d = -1:1] {
    eval cell(x + (l + 0.5 + 0.6 * d) * w - 0.58, 4.4, 1.16, h, d == 0 ? SKY : d < 0 ? PALE_ORANGE : PALE_GREEN, \
        d == 0 ? sprintf("%d - %d", 4 * l, 4 * l + 3) : sprintf("%d", 4 * l + (d < 0 ? -1 : 4)))
}
eval right(x + (l - 0.7) * w, 4.75, "what lane 3 needs:")
eval put(x + (l - 1) * w - 0.6, 3.75, "right", VERMILION, "__shfl_up_sync(mask, word, 1)").\
    put(x + (l + 2.1) * w - 0.6, 3.75, "left", GREEN, "__shfl_down_sync")
load "page.gp"
