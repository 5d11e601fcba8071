/* What marks say: regions, frames, recording off; stacks, slices of time and blocks of code. */
#include "../tests/collect.h"

static struct cc_mark_site site(enum cc_mark_what what, const char *name, uint32_t line)
{
    return (struct cc_mark_site){.what = what, .name = name, .file = "t.c", .line = line};
}

static void test_regions(void)
{
    struct cc_collect *c;
    struct cc_thread *t = start(&c);
    struct cc_mark_site a0 = site(CC_MARK_SITE_REGION_BEGIN, "a", 1),
                        a1 = site(CC_MARK_SITE_REGION_END, "a", 2),
                        b0 = site(CC_MARK_SITE_REGION_BEGIN, "b", 3),
                        b1 = site(CC_MARK_SITE_REGION_END, "b", 4),
                        x0 = site(CC_MARK_SITE_TASK_BEGIN, "x", 5), x1 = site(CC_MARK_SITE_TASK_END, "x", 6);
    cc_mark(t, 10, &a0, 0);
    store(t, A, 8);
    call(t, F, 20);
    cc_mark(t, 30, &a0, 0); /* again, inside itself */
    store(t, A + 8, 8);
    cc_mark(t, 40, &a1, 0);
    leave(t, 50);
    cc_mark(t, 60, &a1, 0);
    cc_mark(t, 70, &b0, 0);
    for (uint64_t k = 0; k < 3; k++) {
        cc_mark(t, 80 + k * 10, &x0, 0);
        load(t, A, 8);
        load(t, A + 8, 8);
        cc_mark(t, 85 + k * 10, &x1, 0);
    }
    load(t, A, 8);
    cc_mark(t, 120, &b1, 0);
    load(t, A, 8);
    cc_thread_end(t, 130);
    struct result *r = snapshot_of(c);
    const struct cc_rec_region *a = region(r, "a"), *b = region(r, "b");
    OK(a->calls == 2 && a->inclusive == 50 && a->exclusive == 50, "a region inside itself counts once");
    OK(b->calls == 1 && b->inclusive == 50 && b->exclusive == 50, "a task's time is its region's");
    OK(r->nscopes == 4 && r->scopes[3].kind == CC_SCOPE_TASK && r->scopes[3].calls == 3 &&
           r->scopes[3].exclusive == 15 && r->scopes[2].exclusive == 35,
       "and its own");
    const struct cc_rec_edge *e = edge(r, CC_LEVEL_REGION, a->id, b->id);
    OK(e->bytes == 56 && e->unma == 16 && e->fresh == 16 && e->reads == 7, "streams between regions");
    OK_U64(edge(r, CC_LEVEL_REGION, a->id, 0)->bytes, 8, "and to what is outside");
    e = edge(r, CC_LEVEL_FUNCTION, MAIN, MAIN);
    OK(e->bytes == 40 && e->unma == 8 && e->fresh == 8, "functions do not care about regions");
    uint64_t sum = 0;
    for (size_t i = 0; i < r->nregions; i++)
        sum += r->regions[i].exclusive;
    OK(sum == 130 && r->nspans == 3 && r->nproblems == 0, "time adds up");
    free(r);
}

static void test_problems(void)
{
    struct cc_collect *c;
    struct cc_thread *t = start(&c);
    struct cc_mark_site a0 = site(CC_MARK_SITE_REGION_BEGIN, "a", 1),
                        a1 = site(CC_MARK_SITE_REGION_END, "a", 2),
                        b0 = site(CC_MARK_SITE_REGION_BEGIN, "b", 3),
                        b1 = site(CC_MARK_SITE_REGION_END, "b", 4),
                        c0 = site(CC_MARK_SITE_REGION_BEGIN, "c", 5);
    cc_mark(t, 5, &b1, 0);
    cc_mark(t, 10, &a0, 0);
    cc_mark(t, 20, &b0, 0);
    cc_mark(t, 30, &a1, 0);
    cc_mark(t, 40, &b1, 0);
    cc_mark(t, 50, &c0, 0);
    cc_thread_end(t, 60);
    struct result *r = snapshot_of(c);
    OK(r->nproblems == 3 && r->problems[0].kind == CC_PROBLEM_NOT_BEGUN && r->problems[0].line == 4 &&
           r->problems[1].kind == CC_PROBLEM_CROSSES && r->problems[1].line == 2 &&
           r->problems[1].other_line == 3 && r->problems[2].kind == CC_PROBLEM_NOT_ENDED &&
           r->problems[2].line == 5,
       "marks that do not pair up are told, with their lines");
    OK(region(r, "a")->inclusive == 20 && region(r, "b")->inclusive == 20 &&
           region(r, "b")->exclusive == 20 && region(r, "c")->inclusive == 10,
       "and each region still has its time");
    free(r);
}

