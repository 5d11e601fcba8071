#include "profile.h"
#include "rows.h"

#include <sqlite3.h>

struct load {
    struct cc_store *s;
    struct cc_profile *p;
    struct cc_err *err;
    bool brief; /* as cc_profile_load_brief says */
};

static int damaged(struct load *l, const char *where)
{
    return cc_err_at(l->err, CC_EINPUT, l->p->path, 0, "damaged profile: table '%s'", where);
}

static void set_rows(struct cc_profile *p, enum cc_ptable_id id, void *rows, size_t n)
{
    memcpy((char *)p + cc_ptables[id].rows, &rows, sizeof rows);
    *cc_ptable_count(p, id) = n;
}

/* --- tables --- */

/* Which rows are wanted. */
static const char *where(const struct load *l, enum cc_ptable_id id)
{
    return l->brief && id == CC_P_edge ? "WHERE level IN ('function', 'region')" : "";
}

static int count_rows(struct load *l, enum cc_ptable_id id, size_t *ret)
{
    char sql[128];
    snprintf(sql, sizeof sql, "SELECT count(*) FROM %s %s", cc_ptables[id].name, where(l, id));
    sqlite3_stmt *st;
    int rc = cc_store_prepare(l->s, sql, &st, l->err);
    if (rc < 0)
        return rc;
    rc = cc_store_step(l->s, st, l->err);
    *ret = rc > 0 ? (size_t)sqlite3_column_int64(st, 0) : 0;
    sqlite3_finalize(st);
    return rc < 0 ? rc : 0;
}

static int read_rows(struct load *l, enum cc_ptable_id id, char *rows, size_t n)
{
    const struct cc_ptable *t = &cc_ptables[id];
    struct cc_buf sql = {0};
    cc_row_select(t, where(l, id), &sql);
    sqlite3_stmt *st;
    int rc = cc_store_prepare(l->s, sql.s, &st, l->err);
    cc_buf_fini(&sql);
    if (rc < 0)
        return rc;
    bool sound = true;
    size_t i = 0;
    while (sound && (rc = cc_store_step(l->s, st, l->err)) > 0) {
        char *row = rows + i * t->size;
        sound = i < n && cc_row_read(st, t, row, i, &l->p->arena) && cc_row_fits(id, l->p, row, i);
        i++;
    }
    sqlite3_finalize(st);
    return rc < 0 ? rc : sound && i == n ? 0 : damaged(l, t->name);
}

static int read_table(struct load *l, enum cc_ptable_id id)
{
    size_t n;
    int rc = count_rows(l, id, &n);
    if (rc < 0)
        return rc;
    char *rows = cc_arena_alloc(&l->p->arena, (n + 1) * cc_ptables[id].size);
    set_rows(l->p, id, rows, 0); /* a context looks at its parent */
    rc = read_rows(l, id, rows, n);
    if (rc == 0)
        set_rows(l->p, id, rows, n);
    return rc;
}

/* --- streams --- */

