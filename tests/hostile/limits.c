/* Programs that restrict themselves. */
#include "hostile.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>

static void limit(int what, rlim_t value)
{
    struct rlimit r = {value, value};
    if (setrlimit(what, &r) != 0)
        die("setrlimit");
}

static int some(int status)
{
    for (int i = 0; i < 2000; i++)
        work(i);
    return status;
}

static int file_size(void)
{
    some(0);
    limit(RLIMIT_FSIZE, 4096);
    return some(31);
}

static int no_file_size(void)
{
    some(0);
    limit(RLIMIT_FSIZE, 0);
    return some(32);
}

static int few_descriptors(void)
{
    struct rlimit r;
    some(0);
    getrlimit(RLIMIT_NOFILE, &r);
    r.rlim_cur = 3; /* Valgrind lets nobody change the other */
    if (setrlimit(RLIMIT_NOFILE, &r) != 0)
        die("setrlimit");
    return some(33);
}

static int little_memory(void)
{
    some(0);
    limit(RLIMIT_AS, 256 << 20);
    return some(34);
}

static int little_data(void)
{
    limit(RLIMIT_DATA, 64 << 20);
    limit(RLIMIT_STACK, 1 << 20);
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_MEMLOCK, 0);
    return some(35);
}

static int no_processes(void)
{
    limit(RLIMIT_NPROC, 1);
    return some(36);
}

static int new_root(void)
{
    char path[] = "root-XXXXXX";
    some(0);
    if (!mkdtemp(path))
        die("mkdtemp");
    if (chroot(path) == 0 && chdir("/") != 0)
        die("chdir");
    return some(37);
}

static int nobody(void)
{
    some(0);
    if (setgid(65534) == 0 && setuid(65534) != 0)
        die("setuid");
    return some(38);
}

#ifdef SYS_mmap2 /* what the C library of a 32-bit machine calls */
enum { MAP = SYS_mmap2 };
#else
enum { MAP = SYS_mmap };
#endif

/* Everything but a few calls fails. */
static int filtered(unsigned otherwise, int status)
{
    static const int allowed[] = {
        SYS_write, SYS_exit,  SYS_exit_group, SYS_rt_sigreturn, SYS_rt_sigprocmask, SYS_brk,   SYS_munmap,
        MAP,       SYS_futex, SYS_madvise,    SYS_getpid,       SYS_gettid,         SYS_tgkill};
    enum { N = sizeof allowed / sizeof *allowed };
    struct sock_filter f[2 * N + 2];
    int n = 0;
    f[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    for (int i = 0; i < N; i++) {
        f[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)allowed[i], 0, 1);
        f[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    }
    f[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, otherwise);
    struct sock_fprog program = {(unsigned short)n, f};
    some(0);
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program); /* may be refused */
    return some(status);
}

static int filter_denies(void)
{
    return filtered(SECCOMP_RET_ERRNO | EPERM, 39);
}

static int filter_kills(void)
{
    return filtered(SECCOMP_RET_KILL_PROCESS, 40);
}

static int strict(void)
{
    some(0);
    say_calls();
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
    for (int i = 0; i < 100; i++)
        work(i);
    syscall(SYS_exit, 41);
    return 0;
}

static volatile sig_atomic_t over;

static void on_over(int sig)
{
    (void)sig;
    over = 1;
}

static int processor_time(void)
{
    struct rlimit r = {1, RLIM_INFINITY};
    signal(SIGXCPU, on_over);
    setrlimit(RLIMIT_CPU, &r);
    some(0);
    return 42;
}

/* Its own limit is to hold for what it writes itself. */
static int writes_too_much(void)
{
    char path[] = "big-XXXXXX";
    int fd = mkstemp(path);
    signal(SIGXFSZ, SIG_IGN);
    limit(RLIMIT_FSIZE, 100);
    char block[200] = "";
    ssize_t n = write(fd, block, sizeof block), more = write(fd, block, sizeof block);
    unlink(path);
    some(0);
    return n == 100 && more < 0 && errno == EFBIG ? 43 : 1;
}

const struct kind limits[] = {
    {"file-size", file_size},
    {"no-file-size", no_file_size},
    {"few-descriptors", few_descriptors},
    {"little-memory", little_memory},
    {"little-data", little_data},
    {"no-processes", no_processes},
    {"chroot", new_root},
    {"setuid", nobody},
    {"seccomp-denies", filter_denies},
    {"seccomp-kills", filter_kills},
    {"seccomp-strict", strict},
    {"cpu-time", processor_time},
    {"writes-too-much", writes_too_much},
    {NULL, NULL},
};
