/* Regions and chosen objects in one graph. */
#include "objects.h"
#include "names.h"
#include "../../base/map.h"

enum { SEVERAL = UINT32_MAX - 1 };

/* The region that each function ran in: CC_NONE for one that never ran, SEVERAL for more than one. */
static uint32_t *regions_of(const struct cc_profile *p)
{
    uint32_t *region = cc_alloc_array(p->nfunctions + 1, sizeof *region);
    for (size_t i = 0; i < p->nfunctions; i++)
        region[i] = CC_NONE;
    for (size_t i = 0; i < p->nexecs; i++) {
        uint32_t *at = &region[p->execs[i].function], here = p->scopes[p->execs[i].scope].region;
        if (p->execs[i].count)
            *at = *at == CC_NONE || *at == here ? here : (uint32_t)SEVERAL;
    }
    return region;
}

struct join {
    const struct cc_profile *p;
    struct cc_comm *c;
    const uint32_t *region; /* by function */
    const char **functions, **regions, **objects;
    struct cc_map nodes; /* who -> node: regions by id, then functions, specials and objects */
    struct cc_map edges; /* from, to -> edge */
    size_t room;         /* of both arrays */
};

static uint32_t node_of(struct join *j, uint64_t who, struct cc_comm_node n)
{
    bool is_new;
    uint64_t *at = cc_map_put(&j->nodes, who, &is_new);
    if (is_new) {
        *at = j->c->nnodes;
        j->c->nodes[j->c->nnodes++] = n;
    }
    return (uint32_t)*at;
}

#define WHO(kind, id) ((uint64_t)(kind) << 32 | (id))

/* The node of whoever accesses. */
static uint32_t accessor(struct join *j, uint32_t function)
{
    const struct cc_profile *p = j->p;
    if (function >= p->nfunctions) {
        bool input = function == CC_SPECIAL_ID(CC_NODE_INPUT);
        enum cc_comm_kind kind = input ? CC_COMM_INPUT : CC_COMM_OUTPUT;
        return node_of(j, WHO(kind, CC_NONE),
                       (struct cc_comm_node){.name = cc_special_name(input ? CC_NODE_INPUT : CC_NODE_OUTPUT),
                                             .kind = kind,
                                             .id = CC_NONE});
    }
    uint32_t r = j->region[function];
    if (r < p->nregions)
        return node_of(j, WHO(CC_COMM_REGION, r),
                       (struct cc_comm_node){.name = j->regions[r],
                                             .kind = CC_COMM_REGION,
                                             .id = r,
                                             .instructions = p->regions[r].exclusive});
    CC_CLEANUP(cc_free_ptr) char *name = cc_asprintf("%s()", j->functions[function]);
    return node_of(j, WHO(CC_COMM_FUNCTION, function),
                   (struct cc_comm_node){.name = cc_arena_strdup(&j->c->arena, name),
                                         .kind = CC_COMM_FUNCTION,
                                         .id = function,
                                         .instructions = p->functions[function].exclusive});
}

/* Functions of one region may touch the same addresses: their number is known of a single one only. */
static void add_edge(struct join *j, uint32_t from, uint32_t to, uint64_t bytes, uint64_t reads,
                     uint64_t unma, bool has_unma)
{
    struct cc_comm *c = j->c;
    bool is_new;
    if (!bytes)
        return;
    uint64_t *at = cc_map_put(&j->edges, (uint64_t)from << 32 | to, &is_new);
    if (is_new) {
        *at = c->nedges;
        c->edges[c->nedges++] =
            (struct cc_comm_edge){.from = from, .to = to, .unma = unma, .has_unma = has_unma};
    } else {
        c->edges[*at].has_unma = false;
    }
    c->edges[*at].bytes += bytes;
    c->edges[*at].reads += reads;
    c->nodes[from].bytes_out += bytes;
    c->nodes[to].bytes_in += bytes;
    c->total += bytes;
    c->between += bytes;
}

static void make_room(struct join *j)
{
    struct cc_comm *c = j->c;
    size_t n = c->nnodes + 2 * j->p->nobject_accesses + 2, e = c->nedges + 2 * j->p->nobject_accesses + 2;
    struct cc_comm_node *nodes = cc_arena_alloc(&c->arena, n * sizeof *nodes);
    struct cc_comm_edge *edges = cc_arena_alloc(&c->arena, e * sizeof *edges);
    if (c->nnodes)
        memcpy(nodes, c->nodes, c->nnodes * sizeof *nodes);
    if (c->nedges)
        memcpy(edges, c->edges, c->nedges * sizeof *edges);
    c->nodes = nodes;
    c->edges = edges;
    for (size_t i = 0; i < c->nnodes; i++)
        *cc_map_put(&j->nodes, WHO(nodes[i].kind, nodes[i].id), NULL) = i;
}

static int by_bytes(const void *a, const void *b)
{
    const struct cc_comm_edge *x = a, *y = b;
    if (x->bytes != y->bytes)
        return x->bytes > y->bytes ? -1 : 1;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return (x->to > y->to) - (x->to < y->to);
}

static void add_accesses(struct join *j, const bool *match)
{
    const struct cc_profile *p = j->p;
    for (size_t i = 0; i < p->nobject_accesses; i++) {
        const struct cc_pobject_access *a = &p->object_accesses[i];
        if (!match[a->object])
            continue;
        uint32_t who = accessor(j, a->function);
        uint32_t object = node_of(j, WHO(CC_COMM_OBJECT, a->object),
                                  (struct cc_comm_node){.name = j->objects[a->object],
                                                        .kind = CC_COMM_OBJECT,
                                                        .id = a->object,
                                                        .size = p->objects[a->object].total,
                                                        .peak = p->objects[a->object].peak});
        add_edge(j, who, object, a->bytes_written, a->writes, a->unma_written, a->has_unma_written);
        add_edge(j, object, who, a->bytes_read, a->reads, a->unma_read, a->has_unma_read);
    }
    if (j->c->nedges)
        qsort(j->c->edges, j->c->nedges, sizeof *j->c->edges, by_bytes);
}

int cc_objects_join(const struct cc_profile *p, const char *const *wanted, size_t n, struct cc_comm *c,
                    struct cc_err *err)
{
    int rc = cc_objects_check(p, err);
    if (rc < 0)
        return rc;
    CC_CLEANUP(cc_free_ptr) uint32_t *region = regions_of(p);
    CC_CLEANUP(cc_free_ptr) bool *match = cc_alloc_array(p->nobjects + 1, sizeof *match);
    struct join j = {.p = p, .c = c, .region = region};
    j.functions = cc_names_functions(p, &c->arena);
    j.regions = cc_names_regions(p, &c->arena);
    j.objects = cc_objects_names(p, &c->arena);
    for (size_t i = 0; rc == 0 && i < n; i++) {
        CC_CLEANUP(cc_free_ptr) bool *one = cc_alloc_array(p->nobjects + 1, sizeof *one);
        rc = cc_names_focus(wanted[i], j.objects, p->nobjects, one, err);
        for (size_t k = 0; k < p->nobjects; k++)
            match[k] = match[k] || one[k];
    }
    if (rc == 0) {
        make_room(&j);
        add_accesses(&j, match);
    }
    cc_map_fini(&j.nodes);
    cc_map_fini(&j.edges);
    return rc;
}
