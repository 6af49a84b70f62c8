# What a stride costs: the words that a warp uses against what is moved for them, for strides from 1 on.
#
# gnuplot -c plots/access.gp IN.tsv OUT.(svg|png|pdf)
#
# From the rows of demo_access that have a stride. Timed ones are GB/s: of the words used, of the sectors asked for in the same time, and of what
# DRAM moved where a profiler counted that (dram_bytes). From the CPU device, which times nothing, it is bytes moved for each word of 4.
dir(path) = path eq "" || path[strlen(path):*] eq "/" ? path : dir(path[1:strlen(path)-1])
SCRIPT = ARG0
HERE = dir(SCRIPT)
OPTIONS = ""
call HERE."style.gp" ARG1 ARG2 ARG3 ARG4 ARG5 ARG6 ARG7 ARG8 ARG9

load HERE."plain_table.gp"
do for [c in "mode status stride used_bytes moved_bytes"] {
    if (!has_column(c)) { eval refuse(IN.": has no column '".c."'") }
}

timed = 0
counted = 0
profiled = 0
first_used = NaN
least = 1e9
most = 0
top = 0
week = ""
is_ok(row) = strcol("status") eq "ok" && column("stride") > 0
stats IN using (is_ok(0) ? (week = strcol("week"), least = column("stride") < least ? column("stride") : least, \
    most = column("stride") > most ? column("stride") : most, timed = timed + (strcol("mode") eq "cold"), \
    counted = counted + (strcol("mode") eq "count")) : 0, 1) nooutput
if (timed + counted == 0) { eval lacking(IN.": no row is ok and has a stride") }
if (most == least) { eval lacking(IN.": only the one stride ".sprintf("%d", most).": a curve needs at least two") }
MODE = timed ? "cold" : "count"
shown(row) = is_ok(0) && strcol("mode") eq MODE
if (timed) {
    if (!has_column("rate")) { eval refuse(IN.": has no column 'rate'") }
    if (has_column("dram_bytes")) {
        stats IN using (shown(0) && column("dram_bytes") > 0 ? (profiled = profiled + 1) : 0, 1) nooutput
    }
}
# GB/s of so many bytes in the time that the used ones took; or bytes for a word of 4.
y(bytes) = timed ? column("rate") * bytes / column("used_bytes") : 4 * bytes / column("used_bytes")

# --- curves: what, by which column, in which colour; each with its name at its end

CURVES = "moved_bytes ".(profiled ? "dram_bytes " : "")."used_bytes"
n = words(CURVES)
array tint[n]
array mark[n]
array end[n]
LABELS = n
array label_text[n]
array label_at[n]
do for [i=1:n] {
    bytes = word(CURVES, i)
    stats IN using (shown(0) ? (v = y(column(bytes)), top = v > top ? v : top, column("stride") == most ? (end[i] = v) : 0) : 0, 1) nooutput
    tint[i] = colour(bytes eq "used_bytes" ? 1 : bytes eq "moved_bytes" ? 5 : 3)
    mark[i] = point(i)
    label_text[i] = bytes eq "used_bytes" ? "used" : bytes eq "moved_bytes" ? "moved, in sectors" : "moved by DRAM"
}
top = top * 1.08
do for [i=1:n] { label_at[i] = end[i] / top }
GAP = 0.05
load HERE."spread.gp"
do for [i=1:n] {
    line_colour = tint[i]
    set arrow from first most, first end[i] to graph 1.02, graph label_y[i] nohead back lw 0.7 lc rgb line_colour
    set label label_text[i] at graph 1.024, graph label_y[i] left font text_size(0.8) textcolor rgb line_colour
}
set rmargin room(17)

# --- axes

set logscale x 2
set format x "%g"
set xrange [least/1.06:most*1.06]
set xlabel "stride, in words of 4 bytes"
set ylabel timed ? "GB/s" : "bytes moved for each word"
set yrange [0:top]
set lmargin 10
set arrow from 8, graph 0 to 8, graph 1 nohead back lw 1.5 dt 3 lc rgb grey
set label "a sector for each word" at 8, graph 1.03 center font text_size(0.75) textcolor rgb grey
also(s) = s eq "" ? "" : " | ".s
FOOTER = (meta("device") eq "" ? "unknown device" : meta("device")).also(meta("cuda") eq "" ? "" : "CUDA ".meta("cuda")).also(meta("date")).also(MODE)
set label 1001 FOOTER at screen 0.985, screen 0.025 right font text_size(0.65) textcolor rgb grey
topic = (at = strstrt(week, "_")) ? week[at+1:*] : week
eval title(topic.": reading with a stride")

set output OUT
plot for [i=1:n] IN using (shown(0) ? column("stride") : NaN):(y(column(word(CURVES, i)))) with linespoints lw 2 pt mark[i] \
    ps (ending eq ".svg" ? 0.6 : 0.9) lc rgb tint[i]
