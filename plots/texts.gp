# The texts of the page; positions are in ems. They are drawn last, above all panels.
set lmargin at screen 0
set rmargin at screen 1
set bmargin at screen 0
set tmargin at screen 1
set border 0
unset xtics
unset ytics
unset logscale
set xrange [0:PAGE_W]
set yrange [0:PAGE_H]
eval page_texts
draw = ""
if (|$left| > 0) { draw = draw.", $left using 1:2:3:4:5 with labels left rotate variable textcolor rgb variable" }
if (|$center| > 0) { draw = draw.", $center using 1:2:3:4:5 with labels center rotate variable textcolor rgb variable" }
if (|$right| > 0) { draw = draw.", $right using 1:2:3:4:5 with labels right rotate variable textcolor rgb variable" }
eval "plot ".(draw eq "" ? "[0:1] 0 with dots linecolor rgb '#FFFFFF'" : draw[3:*])
unset multiplot
