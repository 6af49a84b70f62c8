# How often memory is read and written: stages 5, 6 and 7 of week 5.
TITLE = "Fewer passes over memory: 4 n, 3 n, 2 n words"
H = 6.8
load "drawing.gp"

array name[3] = ["scan, then propagate", "reduce, then scan", "one pass"]
array pass[6] = ["scan tiles", "add the sums before", "only sum", "scan tiles", "scan, wait for the sum before", ""]
array words[6] = [2, 2, 1, 2, 2, 0]
do for [r = 1:3] {
    y = 1.5 + (r - 1) * 1.75
    total = words[2 * r - 1] + words[2 * r]
    eval left(0.3, y + 0.4, name[r])
    do for [k = 0:1] {
        n = 2 * (r - 1) + k + 1
        if (words[n] > 0) {
            x = 5.0 + 4.7 * k
            eval cell(x, y, words[n + 0] && r == 3 ? 5.6 : 4.1, 0.7, r == 3 ? GREEN : PALE_BLUE, pass[n])
            eval arrow(x + 0.6, y + 1.15, x + 0.6, y + 0.75, BLUE).left(x + 0.75, y + 1.0, "read n")
            if (words[n] > 1) { eval arrow(x + 2.5, y + 0.75, x + 2.5, y + 1.15, VERMILION).\
                left(x + 2.65, y + 1.0, "write n") }
        }
    }
    eval left(14.4, y + 0.4, sprintf("%d n", total))
}
load "page.gp"
