/* What cc_source_loops_write told, read again. */
#include "source.h"
#include "../../../base/text.h"

struct cc_source_loops *cc_source_loops_new(void)
{
    return cc_alloc(sizeof(struct cc_source_loops));
}

const struct cc_loop_function *cc_source_function(const struct cc_source_loops *s, const char *symbol)
{
    for (size_t i = 0; i < s->functions.n; i++)
        if (strcmp(s->functions.v[i].symbol, symbol) == 0)
            return &s->functions.v[i];
    return NULL;
}

bool cc_source_has_line(const struct cc_loop_function *g, const char *file, unsigned line)
{
    return file && line >= g->line && line <= g->last_line && cc_text_same_file(g->file, file);
}

void cc_source_loops_free(struct cc_source_loops *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < s->v.n; i++) {
        CC_VEC_FINI(&s->v.v[i].variables);
        CC_VEC_FINI(&s->v.v[i].arrays);
        CC_VEC_FINI(&s->v.v[i].heads);
        CC_VEC_FINI(&s->v.v[i].tables);
        CC_VEC_FINI(&s->v.v[i].touches);
        CC_VEC_FINI(&s->v.v[i].vectors);
        CC_VEC_FINI(&s->v.v[i].inside);
        CC_VEC_FINI(&s->v.v[i].spared);
        CC_VEC_FINI(&s->v.v[i].held);
        CC_VEC_FINI(&s->v.v[i].names);
        CC_VEC_FINI(&s->v.v[i].left);
        CC_VEC_FINI(&s->v.v[i].texts);
        CC_VEC_FINI(&s->v.v[i].calls);
        CC_VEC_FINI(&s->v.v[i].accesses);
        CC_VEC_FINI(&s->v.v[i].fills);
        CC_VEC_FINI(&s->v.v[i].given);
        CC_VEC_FINI(&s->v.v[i].combined);
        CC_VEC_FINI(&s->v.v[i].looks);
        CC_VEC_FINI(&s->v.v[i].copies);
        for (size_t k = 0; k < s->v.v[i].choices.n; k++)
            CC_VEC_FINI(&s->v.v[i].choices.v[k].names);
        CC_VEC_FINI(&s->v.v[i].choices);
        for (size_t k = 0; k < s->v.v[i].statements.n; k++)
            CC_VEC_FINI(&s->v.v[i].statements.v[k].names);
        CC_VEC_FINI(&s->v.v[i].statements);
        CC_VEC_FINI(&s->v.v[i].spans);
        CC_VEC_FINI(&s->v.v[i].hands);
        CC_VEC_FINI(&s->v.v[i].lambdas);
        CC_VEC_FINI(&s->v.v[i].lent);
        CC_VEC_FINI(&s->v.v[i].writes);
        CC_VEC_FINI(&s->v.v[i].ways);
        CC_VEC_FINI(&s->v.v[i].read_ways);
    }
    for (size_t i = 0; i < s->functions.n; i++) {
        CC_VEC_FINI(&s->functions.v[i].states);
        CC_VEC_FINI(&s->functions.v[i].shared);
        CC_VEC_FINI(&s->functions.v[i].calls);
        CC_VEC_FINI(&s->functions.v[i].stores);
        CC_VEC_FINI(&s->functions.v[i].hands);
        CC_VEC_FINI(&s->functions.v[i].lent);
        CC_VEC_FINI(&s->functions.v[i].peeks);
        CC_VEC_FINI(&s->functions.v[i].writes);
        CC_VEC_FINI(&s->functions.v[i].fields);
    }
    CC_VEC_FINI(&s->functions);
    CC_VEC_FINI(&s->v);
    cc_arena_fini(&s->arena);
    free(s);
}

enum { MAX_FIELDS = 18 };

static const char *named(struct cc_source_loops *s, const char *text)
{
    return *text ? cc_arena_strdup(&s->arena, text) : NULL;
}

static unsigned number(const char *text)
{
    return (unsigned)strtoul(text, NULL, 10);
}

