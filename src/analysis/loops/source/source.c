#include "source.h"
#include "count.h"
#include "home.h"
#include "live.h"
#include "proof.h"
#include "../../metrics/lower.h"
#include "../../../base/text.h"

/* --- finding out --- */

/* `p->next`, if that is all the loop ever sets p to; CC_NODE_NONE: it is not so. */
static uint32_t followed(const struct scan *s, uint32_t loop, int32_t decl)
{
    const struct cc_tree *t = s->tree;
    uint32_t value = CC_NODE_NONE;
    for (uint32_t i = 0; i < t->nnodes; i++) {
        const struct cc_tree_node *x = cc_tree_at(t, i);
        bool inside = x->begin >= cc_tree_at(t, loop)->begin && x->end <= cc_tree_at(t, loop)->end;
        bool changes =
            x->kind == CC_N_ASSIGN || (x->kind == CC_N_UNARY && (x->op == CC_OP_INC || x->op == CC_OP_DEC));
        if (!inside || !changes || cc_scan_plain(t, x->child) != decl ||
            (cc_tree_at(t, loop)->kind == CC_N_FOR && i == cc_tree_part(t, loop, 0)))
            continue;
        uint32_t from = x->kind == CC_N_ASSIGN && x->op == CC_OP_NONE ? cc_tree_part(t, i, 1) : CC_NODE_NONE;
        bool member = from != CC_NODE_NONE && cc_tree_at(t, from)->kind == CC_N_MEMBER &&
                      cc_scan_plain(t, cc_tree_at(t, from)->child) == decl;
        if (!member || value != CC_NODE_NONE)
            return CC_NODE_NONE;
        value = from;
    }
    return value;
}

/* --- telling --- */

/* In C++ only of what is not there: a reference may be another name for it. */
static bool spared(const struct scan *s, const struct home *home, int32_t decl)
{
    const struct cc_decl *d = &s->tree->decls[decl];
    size_t size = strlen(s->tree->file);
    bool away = cc_home_is_away(s->tree, home, s->loop),
         c = away || (size > 2 && strcmp(s->tree->file + size - 2, ".c") == 0);
    if (!c || (d->kind != CC_D_LOCAL && d->kind != CC_D_PARAM) || s->variables[decl].write_line)
        return false;
    for (size_t i = 0; i < s->tree->ndecls; i++) /* two of one name are not told apart */
        if ((int32_t)i != decl && strcmp(s->tree->decls[i].name, d->name) == 0)
            return false;
    return away || !cc_source_addressed(s->tree, decl);
}

/* An expression in one line, if it is short enough to be read there. */
static void tell_short(const struct cc_tree *t, uint32_t n, FILE *out)
{
    enum { MOST = 40 };
    uint32_t begin = cc_tree_at(t, n)->begin, end = cc_tree_at(t, n)->end;
    for (uint32_t i = begin; end - begin <= MOST && i < end; i++)
        if ((unsigned char)t->text[i] > ' ')
            fputc(t->text[i], out);
}

/* Whether a pointer may lead to it. */
static bool is_shared(const struct cc_tree *t, int32_t decl)
{
    int kind = t->decls[decl].kind;
    return (kind != CC_D_LOCAL && kind != CC_D_PARAM) || t->decls[decl].reference ||
           cc_source_addressed(t, decl);
}

static void tell_variables(const struct scan *s, const struct home *homes, int32_t counter, FILE *out)
{
    for (int32_t d = 0; d < (int32_t)s->tree->ndecls; d++) {
        const struct scan_variable *v = &s->variables[d];
        if (v->inside)
            fprintf(out, "I\t%s\n", s->tree->decls[d].name);
        else if (d != counter && spared(s, &homes[d], d))
            fprintf(out, "Z\t%s\n", s->tree->decls[d].name);
        if (!v->inside)
            fprintf(out, "D\t%s\n", s->tree->decls[d].name);
        unsigned met = cc_alias_meets(s, d, counter);
        if (v->inside || (!v->write_line && !v->address && !met && d != counter))
            continue;
        enum cc_source_class class = met ? CC_SOURCE_CARRIED : cc_class_of(s, s->loop, d, counter);
        if (v->object && class != CC_SOURCE_CARRIED && d != counter)
            continue;
        uint32_t next = class == CC_SOURCE_CARRIED ? followed(s, s->loop, d) : CC_NODE_NONE;
        bool other = d == counter ? cc_class_lasts(s, d) : v->starts_anew;
        fprintf(out, "V\t%d\t",
                (int)class | is_shared(s->tree, d) << 4 | other << 5 | cc_scan_of_thread(s->tree, d) << 6);
        if (next != CC_NODE_NONE)
            tell_short(s->tree, next, out);
        fprintf(out, "%s\t%u\t%u\t%s\n", class == CC_SOURCE_REDUCTION ? cc_class_combined(v) : "",
                v->exposed_line || !met ? v->exposed_line : met, v->write_line || !met ? v->write_line : met,
                s->tree->decls[d].name);
    }
}

/* Whether the loop writes elements of it, or others may. */
static bool stays(const struct scan *s, int32_t decl)
{
    if (decl < 0 || s->tree->decls[decl].type.class != CC_T_ARRAY || s->calls)
        return false;
    for (size_t i = 0; i < s->arrays.n; i++)
        if (s->arrays.v[i].decl == decl && (s->arrays.v[i].write_line || s->arrays.v[i].passed))
            return false;
    return true;
}

