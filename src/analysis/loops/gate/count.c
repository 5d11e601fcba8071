#include "count.h"
#include "lines.h"
#include "names.h"

enum {
    COUNT_STEPS = 1 << 20,    /* accesses that are gone through, of one variable */
    COUNT_ELEMENTS = 1 << 14, /* of an array */
    COUNT_TURNS = 1 << 12,
    COUNT_HEADS = 16,
    COUNT_FIELDS = 8,
    COUNT_STACK = 16
};

/* --- how often a loop turned, at most --- */

/* The innermost of the binary's loops that an instruction lies in; CC_NONE: none. */
static uint32_t innermost(const struct cc_profile *p, uint64_t address)
{
    uint32_t found = CC_NONE;
    unsigned deepest = 0;
    for (size_t i = 0; i < p->nloop_blocks; i++) {
        const struct cc_rec_loop_block *b = &p->loop_blocks[i];
        uint64_t at = address - p->binaries[p->loops[b->loop].binary].bias;
        unsigned depth = 1;
        for (uint32_t o = p->loops[b->loop].outer; o != CC_NONE; o = p->loops[o].outer)
            depth++;
        if (at >= b->start && at < b->end && depth > deepest) {
            deepest = depth;
            found = b->loop;
        }
    }
    return found;
}

static bool is_around(const struct cc_profile *p, uint32_t outer, uint32_t inner)
{
    while (inner != CC_NONE && inner != outer)
        inner = p->loops[inner].outer;
    return inner == outer;
}

/* What a line stores in one iteration of each of a statement's loops, and outside of them: in elements. */
struct stored {
    const struct cc_profile *p;
    const uint32_t *members;
    size_t nmembers;
    uint64_t *in, *sure; /* by member: bytes; of these, those that are the line's own */
    uint64_t outside;
    const struct cc_source_loop *statement;
    bool plain; /* code that was not optimised */
};

/* Whether code of the line may be the line's that is asked about: what a compiler puts together bears the
 * loop's line, or none. */
static bool may_be_of(const struct stored *s, const struct cc_rec_line *x, const char *file, unsigned line)
{
    const struct cc_source_loop *l = s->statement;
    if (x->file == CC_NONE || !x->line)
        return !s->plain;
    if (strcmp(s->p->files[x->file].path, file) != 0 || x->line < l->line || x->line > l->last_line)
        return false;
    bool other = s->plain && x->line != line;
    for (size_t i = 0; i < l->accesses.n && x->line != line; i++)
        other = other || (l->accesses.v[i].write && l->accesses.v[i].line == x->line);
    return !other;
}

/* Whether what the line stores in a block can be told to be an iteration's. sure: it is that line's; else
 * only what the loops have counts. */
static bool add_stored(struct stored *s, const struct cc_rec_line *x, bool sure)
{
    const struct cc_profile *p = s->p;
    const struct cc_pblock *b = &p->blocks[x->block];
    uint32_t loop = innermost(p, b->address);
    bool around = loop == CC_NONE;
    if (b->function != p->loops[s->members[0]].function)
        return !sure;
    for (size_t i = 0; i < s->nmembers; i++) {
        if (s->members[i] == loop) {
            s->in[i] += x->written;
            s->sure[i] += sure ? x->written : 0;
            return true;
        }
        around = around || is_around(p, loop, s->members[i]);
    }
    s->outside += sure ? x->written : 0;
    return around || !sure;
}

/* By the stores of one line, which each iteration of the source makes at least once: none is gone, since
 * each is to another element. 0: it cannot be told. */
static uint64_t turns_by_line(struct stored *s, const char *file, unsigned line, unsigned bytes)
{
    const struct cc_profile *p = s->p;
    bool told = bytes > 0;
    s->outside = 0;
    memset(s->in, 0, s->nmembers * sizeof *s->in);
    memset(s->sure, 0, s->nmembers * sizeof *s->sure);
    for (size_t i = 0; i < p->nlines && told; i++) {
        const struct cc_rec_line *x = &p->lines[i];
        if (x->written && may_be_of(s, x, file, line))
            told = add_stored(s, x, x->line == line);
    }
    uint64_t turns = (s->outside + bytes - 1) / CC_MAX(bytes, 1U);
    for (size_t i = 0; i < s->nmembers && told; i++) {
        const struct cc_ploop *l = &p->loops[s->members[i]];
        told = !l->iterations || (s->sure[i] >= bytes && l->function == p->loops[s->members[0]].function &&
                                  !(l->flags & CC_LOOP_IRREDUCIBLE));
        turns += l->iterations ? l->trips_max * ((s->in[i] + bytes - 1) / bytes) : 0;
    }
    return told ? turns : 0;
}

