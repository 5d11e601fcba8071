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

/* By its name; by the line that writes it where that has only one array: heap blocks bear no name of the
 * source. */
static const struct cc_source_array *array_of(const struct cc_source_loop *s, const struct cc_loop_reason *r)
{
    const struct cc_source_array *by_line = NULL;
    unsigned n = 0;
    for (size_t i = 0; i < s->arrays.n; i++) {
        const struct cc_source_array *a = &s->arrays.v[i];
        if (a->name && r->variable && a->write_line && strcmp(a->name, r->variable) == 0)
            return a;
        if (a->write_line == r->first.line) {
            by_line = a;
            n++;
        }
    }
    return n == 1 ? by_line : NULL;
}

static bool is_carried(const struct cc_source_loop *s, const struct cc_loop_reason *r)
{
    for (size_t i = 0; r->variable && i < s->variables.n; i++)
        if (strcmp(s->variables.v[i].name, r->variable) == 0)
            return s->variables.v[i].class == CC_SOURCE_CARRIED;
    for (size_t i = 0; r->variable && i < s->inside.n; i++)
        if (strcmp(s->inside.v[i], r->variable) == 0)
            return false;
    const struct cc_source_array *a = array_of(s, r);
    return a && !a->op && !a->partly;
}

void cc_unseen_reasons(const struct gate_input *in, struct cc_loop *l)
{
    for (size_t i = 0; in->source && i < in->unsure.n; i++)
        if (in->unsure.v[i].kind == CC_REASON_RAW && is_carried(in->source, &in->unsure.v[i]))
            CC_VEC_PUSH(&l->reasons, in->unsure.v[i]);
}

/* Each name once. */
static void put_names(const struct gate_input *in, struct cc_buf *b)
{
    enum { MOST = 4 };
    const char *names[MOST];
    size_t n = 0, more = 0;
    for (size_t i = 0; i < in->unsure.n; i++) {
        const char *name = in->unsure.v[i].variable ? in->unsure.v[i].variable : "something without a name";
        bool known = false;
        for (size_t k = 0; k < n; k++)
            known = known || strcmp(names[k], name) == 0;
        if (known)
            continue;
        if (n < MOST)
            names[n++] = name;
        else
            more++;
    }
    for (size_t i = 0; i < n; i++)
        cc_buf_printf(b, "%s%s", i == 0 ? "" : i + 1 == n && !more ? " and " : ", ", names[i]);
    if (more)
        cc_buf_puts(b, " and others");
}

const char *cc_unseen_sentence(const struct gate_input *in)
{
    struct cc_buf b = {0};
    cc_buf_puts(&b, "registers not analysed under qemu; ");
    if (in->unsure.n) {
        cc_buf_puts(&b, "through memory iterations need nothing but ");
        put_names(in, &b);
        cc_buf_printf(&b, ", changed at line %u as a counter or a sum is", in->unsure.v[0].first.line);
    } else {
        cc_buf_puts(&b, "no dependence through memory was seen");
    }
    const char *text = cc_arena_strdup(in->arena, b.s);
    cc_buf_fini(&b);
    return text;
}
