/* Dependences between iterations: what is added to translated code for collect/depend.h.
 *
 * Everything here hangs on one word of the thread's spare area, which is 0 while nothing is followed: each
 * call is guarded by it. */
#include "engine.h"
#include "bitscan.h"
#include "lanes.h"
#include "pub_tool_options.h"

/* --- the machine's registers, in pieces --- */

enum { NO_GRANULE = 0xff, STATE_BYTES = 1200, FLAGS = 0 };

static struct {
    UInt n;
    UChar of[STATE_BYTES]; /* by offset in the guest state */
    UShort start[CC_DEPEND_GRANULES], size[CC_DEPEND_GRANULES];
    UInt floats; /* x87: granule of the first one */
} granules;

static UInt granule_add(struct cc_depend_machine *m, UInt offset, UInt size)
{
    UInt g = granules.n++;
    granules.start[g] = m->offset[g] = (UShort)offset;
    granules.size[g] = (UShort)size;
    for (UInt i = 0; i < size; i++)
        granules.of[offset + i] = (UChar)g;
    return g;
}

static void keep(struct cc_depend_machine *m, UInt offset)
{
    m->kept[m->nkept++] = granules.of[offset];
}

#if defined(VGA_arm64)
#define AT(reg) ((UInt)offsetof(VexGuestARM64State, guest_##reg))
#define FLOATS 0xffffu
static void machine_fill(struct cc_depend_machine *m)
{
    m->stack_at = AT(XSP);
    m->frame_at = AT(X0) + 8 * 29;
    granule_add(m, AT(CC_OP), AT(CC_NDEP) + 8 - AT(CC_OP));
    for (UInt i = 0; i < 31; i++)
        granule_add(m, AT(X0) + 8 * i, 8);
    for (UInt i = 0; i < 64; i++)
        granule_add(m, AT(Q0) + 8 * i, 8);
    for (UInt i = 19; i <= 29; i++)
        keep(m, AT(X0) + 8 * i);
    for (UInt i = 8; i <= 15; i++)
        keep(m, AT(Q0) + 16 * i);
}
static const UShort syscall_writes[] = {AT(X0)};
#else
#define AT(reg) ((UInt)offsetof(VexGuestAMD64State, guest_##reg))
#define FLOATS AT(FPREG)
/* Parts of a general register that instructions write alone. */
static void general(struct cc_depend_machine *m, UInt at)
{
    m->parts[granule_add(m, at, 1)] = 3;
    granule_add(m, at + 1, 1);
    granule_add(m, at + 2, 6);
}
static void machine_fill(struct cc_depend_machine *m)
{
    static const UShort kept[] = {AT(RBX), AT(RBP), AT(R12), AT(R13), AT(R14), AT(R15)};
    m->red_zone = 128;
    m->stack_at = AT(RSP);
    m->frame_at = AT(RBP);
    granule_add(m, AT(CC_OP), AT(CC_NDEP) + 8 - AT(CC_OP));
    for (UInt at = AT(RAX); at <= AT(R15); at += 8)
        if (at != AT(RSP))
            general(m, at);
    /* a float, a double, a vector, a wide one */
    for (UInt at = AT(YMM0); at < AT(YMM0) + 16 * 32; at += 32) {
        granule_add(m, at, 4);
        granule_add(m, at + 4, 4);
        granule_add(m, at + 8, 8);
        granule_add(m, at + 16, 16);
    }
    granules.floats = granules.n;
    for (UInt i = 0; i < 8; i++)
        granule_add(m, AT(FPREG) + 8 * i, 8);
    for (UInt i = 0; i < sizeof kept / sizeof *kept; i++)
        for (UInt part = 0; part < 3; part++)
            keep(m, kept[i] + part);
}
static const UShort syscall_writes[] = {AT(RAX), AT(RCX), AT(R11)};
#endif

