#include "analysis/classes/classes.h"
#include "base/rng.h"
#include "tap.h"

enum { FUNCTIONS = 4, SCOPES = 6, REGIONS = 3, TASKS = 3 };

/* outside; region a; task t in a; region b in t; task u; task t again, outside a */
static struct cc_pscope scopes[SCOPES] = {
    {CC_NONE, CC_SCOPE_OUTSIDE, 0, "<outside>", NULL, 0, 0, 0},
    {0, CC_SCOPE_REGION, 1, "a", "x.c", 3, 1, 0},
    {1, CC_SCOPE_TASK, 1, "t", "x.c", 4, 1, 0},
    {2, CC_SCOPE_REGION, 2, "b", "x.c", 5, 1, 0},
    {0, CC_SCOPE_TASK, 0, "u", NULL, 0, 1, 0},
    {0, CC_SCOPE_TASK, 0, "t", "x.c", 9, 1, 0},
};
static const uint32_t task_of[SCOPES] = {0, 0, 1, 1, 2, 1};
static struct cc_pregion regions[REGIONS] = {{.name = "<outside>"}, {.name = "a"}, {.name = "b"}};
static struct cc_pfunction functions[FUNCTIONS] = {
    {.name = "<runtime>"}, {.name = "f"}, {.name = "g"}, {.name = "h"}};

static struct cc_profile profile(const char *isa)
{
    return (struct cc_profile){.path = "test.cast",
                               .isa = isa,
                               .functions = functions,
                               .nfunctions = FUNCTIONS,
                               .regions = regions,
                               .nregions = REGIONS,
                               .scopes = scopes,
                               .nscopes = SCOPES};
}

/* ldr x1,[x0],#8; madd x2,x1,x1,x2; subs x3,x3,#1; b.ne -- a sum of squares, n times; and ret */
static const uint8_t loop[] = {0x01, 0x84, 0x40, 0xf8, 0x22, 0x08, 0x01, 0x9b,
                               0x63, 0x04, 0x00, 0xf1, 0xa1, 0xff, 0xff, 0x54};
static const uint8_t leave[] = {0xc0, 0x03, 0x5f, 0xd6};

static void test_closed_form(void)
{
    struct cc_profile p = profile("aarch64");
    struct cc_pblock blocks[] = {
        {0}, {0x1000, 1, 4, sizeof loop, 0, loop}, {0x1010, 1, 1, sizeof leave, 0, leave}};
    struct cc_rec_exec execs[] = {
        {1, 1, 0, 0, 1000}, {1, 1, 2, 0, 500}, {1, 2, 3, 0, 7}, {2, 1, 0, 0, 3}, {2, 1, 4, 0, 2}};
    p.blocks = blocks;
    p.nblocks = CC_COUNT(blocks);
    p.execs = execs;
    p.nexecs = CC_COUNT(execs);
    struct cc_classes *c;
    struct cc_err err = {0};
    if (!OK(cc_classes_build(&p, &c, &err) == 0, "a loop of four instructions"))
        return;
    const struct cc_class_counts *f = &c->functions[1];
    OK(f->instructions == 4 * 1500 + 5 && f->n[CC_S_INT] == 1500 && f->n[CC_M_INT] == 1500 &&
           f->n[CC_MEMORY] == 1500 && f->n[CC_BRANCH] == 1505 && f->n[CC_FLOAT] == 0 && f->combined == 0,
       "the counts of a function");
    OK(f->operands == 1500 * (2 + 4 + 3 + 1) && f->memory_operands == 1500, "operands");
    OK_NEAR(cc_class_intensity(f), 4505.0 / 1500, 1e-12, "arithmetic intensity");
    OK_NEAR(cc_class_share(f, CC_M_INT), 1500.0 / 4505, 1e-12, "profile");
    OK(c->functions[2].instructions == 28 && c->functions[3].instructions == 0 &&
           isnan(cc_class_intensity(&c->functions[3])) && isnan(cc_class_share(&c->functions[3], CC_S_INT)),
       "who was charged; nothing is unknown, not zero");
    OK(c->regions[0].counts.instructions == 4000 + 3 + 2 && c->regions[1].counts.instructions == 2000 &&
           c->regions[2].counts.instructions == 28,
       "regions: a task counts to the region it is in");
    OK(c->ntasks == TASKS && strcmp(c->tasks[1].name, "t") == 0 && c->tasks[1].line == 4 &&
           c->tasks[1].counts.instructions == 2028 && c->tasks[2].counts.instructions == 2 &&
           c->tasks[0].counts.instructions == 4003,
       "tasks: a region counts to the task it is in");
    cc_classes_free(c);
}

