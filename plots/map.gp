# A map of two knobs, or a row of one. The data above:
#
#   $cells   x y value text share
#   $failed  x y text
#   $best    x y                    the framed cells
#   `xnames`, `ynames`: the values of the knobs
set lmargin at screen 0.17
set rmargin at screen 0.985
set tmargin at screen 0.85
set bmargin at screen 0.165
set label 6 xtitle at screen 0.5775,0.065 center textcolor rgb DARK
set label 7 ytitle at screen 0.015,0.5 left textcolor rgb DARK
set xrange [-0.5 : columns - 0.5]
set yrange [-0.5 : rows - 0.5]
eval "set xtics scale 0 (".xnames.")"
eval "set ytics scale 0 (".ynames.")"
set border 0
unset grid
unset colorbox
set cbrange [0 : 1]
hex(color) = sprintf("#%06x", color)
set palette defined (0 hex(MAP1), 0.2 hex(MAP2), 0.4 hex(MAP3), 0.6 hex(MAP4), 0.8 hex(MAP5), 1 hex(MAP6))
box = "using 1:2:($1 - 0.48):($1 + 0.48):($2 - 0.47):($2 + 0.47)"
draw = "plot $best ".box." with boxxyerror fillstyle empty border linewidth 8 linecolor rgb ALARM title 'best', ".\
    "$cells ".box.":5 with boxxyerror fillstyle solid 1 palette title 'cells', ".\
    "$cells using 1:2:4:($5 < 0.6 ? WHITE : BLACK) with labels center textcolor rgb variable title 'texts'"
if (|$failed| > 1) { draw = draw.", $failed ".box." with boxxyerror fillcolor rgb GRID title 'failed', $failed using 1:2:3 with labels center title 'why'" }
eval draw
