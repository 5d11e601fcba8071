/* Loops of graphs and of code written down by hand: several entries, and calls that come back to setjmp. */
#include "binary/loops.h"
#include "tap.h"

#include <elf.h>

enum { MOST = 3 };

static uint64_t place(uint32_t block)
{
    return 0x1000 + 16 * block;
}

/* Each block's successors, ended by -1; of two, the block ends in a branch. */
static struct cc_loop_map loops_of(const int (*to)[MOST], uint32_t n)
{
    struct cc_codegraph g = {0};
    struct cc_loop_map m = {0};
    for (uint32_t b = 0; b < n; b++) {
        struct cc_codegraph_block block = {.from = place(b),
                                           .to = place(b + 1),
                                           .last = place(b) + 12,
                                           .first = (uint32_t)g.edges.n,
                                           .instructions = 4};
        for (int i = 0; i < MOST && to[b][i] >= 0; i++, block.count++)
            CC_VEC_PUSH(&g.edges, (uint32_t)to[b][i]);
        block.branches = block.count == 2;
        CC_VEC_PUSH(&g.blocks, block);
    }
    cc_loop_map_add(&m, &g, NULL);
    cc_codegraph_fini(&g);
    return m;
}

static unsigned events_at(const struct cc_loop_map *m, uint64_t address, uint32_t loop,
                          enum cc_loop_event_kind kind)
{
    unsigned n = 0;
    for (size_t i = 0; i < m->events.n; i++) {
        const struct cc_loop_event *e = &m->events.v[i];
        n += e->address == address && e->loop == loop && e->kind == kind;
    }
    return n;
}

/* A body that begins with a choice, which is also made before the loop: it is entered where either way
 * begins. One of them has a loop of its own. */
static void test_choice_before(void)
{
    const int to[][MOST] = {{1, 2, -1}, {3, -1}, {6, -1}, {4, 5, -1}, {-1}, {1, 2, -1}, {6, 3, -1}};
    struct cc_loop_map m = loops_of(to, CC_COUNT(to));
    OK_U64(m.loops.n, 2, "a loop of two entries is one, and has one inside");
    OK(m.loops.v[0].flags & CC_LOOP_IRREDUCIBLE, "which is told");
    OK_U64(m.loops.v[0].tick, place(5), "an iteration begins behind its test");
    OK_U64(events_at(&m, place(5), 0, CC_LOOP_TICK), 1, "and is counted once");
    OK_U64(events_at(&m, place(1), 0, CC_LOOP_HEADER) + events_at(&m, place(2), 0, CC_LOOP_HEADER), 2,
           "it is entered at both");
    OK_U64(m.loops.v[1].header, place(6), "the loop on one of the ways");
    OK_U64(m.loops.v[1].outer, 0, "is inside it");
    cc_loop_map_fini(&m);
}

/* A choice at the beginning of the body, which is also made in front of both loops: each is entered in two
 * places, and its own test divides its rounds. */
