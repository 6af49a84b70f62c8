# The ladder as a table, from the rows of `make run`: rates on a GPU, with their share of the baseline's, requests on the CPU device.
#
#   awk -v baseline=ref_memcpy -f runs.awk -f table.awk run.tsv
#
# A program writes its stage's row, then those of the references that it timed in turn with it. A share is of the baseline's rate there, for that
# depends on what else runs, and of its median where the stage was timed alone. What is told of a reference is the median of its rows.

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
    stage = cell[rows, "stage"]
    place = cell[rows, "size"] SUBSEP cell[rows, "mode"]
    run += stage !~ /^ref_/
    run_of[rows] = run
    if (cell[rows, "status"] != "ok" || cell[rows, "rate"] <= 0)
        next
    in_run[run, place, stage] = cell[rows, "rate"]
    if (stage ~ /^ref_/) {
        cell[rows, "rate"] = median("rate" SUBSEP stage SUBSEP place, cell[rows, "rate"] + 0)
        cell[rows, "median_us"] = median("us" SUBSEP stage SUBSEP place, cell[rows, "median_us"] + 0)
    }
    if (stage == baseline)
        base[place] = cell[rows, "rate"]
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

# What row k is of the baseline, as a text.
function share(k,    place, of) {
    place = cell[k, "size"] SUBSEP cell[k, "mode"]
    if (!base[place])
        return ""
    of = share_in_run(cell[k, "stage"], place, baseline, run_of[k])
    return sprintf("%.1f %%", 100 * (of ? of : cell[k, "rate"] / base[place]))
}

# References last, each once, at the last of its rows, whose median is that of all.
function rates_table(    r, pass, last, name, unit, of, shares) {
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
            of = share(r)
            shares += of != ""
            printf "%s %-5s %10.1f %10.1f %16s\n", title(r), cell[r, "mode"], cell[r, "rate"], cell[r, "median_us"], of
        }
    if (shares && baseline ~ /^ref_/)
        print "of " baseline ": in the same run; a reference's numbers are medians of its runs"
}

END { if (rows) { if (counts) counts_table(); else rates_table() } }
