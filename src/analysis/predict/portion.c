#include "portion.h"
#include "../../base/map.h"

#include <math.h>

/* Lines of one piece that are looked at, and iterations that wrote one of them: of more, some in even
 * distances. */
enum { MOST_LINES = 2048, MOST_WRITERS = 4096 };

/* What a piece of a region is for its threads. */
enum role {
    ROLE_ALL,    /* each of them runs it */
    ROLE_SHARED, /* of an iteration */
    ROLE_LOCKED, /* of an iteration, with a lock: what it writes is for others, too */
    ROLE_OTHER,  /* one thread's, or of a construct that is not looked into */
};

struct stretch {
    uint64_t from, to;
    uint32_t node, writer, owner; /* writer: the iteration; owner: the name whose code it is */
    uint32_t epoch;               /* barriers before it */
    uint8_t kind, role;
    bool lock; /* a critical section's, which all run */
};

/* Stores to a line between two barriers. */
struct stored {
    double stores;
    uint32_t writer, stretch, next; /* next: 1 + the one before of that line; 0: none */
};

struct known {
    uint32_t last;   /* 1 + the last of its stores by iterations */
    uint32_t barred; /* 1 + the first stretch that wrote it and is no iteration; 0: none */
    bool locked;     /* others write it too */
};

struct portion_writer {
    uint32_t node;
    double stores;
};

struct portion_line {
    double at; /* when it was read first, of the piece: 0 to 1 */
    double loads, rounds, stores;
    size_t first, n; /* of the writers */
};

/* Of one piece that every thread runs. */
struct portion {
    uint32_t node;
    enum piece_kind kind;
    double varies;   /* the part of its accesses that goes with what iterations left; 0 to 1 */
    double loads;    /* of that, in the lines looked at */
    size_t first, n; /* of the lines */
};

struct portions {
    struct cc_map index; /* node and kind: 1 + the number */
    CC_VEC(struct portion) list;
    CC_VEC(struct portion_line) lines;
    CC_VEC(struct portion_writer) writers;
};

struct making {
    const struct local *l;
    const struct cc_predict_plan *p;
    const struct bound *bounds;
    const struct cc_htg *h;
    CC_VEC(struct stretch) stretches; /* of one region, in the order of time */
    CC_VEC(struct stored) stored;
    CC_VEC(struct known) known;
    struct cc_map lines; /* with the epoch: 1 + the number among those known */
    uint32_t epoch;
    struct portions *ret;
};

/* In the place of an epoch: whatever barriers there were. */
static const uint32_t region_wide = UINT32_MAX;

/* --- a region as stretches --- */

static const struct bound *bound_of(const struct making *m, uint32_t node)
{
    int32_t i = m->p->directive[m->h->nodes[node].name];
    return i < 0 ? NULL : &m->bounds[i];
}

static void add(struct making *m, struct stretch s)
{
    s.epoch = m->epoch;
    if (s.from < s.to)
        CC_VEC_PUSH(&m->stretches, s);
}

static void add_gap(struct making *m, uint32_t node, uint32_t owner, struct stretch as)
{
    as.from = m->l->start[node] - m->h->nodes[node].gap;
    as.to = m->l->start[node];
    as.node = node;
    as.owner = owner;
    as.kind = PIECE_GAP;
    add(m, as);
}

static void add_inside(struct making *m, uint32_t node, struct stretch as);

/* Iterations of one name from `first` on; ret: the sibling behind the last. */
static uint32_t add_loop(struct making *m, uint32_t parent, uint32_t first, const struct bound *b)
{
    const struct cc_htg_node *nodes = m->h->nodes;
    uint32_t c = first;
    bool known = b->collapse <= 1;
    for (; c != nodes[parent].next && nodes[c].name == nodes[first].name; c = nodes[c].next) {
        struct stretch as = {.writer = c, .role = known ? ROLE_SHARED : ROLE_OTHER};
        add_gap(m, c, nodes[parent].name, c == first ? (struct stretch){.role = ROLE_ALL} : as);
        add_inside(m, c, as);
    }
    m->epoch += !b->d->nowait;
    return c;
}