static void test_nest_of_choices(void)
{
    const int to[][MOST] = {{1, 2, -1}, {3, 4, -1}, {3, 4, -1}, {5, -1},    {5, -1},
                            {6, 7, -1}, {1, 2, -1}, {8, 9, -1}, {1, 2, -1}, {-1}};
    struct cc_loop_map m = loops_of(to, CC_COUNT(to));
    OK_U64(m.loops.n, 2, "two loops that are entered where either way begins");
    OK_U64(m.loops.v[0].tick, place(8), "an iteration of the outer one begins behind its test");
    OK_U64(m.loops.v[1].tick, place(6), "and one of the inner one behind its own");
    OK_U64(m.loops.v[1].outer, 0, "which is inside it");
    for (uint32_t i = 0; i < 2; i++) {
        OK(!(m.loops.v[i].flags & CC_LOOP_IRREDUCIBLE) && m.loops.v[i].flags & CC_LOOP_BEGUN,
           "the first iteration has begun wherever it is entered");
        OK_U64(events_at(&m, place(1), i, CC_LOOP_HEADER) + events_at(&m, place(2), i, CC_LOOP_HEADER), 2,
               "which is at both ways");
    }
    cc_loop_map_fini(&m);
    /* the same, but rounds of the inner one may leave both: it may be the outer one's own round */
    const int leaves[][MOST] = {{1, 2, -1}, {3, 4, -1}, {3, 4, -1}, {5, -1},    {5, 9, -1},
                                {6, 7, -1}, {1, 2, -1}, {8, 9, -1}, {1, 2, -1}, {-1}};
    m = loops_of(leaves, CC_COUNT(leaves));
    OK(m.loops.v[0].flags & CC_LOOP_IRREDUCIBLE, "where it begins is not known if a loop inside leaves both");
    cc_loop_map_fini(&m);
    /* two tests in every round, and nobody knows which is the loop's own */
    const int two[][MOST] = {{1, 2, -1}, {3, 4, -1}, {3, 4, -1}, {5, -1},    {5, -1},
                             {6, 9, -1}, {7, -1},    {8, 9, -1}, {1, 2, -1}, {-1}};
    m = loops_of(two, CC_COUNT(two));
    OK(m.loops.n >= 1 && m.loops.v[0].flags & CC_LOOP_IRREDUCIBLE, "nor of two tests in every round");
    cc_loop_map_fini(&m);
}

/* What is left of a vector loop's iterations is entered at its test, to ask whether there are any, or where
 * its body begins. */
static void test_asked_first(void)
{
    const int to[][MOST] = {{1, 2, -1}, {2, -1}, {1, 3, -1}, {-1}};
    struct cc_loop_map m = loops_of(to, CC_COUNT(to));
    bool one = m.loops.n == 1 && !(m.loops.v[0].flags & (CC_LOOP_IRREDUCIBLE | CC_LOOP_LEAF));
    OK(one, "a test that is also asked on the way in makes no tangle of a loop, which still has two ways in");
    OK_U64(m.loops.v[0].tick, place(1), "an iteration begins behind it");
    OK_U64(events_at(&m, place(1), 0, CC_LOOP_HEADER) + 2 * events_at(&m, place(2), 0, CC_LOOP_HEADER), 1,
           "and is the first whichever way was taken");
    cc_loop_map_fini(&m);
    const int more[][MOST] = {{1, 2, -1}, {2, -1}, {3, -1}, {1, 4, -1}, {-1}};
    m = loops_of(more, CC_COUNT(more));
    OK(m.loops.v[0].flags & CC_LOOP_IRREDUCIBLE, "where more than the test is passed, it is one");
    cc_loop_map_fini(&m);
    const int both[][MOST] = {{1, 2, -1}, {2, -1}, {1, 3, -1}, {0, 4, -1}, {-1}};
    m = loops_of(both, CC_COUNT(both));
    OK_U64(m.loops.n, 2, "inside another loop, too");
    OK(!(m.loops.v[1].flags & CC_LOOP_IRREDUCIBLE) && m.loops.v[1].outer == 0, "the inner one is no tangle");
    cc_loop_map_fini(&m);
}

static void test_three_ways(void)
{
    const int to[][MOST] = {{1, 8, -1}, {4, -1},    {4, -1},    {4, -1},   {5, 6, -1},
                            {-1},       {1, 7, -1}, {2, 3, -1}, {2, 3, -1}};
    struct cc_loop_map m = loops_of(to, CC_COUNT(to));
    OK_U64(m.loops.n, 1, "a loop of three entries is one");
    cc_loop_map_fini(&m);
}

