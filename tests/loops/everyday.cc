/* Loops of everyday C++17: algorithms of the library within an iteration, classes with a state, optional and
 * variant, rows of rows; and beside them what looks like it but needs its order. */
#include "loops.h"
#include <algorithm>
#include <array>
#include <bitset>
#include <cmath>
#include <complex>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>
#define ALONE static __attribute__((noinline))
using Vec = std::vector<double>;
using Ints = std::vector<int>;
using Rows = std::vector<Vec>;
enum { COUNT = 200 };

/* algorithms over a row */
ALONE void medians(const Rows &rows, Vec &out)
{
    for (std::size_t i = 0; i < rows.size(); i++) { /* loop: parallel */
        Vec copy = rows[i];
        std::nth_element(copy.begin(), copy.begin() + copy.size() / 2, copy.end());
        out[i] = copy[copy.size() / 2];
    }
}
ALONE void medians_shared(const Rows &rows, Vec &out, Vec &scratch)
{
    for (std::size_t i = 0; i < rows.size(); i++) { /* loop: no */
        scratch.insert(scratch.end(), rows[i].begin(), rows[i].end());
        std::nth_element(scratch.begin(), scratch.begin() + scratch.size() / 2, scratch.end());
        out[i] = scratch[scratch.size() / 2];
    }
}
ALONE void normalised(Rows &rows)
{
    for (auto &row : rows) { /* loop: parallel */
        const double total = std::accumulate(row.begin(), row.end(), 0.0);
        std::transform(row.begin(), row.end(), row.begin(), [total](double x) { return x / total; });
    }
}
ALONE void normalised_by_last(Rows &rows)
{
    double total = 1;
    for (auto &row : rows) { /* loop: no */
        std::transform(row.begin(), row.end(), row.begin(), [total](double x) { return x / total; });
        total = std::accumulate(row.begin(), row.end(), 0.0);
    }
}
ALONE void extremes(const Rows &rows, std::vector<std::pair<double, double>> &out)
{
    for (std::size_t i = 0; i < rows.size(); i++) { /* loop: parallel */
        auto [lo, hi] = std::minmax_element(rows[i].begin(), rows[i].end());
        out[i] = {*lo, *hi};
    }
}
ALONE void dots(const Rows &rows, const Vec &by, Vec &out)
{
    for (std::size_t i = 0; i < rows.size(); ++i) /* loop: parallel */
        out[i] = std::inner_product(rows[i].begin(), rows[i].end(), by.begin(), 0.0);
}
ALONE void ranked(const Rows &rows, std::vector<Ints> &out)
{
    for (std::size_t i = 0; i < rows.size(); i++) { /* loop: parallel */
        Ints order(rows[i].size());
        std::iota(order.begin(), order.end(), 0);
        std::sort(order.begin(), order.end(), [&](int a, int b) { return rows[i][a] < rows[i][b]; });
        out[i] = order;
    }
}
ALONE void counted_if(const Rows &rows, double least, Ints &out)
{
    for (std::size_t i = 0; i < rows.size(); i++) /* loop: parallel */
        out[i] = (int)std::count_if(rows[i].begin(), rows[i].end(), [least](double x) { return x > least; });
}
ALONE void searched(const Ints &sorted, const Ints &keys, Ints &out)
{
    for (std::size_t i = 0; i < keys.size(); i++) /* loop: parallel */
        out[i] = (int)(std::lower_bound(sorted.begin(), sorted.end(), keys[i]) - sorted.begin());
}
ALONE void sorted_in(Ints &sorted, const Ints &keys)
{
    for (int key : keys) /* loop: no */
        sorted.insert(std::lower_bound(sorted.begin(), sorted.end(), key), key);
}
ALONE void filled_rows(Rows &rows)
{
    for (std::size_t i = 0; i < rows.size(); i++) /* loop: parallel */
        std::fill(rows[i].begin(), rows[i].end(), 1.0 / (double)(i + 1));
}
ALONE void kept_even(const std::vector<Ints> &in, std::vector<Ints> &out)
{
    for (std::size_t i = 0; i < in.size(); i++) { /* loop: parallel */
        out[i].clear();
        for (int x : in[i]) /* loop: no */
            if (x % 2 == 0)
                out[i].push_back(x);
    }
}
ALONE void kept_even_in_one(const std::vector<Ints> &in, Ints &out)
{
    for (std::size_t i = 0; i < in.size(); i++) /* loop: no */
        for (int x : in[i])                     /* loop: no */
            if (x % 2 == 0)
                out.push_back(x);
}

