/* Pieces of the trace on a machine's memory: processors go on in the order of their clocks, an event at a
 * time, and wait for what they load. */
#include "hidden.h"
#include "locality.h"
#include "../../base/map.h"
#include "../../base/rng.h"

/* What a processor does next: the trace's event, or before it one that the trace leaves out. */
struct next {
    enum cc_line_kind kind;
    bool off;          /* while recording was off */
    uint64_t address;  /* as the processor has it */
    struct line *line; /* NULL: nobody else touches it */
};

struct processor {
    uint32_t number;
    size_t begin, piece, end; /* its pieces, the next of them, as indices into order */
    struct cc_line_cursor at;
    struct cc_line_event event;
    bool has_event;
    struct hidden hidden;
    struct hidden_access access; /* before the event */
    bool has_access;
    struct next todo;  /* one of them */
    double clock;      /* of the schedule */
    double time, pace; /* of the trace; cycles for one tick of it */
    uint64_t visits;   /* of the runtime that wrote a record */
    double larger;     /* how far stores were too small */
    unsigned size; /* of the piece's stores: a power of two, and by what part of it their mean is larger */
    double beyond;
    struct cc_map own;    /* lines of the stack that it has written so far */
    struct cc_map common; /* but by atomics: nobody changes so what others do not see */
    uint64_t stack;       /* where it lies: so far from the recorded one */
    uint64_t shared;      /* the piece's */
    uint64_t met;         /* colours that lines of it have in the piece, where it was moved; see find_met */
    const struct run *run;
    struct cc_rng moments;
    struct processor *next; /* of those that wait for the same */
};

struct piece_state {
    size_t after; /* 1 + the piece it waits for; 0: none */
    bool over;
    bool owns;   /* lines of the stack, which it writes */
    bool common; /* some of those are everybody's */
    double end;
    struct processor *waiter;
};

enum { SHARED = 1, WRITTEN = 2 };

/* Who touches a line. */
struct line {
    uint64_t stores;  /* that are to come, of any processor */
    uint16_t first;   /* 1 + the processor that the trace shows first */
    uint16_t toucher; /* the same, also by what the trace leaves out */
    uint8_t seen;     /* SHARED | WRITTEN, as the trace shows */
    bool several;     /* processors, by what the trace leaves out, too */
};

struct run {
    const struct cc_line_trace *t;
    const struct cc_sim_config *machine;
    struct cc_sim *sim;
    uint64_t chance;
    struct cc_locality_piece *pieces;
    size_t *order;
    struct processor *processors;
    struct processor **heap;
    size_t nheap;
    struct piece_state *state;  /* by piece; NULL: one processor */
    struct processor *released; /* may go on */
    struct line *lines;         /* by number; NULL: one processor */
    bool in_order;              /* even what one processor alone can tell is done in the order of time */
    double between;             /* factor of the time between accesses */
    double weight, shift;       /* shift: cycles that went by while recording was off */
    unsigned steps;
};

/* --- the order of processors --- */

static bool earlier(const struct processor *a, const struct processor *b)
{
    return a->clock != b->clock ? a->clock < b->clock : a->number < b->number;
}

static void sink(struct run *r, size_t i)
{
    struct processor *p = r->heap[i];
    for (size_t c; (c = 2 * i + 1) < r->nheap; i = c) {
        c += c + 1 < r->nheap && earlier(r->heap[c + 1], r->heap[c]);
        if (!earlier(r->heap[c], p))
            break;
        r->heap[i] = r->heap[c];
    }
    r->heap[i] = p;
}

static void push(struct run *r, struct processor *p)
{
    size_t i = r->nheap++;
    for (; i && earlier(p, r->heap[(i - 1) / 2]); i = (i - 1) / 2)
        r->heap[i] = r->heap[(i - 1) / 2];
    r->heap[i] = p;
}

/* --- pieces --- */

/* A variable of the function that opened the region is on the stack as well, and the same one for all. */
static void find_common(struct processor *p, uint64_t until)
{
    struct cc_line_cursor c = p->at;
    struct cc_line_event e;
    while (cc_line_next_access(&c, until, &e))
        if ((e.flags & CC_LINES_STACK) && (e.flags & CC_LINES_ATOMIC))
            cc_map_put(&p->common, e.line, NULL);
    c = p->at;
    while (cc_line_find_count(&c, until, &e))
        if ((e.flags & CC_LINES_STACK) && (e.kinds & 1u << CC_LINE_ATOMIC))
            cc_map_put(&p->common, e.line, NULL);
}

