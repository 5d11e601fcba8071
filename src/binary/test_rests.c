/* Code beside a loop that does what an iteration of it does: in graphs that are written down by hand. */
#include "binary/loops.h"
#include "tap.h"

enum { BLOCKS = 6, INSNS = 5, HEAD = 10, BODY = 11, NEXT = 12, R = CC_LOOP_READS, W = CC_LOOP_WRITES };

struct insn {
    unsigned line, does;
};

/* 0: the entry; 1: the loop; 2: whether something is left; 3: what may be a rest; 4: goes on with it; 5: the
 * end */
static const int edges[BLOCKS][3] = {{1, -1}, {1, 2, -1}, {3, 5, -1}, {4, -1}, {5, -1}, {-1}};
static const struct insn the_loop[INSNS] = {{BODY, R}, {BODY, W}, {HEAD, 0}, {HEAD, 0}, {HEAD, 0}};
static const struct insn twice[INSNS] = {{BODY, R}, {BODY, R}, {BODY, W}, {BODY, W}, {HEAD, 0}};

static uint64_t place(uint32_t block)
{
    return 0x1000 + 32 * block;
}

static unsigned line_of(void *self, uint64_t address)
{
    const struct insn(*code)[INSNS] = self;
    return code[(address - 0x1000) / 32][(address & 31) / 4].line;
}

static unsigned accesses_of(void *self, uint64_t address, uint64_t size, unsigned *ret_size)
{
    const struct insn(*code)[INSNS] = self;
    *ret_size = size < 4 ? (unsigned)size : 4;
    return code[(address - 0x1000) / 32][(address & 31) / 4].does;
}

/* The loops there are with that code in the loop, in the third block and in the one behind it. */
static struct cc_loop_map loops_of(const struct insn *loop, const struct insn *rest, const struct insn *more,
                                   bool calls)
{
    struct insn code[BLOCKS][INSNS] = {{{0}}};
    struct cc_codegraph g = {0};
    struct cc_loop_map m = {0};
    memcpy(code[1], loop, sizeof code[1]);
    memcpy(code[3], rest, sizeof code[3]);
    memcpy(code[4], more, sizeof code[4]);
    for (uint32_t b = 0; b < BLOCKS; b++) {
        struct cc_codegraph_block block = {.from = place(b),
                                           .to = place(b) + 4 * INSNS,
                                           .last = place(b) + 16,
                                           .first = (uint32_t)g.edges.n,
                                           .instructions = INSNS,
                                           .calls = b == 3 && calls,
                                           .touches = b != 2};
        for (int i = 0; edges[b][i] >= 0; i++, block.count++)
            CC_VEC_PUSH(&g.edges, (uint32_t)edges[b][i]);
        block.branches = block.count == 2;
        CC_VEC_PUSH(&g.blocks, block);
    }
    cc_loop_map_add(&m, &g, &(struct cc_loop_source){line_of, accesses_of, code});
    cc_codegraph_fini(&g);
    return m;
}

static size_t how_many(const struct insn *loop, const struct insn *rest, const struct insn *more, bool calls)
{
    struct cc_loop_map m = loops_of(loop, rest, more, calls);
    size_t n = m.loops.n;
    cc_loop_map_fini(&m);
    return n;
}

static bool is_event(const struct cc_loop_map *m, uint32_t block, uint32_t loop, enum cc_loop_event_kind kind)
{
    bool found = false;
    for (size_t i = 0; i < m->events.n; i++)
        found |= m->events.v[i].address == place(block) && m->events.v[i].loop == loop &&
                 m->events.v[i].kind == (uint32_t)kind;
    return found;
}

static void test_rest(void)
{
    const struct insn none[INSNS] = {{0}}, other[INSNS] = {{NEXT, W}};
    struct cc_loop_map m = loops_of(the_loop, the_loop, other, false);
    OK_U64(m.loops.n, 2, "code with the lines, loads and stores of a loop is a rest of it");
    OK(m.loops.v[1].line == m.loops.v[0].line && m.loops.v[1].outer == m.loops.v[0].outer, "of its line");
    OK(m.loops.v[1].flags & CC_LOOP_BEGUN && is_event(&m, 3, 1, CC_LOOP_HEADER) &&
           is_event(&m, 4, 1, CC_LOOP_EXIT) && !is_event(&m, 5, 1, CC_LOOP_EXIT),
       "it begins where it is entered, and ends behind itself");
    OK_U64(m.blocks.n, 2, "and has its code");
    cc_loop_map_fini(&m);
    m = loops_of(the_loop, other, none, false);
    OK_U64(m.loops.n, 1, "nothing with lines that the loop does not have");
    cc_loop_map_fini(&m);
}

static void test_several_blocks(void)
{
    const struct insn reads[INSNS] = {{BODY, R}}, writes[INSNS] = {{BODY, W}, {HEAD, 0}};
    struct cc_loop_map m = loops_of(the_loop, reads, writes, false);
    OK_U64(m.loops.n, 2, "two blocks are one rest if nobody else gets to the second");
    OK(is_event(&m, 3, 1, CC_LOOP_HEADER) && is_event(&m, 5, 1, CC_LOOP_EXIT) &&
           !is_event(&m, 4, 1, CC_LOOP_EXIT),
       "which ends behind both");
    cc_loop_map_fini(&m);
}

static void test_none(void)
{
    const struct insn none[INSNS] = {{0}}, writes[INSNS] = {{BODY, W}, {HEAD, 0}},
                      reads[INSNS] = {{BODY, R}, {HEAD, 0}}, head[INSNS] = {{HEAD, R}, {HEAD, W}},
                      once[INSNS] = {{BODY, R}, {BODY, W}}, more[INSNS] = {{BODY, R}, {BODY, R}, {BODY, W}},
                      lacks[INSNS] = {{BODY, R}, {BODY, W}, {BODY, W}},
                      stores[INSNS] = {{BODY, W}, {BODY, W}, {BODY, W}, {HEAD, 0}, {HEAD, 0}};
    OK_U64(how_many(the_loop, writes, none, false), 1, "what lacks the load is none");
    OK_U64(how_many(the_loop, reads, none, false), 1, "nor what lacks the store");
    OK_U64(how_many(stores, writes, none, false), 1, "nor anything of a loop that only stores");
    OK_U64(how_many(the_loop, the_loop, none, true), 1, "nor what calls");
    OK_U64(how_many(head, head, none, false), 1, "nor what only has the head's line: that is done once");
    OK_U64(how_many(twice, once, none, false), 2, "one of two iterations is one");
    OK_U64(how_many(twice, more, none, false), 2, "also with a load that the loop needs once for both");
    OK_U64(how_many(twice, lacks, none, false), 1, "but not with fewer loads for its stores");
}

int main(void)
{
    test_rest();
    test_several_blocks();
    test_none();
    return TAP_DONE();
}
