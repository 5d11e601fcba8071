/* What is said of loops and plans. */
#include "units.h"

#include <math.h>

const char *const cc_explore_risk_names[] = {"low", "medium", "high"};

static const char *keep(struct cc_arena *arena, struct cc_buf *b)
{
    const char *kept = cc_arena_strdup(arena, b->s ? b->s : "");
    cc_buf_fini(b);
    return kept;
}

/* --- directives --- */

/* ascending: a thread never gets an iteration before one that it has had, which only static promises by
 * itself */
static void put_schedule(struct cc_buf *b, const struct cc_explore_way *way, double per_task, bool ascending)
{
    static const char *const kinds[] = {"static", "dynamic", "guided"};
    cc_buf_printf(b, " schedule(%s%s", ascending && way->schedule != CC_OMP_STATIC ? "monotonic: " : "",
                  kinds[way->schedule]);
    if (way->chunk) /* a task of the recording may be several iterations */
        cc_buf_printf(b, ", %.0f", fmax(1, round(way->chunk * per_task)));
    cc_buf_puts(b, ")");
}

const char *cc_explore_share(struct exploration *x, const struct cc_explore_candidate *c)
{
    struct cc_buf b = {0};
    cc_buf_puts(&b, x->places[c->loop].clauses.data);
    const struct place *p = &x->places[c->loop]; /* a turn is an iteration, whatever a task is */
    put_schedule(&b, &cc_explore_ways[c->way], p->turns ? 1 : c->per_task, p->joined || p->turns);
    return keep(&x->arena, &b);
}

const char *cc_explore_pragma(struct exploration *x, const struct cc_explore_candidate *c)
{
    struct cc_buf b = {0};
    const struct cc_explore_way *way = &cc_explore_ways[c->way];
    if (cc_explore_calls_of(x, c->loop))
        return cc_explore_calls_pragma(x, c);
    if (x->places[c->loop].wave) {
        struct cc_patch_wave w = cc_explore_wave(&x->places[c->loop], c->edge);
        return cc_patch_wave_pragma(&w, &x->arena);
    }
    if (x->places[c->loop].walk)
        return "#pragma omp parallel";
    cc_buf_puts(&b, "#pragma omp parallel for");
    if (way->collapsed)
        cc_buf_puts(&b, " collapse(2)");
    if (x->places[c->loop].turns)
        cc_buf_puts(&b, " ordered");
    cc_buf_puts(&b, cc_explore_share(x, c));
    if (c->threads)
        cc_buf_printf(&b, " num_threads(%u)", c->threads);
    return keep(&x->arena, &b);
}

const char *cc_explore_comment(struct exploration *x, const struct cc_explore_candidate *c)
{
    const struct cc_loop *l = &x->loops->v.v[c->loop];
    if (x->places[c->loop].forced)
        return "/* corecast: whether iterations need each other is not known (--force) */";
    if (x->places[c->loop].assumed)
        return "/* corecast: taken to be independent (--assume), not seen to be */";
    const struct cc_patch_clauses *clauses = &x->places[c->loop].clauses;
    return cc_arena_printf(&x->arena,
                           "/* corecast: in the run recorded, iterations %s (%.3g %% of them followed) */",
                           x->places[c->loop].wave    ? "needed no other tile of their diagonal"
                           : x->places[c->loop].turns ? "needed each other in the ordered part alone"
                           : x->places[c->loop].walk  ? "needed nothing of each other but the way to the next"
                           : x->places[c->loop].joined            ? "only kept the best they met"
                           : l->reductions.n || clauses->natomics ? "only combined results, in any order"
                                                                  : "did not need each other",
                           floor(1000 * l->coverage) / 10);
}

/* --- risk --- */

struct risks {
    struct cc_buf forced, assumed, binary, sampled, rounds, pointers, input;
    double least; /* coverage */
    enum risk level;
};

static void add_risk(struct risks *r, struct cc_buf *to, enum risk level, const char *text)
{
    r->level = CC_MAX(r->level, level);
    cc_buf_printf(to, "%s%s", to->n ? ", " : "", text);
}

/* Two pointers, one of them written through, that another caller could let overlap. */
static void add_pointers(struct risks *r, struct exploration *x, const struct cc_loop *l,
                         const struct cc_source_loop *s)
{
    for (size_t i = 0; s && i < s->arrays.n; i++) {
        const struct cc_source_array *a = &s->arrays.v[i];
        if (!a->name || a->whole || !a->write_line)
            continue;
        for (size_t k = 0; k < s->arrays.n; k++) {
            const struct cc_source_array *b = &s->arrays.v[k];
            if (b->name && !b->whole && strcmp(a->name, b->name) != 0) {
                add_risk(r, &r->pointers, RISK_MEDIUM,
                         cc_arena_printf(&x->arena, "%s and %s (%s)", a->name, b->name, l->id));
                return;
            }
        }
    }
}

