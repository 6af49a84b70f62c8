# The rows of demo_access as a table of a README, in Markdown: what was used, what sectors moved, and what DRAM moved for each word used.
#
#   awk -v strides="1 2 8 16 64" -f access.awk ACCESS.tsv

BEGIN {
    FS = "\t"
    n = split(strides, wanted, " ")
    for (i = 1; i <= n; i++)
        shown[wanted[i]] = 1
}
/^# [a-z]+: / { key = $0; sub(/^# /, "", key); sub(/:.*/, "", key); sub(/^[^:]*: /, ""); meta[key] = $0; next }
/^#/ { next }
/^week\t/ {
    for (i = 1; i <= NF; i++)
        at[$i] = i
    print "| a warp reads | used, GB/s | moved in sectors, GB/s | DRAM moved for each word of 4 bytes |\n|---|--:|--:|--:|"
    next
}
$at["stride"] == "" || ($at["stride"] in shown) {
    used = $at["used_bytes"]
    printf "| %s | %.0f | %.0f | %s |\n", ($at["stride"] == "" ? $at["name"] : "words a stride of " $at["stride"] " apart"), $at["rate"],
        $at["rate"] * $at["moved_bytes"] / used, ($at["dram_bytes"] == "" ? "-" : sprintf("%.1f bytes", 4 * $at["dram_bytes"] / used))
}
END { print "\n" meta["device"] (meta["cuda"] != "" ? ", CUDA " meta["cuda"] : "") ", " meta["date"] "." }
