/* Collapsed stacks, for flame graphs: "main;filter;helper 1234" a line, with each context's own instructions,
 * or those of each loop in it: "main;filter;loop filter.c:12 1200". */
#include "export.h"
#include "../../base/text.h"

#include <inttypes.h>

/* A frame's name: what ends a frame or a line is replaced. */
static void put_frame(struct cc_buf *b, const char *name)
{
    CC_CLEANUP(cc_free_ptr) char *safe = cc_text_safe(name);
    for (char *c = safe; *c; c++)
        if (*c == ';')
            *c = ':';
    cc_buf_puts(b, safe);
}

/* From the outermost to this one. */
static void put_loops(const struct cc_loop_own *loops, uint32_t path, struct cc_buf *b)
{
    CC_VEC(uint32_t) chain = {0};
    for (uint32_t at = path; at != CC_NONE; at = loops->paths.v[at].parent)
        CC_VEC_PUSH(&chain, at);
    for (size_t i = chain.n; i-- > 0;) {
        struct cc_buf name = {0};
        cc_export_loop_name(&loops->paths.v[chain.v[i]], &name);
        cc_buf_puts(b, ";");
        put_frame(b, name.s);
        cc_buf_fini(&name);
    }
    CC_VEC_FINI(&chain);
}

static void put_stack(const struct cc_profile *p, uint32_t context, struct cc_buf *b)
{
    CC_VEC(uint32_t) path = {0};
    for (uint32_t at = context; at != CC_NONE; at = p->contexts[at].parent)
        CC_VEC_PUSH(&path, p->contexts[at].function);
    if (p->nthreads > 1)
        cc_buf_printf(b, "thread %u;", p->contexts[context].thread + 1);
    for (size_t i = path.n; i-- > 0;) {
        put_frame(b, p->functions[path.v[i]].name);
        if (i)
            cc_buf_puts(b, ";");
    }
    CC_VEC_FINI(&path);
}

static void put_line(const struct cc_export_request *rq, const struct cc_loop_share *x)
{
    struct cc_buf b = {0};
    put_stack(rq->p, x->context, &b);
    put_loops(rq->loops, x->path, &b);
    cc_buf_printf(&b, " %" PRIu64 "\n", x->instructions);
    fwrite(b.s, 1, b.n, rq->out);
    cc_buf_fini(&b);
}

int cc_export_collapsed(const struct cc_export_request *rq, struct cc_err *err)
{
    const struct cc_profile *p = rq->p;
    if (p->ncontexts == 0)
        return cc_err_at(err, CC_EINPUT, p->path, 0, "the profile has no calls");
    struct cc_loop_share *shares;
    size_t n = cc_export_shares(rq, &shares);
    for (size_t i = 0; i < n; i++)
        put_line(rq, &shares[i]);
    free(shares);
    return 0;
}
