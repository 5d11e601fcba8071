/* Which line of the program an access is charged to: its own, or the one that called the library it is in. */
#include "watch.h"
#include "../../base/text.h"

#include <xxhash.h>

struct named {
    const char *name;
    enum cc_cause cause;
};

/* What a class of the C++ library stands for that waits in code of its headers: anywhere in the name of what
 * the compiler did not put in place, as in "std::__atomic_wait_address<…, std::__tree_barrier<…>::wait(…)…".
 */
static const struct named classes[] = {
    {"std::__tree_barrier<", CC_CAUSE_BARRIER},
    {"std::barrier<", CC_CAUSE_BARRIER},
    {"std::latch::", CC_CAUSE_BARRIER},
    {"std::__atomic_semaphore::", CC_CAUSE_SEMAPHORE},
    {"std::counting_semaphore<", CC_CAUSE_SEMAPHORE},
};

/* What a library's function stands for, by the beginning of its name without underscores. */
static const struct named functions[] = {
    {"pthread_mutex", CC_CAUSE_LOCK},
    {"pthread_spin", CC_CAUSE_SPIN_LOCK},
    {"pthread_rwlock", CC_CAUSE_READER_LOCK},
    {"pthread_cond", CC_CAUSE_CONDITION},
    {"pthread_barrier", CC_CAUSE_BARRIER},
    {"pthread_join", CC_CAUSE_JOIN},
    {"pthread_clockjoin", CC_CAUSE_JOIN},
    {"thrd_join", CC_CAUSE_JOIN},
    {"mtx_", CC_CAUSE_LOCK},
    {"cnd_", CC_CAUSE_CONDITION},
    {"sem_", CC_CAUSE_SEMAPHORE},
    {"new_sem", CC_CAUSE_SEMAPHORE},
    {"malloc", CC_CAUSE_ALLOCATOR},
    {"calloc", CC_CAUSE_ALLOCATOR},
    {"realloc", CC_CAUSE_ALLOCATOR},
    {"free", CC_CAUSE_ALLOCATOR},
    {"libc_malloc", CC_CAUSE_ALLOCATOR},
    {"libc_calloc", CC_CAUSE_ALLOCATOR},
    {"libc_free", CC_CAUSE_ALLOCATOR},
    {"libc_realloc", CC_CAUSE_ALLOCATOR},
    {"memalign", CC_CAUSE_ALLOCATOR},
    {"posix_memalign", CC_CAUSE_ALLOCATOR},
    {"aligned_alloc", CC_CAUSE_ALLOCATOR},
    {"operator new", CC_CAUSE_ALLOCATOR},
    {"operator delete", CC_CAUSE_ALLOCATOR},
    {"cfree", CC_CAUSE_ALLOCATOR},
    {"rand", CC_CAUSE_RANDOM},
    {"random", CC_CAUSE_RANDOM},
    {"drand48", CC_CAUSE_RANDOM},
    {"lrand48", CC_CAUSE_RANDOM},
    {"printf", CC_CAUSE_STDIO},
    {"fprintf", CC_CAUSE_STDIO},
    {"vfprintf", CC_CAUSE_STDIO},
    {"puts", CC_CAUSE_STDIO},
    {"fputs", CC_CAUSE_STDIO},
    {"putc", CC_CAUSE_STDIO},
    {"fputc", CC_CAUSE_STDIO},
    {"putchar", CC_CAUSE_STDIO},
    {"IO_puts", CC_CAUSE_STDIO},
    {"IO_putc", CC_CAUSE_STDIO},
    {"fwrite", CC_CAUSE_STDIO},
    {"IO_fwrite", CC_CAUSE_STDIO},
    {"read", CC_CAUSE_MESSAGE},
    {"libc_read", CC_CAUSE_MESSAGE},
    {"recv", CC_CAUSE_MESSAGE},
    {"libc_recv", CC_CAUSE_MESSAGE},
    {"accept", CC_CAUSE_MESSAGE},
    {"poll", CC_CAUSE_MESSAGE},
    {"ppoll", CC_CAUSE_MESSAGE},
    {"select", CC_CAUSE_MESSAGE},
    {"pselect", CC_CAUSE_MESSAGE},
    {"epoll_", CC_CAUSE_MESSAGE},
    {"eventfd_read", CC_CAUSE_MESSAGE},
    {"mq_", CC_CAUSE_MESSAGE},
    {"msgrcv", CC_CAUSE_MESSAGE},
    {"write", CC_CAUSE_MESSAGE}, /* what nobody has read yet fills it */
    {"libc_write", CC_CAUSE_MESSAGE},
    {"send", CC_CAUSE_MESSAGE},
    {"libc_send", CC_CAUSE_MESSAGE},
    {"pthread_create", CC_CAUSE_START},
    {"dl_", CC_CAUSE_START},
    {"GOMP_critical", CC_CAUSE_CRITICAL},
    {"GOMP_atomic", CC_CAUSE_CRITICAL},
    {"omp_set_lock", CC_CAUSE_LOCK},
    {"omp_set_nest_lock", CC_CAUSE_LOCK},
    {"GOMP_loop_end", CC_CAUSE_BARRIER},
    {"GOMP_loop_ordered", CC_CAUSE_ORDERED},
    {"GOMP_ordered", CC_CAUSE_ORDERED},
    {"GOMP_doacross", CC_CAUSE_ORDERED},
    {"GOMP_loop", CC_CAUSE_CHUNKS},
    {"GOMP_taskwait", CC_CAUSE_BARRIER},
    {"GOMP_taskgroup", CC_CAUSE_BARRIER},
    {"GOMP_task", CC_CAUSE_TASKS}, /* taskloop, too */
    {"GOMP_", CC_CAUSE_BARRIER},
    {"gomp_", CC_CAUSE_BARRIER},
};

