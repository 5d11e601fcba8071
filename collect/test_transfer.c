/* What system calls fill, by the table: every way to tell how much, on machines with words of 8 and of 4
 * bytes. */
#include "transfer.c"
#include "tap.h"

#include <string.h>

/* The collector's side: what is moved is noted. */
static struct {
    uint64_t a, size;
} moved[64];
static unsigned nmoved, nsources;
static uint8_t memory[4096]; /* the program's, at address BASE */
enum { BASE = 0x10000, P = BASE + 0x100, Q = BASE + 0x400, IOV = BASE + 0x800 };
enum { SELF = 41, ONLY_READ = 7, READ_AND_WRITE = 8 };

void cc_input(struct cc_thread *t, uint64_t a, uint64_t size, uint32_t source)
{
    (void)t;
    (void)source;
    moved[nmoved].a = a;
    moved[nmoved++].size = size;
}

void cc_output(struct cc_thread *t, uint64_t a, uint64_t size)
{
    cc_input(t, a, size, 0);
}

void cc_share_range(struct cc_collect *c, uint64_t start, uint64_t size)
{
    (void)c;
    cc_input(NULL, start, size, 0);
}

void cc_grow_range(struct cc_collect *c, uint64_t start, uint64_t old_size, uint64_t size)
{
    cc_share_range(c, start + old_size, size - old_size);
}

void cc_empty_range(struct cc_collect *c, uint64_t start, uint64_t size)
{
    cc_share_range(c, start, size);
}

static size_t read_guest(void *self, uint64_t address, void *to, size_t size)
{
    (void)self;
    if (address < BASE || address + size > BASE + sizeof memory)
        return 0;
    memcpy(to, memory + (address - BASE), size);
    return size;
}

/* Of /proc/self: a thread's, and two ends of pipes. */
static long read_file(void *self, const char *path, void *to, size_t size, uint64_t offset)
{
    static const struct {
        const char *path, *text;
    } files[] = {{"/proc/self/task/41/stat", "41 (x) R 1"},
                 {"/proc/self/fdinfo/7", "pos:\t0\nflags:\t00\nmnt_id:\t14\n"},
                 {"/proc/self/fdinfo/8", "pos:\t0\nflags:\t02000002\nmnt_id:\t14\n"}};
    (void)self;
    for (size_t i = 0; i < sizeof files / sizeof *files && offset == 0; i++)
        if (strcmp(files[i].path, path) == 0 && strlen(files[i].text) < size)
            return memcpy(to, files[i].text, strlen(files[i].text)) ? (long)strlen(files[i].text) : -1;
    return -1;
}

static uint32_t source(const struct cc_call *call)
{
    (void)call;
    nsources++;
    return 7;
}

static void put(uint64_t address, uint64_t v, size_t size)
{
    memcpy(memory + (address - BASE), &v, size);
}

static struct cc_collect collect = {.host = {.read_guest = read_guest, .read_file = read_file}};
static struct cc_thread thread = {.owner = &collect};

static const struct cc_syscall *named(const struct cc_isa *isa, const char *name)
{
    for (uint64_t i = 0; i < 5000; i++) {
        const struct cc_syscall *s = cc_syscall(isa, i);
        if (s && strcmp(s->name, name) == 0)
            return s;
    }
    return NULL;
}

static struct cc_call call_of(enum cc_isa_id isa, const char *name, uint64_t a0, uint64_t a1, uint64_t a2,
                              uint64_t a3)
{
    struct cc_call c = {.s = named(&cc_isas[isa], name), .isa = &cc_isas[isa], .args = {a0, a1, a2, a3}};
    nmoved = nsources = 0;
    return c;
}

/* Whether exactly this was moved. */
static bool is(unsigned n, uint64_t a, uint64_t size)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < nmoved; i++)
        sum += moved[i].size;
    return nmoved == n && sum == size && (n == 0 || (moved[0].a == a && nsources == 1));
}

