/* Texts that an iteration puts together in an array of its own (`char text[48]; snprintf(text, sizeof text,
 * …);`): functions that look for a string's end read some bytes beyond it, where what an iteration before has
 * left still stands. By the source nobody looks there: each iteration sets the string first, and only
 * functions that stop at its end get it. */
#include "scan.h"

struct text_function { /* of the C library */
    const char *name;
    unsigned to;          /* the argument that is set to a string, from 1 on; 0: none */
    unsigned sized;       /* the argument with its size; 0: it has none */
    unsigned first, last; /* the arguments that are read as strings */
    bool returns;         /* it hands back where the string is */
};
enum { MANY = 1000 };
static const struct text_function functions[] = {
    {"sprintf", 1, 0, 2, MANY, false}, {"snprintf", 1, 2, 3, MANY, false}, {"strcpy", 1, 0, 2, 2, true},
    {"strcat", 0, 0, 1, 2, true},      {"strlen", 0, 0, 1, 1, false},      {"strcmp", 0, 0, 1, 2, false},
    {"strncmp", 0, 0, 1, 2, false},    {"strcasecmp", 0, 0, 1, 2, false},  {"strncasecmp", 0, 0, 1, 2, false},
    {"strcoll", 0, 0, 1, 2, false},    {"puts", 0, 0, 1, 1, false},        {"fputs", 0, 0, 1, 1, false},
    {"printf", 0, 0, 1, MANY, false},  {"fprintf", 0, 0, 2, MANY, false},  {"atoi", 0, 0, 1, 1, false},
    {"atol", 0, 0, 1, 1, false},       {"atof", 0, 0, 1, 1, false},        {"strdup", 0, 0, 1, 1, false},
    {"strspn", 0, 0, 1, 2, false},     {"strcspn", 0, 0, 1, 2, false},
};

static const struct cc_tree_node *at(const struct scan *s, uint32_t n)
{
    return cc_tree_at(s->tree, n);
}

static const struct text_function *function_of(const struct scan *s, uint32_t call)
{
    const struct cc_decl *d = at(s, call)->decl < 0 ? NULL : &s->tree->decls[at(s, call)->decl];
    for (size_t i = 0; d && d->kind == CC_D_FUNCTION && d->in_system_header && i < CC_COUNT(functions); i++)
        if (strcmp(functions[i].name, d->name) == 0)
            return &functions[i];
    return NULL;
}

static uint32_t parent_of(const struct scan *s, uint32_t n)
{
    for (uint32_t i = 0; i < s->tree->nnodes; i++)
        for (uint32_t c = at(s, i)->child; c != CC_NODE_NONE; c = at(s, c)->next)
            if (c == n)
                return i;
    return CC_NODE_NONE;
}

/* Nobody has what it hands back. */
static bool is_statement(const struct scan *s, uint32_t call)
{
    uint32_t n = parent_of(s, call);
    while (n != CC_NODE_NONE && (at(s, n)->kind == CC_N_CAST || at(s, n)->kind == CC_N_OTHER) &&
           at(s, n)->type.class == CC_T_NONE)
        n = parent_of(s, n);
    int kind = n == CC_NODE_NONE ? CC_N_OTHER : at(s, n)->kind;
    return kind == CC_N_COMPOUND || kind == CC_N_IF || kind == CC_N_FOR || kind == CC_N_WHILE ||
           kind == CC_N_DO;
}

/* What a call does with the variable: whether it sets it as a string, whatever it was; whether it only looks
 * at the string, or sets it; how often it mentions it. */
