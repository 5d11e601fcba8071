/* Dependences as a part of the collector: where addresses lie, and the records. */
#include "data_internal.h"
#include "depend.h"
#include "sibling.h"

static bool on_stack_of(const struct cc_thread *t, uint64_t a, struct cc_rec_dependence *r)
{
    const struct cc_depend_thread *x = t->depend;
    if (!x || a < x->stack_start || a >= x->stack_end)
        return false;
    r->area = CC_AREA_STACK;
    for (size_t i = t->depth; i-- > 1;) { /* the innermost frame that reaches up to it */
        const struct cc_activation *f = &t->room.activations[i];
        if (!f->sp || f->sp <= a)
            continue;
        r->base = f->sp;
        r->owner = cc_context_at(t->owner, f->context)->function;
        break;
    }
    return true;
}

static uint32_t locate(void *self, uint64_t a, struct cc_rec_dependence *r)
{
    struct cc_collect *c = self;
    for (uint32_t i = 0; i < c->threads.n; i++)
        if (on_stack_of(c->threads.v[i], a, r))
            return UINT32_MAX - i;
    uint32_t group = cc_data_group_of(c->data, a);
    const struct cc_group *g = cc_group_at(c->data, group);
    switch (g->kind) {
    case CC_OBJECT_GLOBAL:
    case CC_OBJECT_IMAGE:
    case CC_OBJECT_ALIAS:
        r->area = CC_AREA_IMAGE;
        break;
    case CC_OBJECT_BLOCK:
    case CC_OBJECT_MAPPED:
    case CC_OBJECT_HEAP:
        r->area = CC_AREA_HEAP;
        r->base = g->ncalls ? g->calls[0].ret : 0;
        r->owner = group;
        break;
    default:
        r->area = CC_AREA_UNKNOWN;
    }
    return group + 1;
}

/* Who records calls as well wants plans (explore): these are worth waiting for, and a short run is followed
 * as a whole. */
#define WHOLE UINT64_C(100000000)

void cc_depend_begin(struct cc_collect *c, const struct cc_depend_machine *m)
{
    struct cc_depend_options o = {
        .machine = *m, .exact = c->opt.exact, .whole = c->opt.tasks == CC_TASKS_ALL ? WHOLE : 0};
    if (c->opt.loops != CC_LOOPS_DEPENDENCES)
        return;
    c->depend = cc_depend_new(&c->host, &o);
    cc_depend_locate(c->depend, c, locate);
    cc_sibling_begin(c, m);
    if (c->sibling)
        cc_depend_locate(c->sibling, c, locate);
}

void cc_depend_hold(struct cc_collect *c, bool yes)
{
    if (c->depend)
        cc_depend_wait(c->depend, yes);
    if (c->sibling)
        cc_depend_wait(c->sibling, yes);
}

static void put(void *self, const struct cc_rec_dependence *r)
{
    const struct cc_data_writer *w = self;
    w->put(w->self, CC_REC_DEPENDENCE, r, sizeof *r, NULL, 0);
}

static void put_sibling(void *self, const struct cc_rec_dependence *r)
{
    const struct cc_data_writer *w = self;
    w->put(w->self, CC_REC_SIBLING, r, sizeof *r, NULL, 0);
}

static void put_allocations(struct cc_collect *c, const struct cc_data_writer *w)
{
    for (uint32_t i = 0; i < c->data->groups.n; i++) {
        const struct cc_group *g = cc_group_at(c->data, i);
        struct cc_rec_allocation r = {.id = i};
        for (uint32_t k = 0; k < g->ncalls && k < CC_ALLOCATION_CALLS; k++)
            r.returns[k] = g->calls[k].ret;
        if (g->ncalls)
            w->put(w->self, CC_REC_ALLOCATION, &r, sizeof r, NULL, 0);
    }
}

void cc_depend_records(struct cc_collect *c, const struct cc_data_writer *w)
{
    if (c->depend) {
        put_allocations(c, w);
        cc_depend_results(c->depend, &(struct cc_depend_writer){(void *)(uintptr_t)w, put});
    }
    for (uint32_t i = 0; c->sibling && i < c->threads.n; i++)
        cc_sibling_settle(c->threads.v[i]);
    if (c->sibling)
        cc_depend_results(c->sibling, &(struct cc_depend_writer){(void *)(uintptr_t)w, put_sibling});
}
