#include "profile.h"
#include "arrays.h"
#include "store.h"

#include <inttypes.h>
#include <sqlite3.h>

const char *const cc_node_kind_names[CC_NODE_KINDS] = {"context", "input", "static", "unknown", "output"};
const char *const cc_level_names[CC_LEVELS] = {"context", "function", "thread", "region"};
const char *const cc_scope_kind_names[CC_SCOPE_KINDS] = {"outside", "region", "task"};
const char *const cc_problem_names[CC_PROBLEMS] = {"not begun", "crosses", "not ended", "damaged",
                                                   "too many"};

const char *const cc_object_alloc_names[CC_OBJECT_ALLOCS] = {
    "",       "malloc", "calloc", "realloc", "reallocarray", "memalign", "posix_memalign",
    "valloc", "new",    "new[]",  "free",    "mmap"};

struct load {
    struct cc_store *s;
    struct cc_profile *p;
    struct cc_err *err;
    sqlite3_stmt *row; /* of the table that is being read */
    const char *table;
    bool bad;
};

static int damaged(struct load *l)
{
    return cc_err_at(l->err, CC_EINPUT, l->p->path, 0, "damaged profile: table '%s'", l->table);
}

/* --- columns; what does not fit marks the row as bad and reads as 0 --- */

static uint64_t number(struct load *l, int column, uint64_t max)
{
    sqlite3_int64 v = sqlite3_column_int64(l->row, column);
    bool fine = sqlite3_column_type(l->row, column) == SQLITE_INTEGER && v >= 0 && (uint64_t)v <= max;
    l->bad |= !fine;
    return fine ? (uint64_t)v : 0;
}

static uint64_t count(struct load *l, int column)
{
    return number(l, column, INT64_MAX);
}

static bool null(const struct load *l, int column)
{
    return sqlite3_column_type(l->row, column) == SQLITE_NULL;
}

static uint32_t id(struct load *l, int column, size_t n) /* below n */
{
    l->bad |= n == 0;
    return (uint32_t)number(l, column, n ? CC_MIN(n, (size_t)CC_SPECIAL) - 1 : 0);
}

static uint32_t id_or_none(struct load *l, int column, size_t n)
{
    return null(l, column) ? CC_NONE : id(l, column, n);
}

static const char *text(struct load *l, int column)
{
    if (null(l, column))
        return NULL;
    const char *s = (const char *)sqlite3_column_text(l->row, column);
    size_t n = (size_t)sqlite3_column_bytes(l->row, column);
    if (sqlite3_column_type(l->row, column) != SQLITE_TEXT || !s || strlen(s) != n) {
        l->bad = true;
        return NULL;
    }
    return cc_arena_strndup(&l->p->arena, s, n);
}

static size_t word(struct load *l, int column, const char *const *words, size_t n)
{
    const char *s = (const char *)sqlite3_column_text(l->row, column);
    for (size_t i = 0; s && i < n; i++)
        if (strcmp(s, words[i]) == 0)
            return i;
    l->bad = true;
    return 0;
}

/* --- rows --- */

static void binary_row(struct load *l, void *row)
{
    struct cc_pbinary *b = row;
    b->path = text(l, 1);
    b->program = number(l, 2, 1);
    l->bad |= !b->path;
}

static void function_row(struct load *l, void *row)
{
    struct cc_pfunction *f = row;
    f->name = text(l, 1);
    f->symbol = text(l, 2);
    f->file = text(l, 3);
    f->line = null(l, 4) ? 0 : (unsigned)number(l, 4, INT32_MAX);
    f->binary = id_or_none(l, 5, l->p->nbinaries);
    f->offset = (uint64_t)sqlite3_column_int64(l->row, 6);
    f->library = number(l, 7, 1);
    f->calls = count(l, 8);
    f->inclusive = count(l, 9);
    f->exclusive = count(l, 10);
    l->bad |= !f->name;
}

static void thread_row(struct load *l, void *row)
{
    struct cc_pthread *t = row;
    t->tid = (uint32_t)number(l, 1, UINT32_MAX);
    t->start = count(l, 2);
    t->instructions = count(l, 3);
}