/* A variable of the function that opened the region: everybody's. */
static bool is_above(const struct processor *p, uint64_t address)
{
    return p->shared && address >= p->shared;
}

/* The stack lines a processor writes are its own, also in what it does later; those it only reads may be
 * anyone's. */
static void find_own(struct processor *p, uint64_t until)
{
    struct cc_line_cursor c = p->at;
    struct cc_line_event e;
    while (p->number && cc_line_next_access(&c, until, &e))
        if ((e.flags & (CC_LINES_STACK | CC_LINES_WRITE)) == (CC_LINES_STACK | CC_LINES_WRITE) &&
            !is_above(p, e.address) && !cc_map_get(&p->common, e.line))
            cc_map_put(&p->own, e.line, NULL);
}

/* Powers of two whose mean is that of the piece's stores. */
static void begin_stores(struct processor *p, double mean)
{
    p->size = 1;
    while (p->size < 16 && p->size * 2 <= mean)
        p->size *= 2;
    p->beyond = (mean - p->size) / p->size;
}

static unsigned store_size(struct processor *p)
{
    p->larger += p->beyond;
    if (p->larger < 1)
        return p->size;
    p->larger -= 1;
    return p->size * 2;
}

static const enum cc_sim_kind kind_of[] = {
    [CC_LINE_LOAD] = CC_SIM_LOAD, [CC_LINE_STORE] = CC_SIM_STORE, [CC_LINE_ATOMIC] = CC_SIM_ATOMIC};

/* *lost: what of it a processor alone would not wait. */
static double access_line(struct run *r, struct processor *p, enum cc_line_kind kind, uint64_t address,
                          double *lost)
{
    struct cc_sim_access a;
    unsigned bytes = kind == CC_LINE_STORE ? store_size(p) : 4;
    cc_sim_do_access(r->sim, p->number, kind_of[kind], (uint64_t)(p->clock + r->shift), address, bytes, &a);
    uint32_t hit = r->machine->dcache.latency;
    double stall = a.latency > hit ? a.latency - hit : 0;
    *lost = 0;
    for (unsigned i = 0; i < CC_SIM_CAUSES; i++)
        *lost += a.lost[i];
    *lost = CC_MIN(*lost, stall);
    return stall;
}

/* Before a piece the processor was in the runtime: what that takes is in its measured costs, but what it
 * drives out of the cache is not. So all are loads, which do not fill the write buffer; lines that are only
 * written come into caches that are written back. */
static void be_in_runtime(struct run *r, struct processor *p, double until)
{
    enum { STEP = 3 }; /* threads, teams, queues, frames: small things here and there */
    const struct cc_locality_piece *x = &r->pieces[r->order[p->piece]];
    const struct cc_locality_visit *v = &x->visit;
    uint64_t base = (UINT64_C(0xfe) << 52) + ((uint64_t)p->number << 16) + p->number * 1088;
    uint64_t record = base + (UINT64_C(1) << 40);
    if (v->records)
        record += p->visits++ % v->records * v->stored * CC_LOCALITY_LINE;
    unsigned lines = v->loaded + (r->machine->write_back ? v->stored : 0);
    double lost, each = CC_MAX(until - p->clock, 0) / (lines + 1);
    for (unsigned i = 0; i < lines; i++) {
        uint64_t a = i < v->loaded || !v->records ? base + (uint64_t)i * STEP * CC_LOCALITY_LINE
                                                  : record + (uint64_t)(i - v->loaded) * CC_LOCALITY_LINE;
        access_line(r, p, CC_LINE_LOAD, a, &lost);
        p->clock += each;
    }
    p->clock = CC_MAX(p->clock, until);
}

static bool is_own(const struct processor *p, uint64_t address, uint32_t line, bool stack)
{
    return stack && p->number && !is_above(p, address) && cc_map_get(&p->own, line) &&
           !cc_map_get(&p->common, line);
}

