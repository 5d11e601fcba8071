/* Nothing in a record file is trusted: ids count up from 0 within their kind, references go to ids that came
 * before, counts fit SQLite's integers and their sums do not overflow. Whatever memory is taken is in
 * proportion to the file's size. */
#include "import.h"
#include "arrays.h"
#include "import_objects.h"
#include "profile.h"
#include "records.h"
#include "store.h"
#include "../binary/symbols.h"
#include "../isa/isa.h"
#include "task_events.h"
#include "../base/arena.h"

#include <inttypes.h>
#include <sqlite3.h>

struct binary {
    char *path;
    bool program;
};

struct function {
    struct cc_rec_function rec;
    uint64_t exclusive;
};

struct context {
    struct cc_rec_context rec;
    uint64_t inclusive;
};

struct import {
    struct cc_records in;
    struct cc_store *out;
    struct cc_err *err;
    struct cc_arena arena;
    struct cc_rec_run run;
    CC_VEC(struct binary) binaries;
    CC_VEC(struct function) functions;
    CC_VEC(struct cc_rec_thread) threads;
    CC_VEC(struct context) contexts;
    CC_VEC(struct cc_rec_call) calls;
    CC_VEC(const char *) scope_names;
    CC_VEC(const char *) function_names;
    uint32_t nsources, nnodes, nregions, nscopes, nproblems;
    sqlite3_stmt *source, *node, *edge, *region, *scope, *problem;
    struct cc_buf *problems; /* NULL: not wanted */
    struct array {
        CC_VEC(uint8_t) data; /* since the last chunk */
        size_t n, chunks;
    } arrays[CC_ARRAYS];
    struct cc_objects_import objects;
    struct cc_symbols *symbols;
};

static int bad(struct import *im, const char *what)
{
    return cc_err_at(im->err, CC_EINPUT, im->in.path, 0, "damaged record file: %s (record %" PRIu64 ")", what,
                     im->in.read);
}

/* --- statements --- */

#define insert(im, st, ...) cc_store_insert((im)->out, st, (im)->err, __VA_ARGS__)
#define U(x) ((uint64_t)(x))
/* An id that may be CC_NONE, as NULL. */
#define ID(x) ((x) == CC_NONE ? UINT64_MAX : (uint64_t)(x))

/* --- checks --- */

static bool fits(uint64_t v)
{
    return v <= INT64_MAX;
}

static bool add(uint64_t *sum, uint64_t v)
{
    return !__builtin_add_overflow(*sum, v, sum) && fits(*sum);
}

/* --- one record each --- */

static int take_binary(struct import *im)
{
    const struct cc_rec_binary *r = (const void *)im->in.body;
    const char *path = cc_records_text(&im->in, 0, r->path_size);
    if (r->id != im->binaries.n || !path)
        return bad(im, "a binary");
    CC_VEC_PUSH(&im->binaries,
                (struct binary){cc_arena_strndup(&im->arena, path, r->path_size), r->is_program != 0});
    sqlite3_stmt *st;
    int rc = cc_store_prepare(im->out, "INSERT INTO binary VALUES (?, ?, ?)", &st, im->err);
    if (rc < 0)
        return rc;
    rc = insert(im, st, "usu", U(r->id), im->binaries.v[r->id].path, U(r->is_program != 0));
    sqlite3_finalize(st);
    return rc;
}

static int take_function(struct import *im)
{
    const struct cc_rec_function *r = (const void *)im->in.body;
    if (r->id != im->functions.n || (r->binary != CC_NONE && r->binary >= im->binaries.n) ||
        r->id >= CC_SPECIAL || !fits(r->calls) || !fits(r->inclusive))
        return bad(im, "a function");
    CC_VEC_PUSH(&im->functions, (struct function){.rec = *r});
    return 0;
}

static int take_thread(struct import *im)
{
    const struct cc_rec_thread *r = (const void *)im->in.body;
    if (r->id != im->threads.n || r->id >= CC_SPECIAL || !fits(r->start) || !fits(r->instructions))
        return bad(im, "a thread");
    CC_VEC_PUSH(&im->threads, *r);
    sqlite3_stmt *st;
    int rc = cc_store_prepare(im->out, "INSERT INTO thread VALUES (?, ?, ?, ?)", &st, im->err);
    if (rc < 0)
        return rc;
    rc = insert(im, st, "uuuu", U(r->id), U(r->tid), r->start, r->instructions);
    sqlite3_finalize(st);
    return rc;
}

