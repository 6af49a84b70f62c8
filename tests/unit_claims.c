// The claims of a stage: which count as failures, and which the week refuses.
//
// Links: common/harness/claims.c common/harness/problem.c
#include "claims.h"
#include "problem.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cuda_runtime_api.h>

#include "claim.h"
#include "results.h"
#include "tap.h"
#include "unit_week.h"

const int on_cpu_device = 0;
const char *emu_rules(const char *capability) { return (void)capability, ""; }

static const char *status;   // of every row

const struct row *results_find(struct results *r, const char *stage, const struct problem *p,
                               const char *knobs, const char *mode)
{
    static struct row row;

    (void)r;
    row = row_empty();
    row.status = status;
    row.rate = strcmp(stage, "stage3") == 0 ? "300" : "200";
    return p->type == TYPE_F32 && p->dim[0] == 64 && p->dim[1] == 64 && !p->option[UNIT_SHIFT] &&
                   knobs[0] == '\0' && strcmp(mode, "cold") == 0 && row_is_ok(&row)
             ? &row
             : NULL;
}

static void read_claim(const char *text, struct stage_claims *claims)
{
    const char *const list[] = { text, NULL };
    const struct stage_info info = {
        .file = "stage3_x.cu", .key = "stage3", .name = "x", .type = "", .claims = list
    };

    claims_read(claims, &week, &info);
}

// Judges a claim of stage3 on this GPU, and checks whether it counts as a failure and what is
// printed.
static void judged_on(const char *gpu, int sm, const char *text, int failure, const char *verdict,
                      const char *name)
{
    struct device device = { .sm = sm };
    struct results results = { .device = &device };
    struct contender own = { .stage = "stage3" };
    struct stage_claims claims;
    FILE *screen = stdout;
    char *printed;
    size_t length;
    int failed;

    snprintf(device.name, sizeof device.name, "%s", gpu);
    read_claim(text, &claims);
    stdout = open_memstream(&printed, &length);
    failed = claim_report(&claims.of[0], &results, &own, 0);
    fclose(stdout);
    stdout = screen;
    ok(claims.n == 1 && failed == failure && strncmp(printed + 2, verdict, strlen(verdict)) == 0,
       "%s: %s: %s", name, text, printed);
    free(printed);
}

static void judged(int sm, const char *text, int failure, const char *verdict, const char *name)
{
    judged_on("NVIDIA GPU", sm, text, failure, verdict, name);
}

// Claims that name GPUs. Both sides of the comparison are equal.
static void test_gpus(void)
{
    static const char h100[] = "NVIDIA H100 80GB HBM3", h200[] = "NVIDIA H200";

    judged_on(h200, 90, "(H200, 64x64): rate >= 1.5 * stage2.rate", 0, "holds",
              "a claim about this GPU is judged");
    judged_on(h200, 90, "(H200, 64x64): rate > 1.5 * stage2.rate", 1, "does not hold",
              "a claim about this GPU can fail");
    judged_on(h100, 90, "(H200, 64x64): rate > 1.5 * stage2.rate", 0, "skipped",
              "a claim about another GPU is no failure");
    judged_on(h100, 90, "(H200, 64x64): rate >= 1.5 * stage2.rate", 0, "skipped",
              "a claim about another GPU is not passed");
    judged_on(h100, 90, "(H100 or H200, 64x64): rate > 1.5 * stage2.rate", 1, "does not hold",
              "a claim about two GPUs is judged on the first");
    judged_on(h200, 90, "(H100 or H200, 64x64): rate > 1.5 * stage2.rate", 1, "does not hold",
              "a claim about two GPUs is judged on the second");
    judged_on(h200, 90, "(H20, 64x64): rate > 1.5 * stage2.rate", 0, "skipped",
              "a part of a word is no name");
    judged_on("NVIDIA GeForce RTX 4090", 89, "(RTX_4090, 64x64): rate > 1.5 * stage2.rate", 1,
              "does not hold", "_ joins the words of a name");
    judged_on("NVIDIA A100-SXM4-40GB", 80, "(A100, 64x64): rate > 1.5 * stage2.rate", 1,
              "does not hold", "'-' separates words of a device's name");
}

