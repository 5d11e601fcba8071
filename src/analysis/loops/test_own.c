#include "analysis/loops/own.h"
#include "base/rng.h"
#include "tap.h"

enum { FUNCTIONS = 4, CONTEXTS = 12, LOOPS = 9, BLOCKS = 40 };

/* A run of which everything is known: each block of 16 bytes is in at most one loop, loop i is written in
 * line 10 + i, and the contexts of a function have what its blocks executed. */
struct run {
    struct cc_pbinary binary;
    struct cc_pfunction functions[FUNCTIONS];
    struct cc_pcontext contexts[CONTEXTS];
    struct cc_ploop loops[LOOPS];
    struct cc_rec_loop_block code[BLOCKS];
    struct cc_pblock blocks[BLOCKS];
    struct cc_rec_line lines[BLOCKS];
    struct cc_rec_exec execs[BLOCKS * 2];
    uint64_t own[FUNCTIONS][LOOPS + 1]; /* the last: in no loop */
    struct cc_profile p;
};

static void make_loops(struct run *r, struct cc_rng *rng)
{
    for (uint32_t i = 0; i < LOOPS; i++) {
        uint32_t outer = i && cc_rng_below(rng, 2) ? (uint32_t)(cc_rng_below(rng, i)) : CC_NONE;
        r->loops[i] = (struct cc_ploop){
            .outer = outer, .function = i % FUNCTIONS, .file = "a.c", .line = 10 + i, .invocations = i + 1};
    }
    for (uint32_t i = 0; i < BLOCKS; i++) {
        uint32_t loop = (uint32_t)(cc_rng_below(rng, LOOPS + 1));
        r->blocks[i] = (struct cc_pblock){
            .address = 0x1000 + 16 * i, .instructions = 1 + (uint32_t)(cc_rng_below(rng, 9)), .size = 16};
        r->lines[i] = (struct cc_rec_line){.block = i,
                                           .file = CC_NONE,
                                           .line = 0,
                                           .instructions = r->blocks[i].instructions,
                                           .binary = CC_NONE};
        if (loop < LOOPS) /* virtual addresses: the binary lies at 0x800 */
            r->code[r->p.nloop_blocks++] =
                (struct cc_rec_loop_block){.loop = loop, .start = 0x800 + 16 * i, .end = 0x810 + 16 * i};
        for (uint32_t k = 0; k < 2; k++) {
            uint32_t f = (uint32_t)(cc_rng_below(rng, FUNCTIONS));
            uint64_t count = cc_rng_below(rng, 1000);
            r->execs[r->p.nexecs++] = (struct cc_rec_exec){.block = i, .function = f, .count = count};
            r->own[f][loop] += count * r->blocks[i].instructions;
        }
    }
}

/* What the blocks executed, cut at random places. */
static void make_contexts(struct run *r, struct cc_rng *rng)
{
    uint64_t left[FUNCTIONS] = {0};
    for (uint32_t f = 0; f < FUNCTIONS; f++)
        for (uint32_t l = 0; l <= LOOPS; l++)
            left[f] += r->own[f][l];
    for (uint32_t i = 0; i < CONTEXTS; i++) {
        uint32_t f = i % FUNCTIONS;
        uint64_t share = i + FUNCTIONS >= CONTEXTS ? left[f] : cc_rng_below(rng, left[f] + 1);
        left[f] -= share;
        r->contexts[i] =
            (struct cc_pcontext){.parent = i ? i - 1 : CC_NONE, .function = f, .exclusive = share};
    }
}

static struct run *make_run(uint64_t seed)
{
    struct run *r = cc_alloc(sizeof *r);
    r->binary = (struct cc_pbinary){.path = "a", .bias = 0x800};
    struct cc_rng rng = {seed};
    make_loops(r, &rng);
    make_contexts(r, &rng);
    for (uint32_t f = 0; f < FUNCTIONS; f++)
        r->functions[f].name = "f";
    struct cc_profile p = {.binaries = &r->binary,
                           .nbinaries = 1,
                           .functions = r->functions,
                           .nfunctions = FUNCTIONS,
                           .contexts = r->contexts,
                           .ncontexts = CONTEXTS,
                           .loops = r->loops,
                           .nloops = LOOPS,
                           .loop_blocks = r->code,
                           .nloop_blocks = r->p.nloop_blocks,
                           .blocks = r->blocks,
                           .nblocks = BLOCKS,
                           .lines = r->lines,
                           .nlines = BLOCKS,
                           .execs = r->execs,
                           .nexecs = r->p.nexecs,
                           .loops_known = "count"};
    r->p = p;
    return r;
}

/* Each loop has a line of its own, so it is a path of its own. */
static uint32_t loop_of(const struct cc_loop_own *o, uint32_t path)
{
    return path == CC_NONE ? LOOPS : o->paths.v[path].line - 10;
}

static bool paths_fit(const struct run *r, const struct cc_loop_own *o)
{
    bool fine = o->paths.n == LOOPS;
    for (uint32_t i = 0; fine && i < LOOPS; i++) {
        uint32_t parent = o->paths.v[i].parent, outer = r->loops[loop_of(o, i)].outer;
        fine = outer == CC_NONE ? parent == CC_NONE : parent < i && loop_of(o, parent) == outer;
    }
    return fine;
}

