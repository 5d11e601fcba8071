#include "subjects.h"
#include "../../base/map.h"
#include "../../base/text.h"
#include "../../profile/names.h"
#include "../classes/classes.h"
#include "../loops/loops.h"
#include "../objects/objects.h"

#include <ctype.h>
#include <math.h>

#define INSTRUCTIONS                   \
    {                                  \
        "instructions", "instructions" \
    }
#define MOVED                                                          \
    {"bytes", "bytes"}, {"distinct", "addresses"}, {"fresh", "bytes"}, \
    {                                                                  \
        "reads", "reads"                                               \
    }
const struct cc_subject_info cc_subject_infos[CC_OFS] = {
    [CC_OF_RUN] = {"run",
                   "total",
                   4,
                   {INSTRUCTIONS, {"bytes", "bytes"}, {"calls", "calls"}, {"threads", "threads"}}},
    [CC_OF_FUNCTION] = {"function",
                        "functions",
                        3,
                        {INSTRUCTIONS, {"inclusive", "instructions"}, {"calls", "calls"}}},
    [CC_OF_LOOP] = {"loop",
                    "loops",
                    3,
                    {INSTRUCTIONS, {"iterations", "iterations"}, {"invocations", "invocations"}}},
    [CC_OF_REGION] = {"region",
                      "regions",
                      3,
                      {INSTRUCTIONS, {"inclusive", "instructions"}, {"calls", "calls"}}},
    [CC_OF_STREAM] = {"stream", "streams", 4, {MOVED}},
    [CC_OF_FLOW] = {"flow", "flows", 4, {MOVED}},
    [CC_OF_OBJECT] = {"object", "objects", 3, {{"bytes", "bytes"}, {"peak", "bytes"}, {"count", "blocks"}}},
    [CC_OF_CLASS] = {"class", "classes", 1, {INSTRUCTIONS}},
    [CC_OF_TASK] = {"task", "tasks", 2, {{"time", "ticks"}, {"count", "tasks"}}},
};

/* --- names --- */

/* Length of what is left of a symbol's name: ".constprop.0", ".isra.3", ".part.1", ".cold", ".lto_priv.0",
 * ".llvm.123" are the compiler's. */
static size_t symbol_length(const char *name, size_t n)
{
    static const char *const made[] = {"constprop", "isra", "part", "cold", "lto_priv", "llvm", "clone"};
    for (;;) {
        size_t end = n;
        while (end && isdigit((unsigned char)name[end - 1]))
            end--;
        if (end < n && end && name[end - 1] == '.')
            end--;
        else
            end = n;
        bool cut = false;
        for (size_t i = 0; !cut && i < CC_COUNT(made); i++) {
            size_t length = strlen(made[i]);
            cut = end > length + 1 && memcmp(name + end - length, made[i], length) == 0 &&
                  name[end - length - 1] == '.';
            if (cut)
                n = end - length - 1;
        }
        if (!cut)
            return n;
    }
}

const char *cc_subject_plain_name(const char *name, struct cc_arena *arena)
{
    const char *clone = strstr(name, " [clone ."); /* as demanglers write it */
    size_t n = clone && clone > name ? (size_t)(clone - name) : strlen(name);
    return cc_arena_strndup(arena, name, symbol_length(name, n));
}

struct build {
    const struct cc_profile *p;
    struct cc_subjects *s;
    uint32_t *group; /* of each function of the profile: its subject */
};

static struct cc_subject *add(struct cc_subjects *s, enum cc_subject_kind kind, const char *name)
{
    CC_VEC_PUSH(&s->of[kind], (struct cc_subject){.name = name ? cc_arena_strdup(&s->arena, name) : NULL,
                                                  .ends = {CC_NONE, CC_NONE}});
    struct cc_subject *x = &s->of[kind].v[s->of[kind].n - 1];
    for (int i = 0; i < CC_FIGURES; i++)
        x->value[i] = NAN;
    return x;
}

static void sum(double *to, double v)
{
    *to = isnan(*to) ? v : *to + v;
}

