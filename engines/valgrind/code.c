/* What translated code does, for the analysis of loops: VEX's form of it as records of collect/loop_code.h.
 */
#include "code.h"
#include "bitscan.h"

enum { MAX_RECORDS = 8192 };

#if defined(VGA_arm64)
enum { PC_AT = offsetof(VexGuestARM64State, guest_PC) };
_Static_assert(offsetof(VexGuestARM64State, guest_X0) == CC_GUEST_ARM64_X0, "X0");
_Static_assert(offsetof(VexGuestARM64State, guest_XSP) == CC_GUEST_ARM64_SP, "SP");
_Static_assert(offsetof(VexGuestARM64State, guest_Q0) == CC_GUEST_ARM64_Q0, "Q0");
#else
enum { PC_AT = offsetof(VexGuestAMD64State, guest_RIP) };
_Static_assert(offsetof(VexGuestAMD64State, guest_RAX) == CC_GUEST_AMD64_RAX, "RAX");
_Static_assert(offsetof(VexGuestAMD64State, guest_RSP) == CC_GUEST_AMD64_RSP, "RSP");
_Static_assert(offsetof(VexGuestAMD64State, guest_YMM0) == CC_GUEST_AMD64_YMM0, "YMM0");
#endif

struct dump {
    const IRSB *in;
    UInt n, values; /* values: the last one */
    Bool full;
    struct cc_rec_loop_code *v;
};

static struct cc_rec_loop_code *add(struct dump *d, enum cc_code_kind kind)
{
    if (d->n == MAX_RECORDS)
        d->full = True;
    struct cc_rec_loop_code *r = &d->v[d->full ? 0 : d->n++];
    *r = (struct cc_rec_loop_code){.kind = kind};
    return r;
}

static UInt fresh(struct dump *d)
{
    return ++d->values;
}

static UInt number_of(IRTemp t)
{
    return t + 1;
}

static UInt bits_of_type(IRType t)
{
    return t == Ity_I1 ? 1 : (UInt)sizeofIRType(t) * 8;
}

static UInt bits_of(const struct dump *d, const IRExpr *e)
{
    return bits_of_type(typeOfIRExpr(d->in->tyenv, e));
}

static ULong bits_of_f64(Double x)
{
    ULong v;
    VG_(memcpy)(&v, &x, sizeof v);
    return v;
}

static ULong bits_of_f32(Float x)
{
    UInt v;
    VG_(memcpy)(&v, &x, sizeof v);
    return v;
}

/* A vector's constant has a bit for each byte: those that are not 0 are only told apart. */
static void constant(struct dump *d, UInt to, const IRConst *k)
{
    Bool vector = (k->tag == Ico_V128 && k->Ico.V128) || (k->tag == Ico_V256 && k->Ico.V256);
    struct cc_rec_loop_code *r = add(d, vector ? CC_CODE_OP : CC_CODE_CONST);
    r->to = to;
    r->bits = bits_of_type(typeOfIRConst(k));
    switch (k->tag) {
    case Ico_U1:
        r->value = k->Ico.U1;
        break;
    case Ico_U8:
        r->value = k->Ico.U8;
        break;
    case Ico_U16:
        r->value = k->Ico.U16;
        break;
    case Ico_U32:
    case Ico_F32i:
        r->value = k->Ico.U32;
        break;
    case Ico_U64:
    case Ico_F64i:
        r->value = k->Ico.U64;
        break;
    case Ico_F32:
        r->value = bits_of_f32(k->Ico.F32);
        break;
    case Ico_F64:
        r->value = bits_of_f64(k->Ico.F64);
        break;
    case Ico_V128:
        r->value = k->Ico.V128;
        break;
    case Ico_U128: /* of s390 alone */
        r->value = k->Ico.U128;
        break;
    case Ico_V256:
        r->value = k->Ico.V256;
        break;
    }
}

static UInt operand(struct dump *d, const IRExpr *e)
{
    if (!e)
        return 0;
    if (e->tag == Iex_RdTmp)
        return number_of(e->Iex.RdTmp.tmp);
    UInt to = fresh(d);
    if (e->tag == Iex_Const) {
        constant(d, to, e->Iex.Const.con);
    } else {
        struct cc_rec_loop_code *r = add(d, CC_CODE_UNKNOWN);
        r->to = to;
        r->bits = 64;
    }
    return to;
}

