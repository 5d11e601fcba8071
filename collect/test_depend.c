/* Dependences against a model that keeps every access with the iterations it was made in: random nests of
 * loops, accesses of all sizes, frames that come and go, memory that is freed. */
#include "depend.h"
#include "../tests/host.h"
#include "tap.h"

enum {
    LOOPS = 5,
    SITES = 7,
    DEEPEST = 7,
    BYTES = 48, /* half of them on a stack that grows down */
    EVENTS = 300,
    MAX_ACCESSES = EVENTS * 16,
};
#define BASE UINT64_C(0x7fff00)
#define STACK (BASE + BYTES / 2)

struct step { /* of a way from the outermost loop to an access */
    uint32_t loop, invocation;
    uint64_t iteration;
};

struct event {
    struct step way[DEEPEST];
    uint32_t depth, site;
    bool write;
};

struct tally {
    uint64_t count;
    uint32_t min, max;
    bool far;
};

struct model {
    struct step way[DEEPEST];
    uint64_t sp[DEEPEST];
    uint32_t depth, invocations;
    uint64_t last[EVENTS + 1]; /* iteration of each invocation, so far; */
    bool over[EVENTS + 1];     /* it has ended */
    struct event *accesses[BYTES];
    uint32_t n[BYTES];
    struct tally found[LOOPS][CC_DEPENDENCE_KINDS][SITES + 1][SITES + 1];
    bool must[LOOPS][SITES + 1][SITES + 1]; /* anti-dependences by the earliest read of each loop */
    bool live[LOOPS][SITES + 1];
    bool within[LOOPS][CC_DEPENDENCE_WAW + 1][SITES + 1][SITES + 1]; /* both in one iteration */
};

static uint64_t seed = 5;
static uint32_t random_below(uint32_t n)
{
    seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (uint32_t)((seed >> 33) % n);
}

/* The index of the loop that carries what goes from the access to now; -1: none does. */
static int carrier(const struct model *m, const struct event *from)
{
    for (uint32_t i = 0; i < m->depth && i < from->depth; i++) {
        if (m->way[i].invocation != from->way[i].invocation)
            return -1;
        if (m->way[i].iteration != from->way[i].iteration)
            return (int)i;
    }
    return -1;
}

/* The index of the innermost loop in whose present iteration the access was; -1: none. */
static int common(const struct model *m, const struct event *from)
{
    int in = -1;
    for (uint32_t i = 0; i < m->depth && i < from->depth; i++)
        if (m->way[i].invocation == from->way[i].invocation && m->way[i].iteration == from->way[i].iteration)
            in = (int)i;
        else
            break;
    return in;
}

static bool model_met(struct model *m, uint32_t kind, const struct event *from, uint32_t byte, uint32_t site)
{
    int at = carrier(m, from), in = at < 0 ? common(m, from) : -1;
    uint64_t a = BASE + byte;
    if (in >= 0 && !(a >= STACK && a < m->sp[in]) && from->site != site)
        m->within[m->way[in].loop][kind][from->site][site] = true;
    if (at < 0 || (a >= STACK && a < m->sp[at]))
        return false;
    struct tally *t = &m->found[m->way[at].loop][kind][from->site][site];
    uint64_t distance = m->way[at].iteration - from->way[at].iteration;
    t->count++;
    if (distance > 15) {
        t->far = true;
        return true;
    }
    if (!t->min || distance < t->min)
        t->min = (uint32_t)distance;
    if (distance > t->max)
        t->max = (uint32_t)distance;
    return true;
}

static void model_read(struct model *m, uint32_t byte, uint32_t site)
{
    for (uint32_t i = m->n[byte]; i-- > 0;) {
        const struct event *e = &m->accesses[byte][i];
        if (!e->write)
            continue;
        model_met(m, CC_DEPENDENCE_RAW, e, byte, site);
        for (uint32_t k = 0; k < e->depth; k++)
            if (m->over[e->way[k].invocation] && e->way[k].iteration != m->last[e->way[k].invocation])
                m->live[e->way[k].loop][e->site] = true;
        return;
    }
}

