# The modeled time against the recorded one, on logarithmic axes; lines at equal times and at 25 % more and less. The data:
#
#   $points   x y pointtype color what     seconds
#   $labels   x y ylabel text color        a point, and where its label is: labels do not overlap
longest = 0
do for [i = 1:|$labels|] { n = strlen(word($labels[i], 4)); longest = n > longest ? n : longest }
right = 0.985 - letter * (longest + 2)
set lmargin at screen 0.12
set rmargin at screen right
set tmargin at screen 0.85
set bmargin at screen 0.165
set label 6 "recorded time" at screen 0.5 * (0.12 + right), 0.065 center textcolor rgb DARK
set label 7 "model" at screen 0.02, 0.865 left textcolor rgb DARK
set logscale xy 10
set xrange [xmin : xmax]
set yrange [xmin : xmax]
set format xy "%.0s %cs"
plot x with lines linewidth 1.5 linecolor rgb BLACK title 'equal', \
    1.25 * x with lines linewidth 1 dashtype 2 linecolor rgb LINES title '25 % longer', \
    x / 1.25 with lines linewidth 1 dashtype 2 linecolor rgb LINES title '25 % shorter', \
    $points using 1:2:3:4 with points pointtype variable pointsize 0.8 * point linewidth 1 linecolor rgb variable \
        title 'points', \
    $labels using 1:2:(xmax - $1):($3 - $2):5 with vectors nohead linewidth 0.5 dashtype 3 linecolor rgb variable \
        title 'lines to the labels', \
    $labels using (xmax):3:4:5 with labels left offset 0.6, 0 textcolor rgb variable title 'labels'
