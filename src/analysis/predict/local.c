#include "local.h"
#include "../../base/arena.h"
#include "../../platform/machine.h"

#include <math.h>

/* --- the graph as pieces in the order of time --- */

enum { PAGE = 4096 };

struct level {
    uint32_t node, child;
    uint64_t left; /* ticks of it that no child has had */
};

/* Calls `take` for every gap and tail, in the order of time. */
static void walk(const struct cc_htg *h,
                 void take(void *self, uint32_t node, enum piece_kind kind, uint64_t from, uint64_t ticks,
                           uint32_t owner),
                 void *self)
{
    CC_VEC(struct level) stack = {0};
    CC_VEC_PUSH(&stack, ((struct level){0, 1, h->nodes[0].len}));
    uint64_t now = 0;
    while (stack.n) {
        struct level *l = &stack.v[stack.n - 1];
        if (l->child == h->nodes[l->node].next) {
            take(self, l->node, PIECE_TAIL, now, l->left, h->nodes[l->node].name);
            now += l->left;
            stack.n--;
            continue;
        }
        uint32_t c = l->child;
        const struct cc_htg_node *n = &h->nodes[c];
        take(self, c, PIECE_GAP, now, n->gap, h->nodes[l->node].name);
        now += n->gap;
        l->left -= n->gap + n->len;
        l->child = n->next;
        CC_VEC_PUSH(&stack, ((struct level){c, c + 1, n->len}));
    }
    CC_VEC_FINI(&stack);
}

/* All of a node is its tail and all of its children with their gaps: from the last to the first, a child's
 * sum is whole when it is added. */
static void add_up(const struct cc_htg *h, double *const v[PIECE_KINDS])
{
    CC_VEC(uint32_t) parents = {0};
    uint32_t *parent = cc_alloc_array(h->nnodes, sizeof *parent);
    for (uint32_t i = 0; i < h->nnodes; i++) {
        while (parents.n && h->nodes[parents.v[parents.n - 1]].next <= i)
            parents.n--;
        parent[i] = parents.n ? parents.v[parents.n - 1] : UINT32_MAX;
        CC_VEC_PUSH(&parents, i);
        v[PIECE_ALL][i] = v[PIECE_TAIL][i];
    }
    for (uint32_t i = (uint32_t)h->nnodes; i-- > 1;)
        v[PIECE_ALL][parent[i]] += v[PIECE_ALL][i] + v[PIECE_GAP][i];
    CC_VEC_FINI(&parents);
    free(parent);
}

struct filling {
    struct local *l;
    CC_VEC(struct cc_locality_piece) pieces;
    CC_VEC(double *) stall; /* of each piece */
};

static void take(void *self, uint32_t node, enum piece_kind kind, uint64_t from, uint64_t ticks,
                 uint32_t owner)
{
    struct filling *f = self;
    struct local *l = f->l;
    if (kind == PIECE_GAP)
        l->start[node] = from + ticks;
    l->work[kind][node] = (double)ticks * l->pace[owner];
    CC_VEC_PUSH(
        &f->pieces,
        ((struct cc_locality_piece){
            .from = from, .to = from + ticks, .cycles = l->work[kind][node], .store = l->store[owner]}));
    CC_VEC_PUSH(&f->stall, &l->stall[kind][node]);
}

/* The mean of some places of the stack, if the place matters. */
static void run_alone(struct local *l)
{
    enum { MOST = 4 };
    struct filling f = {.l = l};
    walk(l->h, take, &f);
    struct cc_sim_config alone = l->machine;
    alone.cores = 1;
    add_up(l->h, l->work);
    double first = 0, change = 0;
    for (unsigned k = 0; k < MOST && (k < 2 || change > CC_LOCAL_SAME * (first + l->work[PIECE_ALL][0]));
         k++) {
        cc_locality_run(l->h->lines, &alone, (struct cc_locality_places){k}, f.pieces.v, f.pieces.n,
                        &l->counts);
        for (size_t i = 0; i < f.pieces.n; i++)
            *f.stall.v[i] += (f.pieces.v[i].stall - *f.stall.v[i]) / (k + 1);
        first = k ? first : l->counts.stall;
        change = CC_MAX(change, fabs(l->counts.stall - first));
    }
    CC_VEC_FINI(&f.pieces);
    CC_VEC_FINI(&f.stall);
    add_up(l->h, l->stall);
}

