# Products with shifted coefficients: stage 8 of week 4.
TITLE = "dp4a: four products per instruction, wherever the row starts"
H = 6.6
load "drawing.gp"

s = 1.15; h = 0.75; x = 3.8; size = 5
letters = "abcdefgh"
do for [i = 0:7] { eval cell(x + i * s, 1.7, s, h, SKY, letters[i + 1:i + 1]) }
eval bracket(x + 0.05, x + 4 * s - 0.05, 1.5, -1, "one word").\
    bracket(x + 4 * s + 0.05, x + 8 * s - 0.05, 1.5, -1, "the next word")
eval right(x - 0.3, 2.07, "pixels")
do for [p = 0:3] {
    y = 2.9 + p * (h + 0.05)
    eval right(x - 0.3, y + 0.5 * h, sprintf("sum at %s: coefficients", letters[p + 1:p + 1]))
    do for [i = 0:7] {
        k = i - p
        eval cell(x + i * s, y, s, h, k >= 0 && k < size ? ORANGE : WHITE, k >= 0 && k < size ? sprintf("c%d", \
            k) : "0")
    }
}
eval left(x + 8 * s + 0.2, 4.0, "2 dp4a").left(x + 8 * s + 0.2, 4.45, "per row")
load "page.gp"
