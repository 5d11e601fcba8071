/* From what was lost, where, to one finding a fault. */
#include "groups.h"
#include "../../base/text.h"

const struct cc_cause_info cc_causes[CC_CAUSES] = {
#define CC_CAUSE(id, name, part, advice) {name, advice, CC_PART_##part},
#include "causes.def"
#undef CC_CAUSE
};

/* ---- which cause ---- */

/* Does one bank do much more than its part, where several could share? */
static bool is_hot(const struct grouping *g, uint16_t node)
{
    uint64_t all = 0, here = node < CC_COUNT(g->w->node_accesses) ? g->w->node_accesses[node] : 0;
    for (size_t i = 0; i < CC_COUNT(g->w->node_accesses); i++)
        all += g->w->node_accesses[i];
    double fair = 1.0 / CC_MAX(g->data_nodes, 1u);
    return g->data_nodes > 1 && (double)here > CC_MIN(0.75, 2 * fair) * (double)all;
}

static bool is_library_lock(enum cc_cause cause)
{
    return cause == CC_CAUSE_ALLOCATOR || cause == CC_CAUSE_RANDOM || cause == CC_CAUSE_STDIO;
}

/* OpenMP's run-time library hands out work, and touches none of the program's data meanwhile. */
static bool hands_out(const struct site *s)
{
    return s->runtime && (s->cause == CC_CAUSE_CHUNKS || s->cause == CC_CAUSE_TASKS);
}

/* What a function that does nothing but keep threads apart queues for with an atomic is what all want to
 * change, and part of it. */
static enum cc_cause cause_of_queue(const struct grouping *g, const struct loss *l, const struct site *s)
{
    if (s->program && hands_out(s))
        return s->cause;
    if (l->fetch)
        return CC_CAUSE_CODE;
    if (l->atomic && s->program && s->called && contention_is_lock(s->cause) && !is_library_lock(s->cause))
        return s->cause;
    return is_hot(g, l->node) ? CC_CAUSE_HOT_BANK : CC_CAUSE_BANDWIDTH;
}

static enum cc_cause cause_of_access(const struct grouping *g, const struct loss *l, const struct site *s)
{
    switch (l->why) {
    case CC_TRACE_LOST_TRUE:
        return contention_is_lock(s->cause) ? s->cause : CC_CAUSE_TRUE_SHARING;
    case CC_TRACE_LOST_FALSE: /* of a lock: its parts lie in one line, or several locks do (fold_locks) */
        return CC_CAUSE_FALSE_SHARING;
    case CC_TRACE_LOST_TRANSFER:
        return contention_is_lock(s->cause) ? s->cause : CC_CAUSE_TRANSFER;
    case CC_TRACE_LOST_BUFFER:
        return CC_CAUSE_WRITE_BUFFER;
    default:
        return cause_of_queue(g, l, s);
    }
}

static bool holds(const char *text, const char *word)
{
    return text && strcasestr(text, word);
}

/* A spin loop says by its own name, its variable's, or by how it is used what it is. */
static enum cc_cause cause_of_spin(const struct grouping *g, const struct loss *l, const struct site *s,
                                   const char *object)
{
    if (contention_is_lock(s->cause))
        return s->cause;
    if (holds(s->function, "barrier") || holds(object, "barrier"))
        return CC_CAUSE_BARRIER;
    const uint64_t *at = cc_map_get(&g->w->by_address, l->from & ~(uint64_t)7);
    struct awaited a = at ? g->w->awaited.v[*at] : (struct awaited){0};
    /* who waits for a lock also gives it back, every time; a barrier is opened by one for all others, which
     * have told that they are there; an atomic that nobody gives back is one that many want to change */
    if (contention_given_back(g->w, l->from) || holds(s->function, "lock") || holds(object, "lock"))
        return CC_CAUSE_SPIN_LOCK;
    if (2 * a.waits >= 3 * a.writes && a.writes && 2 * a.arrived >= a.waits && !l->retry)
        return CC_CAUSE_BARRIER;
    return l->retry || 2 * a.atomic > a.waits ? CC_CAUSE_TRUE_SHARING : CC_CAUSE_SPINNING;
}