void cc_vg_depend_begin(void)
{
    struct cc_depend_machine m = {0};
    if (engine.options.loops != CC_LOOPS_DEPENDENCES)
        return;
    VG_(memset)(granules.of, NO_GRANULE, sizeof granules.of);
    machine_fill(&m);
    cc_depend_begin(engine.collect, &m);
    /* One pass through a loop's code is one iteration; and a piece of code can be cut where an iteration
     * begins, because the registers are up to date there. */
    VG_(clo_vex_control).iropt_unroll_thresh = 0;
    VG_(clo_vex_control).iropt_register_updates_default = VexRegUpdAllregsAtEachInsn;
    VG_(clo_px_file_backed) = VexRegUpdAllregsAtEachInsn;
}

/* --- what a stretch of code does to registers --- */

enum { MAX_SITES = 256 };

struct plan {
    const IRSB *in;
    Bool outside;
    Bool *onto_stack; /* by temporary: an address reckoned from the stack pointer */
    Bool *used;       /* by temporary: for something else than being stored there */
    UShort *from;     /* by temporary: 1 + offset of the register it was got from; 0: of none */
    UShort *made;     /* by temporary: number of the stretch of code that makes it */
    struct cc_vg_lanes *lanes;
    UShort stretch; /* the present one */
    ULong instruction;
    UShort at; /* its site */
    UInt nsites;
    struct cc_depend_site *sites[MAX_SITES];
    UShort read[CC_DEPEND_GRANULES], written[CC_DEPEND_GRANULES]; /* 1 + site; 0: not yet */
    Bool stored[CC_DEPEND_GRANULES];
};

static struct cc_depend_site *site_new(ULong address, Bool outside)
{
    struct cc_depend_site *s = VG_(calloc)("cc.depend", 1, sizeof *s);
    s->address = address;
    s->outside = outside;
    return s;
}

static UShort site_now(struct plan *p)
{
    if (p->nsites && (p->sites[p->nsites - 1]->address == p->instruction || p->nsites == MAX_SITES))
        return (UShort)p->nsites;
    p->sites[p->nsites++] = site_new(p->instruction, p->outside);
    return (UShort)p->nsites;
}

static void plan_read(struct plan *p, UInt g, Bool stored)
{
    if (p->written[g] || (p->read[g] && !p->stored[g]))
        return;
    if (!p->read[g] || !stored) {
        p->read[g] = site_now(p);
        p->stored[g] = stored;
    }
}

static void plan_get(struct plan *p, UInt offset, UInt size, Bool stored)
{
    for (UInt at = offset; at < offset + size && at < STATE_BYTES;) {
        UInt g = granules.of[at];
        if (g == NO_GRANULE) {
            at++;
            continue;
        }
        plan_read(p, g, stored);
        at = granules.start[g] + granules.size[g];
    }
}

/* What is written in part keeps the rest: it reads too. The flags are four words of which the first tells
 * what the others mean. */
static void plan_put(struct plan *p, UInt offset, UInt size, Bool sure)
{
    for (UInt at = offset; at < offset + size && at < STATE_BYTES;) {
        UInt g = granules.of[at];
        if (g == NO_GRANULE) {
            at++;
            continue;
        }
        UInt end = granules.start[g] + granules.size[g];
        Bool whole = granules.start[g] >= offset && end <= offset + size;
        if (g != FLAGS || at == granules.start[g]) {
            if ((!whole && g != FLAGS) || !sure)
                plan_read(p, g, False);
            p->written[g] = site_now(p);
        }
        at = end;
    }
}

/* Whether all these bytes are told of as read, and as only stored. */
static Bool all_stored(const struct plan *p, UInt offset, UInt size)
{
    for (UInt at = offset; at < offset + size; at++) {
        UInt g = at < STATE_BYTES ? granules.of[at] : NO_GRANULE;
        if (g == NO_GRANULE || !p->read[g] || !p->stored[g])
            return False;
    }
    return granules.start[granules.of[offset]] == offset;
}

