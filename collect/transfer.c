#include "transfer.h"

/* One system call's way through memory. */
struct transfer {
    struct cc_thread *t;
    uint64_t base; /* of guest memory */
    bool wide;
    bool in;
    uint32_t source; /* of what comes in */
};

static uint64_t peek(const struct transfer *x, uint64_t guest)
{
    uint64_t host = x->base + guest;
    if (x->wide)
        return *(const uint64_t *)(uintptr_t)host;
    return *(const uint32_t *)(uintptr_t)host;
}

static void move(const struct transfer *x, uint64_t a, uint64_t size)
{
    if (x->in)
        cc_input(x->t, a, size, x->source);
    else
        cc_output(x->t, a, size);
}

static void move_vector(const struct transfer *x, uint64_t iov, uint64_t count, uint64_t bytes)
{
    uint64_t word = x->wide ? 8 : 4;
    for (uint64_t i = 0; i < count && i < 1024 && bytes; i++, iov += 2 * word) {
        uint64_t a = peek(x, iov), size = peek(x, iov + word);
        size = size < bytes ? size : bytes;
        move(x, a, size);
        bytes -= size;
    }
}

static void move_all(const struct transfer *x, const struct cc_syscall *s, const uint64_t *args,
                     uint64_t bytes)
{
    uint64_t word = x->wide ? 8 : 4;
    switch (s->kind) {
    case CC_SYS_IN_BUFFER:
    case CC_SYS_OUT_BUFFER:
        move(x, args[1], bytes);
        break;
    case CC_SYS_IN_FIRST:
        move(x, args[0], bytes);
        break;
    case CC_SYS_IN_VECTOR:
    case CC_SYS_OUT_VECTOR:
        move_vector(x, args[1], args[2], bytes);
        break;
    case CC_SYS_IN_MESSAGE:
    case CC_SYS_OUT_MESSAGE: /* msghdr: name, name length (padded), iovec, count */
        move_vector(x, peek(x, args[1] + 2 * word), peek(x, args[1] + 3 * word), bytes);
        break;
    default:
        break;
    }
}

void cc_syscall_output(struct cc_thread *t, const struct cc_syscall *s, const uint64_t *args, int64_t result,
                       uint64_t base, bool wide)
{
    struct transfer x = {t, base, wide, false, 0};
    if (result > 0 && s->kind >= CC_SYS_OUT_BUFFER && s->kind <= CC_SYS_OUT_MESSAGE)
        move_all(&x, s, args, (uint64_t)result);
}

void cc_syscall_input(struct cc_thread *t, const struct cc_syscall *s, const uint64_t *args, int64_t result,
                      uint64_t base, bool wide, uint32_t source)
{
    struct transfer x = {t, base, wide, true, source};
    if (result > 0 && s->kind <= CC_SYS_IN_FIRST)
        move_all(&x, s, args, (uint64_t)result);
}
