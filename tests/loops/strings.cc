/* Strings of the C++ library that iterations make, and put into elements of their own: what lies in the frame
 * is one statement's. Those that are declared outside of the loop go on from one iteration to the next. */
#include "loops.h"
#include <string>
#include <vector>

#define ALONE static __attribute__((noinline))

typedef std::vector<std::string> Strings;

ALONE void made(const std::vector<int> &v, Strings &s)
{
    for (std::size_t i = 0; i < v.size(); i++) /* loop: parallel */
        s[i] = std::string((std::size_t)(v[i] % 30), 'x');
}
ALONE void numbered(const std::vector<int> &v, Strings &s)
{
    for (std::size_t i = 0; i < v.size(); i++) /* loop: parallel */
        s[i] = std::to_string(v[i]);
}
ALONE void prefixed(const Strings &names, Strings &s)
{
    for (std::size_t i = 0; i < names.size(); i++) /* loop: parallel */
        s[i] = "a rather long prefix " + names[i];
}
ALONE void cut(const Strings &names, Strings &s)
{
    for (std::size_t i = 0; i < names.size(); i++) /* loop: parallel */
        s[i] = names[i].substr(0, 3);
}
ALONE void own(const Strings &names, Strings &s)
{
    for (std::size_t i = 0; i < names.size(); i++) { /* loop: parallel */
        std::string t = names[i];
        t += '.';
        s[i] = t;
    }
}
/* what is declared outside is handed on */
ALONE std::string grown(const std::vector<int> &v, Strings &s)
{
    std::string t;
    for (std::size_t i = 0; i < v.size(); i++) { /* loop: no */
        t += std::string((std::size_t)(v[i] % 3), 'x');
        s[i] = t;
    }
    return t;
}
ALONE void before(const std::vector<int> &v, Strings &s)
{
    std::string t = "none";
    for (std::size_t i = 0; i < v.size(); i++) { /* loop: no */
        s[i] = t;
        t = std::string((std::size_t)(v[i] % 30), 'y');
    }
}
ALONE void chained(Strings &s)
{
    for (std::size_t i = 1; i < s.size(); i++) /* loop: no */
        s[i] = s[i - 1].substr(0, 20) + s[i];
}
ALONE std::string last(const std::vector<int> &v, Strings &s)
{
    std::string t;
    for (std::size_t i = 0; i < v.size(); i++) { /* loop: no */
        if (v[i] % 7 == 0)
            t = std::string((std::size_t)(v[i] % 30), 'z');
        s[i] = t + "!";
    }
    return t;
}
ALONE void kept(const std::vector<int> &v, Strings &s)
{
    static std::string t;
    for (std::size_t i = 0; i < v.size(); i++) { /* loop: no */
        s[i] = t;
        t = std::to_string(v[i]);
    }
}
ALONE void first_of(const std::vector<int> &v, Strings &s)
{
    const std::string *longest = &s[0];
    for (std::size_t i = 1; i < v.size(); i++) { /* loop: no */
        s[i] = std::string((std::size_t)(v[i] % 30), 'x') + (longest->size() > 20 ? "l" : "s");
        if (s[i].size() > longest->size())
            longest = &s[i];
    }
}

static void look(const Strings &s)
{
    for (std::size_t i = 0; i < s.size(); i++)
        digest(s[i].data(), s[i].size());
}

/* where something of the frame is, in a register: what the next iteration finds there is another place */
ALONE void first_only(const std::vector<int> &v, std::vector<int> &to)
{
    int a[8] = {1, 2, 3, 4, 5, 6, 7, 8}, b[8] = {8, 7, 6, 5, 4, 3, 2, 1}, *p = a;
    for (std::size_t i = 0; i < v.size(); i++) { /* loop: no */
        to[i] = p[v[i] & 7] + (int)std::to_string(p[v[i] & 3]).size();
        p = b;
    }
}
ALONE void by_turns(const std::vector<int> &v, std::vector<int> &to)
{
    int a[8] = {1, 2, 3, 4, 5, 6, 7, 8}, b[8] = {8, 7, 6, 5, 4, 3, 2, 1}, *p = a;
    for (std::size_t i = 0; i < v.size(); i++) { /* loop: no */
        to[i] = p[v[i] & 7] + (int)std::to_string(p[v[i] & 3]).size();
        p = v[i] % 3 ? b : a;
    }
}
ALONE void by_lambda(const std::vector<int> &v, std::vector<int> &to)
{
    int a[8] = {1, 2, 3, 4, 5, 6, 7, 8}, b[8] = {8, 7, 6, 5, 4, 3, 2, 1};
    auto next = [p = a](int i, int *q) mutable {
        int r = p[i & 7] + (int)std::to_string(p[i & 3]).size();
        p = q;
        return r;
    };
    for (std::size_t i = 0; i < v.size(); i++) /* loop: no */
        to[i] = next(v[i], b);
}
struct pointing {
    int *p;
    int next(int i, int *q)
    {
        int r = p[i & 1] + (int)std::to_string(p[i & 3]).size();
        p = q;
        return r;
    }
};
ALONE void by_method(const std::vector<int> &v, std::vector<int> &to)
{
    int a[8] = {1, 2, 3, 4, 5, 6, 7, 8}, b[8] = {8, 7, 6, 5, 4, 3, 2, 1};
    pointing at = {a};
    for (std::size_t i = 0; i < v.size(); i++) /* loop: no */
        to[i] = at.next(v[i], b + 1);
}
ALONE void in_room_of_its_own(const std::vector<int> &v, std::vector<int> &to)
{
    int first = 3, *p = &first;
    for (std::size_t i = 0; i < v.size() && i < 60; i++) { /* loop: no */
        int *q = static_cast<int *>(__builtin_alloca((v[i] & 7) * 16 + 32));
        q[0] = v[i] + (int)std::to_string(v[i]).size();
        to[i] = p[0];
        p = q;
    }
}

