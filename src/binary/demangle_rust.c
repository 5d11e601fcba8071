/* Names that Rust's compiler makes: the present scheme ("_R", RFC 2603) and the one before it, which looks
 * like C++ with a hash at the end. */
#include "demangle_rust.h"
#include "../base/text.h"

#include <ctype.h>
#include <inttypes.h>

enum { MAX_DEPTH = 128, MAX_STEPS = 20000, MAX_NAME = 8192 };

struct reader {
    const char *s; /* behind "_R" */
    size_t n, at;
    struct cc_buf out;
    unsigned depth, steps, mute; /* mute: what is read is not written */
    bool bad;
};

static char peek(const struct reader *r)
{
    return r->at < r->n ? r->s[r->at] : 0;
}

static bool take(struct reader *r, char c)
{
    if (r->bad || !c || peek(r) != c)
        return false;
    r->at++;
    return true;
}

static void write_bytes(struct reader *r, const char *text, size_t n)
{
    if (r->mute || r->bad)
        return;
    if (r->out.n + n > MAX_NAME)
        r->bad = true;
    else
        cc_buf_add(&r->out, text, n);
}

static void say(struct reader *r, const char *text)
{
    write_bytes(r, text, strlen(text));
}

static void say_number(struct reader *r, const char *before, uint64_t n, const char *behind)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, n);
    say(r, before);
    say(r, text);
    say(r, behind);
}

/* "_" is 0, "0_" is 1. */
static uint64_t base62(struct reader *r)
{
    uint64_t value = 0;
    if (take(r, '_'))
        return 0;
    while (!r->bad && !take(r, '_')) {
        char c = peek(r);
        unsigned digit = c >= '0' && c <= '9'   ? (unsigned)(c - '0')
                         : c >= 'a' && c <= 'z' ? (unsigned)(c - 'a') + 10
                         : c >= 'A' && c <= 'Z' ? (unsigned)(c - 'A') + 36
                                                : 62;
        if (digit == 62 || value > UINT64_MAX / 62 - 2)
            r->bad = true;
        value = value * 62 + digit;
        r->at++;
    }
    return value + 1;
}

static uint64_t marked62(struct reader *r, char mark)
{
    return take(r, mark) ? base62(r) + 1 : 0;
}

struct word {
    const char *s;
    size_t n;
    uint64_t which; /* of several of that name */
};

static size_t decimal(struct reader *r)
{
    size_t n = 0;
    if (!isdigit((unsigned char)peek(r)))
        r->bad = true;
    if (take(r, '0')) /* nothing begins with one */
        return 0;
    while (isdigit((unsigned char)peek(r)) && n < MAX_NAME)
        n = n * 10 + (size_t)(r->s[r->at++] - '0');
    return n;
}

static struct word identifier(struct reader *r)
{
    struct word w = {.s = "", .which = marked62(r, 's')};
    take(r, 'u'); /* Punycode, which is shown as it is */
    size_t n = decimal(r);
    take(r, '_');
    if (n > r->n - r->at)
        r->bad = true;
    if (r->bad)
        return w;
    w.s = r->s + r->at;
    w.n = n;
    r->at += n;
    return w;
}

static void put_path(struct reader *r, bool value);
static void put_type(struct reader *r);

typedef void put_fn(struct reader *r);
static void put_value_path(struct reader *r)
{
    put_path(r, true);
}
static void put_type_path(struct reader *r)
{
    put_path(r, false);
}

/* The same as what began at an earlier place. */
static void put_back(struct reader *r, put_fn *put)
{
    size_t start = r->at - 1, to = (size_t)base62(r), after = r->at;
    if (to >= start || r->bad) {
        r->bad = true;
        return;
    }
    if (r->mute)
        return;
    r->at = to;
    put(r);
    r->at = after;
}

/* "<T>" or "<T as Trait>". */
static void put_impl(struct reader *r, bool muted_path, bool trait)
{
    if (muted_path) {
        r->mute++;
        marked62(r, 's');
        put_path(r, false);
        r->mute--;
    }
    say(r, "<");
    put_type(r);
    if (trait) {
        say(r, " as ");
        put_path(r, false);
    }
    say(r, ">");
}

