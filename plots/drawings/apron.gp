# Stage 8 of week 4 (example 6 of the slides): six loads fill the tile. Each loads words of 4 pixels at addresses
# aligned to 64 bytes.
TITLE = "Six aligned steps fill the tile with its halo (the apron)"
H = 8.2
load "drawing.gp"

BLOCK_X = 16; BLOCK_Y = 16      # threads
s = 0.5; h = 0.25               # of a word
x = 0.6; y = 2.0
width = BLOCK_X + 2; height = 2 + BLOCK_Y + 2
# columns and rows of the tile in each step: first column, columns, first row, rows
first_col(step) = step < 3 ? 1 : step < 5 ? 0 : BLOCK_X + 1
cols(step) = step < 3 ? BLOCK_X : 1
first_row(step) = step % 2 ? 0 : BLOCK_Y
rows_(step) = step % 2 ? BLOCK_Y : 4
color(step) = step == 1 ? PALE_BLUE : step == 2 ? SKY : step == 3 ? PALE_ORANGE : step == 4 ? ORANGE : \
    step == 5 ? PALE_PURPLE : PURPLE
who = "all threads|ty < 4|tx = 15|tx = 15, ty < 4|tx = 0|tx = 0, ty < 4|"

do for [step = 1:6] {
    eval area(x + first_col(step) * s, y + first_row(step) * h, cols(step) * s, rows_(step) * h, color(step))
}
eval grid(x, y, width, height, s, h).frame(x + s, y + 2 * h, BLOCK_X * s, BLOCK_Y * h, BLACK)
eval disc(x + 9 * s, y + 8 * h, 0.3, WHITE, "1").disc(x + 9 * s, y + 18 * h, 0.3, WHITE, "2")
eval disc(x + 0.5 * s, y + 8 * h, 0.24, WHITE, "3").disc(x + 0.5 * s, y + 18 * h, 0.24, WHITE, "4")
eval disc(x + 17.5 * s, y + 8 * h, 0.24, WHITE, "5").disc(x + 17.5 * s, y + 18 * h, 0.24, WHITE, "6")
eval bracket(x + s, x + 17 * s, y - 0.2, -1, sprintf("a segment of %d bytes", 4 * BLOCK_X))
eval note(x + 9 * s, y + height * h + 0.4, \
    sprintf("frame: the %d x %d pixels of the block; cell: a word of 4 pixels", 4 * BLOCK_X, BLOCK_Y))
x = 10.9
eval left(x, 1.75, "step: threads that load")
do for [step = 1:6] {
    cut = strstrt(who, "|")
    eval cell(x, 1.6 + 0.72 * step, 0.5, 0.5, color(step), sprintf("%d", step))
    eval left(x + 0.75, 1.85 + 0.72 * step, who[1:cut - 1])
    who = who[cut + 1:*]
}
load "page.gp"
