#include "watch.h"
#include "../../base/text.h"

#include <xxhash.h>

enum { PLACE_CACHE = 1 << 20, MAX_PLACES = 1 << 22 };

const char *contention_object_name(const struct cc_trace_object *o)
{
    return !o ? NULL : o->name ? o->name : o->function;
}

/* Objects made at one place under one name are one thing to a reader, wherever they lie. */
static void number_objects(struct items *x)
{
    const struct cc_trace_object *o;
    size_t n = cc_trace_objects(x->trace, &o);
    struct cc_strmap ids = {0};
    struct cc_buf b = {0};
    x->object_ids = cc_alloc_array(n + 1, sizeof *x->object_ids);
    for (size_t i = 0; i < n; i++) {
        bool fresh;
        b.n = 0;
        cc_buf_printf(&b, "%s|%s|%s|%u", o[i].name ? o[i].name : "", o[i].function ? o[i].function : "",
                      o[i].file ? o[i].file : "", o[i].line);
        uint64_t *id = cc_strmap_put(&ids, b.s, &fresh);
        if (fresh)
            *id = ids.n;
        x->object_ids[i] = (uint32_t)*id;
    }
    cc_buf_fini(&b);
    cc_strmap_fini(&ids);
}

static bool has_context(const struct items *x)
{
    return x->options->place == CC_PLACE_PATH || x->options->place == CC_PLACE_LOOP;
}

void contention_items_init(struct items *x, struct cc_trace_reader *trace,
                           const struct cc_contention_options *o, struct cc_arena *arena)
{
    *x = (struct items){.trace = trace, .options = o, .arena = arena};
    x->page = cc_trace_fact_number(trace, "page_bytes", 4096);
    if (!x->page || (x->page & (x->page - 1)))
        x->page = 4096;
    x->nbins = CC_MIN(o->bin_max / CC_MAX(o->bin, 1u) + 1, (unsigned)MAX_BINS);
    number_objects(x);
    if (has_context(x)) {
        x->sites = cc_alloc(sizeof *x->sites);
        contention_sites_init(x->sites, trace, arena);
    }
}

void contention_items_fini(struct items *x)
{
    CC_VEC_FINI(&x->places);
    CC_VEC_FINI(&x->all);
    cc_map_fini(&x->place_of_pc);
    cc_map_fini(&x->place_by_key);
    cc_map_fini(&x->by_key);
    free(x->object_ids);
    if (x->sites)
        contention_sites_fini(x->sites);
    free(x->sites);
}

/* On which path, or in which loop; without names where the program is not on the path. */
static struct place place_with_context(struct items *x, uint64_t pc, uint32_t context)
{
    struct cc_frame path[MOST_FRAMES], at;
    size_t n = contention_path(x->sites, pc, context, path, MOST_FRAMES);
    if (!n) {
        const struct cc_trace_symbol *s = cc_trace_find_symbol(x->trace, pc);
        return (struct place){s ? s->name : NULL, s ? s->file : NULL, s ? s->line : 0};
    }
    if (x->options->place == CC_PLACE_PATH)
        return (struct place){contention_path_name(x->sites, path, n), path[0].file, path[0].line};
    at = contention_loop_of(path, n);
    return (struct place){at.function, at.file, at.line};
}

/* The function and line of an instruction. */
static struct place place_of_code(struct items *x, uint64_t pc)
{
    const struct cc_trace_symbol *s = cc_trace_find_symbol(x->trace, pc);
    const struct cc_trace_line *l =
        x->options->place == CC_PLACE_LINE || x->options->place == CC_PLACE_ADDRESS
            ? cc_trace_find_line(x->trace, pc)
            : NULL;
    return (struct place){s ? s->name : NULL,
                          l   ? l->file
                          : s ? s->file
                              : NULL,
                          l   ? l->line
                          : s ? s->line
                              : 0};
}

