/* Invocations that nobody tells of while nothing is followed: the same is followed as if they had been told
 * of. */
#include "depend.h"
#include "../tests/host.h"
#include "tap.h"

enum { SP = 0x8000, OUTER = 30000, INNER = 8, EACH = 20, SIGNS = 3 };

struct run {
    struct cc_depend *d;
    struct cc_depend_thread *x;
    uint64_t now, on, quiet, told;
    bool lent; /* the loop under way */
};

/* As an engine does that keeps a leaf to itself. sign 0: it has none. */
static void enter(struct run *r, bool keeps, uint64_t sign)
{
    r->lent = false;
    if (keeps && !cc_depend_on(r->d) && (r->quiet || cc_depend_enter_known(r->x, 1, sign))) {
        r->lent = true;
        return;
    }
    r->told++;
    r->x->sign.v = cc_depend_wants_sign(r->d, 1) ? sign : 0;
    cc_depend_enter(r->x, 1, SP, r->now, 0);
    r->lent = keeps && cc_depend_lend(r->x, 2);
    if (r->lent && !r->quiet && !sign)
        r->quiet = cc_depend_quiet(r->x, 1);
}

static void leave(struct run *r)
{
    if (!r->lent)
        cc_depend_leave(r->x, 1, r->now);
    r->quiet -= r->quiet != 0;
}

static struct run run(bool keeps, bool signs, struct cc_depend_counts ret[2])
{
    struct run r = {.d = cc_depend_new(&cc_test_host, &(struct cc_depend_options){.always = 20000})};
    r.x = cc_depend_thread_new(r.d, 0);
    cc_depend_enter(r.x, 0, SP, 0, 0);
    for (uint64_t i = 0; i < OUTER; i++) {
        if (i)
            cc_depend_iterate(r.x, 0, SP, r.now);
        enter(&r, keeps, signs ? 1 + i * SIGNS / OUTER : 0);
        for (uint32_t k = 0; k < INNER; k++) {
            if (k && !r.lent)
                cc_depend_iterate(r.x, 1, SP, r.now);
            if (keeps && !r.lent && cc_depend_lend(r.x, 2))
                r.lent = true; /* what was followed is over */
            r.now += EACH;
            r.on += cc_depend_on(r.d) ? EACH : 0;
        }
        if (keeps && i % 1000 == 0 && r.lent) { /* a signal */
            cc_depend_borrow(r.x, 1, r.now);
            r.lent = false;
        }
        leave(&r);
    }
    cc_depend_leave(r.x, 0, r.now);
    for (uint32_t i = 0; i < 2; i++)
        ret[i] = cc_depend_sampled(r.d, i);
    return r;
}

static void test_same(bool signs)
{
    struct cc_depend_counts all[2], some[2];
    struct run a = run(false, signs, all), b = run(true, signs, some);
    OK(a.on == b.on, "%s signs: as much is followed: %llu and %llu", signs ? "with" : "without",
       (unsigned long long)a.on, (unsigned long long)b.on);
    OK(all[1].invocations == some[1].invocations && all[1].iterations == some[1].iterations &&
           all[0].iterations == some[0].iterations,
       "of the same iterations");
    OK(a.told == OUTER && b.told < OUTER / 8, "though few are told of: %llu", (unsigned long long)b.told);
}

/* What another thread does may matter to it. */
static void test_threads(void)
{
    struct cc_depend_counts counts[2];
    struct run r = run(true, false, counts);
    OK(cc_depend_enter_known(r.x, 1, 0), "it is known");
    cc_depend_thread_new(r.d, 0);
    OK(!cc_depend_enter_known(r.x, 1, 0), "but told of where there are two threads");
    OK_U64(cc_depend_quiet(r.x, 1), 0, "as are those to come");
}

int main(void)
{
    test_same(false);
    test_same(true);
    test_threads();
    return TAP_DONE();
}
