#include "check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "backend.h"
#include "call.h"
#include "program.h"
#include "problem.h"

static void compare_output(const struct problem *p, const struct buffer *b, const void *device,
                           const void *want, struct mismatch *m)
{
    size_t bytes = buffer_bytes(b), size = type_size(b->type), want_size = type_size(want_type(b));
    char *got = arrays_piece();

    compare_begin(m, b, problem_tolerance(p));
    m->relative = problem_relative_tolerance(p);
    for (size_t at = 0; at < bytes; at += ARRAYS_PIECE) {
        size_t n = bytes - at < ARRAYS_PIECE ? bytes - at : ARRAYS_PIECE;

        arrays_download(got, (const char *)device + at, n);
        compare_elements(m, at / size, n / size, got, (const char *)want + at / size * want_size);
    }
}

enum status check_poisoned_call(stage_fn *stage, const struct problem *p, const struct arrays *a,
                                int set, struct facts *facts)
{
    void *device[MAX_BUFFERS];

    arrays_set(a, set, device);
    arrays_poison(a, set);
    if (!facts || !on_cpu_device)
        return call_stage(stage, p, device);
    call_begin();
    backend_inspect(stage, p, device, facts);
    return call_end();
}

static void judge_mismatch(struct verdict *v)
{
    if (!v->mismatch.wrong)
        return;
    v->status = STATUS_WRONG;
    v->compared = 1;
    v->why = compare_words(&v->mismatch);
}

static void judge_outputs(const struct problem *p, const struct arrays *a, void *const device[],
                          struct verdict *v)
{
    // not a->buffer, because a stage with a "Computes:" line may have other rows
    struct buffer buffer[MAX_BUFFERS];

    p->week->buffers(p, buffer);
    for (int i = 0; i < a->n && v->status == STATUS_OK; i++) {
        if (buffer[i].role != OUT)
            continue;
        compare_output(p, &buffer[i], device[i], a->want[i], &v->mismatch);
        v->max_error = fmax(v->max_error, v->mismatch.max_error);
        judge_mismatch(v);
    }
}

static void judge_digests(const struct problem *p, const struct arrays *a, void *const device[],
                          struct verdict *v)
{
    // those of this problem, because an "Arithmetic:" line may change the tolerances
    struct digest digest[MAX_DIGESTS];

    p->week->digests(p, digest);
    for (int i = 0; i < a->n; i++)
        if (a->buffer[i].role == OUT)
            arrays_download(a->got[i], device[i], buffer_bytes(&a->buffer[i]));
    p->week->digest_got(p, a->got, a->digest_got);
    for (int i = 0; i < a->n_digests && v->status == STATUS_OK; i++) {
        v->digest = digest[i].says;
        compare_begin(&v->mismatch, &digest[i].array, digest[i].tolerance);
        v->mismatch.relative = digest[i].relative;
        compare_elements(&v->mismatch, 0, digest[i].array.count, a->digest_got[i],
                         a->digest_want[i]);
        if (digest[i].elements)
            v->max_error = fmax(v->max_error, v->mismatch.max_error);
        judge_mismatch(v);
    }
}

void check_outputs(const struct problem *p, struct arrays *a, int set, struct verdict *v)
{
    void *device[MAX_BUFFERS];

    arrays_set(a, set, device);
    arrays_answer(a, p);
    if (a->n_digests)
        judge_digests(p, a, device, v);
    else
        judge_outputs(p, a, device, v);
}

static void check_call(stage_fn *stage, const struct problem *p, struct arrays *a, int set,
                       struct facts *facts, struct verdict *v)
{
    void *device[MAX_BUFFERS];
    const char *trespass;

    *v = not_judged;
    arrays_set(a, set, device);
    if (a->process) {
        arrays_poison(a, set);
        v->status = isolated_call(a->process, p, a->host, device, facts, &v->why);
    } else {
        v->status = check_poisoned_call(stage, p, a, set, facts);
        v->why = text_of("%s", call_why());
    }
    if (v->status != STATUS_OK)
        return;
    check_outputs(p, a, set, v);
    trespass = arrays_trespass(a, set);
    if (trespass) {
        v->why = joined(v->why, "; it also ", trespass);
        v->status = STATUS_WRONG;
    }
}