static void put_nested(struct reader *r, bool value)
{
    char space = peek(r);
    r->at++;
    put_path(r, value);
    struct word w = identifier(r);
    if (space >= 'a' && space <= 'z') {
        if (w.n)
            say(r, "::");
        write_bytes(r, w.s, w.n);
        return;
    }
    char other[] = "::{?";
    other[3] = space;
    say(r, space == 'C' ? "::{closure" : space == 'S' ? "::{shim" : other);
    if (w.n)
        say(r, ":");
    write_bytes(r, w.s, w.n);
    say_number(r, "#", w.which, "}");
}

static void put_const(struct reader *r);

static void put_arguments(struct reader *r)
{
    for (bool first = true; !r->bad && !take(r, 'E'); first = false) {
        if (!first)
            say(r, ", ");
        if (take(r, 'L')) {
            base62(r);
            say(r, "'_");
        } else if (take(r, 'K')) {
            put_const(r);
        } else {
            put_type(r);
        }
    }
}

static void put_path_now(struct reader *r, bool value)
{
    struct word w;
    char c = peek(r);
    r->at++;
    switch (c) {
    case 'C':
        w = identifier(r);
        write_bytes(r, w.s, w.n);
        break;
    case 'M':
        put_impl(r, true, false);
        break;
    case 'X':
        put_impl(r, true, true);
        break;
    case 'Y':
        put_impl(r, false, true);
        break;
    case 'N':
        put_nested(r, value);
        break;
    case 'I':
        put_path(r, value);
        say(r, value ? "::<" : "<");
        put_arguments(r);
        say(r, ">");
        break;
    case 'B':
        put_back(r, value ? put_value_path : put_type_path);
        break;
    default:
        r->bad = true;
    }
}

static void put_path(struct reader *r, bool value)
{
    if (r->bad || ++r->depth > MAX_DEPTH || ++r->steps > MAX_STEPS) {
        r->bad = true;
        return;
    }
    put_path_now(r, value);
    r->depth--;
}

static const char *basic_type(char c)
{
    static const char *const names[26] = {
        "i8",   "bool", "char", "f64", "str", "f32", NULL,  "u8", "isize", "usize", NULL,  "i32", "u32",
        "i128", "u128", "_",    NULL,  NULL,  "i16", "u16", "()", "...",   NULL,    "i64", "u64", "!"};
    return c >= 'a' && c <= 'z' ? names[c - 'a'] : NULL;
}

static unsigned put_list(struct reader *r)
{
    unsigned n = 0;
    for (; !r->bad && !take(r, 'E'); n++) {
        if (n)
            say(r, ", ");
        put_type(r);
    }
    return n;
}

static void put_function(struct reader *r)
{
    marked62(r, 'G');
    if (take(r, 'U'))
        say(r, "unsafe ");
    if (take(r, 'K')) {
        struct word abi = {"C", 1, 0};
        if (!take(r, 'C'))
            abi = identifier(r);
        say(r, "extern \"");
        write_bytes(r, abi.s, abi.n);
        say(r, "\" ");
    }
    say(r, "fn(");
    put_list(r);
    say(r, ")");
    if (take(r, 'u'))
        return;
    say(r, " -> ");
    put_type(r);
}

static void put_dyn(struct reader *r)
{
    say(r, "dyn ");
    marked62(r, 'G');
    for (bool first = true; !r->bad && !take(r, 'E'); first = false) {
        if (!first)
            say(r, " + ");
        put_path(r, false);
        while (!r->bad && take(r, 'p')) {
            struct word w = identifier(r);
            bool more = !r->mute && r->out.n && r->out.s[r->out.n - 1] == '>'; /* arguments go before */
            r->out.n -= more;
            say(r, more ? ", " : "<");
            write_bytes(r, w.s, w.n);
            say(r, " = ");
            put_type(r);
            say(r, ">");
        }
    }
    if (!take(r, 'L'))
        r->bad = true;
    base62(r);
}

static void put_pointer(struct reader *r, const char *sign)
{
    say(r, sign);
    if (take(r, 'L'))
        base62(r);
    put_type(r);
}

static void put_array(struct reader *r, bool sized)
{
    say(r, "[");
    put_type(r);
    if (sized) {
        say(r, "; ");
        put_const(r);
    }
    say(r, "]");
}