static void add_variable(struct cc_source_loops *s, char **f)
{
    unsigned class = number(f[1]) & 15;
    if (class < CC_SOURCE_CLASSES && number(f[1]) < 128)
        CC_VEC_PUSH(
            &s->v.v[s->v.n - 1].variables,
            (struct cc_source_variable){.name = cc_arena_strdup(&s->arena, f[5]),
                                        .class = (enum cc_source_class) class,
                                        .op = named(s, f[2]),
                                        .read_line = number(f[3]),
                                        .write_line = number(f[4]),
                                        .shared = number(f[1]) >> 4 & 1,
                                        .of_thread = number(f[1]) >> 6 & 1,
                                        .starts_anew = number(f[1]) >> 5 & 1 && class == CC_SOURCE_REDUCTION,
                                        .lasts = number(f[1]) >> 5 & 1 && class == CC_SOURCE_COUNTER});
}

static void add_lines(char *text, unsigned ret[CC_SOURCE_READS])
{
    for (int k = 0; k < CC_SOURCE_READS && text; k++, text = text ? strchr(text, ',') : NULL) {
        text += *text == ',';
        ret[k] = number(text);
    }
}

static void add_array(struct cc_source_loops *s, char **f)
{
    struct cc_source_array a = {.name = named(s, f[17]),
                                .again = number(f[16]),
                                .op = named(s, f[1]),
                                .partly = named(s, f[3]),
                                .read_line = number(f[5]),
                                .write_line = number(f[6]),
                                .alike = number(f[7]) != 0,
                                .exposed = number(f[8]) != 0,
                                .fixed_line = number(f[9]),
                                .whole = number(f[10]) & 1,
                                .still = number(f[10]) >> 1 & 1,
                                .fresh = number(f[10]) >> 2 & 1,
                                .given = number(f[10]) >> 3 & 1,
                                .led = number(f[10]) >> 4 & 1,
                                .flat = number(f[10]) >> 5 & 1,
                                .result = number(f[11]) != 0,
                                .far = number(f[12]) & 1,
                                .seen = number(f[12]) >> 1 & 1,
                                .lasts = number(f[12]) >> 2 & 1,
                                .apart = number(f[12]) >> 3 & 1,
                                .unseen = number(f[12]) >> 4 & 1,
                                .scratch = number(f[12]) >> 5 & 1,
                                .tight = number(f[12]) >> 6 & 1,
                                .alone = number(f[12]) >> 7 & 1,
                                .moving = number(f[12]) >> 8 & 1,
                                .passed = number(f[12]) >> 9 & 1,
                                .record = number(f[12]) >> 10 & 1,
                                .behind = number(f[12]) >> 11 & 1,
                                .settles = number(f[12]) >> 12 & 1,
                                .spread = number(f[12]) >> 13 & 1,
                                .scaled = number(f[12]) >> 14 & 1,
                                .element = (enum cc_source_element)(number(f[12]) >> 15 & 3),
                                .probes = number(f[12]) >> 17 & 1,
                                .halves = number(f[12]) >> 18 & 1,
                                .chosen = number(f[12]) >> 19 & 1,
                                .constant = number(f[12]) >> 20 & 1,
                                .unsure = number(f[12]) >> 21 & 1,
                                .settled = number(f[12]) >> 22 & 1,
                                .beside = number(f[12]) >> 23 & 1,
                                .strided = number(f[12]) >> 24 & 1,
                                .each = number(f[12]) >> 25 & 1,
                                .member = number(f[12]) >> 26 & 1,
                                .bytes = (1u << (number(f[12]) >> 27 & 7)) >> 1};
    add_lines(f[2], a.reads);
    add_lines(f[4], a.looks);
    add_lines(f[13], a.excused);
    add_lines(f[14], a.writes);
    add_lines(f[15], a.kept);
    unsigned arm[CC_SOURCE_READS] = {0};
    add_lines(f[16], arm);
    a.arm_line = arm[1], a.leads_line = arm[2];
    CC_VEC_PUSH(&s->v.v[s->v.n - 1].arrays, a);
}

static void add_loop(struct cc_source_loops *s, char **f)
{
    CC_VEC_PUSH(&s->v, (struct cc_source_loop){
                           .kind = (enum cc_source_kind)CC_MIN(number(f[1]), (unsigned)CC_SOURCE_RANGE),
                           .line = number(f[2]),
                           .column = number(f[3]),
                           .last_line = number(f[4]),
                           .test_line = number(f[5]),
                           .test_column = number(f[6]),
                           .test_last_line = number(f[7]),
                           .exit_line = number(f[8]),
                           .canonical = number(f[9]) & 1,
                           .begins = number(f[9]) == 1,
                           .bounded = number(f[9]) == 2,
                           .plain = number(f[10]) & 1,
                           .tried = number(f[10]) >> 1 & 1,
                           .bare = number(f[10]) >> 2 & 1,
                           .counter = named(s, f[11]),
                           .function = cc_arena_strdup(&s->arena, f[12]),
                           .file = cc_arena_strdup(&s->arena, f[13])});
}

