/* Scalar arithmetic of x86-64 (mulsd xmm0, xmm1) is an operation on the lowest part of a vector register, and
 * VEX has it as one on all of it: the rest is got, goes through, and is put where it was. Taken at its word,
 * each such instruction needs what some earlier one left in the rest, and so does an iteration of a loop. */
#include "lanes.h"
#include "code.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"

enum { VECTOR = 16, REGISTERS = 64, NO_REGISTER = 0, ALL = 0xff };

struct temporary {
    UShort of;  /* 1 + offset of the register that has the same bytes from `own` on; NO_REGISTER */
    UShort age; /* of what was put there, when it was got */
    UChar own;
    UChar seen;
    UChar lane; /* it is an operation on so many of the lower bytes of `first`; 0: it is not */
    Bool looks; /* at these bytes of `first`, too */
    IRTemp first;
};

struct cc_vg_lanes {
    struct temporary *of;
    UChar *put; /* by statement */
};

/* A register while the block is gone through. */
struct state {
    UShort offset, age; /* age: how often something was put there that does not go on with what was there */
    UChar own;          /* bytes changed by what does, since */
};

static struct state *state_of(struct state *all, UInt offset)
{
    struct state *s = all;
    while (s < all + REGISTERS - 1 && s->age && s->offset != offset)
        s++;
    if (!s->age || s->offset != offset)
        *s = (struct state){.offset = (UShort)offset, .age = (UShort)(s->age + 1)};
    return s;
}

static void overwrite(struct state *all, UInt offset, UInt size)
{
    for (struct state *s = all; s < all + REGISTERS && s->age; s++)
        if (offset < s->offset + VECTOR && s->offset < offset + size) {
            s->age++;
            s->own = 0;
        }
}

static Bool is_temporary(const IRExpr *e)
{
    return e->tag == Iex_RdTmp;
}

/* The rest of `to` is that of e. */
static void goes_on(struct cc_vg_lanes *l, IRTemp to, const IRExpr *e, UInt lane, Bool looks)
{
    if (!is_temporary(e))
        return;
    const struct temporary *from = &l->of[e->Iex.RdTmp.tmp];
    l->of[to] = (struct temporary){.of = from->of,
                                   .age = from->age,
                                   .own = (UChar)(from->own > lane ? from->own : lane),
                                   .lane = (UChar)lane,
                                   .looks = looks,
                                   .first = e->Iex.RdTmp.tmp};
}

static void make(struct cc_vg_lanes *l, struct state *all, IRTemp to, const IRExpr *e)
{
    const struct cc_vg_meaning *low = NULL;
    if (e->tag == Iex_Get && e->Iex.Get.ty == Ity_V128) {
        const struct state *s = state_of(all, (UInt)e->Iex.Get.offset);
        l->of[to] = (struct temporary){.of = (UShort)(s->offset + 1), .age = s->age};
    } else if (e->tag == Iex_Binop && (low = cc_vg_low_meaning(e->Iex.Binop.op))) {
        goes_on(l, to, e->Iex.Binop.arg1, low->lane / 8u, True);
    } else if (e->tag == Iex_Unop && (low = cc_vg_low_meaning(e->Iex.Unop.op))) {
        goes_on(l, to, e->Iex.Unop.arg, low->lane / 8u, True);
    } else if (e->tag == Iex_Binop &&
               (e->Iex.Binop.op == Iop_SetV128lo64 || e->Iex.Binop.op == Iop_SetV128lo32)) {
        goes_on(l, to, e->Iex.Binop.arg1, e->Iex.Binop.op == Iop_SetV128lo64 ? 8 : 4, False);
    }
}

/* What is put is what was there, but for the lower bytes. */
static UChar put(struct cc_vg_lanes *l, struct state *all, const IRStmt *st, UInt size)
{
    UInt offset = (UInt)st->Ist.Put.offset;
    const IRExpr *e = st->Ist.Put.data;
    if (size == VECTOR && is_temporary(e)) {
        const struct temporary *t = &l->of[e->Iex.RdTmp.tmp];
        struct state *s = state_of(all, offset);
        if (t->of == offset + 1 && t->age == s->age) {
            s->own = t->own > s->own ? t->own : s->own;
            return s->own;
        }
    }
    overwrite(all, offset, size);
    return ALL;
}

static void overwrite_by_helper(struct state *all, const IRDirty *d)
{
    for (Int i = 0; i < d->nFxState; i++)
        for (UInt k = 0; k <= d->fxState[i].nRepeats; k++)
            if (d->fxState[i].fx != Ifx_Read)
                overwrite(all, d->fxState[i].offset + k * d->fxState[i].repeatLen, d->fxState[i].size);
}

static void see(struct cc_vg_lanes *l, const IRExpr *e, UInt bytes)
{
    if (e && is_temporary(e) && l->of[e->Iex.RdTmp.tmp].seen < bytes)
        l->of[e->Iex.RdTmp.tmp].seen = (UChar)bytes;
}