static int take_context(struct import *im)
{
    const struct cc_rec_context *r = (const void *)im->in.body;
    if (r->id != im->contexts.n || r->function >= im->functions.n || r->thread >= im->threads.n ||
        (r->parent != CC_NONE && r->parent >= r->id) || !fits(r->calls) || !fits(r->exclusive))
        return bad(im, "a context");
    if (r->parent != CC_NONE && im->contexts.v[r->parent].rec.thread != r->thread)
        return bad(im, "a context whose parent is of another thread");
    if (!add(&im->functions.v[r->function].exclusive, r->exclusive))
        return bad(im, "counts that overflow");
    CC_VEC_PUSH(&im->contexts, (struct context){*r, r->exclusive});
    return 0;
}

static int take_source(struct import *im)
{
    const struct cc_rec_source *r = (const void *)im->in.body;
    const char *call = cc_records_text(&im->in, 0, r->call_size);
    const char *file = cc_records_text(&im->in, r->call_size, r->file_size);
    if (r->id != im->nsources || !call || !file)
        return bad(im, "a source");
    im->nsources++;
    CC_CLEANUP(cc_free_ptr) char *c = cc_strndup(call, r->call_size);
    CC_CLEANUP(cc_free_ptr) char *f = cc_strndup(file, r->file_size);
    return insert(im, im->source, "uss", U(r->id), c, *f ? f : NULL);
}

static int take_node(struct import *im)
{
    const struct cc_rec_node *r = (const void *)im->in.body;
    bool context = r->kind == CC_NODE_CONTEXT;
    const uint64_t counts[] = {r->reads,
                               r->writes,
                               r->bytes_read,
                               r->bytes_written,
                               r->stack_reads,
                               r->stack_writes,
                               r->stack_bytes_read,
                               r->stack_bytes_written,
                               r->memory_instructions,
                               r->stack_instructions,
                               r->other_instructions};
    bool sound = r->stack_reads <= r->reads && r->stack_writes <= r->writes &&
                 r->stack_bytes_read <= r->bytes_read && r->stack_bytes_written <= r->bytes_written &&
                 r->scope < im->nscopes;
    for (size_t i = 0; i < CC_COUNT(counts); i++)
        sound &= fits(counts[i]);
    if (r->id != im->nnodes || r->kind >= CC_NODE_KINDS || context != (r->context != CC_NONE) ||
        (context && r->context >= im->contexts.n) || (r->source != CC_NONE && r->source >= im->nsources) ||
        !sound)
        return bad(im, "a node");
    im->nnodes++;
    return insert(im, im->node, "usnnuuuuuuuuuuuu", U(r->id), cc_node_kind_names[r->kind], ID(r->context),
                  ID(r->source), U(r->scope), counts[0], counts[1], counts[2], counts[3], counts[4],
                  counts[5], counts[6], counts[7], counts[8], counts[9], counts[10]);
}

static int take_edge(struct import *im)
{
    const struct cc_rec_edge *r = (const void *)im->in.body;
    bool known = r->level < CC_LEVELS;
    if (r->level == CC_LEVEL_CONTEXT)
        known = r->producer < im->nnodes && r->consumer < im->nnodes;
    else if (known) {
        size_t n = r->level == CC_LEVEL_FUNCTION ? im->functions.n
                   : r->level == CC_LEVEL_REGION ? im->nregions
                                                 : im->threads.n;
        known = cc_group_fits(r->producer, n) && cc_group_fits(r->consumer, n);
    }
    if (!known || !fits(r->bytes) || !fits(r->unma) || !fits(r->reads) || !fits(r->fresh))
        return bad(im, "a stream");
    return insert(im, im->edge, "suuunuu", cc_level_names[r->level], U(r->producer), U(r->consumer), r->bytes,
                  r->has_unma ? r->unma : UINT64_MAX, r->reads, r->fresh);
}

static int take_call(struct import *im)
{
    const struct cc_rec_call *r = (const void *)im->in.body;
    uint64_t end = r->start;
    if (r->context >= im->contexts.n || r->thread >= im->threads.n || !add(&end, r->length))
        return bad(im, "a call");
    CC_VEC_PUSH(&im->calls, *r);
    return 0;
}