/* A jump into an inner loop makes one of two entries of the outer one, too. */
static void test_jump_into(void)
{
    const int to[][MOST] = {{1, 2, -1}, {2, -1}, {2, 3, -1}, {1, 4, -1}, {-1}};
    struct cc_loop_map m = loops_of(to, CC_COUNT(to));
    OK_U64(m.loops.n, 2, "a loop that is jumped into keeps its own test");
    OK_U64(m.loops.v[1].header, place(2), "and its place");
    cc_loop_map_fini(&m);
    const int asks[][MOST] = {{1, 2, -1}, {2, 3, -1}, {1, 2, -1}, {-1}};
    m = loops_of(asks, CC_COUNT(asks));
    OK_U64(m.loops.n, 2, "also where the outer one's test comes right behind it");
    cc_loop_map_fini(&m);
}

/* --- code of x86-64: a loop around setjmp, and a call behind which the function ends --- */

enum {
    LONGJMP = 0x1000,
    SETJMP = 0x1010,
    DEEP = 0x1020,   /* calls longjmp */
    DEEPER = 0x1030, /* jumps to deep */
    PLAIN = 0x1038,  /* may call deep, or return */
    JUMPS = 0x1048,
    HEADER = JUMPS + 2,
    CALL = JUMPS + 0x13, /* what is asked about */
    END = JUMPS + 0x19
};

static void put_relative(uint8_t *code, uint64_t at, uint8_t op, uint64_t target)
{
    uint32_t by = (uint32_t)(target - (at + 5));
    code[at - LONGJMP] = op;
    for (int i = 0; i < 4; i++)
        code[at - LONGJMP + 1 + (unsigned)i] = (uint8_t)(by >> 8 * i);
}

static void write_code(uint8_t *code, uint64_t callee)
{
    static const uint8_t jumps[] = {0x31, 0xc0,                /* xor %eax, %eax */
                                    0x85, 0xff, 0x74, 0x12,    /* header: test %edi, %edi; je end */
                                    0xe8, 0,    0,    0,    0, /* call setjmp */
                                    0x85, 0xc0, 0x74, 0x04,    /* test %eax, %eax; je call */
                                    0xff, 0xcf, 0xeb, 0xef,    /* dec %edi; jmp header */
                                    0xe8, 0,    0,    0,    0, /* call: call … */
                                    0xc3};                     /* end: ret */
    static const uint8_t plain[] = {0x85, 0xff, 0x74, 0x05, 0xe8, 0, 0, 0, 0, 0xc3};
    code[0] = code[SETJMP - LONGJMP] = 0xc3;
    memcpy(code + (PLAIN - LONGJMP), plain, sizeof plain);
    memcpy(code + (JUMPS - LONGJMP), jumps, sizeof jumps);
    put_relative(code, DEEP, 0xe8, LONGJMP);
    put_relative(code, DEEPER, 0xe9, DEEP);
    put_relative(code, PLAIN + 4, 0xe8, DEEP);
    put_relative(code, JUMPS + 6, 0xe8, SETJMP);
    put_relative(code, CALL, 0xe8, callee);
}

/* How often the loop is left at that call. */
static unsigned left_at_call(uint64_t callee)
{
    uint8_t code[END - LONGJMP] = {0};
    struct cc_code c = {.isa = cc_isa_of_machine(EM_X86_64)};
    struct cc_codegraph g;
    struct cc_loop_map m = {0};
    static const uint64_t parts[][2] = {{LONGJMP, 1}, {SETJMP, 1}, {DEEP, 5},
                                        {DEEPER, 5},  {PLAIN, 10}, {JUMPS, 25}};
    write_code(code, callee);
    OK(cc_flow_init(&c.decoder, c.isa, NULL) == 0, "a decoder");
    CC_VEC_PUSH(&c.bytes, (struct cc_code_bytes){code, LONGJMP, END});
    for (size_t i = 0; i < CC_COUNT(parts); i++)
        CC_VEC_PUSH(&c.parts, (struct cc_code_part){.from = parts[i][0], .to = parts[i][0] + parts[i][1]});
    CC_VEC_PUSH(&c.callees, (struct cc_code_slot){LONGJMP, "longjmp"});
    CC_VEC_PUSH(&c.callees, (struct cc_code_slot){SETJMP, "setjmp"});
    const struct cc_code_part *jumps = cc_code_part_of(&c, JUMPS);
    cc_codegraph_init(&g, &c, &jumps, 1);
    cc_loop_map_add(&m, &g, NULL);
    unsigned n = events_at(&m, CALL, 0, CC_LOOP_EXIT);
    OK(m.loops.n == 1 && m.loops.v[0].header == HEADER, "one loop");
    OK_U64(events_at(&m, END - 1, 0, CC_LOOP_EXIT), 1, "that is left at its end");
    cc_loop_map_fini(&m);
    cc_codegraph_fini(&g);
    cc_code_fini(&c);
    return n;
}

