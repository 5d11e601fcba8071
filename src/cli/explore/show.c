/* Plans as tables. */
#include "units.h"

#include <math.h>

enum { MOST_SHOWN_CORES = 6 };

static const struct cc_col speedup_cols[] = {
    {"processors", NULL, CC_COL_INT},
    {"speedup", NULL, CC_COL_NUM},
    {"low", NULL, CC_COL_NUM},
    {"high", NULL, CC_COL_NUM},
    {"time", NULL, CC_COL_NUM, .unit = "ticks"},
    {"energy", NULL, CC_COL_NUM, .unit = "J"},
};

static const struct cc_col directive_cols[] = {
    {"file", NULL, CC_COL_STR},
    {"line", NULL, CC_COL_INT},
    {"pragma", NULL, CC_COL_STR},
    {"loop", NULL, CC_COL_STR},
    {"saves", NULL, CC_COL_NUM,
     .meaning = "share of the sequential run's time, on the largest number of cores"},
    {"speedup", NULL, CC_COL_NUM, .meaning = "of the loop by itself"},
};

static const struct cc_col measured_cols[] = {
    {"processors", NULL, CC_COL_INT},
    {"speedup", NULL, CC_COL_NUM},
    {"seconds", NULL, CC_COL_NUM},
    {"slowest", NULL, CC_COL_NUM, .meaning = "seconds of the slowest run"},
    {"user", NULL, CC_COL_NUM, .meaning = "seconds of processors in the fastest run"},
    {"system", NULL, CC_COL_NUM, .meaning = "seconds of processors that the system took for it then"},
    {"slowdown", NULL, CC_COL_NUM,
     .meaning =
         "how many times as long as alone so many copies of the sequential program take at once; null: "
         "not tried, see apart"},
    {"expected", NULL, CC_COL_NUM,
     .meaning = "speed-up predicted for processors that slow each other down as these copies do"},
    {"expected_low", NULL, CC_COL_NUM, .meaning = "the least of its interval"},
    {"expected_high", NULL, CC_COL_NUM, .meaning = "the most of its interval"},
};

static const struct cc_col plan_cols[] = {
    {"rank", NULL, CC_COL_INT},
    {"speedup", NULL, CC_COL_TABLE, .sub = speedup_cols, .nsub = CC_COUNT(speedup_cols)},
    {"directives", NULL, CC_COL_TABLE, .sub = directive_cols, .nsub = CC_COUNT(directive_cols)},
    {"lines", NULL, CC_COL_INT},
    {"risk", NULL, CC_COL_STR},
    {"risk_level", NULL, CC_COL_STR, .meaning = "low, medium or high"},
    {"patch", NULL, CC_COL_STR, .meaning = "unified difference; null if some loop has no source"},
    {"scenario", NULL, CC_COL_STR, .meaning = "the plan's directives for predict"},
    {"verified.ok", NULL, CC_COL_BOOL},
    {"verified.measured", NULL, CC_COL_TABLE, .sub = measured_cols, .nsub = CC_COUNT(measured_cols)},
    {"verified.stolen", NULL, CC_COL_NUM,
     .meaning = "share of the processors' time that the host of this machine kept while it was measured"},
    {"verified.apart", NULL, CC_COL_STR,
     .meaning = "why no copies of the sequential program were run at once; null: they were"},
    {"verified.reason", NULL, CC_COL_STR},
    {"verified.race", NULL, CC_COL_STR, .meaning = "what the race check said"},
    {"verified.again", NULL, CC_COL_STR,
     .meaning = "what our own recorder said of the unchanged program, with the input of the proof"},
    {"verified.recorded", NULL, CC_COL_STR, .meaning = "what it said of the patched one, on two threads"},
    CC_EXPLORE_MOVE_COLUMNS,
};

/* --- data --- */

/* A directive that another needs. */
static void put_more(struct exploration *x, struct cc_table *t, const struct cc_explore_candidate *c,
                     unsigned line, const char *pragma)
{
    cc_table_row(t);
    cc_table_str(t, x->loops->v.v[c->loop].file);
    cc_table_u64(t, line);
    cc_table_str(t, pragma);
    cc_table_str(t, x->loops->v.v[c->loop].id);
    cc_table_num(t, 0);
    cc_table_num(t, NAN);
}

