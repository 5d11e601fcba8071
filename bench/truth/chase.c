/* Dependent loads: lists through one large pool, each walked to its end; no load can start before the last.
 */
#include "truth.h"
enum { NODES = SIZE(16384, 1 << 19), LISTS = 64, PASSES = SIZE(2, 1) };
struct node {
    struct node *next;
    long value;
};
static struct node pool[NODES];
static long sums[LISTS];
int main(void)
{
    CC_RECORD_OFF();
    for (unsigned i = 0; i < NODES;
         i++) { /* an odd factor permutes; list k has the nodes k, k + LISTS, … of it */
        struct node *n = &pool[i * 40503u % NODES];
        n->value = i;
        n->next = i + LISTS < NODES ? &pool[(i + LISTS) * 40503u % NODES] : NULL;
    }
    KERNEL_BEGIN();
    for (int pass = 0; pass < PASSES; pass++) {
        BEGIN("chase.pass");
#pragma omp parallel for schedule(dynamic, 2)
        for (unsigned k = 0; k < LISTS; k++) {
            BEGIN("chase.list");
            long sum = 0;
            for (const struct node *n = &pool[k * 40503u % NODES]; n; n = n->next)
                sum += n->value;
            sums[k] += sum;
            END("chase.list");
        }
        END("chase.pass");
    }
    KERNEL_END((double)sums[3]);
}