static const struct cc_source_loop *loop_at(const struct gate_input *in, unsigned line)
{
    const struct cc_source_loop *found = NULL, *s = in->source;
    for (size_t i = 0; i < in->sources->v.n; i++) {
        const struct cc_source_loop *x = &in->sources->v.v[i];
        if (x->line != line || strcmp(x->file, s->file) != 0 || strcmp(x->function, s->function) != 0)
            continue;
        if (found) /* two in one line */
            return NULL;
        found = x;
    }
    return found;
}

static const struct group *group_at(const struct gate_input *in, unsigned line)
{
    const struct cc_source_loop *s = loop_at(in, line);
    const struct group *g = s ? cc_lines_group(in, s) : NULL;
    bool here = g && g->members.n && g->file && !g->lost;
    for (size_t i = 0; here && i < g->members.n; i++)
        here = in->p->loops[g->members.v[i]].function == in->p->loops[in->members[0]].function;
    return here ? g : NULL;
}

/* A compiler may exchange a loop with one of which it is the whole body. */
static uint64_t turns_around(const struct gate_input *in, unsigned line)
{
    const struct group *g = group_at(in, line);
    uint64_t turns = 0;
    for (size_t i = 0; g && i < g->members.n; i++)
        turns += in->p->loops[g->members.v[i]].trips_max;
    return turns;
}

/* 0: unknown, or too many. */
static uint64_t turns_of(const struct gate_input *in, const struct cc_source_head *h)
{
    if (h->count != CC_SOURCE_UNKNOWN)
        return h->count <= COUNT_TURNS ? (uint64_t)h->count : 0;
    const struct group *g = group_at(in, h->line);
    uint64_t turns = 0;
    if (!g)
        return 0;
    struct stored s = {.p = in->p,
                       .members = g->members.v,
                       .nmembers = g->members.n,
                       .statement = loop_at(in, h->line),
                       .plain = cc_lines_plain(in)};
    s.in = cc_alloc_array(s.nmembers, sizeof *s.in);
    s.sure = cc_alloc_array(s.nmembers, sizeof *s.sure);
    for (int k = 0; k < CC_HEAD_STORES && h->stores[k]; k++) {
        uint64_t by = turns_by_line(&s, g->file, h->stores[k], h->bytes[k]), most = 1;
        for (size_t i = 0; i < s.nmembers; i++)
            most = CC_MAX(most, s.in[i] / h->bytes[k]);
        if (by && h->wrapped)
            by = CC_MAX(by, turns_around(in, h->wrapped) * most + s.outside / h->bytes[k]);
        turns = CC_MAX(turns, by);
    }
    free(s.in);
    free(s.sure);
    return turns <= COUNT_TURNS ? turns : 0;
}

/* --- going through them --- */

struct cell {
    uint32_t invocation, iteration;
    bool many, written, combined, looked, read;
};

struct field {
    long first, bits;
    bool meets, seen;
    bool needs; /* meets, and not only to combine */
    bool flows; /* and what one wrote, another may have read */
    struct cell *cells;
};

struct range {
    long first, by, n;
};

struct going {
    const struct cc_source_loop *s;
    long variable;
    struct range range[COUNT_HEADS]; /* by head; n 0: not known */
    long value[COUNT_HEADS];
    struct field fields[COUNT_FIELDS];
    size_t nfields;
    uint32_t invocation, iteration;
    unsigned steps;
};

static bool is_used(const struct cc_source_touch *t, size_t head)
{
    const char *texts[] = {t->at, t->if_};
    for (size_t i = 0; i < CC_COUNT(texts); i++)
        for (const char *at = texts[i]; (at = strchr(at, 'c')); at++)
            if (strtoul(at + 1, NULL, 10) == head)
                return true;
    return false;
}

