/* Random nests with subscripts of many kinds: what is proved of an array by its text has to hold when the
 * nest is executed, access by access, for small values of its variables. Every third is read as C++. */
#include "test_told.h"
#include "../../metrics/tree.h"
#include "../../../../tests/tap.h"

enum { NESTS = 700, LARGEST = 6, MOST = 4000, ACCESSES = 5, TERMS = 3, LOOPS = 2 };

static uint64_t state = 84295670;
static unsigned draw(unsigned n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(state >> 33) % n;
}

/* I: the outer counter, J: that of the loop around; N, M: do not change. From LESS on: made of these two. */
enum symbol {
    ONE,
    I,
    J,
    N,
    M,
    IN,
    JN,
    I6,
    HALF,
    LESS,
    MORE,
    CHOSEN,
    EVEN,
    ODD,
    TURNED,
    /* these change with i */ COLOUR,
    LOW,
    THIRD,
    OTHER,
    SYMBOLS
};
static const char *const texts[SYMBOLS] = {"1",
                                           "i",
                                           "j",
                                           "n",
                                           "m",
                                           "i * n",
                                           "j * n",
                                           "i * 6",
                                           "n / 2",
                                           "less",
                                           "more",
                                           "n - 1 < m ? n - 1 : m",
                                           "n & 1",
                                           "(n + 3) % 2",
                                           "n ^ 1",
                                           "(i + n) % 2",
                                           "i & 1",
                                           "(m + 2 * i) % 3",
                                           "i % 2 ^ n & 1"};

struct sum {
    int factor[TERMS];
    enum symbol symbol[TERMS];
    unsigned n;
};

static int value(const struct sum *s, int i, int j, int n, int m)
{
    const int less = n < m ? n : m, more = m + 1 > n ? m + 1 : n, chosen = n - 1 < m ? n - 1 : m;
    const int of[SYMBOLS] = {1,
                             i,
                             j,
                             n,
                             m,
                             i * n,
                             j * n,
                             i * 6,
                             n / 2,
                             less,
                             more,
                             chosen,
                             n & 1,
                             (n + 3) % 2,
                             n ^ 1,
                             (i + n) % 2,
                             i & 1,
                             (m + 2 * i) % 3,
                             (i % 2) ^ (n & 1)};
    int sum = 0;
    for (unsigned k = 0; k < s->n; k++)
        sum += s->factor[k] * of[s->symbol[k]];
    return sum;
}

static void put(struct cc_buf *b, const struct sum *s)
{
    for (unsigned k = 0; k < s->n; k++)
        cc_buf_printf(b, "%s%d * (%s)", k ? " + " : "", s->factor[k], texts[s->symbol[k]]);
}

static struct sum random_sum(bool inner, unsigned most)
{
    struct sum s = {.n = 1 + draw(most)};
    for (unsigned k = 0; k < s.n; k++) {
        static const int factors[] = {1, 1, 1, 1, 2, -1, 3, 6};
        s.factor[k] = factors[draw(8)];
        do
            s.symbol[k] = draw(3) ? I + draw(2) : draw(SYMBOLS);
        while (!inner && (s.symbol[k] == J || s.symbol[k] == JN));
    }
    return s;
}

struct head { /* for (x = from; x < to; x += step) */
    struct sum from, to;
    int step;
};

static struct head random_head(bool inner)
{
    struct head h = {.step = draw(4) ? 1 : 1 + (int)draw(3)};
    static const enum symbol starts[] = {I, N, I, MORE}, ends[] = {N, N, M, LESS, CHOSEN, HALF, I, I};
    h.from = (struct sum){{draw(3) ? (int)draw(2) : 2}, {ONE}, 1};
    if (inner && draw(3) == 0)
        h.from = (struct sum){{1, (int)draw(2)}, {starts[draw(4)], ONE}, 2};
    h.to = (struct sum){{1, -(int)draw(2)}, {inner ? ends[draw(8)] : ends[draw(6)], ONE}, 2};
    return h;
}

struct access {
    bool two; /* a[x][y], else b[x] */
    struct sum x, y;
    bool write, update; /* update: it is combined with something */
    unsigned place;     /* 0 before the inner loop, 1 in it, 2 in a second, 3 after them */
};

/* An element along a diagonal, or one that is mirrored at it, or in one half of the array. */
static void turn(struct access *a, bool inner)
{
    int off = (int)draw(3) - 1;
    enum symbol one = inner && draw(2) ? J : I, other = inner && draw(2) ? J : I;
    a->two = true;
    a->x = (struct sum){{1, (int)draw(2)}, {one, ONE}, 2};
    a->y = draw(2) ? (struct sum){{1, off}, {one == I && inner ? J : I, ONE}, 2}
                   : (struct sum){{1, -1, off}, {draw(2) ? LESS : M, other, ONE}, 3};
    if (draw(3) == 0)
        a->x = (struct sum){{1}, {draw(2) ? EVEN : draw(2) ? ODD : draw(2) ? N : TURNED}, 1};
}

