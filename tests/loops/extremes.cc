/* The least and the greatest in vectors: where a processor has no instruction for it, a comparison makes a
 * mask that says which of two each part is. What is chosen so from something else is no extreme. */

#include <algorithm>
#include <vector>

#ifdef __clang__
#define ALONE __attribute__((noinline))
#else
#define ALONE __attribute__((noinline, noclone))
#endif

static volatile long sink;
enum { N = 203 };
static std::vector<int> x(N), y(N), z(N), w(N);
static std::vector<long> wide(N);

ALONE static int greatest(int n)
{
    int m = x[0];
    for (int i = 0; i < n; i++) /* loop: reduction */
        m = std::max(m, x[i]);
    return m;
}
ALONE static int least(int n)
{
    int m = x[0];
    for (int i = 0; i < n; i++) /* loop: reduction */
        if (x[i] < m)
            m = x[i];
    return m;
}
ALONE static int greatest_of_sums(int n)
{
    int m = -100000;
    for (int i = 0; i < n; i++) { /* loop: reduction */
        int s = x[i] + y[i] * 3;
        m = m < s ? s : m;
    }
    return m;
}
ALONE static long both(int n)
{
    int low = x[0], high = x[0];
    for (int i = 0; i < n; i++) { /* loop: reduction */
        low = x[i] < low ? x[i] : low;
        high = x[i] > high ? x[i] : high;
    }
    return (long)high * 1000 + low;
}
ALONE static long greatest_long(int n)
{
    long m = wide[0];
    for (int i = 0; i < n; i++) /* loop: reduction */
        m = wide[i] > m ? wide[i] : m;
    return m;
}
ALONE static int greatest_if(int n)
{
    int m = -1;
    for (int i = 0; i < n; i++) /* loop: reduction */
        if (y[i] > 3 && x[i] > m)
            m = x[i];
    return m;
}
ALONE static int greatest_if_two(int n)
{
    int m = -1;
    for (int i = 0; i < n; i++) /* loop: reduction */
        if (y[i] > 3 && x[i] > m && z[i] < 5)
            m = x[i];
    return m;
}
/* how many were asked is another number in another order */
ALONE static int greatest_asked(int n)
{
    int m = -1, asked = 0;
    for (int i = 0; i < n; i++) /* loop: no */
        if (x[i] > m && asked++ >= 0)
            m = x[i];
    return m + asked;
}
ALONE static int greatest_but_for(int n)
{
    int m = -1;
    for (int i = 0; i < n; i++) /* loop: no */
        if (x[i] > m && y[i] != m)
            m = x[i];
    return m;
}
ALONE static int either_greater(int n)
{
    int m = -1;
    for (int i = 0; i < n; i++) /* loop: no */
        if (x[i] > m || y[i] > 20)
            m = x[i];
    return m;
}
static int least_seen = 1 << 30;
ALONE static int is_less(int v)
{
    bool less = v < least_seen;
    least_seen = less ? v : least_seen;
    return less;
}
ALONE static int greatest_of_least(int n)
{
    int m = -1;
    for (int i = 0; i < n; i++) /* loop: no */
        if (x[i] > m && is_less(y[i]))
            m = x[i];
    return m;
}
/* each element for itself */
ALONE static void by_element(int n)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        z[i] = x[i] > y[i] ? x[i] : y[i];
}
/* the mask is of the greatest so far, and what is taken is something else */
ALONE static int other_taken(int n)
{
    int m = x[0];
    for (int i = 0; i < n; i++) /* loop: no */
        m = x[i] > m ? y[i] : m;
    return m;
}
ALONE static int nearly_taken(int n)
{
    int m = x[0];
    for (int i = 0; i < n; i++) /* loop: no */
        m = x[i] > m ? x[i] - 1 : m;
    return m;
}
ALONE static int nearly_compared(int n)
{
    int m = x[0];
    for (int i = 0; i < n; i++) /* loop: no */
        m = x[i] > m + 1 ? x[i] : m;
    return m;
}
ALONE static int compared_with_other(int n)
{
    int m = x[0];
    for (int i = 0; i < n; i++) /* loop: no */
        m = y[i] > m ? x[i] : m;
    return m;
}
ALONE static int between(int n)
{
    int m = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        m = x[i] > m ? x[i] : m;
        m = y[i] < m ? y[i] : m;
    }
    return m;
}
ALONE static void greatest_so_far(int n)
{
    int m = x[0];
    for (int i = 0; i < n; i++) { /* loop: no */
        m = x[i] > m ? x[i] : m;
        w[i] = m;
    }
}
ALONE static long times_raised(int n)
{
    int m = x[0];
    long times = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        times += x[i] > m;
        m = x[i] > m ? x[i] : m;
    }
    return times + m;
}
/* of four next to each other */
ALONE static int of_neighbour(int n)
{
    int a = x[0], b = x[1];
    for (int i = 0; i < n; i++) { /* loop: no */
        int c = b;
        b = x[i] > a ? x[i] : a;
        a = c;
    }
    return a * 3 + b;
}
ALONE static void greatest_of_row(int n)
{
    for (int i = 1; i < n; i++) /* loop: no */
        z[i] = z[i - 1] > x[i] ? z[i - 1] : x[i];
}
ALONE static void beside_four(int n)
{
    for (int i = 4; i < n; i++) /* loop: no */
        z[i] = z[i - 4] > x[i] ? z[i - 4] : x[i];
}
ALONE static void other_beside_four(int n)
{
    for (int i = 4; i < n; i++) /* loop: no */
        w[i] = w[i - 4] > x[i] ? y[i] : w[i - 4];
}

int main()
{
    for (int i = 0; i < N; i++) {
        x[i] = i * 37 % 101 - 20;
        y[i] = i * 13 % 29;
        z[i] = w[i] = i % 7;
        wide[i] = i * 77L % 311;
    }
    long s = greatest(N) + least(N) + greatest_of_sums(N) + both(N) + greatest_long(N) + greatest_if(N);
    s += greatest_if_two(N) + greatest_asked(N) + greatest_but_for(N) + either_greater(N) + greatest_of_least(N);
    by_element(N);
    s += z[5];
    s += other_taken(N) + nearly_taken(N) + nearly_compared(N) + compared_with_other(N) + between(N);
    greatest_so_far(N);
    s += w[9] + times_raised(N) + of_neighbour(N);
    greatest_of_row(N);
    beside_four(N);
    other_beside_four(N);
    for (int i = 0; i < N; i++)
        s += z[i] + w[i];
    sink = s;
    return 0;
}
