// What goes from one iteration to the next by way of references that a library's function gets, and loops
// that are left by what is thrown where the compiler has left them already.
#include <cstdio>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#define ALONE __attribute__((noinline))

ALONE static void ties(std::vector<std::pair<int, int>> &v)
{
    for (std::size_t i = 1; i < v.size(); i++) /* loop: sequential */
        std::tie(v[i].first, v[i].second) = std::make_tuple(v[i - 1].second, v[i].first);
}
ALONE static int checked(std::vector<int> &a)
{
    int n = 0;
    for (std::size_t i = 0; i < a.size() + 3; i++) { /* loop: sequential */
        a.at(i) += 1;
        n++;
    }
    return n;
}
ALONE static int checked_here(std::vector<int> &a)
{
    int n = 0;
    try {
        for (std::size_t i = 0; i < a.size() + 3; i++) { /* loop: sequential */
            a.at(i) += 1;
            n++;
        }
    } catch (const std::out_of_range &) {
        n = -n;
    }
    return n;
}
ALONE static void checked_all(std::vector<int> &a)
{
    for (std::size_t i = 0; i < a.size(); i++) /* loop: parallel */
        a.at(i) += 1;
}

int main()
{
    std::vector<std::pair<int, int>> v;
    std::vector<int> a;
    int r = 0;
    for (int i = 0; i < 500; i++) {
        v.emplace_back(i, 2 * i);
        a.push_back(i);
    }
    ties(v);
    try {
        r = checked(a);
    } catch (const std::out_of_range &) {
        r = 1;
    }
    r += checked_here(a);
    checked_all(a);
    std::printf("%d %d %d\n", r, v[77].first, a[77]);
    return 0;
}
