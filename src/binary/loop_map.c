/* The loops of a whole file: its functions, and parts of functions that lie apart. */
#include "loops.h"
#include "lines.h"
#include "runtime.h"
#include "../isa/decode.h"

#define NO_PART UINT32_MAX

static bool is_left_out(const struct cc_loop_choice *choice, const struct cc_code_part *part)
{
    const struct cc_code_range *v = choice->without;
    size_t lo; /* the first that ends beyond the part's begin */
    CC_FIRST(lo, choice->nwithout, v[lo].end > part->from);
    return (lo < choice->nwithout && v[lo].start <= part->from) ||
           (choice->wants && !choice->wants(choice->self, part->from, part->to));
}

static int by_place(const void *a, const void *b)
{
    const struct cc_loop_event *x = a, *y = b;
    if (x->address != y->address)
        return x->address < y->address ? -1 : 1;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    int order = (x->loop > y->loop) - (x->loop < y->loop); /* outer ones have lower numbers */
    return x->kind == CC_LOOP_EXIT ? -order : order;
}

static int by_start(const void *a, const void *b)
{
    const struct cc_loop_block *x = a, *y = b;
    return (x->start > y->start) - (x->start < y->start);
}

/* --- functions in several parts: a jump into the middle of a part joins it to where it comes from --- */

struct group {
    uint32_t root;  /* of the tree; the part itself, if it is that */
    uint32_t next;  /* the next part of the same root; NO_PART: none */
    bool jumped_to; /* at its first instruction, from another part */
};

static uint32_t root_of(struct group *v, uint32_t i)
{
    while (v[i].root != i)
        i = v[i].root = v[v[i].root].root;
    return i;
}

/* All stubs for functions of other files may be one part, and whoever ends in a jump to one of them (`jmp
 * free@plt`) is its own function. */
static void note_leaves(const struct cc_code *c, struct group *v, uint32_t i, const struct cc_codegraph *g)
{
    for (size_t k = 0; k < g->leaves.n; k++) {
        const struct cc_code_part *to = cc_code_part_of(c, g->leaves.v[k]);
        uint32_t part = to ? (uint32_t)(to - c->parts.v) : i;
        if (part == i)
            continue;
        if (to->from == g->leaves.v[k] || cc_code_stub(c, g->leaves.v[k])) {
            v[part].jumped_to = true;
            continue;
        }
        uint32_t a = root_of(v, i), b = root_of(v, part);
        v[CC_MAX(a, b)].root = CC_MIN(a, b);
    }
}

/* The function's entry is what no other part jumps to; of several the largest. */
static bool is_better(const struct cc_code *c, const struct group *v, uint32_t a, uint32_t b)
{
    if (v[a].jumped_to != v[b].jumped_to)
        return !v[a].jumped_to;
    const struct cc_code_part *x = &c->parts.v[a], *y = &c->parts.v[b];
    return x->to - x->from > y->to - y->from;
}

static void of_parts(struct cc_loop_map *m, struct cc_code *c, const struct cc_loop_source *source,
                     const struct group *v, uint32_t root)
{
    CC_VEC(const struct cc_code_part *) parts = {0};
    uint32_t best = root, at = 0;
    for (uint32_t i = root; i != NO_PART; i = v[i].next) {
        if (is_better(c, v, i, best)) {
            best = i;
            at = (uint32_t)parts.n;
        }
        CC_VEC_PUSH(&parts, &c->parts.v[i]);
    }
    const struct cc_code_part *entry = parts.v[at];
    parts.v[at] = parts.v[0];
    parts.v[0] = entry;
    struct cc_codegraph g;
    cc_codegraph_init(&g, c, parts.v, parts.n);
    cc_loop_map_add(m, &g, source);
    cc_codegraph_fini(&g);
    CC_VEC_FINI(&parts);
}

