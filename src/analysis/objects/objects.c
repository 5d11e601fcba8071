#include "objects.h"
#include "names.h"
#include "../../base/map.h"

int cc_objects_check(const struct cc_profile *p, struct cc_err *err)
{
    if (p->has_objects)
        return 0;
    int rc = cc_err_at(err, CC_EINPUT, p->path, 0, "'%s' was recorded without data objects", p->path);
    cc_err_hint(err, "record it again with --objects");
    return rc;
}

/* Equal names get their line or their number. */
const char **cc_objects_names(const struct cc_profile *p, struct cc_arena *arena)
{
    const char **names = cc_arena_alloc(arena, (p->nobjects + 1) * sizeof *names);
    struct cc_strmap count = {0};
    for (size_t i = 0; i < p->nobjects; i++)
        ++*cc_strmap_put(&count, p->objects[i].name, NULL);
    for (size_t i = 0; i < p->nobjects; i++) {
        const struct cc_pobject *d = &p->objects[i];
        names[i] = d->name;
        if (*cc_strmap_put(&count, d->name, NULL) < 2)
            continue;
        bool lacks_line = d->line && d->kind != CC_STORAGE_HEAP; /* a heap block's name has it */
        CC_CLEANUP(cc_free_ptr)
        char *text = lacks_line ? cc_asprintf("%s (line %u) #%zu", d->name, d->line, i)
                                : cc_asprintf("%s #%zu", d->name, i);
        names[i] = cc_arena_strdup(arena, text);
    }
    cc_strmap_fini(&count);
    return names;
}

static void find_limits(const struct cc_profile *p, struct cc_objects *o)
{
    if (p->engine && strcmp(p->engine, "qemu") == 0 && !p->objects_whole) {
        o->limits[o->nlimits++] = "this QEMU did not show its registers: heap blocks are one object "
                                  "'<heap>', except those that are "
                                  "mapped one by one or named by marks";
        o->limits[o->nlimits++] =
            "without registers there are no frames: the stack of each thread is one object";
    }
    if (p->objects_cut)
        o->limits[o->nlimits++] =
            "more than 65536 allocation sites or names: the rest is in '<heap>' or '<other>'";
    if (!p->complete)
        o->limits[o->nlimits++] = "the run was cut short: what was not freed yet need not be a leak";
}

static uint64_t bytes_of(const struct cc_objects_item *x)
{
    return x->bytes_read + x->bytes_written;
}

static int by_bytes(const void *a, const void *b)
{
    const struct cc_objects_item *x = a, *y = b;
    if (bytes_of(x) != bytes_of(y))
        return bytes_of(x) > bytes_of(y) ? -1 : 1;
    return x->id < y->id ? -1 : 1;
}

static void sum_accesses(const struct cc_profile *p, struct cc_objects_item *items)
{
    for (size_t i = 0; i < p->nobjects; i++) {
        const struct cc_pobject *d = &p->objects[i];
        bool heap = d->kind == CC_STORAGE_HEAP && (d->alloc || d->named);
        items[i] = (struct cc_objects_item){.id = (uint32_t)i, .never = true, .leaked = heap && d->live > 0};
    }
    for (size_t i = 0; i < p->nobject_accesses; i++) {
        const struct cc_pobject_access *a = &p->object_accesses[i];
        struct cc_objects_item *x = &items[a->object];
        x->first = x->never ? a->first : CC_MIN(x->first, a->first);
        x->last = CC_MAX(x->last, a->last);
        x->never = false;
        x->functions++;
        x->reads += a->reads;
        x->writes += a->writes;
        x->bytes_read += a->bytes_read;
        x->bytes_written += a->bytes_written;
    }
}

