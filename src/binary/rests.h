/* Rests of loops: what a compiler made of iterations that it took out of a loop. */
#ifndef CC_BINARY_RESTS_H
#define CC_BINARY_RESTS_H

#include "loops.h"

/* Of one function, whose loops are those from `first` on. loop: of each block the innermost loop around it;
 * that of a rest's blocks is set to the rest. */
void cc_loop_rests_add(struct cc_loop_map *m, const struct cc_codegraph *g,
                       const struct cc_loop_source *source, uint32_t first, uint32_t *loop);

#endif
