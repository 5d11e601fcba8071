#include "analysis/channel/channel.h"
#include "tap.h"

static struct cc_rec_channel rec;

static struct cc_channel_figures judge(void)
{
    struct cc_channel_figures f;
    cc_channel_judge(&rec, &f);
    return f;
}

static void test_suggestions(void)
{
    rec = (struct cc_rec_channel){.producer = 1, .consumer = 2};
    struct cc_channel_figures f = judge();
    OK(f.kind == CC_CHANNEL_NONE && isnan(f.in_order) && isnan(f.reuse) && f.complexity == 0,
       "nothing flowed");
    rec.reads = rec.elements = 100;
    rec.bytes = rec.fresh = rec.ordered = 400;
    rec.depth = 8;
    rec.depth_bytes = 32;
    rec.live = 32;
    rec.unma = 40;
    rec.production_bursts = 13;
    rec.largest_production = 32;
    rec.behind[0] = 400;
    f = judge();
    OK(f.kind == CC_CHANNEL_FIFO && f.size == 8 && f.bytes == 32, "in order and once: a FIFO");
    OK(f.in_order == 1 && f.reuse == 1 && f.reads_per_address == 10 && f.interleaving == 13, "its figures");
    rec.bytes = 800;
    rec.window = 4;
    f = judge();
    OK(f.kind == CC_CHANNEL_WINDOW && f.size == 4 + 32 + 4, "in order, more than once: a window");
    rec.window = 300;
    f = judge();
    OK(f.kind == CC_CHANNEL_DOUBLE_BUFFER && f.size == 64, "unless a double buffer is smaller");
    rec.live = 400;
    rec.ordered = 200;
    rec.window = 100;
    rec.depth_bytes = 200;
    rec.largest_production = 200;
    f = judge();
    OK(f.kind == CC_CHANNEL_WINDOW && f.size == 304 && f.side_by_side == 104,
       "out of order, but never far back: a window");
    rec.window = 300;
    rec.live = rec.depth_bytes = rec.largest_production = 32;
    f = judge();
    OK(f.kind == CC_CHANNEL_DOUBLE_BUFFER && f.in_order == 0.5 && f.reuse == 2,
       "out of order in blocks: a double buffer");
    rec.behind[2] = 4;
    f = judge();
    OK(f.kind == CC_CHANNEL_SHARED_MEMORY && f.size == 32, "older blocks too: a shared memory");
    rec.behind[2] = 0;
    rec.production_bursts = 1;
    f = judge();
    OK(f.kind == CC_CHANNEL_SHARED_MEMORY, "one burst is no double buffer");
    rec.bytes = 100;
    rec.unfollowed = 200;
    f = judge();
    OK(f.reuse == 0, "figures that contradict each other do no harm");
}

static void strides(uint32_t n, const uint64_t *counts)
{
    rec.nstrides = n;
    for (uint32_t i = 0; i < n; i++)
        rec.strides[i] = (struct cc_rec_stride){(int64_t)i * 4 - 8, counts[i]};
}

static void test_complexity(void)
{
    rec = (struct cc_rec_channel){0};
    strides(1, (uint64_t[]){1000});
    OK_NEAR(judge().complexity, 0, 0, "one stride: no complexity");
    strides(2, (uint64_t[]){512, 512});
    OK_NEAR(judge().complexity, 0.1, 1e-12, "two as often: one bit of ten");
    uint64_t ones[16];
    for (int i = 0; i < 16; i++)
        ones[i] = 1;
    strides(16, ones);
    OK_NEAR(judge().complexity, 1, 1e-12, "all different: as complex as can be");
    rec.other_strides = UINT32_MAX;
    double c = judge().complexity;
    OK(c >= 0 && c <= 1, "the rest counts as one");
    strides(5, (uint64_t[]){5, 90, 7, 90, 100});
    uint32_t top[3];
    OK(cc_channel_top_strides(&rec, top, 3) == 3 && top[0] == 4 && top[1] == 1 && top[2] == 3,
       "the most frequent");
}

static void test_find(void)
{
    struct cc_pfunction functions[] = {{.name = "<runtime>"},
                                       {.name = "img::f(int)", .symbol = "_ZN3img1fEi"},
                                       {.name = "g"},
                                       {.name = "h"}};
    static struct cc_rec_channel channels[3] = {{.producer = 1, .consumer = 2},
                                                {.producer = 2, .consumer = 3},
                                                {.producer = CC_NONE, .consumer = CC_NONE}};
    const char *from[] = {"img::f", "g", "never"}, *to[] = {"g", "h", "seen"};
    struct cc_profile p = {.functions = functions, .nfunctions = 4, .path = "x.cast"};
    struct cc_channel_figures f;
    struct cc_err err = {0};
    OK(cc_channel_find(&p, "a", "b", &f, &err) < 0 && strstr(err.msg, "without a channel") &&
           strstr(err.hint, "--channel a:b"),
       "no channel");
    p.channels = channels;
    p.channel_from = from;
    p.channel_to = to;
    p.nchannels = 3;
    OK(cc_channel_find(&p, "img::f", "g", &f, &err) == 0 && f.rec == channels, "by the names given");
    OK(cc_channel_find(&p, "_ZN3img1fEi", NULL, &f, &err) == 0 && f.rec == channels, "by symbol");
    OK(cc_channel_find(&p, NULL, "h", &f, &err) == 0 && f.rec == channels + 1, "by one end");
    OK(cc_channel_find(&p, "never", "seen", &f, &err) == 0 && f.kind == CC_CHANNEL_NONE,
       "functions that never ran");
    memset(&err, 0, sizeof err);
    OK(cc_channel_find(&p, NULL, NULL, &f, &err) < 0 && strstr(err.hint, "--from g --to h"),
       "which of them?");
    memset(&err, 0, sizeof err);
    OK(cc_channel_find(&p, "h", "g", &f, &err) < 0 && strstr(err.msg, "no such"), "none of them");
}

int main(void)
{
    test_suggestions();
    test_complexity();
    test_find();
    return TAP_DONE();
}
