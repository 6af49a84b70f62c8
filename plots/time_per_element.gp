# Time per element against size: where a curve falls, the launch still costs more than the work; where it is flat, the work is all.
#
# gnuplot -c plots/time_per_element.gp IN.tsv OUT.(svg|png|pdf) [mode=cold|hot] [type=T] [knobs=K]
#
# The elements of a size are the product of its sides.
dir(path) = path eq "" || path[strlen(path):*] eq "/" ? path : dir(path[1:strlen(path)-1])
SCRIPT = ARG0
HERE = dir(SCRIPT)
OPTIONS = "mode type knobs"
call HERE."style.gp" ARG1 ARG2 ARG3 ARG4 ARG5 ARG6 ARG7 ARG8 ARG9

NEED = "size median_us"
draws(r) = median_us[r] > 0
DRAWN = "a median_us"
MODES = "cold hot"
ALL_SIZES = 1
ALL_KNOBS = 0
load HERE."rows.gp"

y(r) = median_us[r] * 1e-6 / product(size[r])
LOG_Y = 1
load HERE."curves.gp"

eval title(TOPIC.": time per element against size")
set ylabel "time per element"
set format y "%.0s %cs"
set output OUT
eval draw