static void put_atomics(struct exploration *x, struct cc_table *t, const struct cc_explore_candidate *c)
{
    const struct place *p = &x->places[c->loop];
    for (size_t i = 0; i < p->clauses.natomics; i++)
        put_more(x, t, c, p->clauses.atomics[i]->line, "#pragma omp atomic");
    if (p->turns)
        put_more(x, t, c, x->loops->v.v[c->loop].turn_line, "#pragma omp ordered");
    if (p->joined)
        put_more(x, t, c, p->fact->last_line, "#pragma omp critical (corecast)");
    if (p->walk) {
        struct cc_patch_walk w = cc_explore_walk(p);
        put_more(x, t, c, p->fact->line, "#pragma omp single");
        put_more(x, t, c, p->source->walk_line, cc_patch_walk_pragma(&w, &x->arena));
    }
}

static void put_directives(struct exploration *x, struct cc_table *t, const struct cc_explore_plan *plan)
{
    for (size_t i = 0; i < plan->parts.n; i++) {
        const struct cc_explore_part *part = &plan->parts.v[i];
        const struct cc_explore_candidate *c = &x->r.candidates.v[part->candidate];
        const struct cc_loop *l = &x->loops->v.v[c->loop];
        cc_table_row(t);
        cc_table_str(t, l->file);
        cc_table_u64_if(t, l->file != NULL, l->line);
        cc_table_str(t, cc_explore_pragma(x, c));
        cc_table_str(t, l->id);
        cc_table_num(t, part->share);
        cc_table_num(t, part->time > 0 ? part->work / part->time : NAN);
        put_atomics(x, t, c);
    }
}

static void put_speedups(struct exploration *x, struct cc_table *t, const struct cc_explore_plan *plan)
{
    for (size_t i = 0; i < x->ncores; i++) {
        const struct cc_explore_speedup *s = &plan->speedups[i];
        cc_table_row(t);
        cc_table_u64(t, s->processors);
        cc_table_num(t, s->speedup);
        cc_table_num(t, s->low);
        cc_table_num(t, s->high);
        cc_table_num(t, s->time);
        cc_table_num(t, s->energy);
    }
}

static void put_expected(struct cc_table *t, const struct measured *m)
{
    bool known = m->expected.processors != 0;
    cc_table_num(t, m->slowdown > 0 ? m->slowdown : NAN);
    cc_table_num(t, known ? m->expected.speedup : NAN);
    cc_table_num(t, known ? m->expected.low : NAN);
    cc_table_num(t, known ? m->expected.high : NAN);
}

static void put_verdict(struct cc_table *t, const struct verdict *v)
{
    if (!v || !v->tried) {
        cc_table_no_object(t);
        return;
    }
    cc_table_bool(t, v->ok);
    struct cc_table *sub = cc_table_sub(t);
    for (size_t i = 0; i < v->n; i++) {
        cc_table_row(sub);
        cc_table_u64(sub, v->v[i].processors);
        cc_table_num(sub, v->v[i].speedup);
        cc_table_num(sub, v->v[i].seconds);
        cc_table_num(sub, v->v[i].slowest);
        cc_table_num(sub, v->v[i].user);
        cc_table_num(sub, v->v[i].system);
        put_expected(sub, &v->v[i]);
    }
    cc_table_num(t, v->stolen);
    cc_table_str(t, v->apart);
    cc_table_str(t, v->reason);
    cc_table_str(t, v->race);
    cc_table_str(t, v->again);
    cc_table_str(t, v->patched);
}