/* look-ups */
ALONE void prices(const std::unordered_map<std::string, double> &price, const std::vector<std::string> &names,
                  Vec &out)
{
    for (std::size_t i = 0; i < names.size(); i++) { /* loop: parallel */
        auto at = price.find(names[i]);
        out[i] = at == price.end() ? 0.0 : at->second;
    }
}
ALONE void prices_made(std::unordered_map<std::string, double> &price, const std::vector<std::string> &names,
                       Vec &out)
{
    for (std::size_t i = 0; i < names.size(); i++) /* loop: no */
        out[i] = price[names[i]] += 1;
}
ALONE void at_or(const std::map<int, double> &m, const Ints &keys, Vec &out)
{
    for (std::size_t i = 0; i < keys.size(); i++) /* loop: parallel */
        out[i] = m.count(keys[i]) ? m.at(keys[i]) : -1;
}
ALONE double total_of(const std::unordered_map<int, double> &m, const Ints &keys)
{
    double sum = 0;
    for (int key : keys) { /* loop: reduction */
        auto it = m.find(key);
        if (it != m.end())
            sum += it->second;
    }
    return sum;
}

/* optional, variant */
ALONE void halves(const Ints &v, std::vector<std::optional<int>> &out)
{
    for (std::size_t i = 0; i < v.size(); i++) /* loop: parallel */
        out[i] = v[i] % 2 ? std::nullopt : std::optional<int>(v[i] / 2);
}
ALONE int halves_sum(const std::vector<std::optional<int>> &v)
{
    int sum = 0;
    for (const auto &x : v) /* loop: reduction */
        if (x)
            sum += *x;
    return sum;
}
ALONE void last_known(const std::vector<std::optional<int>> &v, Ints &out)
{
    std::optional<int> last;
    for (std::size_t i = 0; i < v.size(); i++) { /* loop: no */
        if (v[i])
            last = v[i];
        out[i] = last.value_or(-1);
    }
}
struct Disc {
    double r;
};
struct Box {
    double a, b;
};
using Shape = std::variant<Disc, Box>;
ALONE void areas(const std::vector<Shape> &shapes, Vec &out)
{
    for (std::size_t i = 0; i < shapes.size(); i++) { /* loop: parallel */
        if (auto *d = std::get_if<Disc>(&shapes[i]))
            out[i] = 3 * d->r * d->r;
        else
            out[i] = std::get<Box>(shapes[i]).a * std::get<Box>(shapes[i]).b;
    }
}
ALONE double area(const std::vector<Shape> &shapes)
{
    double sum = 0;
    for (const Shape &s : shapes) /* loop: reduction */
        sum += s.index() == 0 ? std::get<0>(s).r * 3 : std::get<1>(s).a;
    return sum;
}

/* virtual methods of what is not changed */
struct Figure {
    virtual ~Figure() = default;
    virtual double area() const = 0;
    virtual void grow(double by) = 0;
    virtual double onto(double before) const { return before > 5000 ? 1 : area(); }
};
struct Circle final : Figure {
    double r;
    explicit Circle(double r) : r(r) {}
    double area() const override { return r * r * 3.14; }
    void grow(double by) override { r *= by; }
};
struct Square final : Figure {
    double a;
    explicit Square(double a) : a(a) {}
    double area() const override { return a * a; }
    void grow(double by) override { a += by; }
};
using Figures = std::vector<std::unique_ptr<Figure>>;
ALONE void figure_areas(const Figures &f, Vec &out)
{
    for (std::size_t i = 0; i < f.size(); i++) /* loop: parallel */
        out[i] = f[i]->area();
}
ALONE double figure_area(const Figures &f)
{
    double sum = 0;
    for (const auto &x : f) /* loop: reduction */
        sum += x->area();
    return sum;
}
ALONE double figures_onto(const Figures &f)
{
    double sum = 0;
    for (const auto &x : f) /* loop: no */
        sum += x->onto(sum);
    return sum;
}
ALONE void figures_grown(Figures &f, double by)
{
    for (auto &x : f) /* loop: parallel */
        x->grow(by);
}
ALONE void one_grown(Figures &f, Vec &out)
{
    for (std::size_t i = 0; i < f.size(); i++) { /* loop: no */
        f[0]->grow(1.001);
        out[i] = f[i]->area();
    }
}

