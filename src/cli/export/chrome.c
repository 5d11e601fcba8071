/* The time line in the trace event format of Chrome, which Perfetto reads too. One instruction is shown as
 * one microsecond: the format knows no other unit. */
#include "export.h"
#include "../../analysis/calltree/calltree.h"
#include "../../base/json.h"

static void put_meta(struct cc_json *j, const char *what, uint32_t tid, const char *name)
{
    cc_json_obj(j, NULL);
    cc_json_str(j, "name", what);
    cc_json_str(j, "ph", "M");
    cc_json_u64(j, "pid", 1);
    cc_json_u64(j, "tid", tid);
    cc_json_obj(j, "args");
    cc_json_str(j, "name", name);
    cc_json_end(j);
    cc_json_end(j);
}

static void put_call(struct cc_json *j, const struct cc_profile *p, const struct cc_timeline_box *b)
{
    const struct cc_pfunction *f = &p->functions[p->contexts[b->context].function];
    cc_json_obj(j, NULL);
    cc_json_str(j, "name", f->name);
    cc_json_str(j, "cat", "call");
    cc_json_str(j, "ph", "X");
    cc_json_u64(j, "ts", b->start);
    cc_json_u64(j, "dur", b->length);
    cc_json_u64(j, "pid", 1);
    cc_json_u64(j, "tid", b->thread + 1); /* engines may use a thread id again */
    cc_json_obj(j, "args");
    cc_json_u64(j, "instructions", b->length);
    if (f->file)
        cc_json_str(j, "file", f->file);
    if (f->line)
        cc_json_u64(j, "line", f->line);
    cc_json_end(j);
    cc_json_end(j);
}

int cc_export_chrome(const struct cc_export_request *rq, struct cc_err *err)
{
    const struct cc_profile *p = rq->p;
    if (p->ncalls == 0) {
        int rc = cc_err_at(err, CC_EINPUT, p->path, 0, "the profile has no time line");
        cc_err_hint(err, "no call lasted %llu instructions", (unsigned long long)p->call_threshold);
        return rc;
    }
    struct cc_timeline_box *boxes;
    size_t n = cc_timeline(p, SIZE_MAX, &boxes);
    struct cc_json j;
    cc_json_init(&j, rq->out);
    cc_json_obj(&j, NULL);
    cc_json_str(&j, "displayTimeUnit", "ms");
    cc_json_obj(&j, "otherData");
    cc_json_str(&j, "unit", "one microsecond is one instruction");
    cc_json_str(&j, "creator", "corecast " CC_VERSION);
    cc_json_end(&j);
    cc_json_arr(&j, "traceEvents");
    put_meta(&j, "process_name", 1, p->program ? p->program : "program");
    for (size_t t = 0; t < p->nthreads; t++) {
        char name[48];
        snprintf(name, sizeof name, "thread %zu (tid %u)", t + 1, p->threads[t].tid);
        put_meta(&j, "thread_name", (uint32_t)t + 1, name);
    }
    for (size_t i = 0; i < n; i++)
        put_call(&j, p, &boxes[i]);
    cc_json_end(&j);
    cc_json_end(&j);
    free(boxes);
    return 0;
}
