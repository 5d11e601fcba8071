#include "copies.h"
#include "../../base/text.h"

/* --- instructions that access memory, by loop, line and address --- */

struct access {
    uint32_t loop; /* the innermost whose own code it is */
    const char *file;
    unsigned line;
    bool write;
    const char *variable; /* NULL: unknown */
    uint64_t address;
};

struct cc_copies {
    const struct cc_profile *p;
    const struct cc_source_loops *sources;
    const struct groups *groups;
    const struct cc_witness *witness;
    CC_VEC(struct access) v; /* sorted, each once */
    unsigned *factor;        /* by loop; 0: not looked for yet */
    uint64_t *ran;           /* by block of code: how often */
};

static int by_text(const char *a, const char *b)
{
    return !a || !b ? (a != NULL) - (b != NULL) : strcmp(a, b);
}

/* Those of one line together. */
static int by_line(const struct access *x, const struct access *y)
{
    if (x->loop != y->loop)
        return x->loop < y->loop ? -1 : 1;
    if (x->write != y->write)
        return x->write < y->write ? -1 : 1;
    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    return by_text(x->file, y->file);
}

static int by_address(const void *a, const void *b)
{
    const struct access *x = a, *y = b;
    int order = by_line(x, y);
    return order ? order : (x->address > y->address) - (x->address < y->address);
}

uint32_t cc_copies_loop(const struct cc_profile *p, uint64_t address)
{
    for (size_t i = 0; i < p->nloop_blocks; i++) {
        const struct cc_rec_loop_block *b = &p->loop_blocks[i];
        uint64_t at = address - p->binaries[p->loops[b->loop].binary].bias;
        if (at >= b->start && at < b->end)
            return b->loop;
    }
    return CC_NONE;
}

static const struct cc_source_loop *source_of(const struct cc_copies *c, uint32_t loop)
{
    return c->groups->of[loop] == CC_NONE ? NULL : c->groups->v.v[c->groups->of[loop]].source;
}

/* In the loop's own frame there is more than the source has: what the compiler keeps there for a while, and
 * at -O0 all variables. */
static bool is_of_source(const struct cc_source_loop *s, const struct cc_pdependence *d)
{
    if (d->area != CC_AREA_STACK || d->flags & CC_DEPENDENCE_FRAME)
        return true;
    for (size_t i = 0; s && d->variable && i < s->arrays.n; i++)
        if (s->arrays.v[i].name && s->arrays.v[i].whole && cc_loop_named(d->variable, s->arrays.v[i].name))
            return true;
    return false;
}

static bool in_source(const struct cc_copies *c, const struct cc_pdependence *d)
{
    return is_of_source(source_of(c, d->loop), d);
}

bool cc_copies_shared(const struct cc_copies *c, uint32_t loop)
{
    return c->groups->of[loop] != CC_NONE && c->groups->v.v[c->groups->of[loop]].members.n > 1;
}

/* The first that is not before the key, and how many of its line there are. */
static size_t of_line(const struct cc_copies *c, const struct access *key, size_t *ret_n)
{
    size_t low;
    CC_FIRST(low, c->v.n, by_line(&c->v.v[low], key) >= 0);
    *ret_n = 0;
    while (low + *ret_n < c->v.n && by_line(&c->v.v[low + *ret_n], key) == 0)
        ++*ret_n;
    return low;
}

/* Whether the loop stores in a line of the statement in which the source stores nothing: a compiler that puts
 * several iterations together says of all of them the line that they begin in. */
static bool wanders(const struct cc_copies *c, uint32_t loop)
{
    const struct cc_source_loop *s = source_of(c, loop);
    for (size_t i = 0; s && i < c->v.n; i++) {
        const struct access *x = &c->v.v[i];
        bool known = x->loop != loop || !x->write || x->line < s->line || x->line > s->last_line ||
                     !cc_text_same_file(s->file, x->file);
        for (size_t k = 0; k < s->accesses.n && !known; k++)
            known = s->accesses.v[k].write && s->accesses.v[k].line == x->line;
        for (size_t k = 0; k < s->given.n && !known; k++)
            known = s->given.v[k].line == x->line;
        for (size_t k = 0; k < s->combined.n && !known; k++)
            known = s->combined.v[k].line == x->line;
        if (!known)
            return true;
    }
    return false;
}

