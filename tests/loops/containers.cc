// Loops of C++: containers, iterators, lambdas, templates, members, exceptions. Labels as in dependent.c and
// independent.c.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#define ALONE __attribute__((noinline))

static volatile double sink;
static void keep(double x)
{
    sink = sink + x;
}

using Reals = std::vector<double>;

ALONE static void by_index(Reals &to, const Reals &from)
{
    for (std::size_t i = 0; i < to.size(); i++) /* loop: parallel */
        to[i] = from[i] * 2 + 1;
}

ALONE static void by_iterator(Reals &v)
{
    for (auto it = v.begin(); it != v.end(); ++it) /* loop: parallel */
        *it = *it * 0.5;
}

ALONE static void by_range(Reals &v)
{
    for (double &x : v) /* loop: parallel */
        x += 1;
}

ALONE static double sum(const Reals &v)
{
    double s = 0;
    for (double x : v) /* loop: reduction */
        s += x;
    return s;
}

ALONE static void running(Reals &v)
{
    for (std::size_t i = 1; i < v.size(); i++) /* loop: no */
        v[i] += v[i - 1];
}

ALONE static void running_by_iterator(Reals &v)
{
    for (auto it = v.begin() + 1; it != v.end(); ++it) /* loop: no */
        *it = *it + *(it - 1) * 0.5;
}

ALONE static Reals collected(const Reals &v)
{
    Reals out;
    for (double x : v) /* loop: no */
        if (x > 1)
            out.push_back(x);
    return out;
}

ALONE static void by_lambda(Reals &v)
{
    auto f = [](double x) { return x * x; };
    for (std::size_t i = 0; i < v.size(); i++) /* loop: parallel */
        v[i] = f(v[i]);
}

// What a lambda changes of its own is nobody else's; what it captures by a name of its own lasts.
ALONE static void beside_lambdas(Reals &v, std::vector<int> &numbers)
{
    auto halve = [](double &x) { x = x / 2 + 1; };
    for (std::size_t i = 0; i < numbers.size(); i++) /* loop: parallel */
        numbers[i] = int(i) * 3;
    for (std::size_t i = 0; i < v.size(); i++) /* loop: parallel */
        v[i] = v[i] * 0.5 + double(numbers[i]);
    std::for_each(v.begin(), v.end(), halve);
}

ALONE static void kept_by_a_lambda(std::vector<int> &numbers)
{
    auto next = [k = 0](int step) mutable {
        step = step * 2;
        return k += step;
    };
    for (std::size_t i = 0; i < numbers.size(); i++) /* loop: no */
        numbers[i] = next(int(i));
}

ALONE static double captured(Reals &v)
{
    double total = 0;
    auto add = [&](double x) {
        total += x;
        return total;
    };
    for (std::size_t i = 0; i < v.size(); i++) /* loop: no */
        v[i] = add(v[i]);
    return total;
}

ALONE static double captured_sum(const Reals &v)
{
    double total = 0;
    auto add = [&total](double x) { total += x; }; /* of the one that all threads have, whatever the clause */
    for (std::size_t i = 0; i < v.size(); i++) /* loop: no */
        add(v[i]);
    return total;
}

ALONE static int counted_by_capture(std::vector<int> &v)
{
    int next = 0;
    auto ticket = [&next] { return next++; };
    for (std::size_t i = 0; i < v.size(); i++) /* loop: no */
        v[i] = ticket();
    return next;
}

class Meter
{
  public:
    ALONE void take(const Reals &v)
    {
        for (std::size_t i = 0; i < v.size(); i++) /* loop: no */
            level_ = level_ * 0.9 + v[i];
    }
    ALONE void add(const Reals &v)
    {
        for (std::size_t i = 0; i < v.size(); i++) /* loop: reduction */
            total_ += v[i];
    }
    ALONE void number(std::vector<int> &v)
    {
        for (std::size_t i = 0; i < v.size(); i++) /* loop: no */
            v[i] = next_++;
    }
    ALONE void scale(Reals &v) const
    {
        for (std::size_t i = 0; i < v.size(); i++) /* loop: parallel */
            v[i] *= factor_;
    }
    ALONE void largest(const Reals &v)
    {
        for (std::size_t i = 0; i < v.size(); i++) /* loop: no */
            if (v[i] > most_) {
                most_ = v[i];
                at_ = static_cast<int>(i);
            }
    }
    double all() const { return level_ + total_ + next_ + most_ + at_; }

