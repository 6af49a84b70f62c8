# Reads IN and chooses what a figure shows. A figure's script sets, before `load HERE."rows.gp"`
#   NEED       the columns without which it can draw nothing
#   draws(r)   whether row r knows what is to be drawn, and DRAWN, what that is in words
#   MODES      the modes that it can show, best first
#   ALL_SIZES  1: every size is shown; 0: one, the one given, else the one that most rows have, the largest of those
#   ALL_KNOBS  1: the builds with knobs set, all of them; 0: one, the one given, else the builds with the knobs as they stand in their files
# and, where a figure is about several inputs of one size,
#   ALL_SEEDS  1: the rows of each seed are rows of their own
#   ALL_VARIANTS  1: the rows with options of the week (--memory-only) too, whatever they are; else those of opt_variant, or those with none
#   ANY_ARITHMETIC  1: references of another arithmetic than the type's own too, such as TF32, which are nothing to measure fp32 stages by
# It is left with an array for each column (`rate[r]`, NaN where unknown; `stage[r]`, "" where unknown) over rows r = 1..N, with keep(r), which
# says whether a row is one to show, with usable(r), which says that it was found right and knows its value, with MODE, TYPE, KNOBS, SIZE, WEEK,
# UNIT, DEVICE, and with STAGES and REFERENCES, the names of what was kept, in order.

# --- '#' lines, header, rows. Nothing splits a line at \001, so that column 1 is the line.

set datafile separator "\001"
set datafile commentschars ""
META = "\n"
HEADER = ""
N = 0
stats IN using (line = strcol(1), \
    line[1:1] eq "#" ? (META = META.line."\n") : HEADER eq "" ? (HEADER = line) : (N = N + 1), 1) nooutput
set datafile commentschars "#"
set datafile separator "\t"
set datafile columnheaders

# What the first "# name: ..." line says; "" where none does.
up_to_newline(s) = s[1:strstrt(s, "\n")-1]
meta(name) = (at = strstrt(META, "\n# ".name.": ")) ? up_to_newline(META[at+strlen(name)+5:*]) : ""

has_column(c) = strstrt("\t".HEADER."\t", "\t".c."\t") > 0
do for [c in "stage status mode ".NEED] {
    if (!has_column(c)) { eval refuse(IN.": has no column '".c."'") }
}
if (N == 0) { eval lacking(IN.": has a header and no rows") }

do for [c in "week stage name device type arithmetic size knobs variant mode status unit seed date"] {
    eval "array ".c."[N]"
    do for [r=1:N] { eval c."[r] = ''" }
    if (has_column(c)) { eval "r = 0; stats IN using (r = r + 1, ".c."[r] = strcol('".c."'), 1) nooutput" }
}
NUMERIC = "rate median_us p10_us p90_us bytes peak_gbs l2_bytes ld_requests ld_sectors st_requests st_sectors shared_requests shared_wavefronts" \
    ." barriers active_lanes max_error flops l2_read_bytes dram_read_bytes dram_write_bytes instructions" \
    ." issue_per_cycle cycles_per_second tex_requests ld_bytes st_bytes"
do for [c in NUMERIC] {
    eval "array ".c."[N]"
    do for [r=1:N] { eval c."[r] = NaN" }
    if (has_column(c)) { eval "r = 0; stats IN using (r = r + 1, ".c."[r] = column('".c."'), 1) nooutput" }
}
# gnuplot reads its own arrays under these as well
set datafile separator whitespace
unset datafile columnheaders

# --- choice

# A later row replaces an earlier one of the same stage, type, size, knobs, variant and mode: a file may hold several runs. What is told of a
# reference is the median of its rows.
array key[N]
array latest[N]
seen = "\n"
again = ""
do for [r=N:1:-1] {
    key[r] = "\n".stage[r]."\t".type[r]."\t".size[r]."\t".knobs[r]."\t".variant[r]."\t".mode[r].(exists("ALL_SEEDS") ? "\t".seed[r] : "")."\n"
    latest[r] = !strstrt(seen, key[r])
    seen = latest[r] ? seen.key[r] : seen
    again = !latest[r] && is_reference(stage[r]) && status[r] eq "ok" ? again.key[r] : again
}
array measured[N]
do for [r=1:N] { measured[r] = rate[r] }
do for [r=1:N] {
    if (latest[r] && strstrt(again, key[r])) {
        do for [c in "rate median_us"] {
            eval "sample(q) = key[q] eq key[r] && status[q] eq 'ok' ? ".c."[q] : NaN"
            if (sum [q=1:N] (known(sample(q)))) { stats latest using (sample($1)) nooutput name "TOLD"; eval c."[r] = TOLD_median" }
        }
    }
}

# A run is the row of a stage and those of the references that were timed in turn with it, which follow. What a reference does depends on what else
# runs: beside(r, s) is the rate of s in the run of row r, NaN where that has none.
array run_of[N]
run = 0
do for [r=1:N] { run = is_reference(stage[r]) ? run : r; run_of[r] = run }
beside(r, s) = (last = NaN, sum [q=1:N] (run_of[q] == r && q != r && stage[q] eq s && size[q] eq size[r] && mode[q] eq mode[r] \
    && variant[q] eq variant[r] && status[q] eq "ok" ? (last = measured[q], 1) : 0), last)