int cc_objects_list(const struct cc_profile *p, const struct cc_filter *filter, struct cc_objects **ret,
                    struct cc_err *err)
{
    int rc = cc_objects_check(p, err);
    if (rc < 0)
        return rc;
    struct cc_objects *o = cc_alloc(sizeof *o);
    o->names = cc_objects_names(p, &o->arena);
    o->items = cc_arena_alloc(&o->arena, (p->nobjects + 1) * sizeof *o->items);
    CC_CLEANUP(cc_free_ptr) bool *match = cc_alloc_array(p->nobjects + 1, sizeof *match);
    rc = filter->focus ? cc_names_focus(filter->focus, o->names, p->nobjects, match, err) : 0;
    if (rc < 0) {
        cc_objects_free(o);
        return rc;
    }
    find_limits(p, o);
    sum_accesses(p, o->items);
    for (size_t i = 0; i < p->nobjects; i++)
        o->bytes += bytes_of(&o->items[i]);
    qsort(o->items, p->nobjects, sizeof *o->items, by_bytes);
    size_t shown = 0; /* of those that are accessed */
    for (size_t i = 0; i < p->nobjects; i++) {
        const struct cc_objects_item x = o->items[i];
        bool always = x.never || x.leaked;
        bool keep = filter->focus ? match[x.id]
                                  : always || (double)bytes_of(&x) >= filter->min_share * (double)o->bytes;
        if (keep && (x.never || !filter->top || shown < filter->top)) {
            shown += !x.never;
            o->items[o->n++] = x;
        } else {
            o->hidden++;
            o->hidden_bytes += bytes_of(&x);
        }
    }
    *ret = o;
    return 0;
}

void cc_objects_free(struct cc_objects *o)
{
    if (!o)
        return;
    cc_arena_fini(&o->arena);
    free(o);
}

/* --- the graph --- */

struct flow {
    uint32_t from, to; /* functions, then <input> and <output>, then objects */
    uint64_t bytes, unma;
    bool has_unma;
};

static int by_flow(const void *a, const void *b)
{
    const struct flow *x = a, *y = b;
    if (x->bytes != y->bytes)
        return x->bytes > y->bytes ? -1 : 1;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return (x->to > y->to) - (x->to < y->to);
}

static void name_end(const struct cc_profile *p, const char *const *functions, const char *const *objects,
                     uint32_t end, struct cc_comm_node *ret)
{
    uint32_t n = (uint32_t)p->nfunctions;
    *ret = (struct cc_comm_node){.id = end};
    if (end < n) {
        ret->name = functions[end];
        ret->kind = end == 0 ? CC_COMM_RUNTIME : CC_COMM_FUNCTION;
        ret->instructions = p->functions[end].exclusive;
    } else if (end < n + 2) {
        ret->name = cc_special_name(end == n ? CC_NODE_INPUT : CC_NODE_OUTPUT);
        ret->kind = end == n ? CC_COMM_INPUT : CC_COMM_OUTPUT;
        ret->id = CC_NONE;
    } else {
        ret->id = end - n - 2;
        ret->name = objects[ret->id];
        ret->kind = CC_COMM_OBJECT;
        ret->size = p->objects[ret->id].total;
        ret->peak = p->objects[ret->id].peak;
    }
}

static void choose(struct cc_comm *c, const struct flow *flows, size_t n, const struct cc_filter *filter,
                   const bool *match, uint32_t nends)
{
    CC_VEC(struct cc_comm_edge) hidden = {0};
    c->edges = cc_arena_alloc(&c->arena, (n + 1) * sizeof *c->edges);
    for (size_t i = 0; i < n; i++) {
        const struct flow *f = &flows[i];
        struct cc_comm_edge e = {
            .from = f->from, .to = f->to, .bytes = f->bytes, .unma = f->unma, .has_unma = f->has_unma};
        if (filter->focus && !match[f->from] && !match[f->to])
            continue;
        if ((double)f->bytes < filter->min_share * (double)c->total ||
            (filter->top && c->nedges >= filter->top)) {
            c->hidden++;
            c->hidden_bytes += f->bytes;
            c->hidden_between += f->bytes;
            CC_VEC_PUSH(&hidden, e);
            continue;
        }
        c->edges[c->nedges++] = e;
    }
    cc_comm_tie(c, hidden.v, hidden.n, nends);
    CC_VEC_FINI(&hidden);
}

