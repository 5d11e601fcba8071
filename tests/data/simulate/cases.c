/* What simulations have hung or wavered on, one case a run: cases NAME. Each prints one line and ends with
 * status 0 unless it says so. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { N = 3 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static sem_t sem;
static volatile long counter;
static atomic_long atomic_counter;
static atomic_int spin, stop;
static pthread_t threads[64];

static void start(int n, void *(*f)(void *))
{
    for (long i = 0; i < n; i++)
        pthread_create(&threads[i], NULL, f, (void *)i);
}

static void join(int n)
{
    for (int i = 0; i < n; i++)
        pthread_join(threads[i], NULL);
}

static void *run_forever(void *arg)
{
    while (!atomic_load(&stop))
        counter += (long)arg;
    return NULL;
}

static double seconds(clockid_t c)
{
    struct timespec t;
    clock_gettime(c, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* others are in the middle of code all the while */
static void fork_child(void)
{
    int status = 0;
    start(N, run_forever);
    for (int i = 0; i < 3; i++) {
        pid_t pid = fork();
        if (pid == 0)
            _exit(7);
        waitpid(pid, &status, 0);
    }
    atomic_store(&stop, 1);
    join(N);
    printf("child %d\n", WEXITSTATUS(status));
}

static void spawn(void)
{
    start(N, run_forever);
    int status = system("exit 5");
    atomic_store(&stop, 1);
    join(N);
    printf("system %d\n", WEXITSTATUS(status));
}

static void exec_missing(void)
{
    start(N, run_forever);
    execl("/nonexistent/program", "x", (char *)NULL);
    printf("exec errno %d\n", errno == ENOENT);
    atomic_store(&stop, 1);
    join(N);
}

static void exec_true(void)
{
    execl("/bin/true", "true", (char *)NULL);
}

static void exit_while_running(void)
{
    start(N, run_forever);
    usleep(100);
    puts("leaving");
    fflush(stdout);
    exit(9);
}

static void *add(void *arg)
{
    (void)arg;
    for (int i = 0; i < 200; i++) {
        pthread_mutex_lock(&lock);
        counter++;
        pthread_mutex_unlock(&lock);
        atomic_fetch_add(&atomic_counter, 1);
    }
    return NULL;
}

static void churn(void)
{
    for (int round = 0; round < 10; round++) {
        start(N, add);
        join(N);
    }
    printf("churn %ld %ld\n", counter, (long)atomic_counter);
}