bool cc_copies_same(const struct cc_copies *c, uint32_t a, uint32_t b)
{
    if (wanders(c, a) || wanders(c, b))
        return true;
    for (size_t i = 0; i < c->v.n; i++) {
        struct access other = c->v.v[i];
        size_t n = 0;
        other.loop = b;
        if (c->v.v[i].loop == a && other.write)
            of_line(c, &other, &n);
        if (n)
            return true;
    }
    return false;
}

/* Whether two loops are of two calls of one function that was inlined: what one leaves to the other is no
 * business of either. Compilers that lose the call tell none, or line 0. */
static bool called_twice(const struct cc_ploop *a, const struct cc_ploop *b)
{
    if (!a->inlined || !b->inlined || strcmp(a->inlined, b->inlined) == 0)
        return false;
    const char *x = strrchr(a->inlined, ':'), *y = strrchr(b->inlined, ':');
    return x && y && x - a->inlined == y - b->inlined &&
           strncmp(a->inlined, b->inlined, (size_t)(x - a->inlined)) == 0 && strcmp(x, ":0") != 0 &&
           strcmp(y, ":0") != 0;
}

bool cc_copies_go_on(const struct cc_copies *c, const struct cc_pdependence *d)
{
    uint32_t from = cc_copies_loop(c->p, d->first);
    if (from != CC_NONE && called_twice(&c->p->loops[from], &c->p->loops[d->loop]))
        return false;
    bool shared = c->groups->of[d->loop] != CC_NONE && c->groups->v.v[c->groups->of[d->loop]].members.n > 1;
    bool other = d->distance_max || d->flags & CC_DEPENDENCE_FAR;
    return shared && in_source(c, d) && (other || from == CC_NONE || cc_copies_same(c, from, d->loop));
}

static void gather(struct cc_copies *c)
{
    for (size_t i = 0; i < c->p->ndependences; i++) {
        const struct cc_pdependence *d = &c->p->dependences[i];
        if ((d->kind != CC_DEPENDENCE_READS && d->kind != CC_DEPENDENCE_WRITES) ||
            d->flags & CC_DEPENDENCE_BEFORE)
            continue;
        uint32_t loop = cc_copies_loop(c->p, d->second);
        bool mine = loop != CC_NONE && (d->kind == CC_DEPENDENCE_READS || d->loop == loop);
        if (mine && is_of_source(source_of(c, loop), d))
            CC_VEC_PUSH(&c->v, ((struct access){.loop = loop,
                                                .file = d->second_file,
                                                .line = d->second_line,
                                                .write = d->kind == CC_DEPENDENCE_WRITES,
                                                .variable = d->variable,
                                                .address = d->second}));
    }
    if (c->v.n)
        qsort(c->v.v, c->v.n, sizeof *c->v.v, by_address);
    size_t n = 0;
    for (size_t i = 0; i < c->v.n; i++)
        if (!n || by_address(&c->v.v[n - 1], &c->v.v[i]) != 0)
            c->v.v[n++] = c->v.v[i];
    c->v.n = n;
}

struct cc_copies *cc_copies_new(const struct cc_profile *p, const struct cc_source_loops *sources,
                                const struct groups *groups, const struct cc_witness *witness)
{
    struct cc_copies *c = cc_alloc(sizeof *c);
    *c = (struct cc_copies){.p = p, .sources = sources, .groups = groups, .witness = witness};
    c->factor = cc_alloc_array(p->nloops + 1, sizeof *c->factor);
    c->ran = cc_alloc_array(p->nblocks + 1, sizeof *c->ran);
    for (size_t i = 0; i < p->nexecs; i++)
        c->ran[p->execs[i].block] += p->execs[i].count;
    gather(c);
    for (uint32_t i = 0; i < p->nloops; i++)
        c->factor[i] = cc_copies_of(c, i);
    return c;
}

void cc_copies_free(struct cc_copies *c)
{
    if (!c)
        return;
    CC_VEC_FINI(&c->v);
    free(c->ran);
    free(c->factor);
    free(c);
}

/* --- how many copies --- */

/* Whether a loop of the source inside this one holds the line. */
static bool deeper(const struct cc_copies *c, const struct cc_source_loop *s, unsigned line)
{
    for (size_t i = 0; i < c->sources->v.n; i++) {
        const struct cc_source_loop *x = &c->sources->v.v[i];
        if (cc_loop_inside(x, s) && strcmp(x->file, s->file) == 0 && line >= x->line && line <= x->last_line)
            return true;
    }
    return false;
}

/* The same line in the other loops that the compiler made of this one: what is left over runs by itself. 0:
 * there is none. */
