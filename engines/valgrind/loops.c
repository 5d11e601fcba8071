/* Loops: what is added to code where control's coming means something for them. The usual cases, one more
 * iteration of the innermost loop and nothing new about it, need no call. */
#include "engine.h"

CALLED_BY_CODE(on_loop); /* a struct cc_loop_point */
FROM_CODE(on_loop)
{
    struct spare *s = spare_of(guest);
    cc_loop_arrive(engine.current, s->count, what, GUEST_SP(guest));
    s->loop = (Addr)cc_loop_innermost(engine.current);
    if (engine.current->depend)
        s->depend = cc_depend_on(engine.current->depend->owner);
}

static IRExpr *assign(IRSB *out, IRType type, IRExpr *e)
{
    IRTemp t = newIRTemp(out->tyenv, type);
    addStmtToIRSB(out, IRStmt_WrTmp(t, e));
    return IRExpr_RdTmp(t);
}

static IRExpr *number(ULong v)
{
    return IRExpr_Const(IRConst_U64(v));
}

static IRExpr *calculate(IRSB *out, IROp op, IRExpr *a, IRExpr *b)
{
    return assign(out, Ity_I64, IRExpr_Binop(op, a, b));
}

static IRExpr *compare(IRSB *out, IROp op, IRExpr *a, IRExpr *b)
{
    return assign(out, Ity_I1, IRExpr_Binop(op, a, b));
}

/* VEX is told that it changes what is known of loops. */
static void emit_call(IRSB *out, const struct cc_loop_point *p, IRExpr *guard)
{
    IRDirty *d = unsafeIRDirty_0_N(1, "on_loop", on_loop_stub, mkIRExprVec_1(mkIRExpr_HWord((HWord)p)));
    d->nFxState = 1;
    d->fxState[0].fx = Ifx_Modify;
    d->fxState[0].offset = (UShort)(engine.spare_at + (Int)offsetof(struct spare, loop));
    d->fxState[0].size = sizeof(ULong);
    d->fxState[0].nRepeats = d->fxState[0].repeatLen = 0;
    if (guard)
        d->guard = guard;
    addStmtToIRSB(out, IRStmt_Dirty(d));
}

/* --- fields of an entry --- */

#define FIELD(name) offsetof(struct cc_loop_entry, name)

static IRExpr *field(IRSB *out, IRExpr *entry, SizeT offset)
{
    return assign(out, Ity_I64,
                  IRExpr_Load(Iend_LE, Ity_I64, calculate(out, Iop_Add64, entry, number(offset))));
}

static void set_field(IRSB *out, IRExpr *entry, SizeT offset, IRExpr *value)
{
    addStmtToIRSB(out, IRStmt_Store(Iend_LE, calculate(out, Iop_Add64, entry, number(offset)), value));
}

static IRExpr *innermost(IRSB *out)
{
    return assign(out, Ity_I64, IRExpr_Get(engine.spare_at + (Int)offsetof(struct spare, loop), Ity_I64));
}

/* 0: the entry is this loop's. */
static IRExpr *differs(IRSB *out, IRExpr *loop, const struct cc_loop *l)
{
    return calculate(out, Iop_Xor64, loop, number((Addr)l));
}

/* --- */

/* What end_iteration of collect/loop.c does. */
static void emit_cost(IRSB *out, IRExpr *entry, IRExpr *now, IRExpr *cost)
{
    IRExpr *least = field(out, entry, FIELD(cost_min)), *most = field(out, entry, FIELD(cost_max));
    IRExpr *less = compare(out, Iop_CmpLT64U, cost, least), *more = compare(out, Iop_CmpLT64U, most, cost);
    IRExpr *square = calculate(out, Iop_Mul64, cost, cost);
    set_field(out, entry, FIELD(cost_min), assign(out, Ity_I64, IRExpr_ITE(less, cost, least)));
    set_field(out, entry, FIELD(cost_max), assign(out, Ity_I64, IRExpr_ITE(more, cost, most)));
    set_field(out, entry, FIELD(squares),
              calculate(out, Iop_Add64, field(out, entry, FIELD(squares)), square));
    set_field(out, entry, FIELD(iteration_start), now);
}

/* One more iteration of the loop if it is the innermost and the last was short; else a call, and what is done
 * here is done to an entry that nobody looks at. */
static void emit_iteration(IRSB *out, const struct cc_loop_point *p, const struct cc_loop *l)
{
    static struct cc_loop_entry nobody;
    Bool costs = !(l->at.flags & CC_LOOP_STRAIGHT);
    IRExpr *top = innermost(out), *now = NULL, *cost = NULL;
    IRExpr *odd = differs(out, field(out, top, FIELD(loop)), l);
    if (costs) {
        now = assign(out, Ity_I64, IRExpr_Get(engine.spare_at, Ity_I64));
        cost = calculate(out, Iop_Sub64, now, field(out, top, FIELD(iteration_start)));
        odd = calculate(out, Iop_Or64, odd,
                        calculate(out, Iop_Shr64, cost, IRExpr_Const(IRConst_U8(CC_LOOP_COST_BITS))));
    }
    IRExpr *slow = compare(out, Iop_CmpNE64, odd, number(0));
    emit_call(out, p, slow);
    IRExpr *entry = assign(out, Ity_I64, IRExpr_ITE(slow, number((Addr)&nobody), top));
    if (costs)
        emit_cost(out, entry, now, cost);
    set_field(out, entry, FIELD(trips),
              calculate(out, Iop_Add64, field(out, entry, FIELD(trips)), number(1)));
}

/* A call unless the loop is active already. */
static void emit_enter(IRSB *out, const struct cc_loop_point *p, const struct cc_loop *l)
{
    IRExpr *odd = differs(out, field(out, innermost(out), FIELD(loop)), l);
    emit_call(out, p, compare(out, Iop_CmpNE64, odd, number(0)));
}

/* A call if the loop is the innermost, or may be: CC_LOOP_UNSURE plus one is 0, and a loop's address plus one
 * is odd, so that the product is 0 only where one of both is. */
static void emit_exit(IRSB *out, const struct cc_loop_point *p, const struct cc_loop *l)
{
    IRExpr *loop = field(out, innermost(out), FIELD(loop));
    IRExpr *sure = calculate(out, Iop_Add64, loop, number(1));
    IRExpr *both = calculate(out, Iop_Mul64, sure, differs(out, loop, l));
    emit_call(out, p, compare(out, Iop_CmpEQ64, both, number(0)));
}

void cc_vg_loop_point(IRSB *out, const struct cc_loop_point *p)
{
    const struct cc_loop_here *v = p->v;
    Bool one = p->n == 1 || (p->n == 2 && v[0].loop == v[1].loop && v[1].kind == CC_LOOP_HEADER);
    if (engine.options.loops != CC_LOOPS_COUNT || engine.options.tasks == CC_TASKS_LOOPS || !one)
        emit_call(out, p, NULL);
    else if (v[0].kind == CC_LOOP_TICK)
        emit_iteration(out, p, v[0].loop);
    else if (v[0].kind == CC_LOOP_HEADER)
        emit_enter(out, p, v[0].loop);
    else
        emit_exit(out, p, v[0].loop);
}
