#include "early.h"
#include "lines.h"

/* Whether a line has the value from a load of that: what the iteration before has loaded of something else it
 * may have stored there. */
static bool is_loaded_before(const struct gate_input *in, const struct cc_judge_rotation *r, unsigned line,
                             const struct cc_witness_query *of)
{
    return r->at.line == line && cc_witness_loads_of(in->witness, of, r->from) &&
           !cc_witness_stores(in->witness, r->from);
}

size_t cc_early_inside(const struct gate_input *in, unsigned line, const struct cc_witness_query *of)
{
    const struct group *g = cc_lines_group(in, cc_lines_around(in, line));
    size_t n = 0;
    for (size_t i = 0; g && i < g->members.n; i++) {
        struct cc_judgement x;
        cc_judge_loop(in->judge, g->members.v[i], in->source, &x);
        for (size_t k = 0; k < x.rotating.n; k++)
            n += is_loaded_before(in, &x.rotating.v[k], line, of);
        cc_judgement_fini(&x);
    }
    return n;
}

size_t cc_early_loads(const struct gate_input *in, unsigned line, const struct cc_witness_query *of)
{
    size_t n = cc_early_inside(in, line, of);
    for (size_t i = 0; i < in->rotating.n; i++)
        n += is_loaded_before(in, &in->rotating.v[i], line, of);
    return n;
}
