#include "import_loops.h"
#include "../base/text.h"
#include "../binary/call_types.h"

void cc_loops_import_init(struct cc_loops_import *x, struct cc_lines_import *lines,
                          struct cc_symbols *symbols)
{
    *x = (struct cc_loops_import){.lines = lines,
                                  .symbols = symbols,
                                  .variables = cc_variables_new(symbols),
                                  .statics = cc_statics_new(symbols),
                                  .binary = CC_NONE};
}

void cc_loops_import_fini(struct cc_loops_import *x)
{
    cc_variables_free(x->variables);
    cc_statics_free(x->statics);
    cc_allocations_free(x->blocks);
    CC_VEC_FINI(&x->allocations);
    if (x->binary != CC_NONE)
        cc_code_fini(&x->code);
}

/* In which registers the caller may find what the function returns. */
static uint32_t result_flags(struct cc_loops_import *x, const struct cc_profile *p, uint32_t function)
{
    if (function >= p->nfunctions || p->functions[function].binary >= p->nbinaries)
        return 0;
    const struct cc_pfunction *f = &p->functions[function];
    switch (cc_variables_result(x->variables, p->binaries[f->binary].path, f->offset)) {
    case CC_RESULT_NONE:
        return CC_LOOP_NO_INTEGER | CC_LOOP_NO_FLOAT;
    case CC_RESULT_INTEGER:
        return CC_LOOP_NO_FLOAT;
    case CC_RESULT_FLOAT:
        return CC_LOOP_NO_INTEGER;
    default:
        return 0;
    }
}

enum { MAX_INLINED = 1000 }; /* loops that are looked up: each takes a look through its unit */

static bool any_file(const char *file)
{
    (void)file;
    return true;
}

/* `function:line`, with the line that it was called in: two calls of one function are not one. */
static const char *inlined_at(struct cc_loops_import *x, struct cc_profile *p, const char *path,
                              uint64_t address)
{
    const char *name = p->nloops < MAX_INLINED ? cc_lines_inlined(x->lines->lines, path, address) : NULL;
    if (!name)
        return NULL;
    struct cc_line_place call = cc_lines_caller(x->lines->lines, path, address, any_file);
    return cc_arena_printf(&p->arena, "%s:%u", name, call.line);
}

bool cc_loop_take(struct cc_loops_import *x, const struct cc_rec_loop *r, struct cc_profile *p,
                  struct cc_ploop *ret)
{
    if (r->binary >= p->nbinaries)
        return false;
    const char *path = p->binaries[r->binary].path;
    struct cc_line_place at = cc_lines_find(x->lines->lines, path, r->test);
    *ret = (struct cc_ploop){.outer = r->outer,
                             .binary = r->binary,
                             .function = r->function,
                             .inlined = inlined_at(x, p, path, r->test),
                             .file = at.file,
                             .line = at.file ? at.line : 0,
                             .flags = r->flags | result_flags(x, p, r->function) |
                                      CC_MIN(at.column, (unsigned)CC_LOOP_COLUMN_MOST) << CC_LOOP_COLUMN,
                             .header = r->header,
                             .tick = r->tick,
                             .test = r->test,
                             .invocations = r->invocations,
                             .iterations = r->iterations,
                             .instructions = r->instructions,
                             .bytes_read = r->bytes_read,
                             .bytes_written = r->bytes_written,
                             .trips_min = r->trips_min,
                             .trips_max = r->trips_max,
                             .cost_min = r->cost_min,
                             .cost_max = r->cost_max,
                             .cost_deviation = r->cost_deviation,
                             .sampled_invocations = r->sampled_invocations,
                             .sampled_iterations = r->sampled_iterations};
    return true;
}

/* --- where --- */

static struct cc_line_place line_of(struct cc_loops_import *x, const struct cc_profile *p, uint64_t address)
{
    uint32_t binary = cc_lines_binary(x->lines, p, address);
    if (binary == CC_NONE)
        return (struct cc_line_place){0};
    return cc_lines_find(x->lines->lines, p->binaries[binary].path, address - p->binaries[binary].bias);
}

