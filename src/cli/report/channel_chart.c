#include "channel_chart.h"

#include <inttypes.h>
#include <math.h>

enum {
    WIDTH = 900,
    LEFT = 16,
    GAP = 36,
    TOP = 92,
    PANEL = (WIDTH - 2 * LEFT - GAP) / 2,
    BAR = 20,
    BARS = 8,
    LABELS = 110
};
enum { PANEL_HEIGHT = BAR * BARS + 40, TIME_HEIGHT = 110 };

char *cc_channel_verdict(const struct cc_channel_figures *f, char *out, size_t size)
{
    char bytes[24];
    cc_human_bytes((double)f->bytes, bytes);
    const char *than = f->rec->flags & (CC_CHANNEL_UPPER | CC_CHANNEL_RAW) ? " or less" : "";
    switch (f->kind) {
    case CC_CHANNEL_FIFO:
        snprintf(out, size, "a FIFO of %" PRIu64 " element%s (%s)%s would do", f->size,
                 f->size == 1 ? "" : "s", bytes, than);
        break;
    case CC_CHANNEL_WINDOW:
        snprintf(out, size,
                 "a window of %s (a FIFO whose last elements can be read again, %s%s in all) would do",
                 cc_human_bytes((double)f->rec->window, (char[24]){0}), bytes, than);
        break;
    case CC_CHANNEL_DOUBLE_BUFFER:
        snprintf(out, size, "a double buffer of %s (2 x %s) would do", bytes,
                 cc_human_bytes((double)f->rec->largest_production, (char[24]){0}));
        break;
    case CC_CHANNEL_SHARED_MEMORY:
        snprintf(out, size, "needs a shared memory of %s%s", bytes, than);
        break;
    default:
        snprintf(out, size, "nothing flowed");
    }
    return out;
}

char *cc_channel_bucket(int k, char out[static 48])
{
    uint64_t from = UINT64_C(1) << k;
    if (k == 0)
        snprintf(out, 48, "1");
    else if (k < 14)
        snprintf(out, 48, "%" PRIu64 "-%" PRIu64, from, 2 * from - 1);
    else
        snprintf(out, 48, "from 2^%d", k);
    return out;
}

size_t cc_channel_points(const struct cc_rec_channel *r)
{
    size_t n = CC_CHANNEL_OCCUPANCY;
    while (n && !r->occupancy[n - 1])
        n--;
    return n;
}

struct row {
    char label[48];
    double value; /* share */
};

static void panel(struct cc_svg *s, double x, double y, const char *title, const struct row *rows, size_t n,
                  size_t color)
{
    double most = 0, room = PANEL - LABELS - 60;
    cc_svg_text(s, x, y + 14, CC_SVG_START, 13, title);
    for (size_t i = 0; i < n; i++)
        most = fmax(most, rows[i].value);
    if (!n)
        cc_svg_text(s, x + LABELS, y + 40, CC_SVG_START, 12, "none");
    for (size_t i = 0; i < n; i++) {
        double top = y + 24 + BAR * (double)i, w = most > 0 ? room * rows[i].value / most : 0;
        char text[24];
        snprintf(text, sizeof text, "%.1f %%", 100 * rows[i].value);
        cc_svg_text(s, x + LABELS - 8, top + 13, CC_SVG_END, 12, rows[i].label);
        cc_svg_rect(s, (struct cc_box){x + LABELS, top + 2, fmax(w, 0.5), BAR - 5}, cc_svg_color(color),
                    "none", text);
        cc_svg_text(s, x + LABELS + w + 5, top + 13, CC_SVG_START, 11, text);
    }
}

/* The fullest BARS buckets would break the order: the last bar takes the rest. */
static size_t histogram_rows(const uint64_t *counts, struct row *rows)
{
    double sum = 0;
    size_t n = 0;
    for (int k = 0; k < CC_CHANNEL_BUCKETS; k++)
        sum += (double)counts[k];
    for (int k = 0; k < CC_CHANNEL_BUCKETS; k++) {
        if (!counts[k])
            continue;
        if (n == BARS) {
            rows[BARS - 1].value += (double)counts[k] / sum;
            continue;
        }
        cc_channel_bucket(k, rows[n].label);
        rows[n++].value = (double)counts[k] / sum;
    }
    return n;
}

