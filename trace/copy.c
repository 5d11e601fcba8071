#include "copy.h"
#include "../src/base/file.h"

static int copy_meta(struct cc_trace_reader *r, struct cc_trace_writer *w)
{
    const struct cc_trace_symbol *s;
    const struct cc_trace_line *l;
    const struct cc_trace_object *o;
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < cc_trace_facts(r); i++) {
        const char *value, *name = cc_trace_fact_at(r, i, &value);
        rc = cc_trace_writer_fact(w, name, value);
    }
    for (size_t i = 0, n = cc_trace_symbols(r, &s); rc == 0 && i < n; i++)
        rc = cc_trace_writer_symbol(w, &s[i]);
    for (size_t i = 0, n = cc_trace_lines(r, &l); rc == 0 && i < n; i++)
        rc = cc_trace_writer_line(w, &l[i]);
    for (size_t i = 0, n = cc_trace_objects(r, &o); rc == 0 && i < n; i++)
        rc = cc_trace_writer_object(w, &o[i]);
    for (uint32_t i = 1; rc == 0 && i <= cc_trace_contexts(r); i++)
        rc = cc_trace_writer_context(w, cc_trace_context(r, i));
    return rc;
}

int cc_trace_copy(struct cc_trace_reader *r, const struct cc_trace_filter *filter, uint64_t limit,
                  const char *path, uint64_t *ret_events, struct cc_err *err)
{
    char why[CC_TRACE_ERR] = "";
    struct cc_outfile out;
    int rc = cc_outfile_open(&out, path, err);
    if (rc < 0)
        return rc;
    struct cc_trace_writer *w = cc_trace_writer_into(fileno(out.f), why);
    if (w)
        rc = copy_meta(r, w);
    *ret_events = 0;
    struct cc_trace_event e;
    cc_trace_select(r, filter);
    while (w && rc == 0 && (!limit || *ret_events < limit) && cc_trace_next(r, &e)) {
        rc = cc_trace_writer_add(w, &e);
        ++*ret_events;
    }
    if (!w || cc_trace_writer_close(w, why) < 0 || rc < 0) {
        cc_outfile_abort(&out);
        return cc_err_at(err, CC_EINPUT, path, 0, "cannot write: %s", why);
    }
    return cc_outfile_commit(&out, err);
}
