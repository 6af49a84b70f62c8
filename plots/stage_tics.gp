# The stages along x, at 1..words(STAGES): "stage3" over its name, or slanted "3 name" where they would run into each other.
longest_name = 6
do for [s in STAGES] { longest_name = strlen(name[row(s)]) > longest_name ? strlen(name[row(s)]) : longest_name }
set xrange [0.4:words(STAGES)+0.6]
set xtics scale 0
set xtics ("" 0)
slanted = words(STAGES) * (longest_name + 1.5) > 95
do for [i=1:words(STAGES)] {
    s = word(STAGES, i)
    set xtics add ((slanted ? sprintf("%d %s", number(s), name[row(s)]) : s.(name[row(s)] eq "" ? "" : "\n".name[row(s)])) i)
}
if (slanted) {
    set xtics rotate by -30 left offset -1.5,-0.2
    set bmargin 6.8
}