static enum cc_cause cause_by_reason(const struct grouping *g, const struct loss *l, const struct site *s,
                                     const char *object)
{
    switch (l->why) {
    case LOSS_WAIT: /* a worker that has not seen the program yet waits for its first work */
        if (s->cause == CC_CAUSE_BARRIER && !s->own)
            return CC_CAUSE_START;
        return s->cause < CC_CAUSES ? s->cause : CC_CAUSE_LOCK;
    case LOSS_JOIN:
        return CC_CAUSE_JOIN;
    case LOSS_UNUSED:
        return CC_CAUSE_UNUSED;
    case LOSS_IDLE:
        if (!s->program || s->cause == CC_CAUSE_START || l->idle == IDLE_START ||
            (l->idle == IDLE_LAST && s->cause == CC_CAUSE_JOIN)) /* threads that have ended are put away */
            return CC_CAUSE_START;
        return l->idle == IDLE_UNEVEN || (l->idle == IDLE_LAST && s->shared) ? CC_CAUSE_JOIN
                                                                             : CC_CAUSE_SERIAL;
    case LOSS_SPIN:
        return cause_of_spin(g, l, s, object);
    default:
        return cause_of_access(g, l, s);
    }
}

/* Who waits at a barrier for a thread that is yet to be started waits for the start; so does who fetches code
 * that its core has never had, at the same time as others: that is so once, however long the program runs. */
static enum cc_cause cause_of(const struct grouping *g, const struct loss *l, const struct site *s,
                              const char *object)
{
    if (l->cold)
        return CC_CAUSE_START;
    enum cc_cause cause = cause_by_reason(g, l, s, object);
    return l->early && cause == CC_CAUSE_BARRIER ? CC_CAUSE_START : cause;
}

/* ---- what is one fault ---- */

/* Several programs on one chip have addresses, and faults, of their own. */
static unsigned program_of(uint64_t address)
{
    return (unsigned)(address >> CC_TRACE_PROGRAM_BIT);
}

/* Of the lock whose functions an instruction belongs to; CC_CAUSES: none. */
static enum cc_cause code_of_lock(const struct group *x)
{
    return contention_is_lock(x->in) ? x->in : CC_CAUSES;
}

static void key_of_fault(struct cc_buf *b, const struct loss *l, const struct group *x, uint64_t object_bytes)
{
    enum { LINE = 64 };
    const struct cc_finding *f = &x->out;
    switch (f->cause) {
    case CC_CAUSE_BANDWIDTH: /* all banks are short of it, or one is hot */
        cc_buf_puts(b, "memory");
        break;
    case CC_CAUSE_HOT_BANK:
    case CC_CAUSE_WRITE_BUFFER:
        cc_buf_printf(b, "node %d", f->node);
        break;
    case CC_CAUSE_CODE:
        cc_buf_printf(b, "node %d of %d", f->node, code_of_lock(x));
        break;
    case CC_CAUSE_SERIAL:
    case CC_CAUSE_START:
        cc_buf_printf(b, "function %s", f->function ? f->function : "");
        break;
    case CC_CAUSE_TRUE_SHARING:
    case CC_CAUSE_FALSE_SHARING:
    case CC_CAUSE_TRANSFER:
        if (f->object && object_bytes > LINE)
            cc_buf_printf(b, "object %s", f->object);
        else if (f->object && !object_bytes && f->file)
            cc_buf_printf(b, "at %s:%u", f->file, f->line);
        else
            cc_buf_printf(b, "line %llx", (unsigned long long)l->line);
        break;
    case CC_CAUSE_JOIN:
    case CC_CAUSE_UNUSED:
        break;
    default:
        if (f->object && f->called == NULL)
            cc_buf_printf(b, "object %s", f->object);
        else if (f->object && f->cause != CC_CAUSE_BARRIER)
            cc_buf_printf(b, "object %s", f->object);
        else
            cc_buf_printf(b, "at %s:%u", f->file ? f->file : f->function ? f->function : "", f->line);
    }
}

