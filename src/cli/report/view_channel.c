#include "view.h"
#include "channel_chart.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>

/* --- JSON --- */

static void json_histogram(struct cc_json *j, const char *key, const uint64_t *counts, const char *what)
{
    cc_json_arr(j, key);
    for (int k = 0; k < CC_CHANNEL_BUCKETS; k++) {
        if (!counts[k])
            continue;
        cc_json_obj(j, NULL);
        cc_json_u64(j, "from", UINT64_C(1) << k);
        if (k + 1 < CC_CHANNEL_BUCKETS)
            cc_json_u64(j, "to", (UINT64_C(2) << k) - 1);
        else
            cc_json_null(j, "to");
        cc_json_u64(j, what, counts[k]);
        cc_json_end(j);
    }
    cc_json_end(j);
}

static void json_bursts(struct cc_json *j, const char *key, uint64_t bursts, uint64_t all, uint64_t longest,
                        const uint64_t *histogram)
{
    cc_json_obj(j, key);
    cc_json_u64(j, "count", bursts);
    cc_json_num(j, "mean", bursts ? (double)all / (double)bursts : NAN);
    cc_json_u64(j, "longest", longest);
    json_histogram(j, "histogram", histogram, "bursts");
    cc_json_end(j);
}

static void json_strides(struct cc_json *j, const struct cc_channel_figures *f)
{
    uint32_t top[CC_CHANNEL_STRIDES];
    size_t n = cc_channel_top_strides(f->rec, top, CC_COUNT(top));
    cc_json_arr(j, "strides");
    for (size_t i = 0; i < n; i++) {
        const struct cc_rec_stride *s = &f->rec->strides[top[i]];
        cc_json_obj(j, NULL);
        cc_json_i64(j, "stride", s->stride);
        cc_json_num(j, "share", (double)s->count / (double)f->nstrides);
        cc_json_u64(j, "count", s->count);
        cc_json_end(j);
    }
    cc_json_end(j);
    cc_json_obj(j, "stride_kinds");
    cc_json_num(j, "unit", f->unit);
    cc_json_num(j, "constant", f->constant);
    cc_json_num(j, "irregular", f->irregular);
    cc_json_end(j);
    cc_json_u64(j, "strides_not_told_apart", f->rec->other_strides);
}

static void json_time(struct cc_json *j, const struct cc_rec_channel *r)
{
    cc_json_obj(j, "depth");
    cc_json_u64(j, "elements", r->depth);
    cc_json_u64(j, "bytes", r->depth_bytes);
    cc_json_end(j);
    cc_json_u64(j, "window", r->window);
    cc_json_u64(j, "live", r->live);
    cc_json_obj(j, "bursts");
    json_bursts(j, "production", r->production_bursts, r->elements, r->longest_production, r->production);
    json_bursts(j, "consumption", r->consumption_bursts, r->reads, r->longest_consumption, r->consumption);
    cc_json_end(j);
    cc_json_obj(j, "occupancy");
    cc_json_u64(j, "rounds_per_point", r->rounds_per_point);
    cc_json_arr(j, "bytes");
    size_t n = cc_channel_points(r);
    for (size_t i = 0; i < n; i++)
        cc_json_u64(j, NULL, r->occupancy[i]);
    cc_json_end(j);
    cc_json_end(j);
}

