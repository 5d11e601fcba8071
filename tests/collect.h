/* For tests of the collector without any engine: a run of one's own, accesses as an engine makes them, and
 * what a snapshot says. */
#ifndef CC_TESTS_COLLECT_H
#define CC_TESTS_COLLECT_H

#include "../collect/internal.h"
#include "../collect/quick.h"
#include "host.h"
#include "tap.h"

#include <stdlib.h>

#define CC_TEST_HELPER static __attribute__((unused))

static bool in_a_hurry; /* accesses are in a hurry, as far as they can be */

CC_TEST_HELPER struct cc_collect *fresh_collect(const struct cc_options *options, uint32_t functions)
{
    struct cc_collect *c = cc_collect_new(&cc_test_host, options);
    for (uint32_t i = 0; i < functions; i++) {
        struct cc_function *f = cc_grow_add(c, &c->code.functions);
        f->binary = CC_NONE;
    }
    return c;
}

CC_TEST_HELPER struct cc_collect *plain(void)
{
    return fresh_collect(&(struct cc_options){.max_calls = 1000}, 64);
}

/* --- what a snapshot says --- */

struct result {
    struct cc_rec_edge edges[20000];
    size_t nedges;
    struct cc_rec_function functions[256];
    struct cc_rec_context contexts[4096];
    size_t ncontexts;
    struct cc_rec_node nodes[8192];
    size_t nnodes;
    struct cc_rec_region regions[64];
    char region_names[64][32];
    size_t nregions;
    struct cc_rec_scope scopes[256];
    size_t nscopes;
    struct cc_rec_flow flows[200000];
    size_t nflows;
    struct cc_rec_frame frames[2000];
    size_t nframes;
    struct cc_rec_frame_part parts[8000];
    size_t nparts;
    struct cc_rec_slice slices[20000];
    size_t nslices;
    struct cc_rec_problem problems[16];
    size_t nproblems;
    struct cc_rec_exec execs[256];
    struct cc_rec_block blocks[64];
    size_t nexecs, nblocks, nspans;
    struct cc_rec_run run;
    uint64_t calls_on_line;
    bool whole;
};

struct memory {
    uint8_t *data;
    size_t n;
};

CC_TEST_HELPER int memory_write(void *self, const void *data, size_t size)
{
    struct memory *m = self;
    m->data = realloc(m->data, m->n + size);
    memcpy(m->data + m->n, data, size);
    m->n += size;
    return 0;
}

CC_TEST_HELPER struct result *snapshot_of(struct cc_collect *c)
{
    struct memory m = {0};
    struct cc_sink sink = {&m, memory_write};
    struct result *r = calloc(1, sizeof *r);
    cc_snapshot(c, &sink, 1, CC_RUN_FINAL);
    uint64_t records = 0;
    for (size_t at = 8; at < m.n;) {
        struct cc_rec_head h;
        memcpy(&h, m.data + at, sizeof h);
        const uint8_t *body = m.data + at + sizeof h;
        at += sizeof h + h.size;
        if (h.tag == CC_REC_EDGE && r->nedges < 20000)
            memcpy(&r->edges[r->nedges++], body, sizeof *r->edges);
        else if (h.tag == CC_REC_FUNCTION) {
            struct cc_rec_function f;
            memcpy(&f, body, sizeof f);
            r->functions[f.id] = f;
        } else if (h.tag == CC_REC_CONTEXT)
            memcpy(&r->contexts[r->ncontexts++], body, sizeof *r->contexts);
        else if (h.tag == CC_REC_NODE)
            memcpy(&r->nodes[r->nnodes++], body, sizeof *r->nodes);
        else if (h.tag == CC_REC_RUN)
            memcpy(&r->run, body, sizeof r->run);
        else if (h.tag == CC_REC_REGION) {
            struct cc_rec_region *g = &r->regions[r->nregions];
            memcpy(g, body, sizeof *g);
            memcpy(r->region_names[r->nregions++], body + sizeof *g, g->name_size < 31 ? g->name_size : 31);
        } else if (h.tag == CC_REC_SCOPE)
            memcpy(&r->scopes[r->nscopes++], body, sizeof *r->scopes);
        else if (h.tag == CC_REC_FLOW && r->nflows < 200000)
            memcpy(&r->flows[r->nflows++], body, sizeof *r->flows);
        else if (h.tag == CC_REC_FRAME)
            memcpy(&r->frames[r->nframes++], body, sizeof *r->frames);
        else if (h.tag == CC_REC_FRAME_PART)
            memcpy(&r->parts[r->nparts++], body, sizeof *r->parts);
        else if (h.tag == CC_REC_SLICE && r->nslices < 20000)
            memcpy(&r->slices[r->nslices++], body, sizeof *r->slices);
        else if (h.tag == CC_REC_PROBLEM)
            memcpy(&r->problems[r->nproblems++], body, sizeof *r->problems);
        else if (h.tag == CC_REC_BLOCK)
            memcpy(&r->blocks[r->nblocks++], body, sizeof *r->blocks);
        else if (h.tag == CC_REC_EXEC)
            memcpy(&r->execs[r->nexecs++], body, sizeof *r->execs);
        else if (h.tag == CC_REC_SPAN)
            r->nspans++;
        else if (h.tag == CC_REC_CALL)
            r->calls_on_line++;
        else if (h.tag == CC_REC_END) {
            struct cc_rec_end end;
            memcpy(&end, body, sizeof end);
            r->whole = end.records == records && at == m.n;
        }
        records++;
    }
    free(m.data);
    return r;
}