static size_t stride_rows(const struct cc_channel_figures *f, struct row *rows)
{
    uint32_t top[BARS];
    size_t n = cc_channel_top_strides(f->rec, top, BARS);
    double rest = 1;
    bool more = f->rec->nstrides > n || f->rec->other_strides;
    for (size_t i = 0; i < n; i++) {
        const struct cc_rec_stride *s = &f->rec->strides[top[i]];
        snprintf(rows[i].label, sizeof rows[i].label, "%+" PRId64, s->stride);
        rows[i].value = (double)s->count / (double)f->nstrides;
        rest -= rows[i].value;
    }
    if (more && n == BARS) {
        snprintf(rows[n - 1].label, sizeof rows[n - 1].label, "all others");
        rows[n - 1].value += fmax(rest, 0);
    }
    return n;
}

static void draw_occupancy(struct cc_svg *s, const struct cc_rec_channel *r, double y)
{
    size_t n = cc_channel_points(r);
    double room = WIDTH - 2 * LEFT - LABELS, base = y + 24 + TIME_HEIGHT, most = 0;
    char text[24];
    for (size_t i = 0; i < n; i++)
        most = fmax(most, (double)r->occupancy[i]);
    cc_svg_text(s, LEFT, y + 14, CC_SVG_START, 13, "bytes waiting, over the bursts");
    cc_svg_line(s, LEFT + LABELS, base, WIDTH - LEFT, base, "#888888", 1);
    if (most <= 0)
        return;
    cc_svg_text(s, LEFT + LABELS - 8, y + 32, CC_SVG_END, 11, cc_human_bytes(most, text));
    cc_svg_text(s, LEFT + LABELS - 8, base, CC_SVG_END, 11, "0");
    for (size_t i = 0; i < n; i++) {
        double h = TIME_HEIGHT * (double)r->occupancy[i] / most, w = fmin(room / (double)n, 40);
        cc_svg_rect(s, (struct cc_box){LEFT + LABELS + w * (double)i, base - h, fmax(w - 1, 0.5), h},
                    cc_svg_color(3), "none", cc_human_bytes((double)r->occupancy[i], text));
    }
}

void cc_draw_channel(const struct cc_channel_figures *f, struct cc_buf *out)
{
    CC_CLEANUP(cc_free_ptr) char *title = cc_asprintf("Channel %s -> %s", f->from, f->to);
    char line[300];
    struct row rows[BARS];
    struct cc_svg s;
    cc_svg_begin(&s, WIDTH, TOP + 2 * (PANEL_HEIGHT + 8) + TIME_HEIGHT + 44, title);
    cc_svg_text_fit(&s, LEFT, 28, WIDTH - 2 * LEFT, 16, title);
    cc_svg_text(&s, LEFT, 52, CC_SVG_START, 13, cc_channel_verdict(f, line, sizeof line));
    snprintf(line, sizeof line,
             "%.1f %% of first reads in order, a value is read %.2f times, complexity %.3f",
             100 * (isnan(f->in_order) ? 0 : f->in_order), isnan(f->reuse) ? 0 : f->reuse, f->complexity);
    cc_svg_text(&s, LEFT, 72, CC_SVG_START, 12, line);
    double right = LEFT + PANEL + GAP, lower = TOP + PANEL_HEIGHT + 8;
    panel(&s, LEFT, TOP, "bytes by how often their value is read", rows, histogram_rows(f->rec->reuse, rows),
          0);
    panel(&s, right, TOP, "bytes read again, by the reads in between", rows,
          histogram_rows(f->rec->distance, rows), 1);
    panel(&s, LEFT, lower, "strides between reads (bytes)", rows, stride_rows(f, rows), 2);
    panel(&s, right, lower, "bursts of production, by elements", rows,
          histogram_rows(f->rec->production, rows), 4);
    draw_occupancy(&s, f->rec, lower + PANEL_HEIGHT + 8);
    cc_svg_end(&s);
    *out = s.buf;
}
