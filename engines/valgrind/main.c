/* The Valgrind engine: a tool that feeds the collector.
 *
 * Each memory access calls the collector. Instructions and the executions of each straight piece of code are
 * counted by inline adds. Which function is running is checked at the start of each block of the program's
 * functions by an inline compare; calls and returns are hooked where they matter. Everything else is in
 * collect/. */
#include "pub_tool_basics.h"
#include "pub_tool_aspacemgr.h"
#include "pub_tool_clientstate.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_machine.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_options.h"
#include "pub_tool_threadstate.h"
#include "pub_tool_tooliface.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "../../collect/collect.h"
#include "../../collect/data.h"
#include "../../collect/transfer.h"

#if defined(VGA_arm64)
#include "libvex_guest_arm64.h"
enum { ISA = CC_ISA_AARCH64 };
#define GUEST_SP(g) ((VexGuestARM64State *)(g))->guest_XSP
#define CALL_PUSHES 0
#define GUEST_RESULT(g) ((VexGuestARM64State *)(g))->guest_X0
#define JUMP_WITH_GUEST(to) "mov x1, x21\n\tb " #to /* VEX keeps the guest state in x21 */
#elif defined(VGA_amd64)
#include "libvex_guest_amd64.h"
enum { ISA = CC_ISA_X86 };
#define GUEST_SP(g) ((VexGuestAMD64State *)(g))->guest_RSP
#define CALL_PUSHES 8
#define GUEST_RESULT(g) ((VexGuestAMD64State *)(g))->guest_RAX
#define JUMP_WITH_GUEST(to) "mov %rbp, %rsi\n\tjmp " #to /* VEX keeps the guest state in rbp */
#else
#error "this host's ISA is not supported by the valgrind engine"
#endif

/* What lies behind the guest state of each thread: Valgrind keeps two areas of the same size there for tools.
 */
struct spare {
    ULong count;   /* instructions of this thread */
    ULong out_ret; /* mirrors cc_thread.out_ret */
    UInt function; /* mirrors cc_thread.function */
    UInt pad;
    ULong target;    /* of the indirect call or return that ends the block; the record of a mark */
    ULong blocks;    /* mirrors cc_thread.blocks, and */
    ULong tick_at;   /* cc_thread.tick_at */
    ULong alloc_ret; /* where the allocator that is running returns to; 0: none is */
};
static Int spare_at; /* offset from the guest state */

static inline struct spare *spare_of(void *guest)
{
    return (struct spare *)((UChar *)guest + spare_at);
}

static struct cc_collect *collect;
static struct cc_thread **threads; /* by Valgrind's thread id */
static struct cc_thread *current;
static const struct cc_syscall **in_call; /* by thread id: the system call it is in */
static ULong *in_call_args;               /* first argument, by thread id */
static struct spare *before_return;       /* by thread id: at the return from a signal handler */
static Bool *returning;                   /* by thread id: that return is under way */
static ULong retired;                     /* instructions of threads that ended */

static const HChar *clo_run = NULL; /* the run file */
static struct cc_options options;   /* as it says */
static Int own_pid;
static Bool silent; /* a forked child that is not followed */
static UInt turn;
static UInt next_snapshot_ms;
static Int task_fd = -1;
static UInt alive; /* threads */

/* --- the collector's host --- */

extern SysRes VG_(do_syscall)(UWord number, RegWord, RegWord, RegWord, RegWord, RegWord,
                              RegWord); /* the core's */

static void *host_map(void *self, size_t size)
{
    enum { HUGE_PAGE = 2 << 20, MADVISE_HUGE = 14 };
    Bool chunk =
        size == CC_CHUNK_CELLS * sizeof(cc_cell); /* of shadow memory: fewer TLB misses on huge pages */
    Addr p = (Addr)VG_(am_shadow_alloc)(((size + 4095) & ~(SizeT)4095) + (chunk ? HUGE_PAGE : 0));
    if (!p) {
        VG_(umsg)("corecast: out of memory\n");
        VG_(exit)(1);
    }
    if (chunk) { /* never given back, so that its start may move up to a boundary */
        p = (p + HUGE_PAGE - 1) & ~(Addr)(HUGE_PAGE - 1);
        VG_(do_syscall)(__NR_madvise, p, size, MADVISE_HUGE, 0, 0, 0);
    }
    return (void *)p;
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
    if (silent)
        return;
    if (task_fd < 0) {
        HChar path[4200];
        VG_(snprintf)(path, sizeof path, "%s.tasks", options.out);
        SysRes fd = VG_(open)(path, VKI_O_WRONLY | VKI_O_CREAT | VKI_O_TRUNC, 0600);
        if (sr_isError(fd))
            return;
        task_fd = VG_(safe_fd)((Int)sr_Res(fd));
    }
    VG_(write)(task_fd, data, (Int)size);
}

