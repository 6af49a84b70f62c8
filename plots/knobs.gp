# The two-knob map, the other meaning of "shmoo": a cell for each setting of two knobs, coloured by its rate; what failed is hatched.
#
# gnuplot -c plots/knobs.gp IN.tsv OUT.(svg|png|pdf) [stage=stage4] [size=RxC] [mode=cold|hot|count] [type=T] [count=COLUMN]
#
# The rows are those with knobs set, "TILE=32 ROWS=8": the first goes along x, the second along y where there are two. Without `stage`, the
# stage with most such rows. The CPU device times nothing: there the colour is a count, shared_wavefronts or the one given, and less is better.
dir(path) = path eq "" || path[strlen(path):*] eq "/" ? path : dir(path[1:strlen(path)-1])
SCRIPT = ARG0
HERE = dir(SCRIPT)
OPTIONS = "stage size mode type count"
call HERE."style.gp" ARG1 ARG2 ARG3 ARG4 ARG5 ARG6 ARG7 ARG8 ARG9

COUNTS = "ld_requests ld_sectors st_requests st_sectors shared_requests shared_wavefronts"
COUNT = opt_count eq "" ? "shared_wavefronts" : opt_count
if (!has_word(COUNTS, COUNT)) { eval refuse("'count=".COUNT."': the counts are ".COUNTS) }
NEED = "size knobs ".(opt_count eq "" ? "" : opt_count)
eval "v(r) = mode[r] eq 'count' ? ".COUNT."[r] : rate[r]"
draws(r) = (words(knobs[r]) == 1 || words(knobs[r]) == 2) && v(r) > 0
DRAWN = "one or two knobs and a rate or a ".COUNT
MODES = "cold hot count"
ALL_SIZES = 0
ALL_KNOBS = 1
load HERE."rows.gp"

# --- stage, knobs and their values

knob_name(s) = s[1:strstrt(s, "=")-1]
knob_value(s, knob) = (at = strstrt(" ".s, " ".knob."=")) ? word(s[at+strlen(knob)+1:*], 1) : ""
STAGE = ""
most = 0
do for [s in STAGES] {
    rows = sum [r=1:N] (keep(r) && stage[r] eq s)
    if (rows > most) { most = rows; STAGE = s }
}
first_row = 0
do for [r=N:1:-1] { if (usable(r) && stage[r] eq STAGE) { first_row = r } }
if (!first_row) { eval lacking(IN.": ".STAGE.": no row with knobs is ok (".asked.")") }
X = knob_name(word(knobs[first_row], 1))
Y = words(knobs[first_row]) == 2 ? knob_name(word(knobs[first_row], 2)) : ""
x_value(r) = knob_value(knobs[r], X)
y_value(r) = Y eq "" ? "-" : knob_value(knobs[r], Y)
cell(r) = keep(r) && stage[r] eq STAGE && words(knobs[r]) == words(knobs[first_row]) && x_value(r) ne "" && y_value(r) ne ""

numeric(s) = only_of(s, "0123456789") ? s + 0 : 0

# Distinct values, in order: a column each, whatever lies between them.
xs = ""
ys = ""
do for [axis=1:2] {
    do for [step=1:N] {
        smallest = ""
        do for [r=1:N] {
            if (cell(r)) {
                setting = axis == 1 ? x_value(r) : y_value(r)
                if (!has_word(axis == 1 ? xs : ys, setting) && (smallest eq "" || numeric(setting) < numeric(smallest))) { smallest = setting }
            }
        }
        if (smallest eq "") { break }
        if (axis == 1) { xs = xs." ".smallest } else { ys = ys." ".smallest }
    }
}
place(list, v) = sum [i=1:words(list)] (word(list, i) eq v ? i : 0)
cx(r) = cell(r) ? place(xs, x_value(r)) : NaN
cy(r) = cell(r) ? place(ys, y_value(r)) : NaN

# --- map

# viridis, by a few stops: gnuplot 5.4 has no name for it
set palette defined (0 "#440154", 1 "#414487", 2 "#2A788E", 3 "#22A884", 4 "#7AD151", 5 "#FDE725")
counted = MODE eq "count"
best = first_row
largest = v(first_row)
do for [r=1:N] {
    if (cell(r) && usable(r)) {
        best = counted ? (v(r) < v(best) ? r : best) : v(r) > v(best) ? r : best
        largest = v(r) > largest ? v(r) : largest
    }
}
set cbrange [0:largest]
set format cb counted ? "%.0s%c" : "%.0f"
set cblabel (counted ? COUNT : UNIT) offset 2.5,0
set xrange [0.5:words(xs)+0.5]
set yrange [0.5:words(ys)+0.5]
unset grid
set tics scale 0
set xtics ("" 0)
set ytics ("" 0)
do for [i=1:words(xs)] { set xtics add (word(xs, i) i) }
do for [i=1:words(ys)] { set ytics add ((Y eq "" ? "" : word(ys, i)) i) }
set xlabel X
set ylabel Y
set rmargin 15

crowd = words(xs) > words(ys) ? words(xs) : words(ys)
cell_font = text_size(crowd > 10 ? 0.6 : crowd > 6 ? 0.8 : 1)
do for [r=1:N] {
    if (cell(r)) {
        cell_text = usable(r) ? (counted ? gprintf("%.1s%c", v(r)) : short(v(r))) : status[r] eq "ok" ? "unknown" : status[r]
        text_colour = usable(r) && v(r) < 0.6 * largest ? "white" : black
        set label cell_text at cx(r), cy(r) center front font cell_font textcolor rgb text_colour
    }
}

eval title(TOPIC.", ".STAGE." ".name[first_row].": ".(counted ? COUNT : "rate")." by ".X.(Y eq "" ? "" : " and ".Y))
good(r) = cell(r) && usable(r) ? cx(r) : NaN
bad(r) = cell(r) && !usable(r) ? cx(r) : NaN
set output OUT
plot rate using (good($1)):(cy($1)):(cx($1)-0.48):(cx($1)+0.48):(cy($1)-0.48):(cy($1)+0.48):(v($1)) with boxxyerror fc palette, \
     latest using (bad($1)):(cy($1)):(cx($1)-0.48):(cx($1)+0.48):(cy($1)-0.48):(cy($1)+0.48) with boxxyerror fs pattern 4 fc rgb "#BBBBBB", \
     "+" using (cx(best)):(cy(best)):(cx(best)-0.48):(cx(best)+0.48):(cy(best)-0.48):(cy(best)+0.48) every ::::0 \
         with boxxyerror lc rgb black lw 3 fs empty border rgb black