static size_t least_elsewhere(const struct cc_copies *c, const struct access *key)
{
    const struct group *g = &c->groups->v.v[c->groups->of[key->loop]];
    size_t least = 0;
    for (size_t i = 0; i < g->members.n; i++) {
        struct access other = *key;
        size_t n;
        other.loop = g->members.v[i];
        of_line(c, &other, &n);
        if (n && (!least || n < least))
            least = n;
    }
    return least;
}

static const struct cc_source_accesses *in_line(const struct cc_source_loop *s, const struct access *key)
{
    for (size_t i = 0; i < s->accesses.n; i++)
        if (s->accesses.v[i].line == key->line && s->accesses.v[i].write == key->write)
            return &s->accesses.v[i];
    return NULL;
}

/* Accesses that one run through the body has in that line by the source; 0: it does not tell. */
static size_t by_source(const struct cc_copies *c, const struct cc_source_loop *s, const struct access *key)
{
    bool here = key->line >= s->line && key->line <= s->last_line && cc_text_same_file(s->file, key->file);
    if (!here || deeper(c, s, key->line))
        return 0;
    const struct cc_source_accesses *a = in_line(s, key);
    return a ? a->count : key->write;
}

/* Of the line's loads, those of the variable that has the fewest: pointers to others are loaded as well. */
static size_t fewest(const struct cc_copies *c, size_t at, size_t n)
{
    size_t least = n;
    for (size_t i = at; i < at + n; i++) {
        size_t same = 0;
        for (size_t k = at; k < at + n; k++)
            same += by_text(c->v.v[i].variable, c->v.v[k].variable) == 0;
        least = CC_MIN(least, same);
    }
    return least;
}

/* How often the line looks at the array that it looks at the least: each has as many loads in a copy. */
static size_t least_looks(const struct cc_source_loop *s, unsigned line)
{
    size_t least = 0;
    for (size_t i = 0; i < s->arrays.n; i++) {
        size_t n = 0;
        for (int k = 0; k < CC_SOURCE_READS; k++)
            n += s->arrays.v[i].reads[k] == line;
        least = n && (!least || n < least) ? n : least;
    }
    return CC_MAX(least, (size_t)1);
}

/* Of a statement over several lines the loads bear any of these. Where it has just the stores of the source
 * it is there as often as all its loads are; 0: it does not tell. */
static size_t in_span(const struct cc_copies *c, const struct cc_source_loop *s, const struct access *key)
{
    for (size_t i = 0; i < s->spans.n; i++) {
        const struct cc_source_span *x = &s->spans.v[i];
        size_t loads = 0, reads = 0, stores = 0, writes = 0, n;
        struct access a = {.loop = key->loop, .file = key->file, .line = x->line};
        for (; key->line >= x->line && key->line <= x->last_line && a.line <= x->last_line; a.line++) {
            a.write = false;
            of_line(c, &a, &n);
            loads += n;
            reads += by_source(c, s, &a);
            a.write = true;
            of_line(c, &a, &n);
            stores += n;
            writes += in_line(s, &a) ? in_line(s, &a)->count : 0;
        }
        if (writes && stores == writes && reads)
            return CC_MAX(loads / reads, (size_t)1);
    }
    return 0;
}

enum {
    TURNS_MANY = 4
}; /* iterations of an invocation, on average: where it began and ended does not count */

/* Whether the accesses of a line, all of which each run through the body makes, ran no more often than the
 * loop went round: then they are on ways that exclude each other (a compiler makes of `if (c) x = y; a[i] =
 * x;` two ways to the end), and not in copies of the body. */
static bool exclude_each_other(const struct cc_copies *c, const struct cc_source_loop *s,
                               const struct access *v, size_t n)
{
    const struct cc_ploop *l = &c->p->loops[v->loop];
    const struct cc_source_accesses *line = in_line(s, v);
    uint64_t ran = 0;
    if (!line || line->maybe || n <= line->count || deeper(c, s, v->line) ||
        l->iterations / TURNS_MANY < l->invocations)
        return false;
    for (size_t i = 0; i < c->p->nblocks; i++)
        for (size_t k = 0; k < n; k++)
            if (v[k].address - c->p->blocks[i].address < c->p->blocks[i].size)
                ran += c->ran[i];
    return ran && ran <= l->iterations * line->count;
}

/* Bytes of the arrays that memset or memcpy sets from end to end in a line which stores nothing else; 0: it
 * does. */