static void context_row(struct load *l, void *row)
{
    struct cc_pcontext *x = row;
    x->parent = id_or_none(l, 1, (size_t)(x - l->p->contexts));
    x->function = id(l, 2, l->p->nfunctions);
    x->thread = id(l, 3, l->p->nthreads);
    x->calls = count(l, 4);
    x->exclusive = count(l, 5);
    x->inclusive = count(l, 6);
    if (x->parent != CC_NONE && !l->bad) { /* no child exceeds its parent, so that shares stay below 1 */
        const struct cc_pcontext *up = &l->p->contexts[x->parent];
        l->bad |= up->thread != x->thread || up->inclusive < x->inclusive;
    }
    l->bad |= x->inclusive < x->exclusive;
}

static void source_row(struct load *l, void *row)
{
    struct cc_psource *s = row;
    s->call = text(l, 1);
    s->file = text(l, 2);
    l->bad |= !s->call;
}

static void region_row(struct load *l, void *row)
{
    struct cc_pregion *r = row;
    r->name = text(l, 1);
    r->calls = count(l, 2);
    r->exclusive = count(l, 3);
    r->inclusive = count(l, 4);
    l->bad |= !r->name;
}

static void scope_row(struct load *l, void *row)
{
    struct cc_pscope *s = row;
    size_t at = (size_t)(s - l->p->scopes);
    s->parent = id_or_none(l, 1, at);
    s->kind = (enum cc_scope_kind)word(l, 2, cc_scope_kind_names, CC_SCOPE_KINDS);
    s->region = id(l, 3, l->p->nregions);
    s->name = text(l, 4);
    s->file = text(l, 5);
    s->line = null(l, 6) ? 0 : (unsigned)number(l, 6, INT32_MAX);
    s->calls = count(l, 7);
    s->exclusive = count(l, 8);
    l->bad |= !s->name || (s->parent == CC_NONE) != (at == 0);
}

static void problem_row(struct load *l, void *row)
{
    struct cc_pproblem *p = row;
    p->kind = (enum cc_problem)word(l, 1, cc_problem_names, CC_PROBLEMS);
    p->text = text(l, 2);
    p->file = text(l, 3);
    p->line = null(l, 4) ? 0 : (unsigned)number(l, 4, INT32_MAX);
    p->count = count(l, 5);
    l->bad |= !p->text;
}

static void node_row(struct load *l, void *row)
{
    struct cc_pnode *n = row;
    n->kind = (enum cc_node_kind)word(l, 1, cc_node_kind_names, CC_NODE_KINDS);
    n->context = id_or_none(l, 2, l->p->ncontexts);
    n->source = id_or_none(l, 3, l->p->nsources);
    n->scope = id(l, 4, l->p->nscopes);
    uint64_t *counts[] = {&n->reads,
                          &n->writes,
                          &n->bytes_read,
                          &n->bytes_written,
                          &n->stack_reads,
                          &n->stack_writes,
                          &n->stack_bytes_read,
                          &n->stack_bytes_written,
                          &n->memory_instructions,
                          &n->stack_instructions,
                          &n->other_instructions};
    for (size_t i = 0; i < CC_COUNT(counts); i++)
        *counts[i] = count(l, 5 + (int)i);
    l->bad |= n->stack_reads > n->reads || n->stack_writes > n->writes ||
              n->stack_bytes_read > n->bytes_read || n->stack_bytes_written > n->bytes_written;
    l->bad |= (n->kind == CC_NODE_CONTEXT) != (n->context != CC_NONE);
}

static uint32_t edge_end(struct load *l, int column, enum cc_level level)
{
    if (level == CC_LEVEL_CONTEXT)
        return id(l, column, l->p->nnodes);
    size_t n = level == CC_LEVEL_FUNCTION ? l->p->nfunctions
               : level == CC_LEVEL_REGION ? l->p->nregions
                                          : l->p->nthreads;
    uint32_t v = (uint32_t)number(l, column, UINT32_MAX);
    if (v <= CC_SPECIAL || v >= CC_SPECIAL_ID(CC_NODE_KINDS))
        l->bad |= v >= n;
    return v;
}

static void edge_row(struct load *l, void *row)
{
    struct cc_pedge *e = row;
    enum cc_level level = (enum cc_level)word(l, 0, cc_level_names, CC_LEVELS);
    e->producer = edge_end(l, 1, level);
    e->consumer = edge_end(l, 2, level);
    e->bytes = count(l, 3);
    e->has_unma = !null(l, 4);
    e->unma = e->has_unma ? count(l, 4) : 0;
    e->reads = count(l, 5);
    e->fresh = count(l, 6);
}