static const struct cc_rec_flow *flow(const struct result *r, uint32_t producer, uint32_t consumer,
                                      uint32_t pf, uint32_t cf)
{
    static const struct cc_rec_flow none;
    for (size_t i = 0; i < r->nflows; i++)
        if (r->flows[i].level == CC_LEVEL_FUNCTION && r->flows[i].producer == producer &&
            r->flows[i].consumer == consumer && r->flows[i].producer_frame == pf &&
            r->flows[i].consumer_frame == cf)
            return &r->flows[i];
    return &none;
}

/* Frame k writes one half of a buffer and reads the half that frame k - 1 wrote; a table from frame 0 is read
 * in each. */
static void test_frames(void)
{
    enum { COUNT = 1000, T = A + 4096 };
    struct cc_collect *c;
    struct cc_thread *t = start(&c);
    struct cc_mark_site frame = site(CC_MARK_SITE_FRAME, "", 1), a0 = site(CC_MARK_SITE_REGION_BEGIN, "a", 1),
                        a1 = site(CC_MARK_SITE_REGION_END, "a", 2);
    call(t, H, 0);
    store(t, T, 16);
    leave(t, 0);
    uint64_t now = 10;
    for (uint32_t k = 1; k <= COUNT; k++, now += 100) {
        cc_mark(t, now, &frame, 0);
        cc_mark(t, now + 10, &a0, 0);
        call(t, F, now + 20);
        for (uint64_t i = 0; i < 64; i += 8)
            store(t, A + (k & 1) * 64 + i, 8);
        leave(t, now + 30);
        call(t, G, now + 40);
        for (uint64_t i = 0; i < 64; i += 8)
            load(t, A + (~k & 1) * 64 + i, 8);
        load(t, T, 16);
        leave(t, now + 50);
        cc_mark(t, now + 60, &a1, 0);
    }
    cc_thread_end(t, now);
    struct result *r = snapshot_of(c);
    size_t wrong = 0;
    for (uint32_t k = 2; k <= COUNT; k++)
        wrong += flow(r, F, G, k - 1, k)->bytes != 64 || flow(r, H, G, 0, k)->bytes != 16;
    OK_U64(wrong, 0, "frame k reads what frame k - 1 wrote");
    size_t functions = 0;
    for (size_t i = 0; i < r->nflows; i++)
        functions += r->flows[i].level == CC_LEVEL_FUNCTION;
    OK_U64(functions, COUNT - 1 + COUNT + 1,
           "and nothing else is stored"); /* + 1: nobody's bytes in frame 1 */
    const struct cc_rec_edge *fg = edge(r, CC_LEVEL_FUNCTION, F, G), *hg = edge(r, CC_LEVEL_FUNCTION, H, G);
    OK(fg->bytes == 64 * (COUNT - 1) && fg->fresh == fg->bytes && fg->unma == 128,
       "a stream over all frames is what it was");
    OK(hg->bytes == 16 * COUNT && hg->fresh == 16 && hg->unma == 16, "a table is fresh once");
    OK(r->nframes == COUNT + 1 && r->frames[7].start == 10 + 600 && r->frames[7].length == 100,
       "frames in time");
    uint64_t in_a = 0, all = 0;
    for (size_t i = 0; i < r->nparts; i++) {
        in_a += r->parts[i].region ? r->parts[i].instructions : 0;
        all += r->parts[i].instructions;
    }
    OK(in_a == 50 * COUNT && all == now, "their parts add up");
    free(r);
}

static void test_off(void)
{
    struct cc_collect *c;
    struct cc_thread *t = start(&c);
    struct cc_mark_site off = site(CC_MARK_SITE_RECORD_OFF, "", 1), on = site(CC_MARK_SITE_RECORD_ON, "", 2);
    call(t, F, 10);
    store(t, A, 8);
    leave(t, 20);
    cc_mark(t, 30, &off, 0);
    call(t, G, 40);
    load(t, A, 8);
    store(t, A + 8, 8);
    leave(t, 90);
    cc_mark(t, 100, &on, 0);
    load(t, A, 8);
    load(t, A + 8, 8);
    cc_thread_end(t, 110);
    struct result *r = snapshot_of(c);
    OK(r->run.instructions == 40 && r->functions[G].calls == 0 && r->functions[G].inclusive == 0,
       "nothing is counted while recording is off");
    OK(edge(r, CC_LEVEL_FUNCTION, F, G)->bytes == 0 && edge(r, CC_LEVEL_FUNCTION, F, MAIN)->bytes == 8 &&
           edge(r, CC_LEVEL_FUNCTION, G, MAIN)->bytes == 8,
       "but who wrote what stays known");
    uint64_t written = 0;
    for (size_t i = 0; i < r->nnodes; i++)
        written += r->nodes[i].bytes_written;
    OK_U64(written, 8, "writes too");
    free(r);
}

