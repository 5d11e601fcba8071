/* Requests in a ring (io_uring): what they read is input, to the byte, and what they wrote is output. Each of
 * the functions reads all of a buffer that dirty() has filled. 77: there are no rings here. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/io_uring.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { SIZE = 512 };
#define OWN __attribute__((noipa))
static char a[SIZE], b[SIZE];
static int ring;
static char *in, *out;
static struct io_uring_sqe *entries;
static struct io_uring_params p;

OWN static void dirty(volatile char *x)
{
    for (int i = 0; i < SIZE; i++)
        x[i] = 7;
}
#define SUM(name)                         \
    OWN static int name(volatile char *x) \
    {                                     \
        int s = 0;                        \
        for (int i = 0; i < SIZE; i++)    \
            s += x[i];                    \
        return s;                         \
    }
SUM(plain)
SUM(vector)
SUM(late)
SUM(early)
SUM(message)
SUM(about)
SUM(after)

static unsigned *at(char *base, unsigned offset)
{
    return (unsigned *)(base + offset);
}
static void put(struct io_uring_sqe request)
{
    unsigned tail = *at(in, p.sq_off.tail), i = tail & *at(in, p.sq_off.ring_mask);
    entries[i] = request;
    at(in, p.sq_off.array)[i] = i;
    __atomic_store_n(at(in, p.sq_off.tail), tail + 1, __ATOMIC_RELEASE);
}
/* Hands over what was put, and waits for so many; the result of the last. */
OWN static int enter(unsigned n, unsigned wait)
{
    if (syscall(SYS_io_uring_enter, ring, n, wait, IORING_ENTER_GETEVENTS, 0, 0) != (long)n)
        return -1;
    int result = -1;
    for (unsigned i = 0; i < wait; i++) {
        unsigned head = *at(out, p.cq_off.head);
        struct io_uring_cqe *all = (struct io_uring_cqe *)(out + p.cq_off.cqes);
        result = all[head & *at(out, p.cq_off.ring_mask)].res;
        __atomic_store_n(at(out, p.cq_off.head), head + 1, __ATOMIC_RELEASE);
    }
    return result;
}
static struct io_uring_sqe request(int what, int fd, void *memory, unsigned bytes, unsigned mark)
{
    return (struct io_uring_sqe){.opcode = (unsigned char)what,
                                 .fd = fd,
                                 .addr = (unsigned long)memory,
                                 .len = bytes,
                                 .user_data = mark};
}

/* Where the rings were is memory like any other, and what a file with their number has is no ring. */
static int without(int file)
{
    munmap(entries, p.sq_entries * sizeof *entries);
    munmap(in, p.sq_off.array + p.sq_entries * 4);
    char *own = mmap(out, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    int right =
        own == out && dup2(file, ring) == ring && mmap(0, SIZE, PROT_READ, MAP_SHARED, ring, 0) != MAP_FAILED;
    dirty(own);
    struct stat s;
    right = right && fstat(file, &s) == 0;
    after(own);
    return right;
}

int main(int argc, char **argv)
{
    (void)argc;
    ring = (int)syscall(SYS_io_uring_setup, 4, &p);
    if (ring < 0)
        return 77;
    enum { RW = PROT_READ | PROT_WRITE, HOW = MAP_SHARED | MAP_POPULATE };
    in = mmap(0, p.sq_off.array + p.sq_entries * 4, RW, HOW, ring, IORING_OFF_SQ_RING);
    out = mmap(0, p.cq_off.cqes + p.cq_entries * 16, RW, HOW, ring, IORING_OFF_CQ_RING);
    entries = mmap(0, p.sq_entries * sizeof *entries, RW, HOW, ring, IORING_OFF_SQES);
    int file = open(argv[0], O_RDONLY), null = open("/dev/null", O_WRONLY), ends[2], pair[2], right = 0;
    if (pipe(ends) != 0 || socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) != 0)
        return 1;

    dirty(a);
    put(request(IORING_OP_READ, file, a, 300, 1));
    right += enter(1, 1) == 300;
    plain(a);

    dirty(a);
    struct iovec two[2] = {{a, 20}, {a + 100, 50}};
    put(request(IORING_OP_READV, file, two, 2, 2));
    right += enter(1, 1) == 70;
    vector(a);

    /* the first waits for a pipe and ends after the second */
    dirty(a);
    dirty(b);
    put(request(IORING_OP_READ, ends[0], a, 400, 3));
    put(request(IORING_OP_READ, file, b, 40, 4));
    right += enter(2, 1) == 40;
    early(b);
    right += write(ends[1], "0123456789", 10) == 10;
    right += enter(0, 1) == 10;
    late(a);

    dirty(a);
    struct iovec one = {a, 100};
    struct msghdr header = {.msg_iov = &one, .msg_iovlen = 1};
    right += send(pair[0], "0123456789", 10, 0) == 10;
    put(request(IORING_OP_RECVMSG, pair[1], &header, 1, 5));
    right += enter(1, 1) == 10;
    message(a);

    dirty(a);
    struct io_uring_sqe x = request(IORING_OP_STATX, AT_FDCWD, argv[0], STATX_ALL, 6);
    x.off = (unsigned long)a;
    put(x);
    right += enter(1, 1) == 0;
    about(a);

    dirty(a);
    put(request(IORING_OP_WRITE, null, a, 200, 7));
    right += enter(1, 1) == 200;

    right += without(file);
    return right != 10;
}
