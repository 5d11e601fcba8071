#include "loops.h"
#include "gate/gate.h"
#include "gate/count.h"
#include "gate/peeks.h"
#include "group.h"
#include "judge.h"
#include "gate/unseen.h"
#include "unseen.h"

#include <math.h>

const char *const cc_verdict_names[CC_VERDICTS] = {"parallel", "private",    "reduction",
                                                   "ordered",  "sequential", "unknown"};
const char *const cc_reason_names[CC_REASONS] = {"raw", "war", "waw", "register", "io", "call", "exit"};

/* --- what the loops that the compiler made of one say together --- */

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same_reason(const struct cc_loop_reason *a, const struct cc_loop_reason *b)
{
    return a->kind == b->kind && same_text(a->variable, b->variable) && a->first.line == b->first.line &&
           a->second.line == b->second.line && same_text(a->first.file, b->first.file) &&
           same_text(a->second.file, b->second.file);
}

static void join_reasons(struct cc_loop *l, const struct cc_judgement *x)
{
    for (size_t i = 0; i < x->reasons.n; i++) {
        struct cc_loop_reason *old = NULL;
        for (size_t k = 0; k < l->reasons.n && !old; k++)
            old = same_reason(&l->reasons.v[k], &x->reasons.v[i]) ? &l->reasons.v[k] : NULL;
        if (!old) {
            CC_VEC_PUSH(&l->reasons, x->reasons.v[i]);
            continue;
        }
        old->count += x->reasons.v[i].count;
        old->frame = old->frame && x->reasons.v[i].frame;
        old->direct = old->direct && x->reasons.v[i].direct;
        old->across = old->across && x->reasons.v[i].across;
        if (x->reasons.v[i].distance && (!old->distance || x->reasons.v[i].distance < old->distance))
            old->distance = x->reasons.v[i].distance;
    }
}

static void join_updates(struct cc_loop *l, const struct cc_judgement *x)
{
    for (size_t i = 0; i < x->updates.n; i++) {
        const struct cc_loop_update *u = &x->updates.v[i];
        bool known = false;
        for (size_t k = 0; k < l->updates.n; k++)
            known = known || (l->updates.v[k].at.line == u->at.line &&
                              same_text(l->updates.v[k].at.file, u->at.file) &&
                              same_text(l->updates.v[k].variable, u->variable));
        if (!known)
            CC_VEC_PUSH(&l->updates, *u);
    }
}

static void join_reductions(struct cc_loop *l, const struct cc_judgement *x)
{
    for (size_t i = 0; i < x->reductions.n; i++) {
        bool known = false;
        for (size_t k = 0; k < l->reductions.n; k++)
            known = known || (same_text(l->reductions.v[k].op, x->reductions.v[i].op) &&
                              same_text(l->reductions.v[k].variable, x->reductions.v[i].variable));
        if (!known)
            CC_VEC_PUSH(&l->reductions, x->reductions.v[i]);
    }
}

/* The reason that says most comes first: what flows, by variables with a name, with both lines, the most
 * often; then order that a call keeps, and last what a copy would settle. */
static int by_weight(const void *a, const void *b)
{
    static const int rank[CC_REASONS] = {
        [CC_REASON_RAW] = 0, [CC_REASON_REGISTER] = 1, [CC_REASON_EXIT] = 2, [CC_REASON_CALL] = 3,
        [CC_REASON_IO] = 4,  [CC_REASON_WAR] = 5,      [CC_REASON_WAW] = 6};
    const struct cc_loop_reason *x = a, *y = b;
    if (rank[x->kind] != rank[y->kind])
        return rank[x->kind] < rank[y->kind] ? -1 : 1;
    int told = (y->variable != NULL) - (x->variable != NULL);
    if (told)
        return told;
    if (x->count != y->count)
        return x->count > y->count ? -1 : 1;
    if (x->first.line != y->first.line)
        return x->first.line < y->first.line ? -1 : 1;
    return (x->second.line > y->second.line) - (x->second.line < y->second.line);
}

static enum cc_verdict harmed(const struct cc_loop *l)
{
    bool ordered = true;
    for (size_t i = 0; i < l->reasons.n; i++) {
        const struct cc_loop_reason *r = &l->reasons.v[i];
        bool kept = r->kind == CC_REASON_IO || r->kind == CC_REASON_CALL;
        bool far = (r->kind == CC_REASON_RAW || r->kind == CC_REASON_REGISTER) && r->distance >= 2;
        ordered = ordered && (kept || far);
    }
    return ordered ? CC_VERDICT_ORDERED : CC_VERDICT_SEQUENTIAL;
}

/* Whether the loop lies in a tangle of jumps that is no other statement's: then it has only some of the
 * iterations. */
