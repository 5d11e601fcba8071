/* The functions of a unit, one tree each. */
#include "tree_build.h"

struct signature {
    struct parser *p;
    CXCursor body;
};

static enum CXChildVisitResult visit_signature(CXCursor c, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct signature *s = data;
    if (clang_getCursorKind(c) == CXCursor_ParmDecl)
        cc_cu_decl(s->p, c);
    else if (clang_getCursorKind(c) == CXCursor_CompoundStmt)
        s->body = c;
    return CXChildVisit_Continue;
}

static const char *qualified_name(struct parser *p, CXCursor c)
{
    const char *name = cc_cu_keep(&p->scratch, clang_getCursorSpelling(c));
    CXCursor scope = clang_getCursorSemanticParent(c);
    for (int depth = 0; depth < 32 && !clang_Cursor_isNull(scope); depth++) {
        enum CXCursorKind kind = clang_getCursorKind(scope);
        if (kind != CXCursor_Namespace && kind != CXCursor_ClassDecl && kind != CXCursor_StructDecl)
            break;
        const char *outer = cc_cu_keep(&p->scratch, clang_getCursorSpelling(scope));
        struct cc_buf b = {0};
        if (!*outer && kind == CXCursor_Namespace)
            outer = "(anonymous namespace)"; /* as it is demangled */
        cc_buf_printf(&b, "%s%s%s", outer, *outer ? "::" : "", name);
        name = cc_arena_strdup(&p->scratch, b.s);
        cc_buf_fini(&b);
        scope = clang_getCursorSemanticParent(scope);
    }
    return name;
}

void cc_tb_reset(struct parser *p)
{
    p->nodes.n = p->decls.n = p->cursors.n = p->chain.n = p->tokens.n = 0;
    p->depth = 0;
    cc_map_fini(&p->by_hash);
    cc_strmap_fini(&p->labels);
    cc_arena_fini(&p->scratch);
    memset(&p->by_hash, 0, sizeof p->by_hash);
    memset(&p->labels, 0, sizeof p->labels);
    memset(&p->scratch, 0, sizeof p->scratch);
    memset(&p->tree, 0, sizeof p->tree);
}

static void refuse_faults(struct parser *p, uint32_t begin, uint32_t end)
{
    for (size_t i = 0; i < p->faults.n; i++) {
        struct fault *f = &p->faults.v[i];
        if (f->offset < begin || f->offset > end)
            continue;
        f->outside = false;
        cc_tb_refuse(p, f->text, f->line);
    }
}

/* `int &r = k;`: what is said of r is said of k. */
static void name_again(struct parser *p)
{
    for (size_t i = 0; i < p->nodes.n; i++) {
        const struct cc_tree_node *x = &p->nodes.v[i];
        if (x->kind != CC_N_VAR || x->decl < 0 || x->child == CC_NODE_NONE || !p->decls.v[x->decl].reference)
            continue;
        const struct cc_tree_node *from = &p->nodes.v[x->child];
        while (from->kind == CC_N_CAST && !from->op && from->child != CC_NODE_NONE)
            from = &p->nodes.v[from->child];
        bool variable = from->kind == CC_N_REF && from->decl >= 0 &&
                        p->decls.v[from->decl].kind != CC_D_FUNCTION &&
                        p->decls.v[from->decl].kind != CC_D_OTHER;
        for (size_t k = 0; variable && k < p->nodes.n; k++)
            if (p->nodes.v[k].kind == CC_N_REF && p->nodes.v[k].decl == x->decl)
                p->nodes.v[k].decl = from->decl;
    }
}

static uint32_t block_of(struct parser *p, const struct frame *f, uint32_t begin, uint32_t end)
{
    uint32_t n = cc_tb_node(p, CC_N_COMPOUND, begin, end);
    p->nodes.v[n].child = f->count ? f->first : CC_NODE_NONE;
    return n;
}

