#include "build.h"
#include "gather.h"
#include "../../base/csv.h"
#include "../../base/file.h"
#include "../../profile/profile.h"

#include <errno.h>
#include <inttypes.h>

static const char **add_run_name(struct cc_htg *h, const char *const *names, size_t n)
{
    const char **out = cc_arena_alloc(cc_htg_arena(h), (n + 1) * sizeof *out);
    for (size_t i = 0; i < n; i++)
        out[i] = cc_arena_strdup(cc_htg_arena(h), names[i]);
    out[n] = "<run>";
    return out;
}

static void warn(struct cc_htg *h, const char *text)
{
    struct cc_arena *a = cc_htg_arena(h);
    const char **list = cc_arena_alloc(a, (h->nwarnings + 1) * sizeof *list);
    for (size_t i = 0; i < h->nwarnings; i++)
        list[i] = h->warnings[i];
    list[h->nwarnings++] = cc_arena_strdup(a, text);
    h->warnings = list;
}

/* --- profiles --- */

static int choose_thread(const struct cc_tasks *t, const struct cc_htg_options *o, size_t *ret,
                         struct cc_err *err)
{
    for (size_t i = 0; i < t->nthreads; i++) {
        if (o->any_thread || t->threads[i].id == o->thread) {
            *ret = i;
            return 0;
        }
    }
    if (t->nthreads == 0)
        return cc_err_at(err, CC_EINPUT, t->path, 0, "the task trace is empty");
    return cc_err_at(err, CC_EINPUT, t->path, 0, "thread %" PRIu32 " recorded no task", o->thread);
}

static int feed_groups(struct cc_tasks_cursor *c, struct cc_htg_gather *g, struct cc_err *err)
{
    struct cc_task_event ev;
    int rc;
    while ((rc = cc_tasks_next(c, &ev, err)) > 0)
        if ((rc = cc_htg_gather_event(g, &ev, err)) < 0)
            break;
    cc_htg_gather_end(g);
    return rc;
}

static int feed(struct cc_store *store, const struct cc_tasks *t, size_t thread, struct cc_htg_builder *b,
                const struct cc_htg_options *o, struct cc_err *err)
{
    struct cc_tasks_cursor *c = cc_tasks_cursor_new(store, t, thread);
    struct cc_task_event ev;
    int rc;
    if (o->ngroups) {
        struct cc_htg_gather *g = cc_htg_gather_new(b, o->groups, o->ngroups, t->names, t->nnames);
        rc = feed_groups(c, g, err);
        cc_htg_gather_free(g);
        cc_tasks_cursor_free(c);
        return rc;
    }
    while ((rc = cc_tasks_next(c, &ev, err)) > 0) {
        if (ev.end)
            cc_htg_builder_end(b, ev.time, ev.counters);
        else if ((rc = cc_htg_builder_begin(b, ev.name, ev.time, ev.counters, err)) < 0)
            break;
    }
    cc_tasks_cursor_free(c);
    return rc;
}

/* The trace's, then the groups'. */
static void name(struct cc_htg *h, const struct cc_tasks *t, const struct cc_htg_options *o)
{
    const char **all = cc_alloc_array(t->nnames + o->ngroups + 1, sizeof *all);
    for (size_t i = 0; i < t->nnames; i++)
        all[i] = t->names[i];
    for (size_t i = 0; i < o->ngroups; i++)
        all[t->nnames + i] = o->groups[i].name;
    h->nnames = t->nnames + o->ngroups;
    h->names = add_run_name(h, all, h->nnames);
    free(all);
}

static void describe(struct cc_htg *h, const struct cc_tasks *t, const struct cc_htg_options *o, bool others)
{
    struct cc_arena *a = cc_htg_arena(h);
    h->clock = cc_arena_strdup(a, t->clock);
    h->ticks_per_second = t->ticks_per_second;
    name(h, t, o);
    h->counters = cc_arena_alloc(a, (t->ncounters + 1) * sizeof *h->counters);
    for (size_t i = 0; i < t->ncounters; i++)
        h->counters[i] = cc_arena_strdup(a, t->counters[i]);
    struct cc_tasks_burden *burdens = cc_arena_alloc(a, (t->nburdens + 1) * sizeof *burdens);
    if (t->nburdens)
        memcpy(burdens, t->burdens, t->nburdens * sizeof *burdens);
    struct cc_tasks_copies *copies = cc_arena_alloc(a, (t->ncopies + 1) * sizeof *copies);
    for (size_t i = 0; i < t->ncopies; i++) {
        double *factors = cc_arena_alloc(a, t->copies[i].n * sizeof *factors);
        memcpy(factors, t->copies[i].factors, t->copies[i].n * sizeof *factors);
        copies[i] = t->copies[i];
        copies[i].factors = factors;
    }
    h->copies = copies;
    h->ncopies = t->ncopies;
    h->burdens = burdens;
    h->nburdens = t->nburdens;
    h->nodes[0].name = (uint32_t)h->nnames;
    if (t->incomplete) {
        h->incomplete = cc_arena_strdup(a, t->incomplete);
        warn(h, "the trace is incomplete");
    }
    if (others)
        warn(h, "other threads recorded tasks too; only one thread is replayed, see --thread");
}

