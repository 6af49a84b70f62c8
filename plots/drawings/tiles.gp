# The tiles of stage 7 of week 3. Each is the part of C that a block, a warp or a thread computes.
TITLE = "Three levels of tiles: each reuses the words that it has loaded"
H = 7.1
load "drawing.gp"

BM = 128; BN = 128        # block tile
TM = 8; TN = 8            # thread tile
LANE_ROWS = 8; LANE_COLS = 4
WM = LANE_ROWS * TM       # warp tile
WN = LANE_COLS * TN
top = 2.4
big = 3.6                 # side of the largest

# C
x = 0.4
eval grid(x, top, 4, 4, big / 4, big / 4).area(x + big / 4, top + big / 4, big / 4, big / 4, ORANGE)
eval text(x + 0.5 * big, top - 0.75, "C").note(x + 0.5 * big, top - 0.33, "one block per tile")
# block tile
x1 = x + 0.25 * big; y1 = top + 0.25 * big; h1 = 0.25 * big
x = 5.1; side = big / BM
eval area(x, top, big, big, PALE_ORANGE).area(x + WN * side, top, WN * side, WM * side, ORANGE)
eval grid(x, top, BN / WN, BM / WM, WN * side, WM * side)
eval dashed(x1 + h1, y1, x, top).dashed(x1 + h1, y1 + h1, x, top + big)
eval text(x + 0.5 * big, top - 0.75, sprintf("block tile %d x %d", BM, BN))
eval note(x + 0.5 * big, top - 0.33, sprintf("%d warps", BM / WM * (BN / WN)))
# warp tile: groups of 4 x 4, four of them to a lane
x1 = x + WN * side; w1 = WN * side; h1 = WM * side
x = 9.8; side = big / WM; wide = WN * side
eval area(x, top, wide, big, PALE_ORANGE)
lane = 9
do for [i = 0:1] { do for [j = 0:1] {
    eval area(x + (lane % LANE_COLS + j * LANE_COLS) * 4 * side, \
        top + (lane / LANE_COLS + i * LANE_ROWS) * 4 * side, \
        4 * side, 4 * side, ORANGE)
} }
eval grid(x, top, WN / 4, WM / 4, 4 * side, 4 * side)
eval dashed(x1 + w1, top, x, top).dashed(x1 + w1, top + h1, x, top + big)
eval text(x + 0.5 * wide, top - 0.75, sprintf("warp tile %d x %d", WM, WN))
eval note(x + 0.5 * wide, top - 0.33, sprintf("%d lanes", LANE_ROWS * LANE_COLS))
# thread tile
x1 = x + wide
x = 12.9; side = 0.33; y = top + 0.5
eval area(x, y, TN * side, TM * side, ORANGE).grid(x, y, TN, TM, side, side)
eval line(x, y + 4 * side, x + 8 * side, y + 4 * side, BLACK).line(x + 4 * side, y, x + 4 * side, y + 8 * side, BLACK)
eval dashed(x1, top + (lane / LANE_COLS) * 4 * big / WM, x, y)
eval dashed(x1, top + (lane / LANE_COLS + LANE_ROWS + 1) * 4 * big / WM, x, y + TM * side)
eval text(x + 4 * side, top - 0.75, sprintf("thread tile %d x %d", TM, TN)).note(x + 4 * side, top - 0.33, "one lane")
eval text(5.1 + 0.5 * big, 6.45, "A and B in shared memory").text(12.9 + 4 * side, 6.45, "sums in registers")
load "page.gp"
