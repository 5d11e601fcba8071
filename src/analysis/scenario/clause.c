/* The clauses of a directive. */
#include "directive.h"
#include "../../base/text.h"

enum argument { NEVER, MAYBE, ALWAYS };

/* How a clause is read. */
enum reading {
    READ_EXPRESSION,
    READ_CONDITION, /* with the name of a directive before it, perhaps */
    READ_STRICT,    /* with "strict:" before it, perhaps */
    READ_FLAG,
    READ_COPIES, /* a list of what is copied to others */
    READ_ORDERED,
    READ_SCHEDULE,
    READ_BIND,
    READ_REDUCTION,
    READ_DEPEND,
    READ_HINT,
    READ_DEVICE,
    READ_MAP,
    READ_TO,
    READ_FROM,
    READ_SIZE, /* one or two numbers, the second 1 without */
    READ_PAIR, /* the second as the first without */
    READ_TILE,
    READ_WORD,   /* one of a few, and nothing else */
    READ_LENGTH, /* of vectors: at least 1 */
    READ_NOTHING
};

struct clause {
    const char *name;
    uint64_t set;
    enum argument argument;
    enum reading reading;
    size_t at; /* the field it sets */
};

#define AT(field) offsetof(struct cc_directive, field)
static const struct clause clauses[] = {
#define CC_CLAUSE(name, set, argument, reading, field) {#name, S(set), argument, reading, AT(field)},
#include "clauses.def"
#undef CC_CLAUSE
    /* of #pragma corecast */
    {"time", S(BLOCK), ALWAYS, READ_EXPRESSION, AT(time)},
    {"speedup", S(BLOCK), ALWAYS, READ_EXPRESSION, AT(speedup)},
    {"read", S(DMA), ALWAYS, READ_SIZE, AT(read)},
    {"write", S(DMA), ALWAYS, READ_SIZE, AT(write)},
    {"buffers", S(DMA), ALWAYS, READ_EXPRESSION, AT(buffers)},
    {"tile", S(TILE), ALWAYS, READ_TILE, AT(tile)},
    {"image", S(TILE), ALWAYS, READ_SIZE, AT(image)},
    {"kernel", S(TILE), ALWAYS, READ_PAIR, AT(kernel)},
    {"pixel", S(TILE), ALWAYS, READ_PAIR, AT(pixel)},
    {"buffers", S(TILE), ALWAYS, READ_EXPRESSION, AT(buffers)},
    {"memory", S(TILE), ALWAYS, READ_EXPRESSION, AT(memory)},
};

static int expression(const struct parse *x, const char *clause, struct span text, const char **ret)
{
    return cc_define_expression(x->s, x->p, clause, text, ret, x->err);
}

bool cc_divide(struct span text, char c, struct span *ret_before, struct span *ret_after)
{
    int depth = 0;
    const char *at = text.from;
    for (; at < text.to && (*at != c || depth); at++)
        depth += (*at == '(' || *at == '[') - (*at == ')' || *at == ']');
    bool found = at < text.to;
    *ret_before = (struct span){text.from, at};
    *ret_after = (struct span){found ? at + 1 : text.to, text.to};
    return found;
}

static int once(const struct parse *x, bool had, const char *clause)
{
    return had ? FAIL(x, "'%s' is given twice for '%s'", clause, x->p->task) : 0;
}

/* A larger copy of a list in the arena. */
static void *grown(const struct parse *x, const void *list, size_t n, size_t size)
{
    char *more = cc_arena_alloc(&x->s->arena, (n + 1) * size);
    if (n)
        memcpy(more, list, n * size);
    return more;
}

/* --- schedule --- */