static void build_body(struct parser *p, CXCursor c)
{
    struct signature s = {.p = p, .body = clang_getNullCursor()};
    clang_visitChildren(c, visit_signature, &s);
    p->tree.nparams = p->decls.n;
    if (clang_Cursor_isNull(s.body)) {
        cc_tb_refuse(p, "a function whose body is not a block", p->tree.line);
        return;
    }
    if (clang_getCursorKind(c) == CXCursor_Constructor) { /* what members begin with, then the block */
        CXSourceRange range = clang_getCursorExtent(c);
        cc_cu_tokenize(p, range);
        struct frame f = cc_tb_children(p, c);
        p->tree.body =
            block_of(p, &f, cc_cu_offset(clang_getRangeStart(range)), cc_cu_offset(clang_getRangeEnd(range)));
    } else {
        cc_cu_tokenize(p, clang_getCursorExtent(s.body));
        p->tree.body = cc_tb_build(p, s.body);
    }
    name_again(p);
}

/* Of each node once: who looks asks for many of a large function. */
static uint32_t note_last_line(struct cc_tree_node *nodes, uint32_t n, unsigned depth)
{
    enum { MOST = 2000 }; /* nested deeper, source is not looked at */
    struct cc_tree_node *x = &nodes[n];
    if (x->last_line || depth > MOST)
        return CC_MAX(x->line, x->last_line);
    uint32_t last = x->line;
    for (uint32_t c = x->child; c != CC_NODE_NONE; c = nodes[c].next)
        last = CC_MAX(last, note_last_line(nodes, c, depth + 1));
    return x->last_line = last;
}

/* Its nodes by kind, in their order. */
static void sort_kinds(struct parser *p, struct cc_tree *t)
{
    uint32_t *sorted = cc_arena_alloc(&p->scratch, (p->nodes.n + 1) * sizeof *sorted), next[CC_N_LAST] = {0};
    for (size_t i = 0; i < p->nodes.n; i++)
        t->kind_begins[p->nodes.v[i].kind + 1]++;
    for (size_t k = 0; k < CC_N_LAST; k++) {
        next[k] = t->kind_begins[k];
        t->kind_begins[k + 1] += t->kind_begins[k];
    }
    for (uint32_t i = 0; i < p->nodes.n; i++)
        sorted[next[p->nodes.v[i].kind]++] = i;
    t->by_kind = sorted;
}

/* What parentheses are around; not a conversion that the programmer wrote: `*(int *)(bytes + i)` is no
 * element of bytes. */
static uint32_t in_parentheses(const struct cc_tree *t, uint32_t n)
{
    while (n != CC_NODE_NONE && cc_tree_at(t, n)->kind == CC_N_OTHER &&
           cc_tree_at(t, n)->child != CC_NODE_NONE &&
           cc_tree_at(t, cc_tree_at(t, n)->child)->next == CC_NODE_NONE)
        n = cc_tree_at(t, n)->child;
    return n;
}

/* `*(p + i)` becomes `p[i]`, and `(p + i)->x` becomes `p[i].x`: they are the same, and who looks at elements
 * has to know one of them. */
static void name_elements(struct cc_tree *t)
{
    for (uint32_t i = 0; i < t->nnodes; i++) {
        struct cc_tree_node *x = &t->nodes[i];
        bool follows = x->kind == CC_N_UNARY && x->op == CC_OP_DEREF;
        uint32_t sum = follows || x->kind == CC_N_MEMBER ? in_parentheses(t, x->child) : CC_NODE_NONE;
        if (sum == CC_NODE_NONE || t->nodes[sum].kind != CC_N_BINARY || t->nodes[sum].op != CC_OP_ADD ||
            t->nodes[sum].type.class != CC_T_POINTER ||
            t->nodes[t->nodes[sum].child].type.class != CC_T_POINTER)
            continue;
        struct cc_ctype element = {.class = CC_T_RECORD};
        struct cc_tree_node *e = &t->nodes[sum];
        e->kind = CC_N_SUBSCRIPT;
        e->op = CC_OP_NONE;
        e->type = follows ? x->type : element;
        if (!follows)
            continue;
        e->alert = x->alert;
        x->kind = CC_N_OTHER; /* parentheses around it */
        x->op = CC_OP_NONE;
    }
}

