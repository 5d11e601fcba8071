/* The program's memory map: what is mapped, moved and given back. */
#include "engine.h"

static Bool starts_with(const HChar *s, const HChar *prefix)
{
    return prefix && VG_(strncmp)(s, prefix, VG_(strlen)(prefix)) == 0;
}

static Bool is_elf(const HChar *path)
{
    UInt magic = 0;
    return cc_vg_host.read_file(NULL, path, &magic, 4, 0) == 4 && magic == 0x464c457f;
}

/* A page of our own code is given to the program: where signal handlers return to, and what stands in for the
 * vdso. It is nobody's. */
static Bool is_trampoline(const NSegment *seg)
{
    const NSegment *own = VG_(am_find_nsegment)((Addr)&is_trampoline);
    return own && own->dev == seg->dev && own->ino == seg->ino;
}

/* A mapping that grows is still the one it was. */
static Bool grows(const struct cc_call *call, Addr a, SizeT size)
{
    if (!call->s || call->s->kind != CC_SYS_MREMAP)
        return False;
    SizeT old = VG_PGROUNDUP(call->args[1]);
    cc_data_move(engine.collect, a - old, a - old, old, old + size);
    return True;
}

static void anonymous_mapping(ThreadId tid, Addr a, SizeT size)
{
    struct spare s;
    if (!engine.options.objects || !engine.guests[tid].thread || grows(&engine.guests[tid].call, a, size))
        return;
    get_spare(tid, &s);
    to_collector(engine.guests[tid].thread, &s);
    cc_data_mmap(engine.guests[tid].thread, a, size);
}

static void new_mapping(Addr a, SizeT size, Bool exec, Bool startup)
{
    const NSegment *seg = VG_(am_find_nsegment)(a);
    if (!exec)
        cc_vg_dense_shadow(a, size);
    const HChar *path = seg && seg->kind == SkFileC ? VG_(am_get_filename)(seg) : NULL;
    if (!path) {
        Bool bss = startup && seg && seg->kind == SkAnonC && !exec;
        Bool stack = a <= (Addr)VG_(client_envp) && (Addr)VG_(client_envp) < a + size;
        cc_map_range(engine.collect, a, size, bss && !stack ? CC_NODE_STATIC : CC_NODE_UNKNOWN, 0);
        if (bss && !stack && engine.options.program)
            cc_data_file(engine.collect, engine.options.program, true, a, size);
        else if (!startup && VG_(get_running_tid)() != VG_INVALID_THREADID)
            anonymous_mapping(VG_(get_running_tid)(), a, size);
        return;
    }
    if (is_trampoline(seg))
        return;
    cc_data_file(engine.collect, path, is_elf(path), a, size);
    if (is_elf(path)) {
        Bool own = engine.options.program &&
                   (VG_(strcmp)(path, engine.options.program) == 0 || starts_with(path, engine.options.own));
        if (exec)
            cc_binary_add(engine.collect, path, a, a + size, (ULong)seg->offset + (a - seg->start), own);
        cc_vg_forget_targets();
        cc_map_range(engine.collect, a, size, CC_NODE_STATIC, 0);
    } else {
        cc_map_range(engine.collect, a, size, CC_NODE_INPUT, cc_source(engine.collect, "mmap", path));
    }
}

static void mem_startup(Addr a, SizeT size, Bool r, Bool w, Bool x, ULong di)
{
    new_mapping(a, size, x, True);
}
static void mem_mmap(Addr a, SizeT size, Bool r, Bool w, Bool x, ULong di)
{
    new_mapping(a, size, x, False);
}
static void mem_remap(Addr from, Addr to, SizeT size)
{
    cc_copy_range(engine.collect, from, to, size);
    cc_data_move(engine.collect, from, to, size, size);
}

static void mem_munmap(Addr a, SizeT size)
{
    cc_unmap_range(engine.collect, a, size);
    cc_data_unmap(engine.collect, a, size);
    if (cc_binary_remove(engine.collect, a, a + size))
        cc_vg_forget_targets();
}

static void mem_brk_up(Addr a, SizeT size, ThreadId tid)
{
    enum { LARGE = 2 << 20 }; /* a heap that has become so may become larger */
    const NSegment *seg = VG_(am_find_nsegment)(a);
    if (seg && a + size - seg->start >= LARGE)
        cc_vg_dense_shadow(a, size + LARGE);
    cc_data_brk(engine.collect, a, size);
}

static void mem_brk_down(Addr a, SizeT size)
{
    cc_unmap_range(engine.collect, a, size);
    cc_data_unmap(engine.collect, a, size);
}

void cc_vg_track_memory(void)
{
    VG_(track_new_mem_startup)(mem_startup);
    VG_(track_new_mem_mmap)(mem_mmap);
    VG_(track_copy_mem_remap)(mem_remap);
    VG_(track_die_mem_munmap)(mem_munmap);
    VG_(track_new_mem_brk)(mem_brk_up);
    VG_(track_die_mem_brk)(mem_brk_down);
}