/* Equal names are told apart by their files; those alike even then by how many there were before. */
static void name_apart(struct cc_subjects *s, enum cc_subject_kind kind)
{
    for (int pass = kind == CC_OF_OBJECT; pass < 2; pass++) { /* names of objects hold their files */
        struct cc_strmap seen = {0}, before = {0};
        for (size_t i = 0; i < s->of[kind].n; i++)
            ++*cc_strmap_put(&seen, s->of[kind].v[i].name, NULL);
        for (size_t i = 0; i < s->of[kind].n; i++) {
            struct cc_subject *x = &s->of[kind].v[i];
            if (*cc_strmap_get(&seen, x->name) < 2 || (pass == 0 && !x->file))
                continue;
            uint64_t nth = ++*cc_strmap_put(&before, x->name, NULL);
            if (pass == 1 && nth == 1)
                continue;
            x->name = pass == 0 ? cc_arena_printf(&s->arena, "%s (%s)", x->name, cc_text_base(x->file))
                                : cc_arena_printf(&s->arena, "%s #%llu", x->name, (unsigned long long)nth);
        }
        cc_strmap_fini(&seen);
        cc_strmap_fini(&before);
    }
}

/* --- functions, and who calls whom --- */

/* A part is entered from its function, whose calls and inclusive figures hold it already: they count only
 * where the whole never ran. */
static void add_function(struct cc_subject *x, const struct cc_pfunction *f, bool part, bool *whole)
{
    double *v = x->value;
    sum(&v[CC_FUNCTION_INSTRUCTIONS], (double)f->exclusive);
    if (part && *whole)
        return;
    bool first = !part && !*whole;
    *whole |= !part;
    v[CC_FUNCTION_INCLUSIVE] =
        first ? (double)f->inclusive : fmax(v[CC_FUNCTION_INCLUSIVE], (double)f->inclusive);
    v[CC_FUNCTION_CALLS] =
        first || isnan(v[CC_FUNCTION_CALLS]) ? (double)f->calls : v[CC_FUNCTION_CALLS] + (double)f->calls;
}

static void put_functions(struct build *b)
{
    struct cc_strmap groups = {0};
    struct cc_subjects *s = b->s;
    CC_CLEANUP(cc_free_ptr) bool *whole = cc_alloc_array(b->p->nfunctions + 1, sizeof *whole);
    for (size_t i = 0; i < b->p->nfunctions; i++) {
        const struct cc_pfunction *f = &b->p->functions[i];
        const char *name = cc_subject_plain_name(f->name, &s->arena);
        bool new;
        CC_CLEANUP(cc_free_ptr)
        char *key = cc_asprintf("%s\n%s\n%u", name, f->file ? f->file : "", f->file ? CC_NONE : f->binary);
        uint64_t *group = cc_strmap_put(&groups, key, &new);
        if (new) {
            *group = s->of[CC_OF_FUNCTION].n;
            struct cc_subject *x = add(s, CC_OF_FUNCTION, name);
            x->file = f->file ? cc_arena_strdup(&s->arena, f->file) : NULL;
            x->line = f->line;
        }
        b->group[i] = (uint32_t)*group;
        add_function(&s->of[CC_OF_FUNCTION].v[*group], f, strlen(name) != strlen(f->name), &whole[*group]);
    }
    cc_strmap_fini(&groups);
    name_apart(s, CC_OF_FUNCTION);
}

static void put_calls(struct build *b)
{
    struct cc_map seen = {0};
    for (size_t i = 0; i < b->p->ncontexts; i++) {
        const struct cc_pcontext *x = &b->p->contexts[i];
        if (x->parent == CC_NONE)
            continue;
        struct cc_subject_call call = {b->group[b->p->contexts[x->parent].function], b->group[x->function]};
        bool new;
        cc_map_put(&seen, (uint64_t)call.from << 32 | call.to, &new);
        if (new &&call.from != call.to)
            CC_VEC_PUSH(&b->s->calls, call);
    }
    cc_map_fini(&seen);
}

/* --- streams --- */

struct ends {
    uint32_t id;
    const char *name;
};

