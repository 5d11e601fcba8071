/* What keeps something where it is easily overlooked: the processor, the C library, flags, rings, tables; and
 * their harmless likes. */
#define _GNU_SOURCE
#include "loops.h"
#include <math.h>
#include <stdint.h>
#include <setjmp.h>
#include <fenv.h>
#include <errno.h>
#include <time.h>
enum { M = 256 };
static int a[2 * M + 64], b[2 * M + 64], c[2 * M + 64], ix[2 * M];
static double x[2 * M + 64], y[2 * M + 64];
static int *t[M];
static unsigned char bytes[8 * M];

/* neighbours lead to one element */
KERNEL(led)
{
    for (int i = 0; i < n; i++) /* loop: no */
        *t[i] = i;
}
KERNEL(led_apart)
{
    for (int i = 0; i < n; i++) /* loop: input */
        *t[i] = i;
}
KERNEL(round_asm)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        unsigned csr = 0x1f80u | (unsigned)(b[i] & 3) << 13;
        x[i] = y[i] / 3;
#ifdef __x86_64__
        __asm__ volatile("ldmxcsr %0" : : "m"(csr));
#endif
    }
#ifdef __x86_64__
    unsigned d = 0x1f80u;
    __asm__ volatile("ldmxcsr %0" : : "m"(d));
#endif
}
KERNEL(asm_counter)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        unsigned f = 0;
#ifdef __x86_64__
        __asm__ volatile("stmxcsr %0" : "=m"(f));
