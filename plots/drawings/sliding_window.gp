# The registers of a thread: stage 6 of week 4.
TITLE = "A window of nine rows in registers slides down by five"
H = 7.0
load "drawing.gp"

rows = 9; kept = 4; h = 0.5; w = 3.2
do for [step = 0:1] {
    x = step ? 9.0 : 1.8
    eval text(x + 0.5 * w, 1.3, step ? "next step" : "a step")
    do for [r = 0:rows - 1] {
        row = r + step * (rows - kept)
        eval cell(x, 1.7 + r * h, w, h, r < kept ? PALE_BLUE : SKY, sprintf("row %d", row))
    }
    side = step ? 1 : -1
    at = step ? x + w + 0.2 : x - 0.2
    eval upright(at, 1.75, 1.7 + kept * h - 0.05, side, "kept").\
        upright(at, 1.75 + kept * h, 1.65 + rows * h, side, "loaded")
}
do for [r = 0:kept - 1] { eval arrow(5.1, 1.95 + (r + rows - kept) * h, 8.9, 1.95 + r * h, GRAY) }
eval note(8, 6.6, "9 rows of input, 5 rows of output: each row is loaded once per thread")
load "page.gp"