static int read_stream(struct load *l, const char *stream, uint8_t **ret, size_t *ret_size)
{
    uint64_t chunks = cc_store_chunks(l->s, stream);
    CC_VEC(uint8_t) all = {0};
    int rc = 0;
    for (uint64_t seq = 0; rc == 0 && seq < chunks; seq++) {
        void *data = NULL;
        size_t size = 0;
        rc = cc_store_get_chunk(l->s, stream, seq, &data, &size, l->err);
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

/* Blocks are followed by their code. */
static struct cc_pblock *take_blocks(struct cc_profile *p, const uint8_t *at, size_t n)
{
    struct cc_pblock *blocks = cc_arena_alloc(&p->arena, (n + 1) * sizeof *blocks);
    for (size_t i = 0; i < n; i++) {
        const struct cc_rec_block *b = (const void *)at;
        blocks[i] =
            (struct cc_pblock){b->address, b->function, b->instructions, b->size, b->mode, at + sizeof *b};
        at += sizeof *b + ((b->size + 7u) & ~(size_t)7);
    }
    return blocks;
}

static int read_items(struct load *l, enum cc_ptable_id id)
{
    const struct cc_ptable *t = &cc_ptables[id];
    uint8_t *data = NULL;
    size_t size = 0, n = 0;
    int rc = read_stream(l, t->name, &data, &size);
    if (rc < 0)
        return rc;
    for (size_t at = 0, item; at < size; at += item, n++) {
        item = cc_item_size(id, l->p, data + at, n, size - at);
        if (item == 0)
            return damaged(l, t->name);
    }
    set_rows(l->p, id, id == CC_P_blocks ? (void *)take_blocks(l->p, data, n) : data, n);
    return 0;
}

/* --- facts --- */

static const char *fact(struct load *l, const char *key)
{
    CC_CLEANUP(cc_free_ptr) char *v = cc_store_get(l->s, key);
    return v ? cc_arena_strdup(&l->p->arena, v) : NULL;
}

static void read_arguments(struct load *l)
{
    struct cc_profile *p = l->p;
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
}

static int read_facts(struct load *l)
{
    l->p->complete = true;
    l->p->exit_code = -1;
    for (size_t i = 0; i < cc_nfacts; i++)
        if (!cc_fact_read(l->s, &cc_facts[i], l->p))
            return damaged(l, "meta");
    if (l->p->complete)
        l->p->reason = NULL;
    read_arguments(l);
    return 0;
}

/* --- what goes across tables --- */

/* They come by level. */
static void split_edges(struct cc_profile *p)
{
    for (size_t i = 0; i < p->nall_edges; i++) {
        enum cc_level level = p->all_edges[i].level;
        if (p->nedges[level]++ == 0)
            p->edges[level] = &p->all_edges[i];
    }
    for (int level = 0; level < CC_LEVELS; level++)
        if (!p->edges[level])
            p->edges[level] = p->all_edges;
}

/* Each object's calls are 0, 1, 2, … in one place. */
static int link_sites(struct load *l)
{
    for (size_t i = 0; i < l->p->nobject_sites; i++) {
        const struct cc_pobject_site *s = &l->p->object_sites[i];
        struct cc_pobject *o = &l->p->objects[s->object];
        if (s->level != o->nsite)
            return damaged(l, "object_site");
        if (o->nsite++ == 0)
            o->site = (uint32_t)i;
    }
    return 0;
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

static int load(struct load *l)
{
    int rc = read_facts(l);
    for (enum cc_ptable_id id = 0; rc == 0 && id < CC_PTABLES; id++)
        rc = cc_ptables[id].order ? read_table(l, id) : read_items(l, id);
    if (rc == 0)
        rc = link_sites(l);
    if (rc < 0)
        return rc;
    split_edges(l->p);
    name_channels(l);
    return 0;
}

static int load_file(const char *path, bool brief, struct cc_profile **ret, struct cc_err *err)
{
    struct load l = {.err = err, .brief = brief};
    int rc = cc_store_open(path, &l.s, err);
    if (rc < 0)
        return rc;
    l.p = cc_alloc(sizeof *l.p);
    l.p->path = cc_arena_strdup(&l.p->arena, path);
    rc = load(&l);
    cc_store_free(l.s);
    if (rc < 0) {
        cc_profile_free(l.p);
        return rc;
    }
    *ret = l.p;
    return 0;
}

int cc_profile_load(const char *path, struct cc_profile **ret, struct cc_err *err)
{
    return load_file(path, false, ret, err);
}

int cc_profile_load_brief(const char *path, struct cc_profile **ret, struct cc_err *err)
{
    return load_file(path, true, ret, err);
}

void cc_profile_free(struct cc_profile *p)
{
    if (!p)
        return;
    cc_arena_fini(&p->arena);
    free(p);
}

bool cc_profile_has_dependences(const struct cc_profile *p)
{
    return p->loops_known && strcmp(p->loops_known, "dependences") == 0;
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

int cc_profile_call_order(const void *a, const void *b)
{
    const struct cc_rec_call *x = a, *y = b;
    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    if (x->length != y->length)
        return x->length > y->length ? -1 : 1;
    return (x->context > y->context) - (x->context < y->context);
}