static void key_of_path(struct cc_buf *b, struct grouping *g, const struct loss *l)
{
    struct cc_frame path[MOST_FRAMES];
    size_t n = contention_path(&g->sites, l->pc, l->context, path, MOST_FRAMES);
    if (g->options->item == CC_ITEM_LOOP) {
        path[0] = contention_loop_of(path, n);
        n = n > 0;
    }
    for (size_t i = 0; i < n; i++)
        cc_buf_printf(b, "%s:%u<", path[i].file ? path[i].file : path[i].function, path[i].line);
}

static void key_of(struct cc_buf *b, struct grouping *g, const struct loss *l, const struct group *x,
                   uint64_t object_bytes)
{
    const struct cc_finding *f = &x->out;
    b->n = 0;
    cc_buf_printf(b, "%d|%u|", f->cause, program_of(l->pc));
    switch (g->options->item) {
    case CC_ITEM_FAULT:
        key_of_fault(b, l, x, object_bytes);
        break;
    case CC_ITEM_LINE:
        cc_buf_printf(b, "%s:%u", f->file ? f->file : f->function ? f->function : "", f->line);
        break;
    case CC_ITEM_FUNCTION:
        cc_buf_puts(b, f->function ? f->function : "");
        break;
    case CC_ITEM_OBJECT:
        cc_buf_puts(b, f->object ? f->object : "");
        break;
    case CC_ITEM_ADDRESS:
        cc_buf_printf(b, "%llx", (unsigned long long)(l->line ? l->line : l->from));
        break;
    case CC_ITEM_PATH:
    case CC_ITEM_LOOP:
        key_of_path(b, g, l);
        break;
    }
}

/* A lock is known by where it is taken, not by where it is given back. */
static bool gives_back(const struct cc_finding *f)
{
    return f->called && (holds(f->called, "unlock") || holds(f->called, "free") || holds(f->called, "post") ||
                         holds(f->called, "::~") /* a guard's end */);
}

/* The compiler's own, which a program's variable may share a line with. */
static bool is_reserved(const char *object)
{
    return object && strncmp(object, "__", 2) == 0;
}

static bool names_better(const struct group *a, const struct group *b)
{
    if (is_reserved(a->out.object) != is_reserved(b->out.object) && a->out.object && b->out.object)
        return is_reserved(b->out.object);
    bool back = gives_back(&a->out), other = gives_back(&b->out);
    bool lock = contention_is_lock(a->out.cause), other_lock = contention_is_lock(b->out.cause);
    if (lock != other_lock && back == other) /* what it guards moves with it, and may cost more */
        return lock;
    return back != other && lock ? !back : a->costliest > b->costliest;
}

static void join(struct group *into, const struct group *g)
{
    for (size_t i = 0; i < g->losses.n; i++)
        CC_VEC_PUSH(&into->losses, g->losses.v[i]);
    int node = into->out.node == g->out.node ? g->out.node : -1;
    if (names_better(g, into)) {
        struct cc_finding kept = into->out;
        into->out = g->out;
        into->out.cycles = kept.cycles;
        into->out.events = kept.events;
        into->out.from = kept.from;
        into->out.to = kept.to;
        into->out.cause = kept.cause;
        into->costliest = g->costliest;
        into->pc = g->pc;
        into->context = g->context;
    }
    into->out.node = node;
    into->out.cycles += g->out.cycles;
    into->out.events += g->out.events;
    into->out.from = CC_MIN(into->out.from, g->out.from);
    into->out.to = CC_MAX(into->out.to, g->out.to);
    into->line = into->line == g->line ? into->line : 0;
    into->spin |= g->spin;
    into->in = into->in == g->in ? into->in : CC_CAUSES;
    for (size_t i = 0; i < CC_COUNT(into->cpus); i++)
        into->cpus[i] |= g->cpus[i];
}

