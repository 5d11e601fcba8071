#include "metrics.h"
#include "measure.h"
#include "tree.h"

#include <math.h>

const struct cc_metric_info cc_metric_info[CC_METRIC_COUNT] = {
#define CC_METRIC(key, unit, family, definition) {#key, unit, family, definition},
#include "metrics.def"
#undef CC_METRIC
};

int cc_metric_find(const char *key)
{
    for (int i = 0; i < CC_METRIC_COUNT; i++)
        if (strcmp(cc_metric_info[i].key, key) == 0)
            return i;
    return -1;
}

enum { MOST_PARTS = 10 };

static const struct {
    enum cc_metric sum;
    size_t n;
    enum cc_metric parts[MOST_PARTS];
} sums[] = {
    {CC_M_int_add, 4, {CC_M_add_8, CC_M_add_16, CC_M_add_32, CC_M_add_64}},
    {CC_M_int_mul, 4, {CC_M_mul_8, CC_M_mul_16, CC_M_mul_32, CC_M_mul_64}},
    {CC_M_float_add, 2, {CC_M_fadd_32, CC_M_fadd_64}},
    {CC_M_float_mul, 2, {CC_M_fmul_32, CC_M_fmul_64}},
    {CC_M_float_div, 2, {CC_M_fdiv_32, CC_M_fdiv_64}},
    {CC_M_float_32, 2, {CC_M_fadd_32, CC_M_fmul_32}},
    {CC_M_float_64, 2, {CC_M_fadd_64, CC_M_fmul_64}},
    {CC_M_float_operations,
     9,
     {CC_M_fadd_32, CC_M_fadd_64, CC_M_fmul_32, CC_M_fmul_64, CC_M_fdiv_32, CC_M_fdiv_64, CC_M_compare_float,
      CC_M_convert_float, CC_M_math_calls}},
};

/* A unit that is there at all costs something that a second one does not. */
static const struct {
    enum cc_metric has;
    size_t n;
    enum cc_metric parts[4];
} presences[] = {
    {CC_M_has_mul, 4, {CC_M_mul_8, CC_M_mul_16, CC_M_mul_32, CC_M_mul_64}},
    {CC_M_has_div, 2, {CC_M_div_32, CC_M_div_64}},
    {CC_M_has_float_32, 2, {CC_M_fadd_32, CC_M_fmul_32}},
    {CC_M_has_float_64, 2, {CC_M_fadd_64, CC_M_fmul_64}},
    {CC_M_has_float_div, 2, {CC_M_fdiv_32, CC_M_fdiv_64}},
    {CC_M_has_math, 1, {CC_M_math_calls}},
};

enum { UNITS = 8 };
static const enum cc_metric units[UNITS] = {CC_M_mul_16,  CC_M_mul_32,  CC_M_mul_64,  CC_M_fadd_32,
                                            CC_M_fadd_64, CC_M_fmul_32, CC_M_fmul_64, CC_M_math_calls};
static const double unit_blocks[UNITS] = {1, 3, 10, 2, 3, 3, 8, 10};

bool cc_metric_of_blocks(enum cc_metric m)
{
    return m == CC_M_unit_blocks || m == CC_M_unshared_blocks;
}

bool cc_metric_is_presence(enum cc_metric m)
{
    for (size_t i = 0; i < CC_COUNT(presences); i++)
        if (presences[i].has == m)
            return true;
    return false;
}

const enum cc_metric *cc_metric_parts(enum cc_metric m, size_t *ret_n)
{
    if (cc_metric_of_blocks(m)) {
        *ret_n = UNITS;
        return units;
    }
    for (size_t i = 0; i < CC_COUNT(sums); i++) {
        if (sums[i].sum == m) {
            *ret_n = sums[i].n;
            return sums[i].parts;
        }
    }
    for (size_t i = 0; i < CC_COUNT(presences); i++) {
        if (presences[i].has == m) {
            *ret_n = presences[i].n;
            return presences[i].parts;
        }
    }
    return NULL;
}

