/* Variables of the function whose addresses a loop hands to functions that are put into it. */
#include "loops.h"

enum { PAIRS = 40, LONG = 24 };
static int scores[PAIRS], ends[PAIRS], texts[PAIRS + 1][LONG + 1];
static double draws[PAIRS];
static int *kept;

static int align(const int *a, const int *b, int n, int *end1, int *end2)
{
    int best = 0, row[LONG + 1];
    *end1 = *end2 = 0;
    for (int i = 0; i <= n; i++)
        row[i] = 0;
    for (int i = 1; i <= n; i++) {
        int left = 0, before = 0;
        for (int j = 1; j <= n; j++) {
            int h = before + (a[i] == b[j] ? 5 : -3);
            h = h < left - 2 ? left - 2 : h;
            h = h < row[j] - 2 ? row[j] - 2 : h;
            h = h < 0 ? 0 : h;
            before = row[j];
            row[j] = left = h;
            if (h > best) {
                best = h;
                *end1 = i;
                *end2 = j;
            }
        }
    }
    return best;
}
KERNEL(pairs)
{
    int end1, end2;
    for (int k = 0; k < n; k++) { /* loop: private */
        scores[k] = align(texts[k], texts[k + 1], LONG, &end1, &end2);
        ends[k] = end1 * 100 + end2;
    }
}
static double draw(double *seed)
{
    *seed = *seed * 16807 - 2147483647 * (double)(int)(*seed * 16807 / 2147483647);
    return *seed / 2147483647;
}
static void fill(int n, double *seed, double *sum)
{
    *sum = 0;
    for (int i = 0; i < n; i++)
        *sum += draw(seed);
}
KERNEL(streams)
{
    double seed = 1, sum;
    draw(&seed);
    double first = seed;
    for (int k = 0; k < n; k++) { /* loop: private */
        seed = first + k;
        fill(LONG, &seed, &sum);
        draws[k] = sum;
    }
}
KERNEL(one_stream)
{
    double seed = 1, sum;
    for (int k = 0; k < n; k++) { /* loop: no */
        fill(LONG, &seed, &sum);
        draws[k] += sum;
    }
}
static int longest(int v, int *most)
{
    if (v > *most)
        *most = v;
    return *most - v;
}
KERNEL(running)
{
    int most = 0;
    for (int k = 0; k < n; k++) /* loop: no */
        scores[k] += longest(ends[k], &most);
}
static void perhaps(int v, int *to)
{
    if (v % 3)
        *to = v;
}
KERNEL(sometimes)
{
    int last = 7;
    for (int k = 0; k < n; k++) { /* loop: no */
        perhaps(k, &last);
        scores[k] += last;
    }
}
static void change(int *to, int v)
{
    *to = v;
}
KERNEL(before)
{
    int last = 3;
    for (int k = 0; k < n; k++) { /* loop: no */
        scores[k] += last;
        change(&last, ends[k] * k);
    }
}
static void moves(int *to, int *from)
{
    int v = *from;
    *to = v * 3 / 2 + 1;
}
KERNEL(to_itself)
{
    int x = 1;
    for (int k = 0; k < n; k++) { /* loop: no */
        moves(&x, &x);
        ends[k] += x % 50;
    }
}
static void keep_it(int *p, int v)
{
    *p = v;
    if (!kept)
        kept = p;
}
KERNEL(kept_on)
{
    int x = 0;
    for (int k = 0; k < n; k++) { /* loop: no */
        ends[k] += kept ? *kept : 1;
        keep_it(&x, ends[k] * 7 % 31);
        scores[k] += x;
    }
    kept = NULL;
}

/* A state for each iteration, by a pointer that is declared there. */
struct state {
    unsigned long long a, b;
};
static struct state states[PAIRS + 1];

