# Prints what `nvcc --resource-usage` reports, one line per kernel. -v stage=stage3: the stage.
/Compiling entry function/ {
    split($0, part, "'")
    kernel = part[2]
    sub(/\([^()]*\)$/, "", kernel)
    sub(/^void /, "", kernel)
    arch = part[4]
    spill = 0
}
/spill stores/ { for (i = 2; i <= NF; i++) if ($i == "spill" && $(i - 1) == "bytes") spill += $(i - 2) }
/Used [0-9]+ registers/ {
    shared = 0
    for (i = 2; i <= NF; i++) {
        if ($i ~ /^registers/)
            registers = $(i - 1)
        if ($i ~ /^smem/)
            shared = $(i - 2)
    }
    if (kernel != "")
        printf "%-10s %-28s %9d %12d %12d %6s\n", stage, kernel, registers, shared, spill, arch
    kernel = ""
}
