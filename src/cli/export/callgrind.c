/* The Callgrind profile format, version 1: https://valgrind.org/docs/manual/cl-format.html. A function's own
 * cost is given by line of source, calls at the line of its definition, as the recording does not tell call
 * sites of a function apart. Loops that are frames are functions that their function, or the loop around,
 * calls; what they call stays the function's, for the same reason. */
#include "export.h"
#include "../../analysis/lines/lines.h"
#include "../../base/map.h"
#include "../../base/text.h"

#include <inttypes.h>

struct cost {
    uint64_t instructions, read, written; /* bytes */
};

struct call { /* summed over the contexts with this caller and callee */
    uint32_t caller, callee;
    uint64_t calls;
    struct cost inclusive;
};

static int by_caller(const void *a, const void *b)
{
    const struct call *x = a, *y = b;
    if (x->caller != y->caller)
        return x->caller < y->caller ? -1 : 1;
    return (x->callee > y->callee) - (x->callee < y->callee);
}

static void add_cost(struct cost *to, const struct cost *x)
{
    to->instructions += x->instructions;
    to->read += x->read;
    to->written += x->written;
}

/* What each context cost, with all it called. A child's id is greater than its parent's. */
static struct cost *context_costs(const struct cc_profile *p)
{
    struct cost *all = cc_alloc_array(p->ncontexts + 1, sizeof *all);
    for (size_t i = 0; i < p->nnodes; i++) {
        const struct cc_pnode *n = &p->nodes[i];
        if (n->kind == CC_NODE_CONTEXT)
            add_cost(&all[n->context], &(struct cost){0, n->bytes_read, n->bytes_written});
    }
    for (size_t i = p->ncontexts; i-- > 0;)
        if (p->contexts[i].parent != CC_NONE)
            add_cost(&all[p->contexts[i].parent], &all[i]);
    for (size_t i = 0; i < p->ncontexts; i++)
        all[i].instructions = p->contexts[i].inclusive;
    return all;
}

static size_t sum_calls(const struct cc_profile *p, struct call **ret)
{
    struct call *calls = cc_alloc_array(p->ncontexts + 1, sizeof *calls);
    CC_CLEANUP(cc_free_ptr) struct cost *costs = context_costs(p);
    size_t n = 0, kept = 0;
    for (size_t i = 0; i < p->ncontexts; i++) {
        const struct cc_pcontext *x = &p->contexts[i];
        if (x->parent != CC_NONE)
            calls[n++] = (struct call){p->contexts[x->parent].function, x->function, x->calls, costs[i]};
    }
    qsort(calls, n, sizeof *calls, by_caller);
    for (size_t i = 0; i < n; i++) {
        if (kept && by_caller(&calls[kept - 1], &calls[i]) == 0) {
            calls[kept - 1].calls += calls[i].calls;
            add_cost(&calls[kept - 1].inclusive, &calls[i].inclusive);
        } else {
            calls[kept++] = calls[i];
        }
    }
    *ret = calls;
    return kept;
}

struct frame { /* a loop of the function at hand */
    uint32_t path;
    size_t first, end; /* its lines */
    struct cost inclusive;
};

struct writer {
    const struct cc_profile *p;
    FILE *out;
    bool *function_known, *binary_known; /* of functions, then of loops */
    struct cc_strmap files;              /* -> 1 + number */
    const struct cc_line_sums *lines;    /* by function; NULL: only instructions are known */
    size_t at;                           /* the next of them */
    const struct cc_loop_own *loops;     /* NULL: they are no frames */
    CC_VEC(struct frame) frames;
    size_t *frame_of; /* by path: 1 + index of frames; 0: none */
};

/* "fn=(7) name"; the number alone from the second time on. */
static void put_name(FILE *out, const char *key, uint32_t id, const char *name, bool *known)
{
    fprintf(out, "%s=(%" PRIu32 ")", key, id + 1);
    if (!*known) {
        fputc(' ', out);
        cc_text_print_safe(out, *name ? name : "???");
    }
    *known = true;
    fputc('\n', out);
}

static void put_file(struct writer *w, const char *key, const char *path)
{
    bool fresh;
    uint64_t *number = cc_strmap_put(&w->files, path ? path : "???", &fresh);
    if (fresh)
        *number = w->files.n;
    bool known = !fresh;
    put_name(w->out, key, (uint32_t)*number - 1, path ? path : "???", &known);
}

static void put_object(struct writer *w, uint32_t function, bool callee)
{
    uint32_t binary = w->p->functions[function].binary;
    if (binary != CC_NONE)
        put_name(w->out, callee ? "cob" : "ob", binary, w->p->binaries[binary].path,
                 &w->binary_known[binary]);
    else
        fprintf(w->out, "%s=???\n", callee ? "cob" : "ob");
}

