/* A sorted table under a reader-writer lock: one use in sixteen inserts. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { ROOM = 512, USES = 220, MOST = 64 };
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static unsigned key[ROOM + 1];
static int keys;
static int find(unsigned k)
{
    int lo = 0, hi = keys;
    while (lo < hi) {
        int mid = (lo + hi) / 2;
        if (key[mid] < k)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}
static void *use(void *arg)
{
    unsigned v = (unsigned)(long)arg * 977u + 1;
    long found = 0;
    for (int i = 0; i < USES; i++) {
        v = v * 1664525u + 1013904223u;
        unsigned k = v >> 16;
        if (v % 16 == 0) {
            pthread_rwlock_wrlock(&lock);
            int at = find(k);
            if (keys < ROOM) {
                memmove(&key[at + 1], &key[at], (size_t)(keys - at) * sizeof *key);
                key[at] = k;
                keys++;
            }
            pthread_rwlock_unlock(&lock);
        } else {
            pthread_rwlock_rdlock(&lock);
            int at = find(k);
            found += at < keys && key[at] - k < 64;
            pthread_rwlock_unlock(&lock);
        }
    }
    return (void *)found;
}
int main(int argc, char **argv)
{
    pthread_t t[MOST];
    int n = argc > 1 ? atoi(argv[1]) : 4, ordered = 1;
    for (long i = 0; i < n; i++)
        pthread_create(&t[i], NULL, use, (void *)i);
    for (int i = 0; i < n; i++)
        pthread_join(t[i], NULL);
    for (int i = 1; i < keys; i++)
        ordered &= key[i - 1] <= key[i];
    printf("%d %d\n", keys, ordered);
}