/* sums in members */
class Statistics
{
    double sum_ = 0, squares_ = 0;
    int n_ = 0;

  public:
    __attribute__((noinline)) void add_all(const Vec &v)
    {
        for (std::size_t i = 0; i < v.size(); i++) { /* loop: reduction */
            sum_ += v[i];
            squares_ += v[i] * v[i];
            n_++;
        }
    }
    __attribute__((noinline)) void running(const Vec &v, Vec &out)
    {
        for (std::size_t i = 0; i < v.size(); i++) { /* loop: no */
            sum_ += v[i];
            n_++;
            out[i] = sum_ / n_;
        }
    }
    double mean() const { return n_ ? sum_ / n_ : 0; }
    double square() const { return squares_; }
};

/* a view of a part, as of C++20's span */
template <class T> class View
{
    T *begin_, *end_;

  public:
    View(T *begin, std::size_t n) : begin_(begin), end_(begin + n) {}
    T *begin() const { return begin_; }
    T *end() const { return end_; }
    T &operator[](std::size_t i) const { return begin_[i]; }
    std::size_t size() const { return (std::size_t)(end_ - begin_); }
};
ALONE void scaled(View<double> to, View<const double> from, double by)
{
    for (std::size_t i = 0; i < to.size(); i++) /* loop: parallel */
        to[i] = from[i] * by;
}
ALONE void rows_of_view(Vec &all, std::size_t width)
{
    for (std::size_t i = 0; i < all.size() / width; i++) { /* loop: parallel */
        View<double> row(all.data() + i * width, width);
        double most = row[0];
        for (double x : row) /* loop: reduction */
            most = std::max(most, x);
        for (double &x : row) /* loop: parallel */
            x = std::exp(x - most);
    }
}
ALONE void views_leaning(Vec &all, std::size_t width)
{
    for (std::size_t i = 1; i < all.size() / width; i++) { /* loop: no */
        View<double> row(all.data() + i * width, width), above(all.data() + (i - 1) * width, width);
        for (std::size_t k = 0; k < width; k++) /* loop: parallel */
            row[k] += above[k] * 0.5;
    }
}

/* numbers of classes */
using Complex = std::complex<double>;
ALONE void spectrum(const Vec &in, std::vector<Complex> &out)
{
    const std::size_t n = in.size();
    for (std::size_t k = 0; k < n; k++) { /* loop: parallel */
        Complex sum(0, 0);
        for (std::size_t t = 0; t < n; t++)
            sum += in[t] * std::polar(1.0, -2 * 3.14159 * (double)(k * t % n) / (double)n);
        out[k] = sum;
    }
}
ALONE void powers(const std::vector<Complex> &in, Vec &out)
{
    for (std::size_t i = 0; i < in.size(); i++) /* loop: parallel */
        out[i] = std::norm(in[i]);
}
ALONE void turned(std::vector<Complex> &v, Complex by)
{
    for (auto &x : v) /* loop: parallel */
        x *= by;
}
ALONE void turned_on(std::vector<Complex> &v)
{
    for (std::size_t i = 1; i < v.size(); i++) /* loop: no */
        v[i] *= v[i - 1];
}
ALONE void bits_counted(const std::vector<std::bitset<64>> &v, Ints &out)
{
    for (std::size_t i = 0; i < v.size(); i++) /* loop: parallel */
        out[i] = (int)v[i].count();
}
ALONE int bits_common(const std::vector<std::bitset<64>> &v, const std::bitset<64> &mask)
{
    int n = 0;
    for (const auto &b : v) /* loop: reduction */
        n += (int)(b & mask).count();
    return n;
}

