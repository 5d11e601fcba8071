#include "traceio.h"
#include "../src/base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <unistd.h>

int cc_traceio_open(const char *path, struct cc_trace_reader **ret, struct cc_err *err)
{
    char why[CC_TRACE_ERR] = "";
    *ret = cc_trace_open(path, why);
    return *ret ? 0 : cc_err_at(err, CC_EINPUT, path, 0, "%s", why);
}

char *cc_traceio_partial(const struct cc_trace_reader *r)
{
    struct cc_trace_summary s;
    cc_trace_summary(r, &s);
    const char *why = cc_trace_fact(r, "incomplete");
    if (!s.damaged && s.indexed && !(why && *why))
        return NULL;
    if (!s.damaged)
        return cc_asprintf("the run stopped early%s%s", why && *why ? ": " : ": the trace was never closed",
                           why && *why ? why : "");
    uint32_t lost = CC_MIN(s.damaged, s.chunks);
    return cc_asprintf("partial: %" PRIu32 " of %" PRIu32 " chunks", s.chunks - lost, s.chunks);
}

/* ---- latencies ---- */

enum { SMALL = 65536, BINS = SMALL + (16 << 12) };

static uint32_t bin_of(uint32_t latency)
{
    if (latency < SMALL)
        return latency;
    unsigned top = 31 - (unsigned)__builtin_clz(latency);
    return SMALL + ((top - 16) << 12) + ((latency >> (top - 12)) & 0xfff);
}

static uint32_t bin_start(uint32_t bin)
{
    if (bin < SMALL)
        return bin;
    unsigned top = 16 + ((bin - SMALL) >> 12);
    return (0x1000 | ((bin - SMALL) & 0xfff)) << (top - 12);
}

void cc_latency_add(struct cc_latency_histogram *h, uint32_t latency)
{
    if (!h->bins)
        h->bins = cc_alloc_array(BINS, sizeof *h->bins);
    h->bins[bin_of(latency)]++;
    h->n++;
    h->sum += latency;
    h->max = CC_MAX(h->max, latency);
}

uint32_t cc_latency_quantile(const struct cc_latency_histogram *h, double share)
{
    uint64_t want = (uint64_t)ceil(share * (double)h->n), seen = 0;
    for (uint32_t bin = 0; h->n && bin < BINS; bin++) {
        seen += h->bins[bin];
        if (seen >= want && seen)
            return bin_start(bin);
    }
    return 0;
}

uint32_t cc_latency_above(const struct cc_latency_histogram *h, uint32_t latency)
{
    for (uint32_t bin = bin_of(latency) + 1; h->n && bin < BINS; bin++)
        if (h->bins[bin])
            return bin_start(bin);
    return UINT32_MAX;
}

void cc_latency_fini(struct cc_latency_histogram *h)
{
    free(h->bins);
    memset(h, 0, sizeof *h);
}

void cc_traceio_stats(struct cc_trace_reader *r, const struct cc_trace_filter *filter,
                      struct cc_traceio_stats *ret)
{
    struct cc_latency_histogram h = {0};
    struct cc_trace_event e;
    memset(ret, 0, sizeof *ret);
    cc_trace_select(r, filter);
    while (cc_trace_next(r, &e)) {
        ret->events++;
        ret->by_kind[e.kind]++;
        ret->latency_sum += e.latency;
        ret->hits += (e.flags & CC_TRACE_HIT) != 0;
        if (!(e.flags & (CC_TRACE_HIT | CC_TRACE_BUFFERED)) && e.kind != CC_TRACE_WAIT)
            cc_latency_add(&h, e.latency);
    }
    ret->misses = h.n;
    ret->q1 = cc_latency_quantile(&h, 0.25);
    ret->median = cc_latency_quantile(&h, 0.5);
    ret->q3 = cc_latency_quantile(&h, 0.75);
    ret->max = h.max;
    ret->mean = h.n ? (double)h.sum / (double)h.n : 0;
    cc_latency_fini(&h);
}

/* ---- export ---- */

static const char *const flag_names[] = {"hit", "shared", "false", "buffered", "stalled"};