/* Whether a write may be to the member: not to another one, nor to what has another type, unless that is a
 * byte's, or a whole struct's. */
static bool may_set(const struct scan *s, uint32_t write, const struct cc_tree_node *member)
{
    const struct cc_tree_node *x = cc_tree_at(s->tree, cc_tree_bare(s->tree, write));
    if (x->kind == CC_N_MEMBER && x->record)
        return x->record == member->record && x->value == member->value;
    bool number = x->type.class == CC_T_FLOAT || x->type.class == CC_T_POINTER ||
                  (x->type.class == CC_T_INT && x->type.bits > 8);
    return !number || x->type.class == member->type.class;
}

/* `g->wide`, a number or a pointer of a struct's that nothing in the loop sets. */
static bool member_stays(const struct scan *s, uint32_t n)
{
    const struct cc_tree_node *x = cc_tree_at(s->tree, n);
    bool scalar = x->type.class == CC_T_INT || x->type.class == CC_T_POINTER;
    if (x->kind != CC_N_MEMBER || !x->record || !scalar || s->calls || cc_scan_plain(s->tree, x->child) < 0)
        return false;
    for (size_t i = 0; i < s->arrays.n; i++)
        for (size_t k = 0; k < s->arrays.v[i].writes.n; k++)
            if (may_set(s, s->arrays.v[i].writes.v[k], x))
                return false;
    return true;
}

/* Whether what an expression says changes from one iteration to another: it mentions what the loop writes or
 * declares, or calls or loads something that may change. */
bool cc_scan_varies(const struct scan *s, uint32_t n, int32_t counter, bool top, unsigned depth)
{
    const struct cc_tree_node *x = cc_tree_at(s->tree, n);
    if (x->kind == CC_N_CALL || depth > SCAN_DEPTH)
        return true;
    bool loads = x->kind == CC_N_SUBSCRIPT || x->kind == CC_N_MEMBER ||
                 (x->kind == CC_N_UNARY && x->op == CC_OP_DEREF);
    if (loads && !top && depth > 0 && !stays(s, cc_scan_base(s, n)) && !member_stays(s, n))
        return true;
    if (x->kind == CC_N_REF && x->decl >= 0) {
        const struct scan_variable *v = &s->variables[x->decl];
        return x->decl == counter || v->inside || v->write_line || v->address;
    }
    for (uint32_t c = x->child; c != CC_NODE_NONE; c = cc_tree_at(s->tree, c)->next)
        if (cc_scan_varies(s, c, counter, top && c == x->child, depth + 1))
            return true;
    return false;
}

static unsigned fixed_line(const struct scan *s, const struct scan_array *a, int32_t counter)
{
    for (size_t i = 0; i < a->writes.n; i++)
        if (!cc_scan_varies(s, a->writes.v[i], counter, true, 0))
            return cc_tree_at(s->tree, a->writes.v[i])->line;
    return 0;
}

/* Whether an expression is the same in all iterations but for counters of loops inside. */
bool cc_scan_repeats(const struct scan *s, uint32_t n, bool top, unsigned depth)
{
    const struct cc_tree_node *x = cc_tree_at(s->tree, n);
    bool loads = x->kind == CC_N_SUBSCRIPT || x->kind == CC_N_MEMBER ||
                 (x->kind == CC_N_UNARY && x->op == CC_OP_DEREF);
    if (x->kind == CC_N_CALL || depth > SCAN_DEPTH ||
        (loads && !top && !stays(s, cc_scan_base(s, n)) && !member_stays(s, n)))
        return false;
    if (x->kind == CC_N_REF && x->decl >= 0) {
        const struct scan_variable *v = &s->variables[x->decl];
        return v->counts || (!v->inside && !v->write_line && !v->address);
    }
    for (uint32_t c = x->child; c != CC_NODE_NONE; c = cc_tree_at(s->tree, c)->next)
        if (!cc_scan_repeats(s, c, top && c == x->child, depth + 1))
            return false;
    return true;
}

/* Whether a place that is written is another in each iteration. */
static bool moves(const struct scan *s, const struct scan_array *a)
{
    for (size_t i = 0; i < a->writes.n; i++)
        if (!cc_scan_repeats(s, a->writes.v[i], true, 0))
            return true;
    return false;
}

/* Whether which element is written is looked up in memory: two iterations may find the same one. */
static bool looks_up(const struct scan *s, uint32_t n, bool top, unsigned depth)
{
    const struct cc_tree_node *x = cc_tree_at(s->tree, n);
    bool loads = x->kind == CC_N_SUBSCRIPT || (x->kind == CC_N_UNARY && x->op == CC_OP_DEREF);
    if ((loads && !top) || depth > SCAN_DEPTH)
        return true;
    for (uint32_t c = x->child; c != CC_NODE_NONE; c = cc_tree_at(s->tree, c)->next)
        if (looks_up(s, c, top && c == x->child, depth + 1))
            return true;
    return false;
}

