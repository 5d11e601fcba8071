/* What the programs of this folder share. Each is one source for two programs:
 *   serial, marked:  gcc -O2 -DCORECAST_NATIVE -I../../include x.c ../../engines/native/native.c -lpthread
 * -lm OpenMP:          gcc -O2 -fopenmp -DCORECAST_OFF -I../../include x.c -lm The loop bodies are functions
 * that are not inlined, so that both run the same machine code.
 */
#ifndef COMMON_H
#define COMMON_H

#include <corecast/mark.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef SCHEDULE
#define SCHEDULE static /* or -DSCHEDULE=dynamic,4 */
#endif
#define PRAGMA_(text) _Pragma(#text)
#define PRAGMA(text) PRAGMA_(text)
#ifdef _OPENMP
#define OMP(...) PRAGMA(omp __VA_ARGS__)
#else
#define OMP(...)
#endif
#define BODY __attribute__((noinline))

static inline uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static inline uint64_t hash_bytes(const void *data, size_t n)
{
    const unsigned char *p = data;
    uint64_t h = 1469598103934665603u;
    for (size_t i = 0; i < n; i++)
        h = (h ^ p[i]) * 1099511628211u;
    return h;
}

/* Memory whose pages are there before the measured part begins. */
static inline void *memory(size_t n)
{
    void *p = malloc(n);
    if (!p)
        exit(1);
    memset(p, 0, n);
    return p;
}

#endif
