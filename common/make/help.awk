# Lists the targets of makefiles with the "## text" beside each; a line "## name: text" stands for targets that have no rule of that name.

/^## [^ ]+:/ { name = $2; sub(/:$/, "", name); text = $0; sub(/^## [^ ]+: */, "", text); show() }
/^[A-Za-z][A-Za-z0-9_-]*:.*## / { name = $1; sub(/:.*/, "", name); text = $0; sub(/.*## */, "", text); show() }

function show() {
    if (!(name in seen))
        printf "  %-14s %s\n", name, text
    seen[name] = 1
}

END {
    print ""
    print "  DEVICE=gpu|cpu   the GPU, or the CPU device, which needs no GPU and no CUDA; without it, the GPU where there is one"
    print "  ARCH=sm_90       what to compile for; without it, the GPU that is there, else the oldest that nvcc knows"
    print "  RUN=\"srun ...\"   put before every run, for clusters; implies DEVICE=gpu"
    print "  STAGES=\"stage3 stage4\"   only these;   V=1   show the commands"
}
