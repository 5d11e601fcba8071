/* C++17 as users write it: function objects, bindings, rows, virtual methods; and what looks
 * like it but needs its order. */
#include "loops.h"
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>
#define ALONE __attribute__((noinline))
using Vec = std::vector<double>;
using Rows = std::vector<Vec>;

/* f is called, and no element of f looked at */
ALONE void sample(const std::function<double(double)> &f, Vec &out, double h)
{
    for (std::size_t i = 0; i < out.size(); i++) /* loop: parallel */
        out[i] = f(i * h);
}
ALONE void applied(const Vec &in, Vec &out, double a, double b)
{
    auto f = [a, b](double x) { return a * x * x + b; };
    for (std::size_t i = 0; i < in.size(); i++) /* loop: parallel */
        out[i] = f(in[i]);
}
ALONE void before(const Vec &in, Vec &a, Vec &out)
{
    auto last = [&a](std::size_t i) { return a[i - 1]; };
    for (std::size_t i = 1; i < in.size(); i++) { /* loop: no */
        out[i] = last(i) * 0.5;
        a[i] = in[i];
    }
}
ALONE void summed_by(Vec &a)
{
    auto at = [&a](std::size_t i) -> double & { return a[i]; };
    for (std::size_t i = 1; i < a.size(); i++) /* loop: no */
        at(i) = at(i - 1) * 0.5 + at(i);
}
ALONE void stated(Vec &out)
{
    double s = 0;
    std::function<double(double)> f = [s](double x) mutable { return s += x; };
    for (std::size_t i = 0; i < out.size(); i++) /* loop: no */
        out[i] = f(out[i]);
}

/* a range that pointers go through, and variables of loops inside */
template <class T> class Span
{
    T *p_;
    std::size_t n_;

  public:
    Span(T *p, std::size_t n) : p_(p), n_(n) {}
    T *begin() const { return p_; }
    T *end() const { return p_ + n_; }
    std::size_t size() const { return n_; }
    Span sub(std::size_t at, std::size_t n) const { return Span(p_ + at, n); }
};
ALONE void normalise(Span<double> all, std::size_t width)
{
    const std::size_t rows = all.size() / width;
    for (std::size_t r = 0; r < rows; ++r) { /* loop: parallel */
        auto row = all.sub(r * width, width);
        double s = 0;
        for (double v : row) /* loop: reduction */
            s += v;
        for (double &v : row) /* loop: parallel */
            v /= s;
    }
}
ALONE void smoothed(Span<double> all)
{
    double last = 0;
    for (double &v : all) { /* loop: no */
        v = v * 0.5 + last;
        last = v;
    }
}
ALONE void rotated(std::vector<std::pair<double, double>> &p, double c, double s)
{
    for (auto &[x, y] : p) { /* loop: parallel */
        const double nx = c * x - s * y;
        y = s * x + c * y;
        x = nx;
    }
}

/* one element by the same text in two lines of a statement */
class Heat
{
    struct Grid {
        std::size_t n;
        Vec d;
        explicit Grid(std::size_t n) : n(n), d(n * n) {}
        double &operator()(std::size_t i, std::size_t j) { return d[i * n + j]; }
        const double &operator()(std::size_t i, std::size_t j) const { return d[i * n + j]; }
    };
    Grid now_, next_;

  public:
    explicit Heat(std::size_t n) : now_(n), next_(n) { now_(n / 2, n / 2) = 100; }
    ALONE void step(double k)
    {
        for (std::size_t i = 1; i + 1 < now_.n; ++i)     /* loop: parallel */
            for (std::size_t j = 1; j + 1 < now_.n; ++j) /* loop: parallel */
                next_(i, j) = now_(i, j) + k * (now_(i - 1, j) + now_(i + 1, j) + now_(i, j - 1) + now_(i, j + 1) -
                                                4 * now_(i, j));
        std::swap(now_, next_);
    }
    ALONE void sweep(double k)
    {
        for (std::size_t i = 1; i + 1 < now_.n; ++i)     /* loop: no */
            for (std::size_t j = 1; j + 1 < now_.n; ++j) /* loop: no */
                now_(i, j) = now_(i, j) + k * (now_(i - 1, j) + now_(i + 1, j) + now_(i, j - 1) + now_(i, j + 1) -
                                               4 * now_(i, j));
    }
    double at(std::size_t i, std::size_t j) const { return now_(i, j); }
};