static const char *name_of_call(struct cc_loops_import *x, struct cc_profile *p, uint64_t callee)
{
    uint32_t binary = callee ? cc_lines_binary(x->lines, p, callee) : CC_NONE;
    if (binary == CC_NONE)
        return NULL;
    struct cc_symbol_info info = {0};
    cc_symbols_find(x->symbols, p->binaries[binary].path, callee - p->binaries[binary].bias, &info);
    return info.name;
}

/* --- through which variable --- */

/* Compilers number the static variables of functions: "table.0". */
static const char *as_written(struct cc_profile *p, const char *symbol)
{
    const char *dot = strrchr(symbol, '.');
    bool numbered = dot && dot > symbol && dot[1] && strspn(dot + 1, "0123456789") == strlen(dot + 1);
    return numbered ? cc_arena_strndup(&p->arena, symbol, (size_t)(dot - symbol)) : symbol;
}

static const char *static_name(struct cc_loops_import *x, struct cc_profile *p, uint64_t address)
{
    uint32_t binary = cc_lines_binary(x->lines, p, address);
    if (binary == CC_NONE)
        return NULL;
    const char *path = p->binaries[binary].path;
    uint64_t from;
    struct cc_variable v = {0};
    const char *name = cc_statics_find(x->statics, path, address - p->binaries[binary].bias, &from);
    if (name && name[strlen(name) - 1] == '_') /* Fortran's common blocks have slashes around them */
        cc_variables_at(x->variables, path, from, &v);
    if (v.name && v.name[0] == '/')
        return v.name;
    return name ? as_written(p, name) : NULL;
}

/* Where in the loop's function one end of a dependence is: around its instruction or, where that is a called
 * function's, anywhere in the loop. */
static struct cc_variables_code code_of(const struct cc_ploop *l, uint64_t site)
{
    enum {
        NEAR = 16
    }; /* bytes: a store that puts a variable there comes just before it is said to be there */
    uint64_t from = CC_MIN(CC_MIN(l->header, l->tick), l->test),
             to = CC_MAX(CC_MAX(l->header, l->tick), l->test);
    bool here = site >= from && site <= to;
    return (struct cc_variables_code){here ? site - CC_MIN(site, NEAR) : from, (here ? site : to) + NEAR,
                                      !here};
}

/* Of what bears that name in some part of a function, what its own code finds there; NULL: what the compiler
 * has put aside. */
static const char *narrowed(struct cc_loops_import *x, struct cc_profile *p,
                            const struct cc_rec_dependence *r, int64_t at, const char *name)
{
    const struct cc_pfunction *f = &p->functions[r->owner];
    const struct cc_pbinary *b = &p->binaries[f->binary];
    if (r->loop >= p->nloops || p->loops[r->loop].function != r->owner || !r->first || !r->second)
        return name;
    const struct cc_ploop *l = &p->loops[r->loop];
    const char *first =
        cc_variables_near(x->variables, b->path, f->offset, at, code_of(l, r->first - b->bias));
    const char *second =
        cc_variables_near(x->variables, b->path, f->offset, at, code_of(l, r->second - b->bias));
    if (!first || !second)
        return first ? first : second;
    return strcmp(first, second) == 0 ? first : cc_arena_printf(&p->arena, "%s / %s", first, second);
}

static const char *frame_name(struct cc_loops_import *x, struct cc_profile *p,
                              const struct cc_rec_dependence *r)
{
    const struct cc_variable *v;
    if (r->owner >= p->nfunctions || p->functions[r->owner].binary >= p->nbinaries)
        return NULL;
    const struct cc_pfunction *f = &p->functions[r->owner];
    size_t n = cc_variables_frame(x->variables, p->binaries[f->binary].path, f->offset, &v);
    int64_t at = (int64_t)(r->place - r->base);
    for (size_t i = 0; i < n; i++)
        if (at >= v[i].from && (uint64_t)(at - v[i].from) < v[i].size)
            return narrowed(x, p, r, at, v[i].name);
    return NULL;
}

