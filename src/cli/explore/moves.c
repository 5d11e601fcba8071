/* Plans that move functions and loops to other units, with loops shared out beside them. */
#include "devices.h"
#include "../../analysis/explore/mixed.h"

#include <math.h>

enum { MOST_DEVICES = 8 };

struct mover {
    struct exploration *x;
    const struct devices *d;
    const struct device *v;
    struct cc_choose_problem loops;
    uint64_t *apart; /* by candidate */
    double second;
};

/* --- what a set gives --- */

/* Seconds of the run with the set there, each kernel at one end of its interval: -1, 0, 1. */
static double seconds_with(const struct mover *m, uint64_t set, int end)
{
    size_t n = m->d->in->nkernels;
    double *seconds = cc_alloc_array(n + 1, sizeof *seconds);
    struct cc_cut_problem cut = m->v->cut;
    for (size_t k = 0; k < n; k++) {
        const struct cc_offload_kernel *from = &m->v->kernels[k];
        seconds[k] = from->why ? 0 : end < 0 ? from->low : end > 0 ? from->high : from->middle;
    }
    cut.kernel_seconds = seconds;
    double time = cc_cut_time(&cut, set);
    free(seconds);
    return time;
}

static double area_of(const struct mover *m, uint64_t set)
{
    double most = 0;
    for (size_t i = 0; m->v->logic && i < m->d->nmeasures; i++) {
        double sum = 0,
               has = cc_area_device_capacity(m->d->part, m->d->model->measures[m->d->measure[i]].name);
        for (size_t k = 0; k < m->d->in->nkernels; k++)
            sum += set >> k & 1 ? m->d->area[k * m->d->nmeasures + i] : 0;
        most = has > 0 ? fmax(most, sum / has) : most;
    }
    return most;
}

/* A kernel that lies inside another of the set adds nothing. */
static uint64_t without_inner(const struct mover *m, uint64_t set)
{
    for (size_t k = 0; k < m->d->in->nkernels; k++)
        if (set >> k & 1 && cc_cut_calls(&m->v->cut, set, (uint32_t)k) <= 0)
            set &= ~(UINT64_C(1) << k);
    return set;
}

static const struct cc_explore_move *moves_of(const struct mover *m, uint64_t set, size_t *ret_n)
{
    struct cc_explore_move *moves = cc_arena_alloc(&m->x->arena, (m->d->in->nkernels + 1) * sizeof *moves);
    size_t n = 0;
    for (uint32_t k = 0; k < m->d->in->nkernels; k++) {
        const struct cc_source_function *f = m->d->in->kernels[k].f;
        const struct cc_offload_kernel *from = &m->v->kernels[k];
        uint64_t bit = UINT64_C(1) << k;
        if (!(set & bit))
            continue;
        double calls = cc_cut_calls(&m->v->cut, set, k);
        moves[n++] = (struct cc_explore_move){
            .name = f->name,
            .file = f->file,
            .line = f->line,
            .unit = m->v->unit->name,
            .kind = m->v->unit->kind,
            .logic = m->v->logic,
            .cores = from->cores,
            .calls = calls,
            .bytes = from->bytes,
            .low = calls * from->low,
            .seconds = calls * from->middle,
            .high = calls * from->high,
            .share = m->d->in->kernels[k].share,
            .saved = (seconds_with(m, set & ~bit, 0) - seconds_with(m, set, 0)) / m->d->in->seconds};
    }
    *ret_n = n;
    return moves;
}

static const char *words_for(const struct mover *m, const struct cc_explore_move *moves, size_t n)
{
    struct cc_buf b = {0};
    for (size_t i = 0; i < n; i++)
        cc_buf_printf(&b, "%s%s", i ? ", " : "", moves[i].name);
    cc_buf_printf(&b, " on %s", m->v->unit->name);
    const char *kept = cc_arena_strdup(&m->x->arena, b.s);
    cc_buf_fini(&b);
    return kept;
}

/* --- plans --- */

