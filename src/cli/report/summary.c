#include "summary.h"

static void count_accesses(const struct cc_profile *p, struct cc_summary *s)
{
    for (size_t i = 0; i < p->nnodes; i++) {
        const struct cc_pnode *n = &p->nodes[i];
        if (n->kind != CC_NODE_CONTEXT)
            continue;
        s->reads += n->reads;
        s->writes += n->writes;
        s->bytes_read += n->bytes_read;
        s->bytes_written += n->bytes_written;
    }
    for (size_t i = 1; i < p->nfunctions; i++)
        s->functions += p->functions[i].calls > 0;
    s->threads = p->nthreads;
    s->regions = p->nregions ? p->nregions - 1 : 0;
    s->frames = p->nframes ? p->nframes - 1 : 0;
    s->edges = p->nedges[CC_LEVEL_FUNCTION];
    s->approximate = p->approximate;
}

static void choose_streams(struct cc_summary *s)
{
    uint64_t bytes = 0, fresh = 0;
    for (size_t i = 0; i < s->streams->nedges; i++) {
        const struct cc_comm_edge *e = &s->streams->edges[i];
        if (e->from == e->to)
            continue;
        bytes += e->bytes;
        fresh += e->fresh;
        if (s->nmain < CC_SUMMARY_TOP)
            s->main_streams[s->nmain++] = i;
    }
    s->reread = bytes ? 1 - (double)fresh / (double)bytes : 0;
}

int cc_summary_build(const struct cc_profile *p, struct cc_summary **ret, struct cc_err *err)
{
    struct cc_summary *s = cc_alloc(sizeof *s);
    struct cc_filter all = {0}, top = {.top = CC_SUMMARY_TOP};
    count_accesses(p, s);
    int rc = cc_functions_list(p, &top, &s->hot, err);
    if (rc == 0 && p->nnodes) {
        rc = cc_comm_build(p, CC_LEVEL_FUNCTION, &all, &s->streams, err);
        if (rc == 0)
            choose_streams(s);
    }
    if (rc == 0 && p->instructions) {
        struct cc_filter one = {.top = 1};
        struct cc_amdahl *a;
        rc = cc_amdahl_table(p, &one, &a, err);
        if (rc == 0) {
            s->hot_limit = a->n ? a->rows[0].limit : 1;
            cc_amdahl_free(a);
        }
    }
    if (rc < 0) {
        cc_summary_free(s);
        return rc;
    }
    *ret = s;
    return 0;
}

void cc_summary_free(struct cc_summary *s)
{
    if (!s)
        return;
    cc_functions_free(s->hot);
    cc_comm_free(s->streams);
    free(s);
}