/* Most functions are one part, and done with once. */
static void of_code(struct cc_loop_map *m, struct cc_code *c, const struct cc_loop_source *source,
                    const struct cc_loop_choice *choice)
{
    uint32_t n = (uint32_t)c->parts.n;
    struct group *v = cc_alloc_array(n + 1, sizeof *v);
    struct cc_codegraph *g = cc_alloc_array(n + 1, sizeof *g);
    for (uint32_t i = 0; i < n; i++)
        v[i] = (struct group){i, NO_PART, false};
    for (uint32_t i = 0; i < n; i++) {
        const struct cc_code_part *part = &c->parts.v[i];
        if (is_left_out(choice, part))
            continue;
        cc_codegraph_init(&g[i], c, &part, 1);
        note_leaves(c, v, i, &g[i]);
    }
    for (uint32_t i = n; i-- > 0;) {
        uint32_t root = root_of(v, i);
        if (root == i)
            continue;
        v[i].next = v[root].next;
        v[root].next = i;
    }
    for (uint32_t i = 0; i < n; i++) {
        if (root_of(v, i) == i && v[i].next == NO_PART)
            cc_loop_map_add(m, &g[i], source);
        else if (root_of(v, i) == i)
            of_parts(m, c, source, v, i);
        cc_codegraph_fini(&g[i]);
    }
    free(v);
    free(g);
}

struct file {
    struct cc_lines *lines;
    const char *path;
    const struct cc_code *code;
    struct cc_decoder *decoder;
};

static unsigned line_of(void *self, uint64_t address)
{
    const struct file *f = self;
    return cc_lines_find(f->lines, f->path, address).line;
}

static unsigned accesses_of(void *self, uint64_t address, uint64_t size, unsigned *ret_size)
{
    const struct file *f = self;
    size_t left = 0;
    const uint8_t *code = cc_code_at(f->code, address, &left);
    struct cc_insn insn = {.size = 1};
    if (code && left)
        cc_decode(f->decoder, false, code, (size_t)CC_MIN(size, left), address, &insn);
    *ret_size = CC_MAX(insn.size, 1u);
    return insn.frame ? 0 : (insn.reads ? CC_LOOP_READS : 0) | (insn.writes ? CC_LOOP_WRITES : 0);
}

int cc_loop_map_init(struct cc_loop_map *m, struct cc_symbols *symbols, const char *path,
                     const struct cc_loop_choice *choice, struct cc_err *err)
{
    struct cc_code c;
    *m = (struct cc_loop_map){0};
    int rc = cc_code_init(&c, symbols, path, err);
    if (rc < 0)
        return rc;
    struct file file = {cc_lines_new(symbols), path, &c, NULL};
    struct cc_loop_source source = {.line = line_of, .self = &file};
    struct cc_err ignored;
    /* Thumb is left out: which code is Thumb's is known of parts of code, not here */
    if (choice->rests && c.isa->id != CC_ISA_ARM && cc_decoder_new(c.isa, &file.decoder, &ignored) == 0)
        source.accesses = accesses_of;
    of_code(m, &c, &source, choice);
    if (file.decoder)
        cc_decoder_free(file.decoder);
    if (m->events.n)
        qsort(m->events.v, m->events.n, sizeof *m->events.v, by_place);
    if (m->blocks.n)
        qsort(m->blocks.v, m->blocks.n, sizeof *m->blocks.v, by_start);
    for (size_t i = 1; i < m->blocks.n; i++) /* x86 code may be jumped into the middle of an instruction */
        m->blocks.v[i - 1].end = CC_MIN(m->blocks.v[i - 1].end, m->blocks.v[i].start);
    cc_lines_free(file.lines);
    cc_code_fini(&c);
    return 0;
}

void cc_loop_map_fini(struct cc_loop_map *m)
{
    CC_VEC_FINI(&m->loops);
    CC_VEC_FINI(&m->functions);
    CC_VEC_FINI(&m->blocks);
    CC_VEC_FINI(&m->events);
}
