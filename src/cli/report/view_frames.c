/* The run frame by frame. */
#include "view.h"
#include "frames_chart.h"

enum { MOST_FRAMES = 40, MOST_REGIONS = 5, SPARKS = 32 };

/* --- JSON --- */

static void json_frame(struct cc_json *j, const struct cc_frames *f, size_t i)
{
    cc_json_obj(j, NULL);
    cc_json_u64(j, "index", i);
    cc_json_u64(j, "start", f->frames[i].start);
    cc_json_u64(j, "length", f->frames[i].length);
    cc_json_arr(j, "regions");
    for (size_t k = f->first[i]; k < f->first[i + 1]; k++) {
        cc_json_obj(j, NULL);
        cc_json_str(j, "name", f->region_names[f->parts[k]->region]);
        cc_json_u64(j, "instructions", f->parts[k]->instructions);
        cc_json_end(j);
    }
    cc_json_end(j);
    cc_json_end(j);
}

static void json_stream(struct cc_json *j, const struct cc_frame_stream *s)
{
    for (size_t i = 0; i < s->nentries; i++) {
        cc_json_obj(j, NULL);
        cc_json_str(j, "from", s->from);
        cc_json_str(j, "to", s->to);
        cc_json_u64(j, "producer_frame", s->entries[i].producer_frame);
        cc_json_u64(j, "consumer_frame", s->entries[i].consumer_frame);
        cc_json_u64(j, "bytes", s->entries[i].bytes);
        cc_json_end(j);
    }
}

static void json_total(struct cc_json *j, const struct cc_frame_stream *s)
{
    cc_json_obj(j, NULL);
    cc_json_str(j, "from", s->from);
    cc_json_str(j, "to", s->to);
    cc_json_u64(j, "bytes", s->bytes);
    cc_json_u64(j, "intra", s->intra);
    cc_json_u64(j, "peak_frame", s->peak);
    cc_json_u64(j, "peak_bytes", s->peak_bytes);
    cc_json_end(j);
}

static void print_json(const struct cc_frames *f, FILE *out)
{
    struct cc_json j;
    cc_json_document(&j, out, "corecast.frames", 1);
    cc_json_str(&j, "by", cc_level_names[f->by]);
    cc_json_bool(&j, "cut", f->cut);
    cc_json_arr(&j, "frames");
    for (size_t i = 0; i < f->nframes; i++)
        json_frame(&j, f, i);
    cc_json_end(&j);
    cc_json_arr(&j, "streams");
    for (size_t i = 0; i < f->nstreams; i++)
        json_stream(&j, &f->streams[i]);
    cc_json_end(&j);
    cc_json_arr(&j, "totals");
    for (size_t i = 0; i < f->nstreams; i++)
        json_total(&j, &f->streams[i]);
    cc_json_end(&j);
    cc_json_end(&j);
}

/* --- text --- */

/* A bar of at most `width` blocks, with eighths. */
static const char *bar(double part, size_t width, char *out, size_t size)
{
    if (part > 1) {
        snprintf(out, size, "…");
        return out;
    }
    static const char *const eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    size_t steps = (size_t)(part * 8 * (double)width + 0.5), n = 0;
    for (size_t i = 0; i < steps / 8 && n + 8 < size; i++)
        n += (size_t)snprintf(out + n, size - n, "█");
    snprintf(out + n, size - n, "%s", eighths[steps % 8]);
    return out;
}

/* One sign for a frame from the first mark on, or for as many as needed to keep it short: their mean, over
 * the largest. */