static void put_function(struct writer *w, uint32_t id, bool callee)
{
    const struct cc_pfunction *f = &w->p->functions[id];
    put_object(w, id, callee);
    put_file(w, callee ? "cfi" : "fl", f->file);
    put_name(w->out, callee ? "cfn" : "fn", id, f->name, &w->function_known[id]);
}

/* A loop of a function. */
static void put_loop(struct writer *w, uint32_t function, uint32_t path, bool callee)
{
    const struct cc_loop_path *x = &w->loops->paths.v[path];
    uint32_t id = (uint32_t)w->p->nfunctions + path;
    struct cc_buf name = {0};
    cc_export_loop_name(x, &name);
    put_object(w, function, callee);
    put_file(w, callee ? "cfi" : "fl", x->file);
    put_name(w->out, callee ? "cfn" : "fn", id, name.s, &w->function_known[id]);
    cc_buf_fini(&name);
}

static void put_cost(struct writer *w, uint32_t line, const struct cost *c)
{
    fprintf(w->out, "%" PRIu32 " %" PRIu64, line, c->instructions);
    if (w->lines)
        fprintf(w->out, " %" PRIu64 " %" PRIu64, c->read, c->written);
    fputc('\n', w->out);
}

/* Code that was inlined from another file, and back. Code without a line stays with the function's file. */
static const char *change_file(struct writer *w, const char *now, const char *own, uint32_t file)
{
    const char *to = file == CC_NONE ? own : w->p->files[file].path;
    if (strcmp(now, to) != 0)
        put_file(w, strcmp(to, own) == 0 ? "fe" : "fi", to);
    return to;
}

static void put_lines(struct writer *w, const char *own, size_t first, size_t end)
{
    const char *now = own;
    for (size_t i = first; i < end; i++) {
        const struct cc_line_sum *x = &w->lines->v[i];
        now = change_file(w, now, own, x->file);
        put_cost(w, x->line, &(struct cost){x->counts.instructions, x->counts.read, x->counts.written});
    }
    change_file(w, now, own, CC_NONE);
}

/* What the lines do not have, if more code ran than is kept, is put where the function is defined. */
static void put_own(struct writer *w, uint32_t function)
{
    const struct cc_pfunction *f = &w->p->functions[function];
    uint64_t sum = 0;
    size_t first = w->at, end = w->at, rest;
    for (; w->lines && end < w->lines->n && w->lines->v[end].function == function; end++)
        sum += w->lines->v[end].counts.instructions;
    for (rest = end; rest > first && w->lines->v[rest - 1].part == CC_NONE;)
        rest--;
    if (sum < f->exclusive || rest == end)
        put_cost(w, f->line, &(struct cost){f->exclusive - CC_MIN(sum, f->exclusive), 0, 0});
    put_lines(w, f->file ? f->file : "???", rest, end);
    w->at = end;
}

/* --- loops --- */

static struct frame *frame(struct writer *w, uint32_t path)
{
    if (!w->frame_of[path]) {
        CC_VEC_PUSH(&w->frames, ((struct frame){.path = path}));
        w->frame_of[path] = w->frames.n;
    }
    return &w->frames.v[w->frame_of[path] - 1];
}

static int inner_first(const void *a, const void *b)
{
    const struct frame *x = a, *y = b;
    return (x->path < y->path) - (x->path > y->path);
}

/* The loops of the function whose lines come next, and those around them. */
static void find_frames(struct writer *w, uint32_t function)
{
    for (size_t i = w->at; i < w->lines->n && w->lines->v[i].function == function; i++) {
        const struct cc_line_sum *x = &w->lines->v[i];
        if (x->part == CC_NONE)
            break;
        struct frame *f = frame(w, x->part);
        f->first = f->end ? f->first : i;
        f->end = i + 1;
        add_cost(&f->inclusive, &(struct cost){x->counts.instructions, x->counts.read, x->counts.written});
    }
    for (size_t i = 0; i < w->frames.n; i++) { /* it grows */
        uint32_t parent = w->loops->paths.v[w->frames.v[i].path].parent;
        if (parent != CC_NONE)
            frame(w, parent);
    }
    if (w->frames.n)
        qsort(w->frames.v, w->frames.n, sizeof *w->frames.v, inner_first);
    for (size_t i = 0; i < w->frames.n; i++)
        w->frame_of[w->frames.v[i].path] = i + 1;
    for (size_t i = 0; i < w->frames.n; i++) {
        uint32_t parent = w->loops->paths.v[w->frames.v[i].path].parent;
        if (parent != CC_NONE)
            add_cost(&frame(w, parent)->inclusive, &w->frames.v[i].inclusive);
    }
}