/* How far it lies from where it was recorded. */
static uint64_t moved(const struct run *r, const struct processor *p, uint64_t address, uint32_t line,
                      bool stack)
{
    return is_own(p, address, line, stack) ? p->stack : stack ? r->processors[0].stack : 0;
}

static struct next place(const struct run *r, const struct processor *p, struct next n, uint32_t line,
                         bool stack)
{
    n.line = r->lines && !is_own(p, n.address, line, stack) ? &r->lines[line] : NULL;
    n.address += moved(r, p, n.address, line, stack);
    return n;
}

static uint64_t colour_of(uint64_t address)
{
    return UINT64_C(1) << address / CC_LOCALITY_LINE % CC_LINES_COLOURS;
}

/* The trace leaves out what finds its line as long as lines of one colour stay so. A stack that lies
 * elsewhere has lines of other colours, and in a cache of one way each of their accesses drives out a line of
 * the program's that was at hand, and the other way round: there, all accesses are made. */
static void find_met(const struct run *r, struct processor *p, uint64_t until)
{
    struct cc_line_cursor c = p->at;
    struct cc_line_event e;
    p->met = 0;
    if (r->machine->dcache.ways != 1)
        return;
    while (cc_line_next_access(&c, until, &e)) {
        bool stack = e.flags & CC_LINES_STACK;
        uint64_t by = moved(r, p, e.address, e.line, stack);
        if (stack && colour_of(e.address + by) != colour_of(e.address))
            p->met |= colour_of(e.address + by);
    }
}

static enum cc_line_kind kind_of_event(const struct cc_line_event *e)
{
    return e->flags & CC_LINES_ATOMIC  ? CC_LINE_ATOMIC
           : e->flags & CC_LINES_WRITE ? CC_LINE_STORE
                                       : CC_LINE_LOAD;
}

/* From here to the next access, which is the trace's or one that it leaves out. */
static void go_on(const struct run *r, struct processor *p, uint64_t end)
{
    const struct cc_line_event *e = &p->event;
    double next = (double)(p->has_event ? e->time : end);
    p->has_access = cc_hidden_next(&p->hidden, next, &p->access);
    if (p->has_access) {
        const struct hidden_access *a = &p->access;
        p->todo = place(r, p, (struct next){.kind = a->kind, .address = a->address}, a->line, a->stack);
        next = CC_MAX(a->time, p->time);
    } else if (p->has_event) {
        struct next n = {.kind = kind_of_event(e), .address = e->address, .off = e->flags & CC_LINES_OFF};
        p->todo = place(r, p, n, e->line, e->flags & CC_LINES_STACK);
    }
    p->clock += (next - p->time) * p->pace;
    p->time = next;
}

enum { APART = 64 };    /* cycles: lines of the runtime that one has and another waits for, one or two */
enum { ASLEEP = 4096 }; /* cycles: of what it does in the runtime before it sleeps and when it wakes */

/* Threads that begin together do not begin in the same cycle. */
static double moment(const struct run *r, struct processor *p)
{
    return r->state && r->chance ? (cc_rng_unit(&p->moments) - 0.5) * APART : 0;
}

/* What its next piece waited for; NULL: nothing. */
static const struct piece_state *released_by(const struct run *r, const struct processor *p)
{
    size_t i = r->order[p->piece];
    if (!r->state || !r->pieces[i].waited || !r->state[i].after)
        return NULL;
    const struct piece_state *q = &r->state[r->state[i].after - 1];
    return q->over ? q : NULL;
}

/* As long after what it waited for, or after the piece before, as in the schedule. */
static double start_of(const struct run *r, struct processor *p, const struct piece_state *q)
{
    const struct cc_locality_piece *x = &r->pieces[r->order[p->piece]];
    if (q)
        return q->end + x->start - r->pieces[q - r->state].end + moment(r, p);
    if (x->waited || p->piece == p->begin)
        return x->start + moment(r, p);
    return p->clock + x->start - r->pieces[r->order[p->piece - 1]].end;
}