void cc_metrics_derive(double m[CC_METRIC_COUNT])
{
    m[CC_M_unit_blocks] = m[CC_M_unshared_blocks] = 0;
    for (size_t i = 0; i < UNITS; i++) {
        m[CC_M_unit_blocks] += m[units[i]] > 0 ? unit_blocks[i] : 0;
        m[CC_M_unshared_blocks] += m[units[i]] * unit_blocks[i];
    }
    for (size_t i = 0; i < CC_COUNT(sums); i++) {
        m[sums[i].sum] = 0;
        for (size_t k = 0; k < sums[i].n; k++)
            m[sums[i].sum] += m[sums[i].parts[k]];
    }
    for (size_t i = 0; i < CC_COUNT(presences); i++) {
        m[presences[i].has] = 0;
        for (size_t k = 0; k < presences[i].n; k++)
            if (m[presences[i].parts[k]] > 0)
                m[presences[i].has] = 1;
    }
}

const char *cc_unfit_name(enum cc_unfit kind)
{
    static const char *const names[] = {"recursion",       "allocation",       "indirect call",
                                        "input/output",    "varargs",          "jump",
                                        "inline assembly", "operating system", "external call"};
    return names[kind];
}

/* --- what goes from the parsing process to this one: tagged records --- */

enum { REC_FUNCTION = 'F', REC_MESSAGE = 'M', REC_END = 'Z' };

static void put_u32(FILE *out, uint32_t v)
{
    fwrite(&v, sizeof v, 1, out);
}

static void put_str(FILE *out, const char *s)
{
    uint32_t n = (uint32_t)strlen(s);
    put_u32(out, n);
    fwrite(s, 1, n, out);
}

static void put_function(FILE *out, const struct cc_source_function *f)
{
    fputc(REC_FUNCTION, out);
    put_str(out, f->name);
    put_str(out, f->usr);
    put_str(out, f->file);
    put_u32(out, f->line);
    put_u32(out, f->last_line);
    put_str(out, f->of ? f->of : "");
    put_u32(out, f->test_line);
    put_str(out, f->refused ? f->refused : "");
    put_u32(out, f->refused_line);
    put_u32(out, f->untold);
    fwrite(f->m, sizeof f->m, 1, out);
    put_u32(out, (uint32_t)f->ncalls);
    for (size_t i = 0; i < f->ncalls; i++) {
        put_str(out, f->calls[i].usr);
        put_str(out, f->calls[i].name);
        put_u32(out, f->calls[i].line);
        put_u32(out, f->calls[i].system);
    }
    put_u32(out, (uint32_t)f->nunfit);
    for (size_t i = 0; i < f->nunfit; i++) {
        put_u32(out, f->unfit[i].kind);
        put_u32(out, f->unfit[i].line);
        put_str(out, f->unfit[i].detail);
    }
}

struct reader {
    const char *at, *end;
    struct cc_arena *arena;
    bool bad; /* cut short: the process died */
};

static void get_bytes(struct reader *r, void *to, size_t n)
{
    if (r->bad || (size_t)(r->end - r->at) < n) {
        r->bad = true;
        memset(to, 0, n);
        return;
    }
    memcpy(to, r->at, n);
    r->at += n;
}

static uint32_t get_u32(struct reader *r)
{
    uint32_t v;
    get_bytes(r, &v, sizeof v);
    return v;
}

static const char *get_str(struct reader *r)
{
    uint32_t n = get_u32(r);
    if (r->bad || (size_t)(r->end - r->at) < n) {
        r->bad = true;
        return "";
    }
    const char *s = cc_arena_strndup(r->arena, r->at, n);
    r->at += n;
    return s;
}