/* what an iteration declares is its own, all of it; what only bears that name is not */
ALONE void own_two(const Strings &names, Strings &s)
{
    for (std::size_t i = 0; i < names.size(); i++) { /* loop: parallel */
        std::string t = names[i];
        if (i % 3)
            t += "..";
        std::string r = t;
        r += t;
        s[i] = r;
    }
}
struct record {
    char name[24];
    int n;
};
ALONE void record_before(const std::vector<int> &v, std::vector<record> &to)
{
    record one = {"", 0};
    for (std::size_t i = 0; i < v.size(); i++) { /* loop: no */
        one.n += v[i];
        for (int k = 0; k <= v[i] % 20; k++)
            one.name[k] = (char)('a' + k);
        to[i] = one;
    }
}
ALONE void two_of_one_name(const Strings &names, Strings &s)
{
    std::string t = "first";
    for (std::size_t i = 0; i < names.size(); i++) { /* loop: no */
        s[i] = t;
        {
            std::string t = names[i];
            t += '.';
            s[i] += t;
        }
        t = names[i];
    }
}
ALONE void by_reference(const Strings &names, Strings &s)
{
    std::string u = "first";
    for (std::size_t i = 0; i < names.size(); i++) { /* loop: no */
        std::string &t = u;
        s[i] = t;
        t = names[i];
    }
}
ALONE void kept_inside(const Strings &names, Strings &s)
{
    for (std::size_t i = 0; i < names.size(); i++) { /* loop: no */
        static std::string t;
        s[i] = t;
        t = names[i];
    }
}
static inline void hand_on(std::string &t, const Strings &names, Strings &s)
{
    for (std::size_t i = 0; i < names.size(); i++) { /* loop: no */
        std::string u = t;
        s[i] = u + "!";
        t = names[i];
    }
}
ALONE void handed_on(const Strings &names, Strings &s)
{
    std::string u = "first";
    hand_on(u, names, s);
    digest(u.data(), u.size());
}
ALONE void read_only_once(const Strings &names, Strings &s)
{
    std::string t = "first", u;
    for (std::size_t i = 0; i < names.size(); i++) { /* loop: no */
        u = i ? names[i] : t;
        s[i] = u + s[i / 2];
        t += '.';
    }
    digest(t.data(), t.size());
}

int main(int argc, char **argv)
{
    std::size_t n = argc > 1 ? (std::size_t)atoi(argv[1]) : 200;
    std::vector<int> v(n);
    Strings s(n), t(n), u(n);
    for (std::size_t i = 0; i < n; i++)
        v[i] = (int)(i * 37 % 101);
    made(v, s), numbered(v, t), look(s), look(t);
    prefixed(t, s), cut(s, u), own(t, s), look(s), look(u);
    std::string a = grown(v, s), b = last(v, t);
    before(v, u), look(s), look(t), look(u), chained(s), kept(v, t), first_of(v, u);
    look(s), look(t), look(u), digest(a.data(), a.size()), digest(b.data(), b.size());
    own_two(u, s), look(s), two_of_one_name(u, s), look(s), by_reference(u, s), look(s);
    kept_inside(u, s), look(s), handed_on(u, s), look(s), read_only_once(u, s), look(s);
    std::vector<record> r(n);
    record_before(v, r), digest(&r[7].n, sizeof(int));
    std::vector<int> to(n);
    for (auto f : {first_only, by_turns, by_lambda, by_method, in_room_of_its_own})
        f(v, to), digest(to.data(), n * sizeof to[0]);
    return finish();
}
