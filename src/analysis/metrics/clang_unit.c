#include "clang_unit.h"
#include "../../base/text.h"

#include <ctype.h>

const char *cc_cu_keep(struct cc_arena *arena, CXString s)
{
    const char *c = clang_getCString(s);
    const char *copy = cc_arena_strdup(arena, c ? c : "");
    clang_disposeString(s);
    return copy;
}

/* --- places --- */

/* The text of a string as the preprocessor writes it: \" and \\, and \303 for what is not ASCII. Its closing
 * quote, NULL if there is none. */
static const char *unquote(const char *s, const char *end, struct cc_buf *text)
{
    cc_buf_add(text, "", 0);
    for (; s < end && *s != '"'; s++) {
        unsigned byte = (unsigned char)*s;
        if (byte == '\\' && ++s < end) {
            byte = (unsigned char)*s;
            if (end - s >= 3 && strspn(s, "01234567") >= 3) {
                byte = (unsigned)(s[0] - '0') << 6 | (unsigned)(s[1] - '0') << 3 | (unsigned)(s[2] - '0');
                s += 2;
            }
        }
        cc_buf_add(text, (const char[]){(char)(unsigned char)byte}, 1);
    }
    return s < end ? s : NULL;
}

/* What was found behind the system's folders is not the system's: "1 3" becomes "1". */
static void unmark(char *flags, const char *end)
{
    for (; flags < end; flags++)
        if (*flags == '3' || *flags == '4')
            *flags = ' ';
}

/* "# 12 "file.c" 1 3": the preprocessor's note on where the next line comes from. */
static bool line_marker(struct parser *p, const char *s, const char *end, struct line *now)
{
    if (end - s < 4 || s[0] != '#' || s[1] != ' ' || !isdigit((unsigned char)s[2]))
        return false;
    char *q;
    unsigned long number = strtoul(s + 2, &q, 10);
    const char *open = memchr(q, '"', (size_t)(end - q));
    struct cc_buf text = {0};
    const char *close = open ? unquote(open + 1, end, &text) : NULL;
    char *name = close ? cc_arena_strdup(&p->arena, text.s) : NULL;
    cc_buf_fini(&text);
    if (!name)
        return false;
    if (p->files.n == 0 || strcmp(p->files.v[now->file], name) != 0) {
        CC_VEC_PUSH(&p->files, name);
        now->file = (uint32_t)p->files.n - 1;
    }
    now->number = (uint32_t)number;
    now->system = false;
    for (const char *f = close + 1; f < end; f++)
        now->system |= *f == '3';
    if (now->system && p->unit->own_headers && strncmp(name, "/usr/", 5) != 0)
        now->system = false, unmark(p->unit->text + (close - p->unit->text), end);
    return true;
}

void cc_cu_map_lines(struct parser *p)
{
    struct line now = {.number = 1};
    const char *text = p->unit->text, *stop = text + p->unit->size;
    CC_VEC_PUSH(&p->files, p->unit->path);
    for (const char *s = text; s < stop;) {
        const char *end = memchr(s, '\n', (size_t)(stop - s));
        if (!end)
            end = stop;
        now.offset = (uint32_t)(s - text);
        bool marker = line_marker(p, s, end, &now);
        CC_VEC_PUSH(&p->lines, now);
        if (!marker)
            now.number++;
        s = end + 1;
    }
}

const struct line *cc_cu_line_at(const struct parser *p, uint32_t offset)
{
    static const struct line none = {.number = 1};
    size_t low;
    CC_FIRST(low, p->lines.n, p->lines.v[low].offset > offset);
    return low ? &p->lines.v[low - 1] : &none;
}

uint32_t cc_cu_offset(CXSourceLocation at)
{
    unsigned offset;
    clang_getFileLocation(at, NULL, NULL, NULL, &offset);
    return offset;
}

/* --- tokens --- */

size_t cc_cu_token_from(const struct parser *p, uint32_t offset)
{
    size_t low;
    CC_FIRST(low, p->tokens.n, p->tokens.v[low].begin >= offset);
    return low;
}

