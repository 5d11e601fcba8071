/* Names for what a simulation saw: functions, variables and lines of the files it mapped, stacks and heap
 * objects from the plugin. */
#include "trace_names.h"
#include "../binary/lines.h"
#include "../binary/loops.h"
#include "../binary/runtime.h"
#include "../binary/segments.h"
#include "../binary/symbols.h"
#include "../profile/tables.h"
#include "../base/arena.h"
#include "../base/text.h"

#include <xxhash.h>

/* A file where the program had it. */
struct module {
    const char *path, *name; /* borrowed */
    uint64_t bias;           /* the program's addresses less the file's */
    uint64_t from, to;
    uint32_t program;
};

struct context {
    struct cc_trace_writer *w;
    struct cc_symbols *symbols;
    struct cc_lines *lines;
    CC_VEC(struct module) modules;
    const struct module *module; /* whose symbols come */
    struct cc_arena arena;
};

static void add_module(struct context *x, struct module m, const struct cc_sim_module *mapping)
{
    struct cc_segment *v;
    size_t n = cc_segments_read(m.path, &v);
    if (n && (!mapping || cc_segments_bias(v, n, mapping->from, mapping->offset, &m.bias))) {
        m.bias += cc_sim_tag(m.program);
        m.from = UINT64_MAX;
        for (size_t i = 0; i < n; i++) {
            m.from = CC_MIN(m.from, v[i].address + m.bias);
            m.to = CC_MAX(m.to, v[i].address + v[i].size + m.bias);
        }
        CC_VEC_PUSH(&x->modules, m);
    }
    free(v);
}

static void add_modules(struct context *x, const struct cc_sim_shared *s, const char *firmware)
{
    if (firmware)
        add_module(x, (struct module){.path = firmware, .name = "firmware"}, NULL);
    for (uint32_t i = 0; i < s->modules && i < CC_SIM_MODULES; i++) {
        const struct cc_sim_module *m = &s->module[i];
        bool known = false; /* one mapping of a file tells where all of it is */
        for (uint32_t k = 0; k < i; k++)
            known |= s->module[k].program == m->program && strcmp(s->module[k].path, m->path) == 0 &&
                     m->from - s->module[k].from < (1u << 30);
        if (!known)
            add_module(
                x, (struct module){.path = m->path, .name = cc_text_base(m->path), .program = m->program}, m);
    }
}

static void add_symbol(const struct cc_symbol_range *r, void *data)
{
    struct context *x = data;
    const struct module *m = x->module;
    if (r->data) {
        struct cc_trace_object o = {.from = r->from + m->bias,
                                    .to = r->to + m->bias,
                                    .until = UINT64_MAX,
                                    .name = r->name,
                                    .storage = CC_TRACE_GLOBAL};
        cc_trace_writer_object(x->w, &o);
        return;
    }
    const char *file;
    unsigned line;
    cc_symbols_line(x->symbols, m->path, r->from, &file, &line);
    struct cc_trace_symbol t = {r->from + m->bias, r->to + m->bias, r->name, file, line, m->name};
    cc_trace_writer_symbol(x->w, &t);
}

static const struct module *module_at(const struct context *x, uint64_t pc)
{
    for (size_t i = 0; i < x->modules.n; i++)
        if (pc >= x->modules.v[i].from && pc < x->modules.v[i].to)
            return &x->modules.v[i];
    return NULL;
}

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* Code that a system's header put in place belongs to the line of the program that called it. */
static void line_at(struct context *x, const struct module *m, uint64_t pc, const char **file, unsigned *line)
{
    cc_symbols_line(x->symbols, m->path, pc - m->bias, file, line);
    if (!*file || cc_lines_own(*file))
        return;
    struct cc_line_place own = cc_lines_caller(x->lines, m->path, pc - m->bias, cc_lines_own);
    if (!own.file)
        return;
    *file = own.folder ? cc_arena_printf(&x->arena, "%s/%s", own.folder, own.file) : own.file;
    *line = own.line;
}

struct pcs {
    CC_VEC(uint64_t) v;
};

static void sort_seen(const struct cc_map *seen, struct pcs *ret)
{
    for (size_t i = 0; i < seen->cap; i++)
        if (seen->used[i])
            CC_VEC_PUSH(&ret->v, seen->keys[i]);
    if (ret->v.n)
        qsort(ret->v.v, ret->v.n, sizeof *ret->v.v, by_value);
}