// A call after the first must not leak device memory. On a GPU other programs allocate memory, too,
// many times in a row while they start. So eight further calls must all confirm a leak, with pauses
// of 1, 2, 4 to 128 ms before them.
static void judge_memory(stage_fn *stage, const struct problem *p, const struct arrays *a,
                         double used_before, struct verdict *v)
{
    int more = on_cpu_device ? 0 : 8;
    double lost = device_used_bytes() - used_before;
    void *device[MAX_BUFFERS];

    arrays_set(a, 0, device);
    for (int i = 0; i < more && lost > 0; i++) {
        nanosleep(&(struct timespec){ .tv_nsec = 1000000L << i }, NULL);
        used_before = device_used_bytes();
        call_stage(stage, p, device);
        lost = device_used_bytes() - used_before;
    }
    if (lost <= 0)
        return;
    v->status = STATUS_WRONG;
    v->why = text_of("leaks device memory: %.0f bytes per call", lost);
}

// Calls the stage again, with asynchronous operations that take effect at once and not as late as
// the rules allow. Both calls must have the same outputs. A stage whose launches may start before
// the launch before them has ended is called twice in a row: the second must wait for the first.
static void judge_early(stage_fn *stage, const struct problem *p, const struct arrays *a,
                        struct verdict *v)
{
    void *device[MAX_BUFFERS], *late[MAX_BUFFERS], *early[MAX_BUFFERS] = { NULL };

    arrays_set(a, 0, device);
    arrays_outputs(a, 0, late);
    arrays_poison(a, 0);
    emu_land_early(1);
    v->status =
        emu_is_dependent() ? call_stage_twice(stage, p, device) : call_stage(stage, p, device);
    emu_land_early(0);
    v->why = text_of("%s", call_why());
    if (v->status == STATUS_OK)
        arrays_outputs(a, 0, early);
    for (int i = 0; i < a->n; i++) {
        if (early[i] && v->status == STATUS_OK &&
            memcmp(early[i], late[i], buffer_bytes(&a->buffer[i])) != 0) {
            v->status = STATUS_WRONG;
            v->why = text_of("%s depends on when asynchronous operations take effect",
                             a->buffer[i].name);
        }
        free(late[i]);
        free(early[i]);
    }
}

void check_stage(stage_fn *stage, const struct problem *p, struct arrays *a, struct facts *facts,
                 struct verdict *v)
{
    struct problem other = *p;
    double used;

    other.seed = p->seed + 1;
    arrays_fill(a, &other);
    check_call(stage, &other, a, 0, NULL, v);
    // before the call that is counted
    if (v->status == STATUS_OK && !a->process && facts &&
        (emu_is_asynchronous() || emu_is_dependent()))
        judge_early(stage, &other, a, v);
    if (v->status != STATUS_OK)
        return;
    arrays_fill(a, p);
    used = device_used_bytes();
    check_call(stage, p, a, 0, facts, v);
    if (v->status == STATUS_WRONG)
        v->why =
            text_of("%s%s", v->why,
                    "; the first call was correct; this second call had other inputs at the same "
                    "addresses and the same scratch memory");
    if (v->status == STATUS_OK && !a->process)
        judge_memory(stage, p, a, used, v);
}

void check_once(stage_fn *stage, const struct problem *p, struct arrays *a, int set,
                struct facts *facts, struct verdict *v)
{
    check_call(stage, p, a, set, facts, v);
}

void verdict_print(const struct verdict *v, FILE *out)
{
    if (v->status != STATUS_WRONG || !v->compared)
        return;
    compare_print(&v->mismatch, out);
    if (v->digest)
        fprintf(out, "    (%s: %s)\n", v->mismatch.buffer.name, v->digest);
}