/* The earliest read inside each loop is what must be found of anti-dependences; all are true. */
static void model_reads_before(struct model *m, uint32_t byte, uint32_t first, uint32_t site)
{
    bool seen[DEEPEST] = {false};
    for (uint32_t i = first; i < m->n[byte]; i++) {
        const struct event *e = &m->accesses[byte][i], *w = first ? e - (i - first) - 1 : NULL;
        int by = carrier(m, e);
        bool real = model_met(m, CC_DEPENDENCE_WAR, e, byte, site);
        for (uint32_t k = 0; k < m->depth && k < e->depth; k++) {
            if (m->way[k].invocation != e->way[k].invocation)
                break;
            if (!seen[k] && by == (int)k && real)
                m->must[m->way[k].loop][e->site][site] = true;
            seen[k] = true;
        }
        if (real && (!w || w->depth <= (uint32_t)by || w->way[by].invocation != m->way[by].invocation))
            m->found[m->way[by].loop][CC_DEPENDENCE_EXPOSED][e->site][site].count++;
    }
}

static void model_write(struct model *m, uint32_t byte, uint32_t site)
{
    uint32_t first = m->n[byte];
    while (first > 0 && !m->accesses[byte][first - 1].write)
        first--;
    if (first)
        model_met(m, CC_DEPENDENCE_WAW, &m->accesses[byte][first - 1], byte, site);
    model_reads_before(m, byte, first, site);
}

static void model_access(struct model *m, uint32_t byte, uint32_t site, bool write)
{
    if (write)
        model_write(m, byte, site);
    else
        model_read(m, byte, site);
    struct event *e = &m->accesses[byte][m->n[byte]++];
    *e = (struct event){.depth = m->depth, .site = site, .write = write};
    memcpy(e->way, m->way, sizeof e->way);
}

/* --- both at once --- */

struct trial {
    struct cc_depend *d;
    struct cc_depend_thread *x;
    struct cc_depend_site sites[SITES + 1];
    struct model *m;
    uint64_t now;
};

static uint64_t random_sp(void)
{
    return STACK + random_below(BYTES / 16) * 8;
}

static void enter(struct trial *t)
{
    struct model *m = t->m;
    uint32_t loop = random_below(LOOPS);
    m->sp[m->depth] = random_sp();
    cc_depend_enter(t->x, loop, m->sp[m->depth], t->now, 0);
    m->last[++m->invocations] = 0;
    m->way[m->depth++] = (struct step){loop, m->invocations, 0};
}

static void iterate(struct trial *t)
{
    struct model *m = t->m;
    uint32_t level = m->depth - 1;
    m->sp[level] = random_sp();
    cc_depend_iterate(t->x, level, m->sp[level], t->now);
    m->last[m->way[level].invocation] = ++m->way[level].iteration;
}

static void leave(struct trial *t)
{
    struct model *m = t->m;
    uint32_t level = m->depth - 1 - (random_below(5) == 0 ? random_below(m->depth) : 0);
    cc_depend_leave(t->x, level, t->now);
    while (m->depth > level)
        m->over[m->way[--m->depth].invocation] = true;
}

static void touch(struct trial *t)
{
    static const uint32_t sizes[] = {8, 8, 8, 4, 4, 1, 2, 16, 7};
    uint32_t size = sizes[random_below(random_below(3) ? 5 : 9)], site = 1 + random_below(SITES);
    uint32_t at = random_below(BYTES - size);
    if (random_below(8))
        at &= ~(size - 1);
    bool write = random_below(3) == 0;
    if (write)
        cc_depend_write(t->x, BASE + at, size, &t->sites[site]);
    else
        cc_depend_read(t->x, BASE + at, size, &t->sites[site]);
    for (uint32_t i = 0; i < size; i++)
        model_access(t->m, at + i, site, write);
}

static void clear(struct trial *t)
{
    uint32_t at = random_below(BYTES), size = random_below(BYTES - at);
    cc_depend_clear(t->d, BASE + at, size);
    for (uint32_t i = 0; i < size; i++)
        t->m->n[at + i] = 0;
}

static void event(struct trial *t)
{
    uint32_t depth = t->m->depth, what = random_below(100);
    t->now += 10;
    if (what < 10 && depth < DEEPEST)
        enter(t);
    else if (what < 30 && depth)
        iterate(t);
    else if (what < 38 && depth)
        leave(t);
    else if (what < 39)
        clear(t);
    else
        touch(t);
}