/* What is stored together is told of together. */
static void settle_stored(struct plan *p, Int from, Int to)
{
    for (Bool again = True; again;) {
        again = False;
        for (Int i = from; i < to; i++) {
            const IRStmt *st = p->in->stmts[i];
            if (st->tag != Ist_WrTmp || st->Ist.WrTmp.data->tag != Iex_Get || p->used[st->Ist.WrTmp.tmp])
                continue;
            UInt offset = (UInt)st->Ist.WrTmp.data->Iex.Get.offset;
            UInt size = (UInt)sizeofIRType(st->Ist.WrTmp.data->Iex.Get.ty);
            if (all_stored(p, offset, size))
                continue;
            for (UInt at = offset; at < offset + size && at < STATE_BYTES; at++) {
                UInt g = granules.of[at];
                again |= g != NO_GRANULE && p->read[g] && p->stored[g];
                if (g != NO_GRANULE)
                    p->stored[g] = False;
            }
        }
    }
}

static void plan_helper(struct plan *p, const IRDirty *d)
{
    Bool sure = d->guard->tag == Iex_Const && d->guard->Iex.Const.con->Ico.U1;
    for (Int i = 0; i < d->nFxState; i++) {
        for (UInt k = 0; k <= d->fxState[i].nRepeats; k++) {
            UInt offset = d->fxState[i].offset + k * d->fxState[i].repeatLen;
            if (d->fxState[i].fx != Ifx_Write)
                plan_get(p, offset, d->fxState[i].size, False);
            if (d->fxState[i].fx != Ifx_Read)
                plan_put(p, offset, d->fxState[i].size, sure);
        }
    }
}

static UInt bytes_of(const struct plan *p, const IRExpr *e)
{
    return (UInt)sizeofIRType(typeOfIRExpr(p->in->tyenv, e));
}

static void plan_statement(struct plan *p, Int i)
{
    const IRStmt *st = p->in->stmts[i];
    switch (st->tag) {
    case Ist_IMark:
        p->instruction = st->Ist.IMark.addr;
        break;
    case Ist_WrTmp: {
        const IRExpr *e = st->Ist.WrTmp.data;
        if (e->tag == Iex_Get)
            plan_get(p, (UInt)e->Iex.Get.offset,
                     cc_vg_lanes_seen(p->lanes, st->Ist.WrTmp.tmp, (UInt)sizeofIRType(e->Iex.Get.ty)),
                     !p->used[st->Ist.WrTmp.tmp]);
        break;
    }
    case Ist_Put:
        plan_put(p, (UInt)st->Ist.Put.offset, cc_vg_lanes_put(p->lanes, i, bytes_of(p, st->Ist.Put.data)),
                 True);
        break;
    case Ist_Dirty:
        plan_helper(p, st->Ist.Dirty.details);
        break;
    default:
        break;
    }
}

/* --- which temporaries are only stored onto the stack --- */

static void use_of(struct plan *p, const IRExpr *e)
{
    if (e && e->tag == Iex_RdTmp)
        p->used[e->Iex.RdTmp.tmp] = True;
}

static void uses_of(struct plan *p, const IRExpr *e)
{
    switch (e->tag) {
    case Iex_RdTmp:
        use_of(p, e);
        break;
    case Iex_Unop:
        use_of(p, e->Iex.Unop.arg);
        break;
    case Iex_Binop:
        use_of(p, e->Iex.Binop.arg1);
        use_of(p, e->Iex.Binop.arg2);
        break;
    case Iex_Triop:
        use_of(p, e->Iex.Triop.details->arg1);
        use_of(p, e->Iex.Triop.details->arg2);
        use_of(p, e->Iex.Triop.details->arg3);
        break;
    case Iex_Qop:
        use_of(p, e->Iex.Qop.details->arg1);
        use_of(p, e->Iex.Qop.details->arg2);
        use_of(p, e->Iex.Qop.details->arg3);
        use_of(p, e->Iex.Qop.details->arg4);
        break;
    case Iex_Load:
        use_of(p, e->Iex.Load.addr);
        break;
    case Iex_ITE:
        use_of(p, e->Iex.ITE.cond);
        use_of(p, e->Iex.ITE.iftrue);
        use_of(p, e->Iex.ITE.iffalse);
        break;
    case Iex_CCall:
        for (Int i = 0; e->Iex.CCall.args[i]; i++)
            use_of(p, e->Iex.CCall.args[i]);
        break;
    case Iex_GetI:
        use_of(p, e->Iex.GetI.ix);
        break;
    default:
        break;
    }
}