/* From one end of an array to the middle, and from the other; or a little further. */
static struct access mirror(bool write)
{
    struct access a = {.write = write};
    a.x = draw(2) ? (struct sum){{1, (int)draw(2)}, {I, ONE}, 2}
                  : (struct sum){{1, -1, -(int)draw(3)}, {N, I, ONE}, 3};
    return a;
}

/* Fields of one colour: of a board, or of every third line. */
static void colour(struct head *h)
{
    static const enum symbol starts[] = {COLOUR, COLOUR, LOW, THIRD, OTHER, I};
    h->from = (struct sum){{1, (int)draw(3)}, {starts[draw(6)], ONE}, 2};
    h->step = 1 + (int)draw(3);
}

struct nest {
    struct head outer, inner[LOOPS];
    struct access v[ACCESSES];
    unsigned n;
};

/* A board, of which each loop inside has the fields of one colour. */
static void board(struct nest *t, bool updates)
{
    colour(&t->inner[0]);
    t->inner[1] = draw(3) ? t->inner[0] : t->inner[1];
    for (unsigned k = 0; k < t->n; k++)
        t->v[k] = (struct access){true,
                                  {{1, (int)draw(3) - 1}, {I, ONE}, 2},
                                  {{1, (int)draw(3) - 1}, {J, ONE}, 2},
                                  k == 0,
                                  k == 0 && updates,
                                  1 + draw(2)};
}

static struct nest random_nest(void)
{
    struct nest t = {.outer = random_head(false), .n = 2 + draw(ACCESSES - 1)};
    for (int k = 0; k < LOOPS; k++)
        t.inner[k] = random_head(true);
    bool updates = draw(3) == 0, turned = draw(4) == 0;
    for (unsigned k = 0; k < t.n; k++) {
        struct access *a = &t.v[k];
        a->place = draw(4);
        bool inner = a->place == 1 || a->place == 2;
        a->two = draw(2);
        a->x = random_sum(inner, a->two ? 2 : 3);
        a->y = random_sum(inner, 2);
        if (k && draw(2)) { /* near another */
            a->x = t.v[draw(k)].x;
            for (unsigned i = 0; !inner && i < a->x.n; i++)
                a->x.symbol[i] = a->x.symbol[i] == J ? I : a->x.symbol[i] == JN ? IN : a->x.symbol[i];
            a->x.factor[0] += draw(4) == 0;
        }
        if (draw(3) == 0)
            a->x = (struct sum){{1}, {inner ? J : I}, 1};
        else if (draw(4) == 0) /* from the end */
            a->x = (struct sum){{1, -1, -(int)draw(3)}, {draw(2) ? N : M, inner ? J : I, ONE}, 3};
        if (turned)
            turn(a, inner);
        a->write = draw(2);
        a->update = a->write && updates;
    }
    if (draw(5) == 0) {
        board(&t, updates);
    } else if (draw(6) == 0) {
        t.outer.to = (struct sum){{1, (int)draw(3) - 1}, {HALF, ONE}, 2};
        for (unsigned k = 0; k < t.n; k++)
            t.v[k] = mirror(k == 0 || draw(2));
    } else if (updates && draw(2)) /* into one element, while others are looked at */
        for (unsigned k = 0; k < t.n; k++) {
            t.v[k].two = false;
            t.v[k].write = t.v[k].update = k == 0 || draw(3) == 0;
            if (t.v[k].write)
                t.v[k].x = (struct sum){{(int)draw(3)}, {draw(2) ? ONE : N}, 1};
        }
    else if (draw(3) == 0) /* filled by the first loop, read by the second */
        for (unsigned k = 0; k < t.n; k++) {
            t.inner[1] = draw(4) ? t.inner[0] : t.inner[1];
            t.v[k] = (struct access){.x = {{draw(3) ? 1 : -1, draw(3) == 0}, {J, draw(2) ? ONE : N}, 2},
                                     .write = k == 0 || draw(3) == 0,
                                     .place = k ? 1 + draw(3) : 1};
            if (!k)
                t.v[k].x = (struct sum){{1}, {J}, 1};
            if (t.v[k].place == 3)
                t.v[k].x.symbol[0] = N;
        }
    return t;
}

static void put_access(struct cc_buf *b, const struct access *a)
{
    cc_buf_puts(b, a->two ? "a[" : "b[");
    put(b, &a->x);
    if (a->two) {
        cc_buf_puts(b, "][");
        put(b, &a->y);
    }
    cc_buf_puts(b, "]");
}

static void put_place(struct cc_buf *b, const struct nest *t, unsigned place)
{
    for (unsigned k = 0; k < t->n; k++) {
        if (t->v[k].place != place)
            continue;
        if (t->v[k].write)
            put_access(b, &t->v[k]), cc_buf_puts(b, t->v[k].update ? " += 2;\n" : " = 2;\n");
        else
            cc_buf_puts(b, "if ("), put_access(b, &t->v[k]), cc_buf_puts(b, " > 3) c[i]++;\n");
    }
}

static void put_head(struct cc_buf *b, const struct head *h, char counter)
{
    cc_buf_printf(b, "for (int %c = ", counter);
    put(b, &h->from);
    cc_buf_printf(b, "; %c < ", counter);
    put(b, &h->to);
    cc_buf_printf(b, "; %c += %d) {\n", counter, h->step);
}

