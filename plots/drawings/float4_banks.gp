# The banks of stage 7 of week 1: the first word of each lane's float4 in the tile, without and with padding.
TITLE = "Padding moves the second row of the warp, not lanes 8 apart"
H = 6.9
load "drawing.gp"

w = 0.45; h = 0.42; x = 0.8
do for [panel = 0:1] {
    width = 64 + panel
    y = panel ? 4.7 : 1.9
    eval left(x, y - 0.4, panel ? "rows of 65 words: 2 wavefronts" : "rows of 64 words: 4 wavefronts")
    do for [lane = 0:31] {
        word = lane / 16 * width + 4 * (lane % 16)
        turn = lane % 16 / 8 + (panel ? 0 : 2 * (lane / 16))
        eval cell(x + word % 32 * w, y + turn * h, w, h, lane < 16 ? ORANGE : SKY, sprintf("%d", lane))
    }
    eval grid(x, y, 32, 1, w, (panel ? 2 : 4) * h)
}
eval note(8, 6.1, "a column is a bank, a number a lane; orange: row y, blue: row y + 1")
load "page.gp"
