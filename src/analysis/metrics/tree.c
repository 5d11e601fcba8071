#include "tree_build.h"

#include <ctype.h>

/* Bounds against hostile source. Real functions stay a thousand times below them. */
enum { MAX_DEPTH = 20000, MAX_NODES = 20 << 20 };

int cc_source_clang_version(void)
{
    CXString s = clang_getClangVersion();
    const char *text = clang_getCString(s), *v = text ? strstr(text, "version ") : NULL;
    int major = 0;
    for (v = v ? v + 8 : ""; isdigit((unsigned char)*v); v++)
        major = major * 10 + (*v - '0');
    clang_disposeString(s);
    return major;
}

void cc_tb_refuse(struct parser *p, const char *why, unsigned line)
{
    if (p->tree.refused)
        return;
    p->tree.refused = why;
    p->tree.refused_line = line;
}

uint32_t cc_tb_node(struct parser *p, enum cc_node_kind kind, uint32_t begin, uint32_t end)
{
    struct cc_tree_node n = {.kind = (uint8_t)kind, .decl = -1, .child = CC_NODE_NONE, .next = CC_NODE_NONE};
    n.begin = begin;
    n.end = end;
    n.line = cc_cu_line_at(p, begin)->number;
    CC_VEC_PUSH(&p->nodes, n);
    return (uint32_t)p->nodes.n - 1;
}

void cc_tb_append(struct frame *f, uint32_t node)
{
    f->p->nodes.v[node].next = CC_NODE_NONE;
    if (f->count++)
        f->p->nodes.v[f->last].next = node;
    else
        f->first = node;
    f->last = node;
}

static uint32_t child_at(const struct parser *p, uint32_t first, size_t i)
{
    while (i--)
        first = p->nodes.v[first].next;
    return first;
}

/* Puts the first n of f's children under one CC_N_OTHER node: conditions that C++ lets declare variables. */
static uint32_t wrap(struct frame *f, size_t n)
{
    struct parser *p = f->p;
    uint32_t first = f->first;
    if (n == 1)
        return first;
    uint32_t begin = n ? p->nodes.v[first].begin : 0;
    uint32_t w = cc_tb_node(p, n ? CC_N_OTHER : CC_N_ABSENT, begin, begin);
    if (n) {
        uint32_t last = child_at(p, first, n - 1);
        p->nodes.v[w].child = first;
        p->nodes.v[w].end = p->nodes.v[last].end;
        p->nodes.v[last].next = CC_NODE_NONE;
    }
    return w;
}

/* The condition in front, the last `tail` children as they are, absent ones for what is missing. */
static uint32_t with_condition(struct frame *f, size_t tail, size_t slots)
{
    struct parser *p = f->p;
    if (f->count <= tail) {
        cc_tb_refuse(p, "a statement that libclang shows only in part",
                     p->nodes.n ? p->nodes.v[p->nodes.n - 1].line : 0);
        return cc_tb_node(p, CC_N_ABSENT, 0, 0);
    }
    uint32_t rest[2] = {CC_NODE_NONE, CC_NODE_NONE};
    for (size_t i = 0; i < tail; i++)
        rest[i] = child_at(p, f->first, f->count - tail + i);
    struct frame out = {.p = p};
    uint32_t condition = wrap(f, f->count - tail);
    cc_tb_append(&out, condition);
    for (size_t i = 0; i < slots; i++)
        cc_tb_append(&out, i < tail ? rest[i] : cc_tb_node(p, CC_N_ABSENT, 0, 0));
    return out.first;
}

static uint32_t if_children(struct frame *f)
{
    struct parser *p = f->p;
    size_t tail = 1;
    if (f->count > 2) {
        size_t t = cc_cu_token_from(p, p->nodes.v[f->last].begin);
        tail += t > 0 && cc_cu_token_is(p, t - 1, "else");
    }
    return with_condition(f, tail, 2);
}