/* text */
ALONE void lengths(const std::vector<std::string> &v, Ints &out)
{
    for (std::size_t i = 0; i < v.size(); i++) /* loop: parallel */
        out[i] = (int)v[i].size();
}
ALONE void hashes(const std::vector<std::string> &v, std::vector<unsigned> &out)
{
    for (std::size_t i = 0; i < v.size(); i++) { /* loop: parallel */
        unsigned h = 2166136261u;
        for (unsigned char c : v[i]) /* loop: no */
            h = (h ^ c) * 16777619u;
        out[i] = h;
    }
}
ALONE void upper(std::vector<std::string> &v)
{
    for (auto &s : v) /* loop: parallel */
        for (char &c : s) /* loop: parallel */
            c = c >= 'a' && c <= 'z' ? (char)(c - 32) : c;
}
ALONE void labels(const Ints &v, std::vector<std::string> &out)
{
    for (std::size_t i = 0; i < v.size(); i++) /* loop: parallel */
        out[i] = "item " + std::to_string(v[i]);
}
ALONE void palindromes(const std::vector<std::string> &v, Ints &out)
{
    for (std::size_t i = 0; i < v.size(); i++) { /* loop: parallel */
        std::string back(v[i].rbegin(), v[i].rend());
        out[i] = back == v[i];
    }
}
ALONE int words(std::string_view text)
{
    int n = 0;
    for (std::size_t i = 1; i < text.size(); i++) /* loop: reduction */
        n += text[i] == ' ' && text[i - 1] != ' ';
    return n;
}

/* classes with operators, functors, templates */
struct Vec3 {
    double x = 0, y = 0, z = 0;
    Vec3 operator+(const Vec3 &o) const { return {x + o.x, y + o.y, z + o.z}; }
    Vec3 operator*(double f) const { return {x * f, y * f, z * f}; }
    Vec3 &operator+=(const Vec3 &o)
    {
        x += o.x, y += o.y, z += o.z;
        return *this;
    }
    double length() const { return std::sqrt(x * x + y * y + z * z); }
};
struct Particle {
    Vec3 place, speed;
    double mass = 1;
    bool alive = true;
};
ALONE void stepped(std::vector<Particle> &all, double dt)
{
    for (Particle &p : all) { /* loop: parallel */
        if (!p.alive)
            continue;
        p.place += p.speed * dt;
        if (p.place.length() > 90)
            p.alive = false;
    }
}
ALONE double fastest(const std::vector<Particle> &all)
{
    double most = 0;
    for (const Particle &p : all) /* loop: reduction */
        most = std::max(most, p.speed.length());
    return most;
}
ALONE void pulled(std::vector<Particle> &all)
{
    for (std::size_t i = 1; i < all.size(); i++) /* loop: no */
        all[i].speed += all[i - 1].speed * 0.5;
}
ALONE int alive(const std::vector<Particle> &all)
{
    int n = 0;
    for (auto it = all.begin(); it != all.end(); ++it) /* loop: reduction */
        if (it->alive)
            ++n;
    return n;
}
struct Polynomial {
    double a, b, c;
    double operator()(double x) const { return (a * x + b) * x + c; }
};
template <class F> ALONE void mapped(const Vec &in, Vec &out, F f)
{
    for (std::size_t i = 0; i < in.size(); i++) /* loop: parallel */
        out[i] = f(in[i]);
}
struct Noise {
    unsigned state;
    double operator()(double x)
    {
        state = state * 1664525u + 1013904223u;
        return x + (state >> 16) * 1e-6;
    }
};
template <class F> ALONE void mapped_in_order(const Vec &in, Vec &out, F f)
{
    for (std::size_t i = 0; i < in.size(); i++) /* loop: no */
        out[i] = f(in[i]);
}
template <class T, std::size_t n> struct Matrix {
    std::array<std::array<T, n>, n> v{};
    T &operator()(std::size_t i, std::size_t j) { return v[i][j]; }
    const T &operator()(std::size_t i, std::size_t j) const { return v[i][j]; }
};
template <class T, std::size_t n>
ALONE void multiplied(const Matrix<T, n> &a, const Matrix<T, n> &b, Matrix<T, n> &c)
{
    for (std::size_t i = 0; i < n; i++)       /* loop: parallel */
        for (std::size_t j = 0; j < n; j++) { /* loop: parallel */
            T sum{};
            for (std::size_t k = 0; k < n; k++) /* loop: reduction */
                sum += a(i, k) * b(k, j);
            c(i, j) = sum;
        }
}
ALONE void heat(const Rows &now, Rows &next)
{
    const std::size_t h = now.size(), w = now[0].size();
    for (std::size_t y = 1; y + 1 < h; y++)     /* loop: parallel */
        for (std::size_t x = 1; x + 1 < w; x++) /* loop: parallel */
            next[y][x] = 0.25 * (now[y - 1][x] + now[y + 1][x] + now[y][x - 1] + now[y][x + 1]);
}
ALONE void pivoted(Rows &a, std::size_t k)
{
    for (std::size_t i = k + 1; i < a.size(); i++) { /* loop: parallel */
        const double f = a[i][k] / a[k][k];
        for (std::size_t j = k; j < a.size(); j++) /* loop: parallel */
            a[i][j] -= f * a[k][j];
    }
}
ALONE void transposed(const Rows &a, Rows &b)
{
    for (std::size_t i = 0; i < a.size(); i++)        /* loop: parallel */
        for (std::size_t j = 0; j < a[i].size(); j++) /* loop: parallel */
            b[j][i] = a[i][j];
}
ALONE void histograms(const std::vector<Ints> &in, std::vector<std::array<int, 8>> &out)
{
    for (std::size_t i = 0; i < in.size(); i++) { /* loop: parallel */
        std::array<int, 8> h{};
        for (int x : in[i]) /* loop: reduction */
            h[x & 7]++;
        out[i] = h;
    }
}
ALONE void parsed(const std::vector<std::string> &v, Ints &out)
{
    for (std::size_t i = 0; i < v.size(); i++) { /* loop: parallel */
        try {
            out[i] = std::stoi(v[i]);
        } catch (const std::exception &) {
            out[i] = -1;
        }
    }
}
struct Node {
    int value;
    std::shared_ptr<Node> next;
};
ALONE void list_sums(const std::vector<std::shared_ptr<Node>> &lists, Ints &out)
{
    for (std::size_t i = 0; i < lists.size(); i++) { /* loop: parallel */
        int sum = 0;
        for (const Node *n = lists[i].get(); n; n = n->next.get())
            sum += n->value;
        out[i] = sum;
    }
}
ALONE void swapped(Ints &a, Ints &b)
{
    for (std::size_t i = 0; i < a.size(); i++) /* loop: parallel */
        if (a[i] > b[i])
            std::swap(a[i], b[i]);
}
ALONE void clamped(Vec &v, double lo, double hi)
{
    for (auto &x : v) /* loop: parallel */
        x = std::clamp(x, lo, hi);
}
ALONE void reversed_rows(Rows &rows)
{
    for (auto it = rows.begin(); it != rows.end(); ++it) /* loop: parallel */
        std::reverse(it->begin(), it->end());
}