static void begin_piece(struct run *r, struct processor *p)
{
    const struct cc_locality_piece *x = &r->pieces[r->order[p->piece]];
    const struct piece_state *q = released_by(r, p);
    double start = start_of(r, p, q);
    if (q) /* it slept: nothing is done in what is long past for all others */
        p->clock = CC_MAX(p->clock, CC_MIN(q->end, start) - ASLEEP);
    be_in_runtime(r, p, start);
    cc_line_go(&p->at, x->from);
    p->shared = x->shared;
    cc_map_fini(&p->common);
    if (r->state && r->state[r->order[p->piece]].common)
        find_common(p, x->to);
    if (r->state && r->state[r->order[p->piece]].owns)
        find_own(p, x->to);
    find_met(r, p, x->to);
    begin_stores(p, x->store);
    p->pace = x->to > x->from ? r->between * x->cycles / (double)(x->to - x->from) : 0;
    p->time = (double)x->from;
    cc_hidden_begin(&p->hidden, &p->at, x->to);
    p->has_event = cc_line_next_access(&p->at, x->to, &p->event);
    go_on(r, p, x->to);
}

/* Whoever waits for its piece may go on. */
static void end_piece(struct run *r, struct processor *p)
{
    size_t i = r->order[p->piece++];
    if (!r->state)
        return;
    struct piece_state *s = &r->state[i];
    s->over = true;
    s->end = p->clock;
    if (!s->waiter)
        return;
    struct processor *last = s->waiter;
    while (last->next)
        last = last->next;
    last->next = r->released;
    r->released = s->waiter;
}

/* Until what its next piece waits for is over. */
static bool has_to_wait(struct run *r, struct processor *p)
{
    size_t i = r->order[p->piece];
    struct piece_state *s = r->state && r->state[i].after ? &r->state[r->state[i].after - 1] : NULL;
    if (!s || s->over)
        return false;
    p->next = s->waiter;
    s->waiter = p;
    return true;
}

/* false: it has none left, or none that can begin. */
static bool next_piece(struct run *r, struct processor *p)
{
    while (p->piece < p->end && !has_to_wait(r, p)) {
        begin_piece(r, p);
        if (p->has_event || p->has_access)
            return true;
        end_piece(r, p);
    }
    return false;
}

/* --- events --- */

/* It was done. */
static void passed(const struct run *r, struct processor *p, uint64_t end)
{
    const struct next *n = &p->todo;
    if (n->line && n->kind != CC_LINE_LOAD)
        n->line->stores -= n->line->stores > 0;
    if (!p->has_access)
        p->has_event = cc_line_next_access(&p->at, end, &p->event);
    go_on(r, p, end);
}

/* Does it, if the processor's own cache serves it at once. */
static bool hits(struct run *r, struct processor *p)
{
    const struct next *n = &p->todo;
    double larger = p->larger;
    unsigned bytes = n->kind == CC_LINE_STORE ? store_size(p) : 4;
    if (cc_sim_hit(r->sim, p->number, kind_of[n->kind], (uint64_t)(p->clock + r->shift), n->address, bytes))
        return true;
    p->larger = larger;
    return false;
}

/* What the trace leaves out needs a slot of the write buffer, leaves the core where caches are written
 * through, and waits if another processor took the line. */
static void do_next(struct run *r, struct processor *p, struct cc_locality_piece *x)
{
    const struct next *n = &p->todo;
    double lost, stall = hits(r, p) ? 0 : access_line(r, p, n->kind, n->address, &lost);
    if (p->has_access && n->kind == CC_LINE_LOAD && stall > 0 && !(p->met & colour_of(n->address)))
        stall = lost;
    if (n->off) {
        r->shift += stall + 1;
    } else {
        x->stall += stall * r->weight;
        p->clock += stall;
    }
    passed(r, p, x->to);
}

/* Whether it may be done before what other processors do earlier: no store of theirs is to come that would
 * take the line away, and no access that would find it changed. */
static bool is_alone(const struct run *r, const struct next *n)
{
    return !r->in_order && n->kind != CC_LINE_ATOMIC && !n->off &&
           (!n->line || !n->line->several || (n->kind == CC_LINE_LOAD && !n->line->stores));
}

/* Goes on as long as the processor finds in its own cache what nobody else can take, which is most of the
 * time: the same, whoever's turn it is. */