/* gcc puts what threads run into functions of such names. */
static bool is_threaded(const struct cc_profile *p)
{
    bool found = false;
    for (size_t i = 0; i < p->nfunctions; i++)
        found = found || (p->functions[i].exclusive && strstr(p->functions[i].name, "._omp_fn."));
    return found;
}

/* What a recording with --locality has besides tasks. */
static int load_locality(struct cc_store *store, uint32_t thread, struct cc_htg *h, struct cc_err *err)
{
    struct cc_profile *p;
    int rc = cc_profile_load(h->path, &p, err);
    if (rc < 0)
        return rc;
    rc = cc_line_trace_load(store, thread, p->lines_shift, &h->lines, err);
    struct cc_err why = {0};
    if (rc == 0 && h->lines && cc_pace_new(p, &h->pace, &why) < 0)
        warn(h, "the trace of lines is of no use: what its instructions cost cannot be told");
    if (rc == 0 && p->lines_cut)
        warn(h, "the trace of lines ends before the run does: what follows is taken to find its data in the "
                "first-level cache");
    h->threaded = is_threaded(p);
    cc_profile_free(p);
    return rc;
}

static int load_store(const char *path, const struct cc_htg_options *o, struct cc_htg **ret,
                      struct cc_err *err)
{
    struct cc_store *store;
    int rc = cc_store_open(path, &store, err);
    if (rc < 0)
        return rc;
    struct cc_tasks *t = NULL;
    struct cc_htg_builder *b = NULL;
    size_t thread = 0;
    bool lines = !o->plain && cc_line_trace_present(store);
    rc = cc_tasks_open(store, &t, err);
    if (rc == 0 && t->incomplete && !o->partial) {
        rc = cc_err_at(err, CC_EINPUT, path, 0, "the task trace is incomplete: %s", t->incomplete);
        cc_err_hint(err, "record again, or give --partial to use what there is");
    }
    if (rc == 0)
        rc = choose_thread(t, o, &thread, err);
    if (rc == 0) {
        b = cc_htg_builder_new(path, t->ncounters, t->start);
        if (lines)
            cc_htg_builder_unfold(b);
        rc = feed(store, t, thread, b, o, err);
    }
    if (rc == 0) {
        *ret = cc_htg_builder_finish(b, t->end);
        describe(*ret, t, o, o->any_thread && t->nthreads > 1);
        rc = lines ? load_locality(store, t->threads[thread].id, *ret, err) : 0;
        if (rc < 0) {
            cc_htg_free(*ret);
            *ret = NULL;
        }
    }
    cc_htg_builder_free(b);
    cc_tasks_free(t);
    cc_store_free(store);
    return rc;
}

/* --- CSV --- */

enum { MAX_ROWS = 1 << 27 };

/* A file whose rows lie in the order tasks began is read as it comes. Any other one is read again, its rows
 * are kept, and sorted. */
struct row {
    uint64_t start, end;
    uint32_t name;
    unsigned line;
    uint32_t at; /* among the rows, for its counts */
};

struct open {
    struct row row;
    uint64_t before[CC_TASKS_MAX_COUNTERS]; /* totals when it began */
    uint64_t counts[CC_TASKS_MAX_COUNTERS]; /* of the whole task */
};

struct csv {
    const char *path;
    struct cc_strmap names;
    CC_VEC(char *) name_list;
    bool keep;               /* the rows, to sort them */
    CC_VEC(struct row) rows; /* if they are kept */
    struct cc_htg_builder *b;
    CC_VEC(struct open) open;
    uint64_t total[CC_TASKS_MAX_COUNTERS], end;
    struct row last;
    uint32_t thread; /* of the first row */
    size_t nrows;
    size_t nfields; /* as the heading says, 0 without one */
    CC_VEC(char *) counters;
    CC_VEC(uint64_t) counts; /* of every row that is kept, what it calls included */
    char clock[64];
    double ticks_per_second;
    bool others, begun;
};

