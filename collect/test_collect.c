/* The collector in closed forms: streams, system calls, call stacks, bounds, channels. */
#include "../tests/collect.h"

static void test_streams(void)
{
    struct cc_collect *c;
    struct cc_thread *t = start(&c);
    call(t, F, 10);
    for (int i = 0; i < 1000; i++)
        store(t, A + (uint64_t)i * 4, 4);
    leave(t, 20);
    call(t, G, 30);
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 1000; i++)
            load(t, A + (uint64_t)i * 4, 4);
    for (int i = 0; i < 250; i++)
        load(t, A + (uint64_t)i * 16, 16);
    leave(t, 40);
    call(t, H, 50);
    for (int i = 0; i < 4000; i++)
        load(t, A + (uint64_t)i, 1);
    load(t, A + 3998, 8); /* two bytes of F's, six of nobody's */
    leave(t, 60);
    cc_thread_end(t, 70);
    struct result *r = snapshot_of(c);
    const struct cc_rec_edge *fg = edge(r, CC_LEVEL_FUNCTION, F, G), *fh = edge(r, CC_LEVEL_FUNCTION, F, H);
    OK(fg->bytes == 16000 && fg->unma == 4000 && fg->reads == 3250 && fg->fresh == 4000,
       "written once, read four times");
    OK(fh->bytes == 4002 && fh->unma == 4000 && fh->reads == 4001 && fh->fresh == 4000,
       "read by bytes, and across the end");
    const struct cc_rec_edge *uh = edge(r, CC_LEVEL_FUNCTION, CC_SPECIAL_ID(CC_NODE_UNKNOWN), H);
    OK(uh->bytes == 6 && uh->unma == 6 && uh->reads == 1, "the rest of that access is unknown");
    uint64_t reads = 0;
    for (size_t i = 0; i < r->nnodes; i++)
        reads += r->nodes[i].reads;
    OK_U64(reads, 3250 + 4001, "an operation on two streams is one operation of its node");
    free(r);
}

static void test_system_calls(void)
{
    struct cc_collect *c;
    struct cc_thread *t = start(&c);
    cc_map_range(c, 0x40000, 8192, CC_NODE_STATIC, 0);
    uint32_t file = cc_source(c, "read", "a.dat");
    OK_U64(cc_source(c, "read", "a.dat"), file, "sources are interned");
    cc_input(t, A + 1, 99, file);
    load(t, A, 8);
    load(t, 0x40ffe, 4);
    store(t, A + 50, 4);
    cc_output(t, A, 200);
    cc_unmap_range(c, A, 4096);
    load(t, A + 40, 4);
    cc_thread_end(t, 10);
    struct result *r = snapshot_of(c);
    uint32_t in = CC_SPECIAL_ID(CC_NODE_INPUT), out = CC_SPECIAL_ID(CC_NODE_OUTPUT),
             un = CC_SPECIAL_ID(CC_NODE_UNKNOWN);
    OK_U64(edge(r, CC_LEVEL_FUNCTION, in, MAIN)->bytes, 7, "bytes a system call filled");
    OK_U64(edge(r, CC_LEVEL_FUNCTION, CC_SPECIAL_ID(CC_NODE_STATIC), MAIN)->bytes, 4, "bytes of the binary");
    OK_U64(edge(r, CC_LEVEL_FUNCTION, in, out)->bytes, 95, "input that goes out again");
    OK_U64(edge(r, CC_LEVEL_FUNCTION, MAIN, out)->bytes, 4, "written bytes that go out");
    OK_U64(edge(r, CC_LEVEL_FUNCTION, un, MAIN)->bytes, 1 + 4, "unmapped memory is nobody's again");
    free(r);
}

