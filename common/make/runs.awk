# What table.awk and markdown.awk make of the rows of runs: name this file before them. A run is the row of a stage and those of the references that
# were timed in turn with it, which follow.

# The median of every x that came with this key, up to now.
function median(key, x,    i, n) {
    n = ++count[key]
    for (i = n; i > 1 && sorted[key, i - 1] > x; i--)
        sorted[key, i] = sorted[key, i - 1]
    sorted[key, i] = x
    return (sorted[key, int((n + 1) / 2)] + sorted[key, int(n / 2) + 1]) / 2
}

# What the stage's rate in run `own` is of the base's there, by in_run[run, place, stage], which has the rates of `run` runs; of a reference, which
# is in many, the median. Nothing where the two were not timed in turn.
function share_in_run(stage, place, base, own,    r, of) {
    for (r = 1; r <= run; r++)
        if ((stage ~ /^ref_/ || r == own) && (r, place, stage) in in_run && (r, place, base) in in_run)
            of = median("share" SUBSEP stage SUBSEP place, in_run[r, place, stage] / in_run[r, place, base])
    return of
}