/* What moves and what is shared out never run at the same time: what each saves adds up. */
static void shift(const struct mover *m, uint64_t set, struct cc_explore_plan *plan)
{
    const struct exploration *x = m->x;
    double all = x->r.sequential;
    double saved[3];
    for (int end = -1; end <= 1; end++)
        saved[end + 1] = all - seconds_with(m, set, end) / m->second;
    for (size_t c = 0; c < x->ncores; c++) {
        struct cc_explore_speedup *s = &plan->speedups[c];
        double time = s->time - saved[1], high = all / s->low - saved[2], low = all / s->high - saved[0];
        const double least = 1e-9 * all; /* intervals of the two may meet */
        s->time = fmax(time, least);
        s->speedup = all / s->time;
        s->low = all / fmax(high, least);
        s->high = all / fmax(low, least);
        s->energy = NAN;
    }
}

static bool is_there(const struct mover *m, uint64_t set, const bool *taken, const struct cc_explore_plan *p)
{
    size_t moves = 0, parts = 0;
    if (!p->nmoves || p->moves[0].unit != m->v->unit->name)
        return false;
    for (size_t k = 0; k < m->d->in->nkernels; k++)
        for (size_t i = 0; set >> k & 1 && i < p->nmoves; i++)
            moves += p->moves[i].name == m->d->in->kernels[k].f->name &&
                     p->moves[i].line == m->d->in->kernels[k].f->line;
    for (size_t i = 0; i < p->parts.n; i++)
        parts += taken[p->parts.v[i].candidate];
    size_t wanted = 0;
    for (size_t i = 0; i < m->x->r.candidates.n; i++)
        wanted += taken[i];
    return moves == p->nmoves && (size_t)__builtin_popcountll(set) == moves && parts == p->parts.n &&
           parts == wanted;
}

static int add_plan(struct mover *m, uint64_t set, const bool *taken, struct cc_err *err)
{
    struct exploration *x = m->x;
    struct cc_explore_plan plan;
    set = without_inner(m, set);
    bool known = !set || seconds_with(m, set, 0) > m->d->in->seconds * (1 - x->rq.min_gain);
    for (size_t i = 0; i < x->r.plans.n && !known; i++)
        known = is_there(m, set, taken, &x->r.plans.v[i]);
    if (known)
        return 0;
    int rc = cc_explore_replay(&x->rq, &x->r, taken, &plan, err);
    if (rc < 0)
        return rc;
    plan.moves = moves_of(m, set, &plan.nmoves);
    plan.unwritten = cc_arena_printf(&x->arena, "it moves code to %s", m->v->unit->name);
    plan.also = words_for(m, plan.moves, plan.nmoves);
    plan.area = area_of(m, set);
    for (size_t k = 0; k < m->d->in->nkernels; k++)
        plan.lines += set >> k & 1 ? m->d->effort[k] : 0;
    shift(m, set, &plan);
    cc_explore_add(&x->rq, &x->r, &plan);
    return 0;
}

/* The best of all; of one kernel; without loops. */
static int try_device(struct mover *m, struct cc_err *err)
{
    struct exploration *x = m->x;
    CC_CLEANUP(cc_free_ptr) bool *taken = cc_alloc_array(x->r.candidates.n + 1, sizeof *taken);
    const struct {
        size_t most;
        bool loops;
    } ways[] = {{CC_MIXED_KERNELS, true}, {1, true}, {CC_MIXED_KERNELS, false}};
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < CC_COUNT(ways); i++) {
        struct cc_mixed_problem p = {.cut = &m->v->cut,
                                     .able = m->v->able,
                                     .most = ways[i].most,
                                     .effort = m->d->effort,
                                     .loops = m->loops,
                                     .any_effort = !x->rq.lines,
                                     .apart = m->apart};
        struct cc_mixed_answer a = {.taken = taken};
        memset(taken, 0, x->r.candidates.n * sizeof *taken);
        if (!ways[i].loops)
            p.loops.n = 0;
        cc_mixed(&p, &a);
        if (i == 0) {
            x->r.proven = x->r.proven && a.proven;
            x->r.bound = fmax(x->r.bound, a.bound > 0 ? m->d->in->seconds / a.bound : INFINITY);
        }
        rc = add_plan(m, a.set, taken, err);
    }
    return rc;
}