static struct ends end_of(struct build *b, enum cc_level level, uint32_t id)
{
    enum cc_subject_kind kind = level == CC_LEVEL_FUNCTION ? CC_OF_FUNCTION : CC_OF_REGION;
    uint32_t at;
    enum cc_node_kind node = cc_profile_end(b->p, level, id, &at);
    if (node != CC_NODE_CONTEXT)
        return (struct ends){(uint32_t)b->s->of[kind].n + node, cc_special_name(node)};
    at = level == CC_LEVEL_FUNCTION ? b->group[at] : at;
    return (struct ends){at, b->s->of[kind].v[at].name};
}

/* Distinct addresses of streams that became one may be the same: they are not added up. */
static void add_stream(struct cc_subject *x, const struct cc_pedge *e, bool new)
{
    sum(&x->value[CC_STREAM_BYTES], (double)e->bytes);
    sum(&x->value[CC_STREAM_FRESH], (double)e->fresh);
    sum(&x->value[CC_STREAM_READS], (double)e->reads);
    x->value[CC_STREAM_DISTINCT] = new && e->has_unma ? (double)e->unma : NAN;
}

static void put_streams(struct build *b, enum cc_level level, enum cc_subject_kind kind)
{
    struct cc_map seen = {0};
    for (size_t i = 0; i < b->p->nedges[level]; i++) {
        const struct cc_pedge *e = &b->p->edges[level][i];
        struct ends from = end_of(b, level, e->producer), to = end_of(b, level, e->consumer);
        bool new;
        uint64_t *at = cc_map_put(&seen, (uint64_t)from.id << 32 | to.id, &new);
        if (new) {
            CC_CLEANUP(cc_free_ptr) char *name = cc_asprintf("%s -> %s", from.name, to.name);
            *at = b->s->of[kind].n;
            struct cc_subject *x = add(b->s, kind, name);
            x->ends[0] = from.id;
            x->ends[1] = to.id;
        }
        add_stream(&b->s->of[kind].v[*at], e, new);
    }
    cc_map_fini(&seen);
}

/* --- the others --- */

static void put_regions(struct build *b)
{
    CC_CLEANUP(cc_arena_fini) struct cc_arena arena = {0};
    const char **names = cc_names_regions(b->p, &arena);
    for (size_t i = 0; i < b->p->nregions; i++) {
        const struct cc_pregion *r = &b->p->regions[i];
        struct cc_subject *x = add(b->s, CC_OF_REGION, names[i]);
        x->value[CC_FUNCTION_INSTRUCTIONS] = (double)r->exclusive;
        x->value[CC_FUNCTION_INCLUSIVE] = (double)r->inclusive;
        x->value[CC_FUNCTION_CALLS] = (double)r->calls;
    }
    name_apart(b->s, CC_OF_REGION);
}

/* In the order of the source, whatever they cost. */
static int by_place(const void *a, const void *b)
{
    const struct cc_subject *x = a, *y = b;
    int file = strcmp(x->file ? x->file : "", y->file ? y->file : "");
    return file                 ? file
           : x->line != y->line ? (x->line > y->line) - (x->line < y->line)
                                : strcmp(x->name, y->name);
}

static void in_order(struct cc_subjects *s, enum cc_subject_kind kind)
{
    if (s->of[kind].n)
        qsort(s->of[kind].v, s->of[kind].n, sizeof *s->of[kind].v, by_place);
}

static int put_loops(struct build *b, struct cc_err *err)
{
    struct cc_loop_list *list;
    if (!b->p->loops_known)
        return 0;
    int rc = cc_loops_analyse(b->p, NULL, &list, err);
    if (rc < 0)
        return rc;
    for (size_t i = 0; i < list->v.n; i++) {
        const struct cc_loop *l = &list->v.v[i];
        struct cc_subject *x = add(b->s, CC_OF_LOOP, l->id);
        x->file = l->file ? cc_arena_strdup(&b->s->arena, l->file) : NULL;
        x->line = l->line;
        x->depth = l->depth;
        x->ends[0] = b->group[b->p->loops[l->first].function];
        x->value[CC_LOOP_INSTRUCTIONS] = (double)l->instructions;
        x->value[CC_LOOP_ITERATIONS] = (double)l->iterations;
        x->value[CC_LOOP_INVOCATIONS] = (double)l->invocations;
    }
    cc_loops_free(list);
    in_order(b->s, CC_OF_LOOP);
    name_apart(b->s, CC_OF_LOOP);
    return 0;
}

