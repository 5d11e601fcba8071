/* Reuse distances: how many other lines were touched since a line was touched last. One stack of lines, the
 * latest on top; a line at depth d has distance d, and hits in every fully associative cache of more than d
 * lines. Distances are told in classes: class j has those below cc_reuse_bound(j) that are in no class
 * before, so that the misses of a cache of exactly that many lines are exact.
 *
 * At most `most` lines are kept. Beyond that, half of all lines (by a hash of their address) are forgotten
 * and never looked at again, and a line stands for twice as many: counts and distances are then estimates. */
#ifndef CC_COLLECT_REUSE_H
#define CC_COLLECT_REUSE_H

#include "host.h"
#include "locality_record.h"

#include <stdbool.h>

struct cc_reuse;

struct cc_reuse *cc_reuse_new(const struct cc_host *host, uint32_t most);
void cc_reuse_free(struct cc_reuse *r);

/* What an access found. */
struct cc_reuse_found {
    uint32_t class;  /* CC_REUSE_COLD: the first touch of the line */
    uint32_t weight; /* lines that this one stands for; 0: it is not looked at */
    bool fresh;      /* nobody of this name has touched the line before, as far as that is known */
};

/* `who` touches the line: any number but UINT32_MAX. */
struct cc_reuse_found cc_reuse_touch(struct cc_reuse *r, uint64_t line, uint32_t who);
uint32_t cc_reuse_shift(const struct cc_reuse *r); /* one line in 2^shift is looked at */

#endif
