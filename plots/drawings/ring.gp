# Stage 22 of week 3: the two mbarriers of each buffer of a ring. Tile t is in buffer t % 3, and t / 3 is the phase of
# both mbarriers.
TITLE = "A ring: full[b] ends a phase when the tile is there, empty[b] when it has been read"
H = 8.9
load "drawing.gp"

DEPTH = 3
latency = 2         # of a copy, in steps
columns = 8         # units of time shown
w = 1.55; h = 0.55; thin = 0.45
x = 3.0
to(t) = x + t * w
multiplied(tile) = latency + tile                                 # when
copied(tile) = tile < DEPTH ? 0 : multiplied(tile - DEPTH) + 1    # when its copy starts
shown(from, end) = (end > columns ? columns : end) - from
shade(phase) = phase % 2 ? PALE_GREEN : PALE_PURPLE

eval box(to(0), 1.25, 0.3, 0.3, SKY).left(to(0) + 0.45, 1.4, "TMA copies").box(to(2), 1.25, 0.3, 0.3, ORANGE)
eval left(to(2) + 0.45, 1.4, "consumers multiply")
y = 2.0
row = h + 2 * thin + 0.25
do for [b = 0:DEPTH - 1] {
    at = y + b * row
    eval left(0.3, at + 0.5 * h, sprintf("buffer %d", b)).left(0.3, at + h + 0.5 * thin, sprintf("full[%d]", b))
    eval left(0.3, at + h + 1.5 * thin, sprintf("empty[%d]", b))
    phase = 0
    filled = 0; read = 0      # when the last phases of full and empty have ended
    do for [tile = b:columns:DEPTH] {
        if (copied(tile) < columns) {
            # a copy of the prologue arrives when its tile is needed, at the latest
            end = tile < DEPTH ? multiplied(tile) : copied(tile) + latency
            eval cell(to(copied(tile)), at, shown(copied(tile), end) * w, h, SKY, sprintf("tile %d", tile))
            eval cell(to(filled), at + h, shown(filled, end) * w, thin, shade(phase), sprintf("phase %d", phase))
            filled = end
            if (multiplied(tile) < columns) {
                eval cell(to(multiplied(tile)), at, w, h, ORANGE, sprintf("tile %d", tile))
            }
            end = multiplied(tile) + 1
            eval cell(to(read), at + h + thin, shown(read, end) * w, thin, shade(phase), sprintf("phase %d", phase))
            read = end
            phase = phase + 1
        }
    }
    if (filled < columns) {
        eval cell(to(filled), at + h, (columns - filled) * w, thin, shade(phase), sprintf("phase %d", phase))
    }
    if (read < columns) {
        eval cell(to(read), at + h + thin, (columns - read) * w, thin, shade(phase), sprintf("phase %d", phase))
    }
}
y = y + DEPTH * row + 0.1
eval arrow(to(0), y, to(columns), y, DARK).note(to(0.5 * columns), y + 0.3, "time")
eval curtain(to(latency + STEP - 1) + 0.01, 1.8, y - 0.05)
eval left(0.3, y + 0.8, "Consumers wait for phase t / 3 of full[b]: its parity is t / 3 % 2.")
eval left(0.3, y + 1.2, \
    "The producer waits for phase t / 3 - 1 of empty[b]; in the first round it counts as complete.")
load "page.gp"
