# The roofline: the rate of each stage against flops for each byte, under the roofs that were measured. What is fed from memory cannot be above the
# slope of memory; what comes from L2 has a slope of its own; nothing is above the flat roof of the adders.
#
# gnuplot -c plots/roofline.gp IN.tsv OUT.(svg|png|pdf) [size=MxNxK] [mode=cold|hot] [type=T] [knobs=K]
#
# Each stage is at its rate, from rows of mode cold, with two points: filled, by the bytes that memory moved, and hollow, by those that L2 gave to
# the SMs, from rows of mode "count" of the same size with dram_read_bytes, dram_write_bytes and l2_read_bytes. Without these its point is a
# triangle, by the bytes that the problem cannot do without. The roofs are rows of mode "roof": fma and read, and l2 where it is there.
# A stage above the flat roof computes with something else than what the roof was measured with.
dir(path) = path eq "" || path[strlen(path):*] eq "/" ? path : dir(path[1:strlen(path)-1])
SCRIPT = ARG0
HERE = dir(SCRIPT)
OPTIONS = "size mode type knobs"
call HERE."style.gp" ARG1 ARG2 ARG3 ARG4 ARG5 ARG6 ARG7 ARG8 ARG9

NEED = "size rate flops bytes"
draws(r) = rate[r] > 0 && flops[r] > 0 && bytes[r] > 0
DRAWN = "a rate, flops and bytes"
MODES = "cold hot"
ALL_SIZES = 0
ALL_KNOBS = 0
load HERE."rows.gp"

# --- roofs: GFLOP/s, and GB/s

roof(what) = (last = NaN, sum [r=1:N] (mode[r] eq "roof" && name[r] eq what && status[r] eq "ok" ? (last = rate[r], 1) : 0), last)
peak = roof("fma")
memory = roof("read")
cache = roof("l2")
if (!known(peak) || !known(memory)) { eval lacking(IN.": no row of mode roof for ".(known(peak) ? "read" : "fma")) }
if (UNIT ne "GFLOP/s") { eval lacking(IN.": its rates are in ".UNIT.", not in GFLOP/s") }

# --- points

CURVES = STAGES." ".REFERENCES
n = words(CURVES)
array height[n]
array by_memory[n]
array by_l2[n]
array by_need[n]
counted(s, q) = mode[q] eq "count" && status[q] eq "ok" && stage[q] eq s && size[q] eq SIZE && knobs[q] eq KNOBS
some = 0
needs = 0
do for [i=1:n] {
    s = word(CURVES, i)
    r = row(s)
    height[i] = usable(r) ? rate[r] : NaN
    by_memory[i] = NaN
    by_l2[i] = NaN
    do for [q=1:N] {
        if (counted(s, q)) {
            by_memory[i] = dram_read_bytes[q] > 0 ? flops[r] / (dram_read_bytes[q] + dram_write_bytes[q]) : by_memory[i]
            by_l2[i] = l2_read_bytes[q] > 0 ? flops[r] / l2_read_bytes[q] : by_l2[i]
        }
    }
    by_need[i] = known(by_memory[i]) || is_reference(s) || !usable(r) ? NaN : flops[r] / bytes[r]
    some = some || known(by_memory[i])
    needs = needs || known(by_need[i])
}

low_x = peak / memory / 8
high_x = peak / memory
low_y = peak
high_y = peak
do for [i=1:n] {
    do for [v in sprintf("%e %e %e", by_memory[i], by_l2[i], by_need[i])] {
        low_x = v + 0 < low_x ? v + 0 : low_x
        high_x = v + 0 > high_x ? v + 0 : high_x
    }
    low_y = height[i] < low_y ? height[i] : low_y
    high_y = height[i] > high_y ? height[i] : high_y
}
low_x = low_x / 2
high_x = high_x * 2
low_y = low_y / 2
high_y = high_y * 1.5
set logscale xy 10
set xrange [low_x:high_x]
set yrange [low_y:high_y]
set format x "%g"
set format y "%g"
set samples 1000
set grid xtics ytics linetype 1 linewidth 0.5 linecolor rgb pale

