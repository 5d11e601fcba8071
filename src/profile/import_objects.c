#include "import_objects.h"
#include "allocation.h"
#include "../binary/variables.h"
#include "../base/map.h"
#include "../base/text.h"

/* --- taking records; nothing in them is trusted --- */

static bool fits(uint64_t v)
{
    return v <= INT64_MAX;
}

static bool accessor_fits(uint32_t id, size_t nfunctions)
{
    return id < nfunctions || id == CC_SPECIAL_ID(CC_NODE_INPUT) || id == CC_SPECIAL_ID(CC_NODE_OUTPUT);
}

static bool take_group(struct cc_objects_import *d, const struct cc_records *in, const struct cc_profile *p)
{
    const struct cc_rec_object *r = (const void *)in->body;
    const char *name = cc_records_text(in, 0, r->name_size);
    bool needs_name = r->kind == CC_OBJECT_IMAGE || r->kind == CC_OBJECT_FILE || r->kind == CC_OBJECT_NAMED;
    if (r->id != d->groups.n || r->kind >= CC_OBJECT_KINDS || r->alloc >= CC_OBJECT_ALLOCS || !name ||
        (r->binary != CC_NONE && r->binary >= p->nbinaries) ||
        (r->kind == CC_OBJECT_GLOBAL && r->binary == CC_NONE) ||
        (r->thread != CC_NONE && r->thread >= p->nthreads) ||
        (r->kind == CC_OBJECT_STACK && r->thread == CC_NONE) || !fits(r->size) || !fits(r->count) ||
        !fits(r->freed) || !fits(r->total) || !fits(r->live) || !fits(r->peak))
        return false;
    struct cc_objects_group g = {.rec = *r};
    if (needs_name || r->name_size)
        g.name = cc_arena_strndup(&d->arena, name, r->name_size);
    CC_VEC_PUSH(&d->groups, g);
    return true;
}

static bool take_site(struct cc_objects_import *d, const struct cc_records *in, const struct cc_profile *p)
{
    const struct cc_rec_object_site *r = (const void *)in->body;
    const struct cc_rec_object_site *last = d->sites.n ? &d->sites.v[d->sites.n - 1] : NULL;
    uint32_t level = last && last->object == r->object ? last->level + 1 : 0;
    if (r->object + 1 != d->groups.n || r->level != level || r->function >= p->nfunctions ||
        (r->binary != CC_NONE && r->binary >= p->nbinaries))
        return false;
    CC_VEC_PUSH(&d->sites, *r);
    return true;
}

static bool take_access(struct cc_objects_import *d, const struct cc_records *in, size_t nfunctions)
{
    const struct cc_rec_object_access *r = (const void *)in->body;
    if (!accessor_fits(r->function, nfunctions) || r->object >= d->groups.n || !fits(r->reads) ||
        !fits(r->writes) || !fits(r->bytes_read) || !fits(r->bytes_written) || !fits(r->unma) ||
        r->unma_read > r->bytes_read || r->unma_written > r->bytes_written || !fits(r->first) ||
        !fits(r->last))
        return false;
    CC_VEC_PUSH(&d->accesses, *r);
    return true;
}

static bool take_slot(struct cc_objects_import *d, const struct cc_records *in, size_t nfunctions)
{
    const struct cc_rec_object_slot *r = (const void *)in->body;
    if (!accessor_fits(r->function, nfunctions) || r->owner >= nfunctions || r->size > 255 ||
        r->distance > UINT64_C(1) << 40 || !fits(r->reads) || !fits(r->writes) || !fits(r->bytes_read) ||
        !fits(r->bytes_written) || !fits(r->first) || !fits(r->last) ||
        (r->reads && r->bytes_read < r->size) || (r->writes && r->bytes_written < r->size))
        return false;
    CC_VEC_PUSH(&d->slots, *r);
    return true;
}