static uint64_t filled_in(const struct cc_source_loop *s, const struct access *v)
{
    uint64_t bytes = 0;
    struct access store = *v;
    store.write = true;
    bool other = in_line(s, &store);
    for (size_t i = 0; i < s->given.n; i++)
        other = other || s->given.v[i].line == v->line;
    for (size_t i = 0; i < s->fills.n; i++)
        bytes += s->fills.v[i].line == v->line ? s->fills.v[i].bytes : 0;
    return other ? 0 : bytes;
}

/* Bytes of the records that one run through the body sets in a line; 0: it sets something else, too. */
static uint64_t records_of(const struct cc_source_loop *s, const struct access *v)
{
    const struct cc_source_accesses *line = in_line(s, v);
    uint64_t bytes = line ? (uint64_t)line->record * line->count : 0;
    bool other = line && !line->record;
    for (size_t i = 0; i < s->given.n; i++) {
        other = other || (s->given.v[i].line == v->line && !s->given.v[i].record);
        bytes += s->given.v[i].line == v->line ? s->given.v[i].record : 0;
    }
    return other ? 0 : bytes;
}

/* Whether the stores of a line are together as large as these records: then they are parts of them (8 and 4
 * bytes of three floats), and not copies. So are those of an array that is filled, of which nobody need look
 * at all: they may be fewer. Loads in such a line are memcpy's. */
static bool are_parts(const struct cc_copies *c, const struct cc_source_loop *s, const struct access *v,
                      size_t n)
{
    uint64_t bytes = 0, records = v->write ? records_of(s, v) : 0, filled = filled_in(s, v);
    for (size_t i = 0; i < n; i++)
        bytes += cc_witness_bytes(c->witness, v[i].address);
    return (records && bytes == records) || (filled && (!v->write || (bytes && bytes <= filled)));
}

/* As often as the line's accesses are there, by stores or by loads. */
static size_t times(const struct cc_copies *c, uint32_t loop, bool write)
{
    const struct cc_source_loop *s = source_of(c, loop);
    struct access from = {.loop = loop, .write = write};
    size_t n, at = of_line(c, &from, &n), most = 1;
    for (; s && at < c->v.n && c->v.v[at].loop == loop && c->v.v[at].write == write; at += n) {
        of_line(c, &c->v.v[at], &n);
        size_t each = by_source(c, s, &c->v.v[at]), least = write ? least_elsewhere(c, &c->v.v[at]) : 0;
        each = !each ? least : least && least < each ? least : each;
        size_t found = each ? n / each : 0, span = write ? 0 : in_span(c, s, &c->v.v[at]);
        if (found > 1 && (exclude_each_other(c, s, &c->v.v[at], n) || are_parts(c, s, &c->v.v[at], n)))
            found = 1;
        found = span ? CC_MIN(found, span) : found;
        most =
            CC_MAX(most, write ? found : CC_MIN(found, fewest(c, at, n) / least_looks(s, c->v.v[at].line)));
    }
    return most;
}

unsigned cc_copies_of(const struct cc_copies *c, uint32_t loop)
{
    if (!c->factor[loop])
        c->factor[loop] = (unsigned)CC_MAX(times(c, loop, true), times(c, loop, false));
    return c->factor[loop];
}

/* --- which one an instruction is of --- */

struct part { /* of the loop's code: [from, from + 1) of n */
    size_t from, n;
};

/* What runs under a condition need not have run in every copy, and then nobody knows of which ones the others
 * are. */
static bool is_missing(const struct cc_copies *c, const struct access *a, size_t n)
{
    const struct cc_source_loop *s = source_of(c, a->loop);
    const struct cc_source_accesses *line = s ? in_line(s, a) : NULL;
    return line && line->maybe && n < cc_copies_of(c, a->loop) * line->count;
}

/* A compiler keeps accesses that may meet, those to one variable, in their order. n is 0: it is not known. */
static struct part part_of(const struct cc_copies *c, const struct access *a)
{
    struct part part = {0};
    bool found = false;
    size_t n, at = of_line(c, a, &n);
    if (is_missing(c, a, n))
        return part;
    for (size_t i = at; i < at + n; i++) {
        if (by_text(c->v.v[i].variable, a->variable) != 0)
            continue;
        found = found || c->v.v[i].address == a->address;
        part.from += !found;
        part.n++;
    }
    return found ? part : (struct part){0};
}

/* A vector's load may be that of several copies. */
static bool apart(const struct part *a, const struct part *b)
{
    return !a->n || !b->n || a->from * b->n >= (b->from + 1) * a->n || b->from * a->n >= (a->from + 1) * b->n;
}

