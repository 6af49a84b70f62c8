# A reduction tree of 16 values in shared memory, those of the slides. The drawing that loads it sets, besides TITLE:
#   stride(step)        the distance of the two words that are added, s
#   word_of(t, s)       the word that thread t adds to (word s further is added), -1 if it is idle
#   remark(step, n, s)  two lines on n active threads at distance s, separated by "|"
H = 8.8
load "drawing.gp"

n = 16
x = 1.5; w = 0.7; h = 0.5      # of the words
pitch = 1.62                   # of the steps
array v[16] = [10, 1, 8, -1, 0, -2, 3, 5, -2, -3, 2, 7, 0, 11, 0, 2]
array added[16]

do for [i = 1:n] { added[i] = 0 }
do for [step = 0:4] {
    y = 1.35 + step * pitch
    if (step > 0) {
        s = stride(step)
        active = 0
        do for [i = 1:n] { added[i] = 0 }
        # thread t has its word and another one: no other thread adds to either in this step
        do for [t = 0:n - 1] {
            i = word_of(t, s)
            if (i >= 0) {
                active = active + 1
                v[i + 1] = v[i + 1] + v[i + s + 1]
                added[i + 1] = 1
                at = x + (i + 0.5) * w
                eval behind(at, y - pitch + h, at, y - 0.5, GRAY).behind(at + s * w, y - pitch + h, at, y - 0.6, GRAY)
                eval arrow(at, y - 0.4, at, y - 0.03, DARK)
                eval disc(at, y - 0.56, 0.24, ORANGE, sprintf("%d", t))
            }
        }
        eval left(0.3, y - 0.56, sprintf("s = %d", s))
        both = remark(step, active, s)
        cut = strstrt(both, "|")
        eval left(x + n * w + 0.3, y - (cut > 0 ? 0.76 : 0.56), cut > 0 ? both[1:cut - 1] : both)
        if (cut > 0) { eval left(x + n * w + 0.3, y - 0.36, both[cut + 1:*]) }
    }
    do for [i = 0:n - 1] {
        eval cell(x + i * w, y, w, h, step == 0 || added[i + 1] ? SKY : PALE, sprintf("%d", v[i + 1]))
    }
}
eval put(x + n * w + 0.3, 1.35 + 0.5 * h, "left", DARK, "shared memory")
eval curtain(0, 1.37 + (STEP - 1) * pitch + h, H)
load "page.gp"
