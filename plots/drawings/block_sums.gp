# How the sums of blocks become one: stage 9 of week 2.
TITLE = "Atomics: each block adds its sum to one word, in any order"
H = 6.0
load "drawing.gp"

blocks = 5; w = 2.4; x = 0.6
array order[5] = [2, 0, 4, 1, 3]
array part[5] = [12, 7, 9, 15, 4]
word = 0
do for [i = 1:blocks] {
    at = x + (i - 1) * (w + 0.5)
    eval cell(at, 1.7, w, 0.7, SKY, sprintf("block %d: %d", order[i], part[order[i] + 1])).\
        arrow(at + 0.5 * w, 2.45, at + 0.5 * w, 3.25, DARK)
    word = word + part[order[i] + 1]
    eval cell(at, 3.3, w, 0.7, i == blocks ? GREEN : PALE_ORANGE, sprintf("%d", word))
    if (i < blocks) { eval arrow(at + w + 0.02, 3.65, at + w + 0.48, 3.65, DARK) }
}
eval left(x, 4.45, "the word in L2, over time")
eval note(8, 5.4, "Floats round after each addition: another order of blocks, another last bit.")
load "page.gp"
