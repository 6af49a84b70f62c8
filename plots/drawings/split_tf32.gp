# A float as the sum of two TF32 numbers: stage 30 of week 3.
TITLE = "Three products of halves: the fourth is at most 2^-22"
H = 6.4
load "drawing.gp"

bits = 24; half = 11; b = 0.42; x = 3.4
eval right(x - 0.3, 1.75, "x: 24 bits")
do for [i = 0:bits - 1] { eval box(x + i * b, 1.5, b, 0.5, i < half ? SKY : i < 2 * half ? ORANGE : PALE) }
eval bracket(x + 0.05, x + half * b - 0.05, 2.2, 1, sprintf("hi: %d bits", half))
eval bracket(x + half * b + 0.05, x + 2 * half * b - 0.05, 2.2, 1, sprintf("lo: %d bits", half))
eval right(x - 0.3, 3.75, "a b =")
array first[4] = ["hi hi", "hi lo", "lo hi", "lo lo"]
do for [i = 1:4] {
    eval cell(x + (i - 1) * 2.6, 3.4, 2.1, 0.7, i == 1 ? SKY : i < 4 ? PALE_ORANGE : PALE, first[i])
    if (i < 4) { eval text(x + (i - 1) * 2.6 + 2.35, 3.75, "+") }
    eval note(x + (i - 1) * 2.6 + 1.05, 4.4, i == 1 ? "1" : i < 4 ? sprintf("to 2^-%d", \
        half) : sprintf("to 2^-%d", 2 * half))
}
eval note(x + 3 * 2.6 + 1.05, 4.85, "skipped").\
    note(8, 5.7, "A tensor core multiplies the halves exactly, and adds them in fp32.")
load "page.gp"
