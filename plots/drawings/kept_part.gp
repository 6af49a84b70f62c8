# What L2 has after a call on an array that is larger: stages 12 and 15 of week 2.
TITLE = "Lines that pass through need not replace the ones that stay"
H = 6.8
load "drawing.gp"

x = 3.4; array_w = 12.0; l2 = 0.8 * array_w; kept = 0.75 * l2
do for [panel = 0:1] {
    top = 1.7 + 2.4 * panel
    eval left(0.4, top - 0.35, panel ? "stage 15" : "stage 12").left(0.4, top + 0.35, "array").\
        left(0.4, top + 1.35, "L2, after a call")
    if (panel) {
        eval cell(x, top, kept, 0.7, ORANGE, "default policy").\
            cell(x + kept, top, array_w - kept, 0.7, PALE_BLUE, "evict first")
        eval cell(x, top + 1.0, kept, 0.7, ORANGE, "the first lines, for the next call").\
            cell(x + kept, top + 1.0, l2 - kept, 0.7, PALE_BLUE, "the last lines")
    } else {
        eval cell(x, top, array_w, 0.7, SKY, "default policy")
        eval cell(x, top + 1.0, l2, 0.7, SKY, "the last lines; the next call starts with the first ones")
    }
}
eval note(0.5 * W, 6.3, "What the hint asks for. Whether L2 keeps it is open.")
load "page.gp"
