#include "analysis/frames/frames.h"
#include "base/rng.h"
#include "tap.h"

enum { REGIONS = 4, FRAMES = 300 };

static CC_VEC(struct cc_rec_flow) flows;
static CC_VEC(struct cc_rec_frame_part) parts;
static struct cc_rec_frame frames[FRAMES];
static struct cc_pregion regions[REGIONS] = {{CC_OUTSIDE_NAME}, {"decode"}, {"prepare"}, {"<input>"}};
static struct cc_pfunction functions[] = {{.name = CC_RUNTIME_NAME}, {.name = "f"}};
static struct cc_profile profile;

static void start(size_t nframes)
{
    flows.n = parts.n = 0;
    uint64_t at = 0;
    for (uint32_t i = 0; i < nframes; i++) {
        frames[i] = (struct cc_rec_frame){.id = i, .start = at, .length = 100 + i};
        at += frames[i].length;
    }
    profile = (struct cc_profile){.path = "x.cast",
                                  .regions = regions,
                                  .nregions = REGIONS,
                                  .functions = functions,
                                  .nfunctions = 2,
                                  .frames = frames,
                                  .nframes = nframes};
}

static void put(uint32_t from, uint32_t to, uint32_t written, uint32_t read, uint64_t bytes)
{
    CC_VEC_PUSH(&flows, (struct cc_rec_flow){CC_LEVEL_REGION, from, to, written, read, 0, bytes});
}

static struct cc_frames *build(const struct cc_filter *filter)
{
    struct cc_frames *f = NULL;
    struct cc_err err = {0};
    profile.flows = flows.v;
    profile.nflows = flows.n;
    profile.frame_parts = parts.v;
    profile.nframe_parts = parts.n;
    if (cc_frames_build(&profile, CC_LEVEL_REGION, filter, &f, &err) < 0)
        printf("# %s\n", err.msg);
    return f;
}

/* Frame k reads what frame k - 1 wrote, and a little of its own. */
static void test_chain(void)
{
    start(6);
    for (uint32_t k = 2; k < 6; k++) {
        put(1, 2, k - 1, k, 1000);
        put(1, 2, k, k, 10);
    }
    put(1, 1, 3, 3, 77);
    put(CC_SPECIAL_ID(CC_NODE_INPUT), 1, 0, 1, 5);
    CC_VEC_PUSH(&flows, (struct cc_rec_flow){CC_LEVEL_FUNCTION, 1, 1, 0, 0, 0, 12345}); /* not asked for */
    struct cc_frames *f = build(&(struct cc_filter){0});
    if (!OK(f && f->nstreams == 3, "three streams"))
        return;
    const struct cc_frame_stream *s = &f->streams[0];
    OK_STR(s->from, "decode", "the heaviest: from");
    OK_STR(s->to, "prepare", "to");
    OK(s->bytes == 4040 && s->intra == 40 && s->nentries == 8 && !s->self, "its bytes");
    OK(s->nuses == 5 && s->uses[0].frame == 1 && s->uses[0].later == 1000 && s->uses[0].intra == 0,
       "frame 1 only writes for later");
    OK(s->uses[2].intra == 10 && s->uses[2].earlier == 1000 && s->uses[2].later == 1000, "frame 3 does all");
    OK(s->uses[4].frame == 5 && s->uses[4].later == 0, "the last one only reads");
    OK(s->peak == 2 && s->peak_bytes == 1010, "the first of the most");
    OK(f->between == 4045, "bytes between");
    OK_STR(f->streams[2].from, "<input>", "special ends");
    OK_STR(f->region_names[3], "<input> (region)", "a region that looks like one");
    cc_frames_free(f);
    f = build(&(struct cc_filter){.min_share = 0.01});
    OK(f->nstreams == 2 && f->hidden == 1 && f->hidden_bytes == 5, "a share");
    cc_frames_free(f);
    f = build(&(struct cc_filter){.focus = "prepare"});
    OK(f && f->nstreams == 1 && f->hidden == 0, "a focus");
    cc_frames_free(f);
    f = build(&(struct cc_filter){.top = 1});
    OK(f && f->nstreams == 1 && f->hidden == 2, "the first only");
    cc_frames_free(f);
}