/* Names of OpenMP's run-time library and of what it calls in turn tell a user nothing. */
static bool is_runtime(const char *name)
{
    return name && (strncasecmp(name, "gomp", 4) == 0 || strncmp(name, "goacc", 5) == 0 ||
                    strcmp(name, "syscall") == 0);
}

static bool is_vague(const struct cc_trace_object *o)
{
    return o && (o->storage == CC_TRACE_STACK || o->storage == CC_TRACE_AREA);
}

/* Bytes of what is named as a whole. The blocks that one place in the program has asked for have one name:
 * however small each is, it is all of them. */
static uint64_t object_bytes(const struct cc_trace_object *o)
{
    return !o || is_vague(o) ? 0 : o->storage == CC_TRACE_HEAP ? UINT64_MAX : o->to - o->from;
}

/* The C++ library has threads sleep on a table of its own: what they wait for is what they have looked at
 * before, in the same call. */
static bool sleeps_elsewhere(struct grouping *g, const struct loss *l, const struct site *s,
                             const struct cc_trace_object *o)
{
    const char *name = contention_object_name(o);
    if (l->why != LOSS_WAIT || !l->looked.pc || !s->called || !name ||
        (strncmp(name, "std::", 5) != 0 && !is_reserved(name)))
        return false;
    struct site at = contention_site(&g->sites, l->looked.pc, l->looked.context, false);
    return at.called && at.file && s->file && at.line == s->line && strcmp(at.file, s->file) == 0;
}

static const struct cc_trace_object *object_of(struct grouping *g, const struct loss *l, const struct site *s)
{
    if (l->fetch || l->why == LOSS_IDLE || l->why == LOSS_JOIN || l->why == LOSS_UNUSED)
        return NULL;
    const struct cc_trace_object *o = cc_trace_find_object(g->trace, l->from, l->cycle),
                                 *looked = cc_trace_find_object(g->trace, l->looked.address, l->cycle);
    return looked && sleeps_elsewhere(g, l, s, o) ? looked : o;
}

static void take(struct grouping *g, const struct loss *l, struct cc_buf *key)
{
    if (!l->cycles)
        return;
    struct site s = contention_site(&g->sites, l->pc, l->context, l->why == LOSS_IDLE);
    const struct cc_trace_object *o = object_of(g, l, &s);
    const struct cc_trace_symbol *at = s.program ? NULL : cc_trace_find_symbol(g->trace, l->pc);
    struct group one = {.costliest = l->cycles,
                        .line = l->line,
                        .spin = l->why == LOSS_SPIN,
                        .in = s.cause,
                        .pc = l->pc,
                        .context = l->context};
    one.out =
        (struct cc_finding){.function = s.program ? s.function
                                        : at      ? at->name
                                                  : NULL,
                            .file = s.file,
                            .line = s.line,
                            .object = s.runtime || is_runtime(s.called) ? NULL : contention_object_name(o),
                            .region = s.region,
                            .called = s.program && !is_runtime(s.called) ? s.called : NULL,
                            .from = l->from,
                            .to = l->to,
                            .cycles = l->cycles,
                            .events = l->events,
                            .node = l->node == CC_TRACE_NO_NODE ? -1 : l->node};
    one.out.cause = cause_of(g, l, &s, one.out.object);
    memcpy(one.cpus, l->cpus, sizeof one.cpus);
    g->out->causes[one.out.cause] += l->cycles;
    g->out->spinning += l->why == LOSS_SPIN ? l->cycles : 0;
    g->out->busy += l->why == LOSS_SPIN || l->why < CC_TRACE_CAUSES ? l->cycles : 0;
    one.vague = is_vague(o);
    key_of(key, g, l, &one, object_bytes(o));
    bool fresh;
    uint64_t *index = cc_strmap_put(&g->by_key, key->s, &fresh);
    if (fresh) {
        *index = g->groups.n;
        CC_VEC_PUSH(&g->groups, one);
    } else {
        join(&g->groups.v[*index], &one);
    }
    CC_VEC_PUSH(&g->groups.v[*index].losses, (uint32_t)(l - g->w->losses.v));
}