/* --- what translated code calls ---
 *
 * VEX passes no pointer to the guest state on arm64, so each of these is entered through a stub that takes it
 * from the register where translated code keeps it, and passes it as the second argument. */
#define FROM_CODE(name)                                                                 \
    void name##_stub(void);                                                             \
    __asm__(".text\n\t.globl " #name "_stub\n\t.type " #name "_stub, %function\n" #name \
            "_stub:\n\t" JUMP_WITH_GUEST(name));                                        \
    void name(void *what, void *guest);                                                 \
    __attribute__((used)) void name(void *what, void *guest)

/* An access, and a further access of the same instruction, whose first was at `first`; both also for data
 * objects. */
#define DIRECT(kind, bytes, class, what, write)                         \
    static VG_REGPARM(1) void on_##kind##bytes(ULong a)                 \
    {                                                                   \
        what(current, a, class);                                        \
    }                                                                   \
    static VG_REGPARM(2) void again_##kind##bytes(ULong a, ULong first) \
    {                                                                   \
        what(current, a, class);                                        \
        cc_again(current, a, first);                                    \
    }                                                                   \
    static VG_REGPARM(1) void data_##kind##bytes(ULong a)               \
    {                                                                   \
        cc_data_count(current->data, a, class, write);                  \
        what(current, a, class);                                        \
    }                                                                   \
    static VG_REGPARM(2) void more_##kind##bytes(ULong a, ULong first)  \
    {                                                                   \
        cc_data_count(current->data, a, class, write);                  \
        what(current, a, class);                                        \
        cc_again(current, a, first);                                    \
    }