static void add_function(struct cc_source_loops *s, char **f)
{
    CC_VEC_PUSH(&s->functions, (struct cc_loop_function){.symbol = cc_arena_strdup(&s->arena, f[1]),
                                                         .name = cc_arena_strdup(&s->arena, f[2]),
                                                         .file = cc_arena_strdup(&s->arena, f[3]),
                                                         .line = number(f[4]),
                                                         .last_line = number(f[5]),
                                                         .pure = number(f[6]) & 1,
                                                         .throws = number(f[6]) >> 1 & 1,
                                                         .combines = named(s, f[7])});
}

static struct cc_loop_call call_of(struct cc_source_loops *s, char **f)
{
    return (struct cc_loop_call){.symbol = cc_arena_strdup(&s->arena, f[3]),
                                 .line = number(f[1]),
                                 .always = number(f[2]) & 1,
                                 .own = number(f[2]) >> 1 & 1,
                                 .varies = number(f[2]) >> 2,
                                 .maybe = strchr(f[2], 'm') != NULL,
                                 .needs_body = strchr(f[2], 'b') != NULL,
                                 .gets_data = strchr(f[2], 'd') != NULL,
                                 .gets_place = strchr(f[2], 'p') != NULL,
                                 .assigned = strchr(f[2], 'a') != NULL,
                                 .ends_in_null = strchr(f[2], 'n') != NULL,
                                 .repeated = strchr(f[2], 'r') != NULL};
}

static void add_given(struct cc_source_loops *s, struct cc_source_loop *l, char **f)
{
    unsigned is = number(f[3]);
    CC_VEC_PUSH(&l->given, ((struct cc_source_given){.line = number(f[1]),
                                                     .op = named(s, f[2]),
                                                     .name = cc_arena_strdup(&s->arena, f[4]),
                                                     .result = (is & 3) != 0,
                                                     .settles = (is & 3) == 2,
                                                     .fixed = is >> 2 & 1,
                                                     .apart = is >> 3 & 1,
                                                     .halves = is >> 4 & 1,
                                                     .abreast = is >> 5 & 1,
                                                     .record = is >> 6}));
}

static void add_combined(struct cc_source_loops *s, struct cc_source_loop *l, char **f)
{
    CC_VEC_PUSH(&l->combined, ((struct cc_source_given){.line = number(f[1]),
                                                        .op = cc_arena_strdup(&s->arena, f[2]),
                                                        .name = cc_arena_strdup(&s->arena, f[3]),
                                                        .symbol = cc_arena_strdup(&s->arena, f[4])}));
}

static void add_shared(struct cc_source_loops *s, struct cc_loop_function *g, char **f)
{
    CC_VEC_PUSH(&g->shared,
                ((struct cc_source_shared){
                    .line = number(f[1]), .how = number(f[2]), .name = cc_arena_strdup(&s->arena, f[3])}));
}

static void add_state(struct cc_source_loops *s, struct cc_loop_function *g, char **f, size_t n)
{
    CC_VEC_PUSH(&g->states, ((struct cc_source_state){.line = number(f[1]),
                                                      .always = number(f[2]) & 1,
                                                      .given = number(f[2]) >> 1 & 1,
                                                      .resumes = number(f[2]) >> 2 & 1,
                                                      .lies = number(f[2]) >> 3 & 1,
                                                      .library = number(f[2]) >> 4 & 1,
                                                      .object = number(f[2]) >> 5 & 1,
                                                      .op = named(s, f[3]),
                                                      .name = named(s, f[4]),
                                                      .by = n > 6 ? number(f[5]) : 0,
                                                      .from = n > 6 ? number(f[6]) : 0}));
}

/* Ends a name at the comma; what follows, or NULL. */
static char *cut(char *list)
{
    char *comma = strchr(list, ',');
    if (comma)
        *comma++ = '\0';
    return comma;
}

static void add_choice(struct cc_source_loops *s, struct cc_source_loop *l, char **f)
{
    struct cc_source_choice c = {
        .line = number(f[1]), .last_line = number(f[2]), .op = cc_arena_strdup(&s->arena, f[3])};
    for (char *name = f[4], *next; name; name = next) {
        next = cut(name);
        CC_VEC_PUSH(&c.names, cc_arena_strdup(&s->arena, name));
    }
    CC_VEC_PUSH(&l->choices, c);
}

