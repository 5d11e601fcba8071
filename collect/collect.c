/* A new collector, and one that forgets what it has counted. */
#include "internal.h"
#include "locality.h"
#include "quick.h"
#include "data.h"
#include "depend.h"

static void set_default(uint64_t *option, uint64_t value)
{
    if (!*option)
        *option = value;
}

static void set_bounds(struct cc_options *o)
{
    set_default(&o->call_threshold, 10000);
    set_default(&o->max_calls, 200000);
    set_default(&o->max_states, 1 << 20);
    set_default(&o->max_contexts, 200000);
    set_default(&o->max_frames, 1 << 16);
    set_default(&o->max_blocks, 1 << 18);
}

static void make_tables(struct cc_collect *c)
{
    const struct cc_host *h = &c->host;
    c->shadow.directory = h->map(h->self, CC_DIRECTORY * sizeof *c->shadow.directory);
    c->shadow.bytes = h->map(h->self, CC_DIRECTORY * sizeof *c->shadow.bytes);
    c->calls.threshold = c->opt.call_threshold;
    c->calls.line = h->map(h->self, (size_t)c->opt.max_calls * sizeof *c->calls.line);
    c->nodes.all.item = sizeof(struct cc_node);
    c->calls.contexts.item = sizeof(struct cc_context);
    c->states.all.item = sizeof(struct cc_state);
    c->states.families.item = sizeof(struct cc_family);
    c->states.least = c->states.sweep_due = CC_SWEEP_LEAST;
    c->code.functions.item = sizeof(struct cc_function);
    c->scopes.all.item = sizeof(struct cc_scope);
    c->scopes.regions.item = sizeof(struct cc_region);
    cc_loops_init(c);
    cc_blocks_init(c);
}

/* What has the number 0 in each table: no state, no family, code under no function of the program
 * (CC_OUTSIDE), outside all regions. */
static void make_first(struct cc_collect *c)
{
    cc_grow_add(c, &c->states.all);
    cc_grow_add(c, &c->states.families);
    struct cc_function *runtime = cc_grow_add(c, &c->code.functions);
    runtime->binary = CC_NONE;
    struct cc_region *outside = cc_grow_add(c, &c->scopes.regions);
    struct cc_scope *nowhere = cc_grow_add(c, &c->scopes.all);
    outside->name = nowhere->name = "<outside>";
    nowhere->parent = CC_NONE;
}

static uint32_t special_node(struct cc_collect *c, uint32_t kind)
{
    uint32_t id = CC_SPECIAL_ID(kind);
    struct cc_node n = {.kind = kind, .context = CC_NONE, .source = CC_NONE, .group = {CC_NONE, id, id, id}};
    return cc_node_new(c, &n);
}

/* What is about functions of the program, before it is mapped. */
static bool take_names(struct cc_collect *c)
{
    for (size_t i = 0; i < c->opt.regions.n; i++)
        if (!cc_region_function(c, c->opt.program, c->opt.regions.v[i]))
            return false;
    if (!cc_runtime_ranges(c) || !cc_loops_read(c))
        return false;
    return !c->opt.channels || cc_channels(c, c->opt.program, c->opt.channels);
}

struct cc_collect *cc_collect_new(const struct cc_host *host, const struct cc_options *options)
{
    struct cc_collect *c = host->map(host->self, sizeof *c);
    c->host = *host;
    c->opt = *options;
    set_bounds(&c->opt);
    if (c->opt.tasks == CC_TASKS_NONE)
        c->host.put_tasks = NULL;
    if (c->opt.objects || c->opt.loops == CC_LOOPS_DEPENDENCES)
        cc_data_init(c);
    c->calls.followed = c->opt.tasks == CC_TASKS_CALLS || c->opt.tasks == CC_TASKS_ALL;
    make_tables(c);
    make_first(c);
    c->nodes.of_static = special_node(c, CC_NODE_STATIC);
    c->nodes.of_unknown = special_node(c, CC_NODE_UNKNOWN);
    return take_names(c) ? c : NULL;
}

