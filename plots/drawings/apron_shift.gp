# Stage 7 of week 4, and the last slides on the GT200: four loads fill the tile. Each is shifted up and to the left by
# the halo.
TITLE = "Four steps fill the tile with its halo"
H = 8.2
load "drawing.gp"

BLOCK_X = 16; BLOCK_Y = 16      # threads
s = 0.5; h = 0.25               # of a word
x = 0.6; y = 2.0
width = BLOCK_X + 2; height = 2 + BLOCK_Y + 2
# columns and rows of the tile in each step: first column, columns, first row, rows
first_col(step) = step % 2 ? 0 : BLOCK_X
cols(step) = step % 2 ? BLOCK_X : 2
first_row(step) = step < 3 ? 0 : BLOCK_Y
rows_(step) = step < 3 ? BLOCK_Y : 4
color(step) = step == 1 ? PALE_BLUE : step == 2 ? PALE_ORANGE : step == 3 ? SKY : ORANGE
who = "all threads|tx < 2|ty < 4|tx < 2, ty < 4|"

do for [step = 1:4] {
    eval area(x + first_col(step) * s, y + first_row(step) * h, cols(step) * s, rows_(step) * h, color(step))
}
eval grid(x, y, width, height, s, h).frame(x + s, y + 2 * h, BLOCK_X * s, BLOCK_Y * h, BLACK)
eval disc(x + 8 * s, y + 8 * h, 0.3, WHITE, "1").disc(x + 17 * s, y + 8 * h, 0.3, WHITE, "2")
eval disc(x + 8 * s, y + 18 * h, 0.3, WHITE, "3").disc(x + 17 * s, y + 18 * h, 0.3, WHITE, "4")
eval bracket(x, x + 16 * s, y - 0.2, -1, "words -1 to 14 of the block")
eval note(x + 9 * s, y + height * h + 0.4, \
    sprintf("frame: the %d x %d pixels of the block; cell: a word of 4 pixels", 4 * BLOCK_X, BLOCK_Y))
x = 10.9
eval left(x, 1.75, "step: threads that load")
do for [step = 1:4] {
    cut = strstrt(who, "|")
    eval cell(x, 1.6 + 0.72 * step, 0.5, 0.5, color(step), sprintf("%d", step))
    eval left(x + 0.75, 1.85 + 0.72 * step, who[1:cut - 1])
    who = who[cut + 1:*]
}
load "page.gp"
