#include "unseen.h"
#include "../../base/text.h"

bool cc_unseen(const struct cc_profile *p)
{
    return p->engine && strcmp(p->engine, "qemu") == 0;
}

struct cc_unseen_code {
    const struct cc_profile *p;
    uint32_t *by_second; /* dependences of memory, by their second instruction */
    size_t n;
};

static int by_second(const void *a, const void *b, void *self)
{
    const struct cc_profile *p = self;
    const struct cc_pdependence *x = &p->dependences[*(const uint32_t *)a],
                                *y = &p->dependences[*(const uint32_t *)b];
    return (x->second > y->second) - (x->second < y->second);
}

struct cc_unseen_code *cc_unseen_new(const struct cc_profile *p)
{
    struct cc_unseen_code *u = cc_alloc(sizeof *u);
    u->p = p;
    u->by_second = cc_alloc_array(p->ndependences + 1, sizeof *u->by_second);
    for (size_t i = 0; i < p->ndependences; i++)
        if (p->dependences[i].space == CC_SPACE_MEMORY)
            u->by_second[u->n++] = (uint32_t)i;
    qsort_r(u->by_second, u->n, sizeof *u->by_second, by_second, (void *)(uintptr_t)p);
    return u;
}

void cc_unseen_free(struct cc_unseen_code *u)
{
    if (!u)
        return;
    free(u->by_second);
    free(u);
}

/* The first of those with that second instruction. */
static size_t first_with(const struct cc_unseen_code *u, uint64_t second)
{
    size_t lo;
    CC_FIRST(lo, u->n, u->p->dependences[u->by_second[lo]].second >= second);
    return lo;
}

static const struct cc_pdependence *at(const struct cc_unseen_code *u, size_t i, uint64_t second)
{
    const struct cc_pdependence *o = i < u->n ? &u->p->dependences[u->by_second[i]] : NULL;
    return o && o->second == second ? o : NULL;
}

static bool flows(const struct cc_unseen_code *u, uint64_t store, uint64_t load)
{
    const struct cc_pdependence *o;
    for (size_t i = first_with(u, load); (o = at(u, i, load)); i++)
        if (o->first == store && (o->kind == CC_DEPENDENCE_RAW || o->kind == CC_DEPENDENCE_WITHIN_RAW))
            return true;
    return false;
}

/* What meets in one iteration of an inner loop does so in one of those around it: loops are not asked. */
bool cc_unseen_update(const struct cc_unseen_code *u, const struct cc_pdependence *d)
{
    const struct cc_pdependence *o;
    if (d->first == d->second || d->flags & CC_DEPENDENCE_FOLDED)
        return true;
    for (size_t i = first_with(u, d->first); (o = at(u, i, d->first)); i++) {
        bool overwrites = o->kind == CC_DEPENDENCE_WAR || o->kind == CC_DEPENDENCE_WITHIN_WAR;
        if (overwrites && (o->first == d->second || o->place == d->place) && flows(u, o->second, o->first))
            return true;
    }
    return false;
}