static void test_lengths(void)
{
    start(3);
    const struct cc_rec_frame_part given[] = {{0, 0, 100}, {1, 0, 1}, {1, 1, 60}, {1, 2, 40}, {2, 2, 102}};
    for (size_t i = 0; i < CC_COUNT(given); i++)
        CC_VEC_PUSH(&parts, given[i]);
    struct cc_frames *f = build(&(struct cc_filter){0});
    OK(f->nregions == 3, "regions that never ran are left out");
    OK(f->regions[0].region == 2 && f->regions[0].instructions == 142, "the longest first");
    OK(f->first[1] == 1 && f->first[2] == 4 && f->first[3] == 5 && f->parts[1]->region == 1 &&
           f->parts[3]->region == 0,
       "each frame's, longest first");
    cc_frames_free(f);
}

static void test_choice(void)
{
    start(FRAMES);
    struct cc_frames *f = build(&(struct cc_filter){0});
    bool shown[FRAMES] = {0};
    frames[150].length = 1000000;
    frames[160].length = 1;
    size_t n = cc_frames_choose(f, 40, shown);
    OK(n > 20 && n <= 40 && shown[0] && shown[FRAMES - 1] && shown[150] && shown[160] && !shown[151],
       "a short table has the ends and the extremes (%zu)", n);
    memset(shown, 0, sizeof shown);
    OK(cc_frames_choose(f, FRAMES, shown) == FRAMES && shown[151], "or all");
    cc_frames_free(f);
}

static void test_faults(void)
{
    struct cc_frames *f;
    struct cc_err err = {0};
    start(0);
    OK(cc_frames_build(&profile, CC_LEVEL_REGION, &(struct cc_filter){0}, &f, &err) < 0 &&
           strstr(err.msg, "no frames") && strstr(err.hint, "CC_FRAME"),
       "a profile without frames");
    profile.nregions = 0;
    err = (struct cc_err){0};
    OK(cc_frames_build(&profile, CC_LEVEL_REGION, &(struct cc_filter){0}, &f, &err) < 0 &&
           strstr(err.msg, "recorded without frames"),
       "a recording of time stamps");
    err = (struct cc_err){0};
    start(2);
    OK(cc_frames_build(&profile, CC_LEVEL_THREAD, &(struct cc_filter){0}, &f, &err) < 0, "by thread");
    struct cc_frames *none = build(&(struct cc_filter){0});
    OK(none && none->nstreams == 0 && none->nregions == 0, "frames without streams and lengths");
    cc_frames_free(none);
    flows.n = 0;
    put(1, 2, 0, 1, 10);
    none = build(&(struct cc_filter){.focus = "nobody"});
    OK(!none, "an unknown focus");
}

/* Against the definition, one frame at a time. */
static void test_random(void)
{
    struct cc_rng rng = {11};
    int bad = 0;
    for (int round = 0; round < 200; round++) {
        size_t n = 1 + (size_t)cc_rng_below(&rng, 20);
        static uint64_t matrix[REGIONS][REGIONS][20][20];
        memset(matrix, 0, sizeof matrix);
        start(n);
        for (int i = 0; i < 200; i++) {
            uint32_t read = (uint32_t)cc_rng_below(&rng, n), written = (uint32_t)cc_rng_below(&rng, read + 1);
            uint32_t from = (uint32_t)cc_rng_below(&rng, REGIONS), to = (uint32_t)cc_rng_below(&rng, REGIONS);
            if (!matrix[from][to][written][read])
                put(from, to, written, read, matrix[from][to][written][read] = 1 + cc_rng_below(&rng, 1000));
        }
        struct cc_frames *f = build(&(struct cc_filter){0});
        for (size_t i = 0; i < f->nstreams; i++) {
            const struct cc_frame_stream *s = &f->streams[i];
            const struct cc_rec_flow *e = s->entries;
            for (uint32_t k = 0, at = 0; k < n; k++) {
                struct cc_frame_use want = {.frame = k}, got = {.frame = k};
                for (uint32_t x = 0; x < n; x++) {
                    want.earlier += x < k ? matrix[e->producer][e->consumer][x][k] : 0;
                    want.later += x > k ? matrix[e->producer][e->consumer][k][x] : 0;
                }
                want.intra = matrix[e->producer][e->consumer][k][k];
                if (at < s->nuses && s->uses[at].frame == k)
                    got = s->uses[at++];
                bad += got.intra != want.intra || got.earlier != want.earlier || got.later != want.later;
            }
            bad += i && s->bytes > f->streams[i - 1].bytes;
        }
        cc_frames_free(f);
    }
    OK(bad == 0, "random: every frame of every stream (%d bad)", bad);
}

int main(void)
{
    test_chain();
    test_lengths();
    test_choice();
    test_faults();
    test_random();
    CC_VEC_FINI(&flows);
    CC_VEC_FINI(&parts);
    return TAP_DONE();
}
