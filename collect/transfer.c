#include "transfer.h"
#include "internal.h"
#include "ring.h"

/* One system call's way through memory. */
struct transfer {
    struct cc_thread *t;
    const struct cc_call *call;
    uint64_t word;      /* bytes of a pointer */
    uint64_t result;    /* not of a call that failed */
    cc_source_of *from; /* NULL: memory is sent */
    uint32_t source;    /* of what comes in; CC_NONE: not known yet */
};

static uint64_t peek(struct cc_collect *c, uint64_t a, uint64_t size)
{
    uint64_t v = 0;
    if (!c->host.read_guest || c->host.read_guest(c->host.self, a, &v, size) != size)
        return 0;
    return v;
}

static uint64_t word_at(const struct transfer *x, uint64_t a)
{
    return peek(x->t->owner, a, x->word);
}

static uint64_t int_at(const struct transfer *x, uint64_t a)
{
    return peek(x->t->owner, a, 4);
}

static uint64_t long_at(const struct transfer *x, uint64_t a)
{
    return peek(x->t->owner, a, 8);
}

static void move(struct transfer *x, uint64_t a, uint64_t size)
{
    if (!a || !size)
        return;
    if (!x->from) {
        cc_output(x->t, a, size);
        return;
    }
    if (x->source == CC_NONE)
        x->source = x->from(x->call);
    cc_input(x->t, a, size, x->source);
}

static uint64_t at_most(uint64_t n, uint64_t most)
{
    return n < most ? n : most;
}

/* --- vectors and messages --- */

static void move_vector(struct transfer *x, uint64_t iov, uint64_t count, uint64_t bytes)
{
    for (uint64_t i = 0; i < count && i < 1024 && bytes; i++, iov += 2 * x->word) {
        uint64_t a = word_at(x, iov), size = at_most(word_at(x, iov + x->word), bytes);
        move(x, a, size);
        bytes -= size;
    }
}

/* msghdr: name, its length (an int, padded), iovec, count, control, its length, flags (an int) */
static void fill_message(struct transfer *x, uint64_t header, uint64_t bytes, uint64_t room)
{
    uint64_t w = x->word, name = word_at(x, header);
    move_vector(x, word_at(x, header + 2 * w), word_at(x, header + 3 * w), bytes);
    if (name)
        move(x, name, at_most(int_at(x, header + w), room));
    move(x, word_at(x, header + 4 * w), word_at(x, header + 5 * w));
    move(x, header + w, 4);
    move(x, header + 5 * w, w);
    move(x, header + 6 * w, 4);
}

/* mmsghdr: msghdr, how much of it was moved (an int, padded) */
enum { MOST_MESSAGES = 1024 };

static uint64_t message_moved(const struct transfer *x)
{
    return 7 * x->word;
}

static uint64_t message_each(const struct transfer *x)
{
    return x->word == 8 ? 64 : 32;
}

static void fill_messages(struct transfer *x, uint64_t a, bool received)
{
    uint64_t moved = message_moved(x);
    for (uint64_t i = 0; i < x->result && i < MOST_MESSAGES; i++, a += message_each(x)) {
        if (received)
            fill_message(x, a, int_at(x, a + moved), UINT32_MAX);
        move(x, a + moved, 4);
    }
}

static void send_message(struct transfer *x, uint64_t header, uint64_t bytes)
{
    move_vector(x, word_at(x, header + 2 * x->word), word_at(x, header + 3 * x->word), bytes);
}

static void send_messages(struct transfer *x, uint64_t a, uint64_t count)
{
    for (uint64_t i = 0; i < count && i < MOST_MESSAGES; i++, a += message_each(x))
        send_message(x, a, int_at(x, a + message_moved(x)));
}

/* io_event: data, the request (iocb), its result, another. iocb: data, key, flags, what (two bytes),
 * priority, file (an int), memory, its bytes or how many iovecs it is. Of a request that reads, memory is
 * filled; of one that writes, it was sent. */
static void move_events(struct transfer *x, uint64_t a, uint64_t count)
{
    enum { EVENT = 32, READ = 0, WRITE = 1, READ_VECTOR = 7, WRITE_VECTOR = 8 };
    for (uint64_t i = 0; i < count && i < 65536; i++, a += EVENT) {
        uint64_t request = long_at(x, a + 8), bytes = long_at(x, a + 16);
        uint64_t what = peek(x->t->owner, request + 16, 2), memory = long_at(x, request + 24);
        if ((int64_t)bytes <= 0)
            continue;
        if (what == (x->from ? READ : WRITE))
            move(x, memory, at_most(bytes, long_at(x, request + 32)));
        else if (what == (x->from ? READ_VECTOR : WRITE_VECTOR))
            move_vector(x, memory, long_at(x, request + 32), bytes);
    }
}

