#include "replay.h"

enum { MAX_FLAT = 1 << 27, MAX_COLLAPSE = 8 };

/* --- which tasks are the iterations --- */

static struct share *share_new(struct engine *e, const struct bound *b)
{
    struct share *sh = cc_eng_alloc(e, 1, sizeof *sh);
    sh->b = b;
    sh->refs = 1;
    return sh;
}

struct share *cc_share_none(struct engine *e, const struct bound *b)
{
    return share_new(e, b);
}

void cc_share_unref(struct engine *e, struct share *sh)
{
    if (!sh || --sh->refs)
        return;
    cc_eng_free(e, sh->node);
    cc_eng_free(e, sh->start);
    cc_eng_free(e, sh->before);
    cc_eng_free(e, sh->after);
    cc_eng_free(e, sh->passed);
    cc_eng_free(e, sh->turn_waiter);
    cc_eng_free(e, sh->turn_wanted);
    cc_eng_free(e, sh);
}

/* Siblings from `first` up to `last`, or to where the name changes, as runs; repeats need their prefix sums.
 */
static void take_siblings(struct engine *e, struct share *sh, uint32_t first, uint32_t last, bool one_name)
{
    const struct cc_htg_node *nodes = e->h->nodes;
    CC_VEC(uint32_t) runs = {0};
    bool repeats = false;
    uint32_t c = first, name = nodes[first].name;
    sh->simple = true;
    for (; c != last && (!one_name || nodes[c].name == name); c = nodes[c].next) {
        CC_VEC_PUSH(&runs, c);
        repeats = repeats || nodes[c].repeat > 1;
        sh->n += nodes[c].repeat;
        sh->total += (nodes[c].gap + nodes[c].len) * nodes[c].repeat;
        sh->simple = sh->simple && cc_plan_plain(e->p, c);
    }
    sh->end = c;
    sh->nruns = runs.n;
    sh->node = cc_eng_alloc(e, runs.n, sizeof *sh->node);
    if (runs.n)
        memcpy(sh->node, runs.v, runs.n * sizeof *runs.v);
    CC_VEC_FINI(&runs);
    if (!repeats)
        return;
    sh->start = cc_eng_alloc(e, sh->nruns, sizeof *sh->start);
    for (size_t i = 1; i < sh->nruns; i++)
        sh->start[i] = sh->start[i - 1] + nodes[sh->node[i - 1]].repeat;
}

struct flat {
    CC_VEC(uint32_t) node;
    CC_VEC(cc_ticks) before;
    CC_VEC(cc_ticks) after;
    int missing; /* levels that the deepest of them lacks */
};

/* Code that is run once, whoever gets it. */
static cc_ticks own_code(struct engine *e, struct piece p)
{
    e->joules += p.joules;
    return p.base;
}

/* What `record --tasks loops` puts around the iterations of a loop: "loop f.c:5" around "f.c:5". */
static bool around_loop(const struct cc_htg *h, uint32_t node)
{
    const char *name = h->names[h->nodes[node].name];
    return strncmp(name, "loop ", 5) == 0 && !cc_htg_leaf(h, node) &&
           strcmp(name + 5, h->names[h->nodes[node + 1].name]) == 0;
}

/* The iterations `levels` below the outer one at `node`, one copy. The outer loop's own code goes to the
 * first and the last of them, without contention: it is loop control. */
