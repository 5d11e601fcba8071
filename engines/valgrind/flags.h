/* AArch64: whether a condition holds after an operation. what: condition << 4 | operation; a, b, c: of the
 * operation, as VEX keeps them. The first stands in for the second, VEX's own. */
#ifndef CC_ENGINES_VALGRIND_FLAGS_H
#define CC_ENGINES_VALGRIND_FLAGS_H

#include <stdint.h>

uint64_t __wrap_arm64g_calculate_condition(uint64_t what, uint64_t a, uint64_t b, uint64_t c);
uint64_t __real_arm64g_calculate_condition(uint64_t what, uint64_t a, uint64_t b, uint64_t c);

#endif