static void object_row(struct load *l, void *row)
{
    static const char *const kinds[] = {"global", "stack", "heap", "file", "other"};
    struct cc_pobject *d = row;
    d->kind = kinds[word(l, 1, kinds, CC_COUNT(kinds))];
    d->name = text(l, 2);
    d->type = text(l, 3);
    d->alloc = text(l, 4);
    d->file = text(l, 5);
    d->line = null(l, 6) ? 0 : (unsigned)number(l, 6, INT32_MAX);
    d->function = id_or_none(l, 7, l->p->nfunctions);
    d->named = number(l, 8, 1);
    uint64_t *counts[] = {&d->size, &d->count, &d->freed, &d->total, &d->live, &d->peak};
    for (size_t i = 0; i < CC_COUNT(counts); i++)
        *counts[i] = count(l, 9 + (int)i);
    l->bad |= !d->name;
}

static void object_site_row(struct load *l, void *row)
{
    struct cc_pobject_site *s = row;
    s->object = id(l, 0, l->p->nobjects);
    uint64_t level = count(l, 1);
    s->function = id(l, 2, l->p->nfunctions);
    s->file = text(l, 3);
    s->line = null(l, 4) ? 0 : (unsigned)number(l, 4, INT32_MAX);
    if (l->bad)
        return;
    struct cc_pobject *d = &l->p->objects[s->object];
    if (level == 0)
        d->site = (uint32_t)(s - l->p->object_sites);
    l->bad |= level != d->nsite || d->site + d->nsite != (uint32_t)(s - l->p->object_sites);
    d->nsite++;
}

static void object_access_row(struct load *l, void *row)
{
    struct cc_pobject_access *a = row;
    a->function = (uint32_t)number(l, 0, UINT32_MAX);
    bool special =
        a->function == CC_SPECIAL_ID(CC_NODE_INPUT) || a->function == CC_SPECIAL_ID(CC_NODE_OUTPUT);
    l->bad |= !special && a->function >= l->p->nfunctions;
    a->object = id(l, 1, l->p->nobjects);
    uint64_t *counts[] = {&a->reads, &a->writes, &a->bytes_read, &a->bytes_written};
    for (size_t i = 0; i < CC_COUNT(counts); i++)
        *counts[i] = count(l, 2 + (int)i);
    a->has_unma = !null(l, 6);
    a->unma = a->has_unma ? count(l, 6) : 0;
    a->first = count(l, 7);
    a->last = count(l, 8);
}

/* --- tables --- */

/* Rows in the order of their ids, which must be 0, 1, 2, … */
static int read_table(struct load *l, const char *select, size_t size, bool with_id,
                      void (*take)(struct load *, void *), void **ret, size_t *ret_n)
{
    sqlite3_stmt *st;
    char sql[200];
    snprintf(sql, sizeof sql, "SELECT count(*) FROM (%s)", select);
    int rc = cc_store_prepare(l->s, sql, &st, l->err);
    if (rc < 0)
        return rc;
    rc = cc_store_step(l->s, st, l->err);
    size_t n = rc > 0 ? (size_t)sqlite3_column_int64(st, 0) : 0;
    sqlite3_finalize(st);
    if (rc < 0)
        return rc;
    char *rows = cc_arena_alloc(&l->p->arena, (n + 1) * size);
    *ret = rows;
    rc = cc_store_prepare(l->s, select, &l->row, l->err);
    if (rc < 0)
        return rc;
    size_t i = 0;
    l->bad = false;
    for (; i <= n && (rc = cc_store_step(l->s, l->row, l->err)) > 0; i++) {
        l->bad |= i == n || (with_id && number(l, 0, CC_SPECIAL) != i);
        take(l, rows + i * size);
        if (l->bad)
            break;
    }
    sqlite3_finalize(l->row);
    if (l->bad)
        return damaged(l);
    *ret_n = n;
    return rc;
}

