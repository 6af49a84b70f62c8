# How many pixels a second each stage makes, against how many instructions it takes for a pixel. No SM issues more instructions a cycle than it has
# schedulers: the slope. Nothing is read and written faster than it is copied: the dashed line.
#
# gnuplot -c plots/instructions.gp IN.tsv OUT.(svg|png|pdf) [size=RxC] [mode=cold|hot] [type=T] [knobs=K]
#
# From rows of mode cold, and those of mode "count" of the same size with `instructions`, of warps, as a profiler counts them (make instructions).
# A pixel's share is 32 times those by the number of pixels. The slope is 32 times `issue_per_cycle` times `cycles_per_second`, those of the
# profiler's largest count, where these columns are there.
dir(path) = path eq "" || path[strlen(path):*] eq "/" ? path : dir(path[1:strlen(path)-1])
SCRIPT = ARG0
HERE = dir(SCRIPT)
OPTIONS = "size mode type knobs"
call HERE."style.gp" ARG1 ARG2 ARG3 ARG4 ARG5 ARG6 ARG7 ARG8 ARG9

NEED = "size rate instructions"
counted(s, of) = (last = NaN, sum [q=1:N] (mode[q] eq "count" && status[q] eq "ok" && stage[q] eq s && size[q] eq of && variant[q] eq "" \
    && knobs[q] eq "" && instructions[q] > 0 ? (last = 32 * instructions[q] / product(of), 1) : 0), last)
draws(r) = rate[r] > 0 && (is_reference(stage[r]) || counted(stage[r], size[r]) > 0)
DRAWN = "a rate, and a count of its instructions"
MODES = "cold hot"
ALL_SIZES = 0
ALL_KNOBS = 0
load HERE."rows.gp"

n = words(STAGES)
array across[n]
array height[n]
low_x = 1e9
high_x = 0
low_y = 1e9
high_y = 0
do for [i=1:n] {
    r = row(word(STAGES, i))
    across[i] = usable(r) ? counted(stage[r], SIZE) : NaN
    height[i] = usable(r) ? rate[r] : NaN
    low_x = across[i] < low_x ? across[i] : low_x
    high_x = across[i] > high_x ? across[i] : high_x
    low_y = height[i] < low_y ? height[i] : low_y
    high_y = height[i] > high_y ? height[i] : high_y
}
copy = has_word(REFERENCES, "ref_memcpy") ? rate[row("ref_memcpy")] : NaN
issue = NaN   # instructions of threads, in 10^9 a second
do for [q=1:N] {
    issued = mode[q] eq "count" && size[q] eq SIZE ? 32e-9 * issue_per_cycle[q] * cycles_per_second[q] : NaN
    issue = known(issued) && !(issue > issued) ? issued : issue
}
low_x = low_x / 1.3
high_x = high_x * 1.3
low_y = low_y / 1.4
high_y = (copy > high_y ? copy : high_y) * 1.4
set logscale xy 10
set xrange [low_x:high_x]
set yrange [low_y:high_y]
set format x "%g"
set format y "%g"
set xtics add ("2" 2, "5" 5, "20" 20, "50" 50, "200" 200, "500" 500)
set ytics add ("20" 20, "50" 50, "200" 200, "500" 500, "2000" 2000)
set samples 500
set grid xtics ytics linetype 1 linewidth 0.5 linecolor rgb pale

# --- labels at the right edge, at the height of their points

LABELS = 0
longest = 6
array label_at[n]
array label_text[n]
array of[n]
do for [i=1:n] {
    if (known(height[i])) {
        LABELS = LABELS + 1
        s = word(STAGES, i)
        of[LABELS] = i
        label_at[LABELS] = log(height[i] / low_y) / log(high_y / low_y)
        label_text[LABELS] = sprintf("%d %s", number(s), name[row(s)])
        longest = strlen(label_text[LABELS]) > longest ? strlen(label_text[LABELS]) : longest
    }
}
GAP = 0.042
load HERE."spread.gp"
do for [k=1:LABELS] {
    i = of[k]
    text_colour = colour(i)
    set arrow from first across[i], first height[i] to graph 1, first height[i] nohead back lw 0.6 dt 3 lc rgb text_colour
    set arrow from graph 1, first height[i] to graph 1.015, graph label_y[k] nohead lw 0.7 lc rgb text_colour
    set label label_text[k] at graph 1.02, graph label_y[k] left font text_size(0.75) textcolor rgb text_colour
}
set rmargin room(longest)
set lmargin 10
if (known(copy)) {
    set arrow from graph 0, first copy to graph 1, first copy nohead back lw 2 dt 2 lc rgb black
    set label "memcpy ".short(copy) at graph 0.01, first copy left offset 0,0.6 font text_size(0.75)
}
if (known(issue)) {
    # along the slope, which falls by as many decades as it goes to the right
    label_x = sqrt(low_x * high_x) * 1.6
    angle = -atan(0.53 * log(high_x / low_x) / log(high_y / low_y)) * 180 / pi
    set label "as fast as instructions are issued" at first label_x, first issue / label_x center rotate by angle offset 0.8,0.8 font text_size(0.75)
}

eval title(TOPIC.": instructions for a pixel, and pixels a second")
set xlabel "instructions of a thread for each pixel"
set ylabel UNIT
point_size = ending eq '.svg' ? 0.7 : 1.7
set output OUT
plot known(issue) ? issue / x : NaN with lines lw 3 lc rgb black, \
     for [i=1:n] across using (column(1) == i ? across[i] : NaN):(height[i]) with points pt point(i) ps point_size lc rgb colour(i)
