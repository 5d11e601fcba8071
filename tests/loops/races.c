/* Loops in the manner of race benchmarks: arrays in frames and behind pointers, arguments that alias,
 * statics, what is used after the loop, wrapped buffers, fields, unions and bits, library functions in the
 * body. Labels as in dependent.c and independent.c. */
#include "loops.h"

#include <math.h>
#include <setjmp.h>

#define ALONE __attribute__((noinline))

static int ints[4 * N], more_ints[4 * N];
static double reals[4 * N], more_reals[4 * N];
static int stored;

ALONE static void anti_dependence(int len)
{
    int a[N];
    for (int i = 0; i < len; i++) /* loop: parallel */
        a[i] = i * 3;
    for (int i = 0; i < len - 1; i++) /* loop: no */
        a[i] = a[i + 1] + 1;
    digest(a, (size_t)len * sizeof *a);
}

ALONE static void row_below(int r)
{
    double a[R][R];
    for (int i = 0; i < r; i++)     /* loop: parallel */
        for (int j = 0; j < r; j++) /* loop: parallel */
            a[i][j] = 0.5 * i + j;
    for (int i = 0; i < r - 1; i++) /* loop: no */
        for (int j = 0; j < r; j++) /* loop: parallel */
            a[i][j] += a[i + 1][j];
    for (int i = 1; i < r; i++)         /* loop: parallel */
        for (int j = 0; j < r - 1; j++) /* loop: no */
            a[i][j] = a[i][j + 1] * 0.5;
    digest(a, sizeof a / (R * R) * (size_t)(r * r));
}

/* Twelve apart, through a table of indexes: some pairs meet. */
ALONE static void through_indexes(double *base, const int *set, int n)
{
    double *one = base, *two = base + 12;
    for (int i = 0; i < n; i++) { /* loop: no */
        int k = set[i];
        one[k] += 1.0 + i;
        two[k] *= 1.5;
    }
}

ALONE static void through_far_indexes(double *base, const int *set, int n)
{
    double *one = base, *two = base + 2 * N;
    for (int i = 0; i < n; i++) { /* loop: parallel */
        int k = set[i];
        one[k] += 1.0 + i;
        two[k] += 3.0 * i;
    }
}

ALONE static int last_of_counter(int n)
{
    int x = 0, i;
    for (i = 0; i < n; i++) /* loop: private */
        x = i;
    return x + i;
}

ALONE static int last_of_data(const int *v, int n)
{
    int x = 0;
    for (int i = 0; i < n; i++) { /* loop: private */
        x = v[i] * 7;
        more_ints[i] = x + 1;
    }
    return x;
}

ALONE static int last_under_condition(const int *v, int n)
{
    int x = -1;
    for (int i = 0; i < n; i++) /* loop: no */
        if (v[i] > 500)
            x = i;
    return x;
}

ALONE static int counts_down(const int *v, int n)
{
    int left = n, left2 = n;
    for (int i = left - 1; i >= 0; i--) /* loop: reduction */
        if (v[i] <= 500)
            left2--;
    return left2;
}

ALONE static void column_before_first(double *flat, int rows, int columns)
{
    double(*b)[columns] = (double(*)[columns])flat;
    for (int i = 1; i < rows; i++)        /* loop: no */
        for (int j = 0; j < columns; j++) /* loop: sequential */
            b[i][j] = b[i][j - 1] + 1;    /* the column before the first is the last one of the row above */
}

ALONE static int output_dependence(int n)
{
    int a[N], x = 10;
    for (int i = 0; i < n; i++) { /* loop: no */
        a[i] = x;
        x = i;
    }
    digest(a, (size_t)n * sizeof *a);
    return x;
}

ALONE static int pushes(const int *in, int *out, int n)
{
    int used = 0;
    for (int i = 0; i < n; i++) /* loop: no */
        out[used++] = in[i];
    return used;
}

ALONE static int pushes_some(const int *in, int *out, int n)
{
    int used = 0;
    for (int i = 0; i < n; i++) /* loop: no */
        if (in[i] & 1)
            out[used++] = in[i];
    return used;
}

ALONE static void temporary(int *a, int n)
{
    int tmp;
    for (int i = 0; i < n; i++) { /* loop: private */
        tmp = a[i] + i;
        a[i] = tmp;
    }
}

