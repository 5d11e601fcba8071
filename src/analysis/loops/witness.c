#include "witness.h"
#include "group.h"
#include "../../base/map.h"
#include "../../base/text.h"

struct cc_witness {
    const struct cc_profile *p;
    uint32_t *v; /* dependences that only tell of reads, by line */
    size_t n;
    uint32_t *lines;       /* the profile's, by line */
    struct cc_map loads;   /* address of an instruction -> how many it does */
    struct cc_map bytes;   /* and how many bytes it stores */
    struct cc_map leads;   /* the same of those that only tell where another access goes */
    struct cc_map moving;  /* the same of those at another address in each iteration, in loops of one piece */
    struct cc_map still;   /* and those at the same one */
    struct cc_map stores;  /* address of an instruction that leaves in a register what is stored as well */
    struct cc_map origins; /* of one -> that of a load which what it leaves is computed from */
};

static int by_line(const void *a, const void *b, void *p)
{
    const struct cc_pdependence *d = ((const struct cc_profile *)p)->dependences;
    uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
    if (d[i].second_line != d[k].second_line)
        return d[i].second_line < d[k].second_line ? -1 : 1;
    return (i > k) - (i < k);
}

static int by_source(const void *a, const void *b, void *p)
{
    const struct cc_rec_line *l = ((const struct cc_profile *)p)->lines;
    uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
    if (l[i].line != l[k].line)
        return l[i].line < l[k].line ? -1 : 1;
    return (i > k) - (i < k);
}

static void note(struct cc_map *m, uint64_t insn, uint64_t count)
{
    uint64_t *known = cc_map_put(m, insn, NULL);
    *known = CC_MAX(*known, count);
}

/* Pieces of code overlap: the same instruction may be in several. */
static void count_accesses(struct cc_witness *w)
{
    uint64_t insn = 0, loads = 0, bytes = 0;
    for (size_t i = 0; i < w->p->nloop_code; i++) {
        const struct cc_rec_loop_code *r = &w->p->loop_code[i];
        if (r->kind == CC_CODE_INSN)
            insn = r->value, loads = bytes = 0;
        if (r->kind == CC_CODE_LOAD)
            note(&w->loads, insn, ++loads);
        if (r->kind == CC_CODE_STORE)
            note(&w->bytes, insn, bytes += r->bits / 8);
    }
}

/* --- loads of addresses --- */

struct piece { /* of code: its values, by number */
    const struct cc_rec_loop_code *v;
    size_t n;
    uint32_t values;
    bool *address; /* it is, or goes into, where an access is */
};

static bool computes(const struct cc_rec_loop_code *r)
{
    return r->kind == CC_CODE_OP || r->kind == CC_CODE_PART || r->kind == CC_CODE_JOIN;
}

/* What is multiplied, or made wider, to be an address is the number of an element, and no pointer. */
static bool is_number(const struct cc_rec_loop_code *r)
{
    return r->kind == CC_CODE_OP &&
           (r->op == CC_CODE_MUL || r->op == CC_CODE_SHL || r->op == CC_CODE_ZEXT || r->op == CC_CODE_SEXT);
}

/* What the register holds there; 0: it was not set in this piece. */
static uint32_t held(const struct piece *x, size_t at)
{
    for (size_t i = at; i-- > 0;)
        if (x->v[i].kind == CC_CODE_PUT && x->v[i].value == x->v[at].value)
            return x->v[i].a;
    return 0;
}

static void lead(const struct piece *x, uint32_t value)
{
    if (value && value < x->values)
        x->address[value] = true;
}

/* From the end to the beginning: each value is set before it is used. */
static void find_addresses(const struct piece *x)
{
    for (size_t i = x->n; i-- > 0;) {
        const struct cc_rec_loop_code *r = &x->v[i];
        bool address = r->to && r->to < x->values && x->address[r->to];
        if (r->kind == CC_CODE_LOAD || r->kind == CC_CODE_STORE)
            lead(x, r->a);
        if (address && computes(r) && !is_number(r))
            lead(x, r->a), lead(x, r->b), lead(x, r->c);
        if (address && r->kind == CC_CODE_GET)
            lead(x, held(x, i));
    }
}

