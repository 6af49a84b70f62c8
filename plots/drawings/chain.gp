# The chained scan: stages 7 and 8 of week 5.
TITLE = "A chain: each tile waits for the sum of all tiles before"
H = 6.6
load "drawing.gp"

tiles = 5; h = 0.6; x = 2.2; load_time = 2.6; message = 1.5; store = 1.4
do for [t = 0:tiles - 1] {
    y = 1.5 + t * (h + 0.2)
    sent = load_time + (t + 1) * message
    eval left(0.4, y + 0.5 * h, sprintf("tile %d", t)).cell(x, y, load_time, h, SKY, "load, sum")
    if (t > 0) { eval cell(x + load_time, y, t * message, h, PALE, "wait") }
    eval cell(x + sent - message, y, message, h, ORANGE, "pass on").cell(x + sent, y, store, h, GREEN, "store")
    if (t < tiles - 1) { eval arrow(x + sent, y + h, x + sent, y + h + 0.2, DARK) }
}
eval arrow(x, 5.75, 15.4, 5.75, DARK).note(8, 6.1, "time: a message per tile, one after another")
load "page.gp"