/* Which of init, condition, step and body are there can only be told by the semicolons around them. */
static uint32_t for_children(struct frame *f, uint32_t begin)
{
    struct parser *p = f->p;
    size_t t = cc_cu_token_from(p, begin) + 2; /* for ( */
    uint32_t edge[3] = {UINT32_MAX, UINT32_MAX, UINT32_MAX};
    size_t found = 0;
    for (int depth = 1; t < p->tokens.n && depth > 0; t++) {
        const char c = p->unit->text[p->tokens.v[t].begin];
        if (p->tokens.v[t].kind != CC_TOK_PUNCTUATION)
            continue;
        depth += (c == '(' || c == '{' || c == '[') - (c == ')' || c == '}' || c == ']');
        if ((c == ';' && depth == 1 && found < 2) || depth == 0)
            edge[depth == 0 ? 2 : found++] = p->tokens.v[t].begin;
    }
    uint32_t slot[4] = {CC_NODE_NONE, CC_NODE_NONE, CC_NODE_NONE, CC_NODE_NONE};
    for (uint32_t c = f->count ? f->first : CC_NODE_NONE; c != CC_NODE_NONE; c = p->nodes.v[c].next) {
        uint32_t at = p->nodes.v[c].begin;
        slot[at < edge[0] ? 0 : at < edge[1] ? 1 : at < edge[2] ? 2 : 3] = c;
    }
    struct frame out = {.p = p};
    for (size_t i = 0; i < 4; i++)
        cc_tb_append(&out, slot[i] != CC_NODE_NONE ? slot[i] : cc_tb_node(p, CC_N_ABSENT, 0, 0));
    return out.first;
}

static const struct {
    const char *text;
    uint8_t binary, assign, unary;
} operators[] = {
    {"*", CC_OP_MUL, 0, CC_OP_DEREF}, {"/", CC_OP_DIV, 0, 0},          {"%", CC_OP_MOD, 0, 0},
    {"+", CC_OP_ADD, 0, CC_OP_PLUS},  {"-", CC_OP_SUB, 0, CC_OP_NEG},  {"<<", CC_OP_SHL, 0, 0},
    {">>", CC_OP_SHR, 0, 0},          {"&", CC_OP_AND, 0, CC_OP_ADDR}, {"|", CC_OP_OR, 0, 0},
    {"^", CC_OP_XOR, 0, 0},           {"<", CC_OP_LT, 0, 0},           {">", CC_OP_GT, 0, 0},
    {"<=", CC_OP_LE, 0, 0},           {">=", CC_OP_GE, 0, 0},          {"==", CC_OP_EQ, 0, 0},
    {"!=", CC_OP_NE, 0, 0},           {"&&", CC_OP_LAND, 0, 0},        {"||", CC_OP_LOR, 0, 0},
    {",", CC_OP_COMMA, 0, 0},         {"++", 0, 0, CC_OP_INC},         {"--", 0, 0, CC_OP_DEC},
    {"!", 0, 0, CC_OP_NOT},           {"~", 0, 0, CC_OP_COMPL},        {"*=", 0, CC_OP_MUL, 0},
    {"/=", 0, CC_OP_DIV, 0},          {"%=", 0, CC_OP_MOD, 0},         {"+=", 0, CC_OP_ADD, 0},
    {"-=", 0, CC_OP_SUB, 0},          {"<<=", 0, CC_OP_SHL, 0},        {">>=", 0, CC_OP_SHR, 0},
    {"&=", 0, CC_OP_AND, 0},          {"|=", 0, CC_OP_OR, 0},          {"^=", 0, CC_OP_XOR, 0},
};

static size_t operator_at(const struct parser *p, size_t token)
{
    for (size_t i = 0; i < CC_COUNT(operators); i++)
        if (cc_cu_token_is(p, token, operators[i].text))
            return i;
    return CC_COUNT(operators);
}

static void binary_node(struct parser *p, uint32_t node)
{
    uint32_t left = p->nodes.v[node].child;
    size_t t = left == CC_NODE_NONE ? p->tokens.n : cc_cu_token_from(p, p->nodes.v[left].end);
    size_t o = operator_at(p, t);
    p->nodes.v[node].op = CC_OP_OTHER;
    if (cc_cu_token_is(p, t, ".*") || cc_cu_token_is(p, t, "->*")) { /* some part of the record */
        p->nodes.v[node].kind = CC_N_SUBSCRIPT;
    } else if (cc_cu_token_is(p, t, "=")) {
        p->nodes.v[node].kind = CC_N_ASSIGN;
        p->nodes.v[node].op = CC_OP_NONE;
    } else if (o < CC_COUNT(operators) && operators[o].assign) {
        p->nodes.v[node].kind = CC_N_ASSIGN;
        p->nodes.v[node].op = operators[o].assign;
    } else if (o < CC_COUNT(operators) && operators[o].binary) {
        p->nodes.v[node].op = operators[o].binary;
    }
    if (left == CC_NODE_NONE || p->nodes.v[left].next == CC_NODE_NONE)
        p->nodes.v[node].kind = CC_N_OTHER;
}

