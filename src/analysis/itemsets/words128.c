#include "lcm.h"

#define WORD unsigned __int128
#define WORD_BITS 128
#define NAME(x) lcm_words128_##x

static inline unsigned lowest(unsigned __int128 w)
{
    uint64_t low = (uint64_t)w;
    return (unsigned)(low ? __builtin_ctzll(low) : 64 + __builtin_ctzll((uint64_t)(w >> 64)));
}

#include "words.inc"
