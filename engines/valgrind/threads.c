/* Threads: their beginning and end, signals, and what happens whenever one stops running. */
#include "engine.h"

static ULong all_instructions(void)
{
    ULong sum = engine.retired;
    for (ThreadId tid = 1; tid < VG_N_THREADS; tid++) {
        struct spare s;
        if (!engine.guests[tid].thread)
            continue;
        get_spare(tid, &s);
        sum += s.count;
    }
    return sum;
}

/* The core's own; no header for tools has it. */
extern Bool VG_(extend_stack)(ThreadId tid, Addr addr);

/* The kernel lets a program touch its stack anywhere down to the limit, Valgrind only what is not far below
 * the stack pointer. Go stores at the far end of a frame before it moves the stack pointer there. */
static void grow_stack(ThreadId tid, Addr sp, Addr limit)
{
    enum { ROOM = 256 << 10, SPARE = 64 << 10 };
    if (limit + ROOM + SPARE < sp)
        VG_(extend_stack)(tid, sp - ROOM);
}

extern struct vki_rlimit VG_(client_rlimit_stack); /* the core's: as the program has set it */
Bool __real_vgPlain_am_extend_into_adjacent_reservation_client(Addr a, SSizeT delta, Bool *ret_overflow);
Bool __wrap_vgPlain_am_extend_into_adjacent_reservation_client(Addr a, SSizeT delta, Bool *ret_overflow);

/* What is known as the main thread's stack: as much as is usual, and more when it comes to that. */
static void main_stack(struct cc_thread *t, Addr low, Addr end)
{
    enum { USUAL = 16 << 20 };
    ULong limit = VG_(client_rlimit_stack).rlim_cur, size = USUAL;
    while (size < end - low)
        size *= 2;
    size = size < limit ? size : limit > end - low ? limit : end - low;
    cc_thread_stack(t, end - size, size);
}

/* In place of the core's: the main thread's stack has room for what the program may allow itself later
 * (compilers do), and grows as far as it has allowed itself by now; never less than the megabyte that
 * Valgrind gives. What grows up, by a delta above 0, is the heap. */
Bool __wrap_vgPlain_am_extend_into_adjacent_reservation_client(Addr a, SSizeT delta, Bool *ret_overflow)
{
    enum { LEAST = 1 << 20 };
    const NSegment *stack = VG_(am_find_nsegment)(a);
    Addr low = delta < 0 && stack ? stack->start + delta : 0, end = stack ? stack->end + 1 : 0;
    ULong limit = VG_(client_rlimit_stack).rlim_cur;
    if (low && end - low > (limit < LEAST ? LEAST : limit)) {
        *ret_overflow = True;
        return False;
    }
    if (!__real_vgPlain_am_extend_into_adjacent_reservation_client(a, delta, ret_overflow))
        return False;
    struct cc_thread *t = low && engine.guests ? engine.guests[1].thread : NULL;
    if (t && low < t->stack_start && t->stack_start + t->stack_size == end)
        main_stack(t, low, end);
    return True;
}

/* The main thread's stack grows down into the reservation below it; another's is the mapping its stack
 * pointer starts in, below the data of the threads library. */
static void find_stack(ThreadId tid)
{
    Addr sp = VG_(get_SP)(tid);
    const NSegment *seg = VG_(am_find_nsegment)(sp);
    if (!seg)
        return;
    if (tid != 1) {
        cc_thread_stack(engine.guests[tid].thread, seg->start, sp + 16 - seg->start);
        return;
    }
    Addr start = seg->start, end = seg->end + 1;
    main_stack(engine.guests[tid].thread, start, end);
    const NSegment *below = VG_(am_find_nsegment)(start - 1);
    grow_stack(tid, sp, below && below->kind == SkResvn ? below->start : start);
    cc_map_range(engine.collect, sp, end - sp, CC_NODE_INPUT, cc_source(engine.collect, "execve", ""));
}