/* The record that sets a value, in front of one; NULL: none does. */
static const struct cc_rec_loop_code *set_by(const struct piece *x, size_t at, uint32_t value)
{
    for (size_t i = at; value && i-- > 0;)
        if (x->v[i].to == value && x->v[i].kind != CC_CODE_BLOCK)
            return &x->v[i];
    return NULL;
}

/* The value that one is a copy of, or a part of. */
static uint32_t copied(const struct piece *x, size_t at, uint32_t value)
{
    for (const struct cc_rec_loop_code *r; (r = set_by(x, at, value)); value = r->a) {
        bool same = r->kind == CC_CODE_PART || r->kind == CC_CODE_JOIN ||
                    (r->kind == CC_CODE_OP && (r->op == CC_CODE_ZEXT || r->op == CC_CODE_SEXT));
        uint32_t before = r->kind == CC_CODE_GET ? held(x, (size_t)(r - x->v)) : 0;
        if (before)
            return copied(x, (size_t)(r - x->v), before);
        if (!same)
            break;
    }
    return value;
}

enum { ORIGIN_DEPTH = 12 };

/* A load that a value is computed from; NULL: none of this piece. */
static const struct cc_rec_loop_code *origin(const struct piece *x, size_t at, uint32_t value, int depth)
{
    const struct cc_rec_loop_code *r = set_by(x, at, copied(x, at, value)), *found = NULL;
    if (!r || depth > ORIGIN_DEPTH || r->kind == CC_CODE_LOAD)
        return r && r->kind == CC_CODE_LOAD ? r : NULL;
    const uint32_t of[] = {r->a, r->b, r->c};
    for (size_t i = 0; i < CC_COUNT(of) && computes(r) && !found; i++)
        found = origin(x, (size_t)(r - x->v), of[i], depth + 1);
    return found;
}

static uint64_t insn_of(const struct piece *x, const struct cc_rec_loop_code *r)
{
    while (r > x->v && r->kind != CC_CODE_INSN)
        r--;
    return r->kind == CC_CODE_INSN ? r->value : 0;
}

static bool is_stored(const struct piece *x, uint32_t value)
{
    for (size_t i = 0; i < x->n; i++)
        if (x->v[i].kind == CC_CODE_STORE && copied(x, i, x->v[i].b) == value)
            return true;
    return false;
}

/* Whether the piece is all of a loop: it goes to its own beginning. */
static bool is_loop(const struct piece *x)
{
    for (size_t i = 1; i < x->n; i++)
        if ((x->v[i].kind == CC_CODE_EXIT || (x->v[i].kind == CC_CODE_NEXT && x->v[i].op == CC_CODE_PLAIN)) &&
            x->v[i].value == x->v[0].value)
            return true;
    return false;
}

/* Where the value that a PUT leaves was set in a register: there, or in a loop of one piece at the end of the
 * iteration before, if it is only handed on from one register to the next (`b = a; a = load`). */
static size_t left_by(const struct piece *x, size_t at, bool loop)
{
    for (unsigned times = 0; loop && times < ORIGIN_DEPTH; times++) {
        const struct cc_rec_loop_code *r = set_by(x, at, copied(x, at, x->v[at].a));
        size_t i = x->n;
        if (!r || r->kind != CC_CODE_GET || held(x, (size_t)(r - x->v)))
            break;
        while (i-- > 0 && (x->v[i].kind != CC_CODE_PUT || x->v[i].value != r->value)) {
        }
        if (i >= x->n || i == at)
            break;
        at = i;
    }
    return at;
}