static void unary_node(struct parser *p, uint32_t node)
{
    uint32_t operand = p->nodes.v[node].child;
    if (operand == CC_NODE_NONE) {
        p->nodes.v[node].kind = CC_N_OTHER;
        return;
    }
    bool prefix = p->nodes.v[operand].begin > p->nodes.v[node].begin;
    size_t t = cc_cu_token_from(p, prefix ? p->nodes.v[node].begin : p->nodes.v[operand].end);
    size_t o = operator_at(p, t);
    p->nodes.v[node].op = o < CC_COUNT(operators) && operators[o].unary ? operators[o].unary : CC_OP_OTHER;
}

/* `<` itself, which libclang shows among the operands of a call that it cannot resolve. */
static bool is_operator(const struct parser *p, const struct cc_tree_node *x)
{
    return x->child == CC_NODE_NONE && operator_at(p, cc_cu_token_from(p, x->begin)) < CC_COUNT(operators);
}

/* In a template, with operators of a namespace in sight, `i < n_` may seem to be the call of one; none is for
 * two numbers. */
static bool has_numbers(const struct parser *p, uint32_t node)
{
    size_t numbers = 0, names = 0, all = 0;
    for (uint32_t c = p->nodes.v[node].child; c != CC_NODE_NONE; c = p->nodes.v[c].next, all++) {
        const struct cc_tree_node *x = &p->nodes.v[c];
        numbers += x->type.class == CC_T_INT && !x->type.is_enum;
        names += is_operator(p, x);
    }
    return p->nodes.v[node].kind == CC_N_CALL && numbers == 2 && names == 1 && all == 3;
}

/* The call of an overloaded operator becomes that operator. */
static void operator_node(struct parser *p, uint32_t node)
{
    struct frame out = {.p = p};
    if (p->nodes.v[node].kind != CC_N_CALL)
        return;
    for (uint32_t c = p->nodes.v[node].child, next; c != CC_NODE_NONE; c = next) {
        const struct cc_tree_node *x = &p->nodes.v[c];
        next = x->next;
        while (x->kind == CC_N_CAST && x->child != CC_NODE_NONE)
            x = &p->nodes.v[x->child];
        bool callee = (x->kind == CC_N_REF && x->decl >= 0 && p->decls.v[x->decl].kind == CC_D_FUNCTION) ||
                      is_operator(p, x);
        bool dummy = out.count && x->begin == x->end; /* the 0 of `i++` */
        if (!callee && !dummy)
            cc_tb_append(&out, c);
    }
    if (out.count != 1 && out.count != 2)
        return;
    p->nodes.v[node].child = out.first;
    p->nodes.v[node].kind = out.count == 2 ? CC_N_BINARY : CC_N_UNARY;
    if (out.count == 2)
        binary_node(p, node);
    else
        unary_node(p, node);
}

/* libclang shows "a ?: b" as four children of which only the first and last are written. */
static bool gnu_select(struct parser *p, const struct frame *f)
{
    if (f->count != 4)
        return false;
    size_t t = cc_cu_token_from(p, p->nodes.v[f->first].end);
    return cc_cu_token_is(p, t, "?") && cc_cu_token_is(p, t + 1, ":");
}

static bool same_type(const struct cc_ctype *a, const struct cc_ctype *b)
{
    return a->class == b->class && a->bits == b->bits;
}

/* `va_arg(list, int)`, as it is preprocessed. */
static bool is_next_argument(const struct parser *p, uint32_t begin, uint32_t end)
{
    static const char word[] = "__builtin_va_arg";
    return end - begin > sizeof word - 1 && memcmp(p->tree.text + begin, word, sizeof word - 1) == 0;
}

