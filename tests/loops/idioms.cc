/* What is usually written in C++: kernels over the containers of the library, by index, range and iterator.
 */
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstdio>
#include <map>
#include <numeric>
#include <string>
#include <vector>
#define ALONE static __attribute__((noinline))
using vec = std::vector<double>;
ALONE void matvec(const vec &a, const vec &x, vec &y, int n)
{
    for (int i = 0; i < n; i++)     /* loop: parallel */
        for (int j = 0; j < n; j++) /* loop: reduction */
            y[i] += a[i * n + j] * x[j];
}
ALONE void matvec2(const std::vector<vec> &a, const vec &x, vec &y)
{
    for (size_t i = 0; i < a.size(); i++) { /* loop: parallel */
        y[i] = 0;
        for (size_t j = 0; j < a[i].size(); j++) /* loop: reduction */
            y[i] += a[i][j] * x[j];
    }
}
ALONE void matmul(const std::vector<vec> &a, const std::vector<vec> &b, std::vector<vec> &c, int n)
{
    for (int i = 0; i < n; i++)       /* loop: parallel */
        for (int j = 0; j < n; j++) { /* loop: parallel */
            c[i][j] = 0;
            for (int k = 0; k < n; k++) /* loop: reduction */
                c[i][j] += a[i][k] * b[k][j];
        }
}
ALONE void matmul_ikj(const vec &a, const vec &b, vec &c, int n)
{
    for (int i = 0; i < n; i++)       /* loop: parallel */
        for (int k = 0; k < n; k++) { /* loop: reduction */
            double t = a[i * n + k];
            for (int j = 0; j < n; j++) /* loop: parallel */
                c[i * n + j] += t * b[k * n + j];
        }
}
ALONE void jacobi(const std::vector<vec> &u, std::vector<vec> &v, int n)
{
    for (int i = 1; i < n - 1; i++)     /* loop: parallel */
        for (int j = 1; j < n - 1; j++) /* loop: parallel */
            v[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
}
ALONE void seidel(std::vector<vec> &u, int n)
{
    for (int i = 1; i < n - 1; i++)     /* loop: no */
        for (int j = 1; j < n - 1; j++) /* loop: no */
            u[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
}
struct particle {
    double x, y, vx, vy, m;
    int cell;
};
ALONE void forces(std::vector<particle> &ps, std::vector<std::array<double, 2>> &f)
{
    for (size_t i = 0; i < ps.size(); i++) { /* loop: parallel */
        double fx = 0, fy = 0;
        for (size_t j = 0; j < ps.size(); j++) { /* loop: reduction */
            double dx = ps[j].x - ps[i].x, dy = ps[j].y - ps[i].y, d = dx * dx + dy * dy + 0.01;
            fx += ps[j].m * dx / (d * std::sqrt(d));
            fy += ps[j].m * dy / (d * std::sqrt(d));
        }
        f[i] = {fx, fy};
    }
}
ALONE void move(std::vector<particle> &ps, const std::vector<std::array<double, 2>> &f, double dt)
{
    for (size_t i = 0; i < ps.size(); i++) { /* loop: parallel */
        auto &p = ps[i];
        p.vx += f[i][0] * dt;
        p.vy += f[i][1] * dt;
        p.x += p.vx * dt;
        p.y += p.vy * dt;
    }
}
ALONE void move_range(std::vector<particle> &ps, double dt)
{
    for (auto &p : ps) { /* loop: parallel */
        p.x += p.vx * dt;
        p.y += p.vy * dt;
    }
}
ALONE void cells(const std::vector<particle> &ps, std::vector<int> &count)
{
    for (const auto &p : ps) /* loop: reduction */
        count[p.cell]++;
}
ALONE void cells_by_index(const std::vector<particle> &ps, std::vector<int> &count)
{
    for (size_t i = 0; i < ps.size(); i++) /* loop: reduction */
        count[ps[i].cell]++;
}
ALONE double energy(const std::vector<particle> &ps)
{
    double e = 0;
    for (const auto &p : ps) /* loop: reduction */
        e += 0.5 * p.m * (p.vx * p.vx + p.vy * p.vy);
    return e;
}
ALONE void mandelbrot(std::vector<int> &out, int w, int h)
{
    for (int y = 0; y < h; y++)       /* loop: parallel */
        for (int x = 0; x < w; x++) { /* loop: parallel */
            std::complex<double> c(-2 + 3.0 * x / w, -1 + 2.0 * y / h), z = 0;
            int k = 0;
            while (k < 50 && std::norm(z) < 4) /* loop: no */
                z = z * z + c, k++;
            out[y * w + x] = k;
        }
}
ALONE void spmv(const std::vector<int> &row, const std::vector<int> &col, const vec &a, const vec &x, vec &y)
{
    for (size_t i = 0; i + 1 < row.size(); i++) { /* loop: parallel */
        double s = 0;
        for (int k = row[i]; k < row[i + 1]; k++) /* loop: reduction */
            s += a[k] * x[col[k]];
        y[i] = s;
    }
}
ALONE void assign(const std::vector<vec> &pts, const std::vector<vec> &centres, std::vector<int> &to)
{
    for (size_t i = 0; i < pts.size(); i++) { /* loop: parallel */
        double best = 1e300;
        int at = 0;
        for (size_t c = 0; c < centres.size(); c++) {
            double d = 0;
            for (size_t k = 0; k < pts[i].size(); k++) { /* loop: reduction */
                double e = pts[i][k] - centres[c][k];
                d += e * e;
            }
            if (d < best) {
                best = d;
                at = (int)c;
            }
        }
        to[i] = at;
    }
}
ALONE void upper(std::string &s)
{
    for (auto &c : s) /* loop: parallel */
        if (c >= 'a' && c <= 'z')
            c -= 32;
}
ALONE int vowels(const std::string &s)
{
    int n = 0;
    for (char c : s) /* loop: reduction */
        if (c == 'A' || c == 'E' || c == 'I')
            n++;
    return n;
}
ALONE void scale(vec &v, double f)
{
    for (auto it = v.begin(); it != v.end(); ++it) /* loop: parallel */
        *it *= f;
}
ALONE double dot(const vec &a, const vec &b)
{
    double s = 0;
    for (size_t i = 0; i < a.size(); i++) /* loop: reduction */
        s += a[i] * b[i];
    return s;
}
ALONE void rows_sum(const std::vector<std::vector<int>> &g, std::vector<int> &r)
{
    for (size_t i = 0; i < g.size(); i++) /* loop: parallel */
        r[i] = std::accumulate(g[i].begin(), g[i].end(), 0);
}
ALONE void rows_sort(std::vector<std::vector<int>> &g)
{
    for (auto &r : g) /* loop: parallel */
        std::sort(r.begin(), r.end());
}
template <class F> ALONE void each(std::vector<int> &v, F f)
{
    for (auto &x : v) /* loop: parallel */
        x = f(x);
}
ALONE void conv(const std::vector<float> &in, std::vector<float> &out, const std::vector<float> &k)
{
    for (size_t i = 0; i + k.size() <= in.size(); i++) { /* loop: parallel */
        float s = 0;
        for (size_t j = 0; j < k.size(); j++) /* loop: reduction */
            s += in[i + j] * k[j];
        out[i] = s;
    }
}
ALONE void histogram(const std::vector<int> &v, std::array<int, 16> &h)
{
    for (int x : v) /* loop: reduction */
        h[x & 15]++;
}
ALONE double biggest(const vec &v)
{
    double m = 0;
    for (size_t i = 0; i < v.size(); i++) /* loop: reduction */
        m = std::max(m, std::fabs(v[i]));
    return m;
}
ALONE void prefix(vec &v)
{
    for (size_t i = 1; i < v.size(); i++) /* loop: no */
        v[i] += v[i - 1];
}
ALONE void axpy(vec &y, const vec &x, double a)
{
    for (size_t i = 0; i < y.size(); i++) /* loop: parallel */
        y[i] += a * x[i];
}
struct grid {
    int w, h;
    vec d;
    grid(int w, int h) : w(w), h(h), d(w * h) {}
    double &at(int x, int y) { return d[y * w + x]; }
    double at(int x, int y) const { return d[y * w + x]; }
};
ALONE void blur(const grid &a, grid &b)
{
    for (int y = 1; y < a.h - 1; y++)     /* loop: parallel */
        for (int x = 1; x < a.w - 1; x++) /* loop: parallel */
            b.at(x, y) = (a.at(x - 1, y) + a.at(x, y) + a.at(x + 1, y) + a.at(x, y - 1) + a.at(x, y + 1)) / 5;
}
int main()
{
    int n = 40;
    vec a(n * n, 1.5), b(n * n, 2.5), c(n * n), x(n, 2), y(n);
    std::vector<vec> A(n, vec(n, 1)), B(n, vec(n, 2)), C(n, vec(n));
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            A[i][j] = i * j % 7, B[i][j] = i + j;
    matvec(a, x, y, n), matvec2(A, x, y), matmul(A, B, C, n), matmul_ikj(a, b, c, n), jacobi(A, B, n),
        seidel(A, n);
    std::vector<particle> ps(200);
    std::vector<std::array<double, 2>> f(200);
    for (int i = 0; i < 200; i++)
        ps[i] = {i * 0.1, i * 0.2, 1, 2, 1.0 + i, i * 7 % 16};
    std::vector<int> count(16), out(60 * 40), r(n);
    forces(ps, f), move(ps, f, 0.1), move_range(ps, 0.1), cells(ps, count), cells_by_index(ps, count);
    double e = energy(ps);
    mandelbrot(out, 60, 40);
    std::vector<int> row(101), col(300);
    vec val(300, 1.5), xx(100, 2), yy(100);
    for (int i = 0; i <= 100; i++)
        row[i] = 3 * i;
    for (int i = 0; i < 300; i++)
        col[i] = i * 37 % 100;
    spmv(row, col, val, xx, yy);
    std::vector<int> to(n);
    std::vector<vec> cs(5, vec(n, 3));
    assign(A, cs, to);
    std::string s(300, 'e');
    upper(s);
    int v = vowels(s);
    scale(a, 3);
    e += dot(a, b);
    std::vector<std::vector<int>> g(30, std::vector<int>(30));
    for (int i = 0; i < 30; i++)
        for (int j = 0; j < 30; j++)
            g[i][j] = i * 31 % 17 + j * 7 % 11;
    rows_sum(g, r), rows_sort(g);
    each(out, [](int q) { return q * 2 + 1; });
    std::vector<float> in(300, 1), o2(300), k(7, 2);
    conv(in, o2, k);
    std::array<int, 16> h{};
    histogram(out, h);
    e += biggest(b);
    prefix(b), axpy(a, b, 0.5);
    grid g1(30, 30), g2(30, 30);
    blur(g1, g2);
    for (double q : a)
        e += q;
    for (double q : c)
        e += q;
    for (auto &q : C)
        for (double w : q)
            e += w;
    for (auto &q : B)
        for (double w : q)
            e += w;
    printf("%f %d %d %d %d %f %d %f %f\n", e, v, count[3], out[7], to[3], yy[5] + y[3], r[3] + g[2][3], o2[4],
           g2.at(3, 4) + h[3] + ps[3].x);
}
