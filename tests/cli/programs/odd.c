/* What programs rarely do, each in closed form: tests/cli/odd.sh says what reaches whom. */
#define _GNU_SOURCE
#include <alloca.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define APART __attribute__((noinline, noclone))
enum { N = 1000, TIMES = 3, PAGE = 4096, WAYS = 3 };
static volatile int data[N], copies[N * WAYS];
static volatile long sink;

static inline __attribute__((always_inline)) void fill(volatile int *p, int n)
{
    for (int i = 0; i < n; i++)
        p[i] = i;
}

static inline __attribute__((always_inline)) void sum(const volatile int *p, int n)
{
    long s = 0;
    for (int i = 0; i < n; i++)
        s += p[i];
    sink = s;
}

/* Children that run another program in our memory's stead, and such that go on with a copy of it. */
APART void before_vfork(void)
{
    fill(data, N);
}
APART void after_vfork(void)
{
    sum(data, N);
}
APART void before_fork(void)
{
    fill(data, N);
}
APART void in_child(void)
{
    fill(data, N);
}
APART void after_fork(void)
{
    sum(data, N);
}

static void children(void)
{
    for (int i = 0; i < TIMES; i++) {
        before_vfork();
        pid_t p = vfork();
        if (p == 0) {
            execl("/bin/true", "true", (char *)NULL);
            _exit(1);
        }
        waitpid(p, NULL, 0);
        after_vfork();
        before_fork();
        p = fork();
        if (p == 0) {
            in_child();
            _exit(0);
        }
        waitpid(p, NULL, 0);
        after_fork();
    }
}

/* Memory that moves, shrinks, and is somebody else's afterwards. */
APART void fill_map(int *p)
{
    fill(p, 4 * PAGE / 4);
}
APART void sum_map(const int *p, int pages)
{
    sum(p, pages * PAGE / 4);
}