bool cc_allocation_take(struct cc_loops_import *x, const struct cc_rec_allocation *r)
{
    bool ascends = !x->allocations.n || r->id > x->allocations.v[x->allocations.n - 1].id;
    if (ascends)
        CC_VEC_PUSH(&x->allocations, *r);
    return ascends;
}

/* All that were allocated, by the same numbers. */
static struct cc_allocations *blocks_of(struct cc_loops_import *x, const struct cc_profile *p)
{
    struct cc_allocations *blocks = cc_allocations_new(x->lines->lines);
    for (size_t i = 0; i < x->allocations.n; i++) {
        struct cc_allocation_call calls[CC_ALLOCATION_CALLS] = {0};
        size_t n = 0;
        for (; n < CC_ALLOCATION_CALLS && x->allocations.v[i].returns[n]; n++) {
            uint64_t ret = x->allocations.v[i].returns[n];
            uint32_t binary = cc_lines_binary(x->lines, p, ret - 1);
            if (binary != CC_NONE)
                calls[n] =
                    (struct cc_allocation_call){p->binaries[binary].path, ret - p->binaries[binary].bias};
        }
        cc_allocations_add(blocks, calls, n);
    }
    return blocks;
}

static int by_id(const void *a, const void *b)
{
    const struct cc_rec_allocation *x = a, *y = b;
    return (x->id > y->id) - (x->id < y->id);
}

/* Of the calls that led to it, as far as they are known. */
static const char *heap_name(struct cc_loops_import *x, struct cc_profile *p,
                             const struct cc_rec_dependence *r)
{
    struct cc_rec_allocation key = {.id = r->owner};
    const struct cc_rec_allocation *calls =
        x->allocations.n ? bsearch(&key, x->allocations.v, x->allocations.n, sizeof key, by_id) : NULL;
    if (!calls)
        return NULL;
    if (!x->blocks)
        x->blocks = blocks_of(x, p);
    const char *where = cc_allocations_name(x->blocks, (size_t)(calls - x->allocations.v))->where;
    return where ? cc_arena_printf(&p->arena, "block allocated at %s", where) : NULL;
}

static const char *variable_of(struct cc_loops_import *x, struct cc_profile *p,
                               const struct cc_rec_dependence *r)
{
    if (r->space != CC_SPACE_MEMORY || r->kind == CC_DEPENDENCE_SYSTEM)
        return NULL;
    switch (r->area) {
    case CC_AREA_STACK:
        return frame_name(x, p, r);
    case CC_AREA_HEAP:
        return heap_name(x, p, r);
    case CC_AREA_IMAGE:
        return static_name(x, p, r->place);
    default:
        return NULL;
    }
}

static bool in_other_frame(const struct cc_profile *p, const struct cc_rec_dependence *r)
{
    return r->space == CC_SPACE_MEMORY && r->area == CC_AREA_STACK && r->loop < p->nloops &&
           r->owner != p->loops[r->loop].function;
}

bool cc_sibling_take(struct cc_loops_import *x, const struct cc_rec_dependence *r, struct cc_profile *p,
                     struct cc_psibling *ret)
{
    struct cc_line_place first = line_of(x, p, r->first), second = line_of(x, p, r->second),
                         from = line_of(x, p, r->first_callee), to = line_of(x, p, r->second_callee);
    if (!r->loop) /* what called main */
        return false;
    *ret = (struct cc_psibling){.function = r->loop - 1,
                                .kind = (enum cc_dependence_kind)r->kind,
                                .flags = r->flags,
                                .first = r->first,
                                .second = r->second,
                                .first_file = first.file,
                                .first_line = first.file ? first.line : 0,
                                .second_file = second.file,
                                .second_line = second.file ? second.line : 0,
                                .from_file = from.file,
                                .from_line = from.file ? from.line : 0,
                                .to_file = to.file,
                                .to_line = to.file ? to.line : 0,
                                .place = r->place,
                                .area = (enum cc_dependence_area)r->area,
                                .variable = variable_of(x, p, r),
                                .distance_min = r->distance_min,
                                .distance_max = r->distance_max,
                                .count = r->count};
    return true;
}

