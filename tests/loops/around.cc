/* Functions that are put into main, with what main keeps: that is not called by their loops. */
#include "loops.h"
#include <map>
#include <string>
#include <vector>
template <class F> static inline void each(const std::vector<int> &v, F f)
{
    for (std::size_t i = 0; i < v.size(); i++) /* loop: no */
        f(v[i]);
}
enum { W = 300, H = 200 };
static float img[H][W], tmp[H][W];
static unsigned seed = 7;
static unsigned next_number()
{
    seed = seed * 1103515245u + 12345u;
    return seed >> 16;
}
static void smooth(int passes)
{
    for (int p = 0; p < passes; p++) {      /* loop: no */
        for (int y = 1; y < H - 1; y++)     /* loop: parallel */
            for (int x = 1; x < W - 1; x++) /* loop: parallel */
                tmp[y][x] =
                    (img[y][x] * 4 + img[y - 1][x] + img[y + 1][x] + img[y][x - 1] + img[y][x + 1]) / 8;
        for (int y = 1; y < H - 1; y++)     /* loop: parallel */
            for (int x = 1; x < W - 1; x++) /* loop: parallel */
                img[y][x] = tmp[y][x];
    }
}
int main(int argc, char **argv)
{
    (void)argv;
    std::vector<int> v(300 + argc), w(400);
    std::size_t at = 0;
    for (std::size_t i = 0; i < v.size(); i++)
        v[i] = (int)(i * 37 % 101);
    each(v, [&](int x) { w[at++] = x; });
    int last = 0, odd = 0;
    each(v, [&](int x) {
        odd += x > last;
        last = x;
    });
    for (int y = 0; y < H; y++)     /* loop: no */
        for (int x = 0; x < W; x++) /* loop: no */
            img[y][x] = next_number() % 256;
    smooth(2 + argc);
    for (int i = 0; i < 400; i++)
        keep(w[i]);
    std::map<std::string, int> names;
    for (int i = 0; i < 500; i++)
        names["n" + std::to_string(next_number() % 97)]++;
    keep((double)names.size());
    keep(odd + img[3][argc]);
    return finish();
}
