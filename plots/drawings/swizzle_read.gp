# The read side of stage 8 of week 1, for thread (9, 5): which chunks it reads, where it stores the columns, and the
# banks of the 8 lanes of its wavefront.
TITLE = "Thread (9, 5) reads 4 rows of 4 floats, and stores 4 rows of 4"
H = 9.0
load "drawing.gp"

TX = 9; TY = 5
position(tx, ty) = ty ^ (tx % 8)

w = 0.9; h = 0.62
x = 1.7; y = 2.35
eval left(0.3, 1.35, "tile: the chunk at each position")
do for [p = 0:7] { eval note(x + (p + 0.5) * w, y - 0.28, sprintf("%d", p)) }
do for [i = 0:3] {
    row = 4 * TX + i
    eval put(x - 0.15, y + (i + 0.5) * h, "right", DARK, sprintf("row %d", row))
    do for [p = 0:7] {
        hit = p == position(TX, TY)
        eval cell(x + p * w, y + i * h, w, h, hit ? ORANGE : WHITE, sprintf("%d", p ^ (row / 4 % 8)))
    }
}
eval left(x, y + 4 * h + 0.35, sprintf("chunk %d: columns %d to %d", TY, 4 * TY, 4 * TY + 3))

x2 = 11.2; w2 = 1.1
eval left(x2 - 1.3, 1.35, "out: four float4")
do for [c = 0:3] { eval note(x2 + (c + 0.5) * w2, y - 0.28, sprintf("%d", 4 * TX + c)) }
do for [r = 0:3] {
    eval put(x2 - 0.15, y + (r + 0.5) * h, "right", DARK, sprintf("row %d", 4 * TY + r))
    do for [c = 0:3] { eval cell(x2 + c * w2, y + r * h, w2, h, ORANGE, sprintf("%c%d", 97 + c, r)) }
}
eval left(x2 - 1.3, y + 4 * h + 0.35, "a0 to a3: the floats of row 36")

b = 0.45; y3 = 7.2
eval left(0.3, y3 - 0.85, sprintf("its wavefront: threadIdx.x = 8 to 15, threadIdx.y = %d; the lane of each bank", \
    TY))
do for [k = 0:28:4] { eval put(0.8 + k * b, y3 - 0.3, "left", DARK, sprintf("%d", k)) }
do for [tx = 8:15] {
    eval cell(0.8 + 4 * position(tx, TY) * b, y3, 4 * b, h, tx == TX ? ORANGE : PALE, sprintf("%d", tx))
}
eval left(0.8, y3 + h + 0.4, "one chunk of 8 rows that are 4 apart: 8 positions, so 32 banks")
load "page.gp"