static enum cc_cause cause_of_function(const struct cc_trace_symbol *s)
{
    const char *name = s ? s->name : "";
    for (size_t i = 0; i < CC_COUNT(classes); i++)
        if (strstr(name, classes[i].name))
            return classes[i].cause;
    name += strspn(name, "_");
    for (size_t i = 0; i < CC_COUNT(functions); i++)
        if (strncmp(name, functions[i].name, strlen(functions[i].name)) == 0)
            return functions[i].cause;
    return CC_CAUSES;
}

void contention_sites_init(struct sites *x, struct cc_trace_reader *trace, struct cc_arena *arena)
{
    *x = (struct sites){.trace = trace, .arena = arena};
    x->programs =
        (unsigned)CC_MIN(CC_MAX(cc_trace_fact_number(trace, "programs", 1), 1u), (uint64_t)MOST_PROGRAMS);
    for (unsigned i = 0; i < x->programs; i++) {
        char name[32] = "program";
        if (i)
            snprintf(name, sizeof name, "program %u", i + 1);
        const char *path = cc_trace_fact(trace, name);
        x->program[i] = path ? cc_arena_strdup(arena, cc_text_base(path)) : NULL;
    }
}

void contention_sites_fini(struct sites *x)
{
    cc_map_fini(&x->known);
    cc_map_fini(&x->starts);
    cc_map_fini(&x->others);
    CC_VEC_FINI(&x->all);
}

/* A file of a run-time library that is part of a static program has no lines. */
static bool is_program(const struct sites *x, const struct cc_trace_symbol *s, const struct cc_trace_line *l)
{
    if (!s || !l || !l->file || strcmp(s->name, "_start") == 0)
        return false;
    bool own = !s->object || strcmp(s->object, "firmware") == 0;
    for (unsigned i = 0; i < x->programs; i++)
        own |= !x->program[i] || (s->object && strcmp(s->object, x->program[i]) == 0);
    return own;
}

/* OpenMP's outlined functions carry the name of the one they were cut from. */
static const char *written_name(const struct sites *x, const char *name)
{
    const char *cut = strstr(name, "._omp_fn.");
    return cut ? cc_arena_strndup(x->arena, name, (size_t)(cut - name)) : name;
}

enum { FAR = 512 };

