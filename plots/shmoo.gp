# The shmoo plot, as the slides have it: rate against size, one curve a stage, references in black dashes.
#
# gnuplot -c plots/shmoo.gp IN.tsv OUT.(svg|png|pdf) [mode=cold|hot] [type=T] [knobs=K]
dir(path) = path eq "" || path[strlen(path):*] eq "/" ? path : dir(path[1:strlen(path)-1])
SCRIPT = ARG0
HERE = dir(SCRIPT)
OPTIONS = "mode type knobs"
call HERE."style.gp" ARG1 ARG2 ARG3 ARG4 ARG5 ARG6 ARG7 ARG8 ARG9

NEED = "size rate"
draws(r) = rate[r] > 0
DRAWN = "a rate"
MODES = "cold hot"
ALL_SIZES = 1
ALL_KNOBS = 0
load HERE."rows.gp"

y(r) = rate[r]
LOG_Y = 0
load HERE."curves.gp"

eval title(TOPIC.": rate against size")
set ylabel UNIT
set output OUT
eval draw
