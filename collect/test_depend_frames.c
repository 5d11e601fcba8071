/* What lies in frames of functions that a loop calls, registers that code of libraries has to itself, and
 * registers in pieces that are most often used together are followed by short ways: the same is found as
 * without them. */
#include "depend_internal.h"
#include "../tests/host.h"
#include "tap.h"

#include <stdlib.h>
#include <string.h>

enum {
    STACK = 0x10000,
    TOP = STACK + 4096,
    HEAP = 0x40000,
    FRAME = 64,
    DEEPEST = 12,
    LOOPS = 5,
    SITES = 24,
    PIECES = 16,
    USES = 3,
    GRANULES = 8,
    STEPS = 4000,
    TRIALS = 60,
    KEPT = 4096
};

static uint64_t seed;
static uint32_t random_below(uint32_t n)
{
    seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (uint32_t)((seed >> 33) % n);
}

struct found {
    struct cc_rec_dependence v[KEPT];
    size_t n;
};

struct program {
    struct cc_depend *d;
    struct cc_depend_thread *x;
    struct cc_depend_site sites[SITES];
    struct cc_depend_site *all[SITES];
    struct cc_depend_piece pieces[PIECES];
    struct cc_depend_use uses[PIECES][USES];
    struct cc_depend_put puts[PIECES][USES];
    bool quick; /* else nothing is known of frames, of registers of libraries, and of whole registers */
    uint64_t now, sp;
    uint32_t depth;                       /* of calls */
    uint32_t nloops, at[DEEPEST * LOOPS]; /* the call that each loop is in */
};

static void put(void *self, const struct cc_rec_dependence *r)
{
    struct found *f = self;
    if (f->n == KEPT)
        return;
    f->v[f->n] = *r;
    /* of what meets in one iteration, most is not counted once it is known */
    if (r->kind >= CC_DEPENDENCE_WITHIN_RAW && r->kind <= CC_DEPENDENCE_WITHIN_WAW)
        f->v[f->n].count = 0;
    f->n++;
}

static int compare(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(struct cc_rec_dependence));
}

static uint64_t return_to(uint32_t depth)
{
    return 0x1000 + depth * 16;
}

/* Mostly to the present frame, to those below, where functions that are called will have theirs, and above.
 */
static void touch(struct program *p)
{
    static const uint32_t sizes[] = {1, 4, 8, 8};
    uint32_t size = sizes[random_below(4)], which = random_below(8);
    uint64_t a = which == 0   ? HEAP + random_below(8) * 8
                 : which == 1 ? TOP - FRAME + random_below(FRAME / 8) * 8
                              : p->sp + random_below(FRAME / 8) * 8;
    struct cc_depend_site *site = &p->sites[random_below(SITES)];
    if (random_below(2))
        cc_depend_write(p->x, a, size, site);
    else
        cc_depend_read(p->x, a, size, site);
}

/* Code, half of it of libraries; where it puts a register onto the stack, it does so. */
static void run_piece(struct program *p)
{
    struct cc_depend_piece *piece = &p->pieces[random_below(PIECES)];
    if (!p->quick)
        p->x->theirs.stamp = 0;
    cc_depend_registers(p->x, piece);
    for (uint32_t i = 0; i < USES; i++)
        if (piece->uses[i].flags & CC_USE_STORED)
            cc_depend_store(p->x, p->sp, 8, &p->sites[piece->outside ? 0 : 1], piece->uses[i].granule);
}

/* Two registers have three pieces: all of one, some, or a register that is one piece. */
static uint32_t choose(uint32_t *ret_more)
{
    uint32_t granule = random_below(GRANULES), part = granule % 4;
    *ret_more = part < 3 ? random_below(3 - part) : 0;
    if (part == 0 && random_below(2))
        *ret_more = 2;
    return granule;
}

static void make_piece(struct program *p, uint32_t i)
{
    for (uint32_t k = 0; k < USES; k++) {
        uint32_t flags = random_below(8) ? 0 : CC_USE_STORED, more, granule = choose(&more);
        p->uses[i][k] = (struct cc_depend_use){.granule = (uint8_t)granule,
                                               .more = flags ? 0 : (uint8_t)more,
                                               .flags = (uint8_t)flags,
                                               .site = (uint16_t)(1 + random_below(SITES - 1))};
        granule = choose(&more);
        p->puts[i][k] = (struct cc_depend_put){
            .granule = (uint8_t)granule, .more = more & 3, .site = (uint16_t)(1 + random_below(SITES - 1))};
    }
}