ALONE static float sum_of_squares(int r)
{
    float u[R][R], sum = 0, temp;
    for (int i = 0; i < r; i++)     /* loop: parallel */
        for (int j = 0; j < r; j++) /* loop: parallel */
            u[i][j] = 0.5f * (float)(i - j);
    for (int i = 0; i < r; i++)       /* loop: reduction */
        for (int j = 0; j < r; j++) { /* loop: reduction */
            temp = u[i][j];
            sum = sum + temp * temp;
        }
    return sum;
}

ALONE static void true_dependence(int *a, const int *b, int n)
{
    for (int i = 0; i < n - 1; i++) /* loop: no */
        a[i + 1] = a[i] + b[i];
}

ALONE static void diagonal(double *flat, int r)
{
    double(*b)[r] = (double(*)[r])flat;
    for (int i = 1; i < r; i++)     /* loop: no */
        for (int j = 1; j < r; j++) /* loop: parallel */
            b[i][j] = b[i - 1][j - 1] * 0.9;
}

ALONE static void second_dimension(double *flat, int r)
{
    double(*b)[r] = (double(*)[r])flat;
    for (int i = 0; i < r; i++)     /* loop: parallel */
        for (int j = 1; j < r; j++) /* loop: no */
            b[i][j] = b[i][j - 1] * 0.9;
}

ALONE static void twice_as_far(int *a, int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        a[2 * i + 1] = a[i] + 1;
}

ALONE static void scalar_of_before(int *a, int n)
{
    int tmp = 10;
    for (int i = 0; i < n; i++) { /* loop: no */
        a[i] = tmp;
        tmp = a[i] + i;
    }
}

ALONE static void first_element(int *a, int n)
{
    a[0] = 2;
    for (int i = 0; i < n; i++) /* loop: no */
        a[i] = a[i] + a[0];
}

ALONE static void first_element_apart(int *a, int n)
{
    a[0] = 2;
    for (int i = 1; i < n; i++) /* loop: parallel */
        a[i] = a[i] + a[0];
}

ALONE static void with_parameter(double *o, double *c, int n)
{
    for (int i = 0; i < n; i++) { /* loop: parallel */
        double x = i * 0.01;
        o[i] = sqrt(x);
        c[i] = o[i] / 3;
    }
}

/* one and two are the same array, one place apart */
ALONE static void aliased(double *one, const double *two, int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        one[i] = two[i] * 0.5 + 1;
}

ALONE static void not_aliased(double *one, const double *two, int n)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        one[i] = two[i] * 0.5 + 1;
}

static int static_counter(int x)
{
    static int calls;
    calls += x;
    return calls;
}

ALONE static void calls_a_static(int *a, int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        a[i] = static_counter(i);
}

static void add_to(int *to, int v)
{
    *to += v;
}

ALONE static int adds_through_call(const int *v, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++) /* loop: reduction */
        add_to(&sum, v[i]);
    return sum;
}

ALONE static void sets_through_call(int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        if (ints[i] % 3 == 0)
            stored = ints[i];
        more_ints[i] = stored;
    }
}

ALONE static void static_local(int n)
{
    static int tmp;
    for (int i = 0; i < n; i++) { /* loop: private */
        tmp = ints[i] + i;
        ints[i] = tmp;
    }
}

ALONE static void static_local_kept(int n)
{
    static int tmp;
    for (int i = 0; i < n; i++) { /* loop: no */
        tmp = ints[i] + tmp / 2;
        ints[i] = tmp;
    }
}

ALONE static void counter_beside(double *c, const double *a, const double *b, int n)
{
    int j = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        c[j] += a[i] * b[i];
        j++;
    }
}

ALONE static int counted_by_steps(int n)
{
    int x = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        x++;
        ints[i] = x * x;
    }
    return x;
}

ALONE static void ring(int n)
{
    int buffer[8] = {0};
    for (int i = 0; i < n; i++) { /* loop: no */
        int old = buffer[i & 7];
        buffer[i & 7] = ints[i];
        more_ints[i] = old;
    }
}

ALONE static void ring_overwritten(int n)
{
    int buffer[8];
    for (int i = 0; i < n; i++) { /* loop: private */
        for (int k = 0; k < 8; k++)
            buffer[k] = ints[i] + k;
        more_ints[i] = buffer[i & 7] + buffer[(i + 3) & 7];
    }
}

struct particle {
    double x, v;
    unsigned hits : 5, kind : 3;
};
static struct particle particles[N];

ALONE static void fields(struct particle *p, int n)
{
    for (int i = 0; i < n; i++) { /* loop: parallel */
        p[i].x += p[i].v * 0.01;
        if (p[i].x > 1)
            p[i].v = -p[i].v;
    }
}

