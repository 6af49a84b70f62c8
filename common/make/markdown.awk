# A table of a README, in Markdown, from recorded rows. `make readme` puts it between the marks that name the command.
#
#   awk -v table=rates -v columns="16384x16384/cold 2048x2048/hot" -v baseline=ref_memcpy -f runs.awk -f markdown.awk LADDER.tsv
#   awk -v table=then -v columns=2048x2048/cold -f runs.awk -f markdown.awk PUBLISHED.tsv LADDER.tsv
#   awk -v table=times -v columns="1024/cold 65536/cold" -f runs.awk -f markdown.awk SHMOO.tsv
#   awk -v table=knobs -v columns="1024/cold 65536/cold" -f runs.awk -f markdown.awk COMBINE.tsv
#   awk -v table=counts -f runs.awk -f markdown.awk COUNTS.tsv
#   awk -v table=activity -f runs.awk -f markdown.awk COUNTS.tsv
#   awk -v table=slots -f runs.awk -f markdown.awk ROOFLINE.tsv
#
# rates: each stage's rate where `columns` say, as SIZE/MODE, and for the first of them its share of the baseline's in the same run.
# then: the stages of a published table, whose "# base:" names the one that the others are shares of, beside today's.
# times: each stage's median time in us where `columns` say, in a stream and, if any was measured so, replayed from a graph.
# knobs: the same, with a row for each setting of the knobs.
# counts: how many requests, and what each took.
# activity: what shared memory was asked for, barriers, and the lanes that took part.
# slots: the instructions of a call, their share of what all SMs could have issued meanwhile, the bytes that came from L2, and the clock.
#
# Rows of builds with knobs (but for knobs), of other variants than -v variant= names, and of other element types than the first, are left out. A
# later row replaces an earlier one, but what is told of a reference is the median of its rows. A run is the row of a stage and those of the
# references that were timed in turn with it, which follow: a share is of the baseline's rate there, for that depends on what else runs, and of its
# median where the stage was timed alone.

# A cell of this row; "" where its table has no such column.
function field(title) { return title in at ? $at[title] : "" }

function told(what, stage, place, value) {
    return stage ~ /^ref_/ && field("status") == "ok" && value != "" ? median(what SUBSEP stage SUBSEP place, value + 0) : value
}

BEGIN { FS = "\t"; wanted = split(columns, column, " ") }
/^# [a-z]+: / { key = $0; sub(/^# /, "", key); sub(/:.*/, "", key); sub(/^[^:]*: /, ""); meta[key] = $0; next }
/^#/ || /^$/ { next }
/^week\t/ { split("", at); for (i = 1; i <= NF; i++) at[$i] = i; next }
field("stage") !~ /^ref_/ { run++ }
field("knobs") != "" && table != "knobs" { next }
field("variant") != variant { next }
type == "" { type = field("type") }
"type" in at && field("type") != type { next }
{
    set = field("knobs")
    stage = field("stage") (set == "" ? "" : " " set)
    if (!(stage in name))
        insert(stage)
    name[stage] = field("name")
    knobs[stage] = set
    place = field("mode") == "published" ? "published" : field("size") "/" field("mode")
    status[stage, place] = field("status")
    rate[stage, place] = told("rate", stage, place, field("rate")) + 0
    us[stage, place] = told("us", stage, place, field("median_us"))
    graph_us[stage, place] = told("graph_us", stage, place, field("graph_us"))
    run_of[stage, place] = run
    if (field("status") == "ok" && field("rate") > 0)
        in_run[run, place, stage] = field("rate")
    unit = field("unit") != "" ? field("unit") : unit
    where[place] = field("device") ", " field("size")
    for (c in at)
        cell[stage, c] = $at[c]
}

# Stages by number, references after them, the settings of one as they come.
function rank(stage) { return stage ~ /^stage/ ? substr(stage, 6) + 0 : 1e9 }
function insert(stage,    i) {
    for (i = ++stages; i > 1 && rank(order[i - 1]) > rank(stage); i--)
        order[i] = order[i - 1]
    order[i] = stage
}

function link(stage,    key, text, file) {
    key = stage
    sub(/ .*/, "", key)
    text = key ~ /^ref_/ ? key : key " " name[stage]
    file = key ~ /^ref_/ ? key : key "_" name[stage]
    return "[" text "](" file ".cu)" (knobs[stage] == "" ? "" : " `" knobs[stage] "`")
}
function number(x) { return sprintf(x >= 100 ? "%.0f" : x < 1 ? "%.2g" : "%.1f", x) }
function is_ok(stage, place) { return status[stage, place] == "ok" && rate[stage, place] > 0 }
function rate_at(stage, place) { return is_ok(stage, place) ? number(rate[stage, place]) : status[stage, place] == "" ? "-" : status[stage, place] }
function share(stage, place, base,    of) {
    if (!is_ok(stage, place) || !is_ok(base, place))
        return "-"
    of = share_in_run(stage, place, base, run_of[stage, place])
    apart += !of
    return sprintf("%.1f %%", 100 * (of ? of : rate[stage, place] / rate[base, place]))
}
function plain(stage) { sub(/^ref_/, "", stage); return stage }
# "16777216/cold" is "2^24, cold".
function words(place,    part, n, power) {
    split(place, part, "/")
    for (n = part[1]; n >= 2 && n % 2 == 0; n /= 2)
        power++
    return (part[1] ~ /^[0-9]+$/ && n == 1 && power >= 10 ? "2^" power : part[1]) ", " part[2]
}
function each(stage, units, requests) {
    if (cell[stage, requests] == "" || cell[stage, requests] == 0)
        return "-"
    return cell[stage, requests] " x " sprintf("%.4g", cell[stage, units] / cell[stage, requests])
}
function footer(more) {
    print "\n" meta["device"] (meta["cuda"] != "" ? ", CUDA " meta["cuda"] : "") (meta["driver"] != "" ? ", driver " meta["driver"] : "") ", " \
        meta["date"] "." more
}