/* Nodes libclang does not name: implicit conversions mostly. Those that change nothing are left out. */
static uint32_t unexposed(struct parser *p, struct frame *f, struct cc_ctype type, uint32_t begin,
                          uint32_t end, bool constant)
{
    /* a reference to const that is bound to it takes nothing, and is const */
    if (f->count == 1 && p->nodes.v[f->first].kind == CC_N_REF && !constant)
        p->nodes.v[f->first].taken = true;
    if (f->count && is_next_argument(p, begin, end)) { /* moves the list on */
        uint32_t n = cc_tb_node(p, CC_N_UNARY, begin, end);
        p->nodes.v[n].op = CC_OP_INC;
        p->nodes.v[n].type = type;
        p->nodes.v[n].child = f->first;
        return n;
    }
    if (f->count == 1 && (same_type(&type, &p->nodes.v[f->first].type) || type.class == CC_T_NONE))
        return f->first;
    bool select = gnu_select(p, f);
    uint32_t n = cc_tb_node(p, f->count == 1 ? CC_N_CAST : select ? CC_N_SELECT : CC_N_OTHER, begin, end);
    p->nodes.v[n].type = type;
    p->nodes.v[n].child = f->count ? f->first : CC_NODE_NONE;
    if (select)
        p->nodes.v[f->first].next = f->last;
    return n;
}

static uint32_t generic_selection(struct parser *p, struct frame *f, struct cc_ctype type, uint32_t node)
{
    uint32_t c =
        f->count ? p->nodes.v[f->first].next : CC_NODE_NONE; /* the controlling operand is not evaluated */
    for (; c != CC_NODE_NONE; c = p->nodes.v[c].next)
        if (same_type(&p->nodes.v[c].type, &type))
            break;
    if (c != CC_NODE_NONE)
        p->nodes.v[c].next = CC_NODE_NONE;
    p->nodes.v[node].child = c;
    return node;
}

/* The child that is no array bound: not inside brackets after the variable's name. */
static uint32_t initialiser(struct parser *p, const struct frame *f, uint32_t name_at)
{
    if (f->count == 0)
        return CC_NODE_NONE;
    int depth = 0;
    uint32_t stop = p->nodes.v[f->last].begin;
    for (size_t t = cc_cu_token_from(p, name_at); t < p->tokens.n && p->tokens.v[t].begin < stop; t++)
        depth += cc_cu_token_is(p, t, "[") - cc_cu_token_is(p, t, "]");
    return depth == 0 && stop >= name_at ? f->last : CC_NODE_NONE;
}

static const struct {
    enum CXCursorKind cursor;
    enum cc_node_kind node;
} kinds[] = {
    {CXCursor_CompoundStmt, CC_N_COMPOUND},
    {CXCursor_IfStmt, CC_N_IF},
    {CXCursor_ForStmt, CC_N_FOR},
    {CXCursor_WhileStmt, CC_N_WHILE},
    {CXCursor_CXXForRangeStmt, CC_N_WHILE},
    {CXCursor_DoStmt, CC_N_DO},
    {CXCursor_SwitchStmt, CC_N_SWITCH},
    {CXCursor_CaseStmt, CC_N_CASE},
    {CXCursor_DefaultStmt, CC_N_DEFAULT},
    {CXCursor_BreakStmt, CC_N_BREAK},
    {CXCursor_ContinueStmt, CC_N_CONTINUE},
    {CXCursor_ReturnStmt, CC_N_RETURN},
    {CXCursor_GotoStmt, CC_N_GOTO},
    {CXCursor_IndirectGotoStmt, CC_N_GOTO},
    {CXCursor_LabelStmt, CC_N_LABEL},
    {CXCursor_NullStmt, CC_N_NULL},
    {CXCursor_DeclStmt, CC_N_DECL},
    {CXCursor_GCCAsmStmt, CC_N_ASM},
    {CXCursor_MSAsmStmt, CC_N_ASM},
    {CXCursor_VarDecl, CC_N_VAR},
    {CXCursor_BinaryOperator, CC_N_BINARY},
    {CXCursor_CompoundAssignOperator, CC_N_BINARY},
    {CXCursor_UnaryOperator, CC_N_UNARY},
    {CXCursor_ConditionalOperator, CC_N_SELECT},
    {CXCursor_CallExpr, CC_N_CALL},
    {CXCursor_DeclRefExpr, CC_N_REF},
    {CXCursor_MemberRefExpr, CC_N_MEMBER},
    {CXCursor_ArraySubscriptExpr, CC_N_SUBSCRIPT},
    {CXCursor_IntegerLiteral, CC_N_LITERAL},
    {CXCursor_FloatingLiteral, CC_N_LITERAL},
    {CXCursor_ImaginaryLiteral, CC_N_LITERAL},
    {CXCursor_StringLiteral, CC_N_LITERAL},
    {CXCursor_CharacterLiteral, CC_N_LITERAL},
    {CXCursor_CXXBoolLiteralExpr, CC_N_LITERAL},
    {CXCursor_CXXNullPtrLiteralExpr, CC_N_LITERAL},
    {CXCursor_GNUNullExpr, CC_N_LITERAL},
    {CXCursor_CStyleCastExpr, CC_N_CAST},
    {CXCursor_CXXStaticCastExpr, CC_N_CAST},
    {CXCursor_CXXReinterpretCastExpr, CC_N_CAST},
    {CXCursor_CXXConstCastExpr, CC_N_CAST},
    {CXCursor_CXXFunctionalCastExpr, CC_N_CAST},
    {CXCursor_InitListExpr, CC_N_INIT},
    {CXCursor_UnaryExpr, CC_N_SIZEOF},
    {CXCursor_StmtExpr, CC_N_STMT_EXPR},
};