static Bool is_onto_stack(const struct plan *p, const IRExpr *e)
{
    return e->tag == Iex_RdTmp && p->onto_stack[e->Iex.RdTmp.tmp];
}

static void note_address(struct plan *p, IRTemp to, const IRExpr *e)
{
    Bool sp = e->tag == Iex_Get && e->Iex.Get.offset == engine.sp_at;
    if (e->tag == Iex_RdTmp)
        sp = is_onto_stack(p, e);
    if (e->tag == Iex_Binop && (e->Iex.Binop.op == Iop_Add64 || e->Iex.Binop.op == Iop_Sub64))
        sp = is_onto_stack(p, e->Iex.Binop.arg1) && e->Iex.Binop.arg2->tag == Iex_Const;
    p->onto_stack[to] = sp;
}

static void note_atomic(struct plan *p, const IRCAS *c)
{
    use_of(p, c->addr);
    use_of(p, c->expdHi);
    use_of(p, c->expdLo);
    use_of(p, c->dataHi);
    use_of(p, c->dataLo);
}

static void note_helper(struct plan *p, const IRDirty *d)
{
    use_of(p, d->guard);
    use_of(p, d->mAddr);
    for (Int i = 0; d->args[i]; i++)
        use_of(p, d->args[i]);
}

static void note_guarded(struct plan *p, const IRStmt *st)
{
    if (st->tag == Ist_StoreG) {
        use_of(p, st->Ist.StoreG.details->addr);
        use_of(p, st->Ist.StoreG.details->data);
        use_of(p, st->Ist.StoreG.details->guard);
    } else {
        use_of(p, st->Ist.LoadG.details->addr);
        use_of(p, st->Ist.LoadG.details->alt);
        use_of(p, st->Ist.LoadG.details->guard);
    }
}

/* Made in the present stretch of code, so that its piece tells of it. */
static Bool is_here(const struct plan *p, const IRExpr *e)
{
    return e->tag == Iex_RdTmp && p->made[e->Iex.RdTmp.tmp] == p->stretch;
}

static void note_uses(struct plan *p, const IRStmt *st)
{
    switch (st->tag) {
    case Ist_WrTmp:
        p->made[st->Ist.WrTmp.tmp] = p->stretch;
        if (st->Ist.WrTmp.data->tag == Iex_Get)
            p->from[st->Ist.WrTmp.tmp] = (UShort)(1 + st->Ist.WrTmp.data->Iex.Get.offset);
        note_address(p, st->Ist.WrTmp.tmp, st->Ist.WrTmp.data);
        uses_of(p, st->Ist.WrTmp.data);
        break;
    case Ist_Store:
        use_of(p, st->Ist.Store.addr);
        if (!is_onto_stack(p, st->Ist.Store.addr) || !is_here(p, st->Ist.Store.data))
            use_of(p, st->Ist.Store.data);
        break;
    case Ist_StoreG:
    case Ist_LoadG:
        note_guarded(p, st);
        break;
    case Ist_Put:
        use_of(p, st->Ist.Put.data);
        break;
    case Ist_PutI:
        use_of(p, st->Ist.PutI.details->ix);
        use_of(p, st->Ist.PutI.details->data);
        break;
    case Ist_CAS:
        note_atomic(p, st->Ist.CAS.details);
        break;
    case Ist_LLSC:
        use_of(p, st->Ist.LLSC.addr);
        use_of(p, st->Ist.LLSC.storedata);
        break;
    case Ist_Dirty:
        note_helper(p, st->Ist.Dirty.details);
        break;
    case Ist_Exit:
        use_of(p, st->Ist.Exit.guard);
        p->stretch++;
        break;
    default:
        break;
    }
}

/* --- for the translation --- */

struct depend {
    struct plan plan;
    Bool stub;
    IRSB *out;
    UInt function;
    IRExpr *guard;
    struct cc_depend_site *site; /* of the present instruction; NULL: not yet needed */
    UInt storing;                /* 1 + the first granule that the next access stores; 0: none */
};

/* Where an iteration begins a piece of code begins, so that what registers carry goes through the guest
 * state. */