static void *map(void *arg)
{
    for (int i = 0; i < 20; i++) {
        char *p = mmap(NULL, 1 << 16, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        memset(p, (int)(long)arg, 1 << 12);
        munmap(p, 1 << 16);
    }
    return NULL;
}

static void maps(void)
{
    start(N, map);
    join(N);
    puts("maps");
}

static void *spin_lock(void *arg)
{
    (void)arg;
    for (int i = 0; i < 200; i++) {
        while (atomic_exchange_explicit(&spin, 1, memory_order_acquire))
            ;
        counter++;
        atomic_store_explicit(&spin, 0, memory_order_release);
    }
    return NULL;
}

static void spins(void)
{
    start(N, spin_lock);
    join(N);
    printf("spins %ld\n", counter);
}

static void *wait_and_signal(void *arg)
{
    long me = (long)arg;
    for (int i = 0; i < 30; i++) {
        pthread_mutex_lock(&lock);
        while (counter % N != me)
            pthread_cond_wait(&cond, &lock);
        counter++;
        pthread_cond_broadcast(&cond);
        pthread_mutex_unlock(&lock);
        pthread_barrier_wait(&barrier);
        sem_post(&sem);
        sem_wait(&sem);
    }
    return NULL;
}

static void waits(void)
{
    pthread_barrier_init(&barrier, NULL, N);
    sem_init(&sem, 0, 0);
    start(N, wait_and_signal);
    join(N);
    printf("waits %ld\n", counter);
}

static void timeouts(void)
{
    double from = seconds(CLOCK_MONOTONIC);
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    t.tv_nsec += 1000000;
    if (t.tv_nsec >= 1000000000)
        t.tv_sec++, t.tv_nsec -= 1000000000;
    pthread_mutex_lock(&lock);
    int rc = pthread_cond_timedwait(&cond, &lock, &t);
    struct timespec ms = {0, 2000000};
    nanosleep(&ms, NULL);
    clock_nanosleep(CLOCK_MONOTONIC, 0, &ms, NULL);
    double took = seconds(CLOCK_MONOTONIC) - from;
    printf("timeouts %d %d\n", rc == ETIMEDOUT, took > 0.005 && took < 0.006);
}

/* a minute of simulated time must not take a minute */
static void long_sleep(void)
{
    double from = seconds(CLOCK_MONOTONIC);
    sleep(60);
    double took = seconds(CLOCK_MONOTONIC) - from;
    printf("slept %.0f\n", took);
}

static int pipe_fd[2];
static void *read_pipe(void *arg)
{
    (void)arg;
    char c;
    while (read(pipe_fd[0], &c, 1) == 1 && c != 'q')
        counter += c;
    return NULL;
}

static void pipes(void)
{
    if (pipe(pipe_fd))
        abort();
    start(1, read_pipe);
    for (int i = 0; i < 20; i++)
        if (write(pipe_fd[1], "a", 1) != 1)
            abort();
    if (write(pipe_fd[1], "q", 1) != 1)
        abort();
    join(1);
    printf("pipes %ld\n", counter);
}

/* Two threads wait for each other through pipes while a third computes; the fourth fills a pipe until someone
 * reads. */
static int there[2], back[2], full[2];
static void *answer(void *arg)
{
    long me = (long)arg;
    char c, block[4096] = {0};
    if (me == 0)
        while (read(there[0], &c, 1) == 1)
            if (write(back[1], &c, 1) != 1)
                abort();
    if (me == 1)
        while (!stop)
            counter++;
    if (me == 2)
        for (int i = 0; i < 40; i++) /* more than a pipe holds */
            if (write(full[1], block, sizeof block) != sizeof block)
                abort();
    return NULL;
}

static void answers(void)
{
    char c = 'a', block[4096];
    long sum = 0;
    if (pipe(there) || pipe(back) || pipe(full))
        abort();
    start(3, answer);
    for (int i = 0; i < 100; i++) {
        if (write(there[1], &c, 1) != 1 || read(back[0], &c, 1) != 1)
            abort();
        sum += c;
    }
    for (long left = 40L * sizeof block; left;) {
        ssize_t n = read(full[0], block, sizeof block);
        if (n <= 0)
            abort();
        left -= n;
    }
    stop = 1;
    close(there[1]);
    join(3);
    printf("answers %ld\n", sum);
}

static volatile sig_atomic_t signals;
static void on_signal(int s)
{
    (void)s;
    signals++;
}

static void *wait_for_ever(void *arg)
{
    (void)arg;
    while (!atomic_load(&stop)) {
        pthread_mutex_lock(&lock);
        struct timespec t = {2000000000, 0};
        pthread_cond_timedwait(&cond, &lock, &t);
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

static void signal_sleeper(void)
{
    struct sigaction a = {.sa_handler = on_signal};
    sigaction(SIGUSR1, &a, NULL);
    start(1, wait_for_ever);
    usleep(1000);
    for (int i = 0; i < 5; i++) {
        pthread_kill(threads[0], SIGUSR1);
        usleep(1000);
    }
    atomic_store(&stop, 1);
    pthread_mutex_lock(&lock);
    pthread_cond_broadcast(&cond);
    pthread_mutex_unlock(&lock);
    join(1);
    printf("signals %d\n", signals > 0);
}

/* an atomic that crosses a line: QEMU stops every core for it */
static void *misaligned(void *arg)
{
    (void)arg;
    static char bytes[128] __attribute__((aligned(64)));
#if defined(__x86_64__)
    for (int i = 0; i < 5; i++)
        __atomic_fetch_add((int *)(uintptr_t)(bytes + 62), 1, __ATOMIC_SEQ_CST);
    int v;
    memcpy(&v, bytes + 62, sizeof v);
    counter = v;
#else
    (void)bytes;
#endif
    return NULL;
}

static void exclusive(void)
{
    start(N, misaligned);
    join(N);
    puts("exclusive");
}

static void close_all(void)
{
    for (int i = 3; i < 1024; i++)
        close(i);
    start(N, add);
    join(N);
    printf("closed %ld\n", counter);
}

static void crash(void)
{
    start(N, add);
    join(N);
    raise(SIGSEGV);
}

static void hang(void) /* for Ctrl-C */
{
    start(N, wait_for_ever);
    puts("hanging");
    fflush(stdout);
    join(N);
}

static void busy(void) /* the same, in the middle of code */
{
    start(N, run_forever);
    join(N);
}

static void detached(void)
{
    pthread_attr_t a;
    pthread_attr_init(&a);
    pthread_attr_setdetachstate(&a, PTHREAD_CREATE_DETACHED);
    pthread_t t;
    for (int i = 0; i < 8; i++)
        pthread_create(&t, &a, add, NULL);
    while (atomic_load(&atomic_counter) < 8 * 200)
        usleep(100);
    printf("detached %ld\n", (long)atomic_counter);
    pthread_exit(NULL);
}

static void many(void) /* more threads than cores */
{
    start(40, add);
    join(40);
    printf("many %ld\n", counter);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } cases[] = {{"fork", fork_child},
                 {"spawn", spawn},
                 {"exec-missing", exec_missing},
                 {"exec", exec_true},
                 {"exit", exit_while_running},
                 {"churn", churn},
                 {"maps", maps},
                 {"spins", spins},
                 {"waits", waits},
                 {"timeouts", timeouts},
                 {"sleep", long_sleep},
                 {"pipes", pipes},
                 {"answers", answers},
                 {"signals", signal_sleeper},
                 {"exclusive", exclusive},
                 {"close", close_all},
                 {"crash", crash},
                 {"hang", hang},
                 {"busy", busy},
                 {"detached", detached},
                 {"many", many}};
    for (size_t i = 0; argc > 1 && i < sizeof cases / sizeof cases[0]; i++)
        if (strcmp(argv[1], cases[i].name) == 0) {
            cases[i].run();
            return 0;
        }
    return 2;
}