static void add_risks(struct risks *r, struct exploration *x, uint32_t loop)
{
    const struct cc_loop *l = &x->loops->v.v[loop];
    const struct place *p = &x->places[loop];
    if (p->forced)
        add_risk(r, &r->forced, RISK_HIGH, cc_arena_printf(&x->arena, "%s (%s)", l->id, l->sentence));
    else if (p->assumed)
        add_risk(r, &r->assumed, RISK_HIGH, l->id);
    else if (!l->sourced)
        add_risk(r, &r->binary, RISK_HIGH, l->id);
    if (!p->assumed && l->coverage < 0.999) {
        add_risk(r, &r->sampled, l->coverage < 0.01 ? RISK_MEDIUM : RISK_LOW, l->id);
        r->least = fmin(r->least, l->coverage);
    }
    if (l->by_input && !p->assumed && !p->forced)
        add_risk(r, &r->input, RISK_MEDIUM, cc_arena_printf(&x->arena, "%s (which %s)", l->id, l->by_input));
    if (p->clauses.rounds)
        add_risk(r, &r->rounds, RISK_LOW, l->id);
    add_pointers(r, x, l, p->source);
}

static void put_risk(struct cc_buf *b, struct cc_buf *from, const char *text)
{
    if (from->n)
        cc_buf_printf(b, "; %s: %s", text, from->s);
    cc_buf_fini(from);
}

const char *cc_explore_risk(struct exploration *x, const struct cc_explore_plan *plan, enum risk *ret_level)
{
    struct risks r = {.level = RISK_LOW, .least = 1};
    struct cc_buf b = {0};
    for (size_t i = 0; i < plan->parts.n; i++)
        add_risks(&r, x, x->r.candidates.v[plan->parts.v[i].candidate].loop);
    for (size_t i = 0; i < plan->nmoves; i++)
        if (cc_devices_shared(x->devices, &plan->moves[i]) != CC_NONE)
            add_risks(&r, x, cc_devices_shared(x->devices, &plan->moves[i]));
    cc_buf_puts(&b, "seen for one input");
    put_risk(&b, &r.forced, "not known to be independent");
    put_risk(&b, &r.assumed, "independent only because you say so");
    put_risk(&b, &r.binary, "judged by the binary alone, the source may forbid it");
    put_risk(&b, &r.sampled,
             cc_arena_printf(&x->arena, "dependences followed in samples of iterations (%.*f %% and more)",
                             r.least < 0.1, 100 * r.least));
    put_risk(&b, &r.input, "independent with this input");
    put_risk(&b, &r.pointers, "pointers that could overlap with other data");
    put_risk(&b, &r.rounds, "floating-point results may differ in their last digits");
    if (plan->unwritten && !plan->nmoves) {
        const double always = 200e6; /* instructions: collect/sibling.c */
        if (!x->p->loops_exact && (double)x->p->instructions > always)
            cc_buf_puts(&b, "; what calls need from each other was followed in samples");
        cc_buf_puts(&b,
                    x->stages.loop != CC_NONE && plan->also && strstr(plan->also, " in stages: ")
                        ? "; what one stage leaves to another needs a buffer for each frame under way"
                        : "; the window of a pixel is taken from loops, and only the chip has its transfers");
        r.level = CC_MAX(r.level, RISK_MEDIUM);
    }
    if (plan->nmoves) {
        const struct cc_explore_speedup *last = &plan->speedups[x->ncores - 1];
        bool slower = last->low < 1;
        cc_buf_printf(&b, "; times on other units are estimates%s",
                      slower ? ", by which the program may get slower" : "");
        r.level = CC_MAX(r.level, slower ? RISK_HIGH : RISK_MEDIUM);
    }
    if (ret_level)
        *ret_level = r.level;
    return keep(&x->arena, &b);
}

/* --- reasons --- */

static const struct cc_explore_candidate *candidate_of(const struct exploration *x, uint32_t loop)
{
    for (size_t i = 0; i < x->r.candidates.n; i++)
        if (x->r.candidates.v[i].loop == loop)
            return &x->r.candidates.v[i];
    return NULL;
}