/* Whether some part of it is a field that may change. */
static bool holds_member(const struct scan *s, uint32_t n, bool top, unsigned depth)
{
    const struct cc_tree_node *x = cc_tree_at(s->tree, n);
    if ((x->kind == CC_N_MEMBER && !top && !stays(s, cc_scan_base(s, n))) || depth > SCAN_DEPTH)
        return true;
    for (uint32_t c = x->child; c != CC_NODE_NONE; c = cc_tree_at(s->tree, c)->next)
        if (holds_member(s, c, top && c == x->child, depth + 1))
            return true;
    return false;
}

/* Whether a loop that does not count by a variable gets to another element in each iteration as far as names
 * tell: `a[l->n]` does by what the loop may change. */
static bool goes_on(const struct scan *s, uint32_t n)
{
    return cc_scan_varies(s, n, -1, true, 0) && !holds_member(s, n, true, 0);
}

static bool found_alike(const struct scan *s, const struct scan_array *a, int32_t counter)
{
    for (size_t i = 0; i < a->writes.n; i++)
        if (looks_up(s, a->writes.v[i], true, 0) ||
            !(counter >= 0 ? cc_scan_tells_apart(s, a->writes.v[i], counter) : goes_on(s, a->writes.v[i])))
            return false;
    return a->alike && !a->passed && !cc_scan_overlaps(s, a);
}

/* Whether what vouches for later reads is a look, for which a load is asked. */
static bool vouched(const struct scan_array *a)
{
    for (size_t i = 0; i < a->vouch.n; i++) {
        bool found = false;
        for (size_t k = 0; k < a->looks.n; k++)
            found = found || a->looks.v[k] == a->vouch.v[i];
        if (!found)
            return false;
    }
    return true;
}

/* Whether the loop's head says that its counter is never what the expression is: `k = e + 1` counting up, or
 * `k < e`. */
static bool is_never(const struct scan *s, uint32_t e, int32_t counter)
{
    const struct cc_tree *t = s->tree;
    uint32_t test = cc_tree_part(t, s->loop, 1), step = cc_tree_part(t, s->loop, 2),
             head = cc_tree_part(t, s->loop, 0);
    bool up = cc_tree_at(t, step)->kind == CC_N_UNARY && cc_tree_at(t, step)->op == CC_OP_INC;
    bool below = cc_tree_at(t, test)->kind == CC_N_BINARY && cc_tree_at(t, test)->op == CC_OP_LT &&
                 cc_scan_plain(t, cc_tree_part(t, test, 0)) == counter &&
                 cc_scan_same_text(s, cc_tree_part(t, test, 1), e);
    if (below || !up || head == CC_NODE_NONE)
        return below;
    uint32_t var = cc_tree_at(t, head)->child;
    uint32_t start =
        cc_tree_at(t, head)->kind == CC_N_ASSIGN ? cc_tree_part(t, head, 1)
        : cc_tree_at(t, head)->kind == CC_N_DECL && var != CC_NODE_NONE && cc_tree_at(t, var)->decl == counter
            ? cc_tree_at(t, var)->child
            : CC_NODE_NONE;
    return start != CC_NODE_NONE && cc_scan_above(s, start, e);
}

/* Whether one dimension tells the look from the write: there the look has the counter, which is never what
 * the write has, and that stays the same. */
static bool apart_by_head(const struct scan *s, uint32_t look, uint32_t write, int32_t counter)
{
    const struct cc_tree *t = s->tree;
    if (counter < 0 || cc_scan_counter(t, s->loop) != counter)
        return false;
    while (cc_tree_at(t, look)->kind == CC_N_SUBSCRIPT && cc_tree_at(t, write)->kind == CC_N_SUBSCRIPT) {
        uint32_t by = cc_tree_part(t, write, 1);
        if (cc_scan_plain(t, cc_tree_part(t, look, 1)) == counter && cc_scan_plain(t, by) >= 0 &&
            !cc_scan_varies(s, by, counter, false, 1) && is_never(s, by, counter))
            return true;
        look = cc_tree_at(t, look)->child, write = cc_tree_at(t, write)->child;
        while (cc_tree_at(t, look)->kind == CC_N_CAST && cc_tree_at(t, look)->child != CC_NODE_NONE)
            look = cc_tree_at(t, look)->child;
        while (cc_tree_at(t, write)->kind == CC_N_CAST && cc_tree_at(t, write)->child != CC_NODE_NONE)
            write = cc_tree_at(t, write)->child;
    }
    return false;
}

/* Whether a look may be at an element that is combined: between the load and the store of an update it leaves
 * no trace in the run. */
static bool may_see(const struct scan *s, const struct scan_array *a, int32_t counter)
{
    for (size_t i = 0; i < a->looks.n; i++)
        for (size_t k = 0; k < a->writes.n; k++)
            if (!cc_scan_differ(s, a->looks.v[i], a->writes.v[k]) &&
                !apart_by_head(s, a->looks.v[i], a->writes.v[k], counter))
                return true;
    return false;
}

/* What one operation combines it by, though it is also looked at in other places; NULL: it is not so, or in
 * too many. */
static const char *partly(const struct scan *s, const struct scan_array *a)
{
    bool is = a->op && !a->mixed && !a->passed && !cc_scan_overlaps(s, a) && a->updates == a->writes.n &&
              a->accounted != a->accesses && a->looks.n && a->looks.n <= CC_SOURCE_READS && vouched(a);
    return is ? a->op : NULL;
}

