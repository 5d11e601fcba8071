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

// What a class hands out: compilers make one load of two looks at it, which bears neither's line.
class Picture
{
  public:
    int w, h;
    std::vector<unsigned char> px;
    Picture(int wide, int high) : w(wide), h(high), px(wide * high) {}
    unsigned char &at(int x, int y) { return px[y * w + x]; }
    unsigned char at(int x, int y) const { return px[y * w + x]; }
};
static const int GX[3][3] = {{-1, 0, 1}, {-2, 0, 2}, {-1, 0, 1}};
static const int GY[3][3] = {{-1, -2, -1}, {0, 0, 0}, {1, 2, 1}};
static void edges(const Picture &in, Picture &out)
{
    for (int y = 1; y < in.h - 1; ++y) { /* loop: parallel */
        for (int x = 1; x < in.w - 1; ++x) {
            int gx = 0, gy = 0;
            for (int j = -1; j <= 1; ++j)
                for (int i = -1; i <= 1; ++i) {
                    gx += GX[j + 1][i + 1] * in.at(x + i, y + j);
                    gy += GY[j + 1][i + 1] * in.at(x + i, y + j);
                }
            out.at(x, y) = (gx * gx + gy * gy) >> 4;
        }
    }
}
static void edges_here(const Picture &in, Picture &out)
{
    for (int y = 1; y < in.h - 1; ++y) {     /* loop: sequential */
        for (int x = 1; x < in.w - 1; ++x) { /* loop: sequential */
            int gx = 0, gy = 0;
            for (int j = -1; j <= 1; ++j)
                for (int i = -1; i <= 1; ++i) {
                    gx += GX[j + 1][i + 1] * in.at(x + i, y + j);
                    gy += GY[j + 1][i + 1] * in.at(x + i, y + j);
                }
            out.at(x, y) = (gx * gx + gy * gy) >> 4;
        }
    }
}
static void smear(const Picture &in, Picture &out)
{
    for (int y = 1; y < in.h; ++y) { /* loop: sequential */
        for (int x = 0; x < in.w; ++x) {
            int a = in.at(x, y - 1) * 3;
            int b = in.at(x, y - 1) + 1;
            out.at(x, y) = a ^ b;
        }
    }
}

int main()
{
    Picture p(60, 50), q(60, 50);
    for (int y = 0; y < p.h; y++)
        for (int x = 0; x < p.w; x++)
            p.at(x, y) = x * y + x * 3 + y * 7;
    edges(p, q);
    edges_here(q, q);
    smear(q, q);
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
    std::printf("%d %d %d\n", r, v[77].first, a[77] + q.at(30, 40));
    return 0;
}