static void fill_revents(struct transfer *x, uint64_t a, uint64_t count)
{
    enum { EACH = 8, AT = 6, SIZE = 2, MOST = 1 << 20 };
    for (uint64_t i = 0; a && i < count && i < MOST; i++)
        move(x, a + i * EACH + AT, SIZE);
}

/* --- what depends on a request --- */

struct request {
    uint32_t number;
    enum cc_struct what;
};

static void fill_request(struct transfer *x, const struct request *v, size_t n, uint64_t number, uint64_t a)
{
    for (size_t i = 0; i < n; i++)
        if (v[i].number == number) {
            move(x, a, cc_struct_size(x->call->isa, v[i].what));
            return;
        }
}
#define FILL_REQUEST(x, v, number, a) fill_request(x, v, sizeof(v) / sizeof *(v), number, a)

/* Most requests tell direction and size; the old ones of terminals, sockets and disks do not. */
static void fill_ioctl(struct transfer *x, uint64_t a)
{
    enum { READ = 2, MOST_REQUEST = 0xffffffff };
    static const struct request sockets[] = {
        {0x8905, CC_STRUCT_INT},   {0x8910, CC_STRUCT_IFREQ}, {0x8913, CC_STRUCT_IFREQ},
        {0x8915, CC_STRUCT_IFREQ}, {0x8917, CC_STRUCT_IFREQ}, {0x8919, CC_STRUCT_IFREQ},
        {0x891b, CC_STRUCT_IFREQ}, {0x891d, CC_STRUCT_IFREQ}, {0x8921, CC_STRUCT_IFREQ},
        {0x8927, CC_STRUCT_IFREQ}, {0x8933, CC_STRUCT_IFREQ}, {0x8942, CC_STRUCT_IFREQ},
        {0x1260, CC_STRUCT_LONG},  {0x1268, CC_STRUCT_INT}}; /* and disks */
    /* The same numbers mean other requests on mips, some of which fill nothing. */
    static const struct request plain[] = {{0x5401, CC_STRUCT_TERMIOS}, {0x540f, CC_STRUCT_INT},
                                           {0x5411, CC_STRUCT_INT},     {0x5413, CC_STRUCT_TWO_INTS},
                                           {0x5415, CC_STRUCT_INT},     {0x541b, CC_STRUCT_INT},
                                           {0x5424, CC_STRUCT_INT},     {0x5429, CC_STRUCT_INT}},
                                of_mips[] = {{0x540d, CC_STRUCT_TERMIOS}, {0x467f, CC_STRUCT_INT},
                                             {0x7472, CC_STRUCT_INT},     {0x7400, CC_STRUCT_INT},
                                             {0x7416, CC_STRUCT_INT},     {0x741d, CC_STRUCT_INT}};
    enum { SIOCGIFCONF = 0x8912 };
    static const uint64_t UFFDIO_COPY = 0xc028aa03;
    uint64_t request = x->call->args[1] & 0xffffffff;
    bool mips = x->call->isa->id == CC_ISA_MIPS;
    uint64_t direction = request >> (mips ? 29 : 30), size = request >> 16 & (mips ? 0x1fff : 0x3fff);
    if (direction & READ) {
        move(x, a, size);
        if (request == UFFDIO_COPY) /* to, from, how much */
            move(x, long_at(x, a), long_at(x, a + 16));
    } else if (request == SIOCGIFCONF) {
        move(x, word_at(x, a + x->word), int_at(x, a));
        move(x, a, 4);
    } else {
        FILL_REQUEST(x, sockets, request, a);
        if (mips)
            FILL_REQUEST(x, of_mips, request, a);
        else
            FILL_REQUEST(x, plain, request, a);
    }
}

