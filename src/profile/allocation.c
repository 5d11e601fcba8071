/* A block has the innermost place that the program wrote itself, so that a container is named by who fills
 * it. In a function that allocates for whoever calls it (`xmalloc`, `make_grid`, a constructor) all blocks
 * have that place: there its callers are asked as well, up to the first that does not do so, and a block's
 * *chain* is these places, from the inside out. Functions that were inlined are functions.
 *
 * Of a chain the name has what tells it from all others: places inside of which there is only one way to go
 * on are left out (what `xmalloc` does with its size), and those outside of it too, unless several chains
 * come to the same place ("mesh.c:10 for main.c:5"). */
#include "allocation.h"
#include "../base/map.h"
#include "../base/text.h"

enum { MAX_FRAMES = 32, MAX_CHAIN = 8 };

struct chain {
    struct cc_allocation_call *calls;
    size_t ncalls, n;
    struct cc_lines_frame at[MAX_CHAIN];
    size_t call[MAX_CHAIN];
    bool inlined[MAX_CHAIN];
    const char *outside[MAX_CHAIN]; /* places from the outermost to this one, as text */
    size_t named;                   /* which of them the name is from */
    struct cc_allocation_name name;
};

struct cc_allocations {
    struct cc_lines *lines;
    struct cc_arena arena;
    CC_VEC(struct chain *) chains;
    bool done;
    struct cc_strmap ways;    /* outside -> how many places follow inwards */
    struct cc_strmap comings; /* the same place, by the text of the place -> how many chains come to it */
    struct cc_strmap ends;    /* the same -> how many outermost places these have */
    struct cc_strmap columns; /* file:line -> how many columns of it allocate */
};

struct cc_allocations *cc_allocations_new(struct cc_lines *lines)
{
    struct cc_allocations *a = cc_alloc(sizeof *a);
    a->lines = lines;
    return a;
}

void cc_allocations_free(struct cc_allocations *a)
{
    if (!a)
        return;
    CC_VEC_FINI(&a->chains);
    cc_strmap_fini(&a->ways);
    cc_strmap_fini(&a->comings);
    cc_strmap_fini(&a->ends);
    cc_strmap_fini(&a->columns);
    cc_arena_fini(&a->arena);
    free(a);
}

size_t cc_allocations_add(struct cc_allocations *a, const struct cc_allocation_call *calls, size_t n)
{
    struct chain *c = cc_arena_alloc(&a->arena, sizeof *c);
    c->calls = cc_arena_alloc(&a->arena, (n + 1) * sizeof *calls);
    c->ncalls = n;
    if (n)
        memcpy(c->calls, calls, n * sizeof *calls);
    CC_VEC_PUSH(&a->chains, c);
    return a->chains.n - 1;
}

/* Its result is an address, or it constructs an object; where the block goes by an argument, the name tells.
 */
static bool allocates_for_others(const struct cc_lines_frame *f)
{
    return f->gives || (f->function && strcasestr(f->function, "alloc"));
}

/* Puts the place behind those of the chain; whether that is complete. */
static bool follow(struct chain *c, const struct cc_lines_frame *f, size_t call, bool inlined)
{
    bool own = f->place.file && cc_lines_own(f->place.file);
    if (c->n == 1 && own && !cc_lines_own(c->at[0].place.file))
        c->n = 0; /* a library's, as long as there was no better */
    if (f->place.file && (own || c->n == 0)) {
        c->at[c->n] = *f;
        c->call[c->n] = call;
        c->inlined[c->n++] = inlined;
    }
    return c->n == MAX_CHAIN || (own && !allocates_for_others(f));
}

static void find_chain(struct cc_allocations *a, struct chain *c)
{
    bool complete = false;
    for (size_t i = 0; i < c->ncalls && !complete; i++) {
        struct cc_lines_frame frames[MAX_FRAMES] = {0};
        const struct cc_allocation_call *at = &c->calls[i];
        if (!at->path)
            continue;
        unsigned n = cc_lines_frames(a->lines, at->path, at->returns_to - 1, frames, MAX_FRAMES);
        if (!n)
            frames[n++].place = cc_lines_find(a->lines, at->path, at->returns_to - 1);
        for (unsigned k = 0; k < n && !complete; k++)
            complete = follow(c, &frames[k], i, k + 1 < n);
    }
}

