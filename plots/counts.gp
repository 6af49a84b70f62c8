# What the memory system is asked for: sectors for each global request, wavefronts for each shared one, stage by stage.
#
# gnuplot -c plots/counts.gp IN.tsv OUT.(svg|png|pdf) [size=RxC] [type=T] [knobs=K]
#
# From rows of mode "count": the CPU device's, or a profiler's under the same column names. The dashed lines are the ideal for lanes side by
# side: 32 lanes of 4 bytes make 4 sectors of 32 bytes and one wavefront of 128, lanes of 16 bytes make 16 and 4. Below the upper panel:
# all bytes moved, in sectors, as a multiple of the least that the problem needs.
dir(path) = path eq "" || path[strlen(path):*] eq "/" ? path : dir(path[1:strlen(path)-1])
SCRIPT = ARG0
HERE = dir(SCRIPT)
OPTIONS = "size type knobs"
call HERE."style.gp" ARG1 ARG2 ARG3 ARG4 ARG5 ARG6 ARG7 ARG8 ARG9

NEED = "size ld_requests ld_sectors st_requests st_sectors shared_requests shared_wavefronts"
draws(r) = ld_requests[r] > 0 || st_requests[r] > 0 || shared_requests[r] > 0
DRAWN = "counts"
MODES = "count"
ALL_SIZES = 0
ALL_KNOBS = 0
load HERE."rows.gp"

n = words(STAGES)
array loads[n]
array stores[n]
array waves[n]
array moved[n]
ratio(a, b) = b > 0 ? a / b : NaN
do for [i=1:n] {
    r = row(word(STAGES, i))
    loads[i] = usable(r) ? ratio(ld_sectors[r], ld_requests[r]) : NaN
    stores[i] = usable(r) ? ratio(st_sectors[r], st_requests[r]) : NaN
    waves[i] = usable(r) ? ratio(shared_wavefronts[r], shared_requests[r]) : NaN
    moved[i] = usable(r) && ld_requests[r] > 0 && st_requests[r] > 0 ? ratio(32 * (ld_sectors[r] + st_sectors[r]), bytes[r]) : NaN
}

small_font = text_size(n > 8 ? 0.65 : 0.8)
most_sectors = 16
most_waves = 4
do for [i=1:n] {
    most_sectors = loads[i] > most_sectors ? loads[i] : most_sectors
    most_sectors = stores[i] > most_sectors ? stores[i] : most_sectors
    most_waves = waves[i] > most_waves ? waves[i] : most_waves
}

# Where the label of a bar of height y begins: not where a dashed line at `ideal` would strike it out.
clear_of(y, ideal, top) = y < ideal && y + 0.13 * top > ideal ? ideal : y

set xrange [0.4:n+0.6]
set lmargin at screen 0.085
set rmargin at screen 0.87
set xtics scale 0
tics_font = text_size(0.85)
set tics font tics_font
eval title(TOPIC.": sectors and wavefronts per request")
set output OUT
set multiplot

# --- sectors per request

set tmargin at screen 0.90
set bmargin at screen 0.56
set yrange [0:most_sectors*1.15]
set ylabel "sectors / request" font text_size(0.85)
set xtics ("" 0)
do for [i=1:n] { if (known(moved[i])) { set xtics add (sprintf("%.3gx", moved[i]) i) } }
set label "moved / needed" at screen 0.88, graph -0.095 left font text_size(0.65) textcolor rgb grey
do for [width in "4 16"] {
    set arrow from graph 0, first width+0 to graph 1, first width+0 nohead front lw 1.6 dt 2 lc rgb black
    set label "ideal, ".width." B a lane" at graph 1.01, first width+0 left font text_size(0.7)
}
key_font = text_size(0.8)
set key at screen 0.97, screen 0.975 right top vertical Left reverse samplen 1 font key_font
plot loads using ($1-0.2):2:(0.36) with boxes lc rgb colour(1) title "loads", \
     stores using ($1+0.2):2:(0.36) with boxes lc rgb colour(5) title "stores", \
     loads using ($1-0.2):(clear_of(clear_of($2, 4, most_sectors), 16, most_sectors)):(short($2)) with labels notitle offset 0,0.6 font small_font, \
     stores using ($1+0.2):(clear_of(clear_of($2, 4, most_sectors), 16, most_sectors)):(short($2)) with labels notitle offset 0,0.6 font small_font

# --- wavefronts per request of shared memory

unset arrow
unset label
unset key
set tmargin at screen 0.47
set yrange [0:most_waves*1.15]
set ylabel "wavefronts / request"
load HERE."stage_tics.gp"
set bmargin at screen (slanted ? 0.2 : 0.17)
do for [i=1:n] {
    r = row(word(STAGES, i))
    if (!usable(r)) { set label status[r] at i, graph 0.04 left rotate by 90 font small_font textcolor rgb colour(2) }
}
do for [width in "4 16"] {
    set arrow from graph 0, first width/4 to graph 1, first width/4 nohead front lw 1.6 dt 2 lc rgb black
    set label "ideal, ".width." B a lane" at graph 1.01, first width/4 left font text_size(0.7)
}
plot waves using 1:2:(0.5) with boxes lc rgb colour(3), \
     waves using 1:(clear_of(clear_of($2, 1, most_waves), 4, most_waves)):(short($2)) with labels notitle offset 0,0.6 font small_font
unset multiplot
