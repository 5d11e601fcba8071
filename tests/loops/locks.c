/* What guarded, atomic, static and library state hands from one iteration to the next when a program runs
 * alone. */
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
enum { N = 400 };
static int in[N], out[N], hist[64];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local int tls_state;
static _Atomic int at_count;
static long vol_total;
static int file_seed = 42;

static int next_id(void)
{
    static int id;
    return id++;
}
static void ids(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        out[i] = next_id();
}
static int bump(int v)
{
    static int total;
    total += v;
    return v;
}
static void ids_unused(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        out[i] = bump(in[i]) * 2;
}
static void locked_sum(int n)
{
    long total = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        pthread_mutex_lock(&lock);
        total += in[i];
        out[i] = (int)total;
        pthread_mutex_unlock(&lock);
    }
    vol_total += total;
}
static void atomic_ticket(int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        int t = atomic_fetch_add(&at_count, 1);
        out[t % N] = in[i];
    }
}
static void builtin_ticket(int n)
{
    int head = 0;
    for (int i = 0; i < n; i++) /* loop: no */
        if (in[i] & 1)
            out[__sync_fetch_and_add(&head, 1)] = in[i];
    vol_total += head;
}
static void builtin_cas(int n)
{
    static int owner[64];
    memset(owner, 0, sizeof owner);
    for (int i = 0; i < n; i++) { /* loop: no */
        int want = 0;
        if (__atomic_compare_exchange_n(&owner[in[i] & 63], &want, i + 1, false, __ATOMIC_SEQ_CST,
                                        __ATOMIC_SEQ_CST))
            out[i] = 1;
        else
            out[i] = 0;
    }
}
static void tls_carried(int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        out[i] = tls_state;
        tls_state = in[i];
    }
}
static unsigned lcg(unsigned *s)
{
    *s = *s * 1664525u + 1013904223u;
    return *s >> 16;
}
static void random_walk(int n)
{
    unsigned s = 7;
    for (int i = 0; i < n; i++) /* loop: no */
        out[i] = lcg(&s) % 100;
}
static void random_each(int n)
{
    for (int i = 0; i < n; i++) { /* loop: parallel */
        unsigned s = 7u + (unsigned)i;
        out[i] = (int)(lcg(&s) % 100 + lcg(&s) % 50);
    }
}
static int my_rand(void)
{
    file_seed = file_seed * 1103515245 + 12345;
    return (file_seed >> 16) & 0x7fff;
}
static void monte(int n)
{
    int inside = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        double x = my_rand() / 32768.0, y = my_rand() / 32768.0;
        if (x * x + y * y < 1)
            inside++;
    }
    printf("pi %g\n", 4.0 * inside / n);
}
typedef int (*op)(int, void *);
static int op_scale(int v, void *ctx)
{
    return v * *(int *)ctx;
}
static int op_accumulate(int v, void *ctx)
{
    return *(int *)ctx += v;
}
static void map(int n, op f, void *ctx, const int *from, int *to)
{
    for (int i = 0; i < n; i++) /* loop: no */
        to[i] = f(from[i], ctx);
}
static void visit(int n, void (*see)(int, int, void *), void *ctx)
{
    for (int i = 0; i < n; i++) /* loop: no */
        see(i, in[i], ctx);
}
struct seen {
    int n;
    int last;
    int gaps[N];
};
static void see_gap(int i, int v, void *c)
{
    struct seen *s = c;
    (void)i;
    s->gaps[s->n++] = v - s->last;
    s->last = v;
}
static int errors;
static int check(int v)
{
    if (v < 0) {
        errors++;
        return -1;
    }
    return v;
}
static void checked(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        out[i] = check(in[i] - 50);
    printf("errors %d\n", errors);
}
static int warned;
static int check_once(int v)
{
    if (v < 40 && !warned) {
        warned = 1;
        fprintf(stderr, "low\n");
        return 0;
    }
    return v;
}
static void checked_once(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        out[i] = check_once(in[i]);
}
static int memo[N];
static int memo_get(int i)
{
    if (i < 2)
        return 1;
    if (!memo[i])
        memo[i] = (memo_get(i - 1) + memo_get(i - 2)) % 9973;
    return memo[i];
}
static void memoised(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        out[i] = memo_get(i);
}
static int sum_va(int k, ...)
{
    va_list ap;
    int s = 0;
    va_start(ap, k);
    while (k-- > 0)
        s += va_arg(ap, int);
    va_end(ap);
    return s;
}
static void varargs(int n)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        out[i] = sum_va(3, in[i], i, 5);
}
static void varargs_no(int n)
{
    for (int i = 1; i < n; i++) /* loop: no */
        out[i] = sum_va(3, out[i - 1] & 15, i, 5);
}
static void stamps(int n)
{
    struct timespec t0, t1;
    double total = 0;
    for (int rep = 0; rep < 3; rep++) { /* loop: no */
        clock_gettime(CLOCK_MONOTONIC, &t0);
        for (int i = 0; i < n; i++) /* loop: parallel */
            out[i] = out[i] / 2 + in[i];
        clock_gettime(CLOCK_MONOTONIC, &t1);
        total += (double)(t1.tv_sec - t0.tv_sec) + 1e-9 * (double)(t1.tv_nsec - t0.tv_nsec);
    }
    if (total > 1e9)
        puts("slow");
}
static void tokens(char *text)
{
    char *save = NULL;
    int k = 0;
    for (char *t = strtok_r(text, " ", &save); t; t = strtok_r(NULL, " ", &save)) /* loop: no */
        out[k++] = atoi(t);
}
static void histogram(int n)
{
    for (int i = 0; i < n; i++) /* loop: reduction */
        hist[in[i] & 63]++;
}
static void hist_rank(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        out[i] = hist[in[i] & 63]++;
}
static void prefix(void)
{
    for (int i = 1; i < 64; i++) /* loop: no */
        hist[i] += hist[i - 1];
}
static void place(int n)
{
    for (int i = n - 1; i >= 0; i--) /* loop: no */
        out[--hist[in[i] & 63]] = in[i];
}
static void bitset(unsigned char *bits, int n)
{
    for (int i = 0; i < n; i++) /* loop: reduction */
        bits[in[i] >> 3] |= (unsigned char)(1u << (in[i] & 7));
}
static int bit_take(unsigned char *bits, int n)
{
    int dup = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        unsigned char m = (unsigned char)(1u << (in[i] & 7));
        if (bits[in[i] >> 3] & m)
            dup++;
        bits[in[i] >> 3] |= m;
    }
    return dup;
}
static void stack_machine(int n)
{
    int stack[64], sp = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        if (in[i] & 1 && sp < 63)
            stack[sp++] = in[i];
        else if (sp > 0)
            out[i] = stack[--sp];
    }
}
static void own_stack(int n)
{
    for (int i = 0; i < n; i++) { /* loop: private */
        int stack[40], sp = 0;
        for (int v = in[i]; v; v >>= 1) /* loop: no */
            stack[sp++] = v & 1;
        int r = 0;
        while (sp) /* loop: no */
            r = r * 3 + stack[--sp];
        out[i] = r;
    }
}
static int buf_used;
static char buffer[N * 8];
static char *grab(int n)
{
    char *p = buffer + buf_used;
    buf_used += n;
    return p;
}
static char *names[N];
static void arena(int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        names[i] = grab(in[i] % 5 + 2);
        names[i][0] = (char)('a' + i % 26);
        names[i][1] = 0;
    }
}
static void err_state(int n)
{
    errno = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        if (errno == ERANGE) {
            out[i] = -1;
            errno = 0;
            continue;
        }
        if (in[i] == 3)
            errno = ERANGE;
        out[i] = in[i];
    }
}
static bool any_changed(int *label, int n)
{
    bool changed = false;
    for (int i = 1; i < n; i++) { /* loop: no */
        if (label[i - 1] < label[i] - 3) {
            label[i] = label[i - 1];
            changed = true;
        }
    }
    return changed;
}
int main(void)
{
    for (int i = 0; i < N; i++) /* loop: parallel */
        in[i] = (i * 31 + 17) % 127;
    ids(N);
    ids_unused(N);
    locked_sum(N);
    atomic_ticket(N);
    builtin_ticket(N);
    builtin_cas(N);
    tls_carried(N);
    random_walk(N);
    random_each(N);
    monte(N);
    int scale = 3, acc = 0;
    map(N, op_scale, &scale, in, out);
    map(N, op_accumulate, &acc, in, out);
    struct seen s = {0};
    visit(N, see_gap, &s);
    checked(N);
    checked_once(N);
    memoised(N);
    varargs(N);
    varargs_no(N);
    stamps(N);
    char text[] = "1 2 3 4 55 66 7 8 9 10 11";
    tokens(text);
    histogram(N);
    hist_rank(N);
    memset(hist, 0, sizeof hist);
    histogram(N);
    prefix();
    place(N);
    unsigned char bits[32] = {0};
    bitset(bits, N);
    int dup = bit_take(bits, N);
    stack_machine(N);
    own_stack(N);
    arena(N);
    err_state(N);
    int rounds = 0;
    while (any_changed(out, N) && rounds < 10) /* loop: no */
        rounds++;
    long sum = dup + rounds + s.n + s.gaps[3] + acc + vol_total + at_count + names[5][0];
    for (int i = 0; i < N; i++) /* loop: reduction */
        sum += out[i] + s.gaps[i];
    printf("%ld\n", sum);
    return 0;
}