static char *text_of(const struct nest *t)
{
    struct cc_buf b = {0};
    cc_buf_puts(&b, "# 1 \"t.c\"\nint a[100][100], b[9999], c[99];\nvoid test(int n, int m)\n{\n"
                    "int less = n < m ? n : m, more = m + 1 > n ? m + 1 : n;\n");
    put_head(&b, &t->outer, 'i');
    put_place(&b, t, 0);
    for (unsigned k = 0; k < LOOPS; k++) {
        put_head(&b, &t->inner[k], 'j');
        put_place(&b, t, k + 1);
        cc_buf_puts(&b, "}\n");
    }
    put_place(&b, t, 3);
    cc_buf_puts(&b, "}\n}\n");
    return b.s;
}

struct event {
    int x, y, iteration;
    bool two, write, update;
};
static struct event events[MOST];
static size_t nevents;

static void happen(const struct nest *t, unsigned place, int i, int j, const int *n)
{
    for (unsigned k = 0; k < t->n && nevents < MOST; k++)
        if (t->v[k].place == place)
            events[nevents++] = (struct event){value(&t->v[k].x, i, j, n[0], n[1]),
                                               t->v[k].two ? value(&t->v[k].y, i, j, n[0], n[1]) : 0,
                                               i,
                                               t->v[k].two,
                                               t->v[k].write,
                                               t->v[k].update};
}

/* false: it has become too long to be of use */
static bool execute(const struct nest *t, const int *n)
{
    nevents = 0;
    for (int i = value(&t->outer.from, 0, 0, n[0], n[1]); i < value(&t->outer.to, i, 0, n[0], n[1]);
         i += t->outer.step) {
        happen(t, 0, i, 0, n);
        for (unsigned k = 0; k < LOOPS; k++)
            for (int j = value(&t->inner[k].from, i, 0, n[0], n[1]);
                 j < value(&t->inner[k].to, i, j, n[0], n[1]); j += t->inner[k].step)
                happen(t, k + 1, i, j, n);
        happen(t, 3, i, 0, n);
    }
    return nevents < MOST;
}

static bool meet(const struct event *e, const struct event *f)
{
    return e->two == f->two && e->x == f->x && e->y == f->y;
}

/* What the execution refutes of what is told of the array; NULL: nothing. */
static const char *refuted(const struct cc_source_array *told, bool two)
{
    for (size_t i = 0; i < nevents; i++) {
        bool own = false;
        for (size_t k = 0; k < nevents && events[i].two == two; k++) {
            if (!meet(&events[i], &events[k]))
                continue;
            bool other = events[i].iteration != events[k].iteration;
            own = own || (k < i && events[k].write && !other);
            if (told->apart && other && events[i].write)
                return "apart";
            if (told->unseen && events[i].update && !events[k].update)
                return "unseen";
        }
        bool reads = events[i].two == two && (!events[i].write || events[i].update);
        if (told->scratch && reads && !own)
            return "scratch";
    }
    return NULL;
}

static unsigned proved[3];

static void check(const struct nest *t, bool cplusplus)
{
    CC_CLEANUP(cc_free_ptr) char *text = text_of(t);
    struct cc_source_unit unit = {
        .path = cplusplus ? "t.cc" : "t.c", .cplusplus = cplusplus, .text = text, .size = strlen(text)};
    struct cc_source_loops *s = told_of_unit(&unit);
    const struct cc_source_loop *l = s->v.n == LOOPS + 1 ? &s->v.v[LOOPS] : NULL; /* the outermost */
    const char *wrong = l ? NULL : "no such loop";
    for (size_t k = 0; l && k < l->arrays.n && !wrong; k++) {
        const struct cc_source_array *a = &l->arrays.v[k];
        bool two = strcmp(a->name, "a") == 0;
        if (strcmp(a->name, "c") == 0 || !a->write_line)
            continue;
        proved[0] += a->apart, proved[1] += a->unseen && a->partly, proved[2] += a->scratch;
        for (int n = -1; n <= LARGEST && !wrong; n++)
            for (int m = -1; m <= LARGEST && !wrong; m++)
                wrong = execute(t, (const int[]){n, m}) ? refuted(a, two) : NULL;
    }
    if (wrong)
        OK(false, "%s:\n%s", wrong, text);
    cc_source_loops_free(s);
}

/* test_proof_random [COUNT [SEED]] */
int main(int argc, char **argv)
{
    int count = argc > 1 ? (int)strtol(argv[1], NULL, 10) : NESTS;
    state += argc > 2 ? strtoull(argv[2], NULL, 10) : 0;
    for (int k = 0; k < count; k++) {
        struct nest t = random_nest();
        check(&t, k % 3 == 2);
    }
    OK(proved[0] > 50, "%u arrays of %d nests whose iterations never meet", proved[0], count);
    OK(proved[1] > 5, "%u that are combined where nobody looks", proved[1]);
    OK(proved[2] > 5, "%u that are filled first", proved[2]);
    return TAP_DONE();
}