/* Are both about one object, or one line if it has no name of its own? */
static bool same_thing(const struct group *a, const struct group *b)
{
    if (program_of(a->pc) != program_of(b->pc))
        return false;
    if (a->out.object && b->out.object && !a->vague && !b->vague)
        return strcmp(a->out.object, b->out.object) == 0;
    return a->line && b->line && a->line / 64 == b->line / 64;
}

/* Is the sharing the lock's? A lock that costs little may only lie beside what is shared: a library's lock is
 * no part of the program's objects, and the program's own has to cost a quarter as much. */
static bool owns_sharing(const struct group *lock, const struct group *x)
{
    bool library = is_library_lock(lock->out.cause);
    return (library ? 1 : 4) * lock->out.cycles >= x->out.cycles;
}

/* A lock's line moves between the cores that take it: that belongs to the lock. */
static void fold_locks(struct grouping *g)
{
    for (size_t i = 0; i < g->groups.n; i++) {
        struct group *lock = &g->groups.v[i];
        if (!contention_is_lock(lock->out.cause) || lock->folded)
            continue;
        for (size_t k = 0; k < g->groups.n; k++) {
            struct group *x = &g->groups.v[k];
            bool same = same_thing(lock, x);
            bool parts = x->out.cause == CC_CAUSE_FALSE_SHARING && contention_is_lock(x->in) &&
                         lock->out.cycles >= x->out.cycles;
            bool moves = x->out.cause == CC_CAUSE_TRUE_SHARING || x->out.cause == CC_CAUSE_TRANSFER ||
                         parts || (x->out.cause == CC_CAUSE_SPINNING && x != lock);
            if (x->folded || !moves || !same || !owns_sharing(lock, x))
                continue;
            g->out->causes[x->out.cause] -= x->out.cycles;
            g->out->causes[lock->out.cause] += x->out.cycles;
            join(lock, x);
            x->folded = true;
        }
    }
}

static bool same_place(const struct group *a, const struct group *b)
{
    return a->out.file && b->out.file && a->out.line == b->out.line && strcmp(a->out.file, b->out.file) == 0;
}

/* What lies beside a variable that is truly shared moves with it: where one line of the program uses both,
 * one fault, as long as the variable itself costs a quarter as much. */
static void fold_beside(struct grouping *g)
{
    for (size_t i = 0; i < g->groups.n; i++)
        for (size_t k = 0; k < g->groups.n; k++) {
            struct group *x = &g->groups.v[i], *why = &g->groups.v[k];
            bool kinds = x->out.cause == CC_CAUSE_FALSE_SHARING && why->out.cause == CC_CAUSE_TRUE_SHARING;
            bool place = x->line && x->line == why->line && same_place(x, why);
            if (kinds && place && !x->folded && !why->folded && 4 * why->out.cycles >= x->out.cycles)
                contention_fold(g, why, x);
        }
}

static bool same_name(const char *a, const char *b)
{
    return a && b && strcmp(a, b) == 0;
}

/* Is it somewhere asked for as a lock? */
static bool is_locked(const struct grouping *g, const char *object)
{
    bool any = false;
    for (size_t i = 0; i < g->groups.n; i++)
        any |= g->groups.v[i].out.cause == CC_CAUSE_LOCK && same_name(g->groups.v[i].out.object, object);
    return any;
}

/* Who waits for a condition takes the lock again in the same call, and may have to wait for that: one fault,
 * of the condition. */
static void fold_retaken(struct grouping *g)
{
    for (size_t i = 0; i < g->groups.n; i++)
        for (size_t k = 0; k < i; k++) {
            struct group *x = &g->groups.v[i], *y = &g->groups.v[k];
            if (x->out.cause != CC_CAUSE_CONDITION || y->out.cause != CC_CAUSE_CONDITION || x->folded ||
                y->folded || !same_place(x, y) || !same_name(x->out.called, y->out.called) ||
                program_of(x->pc) != program_of(y->pc))
                continue;
            bool first = is_locked(g, x->out.object), second = is_locked(g, y->out.object);
            bool into = x->vague != y->vague ? y->vague
                        : first != second    ? second
                                             : x->out.cycles >= y->out.cycles;
            contention_fold(g, into ? x : y, into ? y : x);
        }
}

