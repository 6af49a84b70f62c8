# What all figures share: arguments, terminal, colours, fonts, small functions. A figure's script sets
#   SCRIPT   its own path
#   HERE     its folder, with the "/"
#   OPTIONS  the names that it takes as name=value after IN and OUT
# and then:  call HERE."style.gp" ARG1 ARG2 ARG3 ARG4 ARG5 ARG6 ARG7 ARG8 ARG9
# It is left with IN, OUT, opt_NAME ("" where not given), and everything below. Nothing is written before `set output OUT`.

# End the run with one line on stderr and no file: `eval refuse("...")` for bad usage and files that cannot be read, exit status 2,
# `eval lacking("...")` for a table that does not hold what the figure shows, exit status 77.
FIGURE = SCRIPT[strlen(HERE)+1:*]
refuse(message) = (REFUSAL = FIGURE.": ".message, "printerr REFUSAL; exit status 2")
lacking(message) = (REFUSAL = FIGURE.": ".message, "printerr REFUSAL; exit status 77")

# --- arguments

IN = ARG1
OUT = ARG2
if (OUT eq "") {
    eval refuse("usage: gnuplot -c ".SCRIPT." IN.tsv OUT.(svg|png|pdf)".(OPTIONS eq "" ? "" : " [name=value ...], names: ".OPTIONS))
}
do for [k in OPTIONS] { eval "opt_".k." = ''" }
do for [i=3:ARGC] {
    argument = value(sprintf("ARG%d", i))
    if (argument ne "") {
        at = strstrt(argument, "=")
        key = at ? argument[1:at-1] : argument
        if (!at || !strstrt(" ".OPTIONS." ", " ".key." ")) {
            eval refuse("'".argument."': accepted are name=value with the names: ".OPTIONS)
        }
        eval "opt_".key." = argument[at+1:*]"
    }
}

# A word for the shell, whatever is in it.
unquoted(s) = (at = strstrt(s, "'")) ? s[1:at-1]."'\\''".unquoted(s[at+1:*]) : s
quoted(s) = "'".unquoted(s)."'"

file_fault(path) = system("f=".quoted(path)."; if [ ! -f \"$f\" ]; then echo no such file; " \
    ."elif [ ! -r \"$f\" ]; then echo cannot be read; elif [ ! -s \"$f\" ]; then echo is empty; fi")
fault = file_fault(IN)
if (fault ne "") { eval refuse(IN.": ".fault) }
if (system("[ -w \"$(dirname -- ".quoted(OUT).")\" ] && echo yes") ne "yes") { eval refuse(OUT.": cannot write to its folder") }

# --- terminal: 16 to 9, by the ending of OUT. Text is never enhanced: "ref_memcpy" is a name, not a subscript.

ending = OUT[strlen(OUT)-3:*]
if (ending eq ".svg") {
    set terminal svg size 1600,900 noenhanced font "Arial,26" background "white" linewidth 1.5
} else { if (ending eq ".png") {
    set terminal pngcairo size 1600,900 noenhanced font "sans,22" background "white" linewidth 1.5
} else { if (ending eq ".pdf") {
    set terminal pdfcairo size 32cm,18cm noenhanced font "sans,18" fontscale 0.8 background "white" linewidth 1.5
} else {
    eval refuse(OUT.": must end in .svg, .png or .pdf")
}}}

# Sizes as a share of the main font, which differs by terminal.
main_font = ending eq ".svg" ? 26 : ending eq ".png" ? 22 : 18
text_size(share) = sprintf(",%.0f", main_font * share)

# --- looks

# Wong's palette (Nature Methods 8, 441, 2011), safe for colour-blind readers: without its yellow, too faint on white, and with its black
# kept for references.
palette = "#0072B2 #D55E00 #009E73 #CC79A7 #E69F00 #56B4E9"
colour(i) = word(palette, (i - 1) % words(palette) + 1)
# Past the palette's end dashes tell curves apart, and neighbours differ in their points as well.
dash(i) = 1 + (i - 1) / words(palette)
point(i) = int(word("7 5 9 13 11", (i - 1) % 5 + 1))
black = "#000000"
grey = "#777777"
pale = "#D8D8D8"

set border 3 linewidth 0.7 linecolor rgb grey
set tics nomirror scale 0.6 textcolor rgb black
set grid ytics linetype 1 linewidth 0.5 linecolor rgb pale
set grid back
set key off
set style fill solid 1.0 noborder
set tmargin 3.2
set bmargin 5
title(text) = (TITLE = text, "set label 1002 TITLE at graph 0, screen 0.955 left font text_size(1.15)")   # eval it
# room for labels to the right of the axes, of so many characters
room(characters) = 0.8 * characters + 3

# --- words and numbers

only_of(s, letters) = s eq "" ? 1 : strstrt(letters, s[1:1]) ? only_of(s[2:*], letters) : 0
has_word(list, w) = strstrt(" ".list." ", " ".w." ") > 0
known(x) = x == x   # an empty field is NaN
short(x) = x == floor(x) || abs(x) >= 100 ? sprintf("%.0f", x) : abs(x) >= 10 ? sprintf("%.1f", x) : sprintf("%.3g", x)
# one decimal where it matters: below a tenth, and about the whole
percent(x) = x < 0.0995 || (x != 1 && x > 0.965 && x < 1.035) ? sprintf("%.1f%%", 100 * x) : sprintf("%.0f%%", 100 * x)

# The size column: "2048x2048" has 2 sides, 4194304 in all, and 2048 as the mean of its sides.
is_size(s) = s ne "" && only_of(s, "0123456789x") && strstrt("123456789", s[1:1])
sides(s) = (at = strstrt(s, "x")) ? 1 + sides(s[at+1:*]) : 1
product(s) = (at = strstrt(s, "x")) ? 1.0 * s[1:at-1] * product(s[at+1:*]) : 1.0 * s
side(s) = product(s) ** (1.0 / sides(s))
last_side(s) = (at = strstrt(s, "x")) ? last_side(s[at+1:*]) : 1.0 * s
even_sided(s) = abs(side(s) / (s[1:(strstrt(s."x", "x")-1)] + 0) - 1) < 1e-9

# "stage3" is number 3; "ref_memcpy" is shown as "memcpy".
is_reference(s) = s[1:4] eq "ref_"
number(s) = s[1:5] eq "stage" && strlen(s) > 5 ? int(s[6:*]) : -1
plain(s) = is_reference(s) ? s[5:*] : s