CC_TEST_HELPER const struct cc_rec_edge *edge(const struct result *r, uint32_t level, uint32_t producer,
                                              uint32_t consumer)
{
    static const struct cc_rec_edge none;
    for (size_t i = 0; i < r->nedges; i++)
        if (r->edges[i].level == level && r->edges[i].producer == producer &&
            r->edges[i].consumer == consumer)
            return &r->edges[i];
    return &none;
}

CC_TEST_HELPER const struct cc_rec_region *region(const struct result *r, const char *name)
{
    static const struct cc_rec_region none;
    for (size_t i = 0; i < r->nregions; i++)
        if (strcmp(r->region_names[i], name) == 0)
            return &r->regions[i];
    return &none;
}

/* --- accesses as an engine makes them --- */

static uint64_t seed = 12345;
CC_TEST_HELPER uint32_t random_below(uint32_t n)
{
    seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (uint32_t)((seed >> 33) % n);
}

/* The shadow memory must be there; an access that reaches beyond its chunk is another's. */
CC_TEST_HELPER bool spot(struct cc_thread *t, uint64_t a, uint32_t class, struct cc_spot *at)
{
    cc_cell *words = t->directory[cc_chunk_of(a)], *bytes = t->owner->shadow.bytes[cc_chunk_of(a)];
    if (!words || !bytes || cc_awkward(a, class))
        return false;
    *at = (struct cc_spot){words + cc_cell_of(a), bytes + cc_byte_of(a)};
    return true;
}

#define QUICKLY(n)                                                                                \
    case n:                                                                                       \
        return write ? cc_quick_store(t, a, n, how, at) || cc_quick_store_other(t, a, n, how, at) \
                     : cc_quick_load(t, a, n, how, at) || cc_quick_load_other(t, a, n, how, at);

/* Whether it could be done in a hurry. */
CC_TEST_HELPER bool quick_access(struct cc_thread *t, uint64_t a, uint32_t class, bool write, enum cc_how how)
{
    struct cc_spot at;
    if (!spot(t, a, class, &at))
        return false;
    switch (class) {
        QUICKLY(0)
        QUICKLY(1)
        QUICKLY(2)
        QUICKLY(3)
        QUICKLY(4)
    }
    return false;
}

CC_TEST_HELPER void quick_access_any(struct cc_thread *t, uint64_t a, uint32_t class, bool write)
{
    if (quick_access(t, a, class, write, CC_ONE))
        return;
    if (write)
        cc_write_any(t, a, 1u << class);
    else
        cc_read_any(t, a, 1u << class);
}

CC_TEST_HELPER void load(struct cc_thread *t, uint64_t a, uint32_t size)
{
    uint32_t class = (uint32_t)__builtin_ctz(size);
    if (size > 16 || (size & (size - 1)))
        cc_read_any(t, a, size);
    else if (in_a_hurry)
        quick_access_any(t, a, class, false);
    else
        cc_read(t, a, class);
}

CC_TEST_HELPER void store(struct cc_thread *t, uint64_t a, uint32_t size)
{
    uint32_t class = (uint32_t)__builtin_ctz(size);
    if (size > 16 || (size & (size - 1)))
        cc_write_any(t, a, size);
    else if (in_a_hurry)
        quick_access_any(t, a, class, true);
    else
        cc_write(t, a, class);
}

/* Two accesses of 4 or 8 bytes each, side by side. */
CC_TEST_HELPER void access_pair(struct cc_thread *t, uint64_t a, uint32_t size, bool write)
{
    if (in_a_hurry && quick_access(t, a, (uint32_t)__builtin_ctz(size) + 1, write, CC_TWICE))
        return;
    cc_again(t, a + size, a);
    for (uint32_t i = 0; i < 2; i++) {
        if (write)
            store(t, a + i * size, size);
        else
            load(t, a + i * size, size);
    }
}

/* --- a thread in main --- */

enum { A = 0x10000, F = 1, G = 2, H = 3, MAIN = 10 };

CC_TEST_HELPER struct cc_thread *start(struct cc_collect **c)
{
    *c = plain();
    struct cc_thread *t = cc_thread_new(*c, 1, 0);
    cc_call(t, 0, MAIN, 1, 0);
    return t;
}

CC_TEST_HELPER void call(struct cc_thread *t, uint32_t f, uint64_t now)
{
    cc_call(t, now, f, 100 + now, 0);
}
CC_TEST_HELPER void leave(struct cc_thread *t, uint64_t now)
{
    cc_return(t, now, t->room.activations[t->depth - 1].ret, 0);
}

/* Everything with plain accesses, and in a hurry. */
CC_TEST_HELPER void both_ways(void (*tests)(void))
{
    for (int i = 0; i < 2; i++) {
        in_a_hurry = i;
        tests();
    }
}

#endif
