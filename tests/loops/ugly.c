/* More loops in the manner of race benchmarks, each with something that is easily overlooked: structs that
 * carry, pointers that are chased, counters that move on now and then, scratch that lives on, libraries that
 * keep something, errno. Labels as in dependent.c and independent.c. */
#include "loops.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <setjmp.h>

#define ALONE __attribute__((noinline))

static int ints[4 * N], ones[4 * N], index_[4 * N], unique[4 * N];
static double reals[4 * N], others[4 * N];
static char text[8 * N], copy[8 * N];

struct state {
    double sum, last;
    int count, seen[4];
    struct state *next;
};
static struct state global, states[N];

ALONE static void field_carries(struct state *s, int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        reals[i] = s->last;
        s->last = others[i];
    }
}

ALONE static double fields_add(struct state *s, int n)
{
    for (int i = 0; i < n; i++) { /* loop: reduction */
        s->sum += others[i];
        s->count += 1;
    }
    return s->sum;
}

ALONE static void field_of_array_carries(struct state *s, int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        s->seen[i & 3] ^= ints[i];
        ones[i] = s->seen[(i + 1) & 3];
    }
}

ALONE static void struct_is_copied(int n)
{
    struct state s = {0};
    for (int i = 0; i < n && i < N; i++) { /* loop: no */
        s.count = i & 3 ? s.count : i;
        states[i] = s;
    }
}

ALONE static void struct_is_own(int n)
{
    for (int i = 0; i < n && i < N; i++) { /* loop: parallel */
        struct state s = {.sum = i, .count = i * 2};
        s.last = s.sum * s.count;
        states[i].sum = s.last;
    }
}

ALONE static int chased(const int *next, int at, int n)
{
    int k = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        at = next[at];
        k += at & 1;
    }
    return k + at;
}

ALONE static void chased_twice(struct state *head)
{
    for (struct state *s = head; s && s->next; s = s->next->next) /* loop: no */
        s->count++;
}

ALONE static int skips(const int *v, int *to, int n)
{
    int k = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        if (v[i] > 10)
            k += 2;
        to[i] = v[k];
    }
    return k;
}

ALONE static void skips_in_head(int *v, int n)
{
    for (int i = 0; i<n; i += v[i]> 3 ? 1 : 2) /* loop: no */
        v[i + 4 * n] = i;
}

ALONE static void moves_in_body(int *v, int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        if (v[i] == 5)
            i++;
        v[i] = i;
    }
}

ALONE static void bound_moves(int *v, int n)
{
    for (int i = 0, m = n / 2; i < m; i++) { /* loop: no */
        m += v[i] == 7 && m < n;
        ones[i] = m;
    }
}

ALONE static int leaves_when_found(const double *v, int n)
{
    int at = -1;
    for (int i = 0; i < n; i++) /* loop: no */
        if (v[i] > 1e6) {
            at = i;
            break;
        }
    return at;
}

ALONE static void leaves_by_goto(double *v, int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        if (v[i] < -1)
            goto out;
        v[i] = v[i] * 2;
    }
out:
    keep(v[0]);
}

/* Scratch of each iteration, but what the last left is used: the last sets all of it. */
ALONE static double scratch_of_last(int r)
{
    double tmp[R];
    for (int i = 0; i < r; i++) { /* loop: private */
        for (int j = 0; j <= i; j++)
            tmp[j] = reals[i * R + j];
        others[i] = tmp[i] + tmp[0];
    }
    return tmp[0] + tmp[r - 1];
}

/* And here only some of it. */
ALONE static double scratch_lives_on(int r)
{
    double tmp[R];
    for (int i = 0; i < r; i++) { /* loop: no */
        for (int j = 0; j < r - i; j++)
            tmp[j] = reals[i * R + j];
        others[i] = tmp[r - 1 - i] + tmp[0];
    }
    return tmp[0] + tmp[r - 1];
}

ALONE static void scratch_of_part(int r)
{
    double tmp[R] = {0};
    for (int i = 0; i < r; i++) { /* loop: no */
        for (int j = 0; j < i; j++)
            tmp[j] = reals[j] * i;
        others[i] = tmp[r - 1 - i];
    }
}

ALONE static void scratch_is_set(int r)
{
    double tmp[R];
    for (int i = 0; i < r; i++) { /* loop: private */
        for (int j = 0; j < r; j++)
            tmp[j] = reals[j] * i;
        double s = 0;
        for (int j = 0; j < r; j++)
            s += tmp[r - 1 - j];
        others[i] = s;
    }
}

ALONE static void reads_ahead(double *v, int n)
{
    for (int i = 0; i < n - 8; i++) /* loop: no */
        v[i] = v[i + 8] + 1;
}

