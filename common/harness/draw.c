#include "draw.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend.h"
#include "buffers.h"
#include "compare.h"
#include "problem.h"
#include "program.h"
#include "report.h"

enum { LANES_OF_WARP = 32, MOST_EVENTS = 1 << 14, COLUMNS = 100, LABEL = 12, SHARED_WORD = 4 };
enum { MOST_ELEMENTS = 256, MOST_OUTSIDE = 4, MOST_CELLS = MOST_ELEMENTS + 2 * MOST_OUTSIDE };
// Addresses that are so far from an array do not belong to it.
enum { NEAR = 1 << 16 };

// --- what was recorded

// An access of one thread to one element.
struct touch {
    long element;   // negative, or not below the number of elements: outside of the array
    unsigned launch, block, thread, x, y, blocks;
    int is_flat;   // blocks have one dimension
    int is_write, is_atomic;
    // Numbers of the synchronizations of its block and of its warp that came before.
    unsigned barriers, syncs;
};

struct touches {
    struct touch *of;
    int n;
};

// What is drawn as one row of boxes.
struct array {
    const char *name;
    size_t count, row;   // as in struct buffer
    struct touches touches;
    const struct buffer *buffer;   // NULL: shared memory of a block
    const void *got, *want;        // values; want: of an output
};

static unsigned linear(const unsigned at[3], const unsigned size[3])
{
    return at[0] + size[0] * (at[1] + size[1] * at[2]);
}

static void add_touch(struct touches *t, const struct emu_event *e, int lane, long element)
{
    unsigned thread = e->warp * LANES_OF_WARP + lane;
    struct touch *new;

    t->of = grown(t->of, t->n, sizeof *t->of);
    new = &t->of[t->n++];
    *new = (struct touch){ .element = element,
                           .launch = e->launch,
                           .block = linear(e->block, e->grid),
                           .blocks = e->grid[0] * e->grid[1] * e->grid[2],
                           .thread = thread,
                           .x = thread % e->threads[0],
                           .y = thread / e->threads[0],
                           .is_flat = e->threads[1] * e->threads[2] == 1,
                           .is_write = e->kind != EMU_LD && e->kind != EMU_SHARED_LD,
                           .is_atomic = e->kind == EMU_ATOMIC || e->kind == EMU_SHARED_ATOMIC };
}

// Has this step of a warp synchronized it with the block, or its lanes with each other, before the
// event?
static void count_synchronizations(const struct emu_event *all, const struct emu_event *event,
                                   struct touch *t)
{
    for (const struct emu_event *e = all; e < event; e++) {
        if (e->launch != t->launch || linear(e->block, e->grid) != t->block ||
            e->warp != t->thread / LANES_OF_WARP)
            continue;
        t->barriers += e->step == EMU_BARRIER;
        t->syncs += e->step == EMU_BARRIER || e->step == EMU_SYNCWARP || e->step == EMU_EXCHANGE;
    }
}

static long rounded_down(long long bytes, long size)
{
    return (long)(bytes >= 0 ? bytes / size : -((-bytes + size - 1) / size));
}

// The array to which an address of global memory belongs, or the nearest; NULL: none is near.
static struct array *array_of(struct array *all, int n, void *const device[], uint64_t address)
{
    struct array *nearest = NULL;
    long long least = NEAR;

    for (int i = 0; i < n; i++) {
        long long from = (long long)(address - (uintptr_t)device[i]),
                  past = from - (long long)buffer_bytes(all[i].buffer),
                  far = from < 0 ? -from
                      : past < 0 ? 0
                                 : past + 1;

        if (far < least)
            nearest = &all[i], least = far;
    }
    return nearest;
}

// --- shared memory: an array per block

struct room {
    long long first, past;   // bytes of the blocks' shared memory that are accessed
};

static struct room shared_room(const struct emu_event *e, int n)
{
    struct room r = { 1LL << 40, 0 };

    for (; n--; e++)
        for (int lane = 0; e->is_shared && lane < LANES_OF_WARP; lane++) {
            long long at = (long long)e->address[lane];

            if (!(e->lanes >> lane & 1))
                continue;
            r.first = at < r.first ? at : r.first;
            r.past = at + e->size > r.past ? at + e->size : r.past;
        }
    r.first -= r.first % SHARED_WORD;
    return r;
}

