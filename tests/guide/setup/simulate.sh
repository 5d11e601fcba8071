cat >queue.c <<'END'
#include <corecast/mark.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct queue { _Atomic int head; int rest[15]; };
static struct queue *q;
static void *work(void *a) { (void)a; for (int i = 0; i < 3000; i++) { atomic_fetch_add(&q->head, 1); for (volatile int k = 0; k < 3; k++); } return NULL; }
int main(void)
{
    q = calloc(1, sizeof *q);
    CC_OBJECT(q, sizeof *q, "work_queue");
    pthread_t t[4];
    for (int i = 0; i < 4; i++) pthread_create(&t[i], NULL, work, NULL);
    for (int i = 0; i < 4; i++) pthread_join(t[i], NULL);
    return 0;
}
END
gcc -O1 -g -static -Iinclude queue.c -o queue -lpthread && corecast simulate -q -p mips-smp -n 4 --trace examples/threaded/queue.trace -- ./queue
