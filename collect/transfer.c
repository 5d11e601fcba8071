#include "transfer.h"

typedef void each_fn(struct cc_thread *t, uint64_t a, uint64_t size, uint32_t source);

static uint64_t peek(uint64_t host, bool wide)
{
    if (wide)
        return *(const uint64_t *)(uintptr_t)host;
    return *(const uint32_t *)(uintptr_t)host;
}

static void each_vector(struct cc_thread *t, uint64_t iov, uint64_t count, uint64_t bytes, uint64_t base,
                        bool wide, each_fn *each, uint32_t source)
{
    uint64_t word = wide ? 8 : 4;
    for (uint64_t i = 0; i < count && i < 1024 && bytes; i++, iov += 2 * word) {
        uint64_t a = peek(base + iov, wide), size = peek(base + iov + word, wide);
        size = size < bytes ? size : bytes;
        each(t, a, size, source);
        bytes -= size;
    }
}

static void input(struct cc_thread *t, uint64_t a, uint64_t size, uint32_t source)
{
    cc_input(t, a, size, source);
}

static void output(struct cc_thread *t, uint64_t a, uint64_t size, uint32_t source)
{
    (void)source;
    cc_output(t, a, size);
}

static void transfer(struct cc_thread *t, const struct cc_syscall *s, const uint64_t *args, int64_t result,
                     uint64_t base, bool wide, each_fn *each, uint32_t source)
{
    uint64_t bytes = (uint64_t)result, word = wide ? 8 : 4;
    switch (s->kind) {
    case CC_SYS_IN_BUFFER:
    case CC_SYS_OUT_BUFFER:
        each(t, args[1], bytes, source);
        break;
    case CC_SYS_IN_FIRST:
        each(t, args[0], bytes, source);
        break;
    case CC_SYS_IN_VECTOR:
    case CC_SYS_OUT_VECTOR:
        each_vector(t, args[1], args[2], bytes, base, wide, each, source);
        break;
    case CC_SYS_IN_MESSAGE:
    case CC_SYS_OUT_MESSAGE: /* msghdr: name, name length (padded), iovec, count */
        each_vector(t, peek(base + args[1] + 2 * word, wide), peek(base + args[1] + 3 * word, wide), bytes,
                    base, wide, each, source);
        break;
    default:
        break;
    }
}

void cc_syscall_output(struct cc_thread *t, const struct cc_syscall *s, const uint64_t *args, int64_t result,
                       uint64_t base, bool wide)
{
    if (result > 0 && s->kind >= CC_SYS_OUT_BUFFER && s->kind <= CC_SYS_OUT_MESSAGE)
        transfer(t, s, args, result, base, wide, output, 0);
}

void cc_syscall_input(struct cc_thread *t, const struct cc_syscall *s, const uint64_t *args, int64_t result,
                      uint64_t base, bool wide, uint32_t source)
{
    if (result > 0 && s->kind <= CC_SYS_IN_FIRST)
        transfer(t, s, args, result, base, wide, input, source);
}
