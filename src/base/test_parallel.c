/* A parallel loop: every number once, whoever does it, however many threads there are. */
#include "base/parallel.h"
#include "tap.h"

#include <stdatomic.h>
#include <sys/resource.h>
#include <unistd.h>

#ifdef __SANITIZE_ADDRESS__
#define SANITIZED
#elif defined __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED
#endif
#endif

enum { N = 10000 };

struct job {
    atomic_uint times[N];
    uint64_t sum, workers;
    size_t stop_at;
};

static void add_up(struct cc_parallel *p, void *arg)
{
    struct job *j = arg;
    uint64_t sum = 0;
    for (size_t i; cc_parallel_next(p, &i);) {
        atomic_fetch_add(&j->times[i], 1);
        sum += i;
        if (i == j->stop_at)
            cc_parallel_stop(p);
    }
    cc_parallel_lock(p);
    j->sum += sum;
    j->workers++;
    cc_parallel_unlock(p);
}

static bool each_once(const struct job *j, size_t n)
{
    for (size_t i = 0; i < N; i++)
        if (atomic_load(&j->times[i]) != (i < n))
            return false;
    return true;
}

static void test_run(size_t n, unsigned threads, unsigned workers, unsigned missing)
{
    struct job *j = cc_alloc(sizeof *j);
    j->stop_at = SIZE_MAX;
    unsigned lost = cc_parallel_run(n, threads, add_up, j);
    OK(each_once(j, n) && j->sum == n * (n - (n > 0)) / 2, "each of %zu numbers once", n);
    OK(j->workers + lost == workers + missing && (!missing || lost == missing),
       "%u threads: %llu worked, %u missing", threads, (unsigned long long)j->workers, lost);
    free(j);
}

static void test_stop(void)
{
    struct job *j = cc_alloc(sizeof *j);
    j->stop_at = 10;
    cc_parallel_run(N, 1, add_up, j);
    OK(each_once(j, 11), "nothing is begun after a stop");
    free(j);
}

/* Without room for a stack no thread can be made. */
static void test_no_threads(void)
{
#ifdef SANITIZED
    OK(true, "one thread does all # SKIP the sanitizer needs all of the address space");
#else
    char line[64] = "";
    FILE *f = fopen("/proc/self/statm", "r");
    if (!f || !fgets(line, sizeof line, f))
        line[0] = 0;
    if (f)
        fclose(f);
    struct rlimit old, tight;
    getrlimit(RLIMIT_AS, &old);
    tight = old;
    tight.rlim_cur = strtoul(line, NULL, 10) * (rlim_t)sysconf(_SC_PAGESIZE) + (1 << 20);
    if (setrlimit(RLIMIT_AS, &tight) == 0)
        test_run(1000, 4, 1, 3);
    setrlimit(RLIMIT_AS, &old);
#endif
}

int main(void)
{
    test_no_threads(); /* first: stacks of threads that are gone are kept */
    test_run(N, 4, 4, 0);
    test_run(3, 64, 3, 0);
    test_run(1, 4, 1, 0);
    test_run(0, 4, 1, 0);
    test_run(N, 0, (unsigned)CC_MIN(sysconf(_SC_NPROCESSORS_ONLN), 256), 0);
    test_run(N, 100000, 256, 0);
    test_stop();
    return TAP_DONE();
}
