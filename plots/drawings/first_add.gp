# Stages 2 and 3 of week 2: a block that loads one element per thread, and one that loads two and adds them.
TITLE = "The first addition needs no shared memory and no barrier"
H = 6.6
load "drawing.gp"

threads = 8
w = 0.85; h = 0.5; x = 3.4
middle(t) = x + (t + 0.5) * w
eval left(0.3, 1.65, "in, stage 2")
do for [t = 0:threads - 1] {
    eval cell(x + t * w, 1.4, w, h, PALE_BLUE, sprintf("%d", t)).arrow(middle(t), 1.95, middle(t), 2.4, DARK)
    eval disc(middle(t), 2.7, 0.26, t < threads / 2 ? ORANGE : PALE, sprintf("%d", t))
}
eval left(0.3, 2.7, "threads").left(x + threads * w + 0.3, 2.7, sprintf("%d of %d never add", threads / 2, threads))
eval left(0.3, 4.05, "in, stage 3")
w = 0.76; x = 3.4
do for [t = 0:2 * threads - 1] {
    eval cell(x + t * w, 3.8, w, h, t < threads ? PALE_BLUE : SKY, sprintf("%d", t))
}
do for [t = 0:threads - 1] {
    eval arrow(middle(t), 4.35, middle(t), 5.25, DARK).arrow(middle(t + threads), 4.35, middle(t) + 0.25, 5.3, GRAY)
    eval disc(middle(t), 5.6, 0.26, ORANGE, sprintf("%d", t))
}
eval left(0.3, 5.6, "threads").left(middle(threads) + 0.4, 5.6, "all add once, then the tree")
load "page.gp"
