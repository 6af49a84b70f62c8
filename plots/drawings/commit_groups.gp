# Groups of asynchronous copies of a thread: stage 8 of week 3.
TITLE = "Wait prior 2: until all but the last two groups are complete"
H = 6.4
load "drawing.gp"

w = 2.0; h = 0.6; x = 2.0; latency = 2.0; n = 2
to(t) = x + t * w
eval left(0.4, 1.95, "thread")
do for [g = 0:4] {
    eval cell(to(g), 1.65, 0.38 * w, h, PALE_ORANGE, "copy").cell(to(g + 0.38), 1.65, 0.62 * w, h, ORANGE, "commit")
    y = 2.75 + 0.68 * (g % 3)
    eval cell(to(g + 1), y, (g + 1 + latency > 6.9 ? 6.9 - g - 1 : latency) * w, h, SKY, "").\
        left(to(g + 1) + 0.15, y + 0.5 * h, sprintf("group %d", g))
}
eval dashed(to(5) + 0.05, 2.3, to(5) + 0.05, 5.0)
eval left(to(0), 5.2, "blue: in flight. Wait prior 2, after five commits: groups 0 to 2 are complete,").\
    left(to(0), 5.65, "groups 3 and 4 may be in flight")
load "page.gp"