/* Who waits for a condition gives a lock back and takes it again: both guard one thing where they are part of
 * one object, or the program's function that waits takes the lock as well. */
static void fold_conditions(struct grouping *g)
{
    for (size_t i = 0; i < g->groups.n; i++)
        for (size_t k = 0; k < g->groups.n; k++) {
            struct group *x = &g->groups.v[i], *lock = &g->groups.v[k];
            bool kinds = x->out.cause == CC_CAUSE_CONDITION && lock->out.cause == CC_CAUSE_LOCK;
            if (!kinds || x->folded || lock->folded || program_of(x->pc) != program_of(lock->pc))
                continue;
            bool object = same_name(x->out.object, lock->out.object) && !x->vague && !lock->vague;
            if (object || same_name(x->out.function, lock->out.function))
                x->out.cycles >= lock->out.cycles ? contention_fold(g, x, lock) : contention_fold(g, lock, x);
        }
}

static bool is_queue(enum cc_cause cause)
{
    return cause == CC_CAUSE_BANDWIDTH || cause == CC_CAUSE_HOT_BANK || cause == CC_CAUSE_WRITE_BUFFER;
}

void contention_fold(struct grouping *g, struct group *into, struct group *x)
{
    g->out->causes[x->out.cause] -= x->out.cycles;
    g->out->causes[into->out.cause] += x->out.cycles;
    into->out.cycles += x->out.cycles;
    for (size_t i = 0; i < x->losses.n; i++)
        CC_VEC_PUSH(&into->losses, x->losses.v[i]);
    for (size_t i = 0; i < CC_COUNT(into->cpus); i++)
        into->cpus[i] |= x->cpus[i];
    x->folded = true;
}

static bool by_atomics(const struct grouping *g, const struct group *x)
{
    bool any = false;
    for (size_t i = 0; i < x->losses.n; i++) {
        const struct loss *l = &g->w->losses.v[x->losses.v[i]];
        any |= l->atomic || l->why == LOSS_SPIN || l->why == LOSS_WAIT;
    }
    return any;
}

/* The lock is what is asked for by atomics or waited for, where it is taken, whatever costs more. */
static bool stands_before(const struct grouping *g, const struct group *a, const struct group *b)
{
    bool asked = by_atomics(g, a), back = gives_back(&a->out);
    if (asked != by_atomics(g, b))
        return asked;
    return back != gives_back(&b->out) ? !back : a->out.cycles > b->out.cycles;
}

/* What a library guards by its lock moves with it, and is the program's one fault where one function calls
 * it. */
static void fold_guarded(struct grouping *g)
{
    for (size_t i = 0; i < g->groups.n; i++) {
        struct group *x = &g->groups.v[i], *lock = x;
        for (size_t k = 0; k < g->groups.n && is_library_lock(x->out.cause); k++) {
            struct group *y = &g->groups.v[k];
            bool same = y->out.cause == x->out.cause && program_of(x->pc) == program_of(y->pc) &&
                        x->out.function && y->out.function && strcmp(x->out.function, y->out.function) == 0;
            if (same && !y->folded && stands_before(g, y, lock))
                lock = y;
        }
        if (lock != x && !x->folded)
            contention_fold(g, lock, x);
    }
}

/* What is taken to and fro queues as well: that goes with the sharing, if it costs at least half as much. An
 * object without a name of its own is known by the line that uses it. */
