# The occupancy calculator's three charts: warps on an SM against threads a block, registers a thread and bytes of shared memory a block. Above, the
# slides' own example; below, the stages on today's GPU.
#
# gnuplot -c plots/occupancy.gp IN.tsv OUT.(svg|png|pdf)
#
# From rows of mode "occupancy" (make occupancy): curves show what becomes of one kernel as one of its numbers varies, with its point on them. The
# other stages' points lie where their own numbers put them, and to the right of all that have as many warps are their stages' numbers, with dots
# between points.
dir(path) = path eq "" || path[strlen(path):*] eq "/" ? path : dir(path[1:strlen(path)-1])
SCRIPT = ARG0
HERE = dir(SCRIPT)
OPTIONS = ""
call HERE."style.gp" ARG1 ARG2 ARG3 ARG4 ARG5 ARG6 ARG7 ARG8 ARG9
load HERE."plain_table.gp"

CHARTS = "threads regs shared_bytes"
do for [c in "week stage name device mode status capability chart warps most_warps ".CHARTS] {
    if (!has_column(c)) { eval refuse(IN.": has no column '".c."'") }
}
is_kernel(row) = strcol("mode") eq "occupancy" && strcol("status") eq "ok"
is_point(row) = is_kernel(0) && strcol("chart") eq "point"
is_slides(row) = strcol("stage") eq "slides"

# --- points: n of them, the slides' first

n = 0
stats IN using (is_point(0) ? (n = n + 1) : 0, 1) nooutput
if (n == 0) { eval lacking(IN.": no row is a point of mode occupancy") }
array stage[n]
array name[n]
array threads[n]
array regs[n]
array shared_bytes[n]
array warps[n]
array most[n]
array of_slides[n]
array capability[n]
i = 0
week = ""
stats IN using (is_point(0) ? (i = i + 1, stage[i] = strcol("stage"), name[i] = strcol("name"), threads[i] = column("threads"), \
    regs[i] = column("regs"), shared_bytes[i] = column("shared_bytes"), warps[i] = column("warps"), most[i] = column("most_warps"), \
    of_slides[i] = is_slides(0), capability[i] = strcol("capability"), week = strcol("week")) : 0, 1) nooutput
then = 0
now = 0
do for [i=n:1:-1] { if (of_slides[i]) { then = i } else { now = i } }
ROWS = (then > 0) + (now > 0)

# The stage whose curves are drawn.
CURVES = ""
stats IN using (is_kernel(0) && !is_point(0) && !is_slides(0) ? (CURVES = strcol("stage")) : 0, 1) nooutput

place(i, c) = c eq "threads" ? threads[i] : c eq "regs" ? regs[i] : shared_bytes[i]
same(i, j, c) = of_slides[i] == of_slides[j] && place(i, c) == place(j, c) && warps[i] == warps[j]
# "1-3, 5": the stages that share a point; "" but for the first of them
group(i, c) = (list = "", first = 1, from = -1, last = -1, sum [j=1:n] (same(i, j, c) ? (j < i ? (first = 0) : 0, add(number(stage[j])), 1) : 0), \
    close_range(0), first ? list : "")
add(k) = from < 0 ? (from = k, last = k) : k == last + 1 ? (last = k) : (close_range(0), from = k, last = k)
# Those of all points with as many warps, from left to right; "" but for the rightmost of them.
abreast(i, j) = of_slides[i] == of_slides[j] && warps[i] == warps[j]
rightmost(i, c) = !(sum [j=1:n] (abreast(i, j) && (place(j, c) > place(i, c) || place(j, c) == place(i, c) && j < i)))
next_place(i, c, x) = (last_x = 1e9, sum [j=1:n] (abreast(i, j) && place(j, c) > x && place(j, c) < last_x \
    ? (last_x = place(j, c), last_j = j, 1) : 0), last_x)
points_from(i, c, x, before) = next_place(i, c, x) == 1e9 ? before : after_point(i, c, last_x, before, last_j)
after_point(i, c, x, before, j) = points_from(i, c, x, before.(before eq "" ? "" : " · ").group(first_of(j, c), c))
first_of(i, c) = (first_j = 0, sum [j=1:n] (first_j == 0 && same(i, j, c) ? (first_j = j, 1) : 0), first_j)
close_range(x) = (list = list.(list eq "" ? "" : ", ") \
    .(from == last ? sprintf("%d", from) : sprintf(last == from + 1 ? "%d, %d" : "%d-%d", from, last)), 0)

# --- panels

