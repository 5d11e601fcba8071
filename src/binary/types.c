#include "types.h"

#include <dwarf.h>

enum { MAX_DEPTH = 64, MAX_TYPE = 400 };

static const char *tag_word(int tag)
{
    switch (tag) {
    case DW_TAG_structure_type:
        return "struct ";
    case DW_TAG_union_type:
        return "union ";
    case DW_TAG_enumeration_type:
        return "enum ";
    default:
        return "";
    }
}

static int language_of(Dwarf_Die *die)
{
    Dwarf_Die unit;
    return dwarf_diecu(die, &unit, NULL, NULL) ? dwarf_srclang(&unit) : -1;
}

/* Only C has "struct" and its like in front of a name. */
static bool is_c(Dwarf_Die *die)
{
    int language = language_of(die);
    return language == DW_LANG_C || language == DW_LANG_C89 || language == DW_LANG_C99 ||
           language == DW_LANG_C11;
}

bool cc_type_of(Dwarf_Die *die, Dwarf_Die *ret)
{
    Dwarf_Attribute attr;
    return dwarf_formref_die(dwarf_attr_integrate(die, DW_AT_type, &attr), ret) != NULL;
}

/* Numbers of one or two bytes have no sign, those of any length have one. */
static bool number_of(Dwarf_Die *die, unsigned what, long long *ret)
{
    Dwarf_Attribute attr;
    Dwarf_Sword with = 0;
    Dwarf_Word without = 0;
    if (!dwarf_attr(die, what, &attr))
        return false;
    unsigned form = dwarf_whatform(&attr);
    if (form == DW_FORM_sdata || form == DW_FORM_implicit_const) {
        bool is = dwarf_formsdata(&attr, &with) == 0;
        *ret = with;
        return is;
    }
    bool is = dwarf_formudata(&attr, &without) == 0;
    *ret = (long long)without;
    return is;
}

/* The first index: what a language has where nothing is said, 1 in Fortran. */
static long long lower_bound(Dwarf_Die *dimension)
{
    Dwarf_Sword usual = 0;
    long long n;
    if (number_of(dimension, DW_AT_lower_bound, &n))
        return n;
    return dwarf_default_lower_bound(language_of(dimension), &usual) == 0 ? usual : 0;
}

/* "[3][4]" of an array's dimensions; "[]" where a dimension is not known. */
static void put_dimensions(Dwarf_Die *array, struct cc_buf *out)
{
    Dwarf_Die child;
    bool any = false;
    for (int rc = dwarf_child(array, &child); rc == 0; rc = dwarf_siblingof(&child, &child)) {
        long long n = 0;
        if (dwarf_tag(&child) != DW_TAG_subrange_type)
            continue;
        any = true;
        if (number_of(&child, DW_AT_count, &n))
            cc_buf_printf(out, "[%lld]", n);
        else if (number_of(&child, DW_AT_upper_bound, &n))
            cc_buf_printf(out, "[%lld]", n - lower_bound(&child) + 1);
        else
            cc_buf_puts(out, "[]");
        if (out->n > MAX_TYPE)
            break;
    }
    if (!any)
        cc_buf_puts(out, "[]");
}

static void put_type(Dwarf_Die *type, struct cc_buf *out, int depth);

/* "const int", "int *const"; an array's elements say for themselves. */
static void put_qualified(Dwarf_Die *type, Dwarf_Die *inner, struct cc_buf *out, int depth)
{
    int tag = dwarf_tag(type), of = inner ? dwarf_tag(inner) : 0;
    const char *word = tag == DW_TAG_const_type      ? "const"
                       : tag == DW_TAG_volatile_type ? "volatile"
                                                     : "_Atomic";
    bool behind = of == DW_TAG_pointer_type;
    if (!behind && of != DW_TAG_array_type)
        cc_buf_printf(out, "%s ", word);
    if (inner)
        put_type(inner, out, depth + 1);
    else
        cc_buf_puts(out, "void");
    if (behind)
        cc_buf_puts(out, word);
}

static void put_type(Dwarf_Die *type, struct cc_buf *out, int depth)
{
    Dwarf_Die inner;
    int tag = dwarf_tag(type);
    bool has = depth < MAX_DEPTH && out->n < MAX_TYPE && cc_type_of(type, &inner);
    const char *name = dwarf_diename(type);
    switch (tag) {
    case DW_TAG_pointer_type:
    case DW_TAG_reference_type:
    case DW_TAG_rvalue_reference_type:
        if (has)
            put_type(&inner, out, depth + 1);
        else
            cc_buf_puts(out, "void");
        if (out->n && out->s[out->n - 1] != '*')
            cc_buf_puts(out, " ");
        cc_buf_puts(out, tag == DW_TAG_pointer_type ? "*" : tag == DW_TAG_reference_type ? "&" : "&&");
        return;
    case DW_TAG_const_type:
    case DW_TAG_volatile_type:
    case DW_TAG_atomic_type:
        put_qualified(type, has ? &inner : NULL, out, depth);
        return;
    case DW_TAG_restrict_type:
        if (has)
            put_type(&inner, out, depth + 1);
        return;
    case DW_TAG_array_type:
        if (has)
            put_type(&inner, out, depth + 1);
        put_dimensions(type, out);
        return;
    case DW_TAG_subroutine_type:
        cc_buf_puts(out, "function");
        return;
    default:
        cc_buf_printf(out, "%s%.200s", name && !is_c(type) ? "" : tag_word(tag), name ? name : "{…}");
    }
}

void cc_type_put(Dwarf_Die *type, struct cc_buf *out)
{
    put_type(type, out, 0);
}