static UInt part(struct dump *d, UInt to, UInt of, UInt from, UInt bits)
{
    to = to ? to : fresh(d);
    struct cc_rec_loop_code *r = add(d, CC_CODE_PART);
    r->to = to, r->a = of, r->value = from, r->bits = bits;
    return to;
}

static UInt join(struct dump *d, UInt to, UInt low, UInt high, UInt bits)
{
    to = to ? to : fresh(d);
    struct cc_rec_loop_code *r = add(d, CC_CODE_JOIN);
    r->to = to, r->a = low, r->b = high, r->bits = bits;
    return to;
}

static struct cc_rec_loop_code *operation(struct dump *d, UInt to, enum cc_code_op op, UInt bits, ULong value)
{
    struct cc_rec_loop_code *r = add(d, CC_CODE_OP);
    r->to = to, r->op = op, r->bits = bits, r->value = value;
    return r;
}

static UInt extend(struct dump *d, UInt to, UInt of, UInt bits)
{
    to = to ? to : fresh(d);
    operation(d, to, CC_CODE_ZEXT, bits, 0)->a = of;
    return to;
}

/* Operations that only take values apart: the part's first bit. */
static const struct {
    IROp op;
    UInt from;
} parts[] = {
    {Iop_64to8, 0},
    {Iop_32to8, 0},
    {Iop_64to16, 0},
    {Iop_16to8, 0},
    {Iop_16HIto8, 8},
    {Iop_32to16, 0},
    {Iop_32HIto16, 16},
    {Iop_64to32, 0},
    {Iop_64HIto32, 32},
    {Iop_128to64, 0},
    {Iop_128HIto64, 64},
    {Iop_32to1, 0},
    {Iop_64to1, 0},
    {Iop_V128to64, 0},
    {Iop_V128HIto64, 64},
    {Iop_V128to32, 0},
    {Iop_V256to64_0, 0},
    {Iop_V256to64_1, 64},
    {Iop_V256to64_2, 128},
    {Iop_V256to64_3, 192},
    {Iop_V256toV128_0, 0},
    {Iop_V256toV128_1, 128},
    {Iop_ReinterpV128asI128, 0},
    {Iop_ReinterpI128asV128, 0},
    {Iop_ReinterpF64asI64, 0},
    {Iop_ReinterpI64asF64, 0},
    {Iop_ReinterpF32asI32, 0},
    {Iop_ReinterpI32asF32, 0},
};

static const IROp joins[] = {Iop_8HLto16,   Iop_16HLto32,   Iop_32HLto64,
                             Iop_64HLto128, Iop_64HLtoV128, Iop_V128HLtoV256};

/* Bits that stay of a register whose others become 0; 0: no such operation. */
static UInt kept_low(IROp op)
{
    return op == Iop_ZeroHI64ofV128    ? 64
           : op == Iop_ZeroHI96ofV128  ? 32
           : op == Iop_ZeroHI112ofV128 ? 16
           : op == Iop_ZeroHI120ofV128 ? 8
                                       : 0;
}

static Bool taken_apart(struct dump *d, UInt to, IROp op, const UInt *x, UInt bits)
{
    for (UInt i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i].op == op) {
            part(d, to, x[0], parts[i].from, bits);
            return True;
        }
    for (UInt i = 0; i < sizeof joins / sizeof *joins; i++)
        if (joins[i] == op) {
            join(d, to, x[1], x[0], bits);
            return True;
        }
    if (kept_low(op)) {
        extend(d, to, part(d, 0, x[0], 0, kept_low(op)), bits);
        return True;
    }
    if (op == Iop_SetV128lo64 || op == Iop_SetV128lo32) {
        UInt low = op == Iop_SetV128lo64 ? 64 : 32;
        join(d, to, x[1], part(d, 0, x[0], low, 128 - low), 128);
        return True;
    }
    if (op == Iop_64x4toV256) {
        UInt low = join(d, 0, x[3], x[2], 128);
        join(d, to, low, join(d, 0, x[1], x[0], 128), 256);
        return True;
    }
    return False;
}

