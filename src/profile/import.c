/* Nothing in a record file is trusted: ids count up from 0 within their kind, references go to ids that came
 * before, counts fit SQLite's integers and their sums do not overflow. Whatever memory is taken is in
 * proportion to the file's size. */
#include "import.h"
#include "import_edges.h"
#include "import_lines.h"
#include "import_loops.h"
#include "import_objects.h"
#include "records.h"
#include "task_events.h"
#include "../../collect/options.h"
#include "../isa/isa.h"

#include <inttypes.h>

struct import {
    struct cc_records in;
    struct cc_writer out;
    struct cc_err *err;
    struct cc_rec_run run;
    /* How many rows there are so far of everything; rows only of what later records are joined with:
     * binaries, functions, threads, contexts, scopes, calls; edges, which are sorted. */
    struct cc_profile p;
    size_t cap[CC_PTABLES];
    struct cc_buf *problems; /* NULL: not wanted */
    struct cc_objects_import objects;
    struct cc_lines_import lines;
    struct cc_loops_import loops;
    struct cc_symbols *symbols;
};

static int bad(struct import *im, const char *what)
{
    return cc_err_at(im->err, CC_EINPUT, im->in.path, 0, "damaged record file: %s (record %" PRIu64 ")", what,
                     im->in.read);
}

static bool fits(uint64_t v)
{
    return v <= INT64_MAX;
}

static bool add(uint64_t *sum, uint64_t v)
{
    return !__builtin_add_overflow(*sum, v, sum) && fits(*sum);
}

/* The string of a record, in the arena; NULL: it does not fit. */
static const char *text(struct import *im, uint64_t at, uint32_t size)
{
    const char *s = cc_records_text(&im->in, at, size);
    return s ? cc_arena_strndup(&im->p.arena, s, size) : NULL;
}

/* "" is how records say that there is none. */
static const char *or_null(const char *s)
{
    return s && *s ? s : NULL;
}

/* --- rows --- */

/* Remembers a row until all records are read. */
static int keep(struct import *im, enum cc_ptable_id id, const void *row)
{
    const struct cc_ptable *t = &cc_ptables[id];
    size_t *n = cc_ptable_count(&im->p, id);
    if (!cc_columns_fit(id, &im->p, row, *n))
        return bad(im, t->name);
    char *rows;
    memcpy(&rows, (char *)&im->p + t->rows, sizeof rows);
    if (*n == im->cap[id]) {
        im->cap[id] = *n * 2 + 8;
        rows = cc_realloc_array(rows, im->cap[id], t->size);
        memcpy((char *)&im->p + t->rows, &rows, sizeof rows);
    }
    memcpy(rows + *n * t->size, row, t->size);
    ++*n;
    return 0;
}

static int put(struct import *im, enum cc_ptable_id id, const void *row)
{
    size_t *n = cc_ptable_count(&im->p, id);
    if (!cc_row_fits(id, &im->p, row, *n))
        return bad(im, cc_ptables[id].name);
    cc_writer_row(&im->out, id, row, (*n)++);
    return im->out.rc;
}

/* What was kept. */
static void put_kept(struct import *im, enum cc_ptable_id id)
{
    const struct cc_ptable *t = &cc_ptables[id];
    const char *rows;
    memcpy(&rows, (char *)&im->p + t->rows, sizeof rows);
    for (size_t i = 0; i < *cc_ptable_count(&im->p, id); i++)
        cc_writer_row(&im->out, id, rows + i * t->size, i);
}

/* --- one record each --- */

static int take_binary(struct import *im)
{
    const struct cc_rec_binary *r = (const void *)im->in.body;
    struct cc_pbinary b = {.path = text(im, 0, r->path_size), .program = r->is_program != 0, .bias = r->bias};
    return r->id == im->p.nbinaries ? keep(im, CC_P_binary, &b) : bad(im, "binary");
}

static int take_function(struct import *im)
{
    const struct cc_rec_function *r = (const void *)im->in.body;
    struct cc_pfunction f = {.name = "?",
                             .binary = r->binary,
                             .offset = r->address,
                             .library = r->library != 0,
                             .calls = r->calls,
                             .inclusive = r->inclusive};
    return r->id == im->p.nfunctions ? keep(im, CC_P_function, &f) : bad(im, "function");
}