static void run_ahead(struct run *r, struct processor *p, const struct cc_locality_piece *x)
{
    while ((p->has_access || p->has_event) && is_alone(r, &p->todo) && hits(r, p)) {
        if (p->has_access && !(p->met & colour_of(p->todo.address)))
            cc_hidden_pass(&p->hidden, p->todo.kind);
        passed(r, p, x->to);
    }
}

/* Whoever lets others go waits until they can see its stores. */
static void publish(struct run *r, struct processor *p, struct cc_locality_piece *x)
{
    struct cc_sim_access a;
    cc_sim_fence(r->sim, p->number, (uint64_t)(p->clock + r->shift), &a);
    x->stall += a.latency * r->weight;
    p->clock += a.latency;
}

/* false: it has none left. */
static bool step(struct run *r, struct processor *p)
{
    struct cc_locality_piece *x = &r->pieces[r->order[p->piece]];
    do_next(r, p, x);
    run_ahead(r, p, x);
    if (p->has_access || p->has_event)
        return true;
    if (x->published)
        publish(r, p, x);
    end_piece(r, p);
    return next_piece(r, p);
}

/* Those that waited for pieces which are over now. */
static void release(struct run *r)
{
    while (r->released) {
        struct processor *p = r->released;
        r->released = p->next;
        p->next = NULL;
        if (next_piece(r, p))
            push(r, p);
    }
}

static void run_all(struct run *r)
{
    enum { HORIZON = 512 };
    release(r);
    while (r->nheap) {
        struct processor *p = r->heap[0];
        if (!step(r, p))
            r->heap[0] = r->heap[--r->nheap];
        if (r->nheap)
            sink(r, 0);
        release(r);
        if (++r->steps % HORIZON == 0 && r->nheap)
            cc_sim_horizon(r->sim, (uint64_t)CC_MAX(r->heap[0]->clock + r->shift - APART - ASLEEP, 0));
    }
}

/* --- who touches what --- */

/* As the trace shows it, whatever is whose stack. */
static void see_line(struct run *r, const struct processor *p, const struct cc_line_event *e)
{
    struct line *l = &r->lines[e->line];
    bool stack = e->flags & CC_LINES_STACK, write = e->flags & CC_LINES_WRITE;
    bool common = stack && cc_map_get(&p->common, e->line);
    if (stack && write && !common && !is_above(p, e->address))
        return;
    if (!l->first)
        l->first = (uint16_t)(p->number + 1);
    l->seen |= (l->first != p->number + 1 ? SHARED : 0) | (write || common ? WRITTEN : 0);
}

static void touch_line(struct run *r, const struct processor *p, const struct cc_line_event *e,
                       uint64_t stores)
{
    struct line *l = &r->lines[e->line];
    if (is_own(p, e->address, e->line, e->flags & CC_LINES_STACK))
        return;
    if (!l->toucher)
        l->toucher = (uint16_t)(p->number + 1);
    l->several = l->several || l->toucher != p->number + 1;
    l->stores += stores;
}

static void note_accesses(struct run *r, struct processor *p, const struct cc_locality_piece *x)
{
    struct cc_line_cursor c = p->at;
    struct cc_line_event e;
    bool stack = false;
    while (cc_line_next_access(&c, x->to, &e)) {
        see_line(r, p, &e);
        if (e.flags & CC_LINES_STACK)
            stack = true;
        else
            touch_line(r, p, &e, (e.flags & CC_LINES_WRITE) != 0);
        r->in_order = r->in_order || e.flags & CC_LINES_OFF;
    }
    if (!stack)
        return;
    find_own(p, x->to);
    c = p->at;
    while (cc_line_next_access(&c, x->to, &e))
        if (e.flags & CC_LINES_STACK)
            touch_line(r, p, &e, (e.flags & CC_LINES_WRITE) != 0);
}

static void note_piece(struct run *r, struct processor *p, size_t i)
{
    const struct cc_locality_piece *x = &r->pieces[i];
    struct cc_line_event e;
    cc_line_go(&p->at, x->from);
    p->shared = x->shared;
    cc_map_fini(&p->common);
    find_common(p, x->to);
    note_accesses(r, p, x);
    r->state[i].owns = p->own.n > 0;
    r->state[i].common = p->common.n > 0;
    struct cc_line_cursor c = p->at;
    while (cc_line_find_count(&c, x->to, &e)) {
        uint64_t stores = 0;
        if (e.kinds & ~(1u << CC_LINE_LOAD)) {
            cc_line_read_count(&c, &e);
            stores = (uint64_t)e.count[CC_LINE_STORE] + e.count[CC_LINE_ATOMIC];
        }
        touch_line(r, p, &e, stores);
    }
}