/* A row for every instruction seen, unless it says the same as the row before. */
static void add_lines(struct context *x, const struct pcs *pcs)
{
    struct cc_trace_line last = {0};
    for (size_t i = 0; i < pcs->v.n; i++) {
        const struct module *m = module_at(x, pcs->v.v[i]);
        struct cc_trace_line l = {.addr = pcs->v.v[i]};
        if (m)
            line_at(x, m, l.addr, &l.file, &l.line);
        if (i > 0 && l.line == last.line &&
            (l.file == last.file || (l.file && last.file && strcmp(l.file, last.file) == 0)))
            continue;
        cc_trace_writer_line(x->w, &l);
        last = l;
    }
}

static bool is_seen(const struct pcs *pcs, uint64_t from, uint64_t to)
{
    size_t lo;
    CC_FIRST(lo, pcs->v.n, pcs->v.v[lo] >= from);
    return lo < pcs->v.n && pcs->v.v[lo] < to;
}

/* Is all code of each loop, and of those inside it, on its own line? */
static bool *loops_of_a_line(struct context *x, const struct module *m, const struct cc_loop_map *map)
{
    bool *is = cc_alloc_array(map->loops.n + 1, sizeof *is);
    memset(is, true, map->loops.n);
    for (size_t i = 0; i < map->blocks.n; i++) {
        const struct cc_loop_block *b = &map->blocks.v[i];
        const uint64_t ends[] = {b->start, b->end - 1};
        for (size_t k = 0; k < CC_COUNT(ends); k++) {
            const char *file;
            unsigned line;
            cc_symbols_line(x->symbols, m->path, ends[k], &file, &line);
            for (uint32_t l = b->loop; l != CC_NONE; l = map->loops.v[l].outer)
                is[l] &= line == map->loops.v[l].line;
        }
    }
    return is;
}

struct seen_in { /* a module */
    const struct pcs *pcs;
    uint64_t bias;
};

static bool is_seen_in(void *self, uint64_t from, uint64_t to)
{
    const struct seen_in *in = self;
    return is_seen(in->pcs, from + in->bias, to + in->bias);
}

/* The program's own loops, as far as something of them was seen. What goes wrong leaves loops without names.
 */
static void add_loops(struct context *x, const struct module *m, const struct pcs *pcs)
{
    struct cc_loop_map map;
    struct cc_err ignored = {0};
    struct cc_code_range *runtime = NULL;
    struct seen_in seen = {pcs, m->bias};
    struct cc_loop_choice choice = {.wants = is_seen_in, .self = &seen};
    choice.nwithout = cc_runtime_code(m->path, &runtime);
    choice.without = runtime;
    if (cc_loop_map_init(&map, x->symbols, m->path, &choice, &ignored) == 0) {
        bool *short_one = loops_of_a_line(x, m, &map);
        for (size_t i = 0; i < map.blocks.n; i++) {
            const struct cc_loop_block *b = &map.blocks.v[i];
            const struct cc_loop_static *l = &map.loops.v[b->loop];
            while (l->outer != CC_NONE && short_one[l - map.loops.v])
                l = &map.loops.v[l->outer]; /* the retries of an atomic tell nothing */
            struct cc_trace_object o = {.from = b->start + m->bias,
                                        .to = b->end + m->bias,
                                        .until = UINT64_MAX,
                                        .name = "loop",
                                        .line = l->line,
                                        .storage = CC_TRACE_LOOP};
            unsigned line;
            if (!l->line || b->start >= b->end || !is_seen(pcs, o.from, o.to))
                continue;
            cc_symbols_line(x->symbols, m->path, l->test, &o.file, &line);
            cc_trace_writer_object(x->w, &o);
        }
        free(short_one);
        cc_loop_map_fini(&map);
    }
    free(runtime);
}

static void add_contexts(struct context *x, const struct cc_sim_shared *s)
{
    for (uint32_t i = 1; i <= s->contexts && i < CC_SIM_CONTEXTS; i++)
        cc_trace_writer_context(x->w, &s->context[i]);
}

