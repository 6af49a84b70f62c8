# The tile of stage 9 of week 1: two boxes of the matrix, and where the swizzle of the TMA stores the chunks of a box.
# Marked: what thread (9, 5) reads, and what the 8 lanes of its wavefront read.
TITLE = "Two boxes, each with rows of 8 chunks, moved by XOR with the row"
H = 8.6
load "drawing.gp"

TX = 9; TY = 5
position(row, chunk) = (chunk % 8) ^ (row % 8)

# The tile in global memory, 64 rows of 64 columns.
x = 1.5; y = 2.2; w = 2.4; h = 4.8
eval left(0.3, 1.35, "in: a tile of 64 x 64")
do for [b = 0:1] {
    eval cell(x + b * w, y, w, h, b ? PALE : SKY, sprintf("box %d", b))
    do for [c = TY + 8 * b : TY + 8 * b] {
        eval area(x + b * w + (c % 8) * w / 8, y + TX * h / 64, w / 8, 2 * h / 64, ORANGE)
    }
    eval note(x + (b + 0.5) * w, y + h + 0.3, sprintf("%d to %d", 32 * b, 32 * b + 31))
}
eval put(x - 0.12, y + (TX + 1) * h / 64, "right", DARK, sprintf("row %d", TX))
eval note(x + w, y + h + 0.75, "columns")
eval arrow(x + 2 * w + 0.25, y + 0.5 * h, x + 2 * w + 1.65, y + 0.5 * h, BLUE)
eval text(x + 2 * w + 0.95, y + 0.5 * h - 0.32, "TMA")

# Rows 8 to 15 of box 0 in shared memory.
cw = 0.78; ch = 0.6; x2 = 9.45
eval left(x2 - 1.2, 1.35, "box 0 in shared memory: its chunks")
do for [p = 0:7] { eval note(x2 + (p + 0.5) * cw, y - 0.28, sprintf("%d", p)) }
do for [row = 8:15] {
    eval put(x2 - 0.12, y + (row - 8 + 0.5) * ch, "right", DARK, sprintf("row %d", row))
    do for [p = 0:7] {
        chunk = p ^ (row % 8)
        eval cell(x2 + p * cw, y + (row - 8) * ch, cw, ch, chunk != TY ? WHITE : row == TX ? ORANGE : SKY, \
            sprintf("%d", chunk))
    }
}
eval left(x2 - 1.2, y + 8 * ch + 0.3, sprintf("8 lanes read chunk %d of 8 rows:", TY))
eval left(x2 - 1.2, y + 8 * ch + 0.75, "8 positions, so 32 banks")
load "page.gp"
