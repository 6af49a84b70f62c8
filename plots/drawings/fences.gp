# The two fences of stage 12 of week 2: the order in which memory serves the accesses of two blocks, with both fences
# and without one of them.
TITLE = "Both fences keep the read of a sum behind its store"
H = 8.4
load "drawing.gp"

w = 2.05; h = 0.62; step = 0.72
top = 2.45
# six lines of three panels: the access of block 0 and of block 1; "-" is none
zero = "store fence ticket0 - - -    - store fence ticket0 - -    ticket0 - - - store -"
one = "- - - ticket1 fence read      read - - - ticket1 -         - ticket1 fence read - -"
label(s) = s eq "store" || s eq "read" ? s." s0" : s[1:6] eq "ticket" ? "ticket ".s[7:7] : s
color(s) = s eq "store" ? SKY : s eq "read" ? ORANGE : s eq "fence" ? DARK : PALE
access(x, y, s) = s eq "-" ? "" : cell(x, y, w, h, color(s), label(s))
do for [i = 1:3] {
    x = 0.35 + (i - 1) * 5.35
    eval left(x, 1.35, i == 1 ? "both fences" : i == 2 ? "no second fence" : "no first fence")
    eval note(x + 0.5 * w, top - 0.35, "block 0").note(x + 1.5 * w + 0.3, top - 0.35, "block 1")
    do for [k = 1:6] {
        eval access(x, top + (k - 1) * step, word(zero, 6 * (i - 1) + k))
        eval access(x + w + 0.3, top + (k - 1) * step, word(one, 6 * (i - 1) + k))
        if (word(zero, 6 * (i - 1) + k) eq "store") { stored = k }
        if (word(one, 6 * (i - 1) + k) eq "read") { read = k }
    }
    eval left(x, top + 6 * step + 0.35, read > stored ? "block 1 reads s0" : "block 1 reads an old word")
}
eval left(0.35, top + 7 * step + 0.55, \
    "Time runs down: the order in which memory serves accesses. Block 1 takes the last ticket.")
load "page.gp"