bool cc_cu_token_is(const struct parser *p, size_t i, const char *text)
{
    if (i >= p->tokens.n)
        return false;
    const struct cc_token *t = &p->tokens.v[i];
    size_t n = strlen(text);
    return t->end - t->begin == n && memcmp(p->unit->text + t->begin, text, n) == 0;
}

static uint32_t line_end(const struct parser *p, uint32_t from)
{
    const char *text = p->unit->text;
    while (from < p->unit->size && (text[from] != '\n' || text[from - 1] == '\\'))
        from++;
    return from;
}

void cc_cu_tokenize(struct parser *p, CXSourceRange range)
{
    CXToken *tokens = NULL;
    unsigned n = 0;
    clang_tokenize(p->tu, range, &tokens, &n);
    uint32_t stop = cc_cu_offset(clang_getRangeEnd(range)), directive = 0;
    for (unsigned i = 0; i < n; i++) {
        CXTokenKind kind = clang_getTokenKind(tokens[i]);
        CXSourceRange extent = clang_getTokenExtent(p->tu, tokens[i]);
        struct cc_token t = {cc_cu_offset(clang_getRangeStart(extent)),
                             cc_cu_offset(clang_getRangeEnd(extent)), 0};
        if (kind == CXToken_Comment || t.begin >= stop || t.end <= t.begin || t.end > p->unit->size)
            continue;
        /* what is left of the preprocessor's language, #pragma, is no program text up to the end of its line
         */
        if (kind == CXToken_Punctuation && p->unit->text[t.begin] == '#' && t.end == t.begin + 1)
            directive = line_end(p, t.begin);
        if (t.begin < directive)
            continue;
        t.kind = kind == CXToken_Punctuation  ? CC_TOK_PUNCTUATION
                 : kind == CXToken_Keyword    ? CC_TOK_KEYWORD
                 : kind == CXToken_Identifier ? CC_TOK_IDENTIFIER
                                              : CC_TOK_LITERAL;
        CC_VEC_PUSH(&p->tokens, t);
    }
    clang_disposeTokens(p->tu, tokens, n);
}

/* --- types --- */

static struct cc_ctype type_of(CXType t, unsigned depth);

static struct cc_ctype array_type(CXType t, unsigned depth)
{
    struct cc_ctype element = type_of(clang_getArrayElementType(t), depth + 1);
    uint64_t inner = element.class == CC_T_ARRAY ? element.elements : 1;
    struct cc_ctype r = {.class = CC_T_ARRAY, .variable = element.variable};
    long long n = t.kind == CXType_ConstantArray ? clang_getArraySize(t) : 0;
    if (t.kind == CXType_VariableArray)
        r.variable = true;
    if (n > 0 && !__builtin_mul_overflow((uint64_t)n, inner, &r.elements) &&
        __builtin_mul_overflow((uint64_t)n, element.bits, &r.bits))
        r.bits = 0;
    return r;
}

/* Only for kinds that have a size: libclang crashes when asked for that of a builtin function, say. */
static struct cc_ctype sized(enum cc_type_class class, CXType t)
{
    long long bytes = clang_Type_getSizeOf(t);
    return (struct cc_ctype){.class = class, .bits = bytes > 0 ? (uint64_t)bytes * 8 : 0};
}

static struct cc_ctype type_of(CXType t, unsigned depth)
{
    t = clang_getCanonicalType(t);
    if (depth > 64)
        return (struct cc_ctype){0};
    if (t.kind == CXType_Bool)
        return (struct cc_ctype){.class = CC_T_INT, .bits = 1, .is_unsigned = true};
    if ((t.kind >= CXType_Char_U && t.kind <= CXType_Int128) || t.kind == CXType_Enum) {
        struct cc_ctype r = sized(CC_T_INT, t);
        r.is_unsigned = t.kind <= CXType_UInt128; /* of an enumeration nothing is said */
        r.is_enum = t.kind == CXType_Enum;
        return r;
    }
    if ((t.kind >= CXType_Float && t.kind <= CXType_LongDouble) || t.kind == CXType_Float128 ||
        t.kind == CXType_Half || t.kind == CXType_Float16)
        return sized(CC_T_FLOAT, t);
    switch ((int)t.kind) {
    case CXType_Complex:
    case CXType_Vector:
    case CXType_ExtVector: /* one operation on the element type; lanes are not modelled */
        return type_of(clang_getElementType(t), depth + 1);
    case CXType_Pointer:
    case CXType_BlockPointer:
    case CXType_NullPtr:
        return sized(CC_T_POINTER, t);
    case CXType_LValueReference:
    case CXType_RValueReference:
        return type_of(clang_getPointeeType(t), depth + 1);
    case CXType_ConstantArray:
    case CXType_IncompleteArray:
    case CXType_VariableArray:
        return array_type(t, depth);
    case CXType_Record:
        return sized(CC_T_RECORD, t);
    case CXType_FunctionProto:
    case CXType_FunctionNoProto:
        return (struct cc_ctype){.class = CC_T_FUNCTION};
    default:
        return (struct cc_ctype){0};
    }
}

