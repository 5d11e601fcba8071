// Objects whose methods change them: an iteration's own, one for all, and those that lead elsewhere; iterators and bounds that
// libraries keep.
#include "loops.h"
#include <algorithm>
#include <numeric>
#include <vector>

struct Vector {
    double x = 0, y = 0, z = 0;
    Vector &operator+=(const Vector &o)
    {
        x += o.x;
        y += o.y;
        z += o.z;
        return *this;
    }
    Vector operator*(double s) const
    {
        Vector r;
        r.x = x * s;
        r.y = y * s;
        r.z = z * s;
        return r;
    }
    double dot(const Vector &o) const { return x * o.x + y * o.y + z * o.z; }
};

struct Average {
    double v = 0;
    Average &operator+=(double d)
    {
        v = v * 0.5 + d;
        return *this;
    }
    double get() const { return v; }
};

struct Random {
    unsigned s;
    explicit Random(unsigned k) : s(k) {}
    unsigned next()
    {
        s = s * 1103515245u + 12345u;
        return s >> 16;
    }
};

struct Reference { // what it changes lies elsewhere
    int &c;
    int next() { return c++; }
};

struct Pointer {
    int *p;
    int next() { return (*p)++; }
};

struct Memo {
    mutable double last = 0;
    double f(double x) const
    {
        double r = last;
        last = x;
        return r;
    }
};

struct View {
    const double &r;
    double get() const { return r; }
};

static int drain(Pointer r)
{
    return (*r.p)++;
}

static int take(std::vector<int>::iterator it)
{
    return (*it)++;
}

static double halve(const Average &a)
{
    return const_cast<Average &>(a).v *= 0.5;
}

static std::vector<double> a(N), b(N);
static std::vector<Vector> p(N), q(N);
static int limit[N];

static void own(int n)
{
    for (int i = 0; i < n; i++) { /* loop: parallel */
        Vector s;
        for (int k = 0; k < 4; k++)
            s += p[k] * a[i];
        q[i] = s;
    }
    for (int i = 0; i < n; i++) { /* loop: parallel */
        q[i] += p[i] * 0.5;
        p[i] += q[i] * 0.5;
    }
    for (int i = 0; i < n; i++) { /* loop: parallel */
        Average mine;
        mine += a[i];
        mine += i;
        b[i] = mine.get();
    }
    for (int i = 0; i < n; i++) { /* loop: parallel */
        Random r(i + 1);
        double t = 0;
        for (int k = 0; k < 5; k++) /* loop: sequential */
            t += r.next() % 100;
        b[i] += t;
    }
}

static void shared(int n)
{
    Average all;
    for (int i = 0; i < n; i++) { /* loop: sequential */
        all += a[i];
        b[i] = all.get();
    }
    Random r(9);
    for (int i = 0; i < n; i++) /* loop: sequential */
        b[i] += r.next() % 10;
    Average hidden;
    hidden.v = 1000;
    for (int i = 0; i < n; i++) /* loop: sequential */
        b[i] += halve(hidden);
    Memo memo;
    for (int i = 0; i < n; i++) /* loop: sequential */
        b[i] += memo.f(a[i]);
    for (int i = 0; i + 1 < n; i++) /* loop: sequential */
        q[i + 1] += q[i];
}

static void elsewhere(int n)
{
    int counter = 0;
    std::vector<int> one(1);
    for (int i = 0; i < n; i++) { /* loop: sequential */
        Reference r{counter};
        b[i] += r.next();
    }
    for (int i = 0; i < n; i++) { /* loop: sequential */
        Pointer r{&counter};
        b[i] += r.next();
    }
    for (int i = 0; i < n; i++) { /* loop: sequential */
        Pointer r{&counter};
        b[i] += drain(r);
    }
    for (int i = 0; i < n; i++) /* loop: sequential */
        b[i] += take(one.begin());
    keep(counter + one[0]);
}

static void sums()
{
    double e = 0, m = 0, s = 0, t = 0, run = 0;
    View v{t};
    for (const Vector &x : p) /* loop: reduction */
        e += x.dot(x);
    for (std::size_t i = 0; i < a.size(); i++) /* loop: reduction */
        m = std::max(m, a[i]);
    for (std::size_t i = 0; i < a.size(); i++) { /* loop: sequential */
        s = std::max(s, a[i]);
        b[i] += s;
    }
    for (std::size_t i = 0; i < a.size(); i++) { /* loop: sequential */
        t += a[i];
        b[i] += v.get();
    }
    for (double &x : b) /* loop: parallel */
        x *= 0.5;
    for (double &x : b) { /* loop: sequential */
        run = run * 0.5 + x;
        x = run;
    }
    keep(e + m + s + t + run);
}

static void bounds()
{
    for (std::size_t i = 0; i + 1 < a.size(); i++) /* loop: parallel */
        b[i] = a[i] + a[i + 1];
    for (std::size_t i = 0; i + 1 < a.size(); i++) /* loop: sequential */
        a[i + 1] = a[i] * 0.5 + a[i + 1];
    for (std::size_t i = 0; i + 1 < a.size(); i++) { /* loop: sequential */
        if (a[i] > 3)
            i++;
        b[i] = 2;
    }
    for (int i = 0; i < limit[i]; i++) /* loop: sequential */
        b[i] += 1;
}

/* Beside what a loop counts with, another iterator goes on. */
struct total {
    double all;
    total &operator+=(double x)
    {
        all += x;
        return *this;
    }
};
static void beside()
{
    auto out = b.begin();
    for (auto it = a.begin(); it != a.end(); ++it, ++out) /* loop: sequential */
        *out = *it * 3;
    out = b.begin();
    for (std::size_t i = 0; i < a.size(); i++) { /* loop: sequential */
        *out = a[i] + 1;
        out++;
    }
    total t = {0};
    for (std::size_t i = 0; i < a.size(); i++) { /* loop: sequential */
        t += a[i];
        b[i] = t.all;
    }
    for (auto it = a.begin(); it != a.end(); ++it) /* loop: parallel */
        *it += 2;
}

int main()
{
    for (int i = 0; i < N; i++) { /* loop: parallel */
        a[i] = i % 13 * 0.5;
        p[i].x = p[i].y = p[i].z = i % 7;
        limit[i] = i < N / 2 ? N : 0;
    }
    own(N);
    shared(N);
    elsewhere(N);
    sums();
    bounds();
    beside();
    for (int i = 0; i < N; i++)
        keep(a[i] + b[i] + p[i].x + q[i].y);
    return finish();
}
