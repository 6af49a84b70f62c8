# The levels of the memory hierarchy, with their measured rates.
TITLE = "The farther a memory is from the thread, the slower it is"
H = 7.6
load "drawing.gp"

# The rates of this GPU, from the numbers of the machine: gnuplot -e "GPU = 'h100'" memory_levels.gp
if (!exists("GPU")) { GPU = "h200" }
set datafile separator tab
table = sprintf("../../common/machine/%s.tsv", GPU)
measured(name) = "stats table using (strcol(1) eq '".name."' ? column(2) : NaN) nooutput name 'm'"
eval measured("shared.lds32.cycles"); cycles = m_max
eval measured("device.sms"); sms = m_max
eval measured("device.clock"); mhz = m_max
eval measured("device.l2"); l2_bytes = m_max
eval measured("l2.load.all_sms"); sectors = m_max
eval measured("dram.read"); dram = m_max
unset datafile
shared = 128 / cycles * sms * mhz / 1000
l2 = 32 * sectors

toupper_of(name) = system("echo ".name." | tr a-z A-Z")
h = 0.95; gap = 0.3
middle = 5.6
top = 2.0
levels = "registers|shared memory, L1 cache|".sprintf("L2 cache, %.0f MiB", l2_bytes / 2 ** 20).\
    "|global memory (DRAM)|"
users = "one thread|a block; an SM|all SMs|all SMs|"
array rate[4] = [0, shared, l2, dram]
array fill[4] = [ORANGE, PALE_ORANGE, PALE_BLUE, SKY]
eval note(middle, 1.6, "memory").note(11.6, 1.6, "used by").note(14.4, 1.25, "read rate of")
eval note(14.4, 1.65, "an ".toupper_of(GPU))
do for [i = 1:4] {
    y = top + (i - 1) * (h + gap)
    wide = 2.9 + 1.45 * i
    cut = strstrt(levels, "|")
    eval cell(middle - 0.5 * wide, y, wide, h, fill[i], levels[1:cut - 1])
    levels = levels[cut + 1:*]
    cut = strstrt(users, "|")
    eval text(11.6, y + 0.5 * h, users[1:cut - 1])
    users = users[cut + 1:*]
    eval text(14.4, y + 0.5 * h, rate[i] > 0 ? sprintf("%.1f TB/s", rate[i] / 1000) : "")
}
eval arrow(0.7, top, 0.7, top + 4 * h + 3 * gap, DARK)
eval left(0.35, top - 0.3, "near").left(0.35, top + 4 * h + 3 * gap + 0.3, "far")
load "page.gp"
