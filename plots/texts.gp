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
set label TITLE at 0.8, PAGE_H - 1.2 left font large
set label SUBTITLE at 0.8, PAGE_H - 2.85 left textcolor rgb "#595959"
if (FORMAT eq "slide") { set label SLIDE at 0.8, 0.65 left textcolor rgb "#777777" }
set label PROVENANCE at PAGE_W - 0.8, FORMAT eq "slide" ? 0.65 : 0.55 right font small textcolor rgb "#777777"
draw = ""
if (|$left| > 0) { draw = draw.", $left using 1:2:3:4:5 with labels left rotate variable textcolor rgb variable" }
if (|$center| > 0) { draw = draw.", $center using 1:2:3:4:5 with labels center rotate variable textcolor rgb variable" }
if (|$right| > 0) { draw = draw.", $right using 1:2:3:4:5 with labels right rotate variable textcolor rgb variable" }
eval "plot ".(draw eq "" ? "[0:1] 0 with dots linecolor rgb '#FFFFFF'" : draw[3:*])
unset multiplot