/* Two operands; false: what whole numbers of other types would have made something else of. */
static bool combine(char op, long a, long b, long *ret)
{
    switch (op) {
    case '+':
        *ret = a + b;
        break;
    case '-':
        *ret = a - b;
        break;
    case '*':
        *ret = a * b;
        break;
    case '%':
    case '/':
        if (b <= 0)
            return false;
        *ret = op == '%' ? a % b : a / b;
        break;
    case '<':
        *ret = a < b;
        break;
    case '>':
        *ret = a > b;
        break;
    case '=':
        *ret = a == b;
        break;
    case '~':
        *ret = a != b;
        break;
    case '&':
        *ret = a && b;
        break;
    case '^':
        if (a < 0 || b < 0)
            return false;
        *ret = a ^ b;
        break;
    default:
        return false;
    }
    return *ret >= 0 && *ret <= INT32_MAX;
}

static bool look_up(const struct cc_source_loop *s, unsigned long table, long *at)
{
    if (table >= s->tables.n || (size_t)*at >= s->tables.v[table].n)
        return false;
    *at = s->tables.v[table].v[*at];
    return true;
}

static bool evaluate(const struct going *g, const char *text, long *ret)
{
    long stack[COUNT_STACK];
    size_t n = 0;
    for (char *end; *text; text = end + (*end == ' ')) {
        char what = *text;
        unsigned long number = strtoul(text + 1, &end, 10);
        if ((what == '#' || what == 'c') && n < COUNT_STACK && (what == '#' || number < COUNT_HEADS))
            stack[n++] = what == '#' ? (long)number : g->value[number];
        else if (what == 't' && n && look_up(g->s, number, &stack[n - 1]))
            continue;
        else if (what == '!' && n)
            stack[n - 1] = !stack[n - 1];
        else if (n >= 2 && combine(what, stack[n - 2], stack[n - 1], &stack[n - 2]))
            n--;
        else
            return false;
        if (what == '!' || (what != '#' && what != 'c' && what != 't'))
            end = (char *)text + 1;
    }
    *ret = n == 1 ? stack[0] : 0;
    return n == 1;
}

static struct field *field_of(struct going *g, const struct cc_source_touch *t)
{
    for (size_t i = 0; i < g->nfields; i++)
        if (g->fields[i].first == t->first && g->fields[i].bits == t->bits)
            return &g->fields[i];
    return NULL;
}

/* Whether what is accessed can be told apart into fields that share no bit. */
static bool find_fields(struct going *g)
{
    for (size_t i = 0; i < g->s->touches.n; i++) {
        const struct cc_source_touch *t = &g->s->touches.v[i];
        if (t->variable != g->variable || field_of(g, t))
            continue;
        for (size_t k = 0; k < g->nfields; k++)
            if (!t->bits || !g->fields[k].bits ||
                (t->first < g->fields[k].first + g->fields[k].bits &&
                 g->fields[k].first < t->first + t->bits))
                return false;
        if (g->nfields == COUNT_FIELDS)
            return false;
        g->fields[g->nfields++] = (struct field){t->first,
                                                 t->bits,
                                                 false,
                                                 false,
                                                 false,
                                                 false,
                                                 cc_alloc_array(COUNT_ELEMENTS, sizeof(struct cell))};
    }
    return true;
}

static void touch(struct going *g, struct field *f, struct cell *c, char how)
{
    if (c->invocation != g->invocation)
        *c = (struct cell){.invocation = g->invocation, .iteration = g->iteration};
    c->many = c->many || c->iteration != g->iteration;
    c->written = c->written || how != 'r';
    c->combined = c->combined || how == 'u';
    c->looked = c->looked || how != 'u';
    c->read = c->read || how == 'r';
    f->meets = f->meets || (c->many && c->written);
    f->needs = f->needs || (c->many && c->written && c->looked);
    f->flows = f->flows || (c->many && c->written && c->read);
    f->seen = f->seen || (c->combined && c->looked);
}