static void add_statement(struct cc_source_loops *s, struct cc_source_loop *l, char **f)
{
    struct cc_source_statement x = {.line = number(f[1]), .last_line = number(f[2]), .flags = number(f[3])};
    for (char *name = *f[4] ? f[4] : NULL, *next; name; name = next) {
        next = cut(name);
        CC_VEC_PUSH(&x.names, cc_arena_strdup(&s->arena, name));
    }
    CC_VEC_PUSH(&l->statements, x);
}

static void add_walk(struct cc_source_loops *s, struct cc_source_loop *l, char **f)
{
    l->walk_line = number(f[1]);
    l->walk_last = number(f[2]);
    l->walk_field = cc_arena_strdup(&s->arena, f[3]);
    l->walk = cc_arena_strdup(&s->arena, f[4]);
}

static void add_name(struct cc_source_loops *s, struct cc_source_loop *l, char **f)
{
    const char *name = cc_arena_strdup(&s->arena, f[1]);
    if (**f == 'Z')
        CC_VEC_PUSH(&l->spared, name);
    else if (**f == 'D')
        CC_VEC_PUSH(&l->names, name);
    else if (**f == 'I')
        CC_VEC_PUSH(&l->inside, name);
    else if (**f == 'H')
        CC_VEC_PUSH(&l->held, name);
    else if (**f == 'y')
        CC_VEC_PUSH(&l->texts, name);
    else
        CC_VEC_PUSH(&l->left, name);
}

static int place_of(const char *text)
{
    enum { MOST = 1 << 16 }; /* parameters that a function may have */
    if (*text == '-')
        return text[1] == '2' ? CC_STORE_OBJECT : CC_STORE_OTHER;
    return (int)CC_MIN(number(text), (unsigned)MOST);
}

static struct cc_source_hand hand_of(struct cc_source_loops *s, char **f)
{
    return (struct cc_source_hand){number(f[1]),
                                   place_of(f[2]),
                                   place_of(f[3]),
                                   cc_arena_strdup(&s->arena, f[4]),
                                   cc_arena_strdup(&s->arena, f[5]),
                                   number(f[6]) & 1,
                                   number(f[6]) >> 2 & 1,
                                   number(f[6]) >> 3 & 1,
                                   number(f[6]) >> 1 & 1,
                                   number(f[6]) >> 4 & 1,
                                   number(f[6]) >> 5 & 1};
}

static void add_lent(struct cc_source_loops *s, struct cc_source_loop *l, struct cc_loop_function *g,
                     char **f)
{
    if (l)
        CC_VEC_PUSH(&l->lent, hand_of(s, f));
    else
        CC_VEC_PUSH(&g->lent, hand_of(s, f));
}

static struct cc_source_peek peek_of(struct cc_source_loops *s, char **f, bool look)
{
    return (struct cc_source_peek){.line = number(f[1]),
                                   .from = place_of(f[3]),
                                   .kind = number(f[4]),
                                   .sure = look && number(f[2]) & 1,
                                   .lies = look && number(f[2]) >> 2 & 1,
                                   .moves = look && number(f[2]) >> 3 & 1,
                                   .lent = look && number(f[2]) >> 4 & 1,
                                   .told = look && number(f[2]) >> 5 & 1,
                                   .array = look ? number(f[2]) >> 1 & 1 : number(f[2]) == 1,
                                   .name = cc_arena_strdup(&s->arena, f[5]),
                                   .field = cc_arena_strdup(&s->arena, f[6])};
}