/* Loads that a line needs: each of its own, since one that is gone may have become a value in a register. */
static unsigned loads_of(const struct scan *s, const struct scan_array *a, unsigned line)
{
    unsigned count = 0;
    for (size_t i = 0; i < a->asked.n; i++)
        count += cc_tree_at(s->tree, a->asked.v[i])->line == line;
    return CC_MAX(count, 1U);
}

static void tell_reads(const struct scan *s, const struct scan_array *a, FILE *out)
{
    int told = 0;
    for (int k = 0; k < CC_SOURCE_READS && a->reads[k]; k++)
        for (unsigned i = loads_of(s, a, a->reads[k]); i > 0 && told < CC_SOURCE_READS; i--, told++)
            fprintf(out, "%s%u", told ? "," : "", a->reads[k]);
    for (; told < CC_SOURCE_READS; told++)
        fprintf(out, "%s0", told ? "," : "");
    fprintf(out, "\t%s\t", partly(s, a) ? a->op : "");
    for (size_t k = 0; k < CC_SOURCE_READS; k++)
        fprintf(out, "%s%u", k ? "," : "",
                partly(s, a) && k < a->looks.n ? cc_tree_at(s->tree, a->looks.v[k])->line : 0);
}

/* Whether iterations that are far from each other may meet at an element: some accesses say so little about
 * each other that only the run tells. What is the same in every iteration meets in the next. */
static bool is_far(const struct scan *s, const struct scan_array *a, int32_t counter)
{
    for (size_t i = 0; i < a->writes.n; i++) {
        uint32_t w = a->writes.v[i];
        bool stays_put = cc_scan_repeats(s, w, true, 0),
             told = stays_put || cc_scan_is_counted(s, w, counter),
             looked_up = (looks_up(s, w, true, 0) || !told) && !cc_scan_share_row(s, w, w, counter),
             far = (looked_up || cc_scan_follows(s, w, counter)) && !cc_alias_allocated(s, a->decl);
        for (size_t k = 0; k < a->asked.n + i && !far; k++) {
            uint32_t other = k < a->asked.n ? a->asked.v[k] : a->writes.v[k - a->asked.n];
            far = !cc_scan_near(s, w, other) && !cc_scan_share_row(s, w, other, counter) &&
                  !(stays_put && cc_scan_repeats(s, other, true, 0));
        }
        if (far)
            return true;
    }
    return false;
}

/* Whether what is read of it is another element in each iteration, by some of its subscripts. */
static bool moving_reads(const struct scan *s, const struct scan_array *a, int32_t counter)
{
    for (size_t i = 0; i < a->asked.n; i++)
        if (cc_scan_varies(s, a->asked.v[i], counter, true, 0))
            return true;
    return false;
}

/* A struct of the function's own whose parts are set before they are read, and not read afterwards. */
static bool is_own_record(const struct scan *s, int32_t decl, uint32_t loop)
{
    bool own = cc_cover_own_record(s, decl) && s->tree->decls[decl].kind == CC_D_LOCAL &&
               !s->variables[decl].exposed_line && !cc_class_seen_after(s->tree, loop, decl);
    for (size_t i = 0; i < s->arrays.n && own; i++) {
        const struct scan_array *a = &s->arrays.v[i];
        own = a->decl != decl || (!a->passed && !a->asked.n && !a->looks.n && !a->excused[0]);
    }
    return own;
}

/* The line of the last write of the same element, by its text: of all these one store is needed. 0: it is
 * `&a[i]`. */
static unsigned kept_line(const struct scan *s, const struct scan_array *a, size_t which)
{
    uint32_t n = a->writes.v[which], last = n;
    for (size_t i = 0; i < a->writes.n; i++)
        if (cc_scan_same_text(s, a->writes.v[i], n) &&
            cc_tree_at(s->tree, a->writes.v[i])->begin > cc_tree_at(s->tree, last)->begin)
            last = a->writes.v[i];
    for (CC_TREE_EACH(s->tree, i, CC_N_UNARY, CC_N_UNARY)) {
        const struct cc_tree_node *x = cc_tree_at(s->tree, *i);
        if (x->op == CC_OP_ADDR && cc_tree_bare(s->tree, x->child) == n)
            return 0;
    }
    return cc_tree_at(s->tree, n)->handed ? 0 : cc_tree_at(s->tree, last)->line;
}

enum cc_source_element cc_scan_element(const struct cc_ctype *t)
{
    if (t->class == CC_T_FLOAT)
        return t->bits == 32 ? CC_ELEMENT_FLOAT : t->bits == 64 ? CC_ELEMENT_DOUBLE : CC_ELEMENT_ANY;
    return t->class == CC_T_INT && t->bits > 8 ? CC_ELEMENT_INT : CC_ELEMENT_ANY;
}

/* What an element is, by which no element of another type is accessed, as C has it: characters may be
 * anything, and so may what lies in a union. */
static enum cc_source_element element_of(const struct scan *s, uint32_t n)
{
    for (uint32_t at = n; cc_tree_at(s->tree, at)->kind != CC_N_REF;) {
        const struct cc_tree_node *y = cc_tree_at(s->tree, at);
        bool element = y->kind == CC_N_SUBSCRIPT || (y->kind == CC_N_UNARY && y->op == CC_OP_DEREF);
        if ((!element && y->kind != CC_N_OTHER) || y->child == CC_NODE_NONE)
            return CC_ELEMENT_ANY;
        at = y->child;
    }
    return cc_scan_element(&cc_tree_at(s->tree, n)->type);
}