static void put_plan(struct exploration *x, struct cc_table *t, size_t i)
{
    const struct cc_explore_plan *plan = &x->r.plans.v[i];
    enum risk level;
    const char *risk = cc_explore_risk(x, plan, &level);
    struct cc_buf diff = {0}, scenario = {0};
    bool patched = !plan->unwritten && cc_explore_diff(x, plan, &diff);
    if (plan->unwritten)
        cc_buf_printf(&scenario, "# not all of it: %s\n", plan->unwritten);
    cc_explore_scenario(&x->rq, &x->r, plan, &scenario);
    cc_table_row(t);
    cc_table_u64(t, i + 1);
    put_speedups(x, cc_table_sub(t), plan);
    put_directives(x, cc_table_sub(t), plan);
    cc_table_u64(t, plan->lines);
    cc_table_str(t, risk);
    cc_table_str(t, cc_explore_risk_names[level]);
    cc_table_str(t, patched ? diff.s : NULL);
    cc_table_str(t, scenario.s);
    put_verdict(t, x->verdicts ? &x->verdicts[i] : NULL);
    cc_explore_put_moves(x, t, plan);
    cc_buf_fini(&diff);
    cc_buf_fini(&scenario);
}

/* --- text --- */

/* The numbers of cores that a person reads: all of a few, else powers of two and the last. */
static size_t shown_cores(const struct exploration *x, size_t shown[MOST_SHOWN_CORES])
{
    size_t n = 0;
    for (size_t i = 0; i < x->ncores; i++) {
        int64_t c = x->cores[i];
        bool takes = x->ncores <= MOST_SHOWN_CORES || i + 1 == x->ncores || (c > 1 && (c & (c - 1)) == 0);
        if (takes && (n < MOST_SHOWN_CORES - 1 || i + 1 == x->ncores) && n < MOST_SHOWN_CORES)
            shown[n++] = i;
    }
    return n;
}

static const char *loops_of(struct exploration *x, const struct cc_explore_plan *plan)
{
    struct cc_buf b = {0};
    for (size_t i = 0; i < plan->parts.n; i++)
        cc_buf_printf(&b, "%s%s", i ? ", " : "",
                      x->loops->v.v[x->r.candidates.v[plan->parts.v[i].candidate].loop].id);
    if (plan->also)
        cc_buf_printf(&b, "%s%s", b.n ? ", " : "", plan->also);
    const char *kept = cc_arena_strdup(&x->arena, b.s ? b.s : "");
    cc_buf_fini(&b);
    return kept;
}

double cc_explore_least(const struct exploration *x)
{
    return CC_GIVEN(x->o, min_share) ? x->o->min_share : 0.02;
}

size_t cc_explore_best(const struct exploration *x)
{
    for (size_t i = 0; x->verdicts && i < x->r.plans.n; i++)
        if (x->verdicts[i].ok)
            return i;
    return 0;
}

size_t cc_explore_writable(const struct exploration *x)
{
    size_t i = cc_explore_best(x);
    while (i < x->r.plans.n && x->r.plans.v[i].unwritten)
        i++;
    return i;
}

static void show_plans(struct exploration *x, struct cc_result *r)
{
    size_t shown[MOST_SHOWN_CORES], n = shown_cores(x, shown), most = x->o->top ? (size_t)x->o->top : 5;
    struct cc_col cols[MOST_SHOWN_CORES + 6] = {{NULL, "plan", CC_COL_INT}};
    char titles[MOST_SHOWN_CORES][32];
    size_t k = 1;
    for (size_t i = 0; i < n; i++) {
        snprintf(titles[i], sizeof titles[i], "%s%lld core%s", i ? "" : "speed-up on ",
                 (long long)x->cores[shown[i]], x->cores[shown[i]] == 1 ? "" : "s");
        cols[k++] = (struct cc_col){NULL, titles[i], CC_COL_NUM, 2};
    }
    cols[k++] = (struct cc_col){NULL, "from", CC_COL_NUM, 2};
    cols[k++] = (struct cc_col){NULL, "to", CC_COL_NUM, 2};
    cols[k++] = (struct cc_col){NULL, "lines", CC_COL_INT};
    cols[k++] = (struct cc_col){NULL, "risk", CC_COL_STR};
    cols[k++] = (struct cc_col){NULL, "loops", CC_COL_STR, .wrap = 60};
    struct cc_table *t = cc_result_table(r, NULL, cols, k);
    for (size_t i = 0; i < x->r.plans.n; i++) {
        if (i >= most && i != cc_explore_best(x) && i != cc_explore_writable(x))
            continue;
        const struct cc_explore_plan *plan = &x->r.plans.v[i];
        const struct verdict *v = x->verdicts ? &x->verdicts[i] : NULL;
        const struct cc_explore_speedup *last = &plan->speedups[x->ncores - 1];
        enum risk level;
        cc_explore_risk(x, plan, &level);
        cc_table_row(t);
        cc_table_u64(t, i + 1);
        if (v && v->tried)
            cc_table_show(t, "%zu %s", i + 1, v->ok ? "ok" : "struck out");
        for (size_t c = 0; c < n; c++)
            cc_table_num(t, plan->speedups[shown[c]].speedup);
        cc_table_num(t, last->low);
        cc_table_num(t, last->high);
        cc_table_u64(t, plan->lines);
        cc_table_str(t, cc_explore_risk_names[level]);
        cc_table_str(t, loops_of(x, plan));
    }
}