void cc_dependence_take(struct cc_loops_import *x, const struct cc_rec_dependence *r, struct cc_profile *p,
                        struct cc_pdependence *ret)
{
    struct cc_line_place first = line_of(x, p, r->first), second = line_of(x, p, r->second);
    *ret = (struct cc_pdependence){.loop = r->loop,
                                   .space = (enum cc_dependence_space)r->space,
                                   .kind = (enum cc_dependence_kind)r->kind,
                                   .flags = r->flags | (in_other_frame(p, r) ? CC_DEPENDENCE_FRAME : 0),
                                   .first = r->first,
                                   .second = r->second,
                                   .first_file = first.file,
                                   .first_line = first.file ? first.line : 0,
                                   .first_call = name_of_call(x, p, r->first_callee),
                                   .second_file = second.file,
                                   .second_line = second.file ? second.line : 0,
                                   .second_call = name_of_call(x, p, r->second_callee),
                                   .place = r->place,
                                   .area = (enum cc_dependence_area)r->area,
                                   .size = r->size,
                                   .variable = variable_of(x, p, r),
                                   .distance_min = r->distance_min,
                                   .distance_max = r->distance_max,
                                   .count = r->count};
}

/* --- what is called --- */

/* A stub's function of another file, or one that was linked in. */
static const char *callee(struct cc_loops_import *x, const struct cc_profile *p, uint32_t binary,
                          uint64_t address)
{
    struct cc_err err = {0};
    if (x->binary != binary) {
        if (x->binary != CC_NONE)
            cc_code_fini(&x->code);
        x->binary = binary;
        if (cc_code_init(&x->code, x->symbols, p->binaries[binary].path, &err) < 0)
            x->code = (struct cc_code){0};
    }
    const char *name = cc_code_stub(&x->code, address);
    struct cc_symbol_info info = {0};
    if (!name)
        cc_symbols_find(x->symbols, p->binaries[binary].path, address, &info);
    return name ? name : info.symbol;
}

/* Whether the address is in the midst of a function, or in what a compiler has put aside of one ("f.cold"):
 * jumps to where a function begins may be calls. */
static bool is_within(struct cc_loops_import *x, const struct cc_profile *p, uint64_t at)
{
    uint32_t binary = cc_lines_binary(x->lines, p, at);
    struct cc_symbol_info here = {0}, before = {0};
    if (binary == CC_NONE)
        return false;
    cc_symbols_find(x->symbols, p->binaries[binary].path, at - p->binaries[binary].bias, &here);
    cc_symbols_find(x->symbols, p->binaries[binary].path, at - p->binaries[binary].bias - 1, &before);
    size_t size = here.symbol ? strlen(here.symbol) : 0;
    bool aside = size > 5 && strcmp(here.symbol + size - 5, ".cold") == 0;
    return aside || (here.symbol && before.symbol && strcmp(here.symbol, before.symbol) == 0);
}

void cc_call_take(struct cc_loops_import *x, struct cc_rec_loop_code *r, const struct cc_profile *p)
{
    struct cc_call_type type;
    if (r->kind == CC_CODE_EXIT || (r->kind == CC_CODE_NEXT && r->op == CC_CODE_PLAIN && !r->a))
        r->lane = is_within(x, p, r->value);
    if (r->kind != CC_CODE_NEXT || r->op != CC_CODE_CALL || r->a)
        return;
    uint32_t binary = cc_lines_binary(x->lines, p, r->value);
    const char *name = binary == CC_NONE ? NULL : callee(x, p, binary, r->value - p->binaries[binary].bias);
    bool known = name && cc_call_type(name, &type);
    r->bits = known ? (type.integers + 1) | (type.hands_back ? CC_CODE_HANDS_BACK : 0) |
                          (type.counted ? CC_CODE_COUNTED : 0)
                    : 0;
    r->lane = known ? type.floats + 1 : 0;
}
