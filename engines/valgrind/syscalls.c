/* System calls: what they fill and send out. */
#include "engine.h"

static uint32_t input_source(ThreadId tid)
{
    const struct cc_syscall *s = engine.guests[tid].call;
    HChar link[64], file[4096] = "";
    if (s && s->kind <= CC_SYS_IN_MESSAGE) {
        VG_(snprintf)(link, sizeof link, "/proc/self/fd/%d", (Int)engine.guests[tid].call_argument);
        SSizeT n = VG_(readlink)(link, file, sizeof file - 1);
        file[n > 0 ? n : 0] = 0;
    }
    return cc_source(engine.collect, s && s->kind != CC_SYS_NONE ? s->name : "system call", file);
}

static void post_mem_write(CorePart part, ThreadId tid, Addr a, SizeT size)
{
    if (part == Vg_CoreSysCall && engine.guests[tid].thread && size)
        cc_input(engine.guests[tid].thread, a, size, input_source(tid));
}

static void pre_syscall(ThreadId tid, UInt number, UWord *args, UInt nargs)
{
    if (number == __NR_rt_sigreturn &&
        engine.guests[tid].thread) { /* Valgrind puts the area back to what it was at the signal */
        get_spare(tid, &engine.guests[tid].before_return);
        engine.guests[tid].returning = True;
    }
    engine.guests[tid].call = cc_syscall(&cc_isas[CC_VG_ISA], number);
    engine.guests[tid].call_argument = nargs ? args[0] : 0;
    if (engine.guests[tid].call && engine.guests[tid].call->kind == CC_SYS_EXEC && !engine.silent) {
        cc_vg_sync_threads();
        cc_vg_snapshot(CC_RUN_EXEC);
    }
}

static void post_syscall(ThreadId tid, UInt number, UWord *args, UInt nargs, SysRes result)
{
    const struct cc_syscall *s = engine.guests[tid].call;
    engine.guests[tid].call = NULL;
    if (!s || sr_isError(result) || !engine.guests[tid].thread)
        return;
    uint64_t copy[6] = {0};
    for (UInt i = 0; i < nargs && i < 6; i++)
        copy[i] = args[i];
    cc_syscall_output(engine.guests[tid].thread, s, copy, (Long)sr_Res(result), 0, true);
}

void cc_vg_track_syscalls(void)
{
    VG_(needs_syscall_wrapper)(pre_syscall, post_syscall);
    VG_(track_post_mem_write)(post_mem_write);
}