ALONE static void field_of_neighbour(struct particle *p, int n)
{
    for (int i = 1; i < n; i++) /* loop: parallel */
        p[i].x = p[i - 1].v + p[i].x;
    for (int i = 1; i < n; i++) /* loop: no */
        p[i].v = p[i - 1].v * 0.5 + p[i].x;
}

/* No value goes over, but both fields lie in one byte. */
ALONE static void bit_fields(struct particle *p, int n)
{
    for (int i = 0; i < n; i++) { /* loop: parallel */
        p[i].hits = (unsigned)i;
        p[i].kind = (unsigned)i / 3;
    }
}

ALONE static void one_bit_of_each(unsigned char *set, int n)
{
    for (int i = 0; i < n; i++) /* loop: reduction */
        set[i / 8] |= (unsigned char)((ints[i] & 1) << (i % 8));
}

ALONE static void one_bit_toggled(unsigned char *set, int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        if (set[i / 8] & 1)
            set[(i + 5) / 8] = (unsigned char)(set[i / 8] * 3);
}

union number {
    double d;
    unsigned long long u;
};

ALONE static void through_union(int n)
{
    for (int i = 0; i < n; i++) { /* loop: parallel */
        union number x = {.d = reals[i]};
        x.u &= ~0xffull;
        reals[i] = x.d;
    }
}

ALONE static double largest(int n)
{
    double most = reals[0];
    for (int i = 1; i < n; i++) /* loop: reduction */
        if (reals[i] > most)
            most = reals[i];
    return most;
}

ALONE static int place_of_largest(int n)
{
    double most = reals[0];
    int at = 0;
    for (int i = 1; i < n; i++) /* loop: no */
        if (reals[i] > most) {
            most = reals[i];
            at = i;
        }
    return at;
}

ALONE static int all_positive(int n)
{
    int all = 1;
    for (int i = 0; i < n; i++) /* loop: reduction */
        all = all && ints[i] >= 0;
    return all;
}

ALONE static unsigned parity(int n)
{
    unsigned x = 0;
    for (int i = 0; i < n; i++) /* loop: reduction */
        x ^= (unsigned)ints[i] * 2654435761u;
    return x;
}

ALONE static unsigned shifted(int n)
{
    unsigned x = 0;
    for (int i = 0; i < n; i++) /* loop: no */
        x = (x << 1) ^ (unsigned)ints[i];
    return x;
}

ALONE static double sum_then_product(int n)
{
    double s = 1;
    for (int i = 0; i < n; i++) /* loop: no */
        s = (s + reals[i]) * 0.5;
    return s;
}

ALONE static int first_match(const int *v, int n, int key)
{
    for (int i = 0; i < n; i++) /* loop: no */
        if (v[i] == key)
            return i;
    return -1;
}

ALONE static void stops_at_zero(double *v, int n)
{
    for (int i = 0; i < n && v[i] != 0; i++) /* loop: no */
        v[i] = 1 / v[i];
}

ALONE static void found_stops_it(int n)
{
    int found = 0;
    for (int i = 0; i < n && !found; i++) { /* loop: no */
        more_ints[i] = ints[i];
        found = ints[i] == 991;
    }
}

struct node {
    struct node *next;
    double value;
};

ALONE static double list_sum(const struct node *head)
{
    double sum = 0;
    for (const struct node *p = head; p; p = p->next) /* loop: no */
        sum += p->value;
    return sum;
}

ALONE static struct node *list_built(struct node *cells, int n)
{
    struct node *head = NULL;
    for (int i = 0; i < n; i++) { /* loop: no */
        cells[i].value = i;
        cells[i].next = head;
        head = &cells[i];
    }
    return head;
}

ALONE static int words(char *text)
{
    int n = 0;
    for (char *w = strtok(text, " "); w; w = strtok(NULL, " ")) /* loop: no */
        n += (int)strlen(w);
    return n;
}

ALONE static void random_numbers(int *a, int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        a[i] = rand() % 1000;
}

ALONE static void random_of_each(int *a, int n)
{
    for (int i = 0; i < n; i++) { /* loop: parallel */
        unsigned seed = (unsigned)i;
        a[i] = rand_r(&seed) % 1000;
    }
}

ALONE static void random_of_all(int *a, int n)
{
    unsigned seed = 17;
    for (int i = 0; i < n; i++) /* loop: no */
        a[i] = rand_r(&seed) % 1000;
}

ALONE static void allocates(int n)
{
    for (int i = 0; i < n; i++) { /* loop: parallel */
        int *p = malloc(16 * sizeof *p);
        for (int k = 0; k < 16; k++)
            p[k] = ints[i] + k;
        more_ints[i] = p[i & 15];
        free(p);
    }
}

