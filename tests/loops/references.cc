/* Counters and other variables that something reads by reference, as std::min does: they lie in memory at
 * every level of gcc, and what reads them knows a pointer only. */
#include "loops.h"
#include <algorithm>
#include <vector>

#define ALONE static __attribute__((noinline))
typedef std::vector<int> ints;

/* --- only the counter is looked at --- */

ALONE void distance_to_edge(ints &out, int wide, int high)
{
    for (int j = 0; j < high; j++)        /* loop: parallel */
        for (int i = 0; i < wide; i++) { /* loop: parallel */
            int e = std::min(std::min(i, wide - 1 - i), std::min(j, high - 1 - j));
            if (e < 5)
                out[j * wide + i] = e + 3;
        }
}
ALONE void at_most(const ints &x, ints &out)
{
    for (int i = 0; i < (int)x.size(); i++) /* loop: parallel */
        out[i] = std::max(x[i], i) - std::min(i, 100);
}
/* the load is std::max's, on behalf of the line that calls it */
ALONE void rectified(const std::vector<float> &x, std::vector<float> &out)
{
    for (size_t i = 0; i < x.size(); i++) /* loop: parallel */
        out[i] = std::max(0.0f, x[i]);
}
ALONE void larger(const std::vector<float> &x, const std::vector<float> &y, std::vector<float> &out)
{
    for (size_t i = 0; i < x.size(); i++) /* loop: parallel */
        out[i] = std::max(x[i], y[i]);
}
ALONE void larger_than_before(const std::vector<float> &x, std::vector<float> &out)
{
    for (size_t i = 1; i < x.size(); i++) /* loop: no */
        out[i] = std::max(out[i - 1], x[i]);
}
ALONE void clamped(const ints &x, ints &out, int n)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        out[i] = x[std::max(0, i - 1)] + x[std::min(n - 1, i + 1)];
}
static __attribute__((noinline)) int twice(const int &x)
{
    return x * 2;
}
ALONE void handed_on(ints &out)
{
    for (int i = 0; i < (int)out.size(); i++) /* loop: parallel */
        out[i] = twice(i);
}
/* on x86-64 the conversion leaves the upper half of its register, and the product goes on with that */
static __attribute__((noinline)) void halve(const int &i, double *to)
{
    to[i] = i * 0.5;
}
ALONE void converted(std::vector<double> &halves)
{
    for (int i = 0; i < (int)halves.size(); i++) /* loop: parallel */
        halve(i, halves.data());
}
ALONE long long least_of(const ints &x)
{
    long long sum = 0;
    for (int i = 0; i < (int)x.size(); i++) /* loop: reduction */
        sum += std::min(i, x[i]);
    return sum;
}

/* --- something else is --- */

ALONE void left_behind(const ints &x, ints &out)
{
    int last = 0;
    for (int i = 0; i < (int)x.size(); i++) { /* loop: no */
        out[i] = std::min(last, x[i]);
        last = i;
    }
}
ALONE void left_with_step(const ints &x, ints &out)
{
    int k = 5;
    for (int i = 0; i < (int)x.size(); i++) { /* loop: no */
        out[i] = std::max(k, x[i]);
        k += 3;
    }
}
static __attribute__((noinline)) void skip(int &i, int by)
{
    if (by % 7 == 3)
        i++;
}
ALONE void moved_on(const ints &x, ints &out)
{
    for (int i = 0; i < (int)x.size() - 1; i++) { /* loop: no */
        out[i] = x[i] + 1;
        skip(i, x[i]);
    }
}
ALONE void largest_so_far(const ints &x, ints &out)
{
    int most = 0;
    for (int i = 0; i < (int)x.size(); i++) { /* loop: no */
        most = std::max(most, x[i]);
        out[i] = twice(most);
    }
}
struct state {
    int calls, seen;
};
static __attribute__((noinline)) int look(const state *s)
{
    return s->calls * 3 + s->seen;
}
ALONE void counted_state(ints &out, int start)
{
    state s = {start, 2};
    for (int i = 0; i < (int)out.size(); i++) { /* loop: no */
        out[i] = look(&s);
        s.calls++;
    }
}
ALONE void counted_state_in_head(ints &out, int start)
{
    state s = {start, 2};
    for (int i = 0; i < (int)out.size(); i++, s.calls++) /* loop: no */
        out[i] = look(&s);
}
ALONE void now_and_then(const ints &x, ints &out)
{
    int at = 0;
    for (int i = 0; i < (int)x.size(); i++) { /* loop: no */
        if (x[i] & 1)
            at = i;
        out[i] = twice(at) + std::max(at, 3);
    }
}
ALONE void other_way(const ints &x, ints &out)
{
    int where = 0;
    const int *p = &where;
    for (int i = 0; i < (int)x.size(); i++) { /* loop: no */
        out[i] = x[i] > 40 ? *p : -1;
        where = i * 2;
        if (x[i] > 90)
            p = &x[i];
    }
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 300;
    ints x((size_t)n), out((size_t)n), square((size_t)(n * 4));
    for (int i = 0; i < n; i++) /* loop: parallel */
        x[(size_t)i] = (i * 37 + 11) % 101;
    distance_to_edge(square, n / 5, 20);
    digest(square.data(), square.size() * sizeof(int));
    at_most(x, out);
    digest(out.data(), out.size() * sizeof(int));
    clamped(x, out, n);
    digest(out.data(), out.size() * sizeof(int));
    handed_on(out);
    digest(out.data(), out.size() * sizeof(int));
    std::vector<double> halves((size_t)n);
    converted(halves);
    digest(halves.data(), halves.size() * sizeof(double));
    std::vector<float> high((size_t)n), wave((size_t)n);
    for (size_t i = 0; i < wave.size(); i++) /* loop: parallel */
        wave[i] = (float)(i * 53 % 97) - 48;
    rectified(wave, high);
    digest(high.data(), high.size() * sizeof(float));
    std::vector<float> both((size_t)n);
    larger(high, wave, both);
    digest(both.data(), both.size() * sizeof(float));
    digest(high.data(), high.size() * sizeof(float));
    larger_than_before(wave, high);
    digest(high.data(), high.size() * sizeof(float));
    keep((double)least_of(x));
    left_behind(x, out);
    digest(out.data(), out.size() * sizeof(int));
    left_with_step(x, out);
    digest(out.data(), out.size() * sizeof(int));
    moved_on(x, out);
    digest(out.data(), out.size() * sizeof(int));
    largest_so_far(x, out);
    digest(out.data(), out.size() * sizeof(int));
    counted_state(out, argc);
    digest(out.data(), out.size() * sizeof(int));
    counted_state_in_head(out, argc);
    digest(out.data(), out.size() * sizeof(int));
    now_and_then(x, out);
    digest(out.data(), out.size() * sizeof(int));
    other_way(x, out);
    digest(out.data(), out.size() * sizeof(int));
    return finish();
}