static struct array *shared_of(struct array *all, int *n, const struct emu_event *e,
                               const struct room *room, int buffers)
{
    unsigned blocks = e->grid[0] * e->grid[1] * e->grid[2];
    const char *name = blocks == 1 ? "shared" : text_of("shared %u", linear(e->block, e->grid));

    for (int i = buffers; i < *n; i++)
        if (strcmp(all[i].name, name) == 0)
            return &all[i];
    all[*n] = (struct array){ .name = name,
                              .count = (room->past - room->first + SHARED_WORD - 1) / SHARED_WORD };
    return &all[(*n)++];
}

// Sorts what was recorded by arrays: buffers, and then the shared memory of each block. Returns the
// number of arrays.
static int sort_events(const struct drawing *d, struct array *all, int most)
{
    const struct emu_event *event, *e;
    uint64_t omitted;
    int events = emu_events(&event, &omitted), buffers = d->arrays->n, n = buffers;
    struct room room = shared_room(event, events);

    for (e = event; e < event + events; e++)
        for (int lane = 0; lane < LANES_OF_WARP && e->step == EMU_REQUEST; lane++) {
            struct array *a;
            long long first;
            size_t size = SHARED_WORD;

            if (!(e->lanes >> lane & 1) || (e->is_shared && n == most))
                continue;
            a = e->is_shared ? shared_of(all, &n, e, &room, buffers)
                             : array_of(all, buffers, d->device, e->address[lane]);
            if (!a)
                continue;
            if (a->buffer)
                size = type_size(a->buffer->type);
            first = (long long)e->address[lane] -
                    (e->is_shared ? room.first : (long long)(uintptr_t)d->device[a - all]);
            for (unsigned byte = 0; byte < e->size; byte += size) {
                add_touch(&a->touches, e, lane, rounded_down(first + byte, size));
                count_synchronizations(event, e, &a->touches.of[a->touches.n - 1]);
            }
        }
    return n;
}

// --- the texts of one element

struct cell {
    const char *index, *readers, *writers, *value, *wanted, *mark;
};

// Elements that were judged, and those with each mark; the most threads that share an element; and
// whether threads are named with their blocks, and with two numbers; whether elements have two.
struct legend {
    int judged, wrong, never, unset, race, outside, counts, blocks, rows, matrix;
};

// "3"; of a block with rows "3,1"; of several blocks "2:3".
static const char *thread_text(const struct touch *t, struct legend *legend)
{
    const char *in_block = t->is_flat ? text_of("%u", t->x) : text_of("%u,%u", t->x, t->y);

    legend->blocks |= t->blocks > 1;
    legend->rows |= !t->is_flat;
    return t->blocks > 1 ? text_of("%u:%s", t->block, in_block) : in_block;
}

// The threads that read or that write an element: one, or "3x" for three.
static const char *threads_text(const struct touches *all, long element, int is_write,
                                struct legend *legend)
{
    const struct touch *first = NULL;
    int n = 0;

    for (const struct touch *t = all->of; t < all->of + all->n; t++) {
        const struct touch *same = all->of;

        if (t->element != element || t->is_write != is_write)
            continue;
        while (same->element != element || same->is_write != is_write || same->block != t->block ||
               same->thread != t->thread)
            same++;
        n += same == t;
        first = first ? first : t;
    }
    legend->counts = n > legend->counts ? n : legend->counts;
    return n == 0 ? "" : n == 1 ? thread_text(first, legend) : text_of("%dx", n);
}

static int conflict(const struct touch *a, const struct touch *b)
{
    if (a->launch != b->launch || (a->block == b->block && a->thread == b->thread) ||
        !(a->is_write || b->is_write) || (a->is_atomic && b->is_atomic))
        return 0;
    if (a->block != b->block)
        return 1;
    return a->thread / LANES_OF_WARP == b->thread / LANES_OF_WARP ? a->syncs == b->syncs
                                                                  : a->barriers == b->barriers;
}

static int is_raced(const struct touches *all, long element)
{
    for (int i = 0; i < all->n; i++)
        for (int k = 0; k < i; k++)
            if (all->of[i].element == element && all->of[k].element == element &&
                conflict(&all->of[i], &all->of[k]))
                return 1;
    return 0;
}

static const char *number_text(double value)
{
    return text_of(value > -1e4 && value < 1e5 ? "%g" : "%.0e", value);
}

// Value, wanted value and mark of an element that exists.
static void judge_cell(const struct drawing *d, const struct array *a, long i, struct cell *c,
                       struct legend *legend)
{
    const struct buffer *b = a->buffer;
    struct mismatch m;