static int take_region(struct import *im)
{
    const struct cc_rec_region *r = (const void *)im->in.body;
    const char *name = cc_records_text(&im->in, 0, r->name_size);
    if (r->id != im->nregions || r->id >= CC_SPECIAL || !name || !fits(r->calls) || !fits(r->exclusive) ||
        !fits(r->inclusive))
        return bad(im, "a region");
    CC_CLEANUP(cc_free_ptr) char *copy = cc_strndup(name, r->name_size);
    return insert(im, im->region, "usuuu", U(im->nregions++), copy, r->calls, r->exclusive, r->inclusive);
}

static int take_scope(struct import *im)
{
    const struct cc_rec_scope *r = (const void *)im->in.body;
    const char *name = cc_records_text(&im->in, 0, r->name_size);
    const char *file = cc_records_text(&im->in, r->name_size, r->file_size);
    if (r->id != im->nscopes || r->id >= CC_SPECIAL || !name || !file || r->kind >= CC_SCOPE_KINDS ||
        r->region >= im->nregions || (r->id == 0) != (r->parent == CC_NONE) ||
        (r->id && r->parent >= r->id) || r->line > INT32_MAX || !fits(r->calls) || !fits(r->exclusive))
        return bad(im, "a scope");
    CC_CLEANUP(cc_free_ptr) char *n = cc_strndup(name, r->name_size);
    CC_VEC_PUSH(&im->scope_names, cc_arena_strndup(&im->arena, name, r->name_size));
    CC_CLEANUP(cc_free_ptr) char *f = cc_strndup(file, r->file_size);
    return insert(im, im->scope, "unsussnuu", U(im->nscopes++), ID(r->parent), cc_scope_kind_names[r->kind],
                  U(r->region), n, *f ? f : NULL, *f ? U(r->line) : UINT64_MAX, r->calls, r->exclusive);
}

static char *problem_text(const struct cc_rec_problem *r, const char *name, const char *other,
                          const char *file)
{
    switch (r->kind) {
    case CC_PROBLEM_NOT_BEGUN:
        return cc_asprintf("'%s' ends here, but it was not begun", name);
    case CC_PROBLEM_CROSSES:
        return *file ? cc_asprintf("'%s' ends here while '%s', begun at %s:%u, is still open", name, other,
                                   file, r->other_line)
                     : cc_asprintf("'%s' ends here while '%s' is still open", name, other);
    case CC_PROBLEM_NOT_ENDED:
        return cc_asprintf("'%s' begins here and never ends", name);
    case CC_PROBLEM_DAMAGED:
        return cc_asprintf("the mark's values in memory make no sense");
    default:
        return cc_asprintf("too many names of regions and tasks: '%s' counts as what is around it", name);
    }
}

static void tell_problem(struct cc_buf *b, const char *text, const char *file, unsigned line, uint64_t count)
{
    CC_CLEANUP(cc_free_ptr) char *safe_file = cc_text_safe(file), *safe = cc_text_safe(text);
    if (*file)
        cc_buf_printf(b, "%s:%u: ", safe_file, line);
    cc_buf_puts(b, safe);
    if (count > 1)
        cc_buf_printf(b, " (%llu times)", (unsigned long long)count);
    cc_buf_puts(b, "\n");
}

static int take_problem(struct import *im)
{
    const struct cc_rec_problem *r = (const void *)im->in.body;
    const uint32_t sizes[4] = {r->name_size, r->file_size, r->other_name_size, r->other_file_size};
    char *texts[4] = {NULL};
    bool sound = r->kind < CC_PROBLEMS && r->line <= INT32_MAX && fits(r->count);
    uint64_t at = 0;
    for (int i = 0; i < 4; at += sizes[i++]) {
        const char *text = cc_records_text(&im->in, at, sizes[i]);
        sound &= text != NULL;
        texts[i] = text ? cc_strndup(text, sizes[i]) : NULL;
    }
    int rc;
    if (sound) {
        CC_CLEANUP(cc_free_ptr) char *text = problem_text(r, texts[0], texts[2], texts[3]);
        rc = insert(im, im->problem, "usssnu", U(im->nproblems++), cc_problem_names[r->kind], text,
                    *texts[1] ? texts[1] : NULL, *texts[1] ? U(r->line) : UINT64_MAX, r->count);
        if (im->problems)
            tell_problem(im->problems, text, texts[1], r->line, r->count);
    } else {
        rc = bad(im, "a problem");
    }
    for (int i = 0; i < 4; i++)
        free(texts[i]);
    return rc;
}

