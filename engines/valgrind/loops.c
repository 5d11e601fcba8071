/* Loops: what is added to code where control's coming means something for them. The usual cases, one more
 * iteration of the innermost loop and nothing new about it, need no call. */
#include "engine.h"

/* Whether each iteration is told of. */
static inline Bool is_told(void)
{
    return (engine.options.loops == CC_LOOPS_DEPENDENCES && engine.options.exact) ||
           engine.options.tasks >= CC_TASKS_LOOPS;
}

/* Where a signal has interrupted a leaf, that is below the handler. */
void cc_vg_loop_shown(struct cc_thread *t, struct spare *s)
{
    const struct cc_loop *top = t->loop_top->loop;
    Bool leaf = top && top->at.flags & CC_LOOP_LEAF && !is_told();
    s->leaf.loop = NULL;
    if (leaf && !cc_loop_leaf_take(t, &s->leaf))
        s->leaf.loop = CC_VG_SETTLED;
    s->loop = (Addr)cc_loop_innermost(t);
}

static inline void changed(struct spare *s, struct cc_thread *t)
{
    cc_vg_loop_shown(t, s);
    if (t->depend)
        s->depend = cc_vg_depend_on(t);
}

CALLED_BY_CODE(on_loop); /* a struct cc_loop_point */
FROM_CODE(on_loop)
{
    struct spare *s = spare_of(guest);
    engine.current->registers = guest;
    cc_loop_arrive(engine.current, s->count, what, GUEST_SP(guest));
    changed(s, engine.current);
}

/* The same where each is told of: nothing is done without it, so code need not know of loops. */
CALLED_BY_CODE(on_loop_told);
FROM_CODE(on_loop_told)
{
    struct spare *s = spare_of(guest);
    struct cc_thread *t = engine.current;
    t->registers = guest;
    cc_loop_arrive(t, s->count, what, GUEST_SP(guest));
    if (t->depend)
        s->depend = cc_vg_depend_on(t);
}

/* Where an iteration is counted that is over when another begins. */
static inline ULong cost_place(const struct cc_loop *l, ULong trips, ULong cost)
{
    Bool first = !trips && !(l->at.flags & CC_LOOP_BEGUN); /* it ends none */
    return first ? 0 : cost & (CC_LOOP_COSTS - 1);
}

/* What is so for one loop at an address, as the next three get it. */
struct part {
    struct cc_loop_point point;
    struct cc_loop_memo memo;
};

static __attribute__((noinline)) void enter_other(struct part *p, void *guest)
{
    struct spare *s = spare_of(guest);
    engine.current->registers = guest;
    cc_loop_arrive(engine.current, s->count, &p->point, GUEST_SP(guest));
    cc_loop_enter_learn(engine.current, &p->memo);
    changed(s, engine.current);
}

static inline void enter(struct part *p, void *guest)
{
    struct spare *s = spare_of(guest);
    struct cc_thread *t = engine.current;
    t->registers = guest;
    if (!cc_loop_enter_same(t, (struct cc_loop_entry *)s->loop, s->count, &p->memo, GUEST_SP(guest)))
        enter_other(p, guest);
    else if (!t->depend)
        s->loop = (Addr)t->loop_top;
    else
        changed(s, t);
}

CALLED_BY_CODE(on_loop_enter);
FROM_CODE(on_loop_enter)
{
    enter(what, guest);
}

/* It goes on, or may be entered where it goes on. What emit_iteration has done already is taken back. */
FROM_CODE_WITH(on_loop_again, ULong started)
{
    struct part *p = what;
    struct spare *s = spare_of(guest);
    struct cc_loop_entry *top = (struct cc_loop_entry *)s->loop;
    const struct cc_loop *l = p->memo.loop;
    top->trips--;
    if (l->costs) {
        top->iteration_start = started;
        l->costs->of[cost_place(l, top->trips, s->count - started)]--;
    }
    if (top->loop == l)
        cc_loop_again(top, s->count);
    else if (p->point.n == 2)
        enter(p, guest);
    else
        on_loop(&p->point, guest);
}

CALLED_BY_CODE(on_loop_leave);
FROM_CODE(on_loop_leave)
{
    struct part *p = what;
    struct spare *s = spare_of(guest);
    struct cc_thread *t = engine.current;
    if (!cc_loop_leave_same(t, (struct cc_loop_entry *)s->loop, s->count, p->memo.loop))
        on_loop(&p->point, guest);
    else if (!t->depend)
        s->loop = (Addr)(t->loop_depth == t->depth ? t->loop_top : &t->loops->none);
    else
        changed(s, t);
}

/* --- leaves: nothing is told of them before they are left --- */