/* Of what instructions leave in registers: whether that is stored too, and what it was loaded by. */
static void find_left(struct cc_witness *w, const struct piece *x)
{
    bool loop = is_loop(x);
    for (size_t i = 0; i < x->n; i++) {
        if (x->v[i].kind != CC_CODE_PUT)
            continue;
        size_t at = left_by(x, i, loop);
        const struct cc_rec_loop_code *r = origin(x, at, x->v[at].a, 0);
        uint64_t insn = insn_of(x, &x->v[i]);
        if (r && is_stored(x, copied(x, at, x->v[at].a)))
            cc_map_put(&w->stores, insn, NULL);
        if (r)
            *cc_map_put(&w->origins, insn, NULL) = insn_of(x, r);
    }
}

static bool is_put(const struct piece *x, uint64_t place)
{
    bool found = false;
    for (size_t i = 0; i < x->n && !found; i++)
        found = x->v[i].kind == CC_CODE_PUT && x->v[i].value == place;
    return found;
}

/* By value: it is another in each iteration, as far as the piece, which is a loop, tells: computed from a
 * register that is set there, or loaded by what is. */
static bool *find_moving(const struct piece *x)
{
    bool *moves = cc_alloc(x->values);
    for (size_t i = 0; i < x->n; i++) {
        const struct cc_rec_loop_code *r = &x->v[i];
        const uint32_t of[] = {r->a, r->b, r->c};
        bool found = r->kind == CC_CODE_GET && is_put(x, r->value);
        for (size_t k = 0; k < CC_COUNT(of) && (computes(r) || (r->kind == CC_CODE_LOAD && !k)); k++)
            found = found || (of[k] < x->values && moves[of[k]]);
        if (r->to && r->to < x->values && r->kind != CC_CODE_BLOCK)
            moves[r->to] = found;
    }
    return moves;
}

static void count_leads(struct cc_witness *w, const struct cc_rec_loop_code *v, size_t n)
{
    struct piece x = {.v = v, .n = n, .values = 1};
    for (size_t i = 0; i < n; i++)
        x.values = CC_MAX(x.values, v[i].to + 1);
    x.address = cc_alloc(x.values);
    find_addresses(&x);
    find_left(w, &x);
    uint64_t insn = 0, count = 0, moving = 0, still = 0;
    CC_CLEANUP(cc_free_ptr) bool *moves = is_loop(&x) ? find_moving(&x) : NULL;
    for (size_t i = 0; i < n; i++) {
        if (v[i].kind == CC_CODE_INSN)
            insn = v[i].value, count = moving = still = 0;
        if (v[i].kind == CC_CODE_LOAD && x.address[v[i].to])
            note(&w->leads, insn, ++count);
        else if (v[i].kind == CC_CODE_LOAD && moves && v[i].a < x.values && moves[v[i].a])
            note(&w->moving, insn, ++moving);
        else if (v[i].kind == CC_CODE_LOAD && moves)
            note(&w->still, insn, ++still);
    }
    free(x.address);
}

static void find_leads(struct cc_witness *w)
{
    const struct cc_profile *p = w->p;
    for (size_t i = 0, k; i < p->nloop_code; i = k) {
        for (k = i + 1; k < p->nloop_code && p->loop_code[k].kind != CC_CODE_BLOCK; k++) {
        }
        if (p->loop_code[i].kind == CC_CODE_BLOCK)
            count_leads(w, p->loop_code + i, k - i);
    }
}

struct cc_witness *cc_witness_new(const struct cc_profile *p)
{
    struct cc_witness *w = cc_alloc(sizeof *w);
    w->p = p;
    w->v = cc_alloc_array(p->ndependences + 1, sizeof *w->v);
    for (size_t i = 0; i < p->ndependences; i++)
        if (p->dependences[i].kind == CC_DEPENDENCE_READS)
            w->v[w->n++] = (uint32_t)i;
    qsort_r(w->v, w->n, sizeof *w->v, by_line, (void *)(uintptr_t)p);
    w->lines = cc_alloc_array(p->nlines + 1, sizeof *w->lines);
    for (size_t i = 0; i < p->nlines; i++)
        w->lines[i] = (uint32_t)i;
    qsort_r(w->lines, p->nlines, sizeof *w->lines, by_source, (void *)(uintptr_t)p);
    count_accesses(w);
    find_leads(w);
    return w;
}