static enum cc_node_kind plain_kind(int kind)
{
    for (size_t i = 0; i < CC_COUNT(kinds); i++)
        if ((int)kinds[i].cursor == kind)
            return kinds[i].node;
    return CC_N_OTHER;
}

static void note_traits(struct parser *p, int kind, uint32_t begin)
{
    unsigned line = cc_cu_line_at(p, begin)->number;
    int trait = kind == CXCursor_CXXNewExpr || kind == CXCursor_CXXDeleteExpr  ? CC_TRAIT_NEW
                : kind == CXCursor_CXXThrowExpr || kind == CXCursor_CXXTryStmt ? CC_TRAIT_THROW
                : kind == CXCursor_LambdaExpr                                  ? CC_TRAIT_LAMBDA
                : kind == CXCursor_IndirectGotoStmt                            ? CC_TRAIT_COMPUTED_GOTO
                : kind == CXCursor_GCCAsmStmt || kind == CXCursor_MSAsmStmt    ? CC_TRAIT_ASM
                                                                               : -1;
    if (trait >= 0 && !p->tree.trait_line[trait])
        p->tree.trait_line[trait] = line;
    if (kind == CXCursor_LambdaExpr)
        cc_tb_refuse(p, "a lambda expression", line);
    if (kind == CXCursor_BlockExpr)
        cc_tb_refuse(p, "a block expression", line);
}

/* Where in its struct or union a field lies. Bit-fields are written with those beside them; what a reference
 * is another name for lies anywhere. */
static void note_field(struct parser *p, CXCursor field, uint32_t n)
{
    enum CXTypeKind type = clang_getCursorType(field).kind;
    p->nodes.v[n].op = clang_Cursor_isBitField(field) ? CC_MEMBER_BITS : CC_OP_NONE;
    if (clang_getCursorKind(field) != CXCursor_FieldDecl || clang_Cursor_isBitField(field) ||
        type == CXType_LValueReference || type == CXType_RValueReference)
        return;
    long long at = clang_Cursor_getOffsetOfField(field);
    p->nodes.v[n].value = at;
    p->nodes.v[n].record = at < 0 ? 0 : clang_hashCursor(clang_getCursorSemanticParent(field)) | 1;
}

static bool may_change(CXType t)
{
    t = clang_getCanonicalType(t);
    return t.kind == CXType_LValueReference && !clang_isConstQualifiedType(clang_getPointeeType(t));
}

static bool may_look(CXType t)
{
    t = clang_getCanonicalType(t);
    return t.kind == CXType_Pointer && clang_isConstQualifiedType(clang_getPointeeType(t));
}

