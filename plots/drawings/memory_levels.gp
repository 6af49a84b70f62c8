# The levels of the memory hierarchy, with the rates that demo_roofs of week 3 measured.
TITLE = "The farther a memory is from the thread, the slower it is"
H = 7.6
load "drawing.gp"

# The column of a row of the recorded run.
recorded = "../data/h200/03_matmul.roofline.tsv"
set datafile separator tab
set datafile columnheaders
stats recorded using (strcol("name") eq "shared" ? column("rate") : NaN) nooutput name "shared"
stats recorded using (strcol("name") eq "l2" ? column("rate") : NaN) nooutput name "l2"
stats recorded using (strcol("name") eq "read" ? column("rate") : NaN) nooutput name "dram"
stats recorded using (strcol("name") eq "l2" ? column("l2_bytes") : NaN) nooutput name "l2_bytes"
unset datafile

h = 0.95; gap = 0.3
middle = 5.6
top = 2.0
levels = "registers|shared memory, L1 cache|".sprintf("L2 cache, %.0f MiB", l2_bytes_max / 2 ** 20).\
    "|global memory (DRAM)|"
users = "one thread|a block; an SM|all SMs|all SMs|"
array rate[4] = [0, shared_max, l2_max, dram_max]
array fill[4] = [ORANGE, PALE_ORANGE, PALE_BLUE, SKY]
eval note(middle, 1.6, "memory").note(11.6, 1.6, "used by").note(14.4, 1.25, "read rate of").note(14.4, 1.65, "an H200")
do for [i = 1:4] {
    y = top + (i - 1) * (h + gap)
    wide = 2.9 + 1.45 * i
    cut = strstrt(levels, "|")
    eval cell(middle - 0.5 * wide, y, wide, h, fill[i], levels[1:cut - 1])
    levels = levels[cut + 1:*]
    cut = strstrt(users, "|")
    eval text(11.6, y + 0.5 * h, users[1:cut - 1])
    users = users[cut + 1:*]
    eval text(14.4, y + 0.5 * h, rate[i] > 0 ? sprintf("%.1f TB/s", rate[i] / 1000) : "not measured")
}
eval arrow(0.7, top, 0.7, top + 4 * h + 3 * gap, DARK)
eval left(0.35, top - 0.3, "near").left(0.35, top + 4 * h + 3 * gap + 0.3, "far")
load "page.gp"