void cc_witness_free(struct cc_witness *w)
{
    if (!w)
        return;
    free(w->v);
    free(w->lines);
    cc_map_fini(&w->loads);
    cc_map_fini(&w->leads);
    cc_map_fini(&w->moving);
    cc_map_fini(&w->still);
    cc_map_fini(&w->bytes);
    cc_map_fini(&w->stores);
    cc_map_fini(&w->origins);
    free(w);
}

bool cc_witness_any(const struct cc_witness *w)
{
    /* loops that read nothing have none: an engine that tells what code computes tells of each load as well
     */
    return w->n > 0 || w->p->nloop_code > 0;
}

static size_t first_line(const struct cc_witness *w, unsigned line)
{
    size_t low;
    CC_FIRST(low, w->p->nlines, w->p->lines[w->lines[low]].line >= line);
    return low;
}

bool cc_witness_ran(const struct cc_witness *w, const char *file, unsigned line, uint32_t function)
{
    const struct cc_profile *p = w->p;
    for (size_t low = first_line(w, line); low < p->nlines && p->lines[w->lines[low]].line == line; low++) {
        const struct cc_rec_line *x = &p->lines[w->lines[low]];
        if (p->blocks[x->block].function == function && x->file != CC_NONE &&
            cc_text_same_file(file, p->files[x->file].path))
            return true;
    }
    return false;
}

/* The first of that line or a later one. */
static size_t first_of(const struct cc_witness *w, unsigned line)
{
    size_t low;
    CC_FIRST(low, w->n, w->p->dependences[w->v[low]].second_line >= line);
    return low;
}

/* Symbols of a function's static variables have a number behind them; or the function's name, or a class's,
 * stands before. A place of the frame that variables have by turns has the names of all of them. */
static bool is_named(const char *variable, const char *name)
{
    size_t n = strlen(name);
    for (const char *at = variable; at && *at; at++) {
        bool begins = at == variable || at[-1] == '.' || at[-1] == ':' ||
                      (at - variable > 2 && strncmp(at - 3, " / ", 3) == 0);
        if (begins && strncmp(at, name, n) == 0 && (!at[n] || at[n] == '.' || strncmp(at + n, " / ", 3) == 0))
            return true;
    }
    return !variable;
}

static bool is_one_of(const uint32_t *v, size_t n, const struct cc_profile *p, uint32_t loop)
{
    for (; loop != CC_NONE; loop = p->loops[loop].outer)
        for (size_t i = 0; i < n; i++)
            if (v[i] == loop)
                return true;
    return false;
}

static bool is_member(const struct cc_witness_query *q, const struct cc_profile *p, uint32_t loop)
{
    return is_one_of(q->members, q->nmembers, p, loop);
}

static bool is_inside(const struct cc_witness_query *q, const struct cc_profile *p, uint64_t address)
{
    for (size_t i = 0; i < p->nloop_blocks; i++) {
        const struct cc_rec_loop_block *b = &p->loop_blocks[i];
        uint64_t at = address - p->binaries[p->loops[b->loop].binary].bias;
        if (at >= b->start && at < b->end && is_member(q, p, b->loop))
            return true;
    }
    return false;
}

