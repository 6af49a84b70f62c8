# Stage 0 of week 2: thread t adds if t % (2 s) == 0.
TITLE = "Modulo: the threads that add are spread over all warps"
stride(step) = 2 ** (step - 1)
word_of(t, s) = t % (2 * s) == 0 ? t : -1
remark(step, n, s) = n > 1 ? sprintf("threads 0 to %d:|1 in %d adds", (n - 1) * 2 * s, 2 * s) : "thread 0"
load "tree.gp"