/* Given back, and still mapped: what it was before anybody wrote it. What is shared stays. */
static void test_emptied(void)
{
    struct cc_collect *c;
    struct cc_thread *t = start(&c);
    cc_map_range(c, A + 4096, 4096, CC_NODE_STATIC, 0);
    cc_share_range(c, A + 8192, 4096);
    cc_share_range(c, A + 16384, 4096);
    cc_unmap_range(c, A + 16384, 4096);
    call(t, F, 1);
    for (uint64_t a = A; a < A + 20480; a += 8)
        store(t, a, 8);
    leave(t, 2);
    cc_empty_range(c, A + 1024, 20480 - 2048);
    for (uint64_t a = A; a < A + 20480; a += 8)
        load(t, a, 8);
    cc_thread_end(t, 10);
    struct result *r = snapshot_of(c);
    OK_U64(edge(r, CC_LEVEL_FUNCTION, F, MAIN)->bytes, 1024 + 4096 + 1024,
           "what is shared, and what is beside it");
    OK_U64(edge(r, CC_LEVEL_FUNCTION, CC_SPECIAL_ID(CC_NODE_STATIC), MAIN)->bytes, 4096,
           "what the file holds");
    OK_U64(edge(r, CC_LEVEL_FUNCTION, CC_SPECIAL_ID(CC_NODE_UNKNOWN), MAIN)->bytes, 3072 + 4096 + 3072,
           "what nobody wrote, and what is shared no longer");
    free(r);
}

static void test_moved(void)
{
    struct cc_collect *c;
    struct cc_thread *t = start(&c);
    call(t, F, 1);
    for (int i = 0; i < 4096; i++)
        if (i % 5)
            store(t, A + (uint64_t)i, 1);
    leave(t, 2);
    cc_copy_range(c, A, A + 0x800000, 4096);
    cc_unmap_range(c, A, 4096);
    for (int i = 0; i < 4096; i += 4)
        load(t, A + 0x800000 + (uint64_t)i, 4);
    cc_thread_end(t, 10);
    struct result *r = snapshot_of(c);
    OK_U64(edge(r, CC_LEVEL_FUNCTION, F, MAIN)->bytes, 4096 - 820, "states move with mremap, byte by byte");
    free(r);
}

/* Onto what was another's, from the middle of a file on, and further than it went. */
static void test_moved_file(void)
{
    struct cc_collect *c;
    struct cc_thread *t = start(&c);
    uint64_t to = A + 0x800000;
    cc_map_range(c, A, 3 * 4096, CC_NODE_STATIC, 0);
    call(t, F, 1);
    store(t, A + 4096, 8);
    for (uint64_t a = 0; a < 4 * 4096; a += 8)
        store(t, to + a, 8);
    leave(t, 2);
    cc_copy_range(c, A + 4096, to, 4096);
    cc_unmap_range(c, A + 4096, 4096);
    cc_grow_range(c, to, 4096, 3 * 4096);
    for (uint64_t a = 0; a < 4 * 4096; a += 8)
        load(t, to + a, 8);
    for (uint64_t a = 0; a < 3 * 4096; a += 8)
        load(t, A + a, 8);
    cc_thread_end(t, 10);
    struct result *r = snapshot_of(c);
    OK_U64(edge(r, CC_LEVEL_FUNCTION, F, MAIN)->bytes, 8 + 4096, "what was written, and what lies behind");
    OK_U64(edge(r, CC_LEVEL_FUNCTION, CC_SPECIAL_ID(CC_NODE_STATIC), MAIN)->bytes, 3 * 4096 - 8 + 2 * 4096,
           "the file goes with it, and stays where it was not moved");
    OK_U64(edge(r, CC_LEVEL_FUNCTION, CC_SPECIAL_ID(CC_NODE_UNKNOWN), MAIN)->bytes, 4096,
           "from where it has gone");
    free(r);
}

/* Who has read a place before says nothing about the place it is moved to. */
static void test_moved_readers(void)
{
    struct cc_collect *c;
    struct cc_thread *t = start(&c);
    uint64_t now = 0, there = A + 0x800000;
    for (int round = 0; round < 3; round++) {
        call(t, F, ++now);
        store(t, A, 8);
        leave(t, ++now);
        load(t, A, 8);
    }
    cc_copy_range(c, A, there, 4096);
    cc_unmap_range(c, A, 4096);
    for (int round = 0; round < 3; round++) {
        call(t, F, ++now);
        store(t, there, 8);
        leave(t, ++now);
        load(t, there, 8);
    }
    cc_thread_end(t, ++now);
    struct result *r = snapshot_of(c);
    const struct cc_rec_edge *e = edge(r, CC_LEVEL_FUNCTION, F, MAIN);
    OK(e->bytes == 48 && e->fresh == 48 && e->unma == 16,
       "addresses count where they are read, before and after mremap");
    free(r);
}

/* --- call stacks --- */