static int earlier_or_outer(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    if (x->end != y->end)
        return x->end > y->end ? -1 : 1;
    return x->line < y->line ? -1 : 1;
}

static int csv_comment(struct csv *c, const char *text, unsigned line, struct cc_err *err)
{
    double rate;
    char number[64];
    if (sscanf(text, "# clock = %63s", c->clock) == 1)
        return 0;
    if (sscanf(text, "# ticks_per_second = %63s", number) == 1) {
        if (!cc_parse_f64(number, &rate) || rate <= 0)
            return cc_err_at(err, CC_EINPUT, c->path, line, "ticks_per_second is not a positive number: '%s'",
                             number);
        c->ticks_per_second = rate;
    }
    return 0;
}

enum { PLAIN_FIELDS = 4, MAX_FIELDS = PLAIN_FIELDS + CC_TASKS_MAX_COUNTERS };

/* name,start,end[,thread][,COUNTER…] */
static int csv_heading(struct csv *c, char *const *field, size_t n, unsigned line, struct cc_err *err)
{
    size_t first = n > 3 && strcmp(field[3], "thread") == 0 ? 4 : 3;
    if (n - first > CC_TASKS_MAX_COUNTERS)
        return cc_err_at(err, CC_EINPUT, c->path, line, "more than %d counters", CC_TASKS_MAX_COUNTERS);
    for (size_t i = first; i < n; i++) {
        if (!field[i][0] || strlen(field[i]) > 100)
            return cc_err_at(err, CC_EINPUT, c->path, line, "a counter's name must have 1 to 100 bytes");
        CC_VEC_PUSH(&c->counters, cc_strdup(field[i]));
    }
    c->nfields = n;
    return 0;
}

static int csv_counts(const struct csv *c, char *const *field, unsigned line, uint64_t *ret,
                      struct cc_err *err)
{
    for (size_t i = 0; i < c->counters.n; i++) {
        const char *text = field[c->nfields - c->counters.n + i];
        if (!cc_parse_u64(text, &ret[i]) || ret[i] >> 50)
            return cc_err_at(err, CC_EINPUT, c->path, line,
                             "'%s' must be a whole number below 2^50, not '%.40s'", c->counters.v[i], text);
    }
    return 0;
}

/* A row's times and thread; its name is field[0]. */
static int csv_times(const struct csv *c, char *const *field, size_t n, struct row *r, uint32_t *ret_thread,
                     struct cc_err *err)
{
    uint64_t thread = 0;
    bool has_thread = n - c->counters.n > 3;
    if (!cc_parse_u64(field[1], &r->start) || !cc_parse_u64(field[2], &r->end) ||
        (has_thread && !cc_parse_u64(field[3], &thread)) || thread > UINT32_MAX || r->end >> 62)
        return cc_err_at(err, CC_EINPUT, c->path, r->line, "start, end and thread must be whole numbers");
    if (r->end < r->start)
        return cc_err_at(err, CC_EINPUT, c->path, r->line, "'%.80s' ends before it starts", field[0]);
    size_t length = strlen(field[0]);
    if (length == 0 || length > CC_TASKS_MAX_NAME)
        return cc_err_at(err, CC_EINPUT, c->path, r->line, "a task's name must have 1 to %d bytes",
                         CC_TASKS_MAX_NAME);
    *ret_thread = (uint32_t)thread;
    return 0;
}

static int csv_name(struct csv *c, const char *name, struct row *r, struct cc_err *err)
{
    bool is_new;
    uint64_t *id = cc_strmap_put(&c->names, name, &is_new);
    if (is_new) {
        *id = c->name_list.n;
        CC_VEC_PUSH(&c->name_list, cc_strdup(name));
        if (c->name_list.n > CC_TASKS_MAX_NAMES)
            return cc_err_at(err, CC_EINPUT, c->path, r->line, "more than %d different task names",
                             CC_TASKS_MAX_NAMES);
    }
    r->name = (uint32_t)*id;
    return 0;
}

/* --- nesting rows that come in order --- */

