# The banks of one word per lane, for lanes that are four words apart and for neighboring words: stages 4 and 5 of
# week 4.
TITLE = "Words four apart are in eight banks, neighboring words in 32"
H = 6.6
load "drawing.gp"

w = 0.45; h = 0.5; x = 0.8
do for [panel = 0:1] {
    y = panel ? 4.6 : 1.9
    step = panel ? 1 : 4
    rows = 32 * step / 32
    eval left(x, y - 0.4, panel ? "lane l reads word l: 1 wavefront" : \
        sprintf("lane l reads word 4 l: %d wavefronts", rows))
    do for [lane = 0:31] {
        bank = lane * step % 32
        tall = panel ? h : 0.42
        eval cell(x + bank * w, y + lane * step / 32 * tall, w, tall, panel ? SKY : ORANGE, sprintf("%d", lane))
    }
    eval grid(x, y, 32, 1, w, panel ? h : 1.68)
}
eval note(8, 5.5, "a column is a bank, a number a lane")
load "page.gp"