static int put_objects(struct build *b, struct cc_err *err)
{
    struct cc_objects *list;
    if (!b->p->has_objects)
        return 0;
    int rc = cc_objects_list(b->p, &(struct cc_filter){0}, &list, err);
    if (rc < 0)
        return rc;
    for (size_t i = 0; i < list->n; i++) {
        const struct cc_objects_item *o = &list->items[i];
        const struct cc_pobject *p = &b->p->objects[o->id];
        struct cc_subject *x = add(b->s, CC_OF_OBJECT, p->name);
        x->file = p->file ? cc_arena_strdup(&b->s->arena, p->file) : NULL;
        x->line = p->line;
        x->ends[0] = p->function != CC_NONE ? b->group[p->function]
                     : p->nsite             ? b->group[b->p->object_sites[p->site].function]
                                            : CC_NONE;
        x->value[CC_OBJECT_BYTES] = (double)(o->bytes_read + o->bytes_written);
        x->value[CC_OBJECT_PEAK] = (double)p->peak;
        x->value[CC_OBJECT_COUNT] = (double)p->count;
    }
    cc_objects_free(list);
    in_order(b->s, CC_OF_OBJECT);
    name_apart(b->s, CC_OF_OBJECT);
    return 0;
}

/* A recording without code, or of an instruction set without rules, has no classes: no error here. */
static void put_classes(struct build *b)
{
    struct cc_classes *classes;
    struct cc_err ignored = {0};
    if (b->p->plain || cc_classes_build(b->p, &classes, &ignored) < 0)
        return;
    for (int k = 0; k < CC_CLASSES; k++)
        add(b->s, CC_OF_CLASS, cc_class_names[k])->value[0] = (double)classes->total.n[k];
    add(b->s, CC_OF_CLASS, "other")->value[0] = (double)(classes->total.other + classes->total.unknown);
    cc_classes_free(classes);
}

static void put_run(struct build *b)
{
    struct cc_subject *x = add(b->s, CC_OF_RUN, "all");
    const struct cc_subjects *s = b->s;
    double bytes = 0, calls = 0;
    for (size_t i = 0; i < s->of[CC_OF_STREAM].n; i++)
        bytes += s->of[CC_OF_STREAM].v[i].value[CC_STREAM_BYTES];
    for (size_t i = 0; i < s->of[CC_OF_FUNCTION].n; i++)
        calls += s->of[CC_OF_FUNCTION].v[i].value[CC_FUNCTION_CALLS];
    bool seen = b->p->ncontexts > 0; /* a plain run with time stamps counts nothing */
    x->value[CC_RUN_INSTRUCTIONS] = seen ? (double)b->p->instructions : NAN;
    x->value[CC_RUN_BYTES] = seen ? bytes : NAN;
    x->value[CC_RUN_CALLS] = seen ? calls : NAN;
    x->value[CC_RUN_THREADS] = seen ? (double)b->p->nthreads : NAN;
}

static const char *keep(struct cc_subjects *s, const char *text)
{
    return text ? cc_arena_strdup(&s->arena, text) : NULL;
}

