# The read side of stage 8 of week 1, for thread (9, 5): which half of which chunk it reads, where it stores the
# columns, and the banks of the 16 lanes of its wavefront.
TITLE = "Thread (9, 5) reads 4 rows of 2 floats, and stores 2 rows of 4"
H = 8.9
load "drawing.gp"

TX = 9; TY = 5
chunk(ty) = ty / 2
part(tx, ty) = (ty ^ (tx / 8)) % 2
position(tx, ty) = chunk(ty) ^ (tx % 8)

w = 0.9; h = 0.62
x = 1.7; y = 2.35
eval left(0.3, 1.35, "tile: the chunk at each position")
do for [p = 0:7] { eval note(x + (p + 0.5) * w, y - 0.28, sprintf("%d", p)) }
do for [i = 0:3] {
    row = 4 * TX + i
    eval put(x - 0.15, y + (i + 0.5) * h, "right", DARK, sprintf("row %d", row))
    do for [p = 0:7] {
        hit = p == position(TX, TY)
        if (hit) { eval area(x + (p + 0.5 * part(TX, TY)) * w, y + i * h, 0.5 * w, h, ORANGE) }
        eval cell(x + p * w, y + i * h, w, h, WHITE, hit ? "" : sprintf("%d", p ^ (row / 4 % 8)))
        if (hit) { eval put(x + (p + 0.75 - 0.5 * part(TX, TY)) * w, y + (i + 0.5) * h, "center", BLACK, \
            sprintf("%d", p ^ (row / 4 % 8))) }
    }
}
eval left(x, y + 4 * h + 0.35, sprintf("half %d of chunk %d: columns %d and %d", part(TX, TY), chunk(TY), \
    4 * chunk(TY) + 2 * part(TX, TY), 4 * chunk(TY) + 2 * part(TX, TY) + 1))

x2 = 11.2; w2 = 1.1
eval left(x2 - 1.3, 1.35, "out: two float4")
do for [c = 0:3] { eval note(x2 + (c + 0.5) * w2, y - 0.28, sprintf("%d", 4 * TX + c)) }
do for [r = 0:1] {
    eval put(x2 - 0.15, y + (r + 0.5) * h, "right", DARK, sprintf("row %d", 4 * chunk(TY) + 2 * part(TX, TY) + r))
    do for [c = 0:3] { eval cell(x2 + c * w2, y + r * h, w2, h, ORANGE, sprintf("%c%d", 97 + c, r)) }
}
eval left(x2 - 1.3, y + 2 * h + 0.4, "a0 a1: the floats of the first row")

b = 0.45; y3 = 7.1
eval left(0.3, y3 - 0.85, sprintf("its wavefront: threadIdx.x = 0 to 15, threadIdx.y = %d; the lane of each bank", TY))
do for [k = 0:28:4] { eval put(0.8 + k * b, y3 - 0.3, "left", DARK, sprintf("%d", k)) }
do for [tx = 0:15] {
    word = 4 * position(tx, TY) + 2 * part(tx, TY)
    eval cell(0.8 + word % 32 * b, y3, 2 * b, h, tx == TX ? ORANGE : tx < 8 ? PALE : SKY, sprintf("%d", tx))
}
eval left(0.8, y3 + h + 0.4, "lanes 0 to 7 read one half of each chunk, lanes 8 to 15 the other one: 32 banks")
load "page.gp"
