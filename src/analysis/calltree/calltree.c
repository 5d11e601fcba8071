#include "calltree.h"

struct build {
    const struct cc_profile *p;
    const struct cc_filter *filter;
    struct cc_calltree *tree;
    uint32_t *first, *next; /* children of each context, most inclusive first */
    bool *keep;             /* with a focus: matches, their ancestors and descendants */
    size_t cap;
};

static int by_inclusive(const void *a, const void *b, void *contexts)
{
    const struct cc_pcontext *sorting = contexts;
    const struct cc_pcontext *x = &sorting[*(const uint32_t *)a], *y = &sorting[*(const uint32_t *)b];
    if (x->inclusive != y->inclusive)
        return x->inclusive > y->inclusive ? -1 : 1;
    return x < y ? -1 : 1;
}

/* Links the children: going through all contexts from the smallest up, each goes to the front. */
static void link_children(struct build *b)
{
    const struct cc_profile *p = b->p;
    CC_CLEANUP(cc_free_ptr) uint32_t *order = cc_alloc_array(p->ncontexts + 1, sizeof *order);
    for (uint32_t i = 0; i < p->ncontexts; i++) {
        order[i] = i;
        b->first[i] = b->next[i] = CC_NONE;
    }
    qsort_r(order, p->ncontexts, sizeof *order, by_inclusive, p->contexts);
    for (size_t i = p->ncontexts; i-- > 0;) {
        uint32_t parent = p->contexts[order[i]].parent;
        if (parent == CC_NONE)
            continue;
        b->next[order[i]] = b->first[parent];
        b->first[parent] = order[i];
    }
}

static int mark_focus(struct build *b, struct cc_err *err)
{
    const struct cc_profile *p = b->p;
    CC_CLEANUP(cc_free_ptr) bool *match = cc_alloc_array(p->nfunctions + 1, sizeof *match);
    int rc = cc_names_focus_functions(b->filter->focus, p, match, err);
    if (rc < 0)
        return rc;
    for (size_t i = 0; i < p->ncontexts; i++) { /* parents come first */
        const struct cc_pcontext *x = &p->contexts[i];
        b->keep[i] = match[x->function] || (x->parent != CC_NONE && b->keep[x->parent]);
    }
    for (size_t i = p->ncontexts; i-- > 0;)
        if (b->keep[i] && p->contexts[i].parent != CC_NONE)
            b->keep[p->contexts[i].parent] = true;
    return 0;
}

static size_t add_row(struct build *b, uint32_t context, size_t parent)
{
    struct cc_calltree *t = b->tree;
    uint32_t depth = parent == SIZE_MAX ? 0 : t->rows[parent].depth + 1;
    t->rows[t->n] = (struct cc_calltree_row){.context = context, .depth = depth, .parent = parent};
    return t->n++;
}

/* Shown children of a row, in order; the others are counted at the row. */
static bool wanted(const struct build *b, uint32_t child, size_t shown)
{
    if (b->filter->focus && !b->keep[child])
        return false;
    return (!b->filter->top || shown < b->filter->top) &&
           (double)b->p->contexts[child].inclusive >= b->filter->min_share * (double)b->tree->total;
}

/* Depth first without recursion: contexts may be nested as deep as the file likes. */
static void walk(struct build *b, uint32_t root)
{
    struct todo {
        uint32_t context;
        size_t parent;
    };
    CC_VEC(struct todo) stack = {0};
    CC_VEC_PUSH(&stack, (struct todo){root, SIZE_MAX});
    while (stack.n) {
        struct todo at = stack.v[--stack.n];
        size_t row = add_row(b, at.context, at.parent), shown = 0, base = stack.n;
        for (uint32_t child = b->first[at.context]; child != CC_NONE; child = b->next[child]) {
            if (wanted(b, child, shown)) {
                shown++;
                CC_VEC_PUSH(&stack, (struct todo){child, row});
            } else if (!b->filter->focus || b->keep[child]) {
                b->tree->rows[row].hidden++;
                b->tree->rows[row].hidden_inclusive += b->p->contexts[child].inclusive;
            }
        }
        for (size_t i = base, j = stack.n; i + 1 < j; i++) { /* the first child comes off first */
            struct todo x = stack.v[i];
            stack.v[i] = stack.v[--j];
            stack.v[j] = x;
        }
    }
    CC_VEC_FINI(&stack);
}

int cc_calltree_build(const struct cc_profile *p, const struct cc_filter *filter, struct cc_calltree **ret,
                      struct cc_err *err)
{
    if (p->ncontexts == 0)
        return cc_err_at(err, CC_EINPUT, p->path, 0, "the profile has no calls");
    struct build b = {.p = p, .filter = filter};
    CC_CLEANUP(cc_free_ptr) bool *keep = b.keep = cc_alloc_array(p->ncontexts, sizeof *keep);
    int rc = filter->focus ? mark_focus(&b, err) : 0;
    if (rc < 0)
        return rc;
    CC_CLEANUP(cc_free_ptr) uint32_t *links = cc_alloc_array(p->ncontexts * 2, sizeof *links);
    b.first = links;
    b.next = links + p->ncontexts;
    link_children(&b);
    b.tree = cc_alloc(sizeof *b.tree);
    b.tree->rows = cc_alloc_array(p->ncontexts, sizeof *b.tree->rows);
    b.tree->total = p->instructions;
    for (uint32_t i = 0; i < p->ncontexts; i++)
        if (p->contexts[i].parent == CC_NONE && (!filter->focus || keep[i]))
            walk(&b, i);
    *ret = b.tree;
    return 0;
}