static bool is_torn(const struct groups *all, uint32_t loop, const struct cc_source_loop *source)
{
    const struct cc_profile *p = all->p;
    for (uint32_t o = p->loops[loop].outer; o != CC_NONE; o = p->loops[o].outer) {
        const struct cc_ploop *x = &p->loops[o];
        const struct cc_source_loop *of = all->of[o] == CC_NONE ? NULL : all->v.v[all->of[o]].source;
        /* of a function that was put into another one, the other's loops are around it */
        bool called = source && of && p->loops[loop].inlined && strcmp(of->function, source->function) != 0;
        bool around = source && of && of != source &&
                      (called || (of->line <= source->line && of->last_line >= source->last_line));
        /* entered more often than it went round: who came to where one inside it begins was taken to enter */
        bool lost = x->iterations && x->iterations < x->invocations;
        if (x->flags & CC_LOOP_IRREDUCIBLE && (lost || (x->iterations > x->invocations && !around)))
            return true;
    }
    return false;
}

/* One that never went round and does next to nothing: compilers make two of a loop where one inside may have
 * no iteration at all. */
static bool is_shell(const struct cc_ploop *part, const struct cc_loop *all)
{
    const uint64_t LITTLE = 100;
    return part->trips_max < 2 && part->instructions < all->instructions / LITTLE;
}

/* The one iteration of a loop that goes on in another of the same statement, which did go round: a vector of
 * iterations and the rest. What two of its own have to do with each other some of these have with the rest,
 * and what goes from one loop to the other is followed. */
static bool is_continued(const struct group *g, uint32_t loop)
{
    const struct cc_ploop *l = &g->p->loops[loop];
    bool goes_on = false;
    for (size_t i = 0; i < g->members.n; i++) {
        const struct cc_ploop *o = &g->p->loops[g->members.v[i]];
        goes_on = goes_on || (o != l && o->outer == l->outer && o->function == l->function &&
                              o->invocations == l->invocations && o->trips_min >= 2 &&
                              o->sampled_iterations >= 2 && !(o->flags & CC_LOOP_IRREDUCIBLE));
    }
    return g->source && goes_on && l->trips_max < 2 && l->sampled_iterations &&
           !(l->flags & CC_LOOP_IRREDUCIBLE);
}

/* A loop that says nothing counts only if it has much of the work. */
static void judge(struct cc_judge *j, const struct group *g, struct cc_loop *l, struct gate_input *in)
{
    uint64_t silent = 0;
    const char *why = NULL;
    for (size_t i = 0; i < g->members.n && !why; i++)
        why = is_torn(in->groups, g->members.v[i], g->source)
                  ? "the compiler made jumps into the middle of parts of it, so it is not known where an "
                    "iteration begins (compiled with less optimisation it may be)"
                  : NULL;
    const char *torn = why;
    for (size_t i = 0; i < g->members.n; i++) {
        struct cc_judgement x;
        cc_judge_loop(j, g->members.v[i], g->source, &x);
        join_reasons(l, &x);
        join_reductions(l, &x);
        join_updates(l, &x);
        for (size_t k = 0; k < x.privates.n; k++)
            CC_VEC_PUSH(&in->privates, x.privates.v[k]);
        for (size_t k = 0; k < x.counted.n; k++)
            CC_VEC_PUSH(&in->counted, x.counted.v[k]);
        for (size_t k = 0; k < x.unsure.n; k++)
            CC_VEC_PUSH(&in->unsure, x.unsure.v[k]);
        in->floats = in->floats || x.floats;
        for (size_t k = 0; k < x.rotating.n; k++)
            CC_VEC_PUSH(&in->rotating, x.rotating.v[k]);
        in->searches = in->searches || x.searches;
        in->cold = in->cold || x.cold;
        if (x.unknown && !is_shell(&g->p->loops[g->members.v[i]], l) && !is_continued(g, g->members.v[i])) {
            silent += g->p->loops[g->members.v[i]].iterations;
            why = why ? why : x.unknown;
        }
        cc_judgement_fini(&x);
    }
    cc_unseen_reasons(in, l);
    if (l->reasons.n)
        qsort(l->reasons.v, l->reasons.n, sizeof *l->reasons.v, by_weight);
    in->unknown = torn || silent * 10 > l->iterations || l->iterations == 0 ? why : NULL;
    if (!in->unknown && cc_unseen(in->p))
        in->unknown = cc_unseen_sentence(in);
    if (!in->unknown && g->lost)
        in->unknown = "it is a part of a loop of the source, but not known which";
    l->verdict = l->reasons.n ? harmed(l) : in->unknown ? CC_VERDICT_UNKNOWN : CC_VERDICT_PARALLEL;
}

static bool is_free(enum cc_verdict v)
{
    return v == CC_VERDICT_PARALLEL || v == CC_VERDICT_PRIVATE || v == CC_VERDICT_REDUCTION;
}

/* The longest iteration bounds free ones; where a value goes over d iterations, no more than d run at once.
 * Of what happens in one iteration before and after a value is handed on nothing is known, so of a distance
 * of one neither. */
