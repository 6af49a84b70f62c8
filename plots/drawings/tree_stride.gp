# Stage 1 of week 2: thread t adds the pair number t.
TITLE = "Strided index: neighboring threads, but words 2 s apart"
stride(step) = 2 ** (step - 1)
word_of(t, s) = 2 * s * t < 16 ? 2 * s * t : -1
remark(step, n, s) = n > 1 ? \
    sprintf("threads 0 to %d,|words %d apart", n - 1, word_of(1, s) - word_of(0, s)) : "thread 0"
load "tree.gp"
