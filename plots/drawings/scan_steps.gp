# Stage 1 of week 5: the steps of Hillis and Steele on 16 words, with the values of the trees of week 2.
TITLE = "Hillis and Steele: in step s, each word adds the word s before it"
H = 8.2
load "drawing.gp"

n = 16
x = 1.5; w = 0.7; h = 0.5
pitch = 1.55
array v[16] = [10, 1, 8, -1, 0, -2, 3, 5, -2, -3, 2, 7, 0, 11, 0, 2]
array old[16]

do for [step = 0:4] {
    y = 1.35 + step * pitch
    s = step > 0 ? 2 ** (step - 1) : 0
    do for [i = 1:n] { old[i] = v[i] }
    if (step > 0) {
        do for [i = s + 1:n] {
            v[i] = old[i] + old[i - s]
            at = x + (i - 0.5) * w
            eval behind(at - s * w, y - pitch + h, at, y - 0.05, GRAY).behind(at, y - pitch + h, at, y - 0.05, GRAY)
        }
        eval left(0.3, y - 0.56, sprintf("s = %d", s))
        eval left(x + n * w + 0.3, y - 0.56, sprintf("%d additions", n - s))
    }
    do for [i = 1:n] {
        eval cell(x + (i - 1) * w, y, w, h, step == 0 || i > s ? SKY : PALE, sprintf("%d", v[i]))
    }
}
eval put(x + n * w + 0.3, 1.35 + 0.5 * h, "left", DARK, "shared memory")
load "page.gp"