/* The next values of the loops of that role that are used; false: they were the last. t NULL: by any. */
static bool advance(struct going *g, const struct cc_source_touch *t, unsigned role)
{
    for (size_t h = 0; h < g->s->heads.n; h++) {
        bool used = g->s->heads.v[h].role == role && g->range[h].n && (!t || is_used(t, h));
        if (!used)
            continue;
        g->value[h] += g->range[h].by;
        if (g->value[h] < g->range[h].first + g->range[h].by * g->range[h].n)
            return true;
        g->value[h] = g->range[h].first;
    }
    return false;
}

/* One access, by all iterations of loops inside. */
static bool go_access(struct going *g, const struct cc_source_touch *t)
{
    struct field *f = field_of(g, t);
    do {
        long at, holds = 1;
        if (++g->steps > COUNT_STEPS || (*t->if_ && !evaluate(g, t->if_, &holds)))
            return false;
        if (holds && (!evaluate(g, t->at, &at) || at >= COUNT_ELEMENTS))
            return false;
        if (holds)
            touch(g, f, &f->cells[at], t->how);
    } while (advance(g, t, CC_HEAD_INSIDE));
    return true;
}

/* All invocations that there may have been, by the values of loops around. */
static bool go_through(struct going *g, size_t self)
{
    bool told = true;
    do {
        g->invocation++;
        g->iteration = 0;
        g->value[self] = g->range[self].first;
        for (long k = 0; k < g->range[self].n && told; k++) {
            for (size_t i = 0; i < g->s->touches.n && told; i++)
                if (g->s->touches.v[i].variable == g->variable)
                    told = go_access(g, &g->s->touches.v[i]);
            g->iteration++;
            g->value[self] += g->range[self].by;
        }
    } while (told && advance(g, NULL, CC_HEAD_AROUND));
    return told;
}

/* The values that a loop's counter had at most; n 0: unknown. One that counts down ends next to its bound:
 * where exactly is not known, so all are taken, and of the loop itself those that go with each end. */
static struct range range_of(const struct gate_input *in, const struct cc_source_head *h)
{
    struct range r = {0};
    bool up = h->step > 0;
    if (up ? h->start < 0 : h->low < 0)
        return r;
    r.n = (long)turns_of(in, h);
    r.by = labs(h->step);
    r.first = up ? h->start : h->low;
    if (!up && h->role != CC_HEAD_SELF) {
        r.n *= r.by;
        r.by = 1;
    }
    return r;
}

/* Finds what has to be known of loops to go through the variable; false: something is not. turns: of the loop
 * itself, 0: as many as it had. */
static bool find_ranges(const struct gate_input *in, struct going *g, size_t self, long turns)
{
    for (size_t h = 0; h < g->s->heads.n; h++) {
        bool used = h == self;
        for (size_t i = 0; i < g->s->touches.n && !used; i++)
            used = g->s->touches.v[i].variable == g->variable && is_used(&g->s->touches.v[i], h);
        g->range[h] = used ? range_of(in, &g->s->heads.v[h]) : (struct range){0};
        g->value[h] = g->range[h].first;
        if (h == self && turns && g->range[h].by)
            g->range[h].n = turns;
        if (used && !g->range[h].n)
            return false;
    }
    return g->range[self].n >= 2;
}

/* Whether all accesses of the variable could be gone through; fields then say what was found. */
static bool go(const struct gate_input *in, struct going *g, size_t self)
{
    for (size_t i = 0; i < g->s->touches.n; i++)
        if (g->s->touches.v[i].variable == g->variable && *g->s->touches.v[i].at == '?')
            return false;
    if (!find_ranges(in, g, self, 0) || !find_fields(g))
        return false;
    long ends = g->s->heads.v[self].step < 0 ? g->range[self].by : 1;
    bool told = true;
    for (long k = 0; k < ends && told; k++) {
        told = go_through(g, self);
        g->range[self].first++;
    }
    return told;
}

