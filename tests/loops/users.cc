/* Loops as users of C++ write them: classes with operators, vectors of vectors, ranges, smart pointers. */
#include "loops.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>
#define ALONE __attribute__((noinline))
enum { M = 400, S = 40 };
class Matrix
{
    std::vector<double> d_;
    int r_, c_;

  public:
    Matrix(int r, int c) : d_(r * c), r_(r), c_(c) {}
    double &operator()(int i, int j) { return d_[i * c_ + j]; }
    double operator()(int i, int j) const { return d_[i * c_ + j]; }
    int rows() const { return r_; }
    int cols() const { return c_; }
    ALONE void scale(double f)
    {
        for (auto &x : d_) /* loop: parallel */
            x *= f;
    }
    ALONE void fill()
    {
        for (int i = 0; i < r_; i++)     /* loop: parallel */
            for (int j = 0; j < c_; j++) /* loop: parallel */
                (*this)(i, j) = i * 0.5 + j;
    }
    ALONE double trace() const
    {
        double t = 0;
        for (int i = 0; i < r_; i++) /* loop: reduction */
            t += (*this)(i, i);
        return t;
    }
};
struct Vec3 {
    double x, y, z;
    Vec3 operator+(const Vec3 &o) const { return {x + o.x, y + o.y, z + o.z}; }
    Vec3 operator-(const Vec3 &o) const { return {x - o.x, y - o.y, z - o.z}; }
    Vec3 operator*(double f) const { return {x * f, y * f, z * f}; }
    Vec3 &operator+=(const Vec3 &o)
    {
        x += o.x;
        y += o.y;
        z += o.z;
        return *this;
    }
    double dot(const Vec3 &o) const { return x * o.x + y * o.y + z * o.z; }
};
struct Body {
    Vec3 p, v, a;
    double m;
};
ALONE void matmul(const Matrix &a, const Matrix &b, Matrix &c)
{
    for (int i = 0; i < a.rows(); i++)       /* loop: parallel */
        for (int j = 0; j < b.cols(); j++) { /* loop: parallel */
            double s = 0;
            for (int k = 0; k < a.cols(); k++) /* loop: reduction */
                s += a(i, k) * b(k, j);
            c(i, j) = s;
        }
}
ALONE void forces(std::vector<Body> &b)
{
    for (size_t i = 0; i < b.size(); i++) { /* loop: parallel */
        Vec3 f{0, 0, 0};
        for (size_t j = 0; j < b.size(); j++) { // a sum of a class, which no clause of OpenMP knows
            if (i == j)
                continue;
            Vec3 d = b[j].p - b[i].p;
            double r2 = d.dot(d) + 0.01;
            f += d * (b[j].m / (r2 * std::sqrt(r2)));
        }
        b[i].a = f;
    }
}
ALONE void move(std::vector<Body> &b, double dt)
{
    for (auto &x : b) { /* loop: parallel */
        x.v += x.a * dt;
        x.p += x.v * dt;
    }
}
ALONE double energy(const std::vector<Body> &b)
{
    double e = 0;
    for (const Body &x : b) /* loop: reduction */
        e += 0.5 * x.m * x.v.dot(x.v);
    return e;
}
ALONE void axpy(std::vector<double> &y, const std::vector<double> &x, double a)
{
    for (size_t i = 0; i < y.size(); ++i) /* loop: parallel */
        y[i] += a * x[i];
}
ALONE void blur(const std::vector<std::vector<float>> &in, std::vector<std::vector<float>> &out)
{
    int h = in.size(), w = in[0].size();
    for (int y = 1; y < h - 1; y++)       /* loop: parallel */
        for (int x = 1; x < w - 1; x++) { /* loop: parallel */
            float s = 0;
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++)
                    s += in[y + dy][x + dx];
            out[y][x] = s / 9;
        }
}
ALONE int mandel(std::vector<int> &out, int w, int h)
{
    int total = 0;
    for (int y = 0; y < h; y++)       /* loop: reduction */
        for (int x = 0; x < w; x++) { /* loop: reduction */
            std::complex<double> c(x * 3.0 / w - 2, y * 2.0 / h - 1), z = 0;
            int k = 0;
            while (k < 50 && std::norm(z) < 4) {
                z = z * z + c;
                k++;
            }
            out[y * w + x] = k;
            total += k;
        }
    return total;
}
ALONE void hist(const std::vector<uint8_t> &v, std::array<int, 256> &h)
{
    for (size_t i = 0; i < v.size(); i++) /* loop: reduction */
        h[v[i]]++;
}
struct Grid {
    int n;
    std::unique_ptr<double[]> a, b;
    explicit Grid(int n) : n(n), a(new double[n * n]()), b(new double[n * n]()) { a[n + 1] = 5; }
    ALONE double step()
    {
        double worst = 0;
        for (int i = 1; i < n - 1; i++)       /* loop: reduction */
            for (int j = 1; j < n - 1; j++) { /* loop: reduction */
                b[i * n + j] =
                    0.25 * (a[(i - 1) * n + j] + a[(i + 1) * n + j] + a[i * n + j - 1] + a[i * n + j + 1]);
                worst = std::max(worst, std::fabs(b[i * n + j] - a[i * n + j]));
            }
        std::swap(a, b);
        return worst;
    }
};
template <class T> ALONE T dot(const T *a, const T *b, int n)
{
    T s{};
    for (int i = 0; i < n; i++) /* loop: reduction */
        s += a[i] * b[i];
    return s;
}
template <typename It> ALONE void square(It b, It e)
{
    for (; b != e; ++b) /* loop: parallel */
        *b = *b * *b;
}
ALONE void lengths(const std::vector<std::string> &w, std::vector<int> &n)
{
    for (size_t i = 0; i < w.size(); i++) { /* loop: parallel */
        int k = 0;
        for (char c : w[i]) /* loop: reduction */
            k += c == 'a';
        n[i] = k;
    }
}
ALONE double nearest(const std::vector<Vec3> &p, const std::vector<Vec3> &c, std::vector<int> &to)
{
    double sum = 0;
    for (size_t i = 0; i < p.size(); i++) { /* loop: reduction */
        double best = 1e30;
        int at = 0;
        for (size_t k = 0; k < c.size(); k++) { /* loop: no */
            Vec3 d = p[i] - c[k];
            double r = d.dot(d);
            if (r < best) {
                best = r;
                at = (int)k;
            }
        }
        to[i] = at;
        sum += best;
    }
    return sum;
}
ALONE int primes(int n)
{
    int c = 0;
    for (int i = 2; i < n; i++) { /* loop: reduction */
        bool p = true;
        for (int d = 2; d * d <= i && p; d++)
            p = i % d != 0;
        c += p;
    }
    return c;
}
ALONE void spmv(const std::vector<int> &row, const std::vector<int> &col, const std::vector<double> &v,
                const std::vector<double> &x, std::vector<double> &y)
{
    for (size_t i = 0; i + 1 < row.size(); i++) { /* loop: parallel */
        double s = 0;
        for (int k = row[i]; k < row[i + 1]; k++) /* loop: reduction */
            s += v[k] * x[col[k]];
        y[i] = s;
    }
}
ALONE void sortrows(std::vector<std::vector<int>> &g)
{
    for (size_t i = 0; i < g.size(); i++) /* loop: parallel */
        std::sort(g[i].begin(), g[i].end());
}
struct Rgb {
    uint8_t r, g, b;
};
ALONE void gray(const std::vector<Rgb> &in, std::vector<uint8_t> &out)
{
    for (size_t i = 0; i < in.size(); i++) { /* loop: parallel */
        const Rgb &p = in[i];
        out[i] = static_cast<uint8_t>((p.r * 77 + p.g * 150 + p.b * 29) >> 8);
    }
}
ALONE void scratch(const std::vector<double> &in, std::vector<double> &out)
{
    for (size_t i = 0; i < in.size() - 8; i++) { /* loop: parallel */
        std::array<double, 8> t;
        for (int k = 0; k < 8; k++)
            t[k] = in[i + k];
        std::sort(t.begin(), t.end());
        out[i] = t[4];
    }
}
int main(int argc, char **)
{
    int n = M - 1 + argc;
    Matrix a(S, S), b(S, S), c(S, S);
    a.fill();
    b.fill();
    a.scale(0.5);
    matmul(a, b, c);
    keep(c.trace());
    std::vector<Body> bodies(S);
    for (int i = 0; i < S; i++)
        bodies[i] = {{i * 1.0, i * i * 0.3, 7.0 * i}, {0, 0, 0}, {0, 0, 0}, 1.0 + i};
    forces(bodies);
    move(bodies, 0.1);
    keep(energy(bodies));
    std::vector<double> x(n, 1.5), y(n, 2);
    axpy(y, x, 3);
    keep(y[5]);
    keep(dot(x.data(), y.data(), n));
    square(x.begin(), x.end());
    keep(x[7]);
    std::vector<std::vector<float>> im(S, std::vector<float>(S, 1)), om = im;
    blur(im, om);
    keep(om[3][4]);
    std::vector<int> o(S * S);
    keep(mandel(o, S, S));
    keep(o[9]);
    std::vector<uint8_t> bytes(n);
    for (int i = 0; i < n; i++)
        bytes[i] = i * 7 % 41;
    std::array<int, 256> h{};
    hist(bytes, h);
    keep(h[3]);
    Grid g(S);
    keep(g.step());
    keep(g.step());
    std::vector<std::string> w(S, "banana and a bit more than that");
    std::vector<int> len(S);
    lengths(w, len);
    keep(len[4]);
    std::vector<Vec3> p(n), cc(8);
    for (int i = 0; i < n; i++)
        p[i] = {i * 0.1, i % 7 * 1.0, 2};
    for (int i = 0; i < 8; i++)
        cc[i] = {i * 5.0, 1, 1};
    std::vector<int> to(n);
    keep(nearest(p, cc, to));
    keep(to[9]);
    keep(primes(n));
    std::vector<int> row(S + 1), col(S * 3);
    std::vector<double> val(S * 3, 2), yy(S);
    for (int i = 0; i <= S; i++)
        row[i] = 3 * i;
    for (int i = 0; i < S * 3; i++)
        col[i] = i * 7 % S;
    spmv(row, col, val, x, yy);
    keep(yy[3]);
    std::vector<std::vector<int>> gg(S, std::vector<int>(S));
    for (int i = 0; i < S; i++)
        for (int j = 0; j < S; j++)
            gg[i][j] = i * j * 7 % 31;
    sortrows(gg);
    keep(gg[3][3]);
    std::vector<Rgb> rgb(n, Rgb{1, 2, 3});
    gray(rgb, bytes);
    keep(bytes[3]);
    scratch(x, y);
    keep(y[8]);
    return finish();
}