void cc_calltree_free(struct cc_calltree *t)
{
    if (!t)
        return;
    free(t->rows);
    free(t);
}

/* --- the time line --- */

static int by_length(const void *a, const void *b)
{
    const struct cc_rec_call *x = *(const struct cc_rec_call *const *)a,
                             *y = *(const struct cc_rec_call *const *)b;
    if (x->length != y->length)
        return x->length > y->length ? -1 : 1;
    return x < y ? -1 : 1;
}

static int by_place(const void *a, const void *b)
{
    const struct cc_rec_call *x = *(const struct cc_rec_call *const *)a,
                             *y = *(const struct cc_rec_call *const *)b;
    return x < y ? -1 : x > y;
}

/* `all`: by thread, start, then length, longest first. */
static size_t nest(const struct cc_profile *p, const struct cc_rec_call *all, size_t n, size_t cap,
                   struct cc_timeline_box **ret)
{
    CC_CLEANUP(cc_free_ptr) const struct cc_rec_call **calls = cc_alloc_array(n + 1, sizeof *calls);
    for (size_t i = 0; i < n; i++)
        calls[i] = &all[i];
    if (n > cap) {
        qsort(calls, n, sizeof *calls, by_length);
        n = cap;
        qsort(calls, n, sizeof *calls, by_place);
    }
    struct cc_timeline_box *boxes = cc_alloc_array(n + 1, sizeof *boxes);
    CC_VEC(size_t) open = {0}; /* boxes around the present place */
    for (size_t i = 0; i < n; i++) {
        const struct cc_rec_call *c = calls[i];
        uint64_t start = p->threads[c->thread].start + c->start;
        while (open.n) {
            const struct cc_timeline_box *top = &boxes[open.v[open.n - 1]];
            if (top->thread == c->thread && start + c->length <= top->start + top->length)
                break;
            open.n--;
        }
        boxes[i] = (struct cc_timeline_box){.context = c->context,
                                            .thread = c->thread,
                                            .depth = (uint32_t)open.n,
                                            .start = start,
                                            .length = c->length,
                                            .parent = open.n ? open.v[open.n - 1] : SIZE_MAX};
        CC_VEC_PUSH(&open, i);
    }
    CC_VEC_FINI(&open);
    *ret = boxes;
    return n;
}

size_t cc_timeline(const struct cc_profile *p, size_t cap, struct cc_timeline_box **ret)
{
    return nest(p, p->calls, p->ncalls, cap, ret);
}

/* The time of a thread around its regions: all of it, or its part of a frame. */
static struct cc_rec_call around(const struct cc_profile *p, const struct cc_filter *filter, uint32_t thread,
                                 const struct cc_rec_call *spans, size_t n)
{
    struct cc_rec_call box = {0, thread, 0, p->threads[thread].instructions};
    if (!filter->one_frame)
        return box;
    uint64_t end = 0;
    box.start = UINT64_MAX;
    for (size_t i = 0; i < n; i++) {
        if (spans[i].thread != thread)
            continue;
        box.start = CC_MIN(box.start, spans[i].start);
        end = CC_MAX(end, spans[i].start + spans[i].length);
    }
    if (p->nthreads == 1) { /* the clock of frames is the thread's */
        const struct cc_rec_frame *f = &p->frames[filter->frame];
        box.start = CC_MIN(box.start, f->start);
        end = CC_MAX(end, f->start + f->length);
    }
    box.length = end > box.start ? end - box.start : 0;
    return box;
}

size_t cc_timeline_regions(const struct cc_profile *p, const struct cc_filter *filter, size_t cap,
                           struct cc_timeline_box **ret)
{
    CC_VEC(struct cc_rec_call) all = {0};
    for (size_t i = 0; i < p->nspans; i++) {
        const struct cc_rec_span *s = &p->spans[i];
        if (p->scopes[s->scope].kind == CC_SCOPE_REGION && (!filter->one_frame || s->frame == filter->frame))
            CC_VEC_PUSH(&all, (struct cc_rec_call){s->scope, s->thread, s->start, s->length});
    }
    size_t n = all.n;
    for (uint32_t t = 0; t < p->nthreads; t++) {
        struct cc_rec_call box = around(p, filter, t, all.v, n);
        if (box.length)
            CC_VEC_PUSH(&all, box);
    }
    if (all.n)
        qsort(all.v, all.n, sizeof *all.v, cc_profile_call_order);
    for (size_t i = 0; i < all.n; i++)
        all.v[i].context = p->scopes[all.v[i].context].region;
    n = nest(p, all.v, all.n, cap, ret);
    CC_VEC_FINI(&all);
    return n;
}
