#include "comm.h"
#include "../../base/map.h"

const char *const cc_comm_kind_names[CC_COMM_KINDS] = {"function", "context", "thread", "region",  "input",
                                                       "static",   "unknown", "output", "runtime", "object"};

/* Ends are numbered: functions, contexts, threads or regions by id, then one for each special kind. */
struct build {
    const struct cc_profile *p;
    enum cc_level by;
    uint32_t ngroups, nends;
    const char **function_names, **region_names;
    uint64_t *in_frame;             /* instructions by region, if it is one frame */
    uint64_t *context_instructions; /* by group of contexts */
    CC_VEC(struct cc_comm_stream) streams;
    uint64_t *in, *out, *self; /* by end */
    bool *match;
    const uint32_t
        *paths; /* by context: the first of its path; calls of one path are one node unless `calls` */
    const uint32_t *calls; /* by context: the how-many-th of its path, from 1; NULL: not asked for */
    struct cc_comm *c;
};

static uint32_t group_of_context(const struct build *b, uint32_t at)
{
    return b->by == CC_LEVEL_CONTEXT && !b->calls ? b->paths[at] : at;
}

static uint32_t end_of(const struct build *b, uint32_t id)
{
    uint32_t at;
    enum cc_node_kind kind = cc_profile_end(b->p, b->by, id, &at);
    if (kind == CC_NODE_CONTEXT)
        return group_of_context(b, at);
    return b->ngroups + (uint32_t)kind - CC_NODE_INPUT;
}

static int by_ends(const void *a, const void *b)
{
    const struct cc_comm_stream *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return (x->to > y->to) - (x->to < y->to);
}

static int by_bytes(const void *a, const void *b)
{
    const struct cc_comm_stream *x = a, *y = b;
    if (x->e.bytes != y->e.bytes)
        return x->e.bytes > y->e.bytes ? -1 : 1;
    return by_ends(a, b);
}

static void add_stream(struct build *b, const struct cc_pedge *e)
{
    struct cc_comm_stream s = {.from = end_of(b, e->producer), .to = end_of(b, e->consumer), .e = *e};
    CC_VEC_PUSH(&b->streams, s);
}

static void add_frame(struct build *b)
{
    for (size_t i = 0; i < b->p->nflows; i++) {
        const struct cc_rec_flow *f = &b->p->flows[i];
        if (f->level == b->by && f->consumer_frame == b->c->frame)
            add_stream(
                b, &(struct cc_pedge){.producer = f->producer, .consumer = f->consumer, .bytes = f->bytes});
    }
}

/* At context level there is an input node per source and an output node per thread: they become one. So do
 * the parts of a frame's stream that were written in different frames. */
static void collect_streams(struct build *b)
{
    if (b->c->one_frame)
        add_frame(b);
    for (size_t i = 0; !b->c->one_frame && i < b->p->nedges[b->by]; i++)
        add_stream(b, &b->p->edges[b->by][i]);
    if (b->streams.n == 0)
        return;
    qsort(b->streams.v, b->streams.n, sizeof *b->streams.v, by_ends);
    size_t n = 0;
    for (size_t i = 0; i < b->streams.n; i++) {
        struct cc_comm_stream *last = n ? &b->streams.v[n - 1] : NULL, *s = &b->streams.v[i];
        if (!last || by_ends(last, s) != 0) {
            b->streams.v[n++] = *s;
            continue;
        }
        last->merged = true;
        last->e.bytes += s->e.bytes;
        last->e.reads += s->e.reads;
        last->e.fresh += s->e.fresh;
    }
    b->streams.n = n;
    qsort(b->streams.v, b->streams.n, sizeof *b->streams.v, by_bytes);
    for (size_t i = 0; i < n; i++) {
        const struct cc_comm_stream *s = &b->streams.v[i];
        b->c->total += s->e.bytes;
        if (s->from == s->to) {
            b->self[s->from] += s->e.bytes;
            continue;
        }
        b->c->between += s->e.bytes;
        b->out[s->from] += s->e.bytes;
        b->in[s->to] += s->e.bytes;
    }
}

