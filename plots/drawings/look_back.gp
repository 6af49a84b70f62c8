# Stages 7 to 9 of week 5: five blocks, time runs down. A: the sum of a tile, P: the sum of all tiles up to it.
TITLE = "A chain passes one sum after the other; look-back adds the sums that are there"
H = 7.6
load "drawing.gp"

w = 1.35; h = 0.56; step = 0.66
top = 2.35
color(s) = s eq "load" ? PALE : s[1:1] eq "P" ? ORANGE : s[1:1] eq "A" ? SKY : s eq "add" ? PALE_GREEN : WHITE
chained(b, k) = k < 3 ? "load" : k == 3 + b ? sprintf("P %d", b) : k < 3 + b ? "wait" : ""
look_back(b, k) = k < 3 ? "load" : b == 0 ? (k == 3 ? "P 0" : "") : k == 3 ? sprintf("A %d", b) : \
    k == 4 ? "add" : k == 5 ? sprintf("P %d", b) : ""
do for [panel = 0:1] {
    x = 0.4 + panel * 7.9
    eval left(x, 1.35, panel ? "stage 9: look-back" : "stages 7 and 8: a chain")
    do for [b = 0:4] {
        eval note(x + (b + 0.5) * w, top - 0.35, sprintf("block %d", b))
        do for [k = 1:7] {
            s = panel ? look_back(b, k) : chained(b, k)
            if (strlen(s)) { eval cell(x + b * w, top + (k - 1) * step, w - 0.1, h, color(s), s) }
        }
    }
}
eval left(0.4, top + 7 * step + 0.3, \
    "Time runs down. Block 4 adds P 0 + A 1 + A 2 + A 3, in one look by the lanes of a warp.")
load "page.gp"
