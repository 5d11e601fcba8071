#include "classes.h"
#include "../../base/map.h"

#include <math.h>

/* One execution of a block. */
struct block {
    uint32_t n[CC_CLASSES], other, unknown, combined, operands, memory_operands, chained;
    bool decoded;
};

struct builder {
    const struct cc_profile *p;
    struct cc_classes *c;
    struct cc_decoder *decoder;
    bool arm;
    struct block *blocks;
    uint32_t *task_of; /* [scope] -> its task, or the one it is in */
};

/* An engine that cannot ask the processor knows Thumb by the symbol or by an instruction of two bytes. What
 * is left, four-byte instructions in a stripped library, is Thumb if every one begins as such do and they are
 * not all A32 without a condition. */
static bool is_thumb(const struct cc_pblock *b)
{
    if (b->mode == 1 || b->size != 4 * (uint64_t)b->instructions)
        return b->mode == 1;
    bool plain = true;
    for (uint32_t at = 0; at < b->size; at += 4) {
        if (b->code[at + 1] < 0xe8)
            return false;
        plain &= b->code[at + 3] >> 4 == 0xe;
    }
    return !plain;
}

/* Whether what instruction `of` loads comes to its own address, if the block is run again and again. */
static bool waits_for_itself(const struct cc_insn *insns, unsigned n, unsigned of)
{
    uint32_t loaded = insns[of].set & ~insns[of].moved;
    for (unsigned k = 1; k < n && loaded; k++) {
        const struct cc_insn *i = &insns[(of + k) % n];
        uint32_t result = i->taken & loaded ? i->set & ~i->moved : 0;
        loaded = (loaded & ~(i->set & ~i->moved)) | result; /* what moves along stays what it was */
    }
    return loaded & insns[of].address;
}

static uint32_t chained(const struct cc_insn *insns, unsigned n)
{
    uint32_t all = 0;
    for (unsigned i = 0; i < n; i++)
        all += insns[i].reads && insns[i].address && waits_for_itself(insns, n, i);
    return all;
}

/* The profile says how many instructions the block has: those that cannot be told from its bytes are unknown.
 */
static void decode(struct cc_decoder *d, bool arm, const struct cc_pblock *b, struct block *ret)
{
    enum { LOOKED_AT = 256 }; /* instructions of a block that are looked at together */
    struct cc_insn insns[LOOKED_AT];
    bool thumb = arm && is_thumb(b);
    uint32_t done = 0;
    for (uint32_t at = 0; at < b->size && done < b->instructions; done++) {
        struct cc_insn i;
        cc_decode(d, thumb, b->code + at, b->size - at, b->address + at, &i);
        at += i.size;
        if (i.kind == CC_INSN_UNKNOWN)
            ret->unknown++;
        else if (i.kind == CC_INSN_OTHER)
            ret->other++;
        else
            ret->n[i.kind]++;
        if ((i.reads || i.writes) && i.kind != CC_INSN_ACCESS) {
            ret->n[CC_MEMORY]++;
            ret->combined++;
        }
        ret->operands += i.operands;
        ret->memory_operands += i.memory_operands;
        if (done < LOOKED_AT)
            insns[done] = i;
    }
    ret->chained = done <= LOOKED_AT ? chained(insns, done) : 0;
    ret->unknown += b->instructions - done;
    ret->decoded = true;
}

static bool add(uint64_t *to, uint64_t count, uint64_t n)
{
    uint64_t product;
    return !__builtin_mul_overflow(count, n, &product) && !__builtin_add_overflow(*to, product, to);
}

static bool add_block(struct cc_class_counts *to, const struct block *b, uint32_t instructions,
                      uint64_t count)
{
    bool ok = add(&to->instructions, count, instructions);
    for (size_t k = 0; k < CC_CLASSES; k++)
        ok = ok && add(&to->n[k], count, b->n[k]);
    return ok && add(&to->other, count, b->other) && add(&to->unknown, count, b->unknown) &&
           add(&to->combined, count, b->combined) && add(&to->operands, count, b->operands) &&
           add(&to->memory_operands, count, b->memory_operands) && add(&to->chained, count, b->chained);
}

static int count(struct builder *b, struct cc_err *err)
{
    const struct cc_profile *p = b->p;
    for (size_t i = 0; i < p->nexecs; i++) {
        const struct cc_rec_exec *e = &p->execs[i];
        const struct cc_pblock *code = &p->blocks[e->block];
        struct block *block = &b->blocks[e->block];
        if (!block->decoded)
            decode(b->decoder, b->arm, code, block);
        bool ok = add_block(&b->c->total, block, code->instructions, e->count) &&
                  add_block(&b->c->functions[e->function], block, code->instructions, e->count);
        if (ok && b->c->nregions)
            ok = add_block(&b->c->regions[p->scopes[e->scope].region].counts, block, code->instructions,
                           e->count);
        if (ok && b->c->ntasks)
            ok = add_block(&b->c->tasks[b->task_of[e->scope]].counts, block, code->instructions, e->count);
        if (!ok)
            return cc_err_at(err, CC_EINPUT, p->path, 0, "the counts of executed code are out of range");
    }
    return 0;
}