static int schedule_kind(const struct parse *x, const char *kind)
{
    static const struct {
        const char *name;
        enum cc_omp_schedule schedule;
    } kinds[] = {{"static", CC_OMP_STATIC},
                 {"auto", CC_OMP_STATIC},
                 {"dynamic", CC_OMP_DYNAMIC},
                 {"guided", CC_OMP_GUIDED}};
    for (size_t i = 0; i < CC_COUNT(kinds); i++)
        if (strcmp(kind, kinds[i].name) == 0) {
            x->d->schedule = kinds[i].schedule;
            return 0;
        }
    return FAIL(x, "unknown schedule '%.40s': static, dynamic or guided", kind);
}

/* What OMP_SCHEDULE would say: a #define of that name. */
static int runtime_schedule(const struct parse *x, struct span *text)
{
    const char *value = cc_define_value(x->s, x->p->task, "OMP_SCHEDULE");
    if (!value) {
        int rc = FAIL(x, "schedule(runtime) leaves the schedule open: name it here");
        cc_err_hint(x->err, "or tell what OMP_SCHEDULE would: '* = #define OMP_SCHEDULE dynamic,4'");
        return rc;
    }
    *text = (struct span){value, value + strlen(value)};
    return 0;
}

static int parse_schedule(const struct parse *x, struct span text)
{
    struct cc_directive *d = x->d;
    struct span first, rest, chunk;
    if (once(x, d->has_schedule, "schedule") < 0)
        return -CC_EINPUT;
    if (strcmp(trimmed(x->s, text), "runtime") == 0 && runtime_schedule(x, &text) < 0)
        return -CC_EINPUT;
    if (cc_divide(text, ':', &first, &rest)) {
        struct span one, more = first;
        for (bool again = true; again;) { /* simd: chunks are whole vectors, which changes next to nothing */
            again = cc_divide(more, ',', &one, &more);
            const char *modifier = trimmed(x->s, one);
            if (strcmp(modifier, "monotonic") != 0 && strcmp(modifier, "nonmonotonic") != 0 &&
                strcmp(modifier, "simd") != 0)
                return FAIL(x, "unknown schedule modifier '%.40s'", modifier);
        }
        text = rest;
    }
    bool has_chunk = cc_divide(text, ',', &first, &chunk);
    const char *kind = trimmed(x->s, first);
    if (schedule_kind(x, kind) < 0)
        return -CC_EINPUT;
    d->has_schedule = true;
    if (!has_chunk)
        return 0;
    if (strcmp(kind, "auto") == 0)
        return FAIL(x, "schedule(auto) takes no chunk size");
    return expression(x, "schedule", chunk, &d->chunk);
}

/* close and primary: beside the one that opens the region, as it is without the clause. */
static int parse_bind(const struct parse *x, struct span text)
{
    const char *how = trimmed(x->s, text);
    x->d->spread = strcmp(how, "spread") == 0;
    if (x->d->spread || strcmp(how, "close") == 0 || strcmp(how, "primary") == 0 ||
        strcmp(how, "master") == 0)
        return 0;
    return FAIL(x, "unknown proc_bind '%.40s': primary, close or spread", how);
}

/* --- reduction --- */

/* One item of a reduction: one value for a plain variable, the section's length for an array. */
static int parse_reduction_item(const struct parse *x, struct span item)
{
    const char *end = item.from, *bracket = NULL, *length = NULL, *close = NULL, *values = "1";
    int depth = 0;
    for (; end < item.to; end++) {
        depth += *end == '[';
        depth -= *end == ']';
        if (*end == '[' && depth == 1)
            bracket = end + 1, length = NULL;
        if (*end == ']' && depth == 0)
            close = end;
        if (*end == ':' && depth == 1)
            length = end + 1;
    }
    const char *name = trimmed(x->s, item);
    if (!(isalpha((unsigned char)name[0]) || name[0] == '_') || depth)
        return FAIL(x, "reduction: '%.40s' is no variable", name);
    if (bracket && close) {
        struct span size = {length ? length : bracket, close};
        int rc = expression(x, "reduction", size, &values);
        if (rc < 0)
            return rc;
    }
    struct cc_directive *d = x->d;
    d->reductions = grown(x, d->reductions, d->nreductions, sizeof *d->reductions);
    d->reductions[d->nreductions++] = values;
    return 0;
}

