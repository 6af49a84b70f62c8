# Which lane has which elements of a warp tile, stage 7 of week 3. A cell is a group of 4 x 4 elements.
TITLE = "A lane has four groups of 4 x 4 elements of the warp tile"
H = 9.0
load "drawing.gp"

LANE_ROWS = 8; LANE_COLS = 4
TM = 8; TN = 8
WM = LANE_ROWS * TM; WN = LANE_COLS * TN
w = 0.86; h = 0.4
x = 2.0; top = 2.15
chosen = 9
lane_of(row, col) = row / 4 % LANE_ROWS * LANE_COLS + col / 4 % LANE_COLS

do for [i = 0:WM / 4 - 1] {
    do for [j = 0:WN / 4 - 1] {
        lane = lane_of(4 * i, 4 * j)
        eval cell(x + j * w, top + i * h, w, h, lane == chosen ? ORANGE : WHITE, sprintf("%d", lane))
    }
}
eval bracket(x, x + WN / 8 * w - 0.05, top - 0.2, -1, sprintf("columns 0 to %d", WN / 2 - 1))
eval bracket(x + WN / 8 * w + 0.05, x + WN / 4 * w, top - 0.2, -1, sprintf("%d to %d", WN / 2, WN - 1))
eval upright(x - 0.2, top, top + WM / 8 * h - 0.05, -1, "")
eval upright(x - 0.2, top + WM / 8 * h + 0.05, top + WM / 4 * h, -1, "")
eval right(x - 0.35, top + 3.5 * h, "rows").right(x - 0.35, top + 4.5 * h, sprintf("0 to %d", WM / 2 - 1))
eval right(x - 0.35, top + 11.5 * h, "rows").right(x - 0.35, top + 12.5 * h, sprintf("%d to %d", WM / 2, WM - 1))

# the thread tile of the chosen lane
g = 0.55; x = 10.7; y = 3.1
eval text(x + 4 * g, 1.7, sprintf("lane %d: sum[%d][%d]", chosen, TM, TN)).area(x, y, TN * g, TM * g, PALE_ORANGE)
eval grid(x, y, TN, TM, g, g)
do for [i = 0:1] {
    row = 4 * (chosen / LANE_COLS + i * LANE_ROWS)
    col = 4 * (chosen % LANE_COLS + i * LANE_COLS)
    eval frame(x, y + 4 * i * g, 4 * g, 4 * g, VERMILION).frame(x + 4 * g, y + 4 * i * g, 4 * g, 4 * g, VERMILION)
    eval right(x - 0.15, y + (4 * i + 1.6) * g, "rows")
    eval right(x - 0.15, y + (4 * i + 2.4) * g, sprintf("%d to %d", row, row + 3))
    eval text(x + (4 * i + 2) * g, y - 0.7, "columns")
    eval text(x + (4 * i + 2) * g, y - 0.28, sprintf("%d to %d", col, col + 3))
}
eval note(x + 4 * g - 0.3, 8.0, "Neighboring lanes read").note(x + 4 * g - 0.3, 8.42, "neighboring float4 of B.")
load "page.gp"
