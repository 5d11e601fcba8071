/* Loops that call functions which a compiler puts into them: what those keep from call to call, or get the
 * address of, becomes a register of the loop. Labels as in dependent.c and independent.c. */
#include "loops.h"

#define ALONE __attribute__((noinline))

int out[4096];
static int next_id(void)
{
    static int id;
    return id++;
}
static int calls;
static int counted(int x)
{
    calls++;
    return x * 2;
}
struct pool {
    int used;
    int v[4096];
};
static int take(struct pool *p)
{
    return p->used++;
}
static struct pool the_pool;
static void bump(int *p)
{
    *p += 1;
}
static void addf(double *p, double x)
{
    *p += x;
}
ALONE static void numbers(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        out[i] = next_id();
}
/* no clause gives each thread a counter that a function finds by its name */
ALONE static void counts_calls(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        out[i] = counted(i);
}
ALONE static void takes_places(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        the_pool.v[take(&the_pool)] = i;
}
ALONE static void takes_numbers(struct pool *p, int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        p->v[i] = take(p);
}
ALONE static int moves_on(int n)
{
    int pos = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        out[pos] = i;
        bump(&pos);
    }
    return pos;
}
ALONE static double adds_up(int n)
{
    double s = 0;
    for (int i = 0; i < n; i++) /* loop: reduction */
        addf(&s, i * 0.5);
    return s;
}
struct cursor {
    int at, step;
};
static int advance(struct cursor *c)
{
    int old = c->at;
    c->at += c->step;
    return old;
}
ALONE static int cursor_moves(int n)
{
    struct cursor c = {0, 2};
    for (int i = 0; i < n; i++) /* loop: no */
        out[advance(&c)] = i;
    return c.at;
}
struct conf {
    int scale, bias;
};
static int apply(const struct conf *c, int x)
{
    return x * c->scale + c->bias;
}
ALONE static void configured(int n)
{
    struct conf c = {n, 3};
    for (int i = 0; i < n; i++) /* loop: parallel */
        out[i] = apply(&c, i);
}
ALONE static void through_own_pointer(int n)
{
    int k = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        int *p = &k;
        out[i] = *p;
        *p = *p + 3;
    }
}
static unsigned lcg(unsigned *s)
{
    *s = *s * 1664525u + 1013904223u;
    return *s;
}
ALONE static void generates(int n)
{
    unsigned s = 1;
    for (int i = 0; i < n; i++) /* loop: no */
        out[i] = lcg(&s) >> 9;
}
static int depth_;
static void enter_(void)
{
    depth_++;
}
static void leave_(void)
{
    depth_--;
}
ALONE static void enters_and_leaves(int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        enter_();
        out[i] = depth_ + i;
        if (i % 3)
            leave_();
    }
}
ALONE static void value_before(int n)
{
    int last = -1;
    for (int i = 0; i < n; i++) { /* loop: no */
        out[i] = last;
        last = i;
    }
}
ALONE static void by_quarters(int n)
{
    double x = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        out[i] = (int)x;
        x += 0.25;
    }
}
ALONE static void first_changes(int *p, int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        p[0] = p[i] > p[0] ? p[i] : p[0] - 1;
}
ALONE static void two_counters(int n)
{
    for (int i = 0, j = n - 1; i < n; i++, j--) /* loop: no */
        out[i] = j;
}
ALONE static void pointer_moves(int n)
{
    int *p = out;
    for (int i = 0; i < n; i++) /* loop: no */
        *p++ = i;
}
ALONE static int pointer_counts(const int *v, int n)
{
    int c = 0;
    for (const int *p = v; p < v + n; p++) /* loop: reduction */
        c += *p & 1;
    return c;
}
ALONE static void counting_while(int n)
{
    int i = 0;
    while (i < n) { /* loop: parallel */
        out[i] = i;
        i++;
    }
}
ALONE static void counting_do(int n)
{
    int i = 0;
    do { /* loop: no */
        out[i] = out[i ? i - 1 : 0] + 1;
    } while (++i < n);
}
ALONE static void counting(const int *keys, int *places, int *count, int n)
{
    for (int i = 0; i < n; i++) /* loop: reduction */
        count[keys[i] & 63]++;
    for (int i = 1; i < 64; i++) /* loop: no */
        count[i] += count[i - 1];
    for (int i = n - 1; i >= 0; i--) /* loop: no */
        places[--count[keys[i] & 63]] = i;
}

#define INTO static inline __attribute__((always_inline))

/* Twice in a row: what the second call reads of the first is not between iterations. */
INTO void scaled(double *to, const double *from, int n)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        to[i] = from[i] * 0.5 + 1;
}
INTO void summed(double *v, int n)
{
    for (int i = 1; i < n; i++) /* loop: no */
        v[i] = v[i] + v[i - 1] * 0.5;
}
static double one[4096], two[4096], three[4096];
ALONE static void one_after_another(int n)
{
    scaled(two, one, n);
    scaled(three, two, n);
    summed(three, n);
    summed(three + 1, n - 1);
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 400;
    numbers(n), counts_calls(n), takes_places(n), takes_numbers(&the_pool, n), keep(moves_on(n)),
        keep(adds_up(n)), keep(cursor_moves(n)), configured(n), through_own_pointer(n), generates(n),
        enters_and_leaves(n), value_before(n), by_quarters(n), first_changes(out, n), two_counters(n),
        pointer_moves(n), keep(pointer_counts(out, n)), counting_while(n), counting_do(n);
    static int count[64], places[4096];
    counting(out, places, count, n);
    one_after_another(n), digest(three, sizeof three);
    digest(out, sizeof out), digest(places, sizeof places);
    keep(calls + depth_ + the_pool.used);
    return finish();
}
