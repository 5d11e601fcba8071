/* Rounds with a counting barrier that spins with a bound and then sleeps; between them a table of atomics and
 * a seqlock. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
enum { ROUNDS = 40, CELLS = 96, MOST = 64 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t gone = PTHREAD_COND_INITIALIZER;
static atomic_int arrived, round_now;
static atomic_uint cell[CELLS], version;
static unsigned pair[2];
static int n;
static void meet(void)
{
    int r = atomic_load(&round_now);
    if (atomic_fetch_add(&arrived, 1) == n - 1) {
        atomic_store(&arrived, 0);
        pthread_mutex_lock(&lock);
        atomic_store(&round_now, r + 1);
        pthread_cond_broadcast(&gone);
        pthread_mutex_unlock(&lock);
        return;
    }
    for (int i = 0; i < 200; i++)
        if (atomic_load_explicit(&round_now, memory_order_acquire) != r)
            return;
    pthread_mutex_lock(&lock);
    while (atomic_load(&round_now) == r)
        pthread_cond_wait(&gone, &lock);
    pthread_mutex_unlock(&lock);
}
static void *work(void *arg)
{
    long me = (long)arg;
    unsigned v = (unsigned)me, odd = 0;
    for (int r = 0; r < ROUNDS; r++) {
        for (int i = 0; i < 30 + (int)me * 3; i++) {
            v = v * 1664525u + 1013904223u;
            atomic_fetch_add_explicit(&cell[(v >> 16) % CELLS], 1, memory_order_relaxed);
        }
        if (r % n == me) {
            atomic_fetch_add(&version, 1);
            pair[0] = v, pair[1] = ~v;
            atomic_fetch_add(&version, 1);
        } else {
            unsigned a, b, s;
            do {
                s = atomic_load(&version);
                a = pair[0], b = pair[1];
            } while (s % 2 || s != atomic_load(&version));
            odd += a + b == 0;
        }
        meet();
    }
    return (void *)(long)odd;
}
int main(int argc, char **argv)
{
    pthread_t t[MOST];
    n = argc > 1 ? atoi(argv[1]) : 4;
    pair[1] = ~0u;
    for (long i = 0; i < n; i++)
        pthread_create(&t[i], NULL, work, (void *)i);
    void *odd;
    long sum = 0;
    for (int i = 0; i < n; i++)
        pthread_join(t[i], &odd), sum += (long)odd;
    unsigned all = 0;
    for (int i = 0; i < CELLS; i++)
        all += cell[i];
    printf("%u %ld\n", all, sum);
}
