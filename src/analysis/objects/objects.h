/* Data objects by how much they are accessed, and the flow of data through them. */
#ifndef CC_ANALYSIS_OBJECTS_OBJECTS_H
#define CC_ANALYSIS_OBJECTS_OBJECTS_H

#include "../comm/comm.h"

struct cc_objects_item {
    uint32_t id; /* into the profile's data */
    uint64_t reads, writes, bytes_read, bytes_written;
    uint64_t first, last; /* of all functions; of no use without accesses */
    uint32_t functions;   /* how many access it */
    bool never;           /* no function does */
    bool leaked;          /* heap blocks that were not freed */
};

struct cc_objects {
    struct cc_objects_item *items; /* most bytes first, then by id */
    size_t n;
    const char **names; /* by id: no two alike */
    uint64_t bytes;     /* read and written, of all objects */
    size_t hidden;      /* left out by the filter, */
    uint64_t hidden_bytes;
    const char *limits[4]; /* what this recording cannot see, as sentences */
    size_t nlimits;
    struct cc_arena arena;
};

/* min_share is of the bytes of all objects; a focus keeps objects of that name. Objects that nobody accessed
 * or that leaked are never left out by min_share. */
int cc_objects_list(const struct cc_profile *p, const struct cc_filter *filter, struct cc_objects **ret,
                    struct cc_err *err);
void cc_objects_free(struct cc_objects *o);

/* The flow as a graph: function -> object has the bytes written, object -> function the bytes read. Free with
 * cc_comm_free. */
int cc_objects_comm(const struct cc_profile *p, const struct cc_filter *filter, struct cc_comm **ret,
                    struct cc_err *err);

/* Puts chosen objects, named as a focus is, into a graph of regions: what was written to them and read from
 * them. A function belongs to the region it ran in; one that ran in several is a node of its own, since
 * accesses are known by function. */
int cc_objects_join(const struct cc_profile *p, const char *const *wanted, size_t n, struct cc_comm *c,
                    struct cc_err *err);

#endif
