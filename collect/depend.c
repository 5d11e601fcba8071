/* Loops that are under way, stamps, and when dependences are followed. */
#include "depend_internal.h"

enum {
    ALWAYS = 20000000,   /* instructions that may be followed in any case, */
    SHARE = 32,          /* and one in so many of all; */
    QUIET = 2000000,     /* but no more once so many show nothing new, */
    SPOT = 20000,        /* or so many where a loop was looked at again; */
    PATIENCE = 1000000,  /* and for what is known already, so many instructions of iterations are too long */
    ENOUGH = 4,          /* iterations in a row of a loop that asked, */
    MANY = 64,           /* or so many in all: some never make more than one or two in a row */
    LITTLE = 200000,     /* instructions that a loop gets once though the others have used up everything */
    LATE_KEPT = 1 << 18, /* pieces of code that ran first while nothing was followed, with a loop each */
    LAST_STAMP = 0xfff00000,
};
#define MEMORY_SHARE 8                    /* bytes of cells for a byte that is followed, and */
#define MEMORY_EXTRA (UINT64_C(64) << 20) /* so many more */

/* Of a thread's count of instructions: it was not asked for when it was switched on. */
#define NOT_SEEN UINT64_MAX

void *cc_depend_grow(struct cc_depend *d, void *p, size_t *cap, size_t want, size_t item)
{
    size_t more = *cap ? *cap * 2 : 4096 / item + 1;
    while (more < want)
        more *= 2;
    uint8_t *grown = d->host.map(d->host.self, more * item);
    if (p) {
        __builtin_memcpy(grown, p, *cap * item);
        d->host.unmap(d->host.self, p, *cap * item);
    }
    *cap = more;
    return grown;
}

struct cc_depend *cc_depend_new(const struct cc_host *host, const struct cc_depend_options *o)
{
    struct cc_depend *d = host->map(host->self, sizeof *d);
    d->host = *host;
    d->opt = *o;
    cc_depend_find_heads(d);
    if (!d->opt.always)
        d->opt.always = ALWAYS;
    d->directory = host->map(host->self, CC_DIRECTORY * sizeof *d->directory);
    d->links = cc_depend_extend(d, NULL, &d->links_cap, 1, sizeof *d->links);
    d->nlinks = 1; /* 0: none */
    d->sites = cc_depend_extend(d, NULL, &d->sites_cap, 1, sizeof *d->sites);
    d->nsites = 1;
    d->stamp = 1;
    return d;
}

struct cc_depend_thread *cc_depend_thread_new(struct cc_depend *d, uint64_t now)
{
    struct cc_depend_thread *x = d->host.map(d->host.self, sizeof *x);
    x->owner = d;
    x->seen = now;
    x->next = d->threads;
    d->threads = x;
    for (struct cc_depend_thread *other = x->next; other; other = other->next)
        cc_depend_no_frames(other, 0);
    return x;
}

void cc_depend_stack(struct cc_depend_thread *x, uint64_t start, uint64_t end)
{
    x->stack_start = start;
    x->stack_end = end;
}

const struct cc_depend_machine *cc_depend_machine_of(const struct cc_depend *d)
{
    return &d->opt.machine;
}

bool cc_depend_on(const struct cc_depend *d)
{
    return d->on;
}

/* --- when --- */

static uint32_t chain_of(uint32_t around, uint32_t loop)
{
    return around * CC_DEPEND_CHAIN + (loop + 1) * 0x9e3779b1u;
}

/* Which they are, in any order: a recursion that comes to the same loops again changes nothing. */
static uint32_t path_of(uint32_t around, uint32_t loop, bool again)
{
    uint32_t path = again ? around : around + (uint32_t)cc_depend_mix((uint64_t)loop + 1);
    return path ? path : 1;
}

/* The loop is under way at that level. */
static void put_under_way(struct cc_depend_thread *x, size_t level)
{
    struct cc_depend_loop *l = &x->loops[level];
    uint32_t word = l->loop / 64;
    x->under = cc_depend_extend(x->owner, x->under, &x->under_cap, (size_t)l->loop + 1, sizeof *x->under);
    x->way = cc_depend_extend(x->owner, x->way, &x->way_cap, word + 1, sizeof *x->way);
    x->ways = cc_depend_extend(x->owner, x->ways, &x->ways_cap, word / 64 + 1, sizeof *x->ways);
    l->same = x->under[l->loop];
    x->under[l->loop] = (uint32_t)level + 1;
    x->way[word] |= UINT64_C(1) << l->loop % 64;
    x->ways[word / 64] |= UINT64_C(1) << word % 64;
    l->path = path_of(level ? l[-1].path : 0, l->loop, l->same);
    l->chain = chain_of(level ? l[-1].chain : 0, l->loop);
}

