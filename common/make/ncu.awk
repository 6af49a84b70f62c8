# The row of a stage with what ncu counted instead of what it timed.
#
#   awk -v counters="ld_requests=l1tex__... ..." -v command="ncu ..." -f csv.awk -f ncu.awk row.tsv ncu.csv

BEGIN {
    n = split(counters, pair, " ")
    for (i = 1; i <= n; i++) {
        split(pair[i], part, "=")
        column_of[part[2]] = part[1]
    }
    n = split("reps median_us p10_us p90_us min_us graph_us rate", word, " ")
    for (i = 1; i <= n; i++)
        sum[word[i]] = ""
}

FILENAME == ARGV[1] && /^# command: / && command != "" { print "# command: " command; next }
FILENAME == ARGV[1] && /^#/ { print; next }
# A counter whose column is not there adds one.
FILENAME == ARGV[1] && /^week\t/ {
    width = split($0, name, "\t")
    for (i = 1; i <= width; i++) {
        there[name[i]] = 1
        if (name[i] == "stage")
            stage = i
    }
    n = split(counters, pair, " ")
    for (i = 1; i <= n; i++) {
        split(pair[i], part, "=")
        if (!(part[1] in there)) {
            there[part[1]] = 1
            name[++width] = part[1]
        }
    }
    for (i = 1; i <= width; i++)
        printf "%s%s", name[i], (i < width ? "\t" : "\n")
    next
}
FILENAME == ARGV[1] { split($0, cell, "\t"); if (row == "" && cell[stage] !~ /^ref_/) row = $0; next }

/"Metric Value"/ {
    n = csv($0)
    for (i = 1; i <= n; i++)
        at[field[i]] = i
    next
}
("Metric Value" in at) && /^"[0-9]+"/ {
    csv($0)
    metric = field[at["Metric Name"]]
    if (metric in column_of) {
        value = field[at["Metric Value"]]
        gsub(/,/, "", value)
        if (value ~ /^[0-9]/) {   # not "n/a"
            # A stage may have several kernels: their counts are added, but not a clock or what an SM can do at most.
            if (metric ~ /\.(per_second|peak_sustained)$/)
                sum[column_of[metric]] = value
            else
                sum[column_of[metric]] += value
            counted++
        }
    }
}
END {
    if (!counted || row == "")
        exit 1
    split(row, cell, "\t")
    for (i = 1; i <= width; i++) {
        value = name[i] == "mode" ? "count" : cell[i]
        if (name[i] in sum)
            value = sum[name[i]] == "" ? "" : sprintf("%.0f", sum[name[i]])
        printf "%s%s", value, (i < width ? "\t" : "\n")
    }
}
