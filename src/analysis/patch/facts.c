#include "facts.h"
#include "head.h"
#include "updates.h"
#include "../loops/source/live.h"
#include "../metrics/lower.h"
#include "../../base/text.h"

enum { MAX_DEPTH = 2000 };

/* --- finding out --- */

static bool leads(const struct cc_tree *t, uint32_t n)
{
    uint32_t at = cc_tree_at(t, n)->begin;
    while (at > 0 && (t->text[at - 1] == ' ' || t->text[at - 1] == '\t'))
        at--;
    return at == 0 || t->text[at - 1] == '\n';
}

/* --- telling --- */

/* Arrays and pointers whose elements are integers wherever they are accessed. */
static void tell_integers(const struct cc_tree *t, uint32_t begin, uint32_t end, FILE *out)
{
    enum { WHOLE = 1, OTHER = 2 };
    unsigned char *seen = cc_alloc(t->ndecls + 1);
    for (uint32_t i = 0; i < t->nnodes; i++) {
        const struct cc_tree_node *x = cc_tree_at(t, i);
        bool element = x->kind == CC_N_SUBSCRIPT || x->kind == CC_N_MEMBER ||
                       (x->kind == CC_N_UNARY && x->op == CC_OP_DEREF);
        bool last = x->type.class != CC_T_ARRAY && x->type.class != CC_T_RECORD; /* of a[i][j] */
        int32_t decl =
            element && last && x->begin >= begin && x->end <= end ? cc_patch_first_mentioned(t, i) : -1;
        if (decl >= 0)
            seen[decl] |= x->type.class == CC_T_INT ? WHOLE : OTHER;
    }
    for (size_t d = 0; d < t->ndecls; d++)
        if (seen[d] == WHOLE)
            fprintf(out, "N\t%s\n", t->decls[d].name);
    free(seen);
}

/* Parameters that are declared as so many numbers (`int bins[256]`) and stay what they were given. */
static void tell_lengths(const struct cc_tree *t, uint32_t begin, uint32_t end, FILE *out)
{
    bool *numbers = cc_alloc(t->ndecls + 1), *other = cc_alloc(t->ndecls + 1);
    for (uint32_t i = 0; i < t->nnodes; i++) {
        const struct cc_tree_node *x = cc_tree_at(t, i);
        bool sets =
            x->kind == CC_N_ASSIGN ||
            (x->kind == CC_N_UNARY && (x->op == CC_OP_INC || x->op == CC_OP_DEC || x->op == CC_OP_ADDR));
        uint32_t of = sets || x->kind == CC_N_SUBSCRIPT ? cc_tree_bare(t, x->child) : CC_NODE_NONE;
        int32_t decl =
            of != CC_NODE_NONE && cc_tree_at(t, of)->kind == CC_N_REF ? cc_tree_at(t, of)->decl : -1;
        if (decl < 0)
            continue;
        if (sets || (x->type.class != CC_T_INT && x->type.class != CC_T_FLOAT))
            other[decl] = true;
        else if (x->begin >= begin && x->end <= end)
            numbers[decl] = true;
    }
    for (size_t i = 0; i < t->ndecls; i++) {
        const struct cc_decl *d = &t->decls[i];
        if (numbers[i] && !other[i] && d->kind == CC_D_PARAM && d->type.class == CC_T_ARRAY &&
            !d->type.variable && d->type.elements)
            fprintf(out, "E\t%llu\t%llu\t%s\n", (unsigned long long)d->type.bits / 8,
                    (unsigned long long)d->type.elements, d->name);
    }
    free(numbers);
    free(other);
}