static void put_bounds(struct cc_depend_thread *x, size_t level)
{
    x->bounds[2 * level] = x->loops[level].invocation;
    x->bounds[2 * level + 1] = x->loops[level].iteration;
}

/* What was met before counts as before everything: stamps of before are below all that begin now. */
static void start(struct cc_depend *d)
{
    d->window = ++d->stamp;
    d->on = true;
    for (struct cc_depend_thread *x = d->threads; x; x = x->next) {
        x->seen = NOT_SEEN;
        x->ncontinued = x->calm = 0;
        x->wholes = ++d->wholes;
        x->nbegun = x->nloops;
        cc_depend_none_under_way(x);
        for (size_t i = 0; i < x->nloops; i++) {
            struct cc_depend_loop *l = &x->loops[i];
            l->invocation = l->iteration = d->window;
            put_under_way(x, i);
            put_bounds(x, i);
            if (l->known)
                l->began = 0; /* nobody has told of its iterations */
            l->before = l->before_end = l->calm = 0;
            l->statement = 0; /* its iterations are not counted from the first on */
            l->number = 0;
            l->whole = CC_DEPEND_NOT_WHOLE;
            l->followed = 0;
            l->entire = false;
            l->ring[0] = d->window;
            if (d->opt.calls)
                cc_depend_segment_put(x, i);
        }
        cc_depend_no_frames(x, 0);
        if (x->nloops)
            d->newest = d->window;
        x->ncalls = x->nsaved = 0;
        x->left.statement = 0;
        x->outside = (struct cc_depend_outside){0};
        __builtin_memset(x->registers, 0, sizeof x->registers);
        x->theirs.stamp = 0;
    }
    for (size_t i = 0; i < d->loops_cap; i++)
        d->loops[i].nended = d->loops[i].end = d->loops[i].quiet_to = d->loops[i].overwrote = 0,
        d->loops[i].overlaps = false;
}

/* What the last iteration that was seen whole wrote is taken for what the last one will write. */
static void last_seen(struct cc_depend *d, const struct cc_depend_thread *x)
{
    for (size_t i = 0; i < x->nloops; i++) {
        const struct cc_depend_loop *l = &x->loops[i];
        if (l->number && !d->opt.calls)
            cc_depend_last(d, l, l->ring[(l->number - 1) % CC_DEPEND_RING]);
    }
}

void cc_depend_stop(struct cc_depend *d)
{
    for (const struct cc_depend_thread *x = d->threads; x; x = x->next) {
        last_seen(d, x);
        for (size_t i = 0; i < x->nloops; i++)
            if (x->loops[i].strange)
                cc_depend_facts(d, x->loops[i].loop)->strange = true;
    }
    d->on = false;
    d->cut = true;
    d->asker = NULL;
}

void cc_depend_off(struct cc_depend *d)
{
    d->on = false;
    d->cut = d->never = true;
}

void cc_depend_wait(struct cc_depend *d, bool yes)
{
    if (yes && d->on)
        cc_depend_stop(d);
    d->waits = yes;
}

static uint64_t budget(const struct cc_depend *d)
{
    return d->opt.always + d->opt.whole + d->total / SHARE + d->granted;
}

/* Whether every iteration is to be followed now. */
static bool is_exact(const struct cc_depend *d)
{
    return d->opt.exact || d->total < d->opt.whole;
}

/* Whether what is followed only shows what is known. */
static bool settled(struct cc_depend *d)
{
    if (d->news) {
        d->news = false;
        d->learnt = d->followed;
    }
    uint64_t since = d->followed - d->learnt;
    /* who asked and has not made one iteration by then would need far more */
    bool waits = d->asker && (since <= d->patience || (d->asker_left < ENOUGH && d->patience == QUIET));
    return !is_exact(d) && !d->opt.calls && !waits && since > d->quiet;
}