  private:
    double level_ = 0, total_ = 0, factor_ = 1.25, most_ = 0;
    int next_ = 0, at_ = 0;
};

template <typename T, int By> ALONE void spread(T *v, int n)
{
    for (int i = 0; i + By < n; i++) /* loop: no */
        v[i + By] = v[i] + T(1);
}

template <typename T> ALONE void clamp(T *v, int n)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        v[i] = std::min(std::max(v[i], T(0)), T(3));
}

ALONE static double in_a_list(const std::list<double> &l)
{
    double s = 0;
    for (double x : l) /* loop: no */
        s += x;
    return s;
}

ALONE static void in_a_map(std::map<int, int> &m, const std::vector<int> &v)
{
    for (std::size_t i = 0; i < v.size(); i++) /* loop: no */
        m[v[i] % 17] += 1;
}

ALONE static int throws(const std::vector<int> &v)
{
    int caught = 0;
    for (std::size_t i = 0; i < v.size(); i++) {
        try {
            if (v[i] % 50 == 0)
                throw std::runtime_error("x");
        } catch (const std::runtime_error &) {
            caught++;
        }
    }
    return caught;
}

ALONE static int checked(int x)
{
    if (x == 150)
        throw std::runtime_error("x");
    return x * 3;
}

ALONE static void left_by_exception(std::vector<int> &v)
{
    try {
        for (std::size_t i = 0; i < v.size(); i++) /* loop: no */
            v[i] = checked(int(i));
    } catch (const std::runtime_error &) {
    }
}

/* Where the next goes is told by the vector, which is never full. */
ALONE static int pushed(int n)
{
    std::vector<int> v;
    v.reserve(std::size_t(n));
    for (int i = 0; i < n; i++) /* loop: no */
        v.push_back(i * 3);
    return v[std::size_t(n / 2)];
}

struct Bag {
    std::vector<int> items;
    int others;
};

ALONE static int pushed_into(int n)
{
    Bag bag{{}, 0};
    bag.items.reserve(std::size_t(n));
    for (int i = 0; i < n; i++) /* loop: no */
        bag.items.push_back(i * 3);
    return bag.items[std::size_t(n / 2)];
}

ALONE static void strings(std::vector<std::string> &v)
{
    for (std::size_t i = 0; i < v.size(); i++)
        v[i] = std::string(i % 40, 'x') + "y";
}

ALONE static std::string joined(const std::vector<std::string> &v)
{
    std::string s;
    for (const auto &x : v) /* loop: no */
        s += x;
    return s;
}

ALONE static void grid(std::vector<Reals> &g)
{
    for (std::size_t i = 1; i + 1 < g.size(); i++)        /* loop: no */
        for (std::size_t j = 1; j + 1 < g[i].size(); j++) /* loop: no */
            g[i][j] = (g[i - 1][j] + g[i + 1][j] + g[i][j - 1] + g[i][j + 1]) / 4;
}

ALONE static void grid_apart(std::vector<Reals> &to, const std::vector<Reals> &g)
{
    for (std::size_t i = 1; i + 1 < g.size(); i++)        /* loop: parallel */
        for (std::size_t j = 1; j + 1 < g[i].size(); j++) /* loop: parallel */
            to[i][j] = (g[i - 1][j] + g[i + 1][j] + g[i][j - 1] + g[i][j + 1]) / 4;
}

struct Shape {
    virtual ~Shape() = default;
    virtual double area() const = 0;
};
struct Square : Shape {
    double side = 2;
    double area() const override { return side * side; }
};
struct Counting : Shape {
    static int asked;
    double area() const override { return ++asked; }
};
int Counting::asked;