/* Structs, and arrays of them: no clause combines such; what may be one; and pointers. */
static void tell_records(const struct cc_tree *t, uint32_t begin, uint32_t end, FILE *out)
{
    bool *records = cc_alloc(t->ndecls + 1);
    for (uint32_t i = 0; i < t->nnodes; i++) {
        const struct cc_tree_node *x = cc_tree_at(t, i);
        bool here = x->type.class == CC_T_RECORD && x->begin >= begin && x->end <= end;
        int32_t decl = here && x->kind != CC_N_CALL ? cc_patch_first_mentioned(t, i) : -1;
        if (decl >= 0)
            records[decl] = true;
    }
    for (size_t d = 0; d < t->ndecls; d++) {
        if (records[d])
            fprintf(out, "R\t%s\n", t->decls[d].name);
        bool variable = t->decls[d].kind != CC_D_FUNCTION && t->decls[d].kind != CC_D_OTHER;
        enum cc_type_class class = t->decls[d].type.class;
        char kind = class == CC_T_NONE ? 'P' : class == CC_T_POINTER ? 'Z' : 0;
        if (variable && kind)
            fprintf(out, "%c\t%s\n", kind, t->decls[d].name);
    }
    free(records);
}

/* 0, 1, false or true. */
static bool is_truth(const struct cc_tree *t, uint32_t n)
{
    static const char *const words[] = {"0", "1", "false", "true"};
    n = cc_tree_bare(t, n);
    size_t size = n == CC_NODE_NONE ? 0 : cc_tree_at(t, n)->end - cc_tree_at(t, n)->begin;
    for (size_t i = 0; i < CC_COUNT(words); i++)
        if (size == strlen(words[i]) && memcmp(t->text + cc_tree_at(t, n)->begin, words[i], size) == 0)
            return true;
    return false;
}

/* Variables that never hold anything but 0 and 1: && and || of them are what they were set to. */
static void tell_truths(const struct cc_tree *t, uint32_t loop, FILE *out)
{
    enum { SET = 1, OTHER = 2 };
    unsigned char *seen = cc_alloc(t->ndecls + 1);
    for (uint32_t i = 0; i < t->nnodes; i++) {
        const struct cc_tree_node *x = cc_tree_at(t, i);
        bool changes =
            x->kind == CC_N_UNARY && (x->op == CC_OP_INC || x->op == CC_OP_DEC || x->op == CC_OP_ADDR);
        uint32_t to = x->kind == CC_N_ASSIGN || changes ? cc_tree_bare(t, x->child) : CC_NODE_NONE;
        uint32_t value = x->kind == CC_N_VAR      ? x->child
                         : x->kind == CC_N_ASSIGN ? cc_tree_part(t, i, 1)
                                                  : CC_NODE_NONE;
        int32_t decl = x->kind == CC_N_VAR                                         ? x->decl
                       : to != CC_NODE_NONE && cc_tree_at(t, to)->kind == CC_N_REF ? cc_tree_at(t, to)->decl
                                                                                   : -1;
        if (decl < 0 || (x->kind == CC_N_VAR && value == CC_NODE_NONE))
            continue;
        bool truth = !changes && x->op == CC_OP_NONE && is_truth(t, value);
        seen[decl] |= truth ? SET : OTHER;
    }
    for (size_t d = 0; d < t->ndecls; d++) {
        const struct cc_decl *x = &t->decls[d];
        bool known =
            x->type.class == CC_T_INT && (x->type.bits == 1 || (x->kind == CC_D_LOCAL && seen[d] == SET));
        if (known && cc_tree_mentions(t, loop, (int32_t)d))
            fprintf(out, "Y\t%s\n", x->name);
    }
    free(seen);
}

/* Variables that were given a value before the loop, or may have been in an earlier turn of one around it. */
static void tell_valued(const struct cc_tree *t, uint32_t loop, FILE *out)
{
    bool *valued = cc_alloc(t->ndecls + 1);
    for (size_t d = 0; d < t->ndecls; d++)
        valued[d] = t->decls[d].kind == CC_D_PARAM || t->decls[d].kind == CC_D_GLOBAL ||
                    t->decls[d].kind == CC_D_STATIC;
    for (uint32_t i = 0; i < t->nnodes; i++) {
        const struct cc_tree_node *x = cc_tree_at(t, i);
        uint32_t to = x->kind == CC_N_ASSIGN ? cc_tree_bare(t, x->child) : CC_NODE_NONE;
        if (x->begin >= cc_tree_at(t, loop)->begin)
            continue;
        if (x->kind == CC_N_VAR && x->decl >= 0 && x->child != CC_NODE_NONE)
            valued[x->decl] = true;
        else if (to != CC_NODE_NONE && cc_tree_at(t, to)->kind == CC_N_REF && cc_tree_at(t, to)->decl >= 0)
            valued[cc_tree_at(t, to)->decl] = true;
    }
    for (size_t d = 0; d < t->ndecls; d++)
        if (valued[d] && cc_tree_mentions(t, loop, (int32_t)d))
            fprintf(out, "W\t%s\n", t->decls[d].name);
    free(valued);
}

