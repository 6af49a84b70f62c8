# Time on the interface of a DRAM: single words, bursts, and bursts of several banks.
TITLE = "Bursts and banks hide the slow core of the DRAM"
H = 8.4
load "drawing.gp"

core = 12                # time of a core access, in transfers of a word; an example
burst = 4                # words
banks = 4
ticks = 48               # shown
u = 12.9 / ticks
x = 2.8; h = 0.5
to(t) = x + t * u

used(n, period) = 100.0 * n / period
eval box(to(0), 1.2, 0.3, 0.3, PALE).left(to(0) + 0.45, 1.35, sprintf("core access: as long as %d words", core))
eval box(to(28), 1.2, 0.3, 0.3, ORANGE).left(to(28) + 0.45, 1.35, "word on the interface")
# one access after the other: the words per access
do for [panel = 0:1] {
    y = 1.85 + panel * 1.5
    n = panel ? burst : 1
    eval left(0.3, y + 0.5 * h, panel ? sprintf("burst of %d", burst) : "single words")
    t = 0
    while (t < ticks) {
        eval box(to(t), y, (t + core > ticks ? ticks - t : core) * u, h, PALE)
        do for [i = 0:n - 1] { if (t + core + i < ticks) { eval box(to(t + core + i), y, u, h, ORANGE) } }
        t = t + core + n
    }
    eval put(to(ticks), y + h + 0.28, "right", DARK, sprintf("interface busy: %.0f %%", used(n, core + n)))
}
y = 4.85
do for [b = 0:banks - 1] {
    eval left(0.3, y + b * (h + 0.08) + 0.5 * h, sprintf("bank %d", b))
    t = b * burst
    while (t < ticks) {
        eval box(to(t), y + b * (h + 0.08), (t + core > ticks ? ticks - t : core) * u, h, PALE)
        do for [i = 0:burst - 1] {
            if (t + core + i < ticks) { eval box(to(t + core + i), y + b * (h + 0.08), u, h, ORANGE) }
        }
        t = t + core + burst
    }
}
y = y + banks * (h + 0.08) + 0.1
eval left(0.3, y + 0.5 * h, "interface")
do for [t = core:ticks - 1] { eval box(to(t), y, u, h, ORANGE) }
eval put(to(ticks), y + h + 0.28, "right", DARK, \
    sprintf("%d banks: interface busy: %.0f %%", banks, used(banks * burst, core + burst)))
load "page.gp"
