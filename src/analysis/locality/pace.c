#include "pace.h"
#include "../../base/map.h"
#include "../../base/text.h"
#include "../../isa/decode.h"
#include "../../isa/match.h"

struct sum {
    double n[CC_SIM_CLASSES]; /* instructions */
    double writes, bytes;     /* stores */
    double code;              /* bytes of the lines that it lies in */
};

enum { WHOLE, OUTSIDE };

struct cc_pace {
    struct cc_strmap names;  /* -> index into sums */
    CC_VEC(struct sum) sums; /* [WHOLE], [OUTSIDE] all tasks and loops, … */
};

static const struct {
    uint8_t class;
    const char *names;
} costs[] = {
#define CC_COST(cost, names) {CC_SIM_##cost, names},
#define CC_ACCESS(...)
#define CC_COMPARES(...)
#define CC_CALLS(...)
#define CC_COST_BITS(...)
#define CC_ATOMIC_BITS(...)
#include "../../isa/costs.def"
};

static unsigned class_of(const char *name)
{
    for (size_t i = 0; i < CC_COUNT(costs); i++)
        if (cc_names_fit(costs[i].names, name))
            return costs[i].class;
    return CC_SIM_INT;
}

static void count_block(struct cc_decoder *d, const struct cc_pblock *b, struct sum *ret)
{
    uint32_t done = 0;
    for (uint32_t at = 0; at < b->size && done < b->instructions; done++) {
        struct cc_insn i;
        cc_decode(d, b->mode == 1, b->code + at, b->size - at, b->address + at, &i);
        ret->n[class_of(i.name)]++;
        at += i.size;
    }
    ret->n[CC_SIM_INT] += (double)(b->instructions - done);
}

static size_t index_of(struct cc_pace *pace, const char *name)
{
    bool is_new;
    uint64_t *at = cc_strmap_put(&pace->names, name, &is_new);
    if (is_new) {
        *at = pace->sums.n;
        CC_VEC_PUSH(&pace->sums, (struct sum){0});
    }
    return *at;
}

static void add(struct cc_pace *pace, size_t i, const struct sum *block, double times)
{
    for (unsigned k = 0; k < CC_SIM_CLASSES; k++)
        pace->sums.v[i].n[k] += times * block->n[k];
}

/* A loop's code, with that of the loops inside it: from its first instruction to its last. */
struct hull {
    uint64_t start, end; /* as executed */
    size_t sum;
};

static void find_loops(struct cc_pace *pace, const struct cc_profile *p, struct hull *hulls)
{
    for (size_t i = 0; i < p->nloops; i++) {
        const struct cc_ploop *l = &p->loops[i];
        char name[4200];
        hulls[i] = (struct hull){UINT64_MAX, 0, 0};
        if (!l->file)
            continue;
        snprintf(name, sizeof name, "%s:%u", cc_text_base(l->file), l->line);
        hulls[i].sum = index_of(pace, name);
    }
    for (size_t i = 0; i < p->nloop_blocks; i++) {
        const struct cc_rec_loop_block *b = &p->loop_blocks[i];
        uint64_t bias = p->binaries[p->loops[b->loop].binary].bias;
        struct hull *h = &hulls[b->loop];
        h->start = CC_MIN(h->start, b->start + bias);
        h->end = CC_MAX(h->end, b->end + bias);
    }
}

static void count(struct cc_pace *pace, const struct cc_profile *p, const struct sum *blocks,
                  const struct hull *hulls, size_t nhulls)
{
    for (size_t i = 0; i < p->nexecs; i++) {
        const struct cc_rec_exec *e = &p->execs[i];
        const struct sum *block = &blocks[e->block];
        uint64_t address = p->blocks[e->block].address;
        double times = (double)e->count;
        const struct cc_pscope *s = &p->scopes[e->scope];
        bool inside = s->kind == CC_SCOPE_TASK;
        add(pace, WHOLE, block, times);
        if (inside)
            add(pace, index_of(pace, s->name), block, times);
        for (size_t k = 0; k < nhulls; k++)
            if (hulls[k].sum && address >= hulls[k].start && address < hulls[k].end) {
                add(pace, hulls[k].sum, block, times);
                inside = true;
            }
        if (!inside)
            add(pace, OUTSIDE, block, times);
    }
}