static void note(const struct going *g, struct cc_source_array *arrays, size_t narrays)
{
    for (size_t a = 0; a < narrays; a++) {
        bool mine = false, meets = false, seen = false;
        for (size_t i = 0; i < g->s->touches.n; i++) {
            const struct cc_source_touch *t = &g->s->touches.v[i];
            const struct field *f = NULL;
            for (size_t k = 0; k < g->nfields && t->variable == g->variable && t->array == a; k++)
                if (g->fields[k].first == t->first && g->fields[k].bits == t->bits)
                    f = &g->fields[k];
            mine = mine || f;
            meets = meets || (f && f->meets);
            seen = seen || (f && f->seen);
        }
        struct cc_source_array *x = &arrays[a];
        bool apart = mine && !meets && !x->apart, unseen = mine && x->partly && !seen && !x->unseen;
        x->apart = x->apart || apart;
        x->unseen = x->unseen || unseen;
        x->counted = x->counted || apart || unseen;
        x->lucky = x->far && apart;
        x->far = x->far && !apart;
        x->seen = x->seen && !apart && !unseen;
    }
}

/* NULL: not one of which all is told. */
static const char *vector_of(const struct cc_source_loop *s, long variable)
{
    for (size_t i = 0; i < s->vectors.n; i++)
        if (s->vectors.v[i].variable == variable && s->vectors.v[i].proves)
            return s->vectors.v[i].name;
    return NULL;
}

/* Elements of a vector: looks that can only be at what no other iteration sets need no load, and what is set
 * needs no store of its own. */
static void note_vector(const struct going *g, struct cc_source_loop *to)
{
    const char *name = vector_of(g->s, g->variable);
    bool apart = name && g->nfields == 1 && !g->fields[0].meets,
         unseen = name && g->nfields == 1 && !g->fields[0].seen;
    for (size_t i = 0; i < g->s->touches.n; i++)
        unseen = unseen && (g->s->touches.v[i].variable != g->variable || g->s->touches.v[i].how != 'w');
    size_t kept = 0;
    for (size_t i = 0; i < to->looks.n; i++)
        if (!(apart || unseen) || strcmp(to->looks.v[i].name, name) != 0)
            to->looks.v[kept++] = to->looks.v[i];
    to->looks.n = kept;
    for (size_t i = 0; i < to->given.n && apart; i++)
        if (strcmp(to->given.v[i].name, name) == 0)
            to->given.v[i].apart = to->given.v[i].counted = true;
}

static struct cc_source_loop *copy_of(const struct cc_source_loop *s, struct cc_arena *arena)
{
    struct cc_source_loop *copy = cc_arena_alloc(arena, sizeof *copy);
    *copy = *s;
    copy->arrays.v = cc_arena_alloc(arena, (s->arrays.n + 1) * sizeof *copy->arrays.v);
    copy->looks.v = cc_arena_alloc(arena, (s->looks.n + 1) * sizeof *copy->looks.v);
    copy->given.v = cc_arena_alloc(arena, (s->given.n + 1) * sizeof *copy->given.v);
    for (size_t i = 0; i < s->arrays.n; i++)
        copy->arrays.v[i] = s->arrays.v[i];
    for (size_t i = 0; i < s->looks.n; i++)
        copy->looks.v[i] = s->looks.v[i];
    for (size_t i = 0; i < s->given.n; i++)
        copy->given.v[i] = s->given.v[i];
    return copy;
}

/* CC_HEAD_SELF's number; that of heads if it cannot be gone through. */
static size_t self_of(const struct gate_input *in)
{
    const struct cc_source_loop *s = in->source;
    size_t self = 0;
    while (self < s->heads.n && s->heads.v[self].role != CC_HEAD_SELF)
        self++;
    bool told = s->heads.n <= COUNT_HEADS && !s->exit_line && in->nmembers && in->sources;
    return told ? self : s->heads.n;
}

void cc_gate_count(struct gate_input *in)
{
    const struct cc_source_loop *s = in->source;
    size_t self = s ? self_of(in) : 0;
    if (!s || self == s->heads.n)
        return;
    struct cc_source_loop *copy = copy_of(s, in->arena);
    for (size_t i = 0; i < s->touches.n; i++) {
        struct going g = {.s = s, .variable = s->touches.v[i].variable};
        bool done = false;
        for (size_t k = 0; k < i; k++)
            done = done || s->touches.v[k].variable == g.variable;
        if (!done && go(in, &g, self)) {
            note(&g, copy->arrays.v, copy->arrays.n);
            note_vector(&g, copy);
        }
        for (size_t k = 0; k < g.nfields; k++)
            free(g.fields[k].cells);
    }
    in->source = copy;
}

