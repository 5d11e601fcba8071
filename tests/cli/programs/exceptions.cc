/* C++: names, exceptions thrown through several frames, a library's callbacks. */
#include <algorithm>
#include <cstdio>
#include <stdexcept>
#include <vector>

namespace shop {
struct basket {
    std::vector<int> things;
    __attribute__((noinline)) void add(int x) { things.push_back(x); }
};
__attribute__((noinline)) void refuse(int depth)
{
    if (depth == 0)
        throw std::runtime_error("no");
    refuse(depth - 1);
    std::printf("never\n");
}
__attribute__((noinline)) int attempt(int depth)
{
    try {
        refuse(depth);
    } catch (const std::exception &) {
        return 1;
    }
    return 0;
}
} // namespace shop

__attribute__((noinline)) static int count_refusals()
{
    int n = 0;
    for (int i = 0; i < 25; i++)
        n += shop::attempt(i % 5);
    return n;
}

int main()
{
    shop::basket b;
    for (int i = 0; i < 10; i++)
        b.add(10 - i);
    std::sort(b.things.begin(), b.things.end(), [](int x, int y) { return x < y; });
    std::printf("%d %d\n", count_refusals(), b.things[0]);
    return 0;
}