/* Which arguments a call gets by reference. An operator that is a method has its object as the first. */
static void note_handed(struct parser *p, CXCursor call, const struct frame *f)
{
    CXType type = clang_getCursorType(clang_getCursorReferenced(call));
    int params = clang_getNumArgTypes(type), args = clang_Cursor_getNumArguments(call),
        more = args == params + 1;
    for (int i = 0; i < params && i + more < args; i++) {
        CXSourceRange at = clang_getCursorExtent(clang_Cursor_getArgument(call, (unsigned)(i + more)));
        uint32_t begin = cc_cu_offset(clang_getRangeStart(at)), end = cc_cu_offset(clang_getRangeEnd(at));
        bool handed = may_change(clang_getArgType(type, (unsigned)i)),
             lent = may_look(clang_getArgType(type, (unsigned)i));
        for (uint32_t c = handed || lent ? f->count ? f->first : CC_NODE_NONE : CC_NODE_NONE;
             c != CC_NODE_NONE; c = p->nodes.v[c].next)
            if (p->nodes.v[c].begin == begin && p->nodes.v[c].end == end)
                p->nodes.v[c].handed = handed, p->nodes.v[c].lent = lent;
    }
}

/* Gives the children the places the kind promises and fills op and decl. */
static void finish_node(struct parser *p, CXCursor c, uint32_t n, struct frame *f)
{
    uint32_t first = f->count ? f->first : CC_NODE_NONE;
    switch (p->nodes.v[n].kind) {
    case CC_N_IF:
        first = if_children(f);
        break;
    case CC_N_FOR:
        first = for_children(f, p->nodes.v[n].begin);
        break;
    case CC_N_WHILE:
    case CC_N_SWITCH:
        first = with_condition(f, 1, 1);
        break;
    case CC_N_DO:
        if (f->count != 2)
            cc_tb_refuse(p, "a statement that libclang shows only in part", p->nodes.v[n].line);
        break;
    case CC_N_VAR:
        first = initialiser(p, f, cc_cu_offset(clang_getCursorLocation(c)));
        p->nodes.v[n].decl = cc_cu_decl(p, c);
        break;
    case CC_N_CALL:
        note_handed(p, c, f);
        p->nodes.v[n].decl = cc_cu_decl(p, clang_getCursorReferenced(c));
        break;
    case CC_N_INIT: /* of a class: without a constructor */
        if (p->nodes.v[n].type.class == CC_T_RECORD && p->visitor->all)
            p->nodes.v[n].decl =
                cc_cu_decl(p, clang_getTypeDeclaration(clang_getCanonicalType(clang_getCursorType(c))));
        break;
    case CC_N_REF:
        p->nodes.v[n].decl = cc_cu_decl(p, clang_getCursorReferenced(c));
        break;
    case CC_N_MEMBER:
        note_field(p, clang_getCursorReferenced(c), n);
        break;
    case CC_N_LABEL:
        p->nodes.v[n].decl = cc_cu_label(p, c);
        break;
    case CC_N_CAST:
        p->nodes.v[n].op = 1;
        if (f->count != 1)
            p->nodes.v[n].kind = CC_N_OTHER;
        break;
    case CC_N_SIZEOF:
        first = CC_NODE_NONE; /* its operand is not evaluated */
        p->nodes.v[n].op = cc_cu_value(c, &p->nodes.v[n].value);
        break;
    default:
        break;
    }
    p->nodes.v[n].child = first;
    if (p->nodes.v[n].kind == CC_N_BINARY)
        binary_node(p, n);
    else if (p->nodes.v[n].kind == CC_N_UNARY)
        unary_node(p, n);
}

static enum CXChildVisitResult find_label(CXCursor c, CXCursor parent, CXClientData data)
{
    (void)parent;
    CXCursor *ret = data;
    if (clang_getCursorKind(c) == CXCursor_LabelRef)
        *ret = c;
    return CXChildVisit_Continue;
}

struct head {
    bool range, random;
    int children;
};

/* Of `for (auto &x : range)` the second child, of `for (auto i = ...` what the first declares. */
static enum CXChildVisitResult look_at_head(CXCursor c, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct head *h = data;
    enum CXCursorKind kind = clang_getCursorKind(c);
    h->children++;
    if (!h->range && kind == CXCursor_DeclStmt && h->children == 1) {
        h->children = 0;
        return CXChildVisit_Recurse;
    }
    if (h->range ? clang_isExpression(kind) : kind == CXCursor_VarDecl)
        h->random = cc_cu_random_access(clang_getCursorType(c));
    else if (h->range && clang_isDeclaration(kind)) /* a variable, or `auto &[a, b]` */
        return CXChildVisit_Continue;
    return CXChildVisit_Break;
}