/* What is given back without unmapping it, by advice and by moving the break, is nobody's. */
APART void fill_back(int *p)
{
    fill(p, PAGE / 4);
}
APART void sum_back(const int *p)
{
    sum(p, PAGE / 4);
}
APART void fill_kept(int *p)
{
    fill(p, PAGE / 4);
}
APART void sum_kept(const int *p)
{
    sum(p, PAGE / 4);
}
static void given_back(void)
{
    const int rw = PROT_READ | PROT_WRITE;
    int *own = mmap(NULL, PAGE, rw, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
        *shared = mmap(NULL, PAGE, rw, MAP_SHARED | MAP_ANONYMOUS, -1, 0), *top = sbrk(2 * PAGE);
    top += -(size_t)top % PAGE / sizeof *top;
    fill_back(own);
    fill_back(top);
    fill_kept(shared);
    madvise(own, PAGE, MADV_DONTNEED);
    madvise(shared, PAGE, MADV_DONTNEED);
    sbrk(-2 * PAGE);
    sbrk(2 * PAGE);
    sum_back(own);
    sum_back(top);
    sum_kept(shared);
    fill_back(own);
    sum_back(own);
}

static void maps(void)
{
    const int rw = PROT_READ | PROT_WRITE, mine = MAP_PRIVATE | MAP_ANONYMOUS;
    int *p = mmap(NULL, 4 * PAGE, rw, mine, -1, 0), *room = mmap(NULL, 64 * PAGE, PROT_NONE, mine, -1, 0);
    fill_map(p);
    p = mremap(p, 4 * PAGE, 16 * PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, room);
    sum_map(p, 4);
    p = mremap(p, 16 * PAGE, 2 * PAGE, 0);
    sum_map(p, 2);
    munmap(p, 2 * PAGE);
    sum_map(mmap(p, 2 * PAGE, rw, mine | MAP_FIXED, -1, 0), 2);
}

/* A page of a file that moves onto memory that was written, and grows there; and a mapping that is to shrink
 * by less than a page, which it does not. */
APART void fill_moved(int *p)
{
    fill(p, 4 * PAGE / 4);
}
APART void sum_moved(const int *p)
{
    sum(p, 4 * PAGE / 4);
}
APART void sum_whole(const int *p)
{
    sum(p, 4 * PAGE / 4);
}

static void moved(void)
{
    const int rw = PROT_READ | PROT_WRITE;
    char name[] = "odd-XXXXXX";
    int file = mkstemp(name), *room = mmap(NULL, 4 * PAGE, rw, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    unlink(name);
    if (ftruncate(file, 3 * PAGE) != 0)
        return;
    fill_moved(room);
    sum_moved(mremap(mmap(NULL, PAGE, rw, MAP_PRIVATE, file, 0), PAGE, 3 * PAGE,
                     MREMAP_MAYMOVE | MREMAP_FIXED, room));
    room = mmap(NULL, 4 * PAGE, rw, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    fill_moved(room);
    sum_whole(mremap(room, 4 * PAGE, 3 * PAGE + 1, 0));
    munmap(room, 4 * PAGE);
    close(file);
}

/* Frames of up to 4 MB. */
APART void fill_far(volatile char *p, long pages)
{
    for (long i = 0; i < pages; i++)
        p[i * PAGE] = 1;
}
APART void sum_far(const volatile char *p, long pages)
{
    for (long i = 0; i < pages; i++)
        sink += p[i * PAGE];
}
APART void large_frame(long pages)
{
    volatile char *p = alloca((size_t)pages * PAGE);
    fill_far(p, pages);
    sum_far(p, pages);
}

/* Code that is written anew at the same place; what it reads its caller reads. */
static volatile long words[16];
APART void fill_words(void)
{
    for (int i = 0; i < 16; i++)
        words[i] = i;
}
APART void write_code(unsigned char *code, unsigned word)
{
#if defined(__aarch64__)
    const unsigned load[] = {0xf9400000 | word << 10, 0xd65f03c0}; /* ldr x0, [x0, #8 word]; ret */
#elif defined(__x86_64__)
    const unsigned char load[] = {0x48, 0x8b, 0x47, (unsigned char)(8 * word), 0xc3};
#else
    const unsigned char load[] = {0};
#endif
    memcpy(code, load, sizeof load);
    __builtin___clear_cache((char *)code, (char *)code + 64);
}
APART void run_code(void *code)
{
    sink += ((long (*)(volatile long *))code)(words);
}

static void written_code(void)
{
    unsigned char *code =
        mmap(NULL, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    fill_words();
    for (unsigned word = 0; word < 16; word++) {
        write_code(code, word);
        for (int i = 0; i < 10; i++)
            run_code(code);
    }
}

/* Faults that a handler mends, on a stack of its own. */
static char *guarded;
APART void before_faults(void)
{
    fill(data, N);
}
APART void mend(void)
{
    mprotect(guarded, 16 * PAGE, PROT_READ | PROT_WRITE);
    sum(data, N);
}
static void on_fault(int signal)
{
    (void)signal;
    mend();
}
APART void poke(int i)
{
    *(volatile char *)&guarded[i * PAGE] = (char)i;
}
APART void peek(void)
{
    for (int i = 0; i < 16; i++)
        sink += *(volatile char *)&guarded[i * PAGE];
}

static void faults(void)
{
    static char stack[65536];
    guarded = mmap(NULL, 16 * PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
    sigaction(SIGSEGV, &(struct sigaction){.sa_handler = on_fault, .sa_flags = SA_ONSTACK}, NULL);
    before_faults();
    for (int i = 0; i < 16; i++) {
        mprotect(guarded, 16 * PAGE, PROT_READ);
        poke(i);
    }
    peek();
}

/* What the C library copies by instructions that it chooses for the processor. */
static char short_from[64], short_to[64];
APART void fill_short(int n)
{
    for (int i = 0; i < n; i++)
        ((volatile char *)short_from)[i] = (char)i;
}
APART void copy_short(size_t n)
{
    memcpy(short_to, short_from, n);
    __asm__ volatile("" ::: "memory");
}
APART void sum_short(int n)
{
    for (int i = 0; i < n; i++)
        sink += ((volatile char *)short_to)[i];
}

static void short_copies(void)
{
    for (int n = 1; n <= 64; n++) {
        fill_short(n);
        copy_short((size_t)n);
        sum_short(n);
    }
}

/* Threads that end by returning, by pthread_exit and by the kernel's own call. */
APART void before_threads(void)
{
    fill(data, N);
}
APART void copy(long way)
{
    for (int i = 0; i < N; i++)
        copies[way * N + i] = data[i];
}
static void *thread(void *way)
{
    copy((long)way);
    if ((long)way == 1)
        pthread_exit(NULL);
    if ((long)way == 2)
        syscall(SYS_exit, 0);
    return NULL;
}
APART void after_threads(void)
{
    sum(copies, N * WAYS);
}

static void threads(void)
{
    before_threads();
    copy(0); /* once without threads, after memory was shared: QEMU keeps what it translated then */
    for (int round = 0; round < TIMES; round++) {
        before_threads();
        for (long i = 0; i < WAYS; i++) { /* one by one: see collect/README.md of first reads under QEMU */
            pthread_t t;
            pthread_create(&t, NULL, thread, (void *)i);
            pthread_join(t, NULL);
        }
        after_threads();
    }
}

int main(void)
{
    children();
    maps();
    moved();
    given_back();
    for (long i = 1; i <= 10; i++)
        large_frame(100 * i);
    written_code();
    faults();
    short_copies();
    threads();
    return 0;
}