static int put_array(struct import *im, size_t which)
{
    struct array *a = &im->arrays[which];
    int rc = a->data.n == 0 ? 0
                            : cc_store_put_chunk(im->out, cc_arrays[which].stream, a->chunks++, a->data.v,
                                                 a->data.n, im->err);
    a->data.n = 0;
    return rc;
}

static int take_item(struct import *im)
{
    const struct cc_array *spec = cc_array_of((enum cc_rec_tag)im->in.head.tag);
    size_t which = (size_t)(spec - cc_arrays), size;
    struct array *a = &im->arrays[which];
    struct cc_limits limits = {.functions = im->functions.n,
                               .threads = im->threads.n,
                               .regions = im->nregions,
                               .scopes = im->nscopes,
                               .frames = CC_MAX(im->arrays[0].n, (size_t)1),
                               .blocks = im->arrays[1].n,
                               .items = a->n};
    size_t padded = (im->in.head.size + 7u) & ~(size_t)7; /* the buffer is larger */
    memset(im->in.body + im->in.head.size, 0, padded - im->in.head.size);
    if (!cc_array_fits(spec, &limits, im->in.body, padded, &size) || size != padded)
        return bad(im, spec->stream);
    CC_VEC_RESERVE(&a->data, a->data.n + size);
    memcpy(a->data.v + a->data.n, im->in.body, size);
    a->data.n += size;
    a->n++;
    return a->data.n >= 1 << 20 ? put_array(im, which) : 0;
}

static int take_object(struct import *im)
{
    bool fine = cc_objects_take(&im->objects, &im->in, im->binaries.n, im->functions.n, im->threads.n);
    return fine ? 0 : bad(im, "a data object");
}

static int take_records(struct import *im)
{
    static int (*const take[])(struct import *) = {
        [CC_REC_BINARY] = take_binary,      [CC_REC_FUNCTION] = take_function,
        [CC_REC_THREAD] = take_thread,      [CC_REC_CONTEXT] = take_context,
        [CC_REC_SOURCE] = take_source,      [CC_REC_NODE] = take_node,
        [CC_REC_EDGE] = take_edge,          [CC_REC_CALL] = take_call,
        [CC_REC_REGION] = take_region,      [CC_REC_SCOPE] = take_scope,
        [CC_REC_SPAN] = take_item,          [CC_REC_FRAME] = take_item,
        [CC_REC_FRAME_PART] = take_item,    [CC_REC_FLOW] = take_item,
        [CC_REC_PROBLEM] = take_problem,    [CC_REC_SLICE] = take_item,
        [CC_REC_BLOCK] = take_item,         [CC_REC_EXEC] = take_item,
        [CC_REC_CHANNEL] = take_item,       [CC_REC_OBJECT] = take_object,
        [CC_REC_OBJECT_SITE] = take_object, [CC_REC_OBJECT_ACCESS] = take_object,
        [CC_REC_OBJECT_SLOT] = take_object,
    };
    int rc;
    while ((rc = cc_records_next(&im->in, im->err)) > 0) {
        if (im->in.head.tag == CC_REC_RUN && im->in.read == 1) {
            memcpy(&im->run, im->in.body, sizeof im->run);
            if (!fits(im->run.instructions) || !fits(im->run.call_threshold) || !fits(im->run.slice_length))
                rc = bad(im, "the run");
        } else if (im->in.head.tag == CC_REC_RUN || im->in.read == 1)
            rc = bad(im, "the run is not first");
        else
            rc = take[im->in.head.tag](im);
        if (rc < 0)
            return rc;
    }
    return rc;
}

/* --- what needs all records --- */

/* Inclusive = own plus that of all children; a child's id is greater than its parent's. */
static int sum_contexts(struct import *im)
{
    for (size_t i = im->contexts.n; i-- > 0;) {
        const struct context *x = &im->contexts.v[i];
        if (x->rec.parent != CC_NONE && !add(&im->contexts.v[x->rec.parent].inclusive, x->inclusive))
            return bad(im, "counts that overflow");
    }
    return 0;
}

