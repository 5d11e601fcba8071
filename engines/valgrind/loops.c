/* Loops: what is added to code where control's coming means something for them. The usual cases, one more
 * iteration of the innermost loop and nothing new about it, need no call. */
#include "engine.h"

static inline void changed(struct spare *s, struct cc_thread *t)
{
    s->loop = (Addr)cc_loop_innermost(t);
    if (t->depend)
        s->depend = cc_vg_depend_on(t);
}

CALLED_BY_CODE(on_loop); /* a struct cc_loop_point */
FROM_CODE(on_loop)
{
    struct spare *s = spare_of(guest);
    cc_loop_arrive(engine.current, s->count, what, GUEST_SP(guest));
    changed(s, engine.current);
}

/* What is so for one loop at an address, as the next three get it. */
struct part {
    struct cc_loop_point point;
    struct cc_loop_memo memo;
};

static void enter(struct part *p, void *guest)
{
    struct spare *s = spare_of(guest);
    struct cc_thread *t = engine.current;
    bool same = cc_loop_enter_same(t, s->count, &p->memo, GUEST_SP(guest));
    if (same && !t->depend) {
        s->loop = (Addr)t->loop_count;
        return;
    }
    if (!same) {
        cc_loop_arrive(t, s->count, &p->point, GUEST_SP(guest));
        cc_loop_enter_learn(t, &p->memo);
    }
    changed(s, t);
}

CALLED_BY_CODE(on_loop_enter);
FROM_CODE(on_loop_enter)
{
    enter(what, guest);
}

CALLED_BY_CODE(on_loop_again); /* it goes on, or may be entered where it goes on */
FROM_CODE(on_loop_again)
{
    struct part *p = what;
    if (p->point.n == 2)
        enter(p, guest);
    else if (!cc_loop_begin_same(engine.current, p->memo.loop))
        on_loop(&p->point, guest);
}

CALLED_BY_CODE(on_loop_leave);
FROM_CODE(on_loop_leave)
{
    struct part *p = what;
    struct spare *s = spare_of(guest);
    struct cc_thread *t = engine.current;
    bool same = cc_loop_leave_same(t, s->count, p->memo.loop);
    if (same && !t->depend) {
        s->loop = (Addr)(t->loop_depth == t->depth ? t->loop_count : &t->loops->none);
        return;
    }
    if (!same)
        cc_loop_arrive(t, s->count, &p->point, GUEST_SP(guest));
    changed(s, t);
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
static void emit_call(IRSB *out, void (*stub)(void), const void *p, IRExpr *guard)
{
    IRDirty *d = unsafeIRDirty_0_N(1, "on_loop", stub, mkIRExprVec_1(mkIRExpr_HWord((HWord)p)));
    d->nFxState = 1;
    d->fxState[0].fx = Ifx_Modify;
    d->fxState[0].offset = (UShort)(engine.spare_at + (Int)offsetof(struct spare, loop));
    d->fxState[0].size = sizeof(ULong);
    d->fxState[0].nRepeats = d->fxState[0].repeatLen = 0;
    if (guard)
        d->guard = guard;
    addStmtToIRSB(out, IRStmt_Dirty(d));
}

/* --- fields of a count --- */

#define FIELD(name) offsetof(struct cc_loop_count, name)

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

/* 0: it is this loop's. */
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
static void emit_iteration(IRSB *out, const struct part *p)
{
    const struct cc_loop *l = p->memo.loop;
    static struct cc_loop_count nobody;
    Bool costs = !(l->at.flags & CC_LOOP_STRAIGHT);
    IRExpr *top = innermost(out), *now = NULL, *cost = NULL;
    IRExpr *odd = differs(out, field(out, top, FIELD(loop)), l);
    if (costs) {
        now = assign(out, Ity_I64, IRExpr_Get(engine.spare_at, Ity_I64));
        cost = calculate(out, Iop_Sub64, now, field(out, top, FIELD(iteration_start)));
        odd = calculate(out, Iop_Or64, odd,
                        calculate(out, Iop_Shr64, cost, IRExpr_Const(IRConst_U8(CC_LOOP_COST_BITS))));
    }
    IRExpr *trips = field(out, top, FIELD(trips));
    if (!(l->at.flags & CC_LOOP_BEGUN)) /* the first of an invocation ends none */
        odd = calculate(out, Iop_Or64, odd,
                        calculate(out, Iop_Shr64, calculate(out, Iop_Sub64, trips, number(1)),
                                  IRExpr_Const(IRConst_U8(63))));
    IRExpr *slow = compare(out, Iop_CmpNE64, odd, number(0));
    emit_call(out, on_loop_again_stub, p, slow);
    IRExpr *entry = assign(out, Ity_I64, IRExpr_ITE(slow, number((Addr)&nobody), top));
    if (costs)
        emit_cost(out, entry, now, cost);
    set_field(out, entry, FIELD(trips), calculate(out, Iop_Add64, trips, number(1)));
}

/* A call unless the loop is active already. */
static void emit_enter(IRSB *out, const struct part *p)
{
    const struct cc_loop *l = p->memo.loop;
    IRExpr *odd = differs(out, field(out, innermost(out), FIELD(loop)), l);
    emit_call(out, on_loop_enter_stub, p, compare(out, Iop_CmpNE64, odd, number(0)));
}

/* A call if the loop is the innermost, or may be: CC_LOOP_UNSURE plus one is 0, and a loop's address plus one
 * is odd, so that the product is 0 only where one of both is. */
static void emit_exit(IRSB *out, const struct part *p)
{
    const struct cc_loop *l = p->memo.loop;
    IRExpr *loop = field(out, innermost(out), FIELD(loop));
    IRExpr *sure = calculate(out, Iop_Add64, loop, number(1));
    IRExpr *both = calculate(out, Iop_Mul64, sure, differs(out, loop, l));
    emit_call(out, on_loop_leave_stub, p, compare(out, Iop_CmpEQ64, both, number(0)));
}

static void emit_part(IRSB *out, const struct part *p)
{
    if (p->point.v->kind == CC_LOOP_TICK)
        emit_iteration(out, p);
    else if (p->point.v->kind == CC_LOOP_HEADER)
        emit_enter(out, p);
    else
        emit_exit(out, p);
}

void cc_vg_loop_point(IRSB *out, const struct cc_loop_point *p)
{
    Bool told = engine.options.loops == CC_LOOPS_DEPENDENCES && engine.options.exact;
    if (told || engine.options.tasks >= CC_TASKS_LOOPS) { /* of each iteration */
        emit_call(out, on_loop_stub, p, NULL);
        return;
    }
    for (UInt i = 0, n; i < p->n; i += n) {
        const struct cc_loop_here *v = &p->v[i];
        n = 1 +
            (i + 1 < p->n && v->kind == CC_LOOP_TICK && v[1].kind == CC_LOOP_HEADER && v[1].loop == v->loop);
        struct part *part = VG_(calloc)("cc.loops", 1, sizeof *part);
        part->point = (struct cc_loop_point){p->address, n, v};
        part->memo.loop = v->loop;
        emit_part(out, part);
    }
}