static const struct {
    const char *name;
    enum cc_isa_id isa;
    uint64_t args[4];
    int64_t result;
    unsigned n;
    uint64_t at, size;
} calls[] = {
    {"fstat", CC_ISA_AARCH64, {3, P}, 0, 1, P, 128},
    {"fstat", CC_ISA_X86, {3, P}, 0, 1, P, 144},
    {"fstat", CC_ISA_ARM, {3, P}, 0, 1, P, 104},
    {"fstat", CC_ISA_AARCH64, {3, P}, -9, 0, 0, 0},
    {"fstat", CC_ISA_AARCH64, {3, 0}, 0, 0, 0, 0},
    {"read", CC_ISA_ARM, {3, P, 100}, 60, 1, P, 60},
    {"read", CC_ISA_ARM, {3, P, 100}, 0, 0, 0, 0},
    {"clock_gettime", CC_ISA_MIPS, {0, P}, 0, 1, P, 8},
    {"clock_gettime64", CC_ISA_MIPS, {0, P}, 0, 1, P, 16},
    {"recvfrom", CC_ISA_X86, {3, P, 100}, 60, 1, P, 60},
    {"recvfrom", CC_ISA_X86, {3, P, 3}, 60, 1, P, 3}, /* MSG_TRUNC: how long it was */
    {"recv", CC_ISA_ARM, {3, P, 3}, 60, 1, P, 3},
    {"getgroups", CC_ISA_X86, {2, P}, 2, 1, P, 8},
    {"getgroups", CC_ISA_X86, {0, P}, 2, 0, 0, 0},
    {"getxattr", CC_ISA_X86, {1, 2, P, 100}, 30, 1, P, 30},
    {"rt_sigprocmask", CC_ISA_X86, {0, 0, P, 8}, 0, 1, P, 8},
    {"rt_sigaction", CC_ISA_RISCV, {5, 0, P, 8}, 0, 1, P, 24},
    {"wait4", CC_ISA_X86, {1, P, 0, Q}, 0, 0, 0, 0},
    {"wait4", CC_ISA_X86, {1, P, 0, Q}, 55, 2, P, 148},
    {"wait4", CC_ISA_ARM, {1, P, 0, Q}, 55, 2, P, 76},
    {"nanosleep", CC_ISA_X86, {1, P}, 0, 0, 0, 0},
    {"nanosleep", CC_ISA_X86, {1, P}, -4, 1, P, 16},
    {"nanosleep", CC_ISA_X86, {1, P}, -22, 0, 0, 0},
    {"mincore", CC_ISA_X86, {0, 8193, P}, 0, 1, P, 3},
    {"pselect6", CC_ISA_X86, {65, P, 0, 0}, 1, 1, P, 16},
    {"pselect6", CC_ISA_ARM, {65, P, 0, 0}, 1, 1, P, 12},
    {"ppoll", CC_ISA_X86, {P, 3, 0}, 1, 3, P + 6, 6},
    {"epoll_pwait", CC_ISA_X86, {4, P}, 2, 1, P, 24},
    {"epoll_pwait", CC_ISA_ARM, {4, P}, 2, 1, P, 32},
    {"msgrcv", CC_ISA_ARM, {4, P}, 10, 1, P, 14},
    {"ioctl", CC_ISA_X86, {0, 0x5401, P}, 0, 1, P, 36},
    {"ioctl", CC_ISA_MIPS, {0, 0x540d, P}, 0, 1, P, 40},
    {"ioctl", CC_ISA_X86, {0, 0x80045430, P}, 0, 1, P, 4},
    {"ioctl", CC_ISA_MIPS, {0, 0x40087468, P}, 0, 1, P, 8},
    {"ioctl", CC_ISA_X86, {0, 0x40045431, P}, 0, 0, 0, 0},
    {"ioctl", CC_ISA_X86, {0, 0x5402, P}, 0, 0, 0, 0},
    {"ioctl", CC_ISA_X86, {0, 0x540d, P}, 0, 0, 0, 0},  /* that a terminal is not one's own any more */
    {"ioctl", CC_ISA_MIPS, {0, 0x540f, P}, 0, 0, 0, 0}, /* sets what a terminal does */
    {"statfs", CC_ISA_MIPS, {0, P}, 0, 1, P, 68},
    {"fcntl", CC_ISA_X86, {0, 5, P}, 0, 1, P, 32},
    {"fcntl", CC_ISA_X86, {0, 3, P}, 0, 0, 0, 0},
    {"prctl", CC_ISA_X86, {16, P}, 0, 1, P, 16},
    {"prctl", CC_ISA_X86, {15, P}, 0, 0, 0, 0},
    {"arch_prctl", CC_ISA_X86, {0x1003, P}, 0, 1, P, 8},
    {"clone", CC_ISA_X86, {0x00100000, 0, P}, 77, 1, P, 4},
    {"clone", CC_ISA_X86, {0x01000000, 0, Q, P}, 0, 1, P, 4},
    {"clone", CC_ISA_X86, {0x01000000, 0, Q, P}, 77, 0, 0, 0},
    {"clone", CC_ISA_X86, {0x1000, 0, P}, 77, 1, P, 4},
    {"clone", CC_ISA_X86, {0x100, 0, P}, 77, 0, 0, 0},
    {"write", CC_ISA_X86, {1, P, 5}, 5, 0, 0, 0},
    {"msgctl", CC_ISA_X86, {1, 2, P}, 0, 1, P, 120},
    {"msgctl", CC_ISA_ARM, {1, 0x102, P}, 0, 1, P, 88},
    {"msgctl", CC_ISA_X86, {1, 1, P}, 0, 0, 0, 0},
    {"semctl", CC_ISA_X86, {1, 0, 2, P}, 0, 1, P, 104},
    {"semctl", CC_ISA_RISCV, {1, 0, 18, P}, 5, 1, P, 88},
    {"semctl", CC_ISA_X86, {1, 0, 16, P}, 0, 0, 0, 0},
    {"shmctl", CC_ISA_MIPS, {1, 0x102, P}, 0, 1, P, 72},
    {"shmctl", CC_ISA_AARCH64, {1, 14, P}, 3, 1, P, 48},
    {"shmctl", CC_ISA_AARCH64, {1, 0, P}, 0, 0, 0, 0},
    {"keyctl", CC_ISA_X86, {11, 5, P, 20}, 30, 1, P, 20},
    {"keyctl", CC_ISA_X86, {2, 5, P, 20}, 0, 0, 0, 0},
    {"futex", CC_ISA_X86, {P, 0}, 0, 0, 0, 0},
    {"futex", CC_ISA_X86, {P, 1 | 128}, 1, 0, 0, 0},
    {"futex", CC_ISA_X86, {P, 6 | 128}, 0, 1, P, 4},
    {"futex", CC_ISA_X86, {P, 7}, 0, 1, P, 4},
    {"futex", CC_ISA_X86, {P, 6}, -11, 0, 0, 0},
    {"io_uring_setup", CC_ISA_AARCH64, {8, P}, 3, 1, P, 120},
    {"vmsplice", CC_ISA_X86, {ONLY_READ, IOV, 2}, 25, 2, P, 25},
    {"vmsplice", CC_ISA_X86, {READ_AND_WRITE, IOV, 2}, 25, 0, 0, 0},
    {"vmsplice", CC_ISA_X86, {3, IOV, 2}, 25, 0, 0, 0},
};

