/* System calls: what they fill and send out. */
#include "engine.h"
#include "pub_tool_options.h"

static uint32_t source_of(const struct cc_call *call)
{
    HChar link[64], file[4096] = "";
    if (call->s && call->s->kind == CC_SYS_RECEIVE) {
        VG_(snprintf)(link, sizeof link, "/proc/self/fd/%d", (Int)call->args[0]);
        SSizeT n = VG_(readlink)(link, file, sizeof file - 1);
        file[n > 0 ? n : 0] = 0;
    }
    return cc_source(engine.collect, call->s ? call->s->name : "system call", file);
}

/* What our own table tells of a call, be it nothing, is nearer to what the kernel does than what Valgrind's
 * core tells: that leaves out lengths and sets of descriptors, takes whole buffers where the kernel fills a
 * part, and a futex for written by whoever waits at it. */
static Bool is_told(const struct cc_call *call)
{
    return call->s && call->s->fills[0].how < CC_FILL_IOCTL;
}

static void post_mem_write(CorePart part, ThreadId tid, Addr a, SizeT size)
{
    const struct guest *g = &engine.guests[tid];
    if (!g->thread || !size)
        return;
    if (part == Vg_CoreSignal) /* what a handler finds on its stack */
        cc_input(g->thread, a, size, cc_source(engine.collect, "signal", ""));
    else if (part == Vg_CoreSysCall && !is_told(&g->call))
        cc_input(g->thread, a, size, source_of(&g->call));
}

static void pre_syscall(ThreadId tid, UInt number, UWord *args, UInt nargs)
{
    struct guest *g = &engine.guests[tid];
    if (number == __NR_rt_sigreturn &&
        g->thread) { /* Valgrind puts the area back to what it was at the signal */
        get_spare(tid, &g->before_return);
        g->returning = True;
    }
    g->call = (struct cc_call){.s = cc_syscall(&cc_isas[CC_VG_ISA], number), .isa = &cc_isas[CC_VG_ISA]};
    for (UInt i = 0; i < nargs && i < 8; i++)
        g->call.args[i] = args[i];
    cc_syscall_enter(engine.collect, &g->call);
    if (g->thread && g->thread->depend && number != __NR_rt_sigreturn) {
        struct spare s;
        cc_vg_loop_known(tid);
        get_spare(tid, &s);
        Bool outside = s.function == CC_OUTSIDE && s.out_ret;
        cc_depend_syscall(g->thread->depend, number, outside ? s.out_ret - 1 : VG_(get_IP)(tid));
        if (g->thread->sibling && g->thread->sibling->x)
            cc_depend_syscall(g->thread->sibling->x, number, outside ? s.out_ret - 1 : VG_(get_IP)(tid));
    }
    if (cc_syscall_restricts(&g->call) && !engine.silent)
        cc_vg_before_restriction(tid, &g->call);
    if (g->call.s && g->call.s->kind == CC_SYS_EXEC && !engine.silent) {
        cc_vg_sync_threads();
        cc_vg_snapshot(CC_RUN_EXEC);
    }
}

/* What two addresses may lead to: a file or shared memory that is mapped so that others see changes. */
static void note_shared(const struct guest *g, UInt number, const UWord *args, SysRes result)
{
    enum { SHARED = 1, ANONYMOUS = 0x20 };
    if (!g->thread || !g->thread->depend || sr_isError(result))
        return;
    const NSegment *seg = number == __NR_mmap ? VG_(am_find_nsegment)(sr_Res(result)) : NULL;
    if (seg && args[3] & SHARED && !(args[3] & ANONYMOUS) && seg->kind == SkFileC)
        cc_depend_shared(g->thread->depend, seg->dev, seg->ino);
    if (number == __NR_shmat)
        cc_depend_shared(g->thread->depend, UINT64_MAX, args[0]);
}

/* The core's; as it does itself when a system call takes memory away. */
extern void VG_(discard_translations)(Addr start, ULong range, const HChar *who);

/* Where the program is told where it faults: until then nobody looks at other registers than the stack
 * pointer amid a piece of code, and instructions that access memory need not put the program counter down.
 * Code that is made at run time does so from the start: who makes it mostly has such a handler. */
static void note_handler(const UWord *args, SysRes result)
{
    enum { ILL = 4, TRAP = 5, BUS = 7, FPE = 8, SEGV = 11 };
    const UWord *action = (const UWord *)args[1]; /* the handler is its first word; 0: the default, 1: none */
    UWord faults = 1 << ILL | 1 << TRAP | 1 << BUS | 1 << FPE | 1 << SEGV;
    if (sr_isError(result) || !action || action[0] <= 1 || args[0] > SEGV || !(faults >> args[0] & 1) ||
        VG_(clo_px_file_backed) != VexRegUpdSpAtMemAccess)
        return;
    VG_(clo_px_file_backed) = VexRegUpdUnwindregsAtMemAccess;
    VG_(discard_translations)(0, 1ull << CC_ADDRESS_BITS, "corecast");
}

/* A program has less than 64 GiB of addresses in one piece here; the tool tells whoever wonders why it gave
 * up. */
static void note_refused(const UWord *args, SysRes result)
{
    enum { LARGE = 1 << 30 };
    if (engine.refused || !sr_isError(result) || args[1] < LARGE)
        return;
    engine.refused = True;
    VG_(umsg)("corecast: no room for %lu GiB\n", args[1] >> 30);
}

static void post_syscall(ThreadId tid, UInt number, UWord *args, UInt nargs, SysRes result)
{
    struct guest *g = &engine.guests[tid];
    cc_vg_after_restriction();
    Long value = sr_isError(result) ? -(Long)sr_Err(result) : (Long)sr_Res(result);
    if (g->thread && g->call.s) {
        cc_syscall_input(g->thread, &g->call, value, source_of);
        cc_syscall_output(g->thread, &g->call, value);
    }
    cc_syscall_mapped(engine.collect, &g->call, value);
    note_shared(g, number, args, result);
    if (number == __NR_mmap)
        note_refused(args, result);
    if (number == __NR_rt_sigaction)
        note_handler(args, result);
    g->call.s = NULL;
}

void cc_vg_track_syscalls(void)
{
    VG_(needs_syscall_wrapper)(pre_syscall, post_syscall);
    VG_(track_post_mem_write)(post_mem_write);
}