right(r) = latest[r] && status[r] eq "ok" && is_size(size[r]) && draws(r)
right_stage(r) = right(r) && number(stage[r]) >= 0

MODE = exists("opt_mode") ? opt_mode : ""
do for [m in MODES] { do for [r=1:N] { if (MODE eq "" && right_stage(r) && mode[r] eq m) { MODE = m } } }
if (MODE eq "") { eval lacking(IN.": no row of mode ".MODES." is ok and has ".DRAWN) }

TYPE = exists("opt_type") ? opt_type : ""
do for [r=1:N] { if (TYPE eq "" && right_stage(r) && mode[r] eq MODE) { TYPE = type[r] } }

KNOBS = exists("opt_knobs") ? opt_knobs : ""
if (!ALL_KNOBS && KNOBS eq "") {
    # as they stand in the files, unless there are no such rows
    do for [r=1:N] { if (right_stage(r) && mode[r] eq MODE && type[r] eq TYPE) { KNOBS = knobs[r]; if (KNOBS eq "") { break } } }
}
VARIANT = exists("opt_variant") ? opt_variant : ""   # as without the options of the week, unless one is given
only_stage = exists("opt_stage") ? opt_stage : ""
fits(r) = is_reference(stage[r]) || ((ALL_KNOBS ? knobs[r] ne "" : knobs[r] eq KNOBS) && (only_stage eq "" || stage[r] eq only_stage))
ALL_VARIANTS = exists("ALL_VARIANTS") ? ALL_VARIANTS : 0
ANY_ARITHMETIC = exists("ANY_ARITHMETIC") ? ANY_ARITHMETIC : 0
chosen(r) = latest[r] && mode[r] eq MODE && type[r] eq TYPE && (ALL_VARIANTS || variant[r] eq VARIANT) && fits(r)
usable(r) = right(r) && chosen(r)

SIZE = exists("opt_size") ? opt_size : ""
if (!ALL_SIZES && SIZE eq "") {
    seen = " "
    most = 0
    do for [r=1:N] {
        if (usable(r) && number(stage[r]) >= 0 && !has_word(seen, size[r])) {
            seen = seen.size[r]." "
            ran = sum [q=1:N] (chosen(q) && size[q] eq size[r] && !is_reference(stage[q]))
            if (ran > most || (ran == most && product(size[r]) > product(SIZE))) { most = ran; SIZE = size[r] }
        }
    }
}
keep(r) = chosen(r) && (ALL_SIZES || size[r] eq SIZE)

# --- what was kept

STAGES = ""
REFERENCES = ""
WEEK = ""
UNIT = ""
DEVICE = ""
DATE = ""
LAST_NUMBER = -1
found = 0
do for [r=1:N] {
    if (keep(r)) {
        if (is_reference(stage[r])) {
            if (usable(r) && (ANY_ARITHMETIC || arithmetic[r] eq "") && !has_word(REFERENCES, stage[r])) { REFERENCES = REFERENCES." ".stage[r] }
        } else {
            LAST_NUMBER = number(stage[r]) > LAST_NUMBER ? number(stage[r]) : LAST_NUMBER
            found = found + (usable(r) && number(stage[r]) >= 0)
        }
        WEEK = WEEK eq "" ? week[r] : WEEK
        UNIT = UNIT eq "" ? unit[r] : UNIT
        DEVICE = DEVICE eq "" ? device[r] : DEVICE
        DATE = date[r] ne "" ? date[r] : DATE
    }
}
asked = "mode ".MODE.(TYPE eq "" ? "" : ", type ".TYPE).(SIZE eq "" || ALL_SIZES ? "" : ", size ".SIZE).(KNOBS eq "" ? "" : ", knobs ".KNOBS) \
    .(only_stage eq "" ? "" : ", ".only_stage)
if (!found) { eval lacking(IN.": no stage is ok and has ".DRAWN." (".asked.")") }
do for [n=0:LAST_NUMBER] {
    do for [r=1:N] {
        if (keep(r) && number(stage[r]) == n && !has_word(STAGES, stage[r])) { STAGES = STAGES." ".stage[r] }
    }
}

# The row of a stage or reference in a figure of one size; 0 where there is none.
row(s) = (last = 0, sum [r=1:N] (keep(r) && stage[r] eq s ? (last = r, 1) : 0), last)

# --- title and footer

TOPIC = (at = strstrt(WEEK, "_")) ? WEEK[at+1:*] : WEEK
DEVICE = DEVICE eq "" ? meta("device") : DEVICE
DATE = DATE eq "" ? meta("date") : DATE
also(s) = s eq "" ? "" : " | ".s
FOOTER = (DEVICE eq "" ? "unknown device" : DEVICE).also(meta("cuda") eq "" ? "" : "CUDA ".meta("cuda")).also(DATE[1:10]) \
    .(ALL_SIZES ? "" : also(SIZE)).also(TYPE).also(MODE).also(KNOBS).also(VARIANT)
set label 1001 FOOTER at screen 0.985, screen 0.025 right font text_size(0.65) textcolor rgb grey