ALONE static void reads_ahead_through(double *v, const int *at, int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        v[i] = v[at[i]] * 0.5;
}

ALONE static void outer_only(int r)
{
    for (int i = 0; i < r; i++)     /* loop: parallel */
        for (int j = 1; j < r; j++) /* loop: no */
            reals[i * R + j] += reals[i * R + j - 1];
}

ALONE static void inner_only(int r)
{
    for (int i = 1; i < r; i++)     /* loop: no */
        for (int j = 0; j < r; j++) /* loop: parallel */
            reals[i * R + j] += reals[(i - 1) * R + j];
}

ALONE static void neither(int r)
{
    for (int i = 1; i < r; i++)     /* loop: no */
        for (int j = 1; j < r; j++) /* loop: no */
            reals[i * R + j] = reals[(i - 1) * R + j] + reals[i * R + j - 1];
}

ALONE static void anti_diagonal(int r)
{
    for (int i = 1; i < r; i++)         /* loop: no */
        for (int j = 0; j < r - 1; j++) /* loop: parallel */
            reals[i * R + j] = reals[(i - 1) * R + j + 1];
}

ALONE static int last_index(int n)
{
    int i, k = 0;
    for (i = 0; i < n; i++) /* loop: private */
        k = ints[i] & 7;
    return i + k;
}

ALONE static int last_that_was_set(int n)
{
    int k = 0;
    for (int i = 0; i < n; i++) /* loop: no */
        if (ints[i] & 1)
            k = i;
    return k;
}

static int next_ticket(void)
{
    static int t;
    return t++;
}

ALONE static void tickets(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        ints[next_ticket() & (N - 1)] = i;
}

ALONE static const char *name_of(int i)
{
    static char buffer[16];
    buffer[0] = (char)('a' + i % 26);
    buffer[1] = 0;
    return buffer;
}

ALONE static void static_buffer(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        text[i] = *name_of(i);
}

ALONE static void table_once(int n)
{
    static int ready, squares[64];
    for (int i = 0; i < n; i++) { /* loop: no */
        if (!ready) {
            for (int j = 0; j < 64; j++)
                squares[j] = j * j;
            ready = 1;
        }
        ints[i] = squares[i & 63];
    }
}

ALONE static int sets_errno(int n)
{
    int bad = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        errno = i & 7 ? errno : 0;
        if (i % 5 == 4)
            errno = ERANGE;
        bad += errno != 0;
    }
    return bad;
}

ALONE static void tosses(int n)
{
    for (int i = 0; i < n; i++) /* loop: ordered */
        if (rand() & 1)
            ints[i] = -ints[i];
}

ALONE static void tosses_own(int n)
{
    unsigned seed = 7;
    for (int i = 0; i < n; i++) /* loop: no */
        ints[i] = rand_r(&seed) & 15;
}

ALONE static int tokens(char *s)
{
    int n = 0;
    for (char *t = strtok(s, " "); t; t = strtok(NULL, " ")) /* loop: no */
        n += *t == 'x';
    return n;
}

ALONE static void prints_some(int n)
{
    for (int i = 0; i < n; i++) /* loop: ordered */
        if (i % 100 == 99)
            printf("%d\n", i);
}

ALONE static void reads_file(FILE *f, int n)
{
    for (int i = 0; i < n; i++) /* loop: ordered */
        text[i] = (char)fgetc(f);
}

ALONE static void blocks(int n)
{
    for (int i = 0; i < n; i++) { /* loop: parallel */
        int *v = malloc((size_t)(i % 7 + 1) * sizeof *v);
        v[i % 7] = i;
        ints[i] = v[i % 7] * 2;
        free(v);
    }
}

ALONE static void keeps_blocks(int **v, int n)
{
    for (int i = 0; i < n; i++) { /* loop: parallel */
        v[i] = malloc(sizeof **v);
        *v[i] = i;
    }
}

ALONE static void chains_blocks(int n)
{
    int *last = NULL;
    for (int i = 0; i < n; i++) { /* loop: no */
        int *v = malloc(sizeof *v);
        *v = last ? *last + 1 : 0;
        free(last);
        last = v;
    }
    keep(*last);
    free(last);
}

static jmp_buf back;
ALONE static void may_jump(int i)
{
    if (i % 50 == 49)
        longjmp(back, 1);
}

ALONE static int jumped(int n)
{
    volatile int times = 0;
    for (volatile int i = 0; i < n; i++) { /* loop: no */
        if (setjmp(back) == 0)
            may_jump(i);
        else
            times = times + 1;
    }
    return times;
}

ALONE static void words_to_upper(int n)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        copy[i] = (char)toupper((unsigned char)text[i]);
}

