# The mbarriers of stage 14 of week 3, one per buffer: tile t is in buffer t % 3, and the end of its copy ends phase t /
# 3 of the buffer's mbarrier.
TITLE = "An mbarrier per buffer: a phase ends when all bytes of a tile have arrived"
H = 8.2
load "drawing.gp"

DEPTH = 3
latency = 2         # of a copy, in steps
columns = 8         # units of time shown
w = 1.55; h = 0.62; thin = 0.5
x = 3.0
to(t) = x + t * w
multiplied(tile) = latency + tile                                 # when
copied(tile) = tile < DEPTH ? 0 : multiplied(tile - DEPTH) + 1    # when its copy starts
shown(from, end) = (end > columns ? columns : end) - from

eval box(to(0), 1.25, 0.3, 0.3, SKY).left(to(0) + 0.45, 1.4, "TMA copies").box(to(2), 1.25, 0.3, 0.3, ORANGE)
eval left(to(2) + 0.45, 1.4, "all threads multiply")
y = 2.65
do for [step = 0:columns - latency - 1] {
    eval bracket(to(latency + step) + 0.05, to(latency + step + 1) - 0.05, y - 0.2, -1, sprintf("step %d", step))
}
row = h + thin + 0.3
do for [b = 0:DEPTH - 1] {
    at = y + b * row
    eval left(0.3, at + 0.5 * h, sprintf("buffer %d", b)).left(0.3, at + h + 0.5 * thin, sprintf("full[%d]", b))
    phase = 0
    begin = 0
    do for [tile = b:columns:DEPTH] {
        if (copied(tile) < columns) {
            # a copy of the prologue arrives when its tile is needed, at the latest
            end = tile < DEPTH ? multiplied(tile) : copied(tile) + latency
            eval cell(to(copied(tile)), at, shown(copied(tile), end) * w, h, SKY, sprintf("tile %d", tile))
            if (multiplied(tile) < columns) {
                eval cell(to(multiplied(tile)), at, w, h, ORANGE, sprintf("tile %d", tile))
            }
            eval cell(to(begin), at + h, shown(begin, end) * w, thin, phase % 2 ? PALE_GREEN : PALE_PURPLE, \
                sprintf("phase %d", phase))
            begin = end
            phase = phase + 1
        }
    }
    if (begin < columns) {
        eval cell(to(begin), at + h, (columns - begin) * w, thin, phase % 2 ? PALE_GREEN : PALE_PURPLE, \
            sprintf("phase %d", phase))
    }
}
y = y + DEPTH * row + 0.1
eval arrow(to(0), y, to(columns), y, DARK).note(to(0.5 * columns), y + 0.35, "time")
eval left(0.3, y + 1.0, \
    "A wait names the parity of the phase that must have ended: 0 for tiles 0, 1, 2, then 1, then 0.")
load "page.gp"
