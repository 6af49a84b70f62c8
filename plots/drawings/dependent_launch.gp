# Programmatic dependent launch: stage 18 of week 4.
TITLE = "The next call starts before the previous one has ended"
H = 6.2
load "drawing.gp"

h = 0.62; x = 2.4
to(t) = x + t
start = 1.4; copy = 2.2; store = 1.8
eval left(0.3, 1.35, "in order")
do for [c = 0:1] {
    t = c * (start + copy + store + 0.5)
    eval left(0.3, 1.95 + 0.75 * c, sprintf("call %d", c))
    eval cell(to(t), 1.65 + 0.75 * c, start, h, PALE, "start").\
        cell(to(t + start), 1.65 + 0.75 * c, copy, h, SKY, "load").\
        cell(to(t + start + copy), 1.65 + 0.75 * c, store, h, ORANGE, "store")
}
eval left(0.3, 3.45, "with trigger and wait")
do for [c = 0:1] {
    t = c * (start + copy)
    eval left(0.3, 4.05 + 0.75 * c, sprintf("call %d", c))
    eval cell(to(t), 3.75 + 0.75 * c, start, h, PALE, "start")
    gap = c ? store - start : 0
    if (gap > 0) { eval cell(to(t + start), 3.75 + 0.75 * c, gap, h, WHITE, "") }
    eval cell(to(t + start + gap), 3.75 + 0.75 * c, copy, h, SKY, "load").\
        cell(to(t + start + gap + copy), 3.75 + 0.75 * c, store, h, ORANGE, "store")
}
eval dashed(to(start + copy), 3.6, to(start + copy), 5.3).right(to(start + copy) - 0.15, 5.05, "trigger")
eval dashed(to(start + copy + store), 3.6, to(start + copy + store), 5.3).\
    left(to(start + copy + store) + 2.7 , 4.05, "wait: until call 0 has ended")
eval arrow(x, 5.55, to(13), 5.55, DARK).note(to(6.5), 5.85, "time")
load "page.gp"