ALONE static void capital_after_blank(int n)
{
    int start = 1;
    for (int i = 0; i < n; i++) { /* loop: no */
        copy[i] = start ? (char)(text[i] - 32) : text[i];
        start = text[i] == ' ';
    }
}

ALONE static void histogram(int n)
{
    static int bins[16];
    for (int i = 0; i < n; i++) /* loop: reduction */
        bins[ints[i] & 15]++;
    keep(bins[3]);
}

ALONE static void histogram_with_place(int n)
{
    static int bins[16];
    for (int i = 0; i < n; i++) /* loop: no */
        ones[i] = bins[ints[i] & 15]++;
    keep(bins[3]);
}

ALONE static void scatters_all(int n)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        others[unique[i]] = reals[i];
}

ALONE static void scatters_some_twice(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        others[index_[i]] = reals[i];
    keep(others[3]);
}

ALONE static void overlapping_rows(double *v, int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        for (int j = 0; j < 4; j++)
            v[i * 3 + j] = i + j;
}

ALONE static void rows_apart(double *v, int n)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        for (int j = 0; j < 4; j++)
            v[i * 4 + j] = i + j;
}

ALONE static void two_names(double *a, double *b, int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        a[i] = b[i] * 0.5;
}

ALONE static double norm(int n)
{
    double s = 0;
    for (int i = 0; i < n; i++) /* loop: reduction */
        s = fmax(s, fabs(reals[i]));
    return s;
}

ALONE static double compensated(int n)
{
    double s = 0, c = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        double y = reals[i] - c, t = s + y;
        c = (t - s) - y;
        s = t;
    }
    return s;
}

ALONE static void filter(int n)
{
    double y = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        y = 0.9 * y + 0.1 * reals[i];
        others[i] = y;
    }
}

ALONE static void sum_of_window(int n)
{
    double s = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        s += reals[i + 8] - reals[i];
        others[i] = s;
    }
}

ALONE static unsigned hashed(int n)
{
    unsigned h = 5381;
    for (int i = 0; i < n; i++) /* loop: no */
        h = h * 33 ^ (unsigned char)text[i];
    return h;
}

static double update(double *at, double by)
{
    double was = *at;
    *at = was + by;
    return was;
}

ALONE static void fetch_and_add(int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) /* loop: no */
        others[i] = update(&sum, reals[i]);
    keep(sum);
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 403, r = side(n);
    for (int i = 0; i < 4 * N; i++) {
        ints[i] = i * 7919 % 101;
        index_[i] = i * 31 % 97;
        unique[i] = i % 403 * 5 % 403;
        reals[i] = i * 37 % 64 * 0.01;
        others[i] = i * 0.5;
        text[i] = i % 6 == 5 ? ' ' : 'x';
    }
    for (int i = 0; i < N; i++)
        states[i].next = i + 1 < N ? &states[i + 1] : NULL;
    field_carries(&global, n), keep(fields_add(&global, n)), field_of_array_carries(&global, n);
    chased_twice(states), keep(chased(index_, 3, n)), keep(skips(ints, ones, n)), skips_in_head(ints, n);
    moves_in_body(ints, n), bound_moves(ints, n), keep(leaves_when_found(reals, n)), leaves_by_goto(reals, n);
    keep(scratch_lives_on(r)), keep(scratch_of_last(r)), scratch_of_part(r), scratch_is_set(r),
        reads_ahead(reals, n);
    reads_ahead_through(reals, index_, n), outer_only(r), inner_only(r), neither(r), anti_diagonal(r);
    keep(last_index(n)), keep(last_that_was_set(n)), tickets(n), static_buffer(n), table_once(n);
    keep(sets_errno(n)), tosses(n), tosses_own(n), prints_some(n), blocks(n), chains_blocks(n);
    FILE *f = fopen("/proc/self/exe", "r");
    if (f)
        reads_file(f, n), fclose(f);
    for (int i = 0; i < n; i++)
        text[i] = i % 6 == 5 ? ' ' : 'x';
    static int *kept[N];
    keeps_blocks(kept, n);
    words_to_upper(n), capital_after_blank(n), keep(jumped(n)), histogram(n), histogram_with_place(n);
    scatters_all(n), scatters_some_twice(n), overlapping_rows(others, n), rows_apart(others, n);
    two_names(reals + 1, reals, n), keep(norm(n)), keep(compensated(n)), filter(n), sum_of_window(n);
    keep(hashed(n)), fetch_and_add(n), struct_is_own(n), struct_is_copied(n), keep(tokens(text));
    digest(ints, sizeof ints), digest(ones, sizeof ones), digest(reals, sizeof reals);
    digest(others, sizeof others), digest(copy, sizeof copy);
    for (int i = 0; i < N; i++)
        keep(states[i].sum + states[i].count);
    return finish();
}
