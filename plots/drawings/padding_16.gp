# The banks of a tile of 16 rows of 17 words, and the words of a warp's 32 lanes, which are two rows of a block.
TITLE = "Lanes 0 and 31 share bank 0, in the store and in the load"
H = 7.7
load "drawing.gp"

w = 0.72; h = 0.52
top = 2.1
shown = "0 1 2 14 15"     # rows and columns; three dots stand for the others
bank(row, col) = (row * 17 + col) % 32
at(k) = int(word(shown, k))
do for [panel = 0:1] {
    x = panel ? 9.6 : 1.8
    eval left(x - 1.2, 1.35, panel ? "load: tile[lane % 16][lane / 16]" : "store: tile[lane / 16][lane % 16]")
    eval note(x + 3.5 * w, top - 0.28, "...").note(x + 0.5 * w, top + 3.45 * h, "...")
    do for [j = 1:6] {
        c = j <= 3 ? j - 1 : j
        col = j == 6 ? 16 : at(j)
        eval note(x + (c + 0.5) * w, top - 0.28, j == 6 ? "pad" : sprintf("%d", col))
        do for [k = 1:5] {
            r = k <= 3 ? k - 1 : k
            row = at(k)
            used = j < 6 && (panel ? col < 2 : row < 2)
            both = used && bank(row, col) == 0
            eval cell(x + c * w, top + r * h, w, h, both ? ORANGE : used ? PALE_BLUE : j == 6 ? PALE : WHITE, \
                sprintf("%d", bank(row, col)))
            if (j == 1) { eval put(x - 0.15, top + (r + 0.5) * h, "right", DARK, sprintf("row %d", row)) }
        }
    }
    eval left(x - 1.2, 5.9, panel ? "lane 0: row 0, col 0" : "lane 0: row 0, col 0")
    eval left(x - 1.2, 6.4, panel ? "lane 31: row 15, col 1" : "lane 31: row 1, col 15")
}
eval left(0.6, 7.15, "numbers: banks, (17 row + col) % 32; blue: the words of the warp")
load "page.gp"
