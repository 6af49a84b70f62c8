# The grid-stride loop: stage 6 of week 2.
TITLE = "Each thread adds elements one grid apart"
H = 6.0
load "drawing.gp"

blocks = 4; passes = 3
w = 1.22; h = 0.75; x = 0.65; y = 1.9
array fill[4] = [ORANGE, PALE_BLUE, PALE_GREEN, PALE_PURPLE]
do for [p = 0:passes - 1] {
    do for [b = 0:blocks - 1] { eval cell(x + (p * blocks + b) * w, y, w, h, fill[b + 1], sprintf("block %d", b)) }
    eval bracket(x + p * blocks * w + 0.06, x + (p + 1) * blocks * w - 0.06, y - 0.25, -1, \
        sprintf("pass %d: one grid", p))
    from = x + p * blocks * w + 0.3
    eval arrow(from, y + h + 0.05, 4.0 + 2.2 * p, 4.1, VERMILION)
    eval cell(3.1 + 2.2 * p, 4.15, 1.9, 0.65, PALE_ORANGE, p == 0 ? "in[t]" : sprintf("in[t + %sG]", \
        p == 1 ? "" : sprintf("%d ", p)))
    if (p > 0) { eval text(2.95 + 2.2 * p + 0.0, 4.47, "+") }
}
eval right(2.8, 4.47, "thread t:").left(9.7, 4.47, "+ ...  is one sum")
eval note(8, 5.45, "G: threads of the grid. In each pass, neighboring threads load neighboring elements.")
load "page.gp"
