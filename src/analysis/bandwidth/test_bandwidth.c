#include "analysis/bandwidth/bandwidth.h"
#include "base/rng.h"
#include "tap.h"

enum { FUNCTIONS = 8, LENGTH = 1000 };

static struct cc_profile profile;
static struct cc_pfunction functions[FUNCTIONS];
static CC_VEC(struct cc_rec_slice) slices;

static void start(void)
{
    static const char *const names[FUNCTIONS] = {"<runtime>", "f", "g", "h", "i", "j", "k", "l"};
    for (int i = 0; i < FUNCTIONS; i++)
        functions[i] = (struct cc_pfunction){.name = names[i], .binary = CC_NONE};
    slices.n = 0;
    profile = (struct cc_profile){
        .functions = functions, .nfunctions = FUNCTIONS, .slice_length = LENGTH, .path = "x.cast"};
}

static void put(uint32_t slice, uint32_t function, uint64_t read, uint64_t written)
{
    CC_VEC_PUSH(&slices, (struct cc_rec_slice){slice, function, read, written, read / 4, written / 2});
}

static struct cc_bandwidth *build(enum cc_traffic traffic, enum cc_stack_part stack, struct cc_filter filter)
{
    struct cc_bandwidth *b = NULL;
    struct cc_err err = {0};
    profile.slices = slices.v;
    profile.nslices = slices.n;
    if (!profile.instructions)
        profile.instructions = (uint64_t)(slices.v[slices.n - 1].slice + 1) * LENGTH;
    if (cc_bandwidth_build(&profile, traffic, stack, &filter, &b, &err) < 0)
        printf("# %s\n", err.msg);
    return b;
}

static void test_figures(void)
{
    start();
    put(0, 1, 400, 4000);
    put(1, 1, 0, 8000);
    put(1, 2, 100, 0);
    put(3, 1, 0, 500);
    profile.instructions = 3 * LENGTH + 100; /* the last slice is short */
    struct cc_bandwidth *b = build(CC_TRAFFIC_ALL, CC_STACK_WITH, (struct cc_filter){0});
    const struct cc_bandwidth_function *f = &b->functions[0];
    OK(b->nslices == 4 && b->length == LENGTH && b->last_length == 100, "slices");
    OK(f->function == 1 && f->bytes == 12900 && f->read == 400 && f->written == 12500, "sums");
    OK(f->active == 3 && f->first == 0 && f->last == 3, "active slices");
    OK_NEAR(f->average, 12900.0 / 2100, 1e-12, "average over the active slices");
    OK(f->peak_slice == 1 && f->peak == 8.0, "the peak");
    OK(b->nfunctions == 2 && b->total == 13000, "all functions");
    cc_bandwidth_free(b);
    b = build(CC_TRAFFIC_READS, CC_STACK_ONLY, (struct cc_filter){0});
    OK(b->total == 125 && b->functions[0].bytes == 100, "stack reads only");
    cc_bandwidth_free(b);
    b = build(CC_TRAFFIC_WRITES, CC_STACK_WITHOUT, (struct cc_filter){.top = 1});
    OK(b->total == 6250 && b->nfunctions == 1 && b->hidden == 0, "writes beside the stack");
    cc_bandwidth_free(b);
    b = build(CC_TRAFFIC_ALL, CC_STACK_WITH, (struct cc_filter){.focus = "g"});
    OK(b->nfunctions == 1 && b->functions[0].function == 2 && b->hidden == 1, "only what was asked for");
    cc_bandwidth_free(b);
    start();
    struct cc_err err = {0};
    OK(cc_bandwidth_build(&profile, CC_TRAFFIC_ALL, CC_STACK_WITH, &(struct cc_filter){0}, &b, &err) < 0 &&
           strstr(err.msg, "without slices"),
       "a profile without slices");
}