// A claim is about its own size, mode and options only.
static void is_for(const char *text, long long cols, const char *mode, int wanted)
{
    struct stage_claims claims;
    struct problem p = problem_default(&week);

    read_claim(text, &claims);
    size_parse("64x64", &p);
    p.dim[1] = cols;
    ok(claim_is_for(&claims.of[0], &p, mode) == wanted, "%s is %sfor 64x%lld, %s", text,
       wanted ? "" : "not ", cols, mode);
}

// A claim that names something that the week does not have ends the program, with a message.
static void refused(const char *text, const char *part)
{
    static struct stage_claims claims;
    char message[512] = "";
    int fd[2], ended;
    size_t length = 0;
    ssize_t n;

    if (pipe(fd) != 0)
        return;
    fflush(stdout);
    if (fork() == 0) {
        dup2(fd[1], STDERR_FILENO);
        read_claim(text, &claims);
        _exit(0);
    }
    close(fd[1]);
    while ((n = read(fd[0], message + length, sizeof message - 1 - length)) > 0)
        length += n;
    close(fd[0]);
    wait(&ended);
    ok(WEXITSTATUS(ended) == STATUS_USAGE, "%s ends the program", text);
    has(message, "stage3_x.cu: // Expect ", "  the message names the file");
    has(message, part, "  the message says why");
}

int main(void)
{
    status = "ok";
    judged(90, "(sm_90, 64x64): rate >= 1.5 * stage2.rate", 0, "holds",
           "a claim that holds is no failure");
    judged(90, "(sm_90, 64x64): rate > 1.5 * stage2.rate", 1, "does not hold",
           "a claim that does not hold is a failure");
    judged(100, "(sm_90, 64x64): rate > 1.5 * stage2.rate", 0, "skipped",
           "a claim about another generation of GPU is no failure");
    judged(100, "(sm_90, 64x64): rate >= 1.5 * stage2.rate", 0, "skipped",
           "a claim about another generation of GPU is not passed");
    test_gpus();
    judged(90, "(sm_90, 32x32): rate > 0", 0, "not measured yet",
           "rows of another size are not used");
    judged(90, "(sm_90, 64x64, hot): rate > 0", 0, "not measured yet",
           "rows of another mode are not used");
    judged(90, "(sm_90, 64x64, shift=3): rate > 0", 0, "not measured yet",
           "rows with other options are not used");
    judged(90, "(sm_90, 64x64): rate > stage2[shift=3].rate", 0, "not measured yet",
           "rows of another stage with other options are not used");
    judged(90, "(sm_90, 64x64): rate > stage2[TILE=16].rate", 0, "not measured yet",
           "rows with other knobs are not used");
    judged(90, "(sm_90, 64x64, shift=3): stage2[].rate == 200", 0, "holds",
           "brackets remove the claim's options");
    status = "wrong";
    judged(90, "(sm_90, 64x64): rate > 1000", 0, "not measured yet",
           "rows that are not ok are not used");
    is_for("(sm_90, 64x64): rate > 1", 64, "cold", 1);
    is_for("(sm_90, 64x64): rate > 1", 64, "hot", 0);
    is_for("(sm_90, 64x64, hot): rate > 1", 64, "hot", 1);
    is_for("(sm_90, 64x64): rate > 1", 32, "cold", 0);
    is_for("(sm_90, 64x64, int): rate > 1", 64, "cold", 0);
    is_for("(sm_90, 64x64, shift=3): rate > 1", 64, "cold", 0);
    is_for("(cpu, 64x64): rate > 1", 64, "count", 0);
    refused("(sm_90, 0): 1 == 1", "is not a size");
    refused("(sm_90, 8x8x8): 1 == 1", "too many numbers");
    refused("(sm_90, 100000): 1 == 1", "2^31");
    refused("(sm_90, 8x8, double): 1 == 1", "'double' is not an element type of this week");
    refused("(sm_90, 8x8, shift): 1 == 1", "'shift' is neither");
    refused("(sm_90, 8x8, rules=new): 1 == 1", "'rules=new' is neither");
    refused("(sm_90, 8x8, shift=9): 1 == 1", "at most the columns");
    refused("(sm_90, 8x8): stage2[spin=1].rate == 2", "'spin=1' is neither an option");
    refused("(sm_90, 8x8): speed == 2", "no such column");
    return done_testing();
}
