#include "view.h"
#include "channel_chart.h"

#include <inttypes.h>
#include <math.h>

static const char *percent(double v, char out[static 24])
{
    if (isnan(v))
        snprintf(out, 24, "-");
    else /* what is not all is never shown as all */
        snprintf(out, 24, v < 1 && v > 0.9995 ? "almost 100 %%" : "%.*f %%", v == floor(v) ? 0 : 1, 100 * v);
    return out;
}

static const char *times(double v, char out[static 24])
{
    if (v >= 1000)
        return cc_human_count(v, out);
    snprintf(out, 24, "%.2f", v);
    return out;
}

/* --- histograms --- */

/* What text shows of a bucket after its bounds: its share and a bar. */
static void put_bar(struct cc_table *t, double part, double sum, double most)
{
    char text[24], bar[41] = "";
    cc_table_num(t, part / sum);
    cc_table_show(t, "%s", percent(part / sum, text));
    memset(bar, '#', (size_t)ceil(40 * part / most));
    cc_table_str(t, bar);
}

struct histogram {
    const char *key, *what; /* in JSON: its own, and of what the buckets count */
    const char *heading;    /* in text, with the title of the buckets; NULL: only data */
    const char *title;
};

/* Buckets that are not empty. */
static void put_histogram(struct cc_result *r, const struct histogram *h, const uint64_t *counts)
{
    const char *title = h->heading ? h->title : NULL;
    const struct cc_col cols[] = {{"from", title, CC_COL_INT},
                                  {"to", NULL, CC_COL_INT},
                                  {h->what, NULL, CC_COL_COUNT},
                                  {NULL, title ? "share" : NULL, CC_COL_PERCENT, 1},
                                  {NULL, title ? "" : NULL, CC_COL_STR}};
    double most = 0, sum = 0;
    for (int k = 0; k < CC_CHANNEL_BUCKETS; k++) {
        most = fmax(most, (double)counts[k]);
        sum += (double)counts[k];
    }
    cc_result_gap(r);
    if (title && sum > 0)
        cc_result_note(r, "%s", h->heading);
    struct cc_table *t = cc_result_table(r, h->key, cols, CC_COUNT(cols));
    for (int k = 0; k < CC_CHANNEL_BUCKETS; k++) {
        char label[48];
        if (!counts[k])
            continue;
        cc_table_row(t);
        cc_table_u64(t, UINT64_C(1) << k);
        cc_table_show(t, "%s", cc_channel_bucket(k, label));
        cc_table_u64_if(t, k + 1 < CC_CHANNEL_BUCKETS, (UINT64_C(2) << k) - 1);
        cc_table_u64(t, counts[k]);
        put_bar(t, (double)counts[k], sum, most);
    }
}

static void put_bursts(struct cc_result *r, const char *key, uint64_t bursts, uint64_t all, uint64_t longest,
                       const uint64_t *histogram)
{
    cc_result_obj(r, key);
    cc_result_u64(r, "count", bursts);
    cc_result_num(r, "mean", bursts ? (double)all / (double)bursts : NAN);
    cc_result_u64(r, "longest", longest);
    put_histogram(r, &(struct histogram){"histogram", "bursts", NULL, NULL}, histogram);
    cc_result_end(r);
}

/* --- what the channel is --- */

static void say_verdict(const struct cc_channel_figures *f, struct cc_result *r)
{
    char line[300];
    cc_result_note(r, "%s -> %s: %s", f->from, f->to, cc_channel_verdict(f, line, sizeof line));
    static const char *const why[CC_CHANNEL_KINDS] = {
        "the consumer read nothing that the producer wrote",
        "values are first read in the order they are produced, and each is read once",
        "values are read about in the order they are produced, never farther back than the window",
        "production and consumption take turns in blocks, and no block is read later than one block on",
        "values are read in another order than they are produced, and not block by block",
    };
    cc_result_note(r, "  %s", why[f->kind]);
    if (f->almost_fifo)
        cc_result_note(r, "  but for less than 1 %% of the bytes a FIFO of %" PRIu64 " elements would do",
                       f->rec->depth);
    if (f->side_by_side < f->bytes)
        cc_result_note(r,
                       "  if the two ran side by side, %s would do: in this run the producer was far ahead",
                       cc_human_bytes((double)f->side_by_side, line));
}