/* Behind a call that the function ends with stands the rare part of a loop, where compilers put both: how
 * many ways the loop has in. */
static bool one_way_in(uint64_t callee)
{
    enum { AT = JUMPS };
    static const uint8_t text[] = {0x85, 0xff, 0x78, 0x09,    /* test %edi, %edi; js fail */
                                   0x85, 0xf6, 0x78, 0x0a,    /* header: test %esi, %esi; js rare */
                                   0xff, 0xcf, 0x7f, 0xf8,    /* middle: dec %edi; jg header */
                                   0xc3,                      /* ret */
                                   0xe8, 0,    0,    0,    0, /* fail: call … */
                                   0xff, 0xc6, 0xeb, 0xf2};   /* rare: inc %esi; jmp middle */
    uint8_t code[END - LONGJMP] = {0};
    struct cc_code c = {.isa = cc_isa_of_machine(EM_X86_64)};
    struct cc_codegraph g;
    struct cc_loop_map m = {0};
    static const uint64_t parts[][2] = {{LONGJMP, 1}, {DEEP, 5}, {PLAIN, 10}, {AT, sizeof text}};
    write_code(code, callee);
    memcpy(code + (AT - LONGJMP), text, sizeof text);
    put_relative(code, AT + 13, 0xe8, callee);
    OK(cc_flow_init(&c.decoder, c.isa, NULL) == 0, "a decoder");
    CC_VEC_PUSH(&c.bytes, (struct cc_code_bytes){code, LONGJMP, END});
    for (size_t i = 0; i < CC_COUNT(parts); i++)
        CC_VEC_PUSH(&c.parts, (struct cc_code_part){.from = parts[i][0], .to = parts[i][0] + parts[i][1]});
    CC_VEC_PUSH(&c.callees, (struct cc_code_slot){LONGJMP, "exit"});
    const struct cc_code_part *part = cc_code_part_of(&c, AT);
    cc_codegraph_init(&g, &c, &part, 1);
    cc_loop_map_add(&m, &g, NULL);
    bool one = m.loops.n == 1 && m.loops.v[0].header == AT + 4 && !(m.loops.v[0].flags & CC_LOOP_IRREDUCIBLE);
    cc_loop_map_fini(&m);
    cc_codegraph_fini(&g);
    cc_code_fini(&c);
    return one;
}

int main(void)
{
    test_choice_before();
    test_nest_of_choices();
    test_asked_first();
    test_three_ways();
    test_jump_into();
    OK_U64(left_at_call(PLAIN), 1, "a loop is left for a call that may return, and does not go back");
    OK_U64(left_at_call(LONGJMP), 0, "but not for longjmp");
    OK_U64(left_at_call(DEEP), 0, "nor for a function that only ends in it");
    OK_U64(left_at_call(DEEPER), 0, "or jumps to such a one");
    OK(!one_way_in(PLAIN), "a call that may return leads into the part of a loop behind it");
    OK(one_way_in(LONGJMP) && one_way_in(DEEP), "exit does not, nor does a function that only ends in it");
    return TAP_DONE();
}