/* By call, the path with the number of the call in it, and how many it holds if several. */
static const char *context_name(struct build *b, uint32_t end)
{
    const char *path = cc_names_context(b->p, end, b->function_names, &b->c->arena);
    const struct cc_pcontext *x = &b->p->contexts[end];
    if (!b->calls || x->parent == CC_NONE)
        return path;
    CC_CLEANUP(cc_free_ptr) char *several = cc_asprintf(" (%llu calls)", (unsigned long long)x->calls);
    CC_CLEANUP(cc_free_ptr)
    char *name = cc_asprintf("%s #%u%s", path, b->calls[end], x->calls > 1 ? several : "");
    return cc_arena_strdup(&b->c->arena, name);
}

static const char *end_name(struct build *b, uint32_t end)
{
    if (end >= b->ngroups)
        return cc_special_name((enum cc_node_kind)(end - b->ngroups + CC_NODE_INPUT));
    if (b->by == CC_LEVEL_FUNCTION)
        return b->function_names[end];
    if (b->by == CC_LEVEL_REGION)
        return b->region_names[end];
    if (b->by == CC_LEVEL_CONTEXT)
        return context_name(b, end);
    char name[32];
    snprintf(name, sizeof name, "thread %u", end + 1);
    return cc_arena_strdup(&b->c->arena, name);
}

/* What --focus looks at: the function's name at context level, not the path. */
static const char *short_name(struct build *b, uint32_t end)
{
    if (end < b->ngroups && b->by == CC_LEVEL_CONTEXT)
        return b->function_names[b->p->contexts[end].function];
    return end_name(b, end);
}

static int apply_focus(struct build *b, const char *focus, struct cc_err *err)
{
    CC_CLEANUP(cc_free_ptr) const char **names = cc_alloc_array(b->nends, sizeof *names);
    for (uint32_t i = 0; i < b->nends; i++)
        names[i] = short_name(b, i);
    return cc_names_focus(focus, names, b->nends, b->match, err);
}

static bool is_runtime(const struct build *b, uint32_t end)
{
    if (end >= b->ngroups)
        return false;
    return b->by == CC_LEVEL_FUNCTION ? end == 0
                                      : b->by == CC_LEVEL_CONTEXT && b->p->contexts[end].function == 0;
}

static enum cc_comm_kind kind_of(const struct build *b, uint32_t end)
{
    static const enum cc_comm_kind groups[CC_LEVELS] = {CC_COMM_CONTEXT, CC_COMM_FUNCTION, CC_COMM_THREAD,
                                                        CC_COMM_REGION};
    if (end >= b->ngroups)
        return (enum cc_comm_kind)(CC_COMM_INPUT + (end - b->ngroups));
    return is_runtime(b, end) ? CC_COMM_RUNTIME : groups[b->by];
}

static uint64_t instructions_of(const struct build *b, uint32_t end)
{
    if (end >= b->ngroups || !b->c->has_instructions)
        return 0;
    if (b->c->one_frame)
        return b->in_frame[end];
    switch (b->by) {
    case CC_LEVEL_FUNCTION:
        return b->p->functions[end].exclusive;
    case CC_LEVEL_CONTEXT:
        return b->context_instructions[end];
    case CC_LEVEL_REGION:
        return b->p->regions[end].exclusive;
    default:
        return b->p->threads[end].instructions;
    }
}

static void number_nodes(struct build *b, uint32_t *number)
{
    struct cc_comm *c = b->c;
    for (size_t i = 0; i < c->nedges; i++)
        number[c->edges[i].from] = number[c->edges[i].to] = 1;
    for (uint32_t i = 0; i < b->nends; i++)
        c->nnodes += number[i];
    c->nodes = cc_arena_alloc(&c->arena, (c->nnodes + 1) * sizeof *c->nodes);
    size_t n = 0;
    for (uint32_t i = 0; i < b->nends; i++) {
        if (!number[i])
            continue;
        number[i] = (uint32_t)n;
        c->nodes[n++] = (struct cc_comm_node){.name = end_name(b, i),
                                              .kind = kind_of(b, i),
                                              .id = i < b->ngroups ? i : CC_NONE,
                                              .instructions = instructions_of(b, i),
                                              .bytes_in = b->in[i],
                                              .bytes_out = b->out[i],
                                              .bytes_self = b->self[i]};
    }
    for (size_t i = 0; i < c->nedges + c->nties; i++) {
        struct cc_comm_edge *e = i < c->nedges ? &c->edges[i] : &c->ties[i - c->nedges];
        e->from = number[e->from];
        e->to = number[e->to];
    }
}

