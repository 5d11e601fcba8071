#include "syscalls.h"

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

const struct cc_syscall *cc_syscall(const struct cc_isa *isa, uint64_t number)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].number[isa->syscalls] >= 0 && (uint64_t)table[i].number[isa->syscalls] == number)
            return &table[i];
    return NULL;
}
