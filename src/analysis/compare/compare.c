#include "compare.h"
#include "../../base/text.h"

#include <math.h>

const char *cc_difference_name(const struct cc_difference *d)
{
    return d->b ? d->b->name : d->a->name;
}

static double first(const struct cc_subject *x)
{
    return x && isfinite(x->value[0]) ? x->value[0] : 0;
}

static double relative(double a, double b)
{
    if (isnan(a) || isnan(b))
        return NAN;
    return a == b ? 0 : a != 0 ? (b - a) / a : INFINITY;
}

/* Times differ by more than they vary: three standard errors of the difference. */
static bool within_spread(const struct cc_subject *a, const struct cc_subject *b)
{
    double spread = hypot(a->spread, b->spread);
    return isnan(spread) || fabs(a->value[CC_TASK_TIME] - b->value[CC_TASK_TIME]) <= 3 * spread;
}

static struct cc_difference difference(enum cc_subject_kind kind, const struct cc_subject *a,
                                       const struct cc_subject *b, bool timed)
{
    struct cc_difference d = {.a = a, .b = b, .differs = !a || !b};
    for (size_t i = 0; i < CC_FIGURES; i++) {
        d.change[i] = a && b ? relative(a->value[i], b->value[i]) : NAN;
        d.differs |= a && b && d.change[i] != 0 && !isnan(d.change[i]);
    }
    if (kind == CC_OF_TASK && timed && a && b && within_spread(a, b)) {
        d.noise = d.change[CC_TASK_TIME] != 0;
        d.differs = d.change[CC_TASK_COUNT] != 0;
    }
    return d;
}

static int by_size(const void *x, const void *y)
{
    const struct cc_difference *a = x, *b = y;
    double da = fabs(first(a->b) - first(a->a)), db = fabs(first(b->b) - first(b->a));
    if (da != db)
        return da > db ? -1 : 1;
    double va = fmax(first(a->a), first(a->b)), vb = fmax(first(b->a), first(b->b));
    return va != vb ? (va > vb ? -1 : 1) : strcmp(cc_difference_name(a), cc_difference_name(b));
}

/* Shares of the run for what is a part of it; of all of their kind for what overlaps (loops, objects). */
static double whole(const struct cc_subjects *s, enum cc_subject_kind kind)
{
    double sum = 0;
    for (size_t i = 0; i < s->of[kind].n; i++)
        sum += first(&s->of[kind].v[i]);
    return sum;
}

static void put_kind(struct cc_comparison *c, enum cc_subject_kind kind)
{
    const struct cc_subjects *a = c->a, *b = c->b;
    for (uint32_t i = 0; i < a->of[kind].n; i++) {
        uint32_t at = c->match.to[kind][i];
        struct cc_difference d = difference(kind, &a->of[kind].v[i],
                                            at == CC_NONE ? NULL : &b->of[kind].v[at], a->timed || b->timed);
        d.how = (enum cc_match_how)c->match.how[kind][i];
        CC_VEC_PUSH(&c->of[kind], d);
    }
    for (uint32_t i = 0; i < b->of[kind].n; i++)
        if (c->match.from[kind][i] == CC_NONE)
            CC_VEC_PUSH(&c->of[kind], difference(kind, NULL, &b->of[kind].v[i], false));
    double all_a = whole(a, kind), all_b = whole(b, kind);
    for (size_t i = 0; i < c->of[kind].n; i++) {
        struct cc_difference *d = &c->of[kind].v[i];
        d->weight = fmax(all_a > 0 ? first(d->a) / all_a : 0, all_b > 0 ? first(d->b) / all_b : 0);
        c->same[kind] += !d->differs;
    }
    if (c->of[kind].n)
        qsort(c->of[kind].v, c->of[kind].n, sizeof *c->of[kind].v, by_size);
}

/* --- what cannot be told --- */

static bool same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static void limit(struct cc_comparison *c, const char *text)
{
    CC_VEC_PUSH(&c->limits, text);
}