/* A sentence of several parts, which may end a line each. */
static void show_risk(const char *risk, struct cc_result *r)
{
    enum { MOST = 16 };
    const char *pieces[MOST];
    char *parts[MOST];
    size_t n = 0;
    for (const char *p = risk; p && n < MOST; n++) {
        const char *end = n + 1 < MOST ? strstr(p, "; ") : NULL;
        size_t size = end ? (size_t)(end - p) + 2 : strlen(p);
        parts[n] = cc_asprintf("%s%.*s", n ? "" : "risk: ", (int)size, p);
        pieces[n] = parts[n];
        p = end ? end + 2 : NULL;
    }
    cc_result_chain(r, pieces, n);
    while (n)
        free(parts[--n]);
}

/* What each thread keeps for itself. */
static const char *with_choices(struct exploration *x, const char *text, const struct cc_source_loop *s)
{
    const char *lead = "; ";
    for (size_t i = 0; i < s->choices.n; i++)
        for (size_t k = 0; k < s->choices.v[i].names.n; k++, lead = ", ")
            text = cc_arena_printf(&x->arena, "%s%s%s", text, lead, s->choices.v[i].names.v[k]);
    return cc_arena_printf(&x->arena, "%s of each thread joined in omp critical", text);
}

/* The directive, and the lines that have to be atomic. */
static const char *with_atomics(struct exploration *x, const struct cc_explore_candidate *c)
{
    const struct cc_patch_clauses *clauses = &x->places[c->loop].clauses;
    const char *text = cc_explore_pragma(x, c);
    if (x->places[c->loop].walk) {
        struct cc_patch_walk w = cc_explore_walk(&x->places[c->loop]);
        text = cc_arena_printf(&x->arena, "%s, single; %s for each iteration", text,
                               cc_patch_walk_pragma(&w, &x->arena) + strlen("#pragma "));
    }
    for (size_t i = 0; i < clauses->natomics; i++)
        text = cc_arena_printf(&x->arena, "%s%s%u", text, i ? ", " : "; omp atomic at line ",
                               clauses->atomics[i]->line);
    if (x->places[c->loop].turns)
        text = cc_arena_printf(&x->arena, "%s; omp ordered around lines %u to %u", text,
                               x->loops->v.v[c->loop].turn_line, x->places[c->loop].turn_end);
    if (x->places[c->loop].wave)
        text = cc_arena_printf(&x->arena, "%s over tiles of %u x %u, diagonal by diagonal", text, c->edge,
                               c->edge);
    if (x->places[c->loop].joined)
        text = with_choices(x, text, x->places[c->loop].source);
    return text;
}

/* Names of C++ functions would take the whole line. */
static const char *shown(struct exploration *x, const char *function)
{
    CC_CLEANUP(cc_free_ptr) char *name = function ? cc_text_short_function(function, 20) : NULL;
    return name ? cc_arena_strdup(&x->arena, name) : NULL;
}

