# Accesses of a warp, one panel each. The data above:
#
#   $panels  source access cost color axes last   the texts of each panel; last: x of a box, or 0
#   $cellsN  lane row color      what the lanes touch
#   $cellsN  from to row color   of a box: a row per row of the box, or per 128 bytes of banks
#   $rowsN   row number          the sectors; none: 32 banks
panels = |$panels| - 1
columns = panels > 4 ? 3 : panels > 1 ? 2 : 1
width = (0.985 - 0.015 + 1.4 * em) / columns
height = 0.837 / ((panels + columns - 1) / columns)
line = 16.0 / 9 * em        # height of a line of text is 1.25 of it
unset grid
set multiplot
do for [i = 1:panels] {
    text = $panels[i + 1]
    x = 0.015 + (i - 1) % columns * width
    y = 0.88 - (1 + (i - 1) / columns) * height
    right = x + width - 1.4 * em
    letters = int((right - x) / (0.53 * em))
    source = word(text, 1)
    # A source line that is longer than its panel: two lines of text, or only its number.
    cut = strlen(source) > letters && panels <= 4 ? letters : 0
    while (cut > 4 && source[cut:cut] ne " ") { cut = cut - 1 }
    rest = cut > 4 ? "    ".source[cut + 1:strlen(source)] : ""
    source = cut > 4 ? source[1:cut] : source
    if (strlen(source) > letters || strlen(rest) > letters) { source = "line ".word(source, 1); rest = "" }
    down = strlen(rest) ? 1.3 * line : 0
    color = int(word(text, 4))
    box = int(word(text, 7))
    set xrange [-0.6 : 31.6]
    set xtics ("0" 0, "8" 8, "16" 16, "24" 24, "31" 31)
    if (box) {
        set xrange [0 : box]
        if (box <= 32) { set xtics 0, 8, box - 1 } else { set xtics 0, 32 * (box > 768 ? 8 : box > 384 ? 4 : box > 128 ? 2 : 1), box - 1 }
        rows = 0
    } else {
        eval sprintf("rows = |$rows%d| - 1", i)
    }
    last = 31
    digits = 0
    set ytics ("0" 0, "8" 8, "16" 16, "24" 24, "31" 31)
    if (box) {
        last = 15
        set ytics ("0" 0, "4" 4, "8" 8, "12" 12, "15" 15)
    }
    if (rows > 0) {
        set ytics ()
        most = columns > 2 ? 4 : 6
        every = (rows + most - 1) / most
        do for [r = 0:rows - 1] {
            eval sprintf("last = word($rows%d[r + 2], 1) + 0; number = word($rows%d[r + 2], 2)", i, i)
            digits = strlen(number)
            if (r % every == 0) { set ytics add (number last) }
        }
    }
    left = x + em * (1.9 + 0.63 * digits > 3.2 ? 1.9 + 0.63 * digits : 3.2)
    top = y + height - down - line * (columns > 2 ? 4.5 : 3.2)
    bottom = y + line * 2.1
    set lmargin at screen left
    set rmargin at screen right
    set bmargin at screen bottom
    set tmargin at screen top
    set yrange [-0.6 : last + 0.6]
    if (box) { set yrange [last + 0.6 : -0.6] }
    set label 11 source at screen x, y + height - 0.6 * line left textcolor rgb DARK
    set label 10 rest at screen x, y + height - 1.9 * line left textcolor rgb DARK
    set label 12 word(text, 2).(columns > 2 ? "" : ": ".word(text, 3)) at screen x, y + height - down - 1.9 * line left textcolor rgb color
    set label 13 (columns > 2 ? word(text, 3) : "") at screen x, y + height - down - 3.2 * line left textcolor rgb color
    set label 14 word(text, 5) at screen x + 0.5 * em, (top + bottom) / 2 center rotate by 90 textcolor rgb DARK
    set label 15 word(text, 6) at screen left - 0.7 * em, bottom - 1.4 * line right textcolor rgb DARK
    if (box) {
        eval sprintf("plot '+' using (0):(0):(0):(box):(-0.5):(last + 0.5) every ::::0 with boxxyerror fillcolor rgb BACK, $cells%d using 1:3:1:2:($3 - 0.42):($3 + 0.42):4 with boxxyerror fillcolor rgb variable", i)
        unset label
        continue
    }
    cells = sprintf("$cells%d using 1:2:($1 - 0.42):($1 + 0.42):", i)
    back = rows > 0 ? sprintf("$rows%d using (15.5):1:(-0.5):(31.5):($1 - 0.46):($1 + 0.46)", i) : "'+' using (15.5):(15.5):(-0.5):(31.5):(-0.5):(31.5) every ::::0"
    half = rows > 0 ? 0.46 : 0.42
    cells = cells."($2 - half):($2 + half):"
    eval "plot ".back." with boxxyerror fillcolor rgb ROWS, ".cells."3 with boxxyerror fillcolor rgb variable"
    unset label
}
unset multiplot
