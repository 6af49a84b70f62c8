# Keeps labels at the right edge apart. In: LABELS, how many; label_text[i]; label_at[i], the height each belongs to, as a share of the axis
# (graph coordinates); GAP, the least distance. Out: label_y[i], as near to label_at[i] as that allows.
array label_y[LABELS]
array by_height[LABELS]
do for [i=1:LABELS] { by_height[i] = i }
do for [i=2:LABELS] {
    do for [j=i:2:-1] {
        if (label_at[by_height[j]] < label_at[by_height[j-1]]) { swap = by_height[j]; by_height[j] = by_height[j-1]; by_height[j-1] = swap }
    }
}
do for [i=1:LABELS] { label_y[i] = label_at[i] }
# Neighbours that are too close each give way by half, until all is still.
do for [pass=1:500] {
    still = 1
    do for [j=2:LABELS] {
        below = by_height[j-1]
        above = by_height[j]
        lack = GAP - (label_y[above] - label_y[below])
        if (lack > 0.001) { label_y[below] = label_y[below] - lack / 2; label_y[above] = label_y[above] + lack / 2; still = 0 }
    }
    if (label_y[by_height[1]] < 0) { label_y[by_height[1]] = 0 }
    if (label_y[by_height[LABELS]] > 1) { label_y[by_height[LABELS]] = 1 }
    if (still) { break }
}
