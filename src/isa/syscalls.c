#include "syscalls.h"

enum { EM_MIPS = 8, EM_ARM = 40, EM_X86_64 = 62, EM_AARCH64 = 183, EM_RISCV = 243 };

static const struct cc_syscall table[] = {
    {"read", CC_SYS_IN_BUFFER, {63, 0, 3, 4003}},
    {"pread64", CC_SYS_IN_BUFFER, {67, 17, 180, 4200}},
    {"readv", CC_SYS_IN_VECTOR, {65, 19, 145, 4145}},
    {"preadv", CC_SYS_IN_VECTOR, {69, 295, 361, 4330}},
    {"recvfrom", CC_SYS_IN_BUFFER, {207, 45, 292, 4176}},
    {"recv", CC_SYS_IN_BUFFER, {-1, -1, 291, 4175}},
    {"recvmsg", CC_SYS_IN_MESSAGE, {212, 47, 297, 4177}},
    {"getrandom", CC_SYS_IN_FIRST, {278, 318, 384, 4353}},
    {"getdents64", CC_SYS_IN_BUFFER, {61, 217, 217, 4219}},
    {"getcwd", CC_SYS_IN_FIRST, {17, 79, 183, 4203}},
    {"fstat", CC_SYS_IN_OTHER, {80, 5, 197, 4215}},
    {"newfstatat", CC_SYS_IN_OTHER, {79, 262, 327, 4293}},
    {"statx", CC_SYS_IN_OTHER, {291, 332, 397, 4366}},
    {"uname", CC_SYS_IN_OTHER, {160, 63, 122, 4122}},
    {"readlinkat", CC_SYS_IN_OTHER, {78, 267, 332, 4298}},
    {"clock_gettime", CC_SYS_IN_OTHER, {113, 228, 263, 4263}},
    {"gettimeofday", CC_SYS_IN_OTHER, {169, 96, 78, 4078}},
    {"ioctl", CC_SYS_IN_OTHER, {29, 16, 54, 4054}},
    {"prlimit64", CC_SYS_IN_OTHER, {261, 302, 369, 4338}},
    {"pipe2", CC_SYS_IN_OTHER, {59, 293, 359, 4328}},
    {"write", CC_SYS_OUT_BUFFER, {64, 1, 4, 4004}},
    {"pwrite64", CC_SYS_OUT_BUFFER, {68, 18, 181, 4201}},
    {"writev", CC_SYS_OUT_VECTOR, {66, 20, 146, 4146}},
    {"pwritev", CC_SYS_OUT_VECTOR, {70, 296, 362, 4331}},
    {"sendto", CC_SYS_OUT_BUFFER, {206, 44, 290, 4180}},
    {"send", CC_SYS_OUT_BUFFER, {-1, -1, 289, 4178}},
    {"sendmsg", CC_SYS_OUT_MESSAGE, {211, 46, 296, 4179}},
    {"mmap", CC_SYS_MMAP, {222, 9, -1, 4090}},
    {"mmap2", CC_SYS_MMAP, {-1, -1, 192, 4210}},
    {"munmap", CC_SYS_MUNMAP, {215, 11, 91, 4091}},
    {"mremap", CC_SYS_MREMAP, {216, 25, 163, 4167}},
    {"execve", CC_SYS_EXEC, {221, 59, 11, 4011}},
    {"execveat", CC_SYS_EXEC, {281, 322, 387, 4356}},
    {"rt_sigaction", CC_SYS_SIGACTION, {134, 13, 174, 4194}},
    {"clone", CC_SYS_FORK, {220, 56, 120, 4120}},
    {"clone3", CC_SYS_FORK, {435, 435, 435, 4435}},
    {"fork", CC_SYS_FORK, {-1, 57, 2, 4002}},
    {"vfork", CC_SYS_FORK, {-1, 58, 190, -1}},
    {"brk", CC_SYS_BRK, {214, 12, 45, 4045}},
};

const struct cc_syscall *cc_syscall(uint32_t machine, uint64_t number)
{
    int column = machine == EM_X86_64 ? 1 : machine == EM_ARM ? 2 : machine == EM_MIPS ? 3 : 0;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].number[column] >= 0 && (uint64_t)table[i].number[column] == number)
            return &table[i];
    return NULL;
}

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