static void fold_queues(struct grouping *g)
{
    for (size_t i = 0; i < g->groups.n; i++) {
        struct group *x = &g->groups.v[i], *why = NULL;
        if (x->folded || !is_queue(x->out.cause) || !x->out.object)
            continue;
        for (size_t k = 0; k < g->groups.n; k++) {
            struct group *y = &g->groups.v[k];
            bool taken = y->out.cause == CC_CAUSE_TRUE_SHARING || y->out.cause == CC_CAUSE_FALSE_SHARING ||
                         contention_is_lock(y->out.cause);
            if (taken && !y->folded && y->out.object && (!y->vague || same_place(x, y)) &&
                program_of(x->pc) == program_of(y->pc) && strcmp(x->out.object, y->out.object) == 0 &&
                2 * y->out.cycles >= x->out.cycles && (!why || y->out.cycles > why->out.cycles))
                why = y;
        }
        if (why)
            contention_fold(g, why, x);
    }
}

/* Code of a lock's functions for which cores queue is run because of the lock, where that costs more; else it
 * is code as any other. */
static void fold_code(struct grouping *g)
{
    for (size_t i = 0; i < g->groups.n; i++) {
        struct group *x = &g->groups.v[i], *why = NULL, *rest = NULL;
        if (x->folded || x->out.cause != CC_CAUSE_CODE || code_of_lock(x) == CC_CAUSES)
            continue;
        for (size_t k = 0; k < g->groups.n; k++) {
            struct group *y = &g->groups.v[k];
            if (y->folded || program_of(x->pc) != program_of(y->pc))
                continue;
            if (y->out.cause == x->in && same_name(y->out.function, x->out.function) &&
                y->out.cycles >= x->out.cycles && (!why || y->out.cycles > why->out.cycles))
                why = y;
            if (y->out.cause == CC_CAUSE_CODE && y->out.node == x->out.node && code_of_lock(y) == CC_CAUSES)
                rest = y;
        }
        if (why) {
            contention_fold(g, why, x);
        } else if (rest) {
            join(rest, x);
            x->folded = true;
        }
    }
}

/* ---- the result ---- */

static int costliest_first(const void *a, const void *b)
{
    const struct group *x = a, *y = b;
    if (x->out.cycles != y->out.cycles)
        return x->out.cycles > y->out.cycles ? -1 : 1;
    if (x->out.cause != y->out.cause)
        return x->out.cause < y->out.cause ? -1 : 1;
    if (x->out.line != y->out.line)
        return x->out.line < y->out.line ? -1 : 1;
    return (x->out.from > y->out.from) - (x->out.from < y->out.from);
}

/* Waiting for another thread, or for what it takes: what a run loses to contention. That memory is further
 * from some cores is nobody's doing. */
static bool is_contention(enum cc_cause cause)
{
    return cause != CC_CAUSE_START && cause != CC_CAUSE_SERIAL && cause != CC_CAUSE_FAR &&
           cause != CC_CAUSE_MISSES && cause != CC_CAUSE_UNUSED;
}

/* Starting and ending a program is serial too, and hardly any chip has all memory equally far: only what is
 * long is worth naming. */
static double least_share(const struct grouping *g, enum cc_cause cause)
{
    const double long_phase = 0.05; /* of the run */
    return !is_contention(cause) ? CC_MAX(g->options->least, long_phase) : g->options->least;
}

static void put_path(struct grouping *g, struct group *x)
{
    struct cc_frame path[MOST_FRAMES];
    size_t n = contention_path(&g->sites, x->pc, x->context, path, MOST_FRAMES);
    struct cc_frame *v = cc_arena_alloc(&g->out->arena, (n + 1) * sizeof *v);
    for (size_t i = 0; i < n; i++)
        v[i] = path[n - 1 - i];
    x->out.path = v;
    x->out.npath = n;
}