bool cc_objects_take(struct cc_objects_import *d, const struct cc_records *in, const struct cc_profile *p)
{
    switch (in->head.tag) {
    case CC_REC_OBJECT:
        return take_group(d, in, p);
    case CC_REC_OBJECT_SITE:
        return take_site(d, in, p);
    case CC_REC_OBJECT_ACCESS:
        return take_access(d, in, p->nfunctions);
    default:
        return take_slot(d, in, p->nfunctions);
    }
}

void cc_objects_import_fini(struct cc_objects_import *d)
{
    CC_VEC_FINI(&d->groups);
    CC_VEC_FINI(&d->sites);
    CC_VEC_FINI(&d->accesses);
    CC_VEC_FINI(&d->slots);
    cc_arena_fini(&d->arena);
}

/* --- putting them into the profile --- */

struct put {
    struct cc_objects_import *d;
    const struct cc_profile *p;
    struct cc_symbols *symbols;
    struct cc_lines *lines;
    struct cc_variables *variables;
    struct cc_allocations *blocks; /* by the numbers of groups */
    struct cc_writer *out;
    size_t objects, sites, accesses; /* rows so far */
};

static uint32_t put_object(struct put *p, const struct cc_pobject *o)
{
    cc_writer_row(p->out, CC_P_object, o, p->objects);
    return (uint32_t)p->objects++;
}

/* The line of a call: of the byte before the one it returns to. Of what a system's header put there, the line
 * of the program that called it. */
static void call_place(struct put *p, const struct cc_rec_object_site *f, const char **file, unsigned *line)
{
    *file = NULL;
    *line = 0;
    if (f->binary == CC_NONE || !f->address)
        return;
    const char *path = p->p->binaries[f->binary].path;
    cc_symbols_line(p->symbols, path, f->address - 1, file, line);
    if (!*file || cc_lines_own(*file))
        return;
    struct cc_line_place own = cc_lines_caller(p->lines, path, f->address - 1, cc_lines_own);
    if (!own.file)
        return;
    *file = own.folder ? cc_arena_printf(&p->d->arena, "%s/%s", own.folder, own.file) : own.file;
    *line = own.line;
}

static const char *text(struct put *p, char *owned)
{
    const char *copy = cc_arena_strdup(&p->d->arena, owned);
    free(owned);
    return copy;
}

/* "malloc in load (image.c:34)". */
static void describe_site(struct put *p, const struct cc_objects_group *g,
                          const struct cc_rec_object_site *calls, size_t n, struct cc_pobject *o)
{
    o->kind = CC_STORAGE_HEAP;
    o->alloc = cc_object_alloc_names[g->rec.alloc];
    if (!n) {
        o->name = text(p, cc_asprintf("%s before the program", o->alloc));
        return;
    }
    const struct cc_allocation_name *name = cc_allocations_name(p->blocks, (size_t)(g - p->d->groups.v));
    const struct cc_line_place *at = &name->at;
    const char *function = name->function ? name->function : p->p->functions[calls[name->call].function].name;
    if (at->file && at->line) {
        o->file = at->folder ? cc_arena_printf(&p->d->arena, "%s/%s", at->folder, at->file) : at->file;
        o->line = at->line;
        o->name = text(p, cc_asprintf("%s in %s (%s)", o->alloc, function, name->where));
    } else
        o->name = text(
            p, cc_asprintf("%s in %s (+0x%llx)", o->alloc, function, (unsigned long long)calls[0].address));
}

