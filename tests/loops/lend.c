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

int main(void)
{
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
    digest(scores, sizeof scores);
    digest(ends, sizeof ends);
    digest(draws, sizeof draws);
    return finish();
}
