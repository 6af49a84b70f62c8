#define _GNU_SOURCE   // program_invocation_short_name
#include "die.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static void (*last_words)(int status);

void on_die(void (*handler)(int status)) { last_words = handler; }

static void complain(const char *format, va_list arguments)
{
    fflush(stdout);
    fprintf(stderr, "%s: ", program_invocation_short_name);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
}

void warn(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    complain(format, arguments);
    va_end(arguments);
}

void die(int status, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    complain(format, arguments);
    va_end(arguments);
    if (last_words) {
        void (*handler)(int) = last_words;

        last_words = NULL;   // it may fail too
        handler(status);
    }
    exit(status);
}

void cuda_must(cudaError_t result, const char *doing)
{
    if (result != cudaSuccess)
        die(EXIT_CUDA, "CUDA error while %s: %s (%s)", doing, cudaGetErrorString(result),
            cudaGetErrorName(result));
}

void *must_malloc(size_t bytes)
{
    void *p = malloc(bytes ? bytes : 1);

    if (!p)
        die(EXIT_CUDA, "out of memory: %.3f GB for an array on the host", bytes / 1e9);
    return p;
}