/* One task with a directive that is no loop, or with none; `as` is what its surroundings are. */
static void add_one(struct making *m, uint32_t node, const struct bound *b, struct stretch as)
{
    enum cc_omp_kind k = b ? b->d->kind : CC_OMP_KINDS;
    bool locks = k == CC_OMP_CRITICAL || k == CC_OMP_ORDERED || k == CC_OMP_ATOMIC;
    bool waits = k == CC_OMP_SINGLE || k == CC_OMP_SECTIONS || k == CC_OMP_SCOPE;
    m->epoch += k == CC_OMP_BARRIER && as.role == ROLE_ALL;
    as.lock = as.lock || (k == CC_OMP_CRITICAL && as.role == ROLE_ALL);
    if (locks && as.role == ROLE_SHARED)
        as.role = ROLE_LOCKED;
    else if (b && !locks && k != CC_OMP_BARRIER && k != CC_OMP_SCOPE)
        as.role = ROLE_OTHER;
    add_inside(m, node, as);
    m->epoch += waits && as.role != ROLE_SHARED && !b->d->nowait;
}

/* All of a node, without the gap before it. */
static void add_inside(struct making *m, uint32_t node, struct stretch as)
{
    const struct cc_htg_node *nodes = m->h->nodes, *n = &nodes[node];
    uint64_t end = m->l->start[node] + n->len, left = n->len;
    as.owner = n->name;
    if (!cc_plan_below(m->p, node) || as.role == ROLE_OTHER) {
        as.from = m->l->start[node];
        as.to = end;
        as.node = node;
        as.kind = PIECE_ALL;
        add(m, as);
        return;
    }
    for (uint32_t c = node + 1; c != n->next;) {
        const struct bound *b = bound_of(m, c);
        uint32_t next = nodes[c].next;
        if (b && b->d->kind == CC_OMP_FOR && as.role == ROLE_ALL) {
            next = add_loop(m, node, c, b);
        } else {
            add_gap(m, c, n->name, as);
            add_one(m, c, b, as);
        }
        for (uint32_t i = c; i != next; i = nodes[i].next)
            left -= nodes[i].gap + nodes[i].len;
        c = next;
    }
    m->epoch += m->p->end[n->name] >= 0;
    as.owner = n->name;
    as.from = end - left;
    as.to = end;
    as.node = node;
    as.kind = PIECE_TAIL;
    add(m, as);
}

/* --- who wrote which line --- */

/* The stretch that a time lies in, from one near it on; NULL: none. */
static const struct stretch *at_time(const struct making *m, uint64_t time, size_t *near)
{
    while (*near && m->stretches.v[*near].from > time)
        (*near)--;
    while (*near + 1 < m->stretches.n && m->stretches.v[*near].to <= time)
        (*near)++;
    const struct stretch *s = &m->stretches.v[*near];
    return s->from <= time && time < s->to ? s : NULL;
}

static struct known *known_of(struct making *m, uint32_t line, uint32_t epoch, bool make)
{
    uint64_t key = (uint64_t)epoch << 32 | line, *at = cc_map_get(&m->lines, key);
    if (!at && !make)
        return NULL;
    if (!at) {
        bool first;
        CC_VEC_PUSH(&m->known, (struct known){0});
        at = cc_map_put(&m->lines, key, &first);
        *at = m->known.n;
    }
    return &m->known.v[*at - 1];
}

struct access {
    size_t stretch;
    uint64_t time;
    uint32_t line;
    bool atomic, stack;
    double loads, stores;
};

static void note_stores(struct making *m, uint32_t epoch, size_t stretch, const struct access *a)
{
    const struct stretch *s = &m->stretches.v[stretch];
    struct known *k = known_of(m, a->line, epoch, true);
    k->locked = k->locked || a->atomic || s->role == ROLE_LOCKED || s->role == ROLE_OTHER;
    if (s->role == ROLE_ALL && !k->barred)
        k->barred = (uint32_t)stretch + 1;
    if (s->role != ROLE_SHARED)
        return;
    if (k->last && m->stored.v[k->last - 1].stretch == stretch) {
        m->stored.v[k->last - 1].stores += a->stores;
        return;
    }
    CC_VEC_PUSH(&m->stored, ((struct stored){a->stores, s->writer, (uint32_t)stretch, k->last}));
    k->last = (uint32_t)m->stored.n;
}

