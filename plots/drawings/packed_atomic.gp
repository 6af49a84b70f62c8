# The word that adds the block sums and gives the tickets: stage 13 of week 2.
TITLE = "One atomic adds the sum and takes the ticket"
H = 6.4
load "drawing.gp"

blocks = 3; w = 4.6; gap = 0.5; x = 0.6
array order[3] = [1, 2, 0]
array part[3] = [12, 7, 9]
sum = 0
do for [i = 1:blocks] {
    b = order[i]
    at = x + (i - 1) * (w + gap)
    last = i == blocks
    eval cell(at, 1.4, w, 0.7, SKY, sprintf("block %d adds %d << 32 | 1", b, part[b + 1])).\
        arrow(at + 0.3 * w, 2.15, at + 0.3 * w, 3.0, DARK)
    eval text(at + 0.3 * w, 3.3, i == 1 ? "sum so far" : "").text(at + 0.8 * w, 3.3, i == 1 ? "tickets" : "")
    before = sum
    sum = sum + part[b + 1]
    eval cell(at, 3.6, 0.6 * w, 0.7, last ? GREEN : PALE_ORANGE, sprintf("%d", sum)).\
        cell(at + 0.6 * w, 3.6, 0.4 * w, 0.7, PALE, sprintf("%d", i))
    eval text(at + 0.5 * w, 4.65, sprintf("returns sum %d, ticket %d", before, i - 1))
    if (last) { eval text(at + 0.5 * w, 5.1, sprintf("the last: out = %d + %d", before, part[b + 1])) }
    if (!last) { eval arrow(at + w + 0.02, 3.95, at + w + gap - 0.02, 3.95, DARK) }
}
eval note(0.5 * W, 5.85, "One word, so no fence orders two. The last block has every sum from its own atomic.")
load "page.gp"
