/* Programs whose streams are known in closed form; the first argument says which. Accesses are volatile, so
 * that each one in the source is one in the machine, and functions are not inlined. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#define ALONE __attribute__((noinline, noclone))
enum { N = 1000 };
static volatile int numbers[N];
static volatile unsigned char bytes[4096] __attribute__((aligned(64)));
static volatile long sink;

/* --- write N, read it k times --- */
ALONE void produce(void)
{
    for (int i = 0; i < N; i++)
        numbers[i] = i;
}
ALONE void consume_thrice(void)
{
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < N; i++)
            sink += numbers[i];
}

/* --- overlapping writers --- */
ALONE void write_low(void)
{
    for (int i = 0; i < 100; i++)
        bytes[i] = 1;
}
ALONE void write_high(void)
{
    for (int i = 50; i < 150; i++)
        bytes[i] = 2;
}
ALONE void read_both(void)
{
    for (int i = 0; i < 150; i++)
        sink += bytes[i];
}

/* --- unaligned and wide --- */
typedef int word __attribute__((aligned(1), may_alias));
typedef unsigned char wide __attribute__((vector_size(16), aligned(1), may_alias));
ALONE void write_odd(void)
{
    for (int i = 0; i < 50; i++)
        *(volatile word *)(bytes + 1000 + 7 * i) = i; /* 4 of each 7 bytes */
}
ALONE void read_odd(void)
{
    for (int i = 0; i < 350; i++)
        sink += bytes[1000 + i];
}
ALONE void write_wide(void)
{
    wide v = {1};
    for (int i = 0; i < 10; i++)
        *(volatile wide *)(bytes + 2000 + 16 * i) = v;
}
ALONE void read_wide(void)
{
    for (int i = 0; i < 9; i++) {
        wide v = *(volatile wide *)(bytes + 2005 + 16 * i); /* across two that were written */
        sink += v[0];
    }
}

/* --- structs copied --- */
struct pack {
    long a, b, c;
};
static volatile struct pack first, second;
ALONE void fill_pack(void)
{
    first.a = 1;
    first.b = 2;
    first.c = 3;
}
ALONE void copy_pack(void)
{
    second.a = first.a;
    second.b = first.b;
    second.c = first.c;
}
ALONE void use_pack(void)
{
    sink += second.a + second.c;
}

static void streams(void)
{
    produce();
    consume_thrice();
    write_low();
    write_high();
    read_both();
    write_odd();
    read_odd();
    write_wide();
    read_wide();
    fill_pack();
    copy_pack();
    use_pack();
}

/* --- files --- */
ALONE void read_file(const char *path)
{
    int fd = open(path, O_RDONLY);
    if (fd < 0 || read(fd, (void *)bytes, 1000) != 1000)
        exit(9);
    struct iovec parts[2] = {{(void *)(bytes + 2000), 100}, {(void *)(bytes + 3000), 100}};
    if (readv(fd, parts, 2) != 200)
        exit(9);
    close(fd);
}
ALONE void use_file(void)
{
    for (int i = 0; i < 500; i++)
        sink += bytes[i];
    for (int i = 0; i < 150; i++)
        sink += bytes[3000 + i]; /* 100 of them from the file */
}
ALONE void map_file(const char *path)
{
    int fd = open(path, O_RDONLY);
    volatile unsigned char *p = mmap(NULL, 1200, PROT_READ, MAP_PRIVATE, fd, 0);
    if (p == MAP_FAILED)
        exit(9);
    for (int i = 0; i < 300; i++)
        sink += p[i];
    close(fd);
}
ALONE void make_text(void)
{
    for (int i = 0; i < 64; i++)
        bytes[i] = 'x';
}
ALONE void send_text(void)
{
    if (write(1, (const void *)bytes, 40) != 40)
        exit(9);
}

/* --- two threads in a pipeline --- */
static volatile int slot[16];
static sem_t full, empty;
ALONE void stage_out(void)
{
    for (int round = 0; round < 50; round++) {
        sem_wait(&empty);
        for (int i = 0; i < 16; i++)
            slot[i] = round;
        sem_post(&full);
    }
}
ALONE void stage_in(void)
{
    for (int round = 0; round < 50; round++) {
        sem_wait(&full);
        for (int i = 0; i < 16; i++)
            sink += slot[i];
        sem_post(&empty);
    }
}
static void *thread_out(void *unused)
{
    stage_out();
    return unused;
}

/* --- control flow --- */
ALONE long descend(long n)
{
    volatile long here = n;
    return n ? descend(n - 1) + here : 0;
}
static void *deep(void *n)
{
    return (void *)descend((long)n);
}

static jmp_buf place;
ALONE void jump_out(int n)
{
    if (n == 0)
        longjmp(place, 1);
    jump_out(n - 1);
    sink++;
}
ALONE void jump_many(void)
{
    for (volatile int i = 0; i < 100; i++)
        if (setjmp(place) == 0)
            jump_out(10);
}
ALONE void after_jumps(void)
{
    sink++;
}

ALONE void on_signal(int sig)
{
    sink += sig;
}
ALONE void raise_many(void)
{
    signal(SIGUSR1, on_signal);
    for (int i = 0; i < 20; i++)
        raise(SIGUSR1);
}

ALONE int by_value(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}
ALONE void sort_some(void)
{
    int v[64];
    for (int i = 0; i < 64; i++)
        v[i] = (i * 37) % 64;
    qsort(v, 64, sizeof *v, by_value);
    sink += v[5];
}

ALONE void fork_once(void)
{
    pid_t pid = fork();
    if (pid == 0) {
        produce();
        _exit(3);
    }
    int status;
    if (waitpid(pid, &status, 0) != pid || WEXITSTATUS(status) != 3)
        exit(9);
}

int main(int argc, char **argv)
{
    const char *which = argc > 1 ? argv[1] : "";
    pthread_t thread;
    pthread_attr_t attr;
    if (strcmp(which, "streams") == 0) {
        streams();
    } else if (strcmp(which, "files") == 0) {
        read_file(argv[2]);
        use_file();
        map_file(argv[2]);
        make_text();
        send_text();
    } else if (strcmp(which, "pipeline") == 0) {
        sem_init(&full, 0, 0);
        sem_init(&empty, 0, 1);
        pthread_create(&thread, NULL, thread_out, NULL);
        stage_in();
        pthread_join(thread, NULL);
    } else if (strcmp(which, "deep") == 0) {
        pthread_attr_init(&attr);
        pthread_attr_setstacksize(&attr, (size_t)512 << 20);
        if (pthread_create(&thread, &attr, deep, (void *)strtol(argv[2], NULL, 10)) != 0)
            exit(9);
        pthread_join(thread, NULL);
    } else if (strcmp(which, "control") == 0) {
        jump_many();
        after_jumps();
        raise_many();
        sort_some();
        produce();
    } else if (strcmp(which, "forks") == 0) {
        for (int i = 0; i < atoi(argv[2]); i++)
            fork_once();
        consume_thrice();
    } else if (strcmp(which, "exec") == 0) {
        produce();
        execl(argv[2], argv[2], "said", (char *)NULL);
        return 9;
    } else if (strcmp(which, "crash") == 0) {
        produce();
        consume_thrice();
        *(volatile int *)8 = 1;
    } else if (strcmp(which, "spin") == 0) {
        for (;;)
            produce();
    } else if (strcmp(which, "echo") == 0) {
        char line[256];
        while (fgets(line, sizeof line, stdin))
            fputs(line, stdout);
        fprintf(stderr, "to stderr\n");
        return 42;
    }
    return 0;
}