static void start_code(ThreadId tid, ULong blocks)
{
    if (!engine.guests[tid].thread) {
        struct spare zero = {0};
        if (tid == 1 && !engine.begun)
            cc_vg_restore_environment(tid);
        engine.begun = True;
        ULong start = all_instructions();
        engine.guests[tid].thread = cc_thread_new(engine.collect, (UInt)tid, start);
        engine.alive++;
        find_stack(tid);
        from_collector(&zero, engine.guests[tid].thread);
        set_spare(tid, &zero);
    }
    if (engine.guests[tid].returning) {
        engine.guests[tid].returning = False;
        if (engine.guests[tid].thread->depend)
            cc_depend_resumed(engine.guests[tid].thread->depend);
        if (engine.guests[tid].thread->loops && engine.guests[tid].before_return.leaf.loop == CC_VG_SETTLED)
            cc_vg_loop_shown(engine.guests[tid].thread, &engine.guests[tid].before_return);
        set_spare(tid, &engine.guests[tid].before_return);
    }
    engine.current = engine.guests[tid].thread;
    if (engine.current->depend) { /* another thread may have switched it */
        struct spare s;
        get_spare(tid, &s);
        s.depend = cc_vg_depend_on(engine.current);
        s.loop = (Addr)cc_loop_innermost(engine.current);
        set_spare(tid, &s);
    }
}

static void thread_exit(ThreadId tid)
{
    struct spare s;
    if (!engine.guests[tid].thread)
        return;
    get_spare(tid, &s);
    to_collector(engine.guests[tid].thread, &s);
    cc_thread_end(engine.guests[tid].thread, s.count);
    engine.retired += s.count;
    engine.alive--;
    engine.guests[tid].thread = NULL;
}

static void deliver_signal(ThreadId tid, Int sig, Bool alt_stack)
{
    struct spare s;
    if (!engine.guests[tid].thread)
        return;
    get_spare(tid, &s);
    to_collector(engine.guests[tid].thread, &s);
    cc_signal(engine.guests[tid].thread);
    if (engine.guests[tid].thread->depend)
        cc_depend_signal(engine.guests[tid].thread->depend);
    cc_alloc_interrupted(engine.guests[tid].thread);
    s.function = CC_OUTSIDE; /* so that the handler's first block reports itself */
    set_spare(tid, &s);
}

void cc_vg_sync_threads(void)
{
    for (ThreadId tid = 1; tid < VG_N_THREADS; tid++) {
        struct spare s;
        if (!engine.guests[tid].thread)
            continue;
        get_spare(tid, &s);
        if (s.leaf.loop)
            cc_vg_loop_settle(engine.guests[tid].thread, &s);
        cc_thread_sync(engine.guests[tid].thread, s.count);
        s.blocks = (Addr)engine.guests[tid].thread->blocks;
        s.own = (Addr)engine.guests[tid].thread->own;
        s.tick_at = engine.guests[tid].thread->tick_at;
        if (engine.guests[tid].thread->loops) /* a mark may have switched it off */
            cc_vg_loop_shown(engine.guests[tid].thread, &s);
        set_spare(tid, &s);
    }
}

/* Every second, so that a program that is killed leaves something; less often where that would take more than
 * a thirtieth of the time. */
static void stop_code(ThreadId tid, ULong blocks)
{
    if (engine.guests[tid].thread && engine.alive > 1) { /* what it did so far was now, not when it goes on */
        struct spare s;
        get_spare(tid, &s);
        to_collector(engine.guests[tid].thread, &s);
        cc_tick(engine.guests[tid].thread, s.count);
        from_collector(&s, engine.guests[tid].thread);
        set_spare(tid, &s);
    }
    UInt now = VG_(read_millisecond_timer)();
    if (now < engine.next_snapshot_ms)
        return;
    cc_vg_sync_threads();
    cc_vg_snapshot(0);
    UInt took = VG_(read_millisecond_timer)() - now;
    engine.next_snapshot_ms = now + took + (took * 30 > 1000 ? took * 30 : 1000);
}

void cc_vg_end_threads(void)
{
    for (ThreadId tid = 1; tid < VG_N_THREADS; tid++)
        thread_exit(tid);
}

void cc_vg_forget_threads(ThreadId but)
{
    for (ThreadId tid = 1; tid < VG_N_THREADS; tid++)
        if (tid != but)
            engine.guests[tid].thread = NULL;
    engine.alive = 1;
    engine.retired = 0;
}

void cc_vg_track_threads(void)
{
    VG_(track_start_client_code)(start_code);
    VG_(track_stop_client_code)(stop_code);
    VG_(track_pre_thread_ll_exit)(thread_exit);
    VG_(track_pre_deliver_signal)(deliver_signal);
}