void cc_vg_loop_settle(struct cc_thread *t, struct spare *s)
{
    if (s->leaf.loop != CC_VG_SETTLED)
        cc_loop_leaf_settle(t, &s->leaf);
    s->leaf.loop = CC_VG_SETTLED;
    s->loop = (Addr)cc_loop_innermost(t);
}

void cc_vg_loop_known(ThreadId tid)
{
    struct spare s;
    get_spare(tid, &s);
    if (!s.leaf.loop || s.leaf.loop == CC_VG_SETTLED)
        return;
    cc_loop_tell(engine.collect, s.leaf.loop);
    cc_vg_loop_settle(engine.guests[tid].thread, &s);
    set_spare(tid, &s);
}

/* As on_loop_again. */
FROM_CODE_WITH(on_leaf_again, ULong started)
{
    struct part *p = what;
    struct spare *s = spare_of(guest);
    struct cc_loop_leaf *x = &s->leaf;
    x->trips--;
    if (p->memo.loop->costs) {
        x->iteration_start = started;
        p->memo.loop->costs->of[cost_place(p->memo.loop, x->trips, s->count - started)]--;
    }
    if (x->loop == p->memo.loop)
        cc_loop_leaf_again(x, s->count);
    else
        on_loop(&p->point, guest);
}

/* With dependences, and it is to be told of. */
CALLED_BY_CODE(on_leaf_enter);
FROM_CODE(on_leaf_enter)
{
    struct part *p = what;
    struct spare *s = spare_of(guest);
    struct cc_thread *t = engine.current;
    t->registers = guest;
    if (!s->leaf.loop && cc_loop_leaf_enter(t, (struct cc_loop_entry *)s->loop, &p->memo)) {
        s->leaf = (struct cc_loop_leaf){p->point.v->loop, s->count, s->count, p->point.n == 2};
        return;
    }
    if (s->leaf.loop && s->leaf.loop != CC_VG_SETTLED)
        cc_vg_loop_settle(t, s);
    enter(p, guest);
}

static __attribute__((noinline)) void leaf_leave_other(struct part *p, void *guest)
{
    struct spare *s = spare_of(guest);
    struct cc_thread *t = engine.current;
    if (s->leaf.loop)
        cc_vg_loop_settle(t, s);
    cc_loop_enter_learn(t, &p->memo);
    on_loop(&p->point, guest);
}

