/* BSF and BSR of x86-64 leave their register as it was where they find no bit, and VEX has it as a choice
 * that gets the register in any case. Compilers use them where a bit is there, so what the register had is
 * hardly ever taken: it is told as read when it is. */
#include "bitscan.h"

static const IRStmt *definition(const IRSB *in, const IRExpr *e, Int *ret_at)
{
    for (Int i = 0; e->tag == Iex_RdTmp && i < in->stmts_used; i++)
        if (in->stmts[i]->tag == Ist_WrTmp && in->stmts[i]->Ist.WrTmp.tmp == e->Iex.RdTmp.tmp) {
            *ret_at = i;
            return in->stmts[i];
        }
    return NULL;
}

/* VEX compares so, with 0, nowhere else. */
Bool cc_vg_is_bitscan(const IRSB *in, const IRExpr *e)
{
    Int at;
    const IRStmt *st = e->tag == Iex_ITE ? definition(in, e->Iex.ITE.cond, &at) : NULL;
    const IRExpr *c = st ? st->Ist.WrTmp.data : NULL;
    return c && c->tag == Iex_Binop && c->Iex.Binop.op == Iop_ExpCmpNE64 &&
           c->Iex.Binop.arg2->tag == Iex_Const && c->Iex.Binop.arg2->Iex.Const.con->Ico.U64 == 0;
}

static Bool is(const IRExpr *e, IRTemp t)
{
    return e && e->tag == Iex_RdTmp && e->Iex.RdTmp.tmp == t;
}

static UInt in_expression(const IRExpr *e, IRTemp t)
{
    UInt n = is(e, t);
    switch (e->tag) {
    case Iex_Unop:
        return is(e->Iex.Unop.arg, t);
    case Iex_Binop:
        return is(e->Iex.Binop.arg1, t) + is(e->Iex.Binop.arg2, t);
    case Iex_ITE:
        return is(e->Iex.ITE.cond, t) + is(e->Iex.ITE.iftrue, t) + is(e->Iex.ITE.iffalse, t);
    case Iex_CCall:
        for (Int i = 0; e->Iex.CCall.args[i]; i++)
            n += is(e->Iex.CCall.args[i], t);
        return n;
    case Iex_Load:
        return is(e->Iex.Load.addr, t);
    case Iex_Get:
    case Iex_Const:
    case Iex_RdTmp:
        return n;
    default:
        return 2; /* whatever it is */
    }
}

/* How often a value is used: 2 for more. */
static UInt uses(const IRSB *in, IRTemp t)
{
    UInt n = is(in->next, t);
    for (Int i = 0; i < in->stmts_used && n < 2; i++) {
        const IRStmt *st = in->stmts[i];
        if (st->tag == Ist_WrTmp)
            n += in_expression(st->Ist.WrTmp.data, t);
        else if (st->tag == Ist_Put)
            n += is(st->Ist.Put.data, t);
        else if (st->tag == Ist_Store)
            n += is(st->Ist.Store.addr, t) + is(st->Ist.Store.data, t);
        else if (st->tag == Ist_Exit)
            n += is(st->Ist.Exit.guard, t);
        else if (st->tag != Ist_IMark && st->tag != Ist_NoOp && st->tag != Ist_AbiHint)
            n = 2; /* as seldom beside it as they are */
    }
    return n;
}

/* What a register's low half is made of; NULL: it is something else. */
static const IRExpr *narrowed(const IRExpr *e)
{
    Bool half = e->tag == Iex_Unop && (e->Iex.Unop.op == Iop_64to32 || e->Iex.Unop.op == Iop_32Uto64);
    Bool masked = e->tag == Iex_Binop && e->Iex.Binop.op == Iop_And64 && e->Iex.Binop.arg2->tag == Iex_Const;
    return e->tag == Iex_RdTmp ? e : half ? e->Iex.Unop.arg : masked ? e->Iex.Binop.arg1 : NULL;
}

IRTemp cc_vg_bitscan_old(const IRSB *in, const IRStmt *st)
{
    if (st->tag != Ist_WrTmp || !cc_vg_is_bitscan(in, st->Ist.WrTmp.data))
        return IRTemp_INVALID;
    const IRExpr *e = st->Ist.WrTmp.data->Iex.ITE.iffalse;
    Int at = 0;
    const IRStmt *of = definition(in, e, &at);
    while (of && uses(in, of->Ist.WrTmp.tmp) == 1 && narrowed(of->Ist.WrTmp.data))
        of = definition(in, narrowed(of->Ist.WrTmp.data), &at);
    if (!of || uses(in, of->Ist.WrTmp.tmp) != 1 || of->Ist.WrTmp.data->tag != Iex_Get)
        return IRTemp_INVALID;
    while (in->stmts[at] != st && in->stmts[at]->tag != Ist_Exit)
        at++;
    return in->stmts[at] == st ? of->Ist.WrTmp.tmp : IRTemp_INVALID;
}
