# The wavefronts of a request to shared memory: a wavefront serves 128 bytes, one word of each of the 32 banks. Lanes
# with neighboring data, of 4, 8 and 16 bytes.
TITLE = "A wavefront serves 128 bytes: 32, 16 or 8 lanes"
H = 7.9
load "drawing.gp"

w = 0.4; h = 0.5
x = 2.9
bank(b) = x + b * w
eval left(0.3, 1.35, "bank")
do for [b = 0:28:4] { eval put(bank(b), 1.35, "left", DARK, sprintf("%d", b)) }
eval put(bank(31) + w, 1.35, "right", DARK, "31")

y = 1.65
do for [panel = 0:2] {
    words = 1 << panel              # of 4 bytes, per lane
    fronts = words
    lanes = 32 / fronts             # of a wavefront
    eval left(0.3, y + 0.5 * h, sprintf("%d bytes", 4 * words))
    do for [f = 0:fronts - 1] {
        do for [l = 0:lanes - 1] {
            lane = f * lanes + l
            eval cell(bank(l * words), y + f * h, words * w, h, f % 2 ? SKY : ORANGE, \
                words > 1 || lane % 4 == 0 ? sprintf("%d", lane) : "")
        }
    }
    eval left(0.3, y + fronts * h + 0.3, \
        sprintf("%d wavefront%s: lanes 0 to %d%s", fronts, fronts > 1 ? "s" : "", lanes - 1, \
            fronts > 1 ? ", ..." : ""))
    y = y + fronts * h + 0.85
}
load "page.gp"