/* What is about functions, or about calls of them. */
static bool add_called(struct cc_source_loops *s, char **f, size_t n, bool in_loop)
{
    struct cc_source_loop *l = in_loop ? &s->v.v[s->v.n - 1] : NULL;
    struct cc_loop_function *g = s->functions.n ? &s->functions.v[s->functions.n - 1] : NULL;
    char what = **f;
    if (what == 'C' && n == 4 && l)
        CC_VEC_PUSH(&l->calls, call_of(s, f));
    else if (what == 'C' && n == 4 && g)
        CC_VEC_PUSH(&g->calls, call_of(s, f));
    else if (what == 'G' && n == 7 && l)
        CC_VEC_PUSH(&l->hands, hand_of(s, f));
    else if (what == 'G' && n == 7 && g)
        CC_VEC_PUSH(&g->hands, hand_of(s, f));
    else if (what == 'g' && n == 7 && (l || g))
        add_lent(s, l, g, f);
    else if (what == 'b' && n == 2 && l)
        CC_VEC_PUSH(&l->lambdas, number(f[1]));
    else if (what == 'k' && n == 7 && l)
        CC_VEC_PUSH(&l->writes, peek_of(s, f, false));
    else if (!g || l)
        return false;
    else if (what == 'k' && n == 7)
        CC_VEC_PUSH(&g->writes, peek_of(s, f, false));
    else if (what == 'p' && n == 7)
        CC_VEC_PUSH(&g->peeks, peek_of(s, f, true));
    else if (what == 'S' && n == 7)
        CC_VEC_PUSH(&g->stores, ((struct cc_source_store){number(f[1]), place_of(f[2]), number(f[3]) & 1,
                                                          number(f[3]) >> 1 & 1, number(f[3]) >> 2,
                                                          number(f[4]), cc_arena_strdup(&s->arena, f[5]),
                                                          number(f[6]) & 1, number(f[6]) >> 1 & 1}));
    else if (what == 'M' && n == 2)
        CC_VEC_PUSH(&g->fields, cc_arena_strdup(&s->arena, f[1]));
    else if (what == 'U' && (n == 5 || n == 7))
        add_state(s, g, f, n);
    else if (what == 'Y' && n == 4)
        add_shared(s, g, f);
    else
        return false;
    return true;
}

static long known(const char *text)
{
    return *text ? strtol(text, NULL, 10) : CC_SOURCE_UNKNOWN;
}

static void add_stores(char *text, unsigned *lines, unsigned *bytes)
{
    for (int k = 0; k < CC_HEAD_STORES && text && *text; k++, text = strchr(text, ',')) {
        text += *text == ',';
        lines[k] = number(text);
        bytes[k] = strchr(text, ':') ? number(strchr(text, ':') + 1) : 0;
    }
}

static void add_head(struct cc_source_loop *l, char **f)
{
    struct cc_source_head h = {.line = number(f[1]),
                               .start = known(f[2]),
                               .step = strtol(f[3], NULL, 10),
                               .low = known(f[4]),
                               .count = known(f[5]),
                               .role = number(f[6]),
                               .wrapped = number(f[8])};
    add_stores(f[7], h.stores, h.bytes);
    unsigned bytes[CC_HEAD_STORES];
    add_stores(f[9], h.nested, bytes);
    CC_VEC_PUSH(&l->heads, h);
}

static void add_table(struct cc_source_loops *s, struct cc_source_loop *l, const char *text)
{
    struct cc_source_table t = {.n = 1};
    for (const char *at = text; (at = strchr(at, ',')); at++)
        t.n++;
    t.v = cc_arena_alloc(&s->arena, t.n * sizeof *t.v);
    for (size_t i = 0; i < t.n && text; i++, text = strchr(text, ',')) {
        text += *text == ',';
        t.v[i] = strtol(text, NULL, 10);
    }
    CC_VEC_PUSH(&l->tables, t);
}

/* What count.h tells, and what is written as a whole or in part. */
static bool add_count(struct cc_source_loops *s, struct cc_source_loop *l, char **f, size_t n)
{
    char what = **f;
    if (what == 'h' && n == 10)
        add_head(l, f);
    else if (what == 'm' && n == 3 && l->arrays.n)
        l->arrays.v[l->arrays.n - 1].met_line = number(f[1]),
                                  l->arrays.v[l->arrays.n - 1].met_fields = number(f[2]);
    else if (what == 't' && n == 2)
        add_table(s, l, f[1]);
    else if (what == 'v' && n == 4)
        CC_VEC_PUSH(&l->vectors,
                    ((struct cc_source_vector){strtol(f[1], NULL, 10), cc_arena_strdup(&s->arena, f[2]),
                                               number(f[3]) != 0}));
    else if (what == 'e' && n == 8)
        CC_VEC_PUSH(&l->touches, ((struct cc_source_touch){.array = number(f[1]),
                                                           .variable = strtol(f[2], NULL, 10),
                                                           .how = *f[3],
                                                           .first = strtol(f[4], NULL, 10),
                                                           .bits = strtol(f[5], NULL, 10),
                                                           .at = cc_arena_strdup(&s->arena, f[6]),
                                                           .if_ = cc_arena_strdup(&s->arena, f[7])}));
    else
        return false;
    return true;
}