static bool flatten(struct engine *e, struct flat *out, uint32_t node, int levels)
{
    const struct cc_htg *h = e->h;
    if (levels == 0 || cc_htg_leaf(h, node)) {
        out->missing = CC_MIN(out->missing, levels);
        CC_VEC_PUSH(&out->node, node);
        CC_VEC_PUSH(&out->before, 0);
        CC_VEC_PUSH(&out->after, 0);
        return out->node.n < MAX_FLAT;
    }
    uint64_t left = h->nodes[node].len;
    for (uint32_t c = node + 1; c != h->nodes[node].next; c = h->nodes[c].next) {
        left -= (h->nodes[c].gap + h->nodes[c].len) * h->nodes[c].repeat;
        for (uint32_t k = 0; k < h->nodes[c].repeat; k++) {
            size_t first = out->node.n;
            if (!flatten(e, out, c, around_loop(h, c) ? levels : levels - 1))
                return false;
            out->before.v[first] += own_code(e, cc_model_gap(e->m, c, h->nodes[node].name, ALONE, 1));
        }
    }
    out->after.v[out->after.n - 1] += own_code(e, cc_model_tail(e->m, node, left, ALONE, 1));
    return true;
}

static void take_collapsed(struct engine *e, struct share *sh, uint32_t first, uint32_t end)
{
    cc_eng_free(e, sh->node); /* the outer iterations told where the loop ends */
    cc_eng_free(e, sh->start);
    sh->start = NULL;
    sh->n = 0;
    const struct cc_htg *h = e->h;
    struct flat out = {.missing = (int)sh->b->collapse};
    bool fits = true;
    for (uint32_t c = first; fits && c != end; c = h->nodes[c].next) {
        for (uint32_t k = 0; fits && k < h->nodes[c].repeat; k++) {
            size_t at = out.node.n;
            fits = flatten(e, &out, c, (int)sh->b->collapse - 1);
            if (fits && at) /* the gap before the whole loop is not the loop's */
                out.before.v[at] += own_code(e, cc_model_gap(e->m, c, sh->owner, ALONE, 1));
        }
    }
    if (!fits)
        cc_eng_fail(e, sh->b, "the collapsed loop '%s' has more than %d iterations", sh->b->d->task,
                    MAX_FLAT);
    else if (out.missing && out.node.n)
        cc_eng_fail(e, sh->b, "collapse(%d): the recorded nest of '%s' is %d deep", (int)sh->b->collapse,
                    sh->b->d->task, (int)sh->b->collapse - out.missing);
    sh->node = cc_eng_alloc(e, out.node.n, sizeof *sh->node);
    sh->before = cc_eng_alloc(e, out.node.n, sizeof *sh->before);
    sh->after = cc_eng_alloc(e, out.node.n, sizeof *sh->after);
    memcpy(sh->node, out.node.v, out.node.n * sizeof *sh->node);
    memcpy(sh->before, out.before.v, out.node.n * sizeof *sh->before);
    memcpy(sh->after, out.after.v, out.node.n * sizeof *sh->after);
    sh->n = sh->nruns = out.node.n;
    sh->simple = true;
    for (size_t i = 0; i < sh->nruns; i++)
        sh->simple = sh->simple && cc_plan_plain(e->p, sh->node[i]);
    CC_VEC_FINI(&out.node);
    CC_VEC_FINI(&out.before);
    CC_VEC_FINI(&out.after);
}

static void prepare_ordered(struct engine *e, struct share *sh)
{
    if (!sh->b->d->ordered)
        return;
    sh->passed = cc_eng_alloc(e, sh->n + 1, 1);
    sh->turn_waiter = cc_eng_alloc(e, e->nprocs, sizeof *sh->turn_waiter);
    sh->turn_wanted = cc_eng_alloc(e, e->nprocs, sizeof *sh->turn_wanted);
}

struct share *cc_share_loop(struct engine *e, const struct bound *b, uint32_t first, uint32_t last,
                            uint32_t owner)
{
    struct share *sh = share_new(e, b);
    sh->owner = owner;
    take_siblings(e, sh, first, last, true);
    if (b->collapse > 1)
        take_collapsed(e, sh, first, sh->end);
    prepare_ordered(e, sh);
    e->loops[b - e->bounds] |= LOOP_MET | (sh->n > 1 ? LOOP_SHARED : 0);
    return sh;
}