static void fill_fcntl(struct transfer *x, uint64_t a)
{
    static const struct request common[] = {{16, CC_STRUCT_TWO_INTS}, {36, CC_STRUCT_FLOCK64}},
                                plain[] = {{5, CC_STRUCT_FLOCK}, {12, CC_STRUCT_FLOCK64}},
                                mips[] = {{14, CC_STRUCT_FLOCK}, {33, CC_STRUCT_FLOCK64}};
    FILL_REQUEST(x, common, x->call->args[1], a);
    if (x->call->isa->id == CC_ISA_MIPS)
        FILL_REQUEST(x, mips, x->call->args[1], a);
    else
        FILL_REQUEST(x, plain, x->call->args[1], a);
}

/* prctl, and x86's arch_prctl, whose requests are above all of prctl's */
static void fill_prctl(struct transfer *x, uint64_t a)
{
    enum { GET_NAME = 16, NAME = 16 };
    static const struct request v[] = {
        {2, CC_STRUCT_INT},       {5, CC_STRUCT_INT},      {9, CC_STRUCT_INT},  {11, CC_STRUCT_INT},
        {19, CC_STRUCT_INT},      {25, CC_STRUCT_INT},     {37, CC_STRUCT_INT}, {40, CC_STRUCT_LONG},
        {0x1003, CC_STRUCT_LONG}, {0x1004, CC_STRUCT_LONG}};
    if (x->call->args[0] == GET_NAME)
        move(x, a, NAME);
    else
        FILL_REQUEST(x, v, x->call->args[0], a);
}

/* What is attached to a queue, a set of semaphores or shared memory; how many semaphores there are, and so
 * what asking for all fills, is not known. */
static void fill_ipc(struct transfer *x, const struct cc_fill *f, uint64_t a)
{
    enum { OF_64_BITS = 0x100 };
    static const struct request messages[] = {{2, CC_STRUCT_MSQID},
                                              {11, CC_STRUCT_MSQID},
                                              {13, CC_STRUCT_MSQID},
                                              {3, CC_STRUCT_MSG_INFO},
                                              {12, CC_STRUCT_MSG_INFO}},
                                semaphores[] = {{2, CC_STRUCT_SEMID},
                                                {18, CC_STRUCT_SEMID},
                                                {20, CC_STRUCT_SEMID},
                                                {3, CC_STRUCT_SEM_INFO},
                                                {19, CC_STRUCT_SEM_INFO}},
                                memory[] = {{2, CC_STRUCT_SHMID},
                                            {13, CC_STRUCT_SHMID},
                                            {15, CC_STRUCT_SHMID},
                                            {3, CC_STRUCT_SHM_LIMITS},
                                            {14, CC_STRUCT_SHM_INFO}};
    uint64_t request = x->call->args[f->by] & ~(uint64_t)OF_64_BITS;
    if (f->what == CC_STRUCT_MSQID)
        FILL_REQUEST(x, messages, request, a);
    else if (f->what == CC_STRUCT_SEMID)
        FILL_REQUEST(x, semaphores, request, a);
    else
        FILL_REQUEST(x, memory, request, a);
}

static void fill_key(struct transfer *x, const struct cc_fill *f, uint64_t a)
{
    enum { DESCRIBE = 6, READ = 11, SECURITY = 17 };
    const uint64_t *args = x->call->args;
    if (args[0] == DESCRIBE || args[0] == READ || args[0] == SECURITY)
        move(x, a, at_most(x->result, args[f->by]));
}

/* Locks that the kernel hands on, and waking by what it adds to another word. */
static void fill_futex(struct transfer *x, uint64_t a)
{
    enum { WAKE_OP = 5, LOCK, UNLOCK, TRY, WAIT_REQUEUE = 11, REQUEUE, LOCK2, WHAT = 127 };
    uint64_t what = x->call->args[1] & WHAT;
    if ((what >= LOCK && what <= TRY) || what == LOCK2)
        move(x, a, 4);
    else if (what == WAKE_OP || what == WAIT_REQUEUE || what == REQUEUE)
        move(x, x->call->args[4], 4);
}

/* The new thread's id, for the thread that made it; for a child process in the child. */
static void fill_clone(struct transfer *x, uint64_t a)
{
    enum { PIDFD = 0x1000, PARENT_SETTID = 0x00100000, CHILD_SETTID = 0x01000000 };
    const uint64_t *args = x->call->args;
    if (args[0] & (PARENT_SETTID | PIDFD))
        move(x, a, 4);
    if (x->result == 0 && args[0] & CHILD_SETTID)
        move(x, args[x->call->isa->id == CC_ISA_X86 ? 3 : 4], 4);
}

/* clone_args: flags, where a file for the process, the thread's id in itself, in its parent go, all of 8
 * bytes */
