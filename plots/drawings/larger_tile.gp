# The tiles of stages 4 and 5 of week 1 at one scale: which rows a thread loads, and which warps load a row.
TITLE = "Both blocks have 8 rows of threads. A row is twice as long"
H = 9.0
load "drawing.gp"

w = 3.1; h = 0.75; y = 2.5
do for [size = 1:2] {
    x = size == 2 ? 8.0 : 1.2
    eval left(x - 0.9, 1.25, size == 2 ? "stage 5: 64 x 64, 16 warps" : "stage 4: 32 x 32, 8 warps")
    eval bracket(x, x + size * w, y - 0.12, -1, sprintf("%d bytes", 128 * size))
    do for [i = 0 : 4 * size - 1] {
        do for [c = 0 : size - 1] {
            eval cell(x + c * w, y + i * h, w, h, i ? WHITE : c ? PALE_ORANGE : ORANGE, \
                i == 0 && size == 2 ? (c ? "odd warps" : "even warps") : i == 0 ? "a warp per row" : "")
        }
        eval put(x + size * w + 0.12, y + (i + 0.5) * h, "left", DARK, sprintf("v[%d]", i))
    }
}
eval left(1.2, y + 4 * h + 0.4, "each band: 8 rows")
load "page.gp"