/* Globals and functions of the program that a piece of the tree mentions, integers and arrays, once each. */
static void tell_mentions(const struct cc_tree *t, uint32_t begin, uint32_t end, FILE *out)
{
    bool unknown = false, *told = cc_alloc(t->ndecls + 1);
    for (uint32_t i = 0; i < t->nnodes; i++) {
        const struct cc_tree_node *x = cc_tree_at(t, i);
        if (x->begin < begin || x->end > end)
            continue;
        if (x->kind == CC_N_CALL && (x->decl < 0 || t->decls[x->decl].kind != CC_D_FUNCTION))
            unknown = true;
        bool names = x->kind == CC_N_REF || x->kind == CC_N_CALL;
        if (!names || x->decl < 0 || told[x->decl])
            continue;
        const struct cc_decl *d = &t->decls[x->decl];
        told[x->decl] = true;
        if (d->kind == CC_D_FUNCTION && !d->in_system_header)
            fprintf(out, "K\t%s\n", d->name);
        if (d->kind == CC_D_GLOBAL || d->kind == CC_D_STATIC)
            fprintf(out, "G\t%s\n", d->name);
        if (d->member)
            fprintf(out, "M\t%s\n", d->name);
        if (d->type.class == CC_T_INT)
            fprintf(out, "N\t%s\n", d->name);
        if (d->type.class == CC_T_ARRAY && d->kind != CC_D_PARAM)
            fprintf(out, "S\t%llu\t%llu\t%s\n", (unsigned long long)(d->type.variable ? 0 : d->type.bits / 8),
                    (unsigned long long)(d->type.variable ? 0 : d->type.elements), d->name);
    }
    if (unknown)
        fputs("C\n", out);
    free(told);
}

static bool has_effects(const struct cc_tree *t, uint32_t n, unsigned depth)
{
    int kind = cc_tree_at(t, n)->kind, op = cc_tree_at(t, n)->op;
    bool found = kind == CC_N_CALL || kind == CC_N_ASSIGN || kind == CC_N_STMT_EXPR || kind == CC_N_OTHER ||
                 (kind == CC_N_UNARY && (op == CC_OP_INC || op == CC_OP_DEC)) || depth > MAX_DEPTH;
    for (uint32_t c = cc_tree_at(t, n)->child; c != CC_NODE_NONE && !found; c = cc_tree_at(t, c)->next)
        found = has_effects(t, c, depth + 1);
    return found;
}

static void tell_operand(const struct cc_tree *t, uint32_t n, FILE *out)
{
    bool plain = cc_tree_at(t, cc_tree_bare(t, n))->kind == CC_N_REF ||
                 cc_tree_at(t, cc_tree_bare(t, n))->kind == CC_N_LITERAL;
    fputs(plain ? "" : "(", out);
    cc_patch_tell_text(t, n, out);
    fputs(plain ? "" : ")", out);
}

/* `i = 0`, of a loop that is a statement of a block. */
static void tell_begin(const struct cc_tree *t, uint32_t n, FILE *out)
{
    uint32_t set = cc_tree_part(t, n, 0);
    bool in_block = false;
    for (uint32_t i = 0; i < t->nnodes && !in_block; i++)
        for (uint32_t c = cc_tree_at(t, i)->kind == CC_N_COMPOUND ? cc_tree_at(t, i)->child : CC_NODE_NONE;
             c != CC_NODE_NONE && !in_block; c = cc_tree_at(t, c)->next)
            in_block = c == n;
    if (!in_block || cc_tree_at(t, cc_tree_bare(t, set))->kind != CC_N_ASSIGN ||
        has_effects(t, cc_tree_part(t, cc_tree_bare(t, set), 1), 0))
        return;
    fputs("B\t", out);
    cc_patch_tell_text(t, set, out);
    fputc('\n', out);
}