static void tell(struct parser *p)
{
    struct cc_tree *t = &p->tree;
    for (uint32_t i = 0; i < p->nodes.n; i++)
        note_last_line(p->nodes.v, i, 0);
    t->nodes = p->nodes.v;
    t->nnodes = p->nodes.n;
    if (p->visitor->all)
        name_elements(t);
    sort_kinds(p, t);
    t->decls = p->decls.v;
    t->ndecls = p->decls.n;
    t->tokens = p->tokens.v;
    t->ntokens = p->tokens.n;
    p->visitor->each(p->visitor->data, t);
}

/* Whether it is worth telling: it is no library's. */
static bool begin_tree(struct parser *p, CXCursor c)
{
    CXSourceRange range = clang_getCursorExtent(c);
    uint32_t begin = cc_cu_offset(clang_getRangeStart(range)), end = cc_cu_offset(clang_getRangeEnd(range));
    const struct line *from = cc_cu_line_at(p, begin), *to = cc_cu_line_at(p, end ? end - 1 : 0);
    if (from->system)
        return false;
    cc_tb_reset(p);
    struct cc_tree *t = &p->tree;
    t->file = p->files.v[from->file];
    t->line = from->number;
    t->last_line = to->number;
    t->text = p->unit->text;
    t->trips = p->unit->trips;
    t->name = qualified_name(p, c);
    t->usr = cc_cu_keep(&p->scratch, clang_getCursorUSR(c));
    t->lends = clang_getCursorResultType(c).kind == CXType_LValueReference;
    if (clang_Cursor_isVariadic(c))
        t->trait_line[CC_TRAIT_VARIADIC] = t->line;
    refuse_faults(p, begin, end);
    return true;
}

static void visit_function(struct parser *p, CXCursor c, const char *unsupported)
{
    if (!clang_isCursorDefinition(c) || !begin_tree(p, c))
        return;
    bool whole = !p->tree.refused;
    if (unsupported)
        cc_tb_refuse(p, unsupported, p->tree.line);
    if (whole && (!unsupported || p->visitor->all))
        build_body(p, c);
    tell(p);
}

/* --- classes: what making an object and ending it does that no statement says --- */

static bool is_class(CXCursor c)
{
    enum CXCursorKind kind = clang_getCursorKind(c);
    return kind == CXCursor_ClassDecl || kind == CXCursor_StructDecl || kind == CXCursor_ClassTemplate ||
           kind == CXCursor_ClassTemplatePartialSpecialization;
}

static uint32_t call_to(struct parser *p, const char *usr, uint32_t at)
{
    uint32_t n = cc_tb_node(p, CC_N_CALL, at, at);
    CC_VEC_PUSH(&p->decls, (struct cc_decl){.name = usr, .usr = usr, .kind = CC_D_FUNCTION});
    CC_VEC_PUSH(&p->cursors, clang_getNullCursor());
    CC_VEC_PUSH(&p->chain, 0);
    p->nodes.v[n].decl = (int32_t)p->decls.n - 1;
    return n;
}

/* An object of that type is a part: it is made by its class's constructor without arguments, unless one is
 * named, and ended with the whole. */
static void part(struct frame *f, CXType type, uint32_t at)
{
    type = clang_getCanonicalType(type);
    for (int depth = 0; type.kind == CXType_ConstantArray && depth < 8; depth++)
        type = clang_getCanonicalType(clang_getArrayElementType(type));
    CXCursor of = type.kind == CXType_Record ? clang_getTypeDeclaration(type) : clang_getNullCursor();
    if (clang_Cursor_isNull(of) || clang_Location_isInSystemHeader(clang_getCursorLocation(of)))
        return;
    CXCursor template = clang_getSpecializedCursorTemplate(of);
    of = clang_Cursor_isNull(template) ? of : template;
    struct parser *p = f->p;
    const char *usr = cc_cu_keep(&p->scratch, clang_getCursorUSR(of)),
               *name = cc_cu_keep(&p->scratch, clang_getCursorSpelling(of));
    struct cc_buf b = {0};
    cc_buf_printf(&b, "%s@F@%s#", usr, name);
    cc_tb_append(f, call_to(p, usr, at));
    cc_tb_append(f, call_to(p, cc_arena_strdup(&p->scratch, b.s), at));
    cc_buf_fini(&b);
}