/* Loads that the trace leaves out find their line, unless another processor writes it or a stack that was
 * moved takes its place: only then are they made. Time that stood still while recording was off is
 * everybody's, so then everybody goes in order, and so they do where lines are longer than those of the
 * trace. */
static void note_lines(struct run *r, size_t n)
{
    if (r->machine->cores < 2)
        return;
    r->state = cc_alloc_array(n + 1, sizeof *r->state);
    r->lines = cc_alloc_array((size_t)cc_line_trace_lines(r->t) + 1, sizeof *r->lines);
    r->in_order = r->machine->dcache.line > CC_LOCALITY_LINE;
    for (size_t i = 0; i < n; i++)
        note_piece(r, &r->processors[r->pieces[i].processor], i);
    for (unsigned i = 0; i < r->machine->cores; i++)
        cc_map_fini(&r->processors[i].own);
}

static bool is_wanted(const void *self, const struct cc_line_event *e)
{
    const struct processor *p = self;
    const struct run *r = p->run;
    return (r->lines && r->lines[e->line].seen == (SHARED | WRITTEN)) ||
           (p->met &&
            p->met & colour_of(e->address + moved(r, p, e->address, e->line, e->flags & CC_LINES_STACK)));
}

/* --- who waits for whom --- */

static int by_end(const void *a, const void *b)
{
    const struct cc_locality_piece *x = *(const struct cc_locality_piece *const *)a,
                                   *y = *(const struct cc_locality_piece *const *)b;
    return x->end != y->end ? (x->end < y->end ? -1 : 1) : x < y ? -1 : x > y;
}

/* A piece that waited begins when another processor lets it go: the one whose piece ended last before. A
 * piece that takes no time lets nobody go, so nobody waits in a circle. */
static void find_waits(struct run *r, size_t n)
{
    const struct cc_locality_piece **sorted = cc_alloc_array(n + 1, sizeof *sorted);
    size_t ended = 0;
    for (size_t i = 0; i < n; i++)
        if (r->pieces[i].end > r->pieces[i].start)
            sorted[ended++] = &r->pieces[i];
    if (ended)
        qsort(sorted, ended, sizeof *sorted, by_end);
    for (size_t i = 0; i < n; i++) {
        const struct cc_locality_piece *x = &r->pieces[i];
        size_t low;
        CC_FIRST(low, x->waited ? ended : 0, sorted[low]->end > x->start);
        while (low && sorted[low - 1]->processor == x->processor)
            low--;
        r->state[i].after = low ? (size_t)(sorted[low - 1] - r->pieces) + 1 : 0;
    }
    free(sorted);
}

/* --- the whole --- */

/* How far the time between two accesses may be off, which is told in instructions, each of which takes the
 * mean of its task: it decides whether processors that change one line fall into step. */
static const double between_error = 0.03;

static void sort_by_processor(struct run *r, size_t n)
{
    unsigned cores = r->machine->cores;
    for (size_t i = 0; i < n; i++)
        r->processors[r->pieces[i].processor].end++;
    size_t at = 0;
    for (unsigned p = 0; p < cores; p++) {
        size_t mine = r->processors[p].end;
        r->processors[p].number = p;
        cc_line_seek(r->t, 0, &r->processors[p].at);
        r->processors[p].run = r;
        r->processors[p].hidden = (struct hidden){.wanted = is_wanted, .self = &r->processors[p]};
        r->processors[p].begin = r->processors[p].piece = r->processors[p].end = at;
        at += mine;
    }
    for (size_t i = 0; i < n; i++)
        r->order[r->processors[r->pieces[i].processor].end++] = i;
}

/* Where stacks lie; also for memories of their own. The first one's places are as far apart as they can be:
 * the half of a page, a quarter, three quarters, …; those of others are anywhere, or where threads
 * have them. */
