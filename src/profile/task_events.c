#include "task_events.h"
#include "import_lines.h"
#include "line_trace.h"
#include "tasks.h"
#include "../base/text.h"

#include <errno.h>

enum { MAX_PIECE = 1 << 20, COUNTERS = 3 };

struct thread {
    uint64_t time, counters[COUNTERS];
};

struct events {
    const char *path;
    struct cc_tasks_writer *w;
    struct cc_line_writer *lines;
    const struct cc_profile *p;
    int64_t *known[2]; /* by scope, by function: id of its name, -1 until it is needed */
    int64_t *loops;    /* by loop, two each: the whole, an iteration */
    struct cc_lines_import *where;
    struct cc_map calls; /* by the address they return to: id of its name */
    CC_VEC(struct thread) threads;
    uint64_t last; /* the latest time */
    struct cc_err *err;
};

static bool take(const unsigned char **at, const unsigned char *end, uint64_t *ret)
{
    *ret = 0;
    for (unsigned shift = 0; *at < end && shift < 64; shift += 7) {
        unsigned char byte = *(*at)++;
        *ret |= (uint64_t)(byte & 127) << shift;
        if (byte < 128)
            return true;
    }
    return false;
}

/* An iteration is FILE:LINE, as a scenario names it, and the loop as a whole `loop FILE:LINE`. */
static int64_t name_of_loop(struct events *e, uint64_t what)
{
    uint64_t id = what >> 1;
    bool iteration = what & 1;
    if (id >= e->p->nloops)
        return INT64_MAX;
    int64_t *known = &e->loops[what];
    if (*known >= 0)
        return *known;
    const struct cc_ploop *l = &e->p->loops[id];
    const char *path = l->file ? l->file : e->p->binaries[l->binary].path;
    char text[CC_TASKS_MAX_NAME], place[32];
    snprintf(place, sizeof place, l->file ? ":%llu" : "+0x%llx",
             (unsigned long long)(l->file ? l->line : l->test));
    snprintf(text, sizeof text, "%s%s%s", iteration ? "" : "loop ", cc_text_base(path), place);
    return *known = cc_tasks_name(e->w, text, e->err);
}

/* `call FILE:LINE`, or where it is in the binary. */
static int64_t new_name_of_call(struct events *e, uint64_t ret)
{
    uint32_t binary = cc_lines_binary(e->where, e->p, ret - 1);
    if (binary == CC_NONE)
        return cc_tasks_name(e->w, "call", e->err);
    const char *path = e->p->binaries[binary].path;
    uint64_t address = ret - 1 - e->p->binaries[binary].bias;
    struct cc_line_place at = cc_lines_find(e->where->lines, path, address);
    char text[CC_TASKS_MAX_NAME];
    if (at.file)
        snprintf(text, sizeof text, "call %s:%u", cc_text_base(at.file), at.line);
    else
        snprintf(text, sizeof text, "call %s+0x%llx", cc_text_base(path), (unsigned long long)address);
    return cc_tasks_name(e->w, text, e->err);
}

static int64_t name_of_call(struct events *e, uint64_t ret)
{
    bool is_new;
    uint64_t *known = cc_map_put(&e->calls, ret, &is_new);
    if (is_new)
        *known = (uint64_t)new_name_of_call(e, ret);
    return (int64_t)*known;
}

static int64_t name_of(struct events *e, uint64_t what)
{
    bool function = what & 1;
    uint64_t id = what >> 1;
    if (id >= CC_TASK_CALLS)
        return id > CC_TASK_CALLS ? name_of_call(e, id - CC_TASK_CALLS) : INT64_MAX;
    if (id >= CC_TASK_LOOPS)
        return name_of_loop(e, id - CC_TASK_LOOPS);
    if (id >= (function ? e->p->nfunctions : e->p->nscopes))
        return INT64_MAX; /* a killed program left events that are younger than its last snapshot */
    if (e->known[function][id] < 0) {
        const char *name = function ? e->p->functions[id].name : e->p->scopes[id].name;
        /* an empty or endless name is legal for a mark, not for a task */
        char text[CC_TASKS_MAX_NAME];
        snprintf(text, sizeof text, "%s", *name ? name : "?");
        e->known[function][id] = cc_tasks_name(e->w, text, e->err);
    }
    return e->known[function][id];
}

