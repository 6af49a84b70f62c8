# A table with one of its columns filled in by what ncu counted: row by row, launch by launch.
#
#   awk -v column=dram_bytes -f csv.awk -f ncu_rows.awk ncu.csv TABLE

BEGIN { FS = "\t" }

FILENAME == ARGV[1] && /"Metric Value"/ {
    n = csv($0)
    for (i = 1; i <= n; i++)
        at[field[i]] = i
    next
}
FILENAME == ARGV[1] && ("Metric Value" in at) && /^"[0-9]+"/ {
    csv($0)
    gsub(/,/, "", field[at["Metric Value"]])
    value[++launches] = field[at["Metric Value"]]
}
FILENAME == ARGV[1] { next }

/^#/ { print; next }
/^week\t/ { for (i = 1; i <= NF; i++) if ($i == column) place = i; print; next }
{
    rows++
    for (i = 1; i <= NF; i++)
        printf "%s%s", (i == place ? value[rows] : $i), (i < NF ? "\t" : "\n")
}
END {
    if (!place || rows != launches) {
        print "ncu_rows.awk: " rows " rows, " launches " launches" > "/dev/stderr"
        exit 1
    }
}