void cc_vg_depend_cut(IRSB *in)
{
    Bool begun = False;
    if (engine.options.loops != CC_LOOPS_DEPENDENCES)
        return;
    for (Int i = 0; i < in->stmts_used; i++) {
        const IRStmt *st = in->stmts[i];
        if (st->tag != Ist_IMark)
            continue;
        if (begun && cc_loop_point(engine.collect, st->Ist.IMark.addr)) {
            in->stmts_used = i;
            in->next = IRExpr_Const(IRConst_U64(st->Ist.IMark.addr));
            in->jumpkind = Ijk_Boring;
            return;
        }
        begun = True;
    }
}

struct depend *cc_vg_depend_new(const IRSB *in, IRSB *out, ULong address, UInt function)
{
    if (engine.options.loops != CC_LOOPS_DEPENDENCES)
        return NULL;
    struct depend *d = VG_(calloc)("cc.depend", 1, sizeof *d);
    SizeT n = (SizeT)in->tyenv->types_used + 1;
    d->out = out;
    d->function = function;
    d->plan.in = in;
    d->plan.outside = !cc_code_is_own(engine.collect, function);
    d->stub = d->plan.outside && cc_code_is_stub(engine.collect, address);
    d->plan.onto_stack = VG_(calloc)("cc.depend", n, sizeof(Bool));
    d->plan.used = VG_(calloc)("cc.depend", n, sizeof(Bool));
    d->plan.from = VG_(calloc)("cc.depend", n, sizeof(UShort));
    d->plan.made = VG_(calloc)("cc.depend", n, sizeof(UShort));
    d->plan.lanes = cc_vg_lanes_new(in);
    for (Int i = 0; i < in->stmts_used; i++)
        note_uses(&d->plan, in->stmts[i]);
    use_of(&d->plan, in->next);
    for (Int i = 0; i < in->stmts_used; i++) /* what is left by them is looked at if they find nothing */
        if (cc_vg_bitscan_old(in, in->stmts[i]) != IRTemp_INVALID)
            d->plan.used[cc_vg_bitscan_old(in, in->stmts[i])] = False;
    return d;
}

void cc_vg_depend_free(struct depend *d)
{
    if (!d)
        return;
    VG_(free)(d->plan.onto_stack);
    VG_(free)(d->plan.used);
    VG_(free)(d->plan.from);
    VG_(free)(d->plan.made);
    cc_vg_lanes_free(d->plan.lanes);
    VG_(free)(d);
}

static IRExpr *assign(struct depend *d, IRType type, IRExpr *e)
{
    IRTemp t = newIRTemp(d->out->tyenv, type);
    addStmtToIRSB(d->out, IRStmt_WrTmp(t, e));
    return IRExpr_RdTmp(t);
}

static IRExpr *both(struct depend *d, IRExpr *a, IRExpr *b)
{
    IRExpr *wide_a = assign(d, Ity_I64, IRExpr_Unop(Iop_1Uto64, a)),
           *wide_b = assign(d, Ity_I64, IRExpr_Unop(Iop_1Uto64, b)),
           *sum = assign(d, Ity_I64, IRExpr_Binop(Iop_And64, wide_a, wide_b));
    return assign(d, Ity_I1, IRExpr_Binop(Iop_CmpNE64, sum, IRExpr_Const(IRConst_U64(0))));
}

static void emit(struct depend *d, const HChar *name, void *function, IRExpr **args, IRExpr *only_if)
{
    IRDirty *call = unsafeIRDirty_0_N(0, name, function, args);
    call->guard = only_if ? both(d, d->guard, only_if) : d->guard;
    addStmtToIRSB(d->out, IRStmt_Dirty(call));
}

/* Whether they are parts of one register, one behind the other. */
static Bool next_to(UInt last, UInt g)
{
    return last + 1 == g && granules.start[g] / 8 == granules.start[last] / 8 &&
           granules.start[last] + granules.size[last] == granules.start[g];
}

static UInt put_add(struct cc_depend_put *puts, UInt n, UInt g, UInt site)
{
    struct cc_depend_put *u = n ? &puts[n - 1] : NULL;
    if (u && u->site == site - 1 && next_to(u->granule + (UInt)u->more, g)) {
        u->more++;
        return n;
    }
    puts[n] = (struct cc_depend_put){.granule = (UChar)g, .site = (UShort)(site - 1)};
    return n + 1;
}