static int put_contexts(struct import *im)
{
    sqlite3_stmt *st;
    int rc = cc_store_prepare(im->out, "INSERT INTO context VALUES (?, ?, ?, ?, ?, ?, ?)", &st, im->err);
    if (rc < 0)
        return rc;
    for (size_t i = 0; rc == 0 && i < im->contexts.n; i++) {
        const struct context *x = &im->contexts.v[i];
        rc = insert(im, st, "unuuuuu", U(i), ID(x->rec.parent), U(x->rec.function), U(x->rec.thread),
                    x->rec.calls, x->rec.exclusive, x->inclusive);
    }
    sqlite3_finalize(st);
    return rc;
}

/* Every thread runs under function 0, which the collector counts on no stack. */
static int sum_runtime(struct import *im)
{
    if (im->functions.n == 0)
        return 0;
    struct cc_rec_function *runtime = &im->functions.v[0].rec;
    runtime->calls = runtime->inclusive = 0;
    for (size_t i = 0; i < im->contexts.n; i++) {
        const struct context *x = &im->contexts.v[i];
        if (x->rec.parent == CC_NONE && x->rec.function == 0 &&
            (!add(&runtime->calls, x->rec.calls) || !add(&runtime->inclusive, x->inclusive)))
            return bad(im, "counts that overflow");
    }
    return 0;
}

static int put_functions(struct import *im)
{
    sqlite3_stmt *st;
    int rc = cc_store_prepare(im->out, "INSERT INTO function VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", &st,
                              im->err);
    if (rc < 0)
        return rc;
    for (size_t i = 0; rc == 0 && i < im->functions.n; i++) {
        const struct cc_rec_function *f = &im->functions.v[i].rec;
        struct cc_symbol_info info = {.name = i == 0 ? CC_RUNTIME_NAME : "?"};
        if (i != 0 && f->binary != CC_NONE)
            cc_symbols_find(im->symbols, im->binaries.v[f->binary].path, f->address, &info);
        CC_VEC_PUSH(&im->function_names, cc_arena_strdup(&im->arena, info.name));
        rc = insert(im, st, "usssnnuuuuu", U(i), info.name, info.symbol, info.file,
                    info.line ? info.line : UINT64_MAX, ID(f->binary), f->address, U(f->library != 0),
                    f->calls, f->inclusive, im->functions.v[i].exclusive);
    }
    sqlite3_finalize(st);
    return rc;
}

static int put_objects(struct import *im)
{
    size_t n = im->binaries.n;
    CC_CLEANUP(cc_free_ptr) const char **paths = cc_alloc_array(n + 1, sizeof *paths);
    CC_CLEANUP(cc_free_ptr) bool *programs = cc_alloc_array(n + 1, sizeof *programs);
    CC_CLEANUP(cc_free_ptr)
    struct cc_rec_function *functions = cc_alloc_array(im->functions.n + 1, sizeof *functions);
    for (size_t i = 0; i < n; i++) {
        paths[i] = im->binaries.v[i].path;
        programs[i] = im->binaries.v[i].program;
    }
    for (size_t i = 0; i < im->functions.n; i++)
        functions[i] = im->functions.v[i].rec;
    struct cc_objects_context x = {paths, programs, n, functions, im->functions.n};
    return cc_objects_put(&im->objects, &x, im->symbols, im->out, im->err);
}

static int by_start(const void *a, const void *b)
{
    const struct cc_rec_call *x = a, *y = b;
    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    if (x->length != y->length)
        return x->length > y->length ? -1 : 1;
    return (x->context > y->context) - (x->context < y->context); /* ids of callers are lower */
}

static int put_calls(struct import *im)
{
    size_t per_chunk = (1 << 20) / sizeof(struct cc_rec_call);
    if (im->calls.n)
        qsort(im->calls.v, im->calls.n, sizeof *im->calls.v, by_start);
    for (size_t at = 0, seq = 0; at < im->calls.n; at += per_chunk, seq++) {
        size_t n = CC_MIN(per_chunk, im->calls.n - at);
        int rc = cc_store_put_chunk(im->out, CC_CALLS_STREAM, seq, im->calls.v + at, n * sizeof *im->calls.v,
                                    im->err);
        if (rc < 0)
            return rc;
    }
    return 0;
}