static unsigned use(const struct scan *s, uint32_t call, int32_t decl, bool *ret_sets)
{
    const struct text_function *f = function_of(s, call);
    unsigned mentions = 0, number = 0;
    bool sets = false, reads = false;
    if (!f || (f->returns && !is_statement(s, call)))
        return 0;
    for (uint32_t c = at(s, call)->child; c != CC_NODE_NONE; c = at(s, c)->next, number++) {
        if (cc_scan_plain(s->tree, c) != decl)
            continue;
        bool read = number >= f->first && number <= f->last;
        if (!number || (number != f->to && !read))
            return 0;
        sets = sets || number == f->to;
        reads = reads || number != f->to;
        mentions++;
    }
    uint32_t size =
        f->sized ? cc_tree_bare(s->tree, cc_tree_part(s->tree, call, (int)f->sized)) : CC_NODE_NONE;
    bool some = !f->sized || (size != CC_NODE_NONE && at(s, size)->kind == CC_N_SIZEOF);
    if (size != CC_NODE_NONE && at(s, size)->kind == CC_N_LITERAL)
        some = strtol(s->tree->text + at(s, size)->begin, NULL, 0) > 0;
    *ret_sets = sets && !reads && some;
    return mentions;
}

/* The block that the variable is declared in. */
static uint32_t block_of(const struct scan *s, int32_t decl)
{
    const struct cc_tree *t = s->tree;
    uint32_t var = CC_NODE_NONE, block = CC_NODE_NONE;
    for (CC_TREE_EACH(t, i, CC_N_VAR, CC_N_VAR))
        var = at(s, *i)->decl == decl ? *i : var;
    for (CC_TREE_EACH(t, i, CC_N_COMPOUND, CC_N_COMPOUND))
        if (var != CC_NODE_NONE && cc_tree_holds(t, *i, var) &&
            (block == CC_NODE_NONE || cc_tree_holds(t, block, *i)))
            block = *i;
    return block != CC_NODE_NONE && cc_tree_holds(t, s->loop, block) ? block : CC_NODE_NONE;
}

static bool is_only_one(const struct cc_tree *t, int32_t decl)
{
    bool only = true;
    for (int32_t d = 0; d < (int32_t)t->ndecls && only; d++)
        only = d == decl || strcmp(t->decls[d].name, t->decls[decl].name) != 0;
    return only;
}

/* It is the operand of a sizeof. */
static bool is_measured(const struct scan *s, uint32_t n)
{
    bool measured = false;
    for (CC_TREE_EACH(s->tree, i, CC_N_SIZEOF, CC_N_SIZEOF))
        measured = measured || cc_tree_holds(s->tree, *i, n);
    return measured;
}

static bool is_own_text(const struct scan *s, int32_t decl)
{
    const struct cc_tree *t = s->tree;
    const struct cc_decl *d = &t->decls[decl];
    bool text = d->kind == CC_D_LOCAL && d->type.class == CC_T_ARRAY && !d->type.variable &&
                d->type.elements && d->type.bits == d->type.elements * 8 && s->variables[decl].inside;
    uint32_t block = text && is_only_one(t, decl) ? block_of(s, decl) : CC_NODE_NONE, first = CC_NODE_NONE;
    unsigned told = 0, mentions = 0;
    bool sets = false;
    if (block == CC_NODE_NONE)
        return false;
    for (CC_TREE_EACH(t, i, CC_N_REF, CC_N_REF))
        mentions += at(s, *i)->decl == decl && !is_measured(s, *i);
    for (CC_TREE_EACH(t, i, CC_N_LABEL, CC_N_LABEL))
        if (cc_tree_holds(t, s->loop, *i))
            return false;
    for (CC_TREE_EACH(t, i, CC_N_CALL, CC_N_CALL)) {
        bool here = false;
        unsigned n = cc_tree_holds(t, block, *i) ? use(s, *i, decl, &here) : 0;
        told += n;
        if (n && (first == CC_NODE_NONE || at(s, *i)->begin < at(s, first)->begin))
            first = *i, sets = here;
    }
    return first != CC_NODE_NONE && sets && told == mentions &&
           cc_source_sure(t, at(s, first), at(s, block)->begin, at(s, block)->end);
}

void cc_text_tell(const struct scan *s, FILE *out)
{
    for (int32_t d = 0; cc_class_is_c(s->tree) && d < (int32_t)s->tree->ndecls; d++)
        if (is_own_text(s, d))
            fprintf(out, "y\t%s\n", s->tree->decls[d].name);
}
