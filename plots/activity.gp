# Who works, and who waits: the lanes that take part in a memory request, and the barriers, stage by stage.
#
# gnuplot -c plots/activity.gp IN.tsv OUT.(svg|png|pdf) [size=N] [type=T] [knobs=K]
#
# From rows of mode "count" of the CPU device (ncu's have neither column). Upper panel: mean lanes of 32 in a request to global or shared
# memory, all requests of the call taken together. Lower panel: __syncthreads(), counted once a warp.
dir(path) = path eq "" || path[strlen(path):*] eq "/" ? path : dir(path[1:strlen(path)-1])
SCRIPT = ARG0
HERE = dir(SCRIPT)
OPTIONS = "size type knobs"
call HERE."style.gp" ARG1 ARG2 ARG3 ARG4 ARG5 ARG6 ARG7 ARG8 ARG9

NEED = "size active_lanes barriers"
draws(r) = active_lanes[r] > 0 && barriers[r] >= 0
DRAWN = "active_lanes and barriers"
MODES = "count"
ALL_SIZES = 0
ALL_KNOBS = 0
load HERE."rows.gp"

n = words(STAGES)
array lanes[n]
array waits[n]
most_waits = 1
do for [i=1:n] {
    r = row(word(STAGES, i))
    lanes[i] = usable(r) ? active_lanes[r] : NaN
    waits[i] = usable(r) ? barriers[r] : NaN
    most_waits = waits[i] > most_waits ? waits[i] : most_waits
}
# to three digits, and without ".00" where a number is whole
thousands(v) = v < 1000 ? sprintf("%.0f", v) : v < 1e6 ? sprintf("%.3gk", v / 1e3) : sprintf("%.3gM", v / 1e6)

small_font = text_size(n > 14 ? 0.65 : 0.8)
set lmargin at screen 0.095
set rmargin at screen 0.97
set xrange [0.4:n+0.6]
set xtics scale 0
tics_font = text_size(0.85)
set tics font tics_font
eval title(TOPIC.": lanes that work, and barriers")
set output OUT
set multiplot

# --- lanes

set tmargin at screen 0.90
set bmargin at screen 0.56
set yrange [0:36]
set ytics 0, 8, 32
set ylabel "active lanes / request" font text_size(0.85)
set xtics ("" 0)
set arrow from graph 0, first 32 to graph 1, first 32 nohead front lw 1.6 dt 2 lc rgb black
plot lanes using 1:2:(0.6) with boxes lc rgb colour(1), \
     lanes using 1:(known($2) ? 0 : NaN):(short($2)) with labels notitle offset 0,0.75 font small_font textcolor rgb "white"

# --- barriers

unset arrow
unset label
set tmargin at screen 0.49
set yrange [0:most_waits*1.15]
set ytics autofreq
set format y "%.0s%c"
set ylabel "barriers, once a warp"
load HERE."stage_tics.gp"
set bmargin at screen (slanted ? 0.2 : 0.17)
do for [i=1:n] {
    r = row(word(STAGES, i))
    if (!usable(r)) { set label status[r] at i, graph 0.04 left rotate by 90 font small_font textcolor rgb colour(2) }
}
plot waits using 1:2:(0.6) with boxes lc rgb colour(3), \
     waits using 1:2:(thousands($2)) with labels notitle offset 0,0.6 font small_font
unset multiplot