static enum cc_source_element elements_of(const struct scan *s, const struct scan_array *a)
{
    enum cc_source_element first = a->all.n ? element_of(s, a->all.v[0]) : CC_ELEMENT_ANY;
    for (size_t i = 1; i < a->all.n; i++)
        if (element_of(s, a->all.v[i]) != first)
            return CC_ELEMENT_ANY;
    return a->passed ? CC_ELEMENT_ANY : first;
}

/* Bytes of what each write stores: 1 + their logarithm; 0: they differ, or are not those of a number. */
static int width_of(const struct scan *s, const struct scan_array *a)
{
    unsigned bits = a->writes.n ? cc_tree_at(s->tree, a->writes.v[0])->type.bits : 0;
    bool same = true;
    for (size_t i = 0; i < a->writes.n; i++) {
        const struct cc_ctype *t = &cc_tree_at(s->tree, a->writes.v[i])->type;
        same = same && (t->class == CC_T_INT || t->class == CC_T_FLOAT) && t->bits == bits;
    }
    int width = 1;
    while (same && width < 5 && bits != 4u << width)
        width++;
    return same && width < 5 ? width : 0;
}

static void tell_array(const struct scan *s, const struct scan_array *a, uint32_t loop, int32_t counter,
                       FILE *out)
{
    const struct cc_decl *d = a->decl >= 0 ? &s->tree->decls[a->decl] : NULL;
    bool whole = d && (d->type.class == CC_T_ARRAY || d->type.class == CC_T_RECORD) &&
                 d->kind != CC_D_PARAM && !d->reference;
    /* a struct that is named as a whole, by its address for a function that only looks, say, is looked at */
    bool named = d && d->type.class == CC_T_RECORD && s->variables[a->decl].mentions;
    /* an access is one mention, but `a[i] = a[i] + x` accounts for two */
    bool combined =
        a->op && !a->mixed && !a->passed && !named && !cc_scan_overlaps(s, a) && a->accounted == a->accesses;
    fprintf(out, "A\t%s\t", combined ? a->op : "");
    tell_reads(s, a, out);
    bool seen = s->calls && (!d || !whole || d->kind == CC_D_GLOBAL || d->kind == CC_D_STATIC);
    bool lasts = !d || !cc_scan_is_own(s->tree, a->decl) || cc_class_seen_after(s->tree, loop, a->decl);
    bool result = d && a->write_line && !a->read_line && !a->passed && !seen && !cc_scan_overlaps(s, a) &&
                  lasts && moves(s, a);
    int proved = cc_proof_apart(s, a, counter) << 3 | cc_proof_unseen(s, a, counter) << 4 |
                 cc_proof_scratch(s, a, counter) << 5 | cc_proof_tight(s, a, counter) << 6 |
                 cc_proof_alone(s, a) << 7 | moving_reads(s, a, counter) << 8 | a->passed << 9 |
                 is_own_record(s, a->decl, loop) << 10 | cc_alias_behind(s, a) << 11 |
                 ((cc_cover_settles(s, a, counter) || (lasts && cc_proof_refilled(s, a, counter))) &&
                  !cc_scan_overlaps(s, a))
                     << 12 |
                 cc_scan_spread(s, a, counter) << 13 | cc_scan_scaled(s, a, counter) << 14 |
                 (int)elements_of(s, a) << 15 | cc_scan_probes(s, a) << 17 |
                 cc_scan_halves(s, a, counter) << 18 | cc_cover_chosen(s, a, counter) << 19 |
                 (d && d->constant) << 20 | cc_unsure_set(s, a) << 21 | cc_unsure_settled(s, a) << 22 |
                 cc_proof_beside(s, a) << 23 | cc_scan_strided(s, a, counter) << 24 |
                 (cc_given_each(s, a, counter) || cc_proof_apart_by_name(s, a, counter)) << 25 |
                 (d && (a->field.size || d->type.class == CC_T_RECORD)) << 26 | width_of(s, a) << 27;
    fprintf(out, "\t%u\t%u\t%d\t%d\t%u\t%d\t%d\t%d\t", a->read_line, a->write_line,
            found_alike(s, a, counter), a->exposed, fixed_line(s, a, counter),
            whole | cc_proof_still(s, a) << 1 | cc_alias_fresh(s, a) << 2 | cc_alias_given(s, a) << 3 |
                cc_alias_led(s, a) << 4 | cc_proof_flat(s, a) << 5,
            result, is_far(s, a, counter) | may_see(s, a, counter) << 1 | lasts << 2 | proved);
    for (int k = 0; k < CC_SOURCE_READS; k++)
        fprintf(out, "%s%u", k ? "," : "", a->excused[k]);
    for (size_t k = 0; k < CC_SOURCE_READS; k++)
        fprintf(out, "%s%u", k ? "," : "\t", k < a->writes.n ? cc_tree_at(s->tree, a->writes.v[k])->line : 0);
    for (size_t k = 0; k < CC_SOURCE_READS; k++)
        fprintf(out, "%s%u", k ? "," : "\t", k < a->writes.n ? kept_line(s, a, k) : 0);
    fprintf(out, "\t%u,%u,%u", a->again, cc_arm_line(s, a, counter), cc_arm_leads(s, a->decl));
    if (d)
        fprintf(out, "\t%s\n", d->name);
    else /* of the object whose member function this is, say */
        fprintf(out, "\t%.*s\n", (int)a->field.size, a->field.name);
}