static int take_thread(struct import *im)
{
    const struct cc_rec_thread *r = (const void *)im->in.body;
    struct cc_pthread t = {.tid = r->tid, .start = r->start, .instructions = r->instructions};
    return r->id == im->p.nthreads ? keep(im, CC_P_thread, &t) : bad(im, "thread");
}

static int take_context(struct import *im)
{
    const struct cc_rec_context *r = (const void *)im->in.body;
    struct cc_pcontext x = {.parent = r->parent,
                            .function = r->function,
                            .thread = r->thread,
                            .calls = r->calls,
                            .exclusive = r->exclusive,
                            .inclusive = r->exclusive};
    int rc = r->id == im->p.ncontexts ? keep(im, CC_P_context, &x) : bad(im, "context");
    if (rc == 0 && r->parent != CC_NONE && im->p.contexts[r->parent].thread != r->thread)
        rc = bad(im, "a context whose parent is of another thread");
    if (rc == 0 && !add(&im->p.functions[r->function].exclusive, r->exclusive))
        rc = bad(im, "counts that overflow");
    return rc;
}

static int take_source(struct import *im)
{
    const struct cc_rec_source *r = (const void *)im->in.body;
    const char *file = text(im, r->call_size, r->file_size);
    struct cc_psource s = {.call = text(im, 0, r->call_size), .file = or_null(file)};
    return r->id == im->p.nsources && file ? put(im, CC_P_source, &s) : bad(im, "source");
}

static int take_node(struct import *im)
{
    const struct cc_rec_node *r = (const void *)im->in.body;
    struct cc_pnode n = {.kind = (enum cc_node_kind)r->kind,
                         .context = r->context,
                         .source = r->source,
                         .scope = r->scope,
                         .reads = r->reads,
                         .writes = r->writes,
                         .bytes_read = r->bytes_read,
                         .bytes_written = r->bytes_written,
                         .stack_reads = r->stack_reads,
                         .stack_writes = r->stack_writes,
                         .stack_bytes_read = r->stack_bytes_read,
                         .stack_bytes_written = r->stack_bytes_written,
                         .memory_instructions = r->memory_instructions,
                         .stack_instructions = r->stack_instructions,
                         .other_instructions = r->other_instructions};
    return r->id == im->p.nnodes ? put(im, CC_P_node, &n) : bad(im, "node");
}

static int take_edge(struct import *im)
{
    const struct cc_rec_edge *r = (const void *)im->in.body;
    struct cc_pedge e = {.level = (enum cc_level)r->level,
                         .producer = r->producer,
                         .consumer = r->consumer,
                         .bytes = r->bytes,
                         .unma = r->unma,
                         .has_unma = r->has_unma != 0,
                         .reads = r->reads,
                         .fresh = r->fresh};
    return keep(im, CC_P_edge, &e);
}

static int take_call(struct import *im)
{
    const struct cc_rec_call *r = (const void *)im->in.body;
    return r->length <= INT64_MAX - CC_MIN(r->start, (uint64_t)INT64_MAX) ? keep(im, CC_P_calls, r)
                                                                          : bad(im, "call");
}

static int take_region(struct import *im)
{
    const struct cc_rec_region *r = (const void *)im->in.body;
    struct cc_pregion x = {.name = text(im, 0, r->name_size),
                           .calls = r->calls,
                           .exclusive = r->exclusive,
                           .inclusive = r->inclusive};
    return r->id == im->p.nregions ? put(im, CC_P_region, &x) : bad(im, "region");
}

static int take_scope(struct import *im)
{
    const struct cc_rec_scope *r = (const void *)im->in.body;
    const char *file = text(im, r->name_size, r->file_size);
    struct cc_pscope s = {.parent = r->parent,
                          .kind = (enum cc_scope_kind)r->kind,
                          .region = r->region,
                          .name = text(im, 0, r->name_size),
                          .file = or_null(file),
                          .line = or_null(file) ? r->line : 0,
                          .calls = r->calls,
                          .exclusive = r->exclusive};
    bool sound = r->id == im->p.nscopes && file && (r->id == 0) == (r->parent == CC_NONE);
    return sound ? keep(im, CC_P_scope, &s) : bad(im, "scope");
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
    const char *texts[4];
    uint64_t at = 0;
    for (int i = 0; i < 4; at += sizes[i++]) {
        texts[i] = text(im, at, sizes[i]);
        if (!texts[i])
            return bad(im, "problem");
    }
    const char *file = texts[1];
    CC_CLEANUP(cc_free_ptr) char *sentence = problem_text(r, texts[0], texts[2], texts[3]);
    struct cc_pproblem p = {.kind = (enum cc_problem)r->kind,
                            .text = sentence,
                            .file = or_null(file),
                            .line = *file ? r->line : 0,
                            .count = r->count};
    int rc = put(im, CC_P_problem, &p);
    if (rc == 0 && im->problems)
        tell_problem(im->problems, sentence, file, r->line, r->count);
    return rc;
}