/* OpenMP's, or a name: min, max, or what 'declare reduction' told. */
static bool is_operator(const char *text)
{
    static const char *const operators[] = {"+", "-", "*", "&", "|", "^", "&&", "||"};
    for (size_t i = 0; i < CC_COUNT(operators); i++)
        if (strcmp(text, operators[i]) == 0)
            return true;
    size_t n = 0;
    while (is_name_char(text[n]))
        n++;
    return n && !text[n] && !isdigit((unsigned char)text[0]);
}

/* "+:a,b[:1024],c[0:n]", perhaps with "task," or "default," in front. */
static int parse_reduction(const struct parse *x, struct span text)
{
    struct span operator, variables, item, modifier, rest;
    bool whole = cc_divide(text, ':', &operator, & variables);
    if (whole && cc_divide(operator, ',', &modifier, &rest)) {
        const char *word = trimmed(x->s, modifier);
        if (strcmp(word, "inscan") == 0)
            return FAIL(x, "reduction(inscan): scans are not modelled");
        if (strcmp(word, "task") != 0 && strcmp(word, "default") != 0)
            return FAIL(x, "unknown modifier '%.40s' of reduction", word);
        operator= rest;
    }
    if (!whole || trimmed(x->s, operator)[0] == 0)
        return FAIL(x, "expected reduction(OPERATOR:VARIABLES)");
    if (!is_operator(trimmed(x->s, operator)))
        return FAIL(x, "reduction: '%.40s' is no operator and no name of one", trimmed(x->s, operator));
    for (bool again = true; again;) {
        again = cc_divide(variables, ',', &item, &variables);
        int rc = parse_reduction_item(x, item);
        if (rc < 0)
            return rc;
    }
    return 0;
}

/* --- depend --- */

/* "x" or "x[i][TASK-1]": its name, and its indexes as expressions. */
static int parse_place(const struct parse *x, struct span item, struct cc_depend *ret)
{
    const char *at = item.from;
    while (at < item.to && isspace((unsigned char)*at))
        at++;
    const char *name = at;
    while (at < item.to && (is_name_char(*at) || *at == '.'))
        at++;
    if (at == name || isdigit((unsigned char)*name))
        return FAIL(x, "depend: '%.40s' is no variable", trimmed(x->s, item));
    ret->name = cc_arena_strndup(&x->s->arena, name, (size_t)(at - name));
    ret->nindexes = 0;
    for (at = skip_blanks(at); at < item.to && *at == '['; at = skip_blanks(at)) {
        const char *from = at + 1;
        int depth = 0;
        for (; at < item.to; at++) {
            depth += (*at == '[') - (*at == ']');
            if (depth == 0)
                break;
        }
        if (at == item.to || ret->nindexes == CC_COUNT(ret->index))
            return FAIL(x, "depend: '%.40s' is no variable", trimmed(x->s, item));
        struct span index = {from, at++}, before, after;
        if (cc_divide(index, ':', &before,
                      &after)) /* a section: where it begins, as the same sections are meant */
            index = before;
        if (trimmed(x->s, index)[0] == 0)
            ret->index[ret->nindexes++] = "0";
        else if (expression(x, "depend", index, &ret->index[ret->nindexes++]) < 0)
            return -CC_EINPUT;
    }
    return at < item.to ? FAIL(x, "depend: '%.40s' is no variable", trimmed(x->s, item)) : 0;
}

