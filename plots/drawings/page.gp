# Draws what a drawing has added to the layers.
unset print
unset key
unset tics
set border 0
set lmargin at screen 0
set rmargin at screen 1
set tmargin at screen 1
set bmargin at screen 0
set xrange [0:W]
set yrange [H:0]
set style fill solid 1 noborder
set datafile separator whitespace
set label TITLE at 0.3,0.55 left front font sprintf(",%.1f", main_font * 1.25)
p = ""
if (|$behind| > 0) { p = p.", $behind using 1:2:3 with lines linewidth 1.4 linecolor rgb variable" }
if (|$areas| > 0) { p = p.", $areas using 1:2:1:3:2:4:5 with boxxyerror fillcolor rgb variable" }
if (|$borders| > 0) { p = p.", $borders using 1:2:3 with lines linewidth 0.6 linecolor rgb variable" }
if (|$dashes| > 0) { p = p.", $dashes using 1:2:3 with lines linewidth 1.1 dashtype 2 linecolor rgb variable" }
if (|$lines| > 0) { p = p.", $lines using 1:2:3 with lines linewidth 2.2 linecolor rgb variable" }
if (|$arrows| > 0) {
    p = p.", $arrows using 1:2:3:4:5 with vectors head filled size 0.2,18 linewidth 1.6 linecolor rgb variable"
}
if (|$discs| > 0) { p = p.", $discs using 1:2:3:4 with points pointtype 7 pointsize variable linecolor rgb variable" }
if (|$left| > 0) { p = p.", $left using 1:2:3:4 with labels left textcolor rgb variable" }
if (|$center| > 0) { p = p.", $center using 1:2:3:4 with labels center textcolor rgb variable" }
if (|$right| > 0) { p = p.", $right using 1:2:3:4 with labels right textcolor rgb variable" }
if (|$curtain| > 0) { p = p.", $curtain using 1:2:1:(W):2:3 with boxxyerror fillcolor rgb WHITE" }
eval "plot ".p[3:*]