static bool is_conserved(const struct run *r, const struct cc_loop_own *o)
{
    uint64_t of_context[CONTEXTS] = {0}, own[FUNCTIONS][LOOPS + 1] = {0};
    bool fine = true;
    for (size_t i = 0; i < o->shares.n; i++) {
        const struct cc_loop_share *x = &o->shares.v[i];
        of_context[x->context] += x->instructions;
        own[r->contexts[x->context].function][loop_of(o, x->path)] += x->instructions;
        fine = fine && x->instructions;
    }
    for (uint32_t i = 0; i < CONTEXTS; i++)
        fine = fine && of_context[i] == r->contexts[i].exclusive;
    return fine && memcmp(own, r->own, sizeof own) == 0;
}

static bool is_even(const struct run *r, const struct cc_loop_own *o)
{
    uint64_t total[FUNCTIONS] = {0};
    bool fine = true;
    for (uint32_t i = 0; i < CONTEXTS; i++)
        total[i % FUNCTIONS] += r->contexts[i].exclusive;
    for (size_t i = 0; i < o->shares.n; i++) {
        const struct cc_loop_share *x = &o->shares.v[i];
        uint32_t f = r->contexts[x->context].function;
        double even = (double)r->own[f][loop_of(o, x->path)] * (double)r->contexts[x->context].exclusive /
                      (double)total[f];
        /* one for each context before it and itself */
        fine = fine && even - (double)x->instructions < CONTEXTS && (double)x->instructions - even < CONTEXTS;
    }
    return fine;
}

static void test_random(void)
{
    bool paths = true, conserved = true, even = true, told = true;
    for (uint64_t seed = 1; seed <= 500; seed++) {
        struct run *r = make_run(seed);
        struct cc_loop_own *o = NULL;
        struct cc_err err = {0};
        told = told && cc_loop_own(&r->p, NULL, &o, &err) == 0 && o->estimated;
        paths = paths && paths_fit(r, o);
        conserved = conserved && is_conserved(r, o);
        even = even && is_even(r, o);
        cc_loop_own_free(o);
        free(r);
    }
    OK(paths, "loops are inside the loops around them");
    OK(conserved, "contexts and loops both add up");
    OK(even, "contexts of a function have its loops in the same proportion");
    OK(told, "and it is told that the recording does not know");
}

static void test_one_context(void)
{
    struct run *r = make_run(7);
    struct cc_loop_own *o = NULL;
    struct cc_err err = {0};
    for (uint32_t i = 0; i + FUNCTIONS < CONTEXTS; i++) {
        r->contexts[CONTEXTS - FUNCTIONS + i % FUNCTIONS].exclusive += r->contexts[i].exclusive;
        r->contexts[i].exclusive = 0;
    }
    OK(cc_loop_own(&r->p, NULL, &o, &err) == 0 && !o->estimated && is_conserved(r, o), "one context: exact");
    cc_loop_own_free(o);
    /* the second is the rest of the first */
    r->loops[0].outer = r->loops[1].outer = CC_NONE;
    r->loops[1].line = r->loops[0].line;
    for (uint32_t i = 2; i < LOOPS; i++)
        r->loops[i].outer = i % 2;
    OK(cc_loop_own(&r->p, NULL, &o, &err) == 0 && o->paths.n == LOOPS - 1 && o->paths.v[5].parent == 0,
       "what a compiler made of one loop is one");
    cc_loop_own_free(o);
    free(r);
}

static void test_damaged(void)
{
    struct run *r = make_run(3);
    struct cc_loop_own *o = NULL;
    struct cc_err err = {0}, none = {0}, plain = {0};
    uint64_t sum = 0;
    for (uint32_t i = 0; i < CONTEXTS; i++)
        r->contexts[i].exclusive /= 3;
    OK(cc_loop_own(&r->p, NULL, &o, &err) == 0, "contexts that have less than was executed");
    for (uint32_t i = 0; i < CONTEXTS; i++)
        sum += r->contexts[i].exclusive;
    for (size_t i = 0; i < o->shares.n; i++)
        sum -= o->shares.v[i].instructions;
    OK_U64(sum, 0, "still add up");
    cc_loop_own_free(o);
    for (uint32_t i = 0; i < CONTEXTS; i++)
        r->contexts[i].exclusive = INT64_MAX;
    OK(cc_loop_own(&r->p, NULL, &o, &err) < 0 && strstr(err.msg, "out of range"), "counts that overflow");
    r->p.nlines = 0;
    OK(cc_loop_own(&r->p, NULL, &o, &plain) < 0 && strstr(plain.msg, "without the code"), "no code");
    r->p.loops_known = NULL;
    OK(cc_loop_own(&r->p, NULL, &o, &none) < 0 && strstr(none.msg, "no loops"), "no loops");
    free(r);
}

int main(void)
{
    test_random();
    test_one_context();
    test_damaged();
    return TAP_DONE();
}