static void show_best(struct exploration *x, struct cc_result *r)
{
    size_t best = cc_explore_best(x);
    const struct cc_explore_plan *plan = &x->r.plans.v[best];
    static const struct cc_col cols[] = {{NULL, "loop", CC_COL_STR},
                                         {NULL, "function", CC_COL_STR, .wrap = 24},
                                         {NULL, "of the run", CC_COL_PERCENT, 1},
                                         {NULL, "by itself", CC_COL_NUM, 2},
                                         {NULL, "saves", CC_COL_PERCENT, 1},
                                         {NULL, "directive", CC_COL_STR}};
    if (plan->parts.n)
        cc_result_note(r, "plan %zu on %lld cores, loop by loop:", best + 1,
                       (long long)x->cores[x->ncores - 1]);
    struct cc_table *t = cc_result_table(r, NULL, cols, CC_COUNT(cols));
    for (size_t i = 0; i < plan->parts.n; i++) {
        const struct cc_explore_part *part = &plan->parts.v[i];
        const struct cc_explore_candidate *c = &x->r.candidates.v[part->candidate];
        const struct cc_loop *l = &x->loops->v.v[c->loop];
        cc_table_row(t);
        cc_table_str(t, l->id);
        cc_table_str(t, shown(x, l->function));
        cc_table_num(t, part->work / x->r.sequential);
        cc_table_num(t, part->time > 0 ? part->work / part->time : NAN);
        cc_table_num(t, part->share);
        cc_table_str(t, with_atomics(x, c));
    }
    cc_explore_show_moves(x, best, r);
    show_risk(cc_explore_risk(x, plan, NULL), r);
}

static const struct cc_col rejected_cols[] = {
    {"file", NULL, CC_COL_STR},
    {"line", NULL, CC_COL_INT},
    {"loop", "not in it", CC_COL_STR},
    {"function", NULL, CC_COL_STR},
    {NULL, "function", CC_COL_STR, .wrap = 24},
    {"share", "share", CC_COL_PERCENT, 1},
    {"verdict", NULL, CC_COL_STR},
    {"reason", "because", CC_COL_STR, .wrap = 72},
};

static bool shadowed(const char *reason)
{
    return strncmp(reason, "runs inside ", 12) == 0;
}

static void show_rejected(struct exploration *x, struct cc_result *r)
{
    const struct cc_explore_plan *plan = x->r.plans.n ? &x->r.plans.v[cc_explore_best(x)] : NULL;
    double least = cc_explore_least(x);
    size_t inside = 0;
    struct cc_table *t = cc_result_table(r, "rejected", rejected_cols, CC_COUNT(rejected_cols));
    for (uint32_t i = 0; i < x->loops->v.n; i++) {
        const struct cc_loop *l = &x->loops->v.v[i];
        const char *reason = l->share >= least ? cc_explore_reason(x, plan, i) : NULL;
        if (!reason)
            continue;
        cc_table_row(t);
        if (shadowed(reason)) {
            cc_table_row_only(t, CC_ROW_DATA);
            inside++;
        }
        cc_table_str(t, l->file);
        cc_table_u64_if(t, l->file != NULL, l->line);
        cc_table_str(t, l->id);
        cc_table_str(t, l->function);
        cc_table_str(t, shown(x, l->function));
        cc_table_num(t, l->share);
        cc_table_str(t, cc_verdict_names[l->verdict]);
        cc_table_str(t, reason);
    }
    if (inside)
        cc_result_note(r, "%zu hot loop%s inside those of the plan %s not listed", inside,
                       inside == 1 ? "" : "s", inside == 1 ? "is" : "are");
}

/* Loops that could be shared out: of those that take turns, the ones that are worth it. */
static size_t count_candidates(const struct exploration *x)
{
    size_t n = 0;
    for (size_t i = 0; i < x->r.candidates.n; i++) {
        const struct cc_explore_candidate *c = &x->r.candidates.v[i];
        n += (!x->places[c->loop].turns && !x->places[c->loop].wave && !x->places[c->loop].walk) ||
             cc_explore_pays(&x->rq, c, x->r.sequential);
    }
    return n;
}

/* What plans could also have, and have not. */
static const char *not_tried(struct exploration *x)
{
    const char *units = cc_explore_units_untried(x);
    return cc_arena_printf(
        &x->arena, "%sseveral levels of threads%s%s%s",
        x->p->nsiblings ? "" : "tasks and sections (record --tasks all tells of calls), ",
        units ? ", the platform's other units: " : "", units ? units : "",
        x->devices && x->devices->n > 1 ? ", several other units in one plan (corecast map)" : "");
}

/* Of the run's instructions, those of the thread whose tasks are replayed. */
static double thread_share(const struct exploration *x)
{
    double all = (double)x->p->instructions, own = (double)x->h->nodes[0].len;
    return x->p->nthreads < 2 || all <= 0 || own > all ? 1 : own / all;
}

