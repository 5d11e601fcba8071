/* Where a snapshot goes once the program may have taken away our right to open and write files: memory that
 * is mapped from a file. No system call is needed to write there. Its first bytes, by which a record file is
 * known, are put last, so that one that is only half written is none. */
#ifndef CC_COLLECT_BOAT_H
#define CC_COLLECT_BOAT_H

#include "collect.h"

enum { CC_BOAT_HEAD = 8, CC_BOAT_SIZE = 32 << 20, CC_BOAT_MOST = 1 << 30 };

struct cc_boat {
    uint8_t *p; /* NULL: there is none. What lies behind the snapshot in it is 0. */
    size_t size, at, used;
    uint8_t head[CC_BOAT_HEAD];
};

void cc_boat_begin(struct cc_boat *b);
int cc_boat_write(void *self, const void *data, size_t size); /* of struct cc_sink; negative: it is full */
void cc_boat_end(struct cc_boat *b);

/* A snapshot into it. `larger` makes it larger, false: it cannot. Whether it fit; if not, the next try
 * overwrites this one. */
bool cc_boat_snapshot(struct cc_boat *b, bool (*larger)(struct cc_boat *b), struct cc_collect *c,
                      uint32_t pid, uint32_t flags);

#endif