/* Blocks that are run again and again: whether a load needs what it loaded the time before. */
static void test_chained(void)
{
    static const struct {
        const char *isa, *text;
        uint8_t code[16];
        uint32_t size, instructions;
        uint64_t chained;
    } all[] = {
        {"aarch64", "ldr x0, [x0]; cbnz x0", {0, 0, 0x40, 0xf9, 0xe0, 0xff, 0xff, 0xb5}, 8, 2, 1},
        {"aarch64", "ldr w0, [x1, w0, uxtw 2]; b", {0x20, 0x58, 0x60, 0xb8, 0xff, 0xff, 0xff, 0x17}, 8, 2, 1},
        {"aarch64",
         "ldr x2, [x0]; mov x0, x2; b",
         {2, 0, 0x40, 0xf9, 0xe0, 3, 2, 0xaa, 0xfe, 0xff, 0xff, 0x17},
         12,
         3,
         1},
        {"aarch64", "ldr x2, [x0], 8; b", {2, 0x84, 0x40, 0xf8, 0xff, 0xff, 0xff, 0x17}, 8, 2, 0},
        {"aarch64",
         "ldr w2, [x1]; str w2, [x1], -4; b",
         {0x22, 0, 0x40, 0xb9, 0x22, 0xc4, 0x1f, 0xb8, 0xfe, 0xff, 0xff, 0x17},
         12,
         3,
         0},
        {"aarch64",
         "ldr x0, [x0]; mov x0, x3; b",
         {0, 0, 0x40, 0xf9, 0xe0, 3, 3, 0xaa, 0xfe, 0xff, 0xff, 0x17},
         12,
         3,
         0},
        {"x86_64", "mov (%rax), %rax; jmp", {0x48, 0x8b, 0, 0xeb, 0xfb}, 5, 2, 1},
        {"x86_64", "mov (%rdx,%rax,4), %eax; jmp", {0x8b, 4, 0x82, 0xeb, 0xfb}, 5, 2, 1},
        {"x86_64", "mov (%rax), %rdx; jmp", {0x48, 0x8b, 0x10, 0xeb, 0xfb}, 5, 2, 0},
    };
    for (size_t i = 0; i < CC_COUNT(all); i++) {
        struct cc_profile p = profile(all[i].isa);
        struct cc_pblock blocks[] = {{0}, {0x1000, 1, all[i].instructions, all[i].size, 0, all[i].code}};
        struct cc_rec_exec execs[] = {{1, 1, 0, 0, 10}};
        p.blocks = blocks;
        p.nblocks = CC_COUNT(blocks);
        p.execs = execs;
        p.nexecs = CC_COUNT(execs);
        struct cc_classes *c = NULL;
        struct cc_err err = {0};
        OK(cc_classes_build(&p, &c, &err) == 0 && c->total.chained == 10 * all[i].chained &&
               !c->total.unknown,
           "%s: %s", all[i].text, c ? all[i].chained ? "a chain" : "none" : err.msg);
        cc_classes_free(c);
    }
}

static void test_double_count(void)
{
    static const uint8_t code[] = {0x03, 0x07, 0xc3,
                                   0x06, 0x90, 0x90}; /* add (%rdi),%eax; ret; not an instruction; nops */
    struct cc_profile p = profile("x86_64");
    struct cc_pblock blocks[] = {{0x1000, 1, 5, sizeof code, 0, code}, {0x2000, 1, 2, 0, 0, NULL}};
    struct cc_rec_exec execs[] = {{0, 1, 0, 0, 10}, {1, 1, 0, 0, 1}};
    p.blocks = blocks;
    p.nblocks = 2;
    p.execs = execs;
    p.nexecs = 2;
    p.nscopes = p.nregions = 0;
    execs[0].scope = 0;
    struct cc_classes *c;
    struct cc_err err = {0};
    if (!OK(cc_classes_build(&p, &c, &err) == 0, "a profile without scopes"))
        return;
    OK(c->total.n[CC_S_INT] == 10 && c->total.n[CC_BRANCH] == 10 && c->total.n[CC_MEMORY] == 20 &&
           c->total.combined == 20 && c->total.instructions == 52,
       "arithmetic on memory counts in both classes");
    OK(c->total.unknown == 32 && c->total.other == 0,
       "after unknown bytes on x86 the rest is unknown, and so is code without bytes");
    OK(c->nregions == 0 && c->ntasks == 0, "no regions, no tasks");
    cc_classes_free(c);
}

/* A call in Thumb without a symbol, and A32 code that looks a little like Thumb. */
static void test_thumb(void)
{
    static const uint8_t call[] = {0xff, 0xf7, 0xcc, 0xfe}, leave_arm[] = {0x1e, 0xff, 0x2f, 0xe1};
    struct cc_profile p = profile("arm");
    struct cc_pblock blocks[] = {{0x1000, 1, 1, 4, 0, call}, {0x2000, 2, 1, 4, 0, leave_arm}};
    struct cc_rec_exec execs[] = {{0, 1, 0, 0, 3}, {1, 2, 0, 0, 5}};
    p.blocks = blocks;
    p.execs = execs;
    p.nblocks = p.nexecs = 2;
    struct cc_classes *c;
    struct cc_err err = {0};
    if (!OK(cc_classes_build(&p, &c, &err) == 0, "code of a stripped library"))
        return;
    OK_U64(c->functions[1].n[CC_BRANCH], 3, "a call in Thumb, told by its encoding");
    OK_U64(c->functions[2].n[CC_BRANCH], 5, "a return in A32");
    cc_classes_free(c);
}