static bool too_much(const struct cc_depend *d)
{
    return d->stamp >= LAST_STAMP ||
           d->memory + d->nlinks * sizeof *d->links > d->touched * MEMORY_SHARE + MEMORY_EXTRA;
}

/* Time passes: is it still to be on? While it is off, whoever asks for it has to know, and nobody else. */
static void account(struct cc_depend_thread *x, uint64_t now)
{
    struct cc_depend *d = x->owner;
    uint64_t passed = x->seen == NOT_SEEN ? 0 : now - x->seen;
    x->seen = now;
    d->total += passed;
    if (!d->on)
        return;
    d->followed += passed;
    bool full = too_much(d);
    if (full || settled(d) ||
        (!is_exact(d) && d->followed > budget(d) && (!d->asker || d->followed > 2 * budget(d))))
        cc_depend_stop(d);
    if (!full)
        return;
    cc_depend_drop_cells(d);
    cc_depend_forget_outlived(d);
    cc_depend_forget_seen(d);
    d->stamp = 1;
    if (is_exact(d))
        start(d);
}

/* Instructions of so many iterations, by those there were. */
static uint64_t cost_of(const struct loop_facts *f, uint64_t iterations)
{
    return f->iterations ? f->instructions / f->iterations * iterations : 0;
}

/* So that a loop late in a long run is not left out: once for each, if it needs little. */
static bool grant(struct cc_depend *d, struct loop_facts *f, uint64_t cost)
{
    if (f->granted || !f->iterations || cost > LITTLE)
        return false;
    f->granted = true;
    d->granted += d->followed - budget(d) + LITTLE;
    return true;
}

static bool is_known(const struct loop_facts *f)
{
    return f->followed >= ENOUGH || f->sampled.iterations >= MANY;
}

static void ask(struct cc_depend_thread *x, size_t level, uint64_t now)
{
    struct cc_depend *d = x->owner;
    account(x, now);
    struct loop_facts *f = cc_depend_facts(d, x->loops[level].loop);
    uint64_t cost = cost_of(f, ENOUGH);
    if (d->never || d->waits || (is_known(f) && cost > PATIENCE && !is_exact(d)))
        return;
    if (!is_exact(d) && d->followed + cost > budget(d) && !(d->followed > budget(d) && grant(d, f, cost)))
        return;
    d->quiet = f->asked || f->sampled.iterations ? SPOT : QUIET;
    f->asked = true;
    d->patience = is_known(f) ? PATIENCE : QUIET;
    d->learnt = d->followed;
    start(d);
    x->seen = now;
    x->loops[level].whole = d->window; /* of those around it, the present iteration began before */
    d->asker = x;
    d->asker_level = level;
    d->asker_left = ENOUGH;
}

/* On until the loop is left, or has made so many iterations. */
static void start_for(struct cc_depend_thread *x, size_t level, uint64_t now, uint32_t iterations)
{
    struct cc_depend *d = x->owner;
    d->patience = UINT64_MAX;
    d->learnt = d->followed;
    start(d);
    x->seen = now;
    x->loops[level].whole = d->window;
    d->asker = x;
    d->asker_level = level;
    d->asker_left = iterations;
}

/* Code that ran first while nothing was followed, as of the last row of a grid, runs again where the loops
 * around it do: so an invocation of these is followed from end to end as soon as that can be afforded. */
static void ask_for_whole(struct cc_depend_thread *x, size_t level, uint64_t now)
{
    struct cc_depend *d = x->owner;
    struct loop_facts *f = cc_depend_facts(d, x->loops[level].loop);
    account(x, now);
    if (d->never || d->waits || d->opt.calls || !f->cost || d->followed + f->cost > budget(d))
        return;
    f->wanted = false;
    f->cost = 0;
    d->quiet = SPOT;
    start_for(x, level, now, UINT32_MAX);
}

/* It is entered in a way that is new: with other distances between what it accesses, or another step. If all
 * of it cannot be afforded, some of it has to do. */
static void ask_for_sign(struct cc_depend_thread *x, size_t level, uint64_t now)
{
    struct cc_depend *d = x->owner;
    struct loop_facts *f = cc_depend_facts(d, x->loops[level].loop);
    account(x, now);
    uint64_t most = budget(d) + d->total / SHARE;
    bool whole = d->followed + x->sign.cost <= most, many = d->followed + cost_of(f, MANY) <= most;
    if (d->never || d->waits || (!whole && !many && d->followed + cost_of(f, ENOUGH) > most)) {
        f->strange = true;
        return;
    }
    d->quiet = 0;
    start_for(x, level, now, whole ? UINT32_MAX : many ? MANY : ENOUGH);
    x->loops[level].strange = whole;
}

