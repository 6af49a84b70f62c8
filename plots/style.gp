# Settings for all figures. The output of `ladder figure NAME` has the data and loads this file, panel.gp for each panel, and texts.gp.
#
#   ladder figure ladder --format svg | gnuplot >ladder.svg
set encoding utf8
em = 1.0 / PAGE_H   # height of ordinary text, as a share of the page's height
if (FORMAT eq "svg") {
    set terminal svg size 1600,900 noenhanced font "DejaVu Sans,Arial,sans-serif,29" background "white" linewidth 1.5
    main_font = 29
    point = 0.5
} else { if (FORMAT eq "png") {
    set terminal pngcairo size 1600,900 noenhanced font "sans,22" background "white" linewidth 1.5
    main_font = 22
    point = 1.6
} else { if (FORMAT eq "slide") {   # a slide of a deck, which has set the terminal: 18 points
    main_font = 13.5
    point = 1.05
} else {
    set terminal pdfcairo size 32cm,18cm noenhanced font "sans,12.4" fontscale 1 background "white" linewidth 1.5
    main_font = 12.4
    point = 1
}}}
size(share) = sprintf(",%.1f", main_font * share)
small = size(FORMAT eq "slide" ? 1 : 0.68)
large = size(1.25)
set key off
set style fill solid 1.0 noborder
set tics nomirror scale 0.6 textcolor rgb "#000000"
set grid back linetype 1 linewidth 0.5 linecolor rgb "#D8D8D8"
set datafile separator whitespace
set datafile commentschars "#"
set multiplot
