# Tiles of C on the SMs, one at a time per SM: in waves, and with the last wave divided evenly (stream-K, stage 23 of
# week 3).
TITLE = "Stream-K divides the tiles of the last wave evenly among all SMs"
H = 7.9
load "drawing.gp"

sms = 6
tiles = 16
steps = 6                     # along K, per tile
tail = tiles % sms            # tiles of the last wave
full = tiles - tail
w = 2.0; h = 0.68             # of a tile
top = 2.0
share(worker) = tail * steps * worker / sms     # the first step of a worker, of all steps of the tail
color(t) = t % 4 == 0 ? SKY : t % 4 == 1 ? ORANGE : t % 4 == 2 ? PALE_PURPLE : PALE_GREEN

do for [panel = 0:1] {
    x = panel ? 9.4 : 1.6
    eval left(x, 1.4, panel ? "stream-K" : sprintf("%d tiles in waves of %d", tiles, sms))
    do for [sm = 0:sms - 1] {
        y = top + sm * (h + 0.1)
        eval put(x - 0.15, y + 0.5 * h, "right", DARK, sprintf("SM %d", sm))
        do for [wave = 0:tiles / sms - 1] {
            eval cell(x + wave * w, y, w, h, PALE, sprintf("tile %d", wave * sms + sm))
        }
        if (panel == 0) {
            if (sm < tail) { eval cell(x + full / sms * w, y, w, h, color(sm), sprintf("tile %d", full + sm)) }
            else { eval note(x + (full / sms + 0.5) * w, y + 0.5 * h, "idle") }
        } else {
            next = share(sm)
            at = x + full / sms * w
            while (next < share(sm + 1)) {
                t = next / steps
                end = (t + 1) * steps < share(sm + 1) ? (t + 1) * steps : share(sm + 1)
                wide = 1.0 * (end - next) / steps * w
                eval cell(at, y, wide, h, color(t), sprintf("%d", full + t))
                at = at + wide
                next = end
            }
        }
    }
    finish = panel ? full / sms + 1.0 * tail / sms : full / sms + 1
    eval dashed(x + finish * w, 1.75, x + finish * w, top + sms * (h + 0.1) + 0.1)
    eval note(x + finish * w, top + sms * (h + 0.1) + 0.35, "end")
    eval arrow(x, top + sms * (h + 0.1) + 0.1, x + 2.7 * w, top + sms * (h + 0.1) + 0.1, DARK)
    eval note(x + 1.2 * w, top + sms * (h + 0.1) + 0.4, "time")
}
load "page.gp"