static void show_facts(struct exploration *x, struct cc_result *r)
{
    cc_result_str(r, "program", x->p->program);
    cc_result_str(r, "platform", x->o->platform);
    cc_result_str(r, "clock", x->h->clock);
    cc_result_num(r, "sequential_time", x->r.sequential);
    cc_result_num(r, "tick_seconds", x->r.second > 0 ? x->r.second : NAN);
    cc_result_u64(r, "candidates", count_candidates(x));
    cc_result_u64(r, "replays", x->r.replays);
    cc_result_bool(r, "proven", x->r.proven);
    cc_result_num(r, "bound", x->r.bound);
    cc_result_num(r, "sequential_energy", x->r.energy);
    cc_result_bool(r, "complete", x->r.complete);
    cc_result_u64(r, "threads", x->p->nthreads);
    cc_result_num(r, "thread_share", thread_share(x));
    cc_result_str(r, "root", x->root);
    cc_result_str(r, "not_tried", not_tried(x));
}

static void show_summary(struct exploration *x, struct cc_result *r)
{
    char loops[24];
    if (x->r.second > 0)
        cc_result_note(r, "%s on %s: %.4g s on one core, %s loops ran, %zu could be shared out",
                       cc_text_base(x->p->program), x->o->platform, x->r.sequential * x->r.second,
                       cc_human_count((double)x->loops->v.n, loops), count_candidates(x));
    else
        cc_result_note(r, "%s on %s: %s loops ran, %zu could be shared out", cc_text_base(x->p->program),
                       x->o->platform, cc_human_count((double)x->loops->v.n, loops), count_candidates(x));
    if (x->p->nthreads > 1)
        cc_result_note(
            r,
            "the program has %zu threads: what follows is of one of them, which has %.0f %% of the "
            "instructions; 'corecast simulate --mine' tells what threads do to each other",
            x->p->nthreads, 100 * thread_share(x));
    if (!x->r.complete)
        cc_result_note(r, "stopped before the end: only what was known by then");
    if (!x->r.plans.n && !x->r.complete)
        cc_result_note(r, "no plan was known yet");
    else if (!x->r.plans.n)
        cc_result_note(r, count_candidates(x) ? "no plan: no loop is worth sharing out on this platform"
                                              : "no plan: no loop can be shared out as it stands");
}

static void note_verdict(struct cc_result *r, size_t i, const struct verdict *v)
{
    const struct measured *one = &v->sequential;
    if (v->tried && v->ok && one->seconds > 0)
        cc_result_note(r,
                       "the sequential program took %.4f s, %.0f %% of its processor time the system's; "
                       "its slowest run %.0f %% more",
                       one->seconds,
                       one->user + one->system > 0 ? 100 * one->system / (one->user + one->system) : 0,
                       100 * (one->slowest / one->seconds - 1));
    const struct measured *most = v->n ? &v->v[v->n - 1] : NULL;
    if (v->tried && v->ok && most && most->slowdown > 0)
        cc_result_note(
            r,
            "%u copies of it at once took %.2f times as long as one alone: processors of this machine "
            "slow each other down by so much, and 'expected' is the prediction with that",
            most->processors, most->slowdown);
    else if (v->tried && v->ok && v->apart)
        cc_result_note(r, "copies of it were not run at once: %s", v->apart);
    if (v->tried && v->ok && v->stolen >= 0.005)
        cc_result_note(
            r,
            "the host of this machine kept %.0f %% of the processors' time for others meanwhile: what "
            "is measured is worse than the machine itself",
            100 * v->stolen);
    if (v->tried && v->ok && v->n && isnan(v->v[0].speedup))
        cc_result_note(r, "too short to be measured: take a larger input for --run");
    if (v->tried && v->ok)
        cc_result_note(r,
                       "plan %zu holds: output and status as the sequential program's in every run; "
                       "races: %s; unchanged program recorded with its input: %s; patched program "
                       "recorded: %s",
                       i + 1, v->race, v->again, v->patched);
    else if (v->tried)
        cc_result_note(r, "plan %zu is struck out: %s", i + 1, v->reason);
}

