/* generate SEED COUNT [rich|c++]: a C program of COUNT random loop nests, each loop labelled by brute force:
 * the nest is executed here, access by access, and every pair of accesses to one place is looked at.
 * Conditions depend on constant data only, so no values are needed for it. `rich` nests are of more kinds:
 * elements behind pointers, in structs and in rows, counters of other types, directions and steps, while
 * loops, `break` and `continue`, inner loops of different length, minima, updates by functions, more types;
 * `c++` has vectors too. A loop whose iterations overwrite each other's elements of an array that nobody
 * reads afterwards, but anybody could, is labelled `either`: free for this program, and a race all the same.
 * So is one that does so by way of pointers, fields or vectors, of which no clause makes copies. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ARRAYS = 3, SCALARS = 2, STATEMENTS = 4, SIZE = 160, LARGE = 512, MAX_EVENTS = 1 << 16 };

static bool rich, cpp;
static int size = SIZE; /* of an array */

static uint64_t state;
static unsigned draw(unsigned n) /* below n */
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(state >> 33) % n;
}

/* --- what a nest is --- */

struct index { /* ci * i + cj * j + c, or of that the entry of the table of indices */
    int ci, cj, c;
    bool indirect;
};

struct operand { /* array >= 0: an element; scalar >= 0: that; else the counter i */
    int array, scalar;
    struct index at;
};

enum shape { SET, UPDATE };
enum form { GLOBAL, STRUCT, POINTER, ROWS, MEMBER, VECTOR }; /* how an element is written */
enum by { HAND, INLINED, CALLED };                           /* an update */

struct statement {
    enum shape shape;
    char op; /* of an update: + * ^ < */
    enum by by;
    struct operand to, from[2];
    unsigned nfrom;
    bool conditional;
    int place; /* 0 before the inner loop, 1 in it, 2 after it */
};

struct nest {
    bool nested;
    int ni, nj;
    unsigned nstatements;
    struct statement v[STATEMENTS];
    bool consumed[ARRAYS + SCALARS]; /* read after the nest */
    int type; /* of all: 0 int, 1 double, 2 unsigned char; a sum that is rounded in between is no reduction */
    int table[LARGE];
    bool conditions[LARGE];
    /* rich: */
    enum form form;
    int counter; /* its type */
    int step, inner_step;
    bool down, whiles, inner_whiles, skips, ragged, remainders;
    int breaks;          /* 1 the outer loop, 2 the inner one, 0 none */
    bool stops[LARGE];   /* where it does */
    const char *said[2]; /* labels: of the outer loop, of the inner one */
};

static const char *const counters[] = {"int", "unsigned", "long", "unsigned long"};

/* The counter's value in an iteration. */
static int value_i(const struct nest *n, int i)
{
    return n->step * (n->down ? n->ni - 1 - i : i);
}

/* How often the inner loop turns. */
static int turns(const struct nest *n, int i)
{
    return n->ragged ? 1 + value_i(n, i) % n->nj : n->nj;
}

static struct index random_index(const struct nest *n, int place)
{
    struct index x = {.c = (int)draw(6)};
    x.indirect = draw(6) == 0;
    bool j = n->nested && place == 1;
    switch (draw(j ? 5 : 3)) {
    case 0:
        x.ci = 1;
        break;
    case 1:
        x.ci = (int)draw(3);
        break;
    case 2:
        x.ci = 1;
        x.c = 2 + (int)draw(3);
        break;
    case 3:
        x.cj = 1;
        break;
    default:
        x.ci = n->nj;
        x.cj = 1;
    }
    return x;
}

static struct operand random_operand(const struct nest *n, int place)
{
    struct operand o = {-1, -1, {0}};
    unsigned kind = draw(10);
    if (kind < 6) {
        o.array = (int)draw(ARRAYS);
        o.at = random_index(n, place);
    } else if (kind < 8) {
        o.scalar = (int)draw(SCALARS);
    }
    return o;
}

