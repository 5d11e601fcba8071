/* The Callgrind profile format, version 1: https://valgrind.org/docs/manual/cl-format.html. Lines are those
 * of the functions' definitions, as the recording does not tell instructions of a function apart. */
#include "export.h"
#include "../../base/text.h"

#include <inttypes.h>

struct call { /* summed over the contexts with this caller and callee */
    uint32_t caller, callee;
    uint64_t calls, inclusive;
};

static int by_caller(const void *a, const void *b)
{
    const struct call *x = a, *y = b;
    if (x->caller != y->caller)
        return x->caller < y->caller ? -1 : 1;
    return (x->callee > y->callee) - (x->callee < y->callee);
}

static size_t sum_calls(const struct cc_profile *p, struct call **ret)
{
    struct call *calls = cc_alloc_array(p->ncontexts + 1, sizeof *calls);
    size_t n = 0, kept = 0;
    for (size_t i = 0; i < p->ncontexts; i++) {
        const struct cc_pcontext *x = &p->contexts[i];
        if (x->parent != CC_NONE)
            calls[n++] = (struct call){p->contexts[x->parent].function, x->function, x->calls, x->inclusive};
    }
    qsort(calls, n, sizeof *calls, by_caller);
    for (size_t i = 0; i < n; i++) {
        if (kept && by_caller(&calls[kept - 1], &calls[i]) == 0) {
            calls[kept - 1].calls += calls[i].calls;
            calls[kept - 1].inclusive += calls[i].inclusive;
        } else {
            calls[kept++] = calls[i];
        }
    }
    *ret = calls;
    return kept;
}

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

struct writer {
    const struct cc_profile *p;
    FILE *out;
    bool *function_known, *binary_known, *file_known;
    uint32_t *file; /* by function: the first function with the same file */
};

static int by_file(const void *a, const void *b, void *arg)
{
    const struct cc_pfunction *f = arg;
    const char *x = f[*(const uint32_t *)a].file, *y = f[*(const uint32_t *)b].file;
    int order = strcmp(x ? x : "", y ? y : "");
    return order ? order
                 : (*(const uint32_t *)a > *(const uint32_t *)b) -
                       (*(const uint32_t *)a < *(const uint32_t *)b);
}

static void number_files(struct writer *w)
{
    size_t n = w->p->nfunctions;
    CC_CLEANUP(cc_free_ptr) uint32_t *order = cc_alloc_array(n + 1, sizeof *order);
    for (uint32_t i = 0; i < n; i++)
        order[i] = i;
    qsort_r(order, n, sizeof *order, by_file, w->p->functions);
    for (size_t i = 0; i < n; i++) {
        const char *file = w->p->functions[order[i]].file,
                   *last = i ? w->p->functions[order[i - 1]].file : NULL;
        bool same = i && strcmp(file ? file : "", last ? last : "") == 0;
        w->file[order[i]] = same ? w->file[order[i - 1]] : order[i];
    }
}

static void put_function(struct writer *w, uint32_t id, bool callee)
{
    const struct cc_pfunction *f = &w->p->functions[id];
    if (f->binary != CC_NONE)
        put_name(w->out, callee ? "cob" : "ob", f->binary, w->p->binaries[f->binary].path,
                 &w->binary_known[f->binary]);
    else
        fprintf(w->out, "%s=???\n", callee ? "cob" : "ob");
    put_name(w->out, callee ? "cfi" : "fl", w->file[id], f->file ? f->file : "???",
             &w->file_known[w->file[id]]);
    put_name(w->out, callee ? "cfn" : "fn", id, f->name, &w->function_known[id]);
}

int cc_export_callgrind(const struct cc_export_request *rq, struct cc_err *err)
{
    const struct cc_profile *p = rq->p;
    if (p->nfunctions == 0)
        return cc_err_at(err, CC_EINPUT, p->path, 0, "the profile has no functions");
    struct call *calls;
    size_t n = sum_calls(p, &calls), at = 0;
    CC_CLEANUP(cc_free_ptr) bool *known = cc_alloc_array(p->nfunctions * 2 + p->nbinaries + 1, sizeof *known);
    CC_CLEANUP(cc_free_ptr) uint32_t *file = cc_alloc_array(p->nfunctions, sizeof *file);
    struct writer w = {p, rq->out, known, known + 2 * p->nfunctions, known + p->nfunctions, file};
    number_files(&w);
    fputs("# callgrind format\nversion: 1\ncreator: corecast\ncmd: ", rq->out);
    cc_text_print_safe(rq->out, p->program ? p->program : "?");
    for (size_t i = 0; i < p->narguments; i++) {
        fputc(' ', rq->out);
        cc_text_print_safe(rq->out, p->arguments[i]);
    }
    fprintf(rq->out, "\npart: 1\npositions: line\nevents: Ir\nsummary: %" PRIu64 "\n", p->instructions);
    for (uint32_t i = 0; i < p->nfunctions; i++) {
        fputc('\n', rq->out);
        put_function(&w, i, false);
        fprintf(rq->out, "%u %" PRIu64 "\n", p->functions[i].line, p->functions[i].exclusive);
        for (; at < n && calls[at].caller == i; at++) {
            put_function(&w, calls[at].callee, true);
            fprintf(rq->out, "calls=%" PRIu64 " %u\n%u %" PRIu64 "\n", calls[at].calls,
                    p->functions[calls[at].callee].line, p->functions[i].line, calls[at].inclusive);
        }
    }
    fprintf(rq->out, "\ntotals: %" PRIu64 "\n", p->instructions);
    free(calls);
    return 0;
}
