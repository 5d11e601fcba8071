#include "syscalls.h"

enum { TIMES_LONG = false, TIMES_WIDE = true };

static const struct cc_syscall table[] = {
#define CC_SYSCALL(name, generic, x86, arm, mips, memory, race, times) \
    {#name, CC_SYS_##memory, CC_RACE_##race, TIMES_##times, {generic, x86, arm, mips}},
#include "syscalls.def"
#undef CC_SYSCALL
};

const struct cc_syscall *cc_syscall(const struct cc_isa *isa, uint64_t number)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].number[isa->syscalls] >= 0 && (uint64_t)table[i].number[isa->syscalls] == number)
            return &table[i];
    return NULL;
}
