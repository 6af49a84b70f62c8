# One panel: bars, solid and dashed lines. The last column of their data is the color. Empty blocks are not drawn.
draw = ""
if (|$bars| > 0) { draw = draw.", $bars using 1:3:1:2:3:4:5 with boxxyerror fillcolor rgb variable" }
if (|$solid| > 0) { draw = draw.", $solid using 1:2:3 with lines linewidth 2 linecolor rgb variable" }
if (|$dashed| > 0) { draw = draw.", $dashed using 1:2:3 with lines linewidth 1.6 dashtype 2 linecolor rgb variable" }
if (draw ne "") { eval "plot ".draw[3:*] }