CALLED_BY_CODE(on_leaf_leave);
FROM_CODE(on_leaf_leave)
{
    struct part *p = what;
    struct spare *s = spare_of(guest);
    struct cc_loop *l = p->point.v->loop;
    l->quiet -= l->quiet != 0;
    if (s->leaf.loop == l &&
        cc_loop_leaf_leave(engine.current, (struct cc_loop_entry *)s->loop, s->count, &p->memo, &s->leaf))
        s->leaf.loop = NULL;
    else
        leaf_leave_other(p, guest);
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

static void changes(IRDirty *d, Int number, SizeT offset, SizeT size)
{
    d->nFxState = number + 1;
    d->fxState[number].fx = Ifx_Modify;
    d->fxState[number].offset = (UShort)(engine.spare_at + (Int)offset);
    d->fxState[number].size = (UShort)size;
    d->fxState[number].nRepeats = d->fxState[number].repeatLen = 0;
}

/* VEX is told that it changes what is known of loops. */
static void emit_call_with(IRSB *out, void (*stub)(void), IRExpr **args, IRExpr *guard)
{
    IRDirty *d = unsafeIRDirty_0_N(0, "on_loop", stub, args);
    changes(d, 0, offsetof(struct spare, loop), sizeof(ULong));
    changes(d, 1, offsetof(struct spare, leaf), sizeof(struct cc_loop_leaf));
    if (guard)
        d->guard = guard;
    addStmtToIRSB(out, IRStmt_Dirty(d));
}

static void emit_call(IRSB *out, void (*stub)(void), const void *p, IRExpr *guard)
{
    emit_call_with(out, stub, mkIRExprVec_1(mkIRExpr_HWord((HWord)p)), guard);
}

/* --- fields of an active loop --- */

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

/* 0: it is this loop's. */
static IRExpr *differs(IRSB *out, IRExpr *loop, const struct cc_loop *l)
{
    return calculate(out, Iop_Xor64, loop, number((Addr)l));
}

/* --- */

/* One more iteration that was counted there. */
static void emit_counted(IRSB *out, const struct cc_loop *l, IRExpr *place)
{
    IRExpr *at = calculate(out, Iop_Add64, number((Addr)l->costs->of),
                           calculate(out, Iop_Shl64, place, IRExpr_Const(IRConst_U8(3))));
    IRExpr *times = assign(out, Ity_I64, IRExpr_Load(Iend_LE, Ity_I64, at));
    addStmtToIRSB(out, IRStmt_Store(Iend_LE, at, calculate(out, Iop_Add64, times, number(1))));
}

/* What end_iteration of collect/loop.c does. The first of an invocation ends none, and goes on with what ran
 * since it was entered. Gives when the next began, and whether it was too long: not 0. */
static IRExpr *emit_cost(IRSB *out, const struct cc_loop *l, IRExpr *trips, IRExpr *started,
                         IRExpr **ret_next)
{
    IRExpr *now = assign(out, Ity_I64, IRExpr_Get(engine.spare_at, Ity_I64));
    IRExpr *cost = calculate(out, Iop_Sub64, now, started);
    IRExpr *place = calculate(out, Iop_And64, cost, number(CC_LOOP_COSTS - 1));
    *ret_next = now;
    if (!(l->at.flags & CC_LOOP_BEGUN)) {
        IRExpr *first = compare(out, Iop_CmpEQ64, trips, number(0));
        place = assign(out, Ity_I64, IRExpr_ITE(first, number(0), place));
        *ret_next = assign(out, Ity_I64, IRExpr_ITE(first, started, now));
    }
    emit_counted(out, l, place);
    return calculate(out, Iop_Shr64, cost, IRExpr_Const(IRConst_U8(CC_LOOP_COST_BITS)));
}

/* One more iteration of the innermost loop. Where that is not this one, or the last was long, the call takes
 * it back: so what is done most often needs no choice. */
static void emit_iteration(IRSB *out, const struct part *p)
{
    const struct cc_loop *l = p->memo.loop;
    IRExpr *top = innermost(out), *started = number(0);
    IRExpr *odd = differs(out, field(out, top, FIELD(loop)), l);
    IRExpr *trips = field(out, top, FIELD(trips));
    if (l->costs) {
        IRExpr *next;
        started = field(out, top, FIELD(iteration_start));
        odd = calculate(out, Iop_Or64, odd, emit_cost(out, l, trips, started, &next));
        set_field(out, top, FIELD(iteration_start), next);
    }
    set_field(out, top, FIELD(trips), calculate(out, Iop_Add64, trips, number(1)));
    emit_call_with(out, on_loop_again_stub, mkIRExprVec_2(mkIRExpr_HWord((HWord)p), started),
                   compare(out, Iop_CmpNE64, odd, number(0)));
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

/* --- the same of a leaf --- */

static Int leaf_at(SizeT offset)
{
    return engine.spare_at + (Int)(offsetof(struct spare, leaf) + offset);
}
#define LEAF(name) leaf_at(offsetof(struct cc_loop_leaf, name))

static IRExpr *get(IRSB *out, Int at)
{
    return assign(out, Ity_I64, IRExpr_Get(at, Ity_I64));
}

static void put_either(IRSB *out, Int at, IRExpr *choice, IRExpr *yes, IRExpr *no)
{
    addStmtToIRSB(out, IRStmt_Put(at, assign(out, Ity_I64, IRExpr_ITE(choice, yes, no))));
}

/* With dependences: it becomes one only where nobody has to be told. Else that is a call. */
static void emit_leaf_told(IRSB *out, const struct part *p, IRExpr *same)
{
    const struct cc_loop *l = p->memo.loop;
    Int on_at = engine.spare_at + (Int)offsetof(struct spare, depend);
    IRExpr *on =
        assign(out, Ity_I64, IRExpr_Unop(Iop_32Uto64, assign(out, Ity_I32, IRExpr_Get(on_at, Ity_I32))));
    IRExpr *quiet = assign(out, Ity_I64, IRExpr_Load(Iend_LE, Ity_I64, number((Addr)&l->quiet)));
    IRExpr *none = compare(out, Iop_CmpEQ64, quiet, number(0));
    IRExpr *tell = calculate(out, Iop_Or64, on, assign(out, Ity_I64, IRExpr_Unop(Iop_1Uto64, none)));
    IRExpr *odd = assign(out, Ity_I64, IRExpr_ITE(same, number(0), tell));
    IRExpr *call = compare(out, Iop_CmpNE64, odd, number(0));
    put_either(out, LEAF(loop), call, get(out, LEAF(loop)), number((Addr)l));
    emit_call(out, on_leaf_enter_stub, p, call);
}

/* Its first iteration begins at its header, or one more. */
static void emit_leaf_again(IRSB *out, const struct part *p, IRExpr *same)
{
    const struct cc_loop *l = p->memo.loop;
    IRExpr *now = get(out, engine.spare_at), *trips = get(out, LEAF(trips)),
           *started = get(out, LEAF(iteration_start)), *longer = NULL;
    if (l->costs) {
        IRExpr *cost =
            assign(out, Ity_I64, IRExpr_ITE(same, calculate(out, Iop_Sub64, now, started), number(0)));
        emit_counted(out, l, calculate(out, Iop_And64, cost, number(CC_LOOP_COSTS - 1)));
        longer = calculate(out, Iop_Shr64, cost, IRExpr_Const(IRConst_U8(CC_LOOP_COST_BITS)));
        addStmtToIRSB(out, IRStmt_Put(LEAF(iteration_start), now));
    }
    put_either(out, LEAF(trips), same, calculate(out, Iop_Add64, trips, number(1)), number(1));
    if (longer)
        emit_call_with(out, on_leaf_again_stub, mkIRExprVec_2(mkIRExpr_HWord((HWord)p), started),
                       compare(out, Iop_CmpNE64, longer, number(0)));
}

/* It is entered unless it is under way. again: an iteration begins here too. */
static void emit_leaf_header(IRSB *out, const struct part *p, Bool again)
{
    const struct cc_loop *l = p->memo.loop;
    IRExpr *now = get(out, engine.spare_at);
    IRExpr *same = compare(out, Iop_CmpEQ64, get(out, LEAF(loop)), number((Addr)l));
    put_either(out, LEAF(start), same, get(out, LEAF(start)), now);
    if (engine.options.loops == CC_LOOPS_COUNT)
        addStmtToIRSB(out, IRStmt_Put(LEAF(loop), number((Addr)l)));
    if (again) {
        emit_leaf_again(out, p, same);
    } else {
        put_either(out, LEAF(trips), same, get(out, LEAF(trips)), number(0));
        put_either(out, LEAF(iteration_start), same, get(out, LEAF(iteration_start)), now);
    }
    if (engine.options.loops == CC_LOOPS_DEPENDENCES)
        emit_leaf_told(out, p, same);
}

static void emit_leaf_tick(IRSB *out, const struct part *p)
{
    const struct cc_loop *l = p->memo.loop;
    IRExpr *trips = get(out, LEAF(trips)), *started = number(0);
    IRExpr *odd = differs(out, get(out, LEAF(loop)), l);
    if (l->costs) {
        IRExpr *next;
        started = get(out, LEAF(iteration_start));
        odd = calculate(out, Iop_Or64, odd, emit_cost(out, l, trips, started, &next));
        addStmtToIRSB(out, IRStmt_Put(LEAF(iteration_start), next));
    }
    addStmtToIRSB(out, IRStmt_Put(LEAF(trips), calculate(out, Iop_Add64, trips, number(1))));
    emit_call_with(out, on_leaf_again_stub, mkIRExprVec_2(mkIRExpr_HWord((HWord)p), started),
                   compare(out, Iop_CmpNE64, odd, number(0)));
}

/* A call if that is under way, or one may be that the collector knows of. */
static void emit_leaf_exit(IRSB *out, const struct part *p)
{
    IRExpr *loop = get(out, LEAF(loop));
    IRExpr *sure = calculate(out, Iop_Add64, loop, number(1));
    IRExpr *both = calculate(out, Iop_Mul64, sure, differs(out, loop, p->memo.loop));
    emit_call(out, on_leaf_leave_stub, p, compare(out, Iop_CmpEQ64, both, number(0)));
}

static void emit_leaf(IRSB *out, const struct part *p)
{
    if (p->point.v->kind == CC_LOOP_EXIT)
        emit_leaf_exit(out, p);
    else if (p->point.v->kind == CC_LOOP_HEADER)
        emit_leaf_header(out, p, False);
    else if (p->point.n == 2)
        emit_leaf_header(out, p, True);
    else
        emit_leaf_tick(out, p);
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
    if (is_told()) {
        emit_call(out, on_loop_told_stub, p, NULL);
        return;
    }
    for (UInt i = 0, n; i < p->n; i += n) {
        const struct cc_loop_here *v = &p->v[i];
        n = 1 +
            (i + 1 < p->n && v->kind == CC_LOOP_TICK && v[1].kind == CC_LOOP_HEADER && v[1].loop == v->loop);
        struct part *part = VG_(calloc)("cc.loops", 1, sizeof *part);
        part->point = (struct cc_loop_point){p->address, n, v};
        part->memo.loop = v->loop;
        cc_loop_count_costs(engine.collect, v->loop);
        if (v->loop->at.flags & CC_LOOP_LEAF)
            emit_leaf(out, part);
        else
            emit_part(out, part);
    }
}