ALONE static void virtuals(const std::vector<std::unique_ptr<Shape>> &v, Reals &out)
{
    for (std::size_t i = 0; i < v.size(); i++) /* loop: parallel */
        out[i] = v[i]->area() * 2;
}

ALONE static void virtuals_that_count(const std::vector<std::unique_ptr<Shape>> &v, Reals &out)
{
    for (std::size_t i = 0; i < v.size(); i++) /* loop: no */
        out[i] = v[i]->area();
}

ALONE static void through_function(const std::function<double(double)> &f, Reals &v)
{
    for (std::size_t i = 0; i < v.size(); i++) /* loop: no */
        v[i] = f(v[i]);
}

ALONE static void reversed(Reals &v)
{
    for (std::size_t i = 0, j = v.size() - 1; i < j; i++, j--) /* loop: no */
        std::swap(v[i], v[j]);
}

ALONE static void small_arrays(Reals &out)
{
    for (std::size_t i = 0; i < out.size(); i++) { /* loop: parallel */
        std::array<double, 5> a{};
        for (std::size_t k = 0; k < a.size(); k++)
            a[k] = double(i + k);
        out[i] = std::accumulate(a.begin(), a.end(), 0.0);
    }
}

ALONE static void window(Reals &v)
{
    std::array<double, 3> last{};
    for (std::size_t i = 0; i < v.size(); i++) { /* loop: no */
        last[i % 3] = v[i];
        v[i] = last[0] + last[1] + last[2];
    }
}

using Threes = std::vector<std::array<double, 3>>;

// The counter's only other uses are inside what an operator of the library is called with.
ALONE static void numbered_by_operators(Reals &v, const Threes &f)
{
    std::size_t k = 0;
    for (double &x : v) { /* loop: sequential */
        x += f[k][0] + f[k][1];
        ++k;
    }
}

/* Some elements are combined, others set: no two iterations meet at these in this run. */
ALONE static void combined_and_set(Reals &v, int n, double by)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        v[1] *= by;
        v[2 + 2 * i] = by;
    }
}

/* The compiler may keep what each iteration stores for when the loop is over. */
ALONE static void same_element(Reals &v, int n, int at)
{
    for (int i = 0; i < n; i++) {   /* loop: no */
        for (int j = 0; j < n; j++) /* loop: no */
            v[at + 2 + i] = v[at + 1 + i];
    }
}

static inline int taken(int &k)
{
    return k++;
}
static inline void moved(int &k)
{
    k += 2;
}
static inline void added(double &s, double by)
{
    s += by;
}

/* A function that gets a variable by reference may change it. */
ALONE static int numbered_by_reference(std::vector<int> &v, int *to, int n)
{
    int k = 0;
    for (int i = 0; i < n; i++) /* loop: sequential */
        to[taken(k)] = v[i] * 3;
    return k;
}

ALONE static void moved_by_reference(double *to, const Reals &v, int n)
{
    int k = 0;
    for (int i = 0; i < n; i++) { /* loop: sequential */
        moved(k);
        to[k] = v[i];
    }
}

ALONE static double summed_by_reference(const Reals &v)
{
    double s = 0;
    for (std::size_t i = 0; i < v.size(); i++) /* loop: reduction */
        added(s, v[i]);
    return s;
}

/* Another name for a variable. */
ALONE static int by_another_name(int *to, int n)
{
    int k = 0, &r = k;
    for (int i = 0; i < n; i++) { /* loop: sequential */
        r += 2;
        to[i] = k;
    }
    return r;
}

/* Nobody needs what is read, so the compiler does not read it. */
ALONE static void read_by_nobody(std::vector<int> &v, int n)
{
    int s = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        v[3 + i] = i;
        s = v[2 + i] + v[3 + i];
    }
    (void)s;
}

struct Sparse { // rows of a matrix: where each begins, then columns and values
    std::vector<int> first, column;
    Reals value;
    ALONE void times(const Reals &x, Reals &y) const
    {
        for (std::size_t i = 0; i < y.size(); i++) { /* loop: parallel */
            double s = 0;
            for (int k = first[i]; k < first[i + 1]; k++)
                s += value[k] * x[column[k]];
            y[i] = s;
        }
    }
};