static void test_sizes(void)
{
    put(IOV, P, 8), put(IOV + 8, 10, 8), put(IOV + 16, P + 50, 8), put(IOV + 24, 100, 8);
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        struct cc_call c = call_of(calls[i].isa, calls[i].name, calls[i].args[0], calls[i].args[1],
                                   calls[i].args[2], calls[i].args[3]);
        cc_syscall_enter(&collect, &c);
        cc_syscall_input(&thread, &c, calls[i].result, source);
        OK(c.s && is(calls[i].n, calls[i].at, calls[i].size), "%s of %s, result %lld: %llu bytes",
           calls[i].name, cc_isas[calls[i].isa].name, (long long)calls[i].result,
           (unsigned long long)calls[i].size);
    }
}

/* A length that is told where the call leaves another. */
static void test_lengths(void)
{
    struct cc_call c = call_of(CC_ISA_X86, "accept", 3, P, Q, 0);
    put(Q, 8, 4);
    cc_syscall_enter(&collect, &c);
    put(Q, 16, 4);
    cc_syscall_input(&thread, &c, 5, source);
    OK(is(2, P, 8 + 4), "an address is cut to the room there was, and its length is filled");
    c = call_of(CC_ISA_X86, "accept", 3, 0, 0, 0);
    cc_syscall_enter(&collect, &c);
    cc_syscall_input(&thread, &c, 5, source);
    OK(is(0, 0, 0), "nobody wants the address");
    c = call_of(CC_ISA_X86, "accept", 3, 8, 16, 0); /* nothing is mapped there */
    cc_syscall_enter(&collect, &c);
    cc_syscall_input(&thread, &c, -14, source);
    OK(is(0, 0, 0), "pointers that lead nowhere");
}

