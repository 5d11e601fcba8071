/* Four threads that meet in memory in the way the argument says; used to compare orders of simulation. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

enum { THREADS = 4, ROUNDS = 1500 };

static _Alignas(256) volatile long beside[THREADS];
static _Alignas(256) atomic_long counter;
static _Alignas(256) pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static _Alignas(256) long guarded;
static _Alignas(256) long table[THREADS][512];
static const char *mode;

static void *work(void *arg)
{
    long me = (long)arg;
    unsigned long x = (unsigned long)me;
    for (int i = 0; i < ROUNDS; i++) {
        x = x * 6364136223846793005u + 1442695040888963407u;
        if (strcmp(mode, "beside") == 0) {
            beside[me] += (long)(x >> 60);
        } else if (strcmp(mode, "counter") == 0) {
            atomic_fetch_add(&counter, 1);
        } else if (strcmp(mode, "mutex") == 0) {
            pthread_mutex_lock(&mutex);
            guarded += (long)(x >> 62);
            pthread_mutex_unlock(&mutex);
        } else {
            table[me][x >> 55] += i;
        }
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t t[THREADS];
    mode = argc > 1 ? argv[1] : "";
    for (long i = 1; i < THREADS; i++)
        pthread_create(&t[i], NULL, work, (void *)i);
    work(NULL);
    for (int i = 1; i < THREADS; i++)
        pthread_join(t[i], NULL);
    printf("%ld %ld\n", atomic_load(&counter), guarded + beside[0]);
}
