/* A hash table whose buckets share 64 locks. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { BUCKETS = 1024, KEYS = 1500, STRIPES = 64, MOST = 64 };
struct node {
    unsigned key;
    long n;
    struct node *next;
};
static struct node *bucket[BUCKETS];
static struct {
    pthread_mutex_t lock;
} __attribute__((aligned(128))) stripe[STRIPES];

static unsigned mix(unsigned k)
{
    k ^= k >> 16;
    k *= 0x7feb352du;
    return k ^ k >> 15;
}

static void *add(void *arg)
{
    unsigned s = (unsigned)(long)arg * 77 + 1;
    struct node *mine = malloc(KEYS * sizeof *mine);
    for (int i = 0, used = 0; i < KEYS; i++) {
        for (int k = 0; k < 20; k++)
            s = s * 1664525u + 1013904223u;
        unsigned key = s >> 20, h = mix(key) % BUCKETS;
        pthread_mutex_lock(&stripe[h % STRIPES].lock);
        struct node *p = bucket[h];
        while (p && p->key != key)
            p = p->next;
        if (!p) {
            p = &mine[used++];
            *p = (struct node){key, 0, bucket[h]};
            bucket[h] = p;
        }
        p->n++;
        pthread_mutex_unlock(&stripe[h % STRIPES].lock);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t t[MOST];
    int n = argc > 1 ? atoi(argv[1]) : 4;
    long sum = 0;
    for (int i = 0; i < STRIPES; i++)
        pthread_mutex_init(&stripe[i].lock, NULL);
    for (long i = 0; i < n; i++)
        pthread_create(&t[i], NULL, add, (void *)i);
    for (long i = 0; i < n; i++)
        pthread_join(t[i], NULL);
    for (int i = 0; i < BUCKETS; i++)
        for (struct node *p = bucket[i]; p; p = p->next)
            sum += p->n;
    printf("%ld\n", sum);
}