/* The test as it is made before the first iteration. */
static void tell_runs(const struct cc_tree *t, uint32_t n, int32_t counter, FILE *out)
{
    uint32_t set = cc_tree_bare(t, cc_tree_part(t, n, 0)), test = cc_tree_bare(t, cc_tree_part(t, n, 1));
    uint32_t start = cc_tree_at(t, set)->kind == CC_N_ASSIGN
                         ? cc_tree_part(t, set, 1)
                         : cc_tree_at(t, cc_tree_at(t, set)->child)->child;
    uint32_t left = cc_tree_part(t, test, 0), right = cc_tree_part(t, test, 1);
    double trips;
    if (cc_tree_trips(t, n, &trips) && trips >= 1) {
        fputs("T\n", out);
        return;
    }
    bool first = cc_tree_mentions(t, left, counter) == 1;
    uint32_t mine = cc_tree_bare(t, first ? left : right), bound = first ? right : left;
    static const char *const names[] = {
        [CC_OP_LT] = "<", [CC_OP_GT] = ">", [CC_OP_LE] = "<=", [CC_OP_GE] = ">=", [CC_OP_NE] = "!="};
    if (start == CC_NODE_NONE || cc_tree_at(t, mine)->kind != CC_N_REF || has_effects(t, start, 0) ||
        has_effects(t, bound, 0) ||
        cc_tree_at(t, start)->end - cc_tree_at(t, start)->begin > CC_PATCH_MAX_STATEMENT / 4 ||
        cc_tree_at(t, bound)->end - cc_tree_at(t, bound)->begin > CC_PATCH_MAX_STATEMENT / 4)
        return;
    fputs("H\t", out);
    tell_operand(t, first ? start : left, out);
    fprintf(out, " %s ", names[cc_tree_at(t, test)->op]);
    tell_operand(t, first ? right : start, out);
    fputc('\n', out);
}

/* `for (auto &x : v)`, whose variable is its own, or `while (p)`, which no clause shares out: no counter. */
static void tell_uncounted(const struct cc_tree *t, uint32_t n, FILE *out)
{
    bool range = cc_tree_at(t, n)->op;
    fprintf(out, "L\t%u\t%u\t%d\t0\t0\t0\t0\t\t\t%s\t%s\t%s\n", cc_tree_at(t, n)->line,
            cc_tree_at(t, n)->last_line, range ? 0 : leads(t, n) << 2, range ? "" : "it is no for loop",
            t->name, t->file);
    tell_mentions(t, cc_tree_at(t, n)->begin, cc_tree_at(t, n)->end, out);
    tell_integers(t, cc_tree_at(t, n)->begin, cc_tree_at(t, n)->end, out);
    tell_lengths(t, cc_tree_at(t, n)->begin, cc_tree_at(t, n)->end, out);
    tell_records(t, cc_tree_at(t, n)->begin, cc_tree_at(t, n)->end, out);
    tell_valued(t, n, out);
    cc_patch_tell_updates(t, cc_tree_part(t, n, 1), out);
}

/* Numbers beyond the function that it makes something of what they were: `errors++`, `seed = seed * 5`. */
static void tell_changes(const struct cc_tree *t, FILE *out)
{
    for (uint32_t n = 0; n < t->nnodes; n++) {
        const struct cc_tree_node *x = cc_tree_at(t, n);
        bool steps = x->kind == CC_N_UNARY && (x->op == CC_OP_INC || x->op == CC_OP_DEC);
        uint32_t to = steps || x->kind == CC_N_ASSIGN ? cc_tree_bare(t, x->child) : CC_NODE_NONE;
        int32_t d = to != CC_NODE_NONE && cc_tree_at(t, to)->kind == CC_N_REF ? cc_tree_at(t, to)->decl : -1;
        if (d < 0 || (t->decls[d].kind != CC_D_GLOBAL && t->decls[d].kind != CC_D_STATIC))
            continue;
        bool number = t->decls[d].type.class == CC_T_INT || t->decls[d].type.class == CC_T_FLOAT;
        if (number && (steps || x->op != CC_OP_NONE || cc_tree_mentions(t, n, d) > 1))
            fprintf(out, "A\t%u\t%s\n", x->line, t->decls[d].name);
    }
}