static void fill_clone3(struct transfer *x, uint64_t a)
{
    enum { PIDFD = 0x1000, PARENT_SETTID = 0x00100000, CHILD_SETTID = 0x01000000 };
    uint64_t flags = long_at(x, a);
    if (flags & PIDFD)
        move(x, long_at(x, a + 8), 4);
    if (x->result == 0 && flags & CHILD_SETTID)
        move(x, long_at(x, a + 16), 4);
    if (flags & PARENT_SETTID)
        move(x, long_at(x, a + 24), 4);
}

/* --- what depends on whom a call is about --- */

/* Beginning of a file of /proc/self: `before`, a number, `after`. The bytes read, or negative. */
static long about_self(struct cc_collect *c, const char *before, uint64_t number, const char *after,
                       char to[64])
{
    char path[64], digits[20];
    unsigned n = 0, d = 0;
    if (!c->host.read_file || number > INT32_MAX)
        return -1;
    while (*before)
        path[n++] = *before++;
    do
        digits[d++] = (char)('0' + number % 10);
    while (number /= 10);
    while (d)
        path[n++] = digits[--d];
    while (*after)
        path[n++] = *after++;
    path[n] = 0;
    return c->host.read_file(c->host.self, path, to, 64, 0);
}

/* A process that is this one, told by its own id or by that of any of its threads. */
static bool is_self(struct cc_collect *c, uint64_t id)
{
    char text[64];
    return about_self(c, "/proc/self/task/", id, "/stat", text) > 0;
}

/* "pos: 0, flags: 02 …", a line each; flags are octal and end with 0 if one may only read. */
static bool only_reads(struct cc_collect *c, uint64_t fd)
{
    char text[64];
    static const char flags[] = "flags:\t";
    long n = about_self(c, "/proc/self/fdinfo/", fd, "", text), at = 0;
    for (long i = 0, k = 0; i < n && !at; i++) {
        k = text[i] == flags[k] ? k + 1 : text[i] == flags[0];
        at = flags[k] ? 0 : i + 1;
    }
    long end = at;
    while (end < n && text[end] >= '0' && text[end] <= '7')
        end++;
    return at && end > at && end < n && ((text[end - 1] - '0') & 3) == 0;
}

/* --- all of it --- */

/* Bytes of what has a size that the table tells. */
static uint64_t fill_size(const struct transfer *x, const struct cc_fill *f)
{
    enum { PAGE = 4096, MOST_BITS = 1 << 20 };
    const uint64_t *args = x->call->args;
    uint64_t size = cc_struct_size(x->call->isa, (enum cc_struct)f->what), bits = 8 * x->word;
    switch ((enum cc_fill_how)f->how) {
    case CC_FILL_STRUCT:
        return size;
    case CC_FILL_CHILD:
        return x->result ? size : 0;
    case CC_FILL_RESULT:
        return x->result * size;
    case CC_FILL_UP_TO:
        return at_most(x->result, args[f->by]) * size;
    case CC_FILL_COUNT:
        return args[f->by] * size;
    case CC_FILL_LENGTH:
        return args[f->by] ? at_most(int_at(x, args[f->by]), x->call->room) : 0;
    case CC_FILL_BITS:
        return (at_most(args[f->by], MOST_BITS) + bits - 1) / bits * x->word;
    case CC_FILL_PAGES:
        return (args[f->by] + PAGE - 1) / PAGE;
    case CC_FILL_MSGBUF:
        return x->result + x->word;
    case CC_FILL_HANDLE:
        return 8 + at_most(int_at(x, args[f->argument]), 128);
    default:
        return 0;
    }
}

static void fill_by_request(struct transfer *x, const struct cc_fill *f, uint64_t a)
{
    switch ((enum cc_fill_how)f->how) {
    case CC_FILL_IOCTL:
        fill_ioctl(x, a);
        break;
    case CC_FILL_FCNTL:
        fill_fcntl(x, a);
        break;
    case CC_FILL_PRCTL:
        fill_prctl(x, a);
        break;
    case CC_FILL_CLONE:
        fill_clone(x, a);
        break;
    case CC_FILL_CLONE3:
        fill_clone3(x, a);
        break;
    case CC_FILL_IPC:
        fill_ipc(x, f, a);
        break;
    case CC_FILL_KEY:
        fill_key(x, f, a);
        break;
    default:
        move(x, a, fill_size(x, f));
        break;
    }
}