/* Reads of another element in each iteration, each text once: a compiler loads that once, where it knows that
 * nothing is written in between. */
static void tell_lone(const struct scan *s, const struct scan_array *a, int32_t counter, FILE *out)
{
    unsigned told = 0;
    for (size_t i = 0; i < a->asked.n && told < CC_SOURCE_READS; i++) {
        bool known = !cc_scan_varies(s, a->asked.v[i], counter, true, 0);
        for (size_t k = 0; k < i && !known; k++)
            known = cc_scan_same_text(s, a->asked.v[k], a->asked.v[i]);
        if (!known)
            fprintf(out, "%s%u", told++ ? "," : "E\t", cc_tree_at(s->tree, a->asked.v[i])->line);
    }
    if (told)
        fputc('\n', out);
}

static void tell_arrays(const struct scan *s, uint32_t loop, int32_t counter, FILE *out)
{
    struct counts counts;
    unsigned told = 0;
    cc_counts_init(&counts, s, out);
    for (size_t i = 0; i < s->arrays.n; i++) {
        const struct scan_array *a = &s->arrays.v[i];
        bool own = a->decl >= 0 && s->variables[a->decl].inside && !s->tree->decls[a->decl].reference &&
                   (s->tree->decls[a->decl].type.class != CC_T_POINTER || cc_alias_allocated(s, a->decl));
        if (own)
            continue;
        tell_array(s, a, loop, counter, out);
        tell_lone(s, a, counter, out);
        cc_source_met(s, a, counter, out);
        cc_counts_tell(&counts, a, told++);
    }
    cc_counts_vectors(&counts, counter);
    cc_source_writes(s, out);
}

/* Variables that loops inside this one count with. */
static void note_inner_counters(struct scan *s, uint32_t loop)
{
    const struct cc_tree *t = s->tree;
    for (CC_TREE_EACH(t, i, CC_N_FOR, CC_N_FOR)) {
        int32_t decl = *i != loop && cc_tree_holds(t, loop, *i) ? cc_scan_counter(t, *i) : -1;
        if (decl >= 0)
            s->variables[decl].counts = true;
    }
}

static void scan_free(struct scan *s)
{
    for (size_t i = 0; i < s->arrays.n; i++)
        CC_VEC_FINI(&s->arrays.v[i].writes), CC_VEC_FINI(&s->arrays.v[i].looks),
            CC_VEC_FINI(&s->arrays.v[i].asked), CC_VEC_FINI(&s->arrays.v[i].vouch),
            CC_VEC_FINI(&s->arrays.v[i].all);
    CC_VEC_FINI(&s->arrays);
    CC_VEC_FINI(&s->stores);
    CC_VEC_FINI(&s->loads);
    CC_VEC_FINI(&s->covered);
    CC_VEC_FINI(&s->seen);
    CC_VEC_FINI(&s->given);
    free(s->alias);
    free(s->variables);
    free(s->assigned);
}

/* Whether it is that line of the file, or comes after it by name and number. */
static bool is_behind(const struct cc_source_line *at, const char *file, unsigned line)
{
    int order = strcmp(at->file, file);
    return order > 0 || (order == 0 && at->line >= line);
}

/* Whether code of the function ran, as far as anybody watched. What is told of a loop is for those that did.
 */
static bool has_run(const struct cc_source_lines *ran, const struct cc_tree *t)
{
    const char *base = cc_text_base(t->file);
    size_t i;
    CC_FIRST(i, ran->n, is_behind(&ran->v[i], base, t->line));
    return !ran->n || (i < ran->n && strcmp(ran->v[i].file, base) == 0 && ran->v[i].line <= t->last_line);
}

struct telling {
    struct cc_source_lines ran;
    struct combiners combiners;
    struct home *homes; /* of the function at hand */
    FILE *out;
    cc_source_beside *beside; /* NULL: nobody */
    void *data;
};

static void tell_function(const struct cc_tree *t, struct telling *to)
{
    struct scan s = {.tree = t, .combiners = &to->combiners};
    if (!t->usr || strpbrk(t->usr, "\t\n") || t->body == CC_NODE_NONE)
        return;
    s.variables = cc_alloc((t->ndecls + 1) * sizeof *s.variables);
    s.assigned = cc_alloc(t->ndecls + 1);
    cc_alias_find(&s);
    cc_scan_statement(&s, t->body);
    cc_scan_updates(&s, t->body, true);
    const char *op = cc_combiners_learn(&to->combiners, &s);
    cc_lend_learn(&to->combiners, &s);
    fprintf(to->out, "F\t%s\t%s\t%s\t%u\t%u\t%d\t%s\n", t->usr, t->name, t->file, t->line, t->last_line,
            cc_proof_pure(&s) | cc_throw_throws(t) << 1, op ? op : "");
    cc_source_states(&s, to->out);
    cc_source_fields(t, to->out);
    cc_source_calls(&s, 0, UINT32_MAX, to->out);
    cc_source_stores(&s, to->out);
    cc_source_hands(&s, 0, UINT32_MAX, to->out);
    cc_source_peeks(&s, to->out);
    cc_source_writes(&s, to->out);
    scan_free(&s);
}

