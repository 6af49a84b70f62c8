# A small DRAM bank of 8 words of 2 bits: what opens a row, what keeps it, and what a burst takes from it.
TITLE = "A DRAM bank reads a row; a burst uses all of it"
H = 7.6
load "drawing.gp"

rows = 4; words = 2; bits = 2   # words of a row, bits of a word
opened = 1
x = 5.2; top = 1.9; w = 0.95; h = 0.62

eval cell(x - 3.4, top, 2.4, rows * h, PALE_BLUE, "row decoder")
eval note(x - 4.5, top + 0.5 * rows * h, "row")
eval arrow(x - 4.2, top + 0.5 * rows * h, x - 3.46, top + 0.5 * rows * h, GRAY)
eval note(x + words * bits * 0.5 * w, top - 0.28, "core array: a capacitor per bit")
do for [r = 0:rows - 1] {
    do for [c = 0:words * bits - 1] {
        fill = r == opened ? (c < bits ? ORANGE : PALE_ORANGE) : WHITE
        eval cell(x + c * w, top + r * h, w, h, fill, sprintf("%d.%d", r * words + c / bits, c % bits))
    }
    eval arrow(x - 1, top + (r + 0.5) * h, x - 0.08, top + (r + 0.5) * h, r == opened ? VERMILION : GRAY)
}
y = top + rows * h + 0.55
do for [c = 0:words * bits - 1] {
    eval arrow(x + (c + 0.5) * w, y - 0.5, x + (c + 0.5) * w, y - 0.06, GRAY)
    eval cell(x + c * w, y, w, h, c < bits ? ORANGE : PALE_ORANGE, "")
}
eval put(x - 0.2, y + 0.5 * h, "right", BLACK, "sense amplifiers")
m = y + h + 0.55
eval arrow(x + words * bits * 0.5 * w, m - 0.5, x + words * bits * 0.5 * w, m - 0.06, GRAY)
eval cell(x, m, words * bits * w, h, PALE_BLUE, "column multiplexer")
eval put(x - 0.85, m + 0.5 * h, "right", DARK, "column")
eval arrow(x - 0.75, m + 0.5 * h, x - 0.06, m + 0.5 * h, GRAY)
eval arrow(x + words * bits * 0.5 * w, m + h + 0.04, x + words * bits * 0.5 * w, m + h + 0.55, VERMILION)

s = x + words * bits * w + 0.7
eval left(s, top + 0.5 * h, "word 2 is asked for: row 1, column 0")
eval left(s, top + 2.0 * h, "1. The decoder opens row 1.")
eval left(s, top + 3.0 * h, "    Slow: small charges.")
eval left(s, y + 0.5 * h, sprintf("2. Its %d bits are detected and kept.", words * bits))
eval left(s, m + 0.5 * h, "3. Word 2 leaves by two pins, and then,")
eval left(s, m + 1.4 * h, "    as the rest of the burst, word 3.")
load "page.gp"
