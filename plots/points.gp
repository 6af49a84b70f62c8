# Points below roofs, on logarithmic axes. The data above:
#
#   $points   x y pointtype color what
#   $links    x y x y color            lines between the points of one stage; references are lines across
#   $roofs    x y x y slope place text
#   $labels   x y ylabel text color    a point, and where its label is: labels do not overlap
longest = 0
do for [i = 1:|$labels|] { n = strlen(word($labels[i], 4)); longest = n > longest ? n : longest }
right = 0.985 - letter * (longest + 2)
left = 0.16
top = 0.85
bottom = 0.165
set lmargin at screen left
set rmargin at screen right
set tmargin at screen top
set bmargin at screen bottom
set label 6 xtitle at screen 0.5 * (left + right), 0.065 center textcolor rgb DARK
set logscale xy 10
set xrange [xmin : xmax]
set yrange [ymin : ymax]
set format x "%h"
set format y "%.0s %c".unit
# a roof's text is along it
angle(slope) = atan2(slope * (top - bottom) * 9 / log10(ymax / ymin), (right - left) * 16 / log10(xmax / xmin)) * 180 / pi
do for [i = 2:|$roofs|] {
    x1 = word($roofs[i], 1) + 0; y1 = word($roofs[i], 2) + 0
    x2 = word($roofs[i], 3) + 0; y2 = word($roofs[i], 4) + 0
    slope = word($roofs[i], 5) + 0; at = word($roofs[i], 6) + 0
    set arrow i from x1, y1 to x2, y2 nohead linewidth 1.5 linecolor rgb BLACK
    a = angle(slope)
    if (slope == 0) { set label 20 + i word($roofs[i], 7) at x2, y2 right offset -0.5, 0.6; continue }
    set label 20 + i word($roofs[i], 7) at x1 * (x2 / x1) ** at, y1 * (y2 / y1) ** at center rotate by a offset -0.6 * sin(a / 57.3), 0.6 * cos(a / 57.3)
}
draw = "plot $points using 1:2:3:4 with points pointtype variable pointsize 1.5 * point linewidth 1.5 linecolor rgb variable title 'points'"
if (|$links| > 1) { draw = draw.", $links using 1:2:($3 - $1):($4 - $2):5 with vectors nohead linewidth 1.5 linecolor rgb variable title 'lines'" }
if (|$labels| > 1) { draw = draw.", $labels using 1:2:(xmax - $1):($3 - $2):5 with vectors nohead linewidth 0.5 dashtype 3 linecolor rgb variable title 'lines to the labels'".\
    ", $labels using (xmax):3:4:5 with labels left offset 0.6, 0 textcolor rgb variable title 'labels'" }
eval draw