static void random_kind(struct nest *n)
{
    static const enum form forms[] = {GLOBAL, GLOBAL, STRUCT, POINTER, ROWS, MEMBER, VECTOR};
    n->form = forms[draw(cpp ? 7 : 6)];
    n->form = cpp && draw(2) ? VECTOR : n->form;
    n->counter = draw(2) ? 0 : (int)draw(4);
    n->step = draw(3) ? 1 : 2 + (int)draw(2);
    n->inner_step = draw(4) ? 1 : 2;
    n->down = draw(5) == 0 && n->counter % 2 == 0;
    n->whiles = draw(6) == 0;
    n->inner_whiles = draw(6) == 0;
    n->skips = draw(8) == 0 && !n->whiles;
    n->ragged = n->nested && draw(5) == 0;
    n->remainders = draw(12) == 0;
    n->breaks = draw(10) ? 0 : 1 + (int)draw(n->nested ? 2 : 1);
    n->type = (int)draw(6);
    for (int i = 0; i < LARGE; i++)
        n->stops[i] = draw(40) == 0;
    for (unsigned k = 0; k < n->nstatements; k++) {
        struct statement *s = &n->v[k];
        if (s->shape != UPDATE)
            continue;
        s->by = draw(4) ? HAND : draw(2) ? INLINED : CALLED;
        if (s->to.array < 0 && draw(4) == 0)
            s->op = '<';
    }
}

static void random_nest(struct nest *n)
{
    memset(n, 0, sizeof *n);
    n->step = n->inner_step = 1;
    n->remainders = !rich;
    n->nested = draw(3) == 0;
    n->ni = 4 + (int)draw(n->nested ? 6 : 30);
    n->nj = n->nested ? 2 + (int)draw(7) : 1;
    n->nstatements = 1 + draw(STATEMENTS);
    for (unsigned i = 0; i < n->nstatements; i++) {
        struct statement *s = &n->v[i];
        s->place = n->nested ? (int)draw(3) : 1;
        s->shape = draw(3) == 0 ? UPDATE : SET;
        s->op = "+*^"[draw(2)];
        do
            s->to = random_operand(n, s->place);
        while (s->to.array < 0 && s->to.scalar < 0);
        s->nfrom = 1 + draw(2);
        for (unsigned k = 0; k < s->nfrom; k++)
            do /* `x = x + y` would be an update as well */
                s->from[k] = random_operand(n, s->place);
            while (s->from[k].array == s->to.array && s->from[k].scalar == s->to.scalar &&
                   memcmp(&s->from[k].at, &s->to.at, sizeof s->to.at) == 0);
        s->conditional = draw(5) == 0 && (s->to.array >= 0 || s->shape == UPDATE);
    }
    /* in the order of their places */
    for (unsigned i = 0; i < n->nstatements; i++)
        for (unsigned k = i + 1; k < n->nstatements; k++)
            if (n->v[k].place < n->v[i].place) {
                struct statement t = n->v[i];
                n->v[i] = n->v[k];
                n->v[k] = t;
            }
    bool permutation = draw(2);
    for (int i = 0; i < size; i++) {
        n->table[i] = permutation ? (i * 7) % size : (int)draw((unsigned)size);
        n->conditions[i] = draw(3) != 0;
    }
    for (int i = 0; i < ARRAYS + SCALARS; i++)
        n->consumed[i] = draw(3) != 0;
    n->type = (int)draw(3);
    if (rich)
        random_kind(n);
}

/* --- what it does --- */

struct event {
    int variable, element; /* scalars behind the arrays */
    int i, j;              /* j -1: outside the inner loop; i -1: after the nest */
    bool write, update;
    char op;
};

static struct event events[MAX_EVENTS];
static size_t nevents;

static int element(const struct nest *n, struct index x, int i, int j)
{
    int at = (x.ci * value_i(n, i) + x.cj * n->inner_step * j + x.c) % size;
    return x.indirect ? n->table[at] : at;
}

static void happen(const struct nest *n, const struct operand *o, int i, int j, struct event e)
{
    if (o->array < 0 && o->scalar < 0)
        return;
    e.variable = o->array >= 0 ? o->array : ARRAYS + o->scalar;
    e.element = o->array >= 0 ? element(n, o->at, i, j < 0 ? 0 : j) : 0;
    e.i = i;
    e.j = j;
    if (nevents < MAX_EVENTS)
        events[nevents++] = e;
}