static void test_recursion(void)
{
    struct cc_collect *c;
    struct cc_thread *t = start(&c);
    enum { DEEP = 1000000 };
    uint64_t now = 100;
    for (int i = 0; i < DEEP; i++)
        cc_call(t, now += 3, i % 2 ? F : G, 500, 0x7fff0000 - (uint64_t)i * 32);
    OK_U64(t->depth, DEEP + 2, "a million calls deep");
    OK_U64(c->calls.contexts.n, 4, "folded on one context per function");
    for (int i = 0; i < DEEP; i++)
        cc_return(t, now += 3, 500, 0);
    OK_U64(t->depth, 2, "and all the way back");
    cc_thread_end(t, now + 1);
    struct result *r = snapshot_of(c);
    OK_U64(r->functions[F].calls, DEEP / 2, "calls are counted");
    OK_U64(r->functions[G].inclusive, now - 103, "time on the stack counts once, from the outermost call");
    uint64_t sum = 0;
    for (size_t i = 0; i < r->ncontexts; i++)
        sum += r->contexts[i].exclusive;
    OK_U64(sum, now + 1, "exclusive times add up to the run");
    free(r);
}

static void test_odd_returns(void)
{
    struct cc_collect *c;
    struct cc_thread *t = start(&c);
    cc_call(t, 10, F, 100, 900);
    cc_call(t, 20, G, 200, 800);
    cc_call(t, 30, H, 300, 700);
    cc_return(t, 40, 100, 0); /* straight to main, as longjmp through a return does */
    OK_U64(t->depth, 2, "a return to an outer caller leaves all between");
    cc_call(t, 50, F, 100, 900);
    cc_call(t, 60, G, 200, 800);
    cc_call(t, 65, CC_OUTSIDE, 250, 700);
    cc_arrive(t, 70, (struct cc_place){F, false}, 0x5555, 800); /* longjmp lands in F */
    OK(t->depth == 3 && t->function == F, "landing in the middle of a function unwinds to it");
    cc_arrive(t, 80, (struct cc_place){G, true}, 0x6000, 0); /* F jumps to G */
    OK(t->depth == 4 && t->function == G, "a jump to a function's start is a tail call");
    for (int i = 0; i < 1000; i++) {
        cc_arrive(t, 81, (struct cc_place){H, true}, 0x7000, 0);
        cc_arrive(t, 82, (struct cc_place){G, true}, 0x6000, 0);
    }
    OK(t->depth <= 5, "functions that jump to each other for ever need no stack");
    cc_return(t, 90, 100, 0);
    OK(t->depth == 2 && t->function == MAIN, "a return leaves the tail calls and their caller");
    struct result *r = snapshot_of(c);
    OK_U64(r->functions[F].calls, 2, "calls in all");
    free(r);
}

static void test_outside(void)
{
    struct cc_collect *c;
    struct cc_thread *t = start(&c);
    cc_call(t, 10, CC_OUTSIDE, 111, 0); /* main calls qsort, which calls F back twice, then returns */
    OK(t->function == CC_OUTSIDE && t->depth == 2, "a call into a library pushes nothing");
    for (int i = 0; i < 2; i++) {
        cc_call(t, 20, F, 999, 0);
        OK(t->function == F && t->depth == 3, "a callback is called by the function that called the library");
        cc_return(t, 30, 999, 0);
        OK(t->function == CC_OUTSIDE, "and goes back to the library");
    }
    cc_arrive(t, 40, (struct cc_place){MAIN, false}, 111, 0);
    OK(t->function == MAIN && t->depth == 2, "back where the call out returns to");
    cc_call(t, 50, CC_OUTSIDE, 222, 0); /* a stub that jumps on to a function of ours */
    cc_arrive(t, 51, (struct cc_place){G, true}, 0x6000, 0);
    OK(t->function == G && t->depth == 3, "a call through a stub is a call");
    cc_return(t, 60, 222, 0);
    OK(t->function == MAIN && t->depth == 2, "which returns to its caller");
    cc_signal(t);
    cc_arrive(t, 70, (struct cc_place){H, true}, 0x7000, 0);
    OK(t->depth == 3 && t->function == H, "a signal handler is called by what it interrupts");
    cc_return(t, 80, 0xdead, 0);
    OK(t->depth == 2, "and leaves to nowhere known");
    cc_thread_end(t, 90);
}

