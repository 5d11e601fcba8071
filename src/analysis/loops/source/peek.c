/* What functions look at behind pointers (p), and what loops and functions write there (k): a compiler that
 * puts a function into a loop may know what it finds there from the iteration before, and no load is left of
 * it. So it may of a field, where records are assigned as a whole, and of records that are copied, where a
 * field is (m). */
#include "live.h"
#include "proof.h"
#include "scan.h"

unsigned cc_source_kind_of(const struct cc_tree *t, uint32_t n)
{
    const struct cc_tree_node *x = cc_tree_at(t, n);
    bool number = x->type.class == CC_T_INT || x->type.class == CC_T_FLOAT || x->type.class == CC_T_POINTER;
    if (!number || !x->type.bits || (x->kind == CC_N_MEMBER && !x->record))
        return 0;
    return (unsigned)x->type.class << 16 | (unsigned)(x->type.bits & 0xffff);
}

/* The parameter that leads there, CC_STORE_OBJECT, or CC_STORE_OTHER. */
static int leads_from(const struct scan *s, const struct scan_array *a)
{
    const struct cc_tree *t = s->tree;
    bool stays = a->decl >= 0 && (size_t)a->decl < t->nparams && !s->variables[a->decl].write_line &&
                 !s->variables[a->decl].address && !cc_alias_behind(s, a);
    return stays ? a->decl : a->decl < 0 && !cc_alias_behind(s, a) ? CC_STORE_OBJECT : CC_STORE_OTHER;
}

static bool is_array(const struct cc_decl *d)
{
    return (d->type.class == CC_T_ARRAY || d->type.class == CC_T_RECORD) && d->kind != CC_D_PARAM &&
           !d->reference;
}

/* Nobody but one call, or one iteration, has it. */
static bool is_own(const struct scan *s, const struct scan_array *a)
{
    bool inside = a->decl >= 0 && s->loop && s->variables[a->decl].inside &&
                  !s->tree->decls[a->decl].reference && s->tree->decls[a->decl].type.class != CC_T_POINTER;
    return cc_alias_allocated(s, a->decl) ||
           ((s->loop ? inside : cc_scan_is_own(s->tree, a->decl)) && !cc_alias_behind(s, a));
}

static void tell_field(const struct scan_array *a, FILE *out)
{
    bool told = a->field.size && !memchr(a->field.name, '\t', a->field.size) &&
                !memchr(a->field.name, '\n', a->field.size);
    fprintf(out, "\t%.*s\n", told ? (int)a->field.size : 0, told ? a->field.name : "");
}

/* Whether another variable than the one it begins by tells where a look is: `p[i]`. */
static bool moves(const struct scan *s, const struct scan_array *a, uint32_t n)
{
    const struct cc_tree *t = s->tree;
    bool found = false;
    for (uint32_t i = 0; i < t->nnodes; i++) {
        const struct cc_tree_node *x = cc_tree_at(t, i);
        found =
            found || (x->kind == CC_N_REF && x->decl >= 0 && x->decl != a->decl && cc_tree_holds(t, n, i));
    }
    return found;
}

/* Whether parameters that the function never sets tell where an access goes, and nothing that lies in memory.
 */
static bool is_told(const struct scan *s, uint32_t n)
{
    const struct cc_tree *t = s->tree;
    uint32_t base = cc_tree_bare(t, n);
    bool told = cc_class_is_c(t);
    for (bool top = true; told && cc_tree_at(t, base)->kind != CC_N_REF; top = false) {
        const struct cc_tree_node *x = cc_tree_at(t, base);
        bool element = x->kind == CC_N_SUBSCRIPT || (x->kind == CC_N_UNARY && x->op == CC_OP_DEREF) ||
                       x->kind == CC_N_MEMBER;
        told = element && (top || x->type.class == CC_T_ARRAY || x->type.class == CC_T_RECORD);
        base = told ? cc_tree_bare(t, x->child) : base;
    }
    for (CC_TREE_EACH(t, i, CC_N_REF, CC_N_REF)) {
        int32_t decl = cc_tree_at(t, *i)->decl;
        bool mine = cc_tree_holds(t, n, *i);
        told = told && (!mine || (decl >= 0 && (size_t)decl < t->nparams && !s->variables[decl].write_line &&
                                  !s->variables[decl].address));
    }
    for (CC_TREE_EACH(t, i, CC_N_CALL, CC_N_SUBSCRIPT)) { /* what is loaded to tell it */
        int kind = cc_tree_at(t, *i)->kind;
        bool loads = kind == CC_N_SUBSCRIPT || kind == CC_N_MEMBER || kind == CC_N_CALL;
        told = told && !(loads && *i != cc_tree_bare(t, n) && cc_tree_holds(t, n, *i));
    }
    for (CC_TREE_EACH(t, i, CC_N_UNARY, CC_N_UNARY))
        told = told &&
               !(cc_tree_at(t, *i)->op == CC_OP_DEREF && *i != cc_tree_bare(t, n) && cc_tree_holds(t, n, *i));
    return told;
}