static void test_mapped(void)
{
    struct cc_call c = call_of(CC_ISA_ARM, "mmap2", 0, 5000, 3, 1);
    cc_syscall_mapped(&collect, &c, P);
    OK(nmoved == 1 && moved[0].a == P && moved[0].size == 8192, "shared memory is told of, in pages");
    c = call_of(CC_ISA_X86, "mmap", 0, 5000, 3, 2);
    cc_syscall_mapped(&collect, &c, P);
    OK(nmoved == 0, "what is private is not");
    c = call_of(CC_ISA_MIPS, "madvise", P, 4096, 4, 0);
    cc_syscall_mapped(&collect, &c, 0);
    OK(nmoved == 1 && moved[0].a == P && moved[0].size == 4096, "memory that is not needed any more");
    c = call_of(CC_ISA_MIPS, "madvise", P, 4096, 3, 0);
    cc_syscall_mapped(&collect, &c, 0);
    c.args[2] = 4;
    cc_syscall_mapped(&collect, &c, -22);
    OK(nmoved == 0, "other advice, and such that is not taken");
    c = call_of(CC_ISA_MIPS, "mremap", P, 100, 4097, 0);
    cc_syscall_mapped(&collect, &c, Q);
    OK(nmoved == 1 && moved[0].a == Q + 4096 && moved[0].size == 4096, "a mapping that grows");
}

static void test_vectors(enum cc_isa_id isa)
{
    uint64_t w = cc_isas[isa].wide ? 8 : 4, iov = Q + 0x100;
    put(iov, P, w), put(iov + w, 10, w), put(iov + 2 * w, P + 50, w), put(iov + 3 * w, 100, w);
    struct cc_call c = call_of(isa, "readv", 3, iov, 2, 0);
    cc_syscall_input(&thread, &c, 25, source);
    OK(is(2, P, 25) && moved[1].a == P + 50 && moved[1].size == 15, "%s: two pieces, the second in part",
       cc_isas[isa].name);
    c = call_of(isa, "writev", 1, iov, 2, 0);
    cc_syscall_output(&thread, &c, 25);
    OK(nmoved == 2 && moved[0].size == 10 && moved[1].size == 15 && nsources == 0, "%s: sent as well",
       cc_isas[isa].name);
    uint64_t h = Q;
    put(h, P + 200, w), put(h + w, 16, 4), put(h + 2 * w, iov, w), put(h + 3 * w, 2, w);
    put(h + 4 * w, P + 300, w), put(h + 5 * w, 24, w), put(h + 6 * w, 0, 4);
    c = call_of(isa, "recvmsg", 3, h, 0, 0);
    cc_syscall_enter(&collect, &c);
    cc_syscall_input(&thread, &c, 12, source);
    OK(is(7, P, 12 + 16 + 24 + 4 + w + 4), "%s: a message, its address, control data and header",
       cc_isas[isa].name);
    put(h + 7 * w, 11, 4);
    c = call_of(isa, "recvmmsg", 3, h, 1, 0);
    cc_syscall_input(&thread, &c, 1, source);
    OK(is(8, P, 11 + 16 + 24 + 4 + w + 4 + 4), "%s: one of several messages", cc_isas[isa].name);
    c = call_of(isa, "sendmmsg", 3, h, 1, 0);
    cc_syscall_input(&thread, &c, 1, source);
    OK(is(1, h + 7 * w, 4), "%s: of one that was sent, how much of it was", cc_isas[isa].name);
    nmoved = 0;
    cc_syscall_output(&thread, &c, 1);
    OK(nmoved == 2 && moved[0].size == 10 && moved[1].size == 1, "%s: which is what went out",
       cc_isas[isa].name);
}