static void pairs(struct cc_thread *t, uint64_t a, int rounds)
{
    for (int i = 0; i < rounds; i++) {
        access_pair(t, a, 8, true);
        access_pair(t, a, 8, false);
        access_pair(t, a, 8, false);
    }
}

/* Two accesses of one instruction, both on the stack, both beside it, and one on each side; and of what
 * another thread wrote on its stack. Many, so that sites know them. */
static void test_pairs(void)
{
    enum { ROUNDS = 50 };
    struct cc_collect *c;
    struct cc_thread *t = start(&c), *other = cc_thread_new(c, 2, 0);
    cc_thread_stack(t, 0x70000, 0x10000);
    cc_thread_stack(other, 0x90000, 0x10000);
    call(t, F, 10);
    pairs(t, 0x70010, ROUNDS);
    pairs(t, 0x60000, ROUNDS);
    pairs(t, 0x6fff8, ROUNDS);
    for (int i = 0; i < ROUNDS; i++)
        access_pair(other, 0x70010, 8, false);
    leave(t, 30);
    cc_thread_end(t, 40);
    cc_thread_end(other, 40);
    struct result *r = snapshot_of(c);
    struct cc_rec_node sum = {0};
    for (size_t i = 0; i < r->nnodes; i++) {
        sum.memory_instructions += r->nodes[i].memory_instructions;
        sum.stack_writes += r->nodes[i].stack_writes;
        sum.writes += r->nodes[i].writes;
    }
    OK_U64(sum.memory_instructions, ROUNDS * 10, "two accesses of an instruction are one");
    OK_U64(sum.writes, ROUNDS * 6, "each counts as a write");
    OK_U64(sum.stack_writes, ROUNDS * 3, "on its side of the stack");
    free(r);
}

static void test_stack(void)
{
    struct cc_collect *c;
    struct cc_thread *t = start(&c);
    cc_thread_stack(t, 0x70000, 0x10000);
    call(t, F, 10);
    store(t, 0x70010, 8);
    store(t, 0x6fff8, 8);
    load(t, 0x70010, 8);
    load(t, 0x70010, 4);
    load(t, 0x7ffe0, 16);
    load(t, 0x6fff8, 8);
    cc_again(t, 0x6fff8, 0x70010);
    load(t, 0x70010, 8);
    cc_again(t, 0x70010, 0x70010);
    leave(t, 30);
    cc_thread_end(t, 40);
    struct result *r = snapshot_of(c);
    struct cc_rec_node sum = {0};
    for (size_t i = 0; i < r->nnodes; i++) {
        sum.reads += r->nodes[i].reads;
        sum.stack_reads += r->nodes[i].stack_reads;
        sum.stack_bytes_read += r->nodes[i].stack_bytes_read;
        sum.stack_writes += r->nodes[i].stack_writes;
        sum.writes += r->nodes[i].writes;
        sum.memory_instructions += r->nodes[i].memory_instructions;
        sum.stack_instructions += r->nodes[i].stack_instructions;
        sum.other_instructions += r->nodes[i].other_instructions;
    }
    OK(sum.reads == 5 && sum.stack_reads == 4 && sum.stack_bytes_read == 8 + 4 + 16 + 8 && sum.writes == 2 &&
           sum.stack_writes == 1,
       "the stack and the rest");
    OK(sum.memory_instructions == 5 && sum.stack_instructions == 4 && sum.other_instructions == 2,
       "instructions are told from accesses");
    free(r);
}

/* A stack is whose wrote there: what another thread reads of it, in pieces that several wrote, in one access
 * or two, is on the stack all the same. */
