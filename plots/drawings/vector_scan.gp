# The levels of a scan with a vector per thread: stage 4 of week 5.
TITLE = "Three levels: a thread's vector, a warp, a block"
H = 6.6
load "drawing.gp"

threads = 4; width = 4; s = 0.85; x = 0.9
array v[16] = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3]
before = 0
do for [t = 0:threads - 1] {
    sum = 0
    at = x + t * (width * s + 0.3)
    do for [i = 0:width - 1] {
        eval cell(at + i * s, 1.6, s, 0.6, PALE_BLUE, sprintf("%d", v[t * width + i + 1]))
        sum = sum + v[t * width + i + 1]
        eval cell(at + i * s, 5.1, s, 0.6, GREEN, sprintf("%d", before + sum))
    }
    middle = at + 0.5 * width * s
    eval arrow(middle, 2.25, middle, 2.75, DARK).cell(middle - 0.6, 2.8, 1.2, 0.6, ORANGE, sprintf("%d", sum))
    eval cell(middle - 0.6, 3.9, 1.2, 0.6, SKY, sprintf("%d", before)).arrow(middle, 3.42, middle, 3.88, DARK).\
        arrow(middle, 4.55, middle, 5.05, DARK)
    eval note(middle, 1.3, sprintf("thread %d", t))
    before = before + sum
}
eval put(7.9, 6.15, "center", DARK, "orange: its sum; blue: the sum before it, from the scan of the block")
load "page.gp"