void contention_sites_learn(struct sites *x)
{
    size_t n = cc_trace_contexts(x->trace);
    /* 0: of the first thread, or not known; 1: of another; 2: and the program was on the path already */
    uint8_t *of = cc_alloc_array(n + 1, sizeof *of);
    for (uint32_t i = 1; i <= n; i++) {
        const struct cc_trace_context *c = cc_trace_context(x->trace, i);
        of[i] = c->parent ? of[c->parent] : c->site >= x->programs;
        const struct cc_trace_symbol *s =
            of[i] && c->parent ? cc_trace_find_symbol(x->trace, c->entry) : NULL;
        if (!is_program(x, s, s ? cc_trace_find_line(x->trace, c->entry) : NULL))
            continue;
        cc_map_put(&x->others, s->from, NULL);
        if (of[i] == 1)
            cc_map_put(&x->starts, s->from, NULL);
        of[i] = 2;
    }
    free(of);
}

/* Is there such a function on the path from here outwards? */
static bool is_shared(const struct sites *x, uint64_t pc, uint32_t context)
{
    for (unsigned depth = 0; depth < FAR; depth++) {
        const struct cc_trace_symbol *s = cc_trace_find_symbol(x->trace, pc);
        const struct cc_trace_context *c = cc_trace_context(x->trace, context);
        if (s && cc_map_get(&x->starts, s->from))
            return true;
        if (!c || !c->parent)
            return false;
        pc = c->site;
        context = c->parent;
    }
    return false;
}

/* Libraries hide most of their functions: the file an address is in shows by the nearest that it does not. */
static const char *object_at(const struct sites *x, uint64_t pc)
{
    const struct cc_trace_symbol *v;
    size_t n = cc_trace_symbols(x->trace, &v), lo;
    CC_FIRST(lo, n, v[lo].from > pc);
    uint64_t before = lo ? pc - v[lo - 1].from : UINT64_MAX, after = lo < n ? v[lo].from - pc : UINT64_MAX;
    return !n ? NULL : before <= after ? v[lo - 1].object : v[lo].object;
}

static bool starts_with(const char *text, const char *with)
{
    return text && strncmp(text, with, strlen(with)) == 0;
}

/* Is the file that of a program? */
static bool is_own(const struct sites *x, const char *object)
{
    bool own = false;
    for (unsigned i = 0; object && i < x->programs; i++)
        own |= x->program[i] && strcmp(object, x->program[i]) == 0;
    return own;
}

/* What a frame of a library stands for; what the loader does is never the program's. */
static void weigh(struct site *out, const struct sites *x, uint64_t pc)
{
    const struct cc_trace_symbol *s = cc_trace_find_symbol(x->trace, pc);
    const char *object = s ? s->object : object_at(x, pc);
    bool loader = s && starts_with(object, "ld-");
    enum cc_cause known = loader ? CC_CAUSE_START : cause_of_function(s);
    if (known == CC_CAUSES && starts_with(object, "libgomp"))
        known = CC_CAUSE_BARRIER; /* its threads wait at the end of what they share */
    if (out->cause != CC_CAUSE_START && known < CC_CAUSES)
        out->cause = known; /* the outermost decides */
    if (s && !loader)
        out->called = s->name;
    if (!is_own(x, object)) /* a call of a library goes by way of the program's own table */
        out->runtime = starts_with(object, "libgomp") && !(s && starts_with(s->name, "omp_"));
}

/* What a system's header put in place belongs to the program's line before it. */
static const struct cc_trace_line *own_line(const struct sites *x, const struct cc_trace_symbol *s,
                                            const struct cc_trace_line *l)
{
    const struct cc_trace_line *first, *at = l;
    cc_trace_lines(x->trace, &first);
    while (at > first && at->addr >= s->from && starts_with(at->file, "/usr/"))
        at--;
    return at->addr >= s->from && at->file && !starts_with(at->file, "/usr/") ? at : l;
}

/* What a system's header defines is a library's, wherever it was compiled. */
static bool is_written(const struct cc_trace_line *l)
{
    return !starts_with(l->file, "/usr/");
}