/* --- do they agree? --- */

struct verdict {
    struct model *m;
    struct tally got[LOOPS][CC_DEPENDENCE_KINDS][SITES + 1][SITES + 1];
    bool odd;
};

static void put(void *self, const struct cc_rec_dependence *r)
{
    struct verdict *v = self;
    if (r->loop >= LOOPS || r->first > SITES || r->second > SITES || r->flags & CC_DEPENDENCE_FOLDED) {
        v->odd = true;
        return;
    }
    struct tally *t = &v->got[r->loop][r->kind][r->first][r->second];
    if (r->kind == CC_DEPENDENCE_LIVE_OUT)
        t = &v->got[r->loop][r->kind][r->first][0];
    *t = (struct tally){r->count, r->distance_min, r->distance_max, r->flags & CC_DEPENDENCE_FAR};
}

static bool equal(const struct tally *a, const struct tally *b)
{
    return a->count == b->count && a->min == b->min && a->max == b->max && a->far == b->far;
}

static bool rewritten(const struct model *m, uint32_t loop, uint32_t site)
{
    for (uint32_t other = 1; other <= SITES; other++)
        if (m->found[loop][CC_DEPENDENCE_WAW][site][other].count ||
            m->found[loop][CC_DEPENDENCE_WAW][other][site].count ||
            m->within[loop][CC_DEPENDENCE_WAW][site][other] ||
            m->within[loop][CC_DEPENDENCE_WAW][other][site])
            return true;
    return false;
}

static bool pair_agrees(const struct verdict *v, uint32_t loop, uint32_t a, uint32_t b)
{
    struct tally want[CC_DEPENDENCE_KINDS], got[CC_DEPENDENCE_KINDS];
    for (uint32_t k = 0; k < CC_DEPENDENCE_KINDS; k++) {
        want[k] = v->m->found[loop][k][a][b];
        got[k] = v->got[loop][k][a][b];
    }
    if (!equal(&want[CC_DEPENDENCE_RAW], &got[CC_DEPENDENCE_RAW]) ||
        !equal(&want[CC_DEPENDENCE_WAW], &got[CC_DEPENDENCE_WAW]))
        return false;
    if (v->m->must[loop][a][b] && !got[CC_DEPENDENCE_WAR].count)
        return false;
    for (uint32_t k = CC_DEPENDENCE_WAR; k <= CC_DEPENDENCE_EXPOSED; k++)
        if (k != CC_DEPENDENCE_WAW && got[k].count > want[k].count)
            return false;
    for (uint32_t k = CC_DEPENDENCE_RAW; k <= CC_DEPENDENCE_WAW; k++) {
        bool found = got[CC_DEPENDENCE_WITHIN_RAW + k].count, real = v->m->within[loop][k][a][b];
        if (k == CC_DEPENDENCE_WAR ? found && !real : found != real)
            return false;
    }
    return true;
}

static bool agrees(const struct trial *t)
{
    static struct verdict v;
    memset(&v, 0, sizeof v);
    v.m = t->m;
    cc_depend_results(t->d, &(struct cc_depend_writer){&v, put});
    for (uint32_t loop = 0; loop < LOOPS; loop++)
        for (uint32_t a = 1; a <= SITES; a++) {
            bool live = v.got[loop][CC_DEPENDENCE_LIVE_OUT][a][0].count;
            if (live != (t->m->live[loop][a] && rewritten(t->m, loop, a)))
                return false;
            for (uint32_t b = 1; b <= SITES; b++)
                if (!pair_agrees(&v, loop, a, b))
                    return false;
        }
    return !v.odd;
}

static struct cc_depend *depend_new(const struct cc_depend_options *o)
{
    return cc_depend_new(&cc_test_host, o);
}

static bool random_program(struct model *m)
{
    struct trial t = {.m = m, .d = depend_new(&(struct cc_depend_options){.exact = true})};
    t.x = cc_depend_thread_new(t.d, 0);
    cc_depend_stack(t.x, STACK, BASE + BYTES);
    for (uint32_t i = 1; i <= SITES; i++)
        t.sites[i].address = i;
    for (uint32_t i = 0; i < BYTES; i++)
        m->n[i] = 0;
    m->depth = m->invocations = 0;
    memset(m->over, 0, sizeof m->over);
    memset(m->found, 0, sizeof m->found);
    memset(m->must, 0, sizeof m->must);
    memset(m->live, 0, sizeof m->live);
    memset(m->within, 0, sizeof m->within);
    enter(&t);
    for (uint32_t i = 0; i < EVENTS; i++)
        event(&t);
    return agrees(&t);
}

