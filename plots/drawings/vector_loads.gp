# The loads of stages 9 and 10 of week 2: which warps and lanes load 512 bytes, and in how many requests.
TITLE = "The same 16 sectors, in four requests or in one"
H = 6.9
load "drawing.gp"

x = 0.8; h = 0.75; s = 0.9   # s: a sector, 8 ints
do for [panel = 0:1] {
    y = panel ? 4.65 : 2.0
    eval left(x, y - 0.4, panel ? "stage 10: 16 bytes per lane" : "stage 9: 4 bytes per lane")
    do for [i = 0:15] {
        eval cell(x + i * s, y, s, h, panel || i / 4 % 2 == 0 ? ORANGE : PALE_ORANGE, \
            sprintf("%d", panel ? 2 * i : i % 4 * 8))
    }
    do for [r = 0 : panel ? 0 : 3] {
        n = panel ? 16 : 4
        eval bracket(x + r * 4 * s + 0.05, x + (r * 4 + n) * s - 0.05, y + h + 0.25, 1, \
            sprintf("request of warp %d", r))
    }
}
eval note(8, 6.45, "a cell is a sector of 32 bytes, its number is the first of its lanes")
load "page.gp"
