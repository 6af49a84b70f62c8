# Stage 21 of week 4: the convolution as a product with a banded (Toeplitz) matrix, by rows of pixels and by columns of
# a word.
TITLE = "A banded matrix makes the convolution a matrix product"
H = 8.6
load "drawing.gp"

top = 2.35
# Rows: output row r needs input rows r to r + 4; the block of both is the band of filter row i - r.
w = 1.0; h = 0.6
x = 1.9
eval text(x + 2 * w, 1.35, "8 rows of pixels, 4 rows of output")
do for [r = 0:3] { eval note(x + (r + 0.5) * w, top - 0.28, sprintf("out %d", r)) }
do for [i = 0:7] {
    eval put(x - 0.15, top + (i + 0.5) * h, "right", DARK, sprintf("row %d", i))
    do for [r = 0:3] {
        in_band = i - r >= 0 && i - r < 5
        eval cell(x + r * w, top + i * h, w, h, in_band ? ORANGE : WHITE, in_band ? sprintf("T%d", i - r) : "0")
    }
}
# Columns: output column p of a word needs columns p - 2 to p + 2; the word has columns 0 to 3, those before and after
# it 4 each.
y = top; s = 0.47; w = 1.0
x = 11.3
eval text(x + 2 * w - 0.4, 1.35, "T: 12 columns of pixels, 4 of output")
do for [p = 0:3] { eval note(x + (p + 0.5) * w, top - 0.28, sprintf("out %d", p)) }
do for [j = 0:11] {
    do for [p = 0:3] {
        k = j - 4 - p + 2       # which of the 5 coefficients
        eval cell(x + p * w, y + j * s, w, s, k >= 0 && k < 5 ? SKY : WHITE, k >= 0 && k < 5 ? sprintf("c%d", \
            k) : "0")
    }
}
part = "before word after"
do for [i = 0:2] {
    eval right(x - 0.3, y + (4 * i + 2) * s, word(part, i + 1))
    eval line(x - 0.15, y + 4 * i * s + 0.06, x - 0.15, y + 4 * (i + 1) * s - 0.06, DARK)
}
# the four matrices of mma.m16n8k32: two columns of output, one word of each row of pixels
do for [n = 0:1] { do for [k = 0:1] { eval frame(x + 2 * n * w, y + 4 * (n + k) * s, 2 * w, 4 * s, VERMILION) } }
eval note(x + 2 * w - 0.8, 8.3, "frame: one mma; all else is zero")
eval note(3.9, 7.6, "Tk: the matrix T of filter row k")
load "page.gp"
