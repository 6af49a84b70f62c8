# The ladder: the rate of each stage at one size, with what it is measured against.
#
# gnuplot -c plots/ladder.gp IN.tsv OUT.(svg|png|pdf) [size=RxC] [mode=cold|hot] [type=T] [knobs=K] [base=ref_memcpy]
#
# Bars are medians, their whiskers p10 to p90. Dashed lines are the references; the dotted one is the memory's peak at the pins, and only
# in cold runs of a rate in GB/s: what the L2 serves is no share of it. Percentages are of `base`: if not given, ref_memcpy where it was run,
# else the first reference. Of a reference's rows the line is the median; a percentage is of the one in the stage's own run, where that has one.
dir(path) = path eq "" || path[strlen(path):*] eq "/" ? path : dir(path[1:strlen(path)-1])
SCRIPT = ARG0
HERE = dir(SCRIPT)
OPTIONS = "size mode type knobs base"
call HERE."style.gp" ARG1 ARG2 ARG3 ARG4 ARG5 ARG6 ARG7 ARG8 ARG9

NEED = "size rate"
draws(r) = rate[r] > 0
DRAWN = "a rate"
MODES = "cold hot"
ALL_SIZES = 0
ALL_KNOBS = 0
load HERE."rows.gp"

BASE = opt_base ne "" ? opt_base : has_word(REFERENCES, "ref_memcpy") ? "ref_memcpy" : word(REFERENCES, 1)
if (BASE ne "" && (!row(BASE) || !usable(row(BASE)))) { eval lacking(IN.": no row of ".BASE." is ok (".asked.")") }
base_rate = BASE eq "" ? NaN : rate[row(BASE)]

# --- bars

n = words(STAGES)
array height[n]
array low[n]
array high[n]
array base[n]
array fault[n]
same_run = 0
do for [i=1:n] {
    r = row(word(STAGES, i))
    base[i] = beside(r, BASE)
    same_run = same_run || known(base[i])
    base[i] = known(base[i]) ? base[i] : base_rate
    fault[i] = usable(r) ? "" : status[r] eq "ok" ? "no rate" : status[r]
    height[i] = usable(r) ? rate[r] : NaN
    # a long time is a low rate
    low[i] = height[i] * median_us[r] / p90_us[r]
    high[i] = height[i] * median_us[r] / p10_us[r]
}

# --- lines

pins = NaN
do for [r=1:N] { if (keep(r) && known(peak_gbs[r]) && peak_gbs[r] > 0) { pins = peak_gbs[r] } }
draw_pins = known(pins) && UNIT eq "GB/s" && MODE eq "cold"

LABELS = words(REFERENCES) + draw_pins
array line_at[LABELS+1]
array label_text[LABELS+1]
do for [i=1:words(REFERENCES)] {
    line_at[i] = rate[row(word(REFERENCES, i))]
    label_text[i] = plain(word(REFERENCES, i))." ".short(line_at[i])
}
if (draw_pins) { line_at[LABELS] = pins; label_text[LABELS] = "pins ".short(pins) }

top = 0
do for [i=1:n] { top = known(height[i]) && height[i] > top ? height[i] : top }
do for [i=1:LABELS] { top = line_at[i] > top ? line_at[i] : top }
top = top * 1.06

set yrange [0:top]
if (LABELS > 0) {
    array label_at[LABELS]
    do for [i=1:LABELS] { label_at[i] = line_at[i] / top }
    GAP = 0.045
    load HERE."spread.gp"
    longest = 0
    do for [i=1:LABELS] {
        longest = strlen(label_text[i]) > longest ? strlen(label_text[i]) : longest
        is_pins = draw_pins && i == LABELS
        line_colour = is_pins ? grey : black
        line_dash = is_pins ? 3 : 2
        set arrow from graph 0, first line_at[i] to graph 1, first line_at[i] nohead front lw 1.6 dt line_dash lc rgb line_colour
        set arrow from graph 1, first line_at[i] to graph 1.012, graph label_y[i] nohead lw 0.7 lc rgb line_colour
        set label label_text[i] at graph 1.016, graph label_y[i] left font text_size(0.85) textcolor rgb line_colour
    }
    set rmargin room(longest)
}

# --- text: in the foot of a bar, over it where the bar is too short

# the narrower the bars the fewer the digits
share(v) = n > 14 ? sprintf("%.0f%%", 100 * v) : percent(v)
bar_font = text_size(n > 14 ? 0.58 : n > 11 ? 0.7 : 0.9)
line_height = n > 8 ? 0.04 : 0.045
tall(i) = height[i] / top > 2.6 * line_height
foot(i, k) = ((tall(i) ? 0 : height[i] / top) + (k - 0.35) * line_height) * top
do for [i=1:n] {
    if (fault[i] ne "") {
        set label fault[i] at i, graph 0.02 left rotate by 90 font bar_font textcolor rgb colour(2) front
    } else {
        text_colour = tall(i) ? "white" : black
        set label short(height[i]) at i, first foot(i, 2) center font bar_font textcolor rgb text_colour front
        if (known(base_rate)) {
            set label share(height[i] / base[i]) at i, first foot(i, 1) center font bar_font textcolor rgb text_colour front
        }
    }
}

eval title(TOPIC.": rate of each stage".(known(base_rate) ? ", and its share of ".plain(BASE).(same_run ? " in the same run" : "") : ""))
set ylabel UNIT
load HERE."stage_tics.gp"

set output OUT
plot height using 1:2:(n > 11 ? 0.88 : 0.78) with boxes lc rgb colour(1), \
     height using 1:(low[$1]):(0):(high[$1]-low[$1]) with vectors heads size 0.08,90 lw 1.5 lc rgb black
