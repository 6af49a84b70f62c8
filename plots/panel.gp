# One panel: bars, solid and dashed lines, points. The last column of their data is the color. Empty blocks are not drawn.
if (BARE) {
    set border 0
    unset xtics
    unset ytics
} else { set border 3 linewidth 0.7 linecolor rgb "#777777" }
unset logscale
if (LOG_X) { set logscale x LOG_X }
if (LOG_Y) { set logscale y LOG_Y }
draw = ""
if (|$bars| > 0) { draw = draw.", $bars using 1:3:1:2:3:4:5 with boxxyerror fillcolor rgb variable" }
if (|$solid| > 0) { draw = draw.", $solid using 1:2:3 with lines linewidth 2 linecolor rgb variable" }
if (|$dashed| > 0) { draw = draw.", $dashed using 1:2:3 with lines linewidth 1.6 dashtype 2 linecolor rgb variable" }
if (|$points| > 0) { draw = draw.", $points using 1:2:3:4 with points pointtype variable pointsize point linecolor rgb variable" }
if (draw ne "") { eval "plot ".draw[3:*] }
