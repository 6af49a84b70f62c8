# The order of the products of a thread: stage 21 of week 3.
TITLE = "Snake order: each product keeps one operand of the one before"
H = 6.6
load "drawing.gp"

rows = 4; cols = 6; s = 0.8
do for [panel = 0:1] {
    x = panel ? 9.6 : 1.9
    y = 2.3
    eval left(x, 1.25, panel ? "snake: keeps a or b" : "row by row: a new a and b at each end")
    do for [c = 0:cols - 1] { eval text(x + (c + 0.5) * s, y - 0.3, sprintf("b%d", c)) }
    do for [r = 0:rows - 1] {
        at = y + (r + 0.5) * s
        back = panel && r % 2
        eval right(x - 0.2, at, sprintf("a%d", r))
        eval arrow(x + (back ? cols - 0.25 : 0.25) * s, at, x + (back ? 0.25 : cols - 0.25) * s, at, BLUE)
        if (r < rows - 1) {
            from = x + (back ? 0.25 : cols - 0.25) * s
            eval arrow(from, at, panel ? from : x + 0.25 * s, at + s, panel ? BLUE : VERMILION)
        }
    }
    eval grid(x, y, cols, rows, s, s)
}
eval note(8, 6.1, "A register of the last instruction can be used again without reading it.")
load "page.gp"
