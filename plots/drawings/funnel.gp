# Rows of seven elements: stage 33 of week 3 loads aligned pieces and shifts them.
TITLE = "Two aligned loads and a shift give any eight neighbors"
H = 5.9
load "drawing.gp"

row = 7; piece = 8; w = 0.82; h = 0.72; x = 1.4
array fill[3] = [PALE_BLUE, PALE_ORANGE, PALE_GREEN]
do for [i = 0:2 * piece - 1] { eval cell(x + i * w, 1.9, w, h, fill[i / row + 1], sprintf("%c", 97 + i)) }
eval bracket(x + 0.05, x + piece * w - 0.05, 1.65, -1, "16 bytes, aligned").\
    bracket(x + piece * w + 0.05, x + 2 * piece * w - 0.05, 1.65, -1, "16 bytes, aligned")
do for [i = 0:piece - 1] {
    eval cell(x + (i + row) * w, 4.1, w, h, fill[(i + row) / row + 1], sprintf("%c", 97 + i + row))
    eval arrow(x + (i + row + 0.5) * w, 2.7, x + (i + row + 0.5) * w, 4.0, GRAY)
}
eval right(x + row * w - 0.3, 4.46, "row 1 starts at h:")
eval note(8, 5.4, "Colors: rows of 7 elements of 2 bytes. Element h is at byte 14: not a multiple of 16.")
load "page.gp"
