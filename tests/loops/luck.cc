/* Loops of C++ that were called free: what a library's function, or one that was put into the loop, hands on,
 * and what is thrown out of it. */
#include "loops.h"
#include <memory>
#include <string>
#include <utility>
#include <vector>
#if __cplusplus >= 201703L
#include <string_view>
#include <variant>
#endif

#define ALONE static __attribute__((noinline))
typedef std::vector<int> ints;

/* each gets what the one before had */
ALONE void swapped_along(std::vector<std::unique_ptr<int>> &v)
{
    std::unique_ptr<int> carry(new int(1));
    for (auto &p : v) { /* loop: no */
        std::swap(p, carry);
        *p += 1;
    }
}
/* a vector's start, loaded in the line, is not what the object keeps */
class writer {
    ints &to;
    size_t at = 0;

public:
    explicit writer(ints &t) : to(t) {}
    void put(int x) { to[at++] = x; }
};
ALONE void written_on(const ints &v, ints &to)
{
    writer w(to);
    for (int x : v) /* loop: no */
        w.put(x * 3);
}
static int may_throw(int x)
{
    if (x == 77)
        throw x;
    return x * 2;
}
ALONE int thrown_out(const ints &v, ints &out)
{
    size_t i = 0;
    try {
        for (; i < v.size(); i++) /* loop: no */
            out[i] = may_throw(v[i]);
    } catch (int) {
    }
    return (int)i;
}
#if __cplusplus >= 201703L
ALONE void goes_on(std::string_view s, ints &out)
{
    for (size_t i = 0; i < out.size() && !s.empty(); i++) { /* loop: no */
        out[i] = s.front();
        s.remove_prefix(1);
    }
}
ALONE void alternates(const ints &v, ints &out)
{
    std::variant<int, double> s = 1;
    for (size_t i = 0; i < v.size(); i++) { /* loop: no */
        if (v[i] & 1)
            s = v[i] * .5;
        else if (std::holds_alternative<double>(s))
            s = v[i];
        out[i] = (int)s.index();
    }
}
#endif
ALONE void doubled(const ints &v, ints &out)
{
    for (size_t i = 0; i < v.size(); i++) /* loop: parallel */
        out[i] = v[i] * 2;
}

/* as often as they turn here, iterations do not meet: twice as often, they would */
ALONE void moved_on(ints &v, size_t n)
{
    for (size_t i = 0; i < n; i++) /* loop: input */
        v[i + 8] = v[i] + 1;
}
ALONE void round_again(ints &v, size_t n)
{
    for (size_t i = 0; i < n; i++) /* loop: input */
        v[(i + 3) % 16] += v[i + 16];
}
ALONE void in_pairs(ints &v, size_t n)
{
    for (size_t i = 0; i < n; i++) /* loop: parallel */
        v[2 * i] = v[2 * i + 1];
}

int main(int argc, char **)
{
    size_t n = 150 + (size_t)argc - 1;
    ints v(n), out(n);
    for (size_t i = 0; i < n; i++)
        v[i] = (int)(i * 37 % 101);
    std::vector<std::unique_ptr<int>> p;
    for (int i = 0; i < 50; i++)
        p.emplace_back(new int(i));
    swapped_along(p);
    keep(*p[7]);
    written_on(v, out);
    digest(out.data(), n * sizeof out[0]);
    keep(thrown_out(v, out));
#if __cplusplus >= 201703L
    std::string text(n, 'x');
    goes_on(text, out);
    digest(out.data(), n * sizeof out[0]);
    alternates(v, out);
#endif
    digest(out.data(), n * sizeof out[0]);
    moved_on(v, (size_t)argc + 4);
    round_again(v, (size_t)argc + 4);
    in_pairs(v, (size_t)argc + 4);
    digest(v.data(), n * sizeof v[0]);
    doubled(v, out);
    digest(out.data(), n * sizeof out[0]);
    return finish();
}
