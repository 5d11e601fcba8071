#include "analysis/intensity/intensity.h"
#include "tap.h"

#include <math.h>

static struct cc_pfunction functions[] = {{.name = CC_RUNTIME_NAME},
                                          {.name = "reads", .exclusive = 100},
                                          {.name = "fills", .exclusive = 300},
                                          {.name = "idle", .exclusive = 100}};
static struct cc_pcontext contexts[] = {{CC_NONE, 0, 0}, {0, 1, 0}, {0, 2, 0}, {1, 1, 0}, {0, 3, 0}};
static struct cc_pnode nodes[] = {
    {.kind = CC_NODE_CONTEXT, .context = 0},
    {.kind = CC_NODE_CONTEXT,
     .context = 1,
     .reads = 30,
     .bytes_read = 120,
     .memory_instructions = 30,
     .other_instructions = 30},
    {.kind = CC_NODE_CONTEXT,
     .context = 3,
     .reads = 20,
     .bytes_read = 160,
     .memory_instructions = 20,
     .other_instructions = 20},
    {.kind = CC_NODE_CONTEXT,
     .context = 2,
     .writes = 60,
     .reads = 20,
     .bytes_written = 480,
     .bytes_read = 80,
     .stack_writes = 45,
     .stack_bytes_written = 420,
     .memory_instructions = 70,
     .stack_instructions = 50,
     .other_instructions = 25},
    {.kind = CC_NODE_INPUT, .context = CC_NONE, .writes = 1, .bytes_written = 1000},
};
static struct cc_profile profile = {.path = "x.cast",
                                    .functions = functions,
                                    .nfunctions = 4,
                                    .contexts = contexts,
                                    .ncontexts = 5,
                                    .nodes = nodes,
                                    .nnodes = 5,
                                    .instructions = 500};

static void test_figures(void)
{
    struct cc_intensities *x;
    struct cc_err err = {0};
    if (!OK(cc_intensity_build(&profile, &(struct cc_filter){0}, &x, &err) == 0 && x->n == 3,
            "three functions ran"))
        return;
    const struct cc_intensity *f = &x->functions[0];
    OK_STR(f->name, "fills", "most instructions first");
    OK_NEAR(f->time_share, 0.6, 1e-12, "%% time");
    OK_NEAR(f->mar, 70 / 300., 1e-12, "MAR");
    OK_NEAR(f->nloc_mar, 25 / 300., 1e-12, "NLOC-MAR");
    OK_NEAR(f->stk_ratio, 50 / 70., 1e-12, "Stk ratio");
    OK_NEAR(f->flow_ratio, (80 - 480) / 560., 1e-12, "flow ratio");
    OK_NEAR(f->nloc_flow_ratio, (80 - 60) / 140., 1e-12, "NLOC flow ratio");
    OK_NEAR(f->bytewise_stk_ratio, 420 / 560., 1e-12, "byte-wise Stk ratio");
    OK_NEAR(f->bytes_per_access, 8, 1e-12, "bytes an access");
    OK(isnan(f->mor) && isnan(f->nloc_mor) && !x->operands && x->why, "operands are not known: %s", x->why);
    f = &x->functions[1];
    OK(f->flow_ratio == 1 && f->nloc_flow_ratio == 1 && f->mar == f->nloc_mar && f->stk_ratio == 0 &&
           f->mar == 0.5,
       "only reads beside the stack, over two contexts");
    f = &x->functions[2];
    OK(f->mar == 0 && isnan(f->flow_ratio) && isnan(f->stk_ratio) && isnan(f->bytes_per_access) &&
           isnan(f->bytewise_stk_ratio),
       "no accesses: nothing to divide by");
    OK(x->total.memory == 120 && x->total.bytes_read == 360 && x->total.bytes_written == 480 &&
           x->total.time_share == 1,
       "the whole run; what system calls write is not the program's");
    cc_intensity_free(x);
    cc_intensity_build(&profile, &(struct cc_filter){.min_share = 0.5}, &x, &err);
    OK(x->n == 1 && x->hidden == 2 && x->hidden_instructions == 200 && x->total.memory == 120, "a share");
    cc_intensity_free(x);
    cc_intensity_build(&profile, &(struct cc_filter){.focus = "idle"}, &x, &err);
    OK(x->n == 1 && strcmp(x->functions[0].name, "idle") == 0, "a focus");
    cc_intensity_free(x);
}

/* add x0, x1, x2; ldr x3, [x4]; str x3, [sp]: how many operands is a matter of the classes room; here that
 * they arrive at the function. */
static void test_operands(void)
{
    static const uint8_t code[] = {0x20, 0x00, 0x02, 0x8b, 0x83, 0x00, 0x40, 0xf9, 0xe3, 0x03, 0x00, 0xf9};
    struct cc_pblock block = {.address = 0x1000, .function = 2, .instructions = 3, .size = 12, .code = code};
    struct cc_rec_exec exec = {.block = 0, .function = 2, .count = 100};
    struct cc_pscope scope = {.parent = CC_NONE, .name = CC_OUTSIDE_NAME};
    struct cc_pregion region = {.name = CC_OUTSIDE_NAME};
    struct cc_profile p = profile;
    struct cc_intensities *x;
    struct cc_err err = {0};
    p.isa = "aarch64";
    p.blocks = &block;
    p.execs = &exec;
    p.scopes = &scope;
    p.regions = &region;
    p.nblocks = p.nexecs = p.nscopes = p.nregions = 1;
    if (!OK(cc_intensity_build(&p, &(struct cc_filter){0}, &x, &err) == 0 && x->operands, "with code"))
        return;
    const struct cc_intensity *f = &x->functions[0];
    OK(f->memory_operands == 200 && f->operands > 200, "operands of the function (%llu of %llu)",
       (unsigned long long)f->memory_operands, (unsigned long long)f->operands);
    OK_NEAR(f->mor, 200 / (double)f->operands, 1e-12, "MOR");
    OK_NEAR(f->nloc_mor, f->mor * 35 / 80, 1e-12, "NLOC-MOR: by the accesses beside the stack");
    OK(isnan(x->functions[1].mor), "none of a function without code");
    cc_intensity_free(x);
}

int main(void)
{
    test_figures();
    test_operands();
    struct cc_intensities *x;
    struct cc_err err = {0};
    struct cc_profile none = {.path = "x"};
    OK(cc_intensity_build(&none, &(struct cc_filter){0}, &x, &err) < 0, "a profile without accesses");
    struct cc_profile plain = profile;
    plain.plain = true;
    err = (struct cc_err){0};
    OK(cc_intensity_build(&plain, &(struct cc_filter){0}, &x, &err) < 0 && strstr(err.msg, "--plain"),
       "a recording that does not know the stack");
    return TAP_DONE();
}