struct share *cc_share_sections(struct engine *e, const struct bound *b, uint32_t node)
{
    const struct cc_htg *h = e->h;
    struct share *sh = share_new(e, b);
    sh->owner = h->nodes[node].name;
    sh->first_gap = true;
    if (cc_htg_leaf(h, node)) { /* nothing to share out: one section, the task itself */
        sh->first_gap = false;
        sh->n = sh->nruns = 1;
        sh->node = cc_eng_alloc(e, 1, sizeof *sh->node);
        sh->node[0] = node;
        sh->simple = true;
        return sh;
    }
    take_siblings(e, sh, node + 1, h->nodes[node].next, false);
    sh->last = own_code(e, cc_model_tail(e->m, node, h->nodes[node].len - sh->total, ALONE, 1));
    return sh;
}

/* --- one iteration --- */

static size_t run_of(const struct share *sh, uint64_t i, size_t hint)
{
    if (!sh->start)
        return (size_t)i;
    size_t lo = 0, hi = sh->nruns;
    if (hint < sh->nruns && sh->start[hint] <= i) {
        lo = hint;
        if (hint + 1 == sh->nruns || sh->start[hint + 1] > i)
            return hint;
    }
    while (hi - lo > 1) {
        size_t mid = (lo + hi) / 2;
        if (sh->start[mid] <= i)
            lo = mid;
        else
            hi = mid;
    }
    return lo;
}

cc_ticks cc_share_after(const struct share *sh, uint64_t i)
{
    cc_ticks t = sh->after ? sh->after[i] : 0;
    return i + 1 == sh->n ? t + sh->last : t;
}

bool cc_share_iteration(struct engine *e, struct strand *s, struct share *sh, uint64_t i, size_t *run,
                        uint32_t path)
{
    *run = run_of(sh, i, *run);
    uint32_t node = sh->node[*run];
    if (e->ran_by && s->team)
        e->ran_by[node] = (uint16_t)(s->tid + 1);
    if (sh->before)
        cc_eng_work(e, s, (struct piece){sh->before[i], 0, 0}, 1, sh->owner);
    else if (i > 0 || sh->first_gap)
        cc_eng_work(e, s, cc_model_gap(e->m, node, sh->owner, cc_eng_load(e, s), e->variant), 1, sh->owner);
    if (!cc_plan_plain(e->p, node)) {
        cc_eng_body(e, s, node, path);
        return true;
    }
    cc_eng_work(e, s, cc_model_subtree(e->m, node, cc_eng_load(e, s), e->variant), 1, e->h->nodes[node].name);
    return false;
}

/* --- chunks --- */

static uint64_t chunk_count(const struct share *sh, unsigned threads)
{
    uint64_t chunk = (uint64_t)CC_MAX(sh->b->chunk, 1);
    if (sh->b->column == COL_STATIC && !sh->b->chunk)
        return CC_MIN(sh->n, threads);
    if (sh->b->column == COL_GUIDED)
        return sh->fetched; /* asked only when every chunk has been fetched */
    return (sh->n + chunk - 1) / chunk;
}

/* Static: blocks as equal as can be, the first threads one longer; or chunks in turn. */
static bool static_chunk(struct frame *f, const struct share *sh, unsigned tid, unsigned threads)
{
    uint64_t chunk = (uint64_t)sh->b->chunk, turn = f->u.loop.turn++;
    if (!chunk) {
        uint64_t q = sh->n / threads, r = sh->n % threads;
        f->u.loop.cur = tid * q + CC_MIN((uint64_t)tid, r);
        f->u.loop.hi = f->u.loop.cur + q + (tid < r);
        return turn == 0 && f->u.loop.cur < f->u.loop.hi;
    }
    uint64_t index = turn * threads + tid;
    if (index >= (sh->n + chunk - 1) / chunk)
        return false;
    f->u.loop.cur = index * chunk;
    f->u.loop.hi = CC_MIN(sh->n, f->u.loop.cur + chunk);
    return true;
}