/* Whether the code lies in a loop that has nothing to do with these: none of them, nor around one. */
static bool is_foreign(const struct cc_witness_query *q, const struct cc_profile *p, uint64_t address)
{
    for (size_t i = 0; i < p->nloop_blocks; i++) {
        const struct cc_rec_loop_block *b = &p->loop_blocks[i];
        uint64_t at = address - p->binaries[p->loops[b->loop].binary].bias;
        if (at < b->start || at >= b->end)
            continue;
        bool related = is_member(q, p, b->loop);
        for (size_t k = 0; k < q->nmembers; k++) {
            const struct cc_witness_query around = {.members = &b->loop, .nmembers = 1};
            related = related || is_member(&around, p, q->members[k]);
        }
        if (!related)
            return true;
    }
    return false;
}

bool cc_witness_near(const struct cc_witness *w, const struct cc_witness_query *q, unsigned last,
                     uint32_t function)
{
    const struct cc_profile *p = w->p;
    for (size_t i = first_line(w, q->line); i < p->nlines && p->lines[w->lines[i]].line <= last; i++) {
        const struct cc_rec_line *x = &p->lines[w->lines[i]];
        const struct cc_pblock *b = &p->blocks[x->block];
        if (x->file != CC_NONE && b->function == function &&
            cc_text_same_file(q->file, p->files[x->file].path) && !is_foreign(q, p, b->address))
            return true;
    }
    return false;
}

bool cc_witness_inside(const struct cc_witness *w, const struct cc_witness_query *q, unsigned last)
{
    const struct cc_profile *p = w->p;
    for (size_t i = first_line(w, q->line); i < p->nlines && p->lines[w->lines[i]].line <= last; i++) {
        const struct cc_rec_line *x = &p->lines[w->lines[i]];
        if (x->file != CC_NONE && cc_text_same_file(q->file, p->files[x->file].path) &&
            is_inside(q, p, p->blocks[x->block].address))
            return true;
    }
    return false;
}

static bool is_asked(const struct cc_witness_query *q, const struct cc_pdependence *d)
{
    return q->constants || !(d->flags & CC_DEPENDENCE_BEFORE);
}

static size_t loads_of(const struct cc_witness *w, uint64_t insn)
{
    const uint64_t *n = cc_map_get(&w->loads, insn);
    return n ? (size_t)*n : 1;
}

uint64_t cc_witness_bytes(const struct cc_witness *w, uint64_t insn)
{
    const uint64_t *n = cc_map_get(&w->bytes, insn);
    return n ? *n : 0;
}

static size_t leads_of(const struct cc_witness *w, uint64_t insn)
{
    const uint64_t *n = cc_map_get(&w->leads, insn);
    return n ? (size_t)*n : 0;
}

bool cc_witness_data(const struct cc_witness *w, uint64_t insn)
{
    return loads_of(w, insn) > leads_of(w, insn);
}

static size_t moving_of(const struct cc_witness *w, uint64_t insn)
{
    const uint64_t *n = cc_map_get(&w->moving, insn);
    return n ? (size_t)*n : 0;
}

/* Whether a place of the frame may be an element of what the loop accesses by element. */
static bool holds_elements(const struct cc_source_loop *l, const char *variable)
{
    bool holds = false;
    for (size_t i = 0; variable && i < l->arrays.n; i++)
        holds = holds || (l->arrays.v[i].name && is_named(variable, l->arrays.v[i].name));
    return holds;
}

/* Loads of one place of the frame that is no element: what a compiler has put aside there, be it under the
 * name of the variable that it is. */
static size_t aside_of(const struct cc_witness *w, const struct cc_source_loop *l,
                       const struct cc_pdependence *d)
{
    const uint64_t *n =
        d->area == CC_AREA_STACK && !holds_elements(l, d->variable) ? cc_map_get(&w->still, d->second) : NULL;
    return n ? (size_t)*n : 0;
}

/* Whether one of the loops writes the object in those lines: a function that many call writes other things
 * elsewhere. */