#define TABLE(l, name, field, count_field)                                                                 \
    ((l)->table = #name, read_table(l, "SELECT * FROM " #name " ORDER BY id", sizeof *(l)->p->field, true, \
                                    name##_row, (void **)&(l)->p->field, &(l)->p->count_field))

static int read_edges(struct load *l)
{
    l->table = "edge";
    sqlite3_stmt *st; /* a level this version does not know */
    int rc = cc_store_prepare(
        l->s, "SELECT count(*) FROM edge WHERE level NOT IN ('context', 'function', 'thread', 'region')", &st,
        l->err);
    if (rc < 0)
        return rc;
    rc = cc_store_step(l->s, st, l->err);
    bool strange = rc > 0 && sqlite3_column_int64(st, 0) != 0;
    sqlite3_finalize(st);
    if (rc < 0 || strange)
        return rc < 0 ? rc : damaged(l);
    rc = 0;
    for (int level = 0; rc == 0 && level < CC_LEVELS; level++) {
        char select[120];
        snprintf(select, sizeof select, "SELECT * FROM edge WHERE level = '%s' ORDER BY producer, consumer",
                 cc_level_names[level]);
        rc = read_table(l, select, sizeof(struct cc_pedge), false, edge_row, (void **)&l->p->edges[level],
                        &l->p->nedges[level]);
    }
    return rc;
}

static int read_objects(struct load *l)
{
    struct cc_profile *p = l->p;
    int rc = TABLE(l, object, objects, nobjects);
    l->table = "object_site";
    if (rc == 0)
        rc = read_table(l, "SELECT * FROM object_site ORDER BY object, level", sizeof *p->object_sites, false,
                        object_site_row, (void **)&p->object_sites, &p->nobject_sites);
    l->table = "object_access";
    if (rc == 0)
        rc =
            read_table(l, "SELECT * FROM object_access ORDER BY function, object", sizeof *p->object_accesses,
                       false, object_access_row, (void **)&p->object_accesses, &p->nobject_accesses);
    return rc;
}

static bool calls_known(struct cc_profile *p, const struct cc_rec_call *calls, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct cc_rec_call *c = &calls[i];
        if (c->context >= p->ncontexts || c->thread >= p->nthreads || c->start > INT64_MAX ||
            c->length > INT64_MAX - c->start)
            return false;
        p->calls[p->ncalls++] = (struct cc_pcall){c->context, c->thread, c->start, c->length};
        const struct cc_pcall *now = &p->calls[p->ncalls - 1];
        if (p->ncalls > 1 &&
            (now[-1].thread > now->thread || (now[-1].thread == now->thread && now[-1].start > now->start)))
            return false;
    }
    return true;
}

static int read_calls(struct load *l)
{
    l->table = "chunk";
    uint64_t chunks = cc_store_chunks(l->s, CC_CALLS_STREAM);
    struct cc_profile *p = l->p;
    struct cc_pcall *all = NULL;
    size_t cap = 0;
    for (uint64_t seq = 0; seq < chunks; seq++) {
        void *data = NULL;
        size_t size = 0;
        int rc = cc_store_get_chunk(l->s, CC_CALLS_STREAM, seq, &data, &size, l->err);
        size_t n = size / sizeof(struct cc_rec_call);
        if (rc == 0 && p->ncalls + n > cap) {
            cap = CC_MAX(p->ncalls + n, cap * 2);
            all = cc_realloc_array(all, cap, sizeof *all);
        }
        p->calls = all;
        if (rc == 0 && (size % sizeof(struct cc_rec_call) != 0 || !calls_known(p, data, n)))
            rc = damaged(l);
        free(data);
        if (rc < 0) {
            free(all);
            return rc;
        }
    }
    p->calls = cc_arena_alloc(&p->arena, p->ncalls * sizeof *p->calls + 1);
    if (p->ncalls)
        memcpy(p->calls, all, p->ncalls * sizeof *p->calls);
    free(all);
    return 0;
}

/* --- arrays --- */

static int read_stream(struct load *l, const struct cc_array *a, uint8_t **ret, size_t *ret_size)
{
    uint64_t chunks = cc_store_chunks(l->s, a->stream);
    CC_VEC(uint8_t) all = {0};
    int rc = 0;
    for (uint64_t seq = 0; rc == 0 && seq < chunks; seq++) {
        void *data = NULL;
        size_t size = 0;
        rc = cc_store_get_chunk(l->s, a->stream, seq, &data, &size, l->err);
        if (rc == 0 && size) {
            CC_VEC_RESERVE(&all, all.n + size);
            memcpy(all.v + all.n, data, size);
            all.n += size;
        }
        free(data);
    }
    if (rc == 0) {
        *ret = cc_arena_alloc(&l->p->arena, all.n + 8);
        if (all.n)
            memcpy(*ret, all.v, all.n);
        *ret_size = all.n;
    }
    CC_VEC_FINI(&all);
    return rc;
}