int cc_subjects_of(const struct cc_profile *p, struct cc_subjects **ret, struct cc_err *err)
{
    struct cc_subjects *s = cc_alloc(sizeof *s);
    *s = (struct cc_subjects){
        .complete = p->complete, .approximate = p->approximate, .plain = p->plain, .objects = p->has_objects};
    s->path = keep(s, p->path);
    s->program = keep(s, p->program);
    s->engine = keep(s, p->engine);
    s->isa = keep(s, p->isa);
    s->libs = keep(s, p->libs);
    s->loops = keep(s, p->loops_known);
    CC_CLEANUP(cc_free_ptr) uint32_t *group = cc_alloc_array(p->nfunctions + 1, sizeof *group);
    struct build b = {p, s, group};
    put_functions(&b);
    put_calls(&b);
    put_regions(&b);
    put_streams(&b, CC_LEVEL_FUNCTION, CC_OF_STREAM);
    put_streams(&b, CC_LEVEL_REGION, CC_OF_FLOW);
    put_classes(&b);
    put_run(&b);
    int rc = put_loops(&b, err);
    if (rc == 0)
        rc = put_objects(&b, err);
    if (rc < 0)
        cc_subjects_free(s);
    else
        *ret = s;
    return rc;
}

void cc_subjects_free(struct cc_subjects *s)
{
    if (!s)
        return;
    for (int k = 0; k < CC_OFS; k++)
        CC_VEC_FINI(&s->of[k]);
    CC_VEC_FINI(&s->calls);
    cc_arena_fini(&s->arena);
    free(s);
}

/* --- tasks --- */

struct moments {
    double n, sum, squares;
};

static int add_thread(struct cc_store *store, const struct cc_tasks *t, size_t thread, struct moments *m,
                      struct cc_err *err)
{
    CC_VEC(uint64_t) open = {0};
    struct cc_task_event ev;
    struct cc_tasks_cursor *c = cc_tasks_cursor_new(store, t, thread);
    int rc;
    while ((rc = cc_tasks_next(c, &ev, err)) > 0) {
        if (!ev.end) {
            CC_VEC_PUSH(&open, ev.time);
            continue;
        }
        double time = (double)(ev.time - open.v[--open.n]);
        m[ev.name].n++;
        m[ev.name].sum += time;
        m[ev.name].squares += time * time;
    }
    CC_VEC_FINI(&open);
    cc_tasks_cursor_free(c);
    return rc;
}

static int put_tasks(struct cc_store *store, struct cc_subjects *s, struct cc_err *err)
{
    struct cc_tasks *t;
    int rc = cc_tasks_open(store, &t, err);
    if (rc < 0)
        return rc;
    CC_CLEANUP(cc_free_ptr) struct moments *m = cc_alloc_array(t->nnames + 1, sizeof *m);
    for (size_t i = 0; rc == 0 && i < t->nthreads; i++)
        rc = add_thread(store, t, i, m, err);
    s->clock = keep(s, t->clock);
    s->timed = strcmp(t->clock, "instructions") != 0;
    for (size_t i = 0; rc == 0 && i < t->nnames; i++) {
        if (m[i].n < 1)
            continue;
        struct cc_subject *x = add(s, CC_OF_TASK, t->names[i]);
        double mean = m[i].sum / m[i].n;
        x->value[CC_TASK_TIME] = m[i].sum;
        x->value[CC_TASK_COUNT] = m[i].n;
        /* of a sum of n that vary like those seen; one alone tells nothing of how it varies */
        if (s->timed)
            x->spread =
                m[i].n > 1 ? sqrt(fmax(0, m[i].squares - mean * m[i].sum) / (m[i].n - 1) * m[i].n) : NAN;
    }
    cc_tasks_free(t);
    return rc;
}

static int load_tasks(const char *path, struct cc_subjects *s, struct cc_err *err)
{
    struct cc_store *store;
    int rc = cc_store_open(path, &store, err);
    if (rc == 0) {
        if (cc_tasks_present(store))
            rc = put_tasks(store, s, err);
        cc_store_free(store);
    }
    return rc;
}

int cc_subjects_load(const char *path, bool tasks, struct cc_subjects **ret, struct cc_err *err)
{
    struct cc_profile *p;
    struct cc_subjects *s = NULL;
    int rc = cc_profile_load_brief(path, &p, err);
    if (rc < 0)
        return rc;
    rc = cc_subjects_of(p, &s, err);
    cc_profile_free(p);
    if (rc == 0 && tasks)
        rc = load_tasks(path, s, err);
    if (rc < 0)
        cc_subjects_free(s);
    else
        *ret = s;
    return rc;
}
