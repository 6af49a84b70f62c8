# For scripts that read what ncu --csv prints; awk -f csv.awk -f ncu.awk ...

# Splits a line of quoted CSV into field[1..n]. Numbers come as "1,048,576", and names of kernels have commas too.
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
