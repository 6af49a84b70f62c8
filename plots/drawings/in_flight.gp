# A warp with one load at a time, and with four: stage 4 of week 1.
TITLE = "Four loads in flight take as long as one"
H = 6.6
load "drawing.gp"

latency = 2.6; use = 0.6; issue = 0.25
loads = 4; h = 0.42
x = 0.5
to(t) = x + t
eval left(x, 1.35, "one load, then its use")
do for [i = 0:loads - 1] {
    t = i * (latency + use)
    eval cell(to(t), 1.7, latency, h + 0.1, SKY, sprintf("load %d", i)).\
        cell(to(t + latency), 1.7, use, h + 0.1, ORANGE, sprintf("%d", i))
}
eval left(x, 3.05, "four loads, then four uses")
do for [i = 0:loads - 1] {
    eval cell(to(i * issue), 3.4 + i * h, latency, h, SKY, sprintf("load %d", i))
    eval cell(to(loads * issue + latency + i * use), 3.4 + i * h, use, h, ORANGE, sprintf("%d", i))
}
end = to(loads * issue + latency + loads * use)
eval dashed(end, 3.2, end, 5.4).left(end + 0.2, 4.2, "the warp has stored its elements")
eval arrow(x, 5.6, 14.5, 5.6, DARK).note(7.5, 5.95, "time")
load "page.gp"
