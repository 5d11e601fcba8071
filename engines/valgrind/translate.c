/* Translation: what is added to each piece of the program's code. */
#include "engine.h"
#include "../../src/isa/exclusive.h"

enum { MAX_INSNS = 128 }; /* more than VEX puts into one block */

struct translation {
    IRSB *out;
    Bool moved;        /* it is a part of a function, which one is known when it runs */
    Bool ours;         /* it is code of a function that is not charged to others: */
    UInt function;     /* that one */
    UInt instructions; /* not yet added to the count */
    ULong start, end;  /* of the code they are */
    ULong instruction; /* address of the present one */
    UInt accesses;     /* of it, so far */
    IRExpr *first;     /* address of the first of them; NULL: none yet */
    IRExpr *loaded;    /* address of its last load; NULL: none yet */
    UInt loaded_size;
    struct depend *depend;     /* NULL: dependences are not asked for */
    struct access waiting;     /* its first access, or that of the one before, not yet reported: */
    Bool waits;                /* the next may be its like */
    UInt bits;                 /* see bit_operand */
    enum cc_atomic atomic;     /* what the instruction is, where lines are told */
    struct cc_mark_site *mark; /* the instruction is this mark, and its load is still to come */
    /* The piece of code that ended last, or is under way, and what its instructions access. An exit in the
     * middle of an instruction ends a piece: accesses after it still belong to that instruction. */
    UInt block, ninsns;
    struct cc_rec_insn insns[MAX_INSNS];
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

/* Arguments are made ready whether a guarded call is made or not: what == NULL is none. */
static IRDirty *emit_call(struct translation *x, const HChar *name, void (*stub)(void), const void *what)
{
    IRDirty *d =
        unsafeIRDirty_0_N(0, name, stub, what ? mkIRExprVec_1(mkIRExpr_HWord((HWord)what)) : mkIRExprVec_0());
    emit(x, IRStmt_Dirty(d));
    return d;
}

static void emit_target(struct translation *x, IRExpr *target)
{
    emit(x, IRStmt_Put(engine.spare_at + (Int)offsetof(struct spare, target), target));
}

/* Made for each use, so that it becomes a part of the load or store. */
static IRExpr *place_of(struct translation *x, IRExpr *counts, UInt at)
{
    return assign(x, Ity_I64, IRExpr_Binop(Iop_Add64, counts, IRExpr_Const(IRConst_U64(at * 8ull))));
}

/* One more execution of the piece of code that ends here. */
static void emit_block(struct translation *x)
{
    UInt block = cc_block(engine.collect, x->start, (const UChar *)(Addr)x->start, (UInt)(x->end - x->start),
                          x->instructions, False);
    struct cc_block_slot slot = cc_block_slot(engine.collect, block, x->function);
    Int table = (Int)(slot.own ? offsetof(struct spare, own) : offsetof(struct spare, blocks));
    x->block = block;
    IRExpr *counts = assign(x, Ity_I64, IRExpr_Get(engine.spare_at + table, Ity_I64));
    IRExpr *times = assign(x, Ity_I64, IRExpr_Load(Iend_LE, Ity_I64, place_of(x, counts, slot.at)));
    IRExpr *more = assign(x, Ity_I64, IRExpr_Binop(Iop_Add64, times, IRExpr_Const(IRConst_U64(1))));
    emit(x, IRStmt_Store(Iend_LE, place_of(x, counts, slot.at), more));
}

/* The piece of code before has all its accesses. */
static void begin_piece(struct translation *x)
{
    struct cc_rec_insn *to = x->block ? cc_block_insns(engine.collect, x->block) : NULL;
    if (to)
        VG_(memcpy)(to, x->insns, x->ninsns * sizeof *to);
    x->block = x->ninsns = 0;
}

static void note_instruction(struct translation *x, UInt size)
{
    if (x->ninsns < MAX_INSNS)
        x->insns[x->ninsns++] = (struct cc_rec_insn){.size = (UChar)size};
}

static void note_access(struct translation *x, UInt size, Bool write, Bool conditional)
{
    if (!x->ninsns)
        return;
    struct cc_rec_insn *i = &x->insns[x->ninsns - 1];
    UShort *bytes = write ? &i->written : &i->read;
    *bytes = (UShort)(*bytes + size < 0xffff ? *bytes + size : 0xffff);
    if (conditional || !x->instructions)
        i->flags |= write ? CC_INSN_MAY_WRITE : CC_INSN_MAY_READ;
}

static void flush_count(struct translation *x)
{
    if (!x->instructions)
        return;
    IRExpr *old = assign(x, Ity_I64, IRExpr_Get(engine.spare_at, Ity_I64));
    IRExpr *sum =
        assign(x, Ity_I64, IRExpr_Binop(Iop_Add64, old, IRExpr_Const(IRConst_U64(x->instructions))));
    emit(x, IRStmt_Put(engine.spare_at, sum));
    if (!engine.options.plain)
        emit_block(x);
    x->instructions = 0;
}

/* guard: NULL, or whether the access happens at all */
static void emit_access(struct translation *x, const struct access *a, IRExpr *guard)
{
    IRDirty *calls[2];
    cc_vg_access(a, calls);
    for (UInt i = 0; i < 2 && calls[i]; i++) {
        if (guard)
            calls[i]->guard = guard;
        emit(x, IRStmt_Dirty(calls[i]));
    }
}

/* The access that waits for one like it comes alone. */
static void settle(struct translation *x)
{
    if (!x->waits)
        return;
    x->waits = False;
    emit_access(x, &x->waiting, NULL);
}

/* What is added to a temporary to get the address, as far as the code says. */
static IRTemp base_of(const struct translation *x, const IRExpr *address, ULong *offset)
{
    IRTemp base = address->tag == Iex_RdTmp ? address->Iex.RdTmp.tmp : IRTemp_INVALID;
    *offset = 0;
    for (Int i = x->out->stmts_used - 1; i >= 0 && base != IRTemp_INVALID; i--) {
        const IRStmt *s = x->out->stmts[i];
        if (s->tag != Ist_WrTmp || s->Ist.WrTmp.tmp != base)
            continue;
        const IRExpr *e = s->Ist.WrTmp.data;
        if (e->tag != Iex_Binop || (e->Iex.Binop.op != Iop_Add64 && e->Iex.Binop.op != Iop_Sub64) ||
            e->Iex.Binop.arg1->tag != Iex_RdTmp || e->Iex.Binop.arg2->tag != Iex_Const)
            break;
        ULong by = e->Iex.Binop.arg2->Iex.Const.con->Ico.U64;
        base = e->Iex.Binop.arg1->Iex.RdTmp.tmp;
        *offset += e->Iex.Binop.op == Iop_Add64 ? by : -by;
    }
    return base;
}

/* Whether the access is just beside the waiting one, and like it; then both are one call. Of one instruction
 * the second is behind the first; x86 pushes downwards, one register an instruction. */
static Bool make_pair(struct translation *x, const struct access *a)
{
    ULong first, second;
    Bool apart = a->instruction != x->waiting.instruction;
    if (!x->waits || a->number != !apart || a->size != x->waiting.size || a->write != x->waiting.write)
        return False;
    IRTemp base = base_of(x, x->waiting.address, &first);
    if (base == IRTemp_INVALID || base != base_of(x, a->address, &second) ||
        (second - first != a->size && (!apart || first - second != a->size)))
        return False;
    struct access low = x->waiting;
    if (first - second == a->size)
        low.address = a->address;
    IRDirty *call = cc_vg_pair(&low, apart);
    if (call)
        emit(x, IRStmt_Dirty(call));
    x->waits = x->waits && !call;
    return call != NULL;
}

/* The count is that of the last place it was brought up to date, and instructions since, without this one. */
static void emit_locality(struct translation *x, const struct access *a, IRExpr *guard)
{
    enum cc_line_kind kind = cc_line_kind(x->atomic, a->write);
    if (kind == CC_LINE_KINDS)
        return;
    IRExpr *then = assign(x, Ity_I64, IRExpr_Get(engine.spare_at, Ity_I64));
    IRExpr *since = IRExpr_Const(IRConst_U64(x->instructions ? x->instructions - 1 : 0));
    IRExpr *now = assign(x, Ity_I64, IRExpr_Binop(Iop_Add64, then, since));
    IRDirty *call = cc_vg_locality(a, kind, now);
    if (guard)
        call->guard = guard;
    emit(x, IRStmt_Dirty(call));
}

/* BT, BTS, BTR and BTC of x86, where a register says which bit. VEX makes a byte of what is accessed, and a
 * piece of the stack of an operand that is a register. Returns the size of the operand in memory, 0: it is
 * something else. (The operand is taken to be aligned.) */
enum { BITS_OF_REGISTER = 1 };
static UInt bit_operand(const UChar *code, UInt size)
{
#if defined(VGA_amd64)
    UInt i = 0, operand = 4;
    for (; i + 3 < size && (code[i] == 0x66 || code[i] == 0xf0 || code[i] == 0xf2 || code[i] == 0xf3 ||
                            code[i] == 0x64 || code[i] == 0x65);
         i++)
        operand = code[i] == 0x66 ? 2 : operand;
    if (i + 3 < size && (code[i] & 0xf0) == 0x40)
        operand = code[i++] & 8 ? 8 : operand;
    if (i + 2 < size && code[i] == 0x0f && (code[i + 1] & 0xe7) == 0xa3)
        return code[i + 2] >= 0xc0 ? BITS_OF_REGISTER : operand;
#else
    (void)code, (void)size;
#endif
    return 0;
}

/* Whether that is what follows dependences, too. */
static Bool report(struct translation *x, const struct access *a, IRExpr *guard)
{
    if (!guard && !x->waits && cc_vg_depend_with_access(x->depend, a))
        return True;
    if (guard || !make_pair(x, a)) {
        settle(x);
        x->waits = !guard && a->number == 0;
        x->waiting = *a;
        if (!x->waits)
            emit_access(x, a, guard);
    }
    return False;
}

static void access(struct translation *x, IRExpr *address, UInt size, Bool write, IRExpr *guard)
{
    if (x->bits == BITS_OF_REGISTER)
        return;
    if (x->bits && size == 1) {
        size = x->bits;
        address =
            assign(x, Ity_I64, IRExpr_Binop(Iop_And64, address, IRExpr_Const(IRConst_U64(-(ULong)size))));
    }
    struct access a = {.address = address,
                       .first = x->first,
                       .instruction = x->instruction,
                       .number = x->accesses++,
                       .size = size,
                       .write = write};
    if (!report(x, &a, guard))
        cc_vg_depend_access(x->depend, &a, guard);
    if (engine.options.locality)
        emit_locality(x, &a, guard);
    if (!x->first)
        x->first = address;
    note_access(x, size, write, guard != NULL);
}

/* Whether the access that waits may be joined by one of the instruction that begins. */
static Bool may_go_on(const struct translation *x, const IRStmt *mark)
{
    return x->waits && x->accesses == 1 && !x->depend && mark->Ist.IMark.len &&
           !cc_mark_at(engine.collect, mark->Ist.IMark.addr) &&
           !cc_loop_point(engine.collect, mark->Ist.IMark.addr);
}

static void instruction(struct translation *x, const IRStmt *st)
{
    if (!may_go_on(x, st))
        settle(x);
    if (!st->Ist.IMark.len) /* what VEX cannot decode: the program gets a signal instead */
        return;
    struct cc_mark_site *site = cc_mark_at(engine.collect, st->Ist.IMark.addr);
    const struct cc_loop_point *loops = x->ours ? cc_loop_point(engine.collect, st->Ist.IMark.addr) : NULL;
    Bool elsewhere = x->instructions && st->Ist.IMark.addr != x->end; /* VEX went on behind a jump */
    if (site || loops || elsewhere)
        flush_count(x);
    if (loops)
        cc_vg_loop_point(x->out, loops);
    if (site && !site->record)
        emit_call(x, "on_mark", on_mark_stub, site);
    if (!x->instructions) {
        begin_piece(x);
        x->start = st->Ist.IMark.addr;
    }
    note_instruction(x, st->Ist.IMark.len);
    x->end = st->Ist.IMark.addr + st->Ist.IMark.len;
    x->instructions++;
    x->instruction = st->Ist.IMark.addr;
    x->accesses = 0;
    x->bits = bit_operand((const UChar *)(Addr)x->instruction, st->Ist.IMark.len);
    if (engine.options.locality)
        x->atomic = cc_atomic_of((enum cc_isa_id)CC_VG_ISA, (const UChar *)(Addr)x->instruction,
                                 st->Ist.IMark.len, false);
    x->first = x->loaded = NULL;
    x->mark = site && site->record ? site : NULL;
}

static void load(struct translation *x, const IRExpr *from)
{
    if (x->mark) {
        settle(x);
        emit_target(x, from->Iex.Load.addr);
        emit_call(x, "on_record_mark", on_record_mark_stub, x->mark);
        x->mark = NULL;
    }
    x->loaded = from->Iex.Load.addr;
    x->loaded_size = (UInt)sizeofIRType(from->Iex.Load.ty);
    access(x, from->Iex.Load.addr, (UInt)sizeofIRType(from->Iex.Load.ty), False, NULL);
}

static UInt size_of(const struct translation *x, const IRExpr *e)
{
    return (UInt)sizeofIRType(typeOfIRExpr(x->out->tyenv, e));
}

static void guarded_load(struct translation *x, const IRLoadG *l)
{
    IRType type, wide;
    typeOfIRLoadGOp(l->cvt, &wide, &type);
    access(x, l->addr, (UInt)sizeofIRType(type), False, l->guard);
}

static IRExpr *both(struct translation *x, IRExpr *a, IRExpr *b)
{
    IRExpr *wide_a = assign(x, Ity_I64, IRExpr_Unop(Iop_1Uto64, a)),
           *wide_b = assign(x, Ity_I64, IRExpr_Unop(Iop_1Uto64, b)),
           *sum = assign(x, Ity_I64, IRExpr_Binop(Iop_And64, wide_a, wide_b));
    return assign(x, Ity_I1, IRExpr_Binop(Iop_CmpNE64, sum, IRExpr_Const(IRConst_U64(0))));
}

static IRExpr *equal(struct translation *x, IRTemp old, IRExpr *expected)
{
    static const IROp of[] = {Iop_CasCmpEQ8, Iop_CasCmpEQ16, Iop_CasCmpEQ32, Iop_CasCmpEQ64};
    UInt size = size_of(x, expected);
    return assign(x, Ity_I1, IRExpr_Binop(of[__builtin_ctz(size)], IRExpr_RdTmp(old), expected));
}

/* What is written as compare-and-swap is also: an atomic addition or exchange, after a load that is already
 * counted, and where VEX has to, a store-exclusive. Only a true one reads. It writes if it finds what it
 * expects. */
static void compare_and_swap(struct translation *x, IRStmt *st)
{
    const IRCAS *c = st->Ist.CAS.details;
    UInt size = size_of(x, c->dataLo) * (c->dataHi ? 2 : 1);
    Bool loaded = x->loaded && x->loaded_size == size && eqIRAtom(x->loaded, c->addr);
    if (!loaded &&
        !cc_is_store_exclusive((enum cc_isa_id)CC_VG_ISA, (const UChar *)(Addr)x->instruction, 4, false))
        access(x, c->addr, size, False, NULL);
    settle(x);
    emit(x, st);
    IRExpr *written = equal(x, c->oldLo, c->expdLo);
    if (c->dataHi)
        written = both(x, written, equal(x, c->oldHi, c->expdHi));
    access(x, c->addr, size, True, written);
}

/* A store-exclusive tells whether it stored; nothing more than must be comes between it and its load. */
static void linked(struct translation *x, IRStmt *st)
{
    IRExpr *stored = st->Ist.LLSC.storedata, *address = st->Ist.LLSC.addr;
    if (!stored)
        access(x, address, (UInt)sizeofIRType(typeOfIRTemp(x->out->tyenv, st->Ist.LLSC.result)), False, NULL);
    settle(x);
    emit(x, st);
    if (stored)
        access(x, address, size_of(x, stored), True, IRExpr_RdTmp(st->Ist.LLSC.result));
}

/* A helper of VEX's that accesses memory. */
static void helper(struct translation *x, const IRDirty *d)
{
    if (d->mFx == Ifx_Read || d->mFx == Ifx_Modify)
        access(x, d->mAddr, (UInt)d->mSize, False, d->guard);
    if (d->mFx == Ifx_Write || d->mFx == Ifx_Modify)
        access(x, d->mAddr, (UInt)d->mSize, True, d->guard);
}

static void statement(struct translation *x, IRStmt *st)
{
    switch (st->tag) {
    case Ist_IMark:
        instruction(x, st);
        break;
    case Ist_WrTmp:
        if (st->Ist.WrTmp.data->tag == Iex_Load)
            load(x, st->Ist.WrTmp.data);
        break;
    case Ist_Store:
        cc_vg_depend_storing(x->depend, st->Ist.Store.data);
        access(x, st->Ist.Store.addr, size_of(x, st->Ist.Store.data), True, NULL);
        break;
    case Ist_StoreG: {
        const IRStoreG *s = st->Ist.StoreG.details;
        access(x, s->addr, size_of(x, s->data), True, s->guard);
        break;
    }
    case Ist_LoadG:
        guarded_load(x, st->Ist.LoadG.details);
        break;
    case Ist_CAS:
        compare_and_swap(x, st);
        return;
    case Ist_LLSC:
        linked(x, st);
        return;
    case Ist_Dirty:
        helper(x, st->Ist.Dirty.details);
        break;
    case Ist_Exit:
        settle(x);
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
    IRExpr *now =
        assign(x, Ity_I32, IRExpr_Get(engine.spare_at + (Int)offsetof(struct spare, function), Ity_I32));
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
    IRExpr *now = assign(x, Ity_I64, IRExpr_Get(engine.spare_at, Ity_I64));
    IRExpr *then =
        assign(x, Ity_I64, IRExpr_Get(engine.spare_at + (Int)offsetof(struct spare, tick_at), Ity_I64));
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

/* Whether the code runs for a function, which is not known before. */
static IRExpr *for_function(struct translation *x)
{
    IRExpr *now =
        assign(x, Ity_I32, IRExpr_Get(engine.spare_at + (Int)offsetof(struct spare, function), Ity_I32));
    return assign(x, Ity_I1, IRExpr_Binop(Iop_CmpNE32, now, IRExpr_Const(IRConst_U32(CC_OUTSIDE))));
}

/* `function`: that it is in. A call of an address amid that function leaves the address behind the call on
 * the stack, and is none. */
static void finish_call(struct translation *x, ULong ret, UInt function)
{
    IRExpr *next = x->out->next;
    struct site *s = site_new(ret);
    Bool inside = function != CC_OUTSIDE;
    s->outside = !inside && !x->moved;
    cc_vg_depend_call(x->depend, ret);
    if (next->tag != Iex_Const) {
        emit_target(x, next);
        emit_call(x, "on_indirect_call", on_indirect_call_stub, s);
        return;
    }
    struct cc_place to = cc_place_of(engine.collect, next->Iex.Const.con->Ico.U64, true);
    s->call.function = to.function;
    if (inside && to.function == function && !to.entry) {
        VG_(free)(s);
    } else if (s->call.function != CC_OUTSIDE) {
        emit_call(x, "on_call", on_call_stub, s);
    } else if (inside) { /* into a library: three stores say all that the way back needs */
        emit(x, IRStmt_Put(engine.spare_at + (Int)offsetof(struct spare, out_ret),
                           IRExpr_Const(IRConst_U64(ret))));
        emit(x, IRStmt_Put(engine.spare_at + (Int)offsetof(struct spare, function),
                           IRExpr_Const(IRConst_U32(CC_OUTSIDE))));
        emit(x, IRStmt_Put(engine.spare_at + (Int)offsetof(struct spare, out_sp),
                           assign(x, Ity_I64, IRExpr_Get(engine.sp_at, Ity_I64))));
        VG_(free)(s);
    } else if (x->moved) {
        IRExpr *guard = for_function(x);
        emit_call(x, "on_call", on_call_stub, s)->guard = guard;
    } else {
        VG_(free)(s);
    }
}

/* Most functions return again and again to where they returned first: a compare and a jump that Valgrind
 * chains, where else it has to look for the code and the machine to guess where that is. */
static void expect_return(struct translation *x)
{
    const struct cc_thread *t = engine.current;
    ULong to = t && t->depth ? t->room.activations[t->depth - 1].ret : 0;
    if (!to)
        return;
    IRExpr *as_before =
        assign(x, Ity_I1, IRExpr_Binop(Iop_CmpEQ64, x->out->next, IRExpr_Const(IRConst_U64(to))));
    emit(x, IRStmt_Exit(as_before, Ijk_Boring, IRConst_U64(to), x->out->offsIP));
}

static void finish_return(struct translation *x, Bool inside)
{
    cc_vg_depend_return(x->depend);
    emit_target(x, x->out->next);
    if (!inside && !x->moved) { /* a function may have ended by a jump to here */
        IRExpr *guard = for_function(x);
        emit_call(x, "on_return_for", on_return_for_stub, NULL)->guard = guard;
        return;
    }
    IRExpr *guard = x->moved ? for_function(x) : NULL;
    IRDirty *call = emit_call(x, "on_return", on_return_stub, NULL);
    if (guard)
        call->guard = guard;
    expect_return(x);
}

/* Into a library, by which the function ends. */
static Bool jumps_out(IRSB *in)
{
    return engine.options.loops == CC_LOOPS_DEPENDENCES && in->next->tag == Iex_Const &&
           (in->jumpkind == Ijk_Boring || in->jumpkind == Ijk_Call) &&
           cc_place_of(engine.collect, in->next->Iex.Const.con->Ico.U64, false).function == CC_OUTSIDE;
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
    IRExpr *to =
        assign(x, Ity_I64, IRExpr_Get(engine.spare_at + (Int)offsetof(struct spare, alloc_ret), Ity_I64));
    IRExpr *back = assign(x, Ity_I1, IRExpr_Binop(Iop_CmpEQ64, to, x->out->next));
    emit_call(x, "on_allocated", on_allocated_stub, NULL)->guard = back;
}

/* What the code does, and where its indirect jumps go. */
static void note_code(struct translation *x, IRSB *in, ULong last)
{
    Bool call = last && is_call(in, last);
    cc_vg_note_code(in, call);
    if (call || in->jumpkind == Ijk_Ret || in->next->tag == Iex_Const)
        return;
    struct jump *j = VG_(calloc)("cc.jump", 1, sizeof *j);
    j->at = last;
    emit_target(x, in->next);
    emit_call(x, "on_jump", on_jump_stub, j);
}

IRSB *cc_vg_translate(VgCallbackClosure *closure, IRSB *in, const VexGuestLayout *layout,
                      const VexGuestExtents *vge, const VexArchInfo *arch, IRType guest_word,
                      IRType host_word)
{
    cc_vg_depend_cut(in);
    struct translation x = {.out = deepCopyIRSBExceptStmts(in)};
    ULong address = 0, last = 0, after = 0;
    struct cc_place place = {CC_OUTSIDE, false};
    bool allocates = false; /* calls of an allocator may return from here */
    Int i = 0;
    if (!engine.spare_at)
        engine.spare_at = layout->total_sizeB;
    engine.sp_at = layout->offset_SP;
    for (; i < in->stmts_used && in->stmts[i]->tag != Ist_IMark; i++)
        emit(&x, in->stmts[i]);
    if (i < in->stmts_used) {
        address = in->stmts[i]->Ist.IMark.addr;
        place = cc_place_of(engine.collect, address, false);
        x.function = place.function;
        x.ours = place.function != CC_OUTSIDE;
        x.moved = !x.ours && cc_code_is_moved(engine.collect, address);
        if (x.ours)
            check_function(&x, address, place);
        x.depend = cc_vg_depend_new(in, x.out, address, place.function);
        enum cc_alloc_kind kind = cc_allocator_at(engine.collect, address, &allocates);
        if (kind != CC_ALLOC_NONE)
            check_allocator(&x, kind, place.function);
        if (!engine.options.plain && jumps_back(in, address))
            check_tick(&x);
    }
    for (; i < in->stmts_used; i++) {
        IRStmt *st = in->stmts[i];
        if (st->tag == Ist_NoOp)
            continue;
        if (st->tag == Ist_IMark)
            last = st->Ist.IMark.addr, after = last + st->Ist.IMark.len;
        cc_vg_depend_indexed(x.depend, st);
        cc_vg_depend_bitscan(x.depend, st);
        statement(&x, st);
        if (st->tag == Ist_IMark)
            cc_vg_depend_instruction(x.depend, i, last);
        else if (st->tag == Ist_Exit)
            cc_vg_depend_exit(x.depend, i);
    }
    settle(&x);
    flush_count(&x);
    begin_piece(&x);
    if (engine.options.loops == CC_LOOPS_DEPENDENCES && place.function != CC_OUTSIDE)
        note_code(&x, in, last);
    if (in->jumpkind == Ijk_Ret && allocates)
        check_allocated(&x);
    if (last && is_call(in, last))
        finish_call(&x, after, place.function);
    else if (in->jumpkind == Ijk_Ret)
        finish_return(&x, place.function != CC_OUTSIDE);
    else if (x.ours && jumps_out(in))
        cc_vg_depend_jump(x.depend);
    cc_vg_depend_free(x.depend);
    return x.out;
}