static void make_pieces(struct program *p)
{
    for (uint32_t i = 0; i < SITES; i++) {
        p->all[i] = &p->sites[i];
        p->sites[i] = (struct cc_depend_site){.address = i + 1, .outside = !i};
    }
    for (uint32_t i = 0; i < PIECES; i++) {
        make_piece(p, i);
        p->pieces[i] = (struct cc_depend_piece){.address = 0x9000 + i * 64,
                                                .last = 0x9000 + i * 64,
                                                .outside = i < PIECES / 2,
                                                .nuses = USES,
                                                .nputs = random_below(USES + 1),
                                                .nsites = SITES,
                                                .uses = p->uses[i],
                                                .puts = p->puts[i],
                                                .sites = p->all};
    }
}

static void back(struct program *p)
{
    while (p->nloops && p->at[p->nloops - 1] == p->depth)
        cc_depend_leave(p->x, --p->nloops, p->now);
    p->sp += FRAME;
    p->depth--;
    cc_depend_return(p->x, return_to(p->depth), p->sp);
}

static void step(struct program *p)
{
    bool own = p->nloops && p->at[p->nloops - 1] == p->depth;
    uint32_t what = random_below(24);
    p->now += 5;
    if (what == 0 && p->nloops < LOOPS) {
        p->at[p->nloops++] = p->depth;
        cc_depend_enter(p->x, random_below(LOOPS), p->sp, p->now, 0);
    } else if (what == 1 && own) {
        cc_depend_leave(p->x, --p->nloops, p->now);
    } else if (what < 6 && own) {
        cc_depend_iterate(p->x, p->nloops - 1, p->sp, p->now);
    } else if (what < 9 && p->depth + 1 < DEEPEST) {
        cc_depend_call(p->x, return_to(p->depth) - 4, !random_below(3), return_to(p->depth), p->sp);
        p->depth++;
        p->sp -= FRAME;
        if (!p->quick)
            cc_depend_no_frames(p->x, 0);
    } else if (what < 12 && p->depth) {
        back(p);
    } else if (what < 18) {
        for (uint32_t n = random_below(20); n; n--)
            run_piece(p);
    } else {
        touch(p);
    }
}

static void run(uint64_t from, bool quick, struct found *ret)
{
    struct cc_depend_options o = {.exact = true, .machine = {.nkept = 4, .kept = {3, 4, 5, 6}}};
    if (quick)
        o.machine.parts[0] = o.machine.parts[4] = 3;
    for (uint32_t i = 0; i < CC_DEPEND_GRANULES; i++)
        o.machine.offset[i] = (uint16_t)(i * 8);
    struct program p = {.d = cc_depend_new(&cc_test_host, &o), .quick = quick, .sp = TOP - FRAME};
    seed = from;
    make_pieces(&p);
    p.x = cc_depend_thread_new(p.d, 0);
    cc_depend_stack(p.x, STACK, TOP);
    cc_depend_enter(p.x, 0, p.sp, 0, 0); /* it is on from here */
    p.at[p.nloops++] = 0;
    for (uint32_t i = 0; i < STEPS; i++)
        step(&p);
    while (p.depth)
        back(&p);
    ret->n = 0;
    cc_depend_results(p.d, &(struct cc_depend_writer){ret, put});
    qsort(ret->v, ret->n, sizeof *ret->v, compare);
}

int main(void)
{
    static struct found one, other;
    uint32_t wrong = 0, most = 0;
    for (uint32_t i = 0; i < TRIALS; i++) {
        run(i + 1, true, &one);
        run(i + 1, false, &other);
        wrong += one.n != other.n || memcmp(one.v, other.v, one.n * sizeof *one.v) != 0;
        most = one.n > most ? (uint32_t)one.n : most;
    }
    OK_U64(wrong, 0, "%u random programs with calls: the same is found with and without the short way",
           TRIALS);
    OK(most > 100 && most < KEPT, "which is something, and all of it is compared: %u", most);
    return TAP_DONE();
}
