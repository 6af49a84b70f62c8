# A tile that arrives as one box, and in five boxes: stages 19 and 20 of week 4.
TITLE = "Five boxes: the first rows are convolved while others arrive"
H = 6.4
load "drawing.gp"

BOXES = 5; w = 1.5; h = 0.6; x = 2.6
to(t) = x + t
eval left(0.3, 1.9, "one box").cell(to(0), 1.6, BOXES * w, h, SKY, "20 rows arrive").\
    cell(to(BOXES * w), 1.6, (BOXES - 1) * 1.2, h, ORANGE, "convolve 16 rows")
eval left(0.3, 3.3, "five boxes")
do for [b = 0:BOXES - 1] { eval cell(to(b * w), 3.0, w, h, SKY, "4 rows") }
do for [b = 0:BOXES - 2] {
    eval cell(to((b + 2) * w), 3.9, 1.2, h, ORANGE, "4 rows")
    eval arrow(to((b + 2) * w), 3.62, to((b + 2) * w), 3.88, DARK)
}
eval left(0.3, 4.2, "convolve")
eval arrow(x, 5.0, to(12.8), 5.0, DARK).note(to(6.4), 5.35, "time of a block").\
    note(to(6.4), 5.85, "Four rows of output need two boxes of input: a filter has 5 rows.")
load "page.gp"