/* The next access of the region, or what was left out of the trace behind one. */
static bool next_access(const struct making *m, struct cc_line_cursor *c, uint64_t until, size_t *near,
                        struct access *ret)
{
    struct cc_line_event e;
    while (cc_line_next(c, until, &e)) {
        bool counts = e.flags & CC_LINES_COUNT;
        const struct stretch *s = e.flags & CC_LINES_OFF ? NULL : at_time(m, counts ? e.first : e.time, near);
        if (!s)
            continue;
        bool store = e.flags & CC_LINES_WRITE;
        *ret = (struct access){.stretch = (size_t)(s - m->stretches.v),
                               .time = counts ? e.first : e.time,
                               .line = e.line,
                               .stack = e.flags & CC_LINES_STACK,
                               .atomic = counts ? e.count[CC_LINE_ATOMIC] : (e.flags & CC_LINES_ATOMIC),
                               .loads = counts ? e.count[CC_LINE_LOAD] : !store,
                               .stores = counts ? e.count[CC_LINE_STORE] : store};
        return true;
    }
    return false;
}

static void find_stores(struct making *m, uint64_t from, uint64_t until)
{
    struct cc_line_cursor c;
    struct access a;
    size_t near = 0;
    cc_line_seek(m->h->lines, from, &c);
    while (next_access(m, &c, until, &near, &a))
        if (a.stores > 0 || a.atomic) {
            note_stores(m, m->stretches.v[a.stretch].epoch, a.stretch, &a);
            if (a.stack)
                note_stores(m, region_wide, a.stretch, &a);
        }
}

/* --- what code that all run reads of it --- */

struct left_line {
    uint32_t line;
    bool stack;
    uint64_t time; /* when it was read first */
    double loads;
};

struct reading {
    struct cc_map lines; /* that iterations left: 1 + the number below */
    CC_VEC(struct left_line) list;
    double left, all, stack;
};

/* Stores of iterations to the line before the stretch; NULL: it is not theirs alone. Between two barriers
 * nobody else may read them. Behind one others may; but what a thread goes over with a lock, and lies on the
 * stack, is its own: all would do the same, one after the other, with what is everybody's. */
static const struct stored *left_by(const struct making *m, uint32_t line, bool stack, size_t stretch)
{
    struct making *map = (struct making *)m;
    const struct stretch *s = &m->stretches.v[stretch];
    const struct known *k = known_of(map, line, s->lock && stack ? region_wide : s->epoch, false);
    if (!k || k->locked || (k->barred && k->barred - 1 < stretch))
        return NULL;
    uint32_t at = k->last;
    while (at && m->stored.v[at - 1].stretch > stretch)
        at = m->stored.v[at - 1].next;
    return at ? &m->stored.v[at - 1] : NULL;
}

static struct left_line *left_line(struct reading *r, const struct access *a)
{
    bool first;
    uint64_t *at = cc_map_put(&r->lines, (uint64_t)a->line << 1 | a->stack, &first);
    if (first) {
        CC_VEC_PUSH(&r->list, ((struct left_line){.line = a->line, .stack = a->stack, .time = a->time}));
        *at = r->list.n;
    }
    return &r->list.v[*at - 1];
}

static void read_line(const struct making *m, struct reading *r, const struct access *a)
{
    double all = a->loads + a->stores;
    r->all += all;
    if (a->loads > 0 && left_by(m, a->line, a->stack, a->stretch)) {
        struct left_line *l = left_line(r, a);
        l->loads += a->loads;
        r->left += a->loads;
    } else if (a->stack) {
        r->stack += all;
    }
}

static const struct stored *before(const struct making *m, const struct stored *s)
{
    return s->next ? &m->stored.v[s->next - 1] : NULL;
}

static size_t writers_since(const struct making *m, const struct stored *s, size_t since)
{
    size_t n = 0;
    for (; s && s->stretch >= since; s = before(m, s))
        n++;
    return n;
}

