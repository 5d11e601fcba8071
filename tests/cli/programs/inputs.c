/* System calls that fill memory: a function for each, which makes the call twice on memory that it has filled
 * with different bytes and reads all of it. What the kernel has written is where they did not stay: "name
 * bytes" for each call that succeeds, of one of the two. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <linux/capability.h>
#include <linux/futex.h>
#include <mqueue.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

enum { SIZE = 2048, CALLS = 160, SIGNALS = _NSIG / 8 }; /* SIGNALS: bytes of the kernel's sets */
static struct {
    const char *name;
    int bytes;
} done[CALLS];
static unsigned ndone;
/* Copies that the program has made, so that reading them is not reading input. */
static int handle_size, semaphores, segment, file, reader, writer, udp, listener, epoll, timerfd, queue,
    terminal, timer;
static mqd_t mq = -1;
static struct sockaddr_in self;
static void *page;
static unsigned char b[2][SIZE]; /* not on the stack, where what calls have left may be read by the next */

/* The newer call where there are two. */
#ifdef SYS_fstat64
#define NR_fstat SYS_fstat64
#else
#define NR_fstat SYS_fstat
#endif
#ifdef SYS_fstatat64
#define NR_newfstatat SYS_fstatat64
#else
#define NR_newfstatat SYS_newfstatat
#endif
#ifdef SYS_getgroups32
#define NR_getgroups SYS_getgroups32
#define NR_getresuid SYS_getresuid32
#define NR_getresgid SYS_getresgid32
#define NR_getrlimit SYS_ugetrlimit
#else
#define NR_getgroups SYS_getgroups
#define NR_getresuid SYS_getresuid
#define NR_getresgid SYS_getresgid
#define NR_getrlimit SYS_getrlimit
#endif

static void note(const char *name, int bytes)
{
    done[ndone].name = name;
    done[ndone++].bytes = bytes;
}

/* Both reads of a byte are the function's own. */
static inline __attribute__((always_inline)) int written(void)
{
    volatile unsigned char(*v)[SIZE] = b;
    int n = 0;
    for (int i = 0; i < SIZE; i++) {
        unsigned char x = v[0][i], y = v[1][i];
        n += x != 0xaa || y != 0x55;
    }
    return n;
}