static UInt element_bits(IROp op)
{
    switch (op) {
    case Iop_GetElem8x16:
    case Iop_SetElem8x16:
    case Iop_GetElem8x8:
    case Iop_SetElem8x8:
        return 8;
    case Iop_GetElem16x8:
    case Iop_SetElem16x8:
    case Iop_GetElem16x4:
    case Iop_SetElem16x4:
        return 16;
    case Iop_GetElem32x4:
    case Iop_SetElem32x4:
    case Iop_GetElem32x2:
    case Iop_SetElem32x2:
        return 32;
    case Iop_GetElem64x2:
    case Iop_SetElem64x2:
        return 64;
    default:
        return 0;
    }
}

/* An element of a vector, its number a constant: taken out, or put in. */
static Bool element(struct dump *d, UInt to, IROp op, IRExpr *const *args, const UInt *x, UInt bits)
{
    UInt size = element_bits(op);
    if (!size || args[1]->tag != Iex_Const || args[1]->Iex.Const.con->tag != Ico_U8)
        return False;
    UInt at = args[1]->Iex.Const.con->Ico.U8 * size, all = bits_of(d, args[0]);
    if (at + size > all)
        return False;
    if (!args[2]) {
        part(d, to, x[0], at, size);
        return True;
    }
    UInt above = at + size < all ? part(d, 0, x[0], at + size, all - at - size) : 0;
    UInt high = above ? join(d, at ? 0 : to, x[2], above, all - at) : x[2];
    if (at)
        join(d, to, part(d, 0, x[0], 0, at), high, bits);
    return True;
}

static void low_operation(struct dump *d, UInt to, const struct cc_vg_meaning *m, const UInt *x)
{
    UInt a = part(d, 0, x[0], 0, m->lane), b = x[1] ? part(d, 0, x[1], 0, m->lane) : 0, sum = fresh(d);
    struct cc_rec_loop_code *r = operation(d, sum, m->class, m->lane, m->op);
    r->a = a, r->b = b;
    join(d, to, sum, part(d, 0, x[0], m->lane, 128 - m->lane), 128);
}

/* AArch64's FMSUB: the last operand less the product of the others. */
static Bool negated_product(struct dump *d, UInt to, IROp op, const UInt *x, UInt bits)
{
#if defined(VGA_arm64)
    if (op == Iop_MSubF64 || op == Iop_MSubF32) {
        UInt minus = fresh(d);
        operation(d, minus, CC_CODE_FNEG, bits, 0)->a = x[1];
        struct cc_rec_loop_code *r = operation(d, to, CC_CODE_FMA, bits, 0);
        r->a = minus, r->b = x[2], r->c = x[3];
        return True;
    }
#endif
    return False;
}

/* More operands than a record has are handed on by records of their own. */
static void other(struct dump *d, UInt to, ULong what, const UInt *x, UInt bits)
{
    UInt carried = 0;
    for (UInt i = 0; x[i] || !i;) {
        UInt first = carried ? carried
                     : x[i]  ? x[i++]
                             : 0,
             second = first && x[i] ? x[i++] : 0, third = second && x[i] ? x[i++] : 0;
        carried = x[i] ? fresh(d) : to;
        struct cc_rec_loop_code *r = operation(d, carried, CC_CODE_OTHER, bits, what);
        r->a = first, r->b = second, r->c = third;
        if (!x[i])
            return;
    }
}

static void compute(struct dump *d, UInt to, IROp op, IRExpr *const *args)
{
    UInt x[8] = {0}, bits;
    IRType type, unused;
    typeOfPrimop(op, &type, &unused, &unused, &unused, &unused);
    bits = bits_of_type(type);
    for (UInt i = 0; args[i]; i++)
        x[i] = operand(d, args[i]);
    if (taken_apart(d, to, op, x, bits) || element(d, to, op, args, x, bits))
        return;
    const struct cc_vg_meaning *m = cc_vg_low_meaning(op);
    if (m) {
        low_operation(d, to, m, x);
        return;
    }
    if (negated_product(d, to, op, x, bits))
        return;
    m = cc_vg_meaning(op);
    if (!m) {
        other(d, to, op, x, bits);
        return;
    }
    struct cc_rec_loop_code *r = operation(d, to, m->class, bits, op);
    r->lane = m->lane;
    r->a = x[m->rounded + m->turned], r->b = x[m->rounded + !m->turned], r->c = r->b ? x[m->rounded + 2] : 0;
}

