/* Every view and every format, in every combination, on a real profile and on ones with extreme figures and
 * names. */
#include "cli/export/export.h"
#include "cli/report/view.h"
#include "fixture.h"
#include "tap.h"

static size_t runs, failed, empty;

static void all_views(const struct cc_profile *p, FILE *out)
{
    for (int v = 0; cc_view_names[v]; v++) {
        if (!p->isa && strcmp(cc_view_names[v], "classes") == 0) /* whose code is it? */
            continue;
        for (int k = 0; k < 3 * CC_LEVELS * 4; k++) {
            struct cc_buf svg = {0};
            struct cc_err err = {0};
            int mode = k % 4; /* text, JSON, drawing, drawing and JSON of a few items */
            struct cc_view_request rq = {.p = p,
                                         .by = (enum cc_level)(k / 4 % CC_LEVELS),
                                         .style = (enum cc_view_style)(k / 4 / CC_LEVELS),
                                         .out = out,
                                         .json = mode & 1,
                                         .filter = {.top = mode == 3 ? 3 : 0},
                                         .top_given = mode == 3,
                                         .svg = cc_views[v].draws && mode > 1 ? &svg : NULL};
            failed += cc_views[v].run(&rq, &err) < 0;
            if (err.msg[0])
                printf("# %s: %s\n", cc_view_names[v], err.msg);
            empty += rq.svg && (!svg.s || !strstr(svg.s, "</svg>"));
            cc_buf_fini(&svg);
            runs++;
        }
    }
}

static void all_exports(const struct cc_profile *p, FILE *out)
{
    for (int x = 0; cc_export_names[x]; x++) {
        for (int k = 0; k < CC_LEVELS * 4; k++) {
            struct cc_err err = {0};
            struct cc_export_request rq = {p, (enum cc_level)(k % CC_LEVELS),
                                           (enum cc_export_table)(k / CC_LEVELS), out};
            long before = ftell(out);
            failed += cc_exports[x].run(&rq, &err) < 0;
            empty += ftell(out) == before;
            runs++;
        }
    }
}

static void try_all(const struct cc_profile *p, const char *what)
{
    runs = failed = empty = 0;
    FILE *out = tmpfile();
    all_views(p, out);
    all_exports(p, out);
    fclose(out);
    OK(failed == 0 && empty == 0, "%s: %zu views and exports, %zu failed, %zu empty", what, runs, failed,
       empty);
}

/* The largest and smallest figures a profile may hold. */
static void set_counts(struct cc_profile *p, uint64_t v)
{
    p->instructions = v;
    for (size_t i = 0; i < p->nfunctions; i++)
        p->functions[i].calls = p->functions[i].inclusive = p->functions[i].exclusive = v;
    for (size_t i = 0; i < p->ncontexts; i++)
        p->contexts[i].calls = p->contexts[i].inclusive = p->contexts[i].exclusive = v;
    for (size_t i = 0; i < p->nthreads; i++)
        p->threads[i].start = p->threads[i].instructions = v;
    for (int l = 0; l < CC_LEVELS; l++) {
        for (size_t i = 0; i < p->nedges[l]; i++) {
            struct cc_pedge *e = &p->edges[l][i];
            e->bytes = e->reads = e->fresh = e->unma = v;
        }
    }
    for (size_t i = 0; i < p->ncalls; i++)
        p->calls[i].length = v / 2;
    for (size_t i = 0; i < p->nregions; i++)
        p->regions[i].calls = p->regions[i].exclusive = p->regions[i].inclusive = v;
    for (size_t i = 0; i < p->nspans; i++)
        p->spans[i].length = v / 2;
    for (size_t i = 0; i < p->nframes; i++)
        p->frames[i].start = p->frames[i].length = v;
    for (size_t i = 0; i < p->nframe_parts; i++)
        p->frame_parts[i].instructions = v;
    for (size_t i = 0; i < p->nflows; i++)
        p->flows[i].bytes = v;
    for (size_t i = 0; i < p->nproblems; i++)
        p->problems[i].count = v;
    for (size_t i = 0; i < p->nnodes; i++) {
        struct cc_pnode *n = &p->nodes[i];
        n->reads = n->writes = n->bytes_read = n->bytes_written = v;
        n->memory_instructions = n->other_instructions = v;
    }
}

int main(void)
{
    struct cc_profile *p = cc_fixture_profile();
    if (!OK(p, "the fixture"))
        return TAP_DONE();
    try_all(p, "the fixture");
    char *name = cc_alloc(7000);
    memset(name, '<', 6999);
    p->functions[1].name = name;
    p->functions[2].name = "\xff\x01\x1b[31m\"'&;|{}\\N%n\n\t\xe2\x80\xae";
    p->functions[3].name = "";
    p->regions[1].name = name;
    p->regions[2].name = p->functions[2].name;
    p->regions[3].name = p->scopes[1].name = p->problems[0].text = "";
    p->program = p->engine = p->isa = NULL;
    p->complete = false;
    try_all(p, "odd names");
    set_counts(p, INT64_MAX);
    try_all(p, "the largest counts");
    set_counts(p, 1);
    try_all(p, "ones");
    cc_profile_free(p);
    free(name);
    return TAP_DONE();
}
