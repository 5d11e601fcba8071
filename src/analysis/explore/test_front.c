/* Against the definition, on random points with many ties. */
#include "front.h"
#include "../../base/rng.h"
#include "../../../tests/tap.h"

#include <math.h>

static bool beaten(const struct cc_front_point *v, size_t n, size_t i)
{
    for (size_t k = 0; k < n; k++) {
        bool no_worse = v[k].cost <= v[i].cost && v[k].time <= v[i].time;
        bool better = v[k].cost < v[i].cost || v[k].time < v[i].time;
        if (k != i && no_worse && (better || k < i))
            return true;
    }
    return false;
}

int main(void)
{
    struct cc_rng r = {7};
    size_t wrong = 0, unreached = 0;
    for (int round = 0; round < 2000; round++) {
        struct cc_front_point v[12];
        size_t n = cc_rng_below(&r, 12);
        for (size_t i = 0; i < n; i++)
            v[i] = (struct cc_front_point){(double)cc_rng_below(&r, 6), (double)cc_rng_below(&r, 6), true};
        if (n > 2)
            v[2].time = NAN;
        cc_front(v, n);
        for (size_t i = 0; i < n; i++)
            wrong += v[i].front != (v[i].time == v[i].time && !beaten(v, n, i));
        size_t found = cc_front_reach(v, n, 2), least = n;
        for (size_t i = 0; i < n; i++)
            if (v[i].time <= 2 && (least == n || v[i].cost < v[least].cost))
                least = i;
        unreached += (found == n) != (least == n) ||
                     (found < n && (v[found].cost != v[least].cost || v[found].time > 2));
    }
    OK(wrong == 0, "the front is what nothing else beats: %zu differ", wrong);
    OK(unreached == 0, "the cheapest that reaches a time: %zu differ", unreached);
    return TAP_DONE();
}
