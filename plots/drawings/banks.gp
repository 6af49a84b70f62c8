# Shared memory has 32 banks of 4-byte words. The banks of a tile's words, for rows of 32 and of 33 words.
TITLE = "One word of padding puts a column into 32 different banks"
H = 7.7
load "drawing.gp"

w = 0.72; h = 0.52
top = 2.1
shown = "0 1 2 3 30 31"    # rows; three dots stand for the others
bank(row, col, width) = (row * width + col) % 32
place(i) = i < 4 ? i : i == 32 ? 6 : 5      # of row or column i among those shown
at(k) = int(word(shown, k))

do for [panel = 0:1] {
    width = 32 + panel
    x = panel ? 9.3 : 1.5
    eval left(x, 1.35, sprintf("tile[32][%d]: bank of each word", width))
    eval note(x + 4.5 * w, top - 0.28, "...")
    eval note(x + 0.5 * w, top + 4.45 * h, "...")
    do for [j = 0:width - 1] {
        if (j < 4 || j > 30) {
            c = j < 4 ? j : j - 26
            eval note(x + (c + 0.5) * w, top - 0.28, j == 32 ? "pad" : sprintf("%d", j))
            do for [k = 1:words(shown)] {
                r = k <= 4 ? k - 1 : k
                fill = j == 0 ? (panel ? SKY : ORANGE) : j == 32 ? PALE : WHITE
                eval cell(x + c * w, top + r * h, w, h, fill, sprintf("%d", bank(at(k), j, width)))
                if (j == 0) { eval put(x - 0.15, top + (r + 0.5) * h, "right", DARK, sprintf("row %d", at(k))) }
            }
        }
    }
    # How many words of column 0 are in each bank.
    array words_in[32]
    do for [i = 1:32] { words_in[i] = 0 }
    do for [row = 0:31] { words_in[bank(row, 0, width) + 1] = words_in[bank(row, 0, width) + 1] + 1 }
    used = 0; most = 0
    do for [i = 1:32] {
        used = used + (words_in[i] > 0)
        most = words_in[i] > most ? words_in[i] : most
        eval box(x - 1 + (i - 1) * 0.15, 6.25, 0.15, 0.34, words_in[i] == 0 ? WHITE : panel ? SKY : ORANGE)
    }
    eval put(x + 3.95, 6.42, "left", DARK, "banks 0 to 31")
    eval left(x - 1, 7.05, \
        sprintf("column 0: %d bank%s, %d wavefront%s", used, used > 1 ? "s" : "", most, most > 1 ? "s" : ""))
}
load "page.gp"