/* Parts of one register that are used alike are one. */
static UInt use_add(struct cc_depend_use *uses, UInt n, UInt g, UInt flags, UInt site)
{
    struct cc_depend_use *u = n ? &uses[n - 1] : NULL;
    if (u && u->flags == flags && u->site == site - 1 && next_to(u->granule + (UInt)u->more, g)) {
        u->more++;
        return n;
    }
    uses[n] = (struct cc_depend_use){.granule = (UChar)g, .flags = (UChar)flags, .site = (UShort)(site - 1)};
    return n + 1;
}

static void *copy_of(const void *v, SizeT size)
{
    void *copy = VG_(malloc)("cc.depend", size + 1);
    VG_(memcpy)(copy, v, size);
    return copy;
}

static struct cc_depend_piece *piece_of(struct depend *d, ULong address)
{
    struct plan *p = &d->plan;
    struct cc_depend_use uses[CC_DEPEND_GRANULES];
    struct cc_depend_put puts[CC_DEPEND_GRANULES];
    UInt n = 0, nputs = 0;
    for (UInt g = 0; g < granules.n; g++) {
        if (p->read[g])
            n = use_add(uses, n, g, p->stored[g] ? CC_USE_STORED : 0, p->read[g]);
        if (p->written[g])
            nputs = put_add(puts, nputs, g, p->written[g]);
    }
    if (!n && !nputs && !p->outside)
        return NULL;
    struct cc_depend_piece *piece = VG_(calloc)("cc.depend", 1, sizeof *piece);
    *piece = (struct cc_depend_piece){.address = address,
                                      .outside = p->outside,
                                      .stub = d->stub,
                                      .nuses = n,
                                      .nputs = nputs,
                                      .nsites = p->nsites};
    piece->uses = copy_of(uses, n * sizeof *uses);
    piece->puts = copy_of(puts, nputs * sizeof *puts);
    piece->sites = copy_of(p->sites, p->nsites * sizeof *p->sites);
    return piece;
}

/* Loops and calls are followed each for itself. */
static inline Bool loops_on(void)
{
    return cc_depend_on(engine.current->depend->owner);
}

static void on_registers(struct cc_depend_piece *p)
{
    if (cc_sibling_on(engine.current->sibling))
        cc_depend_outside_here(engine.current->sibling->x, p);
    if (loops_on())
        cc_depend_registers(engine.current->depend, p);
}

/* Up to the next exit: what comes behind that need not happen. first: it is about to run. */
static void stretch(struct depend *d, Int from, Bool first)
{
    struct plan *p = &d->plan;
    ULong address = p->instruction;
    Int i = from;
    p->nsites = 0;
    VG_(memset)(p->read, 0, sizeof p->read);
    VG_(memset)(p->written, 0, sizeof p->written);
    for (; i < p->in->stmts_used && p->in->stmts[i]->tag != Ist_Exit; i++)
        plan_statement(p, i);
    settle_stored(p, from, i);
    if (i == p->in->stmts_used && p->in->jumpkind == Ijk_Sys_syscall)
        for (UInt k = 0; k < sizeof syscall_writes / sizeof *syscall_writes; k++)
            plan_put(p, syscall_writes[k], 8, True);
    ULong last = p->instruction;
    p->instruction = address;
    struct cc_depend_piece *piece = piece_of(d, address);
    if (piece) {
        piece->last = last;
        piece->function = d->function;
    }
    if (piece && first && engine.current && engine.current->depend && !p->outside)
        cc_vg_loop_known(VG_(get_running_tid)());
    if (piece && first && engine.current && engine.current->depend)
        cc_depend_first(engine.current->depend, piece);
    if (piece)
        emit(d, "on_registers", on_registers, mkIRExprVec_1(mkIRExpr_HWord((HWord)piece)), NULL);
}