static unsigned long long advance(struct state *r)
{
    unsigned long long x = r->a, y = r->b;
    r->a = y;
    x ^= x << 23;
    r->b = x ^ y ^ (x >> 17) ^ (y >> 26);
    return r->b + y;
}
static double fraction(struct state *r)
{
    return (double)(advance(r) >> 11) / 9007199254740992.0;
}
KERNEL(by_pointer)
{
    for (int k = 0; k < n; k++) { /* loop: parallel */
        struct state *r = &states[k];
        double sum = 0;
        for (int i = 0; i < LONG; i++)
            sum += fraction(r) * fraction(r);
        draws[k] = sum;
    }
}
KERNEL(by_pointers)
{
    for (int k = 0; k < n; k++) { /* loop: no */
        struct state *r = &states[k], *next = &states[k + 1];
        double sum = 0;
        for (int i = 0; i < LONG; i++)
            sum += fraction(r) + fraction(next);
        draws[k] = sum;
    }
}
KERNEL(moved_on)
{
    for (int k = 0; k < n; k++) { /* loop: no */
        struct state *r = &states[k];
        draws[k] = fraction(r);
        r++;
        draws[k] += fraction(r);
    }
}
KERNEL(one_for_all)
{
    for (int k = 0; k < n; k++) { /* loop: no */
        struct state *r = &states[0];
        draws[k] = fraction(r);
    }
}

/* A function that gets a record hands a part of it on. */
struct digest {
    unsigned sum[2];
    int filled;
    unsigned char block[64];
};
static struct digest shared_digest;
static unsigned char digests[PAIRS];

static void mix(struct digest *d, const unsigned char *p)
{
    unsigned w[16], a = d->sum[0], b = d->sum[1];
    for (int i = 0; i < 16; i++)
        w[i] = (unsigned)p[4 * i] << 24 | p[4 * i + 1] << 16 | p[4 * i + 2] << 8 | p[4 * i + 3];
    for (int i = 0; i < 16; i++)
        a = (a << 5 | a >> 27) + (w[i] ^ b), b += a * 3;
    d->sum[0] = a;
    d->sum[1] = b;
}
static __attribute__((noinline)) void take(struct digest *d, const int *v, int n)
{
    for (int i = 0; i < n; i++) {
        d->block[d->filled++] = (unsigned char)v[i];
        if (d->filled == 64) {
            mix(d, d->block);
            d->filled = 0;
        }
    }
}
KERNEL(own_digest)
{
    for (int k = 0; k < n; k++) { /* loop: parallel */
        struct digest d = {{1, 2}, 0, {0}};
        for (int i = 0; i < 4; i++)
            take(&d, texts[k], LONG);
        digests[k] = (unsigned char)(d.sum[0] ^ d.sum[1]);
    }
}
KERNEL(one_digest)
{
    for (int k = 0; k < n; k++) { /* loop: no */
        struct digest *d = &shared_digest;
        take(d, texts[k], LONG);
        digests[k] = (unsigned char)(d->sum[0] ^ d->sum[1]);
    }
}

int main(void)
{
    for (int k = 0; k <= PAIRS; k++)
        states[k].a = k * 0x9e3779b97f4a7c15ull + 1, states[k].b = k ^ 0xd1b54a32d192ed03ull;
    for (int k = 0; k <= PAIRS; k++)
        for (int i = 0; i <= LONG; i++)
            texts[k][i] = (k * 7 + i * i) % 5;
    pairs(PAIRS);
    streams(PAIRS);
    one_stream(PAIRS);
    running(PAIRS);
    sometimes(PAIRS);
    before(PAIRS);
    to_itself(PAIRS);
    kept_on(PAIRS);
    by_pointer(PAIRS);
    by_pointers(PAIRS);
    moved_on(PAIRS);
    one_for_all(PAIRS);
    own_digest(PAIRS);
    one_digest(PAIRS);
    digest(digests, sizeof digests);
    digest(scores, sizeof scores);
    digest(ends, sizeof ends);
    digest(draws, sizeof draws);
    return finish();
}