    c->value = number_text(element_value(b->type, a->got, i));
    if (!a->want)
        return;
    legend->judged++;
    compare_begin(&m, b, problem_tolerance(&d->problem));
    m.relative = problem_relative_tolerance(&d->problem);
    compare_elements(&m, i, 1, (const char *)a->got + i * type_size(b->type),
                     (const char *)a->want + i * type_size(want_type(b)));
    if (!m.wrong)
        return;
    c->wanted = number_text(m.first[0].want);
    c->mark = m.untouched ? "none" : "bad";
    c->value = m.untouched ? "-" : m.first[0].is_pattern ? "?" : c->value;
    legend->never += m.untouched != 0;
    legend->wrong += !m.untouched;
    legend->unset |= m.first[0].is_pattern;
}

static struct cell cell_of(const struct drawing *d, const struct array *a, long i, int raced,
                           struct legend *legend)
{
    struct cell c = { .index = a->row ? text_of("%ld,%ld", i / (long)a->row, i % (long)a->row)
                                      : text_of("%ld", i),
                      .readers = threads_text(&a->touches, i, 0, legend),
                      .writers = threads_text(&a->touches, i, 1, legend),
                      .value = "",
                      .wanted = "",
                      .mark = "" };

    if (i < 0 || i >= (long)a->count) {
        c.index = text_of("%ld", i);
        c.value = "x";
        c.mark = "out";
        legend->outside = 1;
        return c;
    }
    legend->matrix |= a->row > 0;
    if (a->buffer)
        judge_cell(d, a, i, &c, legend);
    if (raced && is_raced(&a->touches, i)) {
        c.mark = "race";
        legend->race = 1;
    }
    return c;
}

// --- rows of boxes

// The accessed element that is nearest to `from` on its other side: step 1, above it; -1, below it.
// `from` if there is none.
static long next_outside(const struct touches *t, long from, int step)
{
    long next = from;

    for (int i = 0; i < t->n; i++) {
        long at = t->of[i].element;

        if ((at - from) * step > 0 && (next == from || (next - at) * step > 0))
            next = at;
    }
    return next;
}

// The elements of an array and, on both sides, the nearest ones outside that are accessed.
static int cells_of(const struct drawing *d, const struct array *a, int raced, struct cell *cell,
                    struct legend *legend)
{
    long first = 0, last = (long)a->count - 1, at, next;
    int n = 0, below = 0;

    for (at = 0; below < MOST_OUTSIDE && (next = next_outside(&a->touches, at, -1)) != at; below++)
        at = first = next;
    for (at = first; n < below; at = next_outside(&a->touches, at, 1))
        cell[n++] = cell_of(d, a, at, raced, legend);
    for (at = 0; at <= last; at++)
        cell[n++] = cell_of(d, a, at, raced, legend);
    for (int i = 0; i < MOST_OUTSIDE && (next = next_outside(&a->touches, last, 1)) != last; i++) {
        cell[n++] = cell_of(d, a, next, raced, legend);
        last = next;
    }
    return n;
}

enum line { INDEX, WRITERS, READERS, VALUE, WANTED, MARK, N_LINES };
static const char *const line_name[] = { "", "written by", "read by", "", "expected", "" };

static const char *text_in(const struct cell *c, int line)
{
    const char *const text[] = { c->index, c->writers, c->readers, c->value, c->wanted, c->mark };

    return text[line];
}

// One line of cells; nothing if all are empty.
static void print_line(const char *name, const struct cell *c, int n, int width, int line)
{
    const char *before = line == VALUE ? "|" : " ",
               *text = text_of("  %-*s", LABEL, line == INDEX ? name : line_name[line]);
    int last = 0;

    for (int i = 0; i < n; i++)
        if (text_in(&c[i], line)[0])
            last = i + 1;
    for (int i = 0; i < last; i++)
        text = text_of("%s%s%*s", text, before, width, text_in(&c[i], line));
    if (last)
        printf("%s%s\n", text, line == VALUE ? "|" : "");
}

static void print_array(const struct array *a, const struct cell *cell, int n)
{
    int width = 2, per_line;

    for (int i = 0; i < n; i++)
        for (int line = 0; line < N_LINES; line++) {
            int length = (int)strlen(text_in(&cell[i], line));

            width = length > width ? length : width;
        }
    width++;
    per_line = (COLUMNS - LABEL - 2) / (width + 1);
    if (a->row && per_line > (int)a->row)
        per_line = (int)a->row;
    for (int i = 0; i < n; i += per_line)
        for (int line = 0; line < N_LINES; line++)
            print_line(a->name, cell + i, n - i < per_line ? n - i : per_line, width, line);
    putchar('\n');
}