static void put_loop_calls(struct writer *w, uint32_t function, uint32_t parent, uint32_t line)
{
    for (size_t i = w->frames.n; i-- > 0;) {
        const struct cc_loop_path *x = &w->loops->paths.v[w->frames.v[i].path];
        if (x->parent != parent)
            continue;
        put_loop(w, function, w->frames.v[i].path, true);
        fprintf(w->out, "calls=%" PRIu64 " %u\n", x->times, x->line);
        put_cost(w, line, &w->frames.v[i].inclusive);
    }
}

static void put_loops(struct writer *w, uint32_t function)
{
    for (size_t i = w->frames.n; i-- > 0;) {
        const struct frame *f = &w->frames.v[i];
        const struct cc_loop_path *x = &w->loops->paths.v[f->path];
        fputc('\n', w->out);
        put_loop(w, function, f->path, false);
        put_lines(w, x->file ? x->file : "???", f->first, f->end);
        put_loop_calls(w, function, f->path, x->line);
        w->frame_of[f->path] = 0;
    }
    w->frames.n = 0;
}

static void put_head(struct writer *w, const struct cost *total)
{
    const struct cc_profile *p = w->p;
    fputs("# callgrind format\nversion: 1\ncreator: corecast\ncmd: ", w->out);
    cc_text_print_safe(w->out, p->program ? p->program : "?");
    for (size_t i = 0; i < p->narguments; i++) {
        fputc(' ', w->out);
        cc_text_print_safe(w->out, p->arguments[i]);
    }
    fputs("\npart: 1\npositions: line\nevent: Ir : Instructions\n", w->out);
    if (w->lines)
        fputs("event: DrBytes : Bytes read\nevent: DwBytes : Bytes written\n", w->out);
    fprintf(w->out, "events: Ir%s\nsummary:", w->lines ? " DrBytes DwBytes" : "");
    fprintf(w->out, " %" PRIu64, total->instructions);
    if (w->lines)
        fprintf(w->out, " %" PRIu64 " %" PRIu64, total->read, total->written);
    fputc('\n', w->out);
}

static void put_all(struct writer *w)
{
    const struct cc_profile *p = w->p;
    struct call *calls;
    size_t n = sum_calls(p, &calls), at = 0;
    struct cost total = {p->instructions, w->lines ? w->lines->total.read : 0,
                         w->lines ? w->lines->total.written : 0};
    put_head(w, &total);
    for (uint32_t i = 0; i < p->nfunctions; i++) {
        fputc('\n', w->out);
        if (w->loops)
            find_frames(w, i);
        put_function(w, i, false);
        put_own(w, i);
        put_loop_calls(w, i, CC_NONE, p->functions[i].line);
        for (; at < n && calls[at].caller == i; at++) {
            put_function(w, calls[at].callee, true);
            fprintf(w->out, "calls=%" PRIu64 " %u\n", calls[at].calls, p->functions[calls[at].callee].line);
            put_cost(w, p->functions[i].line, &calls[at].inclusive);
        }
        put_loops(w, i);
    }
    fprintf(w->out, "\ntotals: %" PRIu64, total.instructions);
    if (w->lines)
        fprintf(w->out, " %" PRIu64 " %" PRIu64, total.read, total.written);
    fputc('\n', w->out);
    free(calls);
}

int cc_export_callgrind(const struct cc_export_request *rq, struct cc_err *err)
{
    const struct cc_profile *p = rq->p;
    if (p->nfunctions == 0)
        return cc_err_at(err, CC_EINPUT, p->path, 0, "the profile has no functions");
    size_t paths = rq->loops ? rq->loops->paths.n : 0;
    CC_CLEANUP(cc_free_ptr)
    bool *known = cc_alloc_array(p->nfunctions + paths + p->nbinaries + 1, sizeof *known);
    CC_CLEANUP(cc_free_ptr) size_t *frame_of = cc_alloc_array(paths + 1, sizeof *frame_of);
    struct writer w = {.p = p,
                       .out = rq->out,
                       .function_known = known,
                       .binary_known = known + p->nfunctions + paths,
                       .loops = rq->loops,
                       .frame_of = frame_of};
    struct cc_line_sums *lines = NULL;
    int rc = p->nlines && !rq->loops
                 ? cc_line_sums(p, &(struct cc_line_request){.by_function = true}, &lines, err)
                 : 0;
    w.lines = rq->loops ? rq->loops->lines : lines;
    if (rc == 0)
        put_all(&w);
    cc_line_sums_free(lines);
    cc_strmap_fini(&w.files);
    CC_VEC_FINI(&w.frames);
    return rc;
}
