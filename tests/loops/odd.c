/* Loops in the manner of race benchmarks: what iterations share by ways that are seldom thought of. */
#include "loops.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <time.h>

#define ALONE static __attribute__((noinline))
enum { COUNT = 160 };

struct node {
    int value;
    struct node *next, *twin;
};
struct header {
    unsigned short kind, size;
    unsigned char body[12];
};
struct bits {
    unsigned a : 3, b : 5, c : 8;
    unsigned d;
};
union both {
    double d;
    uint64_t u;
    unsigned char c[8];
};
static int ia[2 * COUNT + 16], ib[2 * COUNT + 16], ic[2 * COUNT + 16], at[COUNT + 16], grid[COUNT][COUNT];
static double da[2 * COUNT + 16], db[2 * COUNT + 16];
static struct node nodes[COUNT + 16];
static struct bits fields[COUNT + 16];
static union both boths[COUNT + 16];
static unsigned char pool[16 * COUNT + 64];
static signed char small[COUNT + 16];
static char text[COUNT * 8];
static atomic_int counter;
static int *ptrs[COUNT + 16];
static volatile int port;

/* two entries of the table are alike */
ALONE void twice_in_table(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        ia[at[i]] = ib[i];
}
ALONE void table_of_itself(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        ic[ic[i] & 127] = i;
}
ALONE void table_twice(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        ia[i] += ia[at[at[i]]];
}
/* only the last iteration meets the first */
ALONE void ring(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        ia[i] = ib[i] + ia[(i + 1) % n];
}
ALONE void ring_apart(int n)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        ic[i] = ib[i] + ia[(i + 1) % n];
}
ALONE void mirror(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        ia[i] = ia[n - 1 - i] + 1;
}
ALONE void mirror_half(int n)
{
    for (int i = 0; i < n / 2; i++) { /* loop: parallel */
        int t = ia[i];
        ia[i] = ia[n - 1 - i];
        ia[n - 1 - i] = t;
    }
}
ALONE void mirror_too_far(int n)
{
    for (int i = 0; i < n / 2 + 1; i++) { /* loop: no */
        int t = ib[i];
        ib[i] = ib[n - 1 - i];
        ib[n - 1 - i] = t + 1;
    }
}
ALONE void strided(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        ia[2 * i] = ia[i] + 1;
}
ALONE void strided_apart(int n)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        ia[2 * i] = ia[2 * i + 1] + 1;
}
/* triangles */
ALONE void triangle(int n)
{
    for (int i = 0; i < n; i++)     /* loop: no */
        for (int j = 0; j < i; j++) /* loop: parallel */
            grid[i][j] = grid[j][i] + grid[i - 1][j];
}
ALONE void triangle_mirror(int n)
{
    for (int i = 0; i < n; i++)     /* loop: parallel */
        for (int j = 0; j < i; j++) /* loop: parallel */
            grid[i][j] = grid[j][i];
}
ALONE void triangle_sum(int n)
{
    for (int i = 0; i < n; i++)         /* loop: no */
        for (int j = i + 1; j < n; j++) /* loop: parallel */
            ia[j] = ia[j] * 2 + ib[i];
}
ALONE void solve_back(int n)
{
    for (int i = n - 1; i >= 0; i--) { /* loop: no */
        double s = da[i];
        for (int j = i + 1; j < n; j++) /* loop: reduction */
            s -= grid[i][j] * da[j];
        da[i] = s / (n + 1);
    }
}
/* out of the loop */
ALONE int first_odd(int n)
{
    int found = -1;
    for (int i = 0; i < n && found < 0; i++) /* loop: no */
        if (ib[i] == 29)
            found = i;
    return found;
}
ALONE int jumps_out(int n)
{
    int i;
    for (i = 0; i < n; i++) { /* loop: no */
        ic[i] = ib[i];
        if (ib[i] == 30)
            goto out;
    }
out:
    return i;
}
ALONE int skips_one(int n)
{
    int skipped = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        if (!skipped && ib[i] == 7) {
            skipped = 1;
            continue;
        }
        ic[i] = ib[i] + 1;
    }
    return skipped;
}
/* functions by pointers */
static int kept;
static int plain_function(int x)
{
    return x * 3;
}
static int keeping_function(int x)
{
    return x + kept++;
}
static int (*volatile chosen[2])(int) = {plain_function, keeping_function};
ALONE void by_pointer(int (*f)(int), int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        ia[i] = f(ib[i]);
}
ALONE void by_pointers(int n)
{
    int (*f[2])(int) = {chosen[0], chosen[1]};
    for (int i = 0; i < n; i++) /* loop: no */
        ia[i] = f[i & 1](ib[i]);
}
/* one thing, two types */
ALONE void union_bytes(int n)
{
    for (int i = 1; i < n; i++) /* loop: no */
        boths[i].d = boths[i - 1].c[3] + i;
}
ALONE void union_own(int n)
{
    for (int i = 0; i < n; i++) { /* loop: private */
        union both b;
        b.d = i;
        ia[i] = b.c[6];
    }
}
ALONE void union_outer(int n)
{
    union both b = {0};
    for (int i = 0; i < n; i++) { /* loop: no */
        b.c[i & 7] = (unsigned char)i;
        ia[i] = (int)b.u;
    }
}
ALONE void bit_field_carried(int n)
{
    for (int i = 1; i < n; i++) /* loop: no */
        fields[i].b = fields[i - 1].b + 1;
}
ALONE void bit_field_one(struct bits *f, int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        if (ib[i] & 1)
            f->a = ib[i] & 7;
        else
            f->b = ib[i] & 31;
    }
}
ALONE void bits_set(unsigned *set, int n)
{
    for (int i = 0; i < n; i++) /* loop: reduction */
        set[at[i] / 32] |= 1u << at[i] % 32;
}
ALONE void bits_tested(unsigned *set, int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        unsigned had = set[at[i] / 32] >> at[i] % 32 & 1;
        set[at[i] / 32] |= 1u << at[i] % 32;
        ic[i] = (int)had;
    }
}
ALONE void talks_to_port(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        port = ib[i];
}
ALONE int static_local(int n)
{
    static int before = 3;
    for (int i = 0; i < n; i++) { /* loop: no */
        ic[i] = before;
        before = ib[i];
    }
    return before;
}
/* what the library keeps */
ALONE void dice(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        ic[i] = rand() % 6;
}
ALONE void own_dice(int n)
{
    for (int i = 0; i < n; i++) { /* loop: private */
        unsigned seed = (unsigned)i;
        ic[i] = rand_r(&seed) % 6;
    }
}
ALONE void one_seed(int n)
{
    unsigned seed = 1;
    for (int i = 0; i < n; i++) /* loop: no */
        ic[i] = rand_r(&seed) % 6;
}
ALONE int words_in(char *s)
{
    int n = 0;
    for (char *w = strtok(s, " "); w; w = strtok(NULL, " ")) /* loop: no */
        n += (int)strlen(w);
    return n;
}
ALONE int errors(int n)
{
    int bad = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        if (ib[i] == 3)
            errno = ERANGE;
        bad += errno != 0;
    }
    return bad;
}
ALONE void days(int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        time_t t = (time_t)i * 86400;
        ic[i] = gmtime(&t)->tm_mday;
    }
}
ALONE void printed(int n)
{
    for (int i = 0; i < n; i++) /* loop: ordered */
        printf("%d\n", ib[i] & 1);
}
/* rarely written */
ALONE int rare_write(int n)
{
    int limit = 1000;
    for (int i = 0; i < n; i++) { /* loop: no */
        ic[i] = ib[i] < limit;
        if (i == 100)
            limit = 10;
    }
    return limit;
}
ALONE int conditional_last(int n)
{
    int last = -1;
    for (int i = 0; i < n; i++) /* loop: no */
        if (ib[i] > 20)
            last = i;
    return last;
}
ALONE int minimum_at(int n)
{
    int best = ib[0], where = 0;
    for (int i = 1; i < n; i++) /* loop: no */
        if (ib[i] < best) {
            best = ib[i];
            where = i;
        }
    return where * 1000 + best;
}
ALONE int minimum_counted(int n)
{
    int best = ib[0], times = 0;
    for (int i = 1; i < n; i++) /* loop: no */
        if (ib[i] <= best) {
            best = ib[i];
            times++;
        }
    return times;
}
ALONE int compacts(int n)
{
    int k = 0;
    for (int i = 0; i < n; i++) /* loop: no */
        if (ib[i] & 1)
            ic[k++] = ib[i];
    return k;
}
/* copies over each other */
ALONE void shifted(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        memmove(pool + 8 * i, pool + 8 * i + 4, 8);
}
ALONE void copied_on(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        memcpy(pool + 8 * i + 8, pool + 8 * i, 8);
}
ALONE void copied_apart(int n)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        memcpy(pool + 8 * i, da + i, 8);
}
ALONE void records_overlap(int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        struct header *h = (struct header *)(pool + 12 * i);
        h->kind = (unsigned short)i;
        h->body[8] = (unsigned char)i;
    }
}
ALONE void records_apart(int n)
{
    for (int i = 0; i < n; i++) { /* loop: parallel */
        struct header *h = (struct header *)(pool + 16 * i);
        h->kind = (unsigned short)i;
        h->body[8] = (unsigned char)i;
    }
}
ALONE void histogram_small(int n)
{
    for (int i = 0; i < n; i++) /* loop: reduction */
        small[ib[i] & 15]++;
}
ALONE void ranks(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        ic[i] = small[ib[i] & 15]++;
}
ALONE void tickets(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        ic[i] = atomic_fetch_add(&counter, 1);
}
ALONE int sum_of_list(struct node *p)
{
    int s = 0;
    for (; p; p = p->next) /* loop: no */
        s += p->value;
    return s;
}
ALONE void twins(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        nodes[i].twin->value += i * nodes[i].value;
}
ALONE void through_pointers(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        *ptrs[i] = *ptrs[i + 1] + 1;
}
static int fib(int k, int *memo)
{
    return k < 2 ? k : memo[k] ? memo[k] : (memo[k] = fib(k - 1, memo) + fib(k - 2, memo));
}
ALONE void memoized(int n)
{
    static int memo[64];
    for (int i = 0; i < n; i++) /* loop: no */
        ic[i] = fib(i % 30, memo);
}
static int depth_of(int k)
{
    return k < 2 ? 1 : 1 + depth_of(k / 2);
}
ALONE void recursive(int n)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        ic[i] = depth_of(i);
}
ALONE void aliased(int *p, int *q, int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        p[i] = q[i] + 1;
}
ALONE void aliased_apart(int *p, int *q, int n)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        p[i] = q[i] + 2;
}
ALONE void ends_move(int *p, int *end)
{
    while (p < end) { /* loop: no */
        *p += p[1];
        p++;
    }
}
ALONE void bound_changes(int n)
{
    ib[n] = n;
    for (int i = 0; i < ib[n]; i++) { /* loop: no */
        if (i == n / 2)
            ib[n] = n - 5;
        ic[i] = i;
    }
}
ALONE void swaps(int n)
{
    double *p = da, *q = db;
    for (int t = 0; t < 6; t++) {   /* loop: no */
        for (int i = 1; i < n; i++) /* loop: parallel */
            q[i] = p[i - 1] * 0.5 + p[i];
        double *x = p;
        p = q, q = x;
    }
}
ALONE void polynomial(int n)
{
    double x = 1;
    for (int i = 0; i < n; i++) { /* loop: no */
        da[i] = db[i] * x;
        x *= 1.0001;
    }
}
ALONE void upper(char *s)
{
    for (; *s; s++) /* loop: no */
        *s = (char)toupper((unsigned char)*s);
}
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int shared_last;
ALONE void under_lock(int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        pthread_mutex_lock(&lock);
        ic[i] = shared_last;
        shared_last = ib[i];
        pthread_mutex_unlock(&lock);
    }
}
static void *worker(void *p)
{
    return p;
}
ALONE void starts_threads(int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        pthread_t t;
        pthread_create(&t, NULL, worker, NULL);
        pthread_join(t, NULL);
    }
}
ALONE void column_sum(int n)
{
    for (int i = 0; i < n; i++)     /* loop: reduction */
        for (int j = 0; j < n; j++) /* loop: parallel */
            ia[j] += grid[i][j];
}
ALONE void prefix_rows(int n)
{
    for (int i = 0; i < n; i++)     /* loop: parallel */
        for (int j = 1; j < n; j++) /* loop: no */
            grid[i][j] += grid[i][j - 1];
}
ALONE void scratch_leaks(int n)
{
    int tmp[8] = {0};
    for (int i = 0; i < n; i++) {         /* loop: no */
        for (int j = 0; j < (i & 7); j++) /* loop: parallel */
            tmp[j] = ib[i] + j;
        ic[i] = tmp[7] + tmp[3];
    }
}
ALONE void scratch_own(int n)
{
    int tmp[8];
    for (int i = 0; i < n; i++) {   /* loop: private */
        for (int j = 0; j < 8; j++) /* loop: parallel */
            tmp[j] = ib[i] + j;
        ic[i] = tmp[7] + tmp[3];
    }
}
ALONE void far_half(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        ia[i + n / 2] = ia[i] + 1;
}
ALONE void far_whole(int n)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        ia[i + n] = ia[i] + 1;
}