struct local *cc_local_new(const struct cc_htg *h, const struct cc_platform *p, struct cc_err *why)
{
    struct cc_sim_config machine;
    if (cc_machine_of(p, 0, &machine, why) < 0)
        return NULL;
    struct local *l = cc_alloc(sizeof *l);
    l->h = h;
    l->machine = machine;
    l->start = cc_alloc_array(h->nnodes, sizeof *l->start);
    for (int k = PIECE_GAP; k < PIECE_KINDS; k++) {
        l->stall[k] = cc_alloc_array(h->nnodes, sizeof *l->stall[k]);
        l->work[k] = cc_alloc_array(h->nnodes, sizeof *l->work[k]);
    }
    l->pace = cc_alloc_array(h->nnames + 1, sizeof *l->pace);
    l->store = cc_alloc_array(h->nnames + 1, sizeof *l->store);
    l->code = cc_alloc_array(h->nnames + 1, sizeof *l->code);
    for (size_t i = 0; i <= h->nnames; i++) {
        const char *name = i < h->nnames ? h->names[i] : NULL;
        l->pace[i] = cc_pace_of(h->pace, name, machine.cost);
        l->store[i] = cc_pace_store(h->pace, name);
        l->code[i] = cc_pace_code(h->pace, name);
    }
    run_alone(l);
    return l;
}

void cc_local_free(struct local *l)
{
    if (!l)
        return;
    for (int k = PIECE_GAP; k < PIECE_KINDS; k++) {
        free(l->stall[k]);
        free(l->work[k]);
    }
    free(l->start);
    free(l->pace);
    free(l->store);
    free(l->code);
    free(l);
}

/* --- one schedule --- */

int cc_local_run_init(struct local_run *r, const struct local *l, unsigned processors, struct cc_err *err)
{
    *r = (struct local_run){.l = l, .machine = l->machine};
    r->machine.cores = processors;
    for (uint32_t b = 0; b < r->machine.banks && r->machine.net != CC_SIM_MESH; b++)
        r->machine.bank[b].node = processors + b;
    const char *bad = cc_sim_config_check(&r->machine);
    if (bad) {
        cc_err_set(err, CC_EINPUT, "the platform's machine with %u cores: %s", processors, bad);
        cc_err_hint(err, "--contention model needs no machine");
        return -CC_EINPUT;
    }
    for (int k = PIECE_GAP; k < PIECE_KINDS; k++) {
        r->stall[k] = cc_alloc_array(l->h->nnodes, sizeof *r->stall[k]);
        memcpy(r->stall[k], l->stall[k], l->h->nnodes * sizeof *r->stall[k]);
    }
    r->last = cc_alloc_array(processors, sizeof *r->last);
    return 0;
}

void cc_local_run_fini(struct local_run *r)
{
    for (int k = PIECE_GAP; k < PIECE_KINDS; k++)
        free(r->stall[k]);
    for (size_t i = 0; i < r->samples.n; i++)
        free(r->samples.v[i]);
    CC_VEC_FINI(&r->samples);
    CC_VEC_FINI(&r->pieces);
    CC_VEC_FINI(&r->node);
    CC_VEC_FINI(&r->kind);
    CC_VEC_FINI(&r->part);
    free(r->last);
}

/* The first that a function stores on the stack is where it returns to, next to its frame. 0: not known. */
static uint64_t frame_of(const struct local *l, uint64_t from, uint64_t until)
{
    struct cc_line_cursor c;
    struct cc_line_event e;
    if (!l->h->threaded)
        return 0;
    cc_line_seek(l->h->lines, from, &c);
    while (cc_line_next_access(&c, until, &e))
        if ((e.flags & CC_LINES_STACK) && (e.flags & CC_LINES_WRITE))
            return e.address;
    return 0;
}

void cc_local_stacks(struct local_run *r, uint32_t region, double place)
{
    uint64_t from = r->l->start[region], at = frame_of(r->l, from, from + r->l->h->nodes[region].len);
    double frame = (double)(at % PAGE) + CC_LOCALITY_GRAIN - 8, lines = PAGE / CC_LOCALITY_LINE;
    if (at)
        r->stacks = 1 + (unsigned)fmod(round((place - frame) / CC_LOCALITY_LINE) + lines, lines);
}

void cc_local_region(struct local_run *r, uint32_t region, bool combined)
{
    const struct cc_htg_node *n = &r->l->h->nodes[region];
    uint64_t start = r->l->start[region];
    uint64_t at = combined ? frame_of(r->l, start - n->gap, start) : frame_of(r->l, start, start + n->len);
    r->shared = at ? (at / CC_LOCALITY_LINE + 1) * CC_LOCALITY_LINE : 0;
}