int cc_explore_moves(struct exploration *x, struct cc_err *err)
{
    int rc = x->r.complete ? cc_explore_devices(x, err) : 0;
    const struct devices *d = x->devices;
    if (rc < 0 || !d || d->why)
        return rc;
    struct mover m = {.x = x, .d = d, .second = x->r.second};
    struct cc_choose_item *items;
    cc_explore_choice(&x->rq, &x->r, &m.loops);
    m.apart = cc_alloc_array(x->r.candidates.n + 1, sizeof *m.apart);
    items = cc_alloc_array(x->r.candidates.n + 1, sizeof *items);
    for (size_t i = 0; i < x->r.candidates.n; i++) {
        m.apart[i] = d->apart[x->r.candidates.v[i].loop];
        items[i] = m.loops.items[i];
        items[i].gain *= m.second;
    }
    free((void *)m.loops.items);
    m.loops.items = items;
    for (size_t i = 0; rc == 0 && i < d->n && i < MOST_DEVICES; i++) {
        m.v = &d->v[i];
        if (!m.v->why && m.v->able)
            rc = try_device(&m, err);
    }
    free(items);
    free((void *)m.loops.above);
    free(m.apart);
    return rc;
}

/* --- showing --- */

const struct cc_col cc_explore_move_cols[CC_EXPLORE_MOVE_COLS] = {
    {"name", NULL, CC_COL_STR, .meaning = "a function, or a loop as FUNCTION:LINE"},
    {"file", NULL, CC_COL_STR},
    {"line", NULL, CC_COL_INT},
    {"unit", NULL, CC_COL_STR},
    {"kind", NULL, CC_COL_STR, .meaning = "of the unit; fpga: it becomes a block of logic"},
    {"cores", NULL, CC_COL_NUM, .meaning = "of the unit"},
    {"calls", NULL, CC_COL_NUM},
    {"bytes", NULL, CC_COL_NUM, .meaning = "in and out, of the whole run, if it goes there alone"},
    {"seconds", NULL, CC_COL_NUM, .meaning = "on the unit, of the whole run"},
    {"seconds_low", NULL, CC_COL_NUM, .meaning = "the least it may take on the unit"},
    {"seconds_high", NULL, CC_COL_NUM, .meaning = "the most it may take on the unit"},
    {"share", NULL, CC_COL_NUM, .meaning = "of the sequential run: what it takes on the cores"},
    {"saves", NULL, CC_COL_NUM, .meaning = "share of the sequential run, transfers paid"},
    {"saves_low", NULL, CC_COL_NUM, .meaning = "the same if it takes the longest"},
};

const struct cc_col cc_explore_area_cols[CC_EXPLORE_AREA_COLS] = {
    {"measure", NULL, CC_COL_STR},
    {"value", NULL, CC_COL_NUM,
     .meaning = "what the blocks of the plan take of the device, in the units of the measure"},
    {"low", NULL, CC_COL_NUM, .meaning = "the least they may take"},
    {"high", NULL, CC_COL_NUM, .meaning = "the most they may take"},
    {"share", NULL, CC_COL_NUM, .meaning = "of the device"},
};

static double least_saved(const struct exploration *x, const struct cc_explore_move *m)
{
    return m->saved - (m->high - m->seconds) / x->devices->in->seconds;
}

struct sum {
    double value, below, above;
};

/* Errors of kernels are independent. */
static struct sum area_sum(const struct devices *d, const struct cc_explore_plan *plan, size_t measure)
{
    struct sum sum = {0};
    for (size_t k = 0; k < d->in->nkernels; k++)
        for (size_t i = 0; i < plan->nmoves; i++) {
            const struct cc_area_prediction *e = &d->in->kernels[k].measure[d->measure[measure]];
            if (plan->moves[i].name != d->in->kernels[k].f->name ||
                plan->moves[i].line != d->in->kernels[k].f->line)
                continue;
            sum.value += e->value;
            sum.below += pow(e->value - e->low, 2);
            sum.above += pow(e->high - e->value, 2);
        }
    return sum;
}

