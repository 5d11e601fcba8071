/* Which way a loop is entered: what its code makes of the registers at its header (apart.h). */
#include "internal.h"
#include "apart.h"
#include "depend.h"
#include "loop.h"

/* Pieces of the code of a loop, and of those inside it, in the order in which they were first run. */
struct cc_loop_piece {
    size_t at; /* among all records of code */
    struct cc_loop_piece *next;
};
struct own_code {
    const struct cc_collect *c;
    const struct cc_loop_piece *next;
};

static const struct cc_rec_loop_code *next_code(void *self)
{
    struct own_code *x = self;
    const struct cc_loop_piece *p = x->next;
    if (!p)
        return NULL;
    x->next = p->next;
    return &x->c->loop_codes.v[p->at];
}

/* Gives the pieces that are new to their loops. */
static void share_out(struct cc_collect *c)
{
    struct cc_loop_codes *k = &c->loop_codes;
    cc_lock(c);
    while (k->shared < k->n) {
        const struct cc_rec_loop_code *v = &k->v[k->shared];
        bool block = v->kind == CC_CODE_BLOCK;
        for (struct cc_loop *l = block ? cc_loop_around(c, v->value) : NULL; l; l = l->outer) {
            struct cc_loop_piece *p = cc_pool(c, sizeof *p);
            *p = (struct cc_loop_piece){.at = k->shared};
            *(l->last_piece ? &l->last_piece->next : &l->pieces) = p;
            l->last_piece = p;
        }
        k->shared += block ? v->a : 1;
    }
    cc_unlock(c);
}

/* Code that ran for the first time may access something else. */
static void learn_apart(struct cc_collect *c, struct cc_loop *l)
{
    share_out(c);
    struct own_code x = {c, l->pieces};
    bool same = l->apart_of && l->apart_to == l->last_piece;
    l->apart_of = c->loop_codes.n;
    l->apart_to = l->last_piece;
    if (same)
        return;
    cc_apart_free(&c->host, l->apart);
    l->apart = cc_apart_new(&c->host, cc_depend_machine_of(c->depend),
                            &(struct cc_apart_code){.self = &x, .next = next_code});
}

static uint64_t sign_of(struct cc_thread *t, const struct cc_loop *l, const struct cc_loop_count *k)
{
    bool seen = k->trips_min <= k->trips_max; /* some invocation */
    struct cc_apart_now now = {t->registers, seen ? k->trips_max : 0, seen ? k->trips_min : 0};
    return cc_apart_sign(l->apart, &t->owner->host, &now);
}

/* Whether what tells entries of the loop apart is to be found out anew at that invocation. */
static bool is_outdated(const struct cc_collect *c, const struct cc_loop *l, uint64_t invocation)
{
    bool power = (invocation & (invocation - 1)) == 0 || cc_depend_is_power(c->depend, l->id);
    return (!l->apart_of || power) && l->apart_of != c->loop_codes.n;
}

void cc_loop_find_sign(struct cc_thread *t, struct cc_loop *l, const struct cc_loop_count *k)
{
    struct cc_collect *c = t->owner;
    if (!t->registers || !cc_depend_wants_sign(c->depend, l->id))
        return;
    if (is_outdated(c, l, k->invocations))
        learn_apart(c, l);
    if (!l->apart)
        return;
    t->depend->sign.v = sign_of(t, l, k);
    t->depend->sign.cost = k->invocations > 1 ? (k->instructions + k->more) / (k->invocations - 1) : 0;
}

bool cc_loop_sign_again(struct cc_thread *t, const struct cc_loop *l, const struct cc_loop_count *k,
                        uint64_t *ret)
{
    *ret = 0;
    if (!cc_depend_wants_sign(t->owner->depend, l->id))
        return true;
    if (is_outdated(t->owner, l, k->invocations + 1))
        return false;
    if (l->apart)
        *ret = sign_of(t, l, k);
    return true;
}

bool cc_loop_may_have_sign(const struct cc_collect *c, const struct cc_loop *l)
{
    return cc_depend_wants_sign(c->depend, l->id) && (l->apart || !l->apart_of);
}
