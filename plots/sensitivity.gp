# What other blocks and other pitches cost: the time of each setting as a multiple of the same stage's as its file has it, with and without the
# arithmetic. Beside it, what the slides published.
#
# gnuplot -c plots/sensitivity.gp IN.tsv OUT.(svg|png|pdf) [published=FILE] [size=RxC] [mode=cold|hot] [type=T]
#
# From the rows with knobs or a pitch (make sensitivity), and those of stage and variant that they are multiples of. FILE is
# plots/data/published/*_TOPIC.tsv if not given; its pitch, which the slides do not tell, is shown beside the first of this run.
dir(path) = path eq "" || path[strlen(path):*] eq "/" ? path : dir(path[1:strlen(path)-1])
SCRIPT = ARG0
HERE = dir(SCRIPT)
OPTIONS = "published size mode type"
call HERE."style.gp" ARG1 ARG2 ARG3 ARG4 ARG5 ARG6 ARG7 ARG8 ARG9

NEED = "size knobs variant median_us"
draws(r) = median_us[r] > 0 && !strstrt(variant[r], "rules=") && !strstrt(variant[r], "kernel=") && !strstrt(variant[r], "image=")
DRAWN = "a time"
ALL_SIZES = 0
ALL_VARIANTS = 1
opt_knobs = ""

fits_here(r) = keep(r) && usable(r)
pitch_of(r) = (at = strstrt(variant[r], "pitch=")) ? word(variant[r][at:*], 1) : ""
without_arithmetic(r) = has_word(variant[r], "memory-only")
# what it costs with these knobs and this pitch; NaN where that was not measured
cost_of(s, k, p, twin) = (last = NaN, sum [r=1:N] (fits_here(r) && stage[r] eq s && knobs[r] eq k && pitch_of(r) eq p \
    && without_arithmetic(r) == twin ? (last = median_us[r], 1) : 0), last)
multiple(s, k, p, twin) = cost_of(s, k, p, twin) / cost_of(s, "", "", twin)

# --- now: the settings, in the order of the table

MODES = "cold hot"
ALL_KNOBS = 0
load HERE."rows.gp"
# Builds with knobs as well as those without.
fits(r) = 1
found = 0
array stage_of[N]
array knobs_of[N]
array pitch_at[N]
array now_full[N]
array now_twin[N]
array then_full[N]
array then_twin[N]
do for [r=1:N] {
    if (fits_here(r) && !is_reference(stage[r]) && (knobs[r] ne "" || pitch_of(r) ne "")) {
        known_already = sum [i=1:found] (stage_of[i] eq stage[r] && knobs_of[i] eq knobs[r] && pitch_at[i] eq pitch_of(r))
        if (!known_already && multiple(stage[r], knobs[r], pitch_of(r), 0) > 0) {
            found = found + 1
            stage_of[found] = stage[r]
            knobs_of[found] = knobs[r]
            pitch_at[found] = pitch_of(r)
            now_full[found] = multiple(stage[r], knobs[r], pitch_of(r), 0)
            now_twin[found] = multiple(stage[r], knobs[r], pitch_of(r), 1)
        }
    }
}
if (found == 0) { eval lacking(IN.": no row with knobs or a pitch, and one without to compare it with (".asked.")") }
n = found
NOW = DEVICE
NOW_FOOTER = FOOTER

# --- then

IN = opt_published
if (IN eq "") { IN = system("ls ".quoted(HERE)."data/published/*_".quoted(TOPIC).".tsv 2>/dev/null | head -n 1") }
THEN = ""
do for [i=1:n] { then_full[i] = NaN; then_twin[i] = NaN }
if (IN ne "") {
    fault = file_fault(IN)
    if (fault ne "") { eval refuse(IN.": ".fault) }
    opt_size = ""
    opt_mode = ""
    opt_type = ""
    MODES = "published"
    load HERE."rows.gp"
    fits(r) = 1
    do for [i=1:n] {
        earlier = sum [j=1:i-1] (stage_of[j] eq stage_of[i] && pitch_at[j] ne "")
        then_pitch = pitch_at[i] eq "" ? "" : earlier ? "none" : "pitch=unaligned"
        then_full[i] = multiple(stage_of[i], knobs_of[i], then_pitch, 0)
        then_twin[i] = multiple(stage_of[i], knobs_of[i], then_pitch, 1)
    }
    THEN = DEVICE
    set label 1004 "then: ".DEVICE.", ".SIZE.(meta("title") eq "" ? "" : ", ".meta("title")) at screen 0.985, screen 0.055 right \
        font text_size(0.65) textcolor rgb grey
}

# --- bars

top = 1
do for [i=1:n] { do for [v in sprintf("%e %e %e %e", now_full[i], now_twin[i], then_full[i], then_twin[i])] { top = v + 0 > top ? v + 0 : top } }
top = top * 1.15
set xrange [0.4:n+0.6]
set yrange [0:top]
set format y "%gx"
set xtics scale 0
set xtics ("" 0)
bar_font = text_size(n > 6 ? 0.5 : 0.6)
tics_font = text_size(0.75)
set xtics font tics_font
lines_of(s) = words(s) < 2 ? s : word(s, 1)."\n".lines_of(s[strlen(word(s, 1))+2:*])
do for [i=1:n] {
    setting = stage_of[i]."\n".lines_of(knobs_of[i].(knobs_of[i] ne "" && pitch_at[i] ne "" ? " " : "").pitch_at[i])
    set xtics add (setting i)
}
set bmargin 7
set tmargin 4.6
key_font = text_size(0.8)
set key at graph 0, graph 1.12 left top horizontal Left reverse samplen 1 font key_font
set arrow from graph 0, first 1 to graph 1, first 1 nohead front lw 1.6 dt 2 lc rgb black
set label 1001 NOW_FOOTER at screen 0.985, screen 0.025 right font text_size(0.65) textcolor rgb grey
set ylabel "time, of that of the file's setting"
eval title(TOPIC.": what other blocks and pitches cost")
of_bar(i, bar) = bar == 1 ? then_full[i] : bar == 2 ? then_twin[i] : bar == 3 ? now_full[i] : now_twin[i]
do for [i=1:n] {
    do for [bar=1:4] {
        height = of_bar(i, bar)
        bar_words = sprintf("%.2f", height)
        bar_at = i - 0.5 + 0.2 * bar
        if (known(height)) { set label bar_words at first bar_at, first height center offset 0,0.6 front font bar_font }
    }
}
set output OUT
plot for [bar=1:4] now_full using ($1 <= n ? $1 - 0.5 + 0.2 * bar : NaN):(of_bar($1, bar)):(0.19) with boxes \
    fs pattern (bar % 2 ? 3 : 5) fc rgb colour(bar < 3 ? 5 : 1) \
    title (bar < 3 ? "then: ".THEN : "now: ".NOW).(bar % 2 ? "" : ", memory only")