static void tell_loop(const struct cc_tree *t, uint32_t n, FILE *out)
{
    bool declared, inner_declared = true;
    int32_t counter = cc_patch_first_mentioned(t, cc_tree_part(t, n, 2)), inner_counter = -1;
    const char *why = cc_head_refused(t, n, counter, &declared);
    uint32_t inner = cc_head_inner(t, n);
    bool rectangular = false;
    if (inner != CC_NODE_NONE) {
        inner_counter = cc_patch_first_mentioned(t, cc_tree_part(t, inner, 2));
        rectangular = counter >= 0 && !cc_head_refused(t, inner, inner_counter, &inner_declared);
        for (int k = 0; k < 3 && rectangular; k++)
            rectangular = cc_tree_mentions(t, cc_tree_part(t, inner, k), counter) == 0;
    }
    bool after = counter >= 0 && !declared && cc_source_live(t, n, counter);
    bool inner_after = rectangular && !inner_declared && cc_source_live(t, n, inner_counter);
    bool counts = !why && t->decls[counter].type.class == CC_T_INT;
    fprintf(out, "L\t%u\t%u\t%d\t%d\t%u\t%d\t%d\t%s\t%s\t%s\t%s\t%s\n", cc_tree_at(t, n)->line,
            cc_tree_at(t, n)->last_line,
            (counts ? 1 | cc_head_descends(t, n, counter) << 1 : 0) | leads(t, n) << 2, after,
            inner == CC_NODE_NONE ? 0 : cc_tree_at(t, inner)->line, rectangular, inner_after,
            inner_counter < 0 ? "" : t->decls[inner_counter].name, counter < 0 ? "" : t->decls[counter].name,
            why ? why : "", t->name, t->file);
    tell_mentions(t, cc_tree_at(t, n)->begin, cc_tree_at(t, n)->end, out);
    if (!why) {
        tell_runs(t, n, counter, out);
        tell_begin(t, n, out);
    }
    tell_integers(t, cc_tree_at(t, n)->begin, cc_tree_at(t, n)->end, out);
    tell_lengths(t, cc_tree_at(t, n)->begin, cc_tree_at(t, n)->end, out);
    tell_records(t, cc_tree_at(t, n)->begin, cc_tree_at(t, n)->end, out);
    tell_valued(t, n, out);
    tell_truths(t, n, out);
    cc_patch_tell_updates(t, cc_tree_part(t, n, 3), out);
}

struct placed {
    uint32_t begin, node;
};

static int by_begin(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;
    return (x->begin > y->begin) - (x->begin < y->begin);
}

void cc_patch_facts_tell(void *out, const struct cc_tree *t)
{
    if (t->line > t->last_line || strcmp(t->name, "a lambda") == 0) /* a class; text of another function */
        return;
    fprintf(out, "D\t%s\n", t->name);
    tell_mentions(t, 0, UINT32_MAX, out);
    tell_changes(t, out);
    CC_VEC(struct placed) loops = {0};
    for (uint32_t i = 0; i < t->nnodes; i++)
        if (cc_tree_at(t, i)->kind == CC_N_FOR || cc_tree_at(t, i)->kind == CC_N_WHILE)
            CC_VEC_PUSH(&loops, (struct placed){cc_tree_at(t, i)->begin, i});
    if (loops.n)
        qsort(loops.v, loops.n, sizeof *loops.v, by_begin);
    for (size_t i = 0; i < loops.n; i++)
        if (cc_tree_at(t, loops.v[i].node)->kind == CC_N_WHILE)
            tell_uncounted(t, loops.v[i].node, out);
        else
            tell_loop(t, loops.v[i].node, out);
    CC_VEC_FINI(&loops);
    cc_patch_calls_write(t, out);
}

static void ignore(void *data, const char *file, unsigned line, const char *text)
{
    (void)data, (void)file, (void)line, (void)text;
}