static int take_item(struct import *im)
{
    enum cc_ptable_id id = cc_stream_of((enum cc_rec_tag)im->in.head.tag);
    size_t padded = (im->in.head.size + 7u) & ~(size_t)7; /* the buffer is larger */
    memset(im->in.body + im->in.head.size, 0, padded - im->in.head.size);
    size_t *n = cc_ptable_count(&im->p, id);
    if (cc_item_size(id, &im->p, im->in.body, *n, padded) != padded)
        return bad(im, cc_ptables[id].name);
    ++*n;
    cc_writer_items(&im->out, id, im->in.body, padded);
    return im->out.rc;
}

/* The profile keeps the code, and of its instructions what lines of source they are. */
static int take_block(struct import *im)
{
    const struct cc_rec_block *r = (const void *)im->in.body;
    size_t code = sizeof *r + r->size, insns = (size_t)r->instructions * sizeof(struct cc_rec_insn);
    if (code + insns != im->in.head.size || !cc_row_fits(CC_P_blocks, &im->p, r, im->p.nblocks))
        return bad(im, "block");
    im->p.nblocks++;
    cc_lines_take(&im->lines, r, im->in.body + code, &im->p, &im->out);
    size_t padded = (code + 7u) & ~(size_t)7; /* the buffer is larger */
    memset(im->in.body + code, 0, padded - code);
    cc_writer_items(&im->out, CC_P_blocks, im->in.body, padded);
    return im->out.rc;
}

static int take_object(struct import *im)
{
    return cc_objects_take(&im->objects, &im->in, &im->p) ? 0 : bad(im, "a data object");
}

static int take_loop(struct import *im)
{
    struct cc_ploop l;
    const struct cc_rec_loop *r = (const void *)im->in.body;
    if (r->id != im->p.nloops || !cc_loop_take(&im->loops, r, &im->p, &l))
        return bad(im, "loop");
    if (!cc_row_fits(CC_P_loop, &im->p, &l, r->id))
        return bad(im, "loop");
    cc_writer_row(&im->out, CC_P_loop, &l, r->id);
    return im->out.rc < 0 ? im->out.rc : keep(im, CC_P_loop, &l); /* tasks are named after them */
}

static int take_loop_node(struct import *im)
{
    const struct cc_rec_loop_node *r = (const void *)im->in.body;
    struct cc_ploop_node n = {.parent = r->parent,
                              .loop = r->loop,
                              .invocations = r->invocations,
                              .iterations = r->iterations,
                              .instructions = r->instructions};
    return r->id == im->p.nloop_nodes ? put(im, CC_P_loop_node, &n) : bad(im, "loop node");
}

static int take_dependence(struct import *im)
{
    struct cc_pdependence d;
    cc_dependence_take(&im->loops, (const void *)im->in.body, &im->p, &d);
    return put(im, CC_P_dependence, &d);
}

static int take_allocation(struct import *im)
{
    return cc_allocation_take(&im->loops, (const void *)im->in.body) ? 0
                                                                     : bad(im, "allocations out of order");
}

static int take_sibling(struct import *im)
{
    struct cc_psibling s;
    return cc_sibling_take(&im->loops, (const void *)im->in.body, &im->p, &s) ? put(im, CC_P_sibling, &s) : 0;
}

static int take_loop_code(struct import *im)
{
    cc_call_take(&im->loops, (void *)im->in.body, &im->p);
    return take_item(im);
}

static int take_run(struct import *im)
{
    memcpy(&im->run, im->in.body, sizeof im->run);
    const struct cc_rec_run *r = &im->run;
    return fits(r->instructions) && fits(r->call_threshold) && fits(r->slice_length) ? 0 : bad(im, "the run");
}