/* What tells no bytes, since it sends all or nothing. */
static void test_queues(enum cc_isa_id isa)
{
    uint64_t w = cc_isas[isa].wide ? 8 : 4;
    struct cc_call c = call_of(isa, "mq_timedsend", 3, P, 20, 1);
    cc_syscall_output(&thread, &c, 0);
    OK(nmoved == 1 && moved[0].a == P && moved[0].size == 20, "%s: a message into a queue",
       cc_isas[isa].name);
    nmoved = 0;
    cc_syscall_output(&thread, &c, -11);
    OK(nmoved == 0, "%s: none into a full one", cc_isas[isa].name);
    c = call_of(isa, "msgsnd", 3, P, 20, 0);
    cc_syscall_output(&thread, &c, 0);
    OK(nmoved == 1 && moved[0].size == w + 20, "%s: one with its type", cc_isas[isa].name);
    c = call_of(isa, "msgsnd", 3, P, 20, 0);
    cc_syscall_output(&thread, &c, -4);
    OK(nmoved == 0, "%s: and none where waiting was interrupted", cc_isas[isa].name);
}

/* Two requests that are over: one has read, one has written; and one that failed. */
static void test_events(enum cc_isa_id isa)
{
    uint64_t w = cc_isas[isa].wide ? 8 : 4, events = Q, requests = Q + 0x100;
    put(IOV, P + 30, w), put(IOV + w, 4, w), put(IOV + 2 * w, P + 50, w), put(IOV + 3 * w, 100, w);
    static const struct {
        uint16_t what;
        uint64_t memory, size;
        int64_t result;
    } v[] = {{0, P, 20, 15}, {7, IOV, 2, 9}, {1, P + 200, 40, 33}, {8, IOV, 2, 7}, {0, P, 20, -5}};
    for (unsigned i = 0; i < 5; i++) {
        uint64_t q = requests + i * 64;
        put(q + 16, v[i].what, 2), put(q + 24, v[i].memory, 8), put(q + 32, v[i].size, 8);
        put(events + i * 32 + 8, q, 8), put(events + i * 32 + 16, (uint64_t)v[i].result, 8);
    }
    struct cc_call c = call_of(isa, "io_getevents", 1, 1, 5, events);
    cc_syscall_input(&thread, &c, 5, source);
    OK(is(4, events, 5 * 32 + 15 + 9) && moved[1].a == P && moved[2].a == P + 30 && moved[3].size == 5,
       "%s: what requests have read is filled", cc_isas[isa].name);
    nmoved = 0;
    cc_syscall_output(&thread, &c, 5);
    OK(nmoved == 3 && moved[0].a == P + 200 && moved[0].size == 33 && moved[1].size == 4 &&
           moved[2].size == 3,
       "%s: what they have written is sent", cc_isas[isa].name);
}

static void test_others(void)
{
    struct cc_call c = call_of(CC_ISA_X86, "process_vm_writev", SELF, IOV, 2, IOV);
    put(IOV, P, 8), put(IOV + 8, 10, 8), put(IOV + 16, P + 50, 8), put(IOV + 24, 100, 8);
    c.args[4] = 2;
    cc_syscall_input(&thread, &c, 25, source);
    OK(is(2, P, 25), "memory of one's own is written by way of the kernel");
    nmoved = 0, c.args[0] = SELF + 1;
    cc_syscall_input(&thread, &c, 25, source);
    OK(is(0, 0, 0), "and another process's");
    put(Q, 0x1000 | 0x00100000, 8), put(Q + 8, P, 8), put(Q + 16, P + 8, 8), put(Q + 24, P + 16, 8);
    c = call_of(CC_ISA_AARCH64, "clone3", Q, 88, 0, 0);
    cc_syscall_input(&thread, &c, 77, source);
    OK(is(2, P, 8) && moved[1].a == P + 16, "what a structure says is asked for of a new process");
    put(Q, 12, 4);
    c = call_of(CC_ISA_AARCH64, "name_to_handle_at", 3, 0, Q, P);
    cc_syscall_input(&thread, &c, 0, source);
    OK(is(2, Q, 20 + 4), "a handle is as long as it says");
    c = call_of(CC_ISA_AARCH64, "futex", P, 5, 1, 1);
    c.args[4] = Q;
    cc_syscall_input(&thread, &c, 0, source);
    OK(is(1, Q, 4), "waking changes another word");
    put(Q, P, 8), put(Q + 16, 4096, 8);
    c = call_of(CC_ISA_AARCH64, "ioctl", 3, 0xc028aa03, Q, 0);
    cc_syscall_input(&thread, &c, 0, source);
    OK(is(2, Q, 40 + 4096) && moved[1].a == P, "pages that a handler of faults has put there");
}