static void put_area(struct exploration *x, struct cc_table *t, const struct cc_explore_plan *plan)
{
    const struct devices *d = x->devices;
    for (size_t i = 0; plan->nmoves && plan->moves[0].logic && i < d->nmeasures; i++) {
        const char *name = d->model->measures[d->measure[i]].name;
        struct sum sum = area_sum(d, plan, i);
        cc_table_row(t);
        cc_table_str(t, name);
        cc_table_num(t, sum.value);
        cc_table_num(t, fmax(0, sum.value - sqrt(sum.below)));
        cc_table_num(t, sum.value + sqrt(sum.above));
        cc_table_num(t, sum.value / cc_area_device_capacity(d->part, name));
    }
}

void cc_explore_put_moves(struct exploration *x, struct cc_table *t, const struct cc_explore_plan *plan)
{
    cc_table_str(t, plan->unwritten);
    struct cc_table *sub = cc_table_sub(t);
    for (size_t i = 0; i < plan->nmoves; i++) {
        const struct cc_explore_move *m = &plan->moves[i];
        cc_table_row(sub);
        cc_table_str(sub, m->name);
        cc_table_str(sub, m->file);
        cc_table_u64(sub, m->line);
        cc_table_str(sub, m->unit);
        cc_table_str(sub, m->kind);
        cc_table_num(sub, m->cores);
        cc_table_num(sub, m->calls);
        cc_table_num(sub, m->bytes);
        cc_table_num(sub, m->seconds);
        cc_table_num(sub, m->low);
        cc_table_num(sub, m->high);
        cc_table_num(sub, m->share);
        cc_table_num(sub, m->saved);
        cc_table_num(sub, least_saved(x, m));
    }
    put_area(x, cc_table_sub(t), plan);
}

static void show_area(struct exploration *x, const struct cc_explore_plan *plan, struct cc_result *r)
{
    static const struct cc_col cols[] = {
        {NULL, "logic", CC_COL_STR},
        {NULL, "estimate", CC_COL_NUM, 0},
        {NULL, "from", CC_COL_NUM, 0},
        {NULL, "to", CC_COL_NUM, 0},
        {NULL, "of the device", CC_COL_PERCENT, 2},
    };
    if (!plan->moves[0].logic)
        return;
    cc_result_note(r, "of %s, with intervals of 90 %%:", x->devices->part->name);
    put_area(x, cc_result_table(r, NULL, cols, CC_COUNT(cols)), plan);
    cc_result_note(r, "its cycles take %.3g ns, that of the model or of the unit, whichever is longer",
                   1e9 * x->devices->cycle);
}

void cc_explore_show_moves(struct exploration *x, size_t at, struct cc_result *r)
{
    static const struct cc_col cols[] = {{NULL, "moves", CC_COL_STR},    {NULL, "to", CC_COL_STR},
                                         {NULL, "calls", CC_COL_NUM, 0}, {NULL, "bytes", CC_COL_NUM, 0},
                                         {NULL, "takes", CC_COL_STR},    {NULL, "from", CC_COL_STR},
                                         {NULL, "up to", CC_COL_STR},    {NULL, "saves", CC_COL_PERCENT, 1}};
    const struct cc_explore_plan *plan = &x->r.plans.v[at];
    if (!plan->nmoves)
        return;
    cc_result_note(r, "plan %zu, what goes to %s:", at + 1, plan->moves[0].unit);
    struct cc_table *t = cc_result_table(r, NULL, cols, CC_COUNT(cols));
    for (size_t i = 0; i < plan->nmoves; i++) {
        const struct cc_explore_move *m = &plan->moves[i];
        cc_table_row(t);
        cc_table_str(t, m->name);
        cc_table_str(t, m->unit);
        cc_table_num(t, m->calls);
        cc_table_num(t, m->bytes);
        cc_table_str(t, cc_explore_duration(x, m->seconds, 1));
        cc_table_str(t, cc_explore_duration(x, m->low, 1));
        cc_table_str(t, cc_explore_duration(x, m->high, 1));
        cc_table_num(t, m->saved);
    }
    show_area(x, plan, r);
}