static int parse_depend(const struct parse *x, struct span text)
{
    struct cc_directive *d = x->d;
    struct span how, places, item;
    if (!cc_divide(text, ':', &how, &places))
        return FAIL(x, "expected depend(in|out|inout: VARIABLES)");
    const char *word = trimmed(x->s, how);
    bool in = strcmp(word, "in") == 0;
    if (!in && strcmp(word, "out") != 0 && strcmp(word, "inout") != 0 && strcmp(word, "mutexinoutset") != 0)
        return FAIL(x, "depend(%.40s) is not modelled: in, out, inout or mutexinoutset", word);
    for (bool again = true; again;) {
        again = cc_divide(places, ',', &item, &places);
        d->depends = grown(x, d->depends, d->ndepends, sizeof *d->depends);
        d->depends[d->ndepends].in = in;
        int rc = parse_place(x, item, &d->depends[d->ndepends]);
        if (rc < 0)
            return rc;
        d->ndepends++;
    }
    return 0;
}

/* --- target --- */

/* The bytes of "a[0:n][0:m]": the lengths' product times what an element has, sizeof_a. */
static int map_bytes(const struct parse *x, const char *name, struct span sections, const char **ret)
{
    CC_CLEANUP(cc_free_ptr) char *key = cc_asprintf("sizeof_%s", name);
    struct cc_buf b = {0};
    int rc = 0;
    cc_buf_printf(&b, "(%s)", key);
    if (!cc_define_value(x->s, x->p->task, key)) {
        rc = FAIL(x, "map: how many bytes '%.40s' has is not told", name);
        cc_err_hint(x->err, "'* = #define %s sizeof(float)': of one element, or of all if it has no section",
                    key);
    }
    for (const char *at = skip_blanks(sections.from); rc == 0 && at < sections.to; at = skip_blanks(at)) {
        struct span one, first, length;
        if (*at != '[' || !(one.to = memchr(at, ']', (size_t)(sections.to - at))))
            rc = FAIL(x, "map: '%.40s' is no array section", at);
        else {
            one.from = at + 1;
            at = one.to + 1;
            length = cc_divide(one, ':', &first, &length) ? length : (struct span){NULL, NULL};
            cc_buf_printf(&b, "*(%s)", length.from ? trimmed(x->s, length) : "1");
        }
    }
    if (rc == 0)
        rc = expression(x, "map", (struct span){b.s, b.s + b.n}, ret);
    cc_buf_fini(&b);
    return rc;
}

static int add_map(const struct parse *x, bool to, bool from, struct span variables)
{
    struct cc_directive *d = x->d;
    struct span item;
    for (bool again = true; again;) {
        again = cc_divide(variables, ',', &item, &variables);
        const char *at = item.from;
        while (at < item.to && isspace((unsigned char)*at))
            at++;
        struct span name = {at, at};
        while (name.to < item.to && is_name_char(*name.to))
            name.to++;
        struct cc_map_item m = {.name = trimmed(x->s, name), .to = to, .from = from};
        if (!m.name[0])
            return FAIL(x, "map: '%.40s' is no variable", trimmed(x->s, item));
        int rc = map_bytes(x, m.name, (struct span){name.to, item.to}, &m.bytes);
        if (rc < 0)
            return rc;
        d->maps = grown(x, d->maps, d->nmaps, sizeof *d->maps);
        d->maps[d->nmaps++] = m;
    }
    return 0;
}

/* "[always,] to: a[0:n]"; without a type it is tofrom. */
static int parse_map(const struct parse *x, struct span text)
{
    struct span type, rest, word;
    bool to = true, from = true;
    if (!cc_divide(text, ':', &type, &rest))
        return add_map(x, true, true, text);
    for (bool again = true; again;) {
        again = cc_divide(type, ',', &word, &type);
        const char *w = trimmed(x->s, word);
        if (strcmp(w, "always") == 0 || strcmp(w, "close") == 0 || strcmp(w, "present") == 0)
            continue;
        to = strcmp(w, "to") == 0 || strcmp(w, "tofrom") == 0;
        from = strcmp(w, "from") == 0 || strcmp(w, "tofrom") == 0;
        if (!to && !from && strcmp(w, "alloc") != 0 && strcmp(w, "release") != 0 && strcmp(w, "delete") != 0)
            return FAIL(x, "unknown type '%.40s' of map: to, from, tofrom, alloc, release or delete", w);
    }
    return add_map(x, to, from, rest);
}

