#include "expr.h"

#include <ctype.h>
#include <errno.h>

enum { MAX_DEPTH = 100 };

struct parser {
    const char *p;
    const struct cc_clause_names *names;
    int depth;
    bool quiet; /* the side of && || ?: that is not taken: faults there do not count */
    char *why;  /* [128]; "" while all is well */
};

static int64_t ternary(struct parser *s);

static int64_t fault(struct parser *s, const char *what)
{
    if (!s->why[0])
        snprintf(s->why, 128, "%s", what);
    return 0;
}

static void space(struct parser *s)
{
    while (isspace((unsigned char)*s->p))
        s->p++;
}

static bool eat(struct parser *s, const char *token)
{
    space(s);
    size_t n = strlen(token);
    if (strncmp(s->p, token, n) != 0)
        return false;
    s->p += n;
    return true;
}

static int64_t number(struct parser *s)
{
    errno = 0;
    char *end;
    long long v = strtoll(s->p, &end, 0);
    if (errno || end == s->p)
        return fault(s, "a number is too large");
    s->p = end;
    while (*s->p && strchr("uUlL", *s->p))
        s->p++;
    if (isalnum((unsigned char)*s->p) || *s->p == '_' || *s->p == '.')
        return fault(s, "not a whole number");
    return v;
}

static bool is_word(const char *from, const char *to, const char *word)
{
    return (size_t)(to - from) == strlen(word) && strncmp(from, word, strlen(word)) == 0;
}

/* sizeof(unsigned long): the last word that says a size decides; a pointer is 8. */
static int64_t size_of(struct parser *s)
{
    static const struct {
        const char *name;
        int64_t size;
    } types[] = {{"char", 1},    {"bool", 1},     {"_Bool", 1},    {"int8_t", 1}, {"uint8_t", 1},
                 {"short", 2},   {"int16_t", 2},  {"uint16_t", 2}, {"int", 4},    {"float", 4},
                 {"int32_t", 4}, {"uint32_t", 4}, {"unsigned", 4}, {"signed", 4}, {"long", 8},
                 {"double", 8},  {"int64_t", 8},  {"uint64_t", 8}, {"size_t", 8}, {"ptrdiff_t", 8},
                 {"const", 0},   {"volatile", 0}};
    if (!eat(s, "("))
        return fault(s, "'(TYPE)' is missing after sizeof");
    int64_t size = 0;
    for (space(s); isalpha((unsigned char)*s->p) || *s->p == '_'; space(s)) {
        const char *start = s->p;
        size_t i = 0;
        while (isalnum((unsigned char)*s->p) || *s->p == '_')
            s->p++;
        while (i < CC_COUNT(types) && !is_word(start, s->p, types[i].name))
            i++;
        if (i == CC_COUNT(types))
            return fault(s, "sizeof knows only C's basic types");
        bool keeps = types[i].size == 0 || (types[i].size == 4 && size); /* short int, long int, int const */
        bool twice = is_word(start, s->p, "double") && size == 8;        /* long double */
        size = twice ? 16 : keeps ? size : types[i].size;
    }
    while (eat(s, "*"))
        size = 8;
    if (!eat(s, ")") || !size)
        return fault(s, "sizeof(TYPE) is incomplete");
    return size;
}

static int64_t word(struct parser *s)
{
    const char *start = s->p;
    while (isalnum((unsigned char)*s->p) || *s->p == '_')
        s->p++;
    int n = (int)CC_MIN(s->p - start, 60);
    if (is_word(start, s->p, "sizeof"))
        return size_of(s);
    bool task = is_word(start, s->p, "TASK");
    if (task || is_word(start, s->p, "DEPTH")) {
        int64_t v = task ? s->names->task : s->names->depth;
        return v >= 0 ? v : fault(s, "TASK and DEPTH have a value only in if, final and depend of a task");
    }
    static const char *const calls[] = {"omp_get_num_procs", "omp_get_max_threads", "omp_get_num_threads"};
    for (size_t i = 0; i < CC_COUNT(calls); i++)
        if (is_word(start, s->p, calls[i])) {
            if (!eat(s, "(") || !eat(s, ")"))
                return fault(s, "'()' is missing after a call");
            return s->names->processors;
        }
    char what[128];
    snprintf(what, sizeof what, "'%.*s' is neither a number nor a #define in reach", n, start);
    return fault(s, what);
}