static void describe(struct put *p, const struct cc_objects_group *g, const struct cc_rec_object_site *calls,
                     size_t n, struct cc_pobject *o)
{
    const struct cc_rec_object *r = &g->rec;
    struct cc_variable v;
    switch ((enum cc_object_kind)r->kind) {
    case CC_OBJECT_BLOCK:
    case CC_OBJECT_MAPPED:
        describe_site(p, g, calls, n, o);
        break;
    case CC_OBJECT_GLOBAL:
        cc_variables_at(p->variables, p->p->binaries[r->binary].path, r->address, &v);
        o->kind = CC_STORAGE_GLOBAL;
        o->name = v.name;
        o->type = v.type;
        o->file = v.file;
        o->line = v.line;
        o->size = v.size && fits(v.size) ? v.size : r->size;
        break;
    case CC_OBJECT_IMAGE:
        o->kind = CC_STORAGE_GLOBAL;
        o->name = text(p, cc_asprintf("<unnamed data of %s>", cc_text_base(g->name)));
        break;
    case CC_OBJECT_FILE:
        o->kind = CC_STORAGE_FILE;
        o->name = g->name;
        break;
    case CC_OBJECT_NAMED:
        o->kind = CC_STORAGE_HEAP;
        o->name = *g->name ? g->name : "?";
        o->named = true;
        break;
    case CC_OBJECT_STACK:
        o->kind = CC_STORAGE_STACK;
        o->name = text(p, cc_asprintf("<stack of thread %u>", r->thread + 1));
        break;
    case CC_OBJECT_HEAP:
        o->kind = CC_STORAGE_HEAP;
        o->name = "<heap>";
        break;
    default:
        o->kind = CC_STORAGE_OTHER;
        o->name = "<other>";
    }
}

/* Whether a group is worth a line of its own: what the program has or touched. */
static bool worth(const struct put *p, const struct cc_rec_object *r, bool accessed)
{
    switch ((enum cc_object_kind)r->kind) {
    case CC_OBJECT_BLOCK:
    case CC_OBJECT_MAPPED:
    case CC_OBJECT_NAMED:
        return accessed || r->count;
    case CC_OBJECT_GLOBAL:
        return accessed || p->p->binaries[r->binary].program;
    default:
        return accessed;
    }
}

static void put_access(struct put *p, const struct cc_pobject_access *a)
{
    cc_writer_row(p->out, CC_P_object_access, a, p->accesses++);
}

static void put_site(struct put *p, uint32_t object, const struct cc_rec_object_site *f, size_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        struct cc_pobject_site s = {.object = object, .level = i, .function = f[i].function};
        call_place(p, &f[i], &s.file, &s.line);
        cc_writer_row(p->out, CC_P_object_site, &s, p->sites++);
    }
}

static struct cc_allocations *blocks_of(const struct put *p)
{
    struct cc_allocations *blocks = cc_allocations_new(p->lines);
    for (size_t i = 0, at = 0; i < p->d->groups.n; i++) {
        struct cc_allocation_call calls[CC_ALLOCATION_CALLS] = {0};
        size_t n = 0;
        for (; at < p->d->sites.n && p->d->sites.v[at].object == i; at++) {
            const struct cc_rec_object_site *f = &p->d->sites.v[at];
            if (n < CC_ALLOCATION_CALLS && f->binary != CC_NONE && f->address)
                calls[n] = (struct cc_allocation_call){p->p->binaries[f->binary].path, f->address};
            n += n < CC_ALLOCATION_CALLS;
        }
        cc_allocations_add(blocks, calls, n);
    }
    return blocks;
}

/* ids: of the groups' rows; CC_NONE: it is not worth one. */
static void put_groups(struct put *p, const bool *accessed, uint32_t *ids)
{
    struct cc_objects_import *d = p->d;
    for (size_t i = 0, at = 0; i < d->groups.n; i++) {
        const struct cc_rec_object *r = &d->groups.v[i].rec;
        size_t n = 0;
        while (at + n < d->sites.n && d->sites.v[at + n].object == i)
            n++;
        const struct cc_rec_object_site *first = n ? &d->sites.v[at] : NULL;
        at += n;
        ids[i] = CC_NONE;
        if (!worth(p, r, accessed[i]))
            continue;
        struct cc_pobject o = {.function = CC_NONE,
                               .size = r->peak,
                               .count = r->count,
                               .freed = r->freed,
                               .total = r->total,
                               .live = r->live,
                               .peak = r->peak};
        describe(p, &d->groups.v[i], first, n, &o);
        ids[i] = put_object(p, &o);
        put_site(p, ids[i], first, n);
    }
}

