# Week 3, stage 35: rows of 5 words are not aligned; with a pitch of 8 words they are.
TITLE = "With a pitch of 8 words, each row begins at a multiple of 16 bytes"
H = 6.0
load "drawing.gp"

w = 1.05; h = 0.75; x = 3.0
name(r) = substr("abc", r + 1, r + 1)
color(r) = r == 0 ? SKY : r == 1 ? ORANGE : PALE_BLUE
do for [line = 0:1] {
    y = line ? 4.1 : 1.9
    pitch = line ? 8 : 5
    eval put(x - 0.3, y + 0.5 * h, "right", DARK, line ? "pitch 8" : "N = 5")
    do for [i = 0:11] {
        row = i / pitch; col = i % pitch
        eval cell(x + i * w, y, w, h, col < 5 ? color(row) : WHITE, col < 5 ? sprintf("%s%d", name(row), col) : "0")
    }
    do for [k = 0:2] { eval bracket(x + 4 * k * w + 0.06, x + 4 * (k + 1) * w - 0.06, y + h + 0.12, 1, "16 bytes") }
}
load "page.gp"
