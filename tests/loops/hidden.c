/* Loops of which the binary does not show all: a `continue` before what the last iteration should leave,
 * loads that vanish behind a pointer, tables that nobody writes, and calls that leave on the stack where they
 * return to. Labels as in dependent.c and independent.c. */
#include "loops.h"

#include <setjmp.h>
#include <string.h>

#define ALONE __attribute__((noinline))

static int values[N], results[N];
static short cells[N], others[N], *rows[N];
static const unsigned char chosen[N] = {1, 0, 1, 1, 0, 1, [20] = 1, [21] = 1, [40] = 1};
static const float factors[8] = {1, 2, 0.5f, 4, 3, 0.25f, 1.5f, 6};

/* The last iteration leaves nothing. */
ALONE static int last_of_chosen(int n)
{
    int last = -1;
    for (int i = 0; i < n; i++) { /* loop: no */
        if (!chosen[i])
            continue;
        last = values[i] * 3;
        results[i] = last;
    }
    return last;
}

/* Each leaves something, whichever way it goes. */
ALONE static int last_of_all(int n)
{
    int last = -1;
    for (int i = 0; i < n; i++) { /* loop: private */
        last = values[i] * 3;
        if (!chosen[i])
            continue;
        results[i] = last;
    }
    return last;
}

/* The same in a switch, and of an inner loop's `continue`, which is not this loop's. */
ALONE static int last_of_some(int n)
{
    int last = 0, length = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        switch (values[i] % 3) {
        case 0:
            continue;
        default:
            results[i] = i;
        }
        last = i;
    }
    for (int i = 0; i < n; i++) { /* loop: private */
        int sum = 0;
        for (int k = 0; k < 4; k++) { /* loop: reduction */
            if (chosen[k])
                continue;
            sum += values[(i + k) % n];
        }
        length = sum;
        results[i] = length;
    }
    return last + length;
}

/* What the row after it holds is read, and a compiler that knows that it is overwritten does not. */
ALONE static void overwritten_at_once(int n, int times)
{
    for (int i = n - 2; i >= 0; i--) { /* loop: no */
        *rows[i] = (short)(i + *rows[i + 1]);
        for (int j = 0; j < times; j++)
            *rows[i] = (short)i;
        if (chosen[i])
            others[i] = (short)(i + 1);
    }
}

struct parts {
    int used;
    float *first, *second;
};

/* A table that no loop writes is read all the same. */
ALONE static void by_table(int n, struct parts *p)
{
    for (int i = n - 1; i >= 0; i--) /* loop: parallel */
        if (chosen[i])
            p->first[2 * i] *= 3;
    for (int i = 0; i < n; i++) /* loop: parallel */
        p->second[i] = factors[i & 7];
}

ALONE static void says(FILE *out, int n)
{
    for (int i = 0; i < n; i++) /* loop: ordered */
        fprintf(out, "%d\n", values[i]);
}

/* Each iteration begins anew with the place that strtok keeps, which all threads have in common. */
ALONE static void words_of_each(int *a, int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        char line[] = "one two three four";
        a[i] = 0;
        for (char *w = strtok(line, " "); w; w = strtok(NULL, " "))
            a[i] += w[i % 3];
    }
}

static jmp_buf out_of_it;
ALONE static void leaves_at(int i, int last)
{
    if (i == last)
        longjmp(out_of_it, 1);
    values[i] = i * 3;
}

/* What comes after the iteration that is left would be done too. */
ALONE static void left_from_below(int n)
{
    if (!setjmp(out_of_it))
        for (int i = 0; i < n; i++) /* loop: no */
            leaves_at(i, n - 9);
}

/* Of a copy by one byte a compiler leaves the store. */
ALONE static void copied_on(char *b, int n)
{
    for (int i = 0; i + 1 < n; i++) /* loop: no */
        memcpy(b + i + 1, b + i, 1);
}

ALONE static void moved_on(int *a, int n)
{
    for (int i = 0; i + 4 < n; i += 2) /* loop: no */
        memmove(a + i + 2, a + i, 2 * sizeof *a);
}

ALONE static void rows_copied(short (*a)[8], short (*b)[8], int n)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        memcpy(a[i], b[i], sizeof a[i]);
}

/* Which function it calls, a pointer tells, and the compiler knows. */
static int given_so_far;
static int gives(int by)
{
    return given_so_far += by;
}

static inline void each(int *v, int n, int (*f)(int))
{
    for (int i = 0; i < n; i++) /* loop: no */
        v[i] = f(1);
}

ALONE static void by_pointer(int *v, int n)
{
    each(v, n, gives);
}

static volatile int port;
ALONE static void device(int *v, int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        port = i;
        v[i] = port;
    }
}

int main(int argc, char **argv)
{
    static short from[N][8], to[N][8];
    static char text[N];
    static float first[2 * N], second[N];
    struct parts p = {argc, first, second};
    (void)argv;
    int n = 40 + argc;
    for (int i = 0; i < N; i++) {
        values[i] = i * 7 % 31;
        rows[i] = &cells[i];
        first[i] = second[i] = (float)i;
    }
    keep(last_of_chosen(n - 5) + last_of_all(n) + last_of_some(n));
    overwritten_at_once(n, argc + 6), by_table(n, &p);
    words_of_each(results, n), left_from_below(n);
    text[0] = (char)n, copied_on(text, n), digest(text, sizeof text);
    from[3][4] = 5, rows_copied(to, from, n), digest(to, sizeof to);
    moved_on(values, n), digest(values, sizeof values), by_pointer(values, n), digest(values, sizeof values);
    device(values, n), digest(values, sizeof values);
    FILE *out = fopen("/dev/null", "w");
    if (out) {
        says(out, 100);
        fclose(out);
    }
    digest(results, sizeof results), digest(cells, sizeof cells), digest(others, sizeof others);
    digest(first, sizeof first), digest(second, sizeof second);
    return finish();
}