static void test_bounds(void)
{
    struct cc_collect *c = fresh_collect(
        &(struct cc_options){.max_calls = 100, .max_states = 50, .max_contexts = 20, .call_threshold = 10},
        200);
    struct cc_thread *t = cc_thread_new(c, 1, 0);
    uint64_t now = 0;
    cc_call(t, now, MAIN, 1, 0);
    for (uint32_t i = 0; i < 5000; i++) {
        cc_call(t, ++now, 11 + i % 150, 5, 0);
        cc_call(t, ++now, 11 + i * 7 % 150, 6, 0);
        load(t, A, 4);
        store(t, A + 8 + i % 64 * 4, 4);
        load(t, A + 8 + (i + 1) % 64 * 4, 4);
        cc_return(t, now += i, 6, 0);
        cc_return(t, ++now, 5, 0);
    }
    cc_thread_end(t, now);
    struct result *r = snapshot_of(c);
    OK(r->run.flags & CC_RUN_APPROXIMATE, "more states than the bound: the run says so");
    OK(r->ncontexts <= 20 + 150 && r->ncontexts > 20, "contexts stay near their bound");
    OK(r->calls_on_line <= 100 && r->calls_on_line >= 1 && r->run.call_threshold > 10,
       "the time line keeps the longest calls");
    uint64_t sum = 0, bytes = 0;
    for (size_t i = 0; i < r->ncontexts; i++)
        sum += r->contexts[i].exclusive;
    for (size_t i = 0; i < r->nedges; i++)
        bytes += r->edges[i].level == CC_LEVEL_FUNCTION ? r->edges[i].bytes : 0;
    OK(sum == now && bytes == 5000 * 8, "nothing is lost: instructions and bytes add up");
    free(r);
}

/* Far more than a stream itself has room for, and the fork after it begins anew. */
static void test_large(void)
{
    enum { TIMES = 300000, LATER = 70000 };
    struct cc_collect *c;
    struct cc_thread *t = start(&c);
    call(t, F, 10);
    store(t, A, 8);
    leave(t, 20);
    call(t, G, 30);
    for (uint32_t i = 0; i < TIMES; i++)
        load(t, A, 8);
    leave(t, 40);
    for (uint64_t i = 0; i < 80000; i++) { /* every byte is new to main, and to nobody else */
        load(t, A, 4);
        store(t, A, 4);
    }
    cc_thread_sync(t, 100);
    struct result *r = snapshot_of(c);
    const struct cc_rec_edge *e = edge(r, CC_LEVEL_FUNCTION, F, G),
                             *own = edge(r, CC_LEVEL_FUNCTION, MAIN, MAIN);
    OK(e->bytes == 8ull * TIMES && e->reads == TIMES && e->fresh == 8 && e->unma == 8,
       "reads beyond what 16 bits count");
    OK(own->bytes == 4 * 79999 && own->reads == 79999 && own->fresh == 4 * 79999 && own->unma == 4,
       "and first reads");
    free(r);
    cc_forget(c);
    call(t, G, 130);
    for (uint32_t i = 0; i < LATER; i++)
        load(t, A + 4, 4);
    cc_thread_end(t, 150);
    r = snapshot_of(c);
    e = edge(r, CC_LEVEL_FUNCTION, F, G);
    OK(e->bytes == 4ull * LATER && e->reads == LATER && e->fresh == 4 && e->unma == 4,
       "of which a forked child knows nothing");
    OK_U64(edge(r, CC_LEVEL_FUNCTION, MAIN, MAIN)->bytes, 0, "nor of others");
    free(r);
}

static void test_forget(void)
{
    struct cc_collect *c;
    struct cc_thread *t = start(&c);
    call(t, F, 10);
    store(t, A, 8);
    leave(t, 20);
    load(t, A, 8);
    cc_thread_sync(t, 100);
    cc_forget(c); /* the fork */
    load(t, A, 8);
    cc_thread_end(t, 150);
    struct result *r = snapshot_of(c);
    OK(r->run.instructions == 50 && r->functions[F].calls == 0,
       "a forked child counts its own instructions and calls");
    const struct cc_rec_edge *e = edge(r, CC_LEVEL_FUNCTION, F, MAIN);
    OK_U64(e->bytes, 8, "and still knows who wrote what it reads");
    OK(e->fresh == 8 && e->unma == 8, "which it reads for the first time");
    free(r);
}

