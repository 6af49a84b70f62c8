# What each stage would ask of the memory of each generation of GPUs: transactions or sectors for 1000 pixels, and the bytes that they move as a
# multiple of those that the problem needs.
#
# gnuplot -c plots/generations.gp IN.tsv OUT.(svg|png|pdf) [size=RxC] [type=T] [knobs=K]
#
# From rows of mode "count" of the CPU device with --rules (variant "rules=1.1"), and those without, which are of 9.0. What textures fetch is not
# counted so, and their stages are marked.
dir(path) = path eq "" || path[strlen(path):*] eq "/" ? path : dir(path[1:strlen(path)-1])
SCRIPT = ARG0
HERE = dir(SCRIPT)
OPTIONS = "size type knobs"
call HERE."style.gp" ARG1 ARG2 ARG3 ARG4 ARG5 ARG6 ARG7 ARG8 ARG9

NEED = "size variant bytes ld_sectors st_sectors ld_bytes st_bytes"
capability(r) = variant[r] eq "" ? "9.0" : variant[r][1:6] eq "rules=" && words(variant[r]) == 1 ? variant[r][7:*] : ""
draws(r) = capability(r) ne "" && ld_sectors[r] + st_sectors[r] > 0 && ld_bytes[r] + st_bytes[r] > 0
DRAWN = "sectors and the bytes that they move"
MODES = "count"
ALL_SIZES = 0
ALL_KNOBS = 0
ALL_VARIANTS = 1
load HERE."rows.gp"

# The capabilities that there are, oldest first.
RULES = ""
do for [c in "1.0 1.1 1.2 1.3 2.0 2.1 3.0 3.5 3.7 5.0 5.2 6.0 6.1 7.0 7.5 8.0 8.6 8.9 9.0"] {
    if (sum [r=1:N] (keep(r) && usable(r) && capability(r) eq c)) { RULES = RULES." ".c }
}
m = words(RULES)
if (m < 2) { eval lacking(IN.": only the rules of".RULES.": generations are compared with --rules") }

n = words(STAGES)
row_of(s, c) = (last = 0, sum [r=1:N] (keep(r) && usable(r) && stage[r] eq s && capability(r) eq c ? (last = r, 1) : 0), last)
array asked_for[m*n]
array moved[m*n]
array textures[n]
lowest_asked = 1e9
highest_asked = 0
lowest_moved = 1e9
highest_moved = 0
do for [i=1:n] {
    textures[i] = NaN
    do for [k=1:m] {
        r = row_of(word(STAGES, i), word(RULES, k))
        bar = m * (i - 1) + k
        asked_for[bar] = r ? 1000 * (ld_sectors[r] + st_sectors[r]) / product(size[r]) : NaN
        moved[bar] = r ? (ld_bytes[r] + st_bytes[r]) / bytes[r] : NaN
        textures[i] = r && tex_requests[r] > 0 ? 1 : textures[i]
        lowest_asked = asked_for[bar] < lowest_asked ? asked_for[bar] : lowest_asked
        highest_asked = asked_for[bar] > highest_asked ? asked_for[bar] : highest_asked
        lowest_moved = moved[bar] < lowest_moved ? moved[bar] : lowest_moved
        highest_moved = moved[bar] > highest_moved ? moved[bar] : highest_moved
    }
}
# Where the one of number `bar` is along x, if it is of the k-th rules. On these axes there is no 0 for bars to start from.
of_rules(bar, k) = int(bar - 1) % m == k - 1 ? int((bar - 1) / m) + 1 - 0.36 + 0.72 / m * (k - 0.5) : NaN
tint(k) = colour(word("2 5 3 1 4 6", int(k - 1) % 6 + 1) + 0)

set lmargin at screen 0.09
set rmargin at screen 0.97
set xrange [0.4:n+0.6]
set xtics scale 0
tics_font = text_size(0.8)
set tics font tics_font
set logscale y 10
set format y "%g"
eval title(TOPIC.": what the memory of each generation is asked for")
key_font = text_size(0.8)
set output OUT
set multiplot

set tmargin at screen 0.84
set bmargin at screen 0.56
lowest = lowest_asked / 2
highest = highest_asked * 2
set yrange [lowest:highest]
set ylabel "for 1000 pixels" font text_size(0.75) offset 1.5,0
point_size = ending eq '.svg' ? 0.6 : 1.3
set xtics ("" 0)
set key at screen 0.97, screen 0.925 right top horizontal Left reverse samplen 1 font key_font
plot for [k=1:m] asked_for using (of_rules($1, k)):2 with impulses lw 2 lc rgb tint(k) notitle, \
     for [k=1:m] asked_for using (of_rules($1, k)):2 with points pt point(k) ps point_size lc rgb tint(k) \
         title word(RULES, k).(word(RULES, k) < 3 ? ", transactions" : ", sectors")

unset label
unset key
set tmargin at screen 0.48
lowest = lowest_moved < 1 ? lowest_moved / 1.5 : 0.7
highest = highest_moved * 1.5
set yrange [lowest:highest]
set ylabel "bytes moved / needed" font text_size(0.75)
load HERE."stage_tics.gp"
set bmargin at screen (slanted ? 0.2 : 0.17)
set arrow from graph 0, first 1 to graph 1, first 1 nohead front lw 1.6 dt 2 lc rgb black
do for [i=1:n] {
    if (known(textures[i])) { set label "+ textures" at first i, graph 0.97 right rotate by 90 front font text_size(0.65) textcolor rgb grey }
    if (!(sum [k=1:m] (known(moved[m*(i-1)+k])))) {
        fault = status[row(word(STAGES, i))]
        fault = fault eq "ok" ? "not counted" : fault
        set label fault at i, graph 0.04 left rotate by 90 font text_size(0.7) textcolor rgb colour(2)
    }
}
plot for [k=1:m] moved using (of_rules($1, k)):2 with impulses lw 2 lc rgb tint(k), \
     for [k=1:m] moved using (of_rules($1, k)):2 with points pt point(k) ps point_size lc rgb tint(k)
unset multiplot
