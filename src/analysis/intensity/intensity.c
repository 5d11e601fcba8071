#include "intensity.h"
#include "../classes/classes.h"

#include <math.h>

static int by_instructions(const void *a, const void *b)
{
    const struct cc_intensity *x = a, *y = b;
    if (x->instructions != y->instructions)
        return x->instructions > y->instructions ? -1 : 1;
    return x->function < y->function ? -1 : x->function > y->function;
}

static void add_node(struct cc_intensity *x, const struct cc_pnode *n)
{
    x->memory += n->memory_instructions;
    x->stack += n->stack_instructions;
    x->other += n->other_instructions;
    x->reads += n->reads;
    x->writes += n->writes;
    x->bytes_read += n->bytes_read;
    x->bytes_written += n->bytes_written;
    x->stack_reads += n->stack_reads;
    x->stack_writes += n->stack_writes;
    x->stack_bytes_read += n->stack_bytes_read;
    x->stack_bytes_written += n->stack_bytes_written;
}

static void add_counts(struct cc_intensity *all, const struct cc_profile *p, struct cc_intensity *total)
{
    for (size_t i = 0; i < p->nfunctions; i++) {
        all[i].function = (uint32_t)i;
        all[i].instructions = p->functions[i].exclusive;
    }
    for (size_t i = 0; i < p->nnodes; i++) {
        const struct cc_pnode *n = &p->nodes[i];
        if (n->kind != CC_NODE_CONTEXT)
            continue;
        add_node(&all[p->contexts[n->context].function], n);
        add_node(total, n);
    }
}

/* Operands are known if the profile has code, and of an instruction set that is decoded. */
static void add_operands(struct cc_intensities *x, struct cc_intensity *all, const struct cc_profile *p)
{
    struct cc_classes *c;
    struct cc_err err = {0};
    if (cc_classes_build(p, &c, &err) < 0) {
        x->why = cc_arena_strdup(&x->arena, err.msg);
        return;
    }
    x->operands = true;
    for (size_t i = 0; i < p->nfunctions && i < c->nfunctions; i++) {
        all[i].operands = c->functions[i].operands;
        all[i].memory_operands = c->functions[i].memory_operands;
    }
    x->total.operands = c->total.operands;
    x->total.memory_operands = c->total.memory_operands;
    cc_classes_free(c);
}

static double ratio(double a, double b)
{
    return b > 0 ? a / b : NAN;
}

static double flow(double read, double written)
{
    return ratio(read - written, read + written);
}

static void settle(struct cc_intensity *x, uint64_t all_instructions)
{
    double instructions = (double)x->instructions, memory = (double)x->memory;
    double read = (double)x->bytes_read, written = (double)x->bytes_written;
    double stack_read = (double)x->stack_bytes_read, stack_written = (double)x->stack_bytes_written;
    double accesses = (double)x->reads + (double)x->writes;
    double stack_accesses = (double)x->stack_reads + (double)x->stack_writes;
    x->time_share = ratio(instructions, (double)all_instructions);
    x->mar = ratio(memory, instructions);
    x->nloc_mar = ratio((double)x->other, instructions);
    x->mor = ratio((double)x->memory_operands, (double)x->operands);
    /* which operands are on the stack is not known; their accesses are */
    x->nloc_mor = x->memory_operands == 0 ? x->mor : x->mor * ratio(accesses - stack_accesses, accesses);
    x->stk_ratio = ratio((double)x->stack, memory);
    x->flow_ratio = flow(read, written);
    x->nloc_flow_ratio = flow(read - stack_read, written - stack_written);
    x->bytewise_stk_ratio = ratio(stack_read + stack_written, read + written);
    x->bytes_per_access = ratio(read + written, memory);
}

static void choose(struct cc_intensities *x, const struct cc_intensity *all, size_t n, const bool *match,
                   const struct cc_filter *filter)
{
    x->functions = cc_arena_alloc(&x->arena, (n + 1) * sizeof *x->functions);
    for (size_t i = 0; i < n; i++) {
        const struct cc_intensity *f = &all[i];
        if (!f->instructions && !f->memory)
            continue;
        bool shown = match ? match[f->function]
                           : (double)f->instructions >= filter->min_share * (double)x->total.instructions;
        if (shown && (!filter->top || x->n < filter->top)) {
            x->functions[x->n++] = *f;
        } else {
            x->hidden++;
            x->hidden_instructions += f->instructions;
        }
    }
}

int cc_intensity_build(const struct cc_profile *p, const struct cc_filter *filter,
                       struct cc_intensities **ret, struct cc_err *err)
{
    if (p->nnodes == 0 || p->nfunctions == 0)
        return cc_err_at(err, CC_EINPUT, p->path, 0, "the profile has no memory accesses");
    if (p->plain) {
        cc_err_at(err, CC_EINPUT, p->path, 0,
                  "recorded with --plain: accesses to the stack are not told apart");
        cc_err_hint(err, "record it again without --plain");
        return -CC_EINPUT;
    }
    CC_CLEANUP(cc_free_ptr) bool *match = cc_alloc_array(p->nfunctions + 1, sizeof *match);
    int rc = filter->focus ? cc_names_focus_functions(filter->focus, p, match, err) : 0;
    if (rc < 0)
        return rc;
    struct cc_intensities *x = cc_alloc(sizeof *x);
    CC_CLEANUP(cc_free_ptr) struct cc_intensity *all = cc_alloc_array(p->nfunctions + 1, sizeof *all);
    const char **names = cc_names_functions(p, &x->arena);
    x->total.function = CC_NONE;
    x->total.name = "all";
    x->total.instructions = p->instructions;
    add_counts(all, p, &x->total);
    add_operands(x, all, p);
    for (size_t i = 0; i < p->nfunctions; i++) {
        all[i].name = names[i];
        settle(&all[i], p->instructions);
    }
    settle(&x->total, p->instructions);
    qsort(all, p->nfunctions, sizeof *all, by_instructions);
    choose(x, all, p->nfunctions, filter->focus ? match : NULL, filter);
    *ret = x;
    return 0;
}

void cc_intensity_free(struct cc_intensities *x)
{
    if (!x)
        return;
    cc_arena_fini(&x->arena);
    free(x);
}