static const char *or_none(const char *s)
{
    return s ? s : "none";
}

static void put_limits(struct cc_comparison *c)
{
    const struct cc_subjects *a = c->a, *b = c->b, *both[2] = {a, b};
    c->instructions = same_text(a->isa, b->isa);
    if (!c->instructions)
        limit(c, cc_arena_printf(
                     &c->arena,
                     "instructions of %s and %s are not the same work: compare calls, iterations and bytes",
                     or_none(a->isa), or_none(b->isa)));
    if (!same_text(a->engine, b->engine))
        limit(c,
              cc_arena_printf(&c->arena,
                              "recorded by %s and by %s: the engines may split an access into several reads, "
                              "and the loader's work differs",
                              or_none(a->engine), or_none(b->engine)));
    if (!same_text(a->libs, b->libs))
        limit(c, cc_arena_printf(
                     &c->arena,
                     "recorded with --libs %s and --libs %s: who is charged for libraries' code differs",
                     or_none(a->libs), or_none(b->libs)));
    if (!same_text(cc_text_base(a->program), cc_text_base(b->program)))
        limit(c, cc_arena_printf(&c->arena, "the programs have different names: %s and %s",
                                 or_none(cc_text_base(a->program)), or_none(cc_text_base(b->program))));
    if ((a->loops != NULL) != (b->loops != NULL))
        limit(c, cc_arena_printf(&c->arena, "%s was recorded without --loops: loops are not compared",
                                 a->loops ? b->path : a->path));
    if (a->objects != b->objects)
        limit(c, cc_arena_printf(&c->arena, "%s was recorded without --objects: objects are not compared",
                                 a->objects ? b->path : a->path));
    for (int i = 0; i < 2; i++) {
        if (!both[i]->complete)
            limit(c, cc_arena_printf(&c->arena, "%s is incomplete: its run was cut short", both[i]->path));
        if (both[i]->approximate)
            limit(c, cc_arena_printf(&c->arena, "%s: fresh bytes are a lower bound", both[i]->path));
    }
    if (a->clock && b->clock && !same_text(a->clock, b->clock))
        limit(c, cc_arena_printf(&c->arena, "tasks are timed in %s and in %s: not compared", a->clock,
                                 b->clock));
}

/* Kinds that only one side can have say nothing. */
static bool known(const struct cc_comparison *c, enum cc_subject_kind kind)
{
    const struct cc_subjects *a = c->a, *b = c->b;
    switch (kind) {
    case CC_OF_LOOP:
        return a->loops && b->loops;
    case CC_OF_OBJECT:
        return a->objects && b->objects;
    case CC_OF_REGION: /* the first is outside of all */
    case CC_OF_FLOW:
        return a->of[CC_OF_REGION].n > 1 || b->of[CC_OF_REGION].n > 1;
    case CC_OF_CLASS:
        return a->of[kind].n && b->of[kind].n;
    case CC_OF_TASK:
        return a->clock && b->clock && same_text(a->clock, b->clock);
    default:
        return true;
    }
}

void cc_compare(const struct cc_subjects *a, const struct cc_subjects *b, struct cc_comparison **ret)
{
    struct cc_comparison *c = cc_alloc(sizeof *c);
    c->a = a;
    c->b = b;
    cc_match_build(a, b, &c->match);
    put_limits(c);
    for (int k = 0; k < CC_OFS; k++)
        if (known(c, (enum cc_subject_kind)k))
            put_kind(c, (enum cc_subject_kind)k);
    *ret = c;
}

void cc_comparison_free(struct cc_comparison *c)
{
    if (!c)
        return;
    for (int k = 0; k < CC_OFS; k++)
        CC_VEC_FINI(&c->of[k]);
    CC_VEC_FINI(&c->limits);
    cc_match_fini(&c->match);
    cc_arena_fini(&c->arena);
    free(c);
}