static void fill(struct transfer *x, const struct cc_fill *f)
{
    uint64_t a = x->call->args[f->argument], by = x->call->args[f->by];
    if (!a)
        return;
    switch ((enum cc_fill_how)f->how) {
    case CC_FILL_REVENTS:
        fill_revents(x, a, by);
        break;
    case CC_FILL_VECTOR:
        move_vector(x, a, by, x->result);
        break;
    case CC_FILL_MESSAGE:
        fill_message(x, a, x->result, x->call->room);
        break;
    case CC_FILL_MESSAGES:
    case CC_FILL_SENT:
        fill_messages(x, a, f->how == CC_FILL_MESSAGES);
        break;
    case CC_FILL_EVENTS:
        move(x, a, x->result * cc_struct_size(x->call->isa, CC_STRUCT_IO_EVENT));
        move_events(x, a, x->result);
        break;
    case CC_FILL_SPLICED:
        if (only_reads(x->t->owner, x->call->args[0]))
            move_vector(x, a, by, x->result);
        break;
    case CC_FILL_REMOTE:
        if (is_self(x->t->owner, x->call->args[0]))
            move_vector(x, a, by, x->result);
        break;
    case CC_FILL_FUTEX:
        fill_futex(x, a);
        break;
    default:
        fill_by_request(x, f, a);
        break;
    }
}

static bool is_error(int64_t result)
{
    return result < 0 && result >= -4095;
}

/* mips's C library makes one call for all of queues, semaphores and shared memory: (which, first, second,
 * third, pointer). */
static void unpack_ipc(struct cc_collect *c, struct cc_call *call)
{
    enum { SEMCTL = 3, MSGSND = 11, MSGRCV, MSGCTL = 14, SHMAT = 21, SHMDT, SHMCTL = 24, WHICH = 0xffff };
    enum { NR_SEMCTL = 4394, NR_SHMCTL = 4396, NR_SHMAT, NR_SHMDT, NR_MSGSND = 4400, NR_MSGRCV, NR_MSGCTL };
    uint64_t which = call->args[0], first = call->args[1], second = call->args[2], third = call->args[3],
             at = call->args[4], word = call->isa->wide ? 8 : 4;
    struct cc_call own = {.isa = call->isa};
#define CALL(nr, ...)                                             \
    own = (struct cc_call)                                        \
    {                                                             \
        cc_syscall(call->isa, nr), call->isa, {__VA_ARGS__}, 0, 0 \
    }
    if (which == SEMCTL)
        CALL(NR_SEMCTL, first, second, third, peek(c, at, word));
    else if ((which & WHICH) == MSGSND)
        CALL(NR_MSGSND, first, at, second, third);
    else if (which == MSGRCV) /* where to and the type are in memory, and in arguments in another version */
        CALL(NR_MSGRCV, first, peek(c, at, word), second, peek(c, at + word, word), third);
    else if ((which & WHICH) == MSGRCV)
        CALL(NR_MSGRCV, first, at, second, call->args[5], third);
    else if ((which & WHICH) == MSGCTL)
        CALL(NR_MSGCTL, first, second, at);
    else if ((which & WHICH) == SHMDT)
        CALL(NR_SHMDT, at);
    else if ((which & WHICH) == SHMCTL)
        CALL(NR_SHMCTL, first, second, at);
    else if (which == SHMAT) {
        CALL(NR_SHMAT, first, at, second);
        own.told = third;
    }
#undef CALL
    *call = own;
}

void cc_syscall_enter(struct cc_collect *c, struct cc_call *call)
{
    if (call->s && call->s->kind == CC_SYS_IPC)
        unpack_ipc(c, call);
    if (call->s && call->s->kind == CC_SYS_RING_ENTER)
        cc_ring_submit(c, call);
    if (call->s && call->s->kind == CC_SYS_MUNMAP)
        cc_ring_unmapped(c, call->args[0], call->args[1]);
    for (unsigned i = 0; call->s && i < CC_FILLS; i++) {
        const struct cc_fill *f = &call->s->fills[i];
        if (f->how == CC_FILL_LENGTH)
            call->room = (uint32_t)peek(c, call->args[f->by], 4);
        else if (f->how == CC_FILL_MESSAGE)
            call->room = (uint32_t)peek(c, call->args[f->argument] + (call->isa->wide ? 8 : 4), 4);
    }
}