static void put_accesses(struct put *p)
{
    struct cc_objects_import *d = p->d;
    CC_CLEANUP(cc_free_ptr) uint32_t *ids = cc_alloc_array(d->groups.n, sizeof *ids);
    CC_CLEANUP(cc_free_ptr) bool *accessed = cc_alloc_array(d->groups.n, sizeof *accessed);
    for (size_t i = 0; i < d->accesses.n; i++)
        accessed[d->accesses.v[i].object] = true;
    put_groups(p, accessed, ids);
    for (size_t i = 0; i < d->accesses.n; i++) {
        const struct cc_rec_object_access *r = &d->accesses.v[i];
        struct cc_pobject_access a = {.function = r->function,
                                      .object = ids[r->object],
                                      .reads = r->reads,
                                      .writes = r->writes,
                                      .bytes_read = r->bytes_read,
                                      .bytes_written = r->bytes_written,
                                      .unma = r->unma,
                                      .has_unma = r->has_unma != 0,
                                      .unma_read = r->unma_read,
                                      .has_unma_read = r->has_unma != 0,
                                      .unma_written = r->unma_written,
                                      .has_unma_written = r->has_unma != 0,
                                      .first = r->first,
                                      .last = r->last};
        if (a.object != CC_NONE)
            put_access(p, &a);
    }
}

/* --- stack frames --- */

static int by_owner(const void *a, const void *b)
{
    const struct cc_rec_object_slot *x = a, *y = b;
    if (x->owner != y->owner)
        return x->owner < y->owner ? -1 : 1;
    if (x->function != y->function)
        return x->function < y->function ? -1 : 1;
    if (x->distance != y->distance)
        return x->distance > y->distance ? -1 : 1; /* addresses go up */
    return (x->size > y->size) - (x->size < y->size);
}

/* One function's accesses to one variable of a stack frame, or to the rest of it. */
struct part {
    struct cc_pobject_access sum;
    int64_t end[3]; /* of the bytes counted so far, from the CFA: all, those read, those written */
    bool used;
};

/* How many of the bytes lie beyond *end, which moves; they come in order of their first. */
static uint64_t beyond(int64_t *end, int64_t from, uint32_t size)
{
    int64_t before = CC_MAX(*end, from), after = from + size;
    if (after <= before)
        return 0;
    *end = after;
    return (uint64_t)(after - before);
}

static void add_slot(struct part *t, const struct cc_rec_object_slot *s)
{
    struct cc_pobject_access *sum = &t->sum;
    int64_t from = -(int64_t)s->distance;
    if (!t->used)
        *t = (struct part){.sum = {.function = s->function, .has_unma = true, .first = s->first},
                           .end = {from, from, from},
                           .used = true};
    sum->reads += s->reads;
    sum->writes += s->writes;
    sum->bytes_read += s->bytes_read;
    sum->bytes_written += s->bytes_written;
    sum->has_unma = sum->has_unma && s->size != 0;
    sum->has_unma_read = sum->has_unma_written = sum->has_unma;
    sum->unma += beyond(&t->end[0], from, s->size);
    sum->unma_read += s->reads ? beyond(&t->end[1], from, s->size) : 0;
    sum->unma_written += s->writes ? beyond(&t->end[2], from, s->size) : 0;
    sum->first = CC_MIN(sum->first, s->first);
    sum->last = CC_MAX(sum->last, s->last);
}

/* The variable that holds the first byte; n: none does. */
static size_t variable_at(const struct cc_variable *v, size_t n, const struct cc_rec_object_slot *s)
{
    int64_t from = -(int64_t)s->distance;
    size_t lo; /* the first that begins beyond it */
    CC_FIRST(lo, n, v[lo].from > from);
    return s->size && lo && from < v[lo - 1].from + (int64_t)v[lo - 1].size ? lo - 1 : n;
}

