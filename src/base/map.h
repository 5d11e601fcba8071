/* Hash maps: 64-bit key -> 64-bit value, and string -> 64-bit value. Open addressing, no deletion. */
#ifndef CC_BASE_MAP_H
#define CC_BASE_MAP_H

#include "base.h"

struct cc_map {
    uint64_t *keys, *values;
    uint8_t *used;
    size_t n, cap;
};

/* The value's place; *ret_new tells whether the key was not there (its value is then 0). ret_new may be NULL.
 */
uint64_t *cc_map_put(struct cc_map *m, uint64_t key, bool *ret_new);
uint64_t *cc_map_get(const struct cc_map *m, uint64_t key); /* NULL if absent */
void cc_map_fini(struct cc_map *m);

struct cc_strmap {
    char **keys; /* copies */
    uint64_t *values;
    size_t n, cap;
};

uint64_t *cc_strmap_put(struct cc_strmap *m, const char *key, bool *ret_new);
uint64_t *cc_strmap_get(const struct cc_strmap *m, const char *key);
void cc_strmap_fini(struct cc_strmap *m);

#endif
