# The slides' stacked bars: how long each stage takes, and how much of it is left without the arithmetic. Above, what the slides published; below,
# this run.
#
# gnuplot -c plots/memory_only.gp IN.tsv OUT.(svg|png|pdf) [published=FILE] [size=RxC] [mode=cold|hot] [type=T] [knobs=K]
#
# From the rows with and without --memory-only (variant "memory-only"), and those of FILE, which is plots/data/published/*_TOPIC.tsv if not given;
# without one there is only this run. The whole bar is the stage's time, its lower part that of its memory-only twin. A stage that has no such row is
# one hatched bar, and a twin that takes longer than its stage is as long as that. Bars far above the others are cut off, and say so.
dir(path) = path eq "" || path[strlen(path):*] eq "/" ? path : dir(path[1:strlen(path)-1])
SCRIPT = ARG0
HERE = dir(SCRIPT)
OPTIONS = "published size mode type knobs"
call HERE."style.gp" ARG1 ARG2 ARG3 ARG4 ARG5 ARG6 ARG7 ARG8 ARG9

NEED = "size variant median_us"
draws(r) = median_us[r] > 0
DRAWN = "a time"
ALL_SIZES = 0
ALL_KNOBS = 0
ALL_VARIANTS = 1

# The row of a stage's twin, or without any option of the week; 0 where there is none that is right.
row_of(s, v) = (last = 0, sum [r=1:N] (keep(r) && usable(r) && stage[r] eq s && variant[r] eq v ? (last = r, 1) : 0), last)
twins(x) = sum [r=1:N] (keep(r) && usable(r) && variant[r] eq "memory-only")

# --- now

MODES = "cold hot"
load HERE."rows.gp"
if (twins(0) == 0) { eval lacking(IN.": no row of variant memory-only is ok (".asked.")") }
SHOWN = STAGES
NOW_FOOTER = FOOTER
n = words(SHOWN)
array now_all[n]
array now_memory[n]
array now_fault[n]
array tick[n]
do for [i=1:n] {
    s = word(SHOWN, i)
    r = row_of(s, "")
    q = row_of(s, "memory-only")
    now_fault[i] = r ? "" : status[row(s)] eq "ok" ? "no time" : status[row(s)]
    now_all[i] = r ? median_us[r] : NaN
    now_memory[i] = r && q ? median_us[q] : NaN
    tick[i] = sprintf("%d %s", number(s), name[row(s)])
}
copy_us = row_of("ref_memcpy", "") ? median_us[row_of("ref_memcpy", "")] : NaN
now_words = "now: ".DEVICE.", ".SIZE

# --- then

IN = opt_published
if (IN eq "") { IN = system("ls ".quoted(HERE)."data/published/*_".quoted(TOPIC).".tsv 2>/dev/null | head -n 1") }
PANELS = IN eq "" ? 1 : 2
array then_all[n]
array then_memory[n]
do for [i=1:n] { then_all[i] = NaN; then_memory[i] = NaN }
then_words = ""
if (PANELS == 2) {
    fault = file_fault(IN)
    if (fault ne "") { eval refuse(IN.": ".fault) }
    opt_size = ""
    opt_mode = ""
    opt_type = ""
    opt_knobs = ""
    MODES = "published"
    load HERE."rows.gp"
    do for [i=1:n] {
        s = word(SHOWN, i)
        r = row_of(s, "")
        q = row_of(s, "memory-only")
        then_all[i] = r ? median_us[r] : NaN
        then_memory[i] = r && q ? median_us[q] : NaN
    }
    then_words = "then: ".DEVICE.", ".SIZE.(meta("title") eq "" ? "" : ", ".meta("title"))
}

# --- bars: `all` and `memory` become what is drawn of them, in ms or us, no higher than the cut

array all[n]
array memory[n]
array untold[n]
array told_memory[n]
array shown[n]