/* --- the critical data path --- */

static void put_path(struct build *b, const struct cc_comm_stream *streams, const size_t *path, size_t n,
                     bool fresh, struct cc_comm_path *ret)
{
    struct cc_comm *c = b->c;
    ret->n = n ? n + 1 : 0;
    ret->names = cc_arena_alloc(&c->arena, (n + 1) * sizeof *ret->names);
    ret->bytes = cc_arena_alloc(&c->arena, (n + 1) * sizeof *ret->bytes);
    for (size_t i = 0; i < n; i++) {
        const struct cc_comm_stream *s = &streams[path[i]];
        ret->names[i] = end_name(b, s->from);
        ret->names[i + 1] = end_name(b, s->to);
        ret->bytes[i] = fresh ? s->e.fresh : s->e.bytes;
    }
}

/* on[0][i]: whether stream i is on the path of first reads; on[1][i]: on that of all reads. */
static void find_paths(struct build *b, bool *const on[2])
{
    CC_VEC(struct cc_comm_stream) own = {0}; /* without the runtime */
    CC_VEC(size_t) index = {0};
    for (size_t i = 0; i < b->streams.n; i++) {
        const struct cc_comm_stream *s = &b->streams.v[i];
        if (is_runtime(b, s->from) || is_runtime(b, s->to))
            continue;
        CC_VEC_PUSH(&own, *s);
        CC_VEC_PUSH(&index, i);
    }
    for (int all = 0; all < 2; all++) {
        size_t *path;
        size_t n = cc_comm_path(own.v, own.n, b->nends, !all, &path);
        put_path(b, own.v, path, n, !all, all ? &b->c->reread_path : &b->c->fresh_path);
        for (size_t i = 0; i < n; i++)
            on[all][index.v[path[i]]] = true;
        free(path);
    }
    CC_VEC_FINI(&own);
    CC_VEC_FINI(&index);
}

/* --- sources of input --- */

static int by_source_bytes(const void *a, const void *b)
{
    const struct cc_comm_source *x = a, *y = b;
    if (x->bytes != y->bytes)
        return x->bytes > y->bytes ? -1 : 1;
    int calls = strcmp(x->call, y->call);
    return calls ? calls : strcmp(x->file ? x->file : "", y->file ? y->file : "");
}

/* The node of an end at context level -> the group of this level. */
static uint32_t group_of_node(const struct build *b, uint32_t node)
{
    const struct cc_pnode *n = &b->p->nodes[node];
    if (n->kind != CC_NODE_CONTEXT)
        return b->ngroups + (uint32_t)n->kind - CC_NODE_INPUT;
    const struct cc_pcontext *x = &b->p->contexts[n->context];
    return b->by == CC_LEVEL_CONTEXT    ? group_of_context(b, n->context)
           : b->by == CC_LEVEL_FUNCTION ? x->function
                                        : x->thread;
}

/* Only the level of contexts tells sources apart, but no regions; its streams are summed up by (source,
 * consumer's group). */
static void add_sources(struct build *b)
{
    const struct cc_profile *p = b->p;
    struct cc_map sums = {0};
    CC_VEC(struct cc_comm_source) found = {0};
    for (size_t i = 0; i < p->nedges[CC_LEVEL_CONTEXT]; i++) {
        const struct cc_pedge *e = &p->edges[CC_LEVEL_CONTEXT][i];
        const struct cc_pnode *from = &p->nodes[e->producer];
        if (from->kind == CC_NODE_INPUT && from->source != CC_NONE)
            *cc_map_put(&sums, (uint64_t)group_of_node(b, e->consumer) << 32 | from->source, NULL) +=
                e->bytes;
    }
    for (size_t i = 0; i < b->c->nedges; i++) {
        struct cc_comm_edge *e = &b->c->edges[i];
        if (e->from != b->ngroups) /* the first special end is <input> */
            continue;
        for (uint32_t s = 0; s < p->nsources; s++) {
            const uint64_t *bytes = cc_map_get(&sums, (uint64_t)e->to << 32 | s);
            if (bytes)
                CC_VEC_PUSH(&found, (struct cc_comm_source){p->sources[s].call, p->sources[s].file, *bytes});
        }
        e->nsources = found.n;
        e->sources = cc_arena_alloc(&b->c->arena, (found.n + 1) * sizeof *e->sources);
        if (found.n)
            memcpy(e->sources, found.v, found.n * sizeof *e->sources);
        qsort(e->sources, e->nsources, sizeof *e->sources, by_source_bytes);
        found.n = 0;
    }
    CC_VEC_FINI(&found);
    cc_map_fini(&sums);
}

