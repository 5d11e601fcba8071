/* The time line as trace events. One instruction is shown as one microsecond: the format knows no other unit.
 */
#include "export.h"
#include "../../analysis/calltree/calltree.h"
#include "../../draw/chrome.h"

static void put_call(struct cc_chrome *c, const struct cc_profile *p, const struct cc_timeline_box *b)
{
    const struct cc_pfunction *f = &p->functions[p->contexts[b->context].function];
    /* by its place in the profile: engines may use a thread id again */
    struct cc_chrome_event e = {f->name, "call", 0, b->thread, (double)b->start, (double)b->length};
    struct cc_json *args = cc_chrome_event_open(c, &e);
    cc_json_u64(args, "instructions", b->length);
    if (f->file)
        cc_json_str(args, "file", f->file);
    if (f->line)
        cc_json_u64(args, "line", f->line);
    cc_chrome_event_close(c);
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
    struct cc_chrome c;
    cc_chrome_begin(&c, rq->out, "ms", "one microsecond is one instruction");
    cc_chrome_process(&c, 0, p->program ? p->program : "program");
    for (size_t t = 0; t < p->nthreads; t++) {
        char name[48];
        snprintf(name, sizeof name, "thread %zu (tid %u)", t + 1, p->threads[t].tid);
        cc_chrome_thread(&c, 0, t, name);
    }
    for (size_t i = 0; i < n; i++)
        put_call(&c, p, &boxes[i]);
    cc_chrome_end(&c);
    free(boxes);
    return 0;
}