static bool shared_chunk(struct frame *f, struct share *sh, unsigned threads)
{
    if (sh->next >= sh->n)
        return false;
    uint64_t chunk = (uint64_t)CC_MAX(sh->b->chunk, 1), left = sh->n - sh->next;
    if (sh->b->column == COL_GUIDED)
        chunk = CC_MAX(chunk, (left + threads - 1) / threads);
    f->u.loop.cur = sh->next;
    f->u.loop.hi = sh->next += CC_MIN(chunk, left);
    sh->fetched++;
    return true;
}

/* What a fetch takes by the number of threads at the loop. */
static cc_ticks fetch_cost(const struct engine *e, const struct bound *b, unsigned threads)
{
    cc_ticks any = cc_eng_crowd(e, CROWD_FETCH, threads, e->cost[b->column][COST_FOR_NEXT_CHUNK]);
    return b->column == COL_GUIDED ? cc_eng_crowd(e, CROWD_FETCH_GUIDED, threads, any) : any;
}

/* Of the fetch of a shared chunk, only one thread can do a part at a time: it has to get the loop's counter,
 * which another had before. Where the turn of an ordered loop goes on with the next chunk, nobody else is
 * there, and what a turn of several threads was measured to take has fetching it in it, but for a thread's
 * first. */
static void shared_fetch(struct engine *e, struct strand *s, struct share *sh, bool first)
{
    bool turn = sh->passed && e->m->ordered_chunk;
    if (turn && !first && s->team->n > 1 && e->m->crowd[CROWD_ORDERED])
        return;
    cc_ticks all = fetch_cost(e, sh->b, turn ? 1 : s->team->n),
             serial = e->cost[sh->b->column][COST_FOR_NEXT_CHUNK_SERIAL];
    if (e->m->crowd[CROWD_FETCH])
        serial = all - fetch_cost(e, sh->b, 1);
    if (sh->b->column == COL_DYNAMIC)
        serial = CC_MIN(serial, cc_eng_crowd(e, CROWD_FETCH_SERIAL, s->team->n, serial));
    if (serial > 0 && !turn) {
        cc_eng_advance(e, s, CC_MAX(sh->fetch_free - s->time, 0), CC_PART_OVERHEAD, UINT32_MAX);
        sh->fetch_free = s->time + CC_MIN(serial, all);
    }
    cc_eng_advance(e, s, all, CC_PART_OVERHEAD, UINT32_MAX);
    cc_eng_visit(s, sh->b->column == COL_GUIDED ? VISIT_GUIDED : VISIT_FETCH, s->team->n);
}

/* --- ordered --- */

enum { TURN_HAD = 1, TURN_PASSED = 2 }; /* of an iteration: its section is over, the next may begin */

/* Whoever has looked for its turn for too long sleeps, and has to be woken by the system. The call by which
 * it falls asleep looks once more: a turn that comes before it is through is found then. */
static void hand_on(struct engine *e, struct strand *s, cc_ticks t)
{
    cc_ticks dozes = s->time + e->m->sleep_after, sleeps = dozes + e->m->barrier_call;
    if (e->m->sleep_after > 0 && t > sleeps)
        t += e->m->sleep_wake;
    else if (e->m->sleep_after > 0 && t > dozes)
        t = sleeps;
    cc_eng_wake(e, s, t);
}

static void pass_turns(struct engine *e, struct share *sh, struct team *team, cc_ticks t)
{
    while (sh->turn < sh->n && sh->passed[sh->turn] & TURN_PASSED)
        sh->turn++;
    sh->turn_time = CC_MAX(sh->turn_time, t);
    for (unsigned i = 0; i < team->n; i++) {
        struct strand *w = sh->turn_waiter[i];
        if (w && sh->turn_wanted[i] == sh->turn) {
            sh->turn_waiter[i] = NULL;
            hand_on(e, w, sh->turn_time);
        }
    }
}