DIRECT(read, 1, 0, cc_read, false)
DIRECT(read, 2, 1, cc_read, false)
DIRECT(read, 4, 2, cc_read, false)
DIRECT(read, 8, 3, cc_read, false)
DIRECT(read, 16, 4, cc_read, false)
DIRECT(write, 1, 0, cc_write, true)
DIRECT(write, 2, 1, cc_write, true)
DIRECT(write, 4, 2, cc_write, true)
DIRECT(write, 8, 3, cc_write, true)
DIRECT(write, 16, 4, cc_write, true)
#define ALL(name)                                                                      \
    {                                                                                  \
        {name##_read1, name##_read2, name##_read4, name##_read8, name##_read16},       \
        {                                                                              \
            name##_write1, name##_write2, name##_write4, name##_write8, name##_write16 \
        }                                                                              \
    }
static void *const direct[2][2][5] = {ALL(on), ALL(data)}; /* [objects][write][class] */
static void *const direct_again[2][2][5] = {ALL(again), ALL(more)};

static VG_REGPARM(2) void on_again(ULong a, ULong first)
{
    cc_again(current, a, first);
}

static VG_REGPARM(2) void on_read_odd(ULong a, ULong size)
{
    if (current->data)
        cc_data_access(current->data, a, (UInt)size, false);
    cc_read_any(current, a, (UInt)size);
}
static VG_REGPARM(2) void on_write_odd(ULong a, ULong size)
{
    if (current->data)
        cc_data_access(current->data, a, (UInt)size, true);
    cc_write_any(current, a, (UInt)size);
}

struct site {
    ULong address; /* of the block, or where the call returns to */
    struct cc_place place;
    ULong target;  /* an indirect call's last target, and */
    UInt function; /* its function */
};

static inline void to_collector(struct cc_thread *t, const struct spare *s)
{
    t->function = s->function;
    t->out_ret = s->out_ret;
}

static inline void from_collector(struct spare *s, const struct cc_thread *t)
{
    s->function = t->function;
    s->out_ret = t->out_ret;
    s->blocks = (Addr)t->blocks;
    s->tick_at = t->tick_at;
}

FROM_CODE(on_arrival)
{
    const struct site *site = what;
    struct spare *s = spare_of(guest);
    to_collector(current, s);
    if (current->data) {
        cc_data_clock(current, (const uint64_t *)&s->count);
        s->alloc_ret = cc_alloc_landed(current, GUEST_SP(guest));
    }
    cc_arrive(current, s->count, site->place, site->address,
              GUEST_SP(guest) + (site->place.entry ? CALL_PUSHES : 0));
    from_collector(s, current);
}

FROM_CODE(on_call)
{
    const struct site *site = what;
    struct spare *s = spare_of(guest);
    to_collector(current, s);
    cc_call(current, s->count, site->function, site->address, GUEST_SP(guest) + CALL_PUSHES);
    from_collector(s, current);
}

FROM_CODE(on_indirect_call)
{
    struct site *site = what;
    ULong target = spare_of(guest)->target;
    if (site->target != target) {
        site->target = target;
        site->function = cc_place_of(collect, target, true).function;
    }
    if (site->function != CC_OUTSIDE || spare_of(guest)->function != CC_OUTSIDE)
        on_call(site, guest);
}

FROM_CODE(on_return)
{
    struct spare *s = spare_of(guest);
    to_collector(current, s);
    cc_return(current, s->count, s->target, GUEST_SP(guest));
    from_collector(s, current);
}

static void sync_threads(void);

/* A frame begins, or recording is switched, for the whole process: the other threads stand still. */
static void mark(struct cc_mark_site *site, ULong record, void *guest)
{
    struct spare *s = spare_of(guest);
    Bool all = site->what >= CC_MARK_SITE_FRAME && site->what <= CC_MARK_SITE_RECORD_OFF;
    to_collector(current, s);
    if (all)
        sync_threads();
    cc_mark(current, s->count, site, record);
    if (all)
        sync_threads();
    from_collector(s, current);
}

FROM_CODE(on_mark)
{
    mark(what, 0, guest);
}

FROM_CODE(on_record_mark)
{
    mark(what, spare_of(guest)->target, guest);
}

/* --- allocators --- */

struct allocator {
    enum cc_alloc_kind kind;
    UInt function; /* its own, CC_OUTSIDE if it has none */
};

FROM_CODE(on_allocator)
{
    const struct allocator *a = what;
    struct spare *s = spare_of(guest);
#if defined(VGA_arm64)
    const VexGuestARM64State *g = guest;
    uint64_t args[3] = {g->guest_X0, g->guest_X1, g->guest_X2}, ret = g->guest_X30;
#else
    const VexGuestAMD64State *g = guest;
    uint64_t args[3] = {g->guest_RDI, g->guest_RSI, g->guest_RDX}, ret = *(const ULong *)g->guest_RSP;
#endif
    to_collector(current, s);
    s->alloc_ret = cc_alloc_enter(current, a->kind, args, a->function, ret, GUEST_SP(guest) + CALL_PUSHES);
}

static uint64_t load_pointer(uint64_t address)
{
    return *(const ULong *)(Addr)address; /* posix_memalign has just stored it */
}

FROM_CODE(on_allocated)
{
    struct spare *s = spare_of(guest);
    s->alloc_ret = cc_alloc_return(current, GUEST_RESULT(guest), load_pointer, GUEST_SP(guest));
}

FROM_CODE(on_tick)
{
    struct spare *s = spare_of(guest);
    cc_tick(current, s->count);
    s->tick_at = current->tick_at;
}

/* --- translation --- */

struct translation {
    IRSB *out;
    UInt instructions;         /* not yet added to the count */
    ULong start, end;          /* of the code they are */
    IRExpr *first;             /* address of the instruction's first access; NULL: none yet */
    struct cc_mark_site *mark; /* the instruction is this mark, and its load is still to come */
};

static void emit(struct translation *x, IRStmt *s)
{
    addStmtToIRSB(x->out, s);
}

static IRExpr *assign(struct translation *x, IRType type, IRExpr *e)
{
    IRTemp t = newIRTemp(x->out->tyenv, type);
    emit(x, IRStmt_WrTmp(t, e));
    return IRExpr_RdTmp(t);
}

static IRDirty *emit_call(struct translation *x, const HChar *name, void (*stub)(void), const void *what)
{
    IRDirty *d = unsafeIRDirty_0_N(1, name, stub, mkIRExprVec_1(mkIRExpr_HWord((HWord)what)));
    emit(x, IRStmt_Dirty(d));
    return d;
}

static void emit_target(struct translation *x, IRExpr *target)
{
    emit(x, IRStmt_Put(spare_at + (Int)offsetof(struct spare, target), target));
}

/* One more execution of the piece of code that ends here. */
static void emit_block(struct translation *x)
{
    UInt block = cc_block(collect, x->start, (const UChar *)(Addr)x->start, (UInt)(x->end - x->start),
                          x->instructions, False);
    IRExpr *blocks = assign(x, Ity_I64, IRExpr_Get(spare_at + (Int)offsetof(struct spare, blocks), Ity_I64));
    IRExpr *at = assign(x, Ity_I64, IRExpr_Binop(Iop_Add64, blocks, IRExpr_Const(IRConst_U64(block * 8ull))));
    IRExpr *times = assign(x, Ity_I64, IRExpr_Load(Iend_LE, Ity_I64, at));
    IRExpr *more = assign(x, Ity_I64, IRExpr_Binop(Iop_Add64, times, IRExpr_Const(IRConst_U64(1))));
    emit(x, IRStmt_Store(Iend_LE, at, more));
}

static void flush_count(struct translation *x)
{
    if (!x->instructions)
        return;
    IRExpr *old = assign(x, Ity_I64, IRExpr_Get(spare_at, Ity_I64));
    IRExpr *sum =
        assign(x, Ity_I64, IRExpr_Binop(Iop_Add64, old, IRExpr_Const(IRConst_U64(x->instructions))));
    emit(x, IRStmt_Put(spare_at, sum));
    if (!options.plain)
        emit_block(x);
    x->instructions = 0;
}

/* guard: NULL, or whether the access happens at all */
static void access(struct translation *x, IRExpr *address, UInt size, Bool write, IRExpr *guard)
{
    IRDirty *d;
    IRExpr *first = x->first;
    Bool plain = size && size <= 16 && (size & (size - 1)) == 0;
    if (!first)
        x->first = address;
    if (plain && first)
        d = unsafeIRDirty_0_N(2, "on_access", direct_again[options.objects][write][__builtin_ctz(size)],
                              mkIRExprVec_2(address, first));
    else if (plain)
        d = unsafeIRDirty_0_N(1, "on_access", direct[options.objects][write][__builtin_ctz(size)],
                              mkIRExprVec_1(address));
    else
        d = unsafeIRDirty_0_N(2, "on_odd_access", write ? on_write_odd : on_read_odd,
                              mkIRExprVec_2(address, mkIRExpr_HWord(size)));
    if (first && !plain) {
        IRDirty *again = unsafeIRDirty_0_N(2, "on_again", on_again, mkIRExprVec_2(address, first));
        if (guard)
            again->guard = guard;
        emit(x, IRStmt_Dirty(again));
    }
    if (guard)
        d->guard = guard;
    emit(x, IRStmt_Dirty(d));
}

static void statement(struct translation *x, IRStmt *st)
{
    IRTypeEnv *types = x->out->tyenv;
    switch (st->tag) {
    case Ist_IMark: {
        struct cc_mark_site *site = cc_mark_at(collect, st->Ist.IMark.addr);
        if (site)
            flush_count(x);
        if (site && !site->record)
            emit_call(x, "on_mark", on_mark_stub, site);
        if (!x->instructions)
            x->start = st->Ist.IMark.addr;
        x->end = st->Ist.IMark.addr + st->Ist.IMark.len;
        x->instructions++;
        x->first = NULL;
        x->mark = site && site->record ? site : NULL;
        break;
    }
    case Ist_WrTmp:
        if (st->Ist.WrTmp.data->tag == Iex_Load) {
            IRExpr *load = st->Ist.WrTmp.data;
            if (x->mark) {
                emit_target(x, load->Iex.Load.addr);
                emit_call(x, "on_record_mark", on_record_mark_stub, x->mark);
                x->mark = NULL;
            }
            access(x, load->Iex.Load.addr, (UInt)sizeofIRType(load->Iex.Load.ty), False, NULL);
        }
        break;
    case Ist_Store:
        access(x, st->Ist.Store.addr, (UInt)sizeofIRType(typeOfIRExpr(types, st->Ist.Store.data)), True,
               NULL);
        break;
    case Ist_StoreG: {
        IRStoreG *s = st->Ist.StoreG.details;
        access(x, s->addr, (UInt)sizeofIRType(typeOfIRExpr(types, s->data)), True, s->guard);
        break;
    }
    case Ist_LoadG: {
        IRLoadG *l = st->Ist.LoadG.details;
        IRType type, wide;
        typeOfIRLoadGOp(l->cvt, &wide, &type);
        access(x, l->addr, (UInt)sizeofIRType(type), False, l->guard);
        break;
    }
    case Ist_CAS: {
        IRCAS *c = st->Ist.CAS.details;
        UInt size = (UInt)sizeofIRType(typeOfIRExpr(types, c->dataLo)) * (c->dataHi ? 2 : 1);
        access(x, c->addr, size, False, NULL);
        access(x, c->addr, size, True, NULL);
        break;
    }
    case Ist_LLSC: {
        IRType type = st->Ist.LLSC.storedata ? typeOfIRExpr(types, st->Ist.LLSC.storedata)
                                             : typeOfIRTemp(types, st->Ist.LLSC.result);
        access(x, st->Ist.LLSC.addr, (UInt)sizeofIRType(type), st->Ist.LLSC.storedata != NULL, NULL);
        break;
    }
    case Ist_Dirty: {
        IRDirty *d = st->Ist.Dirty.details;
        if (d->mFx == Ifx_Read || d->mFx == Ifx_Modify)
            access(x, d->mAddr, (UInt)d->mSize, False, d->guard);
        if (d->mFx == Ifx_Write || d->mFx == Ifx_Modify)
            access(x, d->mAddr, (UInt)d->mSize, True, d->guard);
        break;
    }
    case Ist_Exit:
        flush_count(x);
        break;
    default:
        break;
    }
    emit(x, st);
}

static struct site *site_new(ULong address)
{
    struct site *s = VG_(calloc)("cc.site", 1, sizeof *s);
    s->address = address;
    return s;
}

static void check_function(struct translation *x, ULong address, struct cc_place place)
{
    struct site *s = site_new(address);
    s->place = place;
    IRExpr *now = assign(x, Ity_I32, IRExpr_Get(spare_at + (Int)offsetof(struct spare, function), Ity_I32));
    IRExpr *differs =
        assign(x, Ity_I1, IRExpr_Binop(Iop_CmpNE32, now, IRExpr_Const(IRConst_U32(place.function))));
    emit_call(x, "on_arrival", on_arrival_stub, s)->guard = differs;
}

/* A loop may go on for long without a call. */
static Bool jumps_back(const IRSB *sb, ULong address)
{
    if (sb->next->tag == Iex_Const && sb->next->Iex.Const.con->Ico.U64 <= address)
        return True;
    for (Int i = 0; i < sb->stmts_used; i++)
        if (sb->stmts[i]->tag == Ist_Exit && sb->stmts[i]->Ist.Exit.dst->Ico.U64 <= address)
            return True;
    return sb->next->tag != Iex_Const && sb->jumpkind == Ijk_Boring;
}

static void check_tick(struct translation *x)
{
    IRExpr *now = assign(x, Ity_I64, IRExpr_Get(spare_at, Ity_I64));
    IRExpr *then = assign(x, Ity_I64, IRExpr_Get(spare_at + (Int)offsetof(struct spare, tick_at), Ity_I64));
    IRExpr *due = assign(x, Ity_I1, IRExpr_Binop(Iop_CmpLE64U, then, now));
    emit_call(x, "on_tick", on_tick_stub, NULL)->guard = due;
}

/* VEX gives arm64's plain B the jump kind of a call too. */
static Bool is_call(IRSB *sb, Addr last)
{
#if defined(VGA_arm64)
    UInt insn = *(const UInt *)last;
    if (insn >> 26 == 5)
        return False;
#endif
    return sb->jumpkind == Ijk_Call;
}

static void finish_call(struct translation *x, ULong ret, Bool inside)
{
    IRExpr *next = x->out->next;
    struct site *s = site_new(ret);
    if (next->tag != Iex_Const) {
        emit_target(x, next);
        emit_call(x, "on_indirect_call", on_indirect_call_stub, s);
        return;
    }
    s->function = cc_place_of(collect, next->Iex.Const.con->Ico.U64, true).function;
    if (s->function != CC_OUTSIDE) {
        emit_call(x, "on_call", on_call_stub, s);
    } else if (inside) { /* into a library: two stores say all that the way back needs */
        emit(x, IRStmt_Put(spare_at + (Int)offsetof(struct spare, out_ret), IRExpr_Const(IRConst_U64(ret))));
        emit(x, IRStmt_Put(spare_at + (Int)offsetof(struct spare, function),
                           IRExpr_Const(IRConst_U32(CC_OUTSIDE))));
        VG_(free)(s);
    } else {
        VG_(free)(s);
    }
}

static void check_allocator(struct translation *x, enum cc_alloc_kind kind, UInt function)
{
    struct allocator *a = VG_(calloc)("cc.allocator", 1, sizeof *a);
    a->kind = kind;
    a->function = function;
    emit_call(x, "on_allocator", on_allocator_stub, a);
}

static void check_allocated(struct translation *x)
{
    IRExpr *to = assign(x, Ity_I64, IRExpr_Get(spare_at + (Int)offsetof(struct spare, alloc_ret), Ity_I64));
    IRExpr *back = assign(x, Ity_I1, IRExpr_Binop(Iop_CmpEQ64, to, x->out->next));
    emit_call(x, "on_allocated", on_allocated_stub, NULL)->guard = back;
}

static IRSB *instrument(VgCallbackClosure *closure, IRSB *in, const VexGuestLayout *layout,
                        const VexGuestExtents *vge, const VexArchInfo *arch, IRType guest_word,
                        IRType host_word)
{
    struct translation x = {.out = deepCopyIRSBExceptStmts(in)};
    ULong address = 0, last = 0, after = 0;
    struct cc_place place = {CC_OUTSIDE, false};
    bool allocates = false; /* calls of an allocator may return from here */
    Int i = 0;
    if (!spare_at)
        spare_at = layout->total_sizeB;
    for (; i < in->stmts_used && in->stmts[i]->tag != Ist_IMark; i++)
        emit(&x, in->stmts[i]);
    if (i < in->stmts_used) {
        address = in->stmts[i]->Ist.IMark.addr;
        place = cc_place_of(collect, address, false);
        if (place.function != CC_OUTSIDE)
            check_function(&x, address, place);
        enum cc_alloc_kind kind = cc_allocator_at(collect, address, &allocates);
        if (kind != CC_ALLOC_NONE)
            check_allocator(&x, kind, place.function);
        if (!options.plain && jumps_back(in, address))
            check_tick(&x);
    }
    for (; i < in->stmts_used; i++) {
        IRStmt *st = in->stmts[i];
        if (st->tag == Ist_NoOp)
            continue;
        if (st->tag == Ist_IMark)
            last = st->Ist.IMark.addr, after = last + st->Ist.IMark.len;
        statement(&x, st);
    }
    flush_count(&x);
    if (in->jumpkind == Ijk_Ret && allocates)
        check_allocated(&x);
    if (last && is_call(in, last))
        finish_call(&x, after, place.function != CC_OUTSIDE);
    else if (in->jumpkind == Ijk_Ret && place.function != CC_OUTSIDE) {
        emit_target(&x, in->next);
        emit_call(&x, "on_return", on_return_stub, NULL);
    }
    return x.out;
}

/* --- threads --- */

static void get_spare(ThreadId tid, struct spare *s)
{
    VG_(get_shadow_regs_area)(tid, (UChar *)s, 1, 0, sizeof *s);
}

static void set_spare(ThreadId tid, const struct spare *s)
{
    VG_(set_shadow_regs_area)(tid, 1, 0, sizeof *s, (const UChar *)s);
}

static ULong all_instructions(void)
{
    ULong sum = retired;
    for (ThreadId tid = 1; tid < VG_N_THREADS; tid++) {
        struct spare s;
        if (!threads[tid])
            continue;
        get_spare(tid, &s);
        sum += s.count;
    }
    return sum;
}

/* The main thread's stack grows down into the reservation below it; another's is the mapping its stack
 * pointer starts in, below the data of the threads library. */
static void find_stack(ThreadId tid)
{
    Addr sp = VG_(get_SP)(tid);
    const NSegment *seg = VG_(am_find_nsegment)(sp);
    if (!seg)
        return;
    Addr start = seg->start, end = sp + 16;
    if (tid == 1) {
        const NSegment *below = VG_(am_find_nsegment)(start - 1);
        if (below && below->kind == SkResvn)
            start = below->start;
        end = seg->end + 1;
    }
    cc_thread_stack(threads[tid], start, end - start);
}

static void start_code(ThreadId tid, ULong blocks)
{
    if (!threads[tid]) {
        struct spare zero = {0};
        ULong start = all_instructions();
        threads[tid] = cc_thread_new(collect, (UInt)tid, start);
        alive++;
        find_stack(tid);
        from_collector(&zero, threads[tid]);
        set_spare(tid, &zero);
    }
    if (returning[tid]) {
        returning[tid] = False;
        set_spare(tid, &before_return[tid]);
    }
    current = threads[tid];
}

static void thread_exit(ThreadId tid)
{
    struct spare s;
    if (!threads[tid])
        return;
    get_spare(tid, &s);
    cc_thread_end(threads[tid], s.count);
    retired += s.count;
    alive--;
    threads[tid] = NULL;
}

static void deliver_signal(ThreadId tid, Int sig, Bool alt_stack)
{
    struct spare s;
    if (!threads[tid])
        return;
    get_spare(tid, &s);
    to_collector(threads[tid], &s);
    cc_signal(threads[tid]);
    cc_alloc_interrupted(threads[tid]);
    s.function = CC_OUTSIDE; /* so that the handler's first block reports itself */
    set_spare(tid, &s);
}

/* --- snapshots --- */

static Int sink_fd;

static int sink_write(void *self, const void *data, size_t size)
{
    const UChar *p = data;
    while (size) {
        Int n = VG_(write)(sink_fd, p, (Int)(size > 1 << 30 ? 1 << 30 : size));
        if (n <= 0)
            return -1;
        p += n;
        size -= (size_t)n;
    }
    return 0;
}

static void snapshot(UInt flags)
{
    if (silent || !options.out)
        return;
    HChar path[4200];
    VG_(snprintf)(path, sizeof path, "%s.%u", options.out, turn++ & 1);
    SysRes fd = VG_(open)(path, VKI_O_WRONLY | VKI_O_CREAT | VKI_O_TRUNC, 0600);
    if (sr_isError(fd))
        return;
    sink_fd = VG_(safe_fd)((Int)sr_Res(fd));
    struct cc_sink sink = {NULL, sink_write};
    if (cc_snapshot(collect, &sink, (UInt)VG_(getpid)(), flags) < 0)
        turn--; /* the next try overwrites this one, the whole one before stays */
    VG_(close)(sink_fd);
}

static void sync_threads(void)
{
    for (ThreadId tid = 1; tid < VG_N_THREADS; tid++) {
        struct spare s;
        if (!threads[tid])
            continue;
        get_spare(tid, &s);
        cc_thread_sync(threads[tid], s.count);
        s.blocks = (Addr)threads[tid]->blocks;
        s.tick_at = threads[tid]->tick_at;
        set_spare(tid, &s);
    }
}

/* Every two seconds, so that a program that is killed leaves something; less often where a snapshot takes
 * long. */
static void stop_code(ThreadId tid, ULong blocks)
{
    if (threads[tid] && alive > 1) { /* what it did so far was now, not when it goes on */
        struct spare s;
        get_spare(tid, &s);
        to_collector(threads[tid], &s);
        cc_tick(threads[tid], s.count);
        from_collector(&s, threads[tid]);
        set_spare(tid, &s);
    }
    UInt now = VG_(read_millisecond_timer)();
    if (now < next_snapshot_ms)
        return;
    sync_threads();
    snapshot(0);
    UInt took = VG_(read_millisecond_timer)() - now;
    next_snapshot_ms = now + took + (took * 30 > 2000 ? took * 30 : 2000);
}

/* --- memory map --- */

static Bool starts_with(const HChar *s, const HChar *prefix)
{
    return prefix && VG_(strncmp)(s, prefix, VG_(strlen)(prefix)) == 0;
}

static Bool is_elf(const HChar *path)
{
    UInt magic = 0;
    return host_read(NULL, path, &magic, 4, 0) == 4 && magic == 0x464c457f;
}

static void anonymous_mapping(ThreadId tid, Addr a, SizeT size)
{
    struct spare s;
    if (!options.objects || !threads[tid])
        return;
    get_spare(tid, &s);
    to_collector(threads[tid], &s);
    cc_data_mmap(threads[tid], a, size);
}

static void new_mapping(Addr a, SizeT size, Bool exec, Bool startup)
{
    const NSegment *seg = VG_(am_find_nsegment)(a);
    const HChar *path = seg && seg->kind == SkFileC ? VG_(am_get_filename)(seg) : NULL;
    if (!path) {
        Bool bss = startup && seg && seg->kind == SkAnonC && !exec;
        Bool stack = a <= VG_(get_SP)(1) && VG_(get_SP)(1) < a + size;
        cc_map_range(collect, a, size, bss && !stack ? CC_NODE_STATIC : CC_NODE_UNKNOWN, 0);
        if (bss && !stack && options.program)
            cc_data_file(collect, options.program, true, a, size);
        else if (!startup && VG_(get_running_tid)() != VG_INVALID_THREADID)
            anonymous_mapping(VG_(get_running_tid)(), a, size);
        return;
    }
    cc_data_file(collect, path, is_elf(path), a, size);
    if (is_elf(path)) {
        Bool own =
            options.program && (VG_(strcmp)(path, options.program) == 0 || starts_with(path, options.own));
        if (exec)
            cc_binary_add(collect, path, a, a + size, (ULong)seg->offset + (a - seg->start), own);
        cc_map_range(collect, a, size, CC_NODE_STATIC, 0);
    } else {
        cc_map_range(collect, a, size, CC_NODE_INPUT, cc_source(collect, "mmap", path));
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
    cc_copy_range(collect, from, to, size);
    cc_data_move(collect, from, to, size, size);
}

static void mem_munmap(Addr a, SizeT size)
{
    cc_unmap_range(collect, a, size);
    cc_data_unmap(collect, a, size);
    cc_binary_remove(collect, a, a + size);
}

static void mem_brk_up(Addr a, SizeT size, ThreadId tid)
{
    cc_data_brk(collect, a, size);
}

static void mem_brk_down(Addr a, SizeT size)
{
    cc_unmap_range(collect, a, size);
    cc_data_unmap(collect, a, size);
}

/* --- system calls --- */

static uint32_t input_source(ThreadId tid)
{
    const struct cc_syscall *s = in_call[tid];
    HChar link[64], file[4096] = "";
    if (s && s->kind <= CC_SYS_IN_MESSAGE) {
        VG_(snprintf)(link, sizeof link, "/proc/self/fd/%d", (Int)in_call_args[tid]);
        SSizeT n = VG_(readlink)(link, file, sizeof file - 1);
        file[n > 0 ? n : 0] = 0;
    }
    return cc_source(collect, s && s->kind != CC_SYS_NONE ? s->name : "system call", file);
}

static void post_mem_write(CorePart part, ThreadId tid, Addr a, SizeT size)
{
    if (part == Vg_CoreSysCall && threads[tid] && size)
        cc_input(threads[tid], a, size, input_source(tid));
}

static void pre_syscall(ThreadId tid, UInt number, UWord *args, UInt nargs)
{
    if (number == __NR_rt_sigreturn &&
        threads[tid]) { /* Valgrind puts the area back to what it was at the signal */
        get_spare(tid, &before_return[tid]);
        returning[tid] = True;
    }
    in_call[tid] = cc_syscall(&cc_isas[ISA], number);
    in_call_args[tid] = nargs ? args[0] : 0;
    if (in_call[tid] && in_call[tid]->kind == CC_SYS_EXEC && !silent) {
        sync_threads();
        snapshot(CC_RUN_EXEC);
    }
}

static void post_syscall(ThreadId tid, UInt number, UWord *args, UInt nargs, SysRes result)
{
    const struct cc_syscall *s = in_call[tid];
    in_call[tid] = NULL;
    if (!s || sr_isError(result) || !threads[tid])
        return;
    uint64_t copy[6] = {0};
    for (UInt i = 0; i < nargs && i < 6; i++)
        copy[i] = args[i];
    cc_syscall_output(threads[tid], s, copy, (Long)sr_Res(result), 0, true);
}

/* --- fork --- */

static void fork_child(ThreadId tid)
{
    if (!options.follow) {
        silent = True;
        return;
    }
    HChar *path = VG_(malloc)("cc.out", VG_(strlen)(options.out) + 16);
    VG_(sprintf)(path, "%s.%d", options.out, VG_(getpid)());
    options.out = path;
    own_pid = VG_(getpid)();
    sync_threads();
    for (ThreadId other = 1; other < VG_N_THREADS; other++)
        if (other != tid)
            threads[other] = NULL;
    alive = 1;
    retired = 0;
    cc_forget(collect);
    if (task_fd >= 0)
        VG_(close)(task_fd);
    task_fd = -1;
    turn = 0;
    next_snapshot_ms = 0;
}

/* --- life of the tool --- */

static Bool option(const HChar *arg)
{
    return VG_STR_CLO(arg, "--cc-run", clo_run);
}

static void usage(void)
{
    VG_(printf)("    started by 'corecast record'; see corecast-record(1)\n");
}
static void debug_usage(void)
{
    usage();
}

static void ready(void)
{
    struct cc_host host = {.map = host_map,
                           .unmap = host_unmap,
                           .read_file = host_read,
                           .read_guest = host_read_guest,
                           .put_tasks = host_put_tasks};
    if (clo_run && cc_options_read(&host, clo_run, &options))
        collect = cc_collect_new(&host, &options);
    if (!collect) {
        VG_(umsg)("corecast: '%s' is not a run file of this version\n", clo_run ? clo_run : "");
        VG_(exit)(1);
    }
    threads = VG_(calloc)("cc.threads", VG_N_THREADS, sizeof *threads);
    in_call = VG_(calloc)("cc.calls", VG_N_THREADS, sizeof *in_call);
    in_call_args = VG_(calloc)("cc.args", VG_N_THREADS, sizeof *in_call_args);
    before_return = VG_(calloc)("cc.return", VG_N_THREADS, sizeof *before_return);
    returning = VG_(calloc)("cc.returning", VG_N_THREADS, sizeof *returning);
    own_pid = VG_(getpid)();
    next_snapshot_ms = VG_(read_millisecond_timer)() + 1000;
}

static void finish(Int status)
{
    for (ThreadId tid = 1; tid < VG_N_THREADS; tid++)
        thread_exit(tid);
    snapshot(CC_RUN_FINAL);
}

static void before_options(void)
{
    VG_(details_name)("Corecast");
    VG_(details_version)(NULL);
    VG_(details_description)("the valgrind engine");
    VG_(details_copyright_author)("GPL-2.0-or-later");
    VG_(details_bug_reports_to)("the Corecast project");
    VG_(details_avg_translation_sizeB)(400);
    VG_(basic_tool_funcs)(ready, instrument, finish);
    VG_(needs_command_line_options)(option, usage, debug_usage);
    VG_(needs_syscall_wrapper)(pre_syscall, post_syscall);
    VG_(track_new_mem_startup)(mem_startup);
    VG_(track_new_mem_mmap)(mem_mmap);
    VG_(track_copy_mem_remap)(mem_remap);
    VG_(track_die_mem_munmap)(mem_munmap);
    VG_(track_new_mem_brk)(mem_brk_up);
    VG_(track_die_mem_brk)(mem_brk_down);
    VG_(track_post_mem_write)(post_mem_write);
    VG_(track_start_client_code)(start_code);
    VG_(track_stop_client_code)(stop_code);
    VG_(track_pre_thread_ll_exit)(thread_exit);
    VG_(track_pre_deliver_signal)(deliver_signal);
    VG_(atfork)(NULL, NULL, fork_child);
    VG_(clo_vex_control).guest_chase = False;
}

/* libgcc's atomics helpers ask for it; the tool is linked without a C library */
unsigned long __getauxval(unsigned long type);
unsigned long __getauxval(unsigned long type)
{
    return 0;
}

VG_DETERMINE_INTERFACE_VERSION(before_options)
