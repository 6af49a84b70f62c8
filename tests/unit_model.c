// Links: common/model/code.c common/model/decode.c common/model/memory.c common/model/needs.c
// Links: common/model/numbers.c common/model/opcodes.c common/model/play.c common/model/record.c
// Links: common/model/time.c common/model/warp.c common/model/words.c
#define _GNU_SOURCE
#include "../common/model/model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tap.h"

static struct model_machine *h200;

// The machine code in a text, of one kernel; NULL if it is refused.
static struct model_code *code_of(const char *text)
{
    char path[] = "/tmp/unit_model_XXXXXX";
    int file = mkstemp(path);
    FILE *f = fdopen(file, "w");
    struct model_code *code;

    fputs(text, f);
    fclose(f);
    code = model_code_read(path);
    unlink(path);
    return code;
}

static struct model_time played(const struct model_code *code, const char *kernel, unsigned blocks,
                                unsigned threads, const void *arguments, size_t bytes)
{
    struct model_launch launch = { .kernel = kernel,
                                   .grid = { blocks, 1, 1 },
                                   .block = { threads, 1, 1 },
                                   .parameters = arguments,
                                   .n_parameters = bytes,
                                   .read_bytes = NAN,
                                   .written_bytes = NAN };
    struct model_time time;

    model_play(h200, code, &launch, &time);
    return time;
}

static void same_number(double got, double want, const char *what)
{
    ok(got == want, "%s: %.0f, expected %.0f", what, got, want);
}

static struct model_time time_of(const char *body, unsigned blocks, unsigned threads)
{
    char text[1000];
    struct model_code *code;
    struct model_time t;

    snprintf(text, sizeof text, "\t.target\tsm_90a\n\t.section\t.text.k,\"ax\",@progbits\nk:\n%s",
             body);
    code = code_of(text);
    t = played(code, "k", blocks, threads, "", 0);
    model_code_free(code);
    return t;
}

static double instructions_of(const char *body, unsigned threads)
{
    return time_of(body, 1, threads).instructions;
}

// Nsight Compute counts 9,132,032 instructions for the first kernel of week 2, at 2^20 elements.
static void test_count(void)
{
    struct {
        unsigned long long in, out;
        long long n;
    } arguments = { 0x7f0000000000, 0x7f1000000000, 1 << 20 };
    struct model_code *code = model_code_read("common/model/code/sm_90a/02_reduction_stage0.sass");
    struct model_time t =
        played(code, "_Z6reduceIjEvPKT_PS0_x", 2048, 512, &arguments, sizeof arguments);

    same_number(t.instructions, 9132032,
                "instructions of week 2, stage 0 are those that ncu counts");
    ok(t.us > 5 && t.us < 50, "its time is some microseconds");
    model_code_free(code);
}

static void test_paths(void)
{
    same_number(instructions_of("  /*0000*/ EXIT ;\n", 64), 2, "a warp executes its exit");
    same_number(instructions_of("  /*0000*/ S2R R0, SR_TID.X ;\n"
                                "  /*0010*/ ISETP.GE.AND P0, PT, R0, 0x20, PT ;\n"
                                "  /*0020*/ @P0 EXIT ;\n"
                                "  /*0030*/ IADD3 R1, R0, 0x1, RZ ;\n"
                                "  /*0040*/ EXIT ;\n",
                                64),
                8, "lanes for which a guard holds end");
    same_number(instructions_of("  /*0000*/ MOV R0, 0x5 ;\n"
                                ".L_x_1:\n"
                                "  /*0010*/ IADD3 R0, R0, -0x1, RZ ;\n"
                                "  /*0020*/ ISETP.NE.AND P0, PT, R0, RZ, PT ;\n"
                                "  /*0030*/ @P0 BRA `(.L_x_1) ;\n"
                                "  /*0040*/ EXIT ;\n",
                                32),
                17, "a loop has as many rounds as its counter says");
}

// All lanes of 8192 warps add to one word: machine numbers say that floats take 2.4 times as long.
static void test_atomics(void)
{
    const char *body = "  /*0000*/ MOV R2, 0x1000 ;\n"
                       "  /*0010*/ MOV R3, 0x7f00 ;\n"
                       "  /*0020*/ REDG.E.ADD%s.STRONG.GPU desc[UR4][R2.64], R5 ;\n"
                       "  /*0030*/ EXIT ;\n";
    char ints[400], floats[400];
    double ratio;

    snprintf(ints, sizeof ints, body, "");
    snprintf(floats, sizeof floats, body, ".F32.FTZ.RN");
    ratio = time_of(floats, 1024, 256).us / time_of(ints, 1024, 256).us;
    ok(ratio > 2.3 && ratio < 2.5, "sums of floats in one word take %.2f times as long as of ints",
       ratio);
}

// Files that a disk or an editor has damaged: no crash, and an end.
static void test_damage(void)
{
    same_number(instructions_of("  /*0000*/ IADD3 R1, R2, R3, RZ ;\n", 32), 2,
                "code without an exit ends behind its last instruction");
    same_number(instructions_of("  /*0000*/ BRA `(.L_x_9) ;\n  /*0010*/ EXIT ;\n", 32), 2,
                "a label that is missing is the next instruction");
    same_number(
        instructions_of("  /*0000*/ @P9 IADD3 R999, UR300, P8, RZ ;\n  /*0010*/ EXIT ;\n", 32), 2,
        "registers that no GPU has are not read");
    struct model_code *code =
        code_of("record sm_90 1\nkernel k 8 0 528\n=-7\nBRA >-9\nBRA >99\nEXIT\n");

    ok(played(code, "k", 1, 32, "", 0).instructions >= 1, "a record with numbers out of range");
    model_code_free(code);
    ok(!code_of("nothing\n"), "a file without a kernel is refused");
}

int main(void)
{
    h200 = model_machine_read("common/machine", "h200");
    test_count();
    test_paths();
    test_atomics();
    test_damage();
    return done_testing();
}
