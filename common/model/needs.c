/* Which instructions must be computed: those whose results decide about a branch, about which
 * lanes a memory instruction has, or about an address. The rest is only timed. */
#include "code.h"

#include <string.h>

#include "play.h"

// Registers of each file; shared memory is one more.
struct needs {
    uint8_t is_needed[5][256], shared;
    int changed;
};

static void need(struct needs *n, struct registers r)
{
    for (int k = 0; k < r.count && r.first + k < 256; k++)
        if (!n->is_needed[r.file][r.first + k]) {
            n->is_needed[r.file][r.first + k] = 1;
            n->changed = 1;
        }
}

static int is_written(const struct needs *n, const struct instruction *i)
{
    for (int k = 0; k < i->n_writes; k++)
        for (int r = 0; r < i->writes[k].count; r++)
            if (n->is_needed[i->writes[k].file][(i->writes[k].first + r) & 255])
                return 1;
    return 0;
}

static void need_operand(struct needs *n, const struct operand *o)
{
    if (o->kind == OPERAND_ADDRESS) {
        if (o->reg != ZERO_REGISTER)
            need(n, (struct registers){ OPERAND_REGISTER, o->reg, o->wide ? 2 : 1 });
        if (o->ureg != ZERO_REGISTER)
            need(n, (struct registers){ OPERAND_UNIFORM, o->ureg, o->wide ? 2 : 1 });
    } else if ((o->kind == OPERAND_PREDICATE || o->kind == OPERAND_UNIFORM_PREDICATE) &&
               o->reg != TRUE_PREDICATE)
        need(n, (struct registers){ o->kind, o->reg, 1 });
}

// What an instruction needs in any case: its lanes and addresses if it accesses memory, and its
// condition if it branches.
static void need_always(struct needs *n, const struct instruction *i)
{
    int kind = i->op->kind, is_memory = kind >= KIND_LDS && kind <= KIND_SYNCS;

    if (!is_memory && kind != KIND_BRANCH && kind != KIND_EXIT && strcmp(i->op->name, "BREAK") &&
        strcmp(i->op->name, "BSYNC"))
        return;
    need_operand(n, &i->guard);
    for (int k = is_memory ? 0 : i->n_results; k < i->n_operands; k++)
        if (!is_memory || i->operand[k].kind == OPERAND_ADDRESS)
            need_operand(n, &i->operand[k]);
    if (kind == KIND_SYNCS || kind == KIND_TMA_LOAD || kind == KIND_TMA_STORE ||
        !strcmp(i->op->name, "RET"))
        for (int k = 0; k < i->n_reads; k++)
            need(n, i->reads[k]);
}

void kernel_find_needs(struct model_kernel *kernel)
{
    struct needs n = { .changed = 1 };

    for (int k = 0; k < kernel->n; k++)
        need_always(&n, &kernel->instruction[k]);
    while (n.changed) {
        n.changed = 0;
        for (int k = 0; k < kernel->n; k++) {
            struct instruction *i = &kernel->instruction[k];
            int is_store = i->op->kind == KIND_STS;

            if (i->is_needed || !(is_store ? n.shared : is_written(&n, i)))
                continue;
            i->is_needed = n.changed = 1;
            for (int r = 0; r < i->n_reads; r++)
                need(&n, i->reads[r]);
            if (i->op->kind == KIND_LDS)
                n.shared = 1;
        }
    }
    kernel->needs_shared_data = n.shared;
}