static const char *text_of(struct cc_allocations *a, const struct cc_line_place *p)
{
    return cc_arena_printf(&a->arena, "%s:%u:%u", p->file, p->line, p->column);
}

/* Counts a way once: the key is `of`, and each `what` is one. */
static void count(struct cc_allocations *a, struct cc_strmap *m, const char *of, const char *what)
{
    bool fresh;
    const char *both = cc_arena_printf(&a->arena, "%s\n\n%s", of, what);
    cc_strmap_put(m, both, &fresh);
    if (fresh)
        ++*cc_strmap_put(m, of, NULL);
}

static uint64_t counted(const struct cc_strmap *m, const char *of)
{
    const uint64_t *n = cc_strmap_get(m, of);
    return n ? *n : 0;
}

static void count_ways(struct cc_allocations *a, struct chain *c)
{
    const char *outside = "";
    for (size_t i = c->n; i-- > 0;) {
        const struct cc_line_place *p = &c->at[i].place;
        const char *at = text_of(a, p);
        count(a, &a->columns, cc_arena_printf(&a->arena, "%s:%u", p->file, p->line), at);
        if (*outside)
            count(a, &a->ways, outside, at);
        c->outside[i] = outside = cc_arena_printf(&a->arena, "%s\n%s", outside, at);
    }
}

/* "mesh.c:10", with the column if something else of that line allocates. */
static const char *shown(struct cc_allocations *a, const struct cc_line_place *p)
{
    const char *line = cc_arena_printf(&a->arena, "%s:%u", p->file, p->line);
    if (p->column && counted(&a->columns, line) > 1)
        return cc_arena_printf(&a->arena, "%s:%u:%u", cc_text_base(p->file), p->line, p->column);
    return cc_arena_printf(&a->arena, "%s:%u", cc_text_base(p->file), p->line);
}

static void choose(struct cc_allocations *a, struct chain *c)
{
    size_t i = 0;
    while (i + 1 < c->n && counted(&a->ways, c->outside[i + 1]) == 1)
        i++;
    const char *text = text_of(a, &c->at[i].place);
    c->named = i;
    count(a, &a->comings, text, c->outside[i]);
    count(a, &a->ends, text, c->outside[c->n - 1]);
}

static void put_name(struct cc_allocations *a, struct chain *c)
{
    size_t i = c->named;
    const struct cc_lines_frame *f = &c->at[i];
    const char *text = text_of(a, &f->place), *where = shown(a, &f->place);
    if (i + 1 < c->n && counted(&a->comings, text) > 1) {
        size_t by = counted(&a->ends, text) > 1 ? c->n - 1 : i + 1;
        where = cc_arena_printf(&a->arena, "%s for %s", where, shown(a, &c->at[by].place));
    }
    c->name = (struct cc_allocation_name){
        .at = f->place, .function = c->inlined[i] ? f->function : NULL, .call = c->call[i], .where = where};
}

const struct cc_allocation_name *cc_allocations_name(struct cc_allocations *a, size_t number)
{
    for (size_t i = 0; i < a->chains.n && !a->done; i++) {
        find_chain(a, a->chains.v[i]);
        count_ways(a, a->chains.v[i]);
    }
    for (size_t i = 0; i < a->chains.n && !a->done; i++)
        if (a->chains.v[i]->n)
            choose(a, a->chains.v[i]);
    for (size_t i = 0; i < a->chains.n && !a->done; i++)
        if (a->chains.v[i]->n)
            put_name(a, a->chains.v[i]);
    static const struct cc_allocation_name unknown;
    a->done = true;
    return number < a->chains.n ? &a->chains.v[number]->name : &unknown;
}