static void see_all(struct cc_vg_lanes *l, IRExpr *const *v)
{
    for (Int i = 0; v[i]; i++)
        see(l, v[i], ALL);
}

/* What making a temporary looks at, when it is known what is seen of that. */
static void see_through(struct cc_vg_lanes *l, IRTemp to, const IRExpr *e)
{
    const struct temporary *t = &l->of[to];
    switch (e->tag) {
    case Iex_Unop:
        if (t->lane)
            see(l, e->Iex.Unop.arg, t->seen > t->lane ? t->seen : t->lane);
        else
            see(l, e->Iex.Unop.arg,
                e->Iex.Unop.op == Iop_V128to64   ? 8
                : e->Iex.Unop.op == Iop_V128to32 ? 4
                                                 : ALL);
        break;
    case Iex_Binop:
        if (t->lane) {
            see(l, e->Iex.Binop.arg1, t->seen > t->lane ? t->seen : t->looks ? t->lane : 0);
            see(l, e->Iex.Binop.arg2, t->looks ? t->lane : ALL);
        } else {
            see(l, e->Iex.Binop.arg1, ALL);
            see(l, e->Iex.Binop.arg2, ALL);
        }
        break;
    case Iex_RdTmp:
        see(l, e, t->seen);
        break;
    case Iex_Triop:
        see(l, e->Iex.Triop.details->arg1, ALL);
        see(l, e->Iex.Triop.details->arg2, ALL);
        see(l, e->Iex.Triop.details->arg3, ALL);
        break;
    case Iex_Qop:
        see(l, e->Iex.Qop.details->arg1, ALL);
        see(l, e->Iex.Qop.details->arg2, ALL);
        see(l, e->Iex.Qop.details->arg3, ALL);
        see(l, e->Iex.Qop.details->arg4, ALL);
        break;
    case Iex_ITE:
        see(l, e->Iex.ITE.iftrue, ALL);
        see(l, e->Iex.ITE.iffalse, ALL);
        break;
    case Iex_CCall:
        see_all(l, e->Iex.CCall.args);
        break;
    default:
        break; /* addresses, conditions: no vectors */
    }
}

static void see_in(struct cc_vg_lanes *l, const IRStmt *st, UChar put_bytes)
{
    switch (st->tag) {
    case Ist_WrTmp:
        see_through(l, st->Ist.WrTmp.tmp, st->Ist.WrTmp.data);
        break;
    case Ist_Put:
        see(l, st->Ist.Put.data, put_bytes);
        break;
    case Ist_PutI:
        see(l, st->Ist.PutI.details->data, ALL);
        break;
    case Ist_Store:
        see(l, st->Ist.Store.data, ALL);
        break;
    case Ist_StoreG:
        see(l, st->Ist.StoreG.details->data, ALL);
        break;
    case Ist_LoadG:
        see(l, st->Ist.LoadG.details->alt, ALL);
        break;
    case Ist_Dirty:
        see_all(l, st->Ist.Dirty.details->args);
        break;
    default:
        break; /* of addresses and whole numbers: no vectors */
    }
}

struct cc_vg_lanes *cc_vg_lanes_new(const IRSB *in)
{
    struct cc_vg_lanes *l = VG_(malloc)("cc.lanes", sizeof *l);
    struct state all[REGISTERS] = {{0}};
    l->of = VG_(calloc)("cc.lanes", (SizeT)in->tyenv->types_used + 1, sizeof *l->of);
    l->put = VG_(calloc)("cc.lanes", (SizeT)in->stmts_used + 1, sizeof *l->put);
    for (Int i = 0; i < in->stmts_used; i++) {
        const IRStmt *st = in->stmts[i];
        if (st->tag == Ist_WrTmp)
            make(l, all, st->Ist.WrTmp.tmp, st->Ist.WrTmp.data);
        else if (st->tag == Ist_Put)
            l->put[i] = put(l, all, st, (UInt)sizeofIRType(typeOfIRExpr(in->tyenv, st->Ist.Put.data)));
        else if (st->tag == Ist_Dirty)
            overwrite_by_helper(all, st->Ist.Dirty.details);
    }
    see(l, in->next, ALL);
    for (Int i = in->stmts_used; i-- > 0;)
        see_in(l, in->stmts[i], l->put[i]);
    return l;
}

void cc_vg_lanes_free(struct cc_vg_lanes *l)
{
    VG_(free)(l->of);
    VG_(free)(l->put);
    VG_(free)(l);
}

UInt cc_vg_lanes_seen(const struct cc_vg_lanes *l, IRTemp t, UInt size)
{
    const struct temporary *of = &l->of[t];
    return of->of != NO_REGISTER && of->seen < size ? of->seen : size;
}

UInt cc_vg_lanes_put(const struct cc_vg_lanes *l, Int i, UInt size)
{
    return l->put[i] < size ? l->put[i] : size;
}