/* Counts are given for whole tasks: what its children do not have happens at a task's end. */
static int csv_close(struct csv *c, const struct open *o, struct cc_err *err)
{
    for (size_t i = 0; i < c->counters.n; i++) {
        uint64_t after = o->before[i] + o->counts[i];
        if (after < c->total[i])
            return cc_err_at(err, CC_EINPUT, c->path, o->row.line,
                             "'%.80s' has less '%s' than the tasks in it", c->name_list.v[o->row.name],
                             c->counters.v[i]);
        if (after >> 62)
            return cc_err_at(err, CC_EINPUT, c->path, o->row.line, "too much '%s'", c->counters.v[i]);
        c->total[i] = after;
    }
    cc_htg_builder_end(c->b, o->row.end, c->total);
    return 0;
}

/* By containment. */
static int csv_nest(struct csv *c, const struct row *r, const uint64_t *counts, struct cc_err *err)
{
    int rc = 0;
    if (!c->b)
        c->b = cc_htg_builder_new(c->path, c->counters.n, r->start);
    while (rc == 0 && c->open.n) {
        const struct row *top = &c->open.v[c->open.n - 1].row;
        if (top->end > r->start || (r->start == r->end && top->end == r->start && top->start == r->start))
            break;
        rc = csv_close(c, &c->open.v[--c->open.n], err);
    }
    const struct row *outer = c->open.n ? &c->open.v[c->open.n - 1].row : NULL;
    if (rc == 0 && outer && r->end > outer->end)
        rc = cc_err_at(
            err, CC_EINPUT, c->path, r->line,
            "'%.80s' (%" PRIu64 " to %" PRIu64 ") overruns '%.80s' of line %u, which ends at %" PRIu64,
            c->name_list.v[r->name], r->start, r->end, c->name_list.v[outer->name], outer->line, outer->end);
    if (rc == 0 && c->open.n >= 1 << 20)
        rc = cc_err_at(err, CC_EINPUT, c->path, r->line, "tasks are nested too deep");
    if (rc == 0)
        rc = cc_htg_builder_begin(c->b, r->name, r->start, c->total, err);
    if (rc < 0)
        return rc;
    struct open o = {.row = *r};
    memcpy(o.before, c->total, sizeof o.before);
    memcpy(o.counts, counts, c->counters.n * sizeof *counts);
    CC_VEC_PUSH(&c->open, o);
    c->end = CC_MAX(c->end, r->end);
    return 0;
}

static int csv_close_all(struct csv *c, struct cc_err *err)
{
    int rc = 0;
    while (rc == 0 && c->open.n)
        rc = csv_close(c, &c->open.v[--c->open.n], err);
    return rc;
}

static int csv_nest_kept(struct csv *c, struct cc_err *err)
{
    static const uint64_t none[1];
    int rc = 0;
    qsort(c->rows.v, c->rows.n, sizeof *c->rows.v, earlier_or_outer);
    for (size_t i = 0; rc == 0 && i < c->rows.n; i++) {
        const struct row *r = &c->rows.v[i];
        rc = csv_nest(c, r, c->counters.n ? &c->counts.v[r->at * c->counters.n] : none, err);
    }
    return rc;
}

/* --- rows --- */

enum { UNSORTED = 1 }; /* rows have to be kept */

/* A task: into the graph, or to those that are kept. */
static int csv_take(struct csv *c, struct row *r, const uint64_t *counts, struct cc_err *err)
{
    if (!c->keep) {
        if (c->nrows && earlier_or_outer(&c->last, r) > 0)
            return UNSORTED;
        c->last = *r;
        c->nrows++;
        return csv_nest(c, r, counts, err);
    }
    r->at = (uint32_t)c->rows.n;
    CC_VEC_PUSH(&c->rows, *r);
    c->nrows++;
    for (size_t i = 0; i < c->counters.n; i++)
        CC_VEC_PUSH(&c->counts, counts[i]);
    return 0;
}

static int csv_row(struct csv *c, const struct cc_csv_reader *in, const struct cc_htg_options *o,
                   struct cc_err *err)
{
    char *const *field = in->cells;
    size_t n = in->n;
    bool heading = !c->begun && n >= 3 && strcmp(field[1], "start") == 0;
    if (n < 3 || n > MAX_FIELDS || (!heading && !c->nfields && n > PLAIN_FIELDS))
        return cc_err_at(err, CC_EINPUT, c->path, in->line, "expected name,start,end[,thread]");
    c->begun = true;
    if (heading)
        return csv_heading(c, field, n, in->line, err);
    if (c->nfields && n != c->nfields && !(c->counters.n == 0 && n <= PLAIN_FIELDS))
        return cc_err_at(err, CC_EINPUT, c->path, in->line, "%zu fields, but the heading has %zu", n,
                         c->nfields);
    struct row r = {.line = in->line};
    uint32_t thread = 0;
    uint64_t counts[CC_TASKS_MAX_COUNTERS] = {0};
    int rc = csv_times(c, field, n, &r, &thread, err);
    if (rc < 0)
        return rc;
    c->thread = c->nrows ? c->thread : thread;
    if (thread != (o->any_thread ? c->thread : o->thread)) {
        c->others = true;
        return 0;
    }
    if (c->nrows == MAX_ROWS)
        return cc_err_at(err, CC_EINPUT, c->path, in->line, "more than %d tasks", MAX_ROWS);
    rc = csv_name(c, field[0], &r, err);
    if (rc == 0)
        rc = csv_counts(c, field, in->line, counts, err);
    return rc < 0 ? rc : csv_take(c, &r, counts, err);
}