static void follow_sign(struct cc_depend_thread *x, size_t level, uint64_t now)
{
    struct cc_depend *d = x->owner;
    if (!d->on) {
        ask_for_sign(x, level, now);
        return;
    }
    x->loops[level].strange = true;
    if (d->asker)
        return; /* it stays on until that loop is left */
    d->patience = UINT64_MAX;
    d->asker = x;
    d->asker_level = level;
    d->asker_left = UINT32_MAX;
}

bool cc_depend_wants_sign(struct cc_depend *d, uint32_t loop)
{
    const struct loop_facts *f = cc_depend_facts(d, loop);
    return !is_exact(d) && !d->opt.calls && is_known(f) && f->nsigns < SIGNS_KEPT;
}

bool cc_depend_is_strange(const struct cc_depend *d, uint32_t loop)
{
    return loop < d->loops_cap && d->loops[loop].strange;
}

/* The first is taken for that of the invocations that were followed before it was known. */
static bool is_new_sign(struct loop_facts *f, uint64_t sign)
{
    for (uint32_t i = 0; i < f->nsigns; i++)
        if (f->signs[i] == sign)
            return false;
    if (!sign || f->nsigns == SIGNS_KEPT)
        return false;
    f->signs[f->nsigns++] = sign;
    return f->nsigns > 1;
}

static void note_cost(struct cc_depend *d, const struct cc_depend_loop *l, uint64_t now)
{
    struct loop_facts *f = d->wanted ? cc_depend_facts(d, l->loop) : NULL;
    if (f && f->wanted && now - l->entered > f->cost)
        f->cost = now - l->entered;
}

static void answered(struct cc_depend_thread *x, size_t level)
{
    struct cc_depend *d = x->owner;
    if (d->asker == x && d->asker_level >= level)
        d->asker = NULL;
}

/* --- code that was never followed --- */

void cc_depend_first(struct cc_depend_thread *x, const struct cc_depend_piece *p)
{
    struct cc_depend *d = x->owner;
    if (d->on || p->outside)
        return;
    for (size_t i = 0; i < x->nloops; i++) {
        cc_depend_facts(d, x->loops[i].loop)->wanted = d->wanted = true;
        if (d->nlate == LATE_KEPT) {
            cc_depend_facts(d, x->loops[i].loop)->too_late = true;
            continue;
        }
        d->late = cc_depend_extend(d, d->late, &d->late_cap, d->nlate + 1, sizeof *d->late);
        d->late[d->nlate++] = (struct late){p, x->loops[i].loop};
    }
}