static uint32_t kernel_of(const struct devices *d, const struct cc_explore_move *m)
{
    for (uint32_t k = 0; k < d->in->nkernels; k++)
        if (d->in->kernels[k].f->name == m->name && d->in->kernels[k].f->line == m->line)
            return k;
    return CC_NONE;
}

uint32_t cc_explore_shared_there(const struct exploration *x, const struct cc_explore_move *m)
{
    uint32_t k = kernel_of(x->devices, m);
    bool shared = k != CC_NONE && !m->logic && (m->cores > 1 || strcmp(m->kind, "gpu") == 0);
    return shared ? x->devices->loop[k] : CC_NONE;
}

const struct cc_explore_move *cc_explore_moved(const struct exploration *x,
                                               const struct cc_explore_plan *plan, uint32_t loop)
{
    const struct devices *d = x->devices;
    for (size_t i = 0; i < plan->nmoves; i++) {
        uint32_t k = kernel_of(d, &plan->moves[i]);
        const struct cc_source_function *f = k == CC_NONE ? NULL : d->in->kernels[k].f;
        const struct cc_source_function *l = d->written[loop];
        if (f && l && cc_offload_holds(d->sources, f, l))
            return &plan->moves[i];
    }
    return NULL;
}

/* --- what stays --- */

static const struct cc_col left_cols[] = {
    {"name", "stays on the cores", CC_COL_STR},
    {"file", NULL, CC_COL_STR},
    {"line", NULL, CC_COL_INT},
    {"unit", "not on", CC_COL_STR, .meaning = "null: on none"},
    {"share", "share", CC_COL_PERCENT, 1},
    {"reason", "because", CC_COL_STR, .wrap = 72},
};

static void put_left(struct cc_table *t, const struct cc_source_function *f, const char *unit, double share,
                     const char *why)
{
    cc_table_row(t);
    cc_table_str(t, f->name);
    cc_table_str(t, f->file);
    cc_table_u64(t, f->line);
    cc_table_str(t, unit);
    cc_table_num(t, share);
    cc_table_str(t, why);
}

static const char *why_unfit(struct exploration *x, const struct cc_source_function *f)
{
    struct cc_buf b = {0};
    for (size_t i = 0; i < f->nunfit && i < 3; i++)
        cc_buf_printf(&b, "%s%s at line %u%s%s%s", i ? "; " : "", cc_unfit_name(f->unfit[i].kind),
                      f->unfit[i].line, *f->unfit[i].detail ? " (" : "", f->unfit[i].detail,
                      *f->unfit[i].detail ? ")" : "");
    const char *text = cc_arena_strdup(&x->arena, b.s ? b.s : "it cannot run by itself");
    cc_buf_fini(&b);
    return text;
}

/* Functions and loops that no unit can take as they stand. */
static void put_unfit(struct exploration *x, struct cc_table *t, double least)
{
    const struct devices *d = x->devices;
    for (size_t i = 0; i < d->in->nleft; i++) {
        const struct cc_cut_left *l = &d->in->left[i];
        const struct cc_source_function *f = NULL;
        for (size_t k = 0; k < d->sources->functions.n && !f; k++)
            f = d->sources->functions.v[k].name == l->name ? &d->sources->functions.v[k] : NULL;
        if (!f || l->share < least || strcmp(f->name, "main") == 0)
            continue;
        const char *why = f->refused  ? cc_arena_printf(&x->arena, "not measured: %s", f->refused)
                          : f->nunfit ? why_unfit(x, f)
                                      : l->why;
        put_left(t, f, NULL, l->share, why);
    }
}