static void test_other_stack(void)
{
    struct cc_collect *c;
    struct cc_thread *t = start(&c), *other = cc_thread_new(c, 2, 0);
    cc_thread_stack(t, 0x70000, 0x10000);
    cc_thread_stack(other, 0x90000, 0x10000);
    call(t, F, 10);
    store(t, 0x70010, 4);
    store(t, 0x70018, 8);
    leave(t, 20);
    call(t, G, 20);
    store(t, 0x70014, 4);
    leave(t, 30);
    call(other, H, 5);
    load(other, 0x70010, 8); /* of two functions */
    load(other, 0x70018, 8);
    cc_again_read(other, 0x70018, 0x70010);
    cc_thread_end(t, 40);
    cc_thread_end(other, 40);
    struct result *r = snapshot_of(c);
    struct cc_rec_node sum = {0};
    for (size_t i = 0; i < r->nnodes; i++) {
        if (!r->nodes[i].reads)
            continue;
        sum.reads += r->nodes[i].reads;
        sum.stack_reads += r->nodes[i].stack_reads;
        sum.stack_bytes_read += r->nodes[i].stack_bytes_read;
        sum.memory_instructions += r->nodes[i].memory_instructions;
        sum.stack_instructions += r->nodes[i].stack_instructions;
        sum.other_instructions += r->nodes[i].other_instructions;
    }
    OK(sum.reads == 2 && sum.stack_reads == 2 && sum.stack_bytes_read == 16, "another thread's stack");
    OK(sum.memory_instructions == 1 && sum.stack_instructions == 1 && sum.other_instructions == 0,
       "is read by one instruction");
    free(r);
}

/* Steps of a thousand instructions, each an access and an execution of the block. */
static uint64_t work(struct cc_thread *t, uint64_t now, int steps, uint32_t block,
                     void (*step)(struct cc_thread *, uint64_t, uint32_t))
{
    for (int i = 0; i < steps; i++, now += 1000) {
        step(t, A, 8);
        const struct cc_block_slot slot = cc_block_slot(t->owner, block, t->function);
        (slot.own ? t->own : t->blocks)[slot.at]++;
        if (now >= t->tick_at)
            cc_tick(t, now);
    }
    return now;
}

struct slices {
    uint64_t written, read;                /* by F, by G */
    uint32_t last_write, first_read, last; /* slices */
    bool sorted;
};

static struct slices slices_of(const struct result *r)
{
    struct slices x = {.first_read = UINT32_MAX, .sorted = true};
    for (size_t i = 0; i < r->nslices; i++) {
        const struct cc_rec_slice *s = &r->slices[i];
        x.written += s->function == F ? s->written : 0;
        x.read += s->function == G ? s->read : 0;
        if (s->function == F && s->slice > x.last_write)
            x.last_write = s->slice;
        if (s->function == G && s->slice < x.first_read)
            x.first_read = s->slice;
        x.sorted &= s->slice >= x.last;
        x.last = s->slice;
    }
    return x;
}

static void test_time_and_code(void)
{
    struct cc_collect *c = fresh_collect(&(struct cc_options){.max_calls = 1000, .max_blocks = 8}, 64);
    struct cc_thread *t = cc_thread_new(c, 1, 0);
    cc_call(t, 0, MAIN, 1, 0);
    uint8_t code[4] = {1, 2, 3, 4};
    uint32_t one = cc_block(c, 0x1000, code, 4, 1, false), two = cc_block(c, 0x1004, code, 4, 1, true);
    OK(one && two && one != two && cc_block(c, 0x1000, code, 4, 1, false) == one,
       "a piece of code has one id");
    call(t, F, 0);
    uint64_t now = work(t, 0, 40000, one, store); /* forty million instructions: slices double */
    leave(t, now);
    call(t, G, now);
    now = work(t, now, 10000, two, load);
    leave(t, now);
    cc_thread_end(t, now);
    for (uint64_t i = 0; i < 20; i++)
        cc_block(c, 0x2000 + i, code, 4, 1, false);
    struct result *r = snapshot_of(c);
    struct slices s = slices_of(r);
    OK(s.written == 320000 && s.read == 80000, "the slices add up to the whole");
    OK(s.sorted && r->run.slice_length * 1024 > now && s.last < 1024 && s.last > 400,
       "there are enough, and not too many");
    OK(s.last_write * r->run.slice_length <= 40000000 &&
           (s.last_write + 1) * r->run.slice_length >= 40000000 - 2000 && s.first_read >= s.last_write,
       "traffic is where it happened");
    OK(r->nexecs == 2 && r->nblocks == 7 && (r->run.flags & CC_RUN_BLOCKS_CUT) && r->blocks[1].mode == 1,
       "code beyond the bound is told");
    OK(r->execs[0].function + r->execs[1].function == F + G && r->execs[0].count + r->execs[1].count == 50000,
       "executions are counted for whom they were");
    free(r);
}

static void test_all(void)
{
    test_regions();
    test_problems();
    test_frames();
    test_off();
    test_stack();
    test_other_stack();
    test_pairs();
    test_time_and_code();
}

int main(void)
{
    both_ways(test_all);
    return TAP_DONE();
}
