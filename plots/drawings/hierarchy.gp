# Grid, block, warp, lane; and blocks on SMs.
TITLE = "A grid has blocks, a block has warps, a warp has 32 lanes"
H = 8.4
load "drawing.gp"

grid_x = 3; grid_y = 2       # blocks
threads = 256                # per block
sms = 4
top = 2.05

x = 0.4; w = 1.3; h = 1.1
eval left(x, 1.45, sprintf("grid: %d x %d blocks", grid_x, grid_y))
do for [b = 0:grid_x * grid_y - 1] {
    eval cell(x + b % grid_x * w, top + b / grid_x * h, w, h, b == 2 ? ORANGE : PALE_BLUE, \
        sprintf("(%d,%d)", b % grid_x, b / grid_x))
}
x1 = x + grid_x * w

x = 5.5; wide = 4.8; h2 = 0.42
eval left(x, 1.45, sprintf("block: %d threads, %d warps", threads, threads / 32))
do for [i = 0:threads / 32 - 1] {
    eval cell(x, top + i * h2, wide, h2, i == 1 ? ORANGE : PALE_BLUE, \
        sprintf("warp %d: threads %d to %d", i, 32 * i, 32 * i + 31))
}
eval dashed(x1, top, x, top).dashed(x1, top + h, x, top + threads / 32 * h2)
x1 = x + wide

x = 11.4; s = 0.53
eval left(x, 1.45, "warp: 32 lanes")
do for [lane = 0:31] { eval cell(x + lane % 8 * s, top + lane / 8 * s, s, s, PALE_BLUE, sprintf("%d", lane)) }
eval dashed(x1, top + h2, x, top).dashed(x1, top + 2 * h2, x, top + 4 * s)
eval left(x, top + 4 * s + 0.35, "run one instruction").left(x, top + 4 * s + 0.75, "together")

y = 6.4; w = 3.6
eval left(0.4, 6.05, "GPU: each block runs on one SM; an SM runs several blocks")
do for [m = 0:sms - 1] {
    x = 0.4 + m * (w + 0.25)
    eval box(x, y, w, 1.55, PALE).left(x + 0.15, y + 0.35, sprintf("SM %d", m))
    n = 0
    do for [b = 0:grid_x * grid_y - 1] {
        if (b % sms == m) {
            eval cell(x + 0.15 + n * 1.25, y + 0.7, 1.15, 0.65, b == 2 ? ORANGE : PALE_BLUE, \
                sprintf("(%d,%d)", b % grid_x, b / grid_x))
            n = n + 1
        }
    }
}
load "page.gp"