/* f, then a slice of both, then g; then nothing; then f again. */
static void test_phases(void)
{
    start();
    for (uint32_t i = 0; i < 10; i++)
        put(i, 1, 0, 1000 + i);
    put(10, 1, 0, 480);
    put(10, 2, 520, 0);
    for (uint32_t i = 11; i < 20; i++)
        put(i, 2, 900, 0);
    for (uint32_t i = 25; i < 30; i++)
        put(i, 1, 0, 700);
    struct cc_bandwidth *b = build(CC_TRAFFIC_ALL, CC_STACK_WITH, (struct cc_filter){0});
    const struct cc_phase *p = b->phases;
    OK_U64(b->nphases, 4, "four phases");
    if (b->nphases == 4) {
        OK(p[0].first == 0 && p[0].last == 9 && p[1].first == 10 && p[1].last == 19,
           "the slice between goes to what it is more like");
        OK(p[2].first == 20 && p[2].last == 24 && p[2].bytes == 0 && p[2].nparts == 0, "idle slices");
        OK(p[3].kind == p[0].kind && p[1].kind != p[0].kind && b->nkinds == 3, "a phase that comes back");
        OK(p[0].nparts == 1 && p[0].parts[0].function == 1 && p[1].nparts == 2 && p[1].parts[0].function == 2,
           "their functions");
        OK(p[0].bytes == 10045 && p[1].bytes == 1000 + 8100, "their traffic");
    }
    cc_bandwidth_free(b);
}

/* Functions that take turns within each slice are one phase. */
static void test_mixed(void)
{
    start();
    for (uint32_t i = 0; i < 50; i++) {
        put(i, 1, 500 + (i * 7) % 100, 0);
        put(i, 2, 500 + (i * 13) % 100, 0);
    }
    struct cc_bandwidth *b = build(CC_TRAFFIC_ALL, CC_STACK_WITH, (struct cc_filter){0});
    OK(b->nphases == 1 && b->phases[0].last == 49 && b->phases[0].nparts == 2,
       "a steady mixture is one phase");
    cc_bandwidth_free(b);
}

/* Whatever the traffic: phases cover the slices without gap or overlap, and nothing is lost. */
static void test_random(void)
{
    struct cc_rng rng = {3};
    int bad = 0, lost = 0;
    for (int round = 0; round < 300; round++) {
        start();
        uint64_t sum = 0;
        uint32_t n = 1 + (uint32_t)cc_rng_below(&rng, 400), slice = 0;
        for (uint32_t i = 0; i < n; i++) {
            for (uint32_t f = 0; f < FUNCTIONS; f++) {
                if (cc_rng_below(&rng, 4))
                    continue;
                uint64_t r = cc_rng_below(&rng, 5000), w = cc_rng_below(&rng, 5000);
                put(slice, f, r, w);
                sum += r + w;
            }
            slice += 1 + (cc_rng_below(&rng, 20) == 0) * (uint32_t)cc_rng_below(&rng, 50);
        }
        if (!slices.n)
            continue;
        struct cc_bandwidth *b = build(CC_TRAFFIC_ALL, CC_STACK_WITH, (struct cc_filter){0});
        uint64_t phases = 0, rows = 0;
        uint32_t next = 0;
        for (size_t i = 0; i < b->nphases; i++) {
            bad += b->phases[i].first != next || b->phases[i].last < b->phases[i].first ||
                   b->phases[i].kind >= b->nkinds;
            next = b->phases[i].last + 1;
            phases += b->phases[i].bytes;
        }
        for (size_t i = 0; i < b->nfunctions; i++)
            rows += b->functions[i].bytes;
        bad += next != b->nslices;
        lost += phases != sum || rows != sum || b->total != sum;
        cc_bandwidth_free(b);
    }
    OK(bad == 0, "random: phases cover the run (%d bad)", bad);
    OK(lost == 0, "random: functions and phases each sum to all traffic (%d bad)", lost);
}

int main(void)
{
    test_figures();
    test_phases();
    test_mixed();
    test_random();
    CC_VEC_FINI(&slices);
    return TAP_DONE();
}