static bool conserved(const struct cc_class_counts *c)
{
    return cc_class_computing(c) + c->n[CC_MEMORY] + c->other + c->unknown - c->combined == c->instructions;
}

static void sum(struct cc_class_counts *to, const struct cc_class_counts *x)
{
    uint64_t *a = (uint64_t *)to;
    const uint64_t *b = (const uint64_t *)x;
    for (size_t i = 0; i < sizeof *to / sizeof *a; i++)
        a[i] += b[i];
}

/* Random code and counts: every way of adding up gives the same, and what a scan of the execs says. */
static void test_conservation(const char *isa, uint64_t seed)
{
    enum { BLOCKS = 200, BYTES = 8192, EXECS = 3000 };
    struct cc_rng rng = {seed};
    static uint8_t code[BYTES];
    static struct cc_pblock blocks[BLOCKS];
    static struct cc_rec_exec execs[EXECS];
    for (size_t i = 0; i < BYTES; i++)
        code[i] = (uint8_t)cc_rng_next(&rng);
    for (size_t i = 0; i < BLOCKS; i++)
        blocks[i] = (struct cc_pblock){0x1000 * i,
                                       1,
                                       (uint32_t)cc_rng_below(&rng, 20),
                                       (uint32_t)cc_rng_below(&rng, 60),
                                       (uint32_t)cc_rng_below(&rng, 2),
                                       code + cc_rng_below(&rng, BYTES - 60)};
    uint64_t all = 0, by_function[FUNCTIONS] = {0}, by_region[REGIONS] = {0}, by_task[TASKS] = {0};
    for (size_t i = 0; i < EXECS; i++) {
        struct cc_rec_exec *e = &execs[i];
        *e = (struct cc_rec_exec){(uint32_t)cc_rng_below(&rng, BLOCKS),
                                  (uint32_t)cc_rng_below(&rng, FUNCTIONS),
                                  (uint32_t)cc_rng_below(&rng, SCOPES), 0, cc_rng_below(&rng, 1000000)};
        uint64_t n = e->count * blocks[e->block].instructions;
        all += n;
        by_function[e->function] += n;
        by_region[scopes[e->scope].region] += n;
        by_task[task_of[e->scope]] += n;
    }
    struct cc_profile p = profile(isa);
    p.blocks = blocks;
    p.nblocks = BLOCKS;
    p.execs = execs;
    p.nexecs = EXECS;
    struct cc_classes *c;
    struct cc_err err = {0};
    if (!OK(cc_classes_build(&p, &c, &err) == 0, "%s: random blocks", isa))
        return;
    struct cc_class_counts f = {0}, r = {0}, t = {0};
    bool ok = conserved(&c->total) && c->total.instructions == all;
    for (size_t i = 0; i < FUNCTIONS; i++) {
        sum(&f, &c->functions[i]);
        ok &= conserved(&c->functions[i]) && c->functions[i].instructions == by_function[i];
    }
    for (size_t i = 0; i < REGIONS; i++) {
        sum(&r, &c->regions[i].counts);
        ok &= c->regions[i].counts.instructions == by_region[i];
    }
    for (size_t i = 0; i < TASKS; i++) {
        sum(&t, &c->tasks[i].counts);
        ok &= c->tasks[i].counts.instructions == by_task[i];
    }
    OK(ok && memcmp(&f, &c->total, sizeof f) == 0 && memcmp(&r, &c->total, sizeof r) == 0 &&
           memcmp(&t, &c->total, sizeof t) == 0,
       "%s: functions, regions and tasks add up to the same, and to the instructions executed", isa);
    cc_classes_free(c);
}

static void test_errors(void)
{
    struct cc_profile p = profile("aarch64");
    struct cc_classes *c;
    struct cc_err err = {0};
    OK(cc_classes_build(&p, &c, &err) < 0 && strstr(err.msg, "without the code"), "no code");
    struct cc_pblock blocks[] = {{0x1000, 1, 4, sizeof loop, 0, loop}};
    struct cc_rec_exec execs[] = {{0, 1, 0, 0, UINT64_MAX / 3}};
    p.blocks = blocks;
    p.nblocks = 1;
    p.execs = execs;
    p.nexecs = 1;
    err = (struct cc_err){0};
    OK(cc_classes_build(&p, &c, &err) < 0 && strstr(err.msg, "out of range"), "counts that overflow");
    p.isa = "mipsel";
    err = (struct cc_err){0};
    OK(cc_classes_build(&p, &c, &err) < 0 && strstr(err.msg, "mipsel"), "an instruction set without rules");
    p.isa = NULL;
    err = (struct cc_err){0};
    OK(cc_classes_build(&p, &c, &err) < 0, "an unknown instruction set");
    cc_classes_free(NULL);
}

int main(void)
{
    test_closed_form();
    test_chained();
    test_double_count();
    test_thumb();
    test_conservation("x86_64", 1);
    test_conservation("aarch64", 2);
    test_conservation("arm", 3);
    test_conservation("riscv64", 4);
    test_errors();
    return TAP_DONE();
}