static void number_nodes(const struct cc_profile *p, struct cc_comm *c, const char *const *functions,
                         const char *const *objects, uint32_t nends)
{
    CC_CLEANUP(cc_free_ptr) uint32_t *number = cc_alloc_array(nends, sizeof *number);
    for (size_t i = 0; i < c->nedges; i++)
        number[c->edges[i].from] = number[c->edges[i].to] = 1;
    c->nodes = cc_arena_alloc(&c->arena, ((size_t)nends + 1) * sizeof *c->nodes);
    for (uint32_t i = 0; i < nends; i++) {
        if (!number[i])
            continue;
        name_end(p, functions, objects, i, &c->nodes[c->nnodes]);
        number[i] = (uint32_t)c->nnodes++;
    }
    for (size_t i = 0; i < c->nedges; i++) {
        struct cc_comm_edge *e = &c->edges[i];
        e->from = number[e->from];
        e->to = number[e->to];
        c->nodes[e->from].bytes_out += e->bytes;
        c->nodes[e->to].bytes_in += e->bytes;
    }
    for (size_t i = 0; i < c->nties; i++) {
        c->ties[i].from = number[c->ties[i].from];
        c->ties[i].to = number[c->ties[i].to];
    }
}

int cc_objects_comm(const struct cc_profile *p, const struct cc_filter *filter, struct cc_comm **ret,
                    struct cc_err *err)
{
    int rc = cc_objects_check(p, err);
    if (rc < 0)
        return rc;
    struct cc_comm *c = cc_alloc(sizeof *c);
    c->by = CC_LEVEL_FUNCTION;
    c->objects = c->has_instructions = true;
    c->instructions = p->instructions;
    uint32_t n = (uint32_t)p->nfunctions, nends = n + 2 + (uint32_t)p->nobjects;
    const char **functions = cc_names_functions(p, &c->arena), **objects = cc_objects_names(p, &c->arena);
    CC_CLEANUP(cc_free_ptr) const char **names = cc_alloc_array((size_t)nends + 1, sizeof *names);
    CC_CLEANUP(cc_free_ptr) bool *match = cc_alloc_array((size_t)nends + 1, sizeof *match);
    for (uint32_t i = 0; i < nends; i++) {
        struct cc_comm_node node;
        name_end(p, functions, objects, i, &node);
        names[i] = node.name;
    }
    if (filter->focus && (rc = cc_names_focus(filter->focus, names, nends, match, err)) < 0) {
        cc_comm_free(c);
        return rc;
    }
    CC_VEC(struct flow) flows = {0};
    for (size_t i = 0; i < p->nobject_accesses; i++) {
        const struct cc_pobject_access *a = &p->object_accesses[i];
        uint32_t f = a->function < n ? a->function : a->function == CC_SPECIAL_ID(CC_NODE_INPUT) ? n : n + 1;
        if (a->bytes_read)
            CC_VEC_PUSH(&flows,
                        (struct flow){n + 2 + a->object, f, a->bytes_read, a->unma_read, a->has_unma_read});
        if (a->bytes_written)
            CC_VEC_PUSH(&flows, (struct flow){f, n + 2 + a->object, a->bytes_written, a->unma_written,
                                              a->has_unma_written});
        c->total += a->bytes_read + a->bytes_written;
    }
    c->between = c->total;
    if (flows.n)
        qsort(flows.v, flows.n, sizeof *flows.v, by_flow);
    choose(c, flows.v, flows.n, filter, match, nends);
    number_nodes(p, c, functions, objects, nends);
    CC_VEC_FINI(&flows);
    *ret = c;
    return 0;
}