void cc_vg_depend_instruction(struct depend *d, Int at, ULong address)
{
    if (!d)
        return;
    d->plan.instruction = address;
    d->site = NULL;
    if (d->guard)
        return;
    IRExpr *on =
        assign(d, Ity_I32, IRExpr_Get(engine.spare_at + (Int)offsetof(struct spare, depend), Ity_I32));
    d->guard = assign(d, Ity_I1, IRExpr_Binop(Iop_CmpNE32, on, IRExpr_Const(IRConst_U32(0))));
    stretch(d, at, True);
}

void cc_vg_depend_exit(struct depend *d, Int at)
{
    if (d && d->guard)
        stretch(d, at + 1, False);
}

static struct cc_depend_site *site_here(struct depend *d)
{
    if (!d->site)
        d->site = site_new(d->plan.instruction, d->plan.outside);
    return d->site;
}

static void on_depend_read(ULong a, ULong size, struct cc_depend_site *site)
{
    if (loops_on())
        cc_depend_read(engine.current->depend, a, (UInt)size, site);
    if (cc_sibling_on(engine.current->sibling))
        cc_depend_read(engine.current->sibling->x, a, (UInt)size, site);
}

static void on_depend_write(ULong a, ULong size, struct cc_depend_site *site)
{
    if (loops_on())
        cc_depend_write(engine.current->depend, a, (UInt)size, site);
    if (cc_sibling_on(engine.current->sibling))
        cc_depend_write(engine.current->sibling->x, a, (UInt)size, site);
}

static void on_depend_store(ULong a, ULong what, struct cc_depend_site *site)
{
    if (cc_sibling_on(engine.current->sibling))
        cc_depend_write(engine.current->sibling->x, a, (UInt)what & 0xffff, site);
    if (loops_on())
        cc_depend_store(engine.current->depend, a, (UInt)what & 0xffff, site, (UInt)what >> 16);
}

void cc_vg_depend_storing(struct depend *d, const IRExpr *data)
{
    if (!d || data->tag != Iex_RdTmp || !d->plan.from[data->Iex.RdTmp.tmp] ||
        d->plan.used[data->Iex.RdTmp.tmp])
        return;
    UInt offset = d->plan.from[data->Iex.RdTmp.tmp] - 1u;
    if (all_stored(&d->plan, offset, bytes_of(&d->plan, data)))
        d->storing = 1u + granules.of[offset];
}

Bool cc_vg_depend_with_access(struct depend *d, const struct access *x)
{
    if (!d || !d->guard || (d->storing && x->write))
        return False;
    IRDirty *call = cc_vg_access_followed(x, site_here(d));
    if (call)
        addStmtToIRSB(d->out, IRStmt_Dirty(call));
    return call != NULL;
}

void cc_vg_depend_access(struct depend *d, const struct access *x, IRExpr *only_if)
{
    if (!d || !d->guard)
        return;
    if (d->storing && x->write) {
        HWord what = (HWord)(d->storing - 1) << 16 | x->size;
        d->storing = 0;
        emit(d, "on_depend_store", on_depend_store,
             mkIRExprVec_3(x->address, mkIRExpr_HWord(what), mkIRExpr_HWord((HWord)site_here(d))), only_if);
        return;
    }
    IRExpr **args = mkIRExprVec_3(x->address, mkIRExpr_HWord(x->size), mkIRExpr_HWord((HWord)site_here(d)));
    emit(d, x->write ? "on_depend_write" : "on_depend_read",
         x->write ? (void *)on_depend_write : (void *)on_depend_read, args, only_if);
}

static void on_float(ULong number, ULong write, struct cc_depend_site *site)
{
    if (loops_on())
        cc_depend_register_use(engine.current->depend, granules.floats + (UInt)number,
                               write ? CC_USE_WRITE : 0, site);
}

static void on_left(ULong granule, ULong more, struct cc_depend_site *site)
{
    for (UInt i = 0; loops_on() && i <= more; i++)
        cc_depend_left(engine.current->depend, (UInt)(granule + i), site);
}