/* What OpenMP shares out in C++: iterators and ranges that get to any element at once. */
static void note_head(struct parser *p, CXCursor c, uint32_t n)
{
    struct head h = {.range = p->nodes.v[n].kind == CC_N_WHILE};
    clang_visitChildren(c, look_at_head, &h);
    p->nodes.v[n].op = h.random ? 1 : h.range ? 2 : 0;
    uint32_t head = p->nodes.v[n].child, test = head == CC_NODE_NONE ? head : p->nodes.v[head].next;
    if (h.range || test == CC_NODE_NONE || (!h.random && !has_numbers(p, test)))
        return;
    operator_node(p, test);
    if (!h.random)
        return;
    operator_node(p, p->nodes.v[test].next);
}

uint32_t cc_tb_build(struct parser *p, CXCursor c)
{
    int kind = (int)clang_getCursorKind(c);
    CXSourceRange range = clang_getCursorExtent(c);
    uint32_t begin = cc_cu_offset(clang_getRangeStart(range)), end = cc_cu_offset(clang_getRangeEnd(range));
    struct cc_ctype type = {0};
    if (clang_isExpression((enum CXCursorKind)kind))
        type = cc_cu_type(clang_getCursorType(c));
    note_traits(p, kind, begin);
    struct frame f = cc_tb_children(p, c);
    if (kind == CXCursor_ParenExpr && f.count == 1) {
        p->nodes.v[f.first].begin = begin;
        p->nodes.v[f.first].end = end;
        return f.first;
    }
    if (kind == CXCursor_UnexposedExpr && f.count)
        return unexposed(p, &f, type, begin, end, clang_isConstQualifiedType(clang_getCursorType(c)));
    uint32_t n = cc_tb_node(p, plain_kind(kind), begin, end);
    p->nodes.v[n].type = type;
    p->nodes.v[n].alert = clang_isExpression((enum CXCursorKind)kind) &&
                          clang_isVolatileQualifiedType(clang_getCanonicalType(clang_getCursorType(c)));
    if (p->nodes.v[n].kind == CC_N_CAST && f.count > 1) { /* (__typeof__(a + b))c computes no sum */
        f.first = f.last;
        f.count = 1;
    }
    if (kind == CXCursor_GenericSelectionExpr)
        return generic_selection(p, &f, type, n);
    if (kind == CXCursor_GotoStmt) {
        CXCursor label = clang_getNullCursor();
        clang_visitChildren(c, find_label, &label);
        p->nodes.v[n].decl = clang_Cursor_isNull(label) ? -1 : cc_cu_label(p, label);
    }
    if (kind == CXCursor_MemberRefExpr) {
        CXCursor field = clang_getCursorReferenced(c);
        int bits = clang_Cursor_isNull(field) ? -1 : clang_getFieldDeclBitWidth(field);
        if (bits > 0)
            p->nodes.v[n].type.bits = (uint64_t)bits;
    }
    finish_node(p, c, n, &f);
    if (kind == CXCursor_CXXForRangeStmt || kind == CXCursor_ForStmt)
        note_head(p, c, n);
    return n;
}

static enum CXChildVisitResult visit_child(CXCursor c, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct frame *f = data;
    struct parser *p = f->p;
    enum CXCursorKind kind = clang_getCursorKind(c);
    if (clang_isReference(kind) || clang_isAttribute(kind) ||
        (clang_isDeclaration(kind) && kind != CXCursor_VarDecl))
        return CXChildVisit_Continue;
    if (p->depth >= MAX_DEPTH || p->nodes.n >= MAX_NODES) {
        cc_tb_refuse(p, p->depth >= MAX_DEPTH ? "nested too deeply" : "too large", p->tree.line);
        return CXChildVisit_Break;
    }
    p->depth++;
    cc_tb_append(f, cc_tb_build(p, c));
    p->depth--;
    return CXChildVisit_Continue;
}

struct frame cc_tb_children(struct parser *p, CXCursor c)
{
    struct frame f = {.p = p};
    clang_visitChildren(c, visit_child, &f);
    return f;
}