#endif
        x[i] = y[i] / 7;
        a[i] = f;
    }
}
static double nanmin_;
KERNEL(nan_min)
{
    double best = y[0];
    for (int i = 1; i < n; i++) /* loop: reduction */
        best = y[i] < best ? y[i] : best;
    nanmin_ = best;
    keep(best);
}
KERNEL(nan_min_macro)
{
    double best = y[0];
    for (int i = 1; i < n; i++) /* loop: input */
        best = best < y[i] ? best : y[i];
    keep(best);
}
KERNEL(nan_min_if)
{
    double best = y[0];
    for (int i = 1; i < n; i++) /* loop: no */
        if (!(y[i] >= best))
            best = y[i];
    keep(best);
}
KERNEL(plain_min)
{
    double best = x[0];
    for (int i = 1; i < n; i++) /* loop: reduction */
        best = x[i] < best ? x[i] : best;
    keep(best);
}
/* words that overlap */
KERNEL(words_overlap)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        uint32_t w = (uint32_t)b[i] * 2654435761u;
        memcpy(bytes + 3 * i, &w, 4);
    }
}
KERNEL(words_apart)
{
    for (int i = 0; i < n; i++) { /* loop: parallel */
        uint32_t w = (uint32_t)b[i] * 2654435761u;
        memcpy(bytes + 4 * i, &w, 4);
    }
}
KERNEL(words_cast)
{
    for (int i = 0; i < n; i++) /* loop: no */
        *(uint32_t *)(bytes + 2 * i) = (uint32_t)b[i] * 2654435761u;
}
struct __attribute__((packed)) odd {
    uint8_t k;
    uint32_t v;
};
KERNEL(shorts_overlap)
{
    uint16_t *h = (uint16_t *)bytes;
    for (int i = 0; i < n; i++) { /* loop: no */
        h[i] = (uint16_t)b[i];
        h[i + 1] = (uint16_t)(b[i] >> 3);
    }
}
KERNEL(bits_or)
{
    for (int i = 0; i < n; i++) /* loop: reduction */
        bytes[i / 8] |= (uint8_t)((b[i] & 1) << (i % 8));
}
KERNEL(bits_set)
{
    for (int i = 0; i < n; i++) /* loop: no */
        bytes[i / 8] = (uint8_t)((bytes[i / 8] & ~(1 << (i % 8))) | ((b[i] & 1) << (i % 8)));
}
KERNEL(errno_left)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        char s[32];
        snprintf(s, sizeof s, "%d", b[i]);
        if (errno == ERANGE)
            a[i] = 1;
        b[i + M] = (int)strtol(s, NULL, 10);
    }
}
KERNEL(randoms)
{
    for (int i = 0; i < n; i++) /* loop: no */
        a[i] = rand();
}
KERNEL(randoms_r)
{
    unsigned seed = 5;
    for (int i = 0; i < n; i++) /* loop: no */
        a[i] = rand_r(&seed);
}
KERNEL(drands)
{
    for (int i = 0; i < n; i++) /* loop: no */
        x[i] = drand48();
}
KERNEL(randoms_own)
{
    for (int i = 0; i < n; i++) { /* loop: parallel */
        unsigned seed = i;
        a[i] = rand_r(&seed);
    }
}
KERNEL(tokens)
{
    char s[1024] = "";
    for (int i = 0; i < 200; i++)
        s[i] = i % 4 == 3 ? ',' : 'a' + i % 4;
    char *p = strtok(s, ",");
    for (int i = 0; p && i < n; i++, p = strtok(NULL, ",")) /* loop: no */
        a[i] = (int)strlen(p);
}
KERNEL(tokens_r)
{
    char s[1024] = "", *save = NULL;
    for (int i = 0; i < 200; i++)
        s[i] = i % 4 == 3 ? ',' : 'a' + i % 4;
    char *p = strtok_r(s, ",", &save);
    for (int i = 0; i < 40; i++) { /* loop: no */
        a[i] = p ? *p : 0;
        p = strtok_r(NULL, ",", &save);
    }
}
KERNEL(file_position)
{
    FILE *f = tmpfile();
    for (int i = 0; i < n; i++) /* loop: no */
        fwrite(&b[i], sizeof b[i], 1, f);
    rewind(f);
    for (int i = 0; i < n; i++) /* loop: no */
        a[i] = fgetc(f);
    fclose(f);
}
KERNEL(volatile_order)
{
    static volatile int port;
    for (int i = 0; i < n; i++) /* loop: no */
        port = b[i];
}
static jmp_buf env;
static __attribute__((noinline)) void leave(int i)
{
    if (b[i] > 99)
        longjmp(env, 1);
    a[i] = b[i];
}
KERNEL(jumped)
{
    if (setjmp(env))
        return;
    for (int i = 0; i < n; i++) /* loop: no */
        leave(i);
}
KERNEL(goes_on)
{
    int i = 0, carry = 0;
again:
    for (; i < n; i++) { /* loop: no */
        a[i] = b[i] + carry;
        if (b[i] == 50 && !carry) {
            carry = 1;
            i++;
            goto again;
        }
    }
}
KERNEL(flagged)
{
    int i = 0, first = 1;
    do { /* loop: no */
        a[i] = first ? 1 : b[i];
        first = 0;
    } while (++i < n);
}
KERNEL(flag_peeled)
{
    int first = 1;
    for (int i = 0; i < n; i++) { /* loop: no */
        if (first)
            a[i] = 7;
        else
            a[i] = b[i] + 1;
        first = 0;
    }
}
struct node {
    struct node *next;
    int v;
};
static struct node nodes[M];
KERNEL(chases)
{
    int i = 0;
    for (struct node *p = nodes; p; p = p->next) /* loop: no */
        a[i++] = p->v;
}
KERNEL(ring)
{
    int buf[8] = {0}, head = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        a[i] = buf[head];
        buf[head] = b[i];
        head = (head + 1) % 8;
    }
}
KERNEL(ring_counter)
{
    int buf[8] = {0};
    for (int i = 0; i < n; i++) { /* loop: no */
        a[i] = buf[i & 7];
        buf[i & 7] = b[i];
    }
}
KERNEL(rare)
{
    for (int i = 0; i < n; i++) /* loop: no */
        c[ix[i]] += c[ix[i] + 1];
}
KERNEL(distinct)
{
    for (int i = 0; i < n; i++) /* loop: input */
        c[ix[i] * 2] = b[i];
}
KERNEL(last_use)
{
    int k = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        if (b[i] > 50)
            k = i;
        a[i] = b[i] * 2;
    }
    keep(k);
}
KERNEL(last_plain)
{
    int k = 0;
    for (int i = 0; i < n; i++) { /* loop: private */
        k = b[i] * 3;
        a[i] = k;
    }
    keep(k);
}
KERNEL(found)
{
    int at = -1;
    for (int i = 0; i < n; i++) { /* loop: no */
        if (b[i] == 73) {
            at = i;
            break;
        }
    }
    keep(at);
}
KERNEL(found_last)
{
    int at = -1;
    for (int i = 0; i < n; i++) /* loop: no */
        if (b[i] == 73)
            at = i;
    keep(at);
}
KERNEL(found_flag)
{
    int yes = 0;
    for (int i = 0; i < n; i++) /* loop: reduction */
        yes |= b[i] == 73;
    keep(yes);
}
KERNEL(inclusive)
{
    int s = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        s += b[i];
        a[i] = s;
    }
}
KERNEL(exclusive)
{
    int s = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        a[i] = s;
        s += b[i];
    }
}
KERNEL(exclusive_in_place)
{
    int s = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        int v = c[i];
        c[i] = s;
        s += v;
    }
}
KERNEL(recur_33)
{
    for (int i = 33; i < n; i++) /* loop: no */
        x[i] = x[i - 33] * 0.5 + y[i];
}
KERNEL(recur_half)
{
    for (int i = 0; i < M; i++) /* loop: no */
        a[i + 100] = a[i] + 1;
}
KERNEL(recur_never)
{
    for (int i = 0; i < M; i++) /* loop: parallel */
        a[i + M] = a[i] + 1;
}
KERNEL(wrap8)
{
    uint8_t k = 0;
    for (int i = 0; i < n + 100; i++, k++) /* loop: no */
        c[k] = c[k] * 3 + b[i];
}
KERNEL(wrap_index)
{
    for (int i = 0; i < 2 * M; i++) /* loop: no */
        c[(uint8_t)i] = b[i];
}
static struct {
    int key, val;
} table[512];
static __attribute__((noinline)) int put(int key)
{
    unsigned h = (unsigned)key * 2654435761u >> 23;
    while (table[h].key && table[h].key != key)
        h = (h + 1) & 511;
    table[h].key = key;
    return (int)h;
}
KERNEL(hashed)
{
    for (int i = 0; i < n; i++) /* loop: no */
        a[i] = put(b[i] * 13 + 1);
}
KERNEL(hashed_here)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        unsigned h = (unsigned)b[i] * 2654435761u >> 23;
        while (table[h].key && table[h].key != b[i] + 1)
            h = (h + 1) & 511;
        table[h].key = b[i] + 1;
        a[i] = (int)h;
    }
}
static int up[M];
static int root(int k)
{
    while (up[k] != k)
        k = up[k] = up[up[k]];
    return k;
}
KERNEL(unions)
{
    for (int i = 0; i < n; i++) /* loop: no */
        up[root(i % M)] = root(b[i] % M);
}
static int memo[M];
static int fib(int k)
{
    return k < 2 ? k : memo[k] ? memo[k] : (memo[k] = (fib(k - 1) + fib(k - 2)) % 1000);
}
KERNEL(memoised)
{
    for (int i = 0; i < n / 4; i++) /* loop: no */
        a[i] = fib(i);
}
KERNEL(clocked)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        a[i] = (int)(clock() & 1);
}
KERNEL(env_kept)
{
    char s[20];
    for (int i = 0; i < n; i++) { /* loop: no */
        snprintf(s, sizeof s, "%d", i);
        const char *was = getenv("CCT");
        a[i] = was ? atoi(was) : 0;
        setenv("CCT", s, 1);
    }
}
static int depth;
static __attribute__((noinline)) int nested(int k)
{
    depth++;
    int r = k > 0 ? nested(k - 1) : depth;
    depth--;
    return r;
}
KERNEL(depths)
{
    for (int i = 0; i < n; i++) /* loop: no */
        a[i] = nested(b[i] % 4);
}
static int shared_k = 3, later_k = 3;
static int *const shared_at = &shared_k;
static int *later_at;
KERNEL(by_file_pointer)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        a[i] = *shared_at;
        shared_k = b[i];
    }
}
static __attribute__((noinline)) void set_later(void)
{
    later_at = &later_k;
}
KERNEL(by_pointer_set_elsewhere)
{
    set_later();
    for (int i = 0; i < n; i++) { /* loop: no */
        a[i] = *later_at;
        later_k = b[i];
    }
}
static int *where;
static void tell(int *p)
{
    where = p;
}
static int told(void)
{
    return *where;
}
KERNEL(by_function_told)
{
    int k = 1;
    tell(&k);
    for (int i = 0; i < n; i++) { /* loop: no */
        a[i] = told();
        k = b[i];
    }
}
/* compilers may not move anything, but nothing is kept */
KERNEL(barrier)
{
    for (int i = 0; i < n; i++) { /* loop: parallel */
        a[i] = b[i] * 3;
        __asm__ volatile("" ::: "memory");
    }
}
static void (*const all[])(int) = {round_asm,
                                   asm_counter,
                                   words_overlap,
                                   words_apart,
                                   words_cast,
                                   shorts_overlap,
                                   bits_or,
                                   bits_set,
                                   errno_left,
                                   randoms,
                                   randoms_r,
                                   drands,
                                   randoms_own,
                                   tokens,
                                   tokens_r,
                                   file_position,
                                   volatile_order,
                                   jumped,
                                   goes_on,
                                   flagged,
                                   flag_peeled,
                                   chases,
                                   ring,
                                   ring_counter,
                                   rare,
                                   distinct,
                                   last_use,
                                   last_plain,
                                   found,
                                   found_last,
                                   found_flag,
                                   inclusive,
                                   exclusive,
                                   exclusive_in_place,
                                   recur_33,
                                   recur_half,
                                   recur_never,
                                   wrap8,
                                   wrap_index,
                                   hashed,
                                   hashed_here,
                                   unions,
                                   memoised,
                                   clocked,
                                   env_kept,
                                   by_file_pointer,
                                   by_pointer_set_elsewhere,
                                   by_function_told,
                                   barrier,
                                   depths};

int main(int argc, char **argv)
{
    int n = M - 1 + argc;
    (void)argv;
    for (int i = 0; i < 2 * M; i++) {
        b[i] = i * 37 % 101;
        y[i] = i * 0.37;
        x[i] = (i * 17 % 29) + 1.5;
        ix[i] = i * 7 % M;
    }
    for (int i = 0; i < M; i++) {
        t[i] = &c[i / 2];
        up[i] = i;
        nodes[i].next = i + 1 < M ? &nodes[i + 1] : NULL;
        nodes[i].v = i * 3;
    }
    plain_min(n);
    led(n);
    digest(c, sizeof c);
    for (int i = 0; i < M; i++)
        t[i] = &c[i];
    led_apart(n);
    digest(c, sizeof c);
    y[77] = NAN;
    nan_min(n), nan_min_macro(n), nan_min_if(n);
    y[77] = 3;
    for (unsigned k = 0; k < sizeof all / sizeof *all; k++) {
        all[k](n);
        digest(a, sizeof a), digest(c, sizeof c), digest(x, sizeof x), digest(bytes, sizeof bytes),
            digest(up, sizeof up), digest(memo, sizeof memo);
    }
    return finish();
}