static const char *spark(const struct cc_frames *f, const struct cc_frame_stream *s, char *out, size_t size)
{
    static const char *const signs[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    double sums[SPARKS] = {0}, most = 0;
    size_t frames = f->nframes - 1, per = CC_MAX((frames + SPARKS - 1) / SPARKS, (size_t)1),
           count = (frames + per - 1) / per, n = 0;
    for (size_t i = 0; i < s->nuses; i++)
        if (s->uses[i].frame)
            sums[(s->uses[i].frame - 1) / per] += (double)s->uses[i].intra + (double)s->uses[i].earlier;
    for (size_t i = 0; i < count; i++) {
        sums[i] /= (double)(CC_MIN((i + 1) * per, frames) - i * per);
        most = CC_MAX(most, sums[i]);
    }
    out[0] = 0;
    for (size_t i = 0; i < count; i++)
        n += (size_t)snprintf(out + n, size - n, "%s",
                              sums[i] <= 0 ? "·" : signs[(size_t)(7 * sums[i] / most + 0.5)]);
    return out;
}

struct columns {
    struct cc_col cols[MOST_REGIONS + 6];
    char *titles[MOST_REGIONS];
    size_t n, regions;
    bool others;
};

/* Names of regions as titles, cut where they are too long for one. */
static void make_columns(const struct cc_frames *f, struct columns *c)
{
    c->regions = f->nregions > 1 ? CC_MIN(f->nregions, (size_t)MOST_REGIONS) : 0;
    c->others = c->regions && f->nregions > c->regions;
    c->cols[c->n++] = (struct cc_col){"index", "FRAME", CC_COL_STR, 0};
    c->cols[c->n++] = (struct cc_col){"start", "START", CC_COL_COUNT, 0};
    c->cols[c->n++] = (struct cc_col){"length", "LENGTH", CC_COL_COUNT, 0};
    for (size_t i = 0; i < c->regions; i++) {
        char *name = c->titles[i] = cc_text_safe(f->regions[i].name);
        size_t at = 0;
        while (name[at] && at < 16)
            at += CC_MAX(cc_utf8_length(name + at), (size_t)1);
        name[at] = 0;
        c->cols[c->n++] = (struct cc_col){"region", name, CC_COL_COUNT, 0};
    }
    if (c->others)
        c->cols[c->n++] = (struct cc_col){"others", "(others)", CC_COL_COUNT, 0};
    c->cols[c->n++] = (struct cc_col){"bar", "", CC_COL_STR, 0};
}

static void frame_row(struct cc_table *t, const struct cc_frames *f, const struct columns *c, size_t i,
                      uint64_t longest)
{
    char text[MOST_FRAMES * 4];
    uint64_t values[MOST_REGIONS + 1] = {0};
    for (size_t k = f->first[i]; k < f->first[i + 1]; k++) {
        size_t at = 0;
        while (at < c->regions && f->regions[at].region != f->parts[k]->region)
            at++;
        values[at] += f->parts[k]->instructions;
    }
    cc_table_row(t);
    snprintf(text, sizeof text, "%zu", i);
    cc_table_str(t, text);
    cc_table_int(t, (int64_t)f->frames[i].start);
    cc_table_int(t, (int64_t)f->frames[i].length);
    for (size_t k = 0; k < c->regions + c->others; k++)
        cc_table_int(t, (int64_t)values[k]);
    cc_table_str(
        t, bar((double)f->frames[i].length / (double)CC_MAX(longest, UINT64_C(1)), 20, text, sizeof text));
}

static void total_row(struct cc_table *t, const struct cc_frames *f, const struct columns *c)
{
    uint64_t length = 0, others = 0;
    for (size_t i = 0; i < f->nframes; i++)
        length += f->frames[i].length;
    cc_table_row(t);
    cc_table_str(t, "all");
    cc_table_null(t);
    cc_table_int(t, (int64_t)length);
    for (size_t k = 0; k < f->nregions; k++) {
        if (k < c->regions)
            cc_table_int(t, (int64_t)f->regions[k].instructions);
        else
            others += f->regions[k].instructions;
    }
    if (c->others)
        cc_table_int(t, (int64_t)others);
    cc_table_str(t, "");
}

static void print_frames(const struct cc_frames *f, FILE *out)
{
    struct columns c = {0};
    make_columns(f, &c);
    CC_CLEANUP(cc_free_ptr) bool *shown = cc_alloc_array(f->nframes + 1, sizeof *shown);
    size_t count = cc_frames_choose(f, MOST_FRAMES, shown);
    /* without what ran before the first mark, or after the last that was kept, which may dwarf them all */
    uint64_t longest = 0;
    for (size_t i = f->nframes > 1; i < f->nframes - (f->cut && f->nframes > 2); i++)
        longest = CC_MAX(longest, f->frames[i].length);
    struct cc_table *t = cc_table_new(c.cols, c.n);
    for (size_t i = 0; i < f->nframes; i++) {
        if (shown[i]) {
            frame_row(t, f, &c, i, longest);
        } else if (shown[i - 1]) {
            cc_table_row(t);
            cc_table_str(t, "…");
            for (size_t k = 1; k < c.n; k++)
                cc_table_str(t, NULL);
        }
    }
    total_row(t, f, &c);
    cc_table_print_text(t, out);
    cc_table_free(t);
    if (count < f->nframes)
        fprintf(out,
                "\n%zu frames between are not shown: these are the first, the last, the longest and the "
                "shortest; --json lists all\n",
                f->nframes - count);
    for (size_t i = 0; i < c.regions; i++)
        free(c.titles[i]);
}

static void print_streams(const struct cc_frames *f, FILE *out)
{
    static const struct cc_col cols[] = {
        {"from", "FROM", CC_COL_STR, 0},
        {"to", "TO", CC_COL_STR, 0},
        {"bytes", "BYTES", CC_COL_BYTES, 0},
        {"share", "SHARE", CC_COL_PERCENT, 1},
        {"intra", "SAME FRAME", CC_COL_BYTES, 0},
        {"earlier", "FROM EARLIER", CC_COL_BYTES, 0},
        {"peak", "MOST", CC_COL_BYTES, 0},
        {"at", "IN FRAME", CC_COL_INT, 0},
        {"spark", "READ PER FRAME", CC_COL_STR, 0},
    };
    struct cc_table *t = cc_table_new(cols, CC_COUNT(cols));
    for (size_t i = 0; i < f->nstreams; i++) {
        const struct cc_frame_stream *s = &f->streams[i];
        char text[SPARKS * 4 + 1];
        cc_table_row(t);
        cc_table_str(t, s->from);
        cc_table_str(t, s->to);
        cc_table_int(t, (int64_t)s->bytes);
        if (s->self || !f->between)
            cc_table_null(t);
        else
            cc_table_num(t, (double)s->bytes / (double)f->between);
        cc_table_int(t, (int64_t)s->intra);
        cc_table_int(t, (int64_t)(s->bytes - s->intra));
        cc_table_int(t, (int64_t)s->peak_bytes);
        cc_table_int(t, s->peak);
        cc_table_str(t, spark(f, s, text, sizeof text));
    }
    cc_table_print_text(t, out);
    cc_table_free(t);
}

static void print_text(const struct cc_profile *p, const struct cc_frames *f, FILE *out)
{
    char bytes[24];
    cc_view_caveats(p, out);
    if (f->cut)
        fprintf(out, "note: more frames than the collector keeps: frame %zu stands for all that followed\n\n",
                f->nframes - 1);
    fprintf(out, "%zu frames; frame 0 is what ran before the first mark; lengths in instructions%s\n\n",
            f->nframes - 1, f->nregions > 1 ? ", in each region without those inside it" : "");
    print_frames(f, out);
    fprintf(out, "\n%s read from another %s; shares are of that\n\n",
            cc_human_bytes((double)f->between, bytes), cc_level_names[f->by]);
    print_streams(f, out);
    if (f->hidden)
        fprintf(out, "\n%zu more stream%s with %s; --min-share 0 shows all\n", f->hidden,
                f->hidden == 1 ? "" : "s", cc_human_bytes((double)f->hidden_bytes, bytes));
}

int cc_view_frames(const struct cc_view_request *rq, struct cc_err *err)
{
    struct cc_filter filter = cc_view_filter(rq, 20, 0.01);
    enum cc_level by = rq->by_given ? rq->by : rq->p->nregions > 1 ? CC_LEVEL_REGION : CC_LEVEL_FUNCTION;
    struct cc_frames *f;
    int rc = cc_frames_build(rq->p, by, &filter, &f, err);
    if (rc < 0)
        return rc;
    if (rq->out && rq->json)
        print_json(f, rq->out);
    else if (rq->out)
        print_text(rq->p, f, rq->out);
    if (rq->svg)
        cc_draw_frames(f, rq->svg);
    cc_frames_free(f);
    return 0;
}
