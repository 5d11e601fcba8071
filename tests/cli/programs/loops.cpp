// Loops that exceptions leave and stay in, and loops over containers, with counts in closed form.
#include <cstdlib>
#include <vector>

#define KEEP __attribute__((noinline, used))
#define OPAQUE(v) __asm__ volatile("" : "+r"(v)::"memory")

KEEP void thrower(int at, int when)
{
    OPAQUE(at);
    if (at == when)
        throw at;
}

KEEP int caught_inside(int n)
{
    int caught = 0;
    for (int i = 0; i < n; i++) { // stays
        OPAQUE(i);
        try {
            for (int j = 0; j < n; j++) thrower(j, 3); // thrown out of
        } catch (int) {
            caught++;
        }
    }
    return caught;
}

KEEP int caught_outside(int n)
{
    try {
        for (int i = 0; i < n; i++) thrower(i, 5); // left
    } catch (int) {
        return 1;
    }
    return 0;
}

KEEP int passed_on(int n)
{
    int s = 0;
    for (int i = 0; i < n; i++) { thrower(i, 7); s += i; } // passed on
    return s;
}

template <class T> KEEP T sum(const std::vector<T> &v)
{
    T s = 0;
    for (auto it = v.begin(); it != v.end(); ++it) { T x = *it; OPAQUE(x); s += x; } // iterator
    return s;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 20, s = 0;
    s += caught_inside(n);
    for (int k = 0; k < 3; k++) { OPAQUE(k); s += caught_outside(n); } // thrice
    for (int k = 0; k < 4; k++) // four
        try { s += passed_on(n); } catch (int) { s++; }
    s += sum(std::vector<int>(n, 1)) + sum(std::vector<long>(2 * n, 1));
    return s == 0;
}