bool contention_in_program(const struct sites *x, uint64_t pc, struct cc_frame *ret)
{
    const struct cc_trace_symbol *s = cc_trace_find_symbol(x->trace, pc);
    const struct cc_trace_line *l = cc_trace_find_line(x->trace, pc);
    if (!is_program(x, s, l))
        return false;
    const struct cc_trace_object *loop = cc_trace_find_loop(x->trace, pc);
    l = own_line(x, s, l);
    *ret = (struct cc_frame){.function = written_name(x, s->name), .file = l->file, .line = l->line};
    if (loop && loop->file) {
        ret->loop_file = loop->file;
        ret->loop = loop->line;
    }
    return is_written(l);
}

/* The function cut out of a region that the call in this context has run; NULL: it was no region. */
static const struct cc_trace_symbol *region_of(const struct sites *x, uint32_t call)
{
    for (uint32_t i = call + 1; call && i <= cc_trace_contexts(x->trace); i++) {
        const struct cc_trace_context *c = cc_trace_context(x->trace, i);
        if (c->parent != call)
            continue;
        const struct cc_trace_symbol *from = cc_trace_find_symbol(x->trace, c->site),
                                     *to = cc_trace_find_symbol(x->trace, c->entry);
        if (from && to && starts_with(from->name, "GOMP_") && strstr(to->name, "._omp_fn."))
            return to;
    }
    return NULL;
}

/* Who waits at the end of a region waits in the run-time library: as a worker that has left the region's
 * function (its frame was not called from there), or in the call that runs it. Compilers give neither a line
 * of its own. */
static void find_region(struct site *out, const struct sites *x, const struct cc_trace_symbol *s,
                        const struct cc_trace_context *by, uint32_t call)
{
    bool left = by && !by->entry && strstr(s->name, "._omp_fn.");
    const struct cc_trace_symbol *region = left ? s : region_of(x, call);
    if (out->cause != CC_CAUSE_BARRIER || !region || !region->line)
        return;
    out->region = true;
    out->file = region->file ? region->file : out->file;
    out->line = region->line;
}

static void take_frame(struct site *out, struct sites *x, const struct cc_trace_symbol *s,
                       const struct cc_trace_line *l)
{
    out->called = out->program ? NULL : out->called;
    out->runtime &= !out->program;
    out->function = written_name(x, s->name);
    out->file = l->file;
    out->line = l->line;
    out->program = true;
}

static struct site find(struct sites *x, uint64_t pc, uint32_t context, bool phase)
{
    struct site out = {.cause = CC_CAUSES, .shared = is_shared(x, pc, context)}, header = {0};
    bool in_parallel = false; /* the function found last is used by other threads too */
    const struct cc_trace_context *by = NULL;
    for (uint32_t depth = 0, call = 0; depth < FAR; depth++) {
        const struct cc_trace_symbol *s = cc_trace_find_symbol(x->trace, pc);
        const struct cc_trace_line *l = cc_trace_find_line(x->trace, pc);
        const struct cc_trace_context *c = cc_trace_context(x->trace, context);
        bool program = is_program(x, s, l);
        l = program ? own_line(x, s, l) : l;
        out.own |= program || is_own(x, object_at(x, pc));
        if (program && is_written(l)) {
            if (out.program && strcmp(s->name, "main") == 0 && !in_parallel)
                break;
            in_parallel = cc_map_get(&x->others, s->from) != NULL;
            take_frame(&out, x, s, l);
            find_region(&out, x, s, by, call);
            if (!phase)
                break;
        } else if (!out.program) {
            weigh(&out, x, pc);
            if (c && c->parent && c->entry)
                weigh(&out, x, c->entry);
            if (program && !header.program) {
                header = out;
                take_frame(&header, x, s, l);
            }
        }
        if (!c || !c->parent)
            break;
        by = c;
        call = context;
        pc = c->site;
        context = c->parent;
    }
    header.own = out.own;
    header.shared = out.shared;
    return out.program || !header.program ? out : header;
}

struct site contention_site(struct sites *x, uint64_t pc, uint32_t context, bool phase)
{
    const uint64_t key[3] = {pc, context, phase};
    bool fresh;
    uint64_t *at = cc_map_put(&x->known, XXH3_64bits(key, sizeof key), &fresh);
    if (fresh) {
        *at = x->all.n;
        CC_VEC_PUSH(&x->all, find(x, pc, context, phase));
    }
    return x->all.v[*at];
}