static void test_random(uint32_t programs)
{
    struct model *m = calloc(1, sizeof *m);
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < BYTES; i++)
        m->accesses[i] = calloc(MAX_ACCESSES, sizeof *m->accesses[i]);
    for (uint32_t i = 0; i < programs; i++) {
        seed = i + 1;
        if (!random_program(m) && ++wrong <= 3)
            printf("# program %u differs\n", i + 1);
    }
    OK_U64(wrong, 0, "dependences of %u random programs are those of the model", programs);
    for (uint32_t i = 0; i < BYTES; i++)
        free(m->accesses[i]);
    free(m);
}

/* --- registers --- */

enum { KEPT = 3, FREE = 5, SP = 0x7000 };

struct registers {
    struct cc_depend *d;
    struct cc_depend_thread *x;
    struct cc_depend_site sites[8];
    struct cc_rec_dependence found[32];
    size_t n;
};

static void registers_new(struct registers *r)
{
    *r = (struct registers){0};
    struct cc_depend_options o = {.exact = true, .machine = {.nkept = 1, .kept = {KEPT}}};
    o.machine.offset[KEPT] = 24;
    o.machine.offset[FREE] = 40;
    r->d = depend_new(&o);
    r->x = cc_depend_thread_new(r->d, 0);
    cc_depend_stack(r->x, SP - 1024, SP + 1024);
    for (uint32_t i = 0; i < 8; i++)
        r->sites[i].address = i;
}

static void use(struct registers *r, uint32_t granule, uint32_t flags, uint32_t site)
{
    cc_depend_register_use(r->x, granule, flags, &r->sites[site]);
}

static void store(struct registers *r, uint32_t granule, uint64_t a, uint32_t site)
{
    use(r, granule, CC_USE_STORED, site);
    cc_depend_store(r->x, a, 8, &r->sites[site], granule);
}

static void keep(void *self, const struct cc_rec_dependence *d)
{
    struct registers *r = self;
    bool other = d->kind == CC_DEPENDENCE_WRITES ||
                 (d->kind >= CC_DEPENDENCE_WITHIN_RAW && d->kind <= CC_DEPENDENCE_WITHIN_WAW);
    if (r->n < 32 && !other)
        r->found[r->n++] = *d;
}

/* What goes from one instruction to another through a register; NULL: nothing. */
static const struct cc_rec_dependence *between(struct registers *r, uint32_t kind, uint32_t first,
                                               uint32_t second)
{
    r->n = 0;
    cc_depend_results(r->d, &(struct cc_depend_writer){r, keep});
    for (size_t i = 0; i < r->n; i++)
        if (r->found[i].space == CC_SPACE_REGISTER && r->found[i].kind == kind &&
            r->found[i].first == first && r->found[i].second == second)
            return &r->found[i];
    return NULL;
}

static void test_kept(void)
{
    struct registers r;
    registers_new(&r);
    use(&r, KEPT, CC_USE_WRITE, 1);
    cc_depend_enter(r.x, 0, SP, 0, 0);
    for (uint32_t i = 0; i < 5; i++) {
        if (i)
            cc_depend_iterate(r.x, 0, SP, i);
        use(&r, KEPT, 0, 2);
        use(&r, KEPT, CC_USE_WRITE, 2);
        cc_depend_call(r.x, 100, false, 104, SP);
        store(&r, KEPT, SP - 16, 3); /* the function keeps it, uses it and puts it back */
        use(&r, KEPT, CC_USE_WRITE, 4);
        use(&r, KEPT, 0, 5);
        use(&r, KEPT, CC_USE_WRITE, 6);
        cc_depend_return(r.x, 104, SP);
    }
    cc_depend_leave(r.x, 0, 9);
    const struct cc_rec_dependence *own = between(&r, CC_DEPENDENCE_RAW, 2, 2);
    OK(own && own->distance_min == 1 && own->distance_max == 1 && own->place == 24 && own->count == 4 * 8,
       "a register that a called function keeps is followed past the call");
    OK_U64(r.n, 1, "and what the function does with it between is nobody's");
}