static void put_suggestion(const struct cc_channel_figures *f, struct cc_result *r)
{
    cc_result_obj(r, "suggestion");
    cc_result_str(r, "kind", cc_channel_kind_names[f->kind]);
    cc_result_u64_if(r, "size", f->kind != CC_CHANNEL_NONE, f->size);
    cc_result_str(r, "unit", f->kind == CC_CHANNEL_FIFO ? "elements" : "bytes");
    cc_result_u64(r, "bytes", f->bytes);
    cc_result_u64(r, "side_by_side", f->side_by_side);
    cc_result_bool(r, "almost_fifo", f->almost_fifo);
    cc_result_end(r);
}

/* --- figures --- */

static void put_traffic(const struct cc_channel_figures *f, struct cc_result *r)
{
    const struct cc_rec_channel *x = f->rec;
    char a[24], b[24], c[24];
    cc_result_u64(r, "bytes", x->bytes);
    cc_result_u64(r, "unma", x->unma);
    cc_result_u64(r, "reads", x->reads);
    cc_result_u64(r, "fresh", x->fresh);
    cc_result_u64(r, "elements", x->elements);
    cc_result_u64(r, "unfollowed", x->unfollowed);
    if (!x->bytes)
        return;
    cc_result_fact(r, "traffic", "%s in %s reads, from %s distinct addresses",
                   cc_human_bytes((double)x->bytes, a), cc_human_count((double)x->reads, b),
                   cc_human_count((double)x->unma, c));
    if (x->unfollowed)
        cc_result_fact(r, "", "%s of it could not be followed: %s", cc_human_bytes((double)x->unfollowed, a),
                       x->flags & CC_CHANNEL_LOST
                           ? "the producer wrote to more memory than is watched"
                           : "it was written before the program forked, or moved by mremap");
    if (x->fresh)
        cc_result_fact(r, "reuse", "a value is read %s times, an address %s times", times(f->reuse, a),
                       times(f->reads_per_address, b));
}

static void say_order(const struct cc_channel_figures *f, struct cc_result *r)
{
    const struct cc_rec_channel *x = f->rec;
    char a[24], b[24];
    const char *most = x->flags & CC_CHANNEL_UPPER ? "not more than" : "at most";
    cc_result_fact(r, "order", "%s of the first reads are in order of production", percent(f->in_order, a));
    cc_result_fact(r, "window", "%s%s back from the newest value read so far",
                   x->flags & CC_CHANNEL_RAW ? "not more than " : "", cc_human_bytes((double)x->window, a));
    cc_result_fact(r, "waiting", "%s %" PRIu64 " element%s, %s, are produced and not yet read", most,
                   x->depth, cc_view_plural(x->depth), cc_human_bytes((double)x->depth_bytes, a));
    cc_result_fact(r, "needed", "%s %s are still to be read, for the first time or again", most,
                   cc_human_bytes((double)x->live, a));
    double made = x->production_bursts ? (double)x->elements / (double)x->production_bursts : 0;
    double read = x->consumption_bursts ? (double)x->reads / (double)x->consumption_bursts : 0;
    cc_result_fact(r, "interleaving",
                   "%" PRIu64 " burst%s: %s elements produced (longest %" PRIu64
                   "), then %s reads (longest %" PRIu64 ")",
                   x->production_bursts, cc_view_plural(x->production_bursts), cc_human_count(made, a),
                   x->longest_production, cc_human_count(read, b), x->longest_consumption);
}

static void put_order(const struct cc_channel_figures *f, struct cc_result *r)
{
    const struct cc_rec_channel *x = f->rec;
    cc_result_num(r, "interleaving", f->interleaving);
    cc_result_num(r, "in_order", f->in_order);
    cc_result_obj(r, "depth");
    cc_result_u64(r, "elements", x->depth);
    cc_result_u64(r, "bytes", x->depth_bytes);
    cc_result_end(r);
    cc_result_bool(r, "depth_exact", !(x->flags & (CC_CHANNEL_UPPER | CC_CHANNEL_LOST)));
    cc_result_u64(r, "window", x->window);
    cc_result_bool(r, "window_exact", !(x->flags & (CC_CHANNEL_RAW | CC_CHANNEL_LOST)));
    cc_result_u64(r, "live", x->live);
    cc_result_obj(r, "bursts");
    put_bursts(r, "production", x->production_bursts, x->elements, x->longest_production, x->production);
    put_bursts(r, "consumption", x->consumption_bursts, x->reads, x->longest_consumption, x->consumption);
    cc_result_end(r);
    cc_result_obj(r, "occupancy");
    cc_result_u64(r, "rounds_per_point", x->rounds_per_point);
    cc_result_arr(r, "bytes");
    size_t n = cc_channel_points(x);
    for (size_t i = 0; i < n; i++)
        cc_result_u64(r, NULL, x->occupancy[i]);
    cc_result_end(r);
    cc_result_end(r);
}