/* Of the bytes of code, which were followed. */
static struct code_line *code_line(struct cc_depend *d, uint64_t address)
{
    uint64_t line = address / CODE_LINE + 1;
    size_t at = (size_t)(line * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (d->code_cap - 1);
    while (d->code[at].line && d->code[at].line != line)
        at = (at + 1) & (d->code_cap - 1);
    return &d->code[at];
}

static void grow_code(struct cc_depend *d)
{
    struct code_line *old = d->code;
    size_t cap = d->code_cap;
    d->code_cap = cap ? 2 * cap : 1024;
    d->code = d->host.map(d->host.self, d->code_cap * sizeof *d->code);
    for (size_t i = 0; i < cap; i++)
        if (old[i].line)
            *code_line(d, (old[i].line - 1) * CODE_LINE) = old[i];
    if (old)
        d->host.unmap(d->host.self, old, cap * sizeof *old);
}

void cc_depend_code_followed(struct cc_depend *d, uint64_t from, uint64_t to)
{
    for (uint64_t a = from; a <= to; a++) {
        if (2 * d->ncode >= d->code_cap)
            grow_code(d);
        struct code_line *l = code_line(d, a);
        d->ncode += !l->line;
        l->line = a / CODE_LINE + 1;
        l->bytes |= UINT64_C(1) << a % CODE_LINE;
    }
}

static bool is_followed(struct cc_depend *d, uint64_t address)
{
    return d->code && code_line(d, address)->bytes >> address % CODE_LINE & 1;
}

void cc_depend_find_late(struct cc_depend *d, void *self, uint32_t (*function_of)(void *self, uint32_t loop))
{
    for (size_t i = 0; i < d->loops_cap; i++)
        d->loops[i].late = d->loops[i].too_late;
    for (size_t i = 0; i < d->nlate; i++) {
        const struct late *x = &d->late[i];
        bool followed = is_followed(d, x->piece->address) && is_followed(d, x->piece->last);
        if (!followed &&
            x->piece->function != function_of(self, x->loop)) /* else it may lie behind the loop */
            cc_depend_facts(d, x->loop)->late = true;
    }
}

void cc_depend_ran(struct cc_depend *d, uint64_t address, uint32_t loop)
{
    if (d->code && !is_followed(d, address))
        cc_depend_facts(d, loop)->late = true;
}

void cc_depend_shared(struct cc_depend_thread *x, uint64_t device, uint64_t number)
{
    struct cc_depend *d = x->owner;
    for (size_t i = 0; i < d->nshared; i++)
        d->twice = d->twice || (d->shared[i][0] == device && d->shared[i][1] == number);
    d->twice = d->twice || d->nshared == SHARED_KEPT;
    if (!d->twice) {
        d->shared[d->nshared][0] = device;
        d->shared[d->nshared++][1] = number;
    }
}

bool cc_depend_lies_twice(const struct cc_depend *d)
{
    return d->twice;
}

bool cc_depend_is_late(const struct cc_depend *d, uint32_t loop)
{
    return loop < d->loops_cap && d->loops[loop].late;
}

static bool is_power(uint64_t n)
{
    return (n & (n - 1)) == 0;
}

/* --- loops --- */

static void find_newest(struct cc_depend *d)
{
    d->newest = 0;
    for (const struct cc_depend_thread *x = d->threads; x; x = x->next)
        if (x->nloops && x->loops[x->nloops - 1].invocation > d->newest)
            d->newest = x->loops[x->nloops - 1].invocation;
}

/* When the iteration around the innermost loop began. */
static uint32_t around(const struct cc_depend_thread *x)
{
    return x->nloops > 1 ? x->loops[x->nloops - 2].iteration : 0;
}

/* Whether it goes on with the iterations of the loop that was left last. */
static void continues(struct cc_depend_thread *x, struct cc_depend_loop *l)
{
    const struct cc_depend_left *was = &x->left;
    if (was->statement && was->statement == l->statement && was->loop != l->loop &&
        was->around == around(x)) {
        l->before = was->began;
        l->before_end = was->end;
        l->before_plain = was->plain;
        x->ncontinued++;
    }
    x->left.statement = 0;
}

void cc_depend_enter(struct cc_depend_thread *x, uint32_t loop, uint64_t sp, uint64_t now, uint64_t statement)
{
    struct cc_depend *d = x->owner;
    if (d->on)
        account(x, now);
    struct loop_facts *f = cc_depend_facts(d, loop);
    f->invocations++;
    x->loops = cc_depend_extend(d, x->loops, &x->loops_cap, x->nloops + 1, sizeof *x->loops);
    struct cc_depend_loop *l = &x->loops[x->nloops++];
    x->bounds = cc_depend_extend(d, x->bounds, &x->bounds_cap, 2 * x->nloops, sizeof *x->bounds);
    l->loop = loop; /* if it is switched on later, start says the rest */
    l->sp = sp;
    l->began = l->entered = now;
    l->known = false;
    l->tag = 0;
    l->calls = false;
    if (d->on)
        put_under_way(x, x->nloops - 1);
    l->strange = false;
    if (is_new_sign(f, x->sign.v))
        follow_sign(x, x->nloops - 1, now);
    x->sign.v = 0;
    if (!d->on && f->wanted)
        ask_for_whole(x, x->nloops - 1, now);
    if (!d->on && (is_power(f->invocations) || !f->followed))
        ask(x, x->nloops - 1, now);
    l->known = is_known(f);
    if (!d->on)
        return;
    l->statement = statement;
    l->number = l->followed = l->before = l->before_end = 0;
    l->before_plain = false;
    l->entire = true;
    l->invocation = l->iteration = l->whole = l->ring[0] = ++d->stamp;
    l->calm = x->calm; /* its first iteration needs nothing from another of it */
    d->newest = d->stamp;
    put_bounds(x, x->nloops - 1);
    cc_depend_no_frames(x, x->nloops - 1);
    continues(x, l);
    if (d->opt.calls)
        cc_depend_segment_put(x, x->nloops - 1);
    f->sampled.invocations++;
}

/* --- loops that are somebody else's --- */

static bool is_alone(const struct cc_depend_thread *x)
{
    const struct cc_depend *d = x->owner;
    return !d->on && d->threads == x && !x->next;
}

bool cc_depend_lend(struct cc_depend_thread *x, size_t loops)
{
    if (!is_alone(x) || !loops || x->nloops != loops || !x->loops[loops - 1].known ||
        cc_depend_facts(x->owner, x->loops[loops - 1].loop)->wanted)
        return false;
    x->nloops--;
    return true;
}

void cc_depend_borrow(struct cc_depend_thread *x, uint32_t loop, uint64_t now)
{
    struct cc_depend *d = x->owner;
    if (d->on) {
        cc_depend_enter(x, loop, 0, now, 0);
        return;
    }
    x->loops = cc_depend_extend(d, x->loops, &x->loops_cap, x->nloops + 1, sizeof *x->loops);
    struct cc_depend_loop *l = &x->loops[x->nloops++];
    x->bounds = cc_depend_extend(d, x->bounds, &x->bounds_cap, 2 * x->nloops, sizeof *x->bounds);
    *l = (struct cc_depend_loop){.loop = loop, .entered = now, .known = true};
}

/* Nothing of it has to be looked at, but for its sign. */
static bool is_usual(const struct cc_depend_thread *x, const struct loop_facts *f)
{
    return is_alone(x) && is_known(f) && f->followed && !f->wanted;
}

bool cc_depend_is_power(struct cc_depend *d, uint32_t loop)
{
    return is_power(cc_depend_facts(d, loop)->invocations + 1);
}

bool cc_depend_enter_known(struct cc_depend_thread *x, uint32_t loop, uint64_t sign)
{
    struct loop_facts *f = cc_depend_facts(x->owner, loop);
    uint32_t i = 0;
    while (sign && i < f->nsigns && f->signs[i] != sign)
        i++;
    if (!is_usual(x, f) || is_power(f->invocations + 1) || (sign && i == f->nsigns))
        return false;
    f->invocations++;
    return true;
}

uint64_t cc_depend_quiet(struct cc_depend_thread *x, uint32_t loop)
{
    struct loop_facts *f = cc_depend_facts(x->owner, loop);
    uint64_t power = 1;
    while (power <= f->invocations)
        power *= 2;
    uint64_t n = power - 1 - f->invocations;
    if (!is_usual(x, f) || !n)
        return 0;
    f->invocations += n;
    return n + 1;
}

void cc_depend_not_entered(struct cc_depend *d, uint32_t loop, uint64_t times)
{
    cc_depend_facts(d, loop)->invocations -= times;
}

/* An iteration that was followed from its beginning is over. */
static void completed(struct loop_facts *f, struct cc_depend_loop *l)
{
    if (l->whole == CC_DEPEND_NOT_WHOLE)
        return;
    f->sampled.iterations++;
    if (++l->followed > f->followed)
        f->followed = l->followed;
}

static void iteration_done(struct loop_facts *f, struct cc_depend_loop *l, uint64_t now)
{
    if (l->began) {
        f->iterations++;
        f->instructions += now - l->began;
    }
    l->began = now;
}

bool cc_depend_idle(const struct cc_depend_thread *x)
{
    return !x->owner->on && x->nloops && x->loops[x->nloops - 1].known;
}

void cc_depend_iterate(struct cc_depend_thread *x, size_t level, uint64_t sp, uint64_t now)
{
    struct cc_depend *d = x->owner;
    struct cc_depend_loop *l = &x->loops[level];
    if (!d->on && l->known)
        return;
    if (d->on)
        account(x, now);
    bool followed = d->on;
    struct loop_facts *f = cc_depend_facts(d, l->loop);
    iteration_done(f, l, now);
    l->sp = sp;
    if (!d->on && !is_known(f))
        ask(x, level, now);
    if (!d->on)
        return;
    if (followed)
        completed(f, l);
    x->bounds[2 * level + 1] = l->iteration = x->calm = ++d->stamp;
    cc_depend_no_frames(x, level);
    if (l->whole == CC_DEPEND_NOT_WHOLE) {
        l->whole = d->stamp;
        x->wholes = ++d->wholes;
    }
    l->ring[++l->number % CC_DEPEND_RING] = d->stamp;
    if (followed && d->asker == x && d->asker_level == level && --d->asker_left == 0)
        d->asker = NULL;
}

void cc_depend_segment(struct cc_depend_thread *x, size_t level, uint64_t tag, uint64_t sp, uint64_t now)
{
    struct cc_depend_loop *l = &x->loops[level];
    if (x->owner->on && l->tag)
        cc_depend_followed(x, l);
    l->tag = tag;
    cc_depend_iterate(x, level, sp, now);
    if (x->owner->on)
        cc_depend_segment_put(x, level);
}

static void left(struct cc_depend_thread *x, struct cc_depend_loop *l)
{
    struct loop_facts *f = cc_depend_facts(x->owner, l->loop);
    completed(f, l);
    if (!x->owner->opt.calls)
        cc_depend_last(x->owner, l, l->iteration);
    if (l->invocation <= f->end)
        f->overlaps = true;
    f->end = x->owner->stamp;
    f->ended[f->nended++ % INVOCATIONS_KEPT] =
        (struct ended){.began = l->invocation, .last = l->iteration, .end = x->owner->stamp};
    if (!x->owner->opt.calls)
        cc_depend_outlived(x->owner, l->invocation, l->iteration);
    if (l->entire && l->number >= f->sampled.longest)
        f->sampled.longest = l->number + 1;
    if (!f->followed) /* of one iteration: there is no more to be seen of it */
        f->followed = 1;
}

/* What comes behind it has another stamp. */
static void note_left(struct cc_depend_thread *x, const struct cc_depend_loop *l)
{
    x->left = (struct cc_depend_left){.statement = l->statement, .loop = l->loop, .around = around(x)};
    if (!l->statement)
        return;
    x->left.began = l->before ? l->before : l->invocation;
    x->left.plain = !l->before && l->iteration - l->invocation == l->number;
    x->left.end = ++x->owner->stamp;
}

void cc_depend_leave(struct cc_depend_thread *x, size_t level, uint64_t now)
{
    if (!x->owner->on && x->nloops == level + 1 && x->loops[level].known) {
        note_cost(x->owner, &x->loops[level], now);
        x->nloops = level; /* as most are */
        return;
    }
    if (x->owner->on)
        account(x, now);
    answered(x, level);
    while (x->nloops > level) {
        struct cc_depend_loop *l = &x->loops[x->nloops - 1];
        note_cost(x->owner, l, now);
        if (x->owner->on || !l->known)
            iteration_done(cc_depend_facts(x->owner, l->loop), l, now);
        if (x->owner->on) {
            left(x, l);
            note_left(x, l);
            cc_depend_not_under_way(x, l);
            x->ncontinued -= l->before != 0;
            x->calm = l->calm;
        }
        x->nloops--;
    }
    if (x->nbegun > level) {
        x->nbegun = level;
        x->wholes = ++x->owner->wholes;
    }
    if (x->owner->on) {
        find_newest(x->owner);
        cc_depend_frames_of_innermost(x);
    }
}

static void give_back(const struct cc_host *h, void *p, size_t size)
{
    if (p)
        h->unmap(h->self, p, size);
}

void cc_depend_thread_end(struct cc_depend_thread *x, uint64_t now)
{
    cc_depend_leave(x, 0, now);
    for (struct cc_depend_thread **at = &x->owner->threads; *at; at = &(*at)->next)
        if (*at == x) {
            *at = x->next;
            break;
        }
    struct cc_host h = x->owner->host;
    give_back(&h, x->loops, x->loops_cap * sizeof *x->loops);
    give_back(&h, x->bounds, x->bounds_cap * sizeof *x->bounds);
    give_back(&h, x->under, x->under_cap * sizeof *x->under);
    give_back(&h, x->way, x->way_cap * sizeof *x->way);
    give_back(&h, x->ways, x->ways_cap * sizeof *x->ways);
    give_back(&h, x->fresh, x->fresh_cap * sizeof *x->fresh);
    give_back(&h, x->calls, x->calls_cap * sizeof *x->calls);
    give_back(&h, x->saved, x->saved_cap * sizeof *x->saved);
    h.unmap(h.self, x, sizeof *x);
}
