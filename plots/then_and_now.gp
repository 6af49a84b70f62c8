# Then and now: a table that the slides published beside this run, each as a share, or a multiple, of its own baseline.
#
# gnuplot -c plots/then_and_now.gp IN.tsv OUT.(svg|png|pdf) [published=FILE] [size=RxC] [mode=cold|hot] [type=T] [knobs=K]
#
# FILE is a TSV with the same column names, of mode "published"; `# base:` names the stage that is the whole, `# title:` the source in short.
# If not given, it is plots/data/published/*_TOPIC.tsv, the topic being IN's week. Without `size`, the published one where IN has it.
dir(path) = path eq "" || path[strlen(path):*] eq "/" ? path : dir(path[1:strlen(path)-1])
SCRIPT = ARG0
HERE = dir(SCRIPT)
OPTIONS = "published size mode type knobs"
call HERE."style.gp" ARG1 ARG2 ARG3 ARG4 ARG5 ARG6 ARG7 ARG8 ARG9

NEED = "size rate"
draws(r) = rate[r] > 0
DRAWN = "a rate"
ALL_SIZES = 0
ALL_KNOBS = 0

# --- then

MODES = "cold hot"
load HERE."rows.gp"
now = IN
IN = opt_published
if (IN eq "") { IN = system("ls ".quoted(HERE)."data/published/*_".quoted(TOPIC).".tsv 2>/dev/null | head -n 1") }
if (IN eq "") { eval lacking(now.": no table in plots/data/published/ for ".WEEK) }
fault = file_fault(IN)
if (fault ne "") { eval refuse(IN.": ".fault) }

asked_size = opt_size
asked_mode = opt_mode
asked_type = opt_type
asked_knobs = opt_knobs
opt_size = ""
opt_mode = ""
opt_type = ""
opt_knobs = ""
MODES = "published"
load HERE."rows.gp"
THEN_STAGES = STAGES
THEN_SIZE = SIZE
THEN_UNIT = UNIT
THEN_DEVICE = DEVICE
THEN_TITLE = meta("title")
BASE = meta("base") eq "" ? word(STAGES, 1) : meta("base")
if (!row(BASE)) { eval lacking(IN.": no row of ".BASE.", its base") }
n = words(STAGES)
array then_rate[n]
array tick[n]
do for [i=1:n] {
    r = row(word(STAGES, i))
    then_rate[i] = rate[r]
    tick[i] = stage[r].(name[r] eq "" ? "" : "\n".name[r])
}
then_base = rate[row(BASE)]
base_name = name[row(BASE)]

# --- now

IN = now
opt_size = asked_size
opt_mode = asked_mode
opt_type = asked_type
opt_knobs = asked_knobs
MODES = "cold hot"
load HERE."rows.gp"
if (opt_size eq "" && (sum [r=1:N] (usable(r) && size[r] eq THEN_SIZE && stage[r] eq BASE))) {
    opt_size = THEN_SIZE
    load HERE."rows.gp"
}
if (!row(BASE) || !usable(row(BASE))) { eval lacking(IN.": no row of ".BASE." that is ok (".asked.")") }
now_base = rate[row(BASE)]
array now_rate[n]
array fault[n]
do for [i=1:n] {
    r = row(word(THEN_STAGES, i))
    fault[i] = r == 0 ? "not run" : usable(r) ? "" : status[r] eq "ok" ? "no rate" : status[r]
    now_rate[i] = r > 0 && usable(r) ? rate[r] : NaN
}

# --- bars

top = 1
do for [i=1:n] {
    top = then_rate[i] / then_base > top ? then_rate[i] / then_base : top
    top = now_rate[i] / now_base > top ? now_rate[i] / now_base : top
}
# Where stages are many times their base, in multiples of it, with the text over the bars, as the line at 1 would strike it out.
many = top > 2.5
times(v) = many ? sprintf("%.1fx", v) : percent(v)
narrow = n > 5
units(v, unit_of) = short(v).(narrow ? "" : " ".unit_of)
top = top * (many ? 1.15 : 1.06)
bar_font = text_size(narrow ? 0.65 : 0.78)
line_height = 0.045
do for [i=1:n] {
    do for [side_of=1:2] {
        v = side_of == 1 ? then_rate[i] : now_rate[i]
        height = v / (side_of == 1 ? then_base : now_base)
        x_bar = i + (side_of == 1 ? -0.21 : 0.21)
        if (known(v)) {
            tall = !many && height / top > 2.6 * line_height
            text_colour = tall && side_of == 2 ? "white" : black
            under = tall ? 0 : many && height <= 1 ? 1 : height
            set label times(height) at x_bar, first under+1.65*line_height*top center font bar_font textcolor rgb text_colour front
            set label units(v, side_of == 1 ? THEN_UNIT : UNIT) at x_bar, first under+0.65*line_height*top \
                center font bar_font textcolor rgb text_colour front
        } else {
            set label fault[i] at x_bar, graph 0.02 left rotate by 90 font bar_font textcolor rgb colour(2) front
        }
    }
}

set xrange [0.4:n+0.6]
set yrange [0:top]
if (many) {
    set format y "%gx"
} else {
    set ytics ("0" 0)
    # a tick label is a format itself: %% twice
    do for [k=1:int(top*5)] { set ytics add (sprintf("%d%%%%", 20 * k) 0.2 * k) }
}
set xtics scale 0
set xtics ("" 0)
do for [i=1:n] { set xtics add (tick[i] i) }
set arrow from graph 0, first 1 to graph 1, first 1 nohead front lw 1.6 dt 2 lc rgb black
set ylabel (many ? "multiple" : "share")." of its own ".base_name
eval title(TOPIC.": then and now, each as a ".(many ? "multiple" : "share")." of its own ".base_name)
set label "then: ".THEN_DEVICE.", ".THEN_SIZE.(THEN_TITLE eq "" ? "" : ", ".THEN_TITLE) at screen 0.985, screen 0.055 right font text_size(0.65) textcolor rgb grey
key_font = text_size(0.85)
set tmargin 4.6
set key at graph 0, graph 1.1 left top horizontal Left reverse samplen 1 font key_font

set output OUT
plot then_rate using ($1-0.21):($2/then_base):(0.4) with boxes lc rgb colour(5) title "then: ".THEN_DEVICE.(narrow ? ", ".THEN_UNIT : ""), \
     now_rate using ($1+0.21):($2/now_base):(0.4) with boxes lc rgb colour(1) title "now: ".DEVICE.(narrow ? ", ".UNIT : "")