/* One place has one number; where nothing is known, a page does. */
static uint32_t number_of_place(struct items *x, const struct place *p, uint64_t pc)
{
    struct cc_buf key = {0};
    cc_buf_printf(&key, "%s|%s|%u", p->function ? p->function : "", p->file ? p->file : "", p->line);
    uint64_t hash = p->function || p->file ? XXH3_64bits(key.s, key.n) : pc / x->page;
    cc_buf_fini(&key);
    bool fresh;
    uint64_t *id = cc_map_put(&x->place_by_key, hash, &fresh);
    if (fresh && x->places.n < MAX_PLACES) {
        *id = x->places.n;
        CC_VEC_PUSH(&x->places, *p);
    }
    return (uint32_t)*id;
}

uint32_t contention_items_place(struct items *x, uint64_t pc, uint32_t context)
{
    const uint64_t both[2] = {pc, context};
    uint64_t key = has_context(x) ? XXH3_64bits(both, sizeof both) : pc;
    const uint64_t *known = cc_map_get(&x->place_of_pc, key);
    if (known)
        return (uint32_t)*known;
    struct place p = has_context(x) ? place_with_context(x, pc, context) : place_of_code(x, pc);
    uint32_t place = number_of_place(x, &p, pc);
    if (x->place_of_pc.n < PLACE_CACHE)
        *cc_map_put(&x->place_of_pc, key, NULL) = place;
    return place;
}

static uint32_t bin_of(const struct items *x, uint32_t latency)
{
    return CC_MIN(latency / CC_MAX(x->options->bin, 1u), x->nbins - 1);
}

uint32_t contention_items_of(struct items *x, const struct cc_trace_event *e)
{
    const struct cc_contention_options *o = x->options;
    const struct cc_trace_object *object = NULL, *objects;
    struct {
        uint64_t where;
        uint32_t place, object, kind, node, bin, zero;
    } key = {.kind = e->kind, .node = e->node};
    key.place = contention_items_place(x, o->place == CC_PLACE_OBJECT ? 0 : e->pc, e->context);
    if (o->place == CC_PLACE_ADDRESS)
        key.where = e->addr;
    else if (o->place == CC_PLACE_PAGE)
        key.where = e->addr / x->page;
    if (e->kind != CC_TRACE_FETCH)
        object = cc_trace_find_object(x->trace, e->addr, e->cycle);
    if (object) {
        cc_trace_objects(x->trace, &objects);
        key.object = x->object_ids[object - objects];
    }
    if (o->bins_in_items)
        key.bin = bin_of(x, e->latency);
    bool fresh;
    uint64_t *id = cc_map_put(&x->by_key, XXH3_64bits(&key, sizeof key), &fresh);
    if (fresh) {
        if (x->all.n >= MAX_ITEMS) {
            *id = NO_ITEM;
        } else {
            *id = x->all.n;
            const struct place *p = &x->places.v[key.place];
            struct item i = {.kind = e->kind,
                             .node = e->node,
                             .function = p->function,
                             .file = p->file,
                             .line = p->line,
                             .object = contention_object_name(object),
                             .pc_from = e->pc,
                             .pc_to = e->pc,
                             .from = e->addr,
                             .to = e->addr};
            CC_VEC_PUSH(&x->all, i);
        }
    }
    return (uint32_t)*id;
}

void contention_items_count(struct items *x, uint32_t item, const struct cc_trace_event *e, uint32_t excess,
                            bool waiting)
{
    struct item *i = &x->all.v[item];
    i->pc_from = CC_MIN(i->pc_from, e->pc);
    i->pc_to = CC_MAX(i->pc_to, e->pc);
    i->from = CC_MIN(i->from, e->addr);
    i->to = CC_MAX(i->to, e->addr);
    i->events++;
    i->waiting += waiting;
    i->latency += e->latency;
    i->excess += excess;
    i->histogram[bin_of(x, e->latency)]++;
}
