/* How far apart what a loop accesses lies, when it is entered: where iterations meet is decided by that, by
 * steps that are not always the same, and by what subscripts are looked up in. From the loop's code (in the
 * form of loop_code.h) it is worked out once what to look at; each entry then has a sign, a number, and
 * entries of one sign are taken to be alike. It only tells what is worth following: nothing is proved by it.
 */
#ifndef CC_COLLECT_APART_H
#define CC_COLLECT_APART_H

#include "depend.h"
#include "loop_code.h"

struct cc_apart;

struct cc_apart_code { /* pieces of a loop's code and of loops inside it, one by one; NULL: no more */
    void *self;
    const struct cc_rec_loop_code *(*next)(void *self);
};

/* NULL: nothing that can be told of decides where it accesses. */
struct cc_apart *cc_apart_new(const struct cc_host *host, const struct cc_depend_machine *m,
                              const struct cc_apart_code *code);
void cc_apart_free(const struct cc_host *host, struct cc_apart *a);

struct cc_apart_now {
    const uint8_t *registers; /* the guest's state */
    uint64_t trips;           /* iterations of an invocation, at most so far; */
    uint64_t sure;            /* and at least */
};
uint64_t cc_apart_sign(const struct cc_apart *a, const struct cc_host *host, const struct cc_apart_now *now);

#endif