void cc_patch_facts_write(const struct cc_source_unit *unit, FILE *out)
{
    const struct cc_tree_visitor visitor = {cc_patch_facts_tell, ignore, out, true};
    struct cc_err err = {0};
    cc_tree_parse(unit, &visitor, &err);
}

/* --- reading what was told --- */

struct cc_patch_facts *cc_patch_facts_new(void)
{
    return cc_alloc(sizeof(struct cc_patch_facts));
}

enum { MAX_FIELDS = 13 };

static const char *named(struct cc_patch_facts *f, const char *text)
{
    return *text ? cc_arena_strdup(&f->arena, text) : NULL;
}

static unsigned number(const char *text)
{
    return (unsigned)strtoul(text, NULL, 10);
}

static void add_loop(struct cc_patch_facts *f, char **x)
{
    CC_VEC_PUSH(&f->v, (struct cc_patch_loop){.line = number(x[1]),
                                              .last_line = number(x[2]),
                                              .counts = number(x[3]) & 1,
                                              .descends = number(x[3]) >> 1 & 1,
                                              .leads = number(x[3]) >> 2 & 1,
                                              .counter_after = number(x[4]) != 0,
                                              .inner = number(x[5]),
                                              .rectangular = number(x[6]) != 0,
                                              .inner_after = number(x[7]) != 0,
                                              .inner_counter = named(f, x[8]),
                                              .counter = named(f, x[9]),
                                              .malformed = named(f, x[10]),
                                              .function = cc_arena_strdup(&f->arena, x[11]),
                                              .file = cc_arena_strdup(&f->arena, x[12])});
}

/* What a line is about: the last loop, or a function. */
struct subject {
    struct cc_patch_uses *uses;
    struct cc_patch_loop *loop; /* NULL: a function */
};

static void add_array(struct cc_patch_facts *f, struct cc_patch_loop *l, char **x)
{
    struct cc_patch_array a = {cc_arena_strdup(&f->arena, x[3]), strtoull(x[1], NULL, 10),
                               strtoull(x[2], NULL, 10)};
    if (*x[0] == 'E')
        CC_VEC_PUSH(&l->lengths, a);
    else
        CC_VEC_PUSH(&l->arrays, a);
}

static void add_update(struct cc_patch_facts *f, struct cc_patch_loop *l, char **x)
{
    struct cc_patch_update u = {number(x[1]), cc_arena_strdup(&f->arena, x[2]),
                                cc_arena_strdup(&f->arena, x[3])};
    if (*x[0] == 'O')
        CC_VEC_PUSH(&l->sums, u);
    else if (*x[0] == 'V')
        CC_VEC_PUSH(&l->parts, u);
    else
        CC_VEC_PUSH(&l->updates, u);
}

