# 32 lanes of a warp access a row, or a column, of a matrix of floats. A sector has 32 bytes.
TITLE = "A warp touches 4 sectors along a row, 32 along a column"
H = 9.0
load "drawing.gp"

pitch = 4096     # columns of the matrix, of which 32 x 32 elements are shown
s = 0.2          # side of an element
top = 1.8
chosen = 9       # the row and the column
sector(row, col) = 4 * (row * pitch + col) / 32

do for [panel = 0:1] {
    x = panel ? 8.9 : 0.9
    last = -1
    count = 0
    eval area(x, top, 32 * s, 32 * s, PALE)
    do for [lane = 0:31] {
        row = panel ? lane : chosen
        col = panel ? chosen : lane
        if (sector(row, col) != last) {
            last = sector(row, col)
            count = count + 1
            eval area(x + col / 8 * 8 * s, top + row * s, 8 * s, s, ORANGE)
        }
    }
    eval grid(x, top, 4, 32, 8 * s, s)
    eval panel ? area(x + chosen * s, top, s, 32 * s, BLUE) : area(x, top + chosen * s + 0.05, 32 * s, s - 0.1, BLUE)
    eval text(x + 16 * s, top + 32 * s + 0.35, \
        sprintf("%s: %d sectors, 128 of %d bytes used", panel ? "column" : "row", count, 32 * count))
}
eval box(0.9, 1.15, 0.3, 0.3, BLUE).left(1.35, 1.3, "element that a lane accesses")
eval box(8.9, 1.15, 0.3, 0.3, ORANGE).left(9.35, 1.3, "sector: 8 floats, 32 bytes")
load "page.gp"
