# What all figures share: page, fonts, title, subtitle, provenance. FORMAT: svg, png or pdf. FONT: the name of a font,
# "" for the usual one. SCALE: the size of texts, 1 for the usual one.
set encoding utf8
set micro
if (!exists("FONT")) { FONT = "" }
if (!exists("SCALE")) { SCALE = 1 }
font_of(usual, points) = sprintf("%s,%.3g", FONT eq "" ? usual : FONT, points * SCALE)
if (FORMAT eq "svg") {
    set terminal svg size 1600,900 noenhanced font font_of("DejaVu Sans,Arial,sans-serif", 29) background "white" \
        linewidth 1.5
    main_font = 29 * SCALE
    point = 0.5
} else { if (FORMAT eq "png") {
    set terminal pngcairo size 1600,900 noenhanced font font_of("sans", 22) background "white" linewidth 1.5
    main_font = 22 * SCALE
    point = 1.6
} else {
    set terminal pdfcairo size 32cm,18cm noenhanced font font_of("sans", 12.4) fontscale 1 background "white" \
        linewidth 1.5
    main_font = 12.4 * SCALE
    point = 1
}}
size(share) = sprintf(",%.1f", main_font * share)
em = SCALE / 54.4           # height of ordinary text, as a share of the page's width
letter = 0.6 * em           # width of a letter
page_texts = "set label 1 TITLE at screen 0.015,0.961 left font size(1.25);".\
    "set label 2 SUBTITLE at screen 0.015,0.907 left textcolor rgb DARK;".\
    "set label 3 PROVENANCE at screen 0.985,0.02 right font size(0.68) textcolor rgb LINES"
eval page_texts
set key off
set style fill solid 1.0 noborder
set tics nomirror scale 0.6 textcolor rgb BLACK
set border 3 linewidth 0.7 linecolor rgb LINES
set grid back linetype 1 linewidth 0.5 linecolor rgb GRID
set datafile separator whitespace
set datafile commentschars "#"
set datafile missing NaN