static void conclude(struct grouping *g)
{
    struct cc_findings *f = g->out;
    double all = (double)f->cycles * f->cores;
    for (size_t i = 0; i < CC_CAUSES; i++)
        f->lost += is_contention((enum cc_cause)i) ? f->causes[i] : 0;
    f->busy += g->w->calls;
    f->share = all > 0 ? (double)f->lost / all : 0;
    if (g->groups.n)
        qsort(g->groups.v, g->groups.n, sizeof *g->groups.v, costliest_first);
    f->findings = cc_arena_alloc(&f->arena, (g->groups.n + 1) * sizeof *f->findings);
    for (size_t i = 0; i < g->groups.n && f->nfindings < g->options->top; i++) {
        struct group *x = &g->groups.v[i];
        x->out.share = all > 0 ? (double)x->out.cycles / all : 0;
        if (x->folded || x->out.cause == CC_CAUSE_START || x->out.share < least_share(g, x->out.cause))
            continue;
        uint16_t *cpus = cc_arena_alloc(&f->arena, WATCH_CPUS * sizeof *cpus);
        for (unsigned k = 0; k < WATCH_CPUS; k++)
            if (x->cpus[k / 64] >> k % 64 & 1)
                cpus[x->out.ncpus++] = (uint16_t)k;
        x->out.cpus = cpus;
        x->out.gain = contention_gain(g, x);
        put_path(g, x);
        f->findings[f->nfindings++] = x->out;
    }
}

static unsigned count_data_nodes(struct cc_trace_reader *trace)
{
    const char *list = cc_trace_fact(trace, "data_nodes");
    unsigned n = list && *list;
    for (; list && *list; list++)
        n += *list == ',';
    return n;
}

static void free_groups(struct grouping *g)
{
    for (size_t i = 0; i < g->groups.n; i++)
        CC_VEC_FINI(&g->groups.v[i].losses);
    CC_VEC_FINI(&g->groups);
}

struct cc_findings *cc_findings_of(struct cc_watch *w, struct cc_trace_reader *trace,
                                   const struct cc_findings_options *o)
{
    struct cc_findings *f = cc_alloc(sizeof *f);
    struct grouping g = {.w = w,
                         .trace = trace,
                         .options = o,
                         .out = f,
                         .data_nodes = count_data_nodes(trace),
                         .starting = cc_trace_fact_number(trace, "start_skew", 0)};
    struct cc_buf key = {0};
    for (unsigned cpu = 0; cpu < w->ncpus; cpu++)
        cc_watch_feed(w, &(struct cc_trace_event){.cpu = (uint16_t)cpu, .kind = CC_TRACE_WAIT});
    f->known = w->any;
    f->cores = (unsigned)CC_MAX(cc_trace_fact_number(trace, "cores", w->ncpus), 1u);
    f->cycles = CC_MAX(cc_trace_fact_number(trace, "cycles", 0), w->last);
    contention_sites_init(&g.sites, trace, &f->arena);
    contention_sites_learn(&g.sites);
    contention_asked(w, &g.sites);
    for (size_t i = 0; i < w->losses.n; i++)
        take(&g, &w->losses.v[i], &key);
    if (o->item == CC_ITEM_FAULT) {
        fold_locks(&g);
        fold_guarded(&g);
        fold_beside(&g);
        contention_fold_guarded(&g);
        fold_retaken(&g);
        fold_conditions(&g);
        fold_queues(&g);
        fold_code(&g);
        contention_barriers(&g);
        contention_uneven(&g);
    }
    conclude(&g);
    contention_views(&g);
    contention_sites_fini(&g.sites);
    cc_strmap_fini(&g.by_key);
    free_groups(&g);
    cc_buf_fini(&key);
    return f;
}

struct cc_findings *cc_findings_read(struct cc_trace_reader *trace, const struct cc_findings_options *o)
{
    struct cc_trace_summary sum;
    struct cc_trace_event e;
    cc_trace_summary(trace, &sum);
    struct cc_watch *w = cc_watch_new(sum.cpus, (unsigned)cc_trace_fact_number(trace, "line_bytes", 0));
    cc_trace_select(trace, NULL);
    while (cc_trace_next(trace, &e))
        cc_watch_feed(w, &e);
    struct cc_findings *f = cc_findings_of(w, trace, o);
    cc_watch_free(w);
    return f;
}

void cc_findings_free(struct cc_findings *f)
{
    if (!f)
        return;
    cc_arena_fini(&f->arena);
    free(f);
}