/* ret: it is the turn of that iteration; else the thread waits for it. */
static bool await_turn(struct engine *e, struct strand *s, struct share *sh, uint64_t iteration)
{
    if (sh->turn == iteration)
        return true;
    sh->turn_waiter[s->tid] = s;
    sh->turn_wanted[s->tid] = iteration;
    s->wait = CC_PART_IMBALANCE;
    cc_eng_block(e, s);
    return false;
}

/* Where the turn goes on with the next chunk, that of its last iteration is kept until then. */
static bool keeps_turn(const struct engine *e, const struct frame *loop)
{
    return e->m->ordered_chunk && loop->u.loop.cur + 1 == loop->u.loop.hi;
}

static void end_turn(struct engine *e, struct strand *s, struct share *sh, uint64_t iteration)
{
    sh->passed[iteration] |= TURN_PASSED;
    pass_turns(e, sh, s->team, s->time);
}

/* A turn that another thread had before comes from there. A thread's first one needs code that it has not run
 * yet, and those behind wait meanwhile, maybe until they sleep. */
static cc_ticks turn_cost(const struct engine *e, struct strand *s, const struct share *sh)
{
    unsigned threads = sh->turn_of && sh->turn_of != s ? s->team->n : 1;
    cc_ticks first = s->had_turn ? 0 : cc_eng_crowd(e, CROWD_ORDERED_FIRST, s->team->n, 0);
    s->had_turn = true;
    return first + cc_eng_crowd(e, CROWD_ORDERED, threads, e->cost[COL_PARALLEL][COST_CRITICAL_OVH]);
}

enum { ORD_ARRIVE, ORD_BODY };

enum step cc_eng_ordered(struct engine *e, struct strand *s, struct frame *f)
{
    struct frame *loop = NULL;
    for (size_t i = s->frames.n; i-- > 0 && !loop;) {
        if (s->frames.v[i].kind == F_LOOP)
            loop = &s->frames.v[i];
        else if (s->frames.v[i].kind == F_REGION || s->frames.v[i].kind == F_TASK)
            break;
    }
    if (!loop || !loop->u.loop.share->passed || loop->u.loop.share->passed[loop->u.loop.cur]) {
        cc_eng_fail(e, f->b,
                    loop && loop->u.loop.share->passed
                        ? "'%s' is ordered twice in one iteration"
                        : "'%s' is ordered, but in no loop with the clause 'ordered'",
                    f->b->d->task);
        return STOP;
    }
    struct share *sh = loop->u.loop.share;
    if (f->state == ORD_ARRIVE) {
        if (cc_eng_yield(e, s))
            return STOP;
        if (!await_turn(e, s, sh, loop->u.loop.cur))
            return STOP;
        cc_eng_wait_until(e, s, sh->turn_time, CC_PART_IMBALANCE);
        cc_eng_advance(e, s, turn_cost(e, s, sh), CC_PART_OVERHEAD, UINT32_MAX);
        cc_eng_visit(s, VISIT_LOCK, s->team->n);
        sh->turn_of = s;
        f->state = ORD_BODY;
        s->closely++;
        cc_eng_body(e, s, f->node, f->path);
        return ON;
    }
    cc_eng_drain(e, s);
    if (cc_eng_yield(e, s))
        return STOP;
    s->closely--;
    sh->passed[loop->u.loop.cur] = TURN_HAD;
    s->frames.n--;
    cc_eng_publish(e, s);
    if (!keeps_turn(e, loop))
        end_turn(e, s, sh, loop->u.loop.cur);
    return ON;
}

/* --- the loop of one thread --- */

enum { ENTER, FETCH, ITERATE, AFTER, DONE, EXIT, REDUCE, LEAVE };

