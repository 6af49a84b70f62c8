# Words of four pixels of a column: stage 11 of week 4.
TITLE = "One byte permute per row pushes a pixel into its column's word"
H = 6.4
load "drawing.gp"

s = 1.0; h = 0.75; x = 5.6
letters = "abcdefg"
do for [i = 0:6] { eval cell(x + i * s, 1.75, s, h, i > 3 ? PALE_BLUE : SKY, letters[i + 1:i + 1]) }
eval right(x - 0.3, 2.1, "a column of the image").note(x + 8.1 * s, 2.1, "...")
do for [r = 0:3] {
    y = 2.95 + r * (h + 0.08)
    eval right(x - 0.3, y + 0.5 * h, sprintf("its word at row %d", r + 2))
    do for [i = 0:3] { eval cell(x + (r + i) * s, y, s, h, i == 3 && r > 0 ? ORANGE : PALE, \
        letters[r + i + 1:r + i + 1]) }
}
eval left(x + 7.3 * s, 4.2, "orange: new")
load "page.gp"
