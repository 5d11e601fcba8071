/* What the collector needs from Valgrind, and where its results go. */
#include "engine.h"

/* What am_shadow_alloc gives: a pointer up to Valgrind 3.21 or so, a result since (3.24 has it). */
__attribute__((unused)) static void *of_pointer(void *p)
{
    return p;
}

__attribute__((unused)) static void *of_result(SysRes r)
{
    return sr_isError(r) ? NULL : (void *)sr_Res(r);
}

static void *shadow_alloc(SizeT size)
{
    return _Generic(VG_(am_shadow_alloc)(0), void *: of_pointer, SysRes: of_result)(VG_(am_shadow_alloc)(size));
}

/* On huge pages it causes fewer TLB misses. */
static void advise(void *p, size_t size, Bool huge)
{
    enum { MADVISE_HUGE = 14, MADVISE_NOT_HUGE = 15 };
    Int how = huge ? MADVISE_HUGE : MADVISE_NOT_HUGE;
    VG_(do_syscall)(__NR_madvise, (Addr)p, (size + 4095) & ~(SizeT)4095, how, 0, 0, 0);
}

static void host_dense(void *self, void *p, size_t size)
{
    advise(p, size, True);
}

static void host_sparse(void *self, void *p, size_t size)
{
    advise(p, size, False);
}

static void *host_map(void *self, size_t size)
{
    enum { HUGE = 2 << 20 };
    void *p = shadow_alloc((size + 4095) & ~(SizeT)4095);
    if (!p) {
        VG_(umsg)("corecast: out of memory\n");
        VG_(exit)(1);
    }
    if (size >= HUGE && size <= 16 * HUGE)
        host_dense(self, p, size);
    return p;
}

static void host_unmap(void *self, void *p, size_t size)
{
    VG_(am_munmap_valgrind)((Addr)p, (size + 4095) & ~(SizeT)4095);
}

static long host_read(void *self, const char *path, void *to, size_t size, uint64_t offset)
{
    SysRes fd = VG_(open)(path, VKI_O_RDONLY, 0);
    if (sr_isError(fd))
        return -1;
    long done = -1;
    if (VG_(lseek)((Int)sr_Res(fd), (Off64T)offset, VKI_SEEK_SET) == (Off64T)offset) {
        done = 0;
        while ((size_t)done < size) {
            Int n = VG_(read)((Int)sr_Res(fd), (UChar *)to + done,
                              (Int)(size - (size_t)done > 1 << 30 ? 1 << 30 : size - (size_t)done));
            if (n <= 0)
                break;
            done += n;
        }
    }
    VG_(close)((Int)sr_Res(fd));
    return done;
}

static size_t host_read_guest(void *self, uint64_t address, void *to, size_t size)
{
    if (!VG_(am_is_valid_for_client)((Addr)address, size, VKI_PROT_READ))
        return 0;
    VG_(memcpy)(to, (const void *)(Addr)address, size);
    return size;
}

extern Int
    VG_(safe_fd)(Int); /* the core's, not in the tool headers: moves a descriptor out of the program's way */

static void host_put_tasks(void *self, const void *data, size_t size)
{
    if (engine.silent || engine.no_files)
        return;
    if (engine.task_fd < 0) {
        HChar path[4200];
        VG_(snprintf)(path, sizeof path, "%s.tasks", engine.options.out);
        SysRes fd = VG_(open)(path, VKI_O_WRONLY | VKI_O_CREAT | VKI_O_TRUNC, 0600);
        if (sr_isError(fd))
            return;
        engine.task_fd = VG_(safe_fd)((Int)sr_Res(fd));
    }
    VG_(write)(engine.task_fd, data, (Int)size);
}

extern SysRes VG_(am_shared_mmap_file_float_valgrind)(SizeT length, UInt prot, Int fd,
                                                      Off64T offset); /* the core's */

static int sink_write(void *self, const void *data, size_t size)
{
    const UChar *p = data;
    while (size) {
        Int n = VG_(write)(*(const Int *)self, p, (Int)(size > 1 << 30 ? 1 << 30 : size));
        if (n <= 0)
            return -1;
        p += n;
        size -= (size_t)n;
    }
    return 0;
}

static void board(UInt i, Int how, SizeT size)
{
    HChar path[4200];
    struct cc_boat *b = &engine.boats[i];
    VG_(snprintf)(path, sizeof path, "%s.%u", engine.options.out, i);
    SysRes fd = VG_(open)(path, VKI_O_RDWR | how, 0600);
    if (sr_isError(fd))
        return;
    Long used = VG_(lseek)((Int)sr_Res(fd), 0, VKI_SEEK_END);
    SysRes room = VG_(do_syscall)(__NR_fallocate, sr_Res(fd), 0, 0, size, 0, 0);
    SysRes p = sr_isError(room) ? room
                                : VG_(am_shared_mmap_file_float_valgrind)(
                                      size, VKI_PROT_READ | VKI_PROT_WRITE, (Int)sr_Res(fd), 0);
    if (!sr_isError(p) && used <= (Long)size)
        *b = (struct cc_boat){.p = (UChar *)sr_Res(p), .size = size, .used = (SizeT)used};
    VG_(close)((Int)sr_Res(fd));
}

void cc_vg_board(void)
{
    if (engine.silent || !engine.options.out || engine.boats[0].p)
        return;
    board(0, VKI_O_CREAT, CC_BOAT_SIZE);
    board(1, VKI_O_CREAT, CC_BOAT_SIZE);
}

/* A larger one, if the program has left us the right to have it. */
static bool board_larger(struct cc_boat *b)
{
    size_t before = b->size;
    if (!engine.no_files && before < CC_BOAT_MOST)
        board((unsigned)(b - engine.boats), 0, before * 2);
    return b->size > before;
}

void cc_vg_snapshot(UInt flags)
{
    if (engine.silent || !engine.options.out)
        return;
    flags |= CC_RUN_REGISTERS | (engine.forked ? CC_RUN_FORKED : 0);
    struct cc_boat *boat = &engine.boats[engine.turn & 1];
    if (boat->p) {
        engine.turn += cc_boat_snapshot(boat, board_larger, engine.collect, (UInt)VG_(getpid)(), flags);
        return;
    }
    HChar path[4200];
    VG_(snprintf)(path, sizeof path, "%s.%u", engine.options.out, engine.turn++ & 1);
    SysRes fd = VG_(open)(path, VKI_O_WRONLY | VKI_O_CREAT | VKI_O_TRUNC, 0600);
    if (sr_isError(fd))
        return;
    Int to = VG_(safe_fd)((Int)sr_Res(fd));
    struct cc_sink sink = {&to, sink_write};
    if (cc_snapshot(engine.collect, &sink, (UInt)VG_(getpid)(), flags) < 0)
        engine.turn--; /* the next try overwrites this one, the whole one before stays */
    VG_(close)(to);
}

struct cc_host cc_vg_host = {.map = host_map,
                             .dense = host_dense,
                             .sparse = host_sparse,
                             .unmap = host_unmap,
                             .read_file = host_read,
                             .read_guest = host_read_guest,
                             .put_tasks = host_put_tasks};