static enum step enter(struct engine *e, struct strand *s, struct frame *f)
{
    s->closely++;
    cc_eng_fresh_buffers(s);
    f->u.loop.since = s->time;
    memcpy(f->u.loop.snap, s->part, sizeof s->part);
    cc_eng_cost(e, s, f->b->column, COST_FOR_PROLOGUE);
    f->state = FETCH;
    return ON;
}

static enum step fetch(struct engine *e, struct strand *s, struct frame *f)
{
    struct share *sh = f->u.loop.share;
    uint64_t before = f->u.loop.hi; /* of the chunk before: whose turn it may be still */
    bool got, keeps = sh->passed && before && !(sh->passed[before - 1] & TURN_PASSED);
    if (keeps && !await_turn(e, s, sh, before - 1))
        return STOP;
    if (f->b->column == COL_STATIC) {
        got = static_chunk(f, sh, s->tid, s->team->n);
    } else {
        if (cc_eng_yield(e, s))
            return STOP;
        got = shared_chunk(f, sh, s->team->n);
    }
    f->state = got ? ITERATE : EXIT;
    f->u.loop.worked = f->u.loop.worked || got;
    if (got && f->b->column == COL_STATIC)
        cc_eng_cost(e, s, COL_STATIC, COST_FOR_NEXT_CHUNK);
    else if (got)
        shared_fetch(e, s, sh, before == 0);
    if (keeps)
        end_turn(e, s, sh, before - 1);
    return ON;
}

/* The iteration is over: pass on its turn, go to the next of the chunk or fetch another. */
static enum step iteration_over(struct engine *e, struct strand *s, struct frame *f)
{
    struct share *sh = f->u.loop.share;
    if (sh->passed && cc_eng_yield(e, s))
        return STOP;
    if (sh->passed && !(sh->passed[f->u.loop.cur] & TURN_PASSED) && !keeps_turn(e, f))
        end_turn(e, s, sh, f->u.loop.cur);
    if (++f->u.loop.cur == f->u.loop.hi) {
        f->state = FETCH;
    } else {
        cc_eng_cost(e, s, f->b->column, COST_FOR_GAP);
        f->state = ITERATE;
    }
    return ON;
}

static enum step after(struct engine *e, struct strand *s, struct frame *f)
{
    struct share *sh = f->u.loop.share;
    cc_eng_work(e, s, (struct piece){cc_share_after(sh, f->u.loop.cur), 0, 0}, 1, sh->owner);
    f->state = DONE;
    return iteration_over(e, s, f);
}

/* The whole chunk in one go, where nothing can come between its iterations and nobody wants to see them. */
static void iterate_at_once(struct engine *e, struct strand *s, struct frame *f)
{
    struct share *sh = f->u.loop.share;
    const struct cc_htg_node *nodes = e->h->nodes;
    uint64_t ticks = 0, i = f->u.loop.cur, hi = f->u.loop.hi;
    size_t run = run_of(sh, i, f->u.loop.run);
    if (i == 0 && !sh->first_gap)
        ticks -= nodes[sh->node[run]].gap;
    for (; i < hi; run++) {
        const struct cc_htg_node *n = &nodes[sh->node[run]];
        uint64_t end = sh->start ? (run + 1 < sh->nruns ? sh->start[run + 1] : sh->n) : i + 1;
        uint64_t copies = CC_MIN(end, hi) - i;
        ticks += (n->gap + n->len) * copies;
        i += copies;
    }
    cc_ticks work = (cc_ticks)(ticks << CC_TICK_BITS) + cc_share_after(sh, hi - 1);
    cc_eng_work(e, s, (struct piece){work, 0, 0}, 1, UINT32_MAX);
    cc_ticks gap = e->cost[f->b->column][COST_FOR_GAP];
    if (gap)
        cc_eng_advance(e, s, gap * (cc_ticks)(hi - f->u.loop.cur - 1), CC_PART_OVERHEAD, UINT32_MAX);
    f->u.loop.run = run - 1;
    f->u.loop.cur = hi;
    f->state = FETCH;
}

