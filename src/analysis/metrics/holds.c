/* Whether an object may hold where something else is: whether there is a pointer or a reference in it. */
#include "clang_unit.h"

#include "../../base/text.h"

enum { DEEP = 8 };

struct search {
    bool found;
    unsigned depth, fields;
};

static bool holds(CXType t, unsigned depth);

static enum CXVisitorResult visit_field(CXCursor c, CXClientData data)
{
    struct search *x = data;
    x->fields++;
    x->found = x->found || holds(clang_getCursorType(c), x->depth + 1);
    return x->found ? CXVisit_Break : CXVisit_Continue;
}

static enum CXChildVisitResult visit_base(CXCursor c, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct search *x = data;
    if (clang_getCursorKind(c) == CXCursor_CXXBaseSpecifier) {
        x->fields++;
        x->found = x->found || holds(clang_getCursorType(c), x->depth + 1);
    }
    return x->found ? CXChildVisit_Break : CXChildVisit_Continue;
}

/* What a template's object consists of its arguments tell; `std::vector<int>` has what it points to for
 * itself, and is filled with values. */
static bool by_arguments(CXType t, unsigned depth)
{
    bool found = false;
    int n = clang_Type_getNumTemplateArguments(t);
    for (int i = 0; i < n && !found; i++) {
        CXType of = clang_Type_getTemplateArgumentAsType(t, (unsigned)i);
        found = of.kind != CXType_Invalid && holds(of, depth + 1);
    }
    return found;
}

static bool in_record(CXType t, unsigned depth)
{
    static const char *const wrapper = "reference_wrapper";
    CXCursor of = clang_getTypeDeclaration(t);
    CXString name = clang_getCursorSpelling(of);
    bool wraps = strcmp(clang_getCString(name) ? clang_getCString(name) : "", wrapper) == 0,
         library = clang_Location_isInSystemHeader(clang_getCursorLocation(of)) != 0;
    clang_disposeString(name);
    bool made = clang_Type_getNumTemplateArguments(t) > 0;
    if (wraps || (library && made))
        return wraps || by_arguments(t, depth);
    struct search x = {.depth = depth};
    clang_Type_visitFields(t, visit_field, &x);
    if (!x.found)
        clang_visitChildren(of, visit_base, &x);
    return x.found || library ||
           (made && by_arguments(t, depth)); /* of such a template bases are not shown */
}

static bool holds(CXType t, unsigned depth)
{
    t = clang_getCanonicalType(t);
    if (depth > DEEP)
        return true;
    if (t.kind == CXType_ConstantArray || t.kind == CXType_IncompleteArray)
        return holds(clang_getArrayElementType(t), depth + 1);
    if (t.kind == CXType_Record)
        return in_record(t, depth);
    bool number = t.kind >= CXType_FirstBuiltin && t.kind <= CXType_LastBuiltin && t.kind != CXType_Dependent;
    return !number && t.kind != CXType_Enum && t.kind != CXType_Complex && t.kind != CXType_Vector;
}

bool cc_cu_holds(CXType t)
{
    t = clang_getCanonicalType(t);
    bool refers = t.kind == CXType_LValueReference || t.kind == CXType_RValueReference;
    return holds(refers ? clang_getPointeeType(t) : t, 0);
}