static void test_stored(void)
{
    struct registers r;
    registers_new(&r);
    cc_depend_enter(r.x, 0, SP, 0, 0);
    for (uint32_t i = 0; i < 4; i++) {
        if (i)
            cc_depend_iterate(r.x, 0, SP, i);
        store(&r, FREE, SP + 64, 1);  /* into the loop's own frame, */
        store(&r, FREE, SP - 64, 2);  /* into a called function's, and never read, */
        store(&r, FREE, SP - 128, 3); /* there, and read: */
        cc_depend_read(r.x, SP - 128, 4, &r.sites[4]);
        use(&r, FREE, CC_USE_WRITE, 5);
        store(&r, FREE, SP - 192, 6); /* what is of this iteration */
        cc_depend_read(r.x, SP - 192, 8, &r.sites[7]);
    }
    const struct cc_rec_dependence *d = between(&r, CC_DEPENDENCE_RAW, 5, 1);
    OK(d && d->flags & CC_DEPENDENCE_STORED, "a register that is put onto the stack is told apart");
    d = between(&r, CC_DEPENDENCE_RAW, 5, 4);
    OK(d && !(d->flags & CC_DEPENDENCE_STORED) && d->place == 40 && d->distance_max == 1 && d->count == 12,
       "one that a called function puts there counts when it is read");
    OK(!between(&r, CC_DEPENDENCE_RAW, 5, 2) && !between(&r, CC_DEPENDENCE_RAW, 5, 3),
       "and not when it is not");
    OK(!between(&r, CC_DEPENDENCE_RAW, 5, 7), "nor if it is of the same iteration");
}

static void test_left(void)
{
    struct registers r;
    registers_new(&r);
    cc_depend_enter(r.x, 0, SP, 0, 0);
    for (uint32_t i = 0; i < 4; i++) {
        if (i)
            cc_depend_iterate(r.x, 0, SP, i);
        use(&r, FREE, CC_USE_STORED, 1);
        use(&r, FREE, CC_USE_WRITE, 2);
        if (i == 2)
            cc_depend_left(r.x, FREE, &r.sites[3]);
    }
    const struct cc_rec_dependence *d = between(&r, CC_DEPENDENCE_RAW, 2, 3);
    OK(d && d->count == 8, "a register that is left as it was is read then");
}

static void test_left_over(void)
{
    struct registers r;
    registers_new(&r);
    cc_depend_enter(r.x, 0, SP, 0, 0);
    for (uint32_t i = 0; i < 4; i++) {
        if (i)
            cc_depend_iterate(r.x, 0, SP, i);
        if (i == 2)
            use(&r, FREE, CC_USE_WRITE, 1);
        use(&r, KEPT, CC_USE_WRITE, 2);
    }
    cc_depend_leave(r.x, 0, 5);
    use(&r, FREE, 0, 3);
    use(&r, KEPT, 0, 4);
    OK(between(&r, CC_DEPENDENCE_LIVE_OUT, 1, 3) != NULL,
       "what an earlier iteration left is seen after the loop");
    OK(!between(&r, CC_DEPENDENCE_LIVE_OUT, 2, 4), "what the last one left is no matter");
}

static void test_interrupted(void)
{
    struct registers r;
    registers_new(&r);
    cc_depend_enter(r.x, 0, SP, 0, 0);
    use(&r, FREE, CC_USE_WRITE, 1);
    cc_depend_iterate(r.x, 0, SP, 1);
    cc_depend_signal(r.x);
    use(&r, FREE, CC_USE_WRITE, 2);
    cc_depend_resumed(r.x);
    use(&r, FREE, 0, 3);
    OK(between(&r, CC_DEPENDENCE_RAW, 1, 3) != NULL, "a signal's handler does not hide what is carried");
}