struct cc_ctype cc_cu_type(CXType t)
{
    return type_of(t, 0);
}

static bool names(const char *s, const char *const *known)
{
    size_t size = strcspn(s, "<");
    for (; *known; known++)
        if (strlen(*known) == size && strncmp(s, *known, size) == 0)
            return true;
    return false;
}

/* What a class of the library is called, without its namespace; NULL: it is none of the library's. */
static const char *library_name(const char *s)
{
    s = strncmp(s, "const ", 6) == 0 ? s + 6 : s;
    bool library = strncmp(s, "std::", 5) == 0 || strncmp(s, "__gnu_cxx::", 11) == 0;
    s = library ? strchr(s, ':') + 2 : s;
    if (strncmp(s, "__1::", 5) == 0 || strncmp(s, "__cxx11::", 9) == 0) /* inline namespaces */
        s = strchr(s, ':') + 2;
    return library ? s : NULL;
}

static bool is_pointer(CXType t)
{
    return clang_getCanonicalType(t).kind == CXType_Pointer;
}

static enum CXChildVisitResult find_begin(CXCursor c, CXCursor parent, CXClientData data)
{
    (void)parent;
    bool *pointer = data;
    if (clang_getCursorKind(c) != CXCursor_CXXMethod)
        return CXChildVisit_Continue;
    CXString name = clang_getCursorSpelling(c);
    *pointer = *pointer ||
               (strcmp(clang_getCString(name), "begin") == 0 && is_pointer(clang_getCursorResultType(c)));
    clang_disposeString(name);
    return CXChildVisit_Continue;
}

/* Whether a class of the program is gone through by pointers, as an array is. */
static bool begins_by_pointer(CXType t)
{
    CXCursor class = clang_getTypeDeclaration(t), pattern = clang_getSpecializedCursorTemplate(class);
    bool pointer = false;
    clang_visitChildren(clang_Cursor_isNull(pattern) ? class : pattern, find_begin, &pointer);
    return pointer;
}

bool cc_cu_random_access(CXType t)
{
    static const char *const containers[] = {
        "vector",           "array", "deque", "basic_string", "basic_string_view", "span", "valarray",
        "initializer_list", NULL};
    static const char *const iterators[] = {"__normal_iterator", "__wrap_iter", "_Deque_iterator",
                                            "__deque_iterator", NULL};
    t = clang_getCanonicalType(t);
    if (t.kind == CXType_LValueReference || t.kind == CXType_RValueReference)
        t = clang_getCanonicalType(clang_getPointeeType(t));
    if (t.kind == CXType_ConstantArray || t.kind == CXType_VariableArray)
        return true;
    if (t.kind != CXType_Record)
        return false;
    CXString spelling = clang_getTypeSpelling(t);
    const char *s = clang_getCString(spelling);
    s = library_name(s);
    bool bits = s && strncmp(s, "vector<bool", 11) == 0; /* several elements in a byte */
    bool found = s ? !bits && (names(s, containers) || names(s, iterators)) : begins_by_pointer(t);
    clang_disposeString(spelling);
    return found;
}

/* --- declarations --- */

