/* The file format of speedscope (https://www.speedscope.app/file-format-schema.json): for each thread the
 * call tree as weighted stacks, and where there is one the time line as open and close events. */
#include "export.h"
#include "../../analysis/calltree/calltree.h"
#include "../../base/json.h"

static void put_frame(struct cc_json *j, const char *name, const char *file, unsigned line)
{
    cc_json_obj(j, NULL);
    cc_json_str(j, "name", name);
    if (file)
        cc_json_str(j, "file", file);
    if (line)
        cc_json_u64(j, "line", line);
    cc_json_end(j);
}

/* Functions, then loops. */
static void put_frames(struct cc_json *j, const struct cc_export_request *rq)
{
    const struct cc_profile *p = rq->p;
    cc_json_obj(j, "shared");
    cc_json_arr(j, "frames");
    for (size_t i = 0; i < p->nfunctions; i++)
        put_frame(j, p->functions[i].name, p->functions[i].file, p->functions[i].line);
    for (size_t i = 0; rq->loops && i < rq->loops->paths.n; i++) {
        const struct cc_loop_path *x = &rq->loops->paths.v[i];
        struct cc_buf name = {0};
        cc_export_loop_name(x, &name);
        put_frame(j, name.s, x->file, x->line);
        cc_buf_fini(&name);
    }
    cc_json_end(j);
    cc_json_end(j);
}

static void begin_profile(struct cc_json *j, const char *type, const char *what, uint32_t thread,
                          uint64_t end)
{
    char name[64];
    snprintf(name, sizeof name, "thread %u: %s", thread + 1, what);
    cc_json_obj(j, NULL);
    cc_json_str(j, "type", type);
    cc_json_str(j, "name", name);
    cc_json_str(j, "unit", "none"); /* instructions */
    cc_json_u64(j, "startValue", 0);
    cc_json_u64(j, "endValue", end);
}

static void put_stack(struct cc_json *j, const struct cc_export_request *rq, const struct cc_loop_share *x)
{
    const struct cc_profile *p = rq->p;
    CC_VEC(size_t) path = {0};
    for (uint32_t at = x->path; at != CC_NONE; at = rq->loops->paths.v[at].parent)
        CC_VEC_PUSH(&path, p->nfunctions + at);
    for (uint32_t at = x->context; at != CC_NONE; at = p->contexts[at].parent)
        CC_VEC_PUSH(&path, p->contexts[at].function);
    cc_json_arr(j, NULL);
    for (size_t i = path.n; i-- > 0;)
        cc_json_u64(j, NULL, path.v[i]);
    cc_json_end(j);
    CC_VEC_FINI(&path);
}

static void put_tree(struct cc_json *j, const struct cc_export_request *rq,
                     const struct cc_loop_share *shares, size_t n, uint32_t thread)
{
    const struct cc_profile *p = rq->p;
    uint64_t total = 0;
    for (size_t i = 0; i < n; i++)
        if (p->contexts[shares[i].context].thread == thread)
            total += shares[i].instructions;
    begin_profile(j, "sampled", "call tree", thread, total);
    cc_json_arr(j, "samples");
    for (size_t i = 0; i < n; i++)
        if (p->contexts[shares[i].context].thread == thread)
            put_stack(j, rq, &shares[i]);
    cc_json_end(j);
    cc_json_arr(j, "weights");
    for (size_t i = 0; i < n; i++)
        if (p->contexts[shares[i].context].thread == thread)
            cc_json_u64(j, NULL, shares[i].instructions);
    cc_json_end(j);
    cc_json_end(j);
}

static void put_trees(struct cc_json *j, const struct cc_export_request *rq)
{
    struct cc_loop_share *shares;
    size_t n = cc_export_shares(rq, &shares);
    for (uint32_t t = 0; t < rq->p->nthreads; t++)
        put_tree(j, rq, shares, n, t);
    free(shares);
}

static void put_event(struct cc_json *j, const char *type, uint64_t at, uint32_t frame)
{
    cc_json_obj(j, NULL);
    cc_json_str(j, "type", type);
    cc_json_u64(j, "at", at);
    cc_json_u64(j, "frame", frame);
    cc_json_end(j);
}

/* Boxes [first, end) of one thread are nested and sorted by start: those that ended are closed before the
 * next opens. */
static void put_time_line(struct cc_json *j, const struct cc_profile *p, const struct cc_timeline_box *boxes,
                          size_t first, size_t end)
{
    uint32_t thread = boxes[first].thread;
    uint64_t base = p->threads[thread].start, last = 0;
    for (size_t i = first; i < end; i++)
        last = CC_MAX(last, boxes[i].start + boxes[i].length - base);
    begin_profile(j, "evented", "time line", thread, last);
    cc_json_arr(j, "events");
    CC_VEC(size_t) open = {0};
    for (size_t i = first; i <= end; i++) {
        while (open.n && (i == end || boxes[i].parent != open.v[open.n - 1])) {
            const struct cc_timeline_box *b = &boxes[open.v[--open.n]];
            put_event(j, "C", b->start + b->length - base, p->contexts[b->context].function);
        }
        if (i == end)
            break;
        put_event(j, "O", boxes[i].start - base, p->contexts[boxes[i].context].function);
        CC_VEC_PUSH(&open, i);
    }
    CC_VEC_FINI(&open);
    cc_json_end(j);
    cc_json_end(j);
}

int cc_export_speedscope(const struct cc_export_request *rq, struct cc_err *err)
{
    const struct cc_profile *p = rq->p;
    if (p->ncontexts == 0)
        return cc_err_at(err, CC_EINPUT, p->path, 0, "the profile has no calls");
    struct cc_json j;
    cc_json_init(&j, rq->out);
    cc_json_obj(&j, NULL);
    cc_json_str(&j, "$schema", "https://www.speedscope.app/file-format-schema.json");
    cc_json_str(&j, "exporter", "corecast " CC_VERSION);
    cc_json_str(&j, "name", p->program ? p->program : "profile");
    cc_json_u64(&j, "activeProfileIndex", 0);
    put_frames(&j, rq);
    cc_json_arr(&j, "profiles");
    put_trees(&j, rq);
    struct cc_timeline_box *boxes;
    size_t n = cc_timeline(p, SIZE_MAX, &boxes);
    for (size_t first = 0, end; first < n; first = end) {
        for (end = first; end < n && boxes[end].thread == boxes[first].thread;)
            end++;
        put_time_line(&j, p, boxes, first, end);
    }
    free(boxes);
    cc_json_end(&j);
    cc_json_end(&j);
    return 0;
}