static void execute(const struct nest *n, int place, int i, int j)
{
    for (unsigned k = 0; k < n->nstatements; k++) {
        const struct statement *s = &n->v[k];
        if (s->place != place || (s->conditional && !n->conditions[value_i(n, i)]))
            continue;
        for (unsigned f = 0; f < s->nfrom; f++)
            happen(n, &s->from[f], i, j, (struct event){.write = false});
        if (s->shape == UPDATE)
            happen(n, &s->to, i, j, (struct event){.update = true, .op = s->op});
        happen(n, &s->to, i, j, (struct event){.write = true, .update = s->shape == UPDATE, .op = s->op});
    }
}

/* seen: all arrays are read after the nest */
static void run(const struct nest *n, bool seen)
{
    nevents = 0;
    for (int i = 0; i < n->ni; i++) {
        if (n->skips && !n->conditions[value_i(n, i)])
            continue;
        if (n->nested)
            execute(n, 0, i, -1);
        for (int j = 0; j < turns(n, i); j++) {
            if (n->breaks == 2 && n->stops[value_i(n, i) + n->inner_step * j])
                break;
            execute(n, 1, i, n->nested ? j : -1);
        }
        if (n->nested)
            execute(n, 2, i, -1);
        if (n->breaks == 1 && n->stops[value_i(n, i)])
            break;
    }
    for (int v = 0; v < ARRAYS + SCALARS; v++)
        for (int e = 0; (n->consumed[v] || (seen && v < ARRAYS)) && e < (v < ARRAYS ? size : 1); e++)
            events[nevents++] = (struct event){.variable = v, .element = e, .i = -1, .j = -1};
}

/* --- what that means --- */

/* Which invocation of the loop an event is in, -1: none; and which iteration. */
static int invocation(bool inner, const struct event *e)
{
    return inner ? (e->j < 0 ? -1 : e->i) : e->i < 0 ? -1 : 0;
}

static int iteration(bool inner, const struct event *e)
{
    return inner ? e->j : e->i;
}

/* The last iteration of an invocation. */
static int last_of(const struct nest *n, bool inner, int of)
{
    return (inner ? turns(n, of) : n->ni) - 1;
}

/* Every access of the variable in the loop updates it, by one operator. */
static bool only_updates(bool inner, int variable)
{
    char op = 0;
    for (size_t k = 0; k < nevents; k++) {
        const struct event *e = &events[k];
        if (e->variable != variable || invocation(inner, e) < 0)
            continue;
        if (!e->update || (op && op != e->op))
            return false;
        op = e->op;
    }
    return true;
}

/* Every write of the array does, though it is also read in other ways: what holds for each element by itself.
 */
static bool writes_update(bool inner, int variable)
{
    char op = 0;
    for (size_t k = 0; k < nevents; k++) {
        const struct event *e = &events[k];
        if (e->variable != variable || invocation(inner, e) < 0 || !e->write)
            continue;
        if (!e->update || (op && op != e->op))
            return false;
        op = e->op;
    }
    return op && variable < ARRAYS;
}

/* Of the accesses of an element: one invocation of the loop only updates it. */
static bool is_pure(bool inner, const struct event **v, size_t n, int of)
{
    bool pure = of >= 0;
    for (size_t k = 0; k < n; k++)
        pure = pure && (invocation(inner, v[k]) != of || v[k]->update);
    return pure;
}

/* A scalar that some statement may read before the iteration has set it: by the source, whatever the
 * conditions. */
