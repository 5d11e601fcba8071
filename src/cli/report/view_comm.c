#include "view.h"
#include "../../draw/graph.h"
#include "../../draw/timeline.h"
#include "../../analysis/comm/comm.h"
#include "../../analysis/objects/objects.h"

static const char *by_name(const struct cc_comm *c)
{
    return c->objects ? "object" : cc_level_names[c->by];
}

static void json_edge(struct cc_json *j, const struct cc_comm *c, const struct cc_comm_edge *e)
{
    cc_json_obj(j, NULL);
    cc_json_str(j, "from", c->nodes[e->from].name);
    cc_json_str(j, "to", c->nodes[e->to].name);
    cc_json_u64(j, "bytes", e->bytes);
    if (e->has_unma)
        cc_json_u64(j, "unma", e->unma);
    else
        cc_json_null(j, "unma");
    if (e->has_reads) {
        cc_json_u64(j, "reads", e->reads);
        cc_json_u64(j, "fresh", e->fresh);
    } else {
        cc_json_null(j, "reads");
        cc_json_null(j, "fresh");
    }
    cc_json_bool(j, "critical", e->critical);
    if (c->nodes[e->from].kind == CC_COMM_INPUT && !c->has_sources) {
        cc_json_null(j, "sources");
    } else if (c->nodes[e->from].kind == CC_COMM_INPUT) {
        cc_json_arr(j, "sources");
        for (size_t i = 0; i < e->nsources; i++) {
            cc_json_obj(j, NULL);
            cc_json_str(j, "call", e->sources[i].call);
            cc_json_str(j, "file", e->sources[i].file);
            cc_json_u64(j, "bytes", e->sources[i].bytes);
            cc_json_end(j);
        }
        cc_json_end(j);
    }
    cc_json_end(j);
}

static void print_json(const struct cc_profile *p, const struct cc_comm *c, FILE *out)
{
    struct cc_json j;
    cc_json_document(&j, out, "corecast.comm", 1);
    cc_json_str(&j, "by", by_name(c));
    if (c->one_frame)
        cc_json_u64(&j, "frame", c->frame);
    cc_json_u64(&j, "bytes", c->total);
    cc_json_u64(&j, "bytes_between", c->between);
    cc_json_bool(&j, "fresh_exact", !p->approximate);
    cc_json_arr(&j, "nodes");
    for (size_t i = 0; i < c->nnodes; i++) {
        cc_json_obj(&j, NULL);
        cc_json_str(&j, "name", c->nodes[i].name);
        cc_json_str(&j, "kind", cc_comm_kind_names[c->nodes[i].kind]);
        if (c->has_instructions)
            cc_json_u64(&j, "instructions", c->nodes[i].instructions);
        else
            cc_json_null(&j, "instructions");
        if (c->nodes[i].kind == CC_COMM_OBJECT) {
            cc_json_u64(&j, "size", c->nodes[i].size);
            cc_json_u64(&j, "peak", c->nodes[i].peak);
        }
        cc_json_end(&j);
    }
    cc_json_end(&j);
    cc_json_arr(&j, "edges");
    for (size_t i = 0; i < c->nedges; i++)
        json_edge(&j, c, &c->edges[i]);
    cc_json_end(&j);
    cc_json_arr(&j, "critical_path");
    for (size_t i = 0; i < c->npath; i++)
        cc_json_str(&j, NULL, c->path[i]);
    cc_json_end(&j);
    cc_json_end(&j);
}