/* --- the whole --- */

static struct cc_comm_edge edge_of(const struct build *b, size_t i, bool *const on[2])
{
    const struct cc_comm_stream *s = &b->streams.v[i];
    return (struct cc_comm_edge){.from = s->from,
                                 .to = s->to,
                                 .bytes = s->e.bytes,
                                 .reads = s->e.reads,
                                 .fresh = s->e.fresh,
                                 .unma = s->e.unma,
                                 .has_reads = !b->c->one_frame,
                                 .has_unma = s->e.has_unma && !s->merged,
                                 .critical_fresh = on[0][i],
                                 .marked = on[b->c->fresh_path.n ? 0 : 1][i],
                                 .critical = on[1][i]};
}

static void choose_edges(struct build *b, const struct cc_filter *filter, bool *const on[2])
{
    struct cc_comm *c = b->c;
    CC_VEC(struct cc_comm_edge) hidden = {0};
    c->edges = cc_arena_alloc(&c->arena, (b->streams.n + 1) * sizeof *c->edges);
    for (size_t i = 0; i < b->streams.n; i++) {
        const struct cc_comm_stream *s = &b->streams.v[i];
        if (filter->focus && !b->match[s->from] && !b->match[s->to])
            continue;
        struct cc_comm_edge e = edge_of(b, i, on);
        if ((double)s->e.bytes >= filter->min_share * (double)c->between &&
            (!filter->top || c->nedges < filter->top)) {
            c->edges[c->nedges++] = e;
            continue;
        }
        c->hidden++;
        c->hidden_bytes += s->e.bytes;
        c->hidden_between += s->from != s->to ? s->e.bytes : 0;
        CC_VEC_PUSH(&hidden, e);
    }
    cc_comm_tie(c, hidden.v, hidden.n, b->nends);
    CC_VEC_FINI(&hidden);
}

static int check_frame(const struct cc_profile *p, enum cc_level by, uint32_t frame, struct cc_err *err)
{
    if (by != CC_LEVEL_FUNCTION && by != CC_LEVEL_REGION)
        return cc_err_set(err, CC_EUSAGE, "one frame can be shown by function or by region, not by %s",
                          cc_level_names[by]);
    int rc = cc_names_frames(p, err);
    if (rc == 0 && frame >= p->nframes)
        rc = cc_err_at(err, CC_EINPUT, p->path, 0, "there is no frame %u: the last is %zu", frame,
                       p->nframes - 1);
    return rc;
}

/* What the nodes and streams of one level are made of. */
static void prepare(struct build *b, const struct cc_filter *filter)
{
    const struct cc_profile *p = b->p;
    struct cc_comm *c = b->c;
    c->by = b->by;
    c->one_frame = filter->one_frame;
    c->frame = filter->frame;
    c->has_instructions = !c->one_frame || b->by == CC_LEVEL_REGION;
    c->instructions = c->one_frame ? p->frames[c->frame].length : p->instructions;
    c->has_sources = !c->one_frame && b->by != CC_LEVEL_REGION;
    b->function_names = cc_names_functions(p, &c->arena);
    b->region_names = cc_names_regions(p, &c->arena);
    b->in_frame = cc_arena_alloc(&c->arena, (p->nregions + 1) * sizeof *b->in_frame);
    for (size_t i = 0; c->one_frame && i < p->nframe_parts; i++)
        if (p->frame_parts[i].frame == c->frame)
            b->in_frame[p->frame_parts[i].region] += p->frame_parts[i].instructions;
    if (b->by != CC_LEVEL_CONTEXT)
        return;
    b->context_instructions = cc_arena_alloc(&c->arena, (p->ncontexts + 1) * sizeof *b->context_instructions);
    for (uint32_t i = 0; i < p->ncontexts; i++)
        b->context_instructions[group_of_context(b, i)] += p->contexts[i].exclusive;
}