static int take_records(struct import *im)
{
    static int (*const take[])(struct import *) = {
        [CC_REC_RUN] = take_run,
        [CC_REC_BINARY] = take_binary,
        [CC_REC_FUNCTION] = take_function,
        [CC_REC_THREAD] = take_thread,
        [CC_REC_CONTEXT] = take_context,
        [CC_REC_SOURCE] = take_source,
        [CC_REC_NODE] = take_node,
        [CC_REC_EDGE] = take_edge,
        [CC_REC_CALL] = take_call,
        [CC_REC_REGION] = take_region,
        [CC_REC_SCOPE] = take_scope,
        [CC_REC_SPAN] = take_item,
        [CC_REC_FRAME] = take_item,
        [CC_REC_FRAME_PART] = take_item,
        [CC_REC_FLOW] = take_item,
        [CC_REC_PROBLEM] = take_problem,
        [CC_REC_SLICE] = take_item,
        [CC_REC_BLOCK] = take_block,
        [CC_REC_EXEC] = take_item,
        [CC_REC_CHANNEL] = take_item,
        [CC_REC_OBJECT] = take_object,
        [CC_REC_OBJECT_SITE] = take_object,
        [CC_REC_OBJECT_ACCESS] = take_object,
        [CC_REC_OBJECT_SLOT] = take_object,
        [CC_REC_LOOP] = take_loop,
        [CC_REC_LOOP_NODE] = take_loop_node,
        [CC_REC_LOOP_BLOCK] = take_item,
        [CC_REC_DEPENDENCE] = take_dependence,
        [CC_REC_SIBLING] = take_sibling,
        [CC_REC_ALLOCATION] = take_allocation,
        [CC_REC_LOOP_CODE] = take_loop_code,
        [CC_REC_LOCALITY] = take_item,
        [CC_REC_REUSE] = take_item,
    };
    int rc;
    while ((rc = cc_records_next(&im->in, im->err)) > 0) {
        bool first = im->in.read == 1;
        rc = first == (im->in.head.tag == CC_REC_RUN) ? take[im->in.head.tag](im)
                                                      : bad(im, "the run is not first");
        if (rc < 0)
            return rc;
    }
    return rc;
}

/* --- what needs all records --- */

/* Inclusive = own plus that of all children; a child's id is greater than its parent's. */
static int sum_contexts(struct import *im)
{
    for (size_t i = im->p.ncontexts; i-- > 0;) {
        const struct cc_pcontext *x = &im->p.contexts[i];
        if (x->parent != CC_NONE && !add(&im->p.contexts[x->parent].inclusive, x->inclusive))
            return bad(im, "counts that overflow");
    }
    return 0;
}

/* Every thread runs under function 0, which the collector counts on no stack. */
static int sum_runtime(struct import *im)
{
    if (im->p.nfunctions == 0)
        return 0;
    struct cc_pfunction *runtime = &im->p.functions[0];
    runtime->calls = runtime->inclusive = 0;
    for (size_t i = 0; i < im->p.ncontexts; i++) {
        const struct cc_pcontext *x = &im->p.contexts[i];
        if (x->parent == CC_NONE && x->function == 0 &&
            (!add(&runtime->calls, x->calls) || !add(&runtime->inclusive, x->inclusive)))
            return bad(im, "counts that overflow");
    }
    return 0;
}

static void name_functions(struct import *im)
{
    for (size_t i = 0; i < im->p.nfunctions; i++) {
        struct cc_pfunction *f = &im->p.functions[i];
        struct cc_symbol_info info = {.name = i == 0 ? CC_RUNTIME_NAME : "?"};
        if (i != 0 && f->binary != CC_NONE)
            cc_symbols_find(im->symbols, im->p.binaries[f->binary].path, f->offset, &info);
        f->name = info.name;
        f->symbol = info.symbol;
        f->file = info.file;
        f->line = info.line;
    }
}

static void put_calls(struct import *im)
{
    if (im->p.ncalls)
        qsort(im->p.calls, im->p.ncalls, sizeof *im->p.calls, cc_profile_call_order);
    for (size_t i = 0; i < im->p.ncalls; i++)
        cc_writer_items(&im->out, CC_P_calls, &im->p.calls[i], sizeof *im->p.calls);
}