#define CALL(name, ...)                                  \
    static __attribute__((noinline)) void f_##name(void) \
    {                                                    \
        long r = -1;                                     \
        for (int pass = 0; pass < 2; pass++) {           \
            unsigned char *m = b[pass];                  \
            memset(m, pass ? 0x55 : 0xaa, SIZE);         \
            __VA_ARGS__;                                 \
            if (r < 0)                                   \
                return;                                  \
        }                                                \
        note(#name, written());                          \
    }
/* Takes out of the pipe what a call has put there: what that leaves on the stack is not the call's. */
static __attribute__((noinline)) long drain(size_t n)
{
    char drop[60];
    return read(reader, drop, n);
}

/* The int at m + at starts as this; the kernel writes it as well. */
#define INT(at) (*(int *)(m + (at)))

static __attribute__((noinline)) void send_self(void)
{
    if (sendto(udp, "0123456789", 10, 0, (struct sockaddr *)&self, sizeof self) != 10)
        perror("sendto");
}
static __attribute__((noinline)) int child(void)
{
    int id = fork();
    if (id == 0)
        _exit(7);
    return id;
}
static __attribute__((noinline)) aio_context_t requests(void)
{
    static aio_context_t all;
    if (!all && syscall(SYS_io_setup, 4, &all) != 0)
        all = 0;
    return all;
}
static __attribute__((noinline)) int submit(struct iocb *q)
{
    return (int)syscall(SYS_io_submit, requests(), 1L, &q);
}
static __attribute__((noinline)) int connection(void)
{
    static struct sockaddr_in to;
    static socklen_t n;
    n = sizeof to;
    int s = socket(AF_INET, SOCK_STREAM, 0);
    getsockname(listener, (struct sockaddr *)&to, &n);
    if (connect(s, (struct sockaddr *)&to, n) != 0)
        perror("connect");
    return s;
}

/* Statements as an argument of a macro: clang-format makes something else of them each time. */
/* clang-format off */
/* --- files --- */
CALL(read, int fd = open("input", O_RDONLY); r = syscall(SYS_read, fd, m, 100); close(fd))
CALL(pread64, r = pread64(file, m, 70, 5))
CALL(readv, int fd = open("input", O_RDONLY); struct iovec v[2] = {{m, 20}, {m + 100, 50}};
     r = readv(fd, v, 2); close(fd))
CALL(preadv, struct iovec v[2] = {{m, 20}, {m + 100, 31}}; r = preadv(file, v, 2, 3))
CALL(preadv2, struct iovec v[2] = {{m, 20}, {m + 100, 32}}; r = preadv2(file, v, 2, 3, 0))
CALL(getdents64, int fd = open("/", O_RDONLY | O_DIRECTORY); r = syscall(SYS_getdents64, fd, m, 600);
     close(fd))
CALL(getcwd, r = syscall(SYS_getcwd, m, SIZE))
CALL(fstat, r = syscall(NR_fstat, file, m))
CALL(newfstatat, r = syscall(NR_newfstatat, AT_FDCWD, "/", m, 0))
CALL(statx, r = syscall(SYS_statx, AT_FDCWD, "/", 0, 0x7ff, m))
CALL(statfs, r = syscall(SYS_statfs, "/", m))
CALL(fstatfs, r = syscall(SYS_fstatfs, file, m))
CALL(readlinkat, r = syscall(SYS_readlinkat, AT_FDCWD, "link", m, 300))
CALL(getxattr, r = syscall(SYS_getxattr, "input", "user.corecast", m, 100))
CALL(lgetxattr, r = syscall(SYS_lgetxattr, "input", "user.corecast", m, 100))
CALL(fgetxattr, r = syscall(SYS_fgetxattr, file, "user.corecast", m, 100))
CALL(listxattr, r = syscall(SYS_listxattr, "input", m, 200))
CALL(llistxattr, r = syscall(SYS_llistxattr, "input", m, 200))
CALL(flistxattr, r = syscall(SYS_flistxattr, file, m, 200))
CALL(pipe2, r = syscall(SYS_pipe2, m, 0))
CALL(sendfile, off_t at = 0; memcpy(m, &at, sizeof at); int fd = open("/dev/null", O_WRONLY);
     r = sendfile(fd, file, (off_t *)m, 20); close(fd))
CALL(copy_file_range, memset(m, 0, 8); int fd = open("copy", O_RDWR | O_CREAT, 0600);
     r = syscall(SYS_copy_file_range, file, m, fd, 0, 20, 0); close(fd))
CALL(splice, memset(m, 0, 8); char drop[20]; r = syscall(SYS_splice, file, m, writer, 0, 20, 0);
     if (r > 0) r = read(reader, drop, 20))
CALL(ioctl_fionread, char c = 1; r = write(writer, &c, 1); r = ioctl(reader, FIONREAD, m);
     read(reader, &c, 1))
CALL(ioctl_tcgets, r = syscall(SYS_ioctl, terminal, TCGETS, m))
CALL(ioctl_winsize, r = syscall(SYS_ioctl, terminal, TIOCGWINSZ, m))
CALL(ioctl_ptn, r = syscall(SYS_ioctl, terminal, TIOCGPTN, m))
CALL(ioctl_ifflags, struct ifreq q; memset(&q, 0, sizeof q); strcpy(q.ifr_name, "lo");
     memcpy(m, &q, sizeof q); r = syscall(SYS_ioctl, udp, 0x8913, m))
CALL(fcntl_getlk, struct flock q = {.l_type = F_WRLCK}; memcpy(m, &q, sizeof q); r = fcntl(file, F_GETLK, m))
CALL(fcntl_owner, r = fcntl(udp, F_GETOWN_EX, m))

/* --- sockets and queues --- */
CALL(recvfrom, send_self(); INT(300) = 64;
     r = recvfrom(udp, m, 100, 0, (struct sockaddr *)(m + 200), (socklen_t *)(m + 300)))
CALL(recvmsg, send_self(); struct iovec v[2] = {{m, 3}, {m + 50, 60}};
     struct msghdr h = {.msg_iov = v, .msg_iovlen = 2, .msg_name = m + 200, .msg_namelen = 90};
     r = recvmsg(udp, &h, 0))
CALL(recvmmsg, send_self(); send_self(); struct iovec v[2] = {{m, 30}, {m + 50, 60}}; struct mmsghdr h[2];
     memset(h, 0, sizeof h);
     for (int i = 0; i < 2; i++) h[i].msg_hdr.msg_iov = &v[i], h[i].msg_hdr.msg_iovlen = 1;
     r = recvmmsg(udp, h, 2, 0, 0))
CALL(getsockname, INT(300) = 100; r = syscall(SYS_getsockname, udp, m, m + 300))
CALL(getpeername, int s = connection(); int t = accept(listener, 0, 0); INT(300) = 100;
     r = syscall(SYS_getpeername, s, m, m + 300); close(s); close(t))
CALL(getsockopt, INT(300) = 100; r = syscall(SYS_getsockopt, udp, SOL_SOCKET, SO_TYPE, m, m + 300))
CALL(getsockopt_short, INT(300) = 2; r = syscall(SYS_getsockopt, udp, SOL_SOCKET, SO_RCVBUF, m, m + 300))
CALL(socketpair, r = syscall(SYS_socketpair, AF_UNIX, SOCK_STREAM, 0, m))
#ifdef SYS_accept
CALL(accept, int s = connection(); INT(300) = 8; r = syscall(SYS_accept, listener, m, m + 300); close(s))
#endif
CALL(accept4, int s = connection(); INT(300) = 100; r = syscall(SYS_accept4, listener, m, m + 300, 0);
     close(s))
CALL(epoll_pwait, send_self(); struct epoll_event e = {.events = EPOLLIN};
     epoll_ctl(epoll, EPOLL_CTL_ADD, udp, &e); r = syscall(SYS_epoll_pwait, epoll, m, 10, 0, 0, 8);
     char c[20]; recv(udp, c, 20, 0))
CALL(ppoll, struct pollfd p[2] = {{udp, POLLIN, 0}, {file, POLLIN, 0}}; memcpy(m + 100, p, sizeof p);
     memset(m + 106, m[0], 2); memset(m + 114, m[0], 2); struct timespec none = {0};
     r = syscall(SYS_ppoll, m + 100, 2, &none, 0, 8); memset(m + 100, m[0], 6); memset(m + 108, m[0], 6))
CALL(pselect6, memset(m, 0, sizeof(long)); m[file / 8] |= 1 << file % 8; struct timespec none = {0};
     r = syscall(SYS_pselect6, file + 1, m, 0, 0, &none, 0))
CALL(
    msgrcv,
    struct {
        long type;
        char text[16];
    } q = {3, "queue"};
    msgsnd(queue, &q, 16, 0); r = msgrcv(queue, m, 100, 0, 0))
CALL(mq_timedreceive, mq_send(mq, "posix", 5, 1); unsigned p; (void)p;
     r = mq_receive(mq, (char *)m, 200, (unsigned *)(m + 300)))
CALL(mq_getsetattr, r = syscall(SYS_mq_getsetattr, mq, 0, m))

/* --- clocks and timers --- */
CALL(clock_gettime, r = syscall(SYS_clock_gettime, CLOCK_REALTIME, m))
CALL(clock_getres, r = syscall(SYS_clock_getres, CLOCK_REALTIME, m))
CALL(gettimeofday, r = syscall(SYS_gettimeofday, m, m + 100))
CALL(times, r = syscall(SYS_times, m))
CALL(getitimer, r = syscall(SYS_getitimer, ITIMER_REAL, m))
CALL(setitimer, long zero[4] = {0}; r = syscall(SYS_setitimer, ITIMER_REAL, zero, m))
CALL(timer_create, struct sigevent e; memset(&e, 0, sizeof e); e.sigev_notify = SIGEV_NONE;
     r = syscall(SYS_timer_create, CLOCK_MONOTONIC, &e, m))
CALL(timer_gettime, r = syscall(SYS_timer_gettime, timer, m))
CALL(timer_settime, long zero[4] = {0}; r = syscall(SYS_timer_settime, timer, 0, zero, m))
CALL(timerfd_gettime, r = syscall(SYS_timerfd_gettime, timerfd, m))
CALL(timerfd_settime, long zero[4] = {0}; r = syscall(SYS_timerfd_settime, timerfd, 0, zero, m))
CALL(adjtimex, memset(m, 0, sizeof(long) == 8 ? 208 : 128); r = syscall(SYS_adjtimex, m))
CALL(clock_adjtime, memset(m, 0, sizeof(long) == 8 ? 208 : 128);
     r = syscall(SYS_clock_adjtime, CLOCK_REALTIME, m))
CALL(sched_rr_get_interval, r = syscall(SYS_sched_rr_get_interval, 0, m))
CALL(nanosleep, struct itimerval soon = {{0, 0}, {0, 20000}}; setitimer(ITIMER_REAL, &soon, 0);
     long long_time[2] = {5, 0}; r = syscall(SYS_nanosleep, long_time, m) < 0 ? 0 : -1)
#ifdef SYS_clock_gettime64
CALL(clock_gettime64, r = syscall(SYS_clock_gettime64, CLOCK_REALTIME, m))
CALL(clock_getres_time64, r = syscall(SYS_clock_getres_time64, CLOCK_REALTIME, m))
CALL(timerfd_gettime64, r = syscall(SYS_timerfd_gettime64, timerfd, m))
#endif

/* --- the process --- */
CALL(getrandom, r = syscall(SYS_getrandom, m, 90, 0))
CALL(uname, r = syscall(SYS_uname, m))
CALL(sysinfo, r = syscall(SYS_sysinfo, m))
CALL(getrusage, r = syscall(SYS_getrusage, RUSAGE_SELF, m))
CALL(getrlimit, r = syscall(NR_getrlimit, 7, m))
CALL(prlimit64, r = syscall(SYS_prlimit64, 0, 7, 0, m))
CALL(wait4, int id = child(); r = syscall(SYS_wait4, id, m, 0, m + 100))
CALL(waitid, int id = child(); r = syscall(SYS_waitid, P_PID, id, m, WEXITED, 0))
CALL(getgroups, r = syscall(NR_getgroups, 100, m))
CALL(getresuid, r = syscall(NR_getresuid, m, m + 10, m + 20))
CALL(getresgid, r = syscall(NR_getresgid, m, m + 10, m + 20))
CALL(sched_getaffinity, r = syscall(SYS_sched_getaffinity, 0, SIZE, m))
CALL(sched_getparam, r = syscall(SYS_sched_getparam, 0, m))
CALL(sched_getattr, r = syscall(SYS_sched_getattr, 0, m, 48, 0))
CALL(getcpu, r = syscall(SYS_getcpu, m, m + 10, 0))
CALL(capget, struct __user_cap_header_struct h = {_LINUX_CAPABILITY_VERSION_3, 0};
     r = syscall(SYS_capget, &h, m))
CALL(prctl_name, r = syscall(SYS_prctl, PR_GET_NAME, m))
CALL(prctl_signal, r = syscall(SYS_prctl, PR_GET_PDEATHSIG, m))
CALL(rt_sigaction, r = syscall(SYS_rt_sigaction, SIGUSR1, 0, m, SIGNALS))
CALL(rt_sigprocmask, r = syscall(SYS_rt_sigprocmask, SIG_BLOCK, 0, m, SIGNALS))
CALL(rt_sigpending, r = syscall(SYS_rt_sigpending, m, SIGNALS))
CALL(rt_sigtimedwait, sigset_t set; sigemptyset(&set); sigaddset(&set, SIGUSR2);
     sigprocmask(SIG_BLOCK, &set, 0); kill(getpid(), SIGUSR2);
     r = syscall(SYS_rt_sigtimedwait, &set, m, 0, SIGNALS))
CALL(sigaltstack, r = syscall(SYS_sigaltstack, 0, m))
CALL(get_robust_list, r = syscall(SYS_get_robust_list, 0, m, m + 16))
CALL(mincore, r = syscall(SYS_mincore, page, 3 * 4096 - 10, m))
CALL(process_vm_readv, struct iovec to = {m, 40}, from = {page, 40};
     r = process_vm_readv(getpid(), &to, 1, &from, 1, 0))
CALL(get_mempolicy, r = syscall(SYS_get_mempolicy, m, 0, 0, 0, 0))

CALL(process_vm_writev, struct iovec from[2] = {{page, 40}, {page, 20}}, to[2] = {{m, 10}, {m + 100, 50}};
     r = process_vm_writev(getpid(), from, 2, to, 2, 0))
/* those of the kernel where the last has high halves of its times */
#define STAT (sizeof(long) == 8 ? IPC_STAT : IPC_STAT | 0x100)
CALL(msgctl, r = syscall(SYS_msgctl, queue, STAT, m))
CALL(semctl, r = syscall(SYS_semctl, semaphores, 0, STAT, m))
CALL(shmctl, r = syscall(SYS_shmctl, segment, STAT, m))

/* --- what the kernel does to words that threads wait at --- */
CALL(futex_wake, r = syscall(SYS_futex, m, FUTEX_WAKE, 1))
CALL(futex_wake_op, r = syscall(SYS_futex, m, FUTEX_WAKE_OP, 1, 1L, m + 100, FUTEX_OP(FUTEX_OP_SET, 0x123, FUTEX_OP_CMP_EQ, 0)))
CALL(futex_lock, INT(8) = 0; r = syscall(SYS_futex, m + 8, FUTEX_LOCK_PI, 0, 0L))

/* --- what is read later, or by way of a pipe --- */
CALL(io_getevents, struct iocb q; memset(&q, 0, sizeof q); q.aio_lio_opcode = IOCB_CMD_PREAD; q.aio_fildes = (unsigned)file;
     q.aio_buf = (unsigned long)(m + 100); q.aio_nbytes = 60; q.aio_offset = 500;
     r = submit(&q) == 1 ? syscall(SYS_io_getevents, requests(), 1L, 1L, m, 0L) : -1)
CALL(io_getevents_vector, struct iovec v[2] = {{m + 100, 10}, {m + 200, 20}}; struct iocb q; memset(&q, 0, sizeof q);
     q.aio_lio_opcode = IOCB_CMD_PREADV; q.aio_fildes = (unsigned)file; q.aio_buf = (unsigned long)v; q.aio_nbytes = 2;
     r = submit(&q) == 1 ? syscall(SYS_io_getevents, requests(), 1L, 1L, m, 0L) : -1)
CALL(io_getevents_sent, struct iocb q; memset(&q, 0, sizeof q); q.aio_lio_opcode = IOCB_CMD_PWRITE; q.aio_fildes = (unsigned)writer;
     q.aio_buf = (unsigned long)page; q.aio_nbytes = 60;
     r = submit(&q) == 1 ? syscall(SYS_io_getevents, requests(), 1L, 1L, m, 0L) : -1; if (r > 0) r = drain(60))
CALL(vmsplice, char text[30] = {1}; struct iovec v[2] = {{m, 20}, {m + 100, 30}}; r = write(writer, text, 30);
     r = vmsplice(reader, v, 2, 0))
CALL(vmsplice_sent, struct iovec v = {m, 30}; r = vmsplice(writer, &v, 1, 0); if (r > 0) r = drain(30))
CALL(name_to_handle_at, INT(0) = handle_size; r = syscall(SYS_name_to_handle_at, AT_FDCWD, ".", m, m + 200, 0))

/* --- what only older machines have --- */
#ifdef SYS_stat
#ifdef SYS_stat64
CALL(stat, r = syscall(SYS_stat64, "/", m))
CALL(lstat, r = syscall(SYS_lstat64, "/", m))
#else
CALL(stat, r = syscall(SYS_stat, "/", m))
CALL(lstat, r = syscall(SYS_lstat, "/", m))
#endif
CALL(readlink, r = syscall(SYS_readlink, "link", m, 300))
CALL(pipe, r = syscall(SYS_pipe, m))
CALL(poll, struct pollfd p = {file, POLLIN, 0}; memcpy(m + 100, &p, sizeof p); memset(m + 106, m[0], 2);
     r = syscall(SYS_poll, m + 100, 1, 0); memset(m + 100, m[0], 6))
#endif
#ifdef SYS_time
CALL(time, r = syscall(SYS_time, m))
#endif
#ifdef SYS__newselect
#define NR_select SYS__newselect
#elif defined SYS_select
#define NR_select SYS_select
#endif
#ifdef NR_select
CALL(select, memset(m, 0, sizeof(long)); m[file / 8] |= 1 << file % 8; long none[2] = {0};
     r = syscall(NR_select, file + 1, m, 0, 0, none))
#endif
#ifdef SYS_arch_prctl
CALL(arch_prctl, r = syscall(SYS_arch_prctl, 0x1003, m))
#endif
/* clang-format on */

static void on_alarm(int sig)
{
    (void)sig;
}

static void prepare(void)
{
    char line[512];
    memset(line, 'x', sizeof line);
    file = open("input", O_RDWR | O_CREAT | O_TRUNC, 0600);
    if (write(file, line, sizeof line) != sizeof line)
        perror("write");
    fsetxattr(file, "user.corecast", "value", 5, 0);
    if (symlink("a-target", "link") != 0 && access("link", F_OK) == 0)
        perror("symlink");
    terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY);
    page = mmap(0, 3 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memset(page, 1, 3 * 4096);
    signal(SIGALRM, on_alarm);
    signal(SIGUSR1, on_alarm);
    int ends[2], id = 0;
    struct sigevent none;
    memset(&none, 0, sizeof none);
    none.sigev_notify = SIGEV_NONE;
    if (pipe(ends) != 0 || syscall(SYS_timer_create, CLOCK_MONOTONIC, &none, &id) != 0)
        perror("prepare");
    reader = ends[0];
    writer = ends[1];
    timer = id;
    socklen_t n = sizeof self;
    self = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    udp = socket(AF_INET, SOCK_DGRAM, 0);
    if (bind(udp, (struct sockaddr *)&self, n) != 0)
        perror("bind");
    struct sockaddr_in any = self;
    getsockname(udp, (struct sockaddr *)&self, &n);
    fcntl(udp, F_SETOWN, getpid());
    listener = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(listener, (struct sockaddr *)&any, sizeof any) != 0 || listen(listener, 5) != 0)
        perror("listen");
    epoll = epoll_create1(0);
    timerfd = timerfd_create(CLOCK_MONOTONIC, 0);
    queue = msgget(IPC_PRIVATE, 0600);
    semaphores = semget(IPC_PRIVATE, 3, 0600);
    segment = shmget(IPC_PRIVATE, 4096, 0600);
    int handle[40] = {0}, mount; /* without room it tells how much it wants; QEMU fills all that there is */
    syscall(SYS_name_to_handle_at, AT_FDCWD, ".", handle, &mount, 0);
    handle_size = handle[0];
    char name[40];
    sprintf(name, "/corecast-%d", getpid());
    struct mq_attr a = {.mq_maxmsg = 2, .mq_msgsize = 100};
    mq = mq_open(name, O_CREAT | O_RDWR, 0600, &a);
    mq_unlink(name);
}