static void add_accesses(struct cc_source_loop *l, char **f)
{
    unsigned bits = number(f[3]);
    CC_VEC_PUSH(&l->accesses, ((struct cc_source_accesses){.line = number(f[1]),
                                                           .count = number(f[2]),
                                                           .write = **f == 'W',
                                                           .maybe = bits & 1,
                                                           .copies = bits >> 1 & 1,
                                                           .record = bits >> 2}));
}

/* What belongs to the function or loop that came last. Whether it makes sense. */
static bool add_to_last(struct cc_source_loops *s, char **f, size_t n, bool in_loop)
{
    struct cc_source_loop *l = in_loop ? &s->v.v[s->v.n - 1] : NULL;
    char what = **f;
    if (what == 'V' && n == 6 && l)
        add_variable(s, f);
    else if (what == 'A' && n == 18 && l)
        add_array(s, f);
    else if (n == 2 && l && what && strchr("ZDINHy", what))
        add_name(s, l, f);
    else if ((what == 'W' || what == 'R') && n == 4 && l)
        add_accesses(l, f);
    else if (what == 'W' && n == 3 && l)
        CC_VEC_PUSH(&l->fills, ((struct cc_source_fill){number(f[1]), number(f[2])}));
    else if (what == 'B' && n == 5 && l)
        add_given(s, l, f);
    else if (what == 'X' && n == 2 && l)
        l->alert_line = number(f[1]);
    else if (what == 'X' && n == 4 && l)
        l->begin = number(f[1]), l->end = number(f[2]), l->trips = number(f[3]);
    else if (what == 'O' && n == 5 && l)
        add_combined(s, l, f);
    else if (what == 'E' && n == 2 && l && l->arrays.n)
        add_lines(f[1], l->arrays.v[l->arrays.n - 1].lone);
    else if (what == 'K' && n == 3 && l)
        CC_VEC_PUSH(&l->copies,
                    ((struct cc_source_given){number(f[1]), NULL, cc_arena_strdup(&s->arena, f[2])}));
    else if (what == 'Q' && n == 4 && l)
        CC_VEC_PUSH(&l->looks, ((struct cc_source_given){.line = number(f[1]),
                                                         .name = cc_arena_strdup(&s->arena, f[3]),
                                                         .maybe = number(f[2]) & 1,
                                                         .direct = number(f[2]) >> 1 & 1,
                                                         .object = number(f[2]) >> 2 & 1,
                                                         .data = number(f[2]) >> 3 & 3,
                                                         .if_written = number(f[2]) >> 5}));
    else if (what == 'H' && n == 5 && l)
        add_choice(s, l, f);
    else if (what == 'Y' && n == 5 && l)
        l->wave_line = number(f[1]), l->wave_last = number(f[2]), l->wave_reach = number(f[3]),
        l->wave_rows = number(f[4]) != 0;
    else if (what == 'P' && n == 5 && l)
        add_walk(s, l, f);
    else if (what == 'T' && n == 5 && l)
        add_statement(s, l, f);
    else if (what == 'J' && n == 3 && l)
        CC_VEC_PUSH(&l->spans, ((struct cc_source_span){number(f[1]), number(f[2])}));
    else if (what == 'E' && n == 3 && l)
        CC_VEC_PUSH(&l->ways, ((struct cc_source_span){number(f[1]), number(f[2])}));
    else if (what == 'O' && n == 3 && l)
        CC_VEC_PUSH(&l->read_ways, ((struct cc_source_span){number(f[1]), number(f[2])}));
    else if (l && what && strchr("htevm", what))
        return add_count(s, l, f, n);
    else
        return add_called(s, f, n, in_loop);
    return true;
}

void cc_source_loops_add(struct cc_source_loops *s, const char *bytes, size_t size)
{
    const char *end = bytes + size;
    bool in_loop = false;
    while (bytes < end) {
        const char *stop = memchr(bytes, '\n', (size_t)(end - bytes));
        if (!stop)
            return;
        char *line = cc_arena_strndup(&s->arena, bytes, (size_t)(stop - bytes)), *f[MAX_FIELDS];
        size_t n = cc_text_split(line, '\t', f, MAX_FIELDS);
        if (*line == 'L' && n == 14)
            add_loop(s, f), in_loop = true;
        else if (*line == 'F' && n == 8)
            add_function(s, f), in_loop = false;
        else if (!add_to_last(s, f, n, in_loop))
            return;
        bytes = stop + 1;
    }
}