static double self_parallelism(const struct cc_loop *l)
{
    double invocation = l->invocations ? (double)l->instructions / (double)l->invocations : 0;
    double most = l->cost_max ? invocation / (double)l->cost_max : 0;
    bool ordered = l->verdict == CC_VERDICT_ORDERED && l->reasons.n > 0;
    for (size_t i = 0; ordered && i < l->reasons.n; i++) {
        ordered = l->reasons.v[i].distance >= 2;
        most = CC_MIN(most, (double)l->reasons.v[i].distance);
    }
    return is_free(l->verdict) || ordered ? CC_MAX(most, 1.0) : 0;
}

static void figures(struct cc_loop *l)
{
    double mean = l->iterations ? (double)l->instructions / (double)l->iterations : 0;
    double invocation = l->invocations ? (double)l->instructions / (double)l->invocations : 0;
    l->self_parallelism = self_parallelism(l);
    l->task_iterations = mean > 0 && mean < CC_TASK_LEAST ? ceil(CC_TASK_LEAST / mean) : 1;
    l->task_share = invocation > 0 ? CC_MIN(1.0, l->task_iterations * mean / invocation) : 1;
}

static int by_work(const void *a, const void *b)
{
    const struct cc_loop *x = *(const struct cc_loop *const *)a, *y = *(const struct cc_loop *const *)b;
    if (x->instructions != y->instructions)
        return x->instructions > y->instructions ? -1 : 1;
    return x < y ? -1 : 1;
}

/* A parent before its children, siblings by instructions. */
static void put_tree(struct cc_loop_list *to, struct cc_loop **order, size_t n, const struct cc_loop *from,
                     uint32_t parent, uint32_t parent_at, uint32_t depth)
{
    for (size_t i = 0; i < n; i++) {
        if (order[i]->parent != parent)
            continue;
        uint32_t old = (uint32_t)(order[i] - from);
        CC_VEC_PUSH(&to->v, *order[i]);
        struct cc_loop *l = &to->v.v[to->v.n - 1];
        l->parent = parent_at;
        l->depth = depth;
        put_tree(to, order, n, from, old, (uint32_t)to->v.n - 1, depth + 1);
    }
}

int cc_loops_analyse(const struct cc_profile *p, const struct cc_source_loops *sources,
                     struct cc_loop_list **ret, struct cc_err *err)
{
    if (!p->loops_known)
        return cc_err_set(err, CC_EINPUT,
                          "no loops were recorded (corecast record --loops count|dependences)");
    struct cc_loop_list *l = cc_alloc(sizeof *l);
    struct groups groups;
    cc_loop_groups(p, sources, &groups);
    struct cc_loop *v = cc_alloc_array(groups.v.n + 1, sizeof *v),
                   **order = cc_alloc_array(groups.v.n + 1, sizeof *order);
    struct cc_witness *witness = cc_witness_new(p);
    struct cc_copies *copies = cc_copies_new(p, sources, &groups, witness);
    struct cc_judge *j = cc_judge_new(p, copies);
    struct cc_asides *asides = cc_asides_new(p);
    for (size_t i = 0; i < groups.v.n; i++) {
        struct gate_input in = {.p = p,
                                .source = groups.v.v[i].source,
                                .sources = sources,
                                .groups = &groups,
                                .witness = witness,
                                .judge = j,
                                .copies = copies,
                                .asides = asides,
                                .members = groups.v.v[i].members.v,
                                .nmembers = groups.v.v[i].members.n,
                                .arena = &l->arena};
        cc_loop_sum(&groups, i, &v[i], &l->arena);
        cc_peeks_ask(&in);
        cc_gate_count(&in);
        judge(j, &groups.v.v[i], &v[i], &in);
        cc_loop_gate(&in, &v[i]);
        figures(&v[i]);
        CC_VEC_FINI(&in.privates);
        CC_VEC_FINI(&in.counted);
        CC_VEC_FINI(&in.unsure);
        CC_VEC_FINI(&in.rotating);
        order[i] = &v[i];
    }
    qsort(order, groups.v.n, sizeof *order, by_work);
    put_tree(l, order, groups.v.n, v, CC_NONE, CC_NONE, 0);
    cc_judge_free(j);
    cc_copies_free(copies);
    cc_witness_free(witness);
    cc_asides_free(asides);
    cc_loop_groups_fini(&groups);
    free(order);
    free(v);
    *ret = l;
    return 0;
}

void cc_loop_fini(struct cc_loop *x)
{
    if (x->joined)
        cc_loop_fini(x->joined);
    if (x->turns)
        cc_loop_fini(x->turns);
    CC_VEC_FINI(&x->reasons);
    CC_VEC_FINI(&x->private);
    CC_VEC_FINI(&x->lastprivate);
    CC_VEC_FINI(&x->firstprivate);
    CC_VEC_FINI(&x->reductions);
    CC_VEC_FINI(&x->updates);
}

void cc_loops_free(struct cc_loop_list *l)
{
    if (!l)
        return;
    for (size_t i = 0; i < l->v.n; i++)
        cc_loop_fini(&l->v.v[i]);
    CC_VEC_FINI(&l->v);
    cc_arena_fini(&l->arena);
    free(l);
}
