/* A new collector, and its state written out as records. */
#include "internal.h"

struct cc_collect *cc_collect_new(const struct cc_host *host, const struct cc_options *options)
{
    struct cc_collect *c = host->map(host->self, sizeof *c);
    c->host = *host;
    c->opt = *options;
    if (!c->opt.call_threshold)
        c->opt.call_threshold = 10000;
    if (!c->opt.max_calls)
        c->opt.max_calls = 200000;
    if (!c->opt.max_states)
        c->opt.max_states = 1 << 20;
    if (!c->opt.max_contexts)
        c->opt.max_contexts = 200000;
    c->threshold = c->opt.call_threshold;
    c->directory = host->map(host->self, CC_DIRECTORY * sizeof *c->directory);
    c->calls = host->map(host->self, (size_t)c->opt.max_calls * sizeof *c->calls);
    c->nodes.item = sizeof(struct cc_node);
    c->contexts.item = sizeof(struct cc_context);
    c->states.item = sizeof(struct cc_state);
    c->functions.item = sizeof(struct cc_function);
    c->quads.item = 4 * sizeof(cc_cell);
    cc_grow_add(c, &c->states); /* id 0 is no state */
    cc_grow_add(c, &c->quads);  /* 0 ends the free list */
    struct cc_function *runtime =
        cc_grow_add(c, &c->functions); /* CC_OUTSIDE: code under no function of the program */
    runtime->object = CC_NONE;
    for (uint32_t kind = CC_NODE_STATIC; kind <= CC_NODE_UNKNOWN; kind++) {
        uint32_t id = CC_SPECIAL_ID(kind);
        struct cc_node n = {.kind = kind, .context = CC_NONE, .source = CC_NONE, .group = {0, id, id}};
        uint32_t node = cc_node_new(c, &n);
        if (kind == CC_NODE_STATIC)
            c->static_node = node;
        else
            c->unknown_node = node;
    }
    return c;
}

void cc_forget(struct cc_collect *c)
{
    for (uint32_t i = 0; i < c->contexts.n; i++)
        cc_context_at(c, i)->calls = cc_context_at(c, i)->exclusive = 0;
    for (uint32_t i = 0; i < c->nodes.n; i++) {
        __builtin_memset(&cc_node_at(c, i)->writes, 0, sizeof(struct cc_counts));
        cc_node_at(c, i)->over_reads = 0;
    }
    for (uint32_t k = 0; k < c->nthreads; k++) {
        struct cc_thread *t = c->threads[k];
        for (size_t i = 0; i < t->nedges; i++) {
            struct cc_edge *e = t->edges[i];
            struct cc_edge empty = {.producer = e->producer, .consumer = e->consumer, .number = e->number};
            *e = empty;
        }
        for (size_t i = 0; i < t->bitmaps_cap; i++)
            if (t->bitmaps[i].key)
                __builtin_memset(t->bitmaps[i].bits, 0, 64);
        for (size_t i = 0; i < t->activity_cap; i++)
            t->activity[i].calls = t->activity[i].inclusive = 0;
        for (size_t i = 0; i < t->depth; i++)
            t->frames[i].enter = t->since;
        t->origin = t->since;
    }
    c->ncalls = 0;
}

struct output {
    const struct cc_sink *sink;
    int failed;
    uint64_t records;
    size_t n;
    uint8_t buffer[1 << 16];
};

static void flush(struct output *o)
{
    if (o->n && !o->failed)
        o->failed = o->sink->write(o->sink->self, o->buffer, o->n);
    o->n = 0;
}

static void put(struct output *o, const void *data, size_t size)
{
    const uint8_t *p = data;
    while (size) {
        if (o->n == sizeof o->buffer)
            flush(o);
        size_t room = sizeof o->buffer - o->n, n = size < room ? size : room;
        __builtin_memcpy(o->buffer + o->n, p, n);
        o->n += n;
        p += n;
        size -= n;
    }
}

static void record(struct output *o, uint32_t tag, const void *body, size_t size, const char *s1, size_t n1,
                   const char *s2, size_t n2)
{
    struct cc_rec_head head = {tag, (uint32_t)(size + n1 + n2)};
    put(o, &head, sizeof head);
    put(o, body, size);
    put(o, s1, n1);
    put(o, s2, n2);
    o->records++;
}

#define RECORD(o, tag, ...) record(o, tag, &(__VA_ARGS__), sizeof(__VA_ARGS__), NULL, 0, NULL, 0)

static uint64_t total_reads(const struct cc_counts *k)
{
    uint64_t sum = k->odd;
    for (int i = 0; i < CC_CLASSES; i++)
        sum += k->n[i];
    return sum;
}

static uint64_t total_bytes(const struct cc_counts *k)
{
    uint64_t sum = k->odd_bytes;
    for (int i = 0; i < CC_CLASSES; i++)
        sum += k->n[i] << i;
    return sum;
}

