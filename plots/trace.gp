# The steps of a block's warps, from left to right. The data above:
#
#   $events, $flights  from to low high color   bars; the warps are the vertical axis
#   $lines             position color           through all warps
#   $objects           name                     rows below the warps
#   $legend            text color
set lmargin at screen 0.066
set rmargin at screen 0.97
set bmargin at screen 0.1 + 0.06 * SCALE
set xrange [first - 0.5 : steps + 0.5]
objects = |$objects| - 1
set yrange [warps + objects - 0.4 : -0.6]
unset grid
set ytics 0, (warps + 7) / 8 * ((warps + objects) * SCALE > 20 ? 2 : 1), warps - 1
longest = 0
do for [i = 1:objects] {
    if ((i - 1) % ((warps + objects + 14) / 15) == 0) { set ytics add (word($objects[i + 1], 1) warps + i - 1) }
    longest = strlen(word($objects[i + 1], 1)) > longest ? strlen(word($objects[i + 1], 1)) : longest
}
set lmargin at screen 0.066 + (longest > 4 ? (longest - 4) * 0.5 * em : 0) + (longest + 2) * 0.5 * (em - em / SCALE)
set xlabel "order of execution on the CPU device" offset 0,0.5 textcolor rgb DARK
x = 0.066
y = 0.856 - 0.02 * (SCALE - 1)
do for [i = 2:|$legend|] {
    width = 0.9 * letter * (strlen(word($legend[i], 1)) + 2.4)
    if (x + width > 0.99) { x = 0.066; y = y - 0.044 * SCALE }
    set label 20 + i word($legend[i], 1) at screen x, y left font size(0.95) textcolor rgb int(word($legend[i], 2))
    x = x + width
}
set tmargin at screen y - 0.033 * SCALE
set label 11 "warp" at screen 0.0165, y - 0.033 * SCALE - (y - 0.193) * 0.5 * warps / (warps + objects) center rotate by 90 textcolor rgb DARK
bar = " using 1:3:1:2:3:4:5 with boxxyerror fillcolor rgb variable"
draw = "plot $events".bar
if (|$flights| > 1) { draw = draw.", $flights".bar }
if (|$lines| > 1) { draw = draw.", $lines using 1:(-0.5):(0):(warps):2 with vectors nohead linewidth 2 linecolor rgb variable" }
eval draw