static bool restricts(const char *name, uint64_t a0, uint64_t a1, uint64_t a2)
{
    struct cc_call c = call_of(CC_ISA_AARCH64, name, a0, a1, a2, 0);
    return cc_syscall_restricts(&c);
}

/* One call for all of queues, semaphores and shared memory. */
static void test_ipc(void)
{
    enum { SEMCTL = 3, MSGRCV = 12, SHMAT = 21, SHMDT, NEWER = 1 << 16, STAT = 2, AT = 0x2000 };
    struct cc_call c = call_of(CC_ISA_MIPS, "ipc", MSGRCV, 5, 100, 0);
    c.args[4] = IOV;
    put(IOV, P, 4);
    cc_syscall_enter(&collect, &c);
    cc_syscall_input(&thread, &c, 30, source);
    OK(is(1, P, 34), "a message goes where the memory says that is pointed to");
    c = call_of(CC_ISA_MIPS, "ipc", MSGRCV | NEWER, 5, 100, 0);
    c.args[4] = P;
    cc_syscall_enter(&collect, &c);
    cc_syscall_input(&thread, &c, 30, source);
    OK(is(1, P, 34), "in the newer version to what is pointed to");
    c = call_of(CC_ISA_MIPS, "ipc", SEMCTL, 5, 0, STAT);
    c.args[4] = IOV;
    cc_syscall_enter(&collect, &c);
    cc_syscall_input(&thread, &c, 0, source);
    OK(is(1, P, 56), "and so does what is asked about semaphores");
    c = call_of(CC_ISA_MIPS, "ipc", SHMAT, 5, 0, IOV);
    cc_syscall_enter(&collect, &c);
    put(IOV, AT, 4);
    cc_syscall_input(&thread, &c, 0, source);
    OK(is(1, IOV, 4) && cc_syscall_attached(&collect, &c, 0) == AT, "where a segment is, is told in memory");
    c = call_of(CC_ISA_MIPS, "ipc", SHMDT, 0, 0, 0);
    c.args[4] = AT;
    cc_syscall_enter(&collect, &c);
    OK(c.s->kind == CC_SYS_SHMDT && c.args[0] == AT, "and given back by its address");
    c = call_of(CC_ISA_X86, "shmat", 5, 0, 0, IOV);
    cc_syscall_enter(&collect, &c);
    cc_syscall_input(&thread, &c, AT, source);
    OK(is(0, 0, 0) && cc_syscall_attached(&collect, &c, AT) == AT, "which the call itself returns elsewhere");
}

static void test_restricts(void)
{
    enum { FILE_SIZE = 1, STACK = 3, CORE = 4, FILES = 7 };
    OK(restricts("setrlimit", FILE_SIZE, P, 0) && restricts("setrlimit", FILES, P, 0),
       "limits that are ours too");
    OK(!restricts("setrlimit", STACK, P, 0) && !restricts("setrlimit", CORE, P, 0), "and such that are not");
    OK(restricts("prlimit64", 0, FILE_SIZE, P) && !restricts("prlimit64", 0, FILE_SIZE, 0) &&
           !restricts("prlimit64", 0, STACK, P),
       "by the call that also asks for them");
}

int main(void)
{
    test_restricts();
    test_sizes();
    test_lengths();
    test_mapped();
    test_vectors(CC_ISA_X86);
    test_vectors(CC_ISA_ARM);
    test_queues(CC_ISA_X86);
    test_queues(CC_ISA_ARM);
    test_events(CC_ISA_X86);
    test_events(CC_ISA_ARM);
    test_others();
    test_ipc();
    return TAP_DONE();
}
