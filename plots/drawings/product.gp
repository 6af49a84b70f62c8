# Shared by the drawings of thread tiles: what a thread reads per k, and what it computes.
s = 0.5
# A tile of rows x cols sums at (x, y), the words of A at its left and those of B above.
tile_of(x, y, rows, cols) = a_of(x, y, rows - 1).b_of(x, y, cols - 1).sums_of(x, y, rows, cols, rows * cols - 1)
a_of(x, y, i) = i < 0 ? "" : cell(x - s - 0.2, y + i * s, s, s, SKY, sprintf("a%d", i)).a_of(x, y, i - 1)
b_of(x, y, i) = i < 0 ? "" : cell(x + i * s, y - s - 0.2, s, s, GREEN, sprintf("b%d", i)).b_of(x, y, i - 1)
sums_of(x, y, rows, cols, i) = i < 0 ? "" : box(x + i % cols * s, y + i / cols * s, s, s, PALE_ORANGE).\
    sums_of(x, y, rows, cols, i - 1)
# What it reads per multiply-add, below it.
reads(x, y, rows, cols) = text(x, y, sprintf("%d + %d words, %d multiply-add%s", rows, cols, rows * cols, \
    rows * cols > 1 ? "s" : "")).\
    note(x, y + 0.42, sprintf("%.2f words per multiply-add", 1.0 * (rows + cols) / (rows * cols)))