/* Whether a condition of the guest's holds, after an operation it remembers. */
static Bool flags(struct dump *d, UInt to, const HChar *name, const UInt *x, UInt bits)
{
    UInt condition = x[0], rest = 1;
    if (VG_(strcmp)(name, "amd64g_calculate_condition") == 0)
        condition = join(d, 0, x[0], x[rest++], 128);
    else if (VG_(strcmp)(name, "arm64g_calculate_condition") != 0)
        return False;
    UInt second = join(d, 0, x[rest + 1], x[rest + 2], 128);
    struct cc_rec_loop_code *r = operation(d, to, CC_CODE_FLAGS, bits, 0);
    r->a = condition, r->b = x[rest], r->c = second;
    return True;
}

static void call(struct dump *d, UInt to, const IRExpr *e)
{
    UInt x[12] = {0};
    for (UInt i = 0; i < 11 && e->Iex.CCall.args[i]; i++)
        x[i] = operand(d, e->Iex.CCall.args[i]);
    const HChar *name = e->Iex.CCall.cee->name;
    if (flags(d, to, name, x, bits_of_type(e->Iex.CCall.retty)))
        return;
    ULong what = 0x10000; /* above VEX's own numbers, and the same in every run */
    for (; *name; name++)
        what = (what * 31 + (UChar)*name) | 0x10000;
    other(d, to, what, x, bits_of_type(e->Iex.CCall.retty));
}

static void assignment(struct dump *d, IRTemp temp, IRExpr *e)
{
    UInt to = number_of(temp), bits = bits_of(d, e);
    struct cc_rec_loop_code *r;
    UInt x[3];
    switch (e->tag) {
    case Iex_Get:
        r = add(d, CC_CODE_GET);
        r->to = to, r->bits = bits, r->value = (ULong)e->Iex.Get.offset;
        break;
    case Iex_RdTmp:
        part(d, to, number_of(e->Iex.RdTmp.tmp), 0, bits);
        break;
    case Iex_Const:
        constant(d, to, e->Iex.Const.con);
        break;
    case Iex_Load:
        x[0] = operand(d, e->Iex.Load.addr);
        r = add(d, CC_CODE_LOAD);
        r->to = to, r->a = x[0], r->bits = bits;
        break;
    case Iex_Unop:
        compute(d, to, e->Iex.Unop.op, (IRExpr *[]){e->Iex.Unop.arg, NULL, NULL});
        break;
    case Iex_Binop:
        compute(d, to, e->Iex.Binop.op, (IRExpr *[]){e->Iex.Binop.arg1, e->Iex.Binop.arg2, NULL});
        break;
    case Iex_Triop: {
        const IRTriop *t = e->Iex.Triop.details;
        compute(d, to, t->op, (IRExpr *[]){t->arg1, t->arg2, t->arg3, NULL});
        break;
    }
    case Iex_Qop: {
        const IRQop *q = e->Iex.Qop.details;
        compute(d, to, q->op, (IRExpr *[]){q->arg1, q->arg2, q->arg3, q->arg4, NULL});
        break;
    }
    case Iex_ITE:
        x[0] = operand(d, e->Iex.ITE.cond);
        x[1] = operand(d, e->Iex.ITE.iftrue);
        x[2] = operand(d, e->Iex.ITE.iffalse);
        r = add(d, CC_CODE_SELECT);
        r->to = to, r->a = x[0], r->b = x[1], r->c = x[2], r->bits = bits;
        r->value = cc_vg_is_bitscan(d->in, e);
        break;
    case Iex_CCall:
        call(d, to, e);
        break;
    default:
        r = add(d, CC_CODE_UNKNOWN);
        r->to = to, r->bits = bits;
        break;
    }
}

static void effect(struct dump *d, const IRExpr *a, const IRExpr *b, const IRExpr *c)
{
    UInt x[3] = {operand(d, a), operand(d, b), operand(d, c)};
    struct cc_rec_loop_code *r = add(d, CC_CODE_EFFECT);
    r->a = x[0], r->b = x[1], r->c = x[2];
}

