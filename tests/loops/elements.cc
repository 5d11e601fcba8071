/* References to elements, sums in elements: what looks as if each iteration had its own, and what does. */
#include <algorithm>
#include <array>
#include <complex>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <vector>
#define ALONE static __attribute__((noinline))
using vec = std::vector<double>;
struct P {
    double x, y;
    int cell;
    P *to;
    double *at;
    int *slot;
    double w[4];
};
ALONE void pointers(std::vector<P *> &ps)
{
    for (auto &p : ps) /* loop: no */
        p->x = p->x * 2 + 1;
}
ALONE void pointers_by_index(std::vector<P *> &ps)
{
    for (size_t i = 0; i < ps.size(); i++) { /* loop: no */
        auto &p = ps[i];
        p->x = p->x * 3 + p->y;
    }
}
ALONE void behind_member(std::vector<P> &ps)
{
    for (auto &p : ps) { /* loop: no */
        *p.at = *p.at * 0.5 + p.x;
        p.y = p.x;
    }
}
ALONE void to_another(std::vector<P> &ps)
{
    for (auto &p : ps) /* loop: no */
        p.to->x = p.x + 1;
}
ALONE void from_another(std::vector<P> &ps)
{
    for (auto &p : ps) /* loop: no */
        p.x = p.to->x + 1;
}
ALONE void previous(std::vector<P> &ps)
{
    for (size_t i = 1; i < ps.size(); i++) { /* loop: no */
        auto &p = ps[i];
        auto &q = ps[i - 1];
        p.x += q.x;
    }
}
ALONE void next_set(std::vector<P> &ps)
{
    for (size_t i = 0; i + 1 < ps.size(); i++) { /* loop: no */
        auto &p = ps[i];
        auto &q = ps[i + 1];
        q.x = p.x + 1;
        p.y = p.x;
    }
}
ALONE void by_element(std::vector<P> &ps)
{
    for (size_t i = 1; i < ps.size(); i++) { /* loop: no */
        auto &p = ps[i];
        p.x = ps[i - 1].x + p.y;
    }
}
ALONE void first_of_all(std::vector<P> &ps)
{
    for (auto &p : ps) /* loop: no */
        p.x += ps[3].x;
}
ALONE void slots(std::vector<P> &ps, std::vector<int> &count)
{
    for (auto &p : ps) { /* loop: no */
        count[p.cell] = *p.slot + 1;
        p.x = count[p.cell];
    }
}
ALONE void slots_read(std::vector<P> &ps, std::vector<int> &count)
{
    for (size_t i = 0; i < ps.size(); i++) /* loop: no */
        count[i + 1] = ps[i].slot[0] + 1;
}
ALONE void cell_of_last(std::vector<P> &ps, std::vector<int> &count)
{
    int last = 0;
    for (auto &p : ps) { /* loop: no */
        count[p.cell] += last;
        last = p.cell;
    }
}
ALONE void sum_looked(const vec &x, vec &y, vec &z)
{
    for (size_t j = 0; j < x.size(); j++) { /* loop: no */
        y[0] += x[j];
        z[j] = y[0];
    }
}
ALONE void sum_same(vec &y, const vec &x)
{
    for (size_t j = 0; j < x.size(); j++) /* loop: no */
        y[5] += x[j] * x[j];
}
ALONE void horner(vec &y, const vec &x)
{
    for (size_t j = 0; j < x.size(); j++) /* loop: no */
        y[0] = y[0] * 0.5 + x[j];
}
ALONE void mixed(vec &y, const vec &x)
{
    for (size_t j = 0; j < x.size(); j++) { /* loop: no */
        y[0] += x[j];
        y[0] *= 1.001;
    }
}
ALONE void narrow(std::vector<unsigned char> &y, const vec &x)
{
    for (size_t j = 0; j < x.size(); j++) /* loop: no */
        y[0] += x[j] * 0.3;
}
ALONE void rows_before(std::vector<vec> &c, int n)
{
    for (int i = 1; i < n; i++) /* loop: no */
        for (int j = 0; j < n; j++) {
            c[i][j] = c[i - 1][j];
            c[i][j] += c[i][n - 1 - j];
        }
}
ALONE void row_sum_kept(std::vector<vec> &c, vec &t, int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        for (int k = 0; k < n; k++)
            t[k] = t[k] * 0.5 + c[i][k];
}
ALONE void complex_chain(std::vector<std::complex<double>> &v)
{
    std::complex<double> z(0.1, 0.2);
    for (size_t i = 0; i < v.size(); i++) { /* loop: no */
        z = z * z + v[i];
        v[i] = z;
    }
}
ALONE void complex_before(std::vector<std::complex<double>> &v)
{
    for (size_t i = 1; i < v.size(); i++) /* loop: no */
        v[i] = v[i - 1] * v[i] * 0.1;
}
ALONE void wrapped(std::vector<std::reference_wrapper<P>> &rs)
{
    for (auto &r : rs) /* loop: no */
        r.get().x = r.get().x * 2 + 1;
}
ALONE void chars(std::string &s)
{
    for (size_t i = 1; i < s.size(); i++) { /* loop: no */
        auto &c = s[i];
        c = s[i - 1] + 1;
    }
}
ALONE void running(std::string &s)
{
    char k = 0;
    for (auto &c : s) { /* loop: no */
        k ^= c;
        c = k;
    }
}
ALONE void shared_ones(std::vector<std::shared_ptr<P>> &ps)
{
    for (auto &p : ps) /* loop: no */
        p->x = p->x * 2 + p->y;
}
ALONE void last_pointer(std::vector<P> &ps)
{
    P *last = &ps[0];
    for (auto &p : ps) { /* loop: no */
        p.x += last->x;
        last = &p;
    }
}
ALONE void half_index(std::vector<P> &ps)
{
    for (size_t i = 0; i < ps.size(); i++) { /* loop: no */
        auto &p = ps[i / 2];
        p.x = p.x * 2 + 1;
    }
}
ALONE void walks(std::vector<P> &ps)
{
    for (size_t i = 0; i + 2 < ps.size(); i++) { /* loop: no */
        auto &p = ps[i];
        p.x += 1;
        auto &q = ps[i + 1];
        q.x += p.x;
    }
}
ALONE void window(std::vector<P> &ps)
{
    for (auto &p : ps) {            /* loop: parallel */
        for (int k = 1; k < 4; k++) /* loop: no */
            p.w[k] += p.w[k - 1];
    }
}
static vec gy(64), gx(200, 1.5);
ALONE void global_sum()
{
    for (int j = 0; j < 200; j++) /* loop: reduction */
        gy[7] += gx[j];
}
/* one element, again and again, where a condition that stays the same holds */
static std::vector<unsigned char> bx(512), by(512);
static const unsigned char when[16] = {1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 0, 0, 1, 1, 1, 1};
ALONE void same_again(int n)
{
    for (int i = 0; i < 12; i += 2) {
        int j = 0;
        while (j < 2 * n) { /* loop: no */
            if (when[i])
                bx[5 + 2 * i] = bx[1 + i];
            by[1 + 6 * i + j] = i;
            j += 2;
        }
    }
}
int main()
{
    std::vector<P> ps(120);
    vec store(8, 1);
    std::vector<int> count(140), other(140);
    for (int i = 0; i < 120; i++) {
        ps[i] = {i * 0.1, i * 0.2, i * 7 % 16, 0, &store[i % 8], &count[i % 16], {1, 2, 3, 4}};
        ps[i].to = &ps[i * 37 % 120];
    }
    std::vector<P *> pp;
    std::vector<std::reference_wrapper<P>> rs;
    std::vector<std::shared_ptr<P>> sp;
    auto one = std::make_shared<P>(ps[3]), two = std::make_shared<P>(ps[4]);
    for (int i = 0; i < 120; i++)
        pp.push_back(&ps[i % 40]), rs.emplace_back(ps[i % 50]), sp.push_back(i & 1 ? one : two);
    pointers(pp), pointers_by_index(pp), behind_member(ps), to_another(ps), from_another(ps), previous(ps),
        next_set(ps), by_element(ps);
    for (auto &p : ps)
        p.x = p.cell;
    first_of_all(ps), slots(ps, count), cell_of_last(ps, count);
    for (int i = 0; i < 120; i++)
        ps[i].slot = &count[i];
    slots_read(ps, count);
    vec x(200, 1.25), y(200), z(200);
    for (int i = 0; i < 200; i++)
        x[i] = i % 7 * 0.1;
    sum_looked(x, y, z), sum_same(x, x), horner(y, x), mixed(y, x);
    std::vector<unsigned char> b(4);
    narrow(b, x);
    std::vector<vec> c(30, vec(30, 1.5));
    vec t(30);
    rows_before(c, 30), row_sum_kept(c, t, 30);
    std::vector<std::complex<double>> v(100, {0.1, 0.3});
    complex_chain(v), complex_before(v), wrapped(rs);
    std::string s(100, 'a');
    chars(s), running(s), shared_ones(sp), half_index(ps), walks(ps), window(ps), global_sum(),
        same_again((int)sp.size() / 20);
    for (auto &p : ps)
        p.x = p.x > 1e6 ? 1 : p.x < -1e6 ? 1 : p.x;
    last_pointer(ps);
    double e = 0;
    for (auto &p : ps)
        e += p.x + p.y + p.w[3];
    for (double q : t)
        e += q;
    printf("%g %d %g %d %g %s %g %g %g\n", e, count[5], y[0] + z[9] + x[5], b[0], c[5][5], s.c_str(), one->x,
           v[9].real(), gy[7]);
}