static void print_json(const struct cc_channel_figures *f, FILE *out)
{
    const struct cc_rec_channel *r = f->rec;
    struct cc_json j;
    cc_json_document(&j, out, "corecast.channel", 1);
    cc_json_str(&j, "from", f->from);
    cc_json_str(&j, "to", f->to);
    cc_json_u64(&j, "bytes", r->bytes);
    cc_json_u64(&j, "unma", r->unma);
    cc_json_u64(&j, "reads", r->reads);
    cc_json_u64(&j, "fresh", r->fresh);
    cc_json_u64(&j, "elements", r->elements);
    cc_json_num(&j, "interleaving", f->interleaving);
    cc_json_obj(&j, "reuse");
    cc_json_num(&j, "mean", f->reuse);
    cc_json_num(&j, "mean_per_address", f->reads_per_address);
    json_histogram(&j, "histogram", r->reuse, "bytes");
    json_histogram(&j, "distance", r->distance, "bytes");
    cc_json_end(&j);
    json_strides(&j, f);
    cc_json_num(&j, "in_order", f->in_order);
    json_time(&j, r);
    cc_json_num(&j, "complexity", r->reads > 1 ? f->complexity : NAN);
    cc_json_obj(&j, "suggestion");
    cc_json_str(&j, "kind", cc_channel_kind_names[f->kind]);
    if (f->kind == CC_CHANNEL_NONE)
        cc_json_null(&j, "size");
    else
        cc_json_u64(&j, "size", f->size);
    cc_json_str(&j, "unit", f->kind == CC_CHANNEL_FIFO ? "elements" : "bytes");
    cc_json_u64(&j, "bytes", f->bytes);
    cc_json_u64(&j, "side_by_side", f->side_by_side);
    cc_json_bool(&j, "almost_fifo", f->almost_fifo);
    cc_json_end(&j);
    cc_json_u64(&j, "unfollowed", r->unfollowed);
    cc_json_bool(&j, "depth_exact", !(r->flags & (CC_CHANNEL_UPPER | CC_CHANNEL_LOST)));
    cc_json_bool(&j, "window_exact", !(r->flags & (CC_CHANNEL_RAW | CC_CHANNEL_LOST)));
    cc_json_end(&j);
}

/* --- text --- */

static const char *percent(double v, char out[static 24])
{
    if (isnan(v))
        snprintf(out, 24, "-");
    else /* what is not all is never shown as all */
        snprintf(out, 24, v < 1 && v > 0.9995 ? "almost 100 %%" : "%.*f %%", v == floor(v) ? 0 : 1, 100 * v);
    return out;
}

static void print_verdict(const struct cc_channel_figures *f, FILE *out)
{
    char line[300];
    cc_text_print_safe(out, f->from);
    fputs(" -> ", out);
    cc_text_print_safe(out, f->to);
    fprintf(out, ": %s\n", cc_channel_verdict(f, line, sizeof line));
    static const char *const why[CC_CHANNEL_KINDS] = {
        "the consumer read nothing that the producer wrote",
        "values are first read in the order they are produced, and each is read once",
        "values are read about in the order they are produced, never farther back than the window",
        "production and consumption take turns in blocks, and no block is read later than one block on",
        "values are read in another order than they are produced, and not block by block",
    };
    fprintf(out, "  %s\n", why[f->kind]);
    if (f->almost_fifo)
        fprintf(out, "  but for less than 1 %% of the bytes a FIFO of %" PRIu64 " elements would do\n",
                f->rec->depth);
    if (f->side_by_side < f->bytes)
        fprintf(out, "  if the two ran side by side, %s would do: in this run the producer was far ahead\n",
                cc_human_bytes((double)f->side_by_side, line));
    fputc('\n', out);
}

static void print_line(FILE *out, const char *what, const char *fmt, ...) CC_PRINTF(3, 4);
static void print_line(FILE *out, const char *what, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    fprintf(out, "  %-14s", what);
    vfprintf(out, fmt, ap);
    fputc('\n', out);
    va_end(ap);
}

static void print_order(const struct cc_channel_figures *f, FILE *out)
{
    const struct cc_rec_channel *r = f->rec;
    char a[24], b[24];
    const char *most = r->flags & CC_CHANNEL_UPPER ? "not more than" : "at most";
    print_line(out, "order", "%s of the first reads are in order of production", percent(f->in_order, a));
    print_line(out, "window", "%s%s back from the newest value read so far",
               r->flags & CC_CHANNEL_RAW ? "not more than " : "", cc_human_bytes((double)r->window, a));
    print_line(out, "waiting", "%s %" PRIu64 " element%s, %s, are produced and not yet read", most, r->depth,
               r->depth == 1 ? "" : "s", cc_human_bytes((double)r->depth_bytes, a));
    print_line(out, "needed", "%s %s are still to be read, for the first time or again", most,
               cc_human_bytes((double)r->live, a));
    double made = r->production_bursts ? (double)r->elements / (double)r->production_bursts : 0;
    double read = r->consumption_bursts ? (double)r->reads / (double)r->consumption_bursts : 0;
    print_line(out, "interleaving",
               "%" PRIu64 " burst%s: %s elements produced (longest %" PRIu64
               "), then %s reads (longest %" PRIu64 ")",
               r->production_bursts, r->production_bursts == 1 ? "" : "s", cc_human_count(made, a),
               r->longest_production, cc_human_count(read, b), r->longest_consumption);
}

