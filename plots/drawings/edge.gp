# A matrix whose sides no tile divides: stage 3 of week 3.
TITLE = "Outside C, a thread loads zeros and stores nothing"
H = 6.4
load "drawing.gp"

tile = 2.1; x = 3.6; y = 1.35
wide = 2.45 * tile; tall = 1.6 * tile
do for [r = 0:1] {
    do for [c = 0:2] { eval area(x + c * tile, y + r * tile, tile, tile, r == 1 || c == 2 ? PALE_ORANGE : PALE) }
}
eval area(x, y, wide, tall, SKY)
do for [r = 0:1] { do for [c = 0:2] { eval box(x + c * tile, y + r * tile, tile, tile, WHITE) } }
eval frame(x, y, wide, tall, BLUE)
eval text(x + 0.5 * wide, y + 0.5 * tall, "C").text(x + 0.5 * tile, y + 0.5 * (tall + 2 * tile), "zeros")
eval text(x + 0.5 * (wide + 3 * tile), y + 0.5 * tile, "zeros")
eval upright(x - 0.2, y, y + tile, -1, "a tile").left(x + 3 * tile + 0.4, y + 0.9 * tile, "checked once").\
    left(x + 3 * tile + 0.4, y + 0.9 * tile + 0.45, "per load")
load "page.gp"