static enum step iterate(struct engine *e, struct strand *s, struct frame *f)
{
    struct share *sh = f->u.loop.share;
    /* how many are busy may change from one iteration to the next, and others may want in between */
    bool careful =
        e->m->contention || e->local || (e->draw && e->draw->bound > 0) || !sh->simple || sh->passed;
    if (!careful && !e->m->latency && !e->m->access_energy && !e->record && !sh->before) {
        iterate_at_once(e, s, f);
        return ON;
    }
    enum step next = ON;
    while (f->state == ITERATE && next == ON && !e->failed) {
        if (careful && cc_eng_yield(e, s))
            return STOP;
        f->state = AFTER;
        size_t run = f->u.loop.run, at = s->frames.n - 1;
        bool pushed = cc_share_iteration(e, s, sh, f->u.loop.cur, &run, f->path);
        f = &s->frames.v[at];
        f->u.loop.run = run;
        if (pushed)
            return ON;
        next = after(e, s, f);
    }
    return next;
}

static void drop_share(struct engine *e, struct team *team, struct share *sh)
{
    if (++sh->left < team->n)
        return;
    size_t i = 0;
    while (i < team->shares.n && team->shares.v[i] != sh)
        i++;
    if (i < team->shares.n) {
        cc_share_unref(e, sh);
        team->shares.v[i] = NULL;
    }
    while (team->shares.n && !team->shares.v[0]) {
        memmove(team->shares.v, team->shares.v + 1, --team->shares.n * sizeof *team->shares.v);
        team->first++;
    }
}

static enum step leave(struct engine *e, struct strand *s, struct frame *f)
{
    struct share *sh = f->u.loop.share;
    if (f->u.loop.combined) {
        s->frames.n--;
        return ON;
    }
    struct region *r = cc_eng_region(e, f->path, f->b);
    r->time += CC_TICKS_TO_F64(s->time - f->u.loop.since) / s->team->n;
    for (int i = 0; i < CC_PARTS; i++)
        r->stack[i] += CC_TICKS_TO_F64(s->part[i] - f->u.loop.snap[i]) / s->team->n;
    if (sh->left + 1 == s->team->n) {
        r->calls++;
        r->threads += s->team->n;
    }
    s->frames.n--;
    drop_share(e, s->team, sh);
    return ON;
}

/* The loop's own barrier: where barriers were not measured by themselves, its cost is in for_epilogue. */
static void push_end(struct engine *e, struct strand *s, const struct frame *f)
{
    uint32_t node = f->node, path = f->path;
    const struct bound *b = f->b;
    cc_ticks cost = cc_eng_crowd(e, CROWD_BARRIER, s->team->n, 0);
    cc_eng_push(s, F_BARRIER, node, path, b)->u.barrier.cost = cost;
}

enum step cc_eng_loop(struct engine *e, struct strand *s, struct frame *f)
{
    switch (f->state) {
    case ENTER:
        return enter(e, s, f);
    case FETCH:
        return fetch(e, s, f);
    case ITERATE:
        return iterate(e, s, f);
    case AFTER:
        return after(e, s, f);
    case DONE:
        return iteration_over(e, s, f);
    case EXIT:
        s->closely--;
        cc_eng_drain(e, s);
        cc_eng_cost(e, s, f->b->column, COST_FOR_EPILOGUE);
        f->state = REDUCE;
        return ON;
    case REDUCE:
        if (!f->u.loop.combined && cc_eng_reduce(e, s, f->b) == STOP)
            return STOP;
        f->state = LEAVE;
        s->wait = !f->u.loop.worked && chunk_count(f->u.loop.share, s->team->n) < s->team->n
                      ? CC_PART_LIMITED
                      : CC_PART_IMBALANCE;
        if (!f->u.loop.combined && !f->b->d->nowait)
            push_end(e, s, f);
        return ON;
    default:
        return leave(e, s, f);
    }
}
