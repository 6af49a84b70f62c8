# Curves, with a label beside the end of each. The data above:
#
#   $NAME     x y              a curve; `series` lists the names, `colors` and `widths` belong to them
#   $odd      x y color        hollow points
#   $labels   x y ylabel text color   the end of a curve, and where its label is: labels do not overlap
longest = 0
do for [i = 1:|$labels|] { n = strlen(word($labels[i], 4)); longest = n > longest ? n : longest }
right = 0.985 - letter * (longest + 1)
set lmargin at screen 0.095
set rmargin at screen right
set tmargin at screen 0.80
set bmargin at screen 0.165
set label 5 ytitle at screen 0.015,0.845 left textcolor rgb DARK
set label 6 xtitle at screen 0.5 * (0.095 + right),0.065 center textcolor rgb DARK
if (log_x) {
    set logscale x log_x
    step = log_x ** ceil(log(xmax / xmin) / log(log_x) / 9)
    set xtics log_x ** ceil(log(xmin) / log(log_x) - 1e-9), step
    set format x log_x == 2 ? "%.0b%B" : "%g"
    set xrange [xmin / 1.06 : xmax * 1.12]
} else { set xrange [xmin - 0.02 * (xmax - xmin) : xmax + 0.04 * (xmax - xmin)] }
if (log_y) {
    set logscale y log_y
    set format y unit eq "" ? "%h" : "%.0s %c".unit
}
set yrange [ymin : ymax]
edge = log_x ? xmax * 1.12 : xmax + 0.04 * (xmax - xmin)
if (mark == mark) {
    set arrow 1 from mark, graph 0 to mark, graph 1 nohead dashtype 2 linecolor rgb LINES
    set label 7 mark_text at mark, graph 1 offset 0, 0.6 center textcolor rgb DARK
}
if (mark2 == mark2) {
    set arrow 2 from mark2, graph 0 to mark2, graph 1 nohead dashtype 2 linecolor rgb LINES
    set label 8 mark2_text at mark2, graph 1 offset 0, 0.6 center textcolor rgb DARK
}
curve(i) = '$'.word(series, i)
color(i) = word(colors, i)
is_dotted(i) = word(widths, i) > 2 && int(word(dashes, i)) == 1
draw = ""
do for [i = 1:words(series)] {
    draw = draw.sprintf(", curve(%d) using 1:2 with %s linewidth %s dashtype %s linecolor rgb color(%d) title word(titles, %d)", i, \
        is_dotted(i) ? "linespoints pointtype 7 pointsize point" : "lines", word(widths, i), word(dashes, i), i, i)
}
if (|$odd| > 1) { draw = draw.", $odd using 1:2:3 with points pointtype 6 pointsize 1.4 * point linewidth 1.5 linecolor rgb variable title 'odd sizes'" }
if (|$labels| > 1) { draw = draw.", $labels using 1:2:(edge - $1):($3 - $2):5 with vectors nohead linewidth 0.7 linecolor rgb variable title 'lines to the labels'".\
    ", $labels using (edge):3:4:5 with labels left offset 0.6, 0 textcolor rgb variable title 'labels'" }
eval 'plot'.draw[2:*]