static enum CXChildVisitResult visit_part(CXCursor c, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct frame *f = data;
    struct parser *p = f->p;
    enum CXCursorKind kind = clang_getCursorKind(c);
    uint32_t at = cc_cu_offset(clang_getRangeStart(clang_getCursorExtent(c)));
    if (kind == CXCursor_FieldDecl) {
        struct frame value = cc_tb_children(p, c);
        for (uint32_t n = value.count ? value.first : CC_NODE_NONE, next; n != CC_NODE_NONE; n = next) {
            next = p->nodes.v[n].next;
            cc_tb_append(f, n);
        }
    }
    if (kind == CXCursor_FieldDecl || kind == CXCursor_CXXBaseSpecifier)
        part(f, clang_getCursorType(c), at);
    else if (kind == CXCursor_Destructor)
        cc_tb_append(f, call_to(p, cc_cu_keep(&p->scratch, clang_getCursorUSR(c)), at));
    return CXChildVisit_Continue;
}

/* A tree with the name of the class: what its members begin with, and calls of its destructor and of what its
 * parts need. It has no lines of its own. */
static void visit_class(struct parser *p, CXCursor c)
{
    if (!clang_isCursorDefinition(c) || !begin_tree(p, c))
        return;
    CXSourceRange range = clang_getCursorExtent(c);
    struct frame f = {.p = p};
    cc_cu_tokenize(p, range);
    clang_visitChildren(c, visit_part, &f);
    p->tree.body =
        block_of(p, &f, cc_cu_offset(clang_getRangeStart(range)), cc_cu_offset(clang_getRangeEnd(range)));
    p->tree.line = 1;
    p->tree.last_line = 0;
    cc_tb_refuse(p, "a C++ class", p->tree.line);
    tell(p);
}

/* A function without a name: what it mentions and does not declare is another's. */
static void visit_lambda(struct parser *p, CXCursor c)
{
    if (!begin_tree(p, c))
        return;
    build_body(p, c);
    p->tree.name = p->tree.usr = "a lambda";
    cc_tb_refuse(p, "a lambda expression", p->tree.line);
    tell(p);
}

/* Classes that are declared in functions, and lambdas. */
static enum CXChildVisitResult visit_local(CXCursor c, CXCursor parent, CXClientData data)
{
    if (clang_getCursorKind(c) == CXCursor_LambdaExpr)
        visit_lambda(data, c);
    if (!is_class(c))
        return CXChildVisit_Recurse;
    visit_class(data, c);
    clang_visitChildren(c, cc_tb_visit_top, data);
    (void)parent;
    return CXChildVisit_Continue;
}

static enum CXChildVisitResult function(struct parser *p, CXCursor c, const char *unsupported)
{
    visit_function(p, c, unsupported);
    if (p->visitor->all)
        clang_visitChildren(c, visit_local, p);
    return CXChildVisit_Continue;
}

enum CXChildVisitResult cc_tb_visit_top(CXCursor c, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct parser *p = data;
    if (p->visitor->all && is_class(c))
        visit_class(p, c);
    switch ((int)clang_getCursorKind(c)) {
    case CXCursor_FunctionDecl:
    case CXCursor_CXXMethod:
    case CXCursor_Destructor:
    case CXCursor_ConversionFunction:
        return function(p, c, NULL);
    case CXCursor_Constructor:
        return function(p, c, "a C++ constructor");
    case CXCursor_FunctionTemplate:
        return function(p, c, "a C++ function template");
    case CXCursor_ClassTemplate:
    case CXCursor_ClassTemplatePartialSpecialization:
    case CXCursor_UnionDecl:
    case CXCursor_FriendDecl: /* what is defined in there is a function beside the class */
        return p->visitor->all ? CXChildVisit_Recurse : CXChildVisit_Continue;
    case CXCursor_Namespace:
    case CXCursor_ClassDecl:
    case CXCursor_StructDecl:
    case CXCursor_LinkageSpec:
    case CXCursor_UnexposedDecl:
        return CXChildVisit_Recurse;
    default:
        return CXChildVisit_Continue;
    }
}
