/* What goes on by an iterator of the library, or by another small object, from call to call: loads at that line are of
 * what it leads to, and where that is compilers have in a register that counts. */
#include <cstdio>
#include <deque>
#include <iterator>
#include <list>
#include <string_view>
#include <vector>

#define ALONE __attribute__((noinline))
enum { N = 2000, WIDE = 8 };
typedef std::vector<double> Row;
static Row from(N + WIDE), to(N);
static std::vector<Row> rows(N / 4, Row(WIDE, 1.5));
static std::deque<double> queue(N + 1, 2.5);
static std::string_view text;
static Row::iterator here;

static double take() { return *here++; }
static double pull(Row::iterator &it) { return *it++; }
template <class I> static double draw(I &it) { return *it++; }
static double further(Row::iterator &it)
{
    std::advance(it, 1);
    return it[-1];
}

struct Reader {
    Row::iterator it;
    double get() { return *it++; }
    double back() { return *--it; }
    double far()
    {
        it += 2;
        return it[-1];
    }
};

static double total(const Row &row)
{
    double t = 0;
    for (auto it = row.begin(); it != row.end(); ++it) /* loop: reduction */
        t += *it;
    return t;
}

ALONE static void by_reference(size_t n)
{
    auto it = from.begin();
    auto next = [&] { return *it++; };
    for (size_t i = 0; i < n; i++) /* loop: no */
        to[i] = next() * 2;
}

ALONE static void by_copy(size_t n)
{
    auto it = from.begin();
    auto next = [it]() mutable { return *it++; };
    for (size_t i = 0; i < n; i++) /* loop: no */
        to[i] = next() - 3;
}

ALONE static void by_a_step(size_t n)
{
    auto it = from.begin();
    auto next = [&]() -> double {
        ++it;
        return it[-1];
    };
    for (size_t i = 0; i < n; i++) /* loop: no */
        to[i] = next() - 1;
}

ALONE static void by_a_sum(size_t n)
{
    auto it = from.begin();
    auto next = [&] {
        it += 1;
        return it[-1];
    };
    for (size_t i = 0; i < n; i++) /* loop: no */
        to[i] = next() - 1;
}

ALONE static void advanced(size_t n)
{
    auto it = from.begin();
    auto next = [&] {
        double v = *it;
        std::advance(it, 1);
        return v;
    };
    for (size_t i = 0; i < n; i++) /* loop: no */
        to[i] = next() - 5;
}

ALONE static void assigned(size_t n)
{
    auto it = from.begin();
    auto next = [&] {
        double v = *it;
        it = std::next(it);
        return v;
    };
    for (size_t i = 0; i < n; i++) /* loop: no */
        to[i] = next() - 5;
}

ALONE static void backwards(size_t n)
{
    auto it = from.rbegin();
    auto next = [&] { return *it++; };
    for (size_t i = 0; i < n; i++) /* loop: no */
        to[i] = next() + 5;
}

ALONE static void of_the_program(size_t n)
{
    here = from.begin();
    for (size_t i = 0; i < n; i++) /* loop: no */
        to[i] = take() - 3;
}

ALONE static void lent(size_t n)
{
    auto it = from.begin();
    for (size_t i = 0; i < n; i++) /* loop: no */
        to[i] = pull(it) - 1;
}

ALONE static void drawn(size_t n)
{
    auto it = from.begin();
    for (size_t i = 0; i < n; i++) /* loop: no */
        to[i] = draw(it) - 1;
}

ALONE static void lent_further(size_t n)
{
    auto it = from.begin();
    for (size_t i = 0; i < n; i++) /* loop: no */
        to[i] = further(it) - 1;
}

ALONE static void read(size_t n)
{
    Reader r{from.begin()};
    for (size_t i = 0; i < n; i++) /* loop: no */
        to[i] = r.get() - 1;
}

ALONE static void read_back(size_t n)
{
    Reader r{from.end()};
    for (size_t i = 0; i < n; i++) /* loop: no */
        to[i] = r.back() - 1;
}

ALONE static void read_far(size_t n)
{
    Reader r{from.begin()};
    for (size_t i = 0; i < n / 2; i++) /* loop: no */
        to[i] = r.far() - 1;
}

ALONE static void of_a_queue(size_t n)
{
    auto it = queue.begin();
    auto next = [&] { return *it++; };
    for (size_t i = 0; i < n; i++) /* loop: no */
        to[i] = next() - 2;
}

ALONE static void of_a_text(size_t n)
{
    auto next = [&] {
        char c = text[0];
        text.remove_prefix(1);
        return c;
    };
    for (size_t i = 0; i < n; i++) /* loop: no */
        to[i] = next();
}

ALONE static void of_a_copied_text(size_t n)
{
    std::string_view rest = text;
    auto next = [&] {
        char c = rest[0];
        rest = rest.substr(1);
        return c;
    };
    for (size_t i = 0; i < n; i++) /* loop: no */
        to[i] = next();
}

ALONE static void own_iterators(size_t n)
{
    for (size_t i = 0; i < n; i++) /* loop: parallel */
        to[i] = total(rows[i]);
}

ALONE static void own_reader(size_t n)
{
    for (size_t i = 0; i < n; i++) { /* loop: parallel */
        Reader r{from.begin() + (long)i};
        to[i] = r.get() + r.get();
    }
}

ALONE static void lent_own(size_t n)
{
    for (size_t i = 0; i < n; i++) { /* loop: parallel */
        auto it = from.begin() + (long)i;
        to[i] = pull(it) + pull(it);
    }
}

int main()
{
    static char letters[N + 1];
    for (int i = 0; i < N; i++)
        from[(size_t)i] = i * 0.25, letters[i] = (char)('a' + i % 26);
    text = std::string_view(letters, N);
    size_t n = N - WIDE;
    by_reference(n), by_copy(n), by_a_step(n), by_a_sum(n), advanced(n), assigned(n), backwards(n);
    of_the_program(n), lent(n), drawn(n), lent_further(n), read(n), read_back(n), read_far(n), of_a_queue(n);
    of_a_copied_text(n), of_a_text(n);
    own_iterators(N / 4), own_reader(n), lent_own(n);
    double sum = 0;
    for (double x : to) /* loop: reduction */
        sum += x;
    printf("%g\n", sum);
}