static int read_array(struct load *l, const struct cc_array *a, void *ret_items, size_t *ret_n)
{
    struct cc_profile *p = l->p;
    uint8_t *data = NULL;
    size_t size = 0, n = 0, item;
    l->table = a->stream;
    int rc = read_stream(l, a, &data, &size);
    if (rc < 0)
        return rc;
    struct cc_limits limits = {.functions = p->nfunctions,
                               .threads = p->nthreads,
                               .regions = p->nregions,
                               .scopes = p->nscopes,
                               .frames = CC_MAX(p->nframes, (size_t)1),
                               .blocks = p->nblocks};
    for (size_t at = 0; at < size; at += item, limits.items = ++n)
        if (!cc_array_fits(a, &limits, data + at, size - at, &item))
            return damaged(l);
    memcpy(ret_items, &data, sizeof data);
    *ret_n = n;
    return 0;
}

static int read_blocks(struct load *l)
{
    struct cc_profile *p = l->p;
    const uint8_t *at = NULL;
    size_t n = 0;
    int rc = read_array(l, cc_array_of(CC_REC_BLOCK), &at, &n);
    if (rc < 0)
        return rc;
    p->blocks = cc_arena_alloc(&p->arena, (n + 1) * sizeof *p->blocks);
    for (size_t i = 0; i < n; i++) {
        const struct cc_rec_block *b = (const void *)at;
        p->blocks[i] =
            (struct cc_pblock){b->address, b->function, b->instructions, b->size, b->mode, at + sizeof *b};
        at += sizeof *b + ((b->size + 7u) & ~(size_t)7);
    }
    p->nblocks = n;
    return 0;
}

static int read_arrays(struct load *l)
{
    struct cc_profile *p = l->p;
    int rc = read_array(l, cc_array_of(CC_REC_FRAME), &p->frames, &p->nframes);
    if (rc == 0)
        rc = read_blocks(l);
    if (rc == 0)
        rc = read_array(l, cc_array_of(CC_REC_SPAN), &p->spans, &p->nspans);
    if (rc == 0)
        rc = read_array(l, cc_array_of(CC_REC_FRAME_PART), &p->frame_parts, &p->nframe_parts);
    if (rc == 0)
        rc = read_array(l, cc_array_of(CC_REC_FLOW), &p->flows, &p->nflows);
    if (rc == 0)
        rc = read_array(l, cc_array_of(CC_REC_SLICE), &p->slices, &p->nslices);
    if (rc == 0)
        rc = read_array(l, cc_array_of(CC_REC_EXEC), &p->execs, &p->nexecs);
    if (rc == 0)
        rc = read_array(l, cc_array_of(CC_REC_CHANNEL), &p->channels, &p->nchannels);
    return rc;
}

/* --- facts --- */

static const char *fact(struct load *l, const char *key)
{
    CC_CLEANUP(cc_free_ptr) char *v = cc_store_get(l->s, key);
    return v ? cc_arena_strdup(&l->p->arena, v) : NULL;
}

static uint64_t fact_number(struct load *l, const char *key, uint64_t absent, uint64_t max)
{
    const char *v = fact(l, key);
    uint64_t n = absent;
    if (v && (!cc_parse_u64(v, &n) || n > max))
        l->bad = true;
    return n;
}