static void print_legend(const struct legend *l)
{
    if (l->rows)
        printf("  %-6sthread with threadIdx.x 3 and threadIdx.y 0%s%s\n",
               l->blocks ? "1:3,0" : "3,0", l->blocks ? " of block 1" : "",
               l->matrix ? "; an element has row,column" : "");
    else if (l->blocks)
        puts("  1:2   thread 2 of block 1");
    if (l->counts > 1)
        printf("  %-6s%d threads\n", text_of("%dx", l->counts), l->counts);
    if (l->wrong)
        puts("  bad   another value than expected");
    if (l->unset)
        puts("  ?     a local variable without a value; without __shared__, each thread has an "
             "array of "
             "its own");
    if (l->never)
        puts("  none  no thread has written this element");
    if (l->race)
        puts("  race  a thread writes the element while another accesses it, with no barrier "
             "between");
    if (l->outside)
        puts("  out   outside of the array: the access is an error, and stores nothing");
}

// --- the whole

static void print_launch(const char *kernel, const unsigned grid[3], const unsigned block[3])
{
    const char *many = grid[0] * grid[1] * grid[2] == 1 ? "" : "s";

    printf("%s<<<%s block%s, %s threads>>>\n", kernel, shape_text(grid), many, shape_text(block));
}

static void print_launches(void)
{
    const struct emu_launch *l;
    const struct emu_event *e;
    uint64_t omitted;
    int n = emu_launches(&l), events = emu_events(&e, &omitted);

    for (int i = 0; i < n; i++)
        print_launch(l[i].kernel, l[i].grid, l[i].block);
    if (!n && events)   // it was stopped
        print_launch(e->kernel, e->grid, e->threads);
    else if (!n)
        puts("no kernel was launched, or it accesses no memory");
    putchar('\n');
}

static enum status print_verdict(const struct legend *l, const char *why)
{
    int wrong = l->wrong + l->never;

    if (why)
        printf("WRONG: %s\n", why);
    else if (wrong)
        printf("WRONG: %d of %d elements\n", wrong, l->judged);
    else
        printf("right: all %d elements\n", l->judged);
    return why || wrong ? STATUS_WRONG : STATUS_OK;
}

void drawing_begin(struct drawing *d, const struct problem *p)
{
    const struct emu_watch watch = { .which = EMU_EVERY_BLOCK, .warp = -1, .most = MOST_EVENTS };

    *d = (struct drawing){ .problem = *p, .arrays = arrays_new(p, SEPARATE) };
    for (int i = 0; i < d->arrays->n; i++)
        if (d->arrays->buffer[i].count > MOST_ELEMENTS)
            die(STATUS_USAGE,
                "--draw: %zu elements of '%s' are too many to draw; expected a "
                "--size with at most %d",
                d->arrays->buffer[i].count, d->arrays->buffer[i].name, MOST_ELEMENTS);
    arrays_fill(d->arrays, p);
    arrays_answer(d->arrays, p);
    arrays_set(d->arrays, 0, d->device);
    arrays_poison(d->arrays, 0);
    emu_reset();
    emu_record(&watch);
}

enum status drawing_print(const struct drawing *d, const char *why)
{
    enum { MOST_SHARED = 8, MOST_ARRAYS = MAX_BUFFERS + MOST_SHARED };
    static struct cell cell[MOST_CELLS];
    struct array array[MOST_ARRAYS] = { 0 };
    struct legend legend = { 0 };
    int n, raced = why && strstr(why, "race") != NULL;

    for (int i = 0; i < d->arrays->n; i++)
        array[i] = (struct array){ .name = d->arrays->buffer[i].name,
                                   .count = d->arrays->buffer[i].count,
                                   .row = d->arrays->buffer[i].row,
                                   .buffer = &d->arrays->buffer[i],
                                   .got = d->device[i],
                                   .want = d->arrays->want[i] };
    n = sort_events(d, array, MOST_ARRAYS);
    print_launches();
    emu_open_memory(1);
    for (int i = 0; i < n; i++)
        if (array[i].count <= MOST_ELEMENTS)
            print_array(&array[i], cell, cells_of(d, &array[i], raced, cell, &legend));
    emu_open_memory(0);
    print_legend(&legend);
    return print_verdict(&legend, why);
}