static enum cc_decl_kind decl_kind(CXCursor c)
{
    switch ((int)clang_getCursorKind(c)) {
    case CXCursor_ParmDecl:
        return CC_D_PARAM;
    case CXCursor_FunctionDecl:
    case CXCursor_CXXMethod:
    case CXCursor_Constructor:
    case CXCursor_Destructor:
    case CXCursor_ConversionFunction:
        return CC_D_FUNCTION;
    case CXCursor_VarDecl:
        if (clang_getCursorLinkage(c) != CXLinkage_NoLinkage)
            return CC_D_GLOBAL;
        return clang_Cursor_getStorageClass(c) == CX_SC_Static ? CC_D_STATIC : CC_D_LOCAL;
    default:
        return CC_D_OTHER; /* fields, enumeration constants, labels */
    }
}

bool cc_cu_value(CXCursor c, int64_t *ret)
{
    CXEvalResult r = clang_Cursor_Evaluate(c);
    bool integer = r && clang_EvalResult_getKind(r) == CXEval_Int;
    if (integer)
        *ret = clang_EvalResult_getAsLongLong(r);
    if (r)
        clang_EvalResult_dispose(r);
    return integer;
}

/* "const int n = 64;" is as good as the literal. Its initialiser is looked at only once a declaration. */
static bool constant_variable(CXCursor c, const struct cc_decl *d, int64_t *ret)
{
    CXType type = clang_getCursorType(c);
    return (d->kind == CC_D_LOCAL || d->kind == CC_D_STATIC || d->kind == CC_D_GLOBAL) &&
           d->type.class == CC_T_INT && clang_isConstQualifiedType(type) &&
           !clang_isVolatileQualifiedType(type) && cc_cu_value(c, ret);
}

static bool is_member(CXCursor c)
{
    enum CXCursorKind around = clang_getCursorKind(clang_getCursorSemanticParent(c));
    return around == CXCursor_ClassDecl || around == CXCursor_StructDecl || around == CXCursor_UnionDecl ||
           around == CXCursor_ClassTemplate;
}

/* What an array's elements are qualified as, its canonical type says of the array. */
static bool is_constant_array(CXType t)
{
    unsigned depth = 0;
    t = clang_getCanonicalType(t);
    bool array = t.kind == CXType_ConstantArray, constant = clang_isConstQualifiedType(t) != 0,
         alert = clang_isVolatileQualifiedType(t) != 0;
    for (; t.kind == CXType_ConstantArray && depth < 64; depth++) {
        t = clang_getCanonicalType(clang_getArrayElementType(t));
        constant = constant || clang_isConstQualifiedType(t);
        alert = alert || clang_isVolatileQualifiedType(t);
    }
    bool plain = t.kind != CXType_Record && t.kind != CXType_ConstantArray; /* which may be `mutable` */
    return array && plain && constant && !alert;
}

static bool is_own_array(CXType t)
{
    static const char *const array[] = {"array", NULL};
    t = clang_getCanonicalType(t);
    if (t.kind != CXType_Record)
        return false;
    CXString spelling = clang_getTypeSpelling(t);
    const char *s = library_name(clang_getCString(spelling));
    bool found = s && names(s, array);
    clang_disposeString(spelling);
    return found;
}

/* Whether it stands for whichever function of its name fits: nothing else shares its name with functions, and
 * what only the types of arguments lead to is a function. */
static bool is_several(CXCursor c)
{
    unsigned n = clang_getCursorKind(c) == CXCursor_OverloadedDeclRef ? clang_getNumOverloadedDecls(c) : 0;
    for (unsigned i = 0; i < n; i++) {
        enum CXCursorKind kind = clang_getCursorKind(clang_getOverloadedDecl(c, i));
        if (kind == CXCursor_FunctionDecl || kind == CXCursor_CXXMethod || kind == CXCursor_FunctionTemplate)
            return true;
    }
    return !n && clang_getCursorKind(c) == CXCursor_OverloadedDeclRef;
}

/* An iterator of a `std::vector`, as the libraries of gcc and clang name these. */
static bool goes_through_vector(struct parser *p, CXType t)
{
    static const char *const begins[] = {"__gnu_cxx::__normal_iterator<", "std::__wrap_iter<"};
    t = clang_getCanonicalType(t);
    if (t.kind != CXType_Record)
        return false;
    const char *name = cc_cu_keep(&p->scratch, clang_getTypeSpelling(t));
    bool found = false;
    for (size_t i = 0; name && i < CC_COUNT(begins) && !found; i++)
        found = strncmp(name, begins[i], strlen(begins[i])) == 0 && strstr(name, " std::vector<");
    return found;
}