static void print_strides(const struct cc_channel_figures *f, FILE *out)
{
    const struct cc_rec_channel *r = f->rec;
    char a[24], b[24], c[24];
    uint32_t top[6];
    size_t n = cc_channel_top_strides(r, top, CC_COUNT(top));
    if (!f->nstrides)
        return;
    print_line(out, "strides", "%s unit, %s constant, %s irregular", percent(f->unit, a),
               percent(f->constant, b), percent(f->irregular, c));
    fprintf(out, "  %-14s", "");
    for (size_t i = 0; i < n; i++)
        fprintf(out, "%s%+" PRId64 ": %s", i ? ", " : "", r->strides[top[i]].stride,
                percent((double)r->strides[top[i]].count / (double)f->nstrides, a));
    fputs(r->nstrides > n ? ", …\n" : "\n", out);
    print_line(out, "complexity", "%.3f of 1", f->complexity);
}

static void print_bars(FILE *out, const char *title, const uint64_t *counts)
{
    double most = 0, sum = 0;
    for (int k = 0; k < CC_CHANNEL_BUCKETS; k++) {
        most = fmax(most, (double)counts[k]);
        sum += (double)counts[k];
    }
    if (most <= 0)
        return;
    fprintf(out, "\n  %s\n", title);
    for (int k = 0; k < CC_CHANNEL_BUCKETS; k++) {
        char label[48], share[24];
        if (!counts[k])
            continue;
        fprintf(out, "  %13s %7s ", cc_channel_bucket(k, label), percent((double)counts[k] / sum, share));
        for (int i = 0; i < (int)ceil(40 * (double)counts[k] / most); i++)
            fputc('#', out);
        fputc('\n', out);
    }
}

static const char *times(double v, char out[static 24])
{
    if (v >= 1000)
        return cc_human_count(v, out);
    snprintf(out, 24, "%.2f", v);
    return out;
}

static void print_text(const struct cc_profile *p, const struct cc_channel_figures *f, FILE *out)
{
    const struct cc_rec_channel *r = f->rec;
    char a[24], b[24], c[24];
    cc_view_caveats(p, out);
    print_verdict(f, out);
    if (r->producer == CC_NONE || r->consumer == CC_NONE)
        fprintf(out, "  %s never ran\n", r->producer == CC_NONE ? "the producer" : "the consumer");
    if (!r->bytes)
        return;
    print_line(out, "traffic", "%s in %s reads, from %s distinct addresses",
               cc_human_bytes((double)r->bytes, a), cc_human_count((double)r->reads, b),
               cc_human_count((double)r->unma, c));
    if (r->unfollowed)
        print_line(out, "", "%s of it could not be followed: %s", cc_human_bytes((double)r->unfollowed, a),
                   r->flags & CC_CHANNEL_LOST
                       ? "the producer wrote to more memory than is watched"
                       : "it was written before the program forked, or moved by mremap");
    if (!r->fresh)
        return;
    print_line(out, "reuse", "a value is read %s times, an address %s times", times(f->reuse, a),
               times(f->reads_per_address, b));
    print_order(f, out);
    print_strides(f, out);
    print_bars(out, "bytes by how often their value is read", r->reuse);
    print_bars(out, "bytes read again, by the reads in between", r->distance);
}

int cc_view_channel(const struct cc_view_request *rq, struct cc_err *err)
{
    struct cc_channel_figures f;
    int rc = cc_channel_find(rq->p, rq->from, rq->to, &f, err);
    if (rc < 0)
        return rc;
    if (rq->out && rq->json)
        print_json(&f, rq->out);
    else if (rq->out)
        print_text(rq->p, &f, rq->out);
    if (rq->svg)
        cc_draw_channel(&f, rq->svg);
    return 0;
}