static int64_t primary(struct parser *s)
{
    if (s->why[0])
        return 0;
    if (++s->depth > MAX_DEPTH)
        return fault(s, "nested too deep");
    space(s);
    int64_t v = 0;
    if (eat(s, "(")) {
        v = ternary(s);
        if (!eat(s, ")"))
            fault(s, "a ')' is missing");
    } else if (*s->p == '!' && s->p[1] != '=') {
        s->p++;
        v = !primary(s);
    } else if (eat(s, "~")) {
        v = ~primary(s);
    } else if (eat(s, "-")) {
        if (__builtin_sub_overflow((int64_t)0, primary(s), &v))
            fault(s, "too large");
    } else if (eat(s, "+")) {
        v = primary(s);
    } else if (isdigit((unsigned char)*s->p)) {
        v = number(s);
    } else if (isalpha((unsigned char)*s->p) || *s->p == '_') {
        v = word(s);
    } else {
        fault(s, *s->p ? "a value is missing" : "it ends too early");
    }
    s->depth--;
    return v;
}

static int64_t divide(struct parser *s, int64_t a, int64_t b, bool rest)
{
    if (s->quiet)
        return 0;
    if (b == 0)
        return fault(s, "division by zero");
    if (b == -1 && a == INT64_MIN)
        return fault(s, "too large");
    return rest ? a % b : a / b;
}

/* Binary operators from the loosest to the tightest; longer spellings first within a level. */
static const char *const levels[][5] = {
    {"||"},       {"&&"},     {"|"},           {"^"}, {"&"}, {"==", "!="}, {"<=", ">=", "<", ">"},
    {"<<", ">>"}, {"+", "-"}, {"*", "/", "%"},
};

static const char *operator_at(struct parser *s, size_t level)
{
    space(s);
    for (size_t i = 0; i < 5 && levels[level][i]; i++) {
        const char *op = levels[level][i];
        size_t n = strlen(op);
        if (strncmp(s->p, op, n) != 0)
            continue;
        if (n == 1 && strchr("|&<>", *op) && s->p[1] == *op) /* a longer one of another level */
            continue;
        s->p += n;
        return op;
    }
    return NULL;
}

static int64_t apply(struct parser *s, const char *op, int64_t a, int64_t b)
{
    int64_t v = 0;
    bool over = false;
    switch (op[0]) {
    case '|':
        return a | b;
    case '^':
        return a ^ b;
    case '&':
        return a & b;
    case '=':
        return a == b;
    case '!':
        return a != b;
    case '+':
        over = __builtin_add_overflow(a, b, &v);
        break;
    case '-':
        over = __builtin_sub_overflow(a, b, &v);
        break;
    case '*':
        over = __builtin_mul_overflow(a, b, &v);
        break;
    case '/':
    case '%':
        return divide(s, a, b, op[0] == '%');
    case '<':
    case '>':
        if (op[1] == op[0]) {
            if (b < 0 || b > 62 || a < 0 || (op[0] == '<' && a >> (62 - b)))
                return s->quiet ? 0 : fault(s, "absurd shift");
            return op[0] == '<' ? a << b : a >> b;
        }
        return op[0] == '<' ? (op[1] ? a <= b : a < b) : (op[1] ? a >= b : a > b);
    }
    if (over && !s->quiet)
        fault(s, "too large");
    return over ? 0 : v;
}

static int64_t binary(struct parser *s, size_t level)
{
    if (level == CC_COUNT(levels))
        return primary(s);
    int64_t a = binary(s, level + 1);
    const char *op;
    while (!s->why[0] && (op = operator_at(s, level))) {
        bool logical = level < 2, known = logical && (level == 0) == (a != 0);
        bool quiet = s->quiet;
        s->quiet = quiet || known;
        int64_t b = binary(s, level + 1);
        s->quiet = quiet;
        if (logical)
            a = known ? level == 0 : b != 0;
        else
            a = apply(s, op, a, b);
    }
    return a;
}

static int64_t ternary(struct parser *s)
{
    if (s->why[0])
        return 0;
    if (++s->depth > MAX_DEPTH)
        return fault(s, "nested too deep");
    int64_t c = binary(s, 0);
    if (!s->why[0] && eat(s, "?")) {
        bool quiet = s->quiet;
        s->quiet = quiet || !c;
        int64_t yes = ternary(s);
        if (!eat(s, ":"))
            fault(s, "a ':' is missing");
        s->quiet = quiet || c;
        int64_t no = ternary(s);
        s->quiet = quiet;
        c = c ? yes : no;
    }
    s->depth--;
    return c;
}

bool cc_expr_eval(const char *text, const struct cc_clause_names *names, int64_t *ret, char why[static 128])
{
    struct parser s = {.p = text, .names = names, .why = why};
    why[0] = 0;
    int64_t v = ternary(&s);
    space(&s);
    if (!why[0] && *s.p)
        snprintf(why, 128, "'%.40s' is left over", s.p);
    if (why[0])
        return false;
    *ret = v;
    return true;
}

bool cc_clause_varies(const char *text)
{
    for (const char *p = text; *p;) {
        const char *start = p;
        while (isalnum((unsigned char)*p) || *p == '_')
            p++;
        if (is_word(start, p, "TASK") || is_word(start, p, "DEPTH"))
            return true;
        p += p == start;
    }
    return false;
}
