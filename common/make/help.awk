# Lists the targets of makefiles with the "## text" after each. A line "## name: text" lists targets that have no rule of that name. A part of a file
# `runs` is a target, too; the comment above it is its text.

FILENAME ~ /runs$/ && !NF { comment = "" }
FILENAME ~ /runs$/ && /^# / { comment = substr($0, 3); next }
FILENAME ~ /runs$/ && NF { if (comment != "") show($1, comment); comment = "" }
/^## [^ ]+:/ { text = $0; sub(/^## [^ ]+: */, "", text); show(substr($2, 1, length($2) - 1), text) }
/^[A-Za-z][A-Za-z0-9_-]*:.*## / { name = text = $0; sub(/:.*/, "", name); sub(/.*## */, "", text); show(name, text) }

function show(name, text) {
    if (!(name in seen))
        fit(sprintf("  %-14s ", name), text)
    seen[name] = 1
}

# Breaks a text at blanks into lines below each other, the first behind `start`. `width` is that of the terminal, if there is one.
function fit(start, text,   word, n, i, line, most) {
    most = width < 1 ? 100 : width < 80 ? 80 : width
    n = split(text, word, " ")
    line = start word[1]
    for (i = 2; i <= n; i++)
        if (length(line) + 1 + length(word[i]) <= most)
            line = line " " word[i]
        else {
            print line
            line = sprintf("%" length(start) "s", "") word[i]
        }
    print line
}

BEGIN {
    if (width !~ /^[0-9]*$/) {
        print "COLUMNS=" width ": expected a whole number" > "/dev/stderr"
        exit status = 2
    }
}

END {
    if (status)
        exit status
    print ""
    fit("  DEVICE=gpu|cpu   ", "the CPU device needs no GPU and no CUDA; default: gpu if nvcc and a GPU are found")
    fit("  ARCH=sm_90       ", "what to compile for; default: this machine's GPU, otherwise the oldest that nvcc supports")
    fit("  RUN=\"srun ...\"   ", "prefix of every run, for clusters; implies DEVICE=gpu")
    fit("  STAGES=\"stage3 stage4\"   ", "only these stages")
    fit("  V=1              ", "show the commands")
}
