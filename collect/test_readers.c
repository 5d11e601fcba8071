/* Sets of readers against plain bit sets: many functions read and write few words in random order, so that
 * sets grow large, fork and meet again. */
#include "internal.h"
#include "quick.h"
#include "../tests/host.h"
#include "tap.h"

#include <string.h>

enum { FUNCTIONS = 180, WORDS = 96, BASE = 0x100000 };

struct model {
    int writer[WORDS]; /* 0: nobody */
    bool seen[WORDS][FUNCTIONS + 1];
    uint64_t bytes[FUNCTIONS + 1][FUNCTIONS + 1], fresh[FUNCTIONS + 1][FUNCTIONS + 1];
    bool touched[FUNCTIONS + 1][FUNCTIONS + 1][WORDS];
};

static uint64_t seed = 7;
static uint32_t random_below(uint32_t n)
{
    seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (uint32_t)((seed >> 33) % n);
}

static void model_read(struct model *m, uint32_t word, uint32_t reader)
{
    int w = m->writer[word];
    m->bytes[w][reader] += 4;
    m->fresh[w][reader] += m->seen[word][reader] ? 0 : 4;
    m->touched[w][reader][word] = true;
    m->seen[word][reader] = true;
}

static void model_write(struct model *m, uint32_t word, uint32_t writer)
{
    m->writer[word] = (int)writer;
    memset(m->seen[word], 0, sizeof m->seen[word]);
}

/* Half of the reads are in a hurry, which also makes states of one place. */
static void read_word(struct cc_thread *t, uint64_t a)
{
    struct cc_spot at;
    bool done = random_below(2) && cc_quick_spot(t, a, 2, &at) &&
                (cc_quick_load(t, a, 2, CC_ONE, at) || cc_quick_load_other(t, a, 2, CC_ONE, at));
    if (!done)
        cc_read(t, a, 2);
}

/* Functions come in waves, so that the same sets are also reached in other orders. */
static void run(struct cc_thread *t, struct model *m, uint32_t rounds)
{
    uint64_t now = 0;
    cc_call(t, ++now, FUNCTIONS + 1, 1, 0);
    for (uint32_t i = 0; i < rounds; i++) {
        uint32_t f =
            1 + (random_below(3) ? (i / 40 + random_below(12)) % FUNCTIONS : random_below(FUNCTIONS));
        cc_call(t, ++now, f, 2, 0);
        for (uint32_t k = random_below(24); k; k--) {
            uint32_t word = random_below(WORDS);
            uint64_t a = BASE + 4 * (uint64_t)word;
            if (random_below(200) == 0) {
                cc_write(t, a, 2);
                model_write(m, word, f);
            } else {
                read_word(t, a);
                model_read(m, word, f);
            }
        }
        cc_return(t, ++now, 2, 0);
    }
    cc_thread_end(t, ++now);
    cc_finds_forget(t->owner);
}

struct got {
    uint64_t bytes, fresh, unma;
};

static uint32_t function_of(const struct cc_collect *c, uint32_t node)
{
    const struct cc_node *n = cc_node_at(c, node);
    return n->kind == CC_NODE_CONTEXT ? cc_context_at(c, n->context)->function : 0;
}

static struct got *streams_of(const struct cc_thread *t)
{
    struct got *got = calloc((FUNCTIONS + 1) * (FUNCTIONS + 1), sizeof *got);
    struct cc_addresses *unma = cc_addresses_new(t->owner);
    for (uint32_t number = 1; number <= t->room.streams->n; number++) {
        const struct cc_stream *s = cc_stream_at(t, number);
        struct got *g =
            &got[function_of(t->owner, s->producer) * (FUNCTIONS + 1) + function_of(t->owner, s->consumer)];
        g->fresh += cc_stream_count(t, s, CC_COUNTED_FRESH + CC_LEVEL_CONTEXT);
        g->bytes += cc_stream_count(t, s, CC_COUNTED_BYTES);
        g->unma += cc_addresses_of(&unma[t->id], s);
    }
    cc_addresses_free(t->owner, unma);
    return got;
}

/* least: states that are made before those that nobody needs are thrown away; 0: as usual */
static void compare(uint32_t rounds, uint32_t max_states, uint32_t least, bool exact)
{
    struct cc_collect *c = cc_collect_new(&cc_test_host, &(struct cc_options){.max_states = max_states});
    if (least)
        c->states.least = c->states.sweep_due = least;
    for (uint32_t i = 0; i < FUNCTIONS + 2; i++)
        ((struct cc_function *)cc_grow_add(c, &c->code.functions))->binary = CC_NONE;
    struct model *m = calloc(1, sizeof *m);
    struct cc_thread *t = cc_thread_new(c, 1, 0);
    run(t, m, rounds);
    struct got *got = streams_of(t);
    size_t wrong = 0, compared = 0, less = 0;
    for (uint32_t p = 0; p <= FUNCTIONS; p++)
        for (uint32_t r = 1; r <= FUNCTIONS; r++) {
            const struct got *g = &got[p * (FUNCTIONS + 1) + r];
            uint64_t unma = 0;
            for (uint32_t word = 0; word < WORDS; word++)
                unma += m->touched[p][r][word] ? 4 : 0;
            wrong += g->bytes != m->bytes[p][r] || g->unma != unma || g->fresh > m->fresh[p][r];
            less += g->fresh < m->fresh[p][r];
            compared += unma > 0;
        }
    OK(wrong == 0 && compared > 1000, "%zu streams: bytes and distinct addresses as in the model", compared);
    OK(c->states.cut != exact && (less == 0) == exact,
       exact ? "and every first read" : "first reads are a lower bound, and the run says so");
    OK(exact || c->states.all.n <= max_states + 4 * FUNCTIONS, "states stay near their bound");
    OK(!least || !exact || c->states.all.n < 40000, "%u numbers of states are enough", c->states.all.n);
    free(got);
    free(m);
}

int main(void)
{
    compare(60000, 0, 0, true);
    compare(60000, 1000, 0, false);
    compare(60000, 1000, 100, false); /* what there is no room for may find some later */
    compare(60000, 0, 1000, true);
    compare(3000, 0, 1, true);
    return TAP_DONE();
}