static void fill(struct build *b, const struct cc_filter *filter)
{
    collect_streams(b);
    CC_CLEANUP(cc_free_ptr) bool *marks = cc_alloc_array(2 * b->streams.n + 2, sizeof *marks);
    bool *const on[2] = {marks, marks + b->streams.n + 1};
    CC_CLEANUP(cc_free_ptr) uint32_t *number = cc_alloc_array(b->nends, sizeof *number);
    find_paths(b, on);
    choose_edges(b, filter, on);
    if (b->c->has_sources)
        add_sources(b);
    number_nodes(b, number);
}

/* Numbers the calls of each path, and counts the nodes that hold several. */
static uint32_t *number_calls(const struct cc_profile *p, const uint32_t *paths, size_t *ret_joined)
{
    uint32_t *number = cc_alloc_array(p->ncontexts + 1, sizeof *number);
    CC_CLEANUP(cc_free_ptr) uint32_t *last = cc_alloc_array(p->ncontexts + 1, sizeof *last);
    for (uint32_t i = 0; i < p->ncontexts; i++) {
        number[i] = ++last[paths[i]];
        *ret_joined += p->contexts[i].parent != CC_NONE && p->contexts[i].calls > 1;
    }
    return number;
}

static int build(const struct cc_profile *p, enum cc_level by, bool calls, const struct cc_filter *filter,
                 struct cc_comm **ret, struct cc_err *err)
{
    if (p->nnodes == 0)
        return cc_err_at(err, CC_EINPUT, p->path, 0, "the profile has no communication data");
    if (by == CC_LEVEL_REGION && p->nregions == 0)
        return cc_err_at(err, CC_EINPUT, p->path, 0, "the profile knows of no regions");
    int rc = filter->one_frame ? check_frame(p, by, filter->frame, err) : 0;
    if (rc < 0)
        return rc;
    size_t groups[CC_LEVELS] = {p->ncontexts, p->nfunctions, p->nthreads, p->nregions}, joined = 0;
    CC_CLEANUP(cc_free_ptr) uint32_t *paths = by == CC_LEVEL_CONTEXT ? cc_names_paths(p) : NULL;
    CC_CLEANUP(cc_free_ptr) uint32_t *numbers = calls ? number_calls(p, paths, &joined) : NULL;
    struct build b = {.p = p, .by = by, .ngroups = (uint32_t)groups[by], .paths = paths, .calls = numbers};
    b.nends = b.ngroups + CC_NODE_KINDS - CC_NODE_INPUT;
    b.c = cc_alloc(sizeof *b.c);
    b.c->calls = calls;
    b.c->joined = joined;
    prepare(&b, filter);
    CC_CLEANUP(cc_free_ptr) uint64_t *sums = cc_alloc_array((size_t)b.nends * 3, sizeof *sums);
    CC_CLEANUP(cc_free_ptr) bool *match = b.match = cc_alloc_array(b.nends, sizeof *match);
    b.in = sums;
    b.out = sums + b.nends;
    b.self = sums + 2 * (size_t)b.nends;
    rc = filter->focus ? apply_focus(&b, filter->focus, err) : 0;
    if (rc == 0)
        fill(&b, filter);
    CC_VEC_FINI(&b.streams);
    if (rc < 0) {
        cc_comm_free(b.c);
        return rc;
    }
    *ret = b.c;
    return 0;
}

int cc_comm_build(const struct cc_profile *p, enum cc_level by, const struct cc_filter *filter,
                  struct cc_comm **ret, struct cc_err *err)
{
    return build(p, by, false, filter, ret, err);
}

int cc_comm_calls(const struct cc_profile *p, const struct cc_filter *filter, struct cc_comm **ret,
                  struct cc_err *err)
{
    return build(p, CC_LEVEL_CONTEXT, true, filter, ret, err);
}

void cc_comm_free(struct cc_comm *c)
{
    if (!c)
        return;
    cc_arena_fini(&c->arena);
    free(c);
}