bool cc_source_assigned(const struct scan *s, uint32_t call)
{
    bool assigned = false;
    for (size_t i = 0; i < s->given.n && !assigned; i++)
        assigned = !s->given.v[i].op &&
                   cc_tree_bare(s->tree, cc_tree_at(s->tree, s->given.v[i].node)->child) == call;
    return assigned;
}

/* Whether it is what the function hands back by reference. */
static bool is_lent(const struct cc_tree *t, uint32_t n)
{
    for (CC_TREE_EACH(t, i, CC_N_RETURN, CC_N_RETURN))
        if (t->lends && cc_tree_at(t, *i)->child != CC_NODE_NONE &&
            cc_tree_bare(t, cc_tree_at(t, *i)->child) == n)
            return true;
    return false;
}

/* Looks by way of a library's call, `v[i]` of a vector that the function was given. */
static void tell_elements(const struct scan *s, FILE *out)
{
    static const char names[] = " operator[] at ";
    const struct cc_tree *t = s->tree;
    for (uint32_t i = 0; i < t->nnodes; i++) {
        const struct cc_tree_node *x = cc_tree_at(t, i);
        bool element = x->kind == CC_N_CALL && x->decl >= 0 && t->decls[x->decl].in_system_header &&
                       cc_text_listed(names, t->decls[x->decl].name) && x->child != CC_NODE_NONE;
        int32_t decl = element ? cc_scan_base(s, x->child) : -1;
        if (decl >= 0 && (size_t)decl < t->nparams && !cc_source_assigned(s, i) &&
            (t->decls[decl].reference || t->decls[decl].type.class == CC_T_POINTER))
            fprintf(out, "p\t%u\t%d\t%d\t%u\t\t\n", x->line,
                    cc_source_always(t, x->line) | 8 | is_lent(t, i) << 4, decl, cc_source_kind_of(t, i));
    }
}

void cc_source_peeks(const struct scan *s, FILE *out)
{
    const struct cc_tree *t = s->tree;
    tell_elements(s, out);
    for (size_t i = 0; i < s->arrays.n; i++) {
        const struct scan_array *a = &s->arrays.v[i];
        const struct cc_decl *d = a->decl < 0 ? NULL : &t->decls[a->decl];
        if (is_own(s, a) || (d && d->constant))
            continue;
        for (size_t k = 0; k < a->asked.n; k++) {
            unsigned line = cc_tree_at(t, a->asked.v[k])->line;
            int from = leads_from(s, a);
            bool sure = cc_source_always(t, line),
                 lies = from >= 0 && cc_source_in_record(t, a->asked.v[k], from);
            fprintf(out, "p\t%u\t%d\t%d\t%u\t%s", line,
                    sure | (d && is_array(d)) << 1 | lies << 2 | moves(s, a, a->asked.v[k]) << 3 |
                        is_lent(t, a->asked.v[k]) << 4 | (from >= 0 && is_told(s, a->asked.v[k])) << 5,
                    from, cc_source_kind_of(t, a->asked.v[k]), d && is_array(d) ? d->name : "");
            tell_field(a, out);
        }
    }
}

/* The line in which the lambda is written that a call is of; 0: nobody knows. */
static unsigned lambda_line(const struct cc_tree *t, uint32_t call)
{
    uint32_t n = cc_tree_bare(t, cc_tree_at(t, call)->child);
    int32_t decl = n == CC_NODE_NONE ? -1 : cc_scan_plain(t, n);
    for (uint32_t i = 0; i < t->nnodes && decl >= 0; i++)
        if (cc_tree_at(t, i)->kind == CC_N_VAR && cc_tree_at(t, i)->decl == decl &&
            cc_tree_at(t, i)->child != CC_NODE_NONE)
            return cc_tree_at(t, cc_tree_at(t, i)->child)->line;
    return 0;
}

/* Lambdas that a loop calls (b): they have no symbols of their own. */
static void tell_lambdas(const struct scan *s, FILE *out)
{
    const struct cc_tree *t = s->tree;
    for (uint32_t i = 0; s->loop && i < t->nnodes; i++) {
        const struct cc_tree_node *x = cc_tree_at(t, i);
        const char *usr = x->kind == CC_N_CALL && x->decl >= 0 ? t->decls[x->decl].usr : NULL;
        if (usr && strstr(usr, "@Sa@F@operator()") && cc_tree_holds(t, s->loop, i) &&
            x->child != CC_NODE_NONE)
            fprintf(out, "b\t%u\n", lambda_line(t, i));
    }
}

