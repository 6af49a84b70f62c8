# What all drawings share: page, colors, and functions that return commands. A drawing sets TITLE and its height H,
# loads this, calls `eval` with what the functions return, and ends with `load "page.gp"`, which draws.
#
#   cd plots/drawings && gnuplot tile.gp >tile.svg        gnuplot -e "FORMAT = 'png'" tile.gp >tile.png
#
# The page is 16 units wide and H high, at most 9; y runs down. A line of text is 0.34 high, a character 0.18 wide.
W = 16.0
if (!exists("FORMAT")) { FORMAT = "svg" }
if (!exists("FONT")) { FONT = "" }
if (!exists("STEP")) { STEP = 0 }   # 1, 2, ...: without what comes later, for slides; 0: all
font_of(usual, points) = sprintf("%s,%.3g", FONT eq "" ? usual : FONT, points)
set encoding utf8
if (FORMAT eq "svg") {
    set terminal svg size 1600,int(100 * H) noenhanced font font_of("DejaVu Sans,Arial,sans-serif", 29) \
        background "white" linewidth 1.5
    main_font = 29
    disc_size = 9.2   # of a point with a radius of 1 unit
} else { if (FORMAT eq "png") {
    set terminal pngcairo size 1600,int(100 * H) noenhanced font font_of("sans", 22) background "white" \
        linewidth 1.5
    main_font = 22
    disc_size = 31.7
} else {
    set terminal pdfcairo size 32cm,(2 * H)cm noenhanced font font_of("sans", 12.4) fontscale 1 background "white" \
        linewidth 1.5
    main_font = 12.4
    disc_size = 18.6
}}

# The colors of the figures, of which PALETTE, a file that `ladder palette` has printed, replaces some.
load "../palette.gp"
if (exists("PALETTE")) { load PALETTE }
luminance(color) = 0.299 * (color >> 16) + 0.587 * (color >> 8 & 255) + 0.114 * (color & 255)
ink_on(fill) = luminance(fill) < 130 ? WHITE : BLACK

# What is drawn, from bottom to top: lines behind cells, areas, the cells' borders, lines, discs, arrows, texts.
LAYERS = "behind areas borders lines dashes discs arrows left center right curtain"
do for [layer in LAYERS] { eval "set print $".layer }
add(layer, s) = "set print $".layer." append; print '".s."';"
segment(layer, x1, y1, x2, y2, color) = add(layer, sprintf("%g %g %d", x1, y1, color)).\
    add(layer, sprintf("%g %g %d", x2, y2, color)).add(layer, "")
around(layer, x, y, w, h, color) = add(layer, sprintf("%g %g %d", x, y, color)).\
    add(layer, sprintf("%g %g %d", x + w, y, color)).add(layer, sprintf("%g %g %d", x + w, y + h, color)).\
    add(layer, sprintf("%g %g %d", x, y + h, color)).add(layer, sprintf("%g %g %d", x, y, color)).add(layer, "")

# Texts at a place: left means that it starts there, right that it ends there.
put(x, y, where, color, s) = add(where, sprintf("%g %g \"%s\" %d", x, y, s, color))
left(x, y, s) = put(x, y, "left", BLACK, s)
text(x, y, s) = put(x, y, "center", BLACK, s)
right(x, y, s) = put(x, y, "right", BLACK, s)
note(x, y, s) = put(x, y, "center", DARK, s)

# Rectangles with the upper left corner (x, y): without a border, with one, with a text, and a border alone. A disc has
# its center there.
area(x, y, w, h, fill) = add("areas", sprintf("%g %g %g %g %d", x, y, x + w, y + h, fill))
box(x, y, w, h, fill) = (fill == WHITE ? "" : area(x, y, w, h, fill)).around("borders", x, y, w, h, GRAY)
cell(x, y, w, h, fill, s) = box(x, y, w, h, fill).put(x + 0.5 * w, y + 0.5 * h, "center", ink_on(fill), s)
frame(x, y, w, h, color) = around("lines", x, y, w, h, color)
disc(x, y, r, fill, s) = add("discs", sprintf("%g %g %g %d", x, y, r * disc_size, fill)).\
    put(x, y, "center", ink_on(fill), s)

# In a step, hides all below and to the right of (x, y), to the height `bottom`.
curtain(x, y, bottom) = STEP ? add("curtain", sprintf("%g %g %g", x, y, bottom)) : ""

# Lines.
arrow(x1, y1, x2, y2, color) = add("arrows", sprintf("%g %g %g %g %d", x1, y1, x2 - x1, y2 - y1, color))
line(x1, y1, x2, y2, color) = segment("lines", x1, y1, x2, y2, color)
thin(x1, y1, x2, y2) = segment("borders", x1, y1, x2, y2, GRAY)
dashed(x1, y1, x2, y2) = segment("dashes", x1, y1, x2, y2, DARK)
behind(x1, y1, x2, y2, color) = segment("behind", x1, y1, x2, y2, color)

# A bracket from x1 to x2 above (d = -1) or below (d = 1) what it names; from y1 to y2 at its left (d = -1) or right.
bracket(x1, x2, y, d, s) = thin(x1, y, x2, y).thin(x1, y, x1, y - 0.14 * d).thin(x2, y, x2, y - 0.14 * d).\
    text(0.5 * (x1 + x2), y + 0.27 * d, s)
upright(x, y1, y2, d, s) = thin(x, y1, x, y2).thin(x, y1, x - 0.14 * d, y1).thin(x, y2, x - 0.14 * d, y2). \
    put(x + 0.15 * d, 0.5 * (y1 + y2), d > 0 ? "left" : "right", BLACK, s)

# The lines of cols x rows cells of w x h: a file of so many boxes would be long.
columns(x, y, w, h, i) = i < 0 ? "" : thin(x + i * w, y, x + i * w, y + h).columns(x, y, w, h, i - 1)
rows(x, y, w, h, i) = i < 0 ? "" : thin(x, y + i * h, x + w, y + i * h).rows(x, y, w, h, i - 1)
grid(x, y, cols, rows, w, h) = columns(x, y, w, rows * h, cols).rows(x, y, cols * w, h, rows)