char *cc_traceio_flags(unsigned flags, char out[static 64])
{
    size_t n = 0;
    out[0] = 0;
    for (unsigned i = 0; i < CC_COUNT(flag_names); i++)
        if (flags >> i & 1)
            n += (size_t)snprintf(out + n, 64 - n, "%s%s", n ? "+" : "", flag_names[i]);
    return out;
}

/* Facts are lines of their own in the CSV: a line break or an equals sign in one would change its meaning. */
static void export_facts(const struct cc_trace_reader *r, FILE *out)
{
    for (size_t i = 0; i < cc_trace_facts(r); i++) {
        const char *value, *name = cc_trace_fact_at(r, i, &value);
        if (strpbrk(name, "=\r\n"))
            continue;
        fputs("# ", out);
        cc_text_print_safe(out, name);
        fputs(" = ", out);
        cc_text_print_safe(out, value);
        fputc('\n', out);
    }
}

static void csv_text(struct cc_buf *b, const char *s)
{
    cc_buf_puts(b, ",");
    if (s)
        cc_text_csv(b, s);
}

void cc_traceio_export_csv(struct cc_trace_reader *r, const struct cc_trace_filter *filter, uint64_t limit,
                           FILE *out)
{
    export_facts(r, out);
    fputs("cycle,cpu,kind,pc,address,latency,node,hops,size,flags,function,file,line,object\n", out);
    struct cc_trace_event e;
    struct cc_buf b = {0};
    char flags[64];
    cc_trace_select(r, filter);
    for (uint64_t n = 0; (!limit || n < limit) && !ferror(out) && cc_trace_next(r, &e); n++) {
        const struct cc_trace_symbol *s = cc_trace_find_symbol(r, e.pc);
        const struct cc_trace_line *l = cc_trace_find_line(r, e.pc);
        const struct cc_trace_object *o =
            e.kind == CC_TRACE_FETCH ? NULL : cc_trace_find_object(r, e.addr, e.cycle);
        b.n = 0;
        cc_buf_printf(&b, "%" PRIu64 ",%u,%s,0x%" PRIx64 ",0x%" PRIx64 ",%" PRIu32 ",", e.cycle, e.cpu,
                      cc_trace_kind_name(e.kind), e.pc, e.addr, e.latency);
        if (e.node != CC_TRACE_NO_NODE)
            cc_buf_printf(&b, "%u,%u,", e.node, e.hops);
        else
            cc_buf_puts(&b, ",,");
        cc_buf_printf(&b, "%u,%s", e.size, cc_traceio_flags(e.flags, flags));
        csv_text(&b, s ? s->name : NULL);
        csv_text(&b, l ? l->file : NULL);
        if (l)
            cc_buf_printf(&b, ",%" PRIu32, l->line);
        else
            cc_buf_puts(&b, ",");
        csv_text(&b, o ? o->name ? o->name : o->function : NULL);
        cc_buf_puts(&b, "\n");
        fwrite(b.s, 1, b.n, out);
    }
    cc_buf_fini(&b);
}

/* ---- copies ---- */

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
    return rc;
}

int cc_traceio_copy(struct cc_trace_reader *r, const struct cc_trace_filter *filter, const char *path,
                    uint64_t *ret_events, struct cc_err *err)
{
    char why[CC_TRACE_ERR] = "";
    CC_CLEANUP(cc_free_ptr) char *aside = cc_asprintf("%s.part", path);
    struct cc_trace_writer *w = cc_trace_writer_open(aside, why);
    if (!w)
        return cc_err_at(err, CC_EINPUT, path, 0, "cannot write: %s", why);
    struct cc_trace_event e;
    int rc = copy_meta(r, w);
    *ret_events = 0;
    cc_trace_select(r, filter);
    while (rc == 0 && cc_trace_next(r, &e)) {
        rc = cc_trace_writer_add(w, &e);
        ++*ret_events;
    }
    if (cc_trace_writer_close(w, why) < 0 || rc < 0)
        rc = cc_err_at(err, CC_EINPUT, path, 0, "%s", why);
    else if (rename(aside, path) != 0)
        rc = cc_err_at(err, CC_EINPUT, path, 0, "cannot replace: %s", strerror(errno));
    if (rc < 0)
        unlink(aside);
    return rc;
}
