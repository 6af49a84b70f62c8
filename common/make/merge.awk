# Several tables as one: the '#' lines and the columns of the first, the rows of all, columns found by name.

BEGIN { FS = OFS = "\t" }
FNR == 1 { split("", at) }
/^#/ { if (!width) print; next }
/^$/ { next }
/^week\t/ {
    split("", at)
    for (i = 1; i <= NF; i++)
        at[$i] = i
    if (!width) {
        width = NF
        for (i = 1; i <= NF; i++)
            column[i] = $i
        print
    }
    next
}
{
    line = ""
    for (i = 1; i <= width; i++)
        line = line (i > 1 ? OFS : "") (column[i] in at ? $at[column[i]] : "")
    print line
}
