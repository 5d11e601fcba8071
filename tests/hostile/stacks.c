/* Calls, stacks, signals. */
#include "hostile.h"

#include <setjmp.h>
#include <sys/time.h>
#include <ucontext.h>

static volatile int sink;

ALONE static int deep(int n)
{
    volatile char frame[8] = "";
    if (n == 0)
        return work(n);
    return deep(n - 1) + frame[0];
}

static void *deep_thread(void *p)
{
    (void)p;
    sink = deep(1000000);
    return NULL;
}

static int million_deep(void)
{
    pthread_attr_t a;
    pthread_t t;
    pthread_attr_init(&a);
    pthread_attr_setstacksize(&a, (size_t)512 << 20);
    if (pthread_create(&t, &a, deep_thread, NULL) != 0)
        die("pthread_create");
    pthread_join(t, NULL);
    return 0;
}

ALONE static void throw(jmp_buf * to, int depth)
{
    if (depth == 0 && sink >= 0)
        longjmp(*to, 1);
    if (depth > 0)
        throw(to, depth - 1);
    sink++;
}

static int longjmp_storm(void)
{
    for (volatile int i = 0; i < 20000; i++) {
        jmp_buf here;
        if (setjmp(here) == 0)
            throw(&here, i % 20);
        work(i);
    }
    return 0;
}

static ucontext_t main_context, other[8];

static void coroutine(int id)
{
    for (int i = 0; i < 50; i++) {
        work(id);
        swapcontext(&other[id], &main_context);
    }
}

static int coroutines(void)
{
    enum { STACK = 256 << 10 };
    for (int i = 0; i < 8; i++) {
        getcontext(&other[i]);
        other[i].uc_stack.ss_sp =
            mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        other[i].uc_stack.ss_size = STACK;
        other[i].uc_link = &main_context;
        makecontext(&other[i], (void (*)(void))coroutine, 1, i);
    }
    for (int round = 0; round < 50; round++)
        for (int i = 0; i < 8; i++)
            swapcontext(&main_context, &other[i]);
    for (int i = 0; i < 8; i++)
        munmap(other[i].uc_stack.ss_sp, STACK); /* while it waits: it never goes on */
    work(9);
    return 0;
}

static volatile sig_atomic_t signals;

static void on_signal(int sig)
{
    (void)sig;
    signals++;
}

static int signal_storm(void)
{
    signal(SIGUSR1, on_signal);
    for (int i = 0; i < 3000; i++) {
        raise(SIGUSR1);
        work(i);
    }
    return signals == 3000 ? 0 : 1;
}

static int timer_storm(void)
{
    struct itimerval every = {{0, 1000}, {0, 1000}};
    struct sigaction a = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    sigaction(SIGALRM, &a, NULL);
    setitimer(ITIMER_REAL, &every, NULL);
    for (int i = 0; i < 20000; i++)
        work(i);
    every = (struct itimerval){0};
    setitimer(ITIMER_REAL, &every, NULL);
    return 0;
}

static sigjmp_buf recover;

static void on_fault(int sig)
{
    (void)sig;
    siglongjmp(recover, 1);
}

static void use_alternate_stack(int sig)
{
    static char stack[256 << 10];
    stack_t s = {.ss_sp = stack, .ss_size = sizeof stack};
    struct sigaction a = {.sa_handler = on_fault, .sa_flags = SA_ONSTACK | SA_NODEFER};
    sigaltstack(&s, NULL);
    sigaction(sig, &a, NULL);
}

static int faults(void)
{
    use_alternate_stack(SIGSEGV);
    for (volatile int i = 0; i < 200; i++) {
        if (sigsetjmp(recover, 1) == 0)
            *(volatile int *)8 = 1;
        work(i);
    }
    return 0;
}

ALONE static int endless(volatile int *p)
{
    if (*p < 0)
        return 0;
    volatile int frame[64];
    frame[0] = *p + 1;
    return endless(&frame[0]) + frame[1];
}

static int overflow(void)
{
    use_alternate_stack(SIGSEGV);
    volatile int x = 0;
    if (sigsetjmp(recover, 1) == 0)
        sink = endless(&x);
    for (int i = 0; i < 10; i++)
        work(i);
    return 0;
}

static void exit_handler(int sig)
{
    (void)sig;
    say_calls();
    _exit(15);
}

static int exit_in_handler(void)
{
    signal(SIGUSR2, exit_handler);
    for (int i = 0; i < 10; i++)
        work(i);
    raise(SIGUSR2);
    return 1;
}