static unsigned char cells[64], *cell_at[64];
static const unsigned char wanted[16] = {0, 0, 1, 0, 1, 1, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1};
static __attribute__((noinline)) void add_byte(unsigned char *p, unsigned char v)
{
    *p += v;
}
/* gcc -O2 makes a loop of its own of the rows that are not wanted. */
static __attribute__((noinline)) void rows_skipped(int n, int m)
{
    int i = 0;
    while (i < n) {                   /* loop: no */
        for (int j = 0; j < m; j++) { /* loop: no */
            if (wanted[i])
                add_byte(cell_at[2 + j], *cell_at[1 + j]);
        }
        i++;
    }
}

int main(void)
{
    int n = COUNT;
    unsigned set[8] = {0};
    for (int i = 0; i < COUNT + 16; i++) {
        at[i] = i * 3 % 101, ib[i] = i * 7 % 31 + 1, ia[i] = i, ic[i] = i * 5, da[i] = i, db[i] = i % 9;
        nodes[i].value = i, nodes[i].twin = &nodes[i / 2], ptrs[i] = &ic[i];
        nodes[i].next = i + 1 < COUNT ? &nodes[i + 1] : NULL;
        for (int j = 0; j < COUNT && i < COUNT; j++)
            grid[i][j] = (i * j) % 11;
    }
    for (int i = 0; i < (int)sizeof pool; i++)
        pool[i] = (unsigned char)(i * 3);
    for (int i = 0; i < (int)sizeof text - 1; i++)
        text[i] = i % 5 ? 'a' + i % 26 : ' ';
    twice_in_table(n), table_of_itself(120), table_twice(100);
    ring(n), ring_apart(n), mirror(n), mirror_half(n), mirror_too_far(n), strided(n), strided_apart(n);
    triangle(24), triangle_mirror(24), triangle_sum(24), solve_back(24);
    keep(first_odd(n)), keep(jumps_out(n)), keep(skips_one(n));
    by_pointer(chosen[1], n), by_pointers(n);
    union_bytes(n), union_own(n), union_outer(n), bit_field_carried(n), bit_field_one(fields, n);
    bits_set(set, 100), bits_tested(set, 100), talks_to_port(n), keep(static_local(n));
    dice(n), own_dice(n), one_seed(n), keep(words_in(strdup(text))), keep(errors(n)), days(n), printed(12);
    keep(rare_write(n)), keep(conditional_last(n)), keep(minimum_at(n)), keep(minimum_counted(n)),
        keep(compacts(n));
    shifted(n), copied_on(n), copied_apart(n), records_overlap(n), records_apart(n), histogram_small(n),
        ranks(n), tickets(n);
    keep(sum_of_list(nodes)), twins(n), through_pointers(n), memoized(n), recursive(n);
    aliased(ia + 1, ia, n), aliased_apart(ia + n, ia, n), ends_move(ia, ia + n), bound_changes(n);
    swaps(n), polynomial(n), upper(text), under_lock(n), starts_threads(4), column_sum(24), prefix_rows(24);
    scratch_leaks(n), scratch_own(n), far_half(n), far_whole(n);
    for (int i = 0; i < 64; i++)
        cells[i] = (unsigned char)i, cell_at[i] = &cells[i];
    rows_skipped(16, 14), digest(cells, sizeof cells);
    digest(ia, sizeof ia), digest(ib, sizeof ib), digest(ic, sizeof ic), digest(da, sizeof da),
        digest(db, sizeof db);
    digest(grid, sizeof grid), digest(pool, sizeof pool), digest(small, sizeof small),
        digest(text, sizeof text);
    digest(boths, sizeof boths), digest(fields, sizeof fields), digest(nodes->twin, 4),
        digest(set, sizeof set);
    return finish();
}