/* Scopes with the same name are one task. A region belongs to the task it is in. */
static void find_tasks(struct builder *b)
{
    const struct cc_profile *p = b->p;
    struct cc_strmap names = {0};
    CC_VEC(struct cc_class_group) tasks = {0};
    CC_VEC_PUSH(&tasks, (struct cc_class_group){.name = p->nscopes ? p->scopes[0].name : NULL});
    for (size_t i = 0; i < p->nscopes; i++) {
        const struct cc_pscope *s = &p->scopes[i];
        if (s->kind != CC_SCOPE_TASK) {
            b->task_of[i] = s->parent == CC_NONE ? 0 : b->task_of[s->parent];
            continue;
        }
        bool is_new;
        uint64_t *at = cc_strmap_put(&names, s->name, &is_new);
        if (is_new) {
            *at = tasks.n;
            CC_VEC_PUSH(&tasks, (struct cc_class_group){.name = s->name, .file = s->file, .line = s->line});
        }
        b->task_of[i] = (uint32_t)*at;
    }
    if (tasks.n > 1) {
        b->c->ntasks = tasks.n;
        b->c->tasks = cc_arena_alloc(&b->c->arena, tasks.n * sizeof *tasks.v);
        memcpy(b->c->tasks, tasks.v, tasks.n * sizeof *tasks.v);
    }
    CC_VEC_FINI(&tasks);
    cc_strmap_fini(&names);
}

static struct cc_classes *prepare(struct builder *b)
{
    const struct cc_profile *p = b->p;
    struct cc_classes *c = b->c = cc_alloc(sizeof *c);
    c->cut = p->blocks_cut;
    c->nfunctions = p->nfunctions;
    c->functions = cc_arena_alloc(&c->arena, (p->nfunctions + 1) * sizeof *c->functions);
    c->nregions = p->nscopes ? p->nregions : 0;
    c->regions = cc_arena_alloc(&c->arena, (c->nregions + 1) * sizeof *c->regions);
    for (size_t i = 0; i < c->nregions; i++)
        c->regions[i].name = p->regions[i].name;
    b->blocks = cc_alloc_array(p->nblocks + 1, sizeof *b->blocks);
    b->task_of = cc_alloc_array(p->nscopes + 1, sizeof *b->task_of);
    find_tasks(b);
    return c;
}

int cc_classes_build(const struct cc_profile *p, struct cc_classes **ret, struct cc_err *err)
{
    struct builder b = {.p = p};
    if (p->nexecs == 0) {
        int rc = cc_err_at(err, CC_EINPUT, p->path, 0, "it was recorded without the code that ran");
        cc_err_hint(err, "record the program again, with the valgrind or the qemu engine");
        return rc;
    }
    const struct cc_isa *isa = cc_isa_named(p->isa);
    if (!isa || !isa->classes)
        return cc_err_at(err, CC_EINPUT, p->path, 0, "no instruction classes are known for '%s'",
                         p->isa ? p->isa : "this instruction set");
    int rc = cc_decoder_new(isa, &b.decoder, err);
    if (rc < 0)
        return rc;
    b.arm = isa->id == CC_ISA_ARM;
    struct cc_classes *c = prepare(&b);
    rc = count(&b, err);
    cc_decoder_free(b.decoder);
    free(b.blocks);
    free(b.task_of);
    if (rc < 0) {
        cc_classes_free(c);
        return rc;
    }
    *ret = c;
    return 0;
}

void cc_classes_free(struct cc_classes *c)
{
    if (!c)
        return;
    cc_arena_fini(&c->arena);
    free(c);
}

uint64_t cc_class_computing(const struct cc_class_counts *c)
{
    uint64_t sum = 0;
    for (size_t k = 0; k < CC_CLASSES; k++)
        sum += k == CC_MEMORY ? 0 : c->n[k];
    return sum;
}

double cc_class_share(const struct cc_class_counts *c, enum cc_class class)
{
    uint64_t all = cc_class_computing(c);
    return all ? (double)c->n[class] / (double)all : NAN;
}

double cc_class_intensity(const struct cc_class_counts *c)
{
    return c->n[CC_MEMORY] ? (double)cc_class_computing(c) / (double)c->n[CC_MEMORY] : NAN;
}