/* A unit's name, or the number of one: the platform decides. */
static int parse_device(const struct parse *x, const char **place, struct span text)
{
    int rc = once(x, *place != NULL, "device");
    *place = trimmed(x->s, text);
    if (rc == 0 && !**place)
        rc = FAIL(x, "device() lacks a unit");
    return rc;
}

/* --- the others --- */

/* Where the word that an 'if' without a name of a directive is about begins: the first that takes one. */
static const char *asked(const char *words)
{
    static const char *const takers[] = {"parallel", "task", "taskloop", "target", "simd"};
    for (const char *at = words; at; at = strchr(at, ' ')) {
        at += *at == ' ';
        for (size_t i = 0; i < CC_COUNT(takers); i++)
            if (cc_match_words(at, takers[i]))
                return at;
    }
    return words;
}

/* "parallel: n > 100": the name of the directive that is meant goes; it is the one that is asked. */
static int without_name(const struct parse *x, const char *words, struct span *text)
{
    struct span name, rest;
    const char *word = cc_divide(*text, ':', &name, &rest) ? trimmed(x->s, name) : "";
    x->d->vector_if = true;
    if (!*word || word[strspn(word, "abcdefghijklmnopqrstuvwxyz ")])
        return 0;
    *text = rest;
    const char *first = asked(words);
    x->d->vector_if = strcmp(word, "simd") == 0;
    if (cc_match_words(first, word))
        return 0;
    for (const char *at = words; at; at = strchr(at, ' ')) {
        at += *at == ' ';
        if (cc_match_words(at, word))
            return FAIL(x, "if(%.40s: …) of '%s' is not modelled: only what holds for '%.*s'", word, words,
                        (int)strcspn(first, " "), first);
    }
    return FAIL(x, "if(%.40s: …) for '%s': there is no '%.40s' in '%s'", word, x->p->task, word, words);
}

/* Clauses that take no time, but only one of these words. */
static int parse_word(const struct parse *x, const char *name, struct span text)
{
    static const char *const known[][2] = {
        {"order", "concurrent"},
        {"order", "reproducible:concurrent"},
        {"order", "unconstrained:concurrent"},
        {"bind", "teams"},
        {"bind", "parallel"},
        {"bind", "thread"},
        {"default", "shared"},
        {"default", "none"},
        {"default", "private"},
        {"default", "firstprivate"},
    };
    struct cc_buf word = {0}, all = {0};
    bool found = false;
    for (const char *at = text.from; at < text.to; at++)
        if (!isspace((unsigned char)*at))
            cc_buf_printf(&word, "%c", *at);
    for (size_t i = 0; i < CC_COUNT(known); i++) {
        if (strcmp(known[i][0], name) != 0)
            continue;
        found = found || (word.n && strcmp(word.s, known[i][1]) == 0);
        cc_buf_printf(&all, "%s%s", all.n ? ", " : "", known[i][1]);
    }
    int rc = found ? 0 : FAIL(x, "unknown %s '%.40s': %s", name, word.n ? word.s : "", all.s);
    cc_buf_fini(&word);
    cc_buf_fini(&all);
    return rc;
}

static int parse_length(const struct parse *x, const char *name, struct span text)
{
    const char *value;
    int rc = expression(x, name, text, &value);
    if (rc == 0 && (*value == '-' || value[strspn(value, "0 ")] == 0))
        rc = FAIL(x, "%s of '%s' is %s, less than 1", name, x->p->task, value);
    return rc;
}