static void add_stacks(struct context *x, const struct cc_sim_shared *s)
{
    for (uint32_t i = 0; i < s->stacks && i < CC_SIM_MAX_STACKS; i++) {
        char name[32];
        snprintf(name, sizeof name, "stack of thread %u", s->stack[i].thread);
        uint64_t tag = cc_sim_tag(s->stack[i].program);
        struct cc_trace_object o = {.from = s->stack[i].from + tag,
                                    .to = s->stack[i].to + tag,
                                    .until = UINT64_MAX,
                                    .name = name,
                                    .storage = CC_TRACE_STACK};
        bool again = false; /* a stack reused by a later thread is named once */
        for (uint32_t k = 0; k < i; k++)
            again |= s->stack[k].program == s->stack[i].program && s->stack[k].from + tag < o.to &&
                     s->stack[k].to + tag > o.from;
        if (!again)
            cc_trace_writer_object(x->w, &o);
    }
}

static void add_objects(struct context *x, const struct cc_sim_shared *s)
{
    for (uint32_t i = 0; i < s->objects && i < CC_SIM_OBJECTS; i++) {
        const struct cc_sim_object *o = &s->object[i];
        struct cc_trace_object t = {.from = o->from + cc_sim_tag(o->program),
                                    .to = o->to + cc_sim_tag(o->program),
                                    .since = o->since,
                                    .until = o->until,
                                    .name = o->name[0] ? o->name : "unnamed object",
                                    .file = o->file[0] ? o->file : NULL,
                                    .line = o->line,
                                    .storage = o->marked ? CC_TRACE_HEAP : CC_TRACE_AREA};
        const struct module *m = o->marked ? NULL : module_at(x, t.from);
        if (m) /* what the loader maps for a file's variables; those that have names are known by these */
            t.name = cc_arena_printf(&x->arena, "data of %s", m->name);
        cc_trace_writer_object(x->w, &t);
    }
}

static const struct module *own_module_at(const struct context *x, const struct cc_sim_shared *s, uint64_t pc)
{
    const struct module *m = module_at(x, pc);
    return m && strcmp(m->path, s->program[m->program].path) == 0 ? m : NULL;
}

/* Is it a call in the program's own file, and in what was written there? */
static const struct module *written_at(struct context *x, const struct cc_sim_shared *s, uint64_t pc)
{
    const char *file = NULL;
    unsigned line;
    const struct module *m = own_module_at(x, s, pc);
    if (m)
        line_at(x, m, pc, &file, &line);
    return m && (!file || cc_lines_own(file)) ? m : NULL;
}

/* Where a block was asked for: the innermost call that is in the program's own file, and not in what a header
 * of the system put there, unless all are. */
static const struct module *site_of(struct context *x, const struct cc_sim_shared *s,
                                    const struct cc_sim_block *b, uint64_t *ret)
{
    *ret = b->back - 1;
    const struct module *m = written_at(x, s, *ret), *any = own_module_at(x, s, *ret);
    uint64_t place = *ret;
    for (uint32_t c = b->context; !m && c && c <= s->contexts && s->context[c].parent;
         c = s->context[c].parent) {
        *ret = s->context[c].site;
        m = written_at(x, s, *ret);
        if (!any && (any = own_module_at(x, s, *ret)))
            place = *ret;
    }
    if (!m)
        *ret = place;
    return m ? m : any;
}

/* "malloc in load (image.c:34)". */
static void name_block(struct context *x, const struct cc_sim_shared *s, const struct cc_sim_block *b,
                       struct cc_trace_object *t)
{
    const char *alloc = cc_object_alloc_names[b->kind < CC_OBJECT_ALLOCS ? b->kind : 0];
    uint64_t site;
    const struct module *m = site_of(x, s, b, &site);
    struct cc_symbol_info at = {0};
    int length = 0; /* of the function's name, without the distance from its start */
    CC_CLEANUP(cc_free_ptr) char *name = NULL;
    if (m) {
        cc_symbols_find(x->symbols, m->path, site - m->bias, &at);
        line_at(x, m, site, &t->file, &t->line);
        const char *distance = strstr(at.name, "+0x");
        length = distance ? (int)(distance - at.name) : (int)strlen(at.name);
    }
    if (!m)
        name = cc_asprintf("%s by a library", alloc);
    else if (t->file)
        name = cc_asprintf("%s in %.*s (%s:%u)", alloc, length, at.name, cc_text_base(t->file), t->line);
    else
        name = cc_asprintf("%s in %.*s", alloc, length, at.name);
    t->name = cc_arena_strdup(&x->arena, name);
}

