# How right is a product? The largest error of any element against the length of its sums, for each stage and reference.
#
# gnuplot -c plots/accuracy.gp IN.tsv OUT.(svg|png|pdf) [mode=cold|check] [type=T] [knobs=K]
#
# max_error is |C - C in double| at its worst; K is the last side of the size. With values spread evenly over [-1, 1) the products of an element
# have a mean |a b| of 1/4, so that sum |a| |b| is about K / 4, and errors are shown as a share of that. The dotted line is 2^-24, what rounding
# one float loses at most.
dir(path) = path eq "" || path[strlen(path):*] eq "/" ? path : dir(path[1:strlen(path)-1])
SCRIPT = ARG0
HERE = dir(SCRIPT)
OPTIONS = "mode type knobs"
call HERE."style.gp" ARG1 ARG2 ARG3 ARG4 ARG5 ARG6 ARG7 ARG8 ARG9

NEED = "size max_error"
draws(r) = max_error[r] > 0
DRAWN = "a max_error"
MODES = "cold check"
ALL_SIZES = 1
ALL_KNOBS = 0
ANY_ARITHMETIC = 1
load HERE."rows.gp"

y(r) = max_error[r] / (last_side(size[r]) / 4)
LOG_Y = 1
BY_LAST = 1
do for [r=1:N] { l2_bytes[r] = NaN }   # nothing to do with errors
load HERE."curves.gp"

eval title(TOPIC.": largest error, as a share of sum |a| |b|")
# M and N of the rows shown, "512x512x", if they are the same in all.
others(s) = s[1:strlen(s)-strlen(sprintf("%.0f", last_side(s)))]
alike = sum [r=1:N] (shown(r) && others(size[r]) ne others(size[small])) == 0
set xlabel alike ? "K, of ".others(size[small])."K" : "K"
set ylabel "max |error| / (K / 4)"
set format y "%.0e"
y_low = y_low < 1e-8 ? y_low : 1e-8
y_high = y_high > 1e-6 ? y_high : 1e-6
set yrange [y_low:y_high]
set arrow from graph 0, first 2.0**-24 to graph 1, first 2.0**-24 nohead back lw 1.6 dt 3 lc rgb grey
set label "2^-24" at graph 0.01, first 2.0**-24 left offset 0,-0.6 font text_size(0.75) textcolor rgb grey
set output OUT
eval draw