int main()
{
    Rows rows(30, Vec(20)), other(20, Vec(30)), square(24, Vec(24)), next = square;
    for (std::size_t i = 0; i < rows.size(); i++)
        for (std::size_t j = 0; j < rows[i].size(); j++)
            rows[i][j] = (double)(i * 7 % 13 + j * 5 % 17 + 1);
    for (std::size_t i = 0; i < square.size(); i++)
        for (std::size_t j = 0; j < square.size(); j++)
            square[i][j] = (double)(i * 3 % 11 + j * 7 % 5) + (i == j ? 50 : 0);
    Vec out(COUNT), scratch, in(COUNT), by(20, 1.5);
    Ints v(COUNT), keys(COUNT), n(COUNT), sorted(COUNT);
    for (int i = 0; i < COUNT; i++)
        v[i] = i * 37 % 101, keys[i] = i * 3 % 250, in[i] = i % 17 + 0.5, sorted[i] = 2 * i;
    medians(rows, out), keep(out[3]), medians_shared(rows, out, scratch), keep(out[4]);
    normalised(rows), normalised_by_last(rows);
    std::vector<std::pair<double, double>> pairs(30);
    extremes(rows, pairs), keep(pairs[7].first + pairs[8].second);
    dots(rows, by, out), keep(out[5]);
    std::vector<Ints> orders(30), evens(30);
    ranked(rows, orders), keep(orders[9][3]), counted_if(rows, 0.3, n), keep(n[7]);
    searched(sorted, keys, n), keep(n[11]), sorted_in(sorted, keys), keep(sorted[50]);
    kept_even(orders, evens), keep((double)evens[4].size() + evens[5][2]);
    Ints one;
    kept_even_in_one(orders, one), keep((double)one.size());
    std::unordered_map<std::string, double> price;
    std::vector<std::string> names;
    for (int i = 0; i < COUNT; i++)
        names.push_back(i % 5 ? std::to_string(i * 17 % 90) : "none");
    for (int i = 0; i < 60; i++)
        price[std::to_string(i)] = i * 0.25;
    prices(price, names, out), keep(out[6]), prices_made(price, names, out), keep(out[7]);
    std::map<int, double> tree;
    std::unordered_map<int, double> hash;
    for (int i = 0; i < 100; i++)
        tree[2 * i] = i * 0.5, hash[3 * i] = i * 0.125;
    at_or(tree, keys, out), keep(out[8] + total_of(hash, keys));
    std::vector<std::optional<int>> half(COUNT);
    halves(v, half), keep(halves_sum(half)), last_known(half, n), keep(n[9]);
    std::vector<Shape> shapes;
    Figures figures;
    for (int i = 0; i < COUNT; i++) {
        shapes.push_back(i % 3 ? Shape(Disc{i * 0.5}) : Shape(Box{i * 0.5, 2}));
        if (i % 2)
            figures.push_back(std::make_unique<Circle>(i * 0.1));
        else
            figures.push_back(std::make_unique<Square>(i * 0.2));
    }
    areas(shapes, out), keep(out[10] + area(shapes));
    figure_areas(figures, out), keep(out[11] + figure_area(figures)), keep(figures_onto(figures)), figures_grown(figures, 1.5);
    one_grown(figures, out), keep(out[12]);
    Statistics s;
    s.add_all(in), keep(s.mean() + s.square()), s.running(in, out), keep(out[13]);
    scaled(View<double>(out.data(), COUNT), View<const double>(in.data(), COUNT), 3), keep(out[14]);
    rows_of_view(out, 20), views_leaning(out, 20), keep(out[15]);
    std::vector<Complex> c(COUNT);
    spectrum(in, c), powers(c, out), keep(out[16]), turned(c, Complex(0.6, 0.8)), turned_on(c), keep(c[17].real());
    std::vector<std::bitset<64>> bits(COUNT);
    for (int i = 0; i < COUNT; i++)
        bits[i] = std::bitset<64>((unsigned long long)i * 0x9e3779b97f4a7c15u);
    bits_counted(bits, n), keep(n[18] + bits_common(bits, bits[3]));
    std::vector<unsigned> h(COUNT);
    std::vector<std::string> texts(COUNT);
    lengths(names, n), keep(n[19]), hashes(names, h), keep(h[20]), upper(names), labels(v, texts);
    keep((double)texts[21].size()), palindromes(texts, n), keep(n[22]), parsed(names, n), keep(n[23]);
    keep(words("the quick brown fox  jumps over   the lazy dog"));
    std::vector<Particle> all(COUNT);
    for (int i = 0; i < COUNT; i++)
        all[i].place = {i * 0.5, 1, 2}, all[i].speed = {1, i * 0.1, i % 3 * 1.0};
    stepped(all, 0.1), keep(fastest(all) + alive(all)), pulled(all), keep(all[30].speed.y);
    mapped(in, out, Polynomial{1, 2, 3}), keep(out[24]), mapped_in_order(in, out, Noise{7}), keep(out[25]);
    Matrix<double, 20> ma, mb, mc;
    for (std::size_t i = 0; i < 20; i++)
        for (std::size_t j = 0; j < 20; j++)
            ma(i, j) = (double)(i + j), mb(i, j) = (double)(i * j % 7);
    multiplied(ma, mb, mc), keep(mc(3, 4));
    heat(square, next), keep(next[5][6]), pivoted(square, 0), pivoted(square, 1), keep(square[7][8]);
    transposed(rows, other), keep(other[6][7]), filled_rows(rows), keep(rows[2][3]);
    std::vector<std::array<int, 8>> counts(30);
    histograms(orders, counts), keep(counts[3][4]);
    std::vector<std::shared_ptr<Node>> lists;
    for (int i = 0; i < 50; i++) {
        std::shared_ptr<Node> first;
        for (int k = 0; k < i % 7 + 1; k++)
            first = std::make_shared<Node>(Node{i + k, first});
        lists.push_back(first);
    }
    list_sums(lists, n), keep(n[26]), swapped(v, keys), clamped(in, 2, 9), reversed_rows(other);
    keep(other[1][2]);
    digest(v.data(), COUNT * 4), digest(keys.data(), COUNT * 4), digest(in.data(), COUNT * 8), digest(out.data(), COUNT * 8);
    return finish();
}