ALONE static void grows(int n)
{
    int *p = NULL, cap = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        if (i >= cap) {
            cap = cap ? cap * 2 : 4;
            p = realloc(p, (size_t)cap * sizeof *p);
        }
        p[i] = ints[i];
    }
    digest(p, (size_t)n * sizeof *p);
    free(p);
}

ALONE static void prints(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        fprintf(stderr, "%d\n", ints[i]);
}

ALONE static void prints_into(int n)
{
    static char lines[N][16];
    for (int i = 0; i < n; i++) /* loop: parallel */
        snprintf(lines[i], sizeof lines[i], "%d", ints[i]);
    digest(lines, sizeof lines);
}

ALONE static void appends(char *to, int n)
{
    to[0] = 0;
    for (int i = 0; i < n; i++) /* loop: no */
        strcat(to, i & 1 ? "a" : "bc");
}

static int fib(int n)
{
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

ALONE static void recursive(int n)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        ints[i] = fib(i % 11);
}

static int memo[64];
static int fib_memo(int n)
{
    if (memo[n])
        return memo[n];
    return memo[n] = n < 2 ? 1 : fib_memo(n - 1) + fib_memo(n - 2);
}

ALONE static void memoised(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        ints[i] = fib_memo(i % 40);
}

static jmp_buf back;
static void may_jump(int x)
{
    if (x % 5 == 0)
        longjmp(back, 1);
    more_ints[x] = x;
}

ALONE static void jumps(int n)
{
    volatile int i = 0;
    for (; i < n; i = i + 1) /* loop: no */
        if (setjmp(back) == 0)
            may_jump(i);
}

ALONE static void quick(int *v, int low, int high)
{
    int i = low, j = high, pivot = v[(low + high) / 2];
    while (i <= j) { /* loop: no */
        while (v[i] < pivot)
            i++;
        while (v[j] > pivot)
            j--;
        if (i <= j) {
            int t = v[i];
            v[i++] = v[j];
            v[j--] = t;
        }
    }
    if (low < j)
        quick(v, low, j);
    if (i < high)
        quick(v, i, high);
}

ALONE static void red_black(double *u, int n)
{
    for (int colour = 0; colour < 2; colour++)      /* loop: no */
        for (int i = 1 + colour; i < n - 1; i += 2) /* loop: parallel */
            u[i] = 0.5 * (u[i - 1] + u[i + 1]);
}

ALONE static void wraps(double *to, const double *from, int n)
{
    int before = n - 1;
    for (int i = 0; i < n; i++) { /* loop: no */
        to[i] = (from[i] + from[before]) * 0.5;
        before = i;
    }
}

ALONE static void doubles_step(double *v, int n)
{
    for (int i = 1; i < n; i *= 2) /* loop: no */
        v[i] = v[i / 2] + 1;
}

ALONE static double weights(int n)
{
    double w = 1, sum = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        sum += w * reals[i];
        w *= 0.999;
    }
    return sum;
}

ALONE static void scratch_of_outer(double *out, int r)
{
    double scratch[R];
    for (int i = 0; i < r; i++) {   /* loop: private */
        for (int j = 0; j < r; j++) /* loop: parallel */
            scratch[j] = reals[i * R + j] * 2;
        for (int j = 1; j < r; j++) /* loop: no */
            scratch[j] += scratch[j - 1];
        out[i] = scratch[r - 1];
    }
}

ALONE static void scratch_kept(double *out, int r)
{
    double scratch[R] = {0};
    for (int i = 0; i < r; i++) { /* loop: no */
        for (int j = 0; j < i; j++)
            scratch[j] = reals[i * R + j] * 2;
        out[i] = scratch[(i + 7) % r];
    }
}

/* Reads that a compiler removes, because nobody uses what they give, belong to the source all the same. */
static int gone_a[160], gone_b[160], gone_c[160];

ALONE static void read_for_nothing(int n)
{
    int s = n;
    for (int i = 0; i < n; i++) { /* loop: no */
        s *= gone_a[4 + i] + gone_b[4 + i];
        gone_a[2 + i] = gone_b[4 + i] + n;
    }
    digest(gone_a, sizeof gone_a);
}

ALONE static void last_pass_stays(int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        gone_a[more_ints[i] & 127] = gone_b[4 + 2 * i];
        for (int j = 0; j < n; j++)
            gone_c[3 + i] = gone_a[more_ints[i + j] & 127];
        gone_a[2 * i] = gone_b[2 * i];
    }
    digest(gone_a, sizeof gone_a), digest(gone_c, sizeof gone_c);
}