static bool exposed_in_source(const struct nest *n, bool inner, int scalar)
{
    bool set = false, turned = false, written = false, exposed = false;
    for (unsigned k = 0; k < n->nstatements; k++) {
        const struct statement *s = &n->v[k];
        if (inner && s->place != 1)
            continue;
        bool known = set || (turned && s->place == 1);
        for (unsigned f = 0; f < s->nfrom; f++)
            exposed = exposed || (s->from[f].scalar == scalar && s->from[f].array < 0 && !known);
        bool mine = s->to.array < 0 && s->to.scalar == scalar;
        exposed = exposed || (mine && s->shape == UPDATE && !known);
        written = written || mine;
        /* an inner loop may not run at all, as far as the source tells: what it sets is so for its rest */
        bool sets = mine && !s->conditional;
        turned = turned || (sets && s->place == 1);
        set = set || (sets && (inner || !n->nested || s->place != 1));
    }
    bool seen = n->consumed[ARRAYS + scalar];
    for (unsigned k = 0; inner && k < n->nstatements; k++)
        for (unsigned f = 0; f < n->v[k].nfrom; f++)
            seen =
                seen || (n->v[k].place != 1 && n->v[k].from[f].scalar == scalar && n->v[k].from[f].array < 0);
    return written && (exposed || (seen && (!set || (n->skips && !inner))));
}

/* each: elements are combined by themselves */
static bool place_harms(const struct nest *nest, bool inner, const struct event **v, size_t n, bool each)
{
    for (size_t k = 0; k < n; k++) {
        int mine = invocation(inner, v[k]);
        const struct event *w = NULL; /* the write before it */
        for (size_t b = 0; b < k; b++)
            w = v[b]->write ? v[b] : w;
        if (each && is_pure(inner, v, n, mine))
            continue;
        bool joined = each && w && is_pure(inner, v, n, invocation(inner, w));
        bool same = w && invocation(inner, w) == mine;
        if (mine >= 0 && !v[k]->write && same && iteration(inner, w) < iteration(inner, v[k]))
            return true; /* flows */
        if (mine >= 0 && !v[k]->write &&
            !same) /* from before the loop: nobody may write it in a later iteration */
            for (size_t f = k + 1; f < n; f++)
                if (v[f]->write && invocation(inner, v[f]) == mine &&
                    iteration(inner, v[f]) > iteration(inner, v[k]))
                    return true;
        /* read after the loop: of several that wrote it the last must have been the loop's last iteration */
        if (!v[k]->write && w && !joined && invocation(inner, w) >= 0 && invocation(inner, w) != mine &&
            iteration(inner, w) != last_of(nest, inner, invocation(inner, w)))
            for (size_t b = 0; b < k; b++)
                if (v[b]->write && invocation(inner, v[b]) == invocation(inner, w) &&
                    iteration(inner, v[b]) != iteration(inner, w))
                    return true;
    }
    return false;
}

static bool flows(bool inner, const struct event **v, size_t n)
{
    for (size_t k = 1; k < n; k++)
        if (invocation(inner, v[k]) >= 0 && invocation(inner, v[k]) == invocation(inner, v[k - 1]) &&
            iteration(inner, v[k]) != iteration(inner, v[k - 1]))
            return true;
    return false;
}

/* Iterations write over what others wrote or read: the variable has to be copied for each of them as a whole,
 * which goes wrong if some read sees what was there before the loop, or what an iteration before the last
 * wrote is needed afterwards. */
static bool copies_harm(const struct nest *n, bool inner, int variable)
{
    bool overwritten = false, exposed = false, needed = false;
    for (size_t k = 0; k < nevents; k++) {
        const struct event *e = &events[k], *w = NULL;
        if (e->variable != variable)
            continue;
        for (size_t b = 0; b < k; b++)
            if (events[b].variable == variable && events[b].element == e->element) {
                w = events[b].write ? &events[b] : w;
                overwritten = overwritten || (e->write && invocation(inner, e) >= 0 &&
                                              invocation(inner, &events[b]) == invocation(inner, e) &&
                                              iteration(inner, &events[b]) != iteration(inner, e));
            }
        int mine = invocation(inner, e);
        exposed = exposed || (!e->write && mine >= 0 && (!w || invocation(inner, w) != mine));
        needed = needed || (!e->write && w && invocation(inner, w) >= 0 && invocation(inner, w) != mine &&
                            iteration(inner, w) != last_of(n, inner, invocation(inner, w)));
    }
    return overwritten && (exposed || needed);
}

