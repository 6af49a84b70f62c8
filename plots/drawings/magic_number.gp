# The bits of a float between 2^23 and 2^24: stage 9 of week 4.
TITLE = "2^23 + n as a float: its last bits are the integer n"
H = 6.0
load "drawing.gp"

n = 300
b = 0.44; x = 1.0
bit(value, i) = int(value) / 2 ** (22 - i) % 2
do for [row = 0:1] {
    y = row ? 3.9 : 2.0
    value = row ? n : 0
    eval cell(x, y, b, 0.6, PALE, "0")
    do for [i = 0:7] { eval cell(x + (1 + i) * b, y, b, 0.6, PALE_ORANGE, sprintf("%d", \
        int(150) / 2 ** (7 - i) % 2)) }
    do for [i = 0:22] { eval cell(x + (9 + i) * b, y, b, 0.6, PALE_BLUE, sprintf("%d", int(bit(value, i)))) }
    eval left(x, y - 0.35, row ? sprintf("0x4B000000 + %d: the float 2^23 + %d", n, n) : "0x4B000000: the float 2^23")
}
eval bracket(x + b + 0.05, x + 9 * b - 0.05, 4.75, 1, "exponent: 127 + 23")
eval bracket(x + 9 * b + 0.05, x + 32 * b - 0.05, 4.75, 1, \
    sprintf("fraction: n = %d", n))
load "page.gp"