/* Lines of code of each task, once each. */
static void count_lines(struct cc_pace *pace, const struct cc_profile *p)
{
    enum { LINE = 32, ADDRESS_BITS = 42 };
    struct cc_map seen = {0};
    for (size_t i = 0; i < p->nexecs; i++) {
        const struct cc_pscope *s = &p->scopes[p->execs[i].scope];
        const struct cc_pblock *b = &p->blocks[p->execs[i].block];
        if (s->kind != CC_SCOPE_TASK || !b->size)
            continue;
        uint64_t sum = index_of(pace, s->name);
        for (uint64_t line = b->address / LINE; line <= (b->address + b->size - 1) / LINE; line++) {
            bool is_new;
            cc_map_put(&seen, sum << ADDRESS_BITS | (line & ((UINT64_C(1) << ADDRESS_BITS) - 1)), &is_new);
            pace->sums.v[sum].code += is_new ? LINE : 0;
        }
    }
    cc_map_fini(&seen);
}

static void count_stores(struct cc_pace *pace, const struct cc_profile *p)
{
    for (size_t i = 0; i < p->nnodes; i++) {
        const struct cc_pnode *n = &p->nodes[i];
        bool task = n->scope != CC_NONE && p->scopes[n->scope].kind == CC_SCOPE_TASK;
        size_t of[2] = {WHOLE, task ? index_of(pace, p->scopes[n->scope].name) : OUTSIDE};
        for (int k = 0; k < 2; k++) {
            pace->sums.v[of[k]].writes += (double)n->writes;
            pace->sums.v[of[k]].bytes += (double)n->bytes_written;
        }
    }
}

int cc_pace_new(const struct cc_profile *p, struct cc_pace **ret, struct cc_err *err)
{
    struct cc_decoder *d;
    const struct cc_isa *isa = p->isa ? cc_isa_named(p->isa) : NULL;
    if (!isa || !p->nexecs)
        return cc_err_at(err, CC_EINPUT, p->path, 0, "the recording holds no code (record without --plain)");
    int rc = cc_decoder_new(isa, &d, err);
    if (rc < 0)
        return rc;
    struct cc_pace *pace = cc_alloc(sizeof *pace);
    for (int i = WHOLE; i <= OUTSIDE; i++)
        CC_VEC_PUSH(&pace->sums, (struct sum){0});
    CC_CLEANUP(cc_free_ptr) struct sum *blocks = cc_alloc_array(p->nblocks + 1, sizeof *blocks);
    for (size_t i = 0; i < p->nblocks; i++)
        count_block(d, &p->blocks[i], &blocks[i]);
    cc_decoder_free(d);
    CC_CLEANUP(cc_free_ptr) struct hull *hulls = cc_alloc_array(p->nloops + 1, sizeof *hulls);
    find_loops(pace, p, hulls);
    count(pace, p, blocks, hulls, p->nloops);
    count_stores(pace, p);
    count_lines(pace, p);
    *ret = pace;
    return 0;
}

void cc_pace_free(struct cc_pace *pace)
{
    if (!pace)
        return;
    cc_strmap_fini(&pace->names);
    CC_VEC_FINI(&pace->sums);
    free(pace);
}

static double cycles_of(const struct sum *s, const uint32_t cost[CC_SIM_CLASSES])
{
    double instructions = 0, cycles = 0;
    for (unsigned k = 0; k < CC_SIM_CLASSES; k++) {
        instructions += s->n[k];
        cycles += s->n[k] * cost[k];
    }
    return instructions > 0 ? cycles / instructions : 0;
}

static const struct sum *sum_of(const struct cc_pace *pace, const char *task)
{
    static const char whole[] = "loop ";
    if (task && strncmp(task, whole, strlen(whole)) == 0)
        task += strlen(whole);
    const uint64_t *at = task ? cc_strmap_get(&pace->names, task) : NULL;
    return &pace->sums.v[at ? *at : task ? WHOLE : OUTSIDE];
}

double cc_pace_of(const struct cc_pace *pace, const char *task, const uint32_t cost[CC_SIM_CLASSES])
{
    double own = cycles_of(sum_of(pace, task), cost), all = cycles_of(&pace->sums.v[WHOLE], cost);
    return own > 0 ? own : all > 0 ? all : 1;
}

double cc_pace_code(const struct cc_pace *pace, const char *task)
{
    const struct sum *own = sum_of(pace, task);
    return own == &pace->sums.v[WHOLE] ? 0 : own->code;
}

double cc_pace_store(const struct cc_pace *pace, const char *task)
{
    const struct sum *own = sum_of(pace, task), *s = own->writes > 0 ? own : &pace->sums.v[WHOLE];
    return s->writes > 0 ? s->bytes / s->writes : 8;
}