static struct cc_source_function get_function(struct reader *r)
{
    struct cc_source_function f = {0};
    f.name = get_str(r);
    f.usr = get_str(r);
    f.file = get_str(r);
    f.line = get_u32(r);
    f.last_line = get_u32(r);
    f.of = get_str(r);
    if (!*f.of)
        f.of = NULL;
    f.test_line = get_u32(r);
    f.refused = get_str(r);
    if (!*f.refused)
        f.refused = NULL;
    f.refused_line = get_u32(r);
    f.untold = get_u32(r);
    get_bytes(r, f.m, sizeof f.m);
    size_t n = get_u32(r);
    if (n > (size_t)(r->end - r->at)) /* each takes more than a byte */
        n = 0, r->bad = true;
    f.calls = cc_arena_alloc(r->arena, n * sizeof *f.calls + 1);
    for (; f.ncalls < n && !r->bad; f.ncalls++) {
        struct cc_source_call *c = &f.calls[f.ncalls];
        c->usr = get_str(r);
        c->name = get_str(r);
        c->line = get_u32(r);
        c->system = get_u32(r);
    }
    n = get_u32(r);
    if (n > (size_t)(r->end - r->at))
        n = 0, r->bad = true;
    f.unfit = cc_arena_alloc(r->arena, (n + CC_UNFIT_COUNT) * sizeof *f.unfit);
    for (; f.nunfit < n && !r->bad; f.nunfit++) {
        f.unfit[f.nunfit].kind = get_u32(r) % CC_UNFIT_COUNT;
        f.unfit[f.nunfit].line = get_u32(r);
        f.unfit[f.nunfit].detail = get_str(r);
    }
    return f;
}

/* --- one file --- */

struct sending {
    FILE *out;
    bool loops;
};

static void send_kernel(void *data, const struct cc_source_function *f)
{
    struct sending *s = data;
    put_function(s->out, f);
    fflush(s->out);
}

static void send_function(void *data, const struct cc_tree *tree)
{
    struct sending *s = data;
    struct cc_arena arena = {0};
    struct cc_source_function f;
    cc_measure_function(tree, &arena, &f);
    send_kernel(s, &f);
    if (s->loops)
        cc_measure_loops(tree, send_kernel, s);
    cc_arena_fini(&arena);
}

static void send_message(void *data, const char *file, unsigned line, const char *text)
{
    struct sending *s = data;
    fputc(REC_MESSAGE, s->out);
    put_str(s->out, file);
    put_u32(s->out, line);
    put_str(s->out, text);
}

const char *const cc_source_environment[] = {
    "LIBCLANG_NOTHREADS=1", /* parse on our stack, not on one of 8 MiB */
    "LIBCLANG_DISABLE_CRASH_RECOVERY=1", NULL};

void cc_source_measure(const struct cc_source_unit *unit, FILE *out)
{
    struct cc_err err = {0};
    struct sending sending = {out, unit->loops};
    struct cc_tree_visitor visitor = {send_function, send_message, &sending, false};
    if (cc_tree_parse(unit, &visitor, &err) < 0)
        send_message(&sending, unit->path, err.line, err.msg);
    fputc(REC_END, out);
}

static void message(struct cc_sources *s, const char *file, unsigned line, const char *text)
{
    CC_VEC_PUSH(&s->messages, (struct cc_source_message){cc_arena_strdup(&s->arena, file), line,
                                                         cc_arena_strdup(&s->arena, text)});
}