static bool add_mention(struct cc_patch_facts *f, const struct subject *s, char **x, size_t n)
{
    char kind = strlen(x[0]) == 1 ? x[0][0] : '\0';
    if (!s->uses)
        return false;
    if (kind == 'G' && n == 2)
        CC_VEC_PUSH(&s->uses->globals, cc_arena_strdup(&f->arena, x[1]));
    else if (kind == 'K' && n == 2)
        CC_VEC_PUSH(&s->uses->callees, cc_arena_strdup(&f->arena, x[1]));
    else if (kind == 'C' && n == 1)
        s->uses->unknown = true;
    else if (kind == 'A' && n == 3)
        CC_VEC_PUSH(&s->uses->changes,
                    ((struct cc_patch_update){number(x[1]), cc_arena_strdup(&f->arena, x[2]), ""}));
    else if (kind == 'N' && n == 2 && s->loop)
        CC_VEC_PUSH(&s->loop->integers, cc_arena_strdup(&f->arena, x[1]));
    else if (kind == 'R' && n == 2 && s->loop)
        CC_VEC_PUSH(&s->loop->records, cc_arena_strdup(&f->arena, x[1]));
    else if (kind == 'P' && n == 2 && s->loop)
        CC_VEC_PUSH(&s->loop->open, cc_arena_strdup(&f->arena, x[1]));
    else if (kind == 'Z' && n == 2 && s->loop)
        CC_VEC_PUSH(&s->loop->pointers, cc_arena_strdup(&f->arena, x[1]));
    else if (kind == 'Y' && n == 2 && s->loop)
        CC_VEC_PUSH(&s->loop->truths, cc_arena_strdup(&f->arena, x[1]));
    else if (kind == 'B' && n == 2 && s->loop)
        s->loop->begins = cc_arena_strdup(&f->arena, x[1]);
    else if (kind == 'T' && n == 1 && s->loop)
        s->loop->always = true;
    else if (kind == 'H' && n == 2 && s->loop)
        s->loop->runs = cc_arena_strdup(&f->arena, x[1]);
    else if (kind == 'W' && n == 2 && s->loop)
        CC_VEC_PUSH(&s->loop->valued, cc_arena_strdup(&f->arena, x[1]));
    else if (kind == 'X' && n == 2 && s->loop)
        CC_VEC_PUSH(&s->loop->tangled, cc_arena_strdup(&f->arena, x[1]));
    else if (kind == 'M' && n == 2 && s->loop)
        CC_VEC_PUSH(&s->loop->members, cc_arena_strdup(&f->arena, x[1]));
    else if ((kind == 'S' || kind == 'E') && n == 4 && s->loop)
        add_array(f, s->loop, x);
    else if (kind == 'Q' && n == 2 && s->loop)
        CC_VEC_PUSH(&s->loop->knotted, cc_arena_strdup(&f->arena, x[1]));
    else if ((kind == 'U' || kind == 'V' || kind == 'O') && n == 4 && s->loop)
        add_update(f, s->loop, x);
    else
        return ((kind == 'N' || kind == 'M') && n == 2) || (kind == 'S' && n == 4);
    return true;
}

static bool add_line(struct cc_patch_facts *f, char *line, struct subject *s)
{
    char *x[MAX_FIELDS] = {""};
    size_t n = cc_text_split(line, '\t', x, MAX_FIELDS);
    if (strcmp(x[0], "L") == 0 && n == 13) {
        add_loop(f, x);
        s->loop = &f->v.v[f->v.n - 1];
        s->uses = &s->loop->uses;
        return true;
    }
    if (strcmp(x[0], "D") == 0 && n == 2) {
        CC_VEC_PUSH(&f->functions, (struct cc_patch_function){.name = cc_arena_strdup(&f->arena, x[1])});
        *s = (struct subject){.uses = &f->functions.v[f->functions.n - 1].uses};
        return true;
    }
    if (cc_patch_calls_add(&f->calls, x, n, &f->arena)) {
        *s = (struct subject){0};
        return true;
    }
    return add_mention(f, s, x, n);
}

static void uses_fini(struct cc_patch_uses *u)
{
    CC_VEC_FINI(&u->globals);
    CC_VEC_FINI(&u->callees);
    CC_VEC_FINI(&u->changes);
}

static void loop_fini(struct cc_patch_loop *l)
{
    uses_fini(&l->uses);
    CC_VEC_FINI(&l->integers);
    CC_VEC_FINI(&l->records);
    CC_VEC_FINI(&l->open);
    CC_VEC_FINI(&l->pointers);
    CC_VEC_FINI(&l->truths);
    CC_VEC_FINI(&l->valued);
    CC_VEC_FINI(&l->tangled);
    CC_VEC_FINI(&l->members);
    CC_VEC_FINI(&l->updates);
    CC_VEC_FINI(&l->parts);
    CC_VEC_FINI(&l->sums);
    CC_VEC_FINI(&l->knotted);
    CC_VEC_FINI(&l->arrays);
    CC_VEC_FINI(&l->lengths);
}

void cc_patch_facts_free(struct cc_patch_facts *f)
{
    if (!f)
        return;
    for (size_t i = 0; i < f->v.n; i++)
        loop_fini(&f->v.v[i]);
    for (size_t i = 0; i < f->functions.n; i++)
        uses_fini(&f->functions.v[i].uses);
    CC_VEC_FINI(&f->v);
    CC_VEC_FINI(&f->functions);
    cc_patch_calls_fini(&f->calls);
    cc_arena_fini(&f->arena);
    free(f);
}

