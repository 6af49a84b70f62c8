# Horizontal bars: one row per name, `columns` columns side by side. The data above, for column N:
#
#   $rowsN    name row x text          the text beside the bar, and where it begins
#   $barsN    row value color pale     on a logarithmic scale, a point and a line to it
#   $darkN    row value color          the dark part of a bar; on a logarithmic scale, a hollow point
#   $spreadN  row low high             shown where it can be seen
#   $dotsN    row value color size     points; the newer, the smaller
#   $linesN   value text               vertical lines
#   `headings`, `logs`, `xmins`, `xmaxs`: of each column
names = 0
do for [i = 2:|$rows1|] { n = strlen(word($rows1[i], 1)); names = n > names ? n : names }
array room[columns]
array lines[columns]
headed = 0
lined = 0
do for [c = 1:columns] {
    room[c] = 0
    eval sprintf("do for [i = 2:|$rows%d|] { n = strlen(word($rows%d[i], 4)); room[c] = n > room[c] ? n : room[c] }; lines[c] = |$lines%d|", c, c, c)
    headed = word(headings, c) eq "" ? headed : 1
    lined = lines[c] > 1 ? 1 : lined
}
left = 0.015 + letter * (names + 0.8)
width = (0.985 - left) / columns
top = 0.87 - 0.05 * headed - 0.045 * lined
pitch = (top - 0.05) / rows
pitch = pitch > 0.12 ? 0.12 : pitch
set tmargin at screen top
set bmargin at screen top - rows * pitch
set yrange [rows - 0.5 : -0.5]
unset grid
unset xtics
set border 2
x = 0.985
do for [i = |$legend|:2:-1] {
    x = x - letter * (strlen(word($legend[i], 1)) + 3)
    set label 20 + i "● ".word($legend[i], 1) at screen x, 0.907 left textcolor rgb int(word($legend[i], 2))
}
set multiplot
do for [c = 1:columns] {
    x = left + (c - 1) * width
    xmin = word(xmins, c) + 0
    xmax = word(xmaxs, c) + 0
    is_log = int(word(logs, c))
    set lmargin at screen x
    set rmargin at screen x + width - letter * (room[c] + 1.5)
    unset logscale x
    if (is_log) { set logscale x 10 }
    set xrange [xmin : xmax]
    if (c == 1) { set ytics scale 0 } else { unset ytics; unset label }
    if (headed) { set label 10 word(headings, c) at screen x, top + 0.03 + 0.045 * lined left textcolor rgb DARK }
    unset arrow
    do for [i = 2:lines[c]] {
        eval sprintf("line = word($lines%d[i], 1) + 0; line_text = word($lines%d[i], 2)", c, c)
        unset label 40 + i
        if (line > xmin && line <= xmax) {
            set arrow i from line, graph 0 to line, graph 1 nohead back dashtype 2 linecolor rgb LINES
            # of two labels, the second is right of its line, away from the first
            set label 40 + i line_text at line, graph 1 offset 0, 0.6 center textcolor rgb DARK
            if (lines[c] == 3 && i == 3) { set label 43 left }
        }
    }
    half = is_log ? 0.06 : 0.36
    eval sprintf("size_bars = |$bars%d|; size_dark = |$dark%d|; size_spread = |$spread%d|; size_dots = |$dots%d|", c, c, c, c)
    bar = sprintf("%d using (xmin):1:(xmin):2:($1 - half):($1 + half)", c)
    dot = sprintf("%d using 2:1:3 with points linecolor rgb variable linewidth 1.5 pointsize 1.3 * point pointtype ", c)
    draw = sprintf("plot $rows%d using 3:2:4:ytic(1) with labels left offset 0.6, 0 notitle", c)
    if (size_bars > 1) { draw = draw.", $bars".bar.":($3 + ($4 > 0 ? 0x96000000 : 0)) with boxxyerror fillcolor rgb variable title 'bars'" }
    if (size_dark > 1 && !is_log) { draw = draw.", $dark".bar.":3 with boxxyerror fillcolor rgb variable title 'dark parts'" }
    if (size_spread > 1) { draw = draw.sprintf(", $spread%d", c)." using 2:1:($3 - $2 > 0.02 * (xmax - xmin) ? $3 - $2 : 0):(0) ".\
        "with vectors nohead linewidth 1.2 linecolor rgb BLACK title '10th to 90th percentile'" }
    if (size_bars > 1 && is_log) { draw = draw.", $bars".dot."7 title 'values'" }
    if (size_dark > 1 && is_log) { draw = draw.", $dark".dot."6 title 'dark parts'" }
    if (size_dots > 1) { draw = draw.sprintf(", $dots%d", c)." using 2:1:($4 * point):3 with points pointtype 7 pointsize variable linecolor rgb variable title 'points'" }
    eval draw
}
unset multiplot
