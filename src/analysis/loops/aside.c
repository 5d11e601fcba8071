#include "aside.h"
#include "../../isa/decode.h"

struct cc_asides {
    const struct cc_profile *p;
    struct cc_decoder *decoder; /* NULL: not asked for yet, or there is none */
    bool tried;
    uint8_t *known; /* by block: 0, or 1 + whether */
};

struct cc_asides *cc_asides_new(const struct cc_profile *p)
{
    struct cc_asides *x = cc_alloc(sizeof *x);
    *x = (struct cc_asides){.p = p, .known = cc_alloc_array(p->nblocks + 1, sizeof *x->known)};
    return x;
}

void cc_asides_free(struct cc_asides *x)
{
    cc_decoder_free(x->decoder);
    free(x->known);
    free(x);
}

static struct cc_decoder *decoder_of(struct cc_asides *x)
{
    const struct cc_isa *isa = x->p->isa ? cc_isa_named(x->p->isa) : NULL;
    struct cc_err err = {0};
    if (!x->tried && isa && cc_decoder_new(isa, &x->decoder, &err) < 0)
        x->decoder = NULL;
    x->tried = true;
    return x->decoder;
}

/* Whether stores of the block, or those of its instruction at `only` if that is not 0, are of the frame. */
static bool is_aside(struct cc_asides *x, const struct cc_pblock *b, uint64_t only)
{
    struct cc_decoder *d = decoder_of(x);
    uint32_t at = 0, done = 0;
    bool all = d != NULL;
    for (; all && at < b->size && done < b->instructions; done++) {
        struct cc_insn i;
        cc_decode(d, b->mode == 1, b->code + at, b->size - at, b->address + at, &i);
        if (!only || b->address + at == only)
            all = i.kind != CC_INSN_UNKNOWN && (!i.writes || i.frame);
        at += i.size;
    }
    return all && done == b->instructions;
}

bool cc_asides_block(struct cc_asides *x, uint32_t block)
{
    if (!x->known[block])
        x->known[block] = 1 + is_aside(x, &x->p->blocks[block], 0);
    return x->known[block] == 2;
}

bool cc_asides_insn(struct cc_asides *x, uint64_t address)
{
    for (size_t i = 0; i < x->p->nblocks; i++) {
        const struct cc_pblock *b = &x->p->blocks[i];
        if (address >= b->address && address - b->address < b->size)
            return is_aside(x, b, address);
    }
    return false;
}