static int parse_size(const struct parse *x, const struct clause *c, const char *place[2], struct span text)
{
    if (once(x, place[0] != NULL, c->name) < 0)
        return -CC_EINPUT;
    struct span first, second;
    bool two = cc_divide(text, ',', &first, &second);
    int rc = expression(x, c->name, first, &place[0]);
    place[1] = c->reading == READ_PAIR ? place[0] : "1";
    return rc == 0 && two ? expression(x, c->name, second, &place[1]) : rc;
}

static int parse_tile(const struct parse *x, const struct clause *c, const char *place[2], struct span text)
{
    static const struct clause size = {"tile", 0, ALWAYS, READ_PAIR, 0};
    if (once(x, x->d->tiled, c->name) < 0)
        return -CC_EINPUT;
    x->d->tiled = true;
    return strcmp(trimmed(x->s, text), "auto") == 0 ? 0 : parse_size(x, &size, place, text);
}

static int parse_flag(const struct parse *x, const char *name, bool *flag)
{
    bool had = *flag;
    *flag = true;
    return once(x, had, name);
}

static int parse_expression(const struct parse *x, const struct clause *c, const char **place,
                            struct span text)
{
    struct span before, after;
    if (c->reading == READ_STRICT && cc_divide(text, ':', &before, &after) &&
        strcmp(trimmed(x->s, before), "strict") == 0)
        text = after;
    int rc = once(x, *place != NULL, c->name);
    return rc < 0 ? rc : expression(x, c->name, text, place);
}

static int parse_clause(const struct parse *x, const struct clause *c, struct span text)
{
    void *at = (char *)x->d + c->at;
    switch (c->reading) {
    case READ_SCHEDULE:
        return parse_schedule(x, text);
    case READ_BIND:
        return parse_bind(x, text);
    case READ_REDUCTION:
        return parse_reduction(x, text);
    case READ_DEPEND:
        return parse_depend(x, text);
    case READ_MAP:
        return parse_map(x, text);
    case READ_TO:
        return add_map(x, true, false, text);
    case READ_FROM:
        return add_map(x, false, true, text);
    case READ_DEVICE:
        return parse_device(x, at, text);
    case READ_SIZE:
    case READ_PAIR:
        return parse_size(x, c, at, text);
    case READ_TILE:
        return parse_tile(x, c, at, text);
    case READ_FLAG:
        return parse_flag(x, c->name, at);
    case READ_ORDERED:
        return text.from < text.to
                   ? FAIL(x, "ordered(N): dependences between iterations (doacross) are not modelled")
                   : parse_flag(x, c->name, at);
    case READ_HINT:
        x->d->uncontended = strstr(trimmed(x->s, text), "uncontended") != NULL;
        return 0;
    case READ_EXPRESSION:
    case READ_CONDITION:
    case READ_STRICT:
        return parse_expression(x, c, at, text);
    case READ_WORD:
        return parse_word(x, c->name, text);
    case READ_LENGTH:
        return parse_length(x, c->name, text);
    case READ_COPIES:
        *(bool *)at = true;
        break;
    case READ_NOTHING:
        break;
    }
    return c->argument == ALWAYS && !*trimmed(x->s, text) ? FAIL(x, "'%s' has nothing in its '()'", c->name)
                                                          : 0;
}

/* Known to OpenMP, and not to the replay; or of another language. */
static const char *const refused[][2] = {
    {"detach", "when the event comes is not in the recording"},
    {"doacross", "dependences between iterations are not followed"},
    {"sink", "dependences between iterations are not followed"},
    {"source", "dependences between iterations are not followed"},
    {"inclusive", "scans are not modelled"},
    {"exclusive", "scans are not modelled"},
    {"apply", "it changes the loop that was recorded: record the changed loop"},
    {"do", "a word of Fortran: 'for' here"},
    {"enddo", "a word of Fortran"},
};

/* Of directives that take the clause in OpenMP. */
static const char *const refused_with[][3] = {
    {"ordered", "depend", "dependences between iterations are not followed"},
    {"ordered", "simd", "lanes of a vector that take turns are not modelled"},
    {"taskwait", "nowait", "a wait that others are to wait for is not followed"},
};