/* What a line held since it was gone over `since` then; all that it ever held if that was nothing. */
static void add_line(struct making *m, const struct left_line *l, size_t stretch, size_t since)
{
    struct portions *ret = m->ret;
    const struct stretch *p = &m->stretches.v[stretch];
    struct portion_line out = {.at = (double)(l->time - p->from) / (double)(p->to - p->from),
                               .loads = l->loads,
                               .first = ret->writers.n};
    const struct stored *s = left_by(m, l->line, l->stack, stretch);
    double bytes = 0;
    if (s->stretch < since)
        since = 0;
    size_t every = writers_since(m, s, since) / MOST_WRITERS + 1;
    for (size_t i = 0; s && s->stretch >= since; s = before(m, s), i++) {
        bytes += s->stores * m->l->store[m->stretches.v[s->stretch].owner];
        if (i % every)
            continue;
        CC_VEC_PUSH(&ret->writers, ((struct portion_writer){s->writer, s->stores}));
        out.stores += s->stores;
    }
    out.rounds = bytes / CC_LOCALITY_LINE;
    out.n = ret->writers.n - out.first;
    CC_VEC_PUSH(&ret->lines, out);
}

/* An access of what iterations left goes with one other: where it is added to, or how far it is. More than
 * that is done whatever they left. */
static void finish(struct making *m, const struct reading *r, size_t stretch, size_t since)
{
    struct portions *ret = m->ret;
    const struct stretch *s = &m->stretches.v[stretch];
    struct portion out = {.node = s->node, .kind = s->kind, .first = ret->lines.n};
    out.varies = fmin(2 * r->left, r->all - r->stack) / r->all;
    for (size_t i = 0; i < r->list.n; i += r->list.n / MOST_LINES + 1) {
        add_line(m, &r->list.v[i], stretch, since);
        out.loads += r->list.v[i].loads;
    }
    out.n = ret->lines.n - out.first;
    bool first;
    CC_VEC_PUSH(&ret->list, out);
    *cc_map_put(&ret->index, (uint64_t)out.node * PIECE_KINDS + out.kind, &first) = ret->list.n;
}

/* Pieces that all run behind iterations, with no barrier between or with a lock: only those may read what is
 * a thread's alone. */
static bool *candidates(const struct making *m)
{
    bool *ret = cc_alloc_array(m->stretches.n + 1, sizeof *ret), any = false;
    for (size_t i = 0, shared = SIZE_MAX; i < m->stretches.n; i++) {
        const struct stretch *s = &m->stretches.v[i];
        if (s->role == ROLE_SHARED)
            shared = s->epoch;
        ret[i] = s->role == ROLE_ALL && shared != SIZE_MAX && (shared == s->epoch || s->lock);
        any = any || ret[i];
    }
    if (any)
        return ret;
    free(ret);
    return NULL;
}

/* The last time that the same code went over something before. */
static size_t last_such(const struct making *m, const struct reading *readings, size_t stretch)
{
    const struct stretch *s = &m->stretches.v[stretch];
    for (size_t i = stretch; i-- > 0;)
        if (readings[i].left > 0 && m->stretches.v[i].owner == s->owner && m->stretches.v[i].kind == s->kind)
            return i;
    return 0;
}

static void find_loads(struct making *m, const bool *candidate, uint64_t from, uint64_t until)
{
    struct reading *readings = cc_alloc_array(m->stretches.n, sizeof *readings);
    struct cc_line_cursor c;
    struct access a;
    size_t near = 0;
    cc_line_seek(m->h->lines, from, &c);
    while (next_access(m, &c, until, &near, &a))
        if (candidate[a.stretch])
            read_line(m, &readings[a.stretch], &a);
    for (size_t i = 0; i < m->stretches.n; i++) {
        if (readings[i].left > 0)
            finish(m, &readings[i], i, last_such(m, readings, i));
        cc_map_fini(&readings[i].lines);
        CC_VEC_FINI(&readings[i].list);
    }
    free(readings);
}

