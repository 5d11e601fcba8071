#include "witness.h"
#include "group.h"
#include "../../base/map.h"

struct cc_witness {
    const struct cc_profile *p;
    uint32_t *v; /* dependences that only tell of reads, by line */
    size_t n;
    uint32_t *lines;     /* the profile's, by line */
    struct cc_map loads; /* address of an instruction -> how many it does */
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

/* Pieces of code overlap: the same instruction may be in several. */
static void count_loads(struct cc_witness *w)
{
    uint64_t insn = 0, count = 0;
    for (size_t i = 0; i < w->p->nloop_code; i++) {
        const struct cc_rec_loop_code *r = &w->p->loop_code[i];
        if (r->kind == CC_CODE_INSN)
            insn = r->value, count = 0;
        if (r->kind != CC_CODE_LOAD)
            continue;
        uint64_t *known = cc_map_put(&w->loads, insn, NULL);
        count++;
        *known = CC_MAX(*known, count);
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
    count_loads(w);
    return w;
}

void cc_witness_free(struct cc_witness *w)
{
    if (!w)
        return;
    free(w->v);
    free(w->lines);
    cc_map_fini(&w->loads);
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
    size_t low = 0, high = w->p->nlines;
    while (low < high) {
        size_t mid = (low + high) / 2;
        if (w->p->lines[w->lines[mid]].line < line)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

bool cc_witness_ran(const struct cc_witness *w, const char *file, unsigned line, uint32_t function)
{
    const struct cc_profile *p = w->p;
    for (size_t low = first_line(w, line); low < p->nlines && p->lines[w->lines[low]].line == line; low++) {
        const struct cc_rec_line *x = &p->lines[w->lines[low]];
        if (p->blocks[x->block].function == function && x->file != CC_NONE &&
            cc_loop_same_file(file, p->files[x->file].path))
            return true;
    }
    return false;
}

/* The first of that line or a later one. */
static size_t first_of(const struct cc_witness *w, unsigned line)
{
    size_t low = 0, high = w->n;
    while (low < high) {
        size_t mid = (low + high) / 2;
        if (w->p->dependences[w->v[mid]].second_line < line)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

/* Symbols of a function's static variables have a number behind them. */
static bool is_named(const char *variable, const char *name)
{
    size_t n = strlen(name);
    return !variable || (strncmp(variable, name, n) == 0 && (!variable[n] || variable[n] == '.'));
}

static bool is_member(const struct cc_witness_query *q, const struct cc_profile *p, uint32_t loop)
{
    for (; loop != CC_NONE; loop = p->loops[loop].outer)
        for (size_t i = 0; i < q->nmembers; i++)
            if (q->members[i] == loop)
                return true;
    return false;
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
            cc_loop_same_file(q->file, p->files[x->file].path) && !is_foreign(q, p, b->address))
            return true;
    }
    return false;
}

bool cc_witness_inside(const struct cc_witness *w, const struct cc_witness_query *q, unsigned last)
{
    const struct cc_profile *p = w->p;
    for (size_t i = first_line(w, q->line); i < p->nlines && p->lines[w->lines[i]].line <= last; i++) {
        const struct cc_rec_line *x = &p->lines[w->lines[i]];
        if (x->file != CC_NONE && cc_loop_same_file(q->file, p->files[x->file].path) &&
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

/* Whether some loop writes the object in those lines. */
static bool is_written(const struct cc_witness *w, const struct cc_witness_query *q, const char *variable)
{
    for (size_t i = 0; variable && i < w->p->ndependences; i++) {
        const struct cc_pdependence *d = &w->p->dependences[i];
        bool there = false;
        for (int k = 0; d->kind == CC_DEPENDENCE_WRITES && k < CC_WITNESS_LINES && q->written[k]; k++)
            there = there || d->first_line == q->written[k];
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
            found += loads ? loads_of(w, d->second) : 1;
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

size_t cc_witness_loads_in(const struct cc_witness *w, const struct cc_witness_query *q)
{
    size_t found = 0;
    for (size_t i = 0; i < w->n; i++)
        if (is_asked(q, &w->p->dependences[w->v[i]]) && is_inside(q, w->p, w->p->dependences[w->v[i]].second))
            found += loads_of(w, w->p->dependences[w->v[i]].second);
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
