// Blocks of new and new[], and one that a constructor gives up.
#include <new>
#include <stdexcept>
#include <vector>

struct thing {
    int v[10];
    explicit thing(bool fails)
    {
        for (int &x : v)
            x = 1;
        if (fails)
            throw std::runtime_error("no");
    }
};

int main()
{
    int s = 0;
    for (int i = 0; i < 7; i++) {
        thing *t = new thing(false);
        s += t->v[3];
        delete t;
    }
    try {
        thing *t = new thing(true);
        delete t;
    } catch (const std::runtime_error &) {
        s++;
    }
    int *a = new int[100];
    for (int i = 0; i < 100; i++)
        a[i] = i;
    for (int i = 0; i < 100; i++)
        s += a[i];
    delete[] a;
    try {
        volatile size_t many = static_cast<size_t>(1) << 60;
        char *none = new char[many];
        none[0] = 1;
    } catch (const std::bad_alloc &) {
        s++;
    }
    std::vector<thing> things; /* made in place: one block */
    things.reserve(5);
    for (int i = 0; i < 5; i++)
        things.emplace_back(false);
    s += things[4].v[2];
    int *last = new int(3);
    s += *last;
    return s == 0;
}
