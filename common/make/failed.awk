# A table, and below it a row for each failed build or run: failed.awk TABLE FAILED, the second with lines of knobs, tab, status. Such a row says
# what all rows of the table say, and knows no measurement.

BEGIN {
    FS = "\t"
    n = split("week stage name device type size variant mode unit date", word, " ")
    for (i = 1; i <= n; i++)
        common[word[i]] = 1
}
# The knobs of a failed setting in the order that programs name them in.
function ordered(knobs,    set, like)
{
    split(knobs, set, " ")
    split(sample_knobs, like, " ")
    return set[2] != "" && substr(set[2], 1, index(set[2], "=")) == substr(like[1], 1, index(like[1], "=")) ? set[2] " " set[1] : knobs
}

function field(name, value)
{
    return name == "knobs" ? ordered($1) : name == "status" ? $2 : (name in common) ? value : ""
}

FILENAME == ARGV[1] {
    print
    if (/^week\t/)
        width = split($0, column, "\t")
    else if (!/^#/)
        sample = $0
    next
}
{
    split(sample, cell, "\t")
    for (i = 1; i <= width; i++)
        if (column[i] == "knobs")
            sample_knobs = cell[i]
    for (i = 1; i <= width; i++)
        printf "%s%s", field(column[i], cell[i]), (i < width ? "\t" : "\n")
}