/* Whether a choice inside the loop decides that the line runs. */
static bool may_run(const struct scan *s, unsigned line)
{
    const struct cc_tree *t = s->tree;
    for (CC_TREE_EACH(t, i, CC_N_IF, CC_N_CONTINUE)) {
        const struct cc_tree_node *x = cc_tree_at(t, *i);
        bool chooses = x->kind == CC_N_IF || x->kind == CC_N_SWITCH || x->kind == CC_N_CONTINUE;
        if (chooses && x->begin >= cc_tree_at(t, s->loop)->begin && x->end <= cc_tree_at(t, s->loop)->end &&
            line >= x->line && (x->kind == CC_N_CONTINUE || line <= x->last_line))
            return true;
    }
    return false;
}

static void tell_lines(const struct scan *s, char what, const unsigned *lines, size_t n, FILE *out)
{
    for (size_t i = 0; i < n; i++) {
        unsigned count = 0;
        bool first = true;
        for (size_t k = 0; k < n; k++) {
            count += lines[k] == lines[i];
            first = first && (k >= i || lines[k] != lines[i]);
        }
        if (first)
            fprintf(out, "%c\t%u\t%u\t%d\n", what, lines[i], count,
                    may_run(s, lines[i]) | (what == 'W' && cc_source_copies_record(s, lines[i])) << 1 |
                        (what == 'W' ? cc_source_record_bytes(s, lines[i]) : 0) << 2);
    }
}

static void tell_accesses(const struct scan *s, FILE *out)
{
    tell_lines(s, 'W', s->stores.v, s->stores.n, out);
    tell_lines(s, 'R', s->loads.v, s->loads.n, out);
}

/* `for (auto &x : v)` declares its variable, though it comes as a `while`. */
static void note_range(struct scan *s, uint32_t loop)
{
    const struct cc_tree *t = s->tree;
    for (CC_TREE_EACH(t, i, CC_N_VAR, CC_N_VAR)) {
        const struct cc_tree_node *x = cc_tree_at(t, *i);
        if (x->decl >= 0 && x->begin >= cc_tree_at(t, loop)->begin && x->end <= cc_tree_at(t, loop)->end &&
            t->decls[x->decl].kind != CC_D_STATIC &&
            (cc_tree_at(t, loop)->kind == CC_N_WHILE || cc_class_of_range(t, x)))
            s->variables[x->decl].inside = true;
    }
}

/* In bytes, from 1 on; 0: none. */
static unsigned column_of(const struct cc_tree *t, uint32_t n)
{
    uint32_t at_ = n == CC_NODE_NONE ? 0 : cc_tree_at(t, n)->begin, column = 0;
    while (n != CC_NODE_NONE && column <= at_ && (!column || t->text[at_ - column] != '\n'))
        column++;
    return column;
}

/* What is declared in the loop and may be read before this iteration has set it. */
static void tell_left_over(const struct scan *s, FILE *out)
{
    cc_hold_tell(s, out);
    cc_text_tell(s, out);
    for (int32_t d = 0; d < (int32_t)s->tree->ndecls; d++)
        if (cc_class_left_over(s, d))
            fprintf(out, "N\t%s\n", s->tree->decls[d].name);
    for (size_t i = 0; i < s->arrays.n; i++) {
        const struct scan_array *a = &s->arrays.v[i];
        if (a->decl >= 0 && s->variables[a->decl].blank && !cc_class_left_over(s, a->decl) && a->write_line &&
            a->asked.n && !cc_proof_scratch(s, a, cc_scan_counter(s->tree, s->loop)))
            fprintf(out, "N\t%s\n", s->tree->decls[a->decl].name);
    }
}

/* Where it is, how often it goes round if its head says so in numbers, and what is volatile in it. */
static void tell_place(const struct cc_tree *t, uint32_t n, unsigned alert, FILE *out)
{
    const struct cc_tree_node *x = cc_tree_at(t, n);
    double trips = 0;
    if (x->kind != CC_N_FOR || !cc_tree_trips(t, n, &trips) || trips < 1 || trips > 1e9)
        trips = 0;
    fprintf(out, "X\t%u\t%u\t%.0f\n", x->begin, x->end, trips);
    if (alert)
        fprintf(out, "X\t%u\n", alert);
}

static unsigned manners(const struct scan *s, unsigned alert)
{
    return (cc_proof_plain(s) && !s->combines && !alert) | (unsigned)cc_throw_ready(s->tree, s->loop) << 1 |
           (unsigned)cc_source_bare(s) << 2;
}

