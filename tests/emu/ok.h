// TAP output for the programs of this folder. A comment "Supported: ..." before a test becomes a
// line of the CPU device's README (common/emu/supported.sh).
#ifndef OK_H
#define OK_H

#include <stdio.h>

static int tests;

static void ok(int right, const char *what)
{
    printf("%sok %d - %s\n", right ? "" : "not ", ++tests, what);
}

// Runs `launch`, then compares the n elements that the kernel stored with want(i).
template <class T, class Launch, class Want>
static void gives(int n, Launch launch, Want want, const char *what)
{
    T *out, *host = new T[n];
    int right = 1;

    cudaMalloc(&out, n * sizeof *out);
    cudaMemset(out, 0, n * sizeof *out);
    launch(out);
    right &= cudaGetLastError() == cudaSuccess;
    cudaMemcpy(host, out, n * sizeof *out, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n && right; i++)
        if (!(host[i] == (T)want(i))) {
            printf("# element %d: %g, not %g\n", i, (double)host[i], (double)(T)want(i));
            right = 0;
        }
    ok(right, what);
    cudaFree(out);
    delete[] host;
}

#endif
