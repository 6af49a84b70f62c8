#include "event_log.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "backend.h"
#include "folders.h"
#include "problem.h"
#include "program.h"

enum { LANES_OF_WARP = 32, MOST_EVENTS = 1 << 16 };
enum { SECTOR_BYTES = 32, BANKS_BYTES = 128 };

void event_log_must_fit(const char *option, const char *path)
{
    struct stat is;

    if (strcmp(path, "-") != 0 && stat(path, &is) == 0 && S_ISREG(is.st_mode) && is.st_size > 0 &&
        !file_has_header(path, events_header()))
        die(STATUS_USAGE,
            "%s '%s': holds something else; expected a new or empty file, a recording of this "
            "version, or - for stdout",
            option, path);
}

static FILE *open_file(const char *option, const char *path)
{
    FILE *file = strcmp(path, "-") == 0 ? stdout : fopen(path, "w");

    if (!file)
        die(STATUS_USAGE, "%s '%s': %s; expected the name of a file, or - for stdout", option, path,
            strerror(errno));
    return file;
}

static void close_file(FILE *file, const char *option, const char *path)
{
    int failed = fflush(file) != 0 || ferror(file);

    if ((file != stdout && fclose(file) != 0) || failed)
        die(STATUS_USAGE, "%s '%s' cannot be written: %s", option, path, strerror(errno));
}

void event_log_start(const struct watch *w, int only_warp)
{
    struct emu_watch watch = { .which = w->parts == 0 ? EMU_MIDDLE_BLOCK
                                      : w->parts == 1 ? EMU_LINEAR_BLOCK
                                                      : EMU_BLOCK,
                               .warp = only_warp ? w->warp : -1,
                               .most = MOST_EVENTS };

    memcpy(watch.block, w->block, sizeof watch.block);
    emu_reset();
    emu_record(&watch);
}

// --- a file without the block

static unsigned long long blocks_of(const struct emu_launch *l)
{
    return (unsigned long long)l->grid[0] * l->grid[1] * l->grid[2];
}

static unsigned warps_of(const struct emu_launch *l)
{
    return (l->block[0] * l->block[1] * l->block[2] + LANES_OF_WARP - 1) / LANES_OF_WARP;
}

static int has_block(const struct emu_launch *l, const struct watch *w)
{
    return w->parts < 2
             ? w->block[0] < blocks_of(l)
             : w->block[0] < l->grid[0] && w->block[1] < l->grid[1] && w->block[2] < l->grid[2];
}

// Ends the program unless a launch has the block and, with only_warp, the warp.
static void must_exist(const struct watch *w, int only_warp)
{
    const struct emu_launch *l, *most;
    int n = emu_launches(&l), found = 0;
    unsigned warps = 0;

    if (n == 0)
        die(STATUS_SKIPPED, "the stage launches no kernel: there is nothing to record");
    most = l;
    for (int i = 0; i < n; i++) {
        most = blocks_of(&l[i]) > blocks_of(most) ? &l[i] : most;
        if (has_block(&l[i], w)) {
            found = 1;
            warps = warps_of(&l[i]) > warps ? warps_of(&l[i]) : warps;
        }
    }
    if (!found)
        die(STATUS_USAGE,
            "--block '%s': not in the grid of %s, %ux%ux%u blocks; expected x,y,z, or a "
            "number below %llu",
            w->block_given, most->kernel, most->grid[0], most->grid[1], most->grid[2],
            blocks_of(most));
    if (only_warp && (unsigned)w->warp >= warps)
        die(STATUS_USAGE, "--warp '%d': the block has %u warp%s; expected 0 to %u", w->warp, warps,
            warps == 1 ? "" : "s", warps - 1);
}

// --- rows

static enum event_kind kind_of(const struct emu_event *e)
{
    switch (e->step) {
    case EMU_COPY: return e->kind == EMU_LD ? EVENT_COPY_LOAD : EVENT_COPY_STORE;
    case EMU_COMMIT: return EVENT_COMMIT;
    case EMU_WAIT: return EVENT_WAIT;
    case EMU_EXCHANGE: return EVENT_EXCHANGE;
    case EMU_SYNCWARP: return EVENT_SYNCWARP;
    case EMU_BARRIER: return EVENT_BARRIER;
    case EMU_BULK:
        if (e->kind == EMU_BULK_LD)
            return e->is_shared ? EVENT_BULK_FILL : EVENT_BULK_LOAD;
        return e->is_shared ? EVENT_BULK_SOURCE : EVENT_BULK_STORE;
    case EMU_OPERAND_A: return EVENT_OPERAND_A;
    case EMU_OPERAND_B: return EVENT_OPERAND_B;
    case EMU_DONE: return EVENT_DONE;
    case EMU_PRODUCTS_DONE: return EVENT_PRODUCTS_DONE;
    case EMU_INIT: return EVENT_INIT;
    case EMU_ARRIVE: return EVENT_ARRIVE;
    case EMU_PHASE: return EVENT_PHASE;
    case EMU_BLOCKED: return EVENT_BLOCKED;
    case EMU_RESUMED: return EVENT_RESUMED;
    case EMU_REQUEST: break;
    }
    return request_kind(e->kind, e->is_shared);
}

