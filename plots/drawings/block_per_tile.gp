# Two SMs of different speed, with equal parts or with a block per tile: stages 13 and 14 of week 2.
TITLE = "Equal parts: a fast SM waits. A block per tile: it takes more tiles"
H = 7.2
load "drawing.gp"

x = 2.2; h = 0.62; start = 0.22      # of a block
array time[2] = [1.75, 2.85]         # of a tile, on SM 0 and on SM 1
array looped[2] = ["0 2 4 6", "1 3 5 7"]
array single[2] = ["0 2 4 5 7", "1 3 6"]
do for [panel = 0:1] {
    top = 1.9 + 2.3 * panel
    eval left(0.4, top - 0.4, panel ? "stage 14: a block per tile" : "stage 13: one block per place, with a loop")
    do for [sm = 1:2] {
        y = top + (sm - 1) * 0.8
        eval left(0.4, y + 0.5 * h, sprintf("SM %d", sm - 1))
        at = x
        list = panel ? single[sm] : looped[sm]
        do for [i = 1:words(list)] {
            if (panel || i == 1) { eval box(at, y, start, h, DARK); at = at + start }
            eval cell(at, y, time[sm], h, sm == 1 ? SKY : PALE_ORANGE, "tile ".word(list, i))
            at = at + time[sm]
        }
        if (!panel && sm == 1) { eval cell(at, y, 4 * (time[2] - time[1]), h, WHITE, "idle") }
    }
}
eval arrow(x, 5.95, 15.0, 5.95, DARK).note(0.5 * (x + 15.0), 6.3, "time")
eval note(0.5 * W, 6.75, "Dark: the start of a block. An example, in which SM 1 takes longer for a tile.")
load "page.gp"