key_font = text_size(0.8)
bar_font = text_size(n > 20 ? 0.57 : n > 12 ? 0.65 : 0.75)
eval title(TOPIC.": time, and what is left of it without the arithmetic")
set label 1001 NOW_FOOTER at screen 0.985, screen 0.025 right font text_size(0.65) textcolor rgb grey
set lmargin at screen 0.075
set rmargin at screen 0.925
set xrange [0.4:n+0.6]
set xtics scale 0
tics_font = text_size(0.75)
set tics font tics_font

set output OUT
set multiplot
do for [p=1:PANELS] {
    now = p == PANELS
    # Cut above four times what the stage in the middle takes.
    do for [i=1:n] { all[i] = now ? now_all[i] : then_all[i]; memory[i] = now ? now_memory[i] : then_memory[i] }
    told = sum [i=1:n] (known(all[i]))
    middle = NaN
    largest = 0
    do for [i=1:n] {
        below = sum [j=1:n] (all[j] < all[i])
        middle = known(all[i]) && below <= told / 2 && !(middle >= all[i]) ? all[i] : middle
    }
    do for [i=1:n] { largest = all[i] <= 4 * middle && all[i] > largest ? all[i] : largest }
    milli = largest >= 1000
    scale = milli ? 1e-3 : 1
    top = largest * scale * 1.18
    cut = largest * scale * 1.06
    do for [i=1:n] {
        whole = all[i] * scale
        lower = memory[i] * scale
        untold[i] = known(lower) ? NaN : whole > cut ? cut : whole
        shown[i] = known(lower) ? (whole > cut ? cut : whole) : NaN
        memory[i] = known(lower) ? (lower < whole ? lower : whole) : NaN
        told_memory[i] = memory[i]
        memory[i] = memory[i] > cut ? cut : memory[i]
        all[i] = whole
    }
    do for [i=1:n] {
        bar_words = known(all[i]) ? (all[i] > cut ? (n > 20 ? "^" : "^ ") : "").short(all[i]) : now ? now_fault[i] : ""
        height = all[i] > cut ? cut : all[i]
        if (known(all[i])) {
            set label 2000+i bar_words at first i, first height center offset 0,0.6 front font bar_font
            if (known(memory[i]) && memory[i] > 0.115 * top) {
                bar_words = short(told_memory[i])
                set label 3000+i bar_words at first i, first 0 center offset 0,0.6 front font bar_font textcolor rgb "white"
            }
        } else {
            set label 2000+i bar_words at first i, graph 0.04 left rotate by 90 font bar_font textcolor rgb colour(2)
        }
    }
    set yrange [0:top]
    set ylabel (milli ? "ms" : "us") offset 1,0
    set tmargin at screen (now && PANELS == 2 ? 0.46 : 0.82)
    set bmargin at screen (now ? 0.19 : 0.58)
    panel_words = now ? now_words : then_words
    set label 1003 panel_words at graph 0, graph 1.13 left font text_size(0.8) textcolor rgb grey
    if (now && known(copy_us) && copy_us * scale < top) {
        copy_at = copy_us * scale
        set arrow 1 from graph 0, first copy_at to graph 1, first copy_at nohead back lw 1.6 dt 2 lc rgb black
        set label 1004 "memcpy" at graph 1.005, first copy_at left font text_size(0.7)
    }
    set xtics ("" 0)
    do for [i=1:n] { if (now) { set xtics add (tick[i] i) } }
    if (now) { set xtics rotate by -30 left offset -1,-0.2 }
    if (p == 1) { set key at screen 0.97, screen 0.925 right top horizontal Left reverse samplen 1 font key_font } else { unset key }
    plot shown using 1:2:(0.7) with boxes lc rgb colour(2) title "compute", \
         memory using 1:2:(0.7) with boxes lc rgb colour(1) title "memory only", \
         untold using 1:2:(0.7) with boxes fs pattern 4 fc rgb "#BBBBBB" title "not told apart"
    unset label
}
unset multiplot
