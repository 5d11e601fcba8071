#include "lcm.h"

#define WORD uint64_t
#define WORD_BITS 64
#define NAME(x) lcm_words64_##x

static inline unsigned lowest(uint64_t w)
{
    return (unsigned)__builtin_ctzll(w);
}

#include "words.inc"