/* 1: nothing more can be told. */
static int take_event(struct events *e, uint32_t thread, const uint64_t v[2 + COUNTERS])
{
    struct thread *t = &e->threads.v[thread];
    int64_t name = name_of(e, v[1]);
    if (name < 0 || name == INT64_MAX)
        return name < 0 ? (int)name : 1;
    bool damaged = v[0] >> 1 > INT64_MAX - t->time;
    for (int i = 0; i < COUNTERS; i++)
        damaged = damaged || v[2 + i] > INT64_MAX - t->counters[i];
    if (damaged)
        return cc_err_at(e->err, CC_EINPUT, e->path, 0, "damaged file of task events: counts that overflow");
    t->time += v[0] >> 1;
    for (int i = 0; i < COUNTERS; i++)
        t->counters[i] += v[2 + i];
    e->last = CC_MAX(e->last, t->time);
    return (v[0] & 1 ? cc_tasks_end : cc_tasks_begin)(e->w, thread, (uint32_t)name, t->time, t->counters,
                                                      e->err);
}

static int take_piece(struct events *e, uint32_t thread, const unsigned char *at, size_t size)
{
    const unsigned char *end = at + size;
    while (e->threads.n <= thread)
        CC_VEC_PUSH(&e->threads, (struct thread){0});
    int rc = 0;
    while (rc == 0 && at < end) {
        uint64_t v[2 + COUNTERS];
        for (int i = 0; i < 2 + COUNTERS; i++)
            if (!take(&at, end, &v[i]))
                return cc_err_at(e->err, CC_EINPUT, e->path, 0, "damaged file of task events");
        rc = take_event(e, thread, v);
    }
    return rc;
}

/* 1: the file ends within a piece. */
static int take_pieces(struct events *e, FILE *f)
{
    uint32_t head[2];
    CC_CLEANUP(cc_free_ptr) unsigned char *piece = cc_alloc(MAX_PIECE);
    size_t n;
    while ((n = fread(head, 1, sizeof head, f)) == sizeof head) {
        uint32_t thread = head[0] & ~(uint32_t)CC_LINES_OF_THREAD;
        if (thread >= CC_TASKS_MAX_THREADS || head[1] > MAX_PIECE)
            return cc_err_at(e->err, CC_EINPUT, e->path, 0, "damaged file of task events");
        if (fread(piece, 1, head[1], f) != head[1])
            return 1;
        int rc = thread != head[0] ? cc_line_writer_add(e->lines, thread, piece, head[1], e->err)
                                   : take_piece(e, thread, piece, head[1]);
        if (rc != 0)
            return rc;
    }
    return n != 0;
}

static int64_t *unknown(size_t n)
{
    int64_t *v = cc_alloc_array(n + 1, sizeof *v);
    for (size_t i = 0; i < n; i++)
        v[i] = -1;
    return v;
}

int cc_task_events_import(const struct cc_task_events *x, struct cc_err *err)
{
    const char *path = x->path;
    const struct cc_profile *p = x->p;
    FILE *f = fopen(path, "rb");
    if (!f)
        return errno == ENOENT ? 0 : cc_err_at(err, CC_EINPUT, path, 0, "cannot open: %s", strerror(errno));
    static const char *const counters[COUNTERS] = {"mem.read", "mem.write", "fresh.read"};
    struct events e = {.path = path, .p = p, .where = x->lines, .err = err};
    e.known[0] = unknown(p->nscopes);
    e.known[1] = unknown(p->nfunctions);
    e.loops = unknown(2 * p->nloops);
    uint64_t end = p->nthreads ? p->threads[0].instructions : 0;
    e.w = cc_tasks_writer_new(x->out, "instructions", 0, counters, COUNTERS);
    e.lines = cc_line_writer_new(x->out);
    int rc = take_pieces(&e, f);
    bool cut = rc > 0;
    if (rc >= 0)
        rc = cc_tasks_finish(e.w, 0, CC_MAX(end, e.last),
                             cut ? "the file of task events is cut short" : x->incomplete, err);
    int written = cc_line_writer_finish(e.lines, rc < 0 ? NULL : err);
    rc = rc < 0 ? rc : written;
    cc_tasks_writer_free(e.w);
    free(e.known[0]);
    free(e.known[1]);
    free(e.loops);
    cc_map_fini(&e.calls);
    CC_VEC_FINI(&e.threads);
    fclose(f);
    return rc;
}