static void test_outside(void)
{
    struct registers r;
    registers_new(&r);
    struct cc_depend_site library = {.address = 7, .outside = true}, *sites[] = {&library};
    struct cc_depend_use uses[] = {{.granule = FREE}};
    struct cc_depend_put puts[] = {{.granule = FREE}};
    struct cc_depend_piece stub = {.address = 500, .outside = true, .stub = true, .sites = sites},
                           body = {.address = 600,
                                   .outside = true,
                                   .nuses = 1,
                                   .nputs = 1,
                                   .uses = uses,
                                   .puts = puts,
                                   .sites = sites};
    cc_depend_enter(r.x, 0, SP, 0, 0);
    for (uint32_t i = 0; i < 3; i++) {
        if (i)
            cc_depend_iterate(r.x, 0, SP, i);
        cc_depend_call(r.x, 100, false, 104, SP);
        cc_depend_registers(r.x, &stub);
        cc_depend_registers(r.x, &body);
        cc_depend_return(r.x, 104, SP);
    }
    const struct cc_rec_dependence *f = between(&r, CC_DEPENDENCE_RAW, 100, 100);
    OK(f && f->first_callee == 600 && f->second_callee == 600,
       "code that is charged to its caller is known by the call and the function called");
}

/* --- sampling --- */

/* Two nests, one after the other; returns what was followed of all instructions, in percent. */
static double sampled(uint64_t always, uint64_t outer, struct cc_depend_counts ret[4])
{
    struct cc_depend *d = depend_new(&(struct cc_depend_options){.always = always});
    struct cc_depend_thread *x = cc_depend_thread_new(d, 0);
    uint64_t now = 0, on = 0;
    for (uint32_t nest = 0; nest < 2; nest++) {
        cc_depend_enter(x, nest * 2, SP, now, 0);
        for (uint64_t i = 0; i < outer; i++) {
            if (i)
                cc_depend_iterate(x, 0, SP, now);
            cc_depend_enter(x, nest * 2 + 1, SP, now, 0);
            for (uint32_t k = 0; k < 50; k++) {
                if (k)
                    cc_depend_iterate(x, 1, SP, now);
                now += 20;
                on += cc_depend_on(d) ? 20 : 0;
            }
            cc_depend_leave(x, 1, now);
        }
        cc_depend_leave(x, 0, now);
    }
    for (uint32_t i = 0; i < 4; i++)
        ret[i] = cc_depend_sampled(d, i);
    return 100.0 * (double)on / (double)now;
}

static void test_sampling(void)
{
    struct cc_depend_counts few[4], all[4];
    double part = sampled(20000, 20000, few), whole = sampled(UINT64_MAX / 4, 50, all);
    OK(part > 1 && part < 5, "a long run is followed in at most a thirtieth of its instructions: %.1f %%",
       part);
    for (uint32_t i = 0; i < 4; i++)
        OK(few[i].invocations >= 1 && few[i].iterations >= 4, "loop %u: iterations of it are followed", i);
    OK(whole == 100 && all[1].invocations == 50 && all[1].iterations == 2500,
       "a short one is followed whole");
}

/* Ten million instructions of one loop, of which each million shows something new or none does; the millions
 * that were followed. */
static double followed(bool news, struct cc_depend_options o, uint64_t *longest)
{
    enum { ITERATIONS = 100000, EACH = 100, NEW = 10000 };
    struct cc_depend *d = depend_new(&o);
    struct cc_depend_thread *x = cc_depend_thread_new(d, 0);
    struct cc_depend_site sites[ITERATIONS / NEW + 1] = {{0}};
    uint64_t now = 0, on = 0;
    cc_depend_enter(x, 0, SP, now, 0);
    for (uint32_t i = 0; i < ITERATIONS; i++, now += EACH) {
        struct cc_depend_site *site = &sites[news ? i / NEW : 0];
        site->address = 1 + (uint64_t)(site - sites);
        if (i)
            cc_depend_iterate(x, 0, SP, now);
        if (cc_depend_on(d))
            cc_depend_write(x, BASE + i % 2 * 8, 8, site);
        on += cc_depend_on(d) ? EACH : 0;
    }
    cc_depend_leave(x, 0, now);
    *longest = cc_depend_sampled(d, 0).longest;
    return (double)on / 1e6;
}