static const char *isa_name(uint32_t machine)
{
    const struct cc_isa *isa = cc_isa_of_machine(machine);
    return isa ? isa->name : NULL;
}

static int put_tasks(struct import *im, const struct cc_import_run *run)
{
    struct cc_task_names names = {im->scope_names.v, im->function_names.v, im->scope_names.n,
                                  im->function_names.n};
    uint64_t end = im->threads.n ? im->threads.v[0].instructions : 0;
    bool complete = run->complete && (im->run.flags & CC_RUN_FINAL);
    return cc_task_events_import(run->tasks, im->out, &names, end,
                                 complete      ? NULL
                                 : run->reason ? run->reason
                                               : "the run was cut short",
                                 im->err);
}

static int put_facts(struct import *im, const struct cc_import_run *run)
{
    bool complete = run->complete && (im->run.flags & CC_RUN_FINAL);
    const char *reason =
        run->reason ? run->reason
        : im->run.flags & CC_RUN_EXEC
            ? "the program replaced itself by another (exec)"
            : "the program did not end by itself; what it did after the last snapshot is lost";
    struct cc_store *s = im->out;
    struct cc_err *err = im->err;
    int rc = cc_store_set(s, "program", run->program, err);
    for (size_t i = 0; rc == 0 && i < run->narguments; i++) {
        char key[40];
        snprintf(key, sizeof key, "argument.%zu", i);
        rc = cc_store_set(s, key, run->arguments[i], err);
    }
    if (rc == 0)
        rc = cc_store_set(s, "engine", run->engine, err);
    if (rc == 0)
        rc = cc_store_set(s, "isa", isa_name(im->run.machine), err);
    if (rc == 0)
        rc = cc_store_set(s, "libs", im->run.libs_as_nodes ? "node" : "caller", err);
    if (rc == 0)
        rc = cc_store_set_u64(s, "complete", complete, err);
    if (rc == 0 && !complete)
        rc = cc_store_set(s, "reason", reason, err);
    if (rc == 0 && run->exit_code >= 0)
        rc = cc_store_set_u64(s, "exit.code", (uint64_t)run->exit_code, err);
    if (rc == 0 && run->exit_signal > 0)
        rc = cc_store_set_u64(s, "exit.signal", (uint64_t)run->exit_signal, err);
    if (rc == 0)
        rc = cc_store_set_u64(s, "pid", im->run.pid, err);
    if (rc == 0)
        rc = cc_store_set_u64(s, "instructions", im->run.instructions, err);
    if (rc == 0)
        rc = cc_store_set_u64(s, "call_threshold", im->run.call_threshold, err);
    if (rc == 0)
        rc = cc_store_set_u64(s, "approximate", (im->run.flags & CC_RUN_APPROXIMATE) != 0, err);
    if (rc == 0)
        rc = cc_store_set_u64(s, "slice_length", im->run.slice_length, err);
    if (rc == 0)
        rc = cc_store_set_u64(s, "frames_cut", (im->run.flags & CC_RUN_FRAMES_CUT) != 0, err);
    if (rc == 0)
        rc = cc_store_set_u64(s, "blocks_cut", (im->run.flags & CC_RUN_BLOCKS_CUT) != 0, err);
    if (rc == 0)
        rc = cc_store_set_u64(s, "plain", (im->run.flags & CC_RUN_PLAIN) != 0, err);
    if (rc == 0 && im->objects.groups.n)
        rc = cc_store_set_u64(s, "objects_cut", (im->run.flags & CC_RUN_OBJECTS_CUT) != 0, err);
    return rc;
}

static int put_channels(struct import *im, const struct cc_channel_names *c)
{
    int rc = 0;
    for (size_t i = 0; rc == 0 && c && i < c->n; i++) {
        char key[40];
        snprintf(key, sizeof key, "channel.%zu.from", i);
        rc = cc_store_set(im->out, key, c->from[i], im->err);
        snprintf(key, sizeof key, "channel.%zu.to", i);
        if (rc == 0)
            rc = cc_store_set(im->out, key, c->to[i], im->err);
    }
    return rc;
}