static void collect_faults(struct parser *p)
{
    unsigned n = clang_getNumDiagnostics(p->tu);
    for (unsigned i = 0; i < n; i++) {
        CXDiagnostic d = clang_getDiagnostic(p->tu, i);
        if (clang_getDiagnosticSeverity(d) >= CXDiagnostic_Error) {
            struct fault f = {.offset = cc_cu_offset(clang_getDiagnosticLocation(d)), .outside = true};
            f.line = cc_cu_line_at(p, f.offset)->number;
            f.text = cc_cu_keep(&p->arena, clang_getDiagnosticSpelling(d));
            CC_VEC_PUSH(&p->faults, f);
        }
        clang_disposeDiagnostic(d);
    }
}

static int parse(struct parser *p, CXIndex index, struct cc_err *err)
{
    const char *name = p->unit->cplusplus ? "/corecast/unit.ii" : "/corecast/unit.i";
    struct CXUnsavedFile file = {name, p->unit->text, p->unit->size};
    struct cc_strs args = {0};
    for (size_t i = 0; i < p->unit->flags.n; i++)
        CC_VEC_PUSH(&args, p->unit->flags.v[i]);
    CC_VEC_PUSH(&args, "-w");
    CC_VEC_PUSH(&args, "-ferror-limit=0");
    CC_VEC_PUSH(&args, "-fbracket-depth=20000");
    enum CXErrorCode rc = clang_parseTranslationUnit2(index, name, args.v, (int)args.n, &file, 1,
                                                      CXTranslationUnit_KeepGoing, &p->tu);
    cc_strs_fini(&args);
    if (rc != CXError_Success)
        return cc_err_at(err, CC_EINPUT, p->unit->path, 0, "libclang cannot parse it%s",
                         rc == CXError_InvalidArguments ? " with these compiler flags" : "");
    return 0;
}

int cc_tree_parse(const struct cc_source_unit *unit, const struct cc_tree_visitor *visitor,
                  struct cc_err *err)
{
    struct parser p = {.unit = unit, .visitor = visitor};
    if (cc_source_clang_version() == 0)
        return cc_err_set(err, CC_EINPUT, "libclang is not installed (%s)", CC_SONAME_CLANG);
    if (unit->size >= UINT32_MAX)
        return cc_err_at(err, CC_EINPUT, unit->path, 0, "too large when preprocessed");
    CXIndex index = clang_createIndex(0, 0);
    cc_cu_map_lines(&p);
    int rc = parse(&p, index, err);
    if (rc == 0) {
        collect_faults(&p);
        clang_visitChildren(clang_getTranslationUnitCursor(p.tu), cc_tb_visit_top, &p);
        for (size_t i = 0; i < p.faults.n; i++) {
            const struct fault *f = &p.faults.v[i];
            if (f->outside)
                visitor->message(visitor->data, p.files.v[cc_cu_line_at(&p, f->offset)->file], f->line,
                                 f->text);
        }
        clang_disposeTranslationUnit(p.tu);
    }
    clang_disposeIndex(index);
    cc_tb_reset(&p);
    CC_VEC_FINI(&p.nodes);
    CC_VEC_FINI(&p.decls);
    CC_VEC_FINI(&p.cursors);
    CC_VEC_FINI(&p.chain);
    CC_VEC_FINI(&p.tokens);
    CC_VEC_FINI(&p.lines);
    CC_VEC_FINI(&p.files);
    CC_VEC_FINI(&p.faults);
    cc_arena_fini(&p.arena);
    return rc;
}

static unsigned mentions(const struct cc_tree *t, uint32_t n, int32_t decl, unsigned depth)
{
    enum { DEEPEST = 2000 };
    if (n == CC_NODE_NONE || depth > DEEPEST)
        return 0;
    unsigned found = cc_tree_at(t, n)->kind == CC_N_REF && cc_tree_at(t, n)->decl == decl;
    for (uint32_t c = cc_tree_at(t, n)->child; c != CC_NODE_NONE; c = cc_tree_at(t, c)->next)
        found += mentions(t, c, decl, depth + 1);
    return found;
}

unsigned cc_tree_mentions(const struct cc_tree *t, uint32_t n, int32_t decl)
{
    return mentions(t, n, decl, 0);
}