static void tell_loop(const struct cc_tree *t, uint32_t n, const struct telling *to)
{
    struct scan s = {.tree = t, .loop = n, .combiners = &to->combiners};
    FILE *out = to->out;
    s.variables = cc_alloc((t->ndecls + 1) * sizeof *s.variables);
    s.assigned = cc_alloc(t->ndecls + 1);
    cc_alias_find(&s);
    int kind = cc_tree_at(t, n)->kind;
    uint32_t test = cc_tree_part(t, n, kind == CC_N_WHILE ? 0 : 1),
             step = kind == CC_N_FOR ? cc_tree_part(t, n, 2) : CC_NODE_NONE;
    uint32_t body = cc_tree_part(t, n, kind == CC_N_FOR ? 3 : kind == CC_N_WHILE ? 1 : 0);
    uint32_t order[3] = {kind == CC_N_DO ? body : test, kind == CC_N_DO ? test : body, step};
    for (int i = 0; i < 3; i++) {
        cc_scan_statement(&s, order[i]);
        if (order[i] != CC_NODE_NONE)
            cc_scan_updates(&s, order[i], order[i] != test);
    }
    int32_t counter = cc_scan_counter(t, n);
    note_inner_counters(&s, n);
    cc_source_captured(&s);
    note_range(&s, n);
    unsigned alert = cc_source_alert(&s);
    int range = kind == CC_N_WHILE ? cc_tree_at(t, n)->op : 0;
    bool canonical = counter >= 0 || range == 1;
    if (!canonical)
        counter = cc_head_stepping(&s, test);
    unsigned first = cc_tree_at(t, n)->line,
             test_at = test == CC_NODE_NONE ? first : cc_tree_at(t, test)->line;
    unsigned head = CC_MAX(test == CC_NODE_NONE ? first : cc_tree_at(t, test)->last_line,
                           step == CC_NODE_NONE ? first : cc_tree_at(t, step)->last_line);
    unsigned column = cc_source_column(t, n, test);
    fprintf(out, "L\t%d\t%u\t%u\t%u\t%u\t%u\t%u\t%u\t%d\t%u\t%s\t%s\t%s\n",
            kind == CC_N_FOR || range == 1 ? CC_SOURCE_FOR
            : range                        ? CC_SOURCE_RANGE
            : kind == CC_N_WHILE           ? CC_SOURCE_WHILE
                                           : CC_SOURCE_DO,
            first, kind != CC_N_DO && column ? column : column_of(t, n), cc_tree_at(t, n)->last_line,
            kind == CC_N_DO ? test_at : first, column, head, cc_throw_exit(&s),
            canonical ? 1 + 2 * !(range || cc_head_begins(t, n, counter))
            : kind != CC_N_DO && cc_head_bounded(&s, test, counter) ? 2
                                                                    : 0,
            manners(&s, alert), counter < 0 ? "" : t->decls[counter].name, t->name, t->file);
    tell_place(t, n, alert, out);
    tell_variables(&s, to->homes, counter, out);
    cc_bind_tell(&s, out);
    tell_left_over(&s, out);
    tell_arrays(&s, n, counter, out);
    cc_source_calls(&s, cc_tree_at(t, n)->begin, cc_tree_at(t, n)->end, out);
    cc_source_hands(&s, cc_tree_at(t, n)->begin, cc_tree_at(t, n)->end, out);
    cc_source_choices(&s, out);
    cc_source_statements(&s, out);
    cc_source_spans(&s, out);
    cc_source_ways(&s, out);
    cc_source_wave(&s, out);
    cc_source_walk(&s, out);
    cc_given_tell(&s, counter, out);
    cc_cover_tell_fills(&s, out);
    tell_accesses(&s, out);
    scan_free(&s);
}

/* `do … while (0)`, in which macros hold statements together, goes round for nobody. */
static bool is_block(const struct cc_tree *t, uint32_t n)
{
    uint32_t test = cc_tree_at(t, n)->kind == CC_N_DO ? cc_tree_part(t, n, 1) : CC_NODE_NONE;
    return test != CC_NODE_NONE && t->text[cc_tree_at(t, test)->begin] == '0' &&
           cc_tree_at(t, test)->end - cc_tree_at(t, test)->begin == 1;
}

static void each(void *data, const struct cc_tree *t)
{
    struct telling *to = data;
    if (to->beside)
        to->beside(to->data, t);
    if (t->refused && !t->nnodes) {
        cc_source_unread(t, to->out);
        return;
    }
    tell_function(t, data);
    if (!has_run(&to->ran, t))
        return;
    to->homes = cc_homes_find(t);
    for (uint32_t i = 0; i < t->nnodes; i++)
        if (cc_tree_at(t, i)->kind == CC_N_FOR || cc_tree_at(t, i)->kind == CC_N_WHILE ||
            (cc_tree_at(t, i)->kind == CC_N_DO && !is_block(t, i)))
            tell_loop(t, i, data);
    free(to->homes);
}

static void ignore(void *data, const char *file, unsigned line, const char *text)
{
    (void)data, (void)file, (void)line, (void)text;
}

void cc_source_loops_write(const struct cc_source_unit *unit, FILE *out)
{
    cc_source_loops_write_beside(unit, out, NULL, NULL);
}

void cc_source_loops_write_beside(const struct cc_source_unit *unit, FILE *out, cc_source_beside *beside,
                                  void *data)
{
    struct telling to = {.ran = unit->ran, .out = out, .beside = beside, .data = data};
    const struct cc_tree_visitor visitor = {each, ignore, &to, true};
    cc_tree_parse(unit, &visitor, &(struct cc_err){0});
    cc_combiners_fini(&to.combiners);
}
