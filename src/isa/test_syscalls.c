/* One table of system calls for all engines: it agrees with this machine's, and each call is one call on
 * every machine. */
#include "isa/syscalls.h"
#include "tap.h"

#include <mqueue.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/timex.h>
#include <sys/utsname.h>
#include <time.h>

static const struct cc_syscall table[] = {
#define CC_SYSCALL(name, generic, x86, arm, mips, memory, race, times, fills) \
    {#name, CC_SYS_##memory, CC_RACE_##race, false, {generic, x86, arm, mips}, {{0}}},
#include "isa/syscalls.def"
#undef CC_SYSCALL
};
enum { CALLS = sizeof table / sizeof *table };

static void test_lookup(void)
{
    unsigned wrong = 0, none = 0;
    for (size_t i = 0; i < CC_ISAS; i++)
        for (size_t k = 0; k < CALLS; k++) {
            int number = table[k].number[cc_isas[i].syscalls];
            const struct cc_syscall *s = number < 0 ? NULL : cc_syscall(&cc_isas[i], (uint64_t)number);
            none += number < 0;
            if (number >= 0 && (!s || strcmp(s->name, table[k].name) != 0)) {
                wrong++;
                printf("# %s: %d is %s, not %s\n", cc_isas[i].name, number, s ? s->name : "nothing",
                       table[k].name);
            }
        }
    OK_U64(wrong, 0, "every number finds its own call on %d machines", CC_ISAS);
    OK(none > 0 && !cc_syscall(&cc_isas[CC_ISA_AARCH64], UINT64_MAX) &&
           !cc_syscall(&cc_isas[CC_ISA_X86], 9999),
       "no number, no call");
}

static void test_host(void)
{
    static const struct {
        const char *name;
        long number;
    } known[] = {{"read", SYS_read},           {"write", SYS_write},        {"mmap", SYS_mmap},
                 {"futex", SYS_futex},         {"clone", SYS_clone},        {"execve", SYS_execve},
                 {"getrandom", SYS_getrandom}, {"ppoll", SYS_ppoll},        {"exit_group", SYS_exit_group},
                 {"recvmsg", SYS_recvmsg},     {"semop", SYS_semop},        {"newfstatat", SYS_newfstatat},
                 {"tgkill", SYS_tgkill},       {"nanosleep", SYS_nanosleep}};
    unsigned wrong = 0;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const struct cc_syscall *s = cc_syscall(cc_isa_host(), (uint64_t)known[i].number);
        wrong += !s || strcmp(s->name, known[i].name) != 0;
    }
    OK_U64(wrong, 0, "numbers are those of this machine's headers");
}

/* Two tables had drifted apart: arm's own calls for sockets were unknown to the simulator. */
static void test_sockets(void)
{
    const struct cc_isa *arm = &cc_isas[CC_ISA_ARM];
    enum { RECV = 291, SEND = 289, RECVFROM = 292, SENDTO = 290 };
    OK(cc_syscall(arm, RECV)->race == cc_syscall(arm, RECVFROM)->race &&
           cc_syscall(arm, SEND)->race == cc_syscall(arm, SENDTO)->race &&
           cc_syscall(arm, RECV)->race != CC_RACE_HOLD,
       "recv and send wait as recvfrom and sendto do");
}

/* Where the C library has the kernel's layout. */
static void test_sizes(void)
{
    static const struct {
        enum cc_struct what;
        size_t size;
    } v[] = {{CC_STRUCT_LONG, sizeof(long)},
             {CC_STRUCT_STAT, sizeof(struct stat)},
             {CC_STRUCT_STATX, sizeof(struct statx)},
             {CC_STRUCT_STATFS, sizeof(struct statfs)},
             {CC_STRUCT_UTSNAME, sizeof(struct utsname)},
             {CC_STRUCT_TIMESPEC, sizeof(struct timespec)},
             {CC_STRUCT_ITIMER, sizeof(struct itimerspec)},
             {CC_STRUCT_TMS, sizeof(struct tms)},
             {CC_STRUCT_TIMEX, sizeof(struct timex)},
             {CC_STRUCT_SYSINFO, sizeof(struct sysinfo)},
             {CC_STRUCT_RUSAGE, sizeof(struct rusage)},
             {CC_STRUCT_RLIMIT, sizeof(struct rlimit)},
             {CC_STRUCT_SIGINFO, sizeof(siginfo_t)},
             {CC_STRUCT_STACK, sizeof(stack_t)},
             {CC_STRUCT_EPOLL_EVENT, sizeof(struct epoll_event)},
             {CC_STRUCT_MQ_ATTR, sizeof(struct mq_attr)}};
    unsigned wrong = 0, none = 0;
    for (size_t i = 0; i < sizeof v / sizeof *v; i++)
        wrong += cc_struct_size(cc_isa_host(), v[i].what) != v[i].size;
    OK_U64(wrong, 0, "what is filled is as large as this machine's headers say");
    for (size_t i = 0; i < CC_ISAS; i++)
        for (int k = 0; k < CC_STRUCTS; k++)
            none += cc_struct_size(&cc_isas[i], (enum cc_struct)k) == 0;
    OK_U64(none, 0, "and has a size on every machine");
}

static void test_fills(void)
{
    unsigned wrong = 0, filling = 0;
    for (size_t i = 0; i < CC_ISAS; i++)
        for (uint64_t number = 0; number < 5000; number++) {
            const struct cc_syscall *s = cc_syscall(&cc_isas[i], number);
            filling += s && s->fills[0].how != CC_FILL_NOTHING;
            for (unsigned k = 0; s && k < CC_FILLS; k++)
                wrong += s->fills[k].argument > 5 || s->fills[k].by > 5 || s->fills[k].what >= CC_STRUCTS ||
                         (k && s->fills[k].how && !s->fills[k - 1].how);
        }
    OK(filling > 400 && wrong == 0, "%u calls of all machines fill what arguments point to", filling);
}

int main(void)
{
    test_sizes();
    test_fills();
    test_lookup();
    test_host();
    test_sockets();
    return TAP_DONE();
}