void cc_source_writes(const struct scan *s, FILE *out)
{
    const struct cc_tree *t = s->tree;
    tell_lambdas(s, out);
    for (size_t i = 0; i < s->arrays.n; i++) {
        const struct scan_array *a = &s->arrays.v[i];
        const struct cc_decl *d = a->decl < 0 ? NULL : &t->decls[a->decl];
        if (is_own(s, a))
            continue;
        for (size_t k = 0; k < a->writes.n; k++) {
            fprintf(out, "k\t%u\t%d\t%d\t%u\t%s", cc_tree_at(t, a->writes.v[k])->line,
                    d && is_array(d) && !cc_alias_behind(s, a), s->loop ? CC_STORE_OTHER : leads_from(s, a),
                    cc_source_kind_of(t, a->writes.v[k]), d ? d->name : "");
            tell_field(a, out);
        }
    }
    for (size_t i = 0; i < s->given.n; i++) { /* what a call hands back */
        uint32_t to = cc_tree_bare(t, cc_tree_at(t, s->given.v[i].node)->child);
        fprintf(out, "k\t%u\t0\t%d\t%u\t\t\n", cc_tree_at(t, s->given.v[i].node)->line, CC_STORE_OTHER,
                to == CC_NODE_NONE ? 0 : cc_source_kind_of(t, to));
    }
}

/* --- records and their fields --- */

/* The record variable that begins as what the node is, or gets it; -1: none. */
static int32_t copied_to(const struct cc_tree *t, uint32_t n)
{
    for (uint32_t i = 0; i < t->nnodes; i++) {
        const struct cc_tree_node *x = cc_tree_at(t, i);
        uint32_t from = x->kind == CC_N_VAR      ? x->child
                        : x->kind == CC_N_ASSIGN ? cc_tree_part(t, i, 1)
                                                 : CC_NODE_NONE;
        if (from != CC_NODE_NONE && cc_tree_bare(t, from) == n)
            return x->kind == CC_N_VAR ? x->decl : cc_scan_plain(t, x->child);
    }
    return -1;
}

/* Whether a function gets it, or it is looked at in another way than field by field. */
static bool is_passed(const struct scan *s, uint32_t n)
{
    const struct cc_tree *t = s->tree;
    for (uint32_t i = 0; i < t->nnodes; i++)
        for (uint32_t c = cc_tree_at(t, i)->kind == CC_N_CALL ? cc_tree_part(t, i, 1) : CC_NODE_NONE;
             c != CC_NODE_NONE; c = cc_tree_at(t, c)->next)
            if (cc_tree_bare(t, c) == n)
                return true;
    return false;
}

/* How many fields of a copy the loop mentions, each once; CC_SOURCE_WHOLE: a function gets it as it is. */
static unsigned fields_of(const struct scan *s, int32_t copy)
{
    const struct cc_tree *t = s->tree;
    CC_VEC(uint32_t) seen = {0};
    bool passed = false;
    for (uint32_t i = 0; i < t->nnodes; i++) {
        const struct cc_tree_node *x = cc_tree_at(t, i);
        if (!cc_tree_holds(t, s->loop, i))
            continue;
        passed = passed || (x->kind == CC_N_REF && x->decl == copy && is_passed(s, i));
        bool known = x->kind != CC_N_MEMBER || cc_scan_plain(t, x->child) != copy;
        for (size_t k = 0; k < seen.n && !known; k++)
            known = cc_scan_same_text(s, seen.v[k], i);
        if (!known)
            CC_VEC_PUSH(&seen, i);
    }
    unsigned n = (unsigned)seen.n;
    CC_VEC_FINI(&seen);
    return passed ? CC_SOURCE_WHOLE : n;
}

/* Whether b, by the same name, writes what a reads, and iterations may meet there. */
static bool is_written_by(const struct scan *s, const struct scan_array *a, const struct scan_array *b,
                          int32_t counter)
{
    bool parts = !a->field.size || !b->field.size || a->whole || b->whole, others = true;
    for (size_t i = 0; i < a->asked.n && others; i++)
        others = cc_scan_looks_at_others(s, a->asked.v[i], b);
    return !others && b != a && b->decl == a->decl && b->write_line &&
           (parts || cc_proof_share(s, a->first, b->first)) && !cc_proof_apart(s, b, counter);
}

void cc_source_met(const struct scan *s, const struct scan_array *a, int32_t counter, FILE *out)
{
    const struct cc_tree *t = s->tree;
    unsigned fields = 0;
    for (size_t i = 0; i < s->arrays.n; i++) {
        if (a->write_line || !a->asked.n || !is_written_by(s, a, &s->arrays.v[i], counter))
            continue;
        for (size_t k = 0; k < a->asked.n; k++) {
            bool record = cc_tree_at(t, a->asked.v[k])->type.class == CC_T_RECORD;
            int32_t copy = record ? copied_to(t, a->asked.v[k]) : -1;
            unsigned n = record && is_passed(s, a->asked.v[k]) ? CC_SOURCE_WHOLE
                         : copy < 0                            ? 1
                                                               : fields_of(s, copy);
            fields = CC_MIN(fields + n, (unsigned)CC_SOURCE_WHOLE);
        }
        fprintf(out, "m\t%u\t%u\n", s->arrays.v[i].write_line, fields);
        return;
    }
}