static bool in_plan(const struct exploration *x, const struct cc_explore_plan *plan, uint32_t loop)
{
    for (size_t i = 0; i < plan->parts.n; i++)
        if (x->r.candidates.v[plan->parts.v[i].candidate].loop == loop)
            return true;
    return false;
}

/* A loop of the plan around this one; CC_NONE: none. */
static uint32_t around(const struct exploration *x, const struct cc_explore_plan *plan, uint32_t loop)
{
    for (uint32_t up = x->loops->v.v[loop].parent; up != CC_NONE; up = x->loops->v.v[up].parent)
        if (in_plan(x, plan, up))
            return up;
    return CC_NONE;
}

static uint32_t inside(const struct exploration *x, const struct cc_explore_plan *plan, uint32_t loop)
{
    for (size_t i = 0; i < plan->parts.n; i++) {
        uint32_t l = x->r.candidates.v[plan->parts.v[i].candidate].loop;
        for (uint32_t up = x->loops->v.v[l].parent; up != CC_NONE; up = x->loops->v.v[up].parent)
            if (up == loop)
                return l;
    }
    return CC_NONE;
}

const char *cc_explore_duration(struct exploration *x, double ticks, double second)
{
    static const char *const units[] = {"s", "ms", "us", "ns"};
    if (second <= 0) {
        char text[24];
        return cc_arena_printf(&x->arena, "%s cycles", cc_human_count(ticks, text));
    }
    double seconds = ticks * second;
    size_t u = 0;
    while (u + 1 < CC_COUNT(units) && seconds < 0.9995)
        seconds *= 1000, u++;
    return cc_arena_printf(&x->arena, "%.3g %s", seconds, units[u]);
}

static const char *not_worth(struct exploration *x, const struct cc_explore_candidate *c)
{
    double each = c->calls ? c->work / (double)c->calls : 0;
    if (c->overhead >= each / 4)
        return cc_arena_printf(
            &x->arena,
            "it could, but is entered %llu times for %s each, and a parallel region takes %s to "
            "open and close",
            (unsigned long long)c->calls, cc_explore_duration(x, each, x->r.second),
            cc_explore_duration(x, c->overhead, x->r.second));
    return cc_arena_printf(&x->arena, "it could, but that would save only %.2g %% of the run",
                           fmax(0, 100 * c->gain / x->r.sequential));
}

/* What the race check said of a loop that the recording allows; NULL: nothing. */
static const char *raced(struct exploration *x, const struct cc_explore_candidate *c)
{
    uint32_t id = (uint32_t)(c - x->r.candidates.v) + 1;
    for (size_t i = 0; x->verdicts && i < x->r.plans.n; i++)
        if (x->verdicts[i].culprit == id)
            return cc_arena_printf(&x->arena, "it could by what was recorded first, but in plan %zu: %s",
                                   i + 1, x->verdicts[i].reason);
    return NULL;
}

const char *cc_explore_reason(struct exploration *x, const struct cc_explore_plan *plan, uint32_t loop)
{
    const struct cc_explore_candidate *c = candidate_of(x, loop);
    if (plan && in_plan(x, plan, loop))
        return NULL;
    uint32_t outer = plan ? around(x, plan, loop) : CC_NONE, inner = plan ? inside(x, plan, loop) : CC_NONE;
    const struct cc_explore_move *moved = plan ? cc_devices_moved(x->devices, plan, loop) : NULL;
    if (moved)
        return cc_arena_printf(&x->arena, "runs inside %s, which goes to %s", moved->name, moved->unit);
    if (outer != CC_NONE)
        return cc_arena_printf(&x->arena, "runs inside %s, which is shared out", x->loops->v.v[outer].id);
    if (!c)
        return x->r.refused[loop];
    const char *race = raced(x, c);
    if (race)
        return race;
    if ((x->places[loop].turns || x->places[loop].wave || x->places[loop].walk) &&
        !cc_explore_pays(&x->rq, c, x->r.sequential))
        return x->loops->v.v[loop].sentence;
    if (inner != CC_NONE)
        return cc_arena_printf(&x->arena, "it could, but sharing out %s inside it saves more",
                               x->loops->v.v[inner].id);
    if (!cc_explore_pays(&x->rq, c, x->r.sequential))
        return not_worth(x, c);
    return cc_arena_printf(&x->arena,
                           "it could, and would save %.2g %% of the run, but not within this plan's lines "
                           "or beside its other loops",
                           100 * c->gain / x->r.sequential);
}
