# The saw-tooth: rate against size, in even steps of sizes that tiles do not divide. A tile that sticks out computes for nothing, and a last wave
# of a few blocks lets the other SMs wait.
#
# gnuplot -c plots/sawtooth.gp IN.tsv OUT.(svg|png|pdf) [mode=cold|hot] [type=T] [knobs=K]
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
LINEAR_X = 1
do for [r=1:N] { l2_bytes[r] = NaN }   # no curve bends there
load HERE."curves.gp"
do for [i=1:words(CURVES)] { dashes[i] = is_reference(word(CURVES, i)) ? dashes[i] : 1 }

eval title(TOPIC.": rate against size, step by step")
set ylabel UNIT
set output OUT
eval draw
