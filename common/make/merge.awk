# Several tables as one: the '#' lines of the first, the columns of all, found by name, and the rows of all. A cell that its table has no column
# for is empty. -v only="stage size max_error" leaves out all other columns.

BEGIN {
    FS = OFS = "\t"
    for (i = split(only, names, " "); i > 0; i--)
        wanted[names[i]]
}
FNR == 1 { split("", at); tables++ }
/^#/ { if (tables == 1) notes = notes $0 "\n"; next }
/^$/ { next }
/^week\t/ {
    split("", at)
    for (i = 1; i <= NF; i++) {
        if (only && !($i in wanted))
            continue
        at[i] = $i
        if (!($i in known)) {
            known[$i] = ++width
            column[width] = $i
        }
    }
    next
}
{
    rows++
    for (i in at)
        cell[rows, at[i]] = $i
}
END {
    printf "%s", notes
    for (r = 0; r <= rows; r++)
        for (i = 1; i <= width; i++)
            printf "%s%s", (r ? cell[r, column[i]] : column[i]), (i < width ? OFS : "\n")
}