words_of(c) = c eq "threads" ? "threads a block" : c eq "regs" ? "registers a thread" : "bytes of shared memory a block"
chart_of(c) = c eq "shared_bytes" ? "shared" : c
also(s) = s eq "" ? "" : " | ".s
DEVICE = meta("device")
FOOTER = (DEVICE eq "" ? "unknown device" : DEVICE).also(meta("cuda") eq "" ? "" : "CUDA ".meta("cuda")).also(meta("date"))
topic = (at = strstrt(week, "_")) ? week[at+1:*] : week
small_font = text_size(0.65)
label_font = text_size(0.6)
point_size = ending eq '.svg' ? 0.6 : 1.3
set tics font small_font
eval title(topic.": warps on an SM, by the occupancy calculator")
set label 1001 FOOTER at screen 0.985, screen 0.025 right font text_size(0.65) textcolor rgb grey

# No shared memory at all is drawn at the edge of an axis that has no 0.
LEAST_SHARED = 512.0
on_axis(x, c, slides) = c eq "shared_bytes" && !slides && x < LEAST_SHARED ? LEAST_SHARED : x

set style textbox opaque noborder margins 0.2,0.2
set output OUT
set multiplot
do for [r=1:ROWS] {
    i0 = r == 1 && then ? then : now
    slides = of_slides[i0]
    row_top = ROWS == 1 || slides ? 0.85 : 0.51
    row_bottom = ROWS == 1 ? 0.17 : slides ? 0.66 : 0.15
    row_words = slides ? sprintf("then: compute capability %s; %s: %d threads, %d registers, %d bytes: %d of %d warps, %s", \
        capability[i0], name[i0], threads[i0], regs[i0], shared_bytes[i0], warps[i0], most[i0], percent(1.0 * warps[i0] / most[i0])) \
        : sprintf("now: compute capability %s%s; the stages by their numbers%s", capability[i0], DEVICE eq "" ? "" : ", ".DEVICE, \
        CURVES eq "" ? "" : ", curves of ".CURVES)
    tint = slides ? colour(2) : colour(1)
    set yrange [0:most[i0]*1.15]
    set ytics 0, most[i0] / 4
    do for [k=1:3] {
        c = word(CHARTS, k)
        largest = 0
        stats IN using (is_kernel(0) && is_slides(0) == slides && column(c) > largest ? (largest = column(c)) : 0, 1) nooutput
        left = 0.065 + (k - 1) * 0.317
        set lmargin at screen left
        set rmargin at screen left + 0.28
        set tmargin at screen row_top
        set bmargin at screen row_bottom
        set xlabel words_of(c) font small_font offset 0,0.4
        unset logscale x
        set xtics autofreq
        set format x "%.0f"
        smallest = 0
        if (c eq "threads") { set xtics 0, slides ? 128 : 256 }
        if (c eq "shared_bytes") { set format x "%.0b%B" }
        if (c eq "shared_bytes" && slides) { set xtics 0, 4096 }
        if (c eq "shared_bytes" && !slides) {
            set logscale x 2
            smallest = LEAST_SHARED
            set xtics ("0" LEAST_SHARED, "1ki" 1024, "4ki" 4096, "16ki" 16384, "64ki" 65536)
        }
        largest = largest * 1.03
        set xrange [smallest:largest]
        if (k == 1) {
            set ylabel "warps" font small_font offset 1,0
            set label 1003 row_words at screen 0.065, screen row_top + 0.025 left font text_size(0.75) textcolor rgb tint
        }
        do for [i=1:n] {
            if (of_slides[i] == slides) {
                set label 2000+i "" at first on_axis(place(i, c), c, slides), first warps[i] front point pt 7 ps point_size lc rgb tint
            }
        }
        LABELS = 0
        array label_at[n]
        array label_of[n]
        do for [i=1:n] {
            if (!slides && !of_slides[i] && rightmost(i, c)) {
                LABELS = LABELS + 1
                label_at[LABELS] = warps[i] / (most[i0] * 1.15)
                label_of[LABELS] = i
            }
        }
        GAP = 0.055
        if (LABELS > 0) { load HERE."spread.gp" }
        do for [l=1:LABELS] {
            i = label_of[l]
            row_stages = points_from(i, c, -1, "")
            set label 3000+l row_stages at first on_axis(place(i, c), c, slides), graph label_y[l] left offset 0.9,0 front boxed \
                font label_font textcolor rgb tint
        }
        plot IN using (is_kernel(0) && strcol("chart") eq chart_of(c) && is_slides(0) == slides ? on_axis(column(c), c, slides) : NaN):"warps" \
            with fsteps lw 2 lc rgb grey
        unset ylabel
        unset label
    }
}
unset multiplot
