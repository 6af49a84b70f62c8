# Curves over the problem's size, one a stage, for shmoo.gp and time_per_element.gp. They set, before `load HERE."curves.gp"`
#   y(r)      what a row's point is; where rows of one stage and size differ in their seeds, the curve is their mean
#   LOG_Y     1: the y axis is logarithmic; 0: it starts at 0
# and, where it is so,
#   LINEAR_X  1: the x axis is not logarithmic
#   BY_LAST   1: along x is the last side of the size alone, whatever the others are
# It is left with everything but title and ylabel set; `eval draw` draws.
# Stage n has the same colour in every such figure. A label stands at the end of its curve, moved where others are too near.

# Sizes with unlike sides would put a kink into the curves: they are left out where there are enough of the others.
by_last = exists("BY_LAST") ? BY_LAST : 0
square_rows = by_last ? 0 : sum [r=1:N] (usable(r) && even_sided(size[r]))
shown(r) = usable(r) && known(y(r)) && (square_rows < 2 || even_sided(size[r])) && (!is_reference(stage[r]) || has_word(REFERENCES, stage[r]))
x(r) = by_last ? last_side(size[r]) : side(size[r])
first_shown = 0
do for [r=N:1:-1] { if (shown(r)) { first_shown = r } }
if (!first_shown) { eval lacking(IN.": nothing to draw (".asked.")") }

small = first_shown
large = first_shown
y_low = y(first_shown)
y_high = y_low
do for [r=1:N] {
    if (shown(r)) {
        small = x(r) < x(small) ? r : small
        large = x(r) > x(large) ? r : large
        y_low = (y(r) < y_low && (y(r) > 0 || !LOG_Y)) || y_low <= 0 ? y(r) : y_low   # no axis of logarithms has a 0
        y_high = y(r) > y_high ? y(r) : y_high
    }
}
if (x(small) == x(large)) { eval lacking(IN.": only the one size ".size[small].": a curve needs at least two (".asked.")") }

log_x = exists("LINEAR_X") ? !LINEAR_X : 1
if (log_x) {
    set logscale x 2
    set format x "%.0b%B"
    set xrange [x(small)/1.06:x(large)*1.06]
} else {
    set format x "%.0f"
    set xrange [x(small)-0.02*(x(large)-x(small)):x(large)+0.02*(x(large)-x(small))]
}
if (LOG_Y) {
    set logscale y 10
    set format y "%g"
    y_low = y_low / 2.5
    y_high = y_high * 1.3
} else {
    y_low = 0
    y_high = y_high * 1.06
}
set yrange [y_low:y_high]
share(v) = LOG_Y ? log(v / y_low) / log(y_high / y_low) : (v - y_low) / (y_high - y_low)

n_sides = sides(size[small])
set xlabel n_sides == 1 ? "elements" : by_last ? "last side of the size" : square_rows < 2 ? "side (mean of the sides)" \
    : n_sides == 2 ? "side n (n x n)" : "side n (n x n x n)"

# --- where the arrays are as large as the L2: bytes grow with a power of the side

l2 = NaN
do for [r=1:N] { if (usable(r) && known(l2_bytes[r]) && l2_bytes[r] > 0) { l2 = l2_bytes[r] } }
x_l2 = x(small) * (l2 / bytes[small]) ** (log(x(large) / x(small)) / log(bytes[large] / bytes[small]))
if (known(x_l2) && x_l2 > x(small) && x_l2 < x(large)) {
    set arrow from x_l2, graph 0 to x_l2, graph 1 nohead back lw 1.5 dt 3 lc rgb grey
    set label sprintf("L2: %.3g MiB", l2 / 2**20) at x_l2, graph 1.03 center font text_size(0.75) textcolor rgb grey
}

# --- a curve for each stage and reference, a label at its last point

CURVES = ""
do for [s in STAGES." ".REFERENCES] {
    if (sum [r=1:N] (shown(r) && stage[r] eq s)) { CURVES = CURVES." ".s }
}
of_stages = sum [i=1:words(CURVES)] (!is_reference(word(CURVES, i)))
LABELS = 0
longest = 0
array label_at[words(CURVES)]
array label_text[words(CURVES)]
array end[words(CURVES)]
array end_y[words(CURVES)]
array tint[words(CURVES)]
array dashes[words(CURVES)]
do for [i=1:words(CURVES)] {
    s = word(CURVES, i)
    last = 0
    do for [r=1:N] { if (shown(r) && stage[r] eq s) { last = last == 0 || x(r) > x(last) ? r : last } }
    end[i] = last
    end_y[i] = NaN
    if (last) {
        at_end = 0
        end_y[i] = 0
        do for [r=1:N] { if (shown(r) && stage[r] eq s && size[r] eq size[last]) { at_end = at_end + 1; end_y[i] = end_y[i] + y(r) } }
        end_y[i] = end_y[i] / at_end
    }
    tint[i] = is_reference(s) ? black : colour(number(s) + 1)
    dashes[i] = is_reference(s) ? 1 + i - of_stages : dash(number(s) + 1)
}
do for [i=1:words(CURVES)] {
    if (end[i]) {
        LABELS = LABELS + 1
        s = word(CURVES, i)
        label_at[LABELS] = share(end_y[i])
        label_text[LABELS] = is_reference(s) ? plain(s) : sprintf("%d %s", number(s), name[end[i]])
        longest = strlen(label_text[LABELS]) > longest ? strlen(label_text[LABELS]) : longest
    }
}
GAP = 0.044
load HERE."spread.gp"
k = 0
do for [i=1:words(CURVES)] {
    if (end[i]) {
        k = k + 1
        # a long way to its label must not look like a curve
        leader = x(end[i]) < x(large) ? "lw 0.4 dt 3" : "lw 0.7"
        eval sprintf("set arrow from x(end[i]), first end_y[i] to graph 1.02, graph label_y[k] nohead back %s lc rgb tint[i]", leader)
        set label label_text[k] at graph 1.024, graph label_y[k] left font text_size(0.8) textcolor rgb tint[i]
    }
}
set rmargin room(longest)
set lmargin y_high >= 1e5 && !LOG_Y ? 11.5 : 10

# rows of other curves come in between: without this they would break the line
set datafile missing NaN
at_size(i, r) = shown(r) && stage[r] eq word(CURVES, i) ? x(r) : NaN
draw = "plot for [i=1:words(CURVES)] rate using (at_size(i, $1)):(y($1)) smooth unique with linespoints ". \
    "lw 2 dt dashes[i] pt (is_reference(word(CURVES, i)) ? 0 : point(i)) ps (ending eq '.svg' ? 0.6 : 0.9) lc rgb tint[i]"