static int32_t add_decl(struct parser *p, CXCursor c)
{
    struct cc_decl d = {.kind = (uint8_t)decl_kind(c)};
    d.member = d.kind == CC_D_GLOBAL && is_member(c);
    d.name = cc_cu_keep(&p->scratch, clang_getCursorSpelling(c));
    d.begin = cc_cu_offset(clang_getCursorLocation(c));
    d.changes = clang_getCursorKind(c) == CXCursor_CXXMethod && !clang_CXXMethod_isConst(c) &&
                !clang_CXXMethod_isStatic(c);
    d.replaced = clang_getCursorKind(c) == CXCursor_CXXMethod && clang_CXXMethod_isVirtual(c);
    d.builds = clang_getCursorKind(c) == CXCursor_Constructor;
    d.several = is_several(c);
    enum CXCursorKind kind = clang_getCursorKind(c);
    bool class = kind == CXCursor_StructDecl || kind == CXCursor_ClassDecl;
    CXCursor from = p->visitor->all && (class || d.kind == CC_D_FUNCTION)
                        ? clang_getSpecializedCursorTemplate(c)
                        : clang_getNullCursor();
    if (class || d.kind == CC_D_FUNCTION)
        d.usr = cc_cu_keep(&p->scratch, clang_getCursorUSR(clang_Cursor_isNull(from) ? c : from));
    if (d.kind != CC_D_FUNCTION && d.kind != CC_D_OTHER)
        d.type = type_of(clang_getCursorType(c), 0);
    d.constant = clang_getCursorKind(c) == CXCursor_VarDecl && is_constant_array(clang_getCursorType(c));
    d.reference = clang_getCursorType(c).kind == CXType_LValueReference;
    d.refers = d.reference || clang_getCursorType(c).kind == CXType_RValueReference;
    d.holds = d.kind != CC_D_FUNCTION && d.kind != CC_D_OTHER && cc_cu_holds(clang_getCursorType(c));
    d.own_array = clang_getCursorKind(c) == CXCursor_VarDecl && is_own_array(clang_getCursorType(c));
    d.goes_through_vector =
        clang_getCursorKind(c) == CXCursor_VarDecl && goes_through_vector(p, clang_getCursorType(c));
    if (clang_getCursorKind(c) == CXCursor_EnumConstantDecl) {
        d.has_value = true;
        d.value = clang_getEnumConstantDeclValue(c);
    }
    if (!d.has_value)
        d.has_value = constant_variable(c, &d, &d.value);
    d.in_system_header = clang_Location_isInSystemHeader(clang_getCursorLocation(c)) != 0;
    CC_VEC_PUSH(&p->decls, d);
    CC_VEC_PUSH(&p->cursors, c);
    return (int32_t)p->decls.n - 1;
}

int32_t cc_cu_decl(struct parser *p, CXCursor c)
{
    if (clang_Cursor_isNull(c))
        return -1;
    c = clang_getCanonicalCursor(c);
    uint64_t *head = cc_map_put(&p->by_hash, clang_hashCursor(c), NULL);
    for (uint32_t i = (uint32_t)*head; i; i = p->chain.v[i - 1])
        if (clang_equalCursors(p->cursors.v[i - 1], c))
            return (int32_t)i - 1;
    int32_t d = add_decl(p, c);
    while (p->chain.n < p->decls.n)
        CC_VEC_PUSH(&p->chain, 0);
    p->chain.v[d] = (uint32_t)*head;
    *head = (uint64_t)d + 1;
    return d;
}

int32_t cc_cu_label(struct parser *p, CXCursor c)
{
    const char *name = cc_cu_keep(&p->scratch, clang_getCursorSpelling(c));
    bool fresh;
    uint64_t *place = cc_strmap_put(&p->labels, name, &fresh);
    if (fresh) {
        CC_VEC_PUSH(&p->decls, (struct cc_decl){.name = name, .kind = CC_D_OTHER});
        CC_VEC_PUSH(&p->cursors, clang_getNullCursor());
        CC_VEC_PUSH(&p->chain, 0);
        *place = p->decls.n - 1;
    }
    return (int32_t)*place;
}