static void say_strides(const struct cc_channel_figures *f, struct cc_result *r)
{
    enum { SHOWN = 6 };
    const struct cc_rec_channel *x = f->rec;
    char a[24], b[24], c[24];
    uint32_t top[SHOWN];
    struct cc_buf list = {0};
    size_t n = cc_channel_top_strides(x, top, CC_COUNT(top));
    for (size_t i = 0; i < n; i++)
        cc_buf_printf(&list, "%s%+" PRId64 ": %s", i ? ", " : "", x->strides[top[i]].stride,
                      percent((double)x->strides[top[i]].count / (double)f->nstrides, a));
    cc_result_fact(r, "strides", "%s unit, %s constant, %s irregular", percent(f->unit, a),
                   percent(f->constant, b), percent(f->irregular, c));
    cc_result_fact(r, "", "%s%s", list.s ? list.s : "", x->nstrides > n ? ", …" : "");
    cc_result_fact(r, "complexity", "%.3f of 1", f->complexity);
    cc_buf_fini(&list);
}

static void put_strides(const struct cc_channel_figures *f, struct cc_result *r)
{
    static const struct cc_col cols[] = {
        {"stride", NULL, CC_COL_INT}, {"share", NULL, CC_COL_PERCENT}, {"count", NULL, CC_COL_INT}};
    uint32_t top[CC_CHANNEL_STRIDES];
    size_t n = cc_channel_top_strides(f->rec, top, CC_COUNT(top));
    struct cc_table *t = cc_result_table(r, "strides", cols, CC_COUNT(cols));
    for (size_t i = 0; i < n; i++) {
        const struct cc_rec_stride *s = &f->rec->strides[top[i]];
        cc_table_row(t);
        cc_table_int(t, s->stride);
        cc_table_num(t, (double)s->count / (double)f->nstrides);
        cc_table_u64(t, s->count);
    }
    cc_result_obj(r, "stride_kinds");
    cc_result_num(r, "unit", f->unit);
    cc_result_num(r, "constant", f->constant);
    cc_result_num(r, "irregular", f->irregular);
    cc_result_end(r);
    cc_result_u64(r, "strides_not_told_apart", f->rec->other_strides);
    cc_result_num(r, "complexity", f->rec->reads > 1 ? f->complexity : NAN);
}

static void put_reuse(const struct cc_channel_figures *f, struct cc_result *r)
{
    const struct cc_rec_channel *x = f->rec;
    cc_result_obj(r, "reuse");
    cc_result_num(r, "mean", f->reuse);
    cc_result_num(r, "mean_per_address", f->reads_per_address);
    struct histogram reads = {"histogram", "bytes", "bytes by how often their value is read", "times"};
    struct histogram distance = {"distance", "bytes", "bytes read again, by the reads in between",
                                 "reads between"};
    if (!x->bytes || !x->fresh)
        reads.heading = distance.heading = NULL;
    put_histogram(r, &reads, x->reuse);
    put_histogram(r, &distance, x->distance);
    cc_result_end(r);
}

static void build(const struct cc_profile *p, const struct cc_channel_figures *f, struct cc_result *r)
{
    const struct cc_rec_channel *x = f->rec;
    cc_view_caveats(p, r);
    cc_result_str(r, "from", f->from);
    cc_result_str(r, "to", f->to);
    say_verdict(f, r);
    put_suggestion(f, r);
    cc_result_gap(r);
    if (x->producer == CC_NONE || x->consumer == CC_NONE)
        cc_result_note(r, "  %s never ran", x->producer == CC_NONE ? "the producer" : "the consumer");
    put_traffic(f, r);
    if (x->bytes && x->fresh) {
        say_order(f, r);
        if (f->nstrides)
            say_strides(f, r);
        if (f->nstrides && f->irregular > 0.2 && !p->nobjects)
            cc_result_fact(r, "", "strides are of all arrays together; 'record --objects' tells them apart");
    }
    cc_result_bool(r, "arrays_apart", p->nobjects > 0);
    put_order(f, r);
    put_strides(f, r);
    put_reuse(f, r);
}

int cc_view_channel(const struct cc_view_request *rq, struct cc_result *r, struct cc_err *err)
{
    struct cc_channel_figures f;
    int rc = cc_channel_find(rq->p, rq->from, rq->to, &f, err);
    if (rc < 0)
        return rc;
    build(rq->p, &f, r);
    if (rq->svg)
        cc_draw_channel(&f, rq->svg);
    return 0;
}