bool cc_local_note(struct local_run *r, uint32_t processor, double start, bool waited,
                   struct cc_locality_visit visit, struct local_code code)
{
    uint32_t node = code.node;
    enum piece_kind kind = code.kind;
    const struct local *l = r->l;
    const struct cc_htg_node *n = &l->h->nodes[node];
    uint64_t end = l->start[node] + n->len, from = l->start[node], to = end;
    if (kind == PIECE_GAP) {
        from = l->start[node] - n->gap;
        to = l->start[node];
    } else if (kind == PIECE_TAIL) {
        uint64_t left = n->len;
        for (uint32_t c = node + 1; c != n->next; c = l->h->nodes[c].next)
            left -= l->h->nodes[c].gap + l->h->nodes[c].len;
        from = end - left;
    }
    if (from == to || code.part <= 0)
        return false;
    if (code.part < 1) {
        uint64_t length = to - from;
        from += (uint64_t)((double)length * fmin(code.from, 1 - code.part));
        to = CC_MIN(to, from + CC_MAX((uint64_t)((double)length * code.part), 1));
    }
    CC_VEC_PUSH(&r->pieces, ((struct cc_locality_piece){.processor = processor,
                                                        .from = from,
                                                        .to = to,
                                                        .start = start,
                                                        .end = start,
                                                        .waited = waited,
                                                        .shared = r->shared,
                                                        .visit = visit,
                                                        .cycles = l->work[kind][node] * code.part,
                                                        .store = l->store[code.owner]}));
    CC_VEC_PUSH(&r->node, node);
    CC_VEC_PUSH(&r->kind, (uint8_t)kind);
    CC_VEC_PUSH(&r->part, code.part);
    r->last[processor] = r->pieces.n;
    return true;
}

void cc_local_over(struct local_run *r, uint32_t processor, double end)
{
    if (r->last[processor])
        r->pieces.v[r->last[processor] - 1].end = end;
}

void cc_local_publish(struct local_run *r, uint32_t processor)
{
    if (r->last[processor])
        r->pieces.v[r->last[processor] - 1].published = true;
}

/* Keeps what was found, and takes the mean with what was found in earlier rounds; on several processors the
 * first had the schedule of a machine without waiting for others. */
static void add_round(struct local_run *r, double *const before[PIECE_KINDS])
{
    size_t n = r->l->h->nnodes;
    if (r->rounds == 2 && r->machine.cores > 1)
        free(r->samples.v[--r->samples.n]);
    double *found = cc_alloc_array(n * PIECE_KINDS, sizeof *found);
    CC_VEC_PUSH(&r->samples, found);
    for (int k = PIECE_GAP; k < PIECE_KINDS; k++) {
        memcpy(&found[(size_t)k * n], r->stall[k], n * sizeof *found);
        for (size_t i = 0; i < n && r->samples.n > 1; i++)
            r->stall[k][i] = before[k][i] + (r->stall[k][i] - before[k][i]) / (double)r->samples.n;
    }
}

/* What every thread of a region runs is there several times: the mean, of parts as much as they are. */
static void mean_of_pieces(struct local_run *r)
{
    struct cc_map seen = {0};
    CC_VEC(double) parts = {0};
    for (size_t i = 0; i < r->pieces.n; i++) {
        bool first;
        uint64_t *at = cc_map_put(&seen, (uint64_t)r->node.v[i] * PIECE_KINDS + r->kind.v[i], &first);
        if (first) {
            *at = parts.n;
            CC_VEC_PUSH(&parts, 0);
        }
        double *stall = &r->stall[r->kind.v[i]][r->node.v[i]], *before = &parts.v[*at];
        *stall = (*stall * *before + r->pieces.v[i].stall) / (*before + r->part.v[i]);
        *before += r->part.v[i];
    }
    CC_VEC_FINI(&parts);
    cc_map_fini(&seen);
}

void cc_local_measure(struct local_run *r)
{
    double *before[PIECE_KINDS] = {0};
    for (int k = PIECE_GAP; k < PIECE_KINDS; k++) {
        before[k] = cc_alloc_array(r->l->h->nnodes, sizeof *before[k]);
        memcpy(before[k], r->stall[k], r->l->h->nnodes * sizeof *before[k]);
    }
    cc_locality_run(r->l->h->lines, &r->machine, (struct cc_locality_places){r->rounds++, r->stacks},
                    r->pieces.v, r->pieces.n, &r->counts);
    r->taken = r->counts.stall > 0 ? CC_MIN(r->counts.taken / r->counts.stall, 1) : 0;
    mean_of_pieces(r);
    add_round(r, before);
    for (int k = PIECE_GAP; k < PIECE_KINDS; k++)
        free(before[k]);
    r->pieces.n = r->node.n = r->kind.n = r->part.n = 0;
    memset(r->last, 0, r->machine.cores * sizeof *r->last);
}

double cc_local_stall(const struct local_run *r, enum piece_kind kind, uint32_t node, const uint64_t *sample)
{
    if (!sample || !r->samples.n)
        return r->stall[kind][node];
    return r->samples.v[*sample % r->samples.n][kind * r->l->h->nnodes + node];
}