/* strings and rows that functions get */
ALONE void encoded(const std::vector<std::string> &w, const std::map<std::string, int> &ids, std::vector<int> &out)
{
    for (std::size_t i = 0; i < w.size(); i++) { /* loop: parallel */
        auto it = ids.find(w[i]);
        out[i] = it == ids.end() ? -1 : it->second;
    }
}
ALONE void medians(const Rows &m, Vec &out)
{
    for (std::size_t i = 0; i < m.size(); ++i) { /* loop: parallel */
        Vec t(m[i]);
        std::nth_element(t.begin(), t.begin() + t.size() / 2, t.end());
        out[i] = t[t.size() / 2];
    }
}
ALONE void bent(Rows &m, double slope)
{
    for (auto &row : m) /* loop: parallel */
        std::transform(row.begin(), row.end(), row.begin(), [slope](double v) { return v > 0 ? v : slope * v; });
}
ALONE void carried(Rows &m)
{
    for (std::size_t i = 1; i < m.size(); i++) /* loop: no */
        std::transform(m[i - 1].begin(), m[i - 1].end(), m[i].begin(), [](double v) { return v * 0.5; });
}
ALONE void passed_on(std::vector<std::string> &w)
{
    for (std::size_t i = 1; i < w.size(); i++) /* loop: no */
        w[i] = w[i - 1];
}

/* methods of what pointers lead to */
struct Shape {
    virtual ~Shape() = default;
    virtual double area() const = 0;
    virtual double drawn() { return area(); }
};
struct Circle : Shape {
    double r;
    explicit Circle(double r) : r(r) {}
    double area() const override { return 3.14159 * r * r; }
};
struct Rect : Shape {
    double w, h;
    static int count;
    Rect(double w, double h) : w(w), h(h) {}
    double area() const override { return w * h; }
    double drawn() override { return w * h * count++; }
};
int Rect::count = 0;
ALONE void areas(const std::vector<std::unique_ptr<Shape>> &s, Vec &out)
{
    for (std::size_t i = 0; i < s.size(); ++i) /* loop: parallel */
        out[i] = s[i]->area();
}
ALONE void draws(const std::vector<std::unique_ptr<Shape>> &s, Vec &out)
{
    for (std::size_t i = 0; i < s.size(); ++i) /* loop: no */
        out[i] = s[i]->drawn();
}

/* behind the loop a function that jumps to the library's, which returns for both */
struct Buffer {
    double *p;
    explicit Buffer(int n) : p((double *)malloc(n * sizeof *p)) {}
    ALONE ~Buffer() { free(p); }
};
ALONE double freed(int n)
{
    Buffer a(n);
    for (int i = 0; i < n; i++) /* loop: parallel */
        a.p[i] = i * 2.5;
    return a.p[n / 2];
}

int main(int argc, char **)
{
    const std::size_t n = 239 + argc;
    Vec a(n), b(n);
    Vec out(n);
    for (std::size_t i = 0; i < n; i++)
        a[i] = i * 0.5 - 20, b[i] = i % 7;
    sample([=](double t) { return t * t + argc; }, out, 0.1), keep(out[6]);
    applied(a, out, 2, 1), keep(out[4]);
    before(a, b, out), keep(out[4]);
    summed_by(b), keep(b[9]);
    stated(out), keep(out[9]);
    normalise({out.data(), n}, 30), keep(out[9]);
    smoothed({out.data(), n}), keep(out[9]);
    std::vector<std::pair<double, double>> p(n);
    for (std::size_t i = 0; i < n; i++)
        p[i] = {i * 1.0, i * 2.0};
    rotated(p, 0.6, 0.8), keep(p[3].second);
    Heat h(24);
    h.step(0.1), h.step(0.1), keep(h.at(12, 11));
    h.sweep(0.1), keep(h.at(12, 11));
    std::vector<std::string> words;
    std::map<std::string, int> ids;
    for (int i = 0; i < 60; i++) {
        words.push_back("word number " + std::to_string(i % 50));
        if (i % 4)
            ids[words.back()] = i;
    }
    std::vector<int> codes(60);
    encoded(words, ids, codes), keep(codes[7]);
    passed_on(words), keep((double)words[5].size());
    Rows m(30, Vec(40));
    for (int i = 0; i < 30; i++)
        for (int j = 0; j < 40; j++)
            m[i][j] = (i * 7 + j * 3) % 11 - 4;
    Vec r(30);
    medians(m, r), keep(r[2]);
    bent(m, 0.1), keep(m[3][4]);
    carried(m), keep(m[3][4]);
    std::vector<std::unique_ptr<Shape>> s;
    for (int i = 0; i < 60; i++)
        if (i % 3)
            s.push_back(std::make_unique<Circle>(i));
        else
            s.push_back(std::make_unique<Rect>(i, 2));
    Vec ar(60);
    areas(s, ar), keep(ar[5]);
    draws(s, ar), keep(ar[6]);
    keep(freed((int)n));
    return finish();
}