static uint32_t put_variable(struct put *p, uint32_t owner, const struct cc_variable *v, uint64_t deepest)
{
    const struct cc_pfunction *f = &p->p->functions[owner];
    struct cc_pobject o = {.kind = CC_STORAGE_STACK, .function = owner, .count = f->calls, .freed = f->calls};
    if (v) {
        o.name = text(p, cc_asprintf("%s:%s", f->name, v->name));
        o.type = v->type;
        o.file = v->file;
        o.line = v->line;
        o.size = fits(v->size) ? v->size : 0;
    } else {
        o.name = text(p, cc_asprintf("frame of %s", f->name));
        o.size = deepest;
    }
    o.peak = o.size;
    if (__builtin_mul_overflow(o.size, f->calls, &o.total) || !fits(o.total))
        o.total = INT64_MAX;
    return put_object(p, &o);
}

/* All slots of the stack frames of one function. */
static void put_owner(struct put *p, const struct cc_rec_object_slot *s, size_t n)
{
    const struct cc_pfunction *f = &p->p->functions[s->owner];
    const struct cc_variable *v = NULL;
    size_t nv = 0;
    if (f->binary != CC_NONE)
        nv = cc_variables_frame(p->variables, p->p->binaries[f->binary].path, f->offset, &v);
    CC_CLEANUP(cc_free_ptr) struct part *parts = cc_alloc_array(nv + 1, sizeof *parts);
    CC_CLEANUP(cc_free_ptr) uint32_t *ids = cc_alloc_array(nv + 1, sizeof *ids); /* 1 + id; 0: none yet */
    uint64_t deepest = 0;
    for (size_t i = 0; i < n; i++)
        deepest = variable_at(v, nv, &s[i]) == nv ? CC_MAX(deepest, s[i].distance) : deepest;
    for (size_t i = 0; i < n;) {
        memset(parts, 0, (nv + 1) * sizeof *parts);
        uint32_t function = s[i].function;
        for (; i < n && s[i].function == function; i++)
            add_slot(&parts[variable_at(v, nv, &s[i])], &s[i]);
        for (size_t k = 0; k <= nv; k++) {
            if (!parts[k].used)
                continue;
            if (!ids[k])
                ids[k] = put_variable(p, s->owner, k < nv ? &v[k] : NULL, deepest) + 1;
            parts[k].sum.object = ids[k] - 1;
            put_access(p, &parts[k].sum);
        }
    }
}

static void put_stack_frames(struct put *p)
{
    struct cc_objects_import *d = p->d;
    if (d->slots.n)
        qsort(d->slots.v, d->slots.n, sizeof *d->slots.v, by_owner);
    for (size_t i = 0, n; i < d->slots.n; i += n) {
        n = 1;
        while (i + n < d->slots.n && d->slots.v[i + n].owner == d->slots.v[i].owner)
            n++;
        put_owner(p, &d->slots.v[i], n);
    }
}

/* Sums over threads and places must fit too. */
static bool sums_fit(const struct cc_objects_import *d)
{
    uint64_t sum[4] = {0};
    for (size_t i = 0; i < d->slots.n; i++) {
        const struct cc_rec_object_slot *s = &d->slots.v[i];
        const uint64_t more[] = {s->reads, s->writes, s->bytes_read, s->bytes_written};
        for (size_t k = 0; k < CC_COUNT(more); k++)
            if (__builtin_add_overflow(sum[k], more[k], &sum[k]) || !fits(sum[k]))
                return false;
    }
    return true;
}

int cc_objects_put(struct cc_objects_import *d, const struct cc_profile *profile, struct cc_symbols *symbols,
                   struct cc_writer *out)
{
    if (!d->groups.n)
        return 0;
    if (!sums_fit(d))
        return cc_err_set(out->err, CC_EINPUT, "damaged record file: counts that overflow");
    struct put p = {.d = d, .p = profile, .symbols = symbols, .out = out};
    p.lines = cc_lines_new(symbols);
    p.variables = cc_variables_new(symbols);
    p.blocks = blocks_of(&p);
    put_accesses(&p);
    put_stack_frames(&p);
    cc_variables_free(p.variables);
    cc_allocations_free(p.blocks);
    cc_lines_free(p.lines);
    return 0;
}
