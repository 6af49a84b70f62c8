# Lists the targets of makefiles with the "## text" after each. A line "## name: text" lists targets that have no rule of that name. A part of a file
# `runs` is a target, too; the comment above it is its text.

FILENAME ~ /runs$/ && !NF { comment = "" }
FILENAME ~ /runs$/ && /^# / { comment = substr($0, 3); next }
FILENAME ~ /runs$/ && NF { if (comment != "") show($1, comment); comment = "" }
/^## [^ ]+:/ { text = $0; sub(/^## [^ ]+: */, "", text); show(substr($2, 1, length($2) - 1), text) }
/^[A-Za-z][A-Za-z0-9_-]*:.*## / { name = text = $0; sub(/:.*/, "", name); sub(/.*## */, "", text); show(name, text) }

function show(name, text) {
    if (!(name in seen))
        printf "  %-14s %s\n", name, text
    seen[name] = 1
}

END {
    print ""
    print "  DEVICE=gpu|cpu   the CPU device needs no GPU and no CUDA; default: gpu if nvcc and a GPU are found"
    print "  ARCH=sm_90       what to compile for; default: this machine's GPU, otherwise the oldest that nvcc supports"
    print "  RUN=\"srun ...\"   prefix of every run, for clusters; implies DEVICE=gpu"
    print "  STAGES=\"stage3 stage4\"   only these stages;   V=1   show the commands"
}