static void add_stacks(struct run *r, unsigned threads)
{
    enum { BITS = 6, PAGE = 1 << BITS, OFF = 1 }; /* lines */
    uint64_t from, to, first = 0;
    for (int bit = 0; bit < BITS; bit++)
        first |= (r->chance >> bit & 1) << (BITS - 1 - bit);
    cc_line_trace_stack(r->t, &from, &to);
    for (uint64_t i = 0; i < r->machine->cores; i++) {
        struct processor *p = &r->processors[i];
        p->moments = (struct cc_rng){.state = r->chance << 16 | i};
        uint64_t line = !i        ? first
                        : threads ? (threads - 1 + PAGE - OFF + cc_rng_below(&p->moments, 2 * OFF + 1)) % PAGE
                                  : cc_rng_below(&p->moments, PAGE);
        p->stack = (i << 44) + line * CC_LOCALITY_LINE;
        if (from < to)
            cc_sim_add_stack(r->sim, from + p->stack, to + p->stack);
    }
}

static void sum_up(const struct cc_sim_stats *s, const struct run *r, size_t n,
                   struct cc_locality_counts *ret)
{
    *ret = (struct cc_locality_counts){0};
    for (unsigned i = 0; i < r->machine->cores; i++) {
        const struct cc_sim_core_stats *c = &s->core[i];
        ret->loads += (double)c->loads * r->weight;
        ret->stores += (double)c->stores * r->weight;
        ret->load_misses += (double)c->load_misses * r->weight;
        ret->store_misses += (double)c->store_misses * r->weight;
        ret->upgrades += (double)c->upgrades * r->weight;
        ret->shared += (double)(c->true_sharing + c->false_sharing) * r->weight;
        ret->taken += (double)(c->lost[CC_SIM_LOST_TRUE] + c->lost[CC_SIM_LOST_FALSE]) * r->weight;
    }
    for (unsigned b = 0; b < r->machine->banks; b++) {
        ret->shared_hits += (double)s->bank[b].l2_hits * r->weight;
        ret->shared_misses += (double)s->bank[b].l2_misses * r->weight;
    }
    ret->bytes = (double)s->bytes * r->weight;
    for (size_t i = 0; i < n; i++)
        ret->stall += r->pieces[i].stall;
}

void cc_locality_run(const struct cc_line_trace *t, const struct cc_sim_config *machine,
                     struct cc_locality_places where, struct cc_locality_piece *pieces, size_t n,
                     struct cc_locality_counts *ret)
{
    struct cc_sim_stats *stats = cc_alloc(sizeof *stats);
    struct run r = {.t = t,
                    .machine = machine,
                    .sim = cc_sim_new(machine, stats),
                    .chance = where.chance,
                    .between = 1,
                    .pieces = pieces,
                    .weight = cc_line_trace_weight(t)};
    r.order = cc_alloc_array(n + 1, sizeof *r.order);
    r.processors = cc_alloc_array(machine->cores, sizeof *r.processors);
    r.heap = cc_alloc_array(machine->cores, sizeof *r.heap);
    sort_by_processor(&r, n);
    note_lines(&r, n);
    add_stacks(&r, where.threads);
    for (size_t i = 0; i < n; i++)
        pieces[i].stall = 0;
    if (machine->cores > 1)
        find_waits(&r, n);
    if (machine->cores > 1 && where.chance)
        r.between = 1 + between_error * (2 * cc_rng_unit(&(struct cc_rng){.state = ~where.chance}) - 1);
    for (unsigned i = 0; i < machine->cores; i++)
        if (next_piece(&r, &r.processors[i]))
            push(&r, &r.processors[i]);
    run_all(&r);
    cc_sim_finish(r.sim);
    sum_up(stats, &r, n, ret);
    ret->late = stats->late;
    for (unsigned i = 0; i < machine->cores; i++) {
        cc_map_fini(&r.processors[i].own);
        cc_map_fini(&r.processors[i].common);
        cc_hidden_fini(&r.processors[i].hidden);
    }
    free(r.lines);
    cc_sim_free(r.sim);
    free(r.order);
    free(r.state);
    free(r.processors);
    free(r.heap);
    free(stats);
}
