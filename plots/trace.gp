# The steps of a block's warps, from left to right. The data above:
#
#   $events, $flights  from to low high color   bars; the warps are the vertical axis
#   $lines             position color           through all warps
#   $legend            text color
set lmargin at screen 0.066
set rmargin at screen 0.97
set bmargin at screen 0.16
set tmargin at screen 0.823
set xrange [0.5 : steps + 0.5]
set yrange [warps - 0.4 : -0.6]
unset grid
set ytics 0, (warps + 7) / 8
set xlabel "order of execution on the CPU device" textcolor rgb "#595959"
set label 11 "warp" at screen 0.0165, 0.49 center rotate by 90 textcolor rgb "#595959"
x = 0.066
do for [i = 2:|$legend|] {
    set label 20 + i word($legend[i], 1) at screen x, 0.856 left textcolor rgb int(word($legend[i], 2))
    x = x + 0.96 * letter * (strlen(word($legend[i], 1)) + 2)
}
bar = " using 1:3:1:2:3:4:5 with boxxyerror fillcolor rgb variable"
draw = "plot $events".bar
if (|$flights| > 1) { draw = draw.", $flights".bar }
if (|$lines| > 1) { draw = draw.", $lines using 1:(-0.5):(0):(warps):2 with vectors nohead linewidth 2 linecolor rgb variable" }
eval draw