static void test_settled(void)
{
    uint64_t part, whole, exact, begin, start;
    const struct cc_depend_options none = {0}, all = {.exact = true}, first = {.whole = 5000000},
                                   more = {.whole = 50000000};
    double quiet = followed(false, none, &part), news = followed(true, none, &whole);
    OK(quiet >= 2 && quiet < 2.1, "what shows nothing new is left after two million: %.2f", quiet);
    OK(news == 10, "what does is followed: %.2f", news);
    OK(followed(false, all, &exact) == 10, "and everything, if all was asked for");
    double five = followed(false, first, &begin);
    OK(five >= 5 && five < 5.1 && begin == 0, "the first five million are, if these were: %.2f", five);
    OK(followed(false, more, &start) == 10 && start == 100000, "a run that is shorter, as a whole");
    OK(part == 0 && whole == 100000 && exact == 100000, "whether an invocation was followed as a whole");
}

/* Following stops long before the end: what the last iteration writes over needs no reader to be known. */
static void test_overwritten(void)
{
    struct cc_depend *d = depend_new(&(struct cc_depend_options){.always = 1000});
    struct cc_depend_thread *x = cc_depend_thread_new(d, 0);
    struct cc_depend_site sites[] = {{.address = 1}, {.address = 2}};
    struct registers r = {.d = d};
    cc_depend_enter(x, 0, SP, 0, 0);
    for (uint32_t i = 0; i < 8; i++) {
        if (i)
            cc_depend_iterate(x, 0, SP, i);
        cc_depend_write(x, BASE, 8, &sites[0]);
        cc_depend_write(x, BASE + 64 + i / 5 * 8, 8, &sites[1]);
    }
    cc_depend_leave(x, 0, 8);
    cc_depend_enter(x, 1, SP, 100000, 0);
    OK(!cc_depend_on(d), "following has stopped");
    cc_depend_results(d, &(struct cc_depend_writer){&r, keep});
    for (size_t i = 0; i < r.n; i++)
        OK(!(r.found[i].flags & CC_DEPENDENCE_CUT) == (r.found[i].first == 1),
           "place %zu: what an earlier iteration left is known", i);
    OK_U64(r.n, 2, "two places are overwritten");
}

/* Following begins anew in the middle of an outer iteration: what that one wrote before was not seen, and is
 * not from before the loop. */
static void test_begun_before(void)
{
    struct cc_depend *d = depend_new(&(struct cc_depend_options){.always = 2000});
    struct cc_depend_thread *x = cc_depend_thread_new(d, 0);
    struct cc_depend_site sites[] = {{.address = 1}, {.address = 2}};
    struct registers r = {.d = d};
    uint64_t now = 0;
    unsigned windows = 0;
    cc_depend_enter(x, 0, SP, now, 0);
    for (uint32_t i = 0; i < 400; i++) {
        if (i)
            cc_depend_iterate(x, 0, SP, now);
        bool was_on = cc_depend_on(d);
        if (was_on)
            cc_depend_write(x, BASE, 8, &sites[0]);
        cc_depend_enter(x, 1, SP, now, 0);
        windows += !was_on && cc_depend_on(d);
        for (uint32_t k = 0; k < 20; k++, now += 20) {
            if (k)
                cc_depend_iterate(x, 1, SP, now);
            if (cc_depend_on(d))
                cc_depend_read(x, BASE, 8, &sites[1]);
        }
        cc_depend_leave(x, 1, now);
    }
    cc_depend_leave(x, 0, now);
    cc_depend_results(d, &(struct cc_depend_writer){&r, keep});
    OK(windows > 0, "following began %u times in the middle of an iteration", windows);
    size_t exposed = 0;
    for (size_t i = 0; i < r.n; i++)
        exposed += r.found[i].kind == CC_DEPENDENCE_EXPOSED && r.found[i].loop == 0;
    OK_U64(exposed, 0, "what the iteration wrote before that is not taken to be from before the loop");
}

static uint32_t page(void *self, uint64_t address, struct cc_rec_dependence *r)
{
    (void)self;
    r->area = CC_AREA_HEAP;
    return 1 + (uint32_t)(address >> 12);
}

static size_t with_place(const struct registers *r, uint32_t kind, uint64_t place)
{
    size_t n = 0;
    for (size_t i = 0; i < r->n; i++)
        n += r->found[i].kind == kind && r->found[i].place == place;
    return n;
}

/* An object that is overwritten in one place, in another read from before the loop, in a third left behind:
 * threads cannot each have their own. */