/* syscall() reads six arguments, given or not: no input may be left where they would be. */
static __attribute__((noinline)) void scrub(void)
{
    volatile unsigned char stack[8192];
    for (unsigned i = 0; i < sizeof stack; i++)
        stack[i] = 0;
}

#define RUN(name) scrub(), f_##name();
static void run_older(void)
{
#ifdef SYS_accept
    RUN(accept)
#endif
#ifdef SYS_clock_gettime64
    RUN(clock_gettime64)
    RUN(clock_getres_time64)
    RUN(timerfd_gettime64)
#endif
#ifdef SYS_stat
    RUN(stat)
    RUN(lstat)
    RUN(readlink)
    RUN(pipe)
    RUN(poll)
#endif
#ifdef SYS_time
    RUN(time)
#endif
#ifdef NR_select
    RUN(select)
#endif
#ifdef SYS_arch_prctl
    RUN(arch_prctl)
#endif
}

int main(void)
{
    prepare();
#define FILES(x)                                                                                             \
    x(read) x(pread64) x(readv) x(preadv) x(preadv2) x(getdents64) x(getcwd) x(fstat) x(newfstatat) x(statx) \
        x(statfs) x(fstatfs) x(readlinkat) x(getxattr) x(lgetxattr) x(fgetxattr) x(listxattr) x(llistxattr)  \
            x(flistxattr) x(pipe2) x(sendfile) x(copy_file_range) x(splice) x(ioctl_fionread)                \
                x(ioctl_tcgets) x(ioctl_winsize) x(ioctl_ptn) x(ioctl_ifflags) x(fcntl_getlk) x(fcntl_owner)
#define SOCKETS(x)                                                                                     \
    x(recvfrom) x(recvmsg) x(recvmmsg) x(getsockname) x(getpeername) x(getsockopt) x(getsockopt_short) \
        x(socketpair) x(accept4) x(epoll_pwait) x(ppoll) x(pselect6) x(msgrcv) x(mq_timedreceive)      \
            x(mq_getsetattr)
#define CLOCKS(x)                                                                                            \
    x(clock_gettime) x(clock_getres) x(gettimeofday) x(times) x(getitimer) x(setitimer) x(timer_create)      \
        x(timer_gettime) x(timer_settime) x(timerfd_gettime) x(timerfd_settime) x(adjtimex) x(clock_adjtime) \
            x(sched_rr_get_interval) x(nanosleep)
#define PROCESS(x)                                                                                          \
    x(getrandom) x(uname) x(sysinfo) x(getrusage) x(getrlimit) x(prlimit64) x(wait4) x(waitid) x(getgroups) \
        x(getresuid) x(getresgid) x(sched_getaffinity) x(sched_getparam) x(sched_getattr) x(getcpu)         \
            x(capget) x(prctl_name) x(prctl_signal) x(rt_sigaction) x(rt_sigprocmask) x(rt_sigpending)      \
                x(rt_sigtimedwait) x(sigaltstack) x(get_robust_list) x(mincore) x(process_vm_readv)         \
                    x(get_mempolicy) x(process_vm_writev) x(msgctl) x(semctl) x(shmctl)
#define LATER(x)                                                                                             \
    x(futex_wake) x(futex_wake_op) x(futex_lock) x(io_getevents) x(io_getevents_vector) x(io_getevents_sent) \
        x(vmsplice) x(vmsplice_sent) x(name_to_handle_at)
    FILES(RUN)
    SOCKETS(RUN)
    CLOCKS(RUN)
    PROCESS(RUN)
    LATER(RUN)
    run_older();
    msgctl(queue, IPC_RMID, 0);
    semctl(semaphores, 0, IPC_RMID);
    shmctl(segment, IPC_RMID, 0);
    for (unsigned i = 0; i < ndone; i++)
        printf("%s %d\n", done[i].name, done[i].bytes);
    return 0;
}
