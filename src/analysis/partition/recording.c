#include "recording.h"
#include "../../base/map.h"
#include "../../base/text.h"

enum { PATH_LEVELS = 3 }; /* of a context's name */

static size_t count(const struct cc_profile *p, enum cc_level level)
{
    return level == CC_LEVEL_FUNCTION ? p->nfunctions
           : level == CC_LEVEL_THREAD ? p->nthreads
           : level == CC_LEVEL_REGION ? p->nregions
                                      : p->ncontexts;
}

static uint64_t work_of(const struct cc_profile *p, enum cc_level level, uint32_t id)
{
    return level == CC_LEVEL_FUNCTION ? p->functions[id].exclusive
           : level == CC_LEVEL_THREAD ? p->threads[id].instructions
           : level == CC_LEVEL_REGION ? p->regions[id].exclusive
                                      : p->contexts[id].exclusive;
}

/* Code outside every function of the program. */
static bool is_runtime(const struct cc_profile *p, enum cc_level level, uint32_t id)
{
    return (level == CC_LEVEL_FUNCTION && id == 0) ||
           (level == CC_LEVEL_CONTEXT && p->contexts[id].function == 0);
}

static void name_of(const struct cc_profile *p, enum cc_level level, uint32_t id, struct cc_buf *b)
{
    if (level == CC_LEVEL_THREAD) {
        cc_buf_printf(b, "thread %u", p->threads[id].tid);
        return;
    }
    if (level == CC_LEVEL_FUNCTION || level == CC_LEVEL_REGION) {
        cc_buf_puts(b, level == CC_LEVEL_FUNCTION ? p->functions[id].name : p->regions[id].name);
        return;
    }
    uint32_t path[PATH_LEVELS], n = 0, at = id;
    for (; at != CC_NONE && n < PATH_LEVELS && p->contexts[at].function != 0; at = p->contexts[at].parent)
        path[n++] = p->contexts[at].function;
    if (at != CC_NONE && p->contexts[at].function != 0)
        cc_buf_puts(b, "…/");
    while (n-- > 0)
        cc_buf_printf(b, "%s%s", p->functions[path[n]].name, n ? "/" : "");
}

/* The same name twice (static functions, overloads, recursion) gets a number, so that --pin and --merge can
 * tell them apart. */
static size_t add_named(struct cc_graph *g, struct cc_strmap *names, const char *name, uint64_t work)
{
    uint64_t *times = cc_strmap_put(names, name, NULL);
    if (++*times == 1)
        return cc_graph_add_node(g, name, work);
    CC_CLEANUP(cc_free_ptr) char *numbered = cc_asprintf("%s#%llu", name, (unsigned long long)*times);
    return cc_graph_add_node(g, numbered, work);
}

static size_t end_of(const struct cc_profile *p, enum cc_level level, uint32_t id, const size_t *node)
{
    uint32_t at;
    return cc_profile_end(p, level, id, &at) == CC_NODE_CONTEXT ? node[at] : SIZE_MAX;
}

int cc_graph_from_profile(const struct cc_profile *p, enum cc_level level, enum cc_graph_traffic traffic,
                          struct cc_graph *ret, uint64_t *ret_outside, struct cc_err *err)
{
    size_t n = count(p, level);
    *ret = (struct cc_graph){0};
    *ret_outside = 0;
    if (n > CC_GRAPH_MAX_NODES)
        return cc_err_at(err, CC_EINPUT, p->path, 0, "%zu nodes are more than the limit of %d", n,
                         CC_GRAPH_MAX_NODES);
    size_t *node = cc_alloc_array(n, sizeof *node);
    struct cc_strmap names = {0};
    for (uint32_t i = 0; i < n; i++) {
        node[i] = SIZE_MAX;
        if (is_runtime(p, level, i) || work_of(p, level, i) == 0)
            continue;
        struct cc_buf name = {0};
        name_of(p, level, i, &name);
        node[i] = add_named(ret, &names, name.s ? name.s : "?", work_of(p, level, i));
        cc_buf_fini(&name);
    }
    cc_strmap_fini(&names);
    int rc = 0;
    for (size_t k = 0; k < p->nedges[level] && rc == 0; k++) {
        const struct cc_pedge *e = &p->edges[level][k];
        if (traffic == CC_GRAPH_UNMA && !e->has_unma)
            rc = cc_err_at(err, CC_EINPUT, p->path, 0,
                           "the run was cut short: its distinct addresses are not known");
        uint64_t bytes = traffic == CC_GRAPH_FRESH ? e->fresh : traffic == CC_GRAPH_UNMA ? e->unma : e->bytes;
        size_t from = end_of(p, level, e->producer, node), to = end_of(p, level, e->consumer, node);
        if (from == SIZE_MAX || to == SIZE_MAX)
            *ret_outside += bytes;
        else
            cc_graph_add_edge(ret, from, to, bytes);
    }
    free(node);
    if (rc == 0)
        rc = cc_graph_check(ret, p->path, err);
    if (rc < 0)
        cc_graph_fini(ret);
    return rc;
}