static void test_objects(void)
{
    enum { TMP = 0x1000, OTHER = 0x2000 };
    struct registers r;
    registers_new(&r);
    cc_depend_locate(r.d, NULL, page);
    cc_depend_enter(r.x, 0, SP, 0, 0);
    for (uint32_t i = 0; i < 4; i++) {
        if (i)
            cc_depend_iterate(r.x, 0, SP, i);
        cc_depend_write(r.x, TMP, 8, &r.sites[1]);
        cc_depend_read(r.x, TMP + 8, 8, &r.sites[2]);
        cc_depend_write(r.x, TMP + 64 + 8 * i, 8, &r.sites[3]);
        cc_depend_read(r.x, OTHER, 8, &r.sites[4]);
        cc_depend_write(r.x, OTHER + 64 + 8 * i, 8, &r.sites[5]);
    }
    cc_depend_leave(r.x, 0, 9);
    cc_depend_read(r.x, TMP + 64, 8, &r.sites[6]);
    cc_depend_read(r.x, OTHER + 64, 8, &r.sites[6]);
    between(&r, CC_DEPENDENCE_RAW, 0, 0);
    OK(with_place(&r, CC_DEPENDENCE_EXPOSED, TMP + 8) == 1 &&
           with_place(&r, CC_DEPENDENCE_LIVE_OUT, TMP + 64) == 1,
       "what else is done to an object that is overwritten is told");
    size_t reads = 0;
    for (size_t i = 0; i < r.n; i++)
        reads += r.found[i].kind == CC_DEPENDENCE_READS;
    OK(reads == 2 && with_place(&r, CC_DEPENDENCE_READS, TMP + 8) == 1 &&
           with_place(&r, CC_DEPENDENCE_READS, OTHER) == 1,
       "who reads in the loop what it writes is told");
    OK_U64(r.n - reads, 3, "and of others nothing");
}

/* Two loops of one line, one after the other: what goes from one to the other, and how far apart their
 * numbers are. */
static void test_across(bool returns, const char *what)
{
    struct registers r;
    registers_new(&r);
    for (uint32_t loop = 0; loop < 2; loop++) {
        cc_depend_enter(r.x, loop, SP, loop * 10, 77);
        for (uint32_t i = 0; i < 3; i++) {
            if (i)
                cc_depend_iterate(r.x, 0, SP, loop * 10 + i);
            if (loop == 1)
                cc_depend_read(r.x, BASE + 8 * i, 8, &r.sites[2]);
            cc_depend_write(r.x, BASE + (loop ? 64 : 0) + 8 * i, 8, &r.sites[1]);
            if (loop == 1 && i == 1)
                cc_depend_write(r.x, BASE + 16, 8, &r.sites[3]);
        }
        cc_depend_leave(r.x, 0, loop * 10 + 5);
        cc_depend_write(r.x, BASE + 128, 8, &r.sites[4]); /* in neither */
        if (returns)
            cc_depend_return(r.x, 104, SP);
    }
    r.n = 0;
    cc_depend_results(r.d, &(struct cc_depend_writer){&r, keep});
    const struct cc_rec_dependence *raw = NULL, *waw = NULL;
    for (size_t i = 0; i < r.n; i++) {
        raw = r.found[i].kind == CC_DEPENDENCE_ACROSS_RAW ? &r.found[i] : raw;
        waw = r.found[i].kind == CC_DEPENDENCE_ACROSS_WAW ? &r.found[i] : waw;
    }
    if (returns) {
        OK(!raw && !waw, "%s", what);
        return;
    }
    OK(raw && raw->loop == 1 && raw->first == 1 && raw->second == 2 && raw->count == 2 * 8 &&
           raw->distance_max == 0,
       "%s: of the same number", what);
    OK(waw && waw->loop == 1 && waw->first == 1 && waw->second == 3 && waw->distance_min == 1,
       "%s: of others", what);
}

int main(void)
{
    test_across(false, "loops of one line");
    test_across(true, "a function that has returned is another matter");
    test_random(400);
    test_kept();
    test_stored();
    test_left();
    test_left_over();
    test_interrupted();
    test_outside();
    test_sampling();
    test_settled();
    test_overwritten();
    test_begun_before();
    test_objects();
    return TAP_DONE();
}