/* A header is parsed with every file that includes it: what is known already is not told again. */
static void drop_known(struct cc_patch_facts *f, size_t known)
{
    size_t kept = known;
    for (size_t i = known; i < f->v.n; i++) {
        bool twice = false;
        for (size_t k = 0; k < known && !twice; k++)
            twice = f->v.v[k].line == f->v.v[i].line && strcmp(f->v.v[k].file, f->v.v[i].file) == 0 &&
                    strcmp(f->v.v[k].function, f->v.v[i].function) == 0;
        if (twice)
            loop_fini(&f->v.v[i]);
        else if (kept++ != i)
            f->v.v[kept - 1] = f->v.v[i];
    }
    f->v.n = kept;
}

void cc_patch_facts_add(struct cc_patch_facts *f, const char *bytes, size_t size)
{
    size_t known = f->v.n, known_calls = f->calls.v.n;
    struct subject s = {0};
    for (const char *p = bytes, *end = bytes + size; p < end;) {
        const char *newline = memchr(p, '\n', (size_t)(end - p));
        if (!newline)
            break;
        CC_CLEANUP(cc_free_ptr) char *line = cc_strndup(p, (size_t)(newline - p));
        if (!add_line(f, line, &s))
            break;
        p = newline + 1;
    }
    drop_known(f, known);
    cc_patch_calls_drop(&f->calls, known_calls);
}

/* --- who may use a global --- */

static bool has(const char *const *names, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

static bool callees_use(const struct cc_patch_facts *f, const struct cc_patch_uses *u, const char *global,
                        bool *seen)
{
    if (u->unknown)
        return true;
    for (size_t i = 0; i < u->callees.n; i++) {
        bool found = false;
        for (size_t k = 0; k < f->functions.n; k++) {
            const struct cc_patch_function *fn = &f->functions.v[k];
            if (strcmp(fn->name, u->callees.v[i]) != 0)
                continue;
            found = true;
            if (seen[k])
                continue;
            seen[k] = true;
            if (has(fn->uses.globals.v, fn->uses.globals.n, global) ||
                callees_use(f, &fn->uses, global, seen))
                return true;
        }
        if (!found)
            return true;
    }
    return false;
}

bool cc_patch_called_uses(const struct cc_patch_facts *f, const struct cc_patch_loop *l, const char *global)
{
    CC_CLEANUP(cc_free_ptr) bool *seen = cc_alloc_array(f->functions.n + 1, sizeof *seen);
    return has(l->uses.globals.v, l->uses.globals.n, global) && callees_use(f, &l->uses, global, seen);
}

static const struct cc_patch_function *who_changes(const struct cc_patch_facts *f,
                                                   const struct cc_patch_uses *u, bool *seen)
{
    for (size_t i = 0; i < u->callees.n; i++)
        for (size_t k = 0; k < f->functions.n; k++) {
            const struct cc_patch_function *fn = &f->functions.v[k];
            if (seen[k] || strcmp(fn->name, u->callees.v[i]) != 0)
                continue;
            seen[k] = true;
            const struct cc_patch_function *deeper =
                fn->uses.changes.n ? fn : who_changes(f, &fn->uses, seen);
            if (deeper)
                return deeper;
        }
    return NULL;
}

const struct cc_patch_update *cc_patch_called_changes(const struct cc_patch_facts *f,
                                                      const struct cc_patch_loop *l,
                                                      const char **ret_function)
{
    CC_CLEANUP(cc_free_ptr) bool *seen = cc_alloc_array(f->functions.n + 1, sizeof *seen);
    const struct cc_patch_function *fn = who_changes(f, &l->uses, seen);
    *ret_function = fn ? fn->name : NULL;
    return fn ? &fn->uses.changes.v[0] : NULL;
}

const struct cc_patch_loop *cc_patch_find(const struct cc_patch_facts *f, const char *file, unsigned line,
                                          unsigned nth)
{
    for (size_t i = 0; f && i < f->v.n; i++)
        if (f->v.v[i].line == line && cc_text_same_file(f->v.v[i].file, file) && nth-- == 0)
            return &f->v.v[i];
    return NULL;
}
