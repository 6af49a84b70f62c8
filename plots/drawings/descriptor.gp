# Stages 20 and 21 of week 3: tiles in shared memory, as TMA stores them with a swizzle of 128 bytes, and the distances
# that a descriptor of wgmma has.
# Chunk c (16 bytes) of row r is at position c ^ (r % 8). A: a row is 64 values of k. B: a row is 64 columns of one k;
# slabs follow each other.
TITLE = "A descriptor: where a tile starts, from 8 rows to the next 8, from slab to slab"
H = 8.9
load "drawing.gp"

ROW = 128; K = 64   # bytes per row; rows of B per slab
w = 0.5; h = 0.4; top = 2.35
stride = 8 * ROW; slab = K * ROW
array X[2] = [1.6, 9.0]
do for [panel = 0:1] {
    x = X[panel + 1]
    eval text(x + 4 * w, 1.35, panel ? "B: rows along N (MN-major)" : "A: rows along K (K-major)")
    do for [p = 0:7] { eval note(x + (p + 0.5) * w, top - 0.25, sprintf("%d", p)) }
    do for [r = 0:7] {
        eval put(x - 0.15, top + (r + 0.5) * h, "right", DARK, sprintf(panel ? "k %d" : "row %d", r))
        do for [c = 0:7] {
            fill = c / 2 == 0 ? ORANGE : c / 2 == 1 ? SKY : WHITE
            if (fill != WHITE && !panel) { eval area(x + (c ^ r) * w, top + r * h, w, h, fill) }
            eval text(x + ((c ^ r) + 0.5) * w, top + (r + 0.5) * h, sprintf("%d", c))
        }
    }
    if (panel) { eval area(x, top, 8 * w, 8 * h, ORANGE) }
    eval grid(x, top, 8, 8, w, h)
    below = top + 8 * h
    eval cell(x, below, 8 * w, 0.55, panel ? ORANGE : PALE, \
        panel ? sprintf("k 8 to 15: + %d B", stride) : "rows 8 to 15")
    eval cell(x, below + 0.55, 8 * w, 0.55, panel ? SKY : PALE, panel ? "k 16 to 31" : "rows 16 to 23")
    if (!panel) { eval upright(x + 8 * w + 0.2, top, below, 1, sprintf("stride: %d B", stride)) }
    eval text(x + 4 * w, below + 1.35, "...")
}
below = top + 8 * h + 1.6
eval cell(X[2], below, 8 * w, 0.55, PALE, "slab 1: columns 64 to 127")
eval upright(X[2] + 8 * w + 0.2, top, below, 1, sprintf("leading: %d B", slab))
eval note(X[1] + 4 * w, below + 0.95, sprintf("blue: k 16 to 31, start + %d B", 32))
eval note(X[2] + 4 * w, below + 0.95, sprintf("blue: k 16 to 31, start + %d B", 16 * ROW))
eval note(8.0, below + 1.45, "cell: the chunk of 16 bytes that is stored there, with a swizzle of 128 bytes")
load "page.gp"
