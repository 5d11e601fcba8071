/* The loops of a file's code, found without running it. */
#ifndef CC_BINARY_LOOPS_H
#define CC_BINARY_LOOPS_H

#include "cfg.h"
#include "../../collect/loop_record.h"

struct cc_code_range;

struct cc_loop_map {
    CC_VEC(struct cc_loop_static) loops; /* outer ones before those inside */
    CC_VEC(uint64_t) functions;          /* of each: where its function begins */
    CC_VEC(struct cc_loop_block) blocks;
    CC_VEC(struct cc_loop_event) events; /* in their order */
};

/* Which functions' loops are wanted. All zero: of all. */
struct cc_loop_choice {
    const struct cc_code_range *without; /* those that begin in one of these, which are sorted, are not */
    size_t nwithout;
    bool (*wants)(void *self, uint64_t from, uint64_t to); /* may be NULL; asked of each part of a function */
    void *self;
    bool rests; /* also what compilers made of single iterations: rests.h */
};

/* Nothing of a file that cannot be read or whose instruction set is not known. */
int cc_loop_map_init(struct cc_loop_map *m, struct cc_symbols *symbols, const char *path,
                     const struct cc_loop_choice *choice, struct cc_err *err);
void cc_loop_map_fini(struct cc_loop_map *m);

enum { CC_LOOP_READS = 1, CC_LOOP_WRITES = 2 };
struct cc_loop_source {
    unsigned (*line)(void *self, uint64_t address); /* of an address; 0: unknown */
    /* What an instruction does in memory, but for what lies at a fixed distance from the stack pointer;
     * *ret_size: how long it is, of so many bytes. NULL: no rests are wanted. */
    unsigned (*accesses)(void *self, uint64_t address, uint64_t size, unsigned *ret_size);
    void *self;
};

/* Adds the loops of one function; events are in no order yet. source: NULL if there is none. */
void cc_loop_map_add(struct cc_loop_map *m, const struct cc_codegraph *g,
                     const struct cc_loop_source *source);

#endif