static int put_edges(struct import *im)
{
    struct cc_profile *p = &im->p;
    for (size_t i = 0; i < p->nall_edges; i++)
        if (!cc_row_fits(CC_P_edge, p, &p->all_edges[i], 0)) /* wherever it will be */
            return bad(im, "edge");
    const struct cc_pedge **sorted = cc_edges_sorted(p->all_edges, p->nall_edges);
    for (size_t i = 0; i < p->nall_edges; i++) {
        __builtin_prefetch(sorted[i + 8 < p->nall_edges ? i + 8 : i]); /* they are all over memory */
        cc_writer_row(&im->out, CC_P_edge, sorted[i], i);
    }
    free(sorted);
    return 0;
}

static void put_facts(struct import *im, const struct cc_import_run *run)
{
    static const char *const libs[] = {"auto", "caller", "node"};        /* enum cc_libs */
    static const char *const loops[] = {"none", "count", "dependences"}; /* enum cc_loops */
    struct cc_profile *p = &im->p;
    const uint32_t flags = im->run.flags;
    const struct cc_isa *isa = cc_isa_of_machine(im->run.machine);
    p->program = run->program;
    p->engine = run->engine;
    p->isa = isa ? isa->name : NULL;
    p->libs = im->run.libs < CC_COUNT(libs) ? libs[im->run.libs] : NULL;
    p->complete = run->complete && (flags & CC_RUN_FINAL);
    p->reason =
        p->complete           ? NULL
        : run->reason         ? run->reason
        : flags & CC_RUN_EXEC ? "the program replaced itself by another (exec)"
        : run->exit_code >= 0
            ? "the last snapshot could not be written; what the program did after the one before is lost"
            : "the program did not end by itself; what it did after the last snapshot is lost";
    if (run->left)
        *run->left = (struct cc_import_left){.replaced = !p->complete && flags & CC_RUN_EXEC,
                                             .forked = flags & CC_RUN_FORKED};
    p->exit_code = run->exit_code;
    p->exit_signal = run->exit_signal;
    p->pid = im->run.pid;
    p->instructions = im->run.instructions;
    p->call_threshold = im->run.call_threshold;
    p->slice_length = im->run.slice_length;
    p->approximate = flags & CC_RUN_APPROXIMATE;
    p->forked = flags & CC_RUN_FORKED;
    p->frames_cut = flags & CC_RUN_FRAMES_CUT;
    p->blocks_cut = flags & CC_RUN_BLOCKS_CUT;
    p->plain = flags & CC_RUN_PLAIN;
    p->has_objects = im->objects.groups.n != 0;
    p->loops_known =
        im->run.loops == CC_LOOPS_NONE || im->run.loops >= CC_COUNT(loops) ? NULL : loops[im->run.loops];
    p->loop_code_cut = flags & CC_RUN_CODE_CUT;
    p->loops_exact = p->loops_known && (flags & CC_RUN_LOOPS_EXACT);
    p->lines_shift = im->run.lines_shift;
    p->lines_cut = flags & CC_RUN_LINES_CUT;
    p->objects_cut = p->has_objects && (flags & CC_RUN_OBJECTS_CUT);
    p->objects_whole = p->has_objects && (flags & CC_RUN_REGISTERS);
    cc_writer_facts(&im->out, p);
    for (size_t i = 0; i < run->narguments; i++) {
        char key[40];
        snprintf(key, sizeof key, "argument.%zu", i);
        cc_writer_fact(&im->out, key, run->arguments[i]);
    }
}

static void put_channels(struct import *im, const struct cc_channel_names *c)
{
    for (size_t i = 0; c && i < c->n; i++) {
        char key[40];
        snprintf(key, sizeof key, "channel.%zu.from", i);
        cc_writer_fact(&im->out, key, c->from[i]);
        snprintf(key, sizeof key, "channel.%zu.to", i);
        cc_writer_fact(&im->out, key, c->to[i]);
    }
}

static int put_tasks(struct import *im, const struct cc_import_run *run)
{
    if (!run->tasks)
        return 0;
    const char *incomplete = im->p.complete ? NULL : run->reason ? run->reason : "the run was cut short";
    return cc_task_events_import(
        &(struct cc_task_events){run->tasks, im->out.store, &im->p, &im->lines, incomplete}, im->err);
}

