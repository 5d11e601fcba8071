/* What exceptions leave: a variable that the part of a `try` behind a call sets need not be set where the exception is caught, nor behind that. */
#include "loops.h"
#include <stdexcept>
#include <vector>

#define ALONE static __attribute__((noinline))
static int in[200], out[200], other[200];

static int checked(int x)
{
    if (x % 7 == 3)
        throw std::runtime_error("bad");
    return x * 2;
}

static void set(int &to, int x)
{
    try {
        to = checked(x);
    } catch (const std::exception &) {
    }
}

static void set_any(int &to, int x)
{
    try {
        to = checked(x);
    } catch (const std::exception &) {
        to = -x;
    }
}

struct box {
    int held = 0;
    int take(int x)
    {
        try {
            held = checked(x);
        } catch (const std::exception &) {
        }
        return held;
    }
};

struct closer {
    int &to, v;
    closer(int &t, int x) : to(t), v(x) {}
    ~closer() { to = v; }
};

ALONE void caught(int n)
{
    int state = 5;
    for (int i = 0; i < n; i++) { /* loop: no */
        try {
            state = checked(in[i]);
            out[i] += state;
        } catch (const std::exception &) {
            out[i] += state;
        }
    }
}

ALONE void behind(int n)
{
    int state = 5;
    for (int i = 0; i < n; i++) { /* loop: no */
        try {
            state = checked(in[i]);
        } catch (const std::exception &) {
        }
        out[i] += state;
    }
}

ALONE void set_in_both(int n)
{
    int state = 5;
    for (int i = 0; i < n; i++) { /* loop: parallel */
        try {
            state = checked(in[i]);
        } catch (const std::exception &) {
            state = -1;
        }
        out[i] += state;
    }
}

ALONE void in_front(int n)
{
    int state = 5;
    for (int i = 0; i < n; i++) { /* loop: parallel */
        state = in[i] + 1;
        try {
            state = checked(in[i]);
        } catch (const std::exception &) {
        }
        out[i] += state;
    }
}

ALONE void gives_up(int n)
{
    int state = 5;
    for (int i = 0; i < n; i++) { /* loop: parallel */
        try {
            state = checked(in[i]);
        } catch (const std::exception &) {
            continue;
        }
        out[i] += state;
    }
}

ALONE void of_several(int n)
{
    int state = 5;
    for (int i = 0; i < n; i++) { /* loop: no */
        try {
            state = checked(in[i]);
        } catch (const std::logic_error &) {
            state = 1;
        } catch (const std::exception &) {
            out[i] = 2;
        } catch (...) {
            state = 3;
        }
        out[i] += state;
    }
}

ALONE void below_if(int n)
{
    int state = 5;
    for (int i = 0; i < n; i++) { /* loop: no */
        try {
            if (in[i] & 1)
                state = in[i];
            out[i] += state + checked(in[i]);
        } catch (const std::exception &) {
        }
    }
}

ALONE void scratch(int n)
{
    int t[4] = {1, 2, 3, 4};
    for (int i = 0; i < n; i++) { /* loop: no */
        try {
            for (int k = 0; k < 4; k++) /* loop: either */
                t[k] = checked(in[i] + k * 7);
        } catch (const std::exception &) {
        }
        out[i] += t[i & 3];
    }
}

ALONE void by_reference(int n)
{
    int state = 5;
    for (int i = 0; i < n; i++) { /* loop: no */
        set(state, in[i]);
        out[i] += state;
    }
}

ALONE void by_reference_any(int n)
{
    for (int i = 0; i < n; i++) { /* loop: parallel */
        int state;
        set_any(state, in[i]);
        out[i] += state;
    }
}

ALONE void by_method(int n)
{
    box b;
    for (int i = 0; i < n; i++) /* loop: no */
        out[i] += b.take(in[i]);
}

ALONE void by_own_method(int n)
{
    for (int i = 0; i < n; i++) { /* loop: parallel */
        box b;
        out[i] += b.take(in[i]);
    }
}

ALONE void by_destructor(int n)
{
    int state = 5;
    for (int i = 0; i < n; i++) { /* loop: no */
        int before = state;
        try {
            closer c(state, i);
            out[i] += checked(in[i]) + before;
        } catch (const std::exception &) {
            out[i] -= before;
        }
    }
}

ALONE void likely(int n)
{
    int state = 5;
    for (int i = 0; i < n; i++) { /* loop: no */
        if (in[i] > 2) [[likely]] {
            if (in[i] & 1)
                state = in[i];
            out[i] = state;
        }
    }
}

ALONE void likely_own(int n)
{
    int state = 5;
    for (int i = 0; i < n; i++) { /* loop: parallel */
        if (in[i] > 2) [[likely]] {
            state = in[i];
            out[i] = state;
        }
    }
}

ALONE void nested(int n)
{
    int state = 5;
    for (int i = 0; i < n; i++) { /* loop: no */
        try {
            try {
                state = checked(in[i]);
            } catch (const std::exception &) {
                if (in[i] & 1)
                    throw;
                state = 2;
            }
        } catch (...) {
            other[i] = 1;
        }
        out[i] += state;
    }
}

ALONE void by_lambda(int n)
{
    int state = 5;
    auto f = [&](int i) {
        try {
            state = checked(in[i]);
        } catch (const std::exception &) {
        }
        return state;
    };
    for (int i = 0; i < n; i++) /* loop: no */
        out[i] += f(i);
}

ALONE void last_good(int n)
{
    int good = -1;
    for (int i = 0; i < n; i++) { /* loop: no */
        try {
            checked(in[i]);
            good = i;
        } catch (const std::exception &) {
            out[i] += good;
        }
    }
}

ALONE void counts(int n, int *ret)
{
    int bad = 0;
    for (int i = 0; i < n; i++) { /* loop: parallel */
        try {
            out[i] += checked(in[i]);
        } catch (const std::exception &) {
            bad++;
        }
    }
    *ret = bad;
}

ALONE void numbers(int n)
{
    int bad = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        try {
            out[i] += checked(in[i]);
        } catch (const std::exception &) {
            out[i] = ++bad;
        }
    }
}

int main()
{
    int n = 200, bad = 0;
    for (int i = 0; i < n; i++) /* loop: parallel */
        in[i] = i * 13 % 71;
    caught(n), behind(n), set_in_both(n), in_front(n), gives_up(n), of_several(n), below_if(n), scratch(n);
    by_reference(n), by_reference_any(n), by_method(n), by_own_method(n), by_destructor(n), likely(n), likely_own(n);
    nested(n), by_lambda(n), last_good(n), counts(n, &bad), numbers(n);
    long s = bad;
    for (int i = 0; i < n; i++) /* loop: parallel */
        s += (long)out[i] * (i + 1) + other[i];
    keep((double)s);
    return 0;
}