static void unknown(struct dump *d, IRTemp temp)
{
    if (temp == IRTemp_INVALID)
        return;
    struct cc_rec_loop_code *r = add(d, CC_CODE_UNKNOWN);
    r->to = number_of(temp);
    r->bits = bits_of_type(typeOfIRTemp(d->in->tyenv, temp));
}

static void clobber(struct dump *d, UInt at, UInt bytes)
{
    struct cc_rec_loop_code *r = add(d, CC_CODE_CLOBBER);
    r->value = at;
    r->bits = bytes * 8;
}

/* Registers that a helper of VEX's reads, and those that it writes. */
static void helper_registers(struct dump *d, const IRDirty *h)
{
    for (Int i = 0; i < h->nFxState; i++)
        for (UInt k = 0; k <= h->fxState[i].nRepeats; k++) {
            UInt at = h->fxState[i].offset + k * h->fxState[i].repeatLen, size = h->fxState[i].size;
            for (UInt done = 0; done < size && h->fxState[i].fx != Ifx_Write; done += 8) {
                struct cc_rec_loop_code *r = add(d, CC_CODE_GET);
                UInt to = fresh(d);
                r->to = to, r->value = at + done, r->bits = size - done < 8 ? (size - done) * 8 : 64;
                r = add(d, CC_CODE_EFFECT);
                r->a = to;
            }
            if (h->fxState[i].fx != Ifx_Read)
                clobber(d, at, size);
        }
}

static void helper(struct dump *d, const IRDirty *h)
{
    effect(d, h->guard, h->mAddr, NULL);
    for (Int i = 0; h->args[i]; i++)
        if (!is_IRExpr_VECRET_or_GSPTR(h->args[i]))
            effect(d, h->args[i], NULL, NULL);
    helper_registers(d, h);
    unknown(d, h->tmp);
}

static void guarded_load(struct dump *d, const IRLoadG *l)
{
    IRType wide, type;
    typeOfIRLoadGOp(l->cvt, &wide, &type);
    UInt address = operand(d, l->addr), guard = operand(d, l->guard), other_value = operand(d, l->alt),
         loaded = fresh(d), widened = loaded;
    struct cc_rec_loop_code *r = add(d, CC_CODE_LOAD);
    r->to = loaded, r->a = address, r->b = guard, r->bits = bits_of_type(type);
    if (type != wide) {
        Bool sign = l->cvt == ILGop_16Sto32 || l->cvt == ILGop_8Sto32;
        widened = fresh(d);
        operation(d, widened, sign ? CC_CODE_SEXT : CC_CODE_ZEXT, bits_of_type(wide), 0)->a = loaded;
    }
    r = add(d, CC_CODE_SELECT);
    r->to = number_of(l->dst), r->a = guard, r->b = widened, r->c = other_value;
    r->bits = bits_of_type(wide);
}

static void store(struct dump *d, const IRExpr *address, const IRExpr *data, const IRExpr *guard)
{
    UInt x[3] = {operand(d, address), operand(d, data), operand(d, guard)};
    struct cc_rec_loop_code *r = add(d, CC_CODE_STORE);
    r->a = x[0], r->b = x[1], r->c = x[2], r->bits = bits_of(d, data);
}

static void put(struct dump *d, Int at, const IRExpr *data)
{
    if (at == PC_AT)
        return;
    UInt x = operand(d, data);
    struct cc_rec_loop_code *r = add(d, CC_CODE_PUT);
    r->a = x, r->value = (ULong)at, r->bits = bits_of(d, data);
}

static void leave(struct dump *d, const IRStmt *st)
{
    UInt x = operand(d, st->Ist.Exit.guard);
    struct cc_rec_loop_code *r = add(d, CC_CODE_EXIT);
    r->a = x, r->value = st->Ist.Exit.dst->Ico.U64;
}

static void atomic(struct dump *d, const IRStmt *st)
{
    if (st->tag == Ist_LLSC) {
        effect(d, st->Ist.LLSC.addr, st->Ist.LLSC.storedata, NULL);
        unknown(d, st->Ist.LLSC.result);
        return;
    }
    const IRCAS *c = st->Ist.CAS.details;
    effect(d, c->addr, c->dataLo, c->dataHi);
    effect(d, c->expdLo, c->expdHi, NULL);
    unknown(d, c->oldLo);
    unknown(d, c->oldHi);
}