static unsigned distance(const struct part *a, const struct part *b, unsigned factor)
{
    if (!a->n || !b->n)
        return 0;
    size_t x = a->from * factor / a->n, y = b->from * factor / b->n;
    return (unsigned)(x < y ? y - x : x - y);
}

/* Whether the line looks at one element and sets the same, by its text (`a[i] = a[i] + x`, `v[i] += x`): no
 * other iteration has that one. */
static bool updates_one(const struct cc_source_loop *s, const struct access *line)
{
    size_t updates = 0, others = 0;
    for (size_t i = 0; i < s->arrays.n; i++) {
        const struct cc_source_array *a = &s->arrays.v[i];
        size_t writes = 0, reads = a->op != NULL;
        for (int k = 0; k < CC_SOURCE_READS; k++) {
            writes += a->writes[k] == line->line;
            reads += a->reads[k] == line->line;
        }
        updates += writes == 1 && reads && a->alike;
        others += writes != (writes == 1 && reads && a->alike);
    }
    for (size_t i = 0; i < s->given.n; i++) {
        const struct cc_source_given *g = &s->given.v[i];
        bool own = g->op && !g->symbol && g->apart;
        updates += g->line == line->line && own;
        others += g->line == line->line && !own;
    }
    return updates == 1 && !others;
}

/* Instructions of the line that load, or store, what d is about; *ret is one of them. */
static size_t of_variable(const struct cc_copies *c, struct access line, bool write, const char *variable)
{
    size_t n, found = 0;
    line.write = write;
    size_t at = of_line(c, &line, &n);
    for (size_t i = at; i < at + n; i++)
        found += by_text(c->v.v[i].variable, variable) == 0;
    return found;
}

/* Whether the pair is the load and the store of one run through the body. Compilers that put iterations into
 * vectors need not keep the order of those that do not meet: where a line has as many loads as stores, and
 * each load met one of these stores and no other, these belong together. */
static bool are_matched(const struct cc_copies *c, const struct cc_pdependence *d, const struct access *x,
                        const struct access *y)
{
    const struct cc_source_loop *s = source_of(c, d->loop);
    size_t loads = of_variable(c, *x, false, d->variable), pairs = 0;
    if (d->kind != CC_DEPENDENCE_WITHIN_WAR || !s || !d->variable || x->line != y->line ||
        !cc_text_same_file(x->file, y->file) || loads != of_variable(c, *x, true, d->variable) ||
        !updates_one(s, x))
        return false;
    for (size_t i = 0; i < c->p->ndependences; i++) {
        const struct cc_pdependence *o = &c->p->dependences[i];
        if (o->loop != d->loop || o->kind < CC_DEPENDENCE_WITHIN_RAW || o->kind > CC_DEPENDENCE_WITHIN_WAW ||
            by_text(o->variable, d->variable) != 0)
            continue;
        bool here = o->kind == CC_DEPENDENCE_WITHIN_WAR && o->first_line == x->line &&
                    o->second_line == x->line && !(o->flags & CC_DEPENDENCE_FOLDED);
        bool meets = o->first == d->first || o->second == d->second || o->first == d->second ||
                     o->second == d->first || o->flags & CC_DEPENDENCE_FOLDED;
        if (meets && (!here || o->first != d->first || o->second != d->second))
            return false;
        pairs += here;
    }
    return pairs == loads;
}

bool cc_copies_depend(const struct cc_copies *c, const struct cc_pdependence *d, unsigned *ret_distance)
{
    *ret_distance = 0;
    if (cc_copies_of(c, d->loop) < 2 || !in_source(c, d))
        return false;
    if (d->flags & CC_DEPENDENCE_FOLDED)
        return true;
    if (cc_copies_loop(c->p, d->first) != d->loop || cc_copies_loop(c->p, d->second) != d->loop)
        return false;
    if (!d->first_line || !d->second_line) /* code without a line may be of any copy */
        return true;
    struct access x = {.loop = d->loop,
                       .file = d->first_file,
                       .line = d->first_line,
                       .write = d->kind != CC_DEPENDENCE_WITHIN_WAR,
                       .variable = d->variable,
                       .address = d->first},
                  y = {.loop = d->loop,
                       .file = d->second_file,
                       .line = d->second_line,
                       .write = d->kind != CC_DEPENDENCE_WITHIN_RAW,
                       .variable = d->variable,
                       .address = d->second};
    struct part first = part_of(c, &x), second = part_of(c, &y);
    *ret_distance = distance(&first, &second, cc_copies_of(c, d->loop));
    return apart(&first, &second) && !are_matched(c, d, &x, &y);
}