static const char *label(const struct nest *n, bool inner)
{
    static const struct event *v[MAX_EVENTS];
    bool reduces = false;
    if (n->breaks == (inner ? 2 : 1))
        return "no";
    for (int variable = 0; variable < ARRAYS + SCALARS; variable++) {
        bool updates = only_updates(inner, variable), each = !updates && writes_update(inner, variable);
        if (variable >= ARRAYS && !updates && exposed_in_source(n, inner, variable - ARRAYS))
            return "no";
        if (!updates && !each && copies_harm(n, inner, variable))
            return "no";
        for (int e = 0; e < (variable < ARRAYS ? size : 1); e++) {
            size_t count = 0;
            for (size_t k = 0; k < nevents; k++)
                if (events[k].variable == variable && events[k].element == e)
                    v[count++] = &events[k];
            if (updates)
                reduces = reduces || flows(inner, v, count);
            else if (place_harms(n, inner, v, count, each))
                return "no";
            else if (each)
                reduces = reduces || flows(inner, v, count);
        }
    }
    return reduces ? "reduction" : "parallel";
}

/* Whether two iterations write an element that no clause has a name for, other than by the same update. */
static bool races(const struct nest *n, bool inner)
{
    for (size_t k = 0; k < nevents && n->form != GLOBAL; k++)
        for (size_t b = 0; b < k; b++) {
            const struct event *x = &events[b], *y = &events[k];
            bool same = x->variable == y->variable && x->element == y->element;
            bool mine = invocation(inner, x) >= 0 && invocation(inner, x) == invocation(inner, y);
            if (same && mine && x->variable < ARRAYS && x->write && y->write &&
                iteration(inner, x) != iteration(inner, y) && !(x->update && y->update && x->op == y->op))
                return true;
        }
    return false;
}

static void find_labels(struct nest *n)
{
    run(n, true);
    bool no[2] = {strcmp(label(n, false), "no") == 0, n->nested && strcmp(label(n, true), "no") == 0};
    run(n, false);
    for (int inner = 0; inner < 1 + n->nested; inner++) {
        n->said[inner] = label(n, inner);
        if (strcmp(n->said[inner], "no") != 0 && (no[inner] || races(n, inner)))
            n->said[inner] = "either";
    }
}

/* --- as C --- */

static const char *const types[] = {"int", "double", "unsigned char", "short", "float", "long"};

static void put_index(const struct nest *n, int id, struct index x)
{
    if (x.indirect)
        printf("t%d[", id);
    printf(n->remainders ? "(%d" : "%d", x.c);
    if (x.ci)
        printf(" + %d * i", x.ci);
    if (x.cj)
        printf(" + %d * j", x.cj);
    if (n->remainders)
        printf(") %% %d", size);
    printf("%s", x.indirect ? "]" : "");
}

static void put_operand(const struct nest *n, int id, const struct operand *o)
{
    if (o->array >= 0) {
        if (n->form == ROWS)
            printf("*r%d_%d[", id, o->array);
        else if (n->form == POINTER)
            printf("p%d[", o->array);
        else if (n->form == MEMBER)
            printf("all->x%d[", o->array);
        else if (n->form == STRUCT)
            printf("x%d[", id);
        else
            printf("x%d_%d[", id, o->array);
        put_index(n, id, o->at);
        printf(n->form == STRUCT ? "].f%d" : "]", o->array);
    } else if (o->scalar >= 0) {
        printf("s%d", o->scalar);
    } else {
        printf("i");
    }
}

static void put_sum(const struct nest *n, int id, const struct statement *s)
{
    for (unsigned f = 0; f < s->nfrom; f++) {
        printf(f ? " + " : "");
        put_operand(n, id, &s->from[f]);
    }
}

static void put_statement(const struct nest *n, int id, const struct statement *s)
{
    if (s->op == '<') {
        printf("{ %s v = ", types[n->type]);
        put_sum(n, id, s);
        printf("; if (v < ");
        put_operand(n, id, &s->to);
        printf(") ");
        put_operand(n, id, &s->to);
        printf(" = v; }\n");
    } else if (s->by != HAND) {
        printf("%s_%s%d(&", s->op == '+' ? "add" : "mul", s->by == INLINED ? "inlined" : "called", n->type);
        put_operand(n, id, &s->to);
        printf(", ");
        put_sum(n, id, s);
        printf(");\n");
    } else {
        put_operand(n, id, &s->to);
        printf(s->shape == UPDATE ? " %c= " : " = ", s->op);
        put_sum(n, id, s);
        printf(";\n");
    }
}