/* Activations that are still on a stack count up to now; the lowest of each function, as when it ends. */
static void add_open_calls(const struct cc_collect *c, const struct cc_thread *t, uint64_t *inclusive,
                           uint8_t *seen)
{
    __builtin_memset(seen, 0, c->functions.n);
    for (size_t i = 1; i < t->depth; i++) {
        uint32_t function = cc_context_at(c, t->frames[i].context)->function;
        if (!seen[function])
            inclusive[function] += t->since - t->frames[i].enter;
        seen[function] = 1;
    }
}

static void put_code(struct cc_collect *c, struct output *o)
{
    uint32_t nfunctions = c->functions.n;
    uint64_t *inclusive = c->host.map(c->host.self, nfunctions * sizeof *inclusive + nfunctions);
    for (uint32_t t = 0; t < c->nthreads; t++)
        add_open_calls(c, c->threads[t], inclusive, (uint8_t *)(inclusive + nfunctions));
    for (uint32_t i = 0; i < c->nobjects; i++) {
        size_t n = cc_length(c->objects[i].path);
        struct cc_rec_object r = {.id = i,
                                  .is_program = c->objects[i].program,
                                  .bias = c->objects[i].bias,
                                  .path_size = (uint32_t)n};
        record(o, CC_REC_OBJECT, &r, sizeof r, c->objects[i].path, n, NULL, 0);
    }
    for (uint32_t i = 0; i < c->functions.n; i++) {
        const struct cc_function *f = cc_function_at(c, i);
        struct cc_rec_function r = {.id = i,
                                    .object = f->object,
                                    .address = f->address,
                                    .library = f->library,
                                    .inclusive = inclusive[i]};
        for (uint32_t t = 0; t < c->nthreads; t++) {
            const struct cc_thread *th = c->threads[t];
            if (i >= th->activity_cap)
                continue;
            r.calls += th->activity[i].calls;
            r.inclusive += th->activity[i].inclusive;
        }
        RECORD(o, CC_REC_FUNCTION, r);
    }
    c->host.unmap(c->host.self, inclusive, nfunctions * sizeof *inclusive + nfunctions);
}

static void put_runs(struct cc_collect *c, struct output *o)
{
    for (uint32_t i = 0; i < c->nthreads; i++) {
        const struct cc_thread *t = c->threads[i];
        struct cc_rec_thread r = {
            .id = i, .tid = t->tid, .start = t->start, .instructions = t->since - t->origin};
        RECORD(o, CC_REC_THREAD, r);
    }
    for (uint32_t i = 0; i < c->contexts.n; i++) {
        const struct cc_context *x = cc_context_at(c, i);
        struct cc_rec_context r = {i, x->parent, x->function, x->thread, x->calls, x->exclusive};
        RECORD(o, CC_REC_CONTEXT, r);
    }
    for (uint32_t i = 0; i < c->nsources; i++) {
        size_t n1 = cc_length(c->sources[i].call), n2 = cc_length(c->sources[i].file);
        struct cc_rec_source r = {.id = i, .call_size = (uint32_t)n1, .file_size = (uint32_t)n2};
        record(o, CC_REC_SOURCE, &r, sizeof r, c->sources[i].call, n1, c->sources[i].file, n2);
    }
    for (uint32_t i = 0; i < c->ncalls; i++) {
        const struct cc_call_entry *k = &c->calls[i];
        struct cc_rec_call r = {k->context, k->thread, k->start, k->length};
        RECORD(o, CC_REC_CALL, r);
    }
}

static void put_nodes(struct cc_collect *c, struct output *o)
{
    /* what each node read, from the streams it consumed */
    size_t bytes = (size_t)c->nodes.n * 2 * sizeof(uint64_t);
    uint64_t *read = c->host.map(c->host.self, bytes);
    for (uint32_t t = 0; t < c->nthreads; t++) {
        for (size_t i = 0; i < c->threads[t]->nedges; i++) {
            const struct cc_edge *e = c->threads[t]->edges[i];
            read[e->consumer * 2] += total_reads(&e->reads);
            read[e->consumer * 2 + 1] += total_bytes(&e->reads);
        }
    }
    for (uint32_t i = 0; i < c->nodes.n; i++) {
        const struct cc_node *n = cc_node_at(c, i);
        struct cc_rec_node r = {i,
                                n->kind,
                                n->context,
                                n->source,
                                read[i * 2] - n->over_reads,
                                total_reads(&n->writes),
                                read[i * 2 + 1],
                                total_bytes(&n->writes)};
        RECORD(o, CC_REC_NODE, r);
    }
    c->host.unmap(c->host.self, read, bytes);
}

/* --- streams at coarser levels: counts add up, addresses have to be united --- */

struct group {
    uint32_t producer, consumer; /* groups of the level */
    uint32_t members, used;
    struct cc_rec_edge sum;
};