# --- labels: of a stage at the right edge, at its height

share(v) = log(v / low_y) / log(high_y / low_y)
LABELS = 0
longest = 0
array label_at[n]
array label_text[n]
array of[n]
do for [i=1:n] {
    if (known(height[i])) {
        LABELS = LABELS + 1
        s = word(CURVES, i)
        of[LABELS] = i
        label_at[LABELS] = share(height[i])
        label_text[LABELS] = is_reference(s) ? plain(s) : sprintf("%d %s", number(s), name[row(s)])
        longest = strlen(label_text[LABELS]) > longest ? strlen(label_text[LABELS]) : longest
    }
}
tint(i) = is_reference(word(CURVES, i)) ? black : colour(number(word(CURVES, i)) + 1)
if (LABELS > 0) {
    GAP = 0.042
    load HERE."spread.gp"
    do for [k=1:LABELS] {
        i = of[k]
        from_x = known(by_memory[i]) ? by_memory[i] : known(by_need[i]) ? by_need[i] : low_x
        text_colour = tint(i)
        line_width = is_reference(word(CURVES, i)) ? 1.6 : 0.6
        line_dash = is_reference(word(CURVES, i)) ? 2 : 3
        set arrow from first from_x, first height[i] to graph 1, first height[i] nohead back lw line_width dt line_dash lc rgb text_colour
        set arrow from graph 1, first height[i] to graph 1.015, graph label_y[k] nohead lw 0.7 lc rgb text_colour
        set label label_text[k] at graph 1.02, graph label_y[k] left font text_size(0.75) textcolor rgb text_colour
    }
}
set rmargin room(longest)
set lmargin 10
do for [i=1:n] {
    if (known(by_memory[i]) && known(by_l2[i])) {
        line_colour = tint(i)
        set arrow from first by_l2[i], first height[i] to first by_memory[i], first height[i] nohead lw 1.2 lc rgb line_colour
    }
}

# The names of the roofs: over the flat one, and along the slopes, whose angle follows from the axes and the shape of the paper.
set label sprintf("fp32 multiply-adds %s GFLOP/s", short(peak)) at graph 0.985, first peak * (high_y / low_y)**0.03 right font text_size(0.75)
angle = atan(0.5 * log(high_x / low_x) / log(high_y / low_y)) * 180 / pi
slope_label(gbs, what) = sprintf("set label \"%s %s GB/s\" at first %e, first %e center rotate by %f font text_size(0.75)", what, short(gbs), \
    sqrt(peak * low_y * 1.5) / gbs / (high_x / low_x)**0.015, sqrt(peak * low_y * 1.5) * (high_y / low_y)**0.025, angle)
eval slope_label(memory, "memory")
if (known(cache)) { eval slope_label(cache, "L2") }

dot = ending eq '.svg' ? 0.8 : 1.8   # svg's points are larger
bounded(slope, x) = slope * x < peak ? slope * x : peak
eval title(TOPIC.": the stages under their roofs")
set xlabel "flops for each byte ".(some ? "that memory moved (filled), that L2 gave (hollow)" : "").(some && needs ? ", " : "") \
    .(needs ? "that the problem needs".(some ? " (triangle)" : "") : "") font text_size(0.85)
set ylabel UNIT
set output OUT
plot bounded(memory, x) with lines lw 3 lc rgb black, \
     known(cache) ? bounded(cache, x) : NaN with lines lw 2 dt 2 lc rgb grey, \
     for [i=1:n] by_l2 using (column(1) == i ? by_l2[i] : NaN):(height[i]) with points pt 6 ps 0.9 * dot lw 2 lc rgb tint(i), \
     for [i=1:n] by_memory using (column(1) == i ? by_memory[i] : NaN):(height[i]) with points pt 7 ps dot lc rgb tint(i), \
     for [i=1:n] by_need using (column(1) == i ? by_need[i] : NaN):(height[i]) with points pt 9 ps dot lc rgb tint(i)