ALONE static void last_iteration_stays(int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        gone_b[(i * 7) & 127] = gone_b[5];
        gone_a[more_ints[4] & 127] = gone_b[2 + i] + gone_c[i];
    }
    digest(gone_a, sizeof gone_a), digest(gone_b, sizeof gone_b);
}

ALONE static void written_side_by_side(int n)
{
    int s = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        s = gone_b[1 + i];
        s = gone_c[5];
        for (int j = 0; j < 3; j++) { /* loop: no */
            gone_b[3 * i + j] = gone_a[2 + i];
            gone_b[3 + i] = gone_c[3 * i + j] + s;
        }
    }
}

static void (*volatile hidden)(int *, int) = add_to;

ALONE static int called_by_pointer(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        hidden(&sum, ints[i]);
        more_ints[i] = sum & 7;
    }
    return sum;
}

static void prepare(void)
{
    srand(1);
    for (int i = 0; i < 4 * N; i++) {
        ints[i] = i * 7919 % 1000;
        more_ints[i] = 0;
        reals[i] = i % 97 / 10.0 + 0.1;
        more_reals[i] = i % 31 / 7.0;
    }
    for (int i = 0; i < N; i++)
        particles[i] = (struct particle){.x = i * 0.001, .v = 1};
}

static void first_part(int n, int r, const int *set)
{
    anti_dependence(n), row_below(r), through_indexes(reals, set, n), through_far_indexes(reals, set, n);
    keep(last_of_counter(n)), keep(last_of_data(ints, n)), keep(last_under_condition(ints, n)),
        keep(counts_down(ints, n));
    column_before_first(reals, r, r), keep(output_dependence(n)), keep(pushes(ints, more_ints, n));
    keep(pushes_some(ints, more_ints, n)), temporary(ints, n), keep(sum_of_squares(r));
    true_dependence(ints, more_ints, n), diagonal(reals, r), second_dimension(reals, r),
        twice_as_far(ints, n);
    scalar_of_before(more_ints, n), first_element(ints, n), first_element_apart(ints, n),
        with_parameter(reals, more_reals, n);
    aliased(reals + 1, reals, n), not_aliased(reals, more_reals, n), calls_a_static(ints, n),
        keep(adds_through_call(ints, n));
    sets_through_call(n), static_local(n), static_local_kept(n), prepare(),
        counter_beside(reals, more_reals, more_reals + n, n);
    keep(counted_by_steps(n)), prepare(), ring(n), ring_overwritten(n);
}

static void second_part(int n, int r, char *text)
{
    static unsigned char set[N];
    static struct node cells[N];
    fields(particles, n), field_of_neighbour(particles, n), bit_fields(particles, n), one_bit_of_each(set, n);
    one_bit_toggled(set, n), through_union(n), keep(largest(n)), keep(place_of_largest(n)),
        keep(all_positive(n)), keep(parity(n));
    keep(shifted(n)), keep(sum_then_product(n)), keep(first_match(ints, n, ints[n / 2])),
        stops_at_zero(reals, n), found_stops_it(n);
    keep(list_sum(list_built(cells, n))), keep(words(text)), random_numbers(ints, n), random_of_each(ints, n),
        random_of_all(ints, n);
    allocates(n), grows(n), prints(20), prints_into(n), appends(text, 100), recursive(n), memoised(n),
        jumps(n), prepare();
    quick(ints, 0, n - 1), prepare(), red_black(reals, n), wraps(more_reals, reals, n);
    doubles_step(reals, n), keep(weights(n)), scratch_of_outer(more_reals, r), scratch_kept(more_reals, r);
    keep(called_by_pointer(n)), read_for_nothing(30), last_pass_stays(30), last_iteration_stays(30);
    written_side_by_side(30);
    digest(set, sizeof set), digest(cells, 8), digest(particles, sizeof particles);
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 600, r = side(n);
    static int set[N];
    static char text[N];
    for (int i = 0; i < N; i++) {
        set[i] = i * 4 / 3 * 3 % (N - 1);
        text[i] = i % 7 == 6 ? ' ' : 'x';
    }
    text[N - 1] = 0;
    for (int i = 0; i < N; i++)
        set[i] = i * 5 % 1021;
    prepare();
    first_part(n, r, set);
    second_part(n, r, text);
    digest(ints, sizeof ints), digest(more_ints, sizeof more_ints), digest(reals, sizeof reals),
        digest(more_reals, sizeof more_reals);
    return finish();
}
