/* The time line's boxes to be drawn, and the data between them as arrows. */
#include "calltree.h"

enum { MOST_ARROWS = 10000 };

static bool folds(const struct cc_timeline_box *boxes, size_t i)
{
    for (size_t up = boxes[i].parent; up != SIZE_MAX; up = boxes[up].parent)
        if (boxes[up].context == boxes[i].context)
            return true;
    return false;
}

size_t cc_timeline_fold(struct cc_timeline_box *boxes, size_t n, uint32_t rows)
{
    CC_CLEANUP(cc_free_ptr) size_t *now = cc_alloc_array(n + 1, sizeof *now); /* the nearest kept box */
    CC_CLEANUP(cc_free_ptr) bool *gone = cc_alloc_array(n + 1, sizeof *gone);
    for (size_t i = 0; i < n; i++)
        gone[i] = folds(boxes, i);
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        struct cc_timeline_box b = boxes[i];
        b.parent = b.parent == SIZE_MAX ? SIZE_MAX : now[b.parent];
        b.depth = b.parent == SIZE_MAX ? 0 : boxes[b.parent].depth + 1;
        now[i] = b.parent;
        if (gone[i] || b.depth >= rows)
            continue;
        now[i] = kept;
        boxes[kept++] = b;
    }
    return kept;
}

static int heavier(const void *a, const void *b)
{
    const struct cc_timeline_arrow *x = a, *y = b;
    if (x->bytes != y->bytes)
        return x->bytes > y->bytes ? -1 : 1;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return (x->to > y->to) - (x->to < y->to);
}

/* By context or region: its longest box + 1; 0: none. */
static size_t *longest_boxes(const struct cc_profile *p, bool regions, const struct cc_timeline_box *boxes,
                             size_t n)
{
    size_t *best = cc_alloc_array((regions ? p->nregions : p->ncontexts) + 1, sizeof *best);
    for (size_t i = 0; i < n; i++) {
        size_t *b = &best[boxes[i].context];
        if (!*b || boxes[i].length > boxes[*b - 1].length)
            *b = i + 1;
    }
    for (size_t i = 0; !regions && i < p->ncontexts; i++) /* callers have lower ids */
        if (!best[i] && p->contexts[i].parent != CC_NONE)
            best[i] = best[p->contexts[i].parent];
    return best;
}

static size_t box_of(const struct cc_comm_node *n, const size_t *best)
{
    return n->id != CC_NONE ? best[n->id] - 1 : SIZE_MAX;
}

/* An arrow that is there already gets heavier. */
static bool joined(struct cc_timeline_arrow *all, size_t n, const struct cc_timeline_arrow *a)
{
    for (size_t k = 0; k < n; k++) {
        if (all[k].from != a->from || all[k].to != a->to ||
            (a->special && strcmp(all[k].special, a->special) != 0))
            continue;
        all[k].bytes += a->bytes;
        return true;
    }
    return false;
}

size_t cc_timeline_arrows(const struct cc_profile *p, const struct cc_comm *c,
                          const struct cc_timeline_box *boxes, size_t n, struct cc_timeline_arrow **ret)
{
    CC_VEC(struct cc_timeline_arrow) all = {0};
    CC_CLEANUP(cc_free_ptr) size_t *best = longest_boxes(p, c->by == CC_LEVEL_REGION, boxes, n);
    for (size_t i = 0; i < c->nedges; i++) {
        const struct cc_comm_edge *e = &c->edges[i];
        const struct cc_comm_node *from = &c->nodes[e->from], *to = &c->nodes[e->to];
        struct cc_timeline_arrow a = {box_of(from, best), box_of(to, best), e->bytes, NULL};
        bool from_special = from->id == CC_NONE, to_special = to->id == CC_NONE;
        if (a.from == a.to || (a.from == SIZE_MAX && !from_special) || (a.to == SIZE_MAX && !to_special))
            continue;
        a.special = from_special ? from->name : to_special ? to->name : NULL;
        if (!joined(all.v, all.n, &a) && all.n < MOST_ARROWS)
            CC_VEC_PUSH(&all, a);
    }
    if (all.n)
        qsort(all.v, all.n, sizeof *all.v, heavier);
    *ret = all.v;
    return all.n;
}