static void add_blocks(struct context *x, const struct cc_sim_shared *s)
{
    struct cc_map by_site = {0}; /* where it was asked for, and how -> place in names */
    CC_VEC(struct cc_trace_object) names = {0};
    for (uint32_t i = 0; i < s->blocks && i < CC_SIM_BLOCKS; i++) {
        const struct cc_sim_block *b = &s->block[i];
        bool fresh;
        const uint64_t key[] = {b->back, b->context, b->kind};
        uint64_t *at = cc_map_put(&by_site, XXH3_64bits(key, sizeof key), &fresh);
        if (fresh) {
            struct cc_trace_object t = {.storage = CC_TRACE_HEAP};
            name_block(x, s, b, &t);
            *at = names.n;
            CC_VEC_PUSH(&names, t);
        }
        struct cc_trace_object t = names.v[*at];
        t.from = b->from;
        t.to = b->to;
        t.since = b->since;
        t.until = b->until;
        cc_trace_writer_object(x->w, &t);
    }
    cc_map_fini(&by_site);
    CC_VEC_FINI(&names);
}

void cc_trace_names_write(struct cc_trace_writer *w, const struct cc_sim_shared *shared,
                          const struct cc_map *seen, const char *firmware)
{
    struct context x = {.w = w, .symbols = cc_symbols_new()};
    x.lines = cc_lines_new(x.symbols);
    add_modules(&x, shared, firmware);
    for (size_t i = 0; i < x.modules.n; i++) {
        x.module = &x.modules.v[i];
        cc_symbols_each(x.symbols, x.module->path, add_symbol, &x);
    }
    struct pcs pcs = {0};
    sort_seen(seen, &pcs);
    add_contexts(&x, shared);
    add_lines(&x, &pcs);
    for (size_t i = 0; i < x.modules.n; i++)
        if (strcmp(x.modules.v[i].path, firmware ? firmware : shared->program[x.modules.v[i].program].path) ==
            0)
            add_loops(&x, &x.modules.v[i], &pcs);
    CC_VEC_FINI(&pcs.v);
    add_stacks(&x, shared);
    add_blocks(&x, shared);
    add_objects(&x, shared);
    CC_VEC_FINI(&x.modules);
    cc_arena_fini(&x.arena);
    cc_lines_free(x.lines);
    cc_symbols_free(x.symbols);
}

int cc_trace_file_open(const char *path, const uint64_t *base, struct cc_trace_file *ret, struct cc_err *err)
{
    struct cc_segment *v;
    size_t n = cc_segments_read(path, &v);
    *ret = (struct cc_trace_file){.path = path, .from = UINT64_MAX};
    for (size_t i = 0; i < n; i++) {
        ret->from = CC_MIN(ret->from, v[i].address);
        ret->to = CC_MAX(ret->to, v[i].address + v[i].size);
    }
    free(v);
    if (!n)
        return cc_err_at(err, CC_EINPUT, path, 0, "no program that could be loaded (ELF)");
    ret->bias = base ? *base - ret->from : 0;
    ret->from += ret->bias;
    ret->to += ret->bias;
    return 0;
}

void cc_trace_file_names(struct cc_trace_writer *w, const struct cc_map *seen, const void *file)
{
    const struct cc_trace_file *f = file;
    struct context x = {.w = w, .symbols = cc_symbols_new()};
    struct pcs pcs = {0};
    x.lines = cc_lines_new(x.symbols);
    CC_VEC_PUSH(&x.modules, ((struct module){f->path, cc_text_base(f->path), f->bias, f->from, f->to, 0}));
    x.module = &x.modules.v[0];
    cc_symbols_each(x.symbols, f->path, add_symbol, &x);
    sort_seen(seen, &pcs);
    add_lines(&x, &pcs);
    CC_VEC_FINI(&pcs.v);
    CC_VEC_FINI(&x.modules);
    cc_arena_fini(&x.arena);
    cc_lines_free(x.lines);
    cc_symbols_free(x.symbols);
}
