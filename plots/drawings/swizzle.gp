# Stage 8 of week 1: chunk c (4 floats, 16 bytes, 4 banks) of row r is at position c ^ (r / 4 % 8).
TITLE = "Swizzle: one chunk of 8 rows lies in 8 different groups of banks"
H = 7.9
load "drawing.gp"

w = 0.78; h = 0.5
top = 2.45
chosen = 2
position(chunk, row, swizzled) = swizzled ? chunk ^ (row / 4 % 8) : chunk

do for [panel = 0:1] {
    x = panel ? 9.3 : 1.45
    eval text(x + 4 * w, 1.35, panel ? "position = chunk ^ (row / 4 % 8)" : "position = chunk")
    do for [p = 0:7] { eval note(x + (p + 0.5) * w, top - 0.28, sprintf("%d", p)) }
    eval put(x - 0.15, top - 0.28, "right", DARK, "position")
    used = 0      # a bit for each position of the chosen chunk
    do for [i = 0:7] {
        row = 4 * i
        eval put(x - 0.15, top + (i + 0.5) * h, "right", DARK, sprintf("row %d", row))
        used = used | 1 << position(chosen, row, panel)
        do for [c = 0:7] {
            fill = c != chosen ? WHITE : panel ? SKY : ORANGE
            eval cell(x + position(c, row, panel) * w, top + i * h, w, h, fill, sprintf("%d", c))
        }
    }
    count = 0
    do for [p = 0:7] { count = count + (used >> p & 1) }
    eval text(x + 4 * w, top + 8 * h + 0.4, \
        sprintf("chunk %d of 8 rows: %d position%s, %d banks", chosen, count, count > 1 ? "s" : "", 4 * count))
}
load "page.gp"