// "0 4 8 - ...": the bytes of the 32 lanes.
static const char *lane_bytes(const struct emu_event *e)
{
    uint64_t low = UINT64_MAX, unit = e->is_shared ? BANKS_BYTES : SECTOR_BYTES;
    char text[LANES_OF_WARP * 21 + 1];
    int at = 0;

    for (int i = 0; i < LANES_OF_WARP; i++)
        if (e->lanes >> i & 1 && e->address[i] < low)
            low = e->address[i];
    low -= low % unit;
    for (int i = 0; i < LANES_OF_WARP; i++)
        at += e->lanes >> i & 1
                ? sprintf(&text[at], " %llu", (unsigned long long)(e->address[i] - low))
                : sprintf(&text[at], " -");
    return text_of("%s", text + 1);
}

// "0/0/64 0/16/80 ...": row, byte in the row and address of the pieces of a box.
static const char *box_pieces(const struct emu_event *e)
{
    enum { MOST_DIGITS = 48 };
    uint64_t low = UINT64_MAX, unit = e->is_shared ? BANKS_BYTES : SECTOR_BYTES;
    char *text = must_calloc(e->pieces + 1, MOST_DIGITS), *at = text;

    for (unsigned i = 0; i < e->pieces; i++)
        if (e->piece[i].address < low && (e->is_shared || !e->piece[i].is_outside))
            low = e->piece[i].address;
    low -= low % unit;
    for (unsigned i = 0; i < e->pieces; i++) {
        const struct emu_piece *p = &e->piece[i];

        at += sprintf(at, "%s%u/%u/", i ? " " : "", p->row, p->first);
        if (p->is_outside && !e->is_shared)
            at += sprintf(at, "-");
        else
            at += sprintf(at, "%llu", (unsigned long long)(p->address - low));
    }
    return text;
}

// The events of one warp, line and kind.
struct site {
    const char *file, *text;
    int line;
    unsigned warp;
    enum event_kind kind;
    int events;   // so far
};

struct sites {
    const char *folder;   // of the week
    struct site *site;
    int n;
};

static struct site *site_of(struct sites *all, const struct emu_event *e)
{
    enum { MOST_CHARACTERS = 200 };
    enum event_kind kind = kind_of(e);

    for (struct site *s = all->site; s < all->site + all->n; s++)
        if (s->line == e->line && s->warp == e->warp && s->kind == kind &&
            strcmp(s->file, e->file) == 0)
            return s;
    all->site = grown(all->site, all->n, sizeof *all->site);
    all->site[all->n] =
        (struct site){ e->file, backend_source_line(all->folder, e->file, e->line, MOST_CHARACTERS),
                       e->line, e->warp,
                       kind,    0 };
    return &all->site[all->n++];
}

static struct event event_row(struct sites *sites, const struct emu_event *e, int with_bytes)
{
    struct site *site = site_of(sites, e);
    struct event row = { 0 };

    row.event = text_of("%llu", (unsigned long long)e->order);
    row.launch = text_of("%u", e->launch);
    row.kernel = e->kernel;
    row.block = text_of("%u,%u,%u", e->block[0], e->block[1], e->block[2]);
    row.warp = e->warp == EMU_NO_WARP ? "" : text_of("%u", e->warp);
    row.object = e->object;
    row.file = strrchr(e->file, '/') ? strrchr(e->file, '/') + 1 : e->file;
    row.line = text_of("%d", e->line);
    row.kind = event_word(site->kind);
    row.nth = text_of("%d", ++site->events);
    row.lanes = text_of("%d", __builtin_popcount(e->lanes));
    row.text = site->text;
    if (e->group || e->step > EMU_BARRIER)
        row.group = text_of("%llu", (unsigned long long)e->group);
    if (!event_is_request(site->kind))
        return row;
    row.size = text_of("%u", e->size);
    row.units = text_of("%u", e->units);
    row.ideal = text_of("%u", e->ideal);
    row.unit = e->is_shared ? "wavefronts" : emu_unit();
    row.bytes = !with_bytes ? "" : event_is_box(site->kind) ? box_pieces(e) : lane_bytes(e);
    return row;
}

int event_log_write(const struct watch *w, int only_warp, const struct problem *p,
                    const struct stage_info *info, const char *option, const char *path)
{
    const struct emu_event *e;
    FILE *file;
    struct sites sites = { .folder = "" };
    uint64_t omitted;
    char folder[PATH_MAX];
    int n = emu_events(&e, &omitted), rows = 0;

    must_exist(w, only_warp);
    if (week_folder(folder) == 0)
        sites.folder = folder;
    file = open_file(option, path);
    fprintf(file, "# week: %s\n# stage: %s %s\n# size: %s\n# type: %s\n# omitted: %llu\n",
            p->week->name, info->key, info->name, problem_text(p), type_name(p->type),
            (unsigned long long)omitted);
    fputs(events_header(), file);
    for (int i = 0; i < n; i++) {
        struct event row;

        if (only_warp && !event_is_request(kind_of(&e[i])))
            continue;
        row = event_row(&sites, &e[i], only_warp);
        event_write(&row, file);
        rows++;
    }
    close_file(file, option, path);
    if (omitted)
        warn("the first %d events are written, %llu are omitted; a smaller --size has fewer", rows,
             (unsigned long long)omitted);
    return rows;
}
