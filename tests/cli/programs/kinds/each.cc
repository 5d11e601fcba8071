#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>
struct body { double x, e; };
int main()
{
    std::vector<body> all(300);
    for (size_t i = 0; i < all.size(); i++)
        all[i].x = 0.37 * i;
    std::for_each(all.begin(), all.end(), [](body &b) {
        double s = 0;
        for (int i = 0; i < 60; i++)
            s += std::sqrt(b.x * i + 1);
        b.e = s;
    });
    std::printf("%.6f\n", all[77].e);
    return 0;
}
// kinds: a library's loop has no place for a directive
