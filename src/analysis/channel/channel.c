#include "channel.h"
#include "../../base/text.h"

#include <math.h>

const char *const cc_channel_kind_names[CC_CHANNEL_KINDS] = {"none", "fifo", "window", "double_buffer",
                                                             "shared_memory"};

/* --- which --- */

static bool is_called(const struct cc_profile *p, uint32_t function, const char *given, const char *name)
{
    if (!name || strcmp(given, name) == 0)
        return true;
    if (function == CC_NONE)
        return false;
    const struct cc_pfunction *f = &p->functions[function];
    size_t n = strlen(name);
    return (f->symbol && strcmp(f->symbol, name) == 0) ||
           (n && strncmp(f->name, name, n) == 0 && (f->name[n] == 0 || f->name[n] == '('));
}

static void list_channels(const struct cc_profile *p, struct cc_err *err)
{
    struct cc_buf text = {0};
    for (size_t i = 0; i < p->nchannels && text.n < 150; i++)
        cc_buf_printf(&text, "%s--from %s --to %s", i ? ", " : "", p->channel_from[i], p->channel_to[i]);
    cc_err_hint(err, "it holds %s", text.s);
    cc_buf_fini(&text);
}

int cc_channel_find(const struct cc_profile *p, const char *from, const char *to,
                    struct cc_channel_figures *ret, struct cc_err *err)
{
    const char *path = p->path ? p->path : "?";
    if (!p->nchannels) {
        cc_err_set(err, CC_EINPUT, "'%s' was recorded without a channel", path);
        cc_err_hint(err, "record it with --channel %s:%s", from ? from : "PRODUCER", to ? to : "CONSUMER");
        return -CC_EINPUT;
    }
    size_t found = p->nchannels, count = 0;
    for (size_t i = 0; i < p->nchannels; i++) {
        if (is_called(p, p->channels[i].producer, p->channel_from[i], from) &&
            is_called(p, p->channels[i].consumer, p->channel_to[i], to)) {
            found = count++ ? found : i;
        }
    }
    if (count != 1) {
        cc_err_set(err, CC_EINPUT, count ? "'%s' has several such channels" : "'%s' has no such channel",
                   path);
        list_channels(p, err);
        return -CC_EINPUT;
    }
    cc_channel_judge(&p->channels[found], ret);
    ret->from = p->channel_from[found];
    ret->to = p->channel_to[found];
    return 0;
}

/* --- figures --- */

static double ratio(uint64_t a, uint64_t b)
{
    return b ? (double)a / (double)b : NAN;
}

static double entropy_part(uint64_t count, double all)
{
    return count ? -(double)count / all * log2((double)count / all) : 0;
}

/* Entropy of the strides over the most that so many strides, or so large a table, could have. */
static double complexity(const struct cc_rec_channel *r, double all)
{
    double bits = entropy_part(r->other_strides, all), most = log2(fmin(all, CC_CHANNEL_STRIDES + 1));
    for (uint32_t i = 0; i < r->nstrides; i++)
        bits += entropy_part(r->strides[i].count, all);
    return all >= 2 ? fmin(fmax(bits / most, 0), 1) : 0;
}

/* Twice a burst: one part is filled while the other is read. Needs that nothing older than the burst before
 * is read. */
static bool double_buffer(const struct cc_rec_channel *r, uint64_t *ret_bytes)
{
    *ret_bytes = r->largest_production > UINT64_MAX / 2 ? UINT64_MAX : 2 * r->largest_production;
    return r->production_bursts >= 2 && r->elements / r->production_bursts >= 2 && r->behind[2] == 0;
}

static void suggest(const struct cc_rec_channel *r, struct cc_channel_figures *ret)
{
    uint64_t followed = r->bytes - CC_MIN(r->unfollowed, r->bytes), twice;
    uint64_t element = r->elements ? (r->fresh + r->elements - 1) / r->elements : 0;
    uint64_t reach = CC_MIN(r->window + element, r->fresh), whole = CC_MIN(reach + r->depth_bytes, r->fresh);
    bool ordered = r->ordered == r->fresh, blocks = double_buffer(r, &twice);
    bool slides =
        ordered || reach <= r->live / 2; /* a window that is no mere part of what is needed at once */
    if (!r->fresh) {
        ret->kind = CC_CHANNEL_NONE;
        return;
    }
    if (ordered && followed == r->fresh) {
        ret->kind = CC_CHANNEL_FIFO;
        ret->size = r->depth;
        ret->bytes = r->depth_bytes;
        ret->side_by_side = element;
        return;
    }
    if (slides && (!blocks || whole <= twice)) {
        ret->kind = CC_CHANNEL_WINDOW;
        ret->bytes = whole;
        ret->side_by_side = reach;
    } else if (blocks) {
        ret->kind = CC_CHANNEL_DOUBLE_BUFFER;
        ret->bytes = ret->side_by_side = twice;
    } else {
        ret->kind = CC_CHANNEL_SHARED_MEMORY;
        ret->bytes = ret->side_by_side = r->live;
    }
    ret->size = ret->bytes;
}

void cc_channel_judge(const struct cc_rec_channel *r, struct cc_channel_figures *ret)
{
    *ret = (struct cc_channel_figures){.rec = r};
    uint64_t followed = r->bytes - CC_MIN(r->unfollowed, r->bytes);
    ret->nstrides = r->other_strides;
    for (uint32_t i = 0; i < r->nstrides; i++)
        ret->nstrides += r->strides[i].count;
    ret->reuse = ratio(followed, r->fresh);
    ret->reads_per_address = ratio(followed, r->unma);
    ret->in_order = ratio(r->ordered, r->fresh);
    ret->interleaving = r->production_bursts ? (double)r->production_bursts : NAN; /* the fewest is one */
    ret->unit = ratio(r->unit, ret->nstrides);
    ret->constant = ratio(r->constant, ret->nstrides);
    ret->irregular = ratio(r->irregular, ret->nstrides);
    ret->complexity = complexity(r, (double)ret->nstrides);
    suggest(r, ret);
    ret->almost_fifo = ret->kind > CC_CHANNEL_FIFO && ret->in_order >= 0.99 && ret->reuse <= 1.01;
}

size_t cc_channel_top_strides(const struct cc_rec_channel *r, uint32_t *out, size_t cap)
{
    size_t n = 0;
    for (uint32_t i = 0; i < r->nstrides; i++) {
        size_t at = n < cap ? n++ : cap;
        for (; at > 0 && r->strides[out[at - 1]].count < r->strides[i].count; at--)
            if (at < cap)
                out[at] = out[at - 1];
        if (at < cap)
            out[at] = i;
    }
    return n;
}