static int does_not_go(const struct parse *x, const char *name, const char *words)
{
    for (size_t i = 0; i < CC_COUNT(refused_with); i++)
        if (strcmp(refused_with[i][1], name) == 0 && cc_match_words(words, refused_with[i][0]))
            return FAIL(x, "'%s' of '%s' is not modelled: %s", name, words, refused_with[i][2]);
    return FAIL(x, "'%s' does not go with '%s'", name, words);
}

static int unknown_clause(const struct parse *x, const char *word)
{
    for (size_t i = 0; i < CC_COUNT(refused); i++)
        if (strcmp(refused[i][0], word) == 0)
            return FAIL(x, "'%s' is not modelled: %s", word, refused[i][1]);
    int rc = FAIL(x, "unknown clause '%.40s'", word);
    const char *names[CC_COUNT(clauses)];
    for (size_t i = 0; i < CC_COUNT(clauses); i++)
        names[i] = clauses[i].name;
    const char *near = cc_nearest(word, names, CC_COUNT(names));
    if (near)
        cc_err_hint(x->err, "did you mean '%s'?", near);
    return rc;
}

const char *cc_closing(const char *p)
{
    int depth = 0;
    for (; *p; p++) {
        depth += *p == '(';
        depth -= *p == ')';
        if (depth == 0)
            return p;
    }
    return NULL;
}

/* One name may be several clauses, of different directives. */
static int find_clause(const struct parse *x, const char *name, uint64_t allowed, const char *words,
                       const struct clause **ret)
{
    bool known = false;
    for (size_t i = 0; i < CC_COUNT(clauses); i++) {
        if (strcmp(clauses[i].name, name) != 0)
            continue;
        known = true;
        *ret = &clauses[i];
        if (clauses[i].set & allowed)
            return 0;
    }
    for (size_t i = 0; !known && i < CC_COUNT(refused_with); i++)
        known = strcmp(refused_with[i][1], name) == 0 && cc_match_words(words, refused_with[i][0]);
    return known ? does_not_go(x, name, words) : unknown_clause(x, name);
}

static int parse_all(const struct parse *x, const char *at, uint64_t allowed, const char *words,
                     struct givens *all)
{
    for (at = skip_blanks(at); *at; at = skip_blanks(at)) {
        const char *word = at;
        while (is_name_char(*at))
            at++;
        if (at == word && *at == ',') {
            at++;
            continue;
        }
        if (at == word)
            return FAIL(x, "'%.40s' is no clause", at);
        const char *name = trimmed(x->s, (struct span){word, at}), *open = skip_blanks(at), *close = NULL;
        const struct clause *c = NULL;
        int rc = find_clause(x, name, allowed, words, &c);
        if (rc < 0)
            return rc;
        if (*open == '(' && c->argument == NEVER)
            return FAIL(x, "'%s' takes no argument", name);
        if (c->argument == ALWAYS || *open == '(')
            close = *open == '(' ? cc_closing(open) : NULL;
        if (!close && (c->argument == ALWAYS || *open == '('))
            return FAIL(x, "'%s' lacks its '(…)'", name);
        struct span text = {close ? open + 1 : at, close ? close : at};
        CC_VEC_PUSH(all, ((struct given){name, text}));
        rc = c->reading == READ_CONDITION ? without_name(x, words, &text) : 0;
        if (rc == 0)
            rc = parse_clause(x, c, text);
        if (rc < 0)
            return rc;
        if (close)
            at = close + 1;
    }
    return 0;
}

int cc_parse_clauses(const struct parse *x, const char *at, uint64_t allowed, const char *words)
{
    struct givens all = {0};
    int rc = parse_all(x, at, allowed, words, &all);
    if (rc == 0 && !x->p->own)
        rc = cc_clauses_clash(x, all.v, all.n);
    CC_VEC_FINI(&all);
    return rc;
}