function rates(    head, rule, line, found, i, s) {
    head = "| " unit " | " words(column[1]) " | of " plain(baseline) " |"
    rule = "|---|--:|--:|"
    for (i = 2; i <= wanted; i++) {
        head = head " " words(column[i]) " |"
        rule = rule "--:|"
    }
    print head "\n" rule
    for (s = 1; s <= stages; s++) {
        found = ""
        line = "| " link(order[s]) " | " rate_at(order[s], column[1]) " | " share(order[s], column[1], baseline) " |"
        for (i = 1; i <= wanted; i++) {
            found = found status[order[s], column[i]]
            if (i > 1)
                line = line " " rate_at(order[s], column[i]) " |"
        }
        if (found != "")
            print line
    }
    footer(baseline !~ /^ref_/ ? "" : " Shares are of " plain(baseline) " in the same run" (apart ? ", or of its median where there was none" : "") \
        "; a reference's numbers are medians of its runs.")
}

function us_text(stage, place, value) { return is_ok(stage, place) && value != "" ? sprintf("%.2f", value) : "-" }
function times(    head, rule, line, i, s, graphs) {
    head = "| us a call |"
    rule = "|---|"
    for (i = 1; i <= wanted; i++) {
        for (s = 1; s <= stages; s++)
            graphs[i] += us_text(order[s], column[i], graph_us[order[s], column[i]]) != "-"
        head = head " " words(column[i]) " |" (graphs[i] ? " from a graph |" : "")
        rule = rule "--:|" (graphs[i] ? "--:|" : "")
    }
    print head "\n" rule
    for (s = 1; s <= stages; s++) {
        line = "| " link(order[s]) " |"
        for (i = 1; i <= wanted; i++)
            line = line " " us_text(order[s], column[i], us[order[s], column[i]]) " |" \
                (graphs[i] ? " " us_text(order[s], column[i], graph_us[order[s], column[i]]) " |" : "")
        print line
    }
    footer()
}

function then(    head, rule, line, i, s, base) {
    base = meta["base"]
    head = "| " unit " | " where["published"] " | of " base " |"
    rule = "|---|--:|--:|"
    for (i = 1; i <= wanted; i++) {
        head = head " " words(column[i]) " | of " base " |"
        rule = rule "--:|--:|"
    }
    print head "\n" rule
    for (s = 1; s <= stages; s++) {
        if (!is_ok(order[s], "published"))
            continue
        line = "| " link(order[s]) " | " rate_at(order[s], "published") " | " share(order[s], "published", base) " |"
        for (i = 1; i <= wanted; i++)
            line = line " " rate_at(order[s], column[i]) " | " share(order[s], column[i], base) " |"
        print line
    }
}

function counts(    s) {
    print "| " cell[order[1], "size"] " | loads x sectors | stores x sectors | shared requests x wavefronts |\n|---|--:|--:|--:|"
    for (s = 1; s <= stages; s++)
        if (order[s] !~ /^ref_/ && cell[order[s], "status"] == "ok")
            print "| " link(order[s]) " | " each(order[s], "ld_sectors", "ld_requests") " | " each(order[s], "st_sectors", "st_requests") \
                " | " each(order[s], "shared_wavefronts", "shared_requests") " |"
    footer()
}

function activity(    s) {
    print "| " cell[order[1], "size"] " | shared requests | wavefronts each | barriers, once a warp | active lanes |\n|---|--:|--:|--:|--:|"
    for (s = 1; s <= stages; s++)
        if (cell[order[s], "status"] == "ok")
            print "| " link(order[s]) " | " cell[order[s], "shared_requests"] " | " \
                (cell[order[s], "shared_requests"] > 0 ? sprintf("%.3g", cell[order[s], "shared_wavefronts"] / cell[order[s], "shared_requests"]) : "-") \
                " | " cell[order[s], "barriers"] " | " sprintf("%.1f", cell[order[s], "active_lanes"]) " |"
}

function million(stage, column) { return cell[stage, column] == "" ? "-" : sprintf("%.1f", cell[stage, column] / 1e6) }
function slots(    s, cycles, slot) {
    print "| " cell[order[1], "size"] " | million instructions | of what can be issued | MB from L2 | clock, GHz |\n|---|--:|--:|--:|--:|"
    for (s = 1; s <= stages; s++) {
        if (cell[order[s], "instructions"] == "")
            continue
        cycles = cell[order[s], "cycles_per_second"]
        slot = cycles * cell[order[s], "issue_per_cycle"] * us[order[s], cell[order[s], "size"] "/cold"] / 1e6
        print "| " link(order[s]) " | " million(order[s], "instructions") \
            " | " (slot ? sprintf("%.1f %%", 100 * cell[order[s], "instructions"] / slot) : "-") \
            " | " million(order[s], "l2_read_bytes") " | " (cycles ? sprintf("%.2f", cycles / 1e9) : "-") " |"
    }
    footer(" Issue slots are those of the time without the profiler, at the clock that it saw.")
}

END {
    if (table == "rates") rates()
    else if (table == "then") then()
    else if (table == "times" || table == "knobs") times()
    else if (table == "counts") counts()
    else if (table == "activity") activity()
    else if (table == "slots") slots()
    else { print "markdown.awk: -v table=rates, then, times, knobs, counts, activity or slots" > "/dev/stderr"; exit 2 }
}