static bool is_written(const struct cc_witness *w, const struct cc_witness_query *q, const char *variable)
{
    for (size_t i = 0; variable && i < w->p->ndependences; i++) {
        const struct cc_pdependence *d = &w->p->dependences[i];
        bool there = false;
        for (int k = 0; d->kind == CC_DEPENDENCE_WRITES && k < CC_WITNESS_LINES && q->written[k]; k++)
            there = there || d->first_line == q->written[k];
        there = there && (!q->nwriters || is_one_of(q->writers, q->nwriters, w->p, d->loop));
        there = there && (d->area != CC_AREA_STACK || d->variable); /* a call puts its way back there */
        if (there && (!d->variable || strcmp(d->variable, variable) == 0))
            return true;
    }
    return !variable;
}

static size_t count(const struct cc_witness *w, const struct cc_witness_query *q, bool loads)
{
    size_t found = 0;
    for (size_t i = first_of(w, q->line); i < w->n; i++) {
        const struct cc_pdependence *d = &w->p->dependences[w->v[i]];
        if (d->second_line != q->line)
            break;
        if (is_asked(q, d) && d->second_file && strcmp(d->second_file, q->file) == 0 &&
            (!q->name || is_named(d->variable, q->name)) && is_inside(q, w->p, d->second) &&
            (!q->written || is_written(w, q, d->variable)))
            found += !loads ? 1
                            : loads_of(w, d->second) - (q->data ? leads_of(w, d->second) : 0) -
                                  (q->elements ? aside_of(w, q->elements, d) : 0);
    }
    return found;
}

size_t cc_witness_reads(const struct cc_witness *w, const struct cc_witness_query *q)
{
    return count(w, q, false);
}

size_t cc_witness_loads(const struct cc_witness *w, const struct cc_witness_query *q)
{
    return count(w, q, true);
}

bool cc_witness_loads_of(const struct cc_witness *w, const struct cc_witness_query *q, uint64_t insn)
{
    const uint64_t *origin_of = cc_map_get(&w->origins, insn);
    for (size_t i = 0; i < w->n && origin_of; i++) {
        const struct cc_pdependence *d = &w->p->dependences[w->v[i]];
        if (d->second == *origin_of && (!q->name || is_named(d->variable, q->name)) &&
            (!q->written || is_written(w, q, d->variable)))
            return true;
    }
    return false;
}

bool cc_witness_stores(const struct cc_witness *w, uint64_t insn)
{
    return cc_map_get(&w->stores, insn) != NULL;
}

size_t cc_witness_loads_in(const struct cc_witness *w, const struct cc_witness_query *q)
{
    size_t found = 0;
    for (size_t i = 0; i < w->n; i++) {
        const struct cc_pdependence *d = &w->p->dependences[w->v[i]];
        bool file = !q->file || (d->second_file && strcmp(d->second_file, q->file) == 0);
        if (file && is_asked(q, d) && is_inside(q, w->p, d->second))
            found += q->moving ? moving_of(w, d->second)
                               : loads_of(w, d->second) - (q->data ? leads_of(w, d->second) : 0);
    }
    return found;
}

bool cc_witness_constant(const struct cc_witness *w, const struct cc_witness_query *q)
{
    for (size_t i = 0; i < w->p->ndependences; i++) {
        const struct cc_pdependence *d = &w->p->dependences[i];
        if (d->kind == CC_DEPENDENCE_READS && d->flags & CC_DEPENDENCE_BEFORE && d->variable &&
            d->second_line == q->line && is_named(d->variable, q->name) && d->second_file &&
            strcmp(d->second_file, q->file) == 0 && is_inside(q, w->p, d->second))
            return true;
    }
    return false;
}

bool cc_witness_named(const struct cc_witness *w, const struct cc_witness_query *q)
{
    for (size_t i = 0; i < w->n; i++) {
        const struct cc_pdependence *d = &w->p->dependences[w->v[i]];
        if (is_asked(q, d) && d->variable && is_named(d->variable, q->name) &&
            (is_member(q, w->p, d->loop) || is_inside(q, w->p, d->second)))
            return true;
    }
    return false;
}