/* Measured beside predicted, and what became of the plans that were tried. */
static void show_verdicts(struct exploration *x, struct cc_result *r)
{
    static const struct cc_col cols[] = {
        {NULL, "plan", CC_COL_INT},         {NULL, "threads", CC_COL_INT},
        {NULL, "predicted", CC_COL_NUM, 2}, {NULL, "copies", CC_COL_NUM, 2},
        {NULL, "expected", CC_COL_NUM, 2},  {NULL, "measured", CC_COL_NUM, 2},
        {NULL, "seconds", CC_COL_NUM, 4},   {NULL, "slowest", CC_COL_NUM, 4},
        {NULL, "user", CC_COL_NUM, 4},      {NULL, "system", CC_COL_NUM, 4}};
    struct cc_table *t = cc_result_table(r, NULL, cols, CC_COUNT(cols));
    for (size_t i = 0; i < x->r.plans.n; i++) {
        const struct verdict *v = &x->verdicts[i];
        for (size_t k = 0; v->ok && k < v->n; k++) {
            cc_table_row(t);
            cc_table_u64(t, i + 1);
            cc_table_u64(t, v->v[k].processors);
            for (size_t c = 0; c < x->ncores; c++)
                if (x->cores[c] == v->v[k].processors)
                    cc_table_num(t, x->r.plans.v[i].speedups[c].speedup);
            cc_table_num(t, v->v[k].slowdown > 0 ? v->v[k].slowdown : NAN);
            cc_table_num(t, v->v[k].expected.processors ? v->v[k].expected.speedup : NAN);
            cc_table_num(t, v->v[k].speedup);
            cc_table_num(t, v->v[k].seconds);
            cc_table_num(t, v->v[k].slowest);
            cc_table_num(t, v->v[k].user);
            cc_table_num(t, v->v[k].system);
        }
    }
    for (size_t i = 0; i < x->r.plans.n; i++)
        note_verdict(r, i, &x->verdicts[i]);
}

static void show_objective(struct exploration *x, struct cc_result *r)
{
    const struct cc_explore_plan *plan = &x->r.plans.v[0];
    const struct cc_explore_speedup *s = &plan->speedups[plan->at];
    if (x->rq.objective == CC_EXPLORE_ENERGY)
        cc_result_note(r, "ranked by energy: plan 1 takes %.3g J on %u core%s, the sequential run %.3g J",
                       s->energy, s->processors, s->processors == 1 ? "" : "s", x->r.energy);
    if (x->rq.objective == CC_EXPLORE_CORE)
        cc_result_note(r, "ranked by speed-up for each core: plan 1 has %.2f on %u cores",
                       s->speedup / s->processors, s->processors);
}

static void show_end(struct exploration *x, struct cc_result *r)
{
    if (!x->r.plans.n)
        return;
    show_objective(x, r);
    if (x->r.proven)
        cc_result_note(
            r, "no other choice of these loops and schedules is more than 1 %% faster, by these figures");
    else
        cc_result_note(r, "other choices of loops may reach a speed-up of %.2f at most", x->r.bound);
    cc_result_note(r, "not tried: %s", not_tried(x));
    if (!x->o->patch && !x->verdicts)
        cc_result_note(
            r, "next: --patch plan.diff writes the directives; --verify --build CMD --run CMD proves them");
    cc_platform_show_assumed(x->platform, r);
}

struct cc_result *cc_explore_show(struct exploration *x)
{
    struct cc_result *r = cc_result_new("corecast.explore", 1);
    show_facts(x, r);
    cc_explore_show_chips(x, r);
    show_summary(x, r);
    if (x->r.plans.n)
        show_plans(x, r);
    struct cc_table *t = cc_result_table(r, "plans", plan_cols, CC_COUNT(plan_cols));
    for (size_t i = 0; i < x->r.plans.n; i++)
        put_plan(x, t, i);
    if (x->r.plans.n)
        show_best(x, r);
    show_rejected(x, r);
    cc_explore_show_left(x, r);
    cc_explore_show_stages(x, r);
    cc_explore_show_tiles(x, r);
    if (x->verdicts)
        show_verdicts(x, r);
    show_end(x, r);
    return r;
}
