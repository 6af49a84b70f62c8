# Stage 2 of week 2: thread t < s adds word t + s to word t.
TITLE = "Sequential addressing: neighboring threads, neighboring words"
stride(step) = 16 / 2 ** step
word_of(t, s) = t < s ? t : -1
remark(step, n, s) = n > 1 ? \
    sprintf("threads 0 to %d,|words %d apart", n - 1, word_of(1, s) - word_of(0, s)) : "thread 0"
load "tree.gp"