static void put_statements(const struct nest *n, int id, int place, const char *indent)
{
    for (unsigned k = 0; k < n->nstatements; k++) {
        const struct statement *s = &n->v[k];
        if (s->place != place)
            continue;
        printf("%s", indent);
        if (s->conditional)
            printf("if (c%d[i])\n%s    ", id, indent);
        put_statement(n, id, s);
    }
}

static void put_table(const char *type, const char *name, int id, int count, const int *v, const bool *b)
{
    printf("const %s %s%d[%d] = {", type, name, id, count);
    for (int k = 0; k < count; k++)
        printf("%d,", v ? v[k] : b[k]);
    printf("};\n");
}

static void put_arrays(const struct nest *n, int id)
{
    const char *type = types[n->type];
    if (n->form == STRUCT)
        printf("struct e%d { %s f0, f1, f2; } x%d[%d];\n", id, type, id, size);
    for (int k = 0; k < ARRAYS && n->form != STRUCT; k++)
        printf(n->form == VECTOR ? "std::vector<%s> x%d_%d(%d);\n" : "%s x%d_%d[%d];\n", type, id, k, size);
    for (int k = 0; k < ARRAYS && n->form == ROWS; k++)
        printf("%s *r%d_%d[%d];\n", type, id, k, size);
    if (n->form == MEMBER)
        printf("struct all%d { int used; %s *x0, *x1, *x2; };\n", id, type);
    put_table("int", "t", id, size, n->table, NULL);
    put_table("unsigned char", "c", id, size, NULL, n->conditions);
    if (n->breaks)
        put_table("unsigned char", "b", id, size, NULL, n->stops);
}

static void put_step(const struct nest *n, bool inner, const char *indent)
{
    int step = inner ? n->inner_step : n->step;
    bool down = !inner && n->down;
    printf("%s    %c", indent, inner ? 'j' : 'i');
    printf(step > 1 ? " %s= %d;\n" : "%s;\n", step > 1 ? down ? "-" : "+" : down ? "--" : "++", step);
}

/* The head of a loop and its label; the body begins. */
static void put_head(const struct nest *n, bool inner)
{
    char v = inner ? 'j' : 'i', from[64], test[64];
    int step = inner ? n->inner_step : n->step;
    const char *type = counters[n->counter], *indent = inner ? "        " : "    ";
    if (!inner && n->down) {
        snprintf(from, sizeof from, "%s i = %d * (ni - 1)", type, step);
        snprintf(test, sizeof test, "i >= 0");
    } else {
        snprintf(from, sizeof from, "%s %c = 0", type, v);
        snprintf(test, sizeof test, inner && n->ragged ? "%c < %d * (1 + i %% n%c)" : "%c < %d * n%c", v,
                 step, v);
    }
    if (inner ? n->inner_whiles : n->whiles)
        printf("%s{\n%s%s;\n%swhile (%s) { /* loop: %s */\n", indent, indent, from, indent, test,
               n->said[inner]);
    else
        printf("%sfor (%s; %s; %c %s= %d) { /* loop: %s */\n", indent, from, test, v,
               !inner && n->down ? "-" : "+", step, n->said[inner]);
}

static void put_end(const struct nest *n, bool inner)
{
    const char *indent = inner ? "        " : "    ";
    if (inner ? n->inner_whiles : n->whiles) {
        put_step(n, inner, indent);
        printf("%s}\n", indent);
    }
    printf("%s}\n", indent);
}

