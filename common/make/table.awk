# The ladder as a table, from the rows of one run: rates on a GPU, with their share of the baseline's, requests on the CPU device.
#
#   awk -v baseline=ref_memcpy -f table.awk run.tsv

BEGIN { FS = "\t" }
/^#/ || /^$/ { next }
/^week\t/ { for (i = 1; i <= NF; i++) at[$i] = i; next }
{
    rows++
    for (c in at)
        cell[rows, c] = $at[c]
    if (cell[rows, "variant"] != "")
        cell[rows, "size"] = cell[rows, "size"] " " cell[rows, "variant"]
    if (cell[rows, "mode"] == "count")
        counts = 1
    if (cell[rows, "stage"] == baseline && cell[rows, "status"] == "ok")
        base[cell[rows, "size"], cell[rows, "mode"]] = cell[rows, "rate"]
}

function ratio(r, a, b) { return cell[r, b] > 0 ? sprintf("%.1f", cell[r, a] / cell[r, b]) : "-" }
function known(text) { return text == "" ? "-" : text }
function title(r) { return sprintf("%-10s %-14s %-13s", cell[r, "stage"], cell[r, "name"], cell[r, "size"]) }

function counts_table(    r) {
    printf "\n%-39s %21s %21s %24s\n", "", "global loads", "global stores", "shared memory"
    printf "%-10s %-14s %-13s %10s %10s %10s %10s %10s %13s %10s\n", "stage", "name", "size",
        "requests", "sectors/r", "requests", "sectors/r", "requests", "wavefronts/r", "barriers"
    for (r = 1; r <= rows; r++)
        if (cell[r, "status"] != "ok")
            print title(r) "  " cell[r, "status"]
        else
            printf "%s %10s %10s %10s %10s %10s %13s %10s\n", title(r), known(cell[r, "ld_requests"]), ratio(r, "ld_sectors", "ld_requests"),
                known(cell[r, "st_requests"]), ratio(r, "st_sectors", "st_requests"), known(cell[r, "shared_requests"]),
                ratio(r, "shared_wavefronts", "shared_requests"), known(cell[r, "barriers"])
}

# References last, each once: every stage's program measured them anew, and the last measurement counts.
function rates_table(    r, pass, last, name, unit) {
    for (r = 1; r <= rows; r++) {
        last[cell[r, "stage"], cell[r, "size"], cell[r, "mode"]] = r
        unit = cell[r, "unit"] != "" ? cell[r, "unit"] : unit
    }
    printf "\n%-10s %-14s %-13s %-5s %10s %10s %16s\n", "stage", "name", "size", "mode", unit, "us", (baseline == "" ? "" : "of " baseline)
    for (pass = 0; pass <= 1; pass++)
        for (r = 1; r <= rows; r++) {
            name = cell[r, "stage"]
            if ((name ~ /^ref_/) != pass || last[name, cell[r, "size"], cell[r, "mode"]] != r)
                continue
            if (cell[r, "status"] != "ok") {
                print title(r) " " cell[r, "status"]
                continue
            }
            share = base[cell[r, "size"], cell[r, "mode"]]
            printf "%s %-5s %10.1f %10.1f %16s\n", title(r), cell[r, "mode"], cell[r, "rate"], cell[r, "median_us"],
                (share > 0 ? sprintf("%.1f %%", 100 * cell[r, "rate"] / share) : "")
        }
}

END { if (rows) { if (counts) counts_table(); else rates_table() } }
