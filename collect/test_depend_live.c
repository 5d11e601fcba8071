/* Values that outlive a loop, however often it runs afterwards; words that are accessed as a whole and in
 * parts; more of them than memory is for; nests of many loops. */
#include "depend.h"
#include "../tests/host.h"
#include "tap.h"

enum { SP = 0x8000, OTHER = 0x10000, PLACE = 0x20000 };

struct counts {
    uint64_t live, raw;
};

static void put(void *self, const struct cc_rec_dependence *r)
{
    struct counts *n = self;
    n->live += r->kind == CC_DEPENDENCE_LIVE_OUT && r->loop == 1 && r->first == 1;
    n->raw += r->kind == CC_DEPENDENCE_RAW && r->loop == 0 ? r->count : 0;
}

struct trial {
    struct cc_depend *d;
    struct cc_depend_thread *x;
    struct cc_depend_site writer, reader;
};

static struct trial trial_new(void)
{
    struct trial t = {.writer.address = 1, .reader.address = 2};
    t.d = cc_depend_new(&cc_test_host, &(struct cc_depend_options){.exact = true});
    t.x = cc_depend_thread_new(t.d, 0);
    cc_depend_enter(t.x, 0, SP, 0, 0);
    return t;
}

static struct counts counts_of(struct trial *t)
{
    struct counts n = {0};
    cc_depend_results(t->d, &(struct cc_depend_writer){&n, put});
    return n;
}

/* An inner loop of two iterations, which both write. */
static void inner(struct trial *t, uint64_t first, uint64_t second)
{
    cc_depend_enter(t->x, 1, SP, 1, 0);
    cc_depend_write(t->x, first, 8, &t->writer);
    cc_depend_iterate(t->x, 1, SP, 2);
    cc_depend_write(t->x, second, 8, &t->writer);
    cc_depend_leave(t->x, 1, 3);
}

static uint64_t live_after(bool inside, uint32_t again)
{
    struct trial t = trial_new();
    inner(&t, OTHER, OTHER);
    if (inside)
        inner(&t, PLACE, OTHER);
    else
        cc_depend_write(t.x, PLACE, 8, &t.writer);
    for (uint32_t i = 0; i < again; i++)
        inner(&t, OTHER, OTHER);
    cc_depend_read(t.x, PLACE, 8, &t.reader);
    return counts_of(&t).live;
}

/* Eight bytes are written by the earlier iteration and read by the next, in pieces of these sizes. */
static uint64_t carried(uint32_t written, uint32_t read)
{
    struct trial t = trial_new();
    for (uint32_t i = 0; i < 3; i++) {
        cc_depend_write(t.x, PLACE, 8, &t.writer);
        for (uint32_t at = 0; at < 8; at += written)
            cc_depend_write(t.x, PLACE + at, written, &t.writer);
        cc_depend_iterate(t.x, 0, SP, i + 1);
        for (uint32_t at = 0; at < 8; at += read)
            cc_depend_read(t.x, PLACE + at, read, &t.reader);
        cc_depend_clear(t.d, PLACE, i == 1 ? 8 : 0);
    }
    return counts_of(&t).raw;
}

/* A recursion through more loops than a word has bits, and some of them twice: each level but the last two
 * reads the place, and what reads at one level is overwritten in the next iteration there. */
enum { DEEP = 60, DISTINCT = 45, WIDE = 70 };
struct deep {
    uint32_t loop;
    uint64_t war, other, writes;
};

static void put_deep(void *self, const struct cc_rec_dependence *r)
{
    struct deep *n = self;
    n->war += r->kind == CC_DEPENDENCE_WAR && r->loop == n->loop ? r->count : 0;
    n->writes += r->kind == CC_DEPENDENCE_WRITES && r->first == 1;
    n->other += r->kind == CC_DEPENDENCE_WAR && r->loop != n->loop;
}

static struct deep deep_down(uint32_t level)
{
    struct trial t = trial_new();
    struct deep n = {.loop = level % DISTINCT};
    for (uint32_t i = 1; i < DEEP; i++) {
        cc_depend_read(t.x, PLACE, 8, &t.reader);
        cc_depend_enter(t.x, i % DISTINCT, SP, 0, 0);
    }
    for (uint32_t i = 0; i < WIDE; i++) /* around which nothing is read */
        cc_depend_enter(t.x, 1000 + i, SP, 0, 0);
    cc_depend_write(t.x, OTHER, 8, &t.writer);
    cc_depend_leave(t.x, level + 1, 1);
    cc_depend_iterate(t.x, level, SP, 2);
    cc_depend_write(t.x, PLACE, 8, &t.writer);
    cc_depend_results(t.d, &(struct cc_depend_writer){&n, put_deep});
    return n;
}

static void test_deep(void)
{
    bool found = true, told = true;
    for (uint32_t level = 0; level + 1 < DEEP; level++) {
        struct deep n = deep_down(level);
        found = found && n.war && !n.other;
        told = told && n.writes == DISTINCT + WIDE;
    }
    OK(found, "in a nest of many loops what is read at a level is found there and nowhere else");
    OK(told, "and what is written there is written in each of them, once");
}

/* Cells of bytes are many: beyond a bound all begins anew, and what comes then is found. */
static void test_bound(void)
{
    enum { BIG = 8 << 20 };
    struct trial t = trial_new();
    struct cc_depend_site filler = {.address = 3};
    for (uint64_t i = 0; i < BIG; i++)
        cc_depend_write(t.x, PLACE + 4096 + i, 1, &filler);
    for (uint32_t i = 0; i < 4; i++) {
        cc_depend_iterate(t.x, 0, SP, i + 1);
        cc_depend_read(t.x, PLACE, 8, &t.reader);
        cc_depend_write(t.x, PLACE, 8, &t.writer);
    }
    OK(cc_depend_on(t.d), "it goes on beyond the bound of memory");
    OK_U64(counts_of(&t).raw, 3 * 8, "and finds what comes after it");
}

int main(void)
{
    OK_U64(live_after(true, 0), 1, "what an earlier iteration wrote is read after the loop");
    OK_U64(live_after(true, 1000), 1, "and after it ran a thousand times more");
    OK_U64(live_after(false, 0), 0, "what was written beside the loop is not the loop's");
    OK_U64(live_after(false, 1000), 0, "nor after it ran a thousand times more");
    static const uint32_t sizes[] = {8, 4, 2, 1};
    bool same = true;
    for (uint32_t i = 0; i < 16; i++)
        same = same && carried(sizes[i / 4], sizes[i % 4]) == 3 * 8;
    OK(same, "words that are split and whole again in turn carry each of their bytes once");
    test_bound();
    test_deep();
    return TAP_DONE();
}
