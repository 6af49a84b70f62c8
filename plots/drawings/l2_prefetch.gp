# A prefetch into L2 before the previous call has ended: stage 19 of week 4.
TITLE = "While call 1 waits, its rows already move to L2"
H = 6.2
load "drawing.gp"

h = 0.62; x = 2.6
to(t) = x + t
eval left(0.3, 1.95, "call 0").cell(to(0), 1.65, 2.2, h, SKY, "load").cell(to(2.2), 1.65, 4.0, h, ORANGE, "store")
eval left(0.3, 3.05, "call 1, stage 18").\
    cell(to(3.2), 2.75, 1.0, h, PALE, "start").cell(to(4.2), 2.75, 2.0, h, WHITE, "waits")
eval cell(to(6.2), 2.75, 3.4, h, SKY, "load from DRAM").cell(to(9.6), 2.75, 2.4, h, ORANGE, "store")
eval left(0.3, 4.15, "call 1, stage 19").\
    cell(to(3.2), 3.85, 1.0, h, PALE, "start").cell(to(4.2), 3.85, 2.0, h, GREEN, "prefetch")
eval cell(to(6.2), 3.85, 1.8, h, SKY, "from L2").cell(to(8.0), 3.85, 2.4, h, ORANGE, "store")
eval dashed(to(6.2), 1.5, to(6.2), 4.7).left(to(6.3), 1.9, "call 0 has ended")
eval arrow(x, 5.0, to(12.8), 5.0, DARK).note(to(6.4), 5.35, "time")
load "page.gp"
