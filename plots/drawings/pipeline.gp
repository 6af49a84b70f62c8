# The pipeline of stages 9 and 13 of week 3, with DEPTH = 3 buffers. Tile t is in buffer t % DEPTH; its buffer is refilled when its step ends.
TITLE = "Three buffers: two tiles are in flight while one is multiplied"
H = 7.6
load "drawing.gp"

depth = 3
latency = depth - 1      # steps that a copy takes, at most, so that no step waits for it
steps = 7                # shown
w = 1.5; h = 0.62
x = 2.6
to(t) = x + t * w

eval left(0.3, 1.45, "one buffer").note(x + 4.5 * w, 1.45, "copy, wait, multiply, then the next tile")
t = 0
tile = 0
y = 1.8
while (t < steps + 1) {
    end = t + latency < steps + 1 ? t + latency : steps + 1
    eval cell(to(t), y, (end - t) * w, h, SKY, sprintf("copy %d", tile))
    if (end < steps + 1) { eval cell(to(end), y, w, h, ORANGE, sprintf("mult. %d", tile)) }
    t = end + 1
    tile = tile + 1
}
y = 3.3
eval left(0.3, y - 0.35, sprintf("%d buffers", depth))
do for [b = 0:depth - 1] {
    eval left(0.3, y + b * (h + 0.16) + 0.5 * h, sprintf("buffer %d", b))
    # the prologue copies the first tiles; step t starts at latency + t
    do for [tile = 0:steps] {
        if (tile % depth == b) {
            start = tile < depth ? (tile < latency ? 0 : tile - latency + 0.0 + latency - latency) : tile
            if (tile < steps - latency + 2) {
                eval cell(to(tile), y + b * (h + 0.16), latency * w, h, SKY, sprintf("copy %d", tile))
            }
            if (tile + latency < steps + 1) { eval cell(to(tile + latency), y + b * (h + 0.16), w, h, ORANGE, sprintf("mult. %d", tile)) }
        }
    }
}
eval arrow(x, 6.6, x + (steps + 1) * w, 6.6, DARK).note(x + 4 * w, 6.95, "time")
load "page.gp"
