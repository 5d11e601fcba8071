/* Applications in small, in C++: elements in templates, cross sections, sweeps, fields with an accessor,
 * tallies. */
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>
using Real = double;
// --- miniFE
template <typename Scalar, typename Ord> struct Vector {
    Ord n;
    std::vector<Scalar> coefs;
    explicit Vector(Ord n) : n(n), coefs(n) {}
};
template <typename Scalar, typename Ord> struct CSRMatrix {
    std::vector<Ord> rows, row_offsets, packed_cols;
    std::vector<Scalar> packed_coefs;
    void get_row_pointers(Ord row, size_t &len, Ord *&cols, Scalar *&coefs)
    {
        size_t o = row_offsets[row];
        len = row_offsets[row + 1] - o;
        cols = &packed_cols[o];
        coefs = &packed_coefs[o];
    }
};
template <typename M> void sum_into_row(int row, size_t num, const int *cols, const Real *coefs, M &mat)
{
    size_t len = 0;
    int *mc = nullptr;
    Real *mv = nullptr;
    mat.get_row_pointers(row, len, mc, mv);
    for (size_t i = 0; i < num; ++i) { /* loop: reduction */
        int *loc = std::lower_bound(mc, mc + len, cols[i]);
        if (loc - mc < (long)len && *loc == cols[i])
            mv[loc - mc] += coefs[i];
    }
}
template <typename V> void waxpby(Real a, const V &x, Real b, const V &y, V &w)
{
    const int n = x.n;
    const Real *xc = &x.coefs[0], *yc = &y.coefs[0];
    Real *wc = &w.coefs[0];
    if (b == 0.0)
        for (int i = 0; i < n; ++i) /* loop: parallel */
            wc[i] = a * xc[i];
    else
        for (int i = 0; i < n; ++i) /* loop: parallel */
            wc[i] = a * xc[i] + b * yc[i];
}
template <typename V> Real dot(const V &x, const V &y)
{
    const int n = x.n;
    Real result = 0;
    const Real *xc = &x.coefs[0], *yc = &y.coefs[0];
    for (int i = 0; i < n; ++i) /* loop: reduction */
        result += xc[i] * yc[i];
    return result;
}
template <typename M, typename V> struct matvec_std {
    void operator()(M &A, V &x, V &y)
    {
        int n = (int)A.rows.size();
        const int *Ac = &A.packed_cols[0], *Ar = &A.row_offsets[0];
        const Real *Av = &A.packed_coefs[0], *xc = &x.coefs[0];
        Real *yc = &y.coefs[0];
        for (int row = 0; row < n; ++row) { /* loop: parallel */
            Real sum = 0;
            for (int i = Ar[row]; i < Ar[row + 1]; ++i) /* loop: reduction */
                sum += Av[i] * xc[Ac[i]];
            yc[row] = sum;
        }
    }
};
template <typename M> void impose_dirichlet(M &A, Vector<Real, int> &b, const std::vector<char> &bc)
{
    for (size_t i = 0; i < A.rows.size(); ++i) { /* loop: parallel */
        int row = A.rows[i];
        if (!bc[row])
            continue;
        b.coefs[row] = 1;
        size_t len;
        int *cols;
        Real *coefs;
        A.get_row_pointers(row, len, cols, coefs);
        for (size_t j = 0; j < len; ++j) /* loop: parallel */
            coefs[j] = cols[j] == row ? 1 : 0;
    }
}
static void assemble(int n, CSRMatrix<Real, int> &A, Vector<Real, int> &b)
{
    for (int e = 0; e + 2 < n; e++) { /* loop: reduction */
        int ids[3] = {e, e + 1, e + 2};
        Real ke[3][3];
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                ke[i][j] = i == j ? 4 : -1;
        for (int i = 0; i < 3; i++)
            sum_into_row(ids[i], 3, ids, ke[i], A);
        for (int i = 0; i < 3; i++)
            b.coefs[ids[i]] += 0.5;
    }
}
static Real minife(int n)
{
    CSRMatrix<Real, int> A;
    Vector<Real, int> b(n), x(n), r(n), p(n), Ap(n);
    int nnz = 0;
    A.row_offsets.push_back(0);
    for (int i = 0; i < n; i++) { /* loop: no */
        A.rows.push_back(i);
        for (int c = std::max(0, i - 2); c <= std::min(n - 1, i + 2); c++) { /* loop: no */
            A.packed_cols.push_back(c);
            A.packed_coefs.push_back(0);
            nnz++;
        }
        A.row_offsets.push_back(nnz);
    }
    assemble(n, A, b);
    std::vector<char> bc(n, 0);
    bc[0] = bc[n - 1] = 1;
    impose_dirichlet(A, b, bc);
    matvec_std<CSRMatrix<Real, int>, Vector<Real, int>> mv;
    waxpby(1.0, b, 0.0, b, r);
    Real rtr = dot(r, r), old = 0;
    int k = 1;
    for (; k <= 10 && std::sqrt(rtr) > 1e-12; ++k) { /* loop: no */
        if (k == 1)
            waxpby(1.0, r, 0.0, r, p);
        else {
            old = rtr;
            rtr = dot(r, r);
            waxpby(1.0, r, rtr / old, p, p);
        }
        mv(A, p, Ap);
        Real pap = dot(Ap, p);
        if (pap < 1e-30) {
            std::fprintf(stderr, "breakdown\n");
            break;
        }
        Real alpha = rtr / pap;
        waxpby(1.0, x, alpha, p, x);
        waxpby(1.0, r, -alpha, Ap, r);
    }
    return x.coefs[n / 2];
}
// --- XSBench
struct GridPoint {
    double energy, total, elastic;
};
struct Inputs {
    int n_iso, n_grid, lookups;
};
struct SimData {
    std::vector<double> unionized;
    std::vector<GridPoint> nuclide;
    std::vector<int> index, num_nucs, mats;
    std::vector<double> concs;
    int max_nucs;
};
static uint64_t fast_forward_LCG(uint64_t seed, uint64_t n)
{
    const uint64_t m = 1ull << 63;
    uint64_t a = 2806196910506780709ULL, c = 1, a_new = 1, c_new = 0;
    n = n % m;
    while (n > 0) { /* loop: no */
        if (n & 1) {
            a_new *= a;
            c_new = c_new * a + c;
        }
        c *= (a + 1);
        a *= a;
        n >>= 1;
    }
    return (a_new * seed + c_new) % m;
}
static double LCG_random_double(uint64_t *seed)
{
    *seed = (2806196910506780709ULL * (*seed) + 1ULL) % (1ull << 63);
    return (double)(*seed) / (double)(1ull << 63);
}
static long grid_search(long n, double quarry, const double *A)
{
    long lowerLimit = 0, upperLimit = n - 1, length = upperLimit - lowerLimit;
    while (length > 1) { /* loop: no */
        long mid = lowerLimit + length / 2;
        if (A[mid] > quarry)
            upperLimit = mid;
        else
            lowerLimit = mid;
        length = upperLimit - lowerLimit;
    }
    return lowerLimit;
}
static void micro(double e, int nuc, long idx, const SimData &sd, int n_grid, double *out)
{
    const GridPoint *low = &sd.nuclide[nuc * n_grid + std::min(sd.index[idx], n_grid - 2)], *high = low + 1;
    double f = (high->energy - e) / (high->energy - low->energy);
    out[0] = high->total - f * (high->total - low->total);
    out[1] = high->elastic - f * (high->elastic - low->elastic);
}
static void macro(double e, int mat, const Inputs &in, const SimData &sd, double *out)
{
    double xs[2], conc;
    for (int k = 0; k < 2; k++)
        out[k] = 0;
    long idx = grid_search((long)sd.unionized.size(), e, sd.unionized.data());
    for (int j = 0; j < sd.num_nucs[mat]; j++) { /* loop: private */
        int nuc = sd.mats[mat * sd.max_nucs + j];
        conc = sd.concs[mat * sd.max_nucs + j];
        micro(e, nuc, idx, sd, in.n_grid, xs);
        for (int k = 0; k < 2; k++)
            out[k] += xs[k] * conc;
    }
}
static unsigned long xs_event(const Inputs &in, const SimData &sd)
{
    unsigned long verification = 0;
    for (int i = 0; i < in.lookups; i++) { /* loop: reduction */
        uint64_t seed = 1070;
        seed = fast_forward_LCG(seed, 2 * i);
        double e = LCG_random_double(&seed);
        int mat = (int)(LCG_random_double(&seed) * 3);
        double m[2] = {0};
        macro(e, mat, in, sd, m);
        double mx = -1.0;
        int max_idx = 0;
        for (int j = 0; j < 2; j++)
            if (m[j] > mx) {
                mx = m[j];
                max_idx = j;
            }
        verification += max_idx + 1;
    }
    return verification;
}
static unsigned long xs_history(const Inputs &in, const SimData &sd)
{
    unsigned long v = 0;
    uint64_t seed = 1070;
    for (int p = 0; p < in.lookups / 4; p++) { /* loop: no */
        double e = LCG_random_double(&seed), m[2];
        int mat = (int)(LCG_random_double(&seed) * 3);
        for (int i = 0; i < 4; i++) { /* loop: no */
            macro(e, mat, in, sd, m);
            v += m[0] > m[1];
            e = LCG_random_double(&seed);
            mat = std::abs(mat + (int)(m[0] * 10)) % 3;
        }
    }
    return v;
}
static unsigned long xsbench()
{
    Inputs in{4, 30, 120};
    SimData sd;
    sd.max_nucs = 3;
    sd.nuclide.resize(in.n_iso * in.n_grid);
    uint64_t seed = 42;
    for (auto &g : sd.nuclide) /* loop: no */
        g.energy = LCG_random_double(&seed), g.total = LCG_random_double(&seed),
        g.elastic = LCG_random_double(&seed);
    for (int i = 0; i < in.n_iso; i++) /* loop: parallel */
        std::sort(&sd.nuclide[i * in.n_grid], &sd.nuclide[i * in.n_grid] + in.n_grid,
                  [](const GridPoint &a, const GridPoint &b) { return a.energy < b.energy; });
    sd.unionized.resize(in.n_iso * in.n_grid);
    for (size_t i = 0; i < sd.unionized.size(); i++) /* loop: parallel */
        sd.unionized[i] = sd.nuclide[i].energy;
    std::sort(sd.unionized.begin(), sd.unionized.end());
    sd.index.resize(sd.unionized.size());
    int at = 0;
    for (size_t e = 0; e < sd.unionized.size(); e++) {                        /* loop: no */
        while (at < in.n_grid - 1 && sd.nuclide[at].energy < sd.unionized[e]) /* loop: no */
            at++;
        sd.index[e] = at;
    }
    sd.num_nucs = {3, 2, 1};
    sd.mats = {0, 1, 2, 3, 1, 0, 2, 0, 0};
    sd.concs.assign(9, 0.3);
    return xs_event(in, sd) * 1000 + xs_history(in, sd);
}
// --- sweep over a grid in every octant (SNAP, Kripke)
struct Zones {
    int nx, ny;
    std::vector<double> psi, src, lf, fr, phi;
};
static void sweep(Zones &z, int dx, int dy, double mu)
{
    int ib = dx > 0 ? 0 : z.nx - 1, ie = dx > 0 ? z.nx : -1, jb = dy > 0 ? 0 : z.ny - 1,
        je = dy > 0 ? z.ny : -1;
    std::fill(z.lf.begin(), z.lf.end(), 1.0);
    std::fill(z.fr.begin(), z.fr.end(), 1.0);
    for (int j = jb; j != je; j += dy)       /* loop: no */
        for (int i = ib; i != ie; i += dx) { /* loop: no */
            double p = (z.src[j * z.nx + i] + mu * z.lf[j] + (1 - mu) * z.fr[i]) / 2;
            z.lf[j] = 2 * p - z.lf[j];
            z.fr[i] = 2 * p - z.fr[i];
            z.psi[j * z.nx + i] = p;
            z.phi[j * z.nx + i] += p * mu;
        }
}
static void scattering(Zones &z, int groups, const std::vector<double> &sig)
{
    for (int g = 0; g < groups; g++)          /* loop: reduction */
        for (int i = 0; i < z.nx * z.ny; i++) /* loop: parallel */
            z.src[i] += sig[g] * z.phi[i];
}
static double kripke()
{
    Zones z{12,
            10,
            std::vector<double>(120),
            std::vector<double>(120, 1.0),
            std::vector<double>(10),
            std::vector<double>(12),
            std::vector<double>(120)};
    std::vector<double> sig{0.1, 0.05, 0.02};
    double part = 0, old;
    int it = 0;
    do { /* loop: no */
        old = part;
        for (int o = 0; o < 4; o++) /* loop: no */
            sweep(z, o & 1 ? 1 : -1, o & 2 ? 1 : -1, 0.3 + 0.1 * o);
        scattering(z, 3, sig);
        part = 0;
        for (double v : z.psi) /* loop: reduction */
            part += v;
    } while (std::fabs(part - old) > 1e-3 * part && ++it < 4);
    return part;
}
// --- CloverLeaf-like fields with halo, accessor macro, state record
struct Field {
    int x, y;
    double *data;
    Field(int x, int y) : x(x), y(y), data(new double[x * y]()) {}
    ~Field() { delete[] data; }
    double &operator()(int i, int j) { return data[j * x + i]; }
    const double &operator()(int i, int j) const { return data[j * x + i]; }
};
struct Chunk {
    Field density0, density1, energy0, energy1, pressure, viscosity, soundspeed, xvel0, xvel1, flux, work;
    Chunk(int n)
        : density0(n, n), density1(n, n), energy0(n, n), energy1(n, n), pressure(n, n), viscosity(n, n),
          soundspeed(n, n), xvel0(n, n), xvel1(n, n), flux(n, n), work(n, n)
    {
    }
};
static void ideal_gas(int lo, int hi, const Field &density, const Field &energy, Field &pressure,
                      Field &soundspeed)
{
    for (int j = lo; j < hi; j++)       /* loop: parallel */
        for (int i = lo; i < hi; i++) { /* loop: parallel */
            double v = 1.0 / density(i, j);
            pressure(i, j) = 0.4 * density(i, j) * energy(i, j);
            double pe = 0.4 * density(i, j), pv = -density(i, j) * pressure(i, j) * v,
                   ss = v * v * (pressure(i, j) * pe - pv);
            soundspeed(i, j) = std::sqrt(std::fabs(ss));
        }
}
static void advec_x(int lo, int hi, const Field &vel, Field &density, Field &work, Field &flux)
{
    for (int j = lo; j < hi; j++)     /* loop: parallel */
        for (int i = lo; i < hi; i++) /* loop: parallel */
            work(i, j) = density(i, j) + vel(i + 1, j) - vel(i, j);
    for (int j = lo; j < hi; j++)       /* loop: parallel */
        for (int i = lo; i < hi; i++) { /* loop: parallel */
            int up, dn, dif;
            if (vel(i, j) > 0) {
                up = i - 2;
                dn = i;
                dif = i - 1;
            } else {
                up = std::min(i + 1, hi);
                dn = i - 1;
                dif = i;
            }
            double d = std::fabs(vel(i, j)) / work(dif, j), l = 0, a = density(dif, j) - density(up, j),
                   b = density(dn, j) - density(dif, j);
            if (a * b > 0)
                l = (1 - d) * std::min(std::fabs(a), std::fabs(b));
            flux(i, j) = vel(i, j) * (density(dif, j) + l);
        }
    for (int j = lo; j < hi; j++)         /* loop: parallel */
        for (int i = lo; i < hi - 1; i++) /* loop: parallel */
            density(i, j) = density(i, j) + 0.01 * (flux(i, j) - flux(i + 1, j));
}
static void advec_in_place(int lo, int hi, Field &d)
{
    for (int j = lo; j < hi; j++)     /* loop: parallel */
        for (int i = lo; i < hi; i++) /* loop: no */
            d(i, j) = d(i, j) - 0.1 * (d(i, j) - d(i - 1, j));
}
static void update_halo(Field &f, int n)
{
    for (int k = 0; k < n; k++) { /* loop: parallel */
        f(0, k) = f(3, k);
        f(1, k) = f(2, k);
        f(n - 1, k) = f(n - 4, k);
        f(n - 2, k) = f(n - 3, k);
    }
    for (int k = 0; k < n; k++) { /* loop: parallel */
        f(k, 0) = f(k, 3);
        f(k, 1) = f(k, 2);
        f(k, n - 1) = f(k, n - 4);
        f(k, n - 2) = f(k, n - 3);
    }
}
static double calc_dt(int lo, int hi, const Field &ss, const Field &v, int &jl, int &kl)
{
    double dt = 1e10;
    for (int j = lo; j < hi; j++)       /* loop: no */
        for (int i = lo; i < hi; i++) { /* loop: no */
            double c = 0.5 / (ss(i, j) + std::fabs(v(i, j)) + 1e-9);
            if (c < dt) {
                dt = c;
                jl = i;
                kl = j;
            }
        }
    return dt;
}
static double summary(int lo, int hi, const Chunk &c, double &mass, double &press)
{
    double ke = 0;
    mass = press = 0;
    for (int j = lo; j < hi; j++)       /* loop: reduction */
        for (int i = lo; i < hi; i++) { /* loop: reduction */
            double vsq = 0;
            for (int k = j; k <= j + 1; k++)
                for (int l = i; l <= i + 1; l++)
                    vsq += 0.25 * c.xvel0(l, k) * c.xvel0(l, k);
            double m = c.density0(i, j);
            mass += m;
            press += c.pressure(i, j);
            ke += m * 0.5 * vsq;
        }
    return ke;
}
static double clover()
{
    int n = 20, lo = 2, hi = 18, jl = 0, kl = 0;
    auto c = std::make_unique<Chunk>(n);
    for (int j = 0; j < n; j++)       /* loop: parallel */
        for (int i = 0; i < n; i++) { /* loop: parallel */
            c->density0(i, j) = i < 10 ? 1 : 0.2;
            c->energy0(i, j) = i < 10 ? 2.5 : 1;
            c->xvel0(i, j) = 0.1 * ((i + j) % 3) - 0.1;
        }
    double mass, press, total = 0;
    for (int step = 0; step < 3; step++) { /* loop: no */
        auto t = std::chrono::steady_clock::now();
        ideal_gas(lo, hi, c->density0, c->energy0, c->pressure, c->soundspeed);
        update_halo(c->pressure, n);
        double dt = calc_dt(lo, hi, c->soundspeed, c->xvel0, jl, kl);
        advec_x(lo, hi, c->xvel0, c->density0, c->work, c->flux);
        advec_in_place(lo, hi, c->energy0);
        update_halo(c->density0, n);
        total += summary(lo, hi, *c, mass, press) + mass + press + dt + jl * kl;
        if (std::chrono::steady_clock::now() < t)
            std::puts("clock");
    }
    return total;
}
// --- Monte Carlo particles in a vault, tallies, secondary particles
struct MCParticle {
    double x, mu, weight;
    uint64_t seed;
    int cell, alive;
};
class Tallies
{
  public:
    std::vector<double> flux;
    long absorbed = 0, escaped = 0, collisions = 0;
    explicit Tallies(int n) : flux(n) {}
    void score(int c, double w) { flux[c] += w; }
};
static void track(MCParticle &p, Tallies &t, int cells)
{
    while (p.alive) { /* loop: no */
        double d = -std::log(LCG_random_double(&p.seed) + 1e-9) * 0.3;
        p.x += d * p.mu;
        if (p.x < 0 || p.x >= cells) {
            p.alive = 0;
            t.escaped++;
            break;
        }
        p.cell = (int)p.x;
        t.score(p.cell, p.weight * d);
        t.collisions++;
        if (LCG_random_double(&p.seed) < 0.3) {
            p.alive = 0;
            t.absorbed++;
        } else
            p.mu = 2 * LCG_random_double(&p.seed) - 1;
    }
}
static double quicksilver(int n, int cells)
{
    std::vector<MCParticle> vault, extra;
    Tallies t(cells);
    uint64_t seed = 5;
    for (int i = 0; i < n; i++) { /* loop: no */
        MCParticle p{cells / 2.0, LCG_random_double(&seed) * 2 - 1, 1, 0, 0, 1};
        p.seed = seed;
        vault.push_back(p);
    }
    for (auto &p : vault) /* loop: no */
        track(p, t, cells);
    for (auto &p : vault) { /* loop: no */
        if (p.weight * p.x > 3) {
            MCParticle q = p;
            q.weight *= 0.5;
            p.weight *= 0.5;
            extra.push_back(q);
        }
    }
    double s = 0;
    for (const auto &p : extra) /* loop: reduction */
        s += p.weight;
    for (int c = 0; c < cells; c++) /* loop: reduction */
        s += t.flux[c];
    return s + t.absorbed + t.escaped + t.collisions;
}
// --- Lattice Boltzmann with two distributions swapped, and in place
static double lbm(int n, int steps)
{
    const int q = 5, cx[5] = {0, 1, 0, -1, 0}, cy[5] = {0, 0, 1, 0, -1};
    const double w[5] = {1. / 3, 1. / 6, 1. / 6, 1. / 6, 1. / 6};
    std::vector<double> f(n * n * q), g(n * n * q);
    for (int i = 0; i < n * n; i++) /* loop: parallel */
        for (int k = 0; k < q; k++) /* loop: parallel */
            f[i * q + k] = w[k] * (1 + 0.1 * (i % 7));
    for (int t = 0; t < steps; t++) {     /* loop: no */
        for (int y = 0; y < n; y++)       /* loop: parallel */
            for (int x = 0; x < n; x++) { /* loop: parallel */
                double *c = &f[(y * n + x) * q], rho = 0;
                for (int k = 0; k < q; k++)
                    rho += c[k];
                for (int k = 0; k < q; k++)
                    c[k] += 0.6 * (w[k] * rho - c[k]);
            }
        for (int y = 0; y < n; y++)     /* loop: parallel */
            for (int x = 0; x < n; x++) /* loop: parallel */
                for (int k = 0; k < q; k++)
                    g[(((y + cy[k] + n) % n) * n + (x + cx[k] + n) % n) * q + k] = f[(y * n + x) * q + k];
        std::swap(f, g);
    }
    double s = 0;
    for (int y = 1; y < n; y++)     /* loop: no */
        for (int x = 0; x < n; x++) /* loop: parallel */
            f[(y * n + x) * q + 2] = f[((y - 1) * n + x) * q + 2] * 0.5 + 0.1;
    for (size_t i = 0; i < f.size(); i++) /* loop: reduction */
        s += f[i] * (double)(i % 3);
    return s;
}
int main()
{
    double a = minife(40);
    unsigned long v = xsbench();
    std::printf("%.8g %lu %.8g %.8g %.8g %.8g\n", a, v, kripke(), clover(), quicksilver(100, 8), lbm(12, 3));
}