ALONE static void next_of_both(const Reals &x, Reals &y, int n)
{
    double last = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        y[i] = i * 0.5;
        last = x[i + 1];
    }
    (void)last;
}

/* No integer of a list is one of the doubles that a reference leads to. */
struct Cell {
    double x, sum;
};
ALONE static std::vector<int> near_to(std::size_t i, std::size_t n)
{
    return {int(i * 3 % n), int(i * 5 % n), int(i * 7 % n)};
}
ALONE static void by_lists(std::vector<Cell> &cells)
{
    for (std::size_t i = 0; i < cells.size(); i++) { /* loop: parallel */
        Cell &c = cells[i];
        std::vector<int> list = near_to(i, cells.size());
        double s = 0;
        for (int k : list) /* loop: reduction */
            s += cells[std::size_t(k)].x;
        c.sum = s;
    }
}
int main(int argc, char **argv)
{
    std::size_t n = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 300;
    Reals a(n), b(n);
    std::vector<int> k(n);
    for (std::size_t i = 0; i < n; i++) {
        a[i] = double(i % 13);
        k[i] = int(i * 7919 % 1000);
    }
    by_index(b, a), by_iterator(b), by_range(b), keep(sum(b)), running(b), running_by_iterator(b);
    keep(double(collected(b).size())), by_lambda(a), keep(captured(a)), keep(captured_sum(a)),
        keep(counted_by_capture(k));
    Meter m;
    m.take(a), m.add(a), m.number(k), m.scale(a), m.largest(a), keep(m.all());
    spread<double, 1>(a.data(), int(n)), spread<int, 3>(k.data(), int(n)), clamp(a.data(), int(n)),
        clamp(k.data(), int(n));
    std::list<double> l(a.begin(), a.end());
    std::map<int, int> histogram;
    keep(in_a_list(l)), in_a_map(histogram, k), keep(throws(k));
    std::vector<std::string> s(n);
    strings(s), keep(double(joined(s).size()));
    std::vector<Reals> g(20, Reals(20, 1.0)), h = g;
    grid(g), grid_apart(h, g), keep(g[3][3] + h[4][4]);
    std::vector<std::unique_ptr<Shape>> squares, counting;
    for (std::size_t i = 0; i < n; i++) {
        squares.push_back(std::make_unique<Square>());
        counting.push_back(std::make_unique<Counting>());
    }
    virtuals(squares, a), virtuals_that_count(counting, b);
    double held = 0;
    through_function([&held](double x) { return held = x - held; }, a);
    beside_lambdas(a, k), kept_by_a_lambda(k);
    reversed(a), small_arrays(b), window(a);
    numbered_by_operators(b, Threes(n, {1, 2, 3}));
    left_by_exception(k), keep(pushed(int(n))), keep(pushed_into(int(n)));
    std::vector<int> numbers(2 * n + 2);
    Reals twice(2 * n + 2);
    keep(numbered_by_reference(k, numbers.data(), int(n))), moved_by_reference(twice.data(), a, int(n));
    keep(numbers[3]), keep(summed_by_reference(a)), keep(by_another_name(numbers.data(), int(n)));
    read_by_nobody(numbers, int(n)), keep(numbers[n / 2] + twice[n]);
    combined_and_set(a, 20, 0.5), same_element(b, 8, argc);
    Sparse rows;
    for (int i = 0; i <= int(n); i++)
        rows.first.push_back(3 * i);
    for (int i = 0; i < 3 * int(n); i++)
        rows.column.push_back(i * 7 % int(n)), rows.value.push_back(0.25 * i);
    Reals product(n), shifted(n + 1);
    rows.times(a, product), next_of_both(shifted, shifted, int(n)), keep(sum(product) + sum(shifted));
    std::vector<Cell> cells(n, Cell{1.5, 0});
    by_lists(cells), keep(cells[n / 3].sum);
    keep(sum(a) + sum(b) + k[n / 2] + histogram[3]);
    std::printf("%.10g\n", sink);
    return 0;
}