/* Whether iterations need each other for an element of the variable if the loop goes on for as long as can be
 * told. combined: other than to combine it. */
static bool needed_later(const struct gate_input *in, long variable, size_t self, bool combined)
{
    struct going g = {.s = in->source, .variable = variable};
    bool needs = false;
    if (find_ranges(in, &g, self, COUNT_TURNS) && find_fields(&g))
        go_through(&g, self);
    for (size_t i = 0; i < g.nfields; i++) {
        needs = needs || (combined ? g.fields[i].needs : g.fields[i].meets);
        free(g.fields[i].cells);
    }
    return needs;
}

const char *cc_gate_needed_later(const struct gate_input *in, const struct cc_loop *l)
{
    const struct cc_source_loop *s = in->source;
    size_t self = self_of(in);
    if (self == s->heads.n || s->heads.v[self].count != CC_SOURCE_UNKNOWN)
        return NULL;
    for (size_t i = 0; i < s->vectors.n; i++) {
        const struct cc_source_vector *v = &s->vectors.v[i];
        if (needed_later(in, v->variable, self, cc_gate_updated(l, v->name, 0)))
            return v->name;
    }
    return NULL;
}

/* --- what is refuted --- */

/* As find_ranges, but with no more turns than there were: what numbers say of other loops, and of the loop
 * itself the most that one of the binary's went round. */
static bool find_least(const struct gate_input *in, struct going *g, size_t self)
{
    uint64_t turns = 0;
    for (size_t i = 0; i < in->nmembers; i++)
        turns = CC_MAX(turns, in->p->loops[in->members[i]].trips_max);
    for (size_t h = 0; h < g->s->heads.n; h++) {
        const struct cc_source_head *head = &g->s->heads.v[h];
        bool used = h == self;
        for (size_t i = 0; i < g->s->touches.n && !used; i++)
            used = g->s->touches.v[i].variable == g->variable && is_used(&g->s->touches.v[i], h);
        long n = head->count != CC_SOURCE_UNKNOWN ? head->count : h == self ? (long)turns : 0;
        g->range[h] = (struct range){0};
        if (used && head->step > 0 && head->start >= 0)
            g->range[h] = (struct range){head->start, head->step, CC_MIN(n, (long)COUNT_TURNS)};
        g->value[h] = g->range[h].first;
        if (used && !g->range[h].n)
            return false;
    }
    return g->range[self].n >= 2;
}

/* Whether iterations did need each other for an element of the variable, all of whose accesses are told. */
static bool is_needed(const struct gate_input *in, long variable, size_t self)
{
    struct going g = {.s = in->source, .variable = variable};
    bool needs = false, told = true;
    for (size_t i = 0; i < g.s->touches.n; i++) {
        const struct cc_source_touch *t = &g.s->touches.v[i];
        const struct cc_source_array *a = t->array < g.s->arrays.n ? &g.s->arrays.v[t->array] : NULL;
        bool known = a && *t->at != '?' && !a->scratch && !a->arm_line;
        for (int k = 0; k < CC_SOURCE_READS && known && a->writes[k]; k++)
            known = a->kept[k] != 0; /* else it only takes an address */
        told = told && (t->variable != variable || known);
    }
    if (told && find_least(in, &g, self) && find_fields(&g) && go_through(&g, self))
        for (size_t i = 0; i < g.nfields; i++)
            needs = needs || g.fields[i].flows;
    for (size_t i = 0; i < g.nfields; i++)
        free(g.fields[i].cells);
    return needs;
}

const struct cc_source_array *cc_gate_needed(const struct gate_input *in)
{
    const struct cc_source_loop *s = in->source;
    size_t self = self_of(in);
    for (size_t i = 0; self < s->heads.n && i < s->touches.n; i++) {
        bool done = s->touches.v[i].how == 'r' || s->touches.v[i].array >= s->arrays.n;
        for (size_t k = 0; k < i; k++)
            done =
                done || (s->touches.v[k].variable == s->touches.v[i].variable && s->touches.v[k].how != 'r');
        if (!done && is_needed(in, s->touches.v[i].variable, self))
            return &s->arrays.v[s->touches.v[i].array];
    }
    return NULL;
}
