/* A task for each node of a list, walked by one thread: tasks of a few thousand instructions. */
#include "truth.h"
enum { NODES = SIZE(300, 6000), WORK = SIZE(300, 4000) };
static struct node {
    struct node *next;
    unsigned seed, sum;
} node[NODES];
static void work(struct node *n)
{
    unsigned x = n->seed;
    for (unsigned i = 0; i < WORK + (n->seed & 255); i++)
        x = x * 1664525 + (x >> 11);
    n->sum = x;
}
int main(void)
{
    CC_RECORD_OFF();
    struct node *head = NULL;
    for (int i = 0; i < NODES; i++) {
        struct node *n = &node[(unsigned)i * 7919u % NODES];
        n->seed = (unsigned)i * 2654435761u;
        n->next = head;
        head = n;
    }
    KERNEL_BEGIN();
    BEGIN("lists.all");
#pragma omp parallel
#pragma omp single
    {
        BEGIN("lists.walk");
        for (struct node *n = head; n; n = n->next) {
#pragma omp task firstprivate(n)
            {
                CALL_BEGIN("lists.node");
                work(n);
                CALL_END("lists.node");
            }
        }
        END("lists.walk");
    }
    END("lists.all");
    KERNEL_END(node[4].sum);
}