static void print_table(const struct cc_comm *c, FILE *out)
{
    static const struct cc_col cols[] = {
        {"from", "FROM", CC_COL_STR, 0},     {"to", "TO", CC_COL_STR, 0},
        {"bytes", "BYTES", CC_COL_BYTES, 0}, {"share", "SHARE", CC_COL_PERCENT, 1},
        {"unma", "UNMA", CC_COL_COUNT, 0},   {"reads", "READS", CC_COL_COUNT, 0},
        {"fresh", "FRESH", CC_COL_BYTES, 0}, {"note", "", CC_COL_STR, 0},
    };
    struct cc_table *t = cc_table_new(cols, CC_COUNT(cols));
    for (size_t i = 0; i < c->nedges; i++) {
        const struct cc_comm_edge *e = &c->edges[i];
        cc_table_row(t);
        cc_table_str(t, c->nodes[e->from].name);
        cc_table_str(t, c->nodes[e->to].name);
        cc_table_int(t, (int64_t)e->bytes);
        if (e->from == e->to || !c->between)
            cc_table_null(t);
        else
            cc_table_num(t, (double)e->bytes / (double)c->between);
        if (e->has_unma)
            cc_table_int(t, (int64_t)e->unma);
        else
            cc_table_null(t);
        if (e->has_reads) {
            cc_table_int(t, (int64_t)e->reads);
            cc_table_int(t, (int64_t)e->fresh);
        } else {
            cc_table_null(t);
            cc_table_null(t);
        }
        CC_CLEANUP(cc_free_ptr) char *source = NULL;
        if (e->nsources)
            source = cc_asprintf("%s %s%s", e->sources[0].call, e->sources[0].file ? e->sources[0].file : "",
                                 e->nsources > 1 ? ", …" : "");
        cc_table_str(t, source ? source : e->from == e->to ? "self" : e->critical ? "critical path" : "");
    }
    cc_table_print_text(t, out);
    cc_table_free(t);
}

static void print_text(const struct cc_profile *p, const struct cc_comm *c, FILE *out)
{
    char a[24], b[24];
    cc_view_caveats(p, out);
    char frame[32] = "all";
    if (c->one_frame)
        snprintf(frame, sizeof frame, "frame %u", c->frame);
    if (c->objects)
        fprintf(out, "%s written to and read from data objects; shares are of that\n\n",
                cc_human_bytes((double)c->total, a));
    else
        fprintf(out, "%s read in %s, %s of it from another %s; shares are of the latter\n\n",
                cc_human_bytes((double)c->total, a), frame, cc_human_bytes((double)c->between, b),
                by_name(c));
    print_table(c, out);
    if (c->npath > 1) {
        fputs("\ncritical data path: ", out);
        for (size_t i = 0; i < c->npath; i++) {
            cc_text_print_safe(out, c->path[i]);
            if (i + 1 < c->npath)
                fprintf(out, " -(%s)-> ", cc_human_bytes((double)c->path_bytes[i], a));
        }
        fputc('\n', out);
    }
    if (c->hidden)
        fprintf(out, "\n%zu more stream%s with %s; --min-share 0 shows all\n", c->hidden,
                c->hidden == 1 ? "" : "s", cc_human_bytes((double)c->hidden_bytes, a));
    fputs("\nbytes: every read counts; unma: distinct addresses; fresh: values read for the first time\n",
          out);
}

static int check_regions(const struct cc_profile *p, struct cc_err *err)
{
    if (p->nregions > 1 || p->nnodes == 0)
        return 0;
    int rc = cc_err_at(err, CC_EINPUT, p->path, 0, "the program marked no regions");
    cc_err_hint(err,
                "put CC_REGION_BEGIN(\"name\") and CC_REGION_END(\"name\") of corecast/mark.h around its "
                "parts; see docs/guide/marks.md");
    return rc;
}

int cc_view_comm(const struct cc_view_request *rq, struct cc_err *err)
{
    struct cc_filter filter = cc_view_filter(rq, 40, 0.01);
    struct cc_comm *c;
    int rc = rq->by == CC_LEVEL_REGION ? check_regions(rq->p, err) : 0;
    if (rc == 0 && rq->by_object)
        rc = cc_objects_comm(rq->p, &filter, &c, err);
    else if (rc == 0)
        rc = cc_comm_build(rq->p, rq->by, &filter, &c, err);
    if (rc < 0)
        return rc;
    if (rq->out && rq->json)
        print_json(rq->p, c, rq->out);
    else if (rq->out)
        print_text(rq->p, c, rq->out);
    bool timed = rq->by == CC_LEVEL_CONTEXT || rq->by == CC_LEVEL_REGION;
    bool timeline = rq->style == CC_STYLE_TIMELINE || (rq->style == CC_STYLE_AUTO && timed);
    timeline &= !rq->by_object;
    if (rq->svg && timeline && !timed) { /* arrows go between calls */
        cc_comm_free(c);
        rc = cc_comm_build(rq->p, CC_LEVEL_CONTEXT, &filter, &c, err);
        if (rc < 0)
            return rc;
    }
    if (rq->svg)
        rc = timeline ? cc_draw_timeline(rq->p, c, rq->svg, err) : cc_draw_graph(c, rq->svg, err);
    cc_comm_free(c);
    return rc;
}