static int read_facts(struct load *l)
{
    struct cc_profile *p = l->p;
    l->table = "meta";
    l->bad = false;
    p->program = fact(l, "program");
    p->engine = fact(l, "engine");
    p->isa = fact(l, "isa");
    CC_VEC(const char *) arguments = {0};
    for (size_t i = 0;; i++) {
        char key[40];
        snprintf(key, sizeof key, "argument.%zu", i);
        const char *v = fact(l, key);
        if (!v)
            break;
        CC_VEC_PUSH(&arguments, v);
    }
    p->narguments = arguments.n;
    p->arguments = cc_arena_alloc(&p->arena, (arguments.n + 1) * sizeof *p->arguments);
    if (arguments.n)
        memcpy(p->arguments, arguments.v, arguments.n * sizeof *p->arguments);
    CC_VEC_FINI(&arguments);
    p->complete = fact_number(l, "complete", 1, 1);
    p->reason = p->complete ? NULL : fact(l, "reason");
    uint64_t code = fact_number(l, "exit.code", UINT64_MAX, INT32_MAX);
    p->exit_code = code == UINT64_MAX ? -1 : (int)code;
    p->exit_signal = (int)fact_number(l, "exit.signal", 0, 1024);
    p->instructions = fact_number(l, "instructions", 0, INT64_MAX);
    p->call_threshold = fact_number(l, "call_threshold", 0, INT64_MAX);
    p->approximate = fact_number(l, "approximate", 0, 1);
    p->slice_length = fact_number(l, "slice_length", 0, INT64_MAX);
    p->frames_cut = fact_number(l, "frames_cut", 0, 1);
    p->blocks_cut = fact_number(l, "blocks_cut", 0, 1);
    p->plain = fact_number(l, "plain", 0, 1);
    p->has_objects = fact_number(l, "objects", 0, 1);
    p->objects_cut = fact_number(l, "objects_cut", 0, 1);
    const char *libs = fact(l, "libs");
    p->libs_as_nodes = libs && strcmp(libs, "node") == 0;
    return l->bad ? damaged(l) : 0;
}

static const char *channel_end(struct load *l, size_t channel, const char *end, uint32_t function)
{
    char key[40];
    snprintf(key, sizeof key, "channel.%zu.%s", channel, end);
    const char *name = fact(l, key);
    return name ? name : function == CC_NONE ? "?" : l->p->functions[function].name;
}

static void name_channels(struct load *l)
{
    struct cc_profile *p = l->p;
    p->channel_from = cc_arena_alloc(&p->arena, (p->nchannels + 1) * sizeof *p->channel_from);
    p->channel_to = cc_arena_alloc(&p->arena, (p->nchannels + 1) * sizeof *p->channel_to);
    for (size_t i = 0; i < p->nchannels; i++) {
        p->channel_from[i] = channel_end(l, i, "from", p->channels[i].producer);
        p->channel_to[i] = channel_end(l, i, "to", p->channels[i].consumer);
    }
}

int cc_profile_load(const char *path, struct cc_profile **ret, struct cc_err *err)
{
    struct load l = {.err = err};
    int rc = cc_store_open(path, &l.s, err);
    if (rc < 0)
        return rc;
    struct cc_profile *p = l.p = cc_alloc(sizeof *p);
    p->path = cc_arena_strdup(&p->arena, path);
    rc = read_facts(&l);
    if (rc == 0)
        rc = TABLE(&l, binary, binaries, nbinaries);
    if (rc == 0)
        rc = TABLE(&l, function, functions, nfunctions);
    if (rc == 0)
        rc = TABLE(&l, thread, threads, nthreads);
    if (rc == 0)
        rc = TABLE(&l, context, contexts, ncontexts);
    if (rc == 0)
        rc = TABLE(&l, source, sources, nsources);
    if (rc == 0)
        rc = TABLE(&l, region, regions, nregions);
    if (rc == 0)
        rc = TABLE(&l, scope, scopes, nscopes);
    if (rc == 0)
        rc = TABLE(&l, problem, problems, nproblems);
    if (rc == 0)
        rc = TABLE(&l, node, nodes, nnodes);
    if (rc == 0)
        rc = read_edges(&l);
    if (rc == 0)
        rc = read_objects(&l);
    if (rc == 0)
        rc = read_calls(&l);
    if (rc == 0)
        rc = read_arrays(&l);
    if (rc == 0)
        name_channels(&l);
    cc_store_free(l.s);
    if (rc < 0) {
        cc_profile_free(p);
        return rc;
    }
    *ret = p;
    return 0;
}

void cc_profile_free(struct cc_profile *p)
{
    if (!p)
        return;
    cc_arena_fini(&p->arena);
    free(p);
}

enum cc_node_kind cc_profile_end(const struct cc_profile *p, enum cc_level level, uint32_t id,
                                 uint32_t *ret_id)
{
    if (level == CC_LEVEL_CONTEXT) {
        *ret_id = p->nodes[id].context;
        return p->nodes[id].kind;
    }
    *ret_id = id;
    return id > CC_SPECIAL ? (enum cc_node_kind)(id - CC_SPECIAL) : CC_NODE_CONTEXT;
}

const char *cc_special_name(enum cc_node_kind kind)
{
    static const char *const names[CC_NODE_KINDS] = {"?", "<input>", "<static>", "<unknown>", "<output>"};
    return names[kind];
}
