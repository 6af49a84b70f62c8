# What each stage loads from global memory for the work it does: 32-byte sectors for a thousand flops. The dashed lines are the sum of the
# slides: a block that computes T x T elements fetches 8 T bytes for each k, and computes 2 T^2 flops with them.
#
# gnuplot -c plots/sectors.gp IN.tsv OUT.(svg|png|pdf) [size=MxNxK] [type=T] [knobs=K]
#
# From rows of mode "count": the CPU device's, or a profiler's under the same column names. What a copy engine fetches is no request of a warp
# and not among them.
dir(path) = path eq "" || path[strlen(path):*] eq "/" ? path : dir(path[1:strlen(path)-1])
SCRIPT = ARG0
HERE = dir(SCRIPT)
OPTIONS = "size type knobs"
call HERE."style.gp" ARG1 ARG2 ARG3 ARG4 ARG5 ARG6 ARG7 ARG8 ARG9

NEED = "size flops ld_sectors"
draws(r) = flops[r] > 0 && ld_sectors[r] > 0
DRAWN = "flops and sectors"
MODES = "count"
ALL_SIZES = 0
ALL_KNOBS = 0
load HERE."rows.gp"

n = words(STAGES)
array height[n]
lowest = 1e9
highest = 0
do for [i=1:n] {
    r = row(word(STAGES, i))
    height[i] = usable(r) ? 1000 * ld_sectors[r] / flops[r] : NaN
    lowest = height[i] < lowest ? height[i] : lowest
    highest = height[i] > highest ? height[i] : highest
}

# 8 T bytes a k, 32 bytes a sector, 2 T^2 flops
model(tile) = 1000 * 8 / 32.0 / (2 * tile)
TILES = "1 16 32 64 128"
lowest = lowest / 2
highest = 2 * (highest > model(1) ? highest : model(1))
set logscale y 10
set format y "%g"
set yrange [lowest:highest]
do for [tile in TILES] {
    if (model(tile) > lowest) {
        set arrow from graph 0, first model(tile) to graph 1, first model(tile) nohead back lw 1.6 dt 2 lc rgb grey
        set label "tile ".tile."x".tile at graph 1.01, first model(tile) left font text_size(0.75)
    }
}
set rmargin room(14)
do for [i=1:n] {
    r = row(word(STAGES, i))
    if (!usable(r)) {
        fault = status[r] eq "ok" ? "not counted" : status[r]
        set label fault at i, graph 0.04 left rotate by 90 font text_size(0.8) textcolor rgb colour(2)
    }
}
set style textbox opaque noborder fillcolor rgb "white" margins 0.3,0
value_font = text_size(n > 11 ? 0.7 : 0.85)
tics_font = text_size(0.85)
set tics font tics_font
eval title(TOPIC.": sectors loaded from global memory for 1000 flops")
set ylabel "sectors / 1000 flops"
load HERE."stage_tics.gp"
set output OUT
plot height using 1:(lowest):(0):($2-lowest) with vectors nohead lw 6 lc rgb colour(1), \
     height using 1:2 with points pt 7 ps 2 lc rgb colour(1), \
     height using 1:2:(short($2)) with labels boxed offset 0,1 font value_font
