#include "transfer.h"
#include "internal.h"

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

static void fill_messages(struct transfer *x, uint64_t a)
{
    uint64_t header = 7 * x->word, each = x->word == 8 ? 64 : 32;
    for (uint64_t i = 0; i < x->result && i < 1024; i++, a += each) {
        fill_message(x, a, int_at(x, a + header), UINT32_MAX);
        move(x, a + header, 4);
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
    static const struct request old[] = {
        {0x5401, CC_STRUCT_TERMIOS},  {0x540f, CC_STRUCT_INT},     {0x5411, CC_STRUCT_INT},
        {0x5413, CC_STRUCT_TWO_INTS}, {0x5415, CC_STRUCT_INT},     {0x541b, CC_STRUCT_INT},
        {0x5424, CC_STRUCT_INT},      {0x5429, CC_STRUCT_INT},     {0x8905, CC_STRUCT_INT},
        {0x8910, CC_STRUCT_IFREQ},    {0x8913, CC_STRUCT_IFREQ},   {0x8915, CC_STRUCT_IFREQ},
        {0x8917, CC_STRUCT_IFREQ},    {0x8919, CC_STRUCT_IFREQ},   {0x891b, CC_STRUCT_IFREQ},
        {0x891d, CC_STRUCT_IFREQ},    {0x8921, CC_STRUCT_IFREQ},   {0x8927, CC_STRUCT_IFREQ},
        {0x8933, CC_STRUCT_IFREQ},    {0x8942, CC_STRUCT_IFREQ},   {0x1260, CC_STRUCT_LONG},
        {0x1268, CC_STRUCT_INT},      {0x540d, CC_STRUCT_TERMIOS}, {0x467f, CC_STRUCT_INT},
        {0x7472, CC_STRUCT_INT},      {0x7400, CC_STRUCT_INT},     {0x7416, CC_STRUCT_INT},
        {0x741d, CC_STRUCT_INT}}; /* the last six are mips's */
    enum { SIOCGIFCONF = 0x8912 };
    uint64_t request = x->call->args[1] & 0xffffffff;
    bool mips = x->call->isa->id == CC_ISA_MIPS;
    uint64_t direction = request >> (mips ? 29 : 30), size = request >> 16 & (mips ? 0x1fff : 0x3fff);
    if (direction & READ) {
        move(x, a, size);
    } else if (request == SIOCGIFCONF) {
        move(x, word_at(x, a + x->word), int_at(x, a));
        move(x, a, 4);
    } else {
        FILL_REQUEST(x, old, request, a);
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

/* The new thread's id, for the thread that made it; for a child process in the child. */
static void fill_clone(struct transfer *x, uint64_t a)
{
    enum { PARENT_SETTID = 0x00100000, CHILD_SETTID = 0x01000000 };
    const uint64_t *args = x->call->args;
    if (args[0] & PARENT_SETTID)
        move(x, a, 4);
    if (x->result == 0 && args[0] & CHILD_SETTID)
        move(x, args[x->call->isa->id == CC_ISA_X86 ? 3 : 4], 4);
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
    default:
        return 0;
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
        fill_messages(x, a);
        break;
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
    default:
        move(x, a, fill_size(x, f));
        break;
    }
}

static bool is_error(int64_t result)
{
    return result < 0 && result >= -4095;
}

void cc_syscall_enter(struct cc_collect *c, struct cc_call *call)
{
    for (unsigned i = 0; call->s && i < CC_FILLS; i++) {
        const struct cc_fill *f = &call->s->fills[i];
        if (f->how == CC_FILL_LENGTH)
            call->room = (uint32_t)peek(c, call->args[f->by], 4);
        else if (f->how == CC_FILL_MESSAGE)
            call->room = (uint32_t)peek(c, call->args[f->argument] + (call->isa->wide ? 8 : 4), 4);
    }
}

void cc_syscall_output(struct cc_thread *t, const struct cc_call *call, int64_t result)
{
    struct transfer x = {.t = t, .call = call, .word = call->isa->wide ? 8 : 4};
    const uint64_t *args = call->args;
    if (!call->s || result <= 0)
        return;
    if (call->s->kind == CC_SYS_OUT_BUFFER)
        move(&x, args[1], (uint64_t)result);
    else if (call->s->kind == CC_SYS_OUT_VECTOR)
        move_vector(&x, args[1], args[2], (uint64_t)result);
    else if (call->s->kind == CC_SYS_OUT_MESSAGE)
        move_vector(&x, word_at(&x, args[1] + 2 * x.word), word_at(&x, args[1] + 3 * x.word),
                    (uint64_t)result);
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
}

void cc_syscall_mapped(struct cc_collect *c, const struct cc_call *call, int64_t result)
{
    enum { SHARED = 1, NOT_NEEDED = 4, NOT_NEEDED_LOCKED = 24, PAGE = 4096 };
    const uint64_t *args = call->args, size = (args[1] + PAGE - 1) & -(uint64_t)PAGE;
    if (!call->s || is_error(result))
        return;
    if (call->s->kind == CC_SYS_MMAP && args[3] & SHARED)
        cc_share_range(c, (uint64_t)result, size);
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