static uint32_t group_find(struct cc_collect *c, struct group **table, size_t *n, size_t *cap,
                           uint32_t producer, uint32_t consumer)
{
    if (*n * 2 >= *cap) {
        struct group *old = *table;
        size_t old_cap = *cap;
        *cap = old_cap ? old_cap * 2 : 1024;
        *table = c->host.map(c->host.self, *cap * sizeof *old);
        *n = 0;
        for (size_t i = 0; i < old_cap; i++)
            if (old[i].used)
                (*table)[group_find(c, table, n, cap, old[i].producer, old[i].consumer)] = old[i];
        cc_give_back(c, old, old_cap * sizeof *old);
    }
    size_t mask = *cap - 1, i = (size_t)cc_mix((uint64_t)producer << 32 | consumer) & mask;
    while ((*table)[i].used && ((*table)[i].producer != producer || (*table)[i].consumer != consumer))
        i = (i + 1) & mask;
    if (!(*table)[i].used) {
        (*table)[i] = (struct group){.producer = producer, .consumer = consumer, .used = 1};
        (*n)++;
    }
    return (uint32_t)i;
}

/* Bitmaps of streams that share a group are joined in a table of their own. */
static void unite(struct cc_collect *c, int level, struct group **table, size_t *n, size_t *cap)
{
    struct cc_thread *pool = c->host.map(c->host.self, sizeof *pool);
    struct cc_bitmap *maps = NULL;
    size_t nmaps = 0, maps_cap = 0;
    pool->owner = c;
    for (uint32_t t = 0; t < c->nthreads; t++) {
        const struct cc_thread *th = c->threads[t];
        for (size_t i = 0; i < th->bitmaps_cap; i++) {
            if (!th->bitmaps[i].key)
                continue;
            const struct cc_edge *e = th->edges[(th->bitmaps[i].key >> 40) - 1];
            uint32_t g = group_find(c, table, n, cap, cc_node_at(c, e->producer)->group[level],
                                    cc_node_at(c, e->consumer)->group[level]);
            if ((*table)[g].members < 2)
                continue;
            uint64_t key = (th->bitmaps[i].key & ((UINT64_C(1) << 40) - 1)) | (uint64_t)(g + 1) << 40;
            (*table)[g].sum.unma += cc_bitmap_or(c, pool, &maps, &nmaps, &maps_cap, key, th->bitmaps[i].bits);
        }
    }
    cc_give_back(c, maps, maps_cap * sizeof *maps);
    c->host.unmap(c->host.self, pool, sizeof *pool);
}

static void put_level(struct cc_collect *c, struct output *o, int level, bool final)
{
    struct group *table = NULL;
    size_t n = 0, cap = 0;
    for (uint32_t t = 0; t < c->nthreads; t++) {
        for (size_t i = 0; i < c->threads[t]->nedges; i++) {
            const struct cc_edge *e = c->threads[t]->edges[i];
            uint32_t at = group_find(c, &table, &n, &cap, cc_node_at(c, e->producer)->group[level],
                                     cc_node_at(c, e->consumer)->group[level]);
            struct group *g = &table[at];
            g->sum.bytes += total_bytes(&e->reads);
            g->sum.reads += total_reads(&e->reads);
            for (uint32_t mask = 0; mask < sizeof e->fresh / sizeof *e->fresh; mask++)
                if (level == CC_LEVEL_CONTEXT || mask & 1u << (level - 1))
                    g->sum.fresh += e->fresh[mask];
            g->sum.unma = g->members++ == 0 ? e->unma : 0;
        }
    }
    if (final && cap)
        unite(c, level, &table, &n, &cap);
    for (size_t i = 0; i < cap; i++) {
        struct group *g = &table[i];
        if (!g->used || !g->sum.bytes) /* no bytes: known from before a fork */
            continue;
        g->sum.level = (uint32_t)level;
        g->sum.producer = g->producer;
        g->sum.consumer = g->consumer;
        g->sum.has_unma = final || g->members == 1;
        RECORD(o, CC_REC_EDGE, g->sum);
    }
    cc_give_back(c, table, cap * sizeof *table);
}

int cc_snapshot(struct cc_collect *c, const struct cc_sink *sink, uint32_t pid, uint32_t flags)
{
    struct output *o = c->host.map(c->host.self, sizeof *o);
    o->sink = sink;
    put(o, CC_RECORD_MAGIC, 8);
    struct cc_rec_run run = {.pid = pid,
                             .flags = flags | (c->approximate ? CC_RUN_APPROXIMATE : 0),
                             .call_threshold = c->threshold,
                             .machine = c->opt.machine,
                             .libs_as_nodes = c->opt.libs_as_nodes};
    for (uint32_t i = 0; i < c->nthreads; i++)
        run.instructions += c->threads[i]->since - c->threads[i]->origin;
    RECORD(o, CC_REC_RUN, run);
    put_code(c, o);
    put_runs(c, o);
    put_nodes(c, o);
    for (int level = 0; level < CC_LEVELS; level++)
        put_level(c, o, level, flags & CC_RUN_FINAL);
    struct cc_rec_end end = {o->records};
    RECORD(o, CC_REC_END, end);
    flush(o);
    int failed = o->failed;
    c->host.unmap(c->host.self, o, sizeof *o);
    return failed;
}