static void send(struct transfer *x, uint64_t result)
{
    const uint64_t *args = x->call->args;
    switch (x->call->s->kind) {
    case CC_SYS_OUT_BUFFER:
        move(x, args[1], result);
        break;
    case CC_SYS_OUT_WHOLE:
        move(x, args[1], args[2]);
        break;
    case CC_SYS_OUT_MSGBUF:
        move(x, args[1], args[2] + x->word);
        break;
    case CC_SYS_OUT_VECTOR:
        move_vector(x, args[1], args[2], result);
        break;
    case CC_SYS_OUT_MESSAGE:
        send_message(x, args[1], result);
        break;
    case CC_SYS_OUT_MESSAGES:
        send_messages(x, args[1], result);
        break;
    case CC_SYS_OUT_EVENTS:
        move_events(x, args[3], result);
        break;
    default:
        break;
    }
}

void cc_syscall_output(struct cc_thread *t, const struct cc_call *call, int64_t result)
{
    struct transfer x = {.t = t, .call = call, .word = call->isa->wide ? 8 : 4};
    if (!call->s || is_error(result))
        return;
    if (call->s->fills[0].how == CC_FILL_SPLICED && only_reads(t->owner, call->args[0]))
        return;
    send(&x, (uint64_t)result);
}

void cc_syscall_input(struct cc_thread *t, const struct cc_call *call, int64_t result, cc_source_of *source)
{
    enum { INTERRUPTED = -4 };
    struct transfer x = {.t = t,
                         .call = call,
                         .word = call->isa->wide ? 8 : 4,
                         .result = (uint64_t)result,
                         .from = source,
                         .source = CC_NONE};
    for (unsigned i = 0; call->s && i < CC_FILLS && call->s->fills[i].how; i++) {
        const struct cc_fill *f = &call->s->fills[i];
        if (f->how == CC_FILL_LEFT && result == INTERRUPTED)
            move(&x, call->args[f->argument], cc_struct_size(call->isa, (enum cc_struct)f->what));
        else if (!is_error(result))
            fill(&x, f);
    }
    if (!is_error(result))
        move(&x, call->told, x.word);
    cc_ring_look(t, source);
}

uint64_t cc_syscall_attached(struct cc_collect *c, const struct cc_call *call, int64_t result)
{
    return call->told ? peek(c, call->told, call->isa->wide ? 8 : 4) : (uint64_t)result;
}

void cc_syscall_mapped(struct cc_collect *c, const struct cc_call *call, int64_t result)
{
    enum { SHARED = 1, NOT_NEEDED = 4, NOT_NEEDED_LOCKED = 24, PAGE = 4096 };
    const uint64_t *args = call->args, size = (args[1] + PAGE - 1) & -(uint64_t)PAGE;
    if (!call->s || is_error(result))
        return;
    if (call->s->kind == CC_SYS_MMAP)
        cc_ring_unmapped(c, (uint64_t)result, size);
    if (call->s->kind == CC_SYS_MMAP && args[3] & SHARED) {
        cc_share_range(c, (uint64_t)result, size);
        cc_ring_mapped(c, call, (uint64_t)result);
    }
    if (call->s->kind == CC_SYS_MREMAP)
        cc_grow_range(c, (uint64_t)result, size, (args[2] + PAGE - 1) & -(uint64_t)PAGE);
    if (call->s->kind == CC_SYS_RING_SETUP)
        cc_ring_made(c, call, result);
    if (call->s->kind == CC_SYS_MADVISE && (args[2] == NOT_NEEDED || args[2] == NOT_NEEDED_LOCKED))
        cc_empty_range(c, args[0], size);
}

/* Limits of the stack and of core files are nothing to us; many programs set these. */
static bool limit_restricts(uint64_t resource)
{
    enum { STACK = 3, CORE = 4 };
    return resource != STACK && resource != CORE;
}

bool cc_syscall_restricts(const struct cc_call *call)
{
    enum { SET_SECCOMP = 22 };
    switch (call->s ? call->s->kind : CC_SYS_NONE) {
    case CC_SYS_RESTRICT:
    case CC_SYS_SECCOMP:
        return true;
    case CC_SYS_LIMIT:
        return limit_restricts(call->args[0]);
    case CC_SYS_PRLIMIT:
        return call->args[2] != 0 && limit_restricts(call->args[1]);
    case CC_SYS_PRCTL:
        return call->args[0] == SET_SECCOMP;
    default:
        return false;
    }
}
