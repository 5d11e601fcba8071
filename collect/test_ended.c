/* Threads that come and go: what they counted stays, and takes no room of a thread's. */
#include "../tests/collect.h"

enum { DATA = 0x40000, STACK = 0x7f0000, WORDS = 64 };

/* What one of many threads does: it writes words and reads what main and the one before wrote. */
static void run(struct cc_collect *c, uint32_t i, uint64_t rounds)
{
    struct cc_thread *t = cc_thread_new(c, 2 + i, i * 100);
    uint64_t now = 0;
    cc_thread_stack(t, STACK, 4096);
    cc_call(t, now, F, 1, STACK + 2048);
    for (uint64_t k = 0; k < rounds; k++) {
        cc_call(t, now += 5, G, 2, STACK + 1024);
        for (uint64_t w = 0; w < WORDS; w++)
            cc_read(t, DATA + 4 * w, 2);
        cc_return(t, now += 5, 2, STACK + 1024);
    }
    for (uint64_t w = 0; w < WORDS; w++)
        cc_write(t, DATA + 4096 * 16 + 4 * w, 2);
    cc_return(t, now += 10, 1, STACK + 2048);
    cc_thread_end(t, now);
}

static struct cc_collect *begin(struct cc_thread **main)
{
    struct cc_collect *c = plain();
    *main = cc_thread_new(c, 1, 0);
    cc_call(*main, 0, MAIN, 1, STACK + 8192);
    for (uint64_t w = 0; w < WORDS; w++)
        cc_write(*main, DATA + 4 * w, 2);
    return c;
}

static void test_counts(void)
{
    enum { THREADS = 300, ROUNDS = 3 };
    struct cc_thread *main;
    struct cc_collect *c = begin(&main);
    for (uint32_t i = 0; i < THREADS; i++)
        run(c, i, ROUNDS);
    run(c, THREADS, 100000); /* more than the lower bits of a stream's counts hold */
    run(c, THREADS + 1, 1);
    for (uint64_t w = 0; w < WORDS; w++)
        cc_read(main, DATA + 4096 * 16 + 4 * w, 2);
    cc_return(main, 10, 1, STACK + 8192);
    cc_thread_end(main, 10);
    struct result *r = snapshot_of(c);
    const struct cc_rec_edge *e = edge(r, CC_LEVEL_FUNCTION, MAIN, G);
    uint64_t rounds = THREADS * ROUNDS + 100000 + 1;
    OK_U64(e->bytes, rounds * WORDS * 4, "bytes of all threads add up");
    OK_U64(e->reads, rounds * WORDS, "reads, too");
    OK_U64(e->unma, WORDS * 4, "their addresses are united");
    OK_U64(e->fresh, WORDS * 4, "a function reads a value for the first time once");
    OK_U64(edge(r, CC_LEVEL_FUNCTION, F, MAIN)->bytes, WORDS * 4, "what the last one wrote is read from it");
    OK_U64(r->functions[G].calls, rounds, "calls");
    OK_U64(r->functions[G].inclusive, rounds * 5, "inclusive time");
    OK_U64(r->functions[F].inclusive, rounds * 10 + (THREADS + 2) * 10, "of the caller, too");
    size_t large = 0, small = 0, threads = 0;
    for (size_t i = 0; i < r->nedges; i++) {
        const struct cc_rec_edge *s = &r->edges[i];
        large +=
            s->level == CC_LEVEL_CONTEXT && s->bytes == UINT64_C(100000) * WORDS * 4 && s->unma == WORDS * 4;
        small += s->level == CC_LEVEL_CONTEXT && s->bytes == ROUNDS * WORDS * 4 && s->unma == WORDS * 4;
        threads += s->level == CC_LEVEL_THREAD;
    }
    OK(large == 1 && small == THREADS, "each thread's streams are there");
    OK_U64(threads, THREADS + 3, "one stream to each thread, and one back");
    OK(r->whole, "the snapshot is whole");
    free(r);
}

/* Addresses far from each other are not kept in the streams themselves. */
static void test_addresses(void)
{
    enum { THREADS = 20, PAGES = 50 };
    struct cc_thread *main;
    struct cc_collect *c = begin(&main);
    for (uint64_t p = 0; p < PAGES; p++)
        cc_write(main, 0x1000000 + p * 4096, 3);
    for (uint32_t i = 0; i < THREADS; i++) {
        struct cc_thread *t = cc_thread_new(c, 2 + i, 0);
        cc_call(t, 0, F, 1, STACK);
        for (uint64_t p = 0; p <= i; p++)
            cc_read(t, 0x1000000 + p * 4096, 3);
        cc_thread_end(t, 1);
    }
    cc_thread_end(main, 1);
    struct result *r = snapshot_of(c);
    uint64_t sum = 0, right = 1;
    for (size_t i = 0; i < r->nedges; i++)
        if (r->edges[i].level == CC_LEVEL_CONTEXT) {
            sum += r->edges[i].unma;
            right &= r->edges[i].unma == r->edges[i].bytes;
        }
    OK(right && sum == 8 * THREADS * (THREADS + 1) / 2, "each thread's addresses");
    OK_U64(edge(r, CC_LEVEL_FUNCTION, MAIN, F)->unma, 8 * THREADS, "together as many as the last one's");
    free(r);
}

static void test_room(void)
{
    enum { FEW = 100, MANY = 3000 };
    struct cc_thread *main;
    struct cc_collect *c = begin(&main);
    uint32_t i = 0;
    for (; i < FEW; i++)
        run(c, i, 1);
    size_t before = cc_test_mapped;
    for (; i < FEW + MANY; i++)
        run(c, i, 1);
    OK((cc_test_mapped - before) / MANY <= 4096, "a thread that has ended holds 4 KiB at most");
}

/* Whoever ends last leaves everything where it is. */
static void test_last(void)
{
    enum { PAGES = 2000 };
    struct cc_thread *main;
    struct cc_collect *c = begin(&main);
    struct cc_thread *t = cc_thread_new(c, 2, 0);
    cc_call(t, 0, F, 1, STACK);
    for (uint64_t p = 0; p < PAGES; p++) {
        cc_write(main, 0x1000000 + p * 4096, 3);
        cc_read(t, 0x1000000 + p * 4096, 3);
    }
    cc_thread_end(main, 1);
    size_t before = cc_test_mapped;
    cc_thread_end(t, 1);
    OK_U64(cc_test_mapped - before, 0, "the last one's room is not made smaller");
    struct result *r = snapshot_of(c);
    OK_U64(edge(r, CC_LEVEL_FUNCTION, MAIN, F)->unma, 8 * PAGES, "and holds all");
    OK_U64(r->functions[F].inclusive, 1, "its time, too");
    free(r);
}

int main(void)
{
    test_counts();
    test_last();
    test_addresses();
    test_room();
    return TAP_DONE();
}