/* "dir/a.c:3:10: fatal error: 'x.h' file not found" */
static void preprocessor_messages(struct cc_sources *s, const char *path, char *said)
{
    char *save = NULL;
    for (char *line = strtok_r(said, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        char *text = strstr(line, "error: ");
        if (!text)
            continue;
        char *colon = strchr(line, ':');
        unsigned number = 0;
        if (colon && colon < text) {
            *colon = 0;
            number = (unsigned)strtoul(colon + 1, NULL, 10);
        }
        message(s, number ? line : path, number, text + 7);
    }
}

/* A header's function seen in an earlier unit is the same one. */
static bool seen_before(struct cc_strmap *seen, const struct cc_source_function *f)
{
    CC_CLEANUP(cc_free_ptr) char *key = cc_asprintf("%s:%u:%s", f->file, f->line, f->name);
    bool fresh;
    cc_strmap_put(seen, key, &fresh);
    return !fresh;
}

/* Static functions of different files may have one name, and the parser calls every file the same: what it
 * calls them is only good inside a file. Those of a header are one function in all files. */
static bool is_static(const char *usr)
{
    return strncmp(usr, "c:@", 3) != 0;
}

struct own_names {
    struct cc_strmap by_usr; /* -> place in the list below */
    CC_VEC(const char *) names;
};

static void keep_own(struct cc_sources *s, struct own_names *own, const struct cc_source_function *f)
{
    if (f->of || !is_static(f->usr))
        return;
    CC_CLEANUP(cc_free_ptr) char *name = cc_asprintf("%s@%s:%u", f->usr, f->file, f->line);
    *cc_strmap_put(&own->by_usr, f->usr, NULL) = own->names.n;
    CC_VEC_PUSH(&own->names, cc_arena_strdup(&s->arena, name));
}

static const char *own_name(const struct own_names *own, const char *usr)
{
    const uint64_t *at = is_static(usr) ? cc_strmap_get(&own->by_usr, usr) : NULL;
    return at ? own->names.v[*at] : usr;
}

/* The functions of a file, from the first on, get names that hold in all files. */
static void use_own(struct cc_sources *s, const struct own_names *own, size_t first)
{
    for (size_t i = first; i < s->functions.n; i++) {
        struct cc_source_function *f = &s->functions.v[i];
        f->usr = own_name(own, f->usr);
        f->of = f->of ? own_name(own, f->of) : NULL;
        for (size_t k = 0; k < f->ncalls; k++)
            f->calls[k].usr = own_name(own, f->calls[k].usr);
    }
}

static bool receive_all(struct cc_sources *s, const struct cc_source_unit *unit,
                        const struct cc_source_outcome *o, struct own_names *own)
{
    struct reader r = {o->bytes, o->bytes + o->size, &s->arena, false};
    CC_CLEANUP(cc_free_ptr) char *absolute = realpath(unit->path, NULL);
    while (r.at < r.end && !r.bad) {
        char tag = *r.at++;
        if (tag == REC_END)
            return true;
        if (tag == REC_MESSAGE) {
            const char *file = get_str(&r);
            unsigned line = get_u32(&r);
            message(s, file, line, get_str(&r));
            continue;
        }
        struct cc_source_function f = get_function(&r);
        if (absolute && strcmp(f.file, absolute) == 0)
            f.file = cc_arena_strdup(&s->arena, unit->path);
        if (r.bad)
            break;
        keep_own(s, own, &f);
        if (!seen_before(&s->seen, &f))
            CC_VEC_PUSH(&s->functions, f);
    }
    return false;
}

static bool receive(struct cc_sources *s, const struct cc_source_unit *unit,
                    const struct cc_source_outcome *o)
{
    struct own_names own = {0};
    size_t first = s->functions.n;
    bool whole = receive_all(s, unit, o, &own);
    use_own(s, &own, first);
    cc_strmap_fini(&own.by_usr);
    CC_VEC_FINI(&own.names);
    return whole;
}

void cc_sources_fail(struct cc_sources *s, const char *path, const struct cc_err *why)
{
    message(s, path, why->line, why->msg);
    s->files++;
    s->failed++;
}

void cc_sources_add(struct cc_sources *s, const struct cc_source_unit *unit,
                    const struct cc_source_outcome *outcome)
{
    size_t before = s->functions.n;
    s->files++;
    preprocessor_messages(s, unit->path, outcome->said);
    if (receive(s, unit, outcome))
        return;
    char text[80];
    snprintf(text, sizeof text, "the parser was ended by signal %d; functions after this point are missing",
             outcome->signal);
    message(s, unit->path, 0, text);
    s->failed += s->functions.n == before;
}

/* --- all functions together --- */

struct graph {
    struct cc_sources *s;
    struct cc_strmap by_usr; /* -> 1 + index */
    uint32_t *index, *low, *component, *stack, *edge_at, *parent;
    bool *on_stack;
    size_t top, next, components;
};

static size_t callee(const struct graph *g, const struct cc_source_call *c)
{
    const uint64_t *v = cc_strmap_get(&g->by_usr, c->usr);
    return v ? *v - 1 : SIZE_MAX;
}

static void close_component(struct graph *g, uint32_t v)
{
    uint32_t w;
    do {
        w = g->stack[--g->top];
        g->on_stack[w] = false;
        g->component[w] = (uint32_t)g->components;
    } while (w != v);
    g->components++;
}

static void open_function(struct graph *g, uint32_t v, uint32_t parent)
{
    g->index[v] = g->low[v] = (uint32_t)++g->next;
    g->stack[g->top++] = v;
    g->on_stack[v] = true;
    g->edge_at[v] = 0;
    g->parent[v] = parent;
}

/* Tarjan's strongly connected components, without recursion: call chains may be as long as the input likes.
 */
static void components_from(struct graph *g, uint32_t start)
{
    open_function(g, start, UINT32_MAX);
    for (uint32_t v = start; v != UINT32_MAX;) {
        const struct cc_source_function *f = &g->s->functions.v[v];
        if (g->edge_at[v] < f->ncalls) {
            size_t w = callee(g, &f->calls[g->edge_at[v]++]);
            if (w == SIZE_MAX)
                continue;
            if (!g->index[w]) {
                open_function(g, (uint32_t)w, v);
                v = (uint32_t)w;
            } else if (g->on_stack[w]) {
                g->low[v] = CC_MIN(g->low[v], g->index[w]);
            }
            continue;
        }
        uint32_t up = g->parent[v];
        if (g->low[v] == g->index[v])
            close_component(g, v);
        if (up != UINT32_MAX)
            g->low[up] = CC_MIN(g->low[up], g->low[v]);
        v = up;
    }
}

static void add_reason(struct cc_sources *s, struct cc_source_function *f, enum cc_unfit kind, unsigned line,
                       const char *detail)
{
    for (size_t i = 0; i < f->nunfit; i++)
        if (f->unfit[i].kind == kind && strcmp(f->unfit[i].detail, detail) == 0)
            return;
    struct cc_unfit_reason *grown = cc_arena_alloc(&s->arena, (f->nunfit + 1) * sizeof *grown);
    if (f->nunfit)
        memcpy(grown, f->unfit, f->nunfit * sizeof *grown);
    grown[f->nunfit] = (struct cc_unfit_reason){kind, line, cc_arena_strdup(&s->arena, detail)};
    f->unfit = grown;
    f->nunfit++;
}

static void judge_calls(struct graph *g, uint32_t v)
{
    struct cc_source_function *f = &g->s->functions.v[v];
    bool recursive = false;
    for (size_t i = 0; i < f->ncalls; i++) {
        const struct cc_source_call *c = &f->calls[i];
        size_t w = callee(g, c);
        if (w != SIZE_MAX) {
            if (g->component[w] == g->component[v] && !recursive) {
                recursive = true;
                add_reason(g->s, f, CC_UNFIT_RECURSION, c->line, w == v ? "calls itself" : c->name);
            }
            continue;
        }
        enum cc_unfit kind = cc_library_unfit(c->name);
        if (kind != CC_UNFIT_COUNT)
            add_reason(g->s, f, kind, c->line, c->name);
        else if (!cc_library_known(c->name))
            add_reason(g->s, f, CC_UNFIT_EXTERNAL, c->line, c->name);
    }
}

static void count_callers(struct graph *g)
{
    struct cc_map pairs = {0};
    size_t n = g->s->functions.n;
    for (size_t v = 0; v < n; v++) {
        const struct cc_source_function *f = &g->s->functions.v[v];
        for (size_t i = 0; i < f->ncalls && !f->of; i++) { /* a loop's calls are its function's */
            size_t w = callee(g, &f->calls[i]);
            bool fresh = false;
            if (w != SIZE_MAX)
                cc_map_put(&pairs, (uint64_t)v * n + w, &fresh);
            if (fresh)
                g->s->functions.v[w].m[CC_M_fan_in]++;
        }
    }
    cc_map_fini(&pairs);
    for (size_t v = 0; v < n; v++) {
        double *m = g->s->functions.v[v].m, flow = m[CC_M_fan_in] * m[CC_M_fan_out];
        m[CC_M_information_flow] = m[CC_M_lines] * flow * flow;
        cc_metrics_derive(m);
    }
}

/* Components are numbered callees first, so that a function's callees are counted before it. A call that goes
 * round in a circle counts nothing: how deep it goes, the text does not say. */
static void count_instances(struct graph *g)
{
    size_t n = g->s->functions.n;
    uint32_t *order = g->stack, *at = g->low; /* both are done with */
    memset(at, 0, n * sizeof *at);
    for (size_t v = 0; v < n; v++)
        if (g->component[v] + 1 < n)
            at[g->component[v] + 1]++;
    for (size_t c = 1; c < n; c++)
        at[c] += at[c - 1];
    for (size_t v = 0; v < n; v++)
        order[at[g->component[v]]++] = (uint32_t)v;
    for (size_t i = 0; i < n; i++) {
        struct cc_source_function *f = &g->s->functions.v[order[i]];
        f->m[CC_M_tree_instances] = 1;
        f->m[CC_M_inlined_operations] = f->m[CC_M_operations];
        for (size_t k = 0; k < f->ncalls; k++) {
            size_t w = callee(g, &f->calls[k]);
            if (w == SIZE_MAX || g->component[w] == g->component[order[i]])
                continue;
            const double *m = g->s->functions.v[w].m;
            f->m[CC_M_tree_instances] = fmin(1e18, f->m[CC_M_tree_instances] + m[CC_M_tree_instances]);
            f->m[CC_M_inlined_operations] =
                fmin(1e18, f->m[CC_M_inlined_operations] + m[CC_M_inlined_operations]);
        }
    }
}

void cc_sources_finish(struct cc_sources *s)
{
    size_t n = s->functions.n;
    struct graph g = {.s = s};
    uint32_t *numbers = cc_alloc_array(6 * n + 6, sizeof *numbers);
    g.index = numbers;
    g.low = numbers + n;
    g.component = numbers + 2 * n;
    g.stack = numbers + 3 * n;
    g.edge_at = numbers + 4 * n;
    g.parent = numbers + 5 * n;
    g.on_stack = cc_alloc_array(n + 1, sizeof *g.on_stack);
    for (size_t v = 0; v < n; v++)
        *cc_strmap_put(&g.by_usr, s->functions.v[v].usr, NULL) = v + 1;
    for (size_t v = 0; v < n; v++)
        if (!g.index[v])
            components_from(&g, (uint32_t)v);
    for (size_t v = 0; v < n; v++)
        judge_calls(&g, (uint32_t)v);
    count_callers(&g);
    count_instances(&g);
    cc_sources_count_trees(s);
    free(numbers);
    free(g.on_stack);
    cc_strmap_fini(&g.by_usr);
}

struct cc_sources *cc_sources_new(void)
{
    return cc_alloc(sizeof(struct cc_sources));
}

void cc_sources_free(struct cc_sources *s)
{
    if (!s)
        return;
    CC_VEC_FINI(&s->functions);
    CC_VEC_FINI(&s->messages);
    cc_strmap_fini(&s->seen);
    cc_arena_fini(&s->arena);
    free(s);
}