static void add_region(struct making *m, uint32_t node)
{
    m->stretches.n = m->stored.n = m->known.n = 0;
    cc_map_fini(&m->lines);
    m->lines = (struct cc_map){0};
    m->epoch = 0;
    add_inside(m, node, (struct stretch){.role = ROLE_ALL});
    bool *candidate = candidates(m);
    if (!candidate)
        return;
    uint64_t from = m->l->start[node], until = from + m->h->nodes[node].len + 1;
    find_stores(m, from, until);
    find_loads(m, candidate, from, until);
    free(candidate);
}

/* Regions that lie in no other construct. */
static void find_regions(struct making *m, uint32_t node)
{
    for (uint32_t c = node + 1; c != m->h->nodes[node].next; c = m->h->nodes[c].next) {
        const struct bound *b = bound_of(m, c);
        if (b && b->d->kind == CC_OMP_PARALLEL)
            add_region(m, c);
        else if (!b && cc_plan_below(m->p, c))
            find_regions(m, c);
    }
}

static bool worth_while(const struct cc_predict_plan *p, const struct bound *bounds)
{
    bool region = false, unwaited = false;
    for (size_t i = 0; i < p->s->n; i++) {
        region = region || bounds[i].d->kind == CC_OMP_PARALLEL;
        unwaited = unwaited || (bounds[i].d->kind == CC_OMP_FOR && bounds[i].d->nowait) ||
                   bounds[i].d->kind == CC_OMP_CRITICAL;
    }
    return region && unwaited;
}

struct portions *cc_portions_new(const struct local *l, const struct cc_predict_plan *p,
                                 const struct bound *bounds)
{
    if (!worth_while(p, bounds))
        return NULL;
    struct making m = {.l = l, .p = p, .bounds = bounds, .h = l->h, .ret = cc_alloc(sizeof *m.ret)};
    find_regions(&m, 0);
    CC_VEC_FINI(&m.stretches);
    CC_VEC_FINI(&m.stored);
    CC_VEC_FINI(&m.known);
    cc_map_fini(&m.lines);
    if (m.ret->list.n)
        return m.ret;
    cc_portions_free(m.ret);
    return NULL;
}

void cc_portions_free(struct portions *p)
{
    if (!p)
        return;
    cc_map_fini(&p->index);
    CC_VEC_FINI(&p->list);
    CC_VEC_FINI(&p->lines);
    CC_VEC_FINI(&p->writers);
    free(p);
}

/* --- of one thread --- */

size_t cc_portion_find(const struct portions *p, uint32_t node, enum piece_kind kind)
{
    const uint64_t *at = p ? cc_map_get(&p->index, (uint64_t)node * PIECE_KINDS + kind) : NULL;
    return at ? (size_t)*at - 1 : SIZE_MAX;
}

double cc_portion_line(double own, double rounds)
{
    return 1 - pow(1 - fmin(own, 1), fmax(rounds, 1));
}

/* Loads of the line that go over something of the thread's. */
static double own_loads(const struct portions *p, const struct portion_line *l, const uint16_t *ran_by,
                        uint16_t mark)
{
    double own = 0;
    for (size_t k = l->first; k < l->first + l->n; k++)
        own += ran_by[p->writers.v[k].node] == mark ? p->writers.v[k].stores : 0;
    return own > 0 ? l->loads * cc_portion_line(own / l->stores, l->rounds) : 0;
}

double cc_portion_share(const struct portions *p, size_t number, const uint16_t *ran_by, uint16_t mark,
                        double *ret_from)
{
    const struct portion *o = &p->list.v[number];
    const struct portion_line *line = p->lines.v + o->first;
    double *own = cc_alloc_array(o->n + 1, sizeof *own), sum = 0, inside = 0, most = -1;
    for (size_t i = 0; i < o->n; i++)
        sum += own[i] = own_loads(p, &line[i], ran_by, mark);
    double share = 1 - o->varies + o->varies * sum / o->loads;
    *ret_from = 0;
    for (size_t i = 0, from = 0; i < o->n; i++) {
        inside += own[i];
        while (line[i].at - line[from].at > share || (from < i && own[from] <= 0))
            inside -= own[from++];
        if (inside <= most)
            continue;
        most = inside;
        *ret_from = line[from].at;
    }
    *ret_from = fmin(*ret_from, 1 - share);
    free(own);
    return share;
}