/* Functions that were recorded and have no source. */
static void put_unread(struct exploration *x, struct cc_table *t, double least)
{
    const struct devices *d = x->devices;
    for (size_t i = 1; i < x->p->nfunctions; i++) {
        const struct cc_pfunction *f = &x->p->functions[i];
        double share = (double)f->exclusive / (double)CC_MAX(x->p->instructions, UINT64_C(1));
        bool found = share < least || strcmp(f->name, "main") == 0;
        for (size_t k = 0; k < d->sources->functions.n && !found; k++)
            found = cc_area_same_function(f->name, d->sources->functions.v[k].name);
        if (found)
            continue;
        cc_table_row(t);
        cc_table_str(t, f->name);
        cc_table_str(t, f->file);
        cc_table_u64_if(t, f->line > 0, f->line);
        cc_table_str(t, NULL);
        cc_table_num(t, share);
        cc_table_str(t, f->library ? "it belongs to a library: its source was not read"
                                   : "its source was not found, or was changed since the recording");
    }
}

static bool is_moved(const struct exploration *x, const struct cc_source_function *f, const char *unit)
{
    for (size_t i = 0; i < x->r.plans.n; i++)
        for (size_t k = 0; k < x->r.plans.v[i].nmoves; k++) {
            const struct cc_explore_move *m = &x->r.plans.v[i].moves[k];
            if (m->unit == unit && m->name == f->name && m->line == f->line)
                return true;
        }
    return false;
}

static const char *not_worth(struct exploration *x, const struct device *v, uint32_t k)
{
    const struct cc_offload_kernel *from = &v->kernels[k];
    double before = cc_cut_time(&v->cut, 0), after = cc_cut_time(&v->cut, UINT64_C(1) << k);
    double way = from->bytes * v->cut.byte_seconds + from->calls * v->cut.call_seconds;
    if (after < before * (1 - x->rq.min_gain))
        return NULL; /* it is worth it; another choice is better */
    return cc_arena_printf(&x->arena, "it would take %s there, and %s for %.0f call%s and %.3g bytes",
                           cc_explore_duration(x, from->calls * from->middle, 1),
                           cc_explore_duration(x, way, 1), from->calls, from->calls == 1 ? "" : "s",
                           from->bytes);
}

/* A person reads of the outermost. */
static bool is_inner(const struct devices *d, uint32_t kernel)
{
    for (uint32_t k = 0; k < d->in->nkernels; k++)
        if (k != kernel && cc_offload_holds(d->sources, d->in->kernels[k].f, d->in->kernels[kernel].f))
            return true;
    return false;
}

static void put_unable(struct exploration *x, struct cc_table *t, const struct device *v, double least)
{
    const struct devices *d = x->devices;
    for (uint32_t k = 0; k < d->in->nkernels && !v->why; k++) {
        const struct cc_cut_kernel *kernel = &d->in->kernels[k];
        if (kernel->share < least || is_moved(x, kernel->f, v->unit->name))
            continue;
        const char *why = v->kernels[k].why ? v->kernels[k].why : not_worth(x, v, k);
        if (why)
            put_left(t, kernel->f, v->unit->name, kernel->share, why);
        if (why && is_inner(d, k))
            cc_table_row_only(t, CC_ROW_DATA);
    }
}

void cc_explore_show_left(struct exploration *x, struct cc_result *r)
{
    const struct devices *d = x->devices;
    double least = CC_GIVEN(x->o, min_share) ? x->o->min_share : 0.02;
    struct cc_table *t = cc_result_table(r, "left", left_cols, CC_COUNT(left_cols));
    if (!d || !d->in)
        return;
    for (size_t i = 0; i < d->n; i++)
        if (d->v[i].why)
            cc_result_note(r, "nothing goes to %s: %s", d->v[i].unit->name, d->v[i].why);
    put_unfit(x, t, least);
    put_unread(x, t, least);
    for (size_t i = 0; i < d->n; i++)
        put_unable(x, t, &d->v[i], least);
}

const char *cc_explore_units_untried(const struct exploration *x)
{
    return x->devices ? x->devices->why : NULL;
}
