# How right is a sum of floats? The error of each stage's sum against n, beside sums that the host made in other orders, in black.
#
# gnuplot -c plots/summation_error.gp IN.tsv OUT.(svg|png|pdf) [knobs=K]
#
# From the rows that `make errors` leaves: mode "check", several seeds a size, max_error being |sum - sum in double|. A curve is the mean over
# the seeds. Values spread evenly over [-1, 1) have a mean square of 1/3, so that their sums are of the order of sqrt(n / 3); errors are in
# units of what rounding a float of that size may lose, 2^-24 sqrt(n / 3). The dotted lines are what all additions together lose at most, were
# their errors random and as large as can be: sqrt(a), where a is the mean number of additions on an element's way into the sum, n / 2 one
# after the other and log2(n) in a tree (after N. J. Higham, T. Mary, SIAM J. Sci. Comput. 42(5), 2020).
dir(path) = path eq "" || path[strlen(path):*] eq "/" ? path : dir(path[1:strlen(path)-1])
SCRIPT = ARG0
HERE = dir(SCRIPT)
OPTIONS = "knobs"
call HERE."style.gp" ARG1 ARG2 ARG3 ARG4 ARG5 ARG6 ARG7 ARG8 ARG9

NEED = "size type seed max_error"
# a sum of a few floats has no error to speak of
draws(r) = type[r] eq "float" && max_error[r] >= 0 && product(size[r]) >= 64
DRAWN = "a max_error of floats, n being 64 or more"
MODES = "check"
ALL_SIZES = 1
ALL_KNOBS = 0
ALL_SEEDS = 1
load HERE."rows.gp"

y(r) = max_error[r] / (2.0**-24 * sqrt(product(size[r]) / 3))
LOG_Y = 1
load HERE."curves.gp"

eval title(TOPIC.": error of float sums, mean of several seeds, against a sum in double")
set ylabel "error / (2^-24 sqrt(n / 3))"
one_after_the_other(n) = sqrt(n / 2)
tree(n) = sqrt(log(n) / log(2))
between(part) = x(small) * (x(large) / x(small))**part
set label "additions one after the other: sqrt(n / 2)" at between(0.42), one_after_the_other(between(0.42)) * 2.2 \
    right font text_size(0.75) textcolor rgb grey
set label "in a tree: sqrt(log2 n)" at between(0.5), tree(between(0.5)) * 1.7 center font text_size(0.75) textcolor rgb grey
set yrange [y_low:(y_high > one_after_the_other(x(large)) ? y_high : one_after_the_other(x(large)) * 1.3)]
set output OUT
eval draw.", one_after_the_other(x) lw 2 dt 3 lc rgb grey, tree(x) lw 2 dt 3 lc rgb grey"