/* --- a forked child --- */

static void forget_time(struct cc_collect *c)
{
    for (uint32_t i = 0; i < c->scopes.all.n; i++) {
        struct cc_scope *s = cc_grow_at(&c->scopes.all, i);
        s->calls = s->exclusive = 0;
    }
    for (uint32_t i = 0; i < c->scopes.regions.n; i++) {
        struct cc_region *r = cc_grow_at(&c->scopes.regions, i);
        r->calls = r->inclusive = 0;
    }
    for (uint32_t i = 0; i < CC_BLOCK_TABLES; i++)
        if (c->blocks.tables[i].counts)
            __builtin_memset(c->blocks.tables[i].counts, 0, c->blocks.n * sizeof *c->blocks.tables[i].counts);
    if (c->frames.parts)
        __builtin_memset(c->frames.parts, 0, c->frames.parts_cap * sizeof *c->frames.parts);
    if (c->time.sum)
        __builtin_memset(c->time.sum, 0, c->time.sum_cap * sizeof *c->time.sum);
    c->scopes.nspans = c->scopes.nproblems = c->time.slice = 0;
    c->time.slices.n = c->time.slices.slice = c->time.slices.function = 0;
    c->frames.nover = 0;
    c->time.clock = 0;
}

static void forget_addresses(void *self, uint64_t key, uint64_t *bits)
{
    (void)self;
    (void)key;
    __builtin_memset(bits, 0, CC_MARKS_WORDS * sizeof *bits);
}

static void forget_thread(struct cc_thread *t)
{
    for (uint32_t number = 1; number <= t->room.streams->n; number++) {
        struct cc_stream *s = cc_stream_at(t, number);
        *s = (struct cc_stream){
            .producer = s->producer, .consumer = s->consumer, .number = number, .wide = s->wide};
    }
    for (uint32_t i = 0; i < t->room.edges->n; i++)
        ((struct cc_edge *)cc_grow_at(t->room.edges, i))->bytes = 0;
    t->nflows = 0;
    __builtin_memset(t->total, 0, sizeof t->total);
    __builtin_memset(t->task_counts, 0, sizeof t->task_counts);
    t->task_time = t->task_bytes = 0;
    for (size_t i = 0; i < t->nopen; i++)
        t->room.open[i].start = t->since;
    t->scope_since = t->clocked = t->since;
    cc_marks_all(&t->room.marks, forget_addresses, NULL);
    for (size_t i = 0; i < t->room.activity_cap; i++)
        t->room.activity[i].inclusive = 0;
    for (size_t i = 0; i < t->depth; i++)
        t->room.activations[i].enter = t->since;
    t->origin = t->since;
    cc_locality_forget(t);
}

void cc_forget(struct cc_collect *c)
{
    cc_finds_forget(c);
    for (uint32_t i = 0; i < c->calls.contexts.n; i++)
        cc_context_at(c, i)->calls = cc_context_at(c, i)->exclusive = 0;
    for (uint32_t i = 0; i < c->nodes.all.n; i++) {
        struct cc_node *n = cc_node_at(c, i);
        n->calls = n->exclusive = 0;
        __builtin_memset(&n->tally, 0, sizeof n->tally);
        __builtin_memset(n->read, 0, sizeof n->read);
        __builtin_memset(n->written, 0, sizeof n->written);
    }
    for (uint32_t k = 0; k < c->threads.n; k++)
        forget_thread(c->threads.v[k]);
    if (c->threads.inclusive)
        __builtin_memset(c->threads.inclusive, 0, c->threads.inclusive_cap * sizeof *c->threads.inclusive);
    c->calls.nline = 0;
    cc_states_forget(c);
    forget_time(c);
    cc_watch_forget(c);
    cc_data_forget(c);
    cc_loops_forget(c);
    if (c->depend)
        cc_depend_forget(c->depend);
    if (c->sibling)
        cc_depend_forget(c->sibling);
}