/* Two channels in random traffic of all sizes: each carries exactly the bytes of its stream. */
static void test_channels(void)
{
    struct cc_collect *c;
    struct cc_thread *t = start(&c);
    static struct cc_rec_channel r[2];
    struct cc_collect *other = plain();
    OK(!cc_channels(other, "x", "") && !cc_channels(other, "x", "12") && !cc_channels(other, "x", "1:2,3") &&
           !cc_channels(other, "x", "1:"),
       "channels that make no sense");
    OK(cc_channels(c, "x", "1:2/4+5:6") && c->watch.nchannels == 2, "and some that do");
    cc_function_at(c, F)->makes = 1;
    cc_function_at(c, G)->takes = 1;
    cc_function_at(c, G)->makes = cc_function_at(c, H)->takes = 2;
    uint64_t now = 10, state = 5;
    for (int i = 0; i < 30000; i++) {
        static const uint32_t sizes[] = {1, 2, 4, 8, 16, 3, 7, 64};
        state = state * UINT64_C(6364136223846793005) + 1442695040888963407u;
        uint32_t x = (uint32_t)(state >> 33), size = sizes[x & 7];
        uint64_t a = A + 512 + (x >> 3) % 600;
        if (i % 7 == 0) { /* F, G, H and once in a while main itself */
            if (t->depth > 2)
                leave(t, now += 3);
            if (x >> 20 & 7)
                call(t, 1 + (x >> 15) % 3, now += 2);
        }
        if (x >> 28 & 1)
            store(t, a, size);
        else
            load(t, a, size);
    }
    cc_thread_end(t, now + 10);
    struct result *s = snapshot_of(c);
    for (uint32_t k = 0; k < 2; k++) {
        const struct cc_rec_edge *e = edge(s, CC_LEVEL_FUNCTION, F + k, G + k);
        cc_watch_result(c, k, &r[k]);
        OK(r[k].bytes == e->bytes && r[k].unma == e->unma && r[k].fresh == e->fresh && e->bytes > 10000,
           "channel %u carries the bytes of its stream", k);
        OK(r[k].unfollowed == 0 && r[k].producer == F + k && r[k].consumer == G + k, "and loses none");
    }
    free(s);
}

/* Loads of one function that find many things in turn: each is soon found at the first look. */
static void test_turns(void)
{
    enum { WRITERS = 12, TURNS = 300 };
    struct cc_collect *c;
    struct cc_thread *t = start(&c);
    uint64_t now = 10;
    size_t looks = 0, pairs = 0;
    for (uint32_t i = 0; i < WRITERS; i++) {
        call(t, 20 + i, now += 10);
        cc_write(t, A + 4 * i, 2);
        leave(t, now += 10);
        cc_read(t, A + 4 * i, 2);
    }
    for (uint32_t x = 0; x < WRITERS; x++)
        for (uint32_t y = 0; y < x; y++, pairs++) {
            for (uint32_t i = 0; i < TURNS; i++) {
                struct cc_spot at;
                uint64_t a = A + 4 * (i & 1 ? x : y);
                bool first = cc_quick_spot(t, a, 2, &at) && cc_quick_load(t, a, 2, CC_ONE, at);
                looks += first && i >= TURNS - 2;
                if (!first)
                    cc_quick_load_other(t, a, 2, CC_ONE, at);
            }
        }
    OK(looks == 2 * pairs, "two things in turn are found at the first look: %zu of %zu", looks, 2 * pairs);
    cc_thread_end(t, now + 10);
    struct result *r = snapshot_of(c);
    size_t right = 0;
    for (uint32_t i = 0; i < WRITERS; i++)
        right += edge(r, CC_LEVEL_FUNCTION, 20 + i, MAIN)->reads == 1 + (WRITERS - 1) * TURNS / 2;
    OK(right == WRITERS, "and all are counted");
    free(r);
}

static void test_all(void)
{
    test_streams();
    test_turns();
    test_system_calls();
    test_emptied();
    test_moved();
    test_moved_file();
    test_moved_readers();
    test_recursion();
    test_odd_returns();
    test_outside();
    test_bounds();
    test_forget();
    test_large();
    if (!in_a_hurry) /* which is not for channels */
        test_channels();
}

int main(void)
{
    both_ways(test_all);
    return TAP_DONE();
}
