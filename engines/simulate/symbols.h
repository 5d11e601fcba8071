#ifndef CC_ENGINES_SIMULATE_SYMBOLS_H
#define CC_ENGINES_SIMULATE_SYMBOLS_H

#include <stdbool.h>
#include <stdint.h>

typedef void symbol_told(uint64_t address, const char *name);

/* The functions of a file of which the part from `offset` on lies at `from`, by their addresses there. */
void symbols_read(const char *path, uint64_t from, uint64_t offset, symbol_told *told);

#endif
