#include "parallel.h"

#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

enum { MAX_THREADS = 256 };

struct cc_parallel {
    size_t n;
    atomic_size_t next;
    atomic_bool stop;
    pthread_mutex_t lock;
    cc_parallel_work *work;
    void *arg;
};

static void *start(void *arg)
{
    struct cc_parallel *p = arg;
    p->work(p, p->arg);
    return NULL;
}

unsigned cc_processors(void)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n > 0 && n <= INT_MAX ? (unsigned)n : 1;
}

unsigned cc_parallel_run(size_t n, unsigned threads, cc_parallel_work *work, void *arg)
{
    struct cc_parallel p = {.n = n, .work = work, .arg = arg};
    pthread_t others[MAX_THREADS];
    unsigned started = 0;
    if (!threads)
        threads = cc_processors();
    threads = (unsigned)CC_MIN(CC_MIN(threads, MAX_THREADS), CC_MAX(n, 1));
    pthread_mutex_init(&p.lock, NULL);
    while (started + 1 < threads && pthread_create(&others[started], NULL, start, &p) == 0)
        started++;
    work(&p, arg);
    for (unsigned i = 0; i < started; i++)
        pthread_join(others[i], NULL);
    pthread_mutex_destroy(&p.lock);
    return threads - 1 - started;
}

bool cc_parallel_next(struct cc_parallel *p, size_t *ret)
{
    if (atomic_load(&p->stop))
        return false;
    *ret = atomic_fetch_add(&p->next, 1);
    return *ret < p->n;
}

void cc_parallel_stop(struct cc_parallel *p)
{
    atomic_store(&p->stop, true);
}

void cc_parallel_lock(struct cc_parallel *p)
{
    pthread_mutex_lock(&p->lock);
}

void cc_parallel_unlock(struct cc_parallel *p)
{
    pthread_mutex_unlock(&p->lock);
}