/* A register that such an instruction leaves as it was. */
void cc_vg_depend_bitscan(struct depend *d, const IRStmt *st)
{
    IRTemp old = d && d->guard ? cc_vg_bitscan_old(d->plan.in, st) : IRTemp_INVALID;
    UInt offset = old == IRTemp_INVALID ? 0 : d->plan.from[old] - 1u;
    if (old == IRTemp_INVALID || d->plan.used[old] || !all_stored(&d->plan, offset, 8))
        return;
    UInt first = granules.of[offset], more = granules.of[offset + 7] - first;
    emit(d, "on_left", on_left,
         mkIRExprVec_3(mkIRExpr_HWord(first), mkIRExpr_HWord(more), mkIRExpr_HWord((HWord)site_here(d))),
         assign(d, Ity_I1, IRExpr_Unop(Iop_Not1, st->Ist.WrTmp.data->Iex.ITE.cond)));
}

/* Registers of x87 are chosen as the program runs. */
void cc_vg_depend_indexed(struct depend *d, const IRStmt *st)
{
    Bool put = st->tag == Ist_PutI;
    if (!d || !d->guard || (!put && (st->tag != Ist_WrTmp || st->Ist.WrTmp.data->tag != Iex_GetI)))
        return;
    const IRExpr *get = put ? NULL : st->Ist.WrTmp.data;
    const IRRegArray *array = put ? st->Ist.PutI.details->descr : get->Iex.GetI.descr;
    IRExpr *ix = put ? st->Ist.PutI.details->ix : get->Iex.GetI.ix;
    Int bias = put ? st->Ist.PutI.details->bias : get->Iex.GetI.bias;
    if ((UInt)array->base != FLOATS || array->nElems != 8)
        return;
    IRExpr *sum = assign(d, Ity_I32, IRExpr_Binop(Iop_Add32, ix, IRExpr_Const(IRConst_U32((UInt)bias))));
    IRExpr *index = assign(d, Ity_I32, IRExpr_Binop(Iop_And32, sum, IRExpr_Const(IRConst_U32(7))));
    IRExpr *wide = assign(d, Ity_I64, IRExpr_Unop(Iop_32Uto64, index));
    emit(d, "on_float", on_float,
         mkIRExprVec_3(wide, mkIRExpr_HWord(put), mkIRExpr_HWord((HWord)site_here(d))), NULL);
}

/* --- calls --- */

struct call_site {
    ULong address, ret;
    Bool outside;
};

FROM_CODE(on_depend_call)
{
    const struct call_site *c = what;
    ULong sp = GUEST_SP(guest) + CC_VG_CALL_PUSHES;
    if (loops_on())
        cc_depend_call(engine.current->depend, c->address, c->outside, c->ret, sp);
    if (cc_sibling_on(engine.current->sibling))
        cc_depend_call(engine.current->sibling->x, c->address, c->outside, c->ret, sp);
}

FROM_CODE(on_depend_return)
{
    if (loops_on())
        cc_depend_return(engine.current->depend, (ULong)(Addr)what, GUEST_SP(guest));
    if (cc_sibling_on(engine.current->sibling))
        cc_depend_return(engine.current->sibling->x, (ULong)(Addr)what, GUEST_SP(guest));
}

void cc_vg_depend_call(struct depend *d, ULong ret)
{
    if (!d || !d->guard)
        return;
    struct call_site *c = VG_(calloc)("cc.depend", 1, sizeof *c);
    *c = (struct call_site){d->plan.instruction, ret, d->plan.outside};
    emit(d, "on_depend_call", on_depend_call_stub, mkIRExprVec_1(mkIRExpr_HWord((HWord)c)), NULL);
}

void cc_vg_depend_return(struct depend *d)
{
    if (d && d->guard)
        emit(d, "on_depend_return", on_depend_return_stub, mkIRExprVec_1(d->out->next), NULL);
}

static void on_depend_jump(ULong address)
{
    if (loops_on())
        cc_depend_jump(engine.current->depend, address);
    if (cc_sibling_on(engine.current->sibling))
        cc_depend_jump(engine.current->sibling->x, address);
}

void cc_vg_depend_jump(struct depend *d)
{
    if (d && d->guard)
        emit(d, "on_depend_jump", on_depend_jump, mkIRExprVec_1(mkIRExpr_HWord((HWord)d->plan.instruction)),
             NULL);
}