static void put_body(const struct nest *n, int id)
{
    put_head(n, false);
    if (n->skips)
        printf("        if (!c%d[i])\n            continue;\n", id);
    if (n->nested) {
        put_statements(n, id, 0, "        ");
        put_head(n, true);
        if (n->breaks == 2)
            printf("            if (b%d[i + j])\n                break;\n", id);
        put_statements(n, id, 1, "            ");
        put_end(n, true);
        put_statements(n, id, 2, "        ");
    } else {
        put_statements(n, id, 1, "        ");
    }
    if (n->breaks == 1)
        printf("        if (b%d[i])\n            break;\n", id);
    put_end(n, false);
}

/* What the nest's function gets besides n. */
static void put_parameters(const struct nest *n, int id)
{
    for (int k = 0; k < ARRAYS && n->form == POINTER; k++)
        printf(", %s *p%d", types[n->type], k);
    if (n->form == MEMBER)
        printf(", struct all%d *all", id);
}

static void put_nest(const struct nest *n, int id)
{
    const char *type = types[n->type];
    put_arrays(n, id);
    printf("ALONE void nest%d(int n", id);
    put_parameters(n, id);
    printf(")\n{\n    %s s0 = n, s1 = n + 1;\n    int ni = n + %d, nj = n + %d;\n", type, n->ni, n->nj);
    put_body(n, id);
    printf("    (void)nj, (void)s0, (void)s1;\n");
    for (int k = 0; k < ARRAYS; k++)
        if (n->consumed[k] && n->form == STRUCT)
            printf("    for (int k = 0; k < %d; k++)\n        keep(x%d[k].f%d);\n", size, id, k);
        else if (n->consumed[k])
            printf("    for (int k = 0; k < %d; k++)\n        keep(x%d_%d[k]);\n", size, id, k);
    for (int k = 0; k < SCALARS; k++)
        if (n->consumed[ARRAYS + k])
            printf("    keep(s%d);\n", k);
    printf("}\n\n");
}

static void put_call(const struct nest *n, int id)
{
    for (int k = 0; k < ARRAYS && n->form == ROWS; k++)
        printf("    for (int k = 0; k < %d; k++)\n        r%d_%d[k] = &x%d_%d[k];\n", size, id, k, id, k);
    if (n->form == MEMBER)
        printf("    struct all%d all%d = {n, x%d_0, x%d_1, x%d_2};\n", id, id, id, id, id);
    printf("    nest%d(n", id);
    for (int k = 0; k < ARRAYS && n->form == POINTER; k++)
        printf(", x%d_%d", id, k);
    if (n->form == MEMBER)
        printf(", &all%d", id);
    printf(");\n");
}

/* The functions that update, for each type. */
static void put_functions(void)
{
    for (int t = 0; t < 6; t++)
        for (int k = 0; k < 4; k++)
            printf("static %s void %s_%s%d(%s *p, %s v)\n{\n    *p %c= v;\n}\n",
                   k % 2 ? "__attribute__((noinline))" : "inline", k / 2 ? "mul" : "add",
                   k % 2 ? "called" : "inlined", t, types[t], types[t], k / 2 ? '*' : '+');
}

int main(int argc, char **argv)
{
    if (argc != 3 && argc != 4) {
        fprintf(stderr, "usage: generate SEED COUNT [rich|c++]\n");
        return 2;
    }
    int count = atoi(argv[2]);
    cpp = argc == 4 && !strcmp(argv[3], "c++");
    rich = argc == 4;
    size = rich ? LARGE : SIZE;
    state = strtoull(argv[1], NULL, 10) * 2 + 1;
    for (int i = 0; i < 8; i++)
        draw(2);
    printf("#include \"loops.h\"\n%s\n#define ALONE static __attribute__((noinline))\n",
           cpp ? "#include <vector>\n" : "");
    if (rich)
        put_functions();
    struct nest *all = calloc((size_t)count, sizeof *all);
    for (int id = 0; id < count; id++) {
        random_nest(&all[id]);
        find_labels(&all[id]);
        put_nest(&all[id], id);
    }
    printf("int main(int argc, char **argv)\n{\n    (void)argv;\n    int n = argc - 1;\n");
    for (int id = 0; id < count; id++)
        put_call(&all[id], id);
    printf("    return finish();\n}\n");
    free(all);
    return 0;
}