static int aborts(void)
{
    for (int i = 0; i < 10; i++)
        work(i);
    say_calls();
    abort();
}

static int crashes(void)
{
    for (int i = 0; i < 10; i++)
        work(i);
    say_calls();
    *(volatile int *)16 = 0;
    return 0;
}

static int kills_itself(void)
{
    for (int i = 0; i < 100000; i++)
        work(i);
    kill(getpid(), SIGKILL);
    return 0;
}

static int terminates_itself(void)
{
    for (int i = 0; i < 10; i++)
        work(i);
    say_calls();
    kill(getpid(), SIGTERM);
    return 1;
}

static int illegal(void)
{
    use_alternate_stack(SIGILL);
    for (volatile int i = 0; i < 20; i++) {
        if (sigsetjmp(recover, 1) == 0)
#if defined(__aarch64__)
            __asm__ __volatile__(".inst 0x00000000");
#elif defined(__arm__)
            __asm__ __volatile__("udf #0");
#elif defined(__riscv)
            __asm__ __volatile__(".word 0");
#elif defined(__mips__)
            __asm__ __volatile__(".word 0x3b");
#else
            __asm__ __volatile__("ud2");
#endif
        work(i);
    }
    return 0;
}

static int blocks_all(void)
{
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    for (int s = 1; s < 65; s++)
        signal(s, SIG_IGN);
    for (int i = 0; i < 1000; i++)
        work(i);
    return 0;
}

#define F4(n) F(n##0) F(n##1) F(n##2) F(n##3)
#define F16(n) F4(n##0) F4(n##1) F4(n##2) F4(n##3)
#define F64(n) F16(n##0) F16(n##1) F16(n##2) F16(n##3)
#define F(n)                     \
    ALONE static int f##n(int x) \
    {                            \
        return work(x) + x;      \
    }
F64(a)
F64(b)
#undef F
#define F(n) f##n,
static int (*const table[])(int) = {F64(a) F64(b)};

static int indirect(void)
{
    for (int i = 0; i < 5000; i++)
        sink += table[i * 7 % 128](i);
    return 0;
}

ALONE static void large_frame(int i)
{
    volatile char *p = __builtin_alloca((size_t)i * 65536);
    p[0] = 1;
    sink += p[0];
    work(i);
}

static int large_frames(void)
{
    for (int i = 1; i < 100; i++)
        large_frame(i);
    return 0;
}

/* As Go does: the far end of a frame is stored to before the stack pointer is there. */
static int below_stack(void)
{
    volatile char *here = __builtin_frame_address(0);
    for (int i = 1; i < 30; i++) {
        here[-i * 2048] = 1;
        work(i);
    }
    return 0;
}

/* What two functions wrote side by side on the main thread's stack, read two at a time by another. */
ALONE static void set(uint64_t *at)
{
    *at = 1;
    __asm__ volatile("" ::: "memory");
}
ALONE static void set_other(uint64_t *at)
{
    *at = 2;
    __asm__ volatile("" ::: "memory");
}
/* One instruction for two where there is one, and nothing else is touched. */
ALONE __attribute__((optimize("O2"))) static uint64_t sum_pairs(const uint64_t *of)
{
    uint64_t sum = 0;
    for (int i = 0; i < 100; i++, of += 2)
        sum += of[0] * of[1];
    return sum;
}
static void *reads_pairs(void *p)
{
    sink += (int)sum_pairs(p);
    work(1);
    return NULL;
}
static int foreign_stack(void)
{
    uint64_t pairs[200];
    pthread_t t;
    for (int i = 0; i < 200; i += 2) {
        set(&pairs[i]);
        set_other(&pairs[i + 1]);
    }
    if (pthread_create(&t, NULL, reads_pairs, pairs) != 0)
        die("pthread_create");
    pthread_join(t, NULL);
    return 0;
}

const struct kind stacks[] = {
    {"million-deep", million_deep},
    {"longjmp-storm", longjmp_storm},
    {"coroutines", coroutines},
    {"signal-storm", signal_storm},
    {"timer-storm", timer_storm},
    {"faults", faults},
    {"overflow", overflow},
    {"exit-in-handler", exit_in_handler},
    {"abort", aborts},
    {"crash", crashes},
    {"kill-self", kills_itself},
    {"term-self", terminates_itself},
    {"illegal", illegal},
    {"block-all", blocks_all},
    {"indirect", indirect},
    {"large-frames", large_frames},
    {"below-stack", below_stack},
    {"foreign-stack", foreign_stack},
    {NULL, NULL},
};
