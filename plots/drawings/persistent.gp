# Blocks that start again for each tile, and blocks that stay: stage 16 of week 3.
TITLE = "A persistent block: the next tile's copies begin before the store"
H = 6.4
load "drawing.gp"

h = 0.62; x = 2.7
start = 0.9; fill = 1.1; product = 2.3; store = 1.1
to(t) = x + t
eval left(0.3, 1.7, "one block").left(0.3, 2.1, "per tile")
t = 0
do for [tile = 0:2] {
    eval cell(to(t), 1.6, start, h, PALE, "start").cell(to(t + start), 1.6, fill, h, SKY, "copy")
    rest = 13 - t - start - fill
    if (rest > product) {
        eval cell(to(t + start + fill), 1.6, product, h, ORANGE, sprintf("tile %d", tile)).\
            cell(to(t + start + fill + product), 1.6, store, h, GREEN, "store")
    }
    t = t + start + fill + product + store
}
eval left(0.3, 3.4, "producer").left(0.3, 4.3, "consumers")
eval cell(to(0), 3.1, start, h, PALE, "start").cell(to(0), 4.0, start, h, PALE, "start")
do for [tile = 0:2] {
    at = start + fill + tile * (product + store)
    eval cell(to(tile ? at - 1.6 : start), 3.1, tile ? product : product + fill - 0.7, h, SKY, \
        sprintf("copies of %d", tile))
    eval cell(to(at), 4.0, product, h, ORANGE, sprintf("tile %d", tile)).\
        cell(to(at + product), 4.0, store, h, GREEN, "store")
}
eval arrow(x, 5.0, to(12.8), 5.0, DARK).note(to(6.4), 5.35, "time of one SM")
load "page.gp"
