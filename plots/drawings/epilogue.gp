# Stage 17 of week 3: what a store of a warp writes to C in stage 16, and how the sums of a warp reach C here.
TITLE = "Sums through shared memory: C gets whole lines, and the copies overlap"
H = 9.0
load "drawing.gp"

w = 1.4; h = 0.2       # of a sector of C: 32 bytes, 16 elements of a row
rows_shown = 16
top = 1.9
do for [panel = 0:1] {
    x = panel ? 9.3 : 1.0
    eval text(x + 2 * w, top - 0.65, panel ? "stage 17: a copy by TMA" : "stage 16: one store of a warp")
    eval area(x, top, 4 * w, rows_shown * h, panel ? ORANGE : PALE)
    if (!panel) {
        eval area(x + w, top, w, 8 * h, PALE_ORANGE).area(x + w, top, 0.5 * w, 8 * h, ORANGE)
    }
    eval grid(x, top, 4, rows_shown, w, h)
    eval note(x + 2 * w, top + rows_shown * h + 0.32, panel ? "16 rows of 128 bytes: whole lines" : \
        "8 rows of 16 bytes: half sectors")
}
eval note(1.0 + 2 * w, top - 0.25, "64 columns: 128 bytes").note(9.3 + 2 * w, top - 0.25, "64 columns: 128 bytes")

# The four boxes of a warp's 16 x 256 sums, in two slots.
y = top + rows_shown * h + 1.05
x0 = 2.6; step = 2.3; bar = 0.6
eval left(0.4, y + 0.5 * bar, "warp").left(0.4, y + 1.5 * bar + 0.3, "slot 0")
eval left(0.4, y + 2.5 * bar + 0.6, "slot 1")
do for [b = 0:3] {
    x = x0 + b * step
    slot = y + (1 + b % 2) * (bar + 0.3)
    eval cell(x, y, step, bar, SKY, sprintf("stmatrix %d", b))
    eval cell(x, slot, step, bar, SKY, sprintf("box %d", b)).\
        cell(x + step, slot, 0.9 * step, bar, ORANGE, "TMA reads")
}
eval cell(x0 + 4 * step, y, 3.9, bar, PALE_GREEN, "products of the next tile")
eval arrow(x0, y + 3 * (bar + 0.3) + 0.05, x0 + 4 * step + 3.9, y + 3 * (bar + 0.3) + 0.05, DARK)
eval put(0.4, y + 3 * (bar + 0.3) + 0.05, "left", DARK, "time")
load "page.gp"
