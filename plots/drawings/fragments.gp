# One set of fragments in registers, and two: stages 9 and 20 of week 3.
TITLE = "Two sets of fragments: loads run behind multiply-adds"
H = 5.8
load "drawing.gp"

load_time = 1.5; product = 2.0; h = 0.6; x = 2.6
to(t) = x + t
eval left(0.3, 1.9, "one set")
do for [k = 0:2] {
    t = k * (load_time + product)
    eval cell(to(t), 1.6, load_time, h, SKY, sprintf("load %d", k)).\
        cell(to(t + load_time), 1.6, product, h, ORANGE, sprintf("multiply %d", k))
}
eval left(0.3, 3.3, "set 0").left(0.3, 4.0, "set 1")
do for [k = 0:4] {
    y = 3.0 + 0.7 * (k % 2)
    start = k < 2 ? k * load_time : load_time + (k - 1) * product
    eval cell(to(start), y, load_time, h, SKY, sprintf("load %d", k))
    eval cell(to(load_time + k * product), y, product, h, ORANGE, sprintf("multiply %d", k))
}
eval arrow(x, 4.6, to(12), 4.6, DARK).note(to(6), 4.95, "time of one warp")
load "page.gp"
