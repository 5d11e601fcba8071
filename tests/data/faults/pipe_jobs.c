/* Jobs come through a pipe from one thread, which takes longer to make one than the others to do it;
 * repaired: each makes its own. */
#include "faults.h"
#include <unistd.h>

static int ends[2];

static void *work(void *arg)
{
    long me = (long)arg;
    uint64_t x = (uint64_t)me;
    for (int i = 0; i < 60; i++) {
#ifdef FIXED
        x = compute(x, 700);
#else
        long job = i;
        if (me == 0) {
            for (int k = 1; k < nthreads; k++) {
                x = compute(x, 500);
                if (write(ends[1], &job, sizeof job) < 0)
                    return NULL;
            }
        } else {
            if (read(ends[0], &job, sizeof job) < 0) /* FAULT */
                return NULL;
            x = compute(x, 200);
        }
#endif
    }
    result[me][0] = (long)x;
    return NULL;
}

int main(int argc, char **argv)
{
    if (pipe(ends))
        return 1;
    return run(argc, argv);
}
