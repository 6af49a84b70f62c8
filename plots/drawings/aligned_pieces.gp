# Pieces of a row of `out` that blocks store: stages 6 and 11 of week 1.
TITLE = "A piece that starts at a sector shares no sector with another block"
H = 6.3
load "drawing.gp"

sectors = 5; s = 2.6; x = 1.5    # a sector of 8 floats is s wide
piece = 16                       # floats of a block's piece here, 64 in the stages
shift = 3                        # floats before the row's first one, in its sector
at(float) = x + float * s / 8.0
color_of(b) = b == 0 ? SKY : b == 1 ? PALE_ORANGE : PALE_GREEN
least(a, b) = a < b ? a : b
do for [panel = 0:1] {
    top = 2.0 + 1.9 * panel
    eval left(x, top - 0.35, panel ? "stage 11: each piece starts earlier, at a sector" : \
        "stage 6: the row starts 3 floats after a sector does, and so does each piece")
    do for [b = 0:panel + 1] {
        from = panel && b ? piece * b : shift + piece * b
        to = least(piece * (b + 1) + (panel ? 0 : shift), shift + 2 * piece)
        eval box(at(from), top, at(to) - at(from), 0.8, color_of(b))
        # in the middle of a sector that the block has to itself
        eval text(b < 2 ? at(12 + 16 * b) : 0.5 * (at(from) + at(to)), top + 0.4, b < 2 ? sprintf("block %d", b) : "2")
    }
    eval grid(x, top, sectors, 1, s, 0.8)
    if (!panel) {
        eval frame(at(piece), top, s, 0.8, VERMILION)
    }
}
eval note(0.5 * W, 5.3, "A box of the grid is a sector of 32 bytes. Red: a sector that two blocks store in part.")
eval note(0.5 * W, 5.75, "Here a piece has 16 floats, in the stages 64.")
load "page.gp"
