/* main of a program that has no symbols. */
#ifndef CC_BINARY_ENTRY_H
#define CC_BINARY_ENTRY_H

#include <gelf.h>
#include <stdint.h>

/* The address that the code at the program's entry point hands to the C library as main, as it does on
 * aarch64, riscv64 and x86-64; 0: not known. */
uint64_t cc_entry_main(Elf *elf);

#endif
