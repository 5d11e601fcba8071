/* How the tables of instructions name them: patterns of mnemonics. No libc, and quick: a simulator asks for
 * every instruction it translates. */
#ifndef CC_ISA_MATCH_H
#define CC_ISA_MATCH_H

#include <stdbool.h>

/* One of the patterns, a space apart, is all of `name`: `*` stands for any letters, `?` for one. */
bool cc_names_fit(const char *names, const char *name);

#endif