/* --- the whole --- */

static int import_records(struct import *im, const char *path)
{
    int rc = cc_records_open(&im->in, path, im->err);
    if (rc == 0)
        rc = take_records(im);
    if (rc == 0)
        rc = sum_contexts(im);
    if (rc == 0)
        rc = sum_runtime(im);
    return rc;
}

static int import_file(struct import *im, const char *path, const struct cc_import_run *run)
{
    static const enum cc_ptable_id kept[] = {CC_P_binary, CC_P_function, CC_P_thread, CC_P_context,
                                             CC_P_scope};
    int rc = import_records(im, path);
    if (rc == 0) {
        name_functions(im);
        for (size_t i = 0; i < CC_COUNT(kept); i++)
            put_kept(im, kept[i]);
        put_calls(im);
        cc_lines_put(&im->lines, &im->p, &im->out);
        put_facts(im, run);
        put_channels(im, run->channels);
        rc = put_edges(im);
    }
    if (rc == 0)
        rc = cc_objects_put(&im->objects, &im->p, im->symbols, &im->out);
    if (rc == 0)
        rc = put_tasks(im, run);
    cc_records_close(&im->in);
    return rc;
}

static void import_fini(struct import *im)
{
    free(im->p.binaries);
    free(im->p.functions);
    free(im->p.threads);
    free(im->p.contexts);
    free(im->p.scopes);
    free(im->p.calls);
    free(im->p.all_edges);
    free(im->p.loops);
    cc_objects_import_fini(&im->objects);
    cc_loops_import_fini(&im->loops);
    cc_lines_import_fini(&im->lines);
    cc_symbols_free(im->symbols);
    cc_arena_fini(&im->p.arena);
}

/* The one of the run's end is the newest, whatever it counted. */
static bool is_newer(const struct cc_rec_run *run, const struct cc_rec_run *than)
{
    bool final = run->flags & CC_RUN_FINAL, than_final = than->flags & CC_RUN_FINAL;
    return final != than_final ? final : run->instructions >= than->instructions;
}

/* The file that says to be the newest. */
static size_t newest_by_word(const char *const *files, size_t n)
{
    size_t best = 0;
    struct cc_rec_run run, best_run = {0};
    for (size_t i = 0; i < n; i++)
        if (cc_records_run(files[i], &run) && is_newer(&run, &best_run)) {
            best = i;
            best_run = run;
        }
    return best;
}

/* The index of the newest whole snapshot, or negative with the first file's error. Files may be large: one
 * that says to be older than one that is whole is not gone through. */
static int newest(const char *const *files, size_t n, struct cc_err *err)
{
    int best = -1;
    struct cc_rec_run run, best_run = {0};
    for (size_t k = 0, start = newest_by_word(files, n); k < n; k++) {
        size_t i = (start + k) % n;
        if (best >= 0 && !(cc_records_run(files[i], &run) && is_newer(&run, &best_run)))
            continue;
        if (cc_records_check(files[i], &run, NULL) == 0 && (best < 0 || is_newer(&run, &best_run))) {
            best = (int)i;
            best_run = run;
        }
    }
    return best < 0 ? cc_records_check(files[0], &run, err) : best;
}

int cc_import(const char *const *record_files, size_t n, const struct cc_import_run *run,
              const char *out_path, struct cc_err *err)
{
    if (n == 0)
        return cc_err_set(err, CC_EBUG, "no record file to import");
    int chosen = newest(record_files, n, err);
    if (chosen < 0)
        return chosen;
    struct cc_store *store;
    int rc = cc_store_create(out_path, &store, err);
    if (rc < 0)
        return rc;
    if (run->skip_sync)
        cc_store_skip_sync(store);
    struct import im = {.err = err, .problems = run->problems, .symbols = cc_symbols_new()};
    cc_lines_import_init(&im.lines, im.symbols);
    cc_loops_import_init(&im.loops, &im.lines, im.symbols);
    cc_writer_init(&im.out, store, err);
    rc = import_file(&im, record_files[chosen], run);
    int written = cc_writer_finish(&im.out);
    if (rc == 0 && written == 0)
        rc = cc_store_commit(store, err);
    else
        cc_store_free(store);
    import_fini(&im);
    return rc < 0 ? rc : written;
}