static void put_tuple(struct reader *r)
{
    say(r, "(");
    say(r, put_list(r) == 1 ? ",)" : ")");
}

static void put_type_now(struct reader *r)
{
    char c = peek(r);
    const char *basic = basic_type(c);
    if (!strchr("ASTRQPOFDB", c) && !basic) {
        put_path(r, false);
        return;
    }
    r->at++;
    if (basic)
        say(r, basic);
    else if (c == 'A' || c == 'S')
        put_array(r, c == 'A');
    else if (c == 'T')
        put_tuple(r);
    else if (c == 'F')
        put_function(r);
    else if (c == 'D')
        put_dyn(r);
    else if (c == 'B')
        put_back(r, put_type);
    else
        put_pointer(r, c == 'R' ? "&" : c == 'Q' ? "&mut " : c == 'P' ? "*const " : "*mut ");
}

static void put_type(struct reader *r)
{
    if (r->bad || !peek(r) || ++r->depth > MAX_DEPTH || ++r->steps > MAX_STEPS) {
        r->bad = true;
        return;
    }
    put_type_now(r);
    r->depth--;
}

static void put_const(struct reader *r)
{
    if (++r->steps > MAX_STEPS)
        r->bad = true;
    if (take(r, 'B')) {
        put_back(r, put_const);
        return;
    }
    if (take(r, 'p')) {
        say(r, "_");
        return;
    }
    char kind = peek(r);
    r->at++;
    if (!basic_type(kind)) /* strings and structures are not told */
        r->bad = true;
    if (take(r, 'n'))
        say(r, "-");
    uint64_t value = 0;
    while (!r->bad && isxdigit((unsigned char)peek(r)) && value >> 60 == 0) {
        char c = r->s[r->at++];
        value = value << 4 | (unsigned)(isdigit((unsigned char)c) ? c - '0' : tolower(c) - 'a' + 10);
    }
    if (!take(r, '_'))
        r->bad = true;
    if (kind == 'b')
        say(r, value ? "true" : "false");
    else
        say_number(r, "", value, "");
}

char *cc_demangle_rust(const char *symbol)
{
    struct reader r = {.s = symbol + 2, .n = strcspn(symbol + 2, ".$")};
    put_path(&r, true);
    if (!r.bad && r.at < r.n) { /* the crate that made it of a generic one */
        r.mute++;
        put_path(&r, false);
    }
    char *ret = !r.bad && r.at == r.n && r.out.n ? cc_strndup(r.out.s, r.out.n) : NULL;
    cc_buf_fini(&r.out);
    return ret;
}

/* --- before --- */

static const struct {
    const char *code, *text;
} escapes[] = {{"$LT$", "<"},  {"$GT$", ">"},   {"$RF$", "&"},  {"$BP$", "*"},  {"$LP$", "("},
               {"$RP$", ")"},  {"$C$", ","},    {"$SP$", "@"},  {"$u20$", " "}, {"$u27$", "'"},
               {"$u5b$", "["}, {"$u5d$", "]"},  {"$u7b$", "{"}, {"$u7d$", "}"}, {"$u3b$", ";"},
               {"$u2b$", "+"}, {"$u22$", "\""}, {"$u7e$", "~"}, {"..", "::"}};

void cc_demangle_old_rust(char *name)
{
    enum { HASH = 19 }; /* "::h" and 16 digits */
    size_t n = strlen(name);
    if (n <= HASH || strncmp(name + n - HASH, "::h", 3) != 0 ||
        strspn(name + n - 16, "0123456789abcdef") != 16)
        return;
    name[n - HASH] = 0;
    char *to = name;
    for (const char *at = name; *at;) {
        size_t i = 0;
        while (i < CC_COUNT(escapes) && strncmp(at, escapes[i].code, strlen(escapes[i].code)) != 0)
            i++;
        bool led = at[0] == '_' && at[1] == '$'; /* a part of a name does not begin with a sign */
        if (i < CC_COUNT(escapes)) {
            at += strlen(escapes[i].code);
            for (const char *text = escapes[i].text; *text;)
                *to++ = *text++;
        } else if (led) {
            at++;
        } else {
            *to++ = *at++;
        }
    }
    *to = 0;
}
