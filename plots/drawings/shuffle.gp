# __shfl_down_sync over 8 lanes of a warp, with the first 8 values of the slides' tree.
TITLE = "Warp shuffle: lanes exchange registers, without shared memory"
H = 7.2
load "drawing.gp"

n = 8
x = 7.5; w = 1.03; h = 0.55
pitch = 1.55
y = 1.75
array v[8] = [10, 1, 8, -1, 0, -2, 3, 5]
eval put(x - 0.15, y - 0.3, "right", DARK, "lane")
do for [i = 0:n - 1] {
    eval note(x + (i + 0.5) * w, y - 0.3, sprintf("%d", i)).cell(x + i * w, y, w, h, SKY, sprintf("%d", v[i + 1]))
}
eval left(0.4, y + 0.5 * h, "sum: a register of each lane")
do for [step = 1:3] {
    s = n / 2 ** step
    eval left(0.4, y + 0.5 * (h + pitch), sprintf("sum += __shfl_down_sync(mask, sum, %d)", s))
    do for [i = 0:s - 1] {
        v[i + 1] = v[i + 1] + v[i + s + 1]
        eval arrow(x + (i + s + 0.5) * w, y + h, x + (i + 0.6) * w, y + pitch - 0.03, VERMILION)
        eval arrow(x + (i + 0.35) * w, y + h, x + (i + 0.35) * w, y + pitch - 0.03, DARK)
    }
    y = y + pitch
    do for [i = 0:s - 1] { eval cell(x + i * w, y, w, h, SKY, sprintf("%d", v[i + 1])) }
    eval cell(x + s * w, y, (n - s) * w, h, PALE, "not used")
}
eval left(0.4, y + 0.5 * h, "lane 0 has the sum")
load "page.gp"
