/* Programs that restrict themselves. Engine and program are one process here, so that what forbids the
 * program something forbids us the same: before it happens all is written down and room is made for the last
 * snapshot. Limits that would end the engine rather than the program (filters of system calls, the size of
 * the address space) are not taken over; the program is told that they were. */
#include "engine.h"

enum { SET_NO_NEW_PRIVS = 38, SET_SECCOMP = 22, STRICT = 1, FILTER = 2, SET_FILTER = 1 };
enum { LIMIT_FILE_SIZE = 1, LIMIT_ADDRESSES = 9 };

struct filter { /* struct sock_fprog and struct sock_filter */
    UShort n;
    struct step {
        UShort code;
        UChar if_true, if_false;
        UInt k;
    } * steps;
};

/* What is changed in the program's memory while the kernel reads it. */
static struct {
    UChar *at;
    UChar bytes[16];
    UInt n;
} changed[2];

static Bool change(void *at, const void *to, UInt n)
{
    for (UInt i = 0; i < 2; i++) {
        if (changed[i].n)
            continue;
        if (!VG_(am_is_valid_for_client)((Addr)at, n, VKI_PROT_READ | VKI_PROT_WRITE))
            return False;
        VG_(memcpy)(changed[i].bytes, at, n);
        VG_(memcpy)(at, to, n);
        changed[i].at = at;
        changed[i].n = n;
        return True;
    }
    return False;
}

void cc_vg_after_restriction(void)
{
    for (UInt i = 0; i < 2; i++) {
        if (changed[i].n)
            VG_(memcpy)(changed[i].at, changed[i].bytes, changed[i].n);
        changed[i].n = 0;
    }
}

static const struct step allow_all = {.code = 6, .k = 0x7fff0000}; /* return SECCOMP_RET_ALLOW */

/* With a filter of ours the kernel refuses the strict mode, which nothing but reading and writing would
 * survive. */
static void refuse_strict(void)
{
    struct filter ours = {1, (struct step *)&allow_all};
    VG_(do_syscall)(__NR_prctl, SET_NO_NEW_PRIVS, 1, 0, 0, 0, 0);
    VG_(do_syscall)(__NR_prctl, SET_SECCOMP, FILTER, (Addr)&ours, 0, 0, 0);
}

static void before_filter(Addr address)
{
    struct filter *f = (struct filter *)address;
    UShort one = 1;
    if (VG_(am_is_valid_for_client)(address, sizeof *f, VKI_PROT_READ) && f->n &&
        change(f->steps, &allow_all, sizeof allow_all))
        change(&f->n, &one, sizeof one);
}

static void before_limit(UWord resource, Addr address)
{
    struct vki_rlimit now;
    if (resource == LIMIT_FILE_SIZE)
        engine.no_files = True;
    if (resource == LIMIT_ADDRESSES && VG_(getrlimit)(LIMIT_ADDRESSES, &now) == 0)
        change((void *)address, &now, sizeof now);
}

void cc_vg_before_restriction(ThreadId tid, const struct cc_call *call)
{
    const uint64_t *args = call->args;
    cc_vg_sync_threads();
    if (!engine.boats[0].p)
        cc_vg_snapshot(0);
    cc_vg_board();
    switch (call->s->kind) {
    case CC_SYS_LIMIT:
        before_limit(args[0], args[1]);
        break;
    case CC_SYS_PRLIMIT:
        if (args[0] == 0 || args[0] == (UWord)VG_(getpid)())
            before_limit(args[1], args[2]);
        break;
    case CC_SYS_PRCTL:
        if (args[1] == STRICT)
            refuse_strict();
        else if (args[1] == FILTER)
            before_filter(args[2]);
        break;
    case CC_SYS_SECCOMP:
        if (args[0] == SET_FILTER)
            before_filter(args[2]);
        else if (args[0] == 0)
            refuse_strict();
        break;
    default:
        break;
    }
}
