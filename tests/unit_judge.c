// Which claims are failures: those about this device, where they do not hold.
//
// Links: common/harness/judge.c common/harness/claims.c common/harness/problem.c common/table/row.c common/harness/die.c
#include "judge.h"

#include <cuda_runtime_api.h>

#include "backend.h"
#include "report.h"
#include "results.h"
#include "tap.h"
#include "unit_week.h"

const int on_cpu_device = 0;
const char *backend_rules(const char *capability) { return (void)capability, ""; }

// As much of the runtime as an error's words need.
const char *cudaGetErrorString(cudaError_t error) { return error ? "an error" : ""; }
const char *cudaGetErrorName(cudaError_t error) { return error ? "error" : ""; }

static enum verdict_of_claim told;
static const char *status;   // of every row

void report_claim(const struct device *d, const struct contender *own, const struct claim *c,
                  const struct claim_result *result)
{
    (void)d, (void)own, (void)c;
    told = result->verdict;
}

int results_find(const char *stage, const struct problem *p, const char *knobs, const char *mode,
                 struct row *row)
{
    *row = (struct row){ 0 };
    row_set(row, "status", "%s", status);
    row_set(row, "rate", "%s", strcmp(stage, "stage3") == 0 ? "300" : "200");
    return p->type == TYPE_F32 && p->dim[0] == 64 && p->dim[1] == 64 && !p->option[UNIT_SHIFT] &&
           knobs[0] == '\0' && strcmp(mode, "cold") == 0;
}

// What judge() returns for a claim of stage3 on a GPU of this generation.
static int judged(int sm, const char *text)
{
    struct device device = { .sm = sm };
    struct contender own = { .stage = "stage3" };
    char error[CLAIM_ERROR];
    struct claim c;

    ok(claim_parse(text, &c, error) == 0, "%s", text);
    return judge(&device, &own, &c);
}

int main(void)
{
    status = "ok";
    ok(judged(90, "(sm_90, 64x64): rate >= 1.5 * stage2.rate") == 0 && told == HOLDS, "holds");
    ok(judged(90, "(sm_90, 64x64): rate > 1.5 * stage2.rate") == 1 && told == HOLDS_NOT,
       "a claim that does not hold is a failure");
    ok(judged(100, "(sm_90, 64x64): rate > 1.5 * stage2.rate") == 0 && told == HOLDS_NOT,
       "and none on a GPU of another generation");
    ok(judged(90, "(sm_90, 32x32): rate > 0") == 0 && told == NOT_MEASURED,
       "what was not measured is no failure");
    ok(judged(90, "(sm_90, 64x64, hot): rate > 0") == 0 && told == NOT_MEASURED,
       "nor what was measured in another mode");
    ok(judged(90, "(sm_90, 64x64, shift=3): rate > 0") == 0 && told == NOT_MEASURED,
       "nor what was measured with other options");
    ok(judged(90, "(sm_90, 64x64): rate > stage2[shift=3].rate") == 0 && told == NOT_MEASURED,
       "of another stage");
    ok(judged(90, "(sm_90, 64x64): rate > stage2[TILE=16].rate") == 0 && told == NOT_MEASURED,
       "or with other knobs");
    ok(judged(90, "(sm_90, 64x64, shift=3): stage2[].rate == 200") == 0 && told == HOLDS,
       "brackets take the options away");
    status = "wrong";
    ok(judged(90, "(sm_90, 64x64): rate > 1000") == 0 && told == NOT_MEASURED,
       "a row that is not ok measures nothing");
    return done_testing();
}