static void instruction(struct dump *d, const IRStmt *st)
{
    struct cc_rec_loop_code *r = add(d, CC_CODE_INSN);
    r->value = st->Ist.IMark.addr, r->a = st->Ist.IMark.len;
}

static void statement(struct dump *d, IRStmt *st)
{
    switch (st->tag) {
    case Ist_IMark:
        instruction(d, st);
        break;
    case Ist_Put:
        put(d, st->Ist.Put.offset, st->Ist.Put.data);
        break;
    case Ist_PutI: {
        const IRPutI *p = st->Ist.PutI.details;
        effect(d, p->ix, p->data, NULL);
        clobber(d, (UInt)p->descr->base, (UInt)p->descr->nElems * (UInt)sizeofIRType(p->descr->elemTy));
        break;
    }
    case Ist_WrTmp:
        assignment(d, st->Ist.WrTmp.tmp, st->Ist.WrTmp.data);
        break;
    case Ist_Store:
        store(d, st->Ist.Store.addr, st->Ist.Store.data, NULL);
        break;
    case Ist_StoreG:
        store(d, st->Ist.StoreG.details->addr, st->Ist.StoreG.details->data, st->Ist.StoreG.details->guard);
        break;
    case Ist_LoadG:
        guarded_load(d, st->Ist.LoadG.details);
        break;
    case Ist_CAS:
    case Ist_LLSC:
        atomic(d, st);
        break;
    case Ist_Dirty:
        helper(d, st->Ist.Dirty.details);
        break;
    case Ist_Exit: /* others end the program, or do the same instruction again: an address that is not
                      aligned, say */
        if (st->Ist.Exit.jk == Ijk_Boring || st->Ist.Exit.jk == Ijk_Call || st->Ist.Exit.jk == Ijk_Ret)
            leave(d, st);
        break;
    default: /* fences, hints */
        break;
    }
}

static void next(struct dump *d, enum cc_code_jump jump)
{
    const IRExpr *to = d->in->next;
    UInt x = to->tag == Iex_Const ? 0 : operand(d, to);
    struct cc_rec_loop_code *r = add(d, CC_CODE_NEXT);
    r->op = jump, r->a = x;
    r->value = x ? 0 : to->Iex.Const.con->Ico.U64;
}

static enum cc_code_jump jump_of(const IRSB *in, Bool call)
{
    if (call)
        return CC_CODE_CALL;
    if (in->jumpkind == Ijk_Ret)
        return CC_CODE_RETURN;
    return in->jumpkind == Ijk_Boring || in->jumpkind == Ijk_Call ? CC_CODE_PLAIN : CC_CODE_SYSTEM;
}

/* Code that has too many records is known by its BLOCK alone. */
void cc_vg_note_code(const IRSB *in, Bool call)
{
    static struct cc_rec_loop_code records[MAX_RECORDS];
    struct dump d = {.in = in, .values = (UInt)in->tyenv->types_used, .v = records};
    UInt bytes = 0;
    ULong start = 0;
    add(&d, CC_CODE_BLOCK);
    for (Int i = 0; i < in->stmts_used; i++) {
        const IRStmt *st = in->stmts[i];
        if (st->tag == Ist_IMark) {
            start = bytes ? start : st->Ist.IMark.addr;
            bytes = (UInt)(st->Ist.IMark.addr + st->Ist.IMark.len - start);
        }
        statement(&d, in->stmts[i]);
    }
    next(&d, jump_of(in, call));
    UInt n = d.full ? 1 : d.n;
    records[0] = (struct cc_rec_loop_code){.kind = CC_CODE_BLOCK, .a = n, .b = bytes, .value = start};
    if (bytes)
        cc_loop_code_add(engine.collect, records, n);
}

FROM_CODE(on_jump)
{
    struct jump *j = what;
    ULong to = spare_of(guest)->target;
    if (j->to == to)
        return;
    j->to = to;
    cc_loop_code_jump(engine.collect, j->at, to);
}
