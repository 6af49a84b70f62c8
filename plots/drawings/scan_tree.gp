# Stage 2 of week 5: the two sweeps over a tree of 16 words, with the values of the trees of week 2.
TITLE = "Blelloch: sums on the way up, the sums before on the way down"
H = 8.9
load "drawing.gp"

n = 16
x = 1.9; w = 0.7; h = 0.44
pitch = 0.86
array v[16] = [10, 1, 8, -1, 0, -2, 3, 5, -2, -3, 2, 7, 0, 11, 0, 2]
array changed[16]

do for [row = 0:8] {
    y = 1.1 + row * pitch
    up = row >= 1 && row <= 4
    s = row == 0 ? 0 : up ? 2 ** (row - 1) : 2 ** (8 - row)
    if (row == 5) { v[n] = 0 }   # the root has nothing before it
    do for [i = 1:n] { changed[i] = row == 0 }
    if (row > 0) {
        do for [i = 2 * s:n:2 * s] {
            left_x = x + (i - s - 0.5) * w; right_x = x + (i - 0.5) * w
            top = y - pitch + h
            eval behind(left_x, top, right_x, y, GRAY).behind(right_x, top, right_x, y, GRAY)
            if (up) {
                v[i] = v[i] + v[i - s]
            } else {
                eval behind(right_x, top, left_x, y, GRAY)
                child = v[i - s]; v[i - s] = v[i]; v[i] = v[i] + child
                changed[i - s] = 1
            }
            changed[i] = 1
        }
        eval right(x - 0.2, y + 0.5 * h, sprintf("s = %d", s))
    }
    eval box(x, y, n * w, h, PALE)
    do for [i = 1:n] {
        at = x + (i - 1) * w
        value = sprintf("%d", v[i])
        eval changed[i] ? cell(at, y, w, h, up || row == 0 ? SKY : ORANGE, value) : \
            text(at + 0.5 * w, y + 0.5 * h, value)
    }
}
right_side = x + n * w + 0.25
eval put(right_side, 1.1 + 0.5 * h, "left", DARK, "elements")
eval left(right_side, 1.1 + 2.5 * pitch + 0.5 * h, "up: sums")
eval left(right_side, 1.1 + 4.5 * pitch + 0.5 * h, "root = 0")
eval left(right_side, 1.1 + 6.5 * pitch + 0.5 * h, "down: sums")
eval left(right_side, 1.1 + 7 * pitch + 0.5 * h, "before")
load "page.gp"
