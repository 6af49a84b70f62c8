# The pipeline of stage 18 of week 3, with three buffers: tile t is in buffer t % 3. In each step a buffer is free
# to refill.
TITLE = "Three buffers: two tiles are in flight while one is multiplied"
H = 7.3
load "drawing.gp"

DEPTH = 3
latency = DEPTH - 1      # of a copy, in steps: the most that the pipeline hides
columns = 8              # units of time shown
w = 1.6; h = 0.62
x = 2.6
to(t) = x + t * w
start(tile) = tile < DEPTH - 1 ? 0 : latency + tile - (DEPTH - 1)     # the prologue copies DEPTH - 1 tiles
shown(from, length) = from + length > columns ? columns - from : length

y = 1.95
eval left(0.3, y + 0.5 * h, "one buffer")
do for [tile = 0:columns / (latency + 1)] {
    t = tile * (latency + 1)
    eval cell(to(t), y, shown(t, latency) * w, h, SKY, sprintf("tile %d", tile))
    if (t + latency < columns) { eval cell(to(t + latency), y, w, h, ORANGE, sprintf("tile %d", tile)) }
}
eval box(to(0), 1.25, 0.3, 0.3, SKY).left(to(0) + 0.45, 1.4, "copy to shared memory").\
    box(to(3), 1.25, 0.3, 0.3, ORANGE)
eval left(to(3) + 0.45, 1.4, "multiply")

y = 3.9
eval bracket(to(0) + 0.05, to(latency) - 0.05, y - 0.2, -1, "prologue")
do for [step = 0:columns - latency - 1] {
    eval bracket(to(latency + step) + 0.05, to(latency + step + 1) - 0.05, y - 0.2, -1, sprintf("step %d", step))
}
do for [b = 0:DEPTH - 1] { eval left(0.3, y + b * (h + 0.15) + 0.5 * h, sprintf("buffer %d", b)) }
do for [tile = 0:columns - 1] {
    at = y + tile % DEPTH * (h + 0.15)
    eval cell(to(start(tile)), at, shown(start(tile), latency) * w, h, SKY, sprintf("tile %d", tile))
    if (latency + tile < columns) { eval cell(to(latency + tile), at, w, h, ORANGE, sprintf("tile %d", tile)) }
}
y = y + DEPTH * (h + 0.15) + 0.2
eval arrow(to(0), y, to(columns), y, DARK).note(to(0.5 * columns), y + 0.35, "time")
eval curtain(to(latency + STEP - 1) + 0.01, 1.75, y - 0.05)
load "page.gp"