/* --- the whole --- */

static int prepare_all(struct import *im)
{
    const struct {
        const char *sql;
        sqlite3_stmt **st;
    } all[] = {
        {"INSERT INTO source VALUES (?, ?, ?)", &im->source},
        {"INSERT INTO node VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", &im->node},
        {"INSERT INTO edge VALUES (?, ?, ?, ?, ?, ?, ?)", &im->edge},
        {"INSERT INTO region VALUES (?, ?, ?, ?, ?)", &im->region},
        {"INSERT INTO scope VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", &im->scope},
        {"INSERT INTO problem VALUES (?, ?, ?, ?, ?, ?)", &im->problem},
    };
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < CC_COUNT(all); i++)
        rc = cc_store_prepare(im->out, all[i].sql, all[i].st, im->err);
    return rc;
}

static int import_file(struct import *im, const char *path, const struct cc_import_run *run)
{
    int rc = cc_records_open(&im->in, path, im->err);
    if (rc == 0)
        rc = prepare_all(im);
    if (rc == 0)
        rc = take_records(im);
    if (rc == 0)
        rc = sum_contexts(im);
    if (rc == 0)
        rc = sum_runtime(im);
    if (rc == 0)
        rc = put_contexts(im);
    if (rc == 0)
        rc = put_functions(im);
    if (rc == 0)
        rc = put_objects(im);
    if (rc == 0)
        rc = put_calls(im);
    for (size_t i = 0; rc == 0 && i < CC_ARRAYS; i++)
        rc = put_array(im, i);
    if (rc == 0 && run->tasks)
        rc = put_tasks(im, run);
    if (rc == 0)
        rc = put_facts(im, run);
    if (rc == 0)
        rc = put_channels(im, run->channels);
    sqlite3_finalize(im->source);
    sqlite3_finalize(im->node);
    sqlite3_finalize(im->edge);
    sqlite3_finalize(im->region);
    sqlite3_finalize(im->scope);
    sqlite3_finalize(im->problem);
    cc_records_close(&im->in);
    return rc;
}

/* The index of the newest whole snapshot, or negative with the first file's error. */
static int newest(const char *const *files, size_t n, struct cc_err *err)
{
    int best = -1, rc = -CC_EINPUT;
    struct cc_rec_run best_run = {0};
    struct cc_err first = {0};
    for (size_t i = 0; i < n; i++) {
        struct cc_rec_run run = {0};
        int checked = cc_records_check(files[i], &run, &first);
        if (checked < 0) {
            rc = checked;
            continue;
        }
        bool final = run.flags & CC_RUN_FINAL, best_final = best_run.flags & CC_RUN_FINAL;
        bool newer = final != best_final ? final : run.instructions >= best_run.instructions;
        if (best < 0 || newer) {
            best = (int)i;
            best_run = run;
        }
    }
    if (best < 0 && err && err->code == CC_OK)
        *err = first;
    return best < 0 ? rc : best;
}

int cc_import(const char *const *record_files, size_t n, const struct cc_import_run *run,
              const char *out_path, struct cc_err *err)
{
    if (n == 0)
        return cc_err_set(err, CC_EBUG, "no record file to import");
    int chosen = newest(record_files, n, err);
    if (chosen < 0)
        return chosen;
    struct import im = {.err = err, .problems = run->problems};
    int rc = cc_store_create(out_path, &im.out, err);
    if (rc < 0)
        return rc;
    im.symbols = cc_symbols_new();
    rc = import_file(&im, record_files[chosen], run);
    if (rc == 0)
        rc = cc_store_commit(im.out, err);
    else
        cc_store_free(im.out);
    CC_VEC_FINI(&im.binaries);
    CC_VEC_FINI(&im.functions);
    CC_VEC_FINI(&im.threads);
    CC_VEC_FINI(&im.contexts);
    CC_VEC_FINI(&im.calls);
    CC_VEC_FINI(&im.scope_names);
    CC_VEC_FINI(&im.function_names);
    for (size_t i = 0; i < CC_ARRAYS; i++)
        CC_VEC_FINI(&im.arrays[i].data);
    cc_objects_import_fini(&im.objects);
    cc_symbols_free(im.symbols);
    cc_arena_fini(&im.arena);
    return rc;
}
