# A table with one of its columns filled in by what ncu counted: row by row, launch by launch.
#
#   awk -v column=dram_bytes -f ncu_rows.awk ncu.csv TABLE

BEGIN { FS = "\t" }

# "ID","Kernel Name",...: numbers come as "1,048,576", and names of kernels with commas too.
function csv(line,    n, i, c, inside) {
    n = 1
    split("", field)
    for (i = 1; i <= length(line); i++) {
        c = substr(line, i, 1)
        if (c == "\"")
            inside = !inside
        else if (c == "," && !inside)
            n++
        else
            field[n] = field[n] c
    }
    return n
}

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
