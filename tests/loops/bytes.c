/* Numbers that are combined where bytes of something else lie: two that overlap carry from one to the other,
 * and a clause would combine the bytes. */
#include "loops.h"

#include <stdint.h>

static unsigned char raw[8 * N + 16];
static int a[N];
static uint64_t wide[N];
static uint32_t plain[N];
static union {
    uint64_t all;
    uint32_t half[2];
} both[N];
struct __attribute__((packed)) item {
    char tag;
    int v;
    short s;
};
static struct item items[N + 2];

KERNEL(overlapping)
{
    for (int i = 0; i < n; i++) /* loop: no */
        *(uint32_t *)(raw + i * 3) += (uint32_t)a[i] * 0x01010101u + 77;
}
KERNEL(overlapping_halves)
{
    for (int i = 0; i < n; i++) /* loop: no */
        *(uint16_t *)(raw + i) += (uint16_t)a[i];
}
KERNEL(beside)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        *(uint32_t *)(raw + i * 4) += (uint32_t)a[i] * 0x01010101u + 77;
}
KERNEL(carries)
{
    for (int i = 0; i < n; i++) /* loop: no */
        *(uint32_t *)(raw + i / 4 * 4) += (uint32_t)a[i] * 0x01010101u + 77;
}
KERNEL(bits_of_all)
{
    for (int i = 0; i < n; i++) /* loop: reduction */
        *(uint16_t *)(raw + i) ^= (uint16_t)a[i];
}
KERNEL(of_words)
{
    for (int i = 0; i < n; i++) /* loop: no */
        *(uint32_t *)((char *)wide + (i & 15) * 2) += (uint32_t)a[i] << 9;
}
KERNEL(words)
{
    for (int i = 0; i < n; i++) /* loop: reduction */
        plain[i & 15] += (uint32_t)a[i] << 9;
}
KERNEL(halves_of_words)
{
    for (int i = 0; i < n; i++) /* loop: no */
        ((uint32_t *)wide)[i & 31] += (uint32_t)a[i] << 9;
}

KERNEL(by_pointer)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        uint32_t *p = (uint32_t *)(raw + i * 3);
        *p += (uint32_t)a[i] * 0x01010101u;
    }
}

KERNEL(by_pointer_ahead)
{
    uint32_t *p = (uint32_t *)(raw + 1);
    for (int i = 0; i < n; i++) { /* loop: no */
        *p += (uint32_t)a[i] * 0x01010101u;
        p = (uint32_t *)((char *)p + 2);
    }
}

KERNEL(by_copies)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        uint64_t w;
        memcpy(&w, raw + i * 7, 8);
        w += (uint64_t)a[i] * 0x0123456789abcdefull;
        memcpy(raw + i * 7, &w, 8);
    }
}

KERNEL(by_copies_of_items)
{
    char *at = (char *)items;
    for (int i = 0; i < n; i++) { /* loop: no */
        uint64_t w;
        memcpy(&w, at + i * 7, 8);
        w += (uint64_t)i * 0x0123456789abcdefull;
        memcpy(at + i * 7, &w, 8);
    }
}

static inline void bump(void *at, uint32_t by)
{
    *(uint32_t *)at += by;
}

KERNEL(by_call)
{
    for (int i = 0; i < n; i++) /* loop: no */
        bump(raw + i * 3, (uint32_t)a[i] * 0x01010101u);
}
KERNEL(by_call_beside)
{
    for (int i = 0; i < n; i++) /* loop: either */
        bump(raw + i * 4, (uint32_t)a[i] * 0x01010101u);
}

static inline void bump_copy(unsigned char *at, uint32_t by)
{
    uint32_t w;
    memcpy(&w, at, sizeof w);
    w += by;
    memcpy(at, &w, sizeof w);
}

KERNEL(by_call_of_copies)
{
    for (int i = 0; i < n; i++) /* loop: no */
        bump_copy(raw + i * 3, (uint32_t)a[i] * 0x01010101u);
}

KERNEL(union_parts)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        both[i & 7].all += (uint64_t)a[i] << 20;
        both[i & 7].half[1] += (uint32_t)a[i];
        both[i & 7].half[0] ^= both[i & 7].half[1];
    }
}

/* by a pointer to nothing in particular, by another one, by what a function or a choice hands back */
typedef unsigned char byte;
KERNEL(void_pointer)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        void *at = raw + i * 3;
        *(uint32_t *)at += (uint32_t)a[i] * 0x01010101u + 77;
    }
}
KERNEL(implicit)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        void *at = raw + i * 3;
        uint32_t *to = at;
        *to += (uint32_t)a[i] * 0x01010101u + 77;
    }
}
KERNEL(in_two)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        byte *at = raw + i * 3;
        uint32_t *to = (uint32_t *)at;
        uint32_t *it = to;
        *it += (uint32_t)a[i] * 0x01010101u + 77;
    }
}
static inline uint32_t *word_at(unsigned char *p, int i)
{
    return (uint32_t *)(p + i * 3);
}
KERNEL(by_function)
{
    for (int i = 0; i < n; i++) /* loop: no */
        *word_at(raw, i) += (uint32_t)a[i] * 0x01010101u + 77;
}
KERNEL(by_function_pointer)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        uint32_t *p = word_at(raw, i);
        *p += (uint32_t)a[i] * 0x01010101u + 77;
    }
}
KERNEL(by_choice)
{
    for (int i = 0; i < n; i++) /* loop: no */
        *(a[i] & 1 ? (uint32_t *)(raw + i * 3) : (uint32_t *)(raw + i * 3 + 1)) +=
            (uint32_t)a[i] * 0x01010101u + 77;
}
KERNEL(by_choice_pointer)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        uint32_t *p = a[i] & 1 ? (uint32_t *)(raw + i * 3) : (uint32_t *)(raw + i * 3 + 1);
        *p += (uint32_t)a[i] * 0x01010101u + 77;
    }
}
static inline uint32_t *word_of(uint32_t *p, int i)
{
    return p + (i & 15);
}
KERNEL(void_pointer_to_words)
{
    for (int i = 0; i < n; i++) { /* loop: reduction */
        void *at = plain + (i & 15);
        *(uint32_t *)at += (uint32_t)a[i] << 9;
    }
}
KERNEL(words_by_function)
{
    for (int i = 0; i < n; i++) /* loop: reduction */
        *word_of(plain, i) += (uint32_t)a[i] << 9;
}
KERNEL(words_by_choice)
{
    for (int i = 0; i < n; i++) { /* loop: either */
        uint32_t *p = a[i] & 1 ? plain + (i & 15) : plain + 20;
        *p += (uint32_t)a[i] << 9;
    }
}

int main(void)
{
    for (int i = 0; i < N; i++) /* loop: parallel */
        a[i] = i * 91 % 257;
    int n = N / 2;
    overlapping(n), overlapping_halves(n), beside(n), carries(n), bits_of_all(n), of_words(n), words(n),
        halves_of_words(n);
    by_pointer(n), by_pointer_ahead(n), by_copies(n), by_copies_of_items(n), by_call(n), by_call_beside(n),
        by_call_of_copies(n), union_parts(n);
    void_pointer(n), implicit(n), in_two(n), by_function(n), by_function_pointer(n), by_choice(n),
        by_choice_pointer(n), void_pointer_to_words(n), words_by_function(n), words_by_choice(n);
    digest(raw, sizeof raw), digest(wide, sizeof wide), digest(plain, sizeof plain),
        digest(both, sizeof both), digest(items, sizeof items);
    return finish();
}