static int csv_rows(struct csv *c, struct cc_csv_reader *in, const struct cc_htg_options *o,
                    struct cc_err *err)
{
    int rc;
    while ((rc = cc_csv_next(in, err)) > 0) {
        rc = rc == CC_CSV_COMMENT ? csv_comment(c, in->cells[0], in->line, err) : csv_row(c, in, o, err);
        if (rc != 0)
            return rc;
    }
    if (rc == 0 && c->nrows == 0)
        rc = cc_err_at(err, CC_EINPUT, c->path, 0, "no task in the file");
    return rc;
}

static struct cc_htg *csv_graph(struct csv *c, bool others)
{
    struct cc_htg *h = cc_htg_builder_finish(c->b, c->end);
    struct cc_tasks t = {.clock = c->clock,
                         .ticks_per_second = c->ticks_per_second           ? c->ticks_per_second
                                             : strcmp(c->clock, "ns") == 0 ? 1e9
                                                                           : 0,
                         .names = (const char **)c->name_list.v,
                         .nnames = c->name_list.n,
                         .counters = (const char **)c->counters.v,
                         .ncounters = c->counters.n};
    describe(h, &t, &(struct cc_htg_options){0}, others);
    return h;
}

static void csv_fini(struct csv *c)
{
    cc_htg_builder_free(c->b);
    for (size_t i = 0; i < c->name_list.n; i++)
        free(c->name_list.v[i]);
    CC_VEC_FINI(&c->name_list);
    for (size_t i = 0; i < c->counters.n; i++)
        free(c->counters.v[i]);
    CC_VEC_FINI(&c->counters);
    CC_VEC_FINI(&c->counts);
    CC_VEC_FINI(&c->rows);
    CC_VEC_FINI(&c->open);
    cc_strmap_fini(&c->names);
}

/* Closes the reader. UNSORTED: it has to be read again, and rows kept. */
static int load_csv(struct cc_csv_reader *in, bool keep, const struct cc_htg_options *o, struct cc_htg **ret,
                    struct cc_err *err)
{
    struct csv c = {.path = in->path, .clock = "cycles", .keep = keep};
    int rc = csv_rows(&c, in, o, err);
    cc_csv_close(in);
    if (rc == 0 && keep)
        rc = csv_nest_kept(&c, err);
    if (rc == 0)
        rc = csv_close_all(&c, err);
    if (rc == 0)
        *ret = csv_graph(&c, c.others && o->any_thread);
    csv_fini(&c);
    return rc;
}

int cc_htg_parse_csv(const char *path, const char *text, size_t size, const struct cc_htg_options *o,
                     struct cc_htg **ret, struct cc_err *err)
{
    struct cc_csv_reader in;
    cc_csv_open_text(&in, path, text, size);
    int rc = load_csv(&in, false, o, ret, err);
    if (rc != UNSORTED)
        return rc;
    cc_csv_open_text(&in, path, text, size);
    return load_csv(&in, true, o, ret, err);
}

int cc_htg_load(const char *path, const struct cc_htg_options *o, struct cc_htg **ret, struct cc_err *err)
{
    FILE *f;
    int rc = cc_file_open_stream(path, &f, err);
    if (rc < 0)
        return rc;
    char head[16] = "";
    size_t n = fread(head, 1, sizeof head, f);
    fclose(f);
    if (n == 0 || (n == sizeof head && memcmp(head, "SQLite format 3", sizeof head) == 0))
        return load_store(path, o, ret, err);
    struct cc_csv_reader in;
    for (int keep = 0; keep < 2; keep++) {
        rc = cc_csv_open(&in, path, err);
        rc = rc < 0 ? rc : load_csv(&in, keep, o, ret, err);
        if (rc != UNSORTED)
            break;
    }
    return rc;
}
